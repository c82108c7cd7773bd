"""Show only the statements, or the lines, that `from`, `to` and `match` name; a mark stands for the others."""

from __future__ import annotations

from snippetlock.errors import ViewError
from snippetlock.model import Found, Region, View
from snippetlock.records import replace
from snippetlock.render.sheet import Cuts, Sheet, sheet_of
from snippetlock.render.views import Plan
from snippetlock.select.ranges import Range, line_range, matched, statement_range
from snippetlock.text import is_blank, margin

__all__ = ["check_narrow", "fitting", "narrowed"]

_SHOWS = ("source", "body")


def check_narrow(found: Found, view: View) -> None:
    """Refuse keys that say nothing to one another. Raises `ViewError`."""
    for key, value in (("from", view.from_), ("to", view.to), ("match", view.match)):
        if value and view.show not in _SHOWS:
            raise _misfit(key, f"`{key}` says nothing to `show: {view.show}`", f"leave `{key}` out, or `show`", found)
    if view.match and (view.from_ or view.to):
        raise _misfit("match", "`match` cannot be together with `from` and `to`", "use one or the other", found)
    if view.match and found.language != "python":
        mend = "use `from` and `to`, which are lines there"
        raise _misfit("match", f"`match` is for Python, and this is {found.language}", mend, found)
    if view.count is not None and not view.match:
        raise _misfit("count", "`count` says nothing without `match`", "leave it out", found)


def _misfit(key: str, what: str, mend: str, found: Found) -> ViewError:
    error = ViewError(what, path=found.path, mend=mend)
    error.key = key
    return error


def fitting(found: Found, view: View) -> int:
    """How many statements `match` names; 0 for a view without it. Raises `ViewError`."""
    if not view.match:
        return 0
    sheet = sheet_of(found.text, found.part.whole)
    return len(matched("".join(sheet.lines), view, found.path, sheet.first, found.part.kind in ("class", "function")))


def narrowed(found: Found, view: View, sheet: Sheet, planned: Plan) -> Plan:
    """The plan with only what the view's `from`, `to` and `match` name. Raises `ViewError`."""
    text = "".join(sheet.lines)
    inside = found.part.kind in ("class", "function")
    if view.match:
        ranges = matched(text, view, found.path, sheet.first, inside)
    elif found.language == "python":
        ranges = [statement_range(text, view, found.path, sheet.first, inside)]
    else:
        ranges = [line_range(text, view, found.path, sheet.first)]
    beside: dict[int, str] = {}  # each line that stays, with the indentation of the statement it is of
    for span in (_lines(sheet, one) for one in ranges):
        beside |= dict.fromkeys(span, margin(sheet.line(span[0])))
    window = planned.window if beside.keys() <= set(planned.window) else range(sheet.first, sheet.last + 1)
    window, lines = _marks(sheet, window, beside)
    return replace(
        planned,
        window=window,
        cuts=Cuts(lines=lines),
        skip=planned.skip if window[0] == planned.window[0] and window[0] in beside else 0,
        header=False,
        narrow=True,
        shown=tuple(m for m in planned.shown if beside.keys() >= set(sheet.span(m.head))),
    )


def _lines(sheet: Sheet, one: Range) -> range:
    start, stop = one
    return sheet.span(Region(start=sheet.start + start, end=sheet.start + max(stop, start + 1)))


def _marks(sheet: Sheet, window: range, beside: dict[int, str]) -> tuple[range, dict[int, str]]:
    """The window, and for each line of it left out the indentation of its mark: the lesser of the two beside it.

    A gap of nothing but blank lines leaves no mark: between statements it stays, at an end it is not shown.
    """
    first, last = min(beside), max(beside)
    if all(is_blank(sheet.line(number)) for number in range(window[0], first)):
        window = range(first, window[-1] + 1)
    if all(is_blank(sheet.line(number)) for number in range(last + 1, window[-1] + 1)):
        window = range(window[0], last + 1)
    found: dict[int, str] = {}
    gap: list[int] = []
    before: int | None = None
    for number in (*window, window[-1] + 1):
        if number in window and number not in beside:
            gap.append(number)
            continue
        if gap and not all(is_blank(sheet.line(n)) for n in gap):
            around = [beside[n] for n in (before, number) if n in beside]
            found |= dict.fromkeys(gap, min(around, key=len))
        gap, before = [], number
    return window, found
