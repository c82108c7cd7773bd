"""Names for snippets whose selectors lead nowhere on a way: those that they have at one of its ends.

A definition is written for one state of the library, and the way may end before that state, or begin after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from snippetlock.config import parse_selector
from snippetlock.errors import PinError, RepositoryError, SnippetlockError
from snippetlock.history import Trail
from snippetlock.model import Definition
from snippetlock.records import replace
from snippetlock.source import Commit, merge_base
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import PIN, States, differences, prefetch
from snippetlock.workflow.walking import Walk, walk

__all__ = ["anchored", "why_never"]


def anchored(
    project: Project, states: States, since: Commit | None, until: Commit, lost: Iterable[Definition]
) -> list[Definition]:
    """Those of `lost` for which a name was found, under that name; the rest is left out.

    Looked for in the commits after the way, then in those before it, then by comparing the pin with its ends.
    Raises a `SnippetlockError`.
    """
    asked = {definition.id: definition for definition in lost}
    found = _after(project, states, until, list(asked.values()))
    found |= _before(project, states, since, [d for name, d in asked.items() if name not in found])
    for end in (until, since):
        if end is not None:
            found |= _pinned(project, states, end, [d for name, d in asked.items() if name not in found])
    return [found[name] for name in asked if name in found]


def why_never(states: States, until: Commit, definition: Definition) -> str:
    """Why a snippet cannot be cut at the end of a way; read from the commit itself, which knows links too.

    A name that `anchored` found is told, where the project's definition has another.
    """
    from snippetlock.render import render
    from snippetlock.select import find

    try:
        view = replace(definition.view, highlight=())
        render(definition.id, find(states.at(until).tree, definition.selector), view)
    except RepositoryError:
        raise
    except SnippetlockError as error:
        said = error.headline
        own = states.project.definition(definition.id).selector == definition.selector
        return said if own else f"it is {definition.selector.text} there, and {said}"
    return "it is kept where no package is looked for"


def _after(project: Project, states: States, until: Commit, definitions: Sequence[Definition]) -> dict[str, Definition]:
    """What they were at the end of the way, by what became of them until the branch's newest commit."""
    if not definitions:
        return {}
    try:
        tip = states.commit(states.repository.branch)
        ahead = tip.id != until.id and merge_base(states.repo, until.id, tip.id) == until.id
        way = walk(states, until, tip, definitions) if ahead else None
    except RepositoryError:  # another repository, without that branch, or a shallow one
        return {}
    trails = _trails(way, definitions, project, states) if way else []
    return {trail.oldest.id: trail.oldest for trail in trails if trail.first.digests}


def _before(
    project: Project, states: States, since: Commit | None, definitions: Sequence[Definition]
) -> dict[str, Definition]:
    """What they had become by the beginning of the way."""
    if since is None or not definitions:
        return {}
    try:
        way = walk(states, None, since, definitions)
    except RepositoryError:  # a shallow one: the way itself may be whole
        return {}
    trails = _trails(way, definitions, project, states)
    return {trail.definition.id: trail.definition for trail in trails if trail.cut.digests}


def _trails(way: Walk, definitions: Sequence[Definition], project: Project, states: States) -> list[Trail]:
    progress, total, done = states.outside.progress, len(way.changes), 0

    def passed() -> None:
        nonlocal done
        done += 1
        if progress:
            progress("looking for names", done, total)

    return way.trails(definitions, project.kept, tool_stamp(), passed)


def _pinned(
    project: Project, states: States, end: Commit, definitions: Sequence[Definition]
) -> Mapping[str, Definition]:
    """What the pin's snippets are called in a commit."""
    if not definitions:
        return {}
    from snippetlock.drift import Search, compare

    try:
        old = states.open(PIN)
    except PinError:  # not at hand: then it tells nothing
        return {}
    new = states.at(end)
    touched, renames = differences(old, new)
    prefetch((old, new), touched)
    search = Search(old.tree, new.tree, touched, renames)
    found: dict[str, Definition] = {}
    for definition in definitions:
        with suppress(SnippetlockError):  # it cannot be cut in the pin either
            change = compare(definition, old.tree, new.tree, search=search)
            if change.cls in ("renamed", "moved") and change.candidates:
                selector = parse_selector(change.candidates[0].selector)
                found[definition.id] = replace(definition, selector=selector)
    return found
