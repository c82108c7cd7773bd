"""Work on all cores, in processes that are forked off this one and end with it.

Forked, since what they work on is here already: nothing is sent to them but numbers, and their results back. All are
begun before the pool has a thread of its own, and none where this process has others: who is forked beside a running
thread may wait for ever for a lock that it held.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from snippetlock.errors import WorkerError

__all__ = ["Tick", "cores", "spread"]

Tick = Callable[[], int]
"""Says that one more of something is done; returns how many are, in all processes."""
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_OFTEN = 0.2  # seconds between two looks at how far the others are


def cores() -> int:
    """How many processes can run here at once; 1 where the system does not say: it may not be one to fork on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def spread(
    do: Callable[[_Task, Tick], _Result],
    tasks: Sequence[_Task],
    jobs: int,
    look: Callable[[int], None] | None = None,
) -> list[_Result]:
    """What `do` makes of each task, in their order, by so many processes; in this one where one is enough.

    A task is to be done in seconds, or to bear that it is interrupted. `look` is told every now and then how many
    times `tick` was called. Raises what `do` raises, and `WorkerError` when a process is ended by somebody else.
    """
    jobs = min(jobs, len(tasks))
    if jobs > 1 and threading.active_count() == 1:
        begun = _begin(do, tasks, jobs)
        if begun is not None:
            return _finish(begun, look)
    counted = _counter(look)
    return [do(task, counted) for task in tasks]


def _counter(look: Callable[[int], None] | None) -> Tick:
    done = 0

    def tick() -> int:
        nonlocal done
        done += 1
        if look:
            look(done)
        return done

    return tick


_WORK: list[tuple[Callable[..., Any], Sequence[Any], Any]] = []  # of this process: those that are forked inherit it


class _Crew(NamedTuple):
    """A pool that is at work, what it will say, its processes, our end of their pipe, and how much they have done."""

    pool: Any
    running: Sequence[Any]
    processes: Iterable[Any]
    held: int
    counter: Any


def _begin(do: Callable[..., Any], tasks: Sequence[Any], jobs: int) -> _Crew | None:
    """Have it begun; None where the system has no place for it: for a process more, a pipe, or a semaphore."""
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    others = set(multiprocessing.active_children())
    pipe: tuple[int, ...] = ()
    crew = None
    try:
        pipe = os.pipe()
        context = multiprocessing.get_context("fork")
        counter = context.Value("L")
        _WORK.append((do, tasks, counter))
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_watch, initargs=pipe)
        running = [pool.submit(_do, number) for number in range(len(tasks))]
        crew = _Crew(pool, running, set(multiprocessing.active_children()) - others, pipe[1], counter)
    except BrokenExecutor as error:
        raise _ended(()) from error
    except (OSError, ImportError, NotImplementedError, ValueError):
        pass  # it is done here
    finally:
        _WORK.clear()
        for end in pipe[: 1 if crew else 2]:
            os.close(end)
        for one in set(multiprocessing.active_children()) - others if crew is None else ():
            one.kill()
            one.join()
    return crew


def _finish(crew: _Crew, look: Callable[[int], None] | None) -> list[Any]:
    """Wait for all of it. Interrupted, or when one has failed, nothing more is begun, and what runs is interrupted."""
    from concurrent.futures import FIRST_EXCEPTION, BrokenExecutor, wait

    left = set(crew.running)
    try:
        with crew.pool:
            try:
                while left:
                    done, left = wait(left, timeout=_OFTEN if look else None, return_when=FIRST_EXCEPTION)
                    for one in done:
                        one.result()
                    if look:
                        look(crew.counter.value)
                return [one.result() for one in crew.running]
            finally:
                if left:
                    _stop(crew)
    except BrokenExecutor as error:
        raise _ended(crew.processes) from error
    finally:
        os.close(crew.held)


def _stop(crew: _Crew) -> None:
    for one in crew.processes:
        if one.is_alive():
            with suppress(ProcessLookupError):  # it just ended by itself
                os.kill(one.pid, signal.SIGINT)
    crew.pool.shutdown(cancel_futures=True)


def _ended(processes: Iterable[Any]) -> WorkerError:
    """Which of them ended; those that the pool ended for it are no news."""
    codes = sorted({one.exitcode for one in processes if one.exitcode not in (None, 0, -signal.SIGTERM)})
    how = [f"by {signal.Signals(-code).name}" if code < 0 else f"with the code {code}" for code in codes]
    return WorkerError(
        "a process that worked for this command ended before its work was done",
        evidence=(f"it was ended {' and '.join(how)}",) if how else (),
        mend="run the command again; where memory was short, with --jobs 1",
    )


# In a process that was forked

_state = {"busy": False, "ended": False}


def _watch(reads: int, held: int) -> None:
    """Begin as one of the processes. It ends when who began it is gone, killed even: that one alone has `held`.

    An interruption ends what it is at, and no more: what waits for its next task is told by the pool to go.
    """
    import gc

    gc.freeze()  # what was here before is not looked through, nor copied for that
    signal.signal(signal.SIGINT, _interrupted)
    sys.unraisablehook = _unraised
    os.close(held)
    threading.Thread(target=_end_with, args=(reads,), daemon=True).start()


def _end_with(reads: int) -> None:
    os.read(reads, 1)  # nothing is ever written
    os._exit(1)


def _interrupted(number: int, frame: object) -> None:
    first, _state["ended"] = not _state["ended"], True
    if first and _state["busy"]:
        raise KeyboardInterrupt


def _unraised(what: sys.UnraisableHookArgs) -> None:
    """Say nothing of an interruption that came while an object was dropped, where it ends nothing: the next tick is."""
    if what.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(what)


def _do(number: int) -> Any:
    do, tasks, counter = _WORK[0]

    def tick() -> int:
        if _state["ended"]:
            raise KeyboardInterrupt
        with counter.get_lock():
            counter.value += 1
            return int(counter.value)

    _state["busy"] = True
    try:
        if _state["ended"]:  # asked when it is busy: who interrupts before is seen here, and afterwards raises
            raise KeyboardInterrupt
        return do(tasks[number], tick)
    finally:
        _state["busy"] = False
