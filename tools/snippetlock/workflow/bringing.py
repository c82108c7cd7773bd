"""The commits that brought what a move of the pin brings, as far as the repository at hand tells. Clones none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snippetlock.changes import Culprit
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.model import Definition
from snippetlock.records import dataclass, field, replace
from snippetlock.source import Commit, at_hand, merge_base
from snippetlock.source.revisions import resolve
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import Opened, States

__all__ = ["Brought", "brought"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The commits by snippet, oldest first; or one line that says why nobody knows them."""

    commits: Mapping[str, tuple[Culprit, ...]] = field(default_factory=dict)
    note: str = ""


def brought(project: Project, states: States, old: Opened, new: Opened, definitions: Sequence[Definition]) -> Brought:
    """Which commits between two states changed what each of these shows, under whatever name it had by then.

    Raises nothing for a repository that cannot be had: that is a note, and so is a state that is no commit.
    """
    if not definitions:
        return Brought()
    for state in (old.state, new.state):
        if not state.commit:
            where = "; `commit:` below `repository:` of the pin would" if state is old.state else ""
            what = f"nothing says which commit {state.label} is{where}"
            return Brought(note=f"which commits did it is not known: {what}")
    try:
        here = _here(project, states, new.root if new.commit else None)
        first, last = (resolve(here.repo, state.commit) for state in (old.state, new.state))
        return _between(project, here, first, last, definitions)
    except RepositoryError as error:
        return Brought(note=f"which commits did it is not known: {error.headline}")
    except SnippetlockError as error:
        return Brought(note=f"which commits did it is not known: {error.what}")


def _here(project: Project, states: States, root: str | None) -> States:
    """The repository, if it is on this machine; `root` is where the packages are in the new state, if known.

    A mirror may lack the contents of commits that nobody has read yet, and asks its server for those.
    """
    outside = states.outside
    here = States(project, outside)
    if root is not None:
        here.repository = replace(here.repository, root=root)
    base = outside.base if outside.upstream else project.config.root
    at_hand(here.repository.url, project.cache, base=base)  # raises where there is none: it is not cloned for this
    return here


def _between(project: Project, states: States, old: Commit, new: Commit, definitions: Sequence[Definition]) -> Brought:
    from snippetlock.workflow.tracing import event
    from snippetlock.workflow.walking import walk

    base = merge_base(states.repo, old.id, new.id)
    if base == new.id:
        return Brought(note=f"{new.short} is older than {old.short}: what the commits between them did is undone")
    way = walk(states, resolve(states.repo, base) if base else None, new, definitions)
    found: dict[str, tuple[Culprit, ...]] = {}
    for definition, trail in zip(definitions, way.trails(definitions, project.kept, tool_stamp()), strict=True):
        events = [event(step, states) for step in trail.steps if step.cls != "same"]
        found[definition.id] = tuple(Culprit(commit=e.commit, subject=e.subject, link=e.link) for e in events)
    return Brought(commits=found)
