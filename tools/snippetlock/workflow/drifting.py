"""What became of every snippet of a project between two states of its library.

Cheap where little happened: a snippet whose files did not change is only cut, and a comparison of two fixed
states is kept. One that cannot be cut in the old state is reported as such, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any

from snippetlock.changes import CLASSES, Change, ChangeClass, Culprit, Drifted, DriftReport, change_of
from snippetlock.config import parse_selector
from snippetlock.drift import Search, compare
from snippetlock.drift.classes import seen
from snippetlock.errors import (
    ConfigError,
    LockError,
    MissingFile,
    PinError,
    RepositoryError,
    SelectorError,
    SnippetlockError,
    UsageError,
    ViewError,
)
from snippetlock.model import Definition, Finding, Tree
from snippetlock.records import asdict, dataclass, replace
from snippetlock.render import Laid
from snippetlock.select import find
from snippetlock.source import GitTree
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.lapsing import lapsed_of
from snippetlock.workflow.packages import is_beside, packages
from snippetlock.workflow.project import Project
from snippetlock.workflow.several import is_several, several
from snippetlock.workflow.states import PIN, Opened, States, differences, prefetch
from snippetlock.workflow.unread import noted, unread

__all__ = ["Comparison", "Request", "drift"]

_CANNOT = (PinError, RepositoryError, ConfigError, LockError)  # nothing at all can be compared then


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to compare. `new` None is the branch that the pin names; `fail_on` None is the project's policy.

    A state is opened by what somebody calls it, or comes opened.
    """

    old: str | Opened = PIN
    new: str | Opened | None = None
    only: tuple[str, ...] = ()
    fail_on: tuple[ChangeClass, ...] | None = None
    blame: bool = False


def drift(project: Project, request: Request, states: States) -> DriftReport:
    """Compare every snippet, or those of `only`. Raises `SnippetlockError` when a state cannot be had."""
    names = project.taken_names(request.only)
    definitions = [project.definition(name) for name in names]
    new = _opened(states, states.repository.branch if request.new is None else request.new)
    old = _opened(states, request.old)
    fail_on = project.config.fail_on if request.fail_on is None else request.fail_on
    comparison = Comparison(project, states, old, new)
    comparison.ahead(definitions)
    drifted = [comparison.drifted(definition, fail_on) for definition in definitions]
    comparison.keep()
    if request.blame:
        drifted = _blamed(comparison, drifted, definitions)
    if drifted and all(one.cls == "removed" for one in drifted):
        _hold(comparison, names)
    drifted.sort(key=lambda one: (CLASSES.index(one.cls), one.snippet))
    basis = _basis(project, definitions, drifted) if request.old == PIN else ""
    note = ". ".join(filter(None, (basis, noted(comparison.unread(), new.state))))
    claims = () if request.only else _lapsed(project, old, new, fail_on)
    return DriftReport(
        old=old.state, new=new.state, drifted=tuple(drifted), fail_on=fail_on, note=note, claims=claims
    )  # fmt: skip


def _lapsed(project: Project, old: Opened, new: Opened, fail_on: tuple[ChangeClass, ...]) -> tuple[Finding, ...]:
    """What pages claim and examples do that is no longer so; notes where nothing fails."""
    found = lapsed_of(project, old, new)
    return found if fail_on else tuple(replace(one, level="note") for one in found)


def _basis(project: Project, definitions: list[Definition], drifted: list[Drifted]) -> str:
    from snippetlock.workflow.basis import basis  # with the lock, which says nothing of two other states

    return basis(project, definitions, drifted)


def _opened(states: States, state: str | Opened) -> Opened:
    return state if isinstance(state, Opened) else states.open(state)


def _blamed(
    comparison: Comparison,
    drifted: list[Drifted],
    definitions: list[Definition],
) -> list[Drifted]:
    """Each snippet that is not the same with the commit that did it, or why none is named."""
    from snippetlock.workflow.tracing import Suspect, blame  # as long to import as three snippets take

    known = {definition.id: comparison.called.get(definition.id, definition) for definition in definitions}
    suspects = [
        Suspect(
            definition=known[one.snippet],
            digests=seen(comparison.cutter.cut(known[one.snippet])) if one.change else None,
            cls=one.cls,
        )
        for one in drifted
        if (one.change and one.cls != "same") or one.cls == "appears"
    ]
    found = blame(comparison.project, comparison.states, comparison.old, comparison.new, suspects)
    return [_with(one, found.get(one.snippet, "")) for one in drifted]


def _with(one: Drifted, found: Culprit | str) -> Drifted:
    return replace(one, blame=found) if isinstance(found, str) else replace(one, culprit=found)


def _hold(comparison: Comparison, gone: Collection[str]) -> None:
    """Where everything is gone, the state is most likely not one of this library. Raises `UsageError` then.

    Everything is more than the snippets asked for, `gone`: which these are decides about nothing.
    """
    project, new = comparison.project, comparison.new
    definitions = {name: project.definition(name) for name in project.taken}
    wanted = packages(definitions.values())
    there = {path.split("/")[0].removesuffix(".py") for path in new.tree.paths()}
    others = (comparison.drifted(definition, ()) for name, definition in definitions.items() if name not in gone)
    if not wanted & there and all(one.cls == "removed" for one in others):
        names = " and no ".join(repr(name) for name in sorted(wanted))
        evidence = f"nothing that the definitions take is there under any name ({len(definitions)} looked for)"
        mend = (
            "name the folder that holds the packages, or set `root` of the pin's repository; "
            "where the library did remove them, so do the definitions that take from them"
        )
        raise UsageError(f"{new.state.label} has no {names}: nothing to compare with", evidence=(evidence,), mend=mend)


class Comparison:
    """Two states of one project's library."""

    def __init__(self, project: Project, states: States, old: Opened, new: Opened) -> None:
        self.project = project
        self.states = states
        self.old = old
        self.new = new
        self.cutter = project.cutter if old.pinned else Cutter(old.tree, project.kept, old.state.label)
        self.called: dict[str, Definition] = {}  # those that have another name in the old state, under that
        self._judged: list[Change] = []  # since it was last told what does not parse
        self._search: Search | None = None
        self._touched: frozenset[str] | None = None  # the files that differ, where that is known without reading all
        self._pair = self._key(tool_stamp(), old.tree.identity, new.tree.identity)
        self._changes: dict[str, Any] = (project.kept.get("changes", self._pair) if self._pair else None) or {}
        self._found = len(self._changes)

    def drifted(self, definition: Definition, fail_on: tuple[ChangeClass, ...]) -> Drifted:
        """What became of one snippet."""
        uses = self.project.uses(definition.id)
        try:
            change = self.change(definition)
        except _CANNOT:
            raise
        except SnippetlockError as error:
            cls, found = self._newer(definition, error)
            if isinstance(found, str):
                return Drifted(
                    snippet=definition.id,
                    cls=cls,
                    change=None,
                    place=definition.place,
                    uses=uses,
                    fails=cls in fail_on,
                    problem=found,
                    selector=definition.selector.text,
                )
            change = found
        return Drifted(
            snippet=definition.id,
            cls=change.cls,
            change=change,
            place=definition.place,
            uses=uses,
            fails=change.cls in fail_on,
            selector=definition.selector.text,
            old_link=self.states.link(self.old, change.old),
            new_link=self.states.link(self.new, change.new) if change.new else "",
        )

    def change(self, definition: Definition, now: str = "") -> Change:
        """What became of what a definition shows. Raises where it cannot be cut.

        Where the file is known in which it is `now`, it is looked for in no other.
        """
        key = self._key(definition.selector.text, definition.view, now)
        if key in self._changes:
            return change_of(self._changes[key], definition.id)
        old = self.cutter.cut(definition) if self.old.pinned else None  # of the pin most are kept
        search = self._searched().within([now]) if now else self._searched()
        change = compare(definition, search.old, search.new, search=search, old=old)
        self._changes[key] = asdict(change)
        self._judged.append(change)
        return change

    def unread(self) -> dict[str, str]:
        """What is wrong with those files of the new state that were looked into and do not parse, by path."""
        found: dict[str, str] = {
            **self._changes.get("unread", {}),
            **unread(self._judged, self.old.tree, self.new.tree, self._touched or ()),
            **(self._search.unread() if self._search else {}),
        }
        self._judged.clear()
        self._changes["unread"] = found
        return found

    def ahead(self, definitions: Iterable[Definition]) -> None:
        """Have at hand what these are most likely in, as far as nothing is kept of them: in few trips to git."""
        asked = [one.selector for one in definitions if self._key(one.selector.text, one.view, "") not in self._changes]
        if not asked:
            return
        modules = {one.module.replace(".", "/") for one in asked if one.module}
        paths = {one.path for one in asked if one.path}.union(*((f"{m}.py", f"{m}/__init__.py") for m in modules))
        self._searched()
        _ahead(self.old.tree, sorted(paths))
        _ahead(self.new.tree, sorted(paths if self._touched is None else paths & self._touched))

    def keep(self) -> None:
        """Keep what was found for who asks about these two states again, where both are fixed."""
        if self._pair and len(self._changes) > self._found:
            self.unread()
            self.project.kept.put("changes", self._pair, self._changes)
            self._found = len(self._changes)

    def _newer(self, definition: Definition, error: SnippetlockError) -> tuple[ChangeClass, Change | str]:
        """What became of what the old state lacks under its name: it had another there, or it appears; or a problem.

        What is there more than once is `ambiguous`, and what cannot be cut for another reason `unreadable`.
        """
        old, new, why = self.old.state.label, self.new.state.label, error.headline
        if is_several(error):
            return "ambiguous", several(definition, error, self.new.tree, (old, new))
        if not isinstance(error, (SelectorError, ViewError, MissingFile)):
            return "unreadable", f"at {old}: {why}"
        from snippetlock.drift import narrowed, origin  # not for who finds all

        back = self._searched().back()
        try:
            found = find(back.old, definition.selector)
            laid = Laid(definition.id, found, definition.view)
            before = compare(definition, back.old, back.new, search=narrowed(back, found), old=laid)
        except _CANNOT:
            raise
        except SnippetlockError as other:
            both = other.headline
            return "unreadable", f"neither in {old} nor in {new}: {why}" + (f"; {both}" if both != why else "")
        if was := origin(definition, before, back.new, back.old):
            self.called[definition.id] = replace(definition, selector=parse_selector(was))
            change = self.change(self.called[definition.id], laid.span.path)
            return change.cls, replace(change, details=(f"it was {was} at {old}", *change.details))
        return "appears", f"not in {old} ({why}): first appears in {new}, {laid.span}"

    def _searched(self) -> Search:
        if self._search is None:
            touched, renames = differences(self.old, self.new)
            self._touched = touched
            prefetch((self.old, self.new), touched)
            aside = self._aside(touched or ())
            tops = sorted({path.split("/")[0] for path in aside})
            self._search = Search(self.old.tree, self.new.tree, touched, lambda: renames(tops), _ahead, aside)
        return self._search

    def _aside(self, touched: Iterable[str]) -> frozenset[str]:
        """Of the files that differ those beside the packages, where a state is read from its repository's top."""
        if self.old.root and self.new.root:
            return frozenset()
        wanted = packages(definition for found in self.project.taken.values() for definition in found)
        return frozenset(path for path in touched if is_beside(path, wanted))

    @staticmethod
    def _key(*facts: object) -> str:
        """A name for what a comparison depends on; empty where a part of it is not known."""
        return "" if None in facts else sha256(repr(facts).encode()).hexdigest()


def _ahead(tree: Tree, paths: Iterable[str]) -> None:
    if isinstance(tree, GitTree):
        tree.ahead(paths)
