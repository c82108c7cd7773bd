"""Measure the benchmark pages: `python benchmarks/nights.py [--night FOLDER] [--bytes N]`.

From a night to all pages in both languages, in processor time of one process after Python and the libraries are
loaded: the night given, or one made as large as a real one. The same with ten times the rows, which may take eleven
times as long. And a night of a gigabyte, read in a process of its own that keeps every row: how much memory that takes
at most; it is written while it is read, and takes a minute or two. The exit code is 1 when a bound is passed. Needs the
pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from typing import BinaryIO, cast

from room import ROOT

from snippetlock.config import cache_dir
from snippetlock.workflow import Project, open_project
from tileops_site.benchmarks.opening import RESULTS, Place, places
from tileops_site.benchmarks.reading import read_night
from tileops_site.benchmarks.section import at_path, book_of, made_pages, marked
from tileops_site.benchmarks.settings import load_settings

ROWS = 1152  # of a real night
SECONDS, GROWTH, MEGABYTES = 3.0, 11.0, 200.0
_METRICS = "device_busy_ms latency_ms gap_ms device_busy_p10_ms device_busy_p90_ms flops tflops bytes bandwidth_tbs"
_OPS = ("GEMMFwdOp", "AddFwdOp", "SumFwdOp", "RMSNormFwdOp", "OldOp", "GemmFwdOp", "Conv2dFwdOp", "a_norm")


def row(number: int) -> str:
    """A test case like the real ones: four implementations, one of them twice, with all their metrics."""
    said = {"op": f"{_OPS[number % len(_OPS)]}", "op_module": "tileops.ops.attention.gqa"}
    for place, name in enumerate(("tileops", "torch", "torch-compile", "flashinfer", "baseline")):
        time = 0.01 * (1 + number % 97) * (1 + 0.1 * place)
        said |= {f"{name}_{metric}": f"{time:.6g}" for metric in _METRICS.split()}
        said |= {f"{name}_dtype": "float16", f"{name}_timing": "cupti", f"{name}_n_samples": "200"}
    said["baseline_tag"] = "torch"
    properties = "".join(f'<property name="{key}" value="{value}" />' for key, value in said.items())
    name = f"test_made[label-{number}-float16]"
    return f'<testcase classname="bench" name="{name}"><properties>{properties}</properties></testcase>'


def write(folder: Path, rows: int) -> Path:
    """A made night of so many rows."""
    folder.mkdir(parents=True)
    with open(folder / RESULTS, "w", encoding="utf-8") as stream:
        stream.write("<testsuites><testsuite>")
        stream.writelines(map(row, range(rows)))
        stream.write("</testsuite></testsuites>")
    return folder


def pages(project: Project, night: Path) -> float:
    """Seconds of processor time from a night to its pages; the pinned library is read anew each time."""
    begin = process_time()
    nights = at_path(night, load_settings(project.config.root))
    book = book_of(open_project(project.config.root, project.cache), nights[-1])
    made = made_pages(book, nights)
    size = sum(map(len, made.values())) + len(marked(book, "en")) + len(marked(book, "zh"))
    assert size > 100 * book.night.cases
    return process_time() - begin


class Endless(io.RawIOBase):
    """A night that is written while it is read, of at least so many bytes; every row has a name of its own."""

    def __init__(self, size: int) -> None:
        self.size, self.number, self.ended = size, 0, False
        self.left = b"<testsuites><testsuite>"
        self.block = "".join(map(row, range(200))).encode()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self.left and not self.ended:
            self.ended = self.size <= 0
            block = self.block.replace(b"[label-", b"[label-%d-" % self.number)
            self.left = b"</testsuite></testsuites>" if self.ended else block
            self.number += 1
        data, self.left = self.left[:size], self.left[size:]
        self.size -= len(data)
        return data


def streamed(size: int) -> None:
    """Read a night of so many bytes, all rows of it, and say how many there are and how many megabytes it took."""

    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        yield cast(BinaryIO, Endless(size))

    night = read_night(Place(name="long", at="long", files={RESULTS: opened}))
    print(len(night.rows), peak() / 1024)


def peak() -> int:
    """Kilobytes that this program took at most. What `getrusage` says counts its parent before it became another."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.read_text().split("\n") if line.startswith("VmHWM:"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--night", type=Path, help="a real night; without it one is made")
    parser.add_argument("--bytes", type=int, default=10**9, help="of the night that is only read (default: a gigabyte)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stream", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.stream:
        streamed(arguments.stream)
        return 0
    project = open_project(ROOT, cache_dir(os.environ))
    project.tree  # noqa: B018 - says at once when the pinned library is not at hand
    over = 0

    def told(what: str, value: float, unit: str, bound: float) -> None:
        nonlocal over
        over += value > bound
        print(f"{what:<46} {value:>8.2f} {unit:<2} {bound:>8.0f}{'  over' if value > bound else ''}")

    with tempfile.TemporaryDirectory() as room:
        night = arguments.night or write(Path(room, "one"), ROWS)
        assert places(night)
        times = [pages(project, night) for _ in range(arguments.rounds + 1)][1:]
        told(f"{'a real' if arguments.night else 'a made'} night to pages", median(times), "s", SECONDS)
        one, ten = write(Path(room, "base"), ROWS), write(Path(room, "ten"), 10 * ROWS)
        pairs = [(pages(project, one), pages(project, ten)) for _ in range(3)]
        told("ten times the rows : once", median(long / short for short, long in pairs), "×", GROWTH)
    command = [sys.executable, __file__, "--stream", str(arguments.bytes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    count, megabytes = done.stdout.split()
    told(f"memory to read {int(count):,} rows, {arguments.bytes:,} bytes", float(megabytes), "MB", MEGABYTES)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
