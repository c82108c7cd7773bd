"""Measure the tool against its floors: `make bench`, or `python benchmarks/run.py [--rounds N] [NAME…]`.

Each measure is a ratio of two medians, taken in one run with both sides in turn, so that a slow machine is slow
for both. Printed against its bound; the exit code is 1 when one is passed. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tools")]

import growth  # noqa: E402

from snippetlock.config import cache_dir  # noqa: E402
from snippetlock.source import pinned_wheel  # noqa: E402
from snippetlock.workflow import open_project  # noqa: E402
from snippetlock.workflow.project import Project  # noqa: E402

COMMAND = [sys.executable, "-m", "snippetlock"]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One line of the result: two sides, in `unit`, and the bound of their ratio."""

    name: str
    ours: float
    floor: float
    bound: float
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return self.ours / self.floor


class Bench:
    """The site, the wheel, and a room for copies and caches."""

    def __init__(self, room: Path, rounds: int) -> None:
        self.room = room
        self.rounds = rounds
        self.project = open_project(ROOT, cache_dir(os.environ))
        self.wheel = pinned_wheel(self.project.pin, self.project.cache)
        if not self.wheel.exists():
            sys.exit("the pinned wheel is not in the cache: run `snippetlock pin fetch`")
        consulted = {
            p for d in self.project.definitions for p, digest in self.project.snippet(d.id).consulted if digest
        }
        self.touched = sorted(path for path in consulted if path.endswith(".py"))
        self._number = 0

    def cache(self) -> Path:
        """A cache that holds the wheel and nothing else."""
        self._number += 1
        folder = self.room / f"cache-{self._number}"
        place = folder / self.wheel.relative_to(self.project.cache)
        place.parent.mkdir(parents=True)
        try:
            os.link(self.wheel, place)
        except OSError:
            shutil.copyfile(self.wheel, place)
        return folder

    def copy(self, name: str) -> Path:
        """The site's sources, to change."""
        folder = self.room / name
        for part in ("docs", "snippets", "tileops_ref", "tools/tileops_site"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("checkout", "__pycache__"))
        for file in ("pyproject.toml", "mkdocs.yml"):
            shutil.copyfile(ROOT / file, folder / file)
        return folder

    def run(self, command: list[str], cwd: Path, cache: Path, wanted: tuple[int, ...] = (0,)) -> str:
        environ = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache)}
        environ |= {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
        done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True)
        if done.returncode not in wanted:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def medians(self, *sides: Callable[[], object]) -> list[float]:
        """Milliseconds of each side, its runs in turn with those of the others; one round beforehand does not count."""
        times: list[list[float]] = [[] for _ in sides]
        for number in range(self.rounds + 1):
            for side, taken in zip(sides, times, strict=True):
                start = perf_counter()
                side()
                if number:
                    taken.append((perf_counter() - start) * 1000)
        return [statistics.median(taken) for taken in times]

    # Sides. What prepares a side is done before the clock starts.

    def check(self, site: Path, cache: Path, *, clean: bool = True) -> Callable[[], object]:
        return lambda: self.run([*COMMAND, "check"], site, cache, (0,) if clean else (0, 1))

    def cold(self, site: Path, *, clean: bool = True) -> Callable[[], object]:
        caches = iter([self.cache() for _ in range(self.rounds + 1)])
        return lambda: self.check(site, next(caches), clean=clean)()

    def python(self, code: str, *arguments: str) -> Callable[[], object]:
        return lambda: self.run([sys.executable, "-c", code, *arguments], ROOT, self.room)


def warm(bench: Bench) -> Measure:
    cache = bench.cache()
    bench.check(ROOT, cache)()
    ours, floor = bench.medians(bench.check(ROOT, cache), bench.python(YAML_AND_HASH, str(bench.wheel)))
    return Measure(name="warm check : import yaml, hash the wheel", ours=ours, floor=floor, bound=2)


def holds(bench: Bench) -> Measure:
    ours, floor = bench.medians(bench.cold(ROOT), bench.python(PARSERS, str(bench.wheel), *bench.touched))
    return Measure(name="cold check, lock holds : import libcst, ast.parse", ours=ours, floor=floor, bound=1.5)


def new(bench: Bench) -> Measure:
    site = bench.copy("new")
    (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    ours, floor = bench.medians(bench.cold(site, clean=False), bench.python(PARSERS, str(bench.wheel), *bench.touched))
    return Measure(name="cold check, all new : import libcst, ast.parse", ours=ours, floor=floor, bound=2.5)


def build(bench: Bench) -> Measure:
    cache = bench.cache()
    quoted, typed = bench.copy("quoted"), bench.copy("typed")
    bench.check(quoted, cache)()
    _type_in(bench.project, typed)
    command = [sys.executable, "-m", "mkdocs", "build", "--clean", "--quiet"]
    ours, floor = bench.medians(lambda: bench.run(command, quoted, cache), lambda: bench.run(command, typed, cache))
    return Measure(name="build, quoted : blocks typed in", ours=ours, floor=floor, bound=1.05)


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
    whole, half = bench.copy("whole"), bench.copy("half")
    for site in (whole, half):
        (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    _remove(bench.project, half, {definition.id for definition in bench.project.definitions[::2]})
    ours, floor = bench.medians(bench.cold(whole, clean=False), bench.cold(half, clean=False))
    return Measure(name="twice the snippets, all new : half of them", ours=ours, floor=floor, bound=2)


def library(bench: Bench) -> Measure:
    """A synthetic library beside seven copies of itself, none of which anything quotes, against it alone."""
    small, large = bench.room / "small", bench.room / "large"
    for site, copies in ((small, 1), (large, 8)):
        shutil.copytree(ROOT / "tests" / "sites" / "plain", site)
        for number in range(copies):
            _synthetic(site / "lib" / f"many{number}", modules=200)
        (site / "snippets" / "snippets.lock").unlink(missing_ok=True)
    ours, floor = bench.medians(bench.cold(large, clean=False), bench.cold(small, clean=False))
    return Measure(name="eight times the library : the library", ours=ours, floor=floor, bound=1.1)


def grown(bench: Bench) -> Measure:
    """Each part on texts made to hurt it, at four times the size: the one that grew most."""
    name, one, four = growth.worst(3)
    return Measure(name=f"four times the text, {name}", ours=four, floor=max(one, 1.0), bound=growth.BOUND)


def _synthetic(package: Path, modules: int) -> None:
    package.mkdir()
    (package / "__init__.py").write_text("")
    body = "".join(f"def f{n}(a, b=None):\n    return [a, b, {n}]\n\n\n" for n in range(50))
    for number in range(modules):
        (package / f"m{number}.py").write_text(body)


def _type_in(project: Project, site: Path) -> None:
    """Every directive of the copy becomes the fence an author would type, and the tool leaves mkdocs.yml."""
    for page in project.pages:
        lines = page.text.split("\n")
        for block in reversed(page.scan.directives):
            snippet = project.snippet(block.snippet or "")
            indent = re.sub(r"[^\s>]", " ", block.prefix)
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", snippet.text)), default=0))
            body = [f"{fence}{snippet.language}", *snippet.text.rstrip("\n").split("\n"), fence]
            lines[block.first - 1 : block.last] = [block.prefix + body[0], *(indent + line for line in body[1:])]
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    config = site / "mkdocs.yml"
    config.write_text(
        re.sub(r"^  - snippetlock\n", "", config.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8"
    )


def _remove(project: Project, site: Path, ids: set[str]) -> None:
    for page in project.pages:
        lines = page.text.split("\n")
        for block in reversed(page.scan.directives):
            if block.snippet in ids:
                lines[block.first - 1 : block.last] = []
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    for file in sorted((site / "snippets").glob("*.yaml")):
        blocks = re.split(r"^(?=[a-z0-9])", file.read_text(encoding="utf-8"), flags=re.M)
        kept = [block for block in blocks if block.partition(":")[0] not in ids]
        file.write_text("".join(kept), encoding="utf-8")
        if not any(re.match("[a-z0-9]", block) for block in kept):
            file.unlink()


MEASURES = {measure.__name__: measure for measure in (warm, holds, new, build, memory, snippets, library, grown)}


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
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
