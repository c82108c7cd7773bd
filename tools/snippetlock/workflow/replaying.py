"""What every commit did to every snippet, on all cores. Interrupted, it goes on where it was."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from snippetlock.model import Definition, Event, Progress
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project
from snippetlock.workflow.states import States
from snippetlock.workflow.tracing import event
from snippetlock.workflow.walking import Walk, walk

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

    `absent` are the snippets that the state before the first commit does not have.
    """

    snippets: tuple[str, ...]
    absent: frozenset[str]
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

    `jobs` is how many processes work; None is one for each core. Raises a `SnippetlockError`.
    """
    names = tuple(dict.fromkeys(only)) or tuple(sorted(project.defined))
    definitions = [project.definition(name) for name in names]
    last = states.commit(until or states.repository.branch)
    way = walk(states, states.commit(since) if since else None, last, definitions)
    tasks = _tasks(definitions)
    jobs = min(jobs or len(os.sched_getaffinity(0)), len(tasks))
    progress = states.outside.progress
    work = _Work(project, states, way, tool_stamp())
    found = _alone(work, definitions, progress) if jobs < 2 else _together(work, tasks, jobs, progress)
    order = {change.commit.id: number for number, change in enumerate(way.changes)}
    return Replay(
        snippets=names,
        absent=frozenset(name for _, absent in found for name in absent),
        commits=tuple(Passed(commit=c.commit.id, time=c.commit.time, subject=c.commit.subject) for c in way.changes),
        events=tuple(sorted((e for events, _ in found for e in events), key=lambda e: (order[e.commit], e.snippet))),
    )


_Found = tuple[list[Event], list[str]]


@dataclass(frozen=True, slots=True)
class _Work:
    project: Project
    states: States
    way: Walk
    stamp: str

    def do(self, definitions: list[Definition], progress: Progress | None = None) -> _Found:
        """What the commits did to some snippets, and which were absent before."""
        done, total = 0, len(self.way.changes)

        def passed() -> None:
            nonlocal done
            done += 1
            if progress:
                progress("replay", done, total)

        followers, steps = self.way.follow(definitions, self.project.kept, self.stamp, passed)
        events = [event(step, self.states) for step in steps]
        return events, [f.definition.id for f in followers if f.first.digests is None]


def _tasks(definitions: list[Definition]) -> list[list[Definition]]:
    """Snippets of one file together: what is read for one serves the others. The largest first."""
    found: dict[str, list[Definition]] = {}
    for definition in definitions:
        found.setdefault(definition.selector.module or definition.selector.path, []).append(definition)
    return sorted(found.values(), key=len, reverse=True)


def _alone(work: _Work, definitions: list[Definition], progress: Progress | None) -> list[_Found]:
    return [work.do(definitions, progress)]


_WORK: list[_Work] = []  # of this process: forked ones inherit it, and nothing is sent to them but names


def _together(work: _Work, tasks: list[list[Definition]], jobs: int, progress: Progress | None) -> list[_Found]:
    context = multiprocessing.get_context("fork")
    total, done, found = sum(map(len, tasks)), 0, []
    _WORK.append(work)
    try:
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            running = {pool.submit(_do, task): len(task) for task in tasks}
            try:
                for future in as_completed(running):
                    found.append(future.result())
                    done += running[future]
                    if progress:
                        progress("replay", done, total)
            finally:  # interrupted: what has not begun need not begin
                pool.shutdown(cancel_futures=True)
    finally:
        _WORK.clear()
    return found


def _do(task: list[Definition]) -> _Found:
    return _WORK[0].do(task)
