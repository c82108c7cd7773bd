"""What every commit did to every snippet, on all cores. Interrupted, it goes on where it was."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from snippetlock.changes import Event
from snippetlock.model import Definition, Progress
from snippetlock.records import dataclass
from snippetlock.workflow.anchors import anchored, why_never
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import States
from snippetlock.workflow.tracing import event
from snippetlock.workflow.walking import Walk, walk

__all__ = ["Passed", "Replay", "replay"]

_TICK = 0.2  # seconds between two looks at how far the others are


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
    for at its ends. `jobs` is how many processes work; None is one for each core. Raises a `SnippetlockError`.
    """
    names = project.taken_names(only)
    definitions = [project.definition(name) for name in names]
    first, last = states.commit(since) if since else None, states.commit(until or states.repository.branch)
    way = walk(states, first, last, definitions)
    groups = _groups(definitions, jobs or len(os.sched_getaffinity(0)))
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
        self, definitions: list[Definition], progress: Progress | None = None, tick: Callable[[], int] | None = None
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


_WORK: list[_Work] = []  # of this process: forked ones inherit it, and nothing is sent to them but names
_PASSED: list[Any] = []  # commits that all of them passed


def _together(work: _Work, groups: list[list[Definition]], progress: Progress | None) -> list[list[_One]]:
    """One process for each group."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, wait

    context = multiprocessing.get_context("fork")
    total = len(work.way.changes) * len(groups)
    _WORK.append(work)
    _PASSED.append(context.Value("L"))
    pipe = os.pipe()
    try:
        with ProcessPoolExecutor(len(groups), mp_context=context, initializer=_watch, initargs=pipe) as pool:
            running = [pool.submit(_do, group) for group in groups]
            try:
                while wait(running, timeout=_TICK).not_done:
                    if progress:
                        progress("replay", _PASSED[0].value, total)
                return [future.result() for future in running]
            finally:  # interrupted: what has not begun need not begin
                pool.shutdown(cancel_futures=True)
    finally:
        _WORK.clear()
        _PASSED.clear()
        for end in pipe:
            os.close(end)


def _watch(reads: int, held: int) -> None:
    """End this process when the one that began it is gone, killed even: that one alone keeps its end of the pipe."""
    import threading

    os.close(held)
    threading.Thread(target=_end_with, args=(reads,), daemon=True).start()


def _end_with(reads: int) -> None:
    os.read(reads, 1)  # nothing is ever written
    os._exit(1)


def _do(group: list[Definition]) -> list[_One]:
    return _WORK[0].do(group, tick=_tick)


def _tick() -> int:
    counter = _PASSED[0]
    with counter.get_lock():
        counter.value += 1
        return int(counter.value)
