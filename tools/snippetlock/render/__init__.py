"""Cut a snippet: what a selector found, as a view shows it.

What is shown are slices of the file's own lines; the only text that is ours are the marks for what is left
out, and one indentation that all lines share is taken away. Raises `ViewError` for a view that does not fit,
or shows nothing, and `HighlightError`; knows nothing of pages or of the lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from snippetlock.errors import ViewError
from snippetlock.model import Found, Region, Snippet, Span, View
from snippetlock.records import replace
from snippetlock.render.asides import docstrings, grouped, shortened, without_comments, without_docstring
from snippetlock.render.sheet import FROZEN, PLAIN, Cuts, Row, Sheet, assemble, joined, sheet_of
from snippetlock.render.views import Plan, called, plan
from snippetlock.text import dedent, is_blank, line_end, sha256

__all__ = ["MARKS", "Laid", "render"]

MARKS = {"python": "# …", "yaml": "# …", "toml": "# …"}
"""What stands for lines left out, by language; in others no view but `from` and `to` leaves anything out."""

_LITERAL = ("python", "toml", "c", "cpp", "cuda")  # in them what is inside a string of several lines must not move
_OTHER_MARKS = dict.fromkeys(("c", "cpp", "cuda"), "// …") | dict.fromkeys(("bash", "ini"), "# …")


class Laid:
    """What a view shows of what was found, with its place; its digests are made when the whole `snippet` is asked for.

    Between two states most texts are the same, and then nobody asks.
    """

    def __init__(self, id: str, found: Found, view: View) -> None:
        """Raises what `render` raises."""
        self.id = id
        self.found = found
        self.view = view
        _check_fit(found, view)
        is_narrow = bool(view.from_ or view.to or view.match or view.count is not None)
        if is_narrow:
            from snippetlock.render.narrow import check_narrow, narrowed

            check_narrow(found, view)
        self._sheet = sheet = sheet_of(found.text, found.part.whole)
        mark = MARKS.get(found.language) or _OTHER_MARKS.get(found.language, "…")
        groups = grouped(found.part, sheet) if found.language in _LITERAL else {}
        planned = plan(found, view, sheet, mark, groups)
        self._planned = planned = narrowed(found, view, sheet, planned) if is_narrow else planned
        cuts = _with_asides(found, view, sheet, planned, groups)
        rows = assemble(sheet, planned.window, cuts, planned.headers, groups, mark)
        self._rows = rows = _dedented(found, sheet, rows, planned)
        first, last = next(_shown(rows), 0), next(_shown(reversed(rows)), 0)
        if not first:
            line = sheet.number(found.part.head.start)
            what, mend = f"the view leaves nothing of {called(found)} to show", "leave less out, or select more"
            if not "".join(sheet.lines).strip():  # no view shows more of it
                what, mend = f"there is nothing in {called(found)}", "quote something else"
            raise ViewError(what, path=found.path, line=line, mend=mend)
        if planned.header:
            first, last = planned.window[0], planned.window[-1]
        if view.imports:
            from snippetlock.render.needed import needed

            self._rows = rows = (*needed(found, rows, planned.window[0], mark), *rows)
        self.span = Span(path=found.path, first=first, last=last)
        self.text = "".join(row.text for row in rows)
        self._highlight: tuple[int, ...] = ()
        if view.highlight:
            from snippetlock.render.highlight import highlighted

            self._highlight = highlighted(rows, view.highlight, found.path, found.language)

    @cached_property
    def snippet(self) -> Snippet:
        """The snippet, with its digests."""
        from snippetlock.render.digests import digests

        found, rows = self.found, self._rows
        quoted = tuple(_unmarked(row) if row.own else row for row in rows if row.number is not None)
        comments = _comments(found, self._sheet, quoted)
        said = digests(found, self._planned, "".join(row.text for row in quoted), comments)
        return Snippet(
            id=self.id,
            selector=found.selector,
            view=self.view,
            span=self.span,
            language=found.language,
            text=self.text,
            numbers=tuple(row.number for row in rows),
            highlight=self._highlight,
            digests=replace(said, text=sha256(self.text)),
            consulted=found.consulted,
        )


def render(id: str, found: Found, view: View) -> Snippet:
    """The snippet `id`: what was found, as `view` shows it, with its digests."""
    return Laid(id, found, view).snippet


def _shown(rows: Iterable[Row]) -> Iterator[int]:
    """The numbers of the lines of the file that are shown, blank ones aside."""
    return (row.number for row in rows if row.number is not None and not is_blank(row.text))


def _check_fit(found: Found, view: View) -> None:
    """Refuse what the language or the view has no room for, before anything is cut."""
    problem = ""
    if found.language not in MARKS and (view.show != "source" or view.comments == "drop"):
        problem, mend = f"nothing can be left out of a {found.language} file", "use `show: source`, `comments: keep`"
    elif found.language != "python" and (view.docstrings is not None or view.show == "docstring"):
        problem, mend = f"{found.language} has no docstrings", "leave `docstrings` out, and use another view"
    elif view.imports and found.language != "python":
        problem, mend = f"{found.language} has no imports to show", "leave `imports` out"
    elif view.imports and found.part.kind == "module":
        problem, mend = "the imports of a whole module are shown with it", "leave `imports` out"
    elif view.keep and view.show != "skeleton":
        problem, mend = f"`keep` says nothing to `show: {view.show}`", "use `show: skeleton`, or leave `keep` out"
    if problem:
        raise ViewError(problem, path=found.path, mend=mend)


def _with_asides(found: Found, view: View, sheet: Sheet, planned: Plan, groups: dict[int, int]) -> Cuts:
    """The plan's cuts, and those of the comments and docstrings that it leaves in place."""
    mark, cuts = MARKS.get(found.language, ""), planned.cuts  # where comments are dropped, the language has one

    def left(region: Region) -> bool:
        number = sheet.number(region.start)
        return number in planned.window and number not in planned.cuts.lines and number not in planned.cuts.rows

    if view.comments == "drop":
        cuts = cuts.over(without_comments(filter(left, found.part.comments), sheet, mark, groups))
    docs = filter(left, docstrings(found.part)) if view.docstrings else ()
    if view.docstrings == "drop":
        cuts = joined(without_docstring(doc, sheet, found.path, mark, groups) for doc in docs).over(cuts)
    elif view.docstrings == "summary":
        cuts = joined(shortened(doc, sheet, cuts) for doc in docs).over(cuts)
    return cuts


def _dedented(found: Found, sheet: Sheet, rows: tuple[Row, ...], planned: Plan) -> tuple[Row, ...]:
    """The rows without the indentation they share; a module's are the file's own."""
    if planned.skip:
        rows = (rows[0]._replace(text=rows[0].text[planned.skip :]), *rows[1:])
    if found.part.kind == "module":
        if not planned.narrow:
            return rows
    elif not planned.skip and _at_margin(rows, sheet, found.part.head.start):
        return rows
    frozen = {i for i, row in enumerate(rows) if row.group == FROZEN}
    groups: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        if row.group > PLAIN:
            groups.setdefault(row.group, []).append(i)
    comments = {sheet.number(c.start) for c in found.part.comments if is_blank(sheet.before(c.start))}
    asides = {i for i, row in enumerate(rows) if row.number is None or row.number in comments}
    lines = dedent([row.text for row in rows], frozen, groups.values(), asides)
    return tuple(row._replace(text=line) for row, line in zip(rows, lines, strict=True))


def _at_margin(rows: Sequence[Row], sheet: Sheet, offset: int) -> bool:
    """Whether the line of `offset` is shown, code from its first character on: then nothing is shared."""
    number = sheet.number(offset)
    plain = not sheet.before(offset) and not is_blank(sheet.text[offset : offset + 1])
    return plain and any(row.number == number for row in rows)


def _unmarked(row: Row) -> Row:
    """A row of the file without the mark behind it."""
    at = len(row.text) - len(line_end(row.text))
    return row._replace(text=row.text[: at - row.own] + row.text[at:])


def _comments(found: Found, sheet: Sheet, rows: tuple[Row, ...]) -> tuple[tuple[int, str], ...]:
    """(index of its row, text) of every comment shown; not for Python, where the lexer finds them."""
    if found.language == "python" or found.language not in MARKS:
        return ()
    index = {row.number: i for i, row in enumerate(rows) if row.number is not None}
    comments = [(index.get(sheet.number(c.start)), found.text[c.start : c.end].rstrip()) for c in found.part.comments]
    return tuple(sorted((i, text) for i, text in comments if i is not None and text in rows[i].text))
