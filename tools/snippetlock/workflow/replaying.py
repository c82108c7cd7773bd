"""What every commit did to every snippet, on all cores. Interrupted, it goes on where it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from snippetlock.changes import Event
from snippetlock.errors import RepositoryError
from snippetlock.model import Definition, Progress
from snippetlock.records import dataclass
from snippetlock.source import merge_base
from snippetlock.workflow.anchors import anchored, why_never
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import States
from snippetlock.workflow.tracing import event
from snippetlock.workflow.walking import Walk, walk
from snippetlock.workflow.workers import Tick, cores, spread

__all__ = ["Passed", "Replay", "replay"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """One commit of the way: its full hash, its time in seconds since 1970 UTC, its subject."""

    commit: str
    time: int
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The commits, oldest first, and what they did: `events` holds what is not the same, in that order.

    `absent` are the snippets that the state before the first commit does not have; `never` those that no state
    has, under no name that could be found, and why the last one has not.
    """

    snippets: tuple[str, ...]
    absent: frozenset[str]
    never: Mapping[str, str]
    commits: tuple[Passed, ...]
    events: tuple[Event, ...]


def replay(
    project: Project,
    states: States,
    *,
    since: str | None = None,
    until: str | None = None,
    only: Iterable[str] = (),
    jobs: int | None = None,
) -> Replay:
    """Follow every snippet, or those of `only`, from one revision (None: from the first commit) to another.

    A snippet goes on under other names, in both directions; one whose selector leads nowhere on the way is looked
    for at its ends. `jobs` is how many processes work; None is one for each core. Raises a `SnippetlockError`, also
    where the first is newer than the last: nothing done on no way would read as if nothing had changed.
    """
    names = project.taken_names(only)
    definitions = [project.definition(name) for name in names]
    first, last = states.commit(since) if since else None, states.commit(until or states.repository.branch)
    if first and first.id != last.id and merge_base(states.repo, first.id, last.id) == last.id:
        what = f"{until or states.repository.branch} is older than {since}: no commit leads from this to that"
        raise RepositoryError(what, mend=f"name them the other way round: --from {last.short} --to {first.short}")
    way = walk(states, first, last, definitions)
    groups = _groups(definitions, jobs or cores())
    progress = states.outside.progress
    work = _Work(project, states, way, tool_stamp())
    done = [work.do(definitions, progress)] if len(groups) < 2 else _together(work, groups, progress)
    found = {one.snippet: one for some in done for one in some}
    lost = [definition for definition in definitions if not found[definition.id].known]
    called = anchored(project, states, first, last, lost)
    if called:
        work = _Work(project, states, walk(states, first, last, called), work.stamp)
        found |= {one.snippet: one for one in work.do(called)}
    never = {definition.id: definition for definition in (*lost, *called)}
    order = {change.commit.id: number for number, change in enumerate(way.changes)}
    events = [event for one in found.values() for event in one.events]
    return Replay(
        snippets=names,
        absent=frozenset(name for name, one in found.items() if one.absent),
        never={name: why_never(states, last, d) for name, d in never.items() if not found[name].known},
        commits=tuple(Passed(commit=c.commit.id, time=c.commit.time, subject=c.commit.subject) for c in way.changes),
        events=tuple(sorted(events, key=lambda event: (order[event.commit], event.snippet))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _One:
    """What became of one snippet. `absent`: before the first commit; `known`: it could be cut somewhere."""

    snippet: str
    events: tuple[Event, ...]
    absent: bool
    known: bool


@dataclass(frozen=True, slots=True)
class _Work:
    project: Project
    states: States
    way: Walk
    stamp: str

    def do(
        self, definitions: list[Definition], progress: Progress | None = None, tick: Tick | None = None
    ) -> list[_One]:
        """What the commits did to some snippets. `tick` says how many commits all who work passed."""
        done, total = 0, len(self.way.changes)

        def passed() -> None:
            nonlocal done
            done = tick() if tick else done + 1
            if progress:
                progress("replay", done, total)

        return [
            _One(
                snippet=trail.oldest.id,
                events=tuple(event(step, self.states) for step in trail.steps),
                absent=trail.first.digests is None,
                known=trail.known,
            )
            for trail in self.way.trails(definitions, self.project.kept, self.stamp, passed)
        ]


def _groups(definitions: list[Definition], jobs: int) -> list[list[Definition]]:
    """The snippets for each process. Those of one file together: what is read for one serves the others."""
    files: dict[str, list[Definition]] = {}
    for definition in definitions:
        files.setdefault(definition.selector.module or definition.selector.path, []).append(definition)
    groups: list[list[Definition]] = [[] for _ in range(max(1, min(jobs, len(files))))]
    for file in sorted(files.values(), key=len, reverse=True):
        min(groups, key=len).extend(file)
    return groups


def _together(work: _Work, groups: list[list[Definition]], progress: Progress | None) -> list[list[_One]]:
    """One process for each group."""
    total = len(work.way.changes) * len(groups)

    def look(done: int) -> None:
        if progress:
            progress("replay", done, total)

    return spread(lambda group, tick: work.do(group, tick=tick), groups, len(groups), look)
