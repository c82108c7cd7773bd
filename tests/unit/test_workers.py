"""Work that is done by several processes: the same results, and nothing that is left of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from snippetlock.errors import UsageError, WorkerError
from snippetlock.workflow import workers
from snippetlock.workflow.workers import cores, spread


def test_results_come_in_the_order_of_the_tasks_from_several_processes():
    def do(number, tick):
        tick()
        time.sleep(0.05)
        return number * number, os.getpid()

    found = spread(do, range(8), 3)

    assert [each[0] for each in found] == [number * number for number in range(8)]
    pids = {each[1] for each in found}
    assert len(pids) == 3
    assert os.getpid() not in pids
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("tasks", "jobs"), [(range(4), 1), (range(1), 4), (range(0), 4)])
def test_what_one_process_can_do_is_done_here(tasks, jobs):
    looked = []

    assert spread(lambda number, tick: (os.getpid(), tick()), tasks, jobs, looked.append) == [
        (os.getpid(), number + 1) for number in tasks
    ]
    assert looked == [number + 1 for number in tasks]


def test_who_looks_is_told_how_much_all_of_them_have_done():
    looked = []

    spread(lambda number, tick: [tick() for _ in range(10)], range(4), 2, looked.append)

    assert looked[-1] == 40
    assert looked == sorted(looked)


def test_beside_a_running_thread_nothing_is_forked():
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert set(spread(lambda number, tick: os.getpid(), range(4), 2)) == {os.getpid()}
    finally:
        over.set()
        thread.join()
    assert os.getpid() not in spread(lambda number, tick: os.getpid(), range(4), 2)


@pytest.mark.parametrize("error", [OSError("no semaphores"), ImportError("none"), ValueError("cannot find context")])
def test_where_the_system_has_no_place_for_processes_it_is_done_here(monkeypatch, error):
    class Context:
        def Value(self, kind):
            raise error

    with monkeypatch.context() as patch:
        patch.setattr(multiprocessing, "get_context", lambda kind: Context())
        assert spread(lambda number, tick: (number, os.getpid()), range(3), 2) == [(n, os.getpid()) for n in range(3)]
    assert workers._WORK == []


def test_where_only_some_processes_can_be_begun_those_end_and_it_is_done_here(monkeypatch):
    from multiprocessing.context import ForkProcess

    begun, start = [], ForkProcess.start

    def some(self):
        if begun:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(self)
        begun.append(self)

    monkeypatch.setattr(ForkProcess, "start", some)

    assert set(spread(lambda number, tick: os.getpid(), range(4), 2)) == {os.getpid()}
    assert [each.is_alive() for each in begun] == [False]
    assert multiprocessing.active_children() == []


def test_what_one_of_them_raises_is_raised_and_the_rest_is_not_waited_for():
    def do(number, tick):
        if number == 0:
            raise UsageError("no", path="a.md", line=3, mend="say yes")
        time.sleep(60)

    began = time.monotonic()
    with pytest.raises(UsageError) as caught:
        spread(do, range(9), 2)

    assert (caught.value.where, caught.value.mend) == ("a.md:3", "say yes")
    assert time.monotonic() - began < 30
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("ends", "said"),
    [(lambda: os.kill(os.getpid(), signal.SIGKILL), "by SIGKILL"), (lambda: os._exit(7), "with the code 7")],
)
def test_a_process_that_is_ended_is_an_error_that_says_so(ends, said):
    def do(number, tick):
        if number == 1:
            ends()
        time.sleep(0.01)

    with pytest.raises(WorkerError) as caught:
        spread(do, range(4), 2)

    assert caught.value.what == "a process that worked for this command ended before its work was done"
    assert caught.value.evidence == (f"it was ended {said}",)
    assert "--jobs 1" in caught.value.mend
    assert multiprocessing.active_children() == []


SLOW = """
import os, sys, time
from snippetlock.workflow.workers import spread

def do(number, tick):
    if number == 9:
        return  # the other one waits for more then
    os.write(1, f"{os.getpid()}\\n".encode())
    try:
        time.sleep(60)
    finally:
        os.write(1, b"tidied\\n")

try:
    spread(do, [0, 1, 2, 3], 2) if sys.argv[1] == "busy" else spread(do, [0, 9], 2)
except KeyboardInterrupt:
    os.write(1, b"interrupted\\n")
"""


@pytest.mark.parametrize(("what", "busy"), [("busy", 2), ("idle", 1)])
@pytest.mark.parametrize("whom", ["all", "the first"])
def test_interrupted_all_of_them_tidy_up_and_end_and_say_nothing(what, busy, whom):
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        for _ in range(busy):
            process.stdout.readline()
        time.sleep(0.2)  # for the idle one to be idle
        os.killpg(process.pid, signal.SIGINT) if whom == "all" else process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=30)  # to the end of the output, which the workers hold too

    assert said.decode().split() == [*["tidied"] * busy, "interrupted"]
    assert complained == b""
    assert process.returncode == 0


def test_an_interruption_right_before_a_task_begins_is_not_lost(monkeypatch):
    class State(dict):
        """Interrupted just before it becomes busy."""

        def __setitem__(self, key, value):
            if (key, value) == ("busy", True):
                workers._interrupted(signal.SIGINT, None)
            super().__setitem__(key, value)

    done = []
    monkeypatch.setattr(workers, "_WORK", [(lambda task, tick: done.append(task), ["a task"], None)])
    monkeypatch.setattr(workers, "_state", State(busy=False, ended=False))

    with pytest.raises(KeyboardInterrupt):
        workers._do(0)
    assert done == []
    monkeypatch.setattr(workers, "_state", {"busy": False, "ended": False})
    workers._do(0)
    assert done == ["a task"]


DROPPING = """
import os, signal, sys
from snippetlock.workflow.workers import spread

class Dropped:
    def __del__(self):
        if sys.argv[1] == "interrupted":
            os.kill(os.getpid(), signal.SIGINT)
            while True:  # until it is, which ends no more than this
                pass
        raise ValueError("of its own")

def do(number, tick):
    Dropped()
    tick()
    os.write(1, b"went on\\n")

try:
    spread(do, [0, 1], 2)
except KeyboardInterrupt:
    os.write(1, b"interrupted\\n")
"""


@pytest.mark.parametrize(
    ("what", "wanted", "told"), [("interrupted", ["interrupted"], False), ("as it was", ["went on"] * 2, True)]
)
def test_an_interruption_that_comes_where_python_ignores_it_ends_the_task_at_its_next_step(what, wanted, told):
    done = subprocess.run([sys.executable, "-c", DROPPING, what], capture_output=True, text=True, timeout=60)

    assert done.stdout.split("\n")[:-1] == wanted
    assert bool(done.stderr) == told  # in pieces of both processes


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_they_end_with_who_began_them(sent):
    with subprocess.Popen([sys.executable, "-c", SLOW, "busy"], stdout=subprocess.PIPE) as process:
        pids = {int(process.stdout.readline()) for _ in range(2)}
        process.send_signal(sent)
        process.communicate(timeout=20)

    assert process.returncode == -sent
    assert len(pids - {process.pid}) == 2


def test_without_a_word_of_the_system_there_is_one_core(monkeypatch):
    assert cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert cores() == 1
