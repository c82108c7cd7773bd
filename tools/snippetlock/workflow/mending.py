"""Mend the selectors that find nothing at the pin, where what was accepted is found under another name or elsewhere.

Writes definitions alone: the lock still says what was accepted, so that `check` shows what else differs.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

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
from snippetlock.lock import Lock, exclusive
from snippetlock.lock.together import whole, writable, write_together
from snippetlock.model import Candidate, Definition, Tree
from snippetlock.moves import SCORE, Fixed, Mend
from snippetlock.workflow.accepted import accepted_tree
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.held import pin_line, same_pin
from snippetlock.workflow.mentions import mentions, names_of
from snippetlock.workflow.project import Project
from snippetlock.workflow.rewriting import mended

__all__ = ["fix"]


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
        against=old.said,
        dry=dry,
        written=tuple(map(project.config.name, written)),
    )


def _lost(project: Project) -> list[tuple[Definition, SnippetlockError]]:
    """The definitions that find nothing, and why; of an id that is defined twice none is meant."""
    found: list[tuple[Definition, SnippetlockError]] = []
    for definitions in project.defined.values():
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
        self.tree, self.said = self._tree()
        self._search: Search | None = None

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
        try:
            tree = project.tree if same_pin(project) and project.tree.identity else accepted_tree(project)
        except SnippetlockError as error:
            return None, f"{pin_line(lock.pin)} is not at hand ({error.what}), {names_only}"
        if tree is None:
            return None, f"what was accepted, {_called(lock)}, is not at hand, {names_only}"
        return tree, f"{lock.pin.label} -> {project.pin.label}"

    def mend(self, definition: Definition, error: SnippetlockError, score: float) -> Mend:
        """What to do about one definition."""
        candidates = self._candidates(definition)
        best = candidates[0] if candidates else None
        uses = self.project.uses(definition.id)
        entry = self.project.entries.get(definition.id) if self.tree else None
        gone = names_of(entry.selector if entry else definition.selector.text, "", "", ())
        return Mend(
            snippet=definition.id,
            place=definition.places.get("source", definition.place),
            before=definition.selector.text,
            selector=best.selector if best and best.score >= score else "",
            problem=error.what,
            candidates=candidates,
            near=() if candidates else _near(error),
            uses=uses,
            mentions=mentions(gone, uses, self.pages),
        )

    def _candidates(self, definition: Definition) -> tuple[Candidate, ...]:
        """Where the accepted text is now; nothing where that text is not at hand."""
        entry = self.project.entries.get(definition.id) if self.tree else None
        if self.tree is None or entry is None:
            return ()
        project = self.project
        accepted = replace(definition, selector=parse_selector(entry.selector), view=entry.view)
        try:
            old = Cutter(self.tree, project.kept).cut(accepted)
            if old.digests.text != entry.digests.text:
                return ()
            self._search = self._search or Search(self.tree, project.tree)
            change = compare(accepted, self.tree, project.tree, search=self._search, old=old)
        except SnippetlockError:
            return ()
        if change.new and change.cls not in ("renamed", "moved", "removed", "ambiguous") and not change.candidates:
            # What was accepted is still there: it is the definition that was changed.
            reason = "what was accepted, still there"
            return (Candidate(selector=entry.selector, span=change.new, score=1.0, reason=reason, cls=change.cls),)
        return change.candidates


def _near(error: SnippetlockError) -> tuple[str, ...]:
    return nearest(error.name, error.known) if isinstance(error, UnknownSymbol) else ()


def _called(lock: Lock) -> str:
    return f"{lock.pin.label} ({'a folder, which changes' if lock.pin.kind == 'folder' else pin_line(lock.pin)})"
