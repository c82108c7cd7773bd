"""Say what a project quotes: one snippet in full, or all of them as rows. Changes nothing."""

from __future__ import annotations

from snippetlock.config import parse_selector
from snippetlock.errors import SelectorError, UsageError, nearest
from snippetlock.model import Definition, Place, Snippet, Span, View
from snippetlock.records import dataclass
from snippetlock.render.narrow import fitting
from snippetlock.rules import rule
from snippetlock.select import find
from snippetlock.workflow.checks import check
from snippetlock.workflow.judging import judge
from snippetlock.workflow.project import Project

_DEFAULT = View()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A snippet, and what the pin is called.

    `fits` is how many statements `match` named where nothing says how many; 0 where there is nothing to say.
    """

    snippet: Snippet
    pin: str
    fits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One snippet in a line. `pages` counts the directives; `state` is `ok`, or the names of the rules it breaks.

    It is `ok` only where `check` has nothing to say of it, nor of the lock as a whole.
    """

    id: str
    source: str
    lines: str
    pages: int
    state: str


def show(project: Project, what: str, view: View = _DEFAULT) -> Shown:
    """Cut the snippet of an id, or what a selector finds as `view` shows it. Raises what cutting raises."""
    if what in project.defined:
        if view != _DEFAULT:
            raise UsageError(f"{what!r} has a view of its own", mend="show its selector with these options")
        return shown(project, project.snippet(what))
    if what.isidentifier():  # no selector of anything inside a package looks like that
        _top_module(project, what)
    elif not any(mark in what for mark in ".:/"):
        project.definition(what)
    try:
        selector = parse_selector(what)
    except SelectorError as error:
        near = nearest(what, project.defined)
        mend = f"did you mean {near[0]!r}?" if near else error.mend
        raise UsageError(f"{what!r} is neither a snippet nor a selector: {error.what}", mend=mend) from error
    definition = Definition(id="", selector=selector, view=view, place=Place(path=""), places={})
    return shown(project, project.cutter.cut(definition))


def shown(project: Project, snippet: Snippet) -> Shown:
    """A snippet as it is shown to a person: who takes several statements for one is told."""
    view = snippet.view
    fits = fitting(find(project.files, snippet.selector), view) if view.match and view.count is None else 0
    return Shown(snippet=snippet, pin=project.origin(snippet.span.path), fits=fits)


def _top_module(project: Project, what: str) -> None:
    """Raise `UsageError` unless the library has a module of that name at its top."""
    modules = {path.partition("/")[0].partition(".")[0] for path in project.tree.paths() if path.endswith(".py")}
    if what in modules:
        return
    near = nearest(what, {*project.defined, *modules})
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "`snippetlock list` shows what there is"
    raise UsageError(f"no snippet {what!r} is defined, and the library has no module {what!r}", mend=mend)


def rows(project: Project) -> tuple[Row, ...]:
    """Every snippet, sorted by id. Lines are those of the pinned file now, or `?` where it cannot be cut."""
    states: dict[str, list[str]] = {}
    lock = project.config.name(project.config.lock)
    whole: list[str] = []  # what is wrong with the whole lock is so of each snippet: nothing accepts it
    for finding in check(project).findings:
        if finding.snippet:
            states.setdefault(finding.snippet, []).append(rule(finding.rule).name)
        elif finding.place.path == lock:
            whole.append(rule(finding.rule).name)
    found = []
    for name in sorted(project.defined):
        broken = [*states.get(name, ()), *whole]
        found.append(
            Row(
                id=name,
                source=project.defined[name][0].selector.text,
                lines=_lines(project, name, certain=not broken),
                pages=len(project.uses(name)),
                state=", ".join(dict.fromkeys(broken)) or "ok",
            )
        )
    return tuple(found)


def _lines(project: Project, name: str, *, certain: bool) -> str:
    entry = project.entry(name)
    if certain and entry is not None and project.tree.identity is not None:
        return str(Span(path=entry.path, first=entry.first, last=entry.last))
    snippet, _ = judge(project, project.defined[name][0])
    return str(snippet.span) if snippet else "?"
