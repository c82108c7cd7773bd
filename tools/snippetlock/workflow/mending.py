"""Mend the selectors that find nothing at the pin, where what was accepted is found under another name or elsewhere.

Writes definitions alone: the lock still says what was accepted, so that `check` shows what else differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from snippetlock.changes import Candidate
from snippetlock.config import parse_selector
from snippetlock.drift import Search, compare
from snippetlock.errors import (
    AmbiguousSymbol,
    LockError,
    MissingFile,
    SelectorError,
    SnippetlockError,
    UnknownSymbol,
    nearest,
)
from snippetlock.lock import Entry, Lock, exclusive
from snippetlock.lock.together import whole, writable, write_together
from snippetlock.model import Definition, Tree
from snippetlock.moves import SCORE, Fixed, Mend
from snippetlock.records import replace
from snippetlock.workflow.accepted import accepted_tree
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.figures import figures_of
from snippetlock.workflow.held import pin_line, same_pin
from snippetlock.workflow.mentions import mentions, names_of
from snippetlock.workflow.project import Project
from snippetlock.workflow.regained import Regained, regained
from snippetlock.workflow.rewriting import mended

__all__ = ["fix"]

_ALONE = ("same", "layout", "comment")  # of a text without the rest of its library, only this is sure to be it


def fix(project: Project, score: float = SCORE, *, dry: bool = False) -> Fixed:
    """Mend every selector whose best candidate has this score, between 0 and 1, or more.

    Raises `ConfigError` where nothing is defined, and `LockError` while another process is writing.
    """
    if dry:
        return _fix(project, score, dry=True)
    with exclusive(project.config.lock):
        whole(project.config.journal, project.config.root)
        return _fix(Project(project.config, project.cache), score, dry=False)


def _fix(project: Project, score: float, *, dry: bool) -> Fixed:
    if not project.defined:
        raise project.nothing_defined()
    config = project.config
    writable({config.root / d.place.path for d in project.definitions}, config.root)
    lost = list(_lost(project))
    old = _Old(project)
    found = tuple(old.mend(definition, error, score) for definition, error in lost)
    written: tuple[Path, ...] = ()
    if not dry:
        files = mended(project, {mend.snippet: mend.selector for mend in found if mend.selector})
        written = write_together(files, project.config.journal, project.config.root)
    return Fixed(
        mends=found,
        snippets=len(project.defined),
        score=score,
        against=old.against,
        dry=dry,
        written=tuple(map(project.config.name, written)),
    )


def _lost(project: Project) -> list[tuple[Definition, SnippetlockError]]:
    """The definitions that find nothing, and why; of an id that is defined twice none is meant."""
    found: list[tuple[Definition, SnippetlockError]] = []
    for definitions in project.taken.values():
        if len(definitions) > 1:
            continue
        try:
            project.cutter.cut(definitions[0])
        except AmbiguousSymbol:
            continue  # there are too many, and no score says which is meant
        except (SelectorError, MissingFile) as error:
            found.append((definitions[0], error))
        except SnippetlockError:
            continue  # it is found, and cannot be shown: no selector's fault
    return found


class _Old:
    """What was accepted, as far as it is at hand; `said` is a line about that."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.pages = {page.path: page for page in project.pages}
        self.drawn = partial(figures_of, project)
        self.entries: Mapping[str, Entry] = {}
        self.tree, self.said = self._tree()
        self._searches: dict[str, Search] = {}
        self._found: set[str] = set()
        self._named = 0  # those of which only the name could be compared

    @property
    def against(self) -> str:
        """What the candidates were compared with."""
        if self.tree is not None or not self._found:
            return self.said
        rest = f"; of {self._named} more only names are compared" if self._named else ""
        return f"what was accepted, from {' and '.join(sorted(self._found))} -> {self.project.pin.label}{rest}"

    def _tree(self) -> tuple[Tree | None, str]:
        project = self.project
        names_only = "so only names are compared"
        try:
            lock = project.lock
        except LockError as error:
            return None, f"the lock cannot be read ({error.what}), {names_only}"
        if lock is None or lock.edited:
            what = "nothing was accepted yet" if lock is None else "the lock was edited by hand"
            return None, f"{what}, {names_only}"
        self.entries = project.entries
        try:
            tree = project.tree if same_pin(project) and project.tree.identity else accepted_tree(project)
        except SnippetlockError as error:
            return None, f"{pin_line(lock.pin)} is not at hand ({error.what}), {names_only}"
        if tree is None:
            return None, f"what was accepted, {_called(lock)}, is not at hand, {names_only}"
        return tree, f"{lock.pin.label} -> {project.pin.label}"

    def mend(self, definition: Definition, error: SnippetlockError, score: float) -> Mend:
        """What to do about one definition."""
        entry = self.entries.get(definition.id)
        was = self._accepted(definition, entry) if entry else None
        candidates = self._candidates(entry, was) if entry and was else ()
        best = candidates[0] if candidates else None
        unsure = bool(best and was and not was.whole and best.cls not in _ALONE)
        uses = self.project.uses(definition.id)
        gone = names_of(entry.selector if entry and was else definition.selector.text, "", "", ())
        return Mend(
            snippet=definition.id,
            place=definition.places.get("source", definition.place),
            before=definition.selector.text,
            selector=best.selector if best and best.score >= score and not unsure else "",
            problem=error.what,
            compared=was is not None,
            unsure=unsure,
            candidates=candidates,
            near=() if candidates else _near(error),
            uses=uses,
            mentions=mentions(gone, uses, self.pages, self.drawn),
        )

    def _accepted(self, definition: Definition, entry: Entry) -> Regained | None:
        """What was accepted, in the tree that it was accepted in, or in what else still has it."""
        was = None
        if self.tree is not None:
            accepted = replace(definition, selector=parse_selector(entry.selector), view=entry.view)
            with suppress(SnippetlockError):
                old = Cutter(self.tree, self.project.kept).cut(accepted)
                if old.digests.text == entry.digests.text:
                    was = Regained(self.tree, accepted, old, "", True)
        else:
            was = regained(self.project, entry, definition)
        if was is not None:
            self._found.add(was.said)
        self._named += was is None
        return was

    def _candidates(self, entry: Entry, was: Regained) -> tuple[Candidate, ...]:
        """Where the accepted text is now."""
        new = self.project.tree
        key = was.said if was.whole else f"{was.said} of {entry.id}"
        search = self._searches.setdefault(key, Search(was.tree, new))
        try:
            change = compare(was.definition, was.tree, new, search=search, old=was.snippet)
        except SnippetlockError:
            return ()
        if change.new and change.cls not in ("renamed", "moved", "removed", "ambiguous") and not change.candidates:
            # What was accepted is still there: it is the definition that was changed.
            selector, reason = was.definition.selector.text, "what was accepted, still there"
            return (Candidate(selector=selector, span=change.new, score=1.0, reason=reason, cls=change.cls),)
        return change.candidates


def _near(error: SnippetlockError) -> tuple[str, ...]:
    return nearest(error.name, error.known) if isinstance(error, UnknownSymbol) else ()


def _called(lock: Lock) -> str:
    return f"{lock.pin.label} ({'a folder, which changes' if lock.pin.kind == 'folder' else pin_line(lock.pin)})"
