"""What each view shows and leaves out. Decides by the regions of a part; never looks at grammar itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from snippetlock.errors import ViewError, nearest
from snippetlock.model import Docstrings, Found, Part, Region, View
from snippetlock.records import dataclass
from snippetlock.render.blocks import headers_above, indents
from snippetlock.render.sheet import PLAIN, Cuts, Row, Sheet, joined
from snippetlock.text import is_blank, late, line_end, margin

_ELLIPSIS = late(r"\s*\.\.\.\s*(?:#[^\r\n]*\s*)?")
CONTAINERS = ("module", "class", "function", "key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`window` are the lines a view is about, the first of them without its first `skip` characters.

    `header` says whether the part's own header, or all of a module, is among them: then they are the snippet's span.
    `shown` are its members among them, `full` says whether these are shown whole, `named` whether the view names
    them. `narrow` says that only a part of what the view is about is shown.
    """

    window: range
    cuts: Cuts
    skip: int = 0
    full: bool = True
    named: bool = False
    header: bool = True
    narrow: bool = False
    headers: frozenset[int] = frozenset()
    shown: tuple[Part, ...] = ()


def plan(found: Found, view: View, sheet: Sheet, mark: str, groups: Mapping[int, int]) -> Plan:
    """What `view` shows of `found`. Raises `ViewError` for a view that does not fit the part."""
    return _PLANS[view.show](_Asked(found=found, view=view, sheet=sheet, mark=mark, groups=groups))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    found: Found
    view: View
    sheet: Sheet
    mark: str
    groups: Mapping[int, int]

    @property
    def part(self) -> Part:
        return self.found.part

    @property
    def all(self) -> range:
        return range(self.sheet.first, self.sheet.last + 1)

    def error(self, what: str, mend: str) -> ViewError:
        return ViewError(what, path=self.found.path, line=self.sheet.number(self.part.head.start), mend=mend)


def _source(asked: _Asked) -> Plan:
    return Plan(window=asked.all, cuts=Cuts(), shown=asked.part.members)


def _signature(asked: _Asked) -> Plan:
    """The definition proper: the comment above it is about more than what a caller writes, and is not of the view."""
    part, sheet = asked.part, asked.sheet
    if part.kind == "module" or (part.kind == "key" and not part.members):
        holds = "" if part.kind == "module" else ", which holds no mapping,"
        raise asked.error(f"{called(asked.found)}{holds} has no signature", "use `show: source` or `show: skeleton`")
    cuts = _without_body(asked, part, asked.view.docstrings or "drop")
    window = range(sheet.number(part.head.start), sheet.last + 1)
    return Plan(window=window, cuts=cuts, headers=frozenset({_header_end(sheet, part)}))


def _skeleton(asked: _Asked) -> Plan:
    part, sheet, view = asked.part, asked.sheet, asked.view
    if part.kind not in CONTAINERS or (part.kind == "key" and not part.members):
        holds = ", which holds no mapping," if part.kind == "key" else ""
        raise asked.error(f"{called(asked.found)}{holds} has no skeleton", "use `show: source`")
    shown = _kept(asked) if view.keep else part.members
    header = _header_end(sheet, part)
    rest = range(header + 1, sheet.last + 1)
    stay = {*range(sheet.first, header + 1), *(sheet.span(part.docstring) if part.docstring else ())}
    for member in shown:
        stay.update(range(_lead_line(sheet, member, header), sheet.span(member.whole)[-1] + 1))
    base = _indent(asked, rest)
    blocks: set[int] = set()
    for member in shown if asked.found.language == "python" else ():
        number = sheet.number(member.whole.start)
        if len(margin(sheet.line(number))) > len(base):
            blocks.update(headers_above(sheet, number, header, asked.groups))
    marks = indents(sheet, rest, base, blocks, asked.groups) if blocks else dict.fromkeys(rest, base)
    gone = Cuts(lines={number: indent for number, indent in marks.items() if number not in stay | blocks})
    brief = [] if view.keep else [m for m in shown if m.kind in ("class", "function") or m.members]
    cuts = gone.over(joined(_without_body(asked, member, view.docstrings or "drop") for member in brief))
    headers = frozenset((header, *(_header_end(sheet, member) for member in brief)))
    return Plan(window=asked.all, cuts=cuts, headers=headers, shown=shown, full=bool(view.keep), named=bool(view.keep))


def _body(asked: _Asked) -> Plan:
    part, sheet = asked.part, asked.sheet
    if part.body is None:
        raise asked.error(f"{called(asked.found)} has no body", "use `show: source`")
    window, skip = sheet.span(part.body), 0
    if _is_inline(sheet, part.body):
        # A body on the header's own line: what stands after the colon.
        text = sheet.after(part.body.start)
        skip = len(sheet.line(window[0])) - len(text.lstrip(" \t\f"))
    elif part.kind != "module":
        while len(window) > 1 and is_blank(sheet.line(window[0])):
            window = window[1:]
    return Plan(window=window, cuts=Cuts(), skip=skip, header=part.kind == "module", shown=part.members)


def _docstring(asked: _Asked) -> Plan:
    part, sheet = asked.part, asked.sheet
    if part.docstring is None:
        raise asked.error(f"{called(asked.found)} has no docstring", "use another view")
    if asked.view.docstrings == "drop":
        raise asked.error(
            f"nothing of {called(asked.found)} is left: its docstring is both asked for and dropped",
            "leave out `docstrings: drop`",
        )
    window = sheet.span(part.docstring)
    before, last = sheet.before(part.docstring.start), sheet.line(window[-1])
    cuts = Cuts()
    if not is_blank(sheet.after(part.docstring.end)):
        text = sheet.before(part.docstring.end) + line_end(last)
        cuts = Cuts(rows={window[-1]: (Row(window[-1], text, asked.groups.get(window[-1], PLAIN)),)})
    return Plan(window=window, cuts=cuts, skip=0 if is_blank(before) else len(before), header=False)


_PLANS: Mapping[str, Callable[[_Asked], Plan]] = {
    "source": _source,
    "signature": _signature,
    "skeleton": _skeleton,
    "body": _body,
    "docstring": _docstring,
}


def called(found: Found) -> str:
    """What a message calls the thing that was selected: the name it was asked for under."""
    if found.part.kind == "module":
        return f"the {'module' if found.language == 'python' else 'file'} {found.selector.module or found.path}"
    return f"the {found.part.kind} {found.selector.name!r}"


def members(part: Part) -> Iterator[Part]:
    """The part and every definition inside it, at any depth."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.members


def _kept(asked: _Asked) -> tuple[Part, ...]:
    """The members that `keep` names, in the order of the file. A bare name keeps all that have it."""
    part, sheet, path = asked.part, asked.sheet, asked.found.path
    names = {member.selector: _names(part, member) for member in part.members}
    lines = {name: sheet.number(m.head.start) for m in reversed(part.members) for name in reversed(names[m.selector])}
    for wanted in asked.view.keep:
        if wanted not in lines:
            near = nearest(wanted, lines)
            few = near or tuple(dict.fromkeys(name for own in names.values() for name in own[1:2]))[:8]
            instead = "name one of its members" if lines else "it has no members: leave `keep` out"
            raise ViewError(
                f"`keep` names no member of {part.name or path}: {wanted!r}",
                path=path,
                line=sheet.first,
                evidence=[f"{path}:{lines[name]}  {name}" for name in few],
                mend=f"did you mean {' or '.join(map(repr, near))}?" if near else instead,
            )
    keep = set(asked.view.keep)
    return tuple(member for member in part.members if not keep.isdisjoint(names[member.selector]))


def _names(part: Part, member: Part) -> tuple[str, ...]:
    """Its name; the one that selects it alone, without what holds it; and that with what holds it."""
    return (member.name, member.selector.removeprefix(f"{part.selector}."), member.selector)


def _is_inline(sheet: Sheet, body: Region) -> bool:
    return not is_blank(sheet.before(body.start))


def _header_end(sheet: Sheet, part: Part) -> int:
    """The last line of the header: 0 for a module, which has none."""
    if part.kind == "module":
        return sheet.first - 1
    if part.kind == "key" and part.body is not None and not _is_inline(sheet, part.body):
        return sheet.number(part.body.start) - 1
    return sheet.number(max(part.head.start, part.head.end - 1))


def _lead_line(sheet: Sheet, member: Part, header: int) -> int:
    """The first line of a member: for a key that of the comment block right above it, which its part leaves out."""
    first = sheet.number(member.whole.start)
    indent = margin(sheet.line(first))
    while member.kind == "key" and first - 1 > header and sheet.line(first - 1).startswith(f"{indent}#"):
        first -= 1
    return first


def _indent(asked: _Asked, lines: range) -> str:
    """The indentation of the first of these lines that begins with code; comments may stand anywhere."""
    shown = [line for n in lines if n not in asked.groups and not is_blank(line := asked.sheet.line(n))]
    code = (line for line in shown if not line.lstrip(" \t\f").startswith("#"))
    return margin(next(code, shown[0] if shown else ""))


def _without_body(asked: _Asked, part: Part, docstrings: Docstrings) -> Cuts:
    """The cuts that leave the header of `part`, and its docstring unless that is to be dropped.

    A body that is `...` stays, as its own mark: ours would say less and be no shorter.
    """
    sheet, body = asked.sheet, part.body
    if body is None:
        return Cuts()
    if _ELLIPSIS.fullmatch(asked.found.text, body.start, body.end):
        return _stub(asked, asked.found.text.index("...", body.start))
    doc = part.docstring if docstrings != "drop" else None
    last = sheet.span(part.whole)[-1]
    if not _is_inline(sheet, body):
        lines = range(_header_end(sheet, part) + 1, last + 1)
        indent = _indent(asked, lines)
        stay = sheet.span(doc) if doc else ()
        return Cuts(lines={number: indent for number in lines if number not in stay})
    start = doc.end if doc else body.start
    rest = asked.found.text[start : body.end]
    start += len(rest) - len(rest.lstrip(" \t\f;"))
    if is_blank(asked.found.text[start : body.end]):
        return Cuts()
    return replaced(sheet, Region(start=start, end=body.end), asked.mark, asked.groups)


def _stub(asked: _Asked, at: int) -> Cuts:
    """The line of a `...` that is a body, which is a mark though the file has it."""
    number, before = asked.sheet.number(at), asked.sheet.before(at)
    line = asked.sheet.line(number)
    own = len(line) - len(line_end(line)) - len(before)
    return Cuts(rows={number: (Row(number, line, asked.groups.get(number, PLAIN), own),)})


def replaced(sheet: Sheet, region: Region, mark: str, groups: Mapping[int, int]) -> Cuts:
    """The mark in place of a region that begins behind code and runs to the end of a line."""
    lines = sheet.span(region)
    text = sheet.before(region.start) + mark + line_end(sheet.line(lines[-1]))
    row = Row(lines[0], text, groups.get(lines[0], PLAIN), own=len(mark))
    return Cuts(rows={lines[0]: (row,), **dict.fromkeys(lines[1:], ())})
