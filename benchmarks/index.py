"""Measure the index of the pinned library: `python benchmarks/index.py [--rounds N]`.

Cold: everything read and kept, in an empty cache, against `ast.parse` of every Python file. Warm: a process that looks
one inherited member up by its public path, against one that imports what it imports of Python's own and hashes the
wheel. Each is a ratio of medians of runs in turn, in processor time of whole processes, which other work on the
machine changes less than the clock. In one process, a lookup, an unknown name and a message are told in milliseconds.
The exit code is 1 when a bound is passed. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TypeVar

from room import ROOT, Room, processor

from snippetlock.index import bind, calls, lookup, nearest, open_index, produces, signature
from snippetlock.source import WheelTree
from snippetlock.workflow.cache import Cache

PARSE = """
import ast, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        if name.endswith('.py'):
            ast.parse(wheel.read(name))
"""
OPEN = """
import sys
from pathlib import Path
from snippetlock.index import lookup, open_index
from snippetlock.source.wheel import WheelTree
from snippetlock.workflow.cache import Cache
index = open_index(WheelTree(Path(sys.argv[1]), sys.argv[2]), Cache(Path(sys.argv[3])), 'benchmark')
"""
LOOK_UP = OPEN + "assert lookup(index, 'tileops.gemm.GEMMFwdOp.kernel_for')\n"
LIBRARIES = """
import sys, dataclasses, hashlib, json, pathlib, zlib
with open(sys.argv[1], 'rb') as file:
    hashlib.file_digest(file, 'sha256')
"""
COLD, WARM, AT_MOST = 2.0, 2.0, 50.0
Found = TypeVar("Found")


def spent(code: str, *arguments: str) -> float:
    """Milliseconds that a Python process computes for."""
    before = processor()
    subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    )
    return 1000 * (processor() - before)


def medians(rounds: int, *sides: Callable[[int], float]) -> list[float]:
    """Of each side, its runs in turn with those of the others; one round beforehand does not count."""
    times = [[side(number) for side in sides] for number in range(rounds + 1)][1:]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def inside(wheel: Path, sha256: str, cache: Path) -> dict[str, float]:
    """Milliseconds in one warm process: the first of its kind, which loads what it needs, and the next."""
    found: dict[str, float] = {}

    def timed(name: str, act: Callable[[], Found]) -> Found:
        begin = process_time()
        result = act()
        found[name] = 1000 * (process_time() - begin)
        return result

    index = timed("open", lambda: open_index(WheelTree(wheel, sha256), Cache(cache), "benchmark"))
    timed("a public path", lambda: lookup(index, "tileops.gemm.GEMMFwdOp"))
    timed("an inherited member", lambda: lookup(index, "GEMMFwdOp.kernel_for"))
    timed("a name of 196 definitions", lambda: lookup(index, "entry_for"))
    (call,) = calls("entry_for(role, call)")
    timed("a call bound to each", lambda: [bind(signature(index, d), call) for d in lookup(index, "entry_for")])
    timed("the nearest names, first", lambda: nearest(index, "GemmFwdOp"))
    timed("the nearest names, next", lambda: nearest(index, "MoePermuteAlignFwdOp"))
    timed("a message, first", lambda: produces(index, "dispatch is ambiguous:"))
    timed("a message, next", lambda: produces(index, "no implementation serves this call:"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side (default and least for a verdict: 5)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder))
        given = (str(room.wheel), room.pin.sha256)
        kept = f"{folder}/cold-0"
        cold, parse = medians(
            rounds, lambda n: spent(OPEN, *given, f"{folder}/cold-{n}"), lambda n: spent(PARSE, *given)
        )
        warm, floor = medians(rounds * 3, lambda n: spent(LOOK_UP, *given, kept), lambda n: spent(LIBRARIES, *given))
        single = inside(room.wheel, room.pin.sha256, Path(kept))
    over = 0
    for name, ours, other, bound in (
        ("cold index : ast.parse of every file", cold, parse, COLD),
        ("warm lookup : its imports, hash the wheel", warm, floor, WARM),
    ):
        over += ours / other > bound
        row = f"{name:<45} {ours:>7.0f} ms {other:>7.0f} ms {ours / other:>6.2f} {bound:>6}"
        print(f"{row}{'  over' if ours / other > bound else ''}")
    slow = single["open"] + single["an inherited member"]
    over += slow > AT_MOST
    row = f"{'open and look up, in one process':<45} {slow:>7.1f} ms {AT_MOST:>7.0f} ms"
    print(f"{row}{'  over' if slow > AT_MOST else ''}")
    for name, took in single.items():
        print(f"  {name:<43} {took:>7.1f} ms")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
