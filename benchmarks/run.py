"""Measure the tool against its floors: `make bench`, or `python benchmarks/run.py [--rounds N] [NAME…]`.

Each measure is a ratio of two medians of processor time, taken in one run with both sides in turn, so that a slow
machine is slow for both. Those of the build and of the warm check, whose bounds are close or whose times are short, are
finer: the median of the ratios of pairs that ran at the same time. Printed against its bound; the exit code is 1 when
one is passed. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import growth
from copies import copied, leave_quotations, synthetic, take_out, type_in
from room import COMMAND, ROOT, Room, Side, environ, processor, together

from snippetlock.workflow import open_project

YAML_AND_HASH = "import sys, yaml, hashlib; hashlib.file_digest(open(sys.argv[1], 'rb'), 'sha256')"
PARSERS = (
    "import sys, ast, zipfile, libcst\n"
    "with zipfile.ZipFile(sys.argv[1]) as wheel:\n"
    "    for path in sys.argv[2:]: ast.parse(wheel.read(path))"
)
PEAK = (
    "import resource, sys; from snippetlock.cli import main; main(['check']);"
    "print('PEAK', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


PAIRS = (9, 45)
"""How many pairs are taken at least, and at most where they do not agree which side of the bound they are on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One line of the result: two sides, in `unit`, and the bound of their ratio.

    `pairs` are ratios of runs that belong together, where there are such: the median of those is the ratio then.
    """

    name: str
    ours: float
    floor: float
    bound: float
    unit: str = "ms"
    pairs: tuple[float, ...] = ()
    note: str = ""  # how it was measured, where that is not as for all

    @property
    def ratio(self) -> float:
        return statistics.median(self.pairs) if self.pairs else self.ours / self.floor


class Bench(Room):
    """The site, the wheel, and a room for copies and caches."""

    def __init__(self, folder: Path, rounds: int) -> None:
        super().__init__(folder)
        self.rounds = rounds
        self.project = open_project(ROOT, self.home)
        shown = {d.id: self.project.snippet(d.id) for d in self.project.definitions}
        self.own = {name for name, snippet in shown.items() if self.project.is_own(snippet.span.path)}
        every = [one for name, snippet in shown.items() if name not in self.own for one in snippet.consulted]
        self.touched = sorted({path for path, digest in every if digest and path.endswith(".py")})

    def copy(self, name: str) -> Path:
        """The site's sources, to change."""
        return copied(self.folder / name)

    def quotations(self, name: str) -> Path:
        """The site's sources, of which nothing but quotations of the library is held, to change."""
        site = self.copy(name)
        leave_quotations(site, self.own)
        self.run([*COMMAND, "update"], site, self.cache())
        return site

    def run(self, command: Sequence[str], cwd: Path, cache: Path, wanted: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(command, cwd=cwd, env=environ(cache), capture_output=True, text=True)
        if done.returncode not in wanted:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def medians(self, *sides: Callable[[], object]) -> list[float]:
        """Milliseconds of processor time of each side, its runs in turn with the others'; the first round is no run."""
        times: list[list[float]] = [[] for _ in sides]
        for number in range(self.rounds + 1):
            for side, taken in zip(sides, times, strict=True):
                start = processor()
                side()
                if number:
                    taken.append((processor() - start) * 1000)
        return [statistics.median(taken) for taken in times]

    # Sides. What prepares a side is done before the clock starts.

    def check(self, site: Path, cache: Path, *, clean: bool = True) -> Callable[[], object]:
        # What processes that share work cost of processor time buys time by the clock, which is not measured here.
        return lambda: self.run([*COMMAND, "check", "--jobs", "1"], site, cache, (0,) if clean else (0, 1))

    def cold(self, site: Path, *, clean: bool = True) -> Callable[[], object]:
        caches = iter([self.cache() for _ in range(self.rounds + 1)])
        return lambda: self.check(site, next(caches), clean=clean)()

    def python(self, code: str, *arguments: str) -> Callable[[], object]:
        return lambda: self.run([sys.executable, "-c", code, *arguments], ROOT, self.folder)


def warm(bench: Bench) -> Measure:
    cache = bench.cache()
    bench.check(ROOT, cache)()
    ours = Side(command=(*COMMAND, "check"), place=ROOT, cache=cache)
    floor = Side(command=(sys.executable, "-c", YAML_AND_HASH, str(bench.wheel)), place=ROOT, cache=cache)
    return paired(bench, ours, floor, name="warm check : import yaml, hash the wheel", bound=2)


def holds(bench: Bench) -> Measure:
    site = bench.quotations("holds")
    ours, floor = bench.medians(bench.cold(site), bench.python(PARSERS, str(bench.wheel), *bench.touched))
    return Measure(name="cold check, lock holds : import libcst, ast.parse", ours=ours, floor=floor, bound=1.5)


def new(bench: Bench) -> Measure:
    site = bench.quotations("new")
    (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    ours, floor = bench.medians(bench.cold(site, clean=False), bench.python(PARSERS, str(bench.wheel), *bench.touched))
    return Measure(name="cold check, all new : import libcst, ast.parse", ours=ours, floor=floor, bound=2.5)


def prose(bench: Bench) -> Measure:
    """Everything that the site holds: its prose against an index of the whole library, made here, and its claims.

    The bound is ours: claims ask for values that no index has, and for these some files are read once more.
    """
    with ZipFile(bench.wheel) as wheel:
        every = [name for name in wheel.namelist() if name.endswith(".py")]
    ours, floor = bench.medians(bench.cold(ROOT), bench.python(PARSERS, str(bench.wheel), *every))
    return Measure(name="cold check, prose too : import libcst, ast.parse all", ours=ours, floor=floor, bound=2)


def build(bench: Bench) -> Measure:
    """The site as it is against itself without the tool: every block, and what takes the place of a marker, typed in.

    The same pages in the same languages with the same text to highlight and to index; captions, source views and the
    look at lock and library are ours alone.
    """
    cache = bench.cache()
    quoted, typed = bench.copy("quoted"), bench.copy("typed")
    bench.check(quoted, cache)()
    type_in(bench.project, typed)
    command = (sys.executable, "-m", "mkdocs", "build", "--clean", "--quiet")
    ours, floor = (Side(command=command, place=place, cache=cache) for place in (quoted, typed))
    return paired(bench, ours, floor, name="mkdocs build, quoted : the same pages, typed in", bound=1.05)


def paired(bench: Bench, ours: Side, floor: Side, *, name: str, bound: float) -> Measure:
    """Two sides at a time, so that whatever else the machine does meets both, by the processor time that they took.

    One pair beforehand does not count. More pairs are taken while it is open which side of the bound they are on.
    """
    together([ours, floor])
    times: list[list[float]] = []
    while len(times) < max(PAIRS[0], bench.rounds) or (len(times) < PAIRS[1] and _undecided(times, bound)):
        if len(times) % 2:
            times.append(together([ours, floor]))
        else:
            times.append(together([floor, ours])[::-1])
    pairs = tuple(a / b for a, b in times)
    low, high = _interval(pairs)
    return Measure(
        name=name,
        ours=statistics.median(a for a, _ in times) * 1000,
        floor=statistics.median(b for _, b in times) * 1000,
        bound=bound,
        pairs=pairs,
        note=f"user and system time of the process; {len(pairs)} pairs, run at once; 95 %: {low:.2f} to {high:.2f}",
    )


def _undecided(sides: list[list[float]], bound: float) -> bool:
    low, high = _interval([ours / floor for ours, floor in sides])
    return low <= bound <= high


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the median of all such values lies, at 95 %: by rank alone, whatever their distribution is."""
    ranked, count = sorted(values), len(values)
    aside = max(0, int(count / 2 - 0.98 * count**0.5))
    return ranked[aside], ranked[count - 1 - aside]


def memory(bench: Bench) -> Measure:
    site = bench.copy("memory")
    (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    peaks = [
        float(bench.run([sys.executable, "-c", PEAK], site, bench.cache()).split()[-1]) / 1024
        for _ in range(bench.rounds)
    ]
    return Measure(
        name="peak memory of a cold check, all new : 1 MB", ours=statistics.median(peaks), floor=1, bound=150, unit="MB"
    )


def snippets(bench: Bench) -> Measure:
    """All definitions against half of them: every second one taken out, and its directives with it."""
    whole, half = bench.quotations("whole"), bench.quotations("half")
    for site in (whole, half):
        (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    kept = [d.id for d in bench.project.definitions if d.id not in bench.own]
    take_out(half, set(kept[::2]))
    ours, floor = bench.medians(bench.cold(whole, clean=False), bench.cold(half, clean=False))
    return Measure(name="twice the snippets, all new : half of them", ours=ours, floor=floor, bound=2)


def library(bench: Bench) -> Measure:
    """A synthetic library beside seven copies of itself, none of which anything quotes, against it alone."""
    small, large = bench.folder / "small", bench.folder / "large"
    for site, copies in ((small, 1), (large, 8)):
        shutil.copytree(ROOT / "tests" / "sites" / "plain", site)
        for number in range(copies):
            synthetic(site / "lib" / f"many{number}", modules=200)
        (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    ours, floor = bench.medians(bench.cold(large, clean=False), bench.cold(small, clean=False))
    return Measure(name="eight times the library : the library", ours=ours, floor=floor, bound=1.1)


def grown(bench: Bench) -> Measure:
    """Each part on texts made to hurt it, at four times the size: the one that grew most."""
    name, one, four = growth.worst(3)
    return Measure(name=f"four times the text, {name}", ours=four, floor=max(one, 1.0), bound=growth.BOUND)


MEASURES = {measure.__name__: measure for measure in (warm, holds, new, prose, build, memory, snippets, library, grown)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side (default and least for a verdict: 5)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)} (default: all)")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no measure {', '.join(sorted(unknown))}")
    over = 0
    print(f"{'measure':<50} {'ours':>10} {'floor':>10} {'ratio':>7} {'bound':>7}")
    for name in arguments.names or MEASURES:
        with tempfile.TemporaryDirectory() as room:
            measure = MEASURES[name](Bench(Path(room), arguments.rounds))
        failed = measure.ratio > measure.bound
        over += failed
        sides = f"{measure.ours:>7.0f} {measure.unit} {measure.floor:>7.0f} {measure.unit}"
        cells = f"{sides} {measure.ratio:>7.2f} {measure.bound:>7}"
        print(f"{measure.name:<50} {cells}{'  over' if failed else ''}", flush=True)
        if measure.note:
            print(f"  {measure.note}", flush=True)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
