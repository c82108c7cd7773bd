"""Measure the tool against its floors: `make bench`, or `python benchmarks/run.py [--rounds N] [NAME…]`.

Each measure is a ratio of two medians of processor time, taken in one run with both sides in turn, so that a slow
machine is slow for both. Those of the build and of the warm check, whose bounds are close or whose times are short, are
finer: the median of the ratios of pairs that ran at the same time. Printed against its bound; the exit code is 1 when
one is passed. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tools")]

import growth  # noqa: E402

from snippetlock.config import cache_dir  # noqa: E402
from snippetlock.references import Block, Marker  # noqa: E402
from snippetlock.references.places import address, published, relative  # noqa: E402
from snippetlock.source import pinned_wheel  # noqa: E402
from snippetlock.workflow import open_project  # noqa: E402
from snippetlock.workflow.filling import fill  # noqa: E402
from snippetlock.workflow.pages import Page  # noqa: E402
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


Side = tuple[list[str], Path]
"""A command, and where it is run."""

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


class Bench:
    """The site, the wheel, and a room for copies and caches."""

    def __init__(self, room: Path, rounds: int) -> None:
        self.room = room
        self.rounds = rounds
        self.project = open_project(ROOT, cache_dir(os.environ))
        self.wheel = pinned_wheel(self.project.pin, self.project.cache)
        if not self.wheel.exists():
            sys.exit("the pinned wheel is not in the cache: run `snippetlock pin fetch`")
        shown = {d.id: self.project.snippet(d.id) for d in self.project.definitions}
        self.own = {name for name, snippet in shown.items() if self.project.is_own(snippet.span.path)}
        every = [one for name, snippet in shown.items() if name not in self.own for one in snippet.consulted]
        self.touched = sorted({path for path, digest in every if digest and path.endswith(".py")})
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

    def quotations(self, name: str) -> Path:
        """The site's sources, of which nothing but quotations of the library is held, to change.

        References, claims and twins are prose, and programs of the site's own are held as prose is: against an
        index of the whole library.
        """
        folder = self.copy(name)
        _remove(folder, self.own, runs=True)
        shutil.rmtree(folder / "snippets" / "examples")
        shutil.rmtree(folder / "snippets" / "runs")
        (folder / "snippets" / "runs.yaml").unlink()
        file = folder / "pyproject.toml"
        lines = re.sub(r"(?m)^references = .*$", "", file.read_text(encoding="utf-8"))
        file.write_text(re.sub(r"(?m)^twins = .*$", 'twins = "off"', lines), encoding="utf-8")
        for page in (folder / "docs").rglob("*.md"):
            said = re.sub(r"(?s)<!--(?:(?!-->).)*?\bclaim:.*?-->", "<!-- -->", page.read_text(encoding="utf-8"))
            page.write_text(said, encoding="utf-8")
        self.run([*COMMAND, "update"], folder, self.cache())
        return folder

    def environ(self, cache: Path) -> dict[str, str]:
        """As `make` has it; Python may keep its bytecode, which is there wherever the tool was installed."""
        environ = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache)}
        environ |= {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
        return {name: value for name, value in environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(self, command: list[str], cwd: Path, cache: Path, wanted: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(command, cwd=cwd, env=self.environ(cache), capture_output=True, text=True)
        if done.returncode not in wanted:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def together(self, sides: Sequence[Side], cache: Path) -> list[float]:
        """Run all sides at the same time: milliseconds of processor time of each, of user and system."""
        environ, running = self.environ(cache), []
        for number, (command, place) in enumerate(sides):
            said = self.room / f"said-{number}.txt"
            with said.open("wb") as file:
                running.append((said, subprocess.Popen(command, cwd=place, env=environ, stdout=file, stderr=file)))
        times = []
        for (command, _), (said, process) in zip(sides, running, strict=True):
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{said.read_text()}")
            times.append((used.ru_utime + used.ru_stime) * 1000)
        return times

    def medians(self, *sides: Callable[[], object]) -> list[float]:
        """Milliseconds of processor time of each side, its runs in turn with the others'; the first round is no run."""
        times: list[list[float]] = [[] for _ in sides]
        for number in range(self.rounds + 1):
            for side, taken in zip(sides, times, strict=True):
                start = _processor()
                side()
                if number:
                    taken.append((_processor() - start) * 1000)
        return [statistics.median(taken) for taken in times]

    # Sides. What prepares a side is done before the clock starts.

    def check(self, site: Path, cache: Path, *, clean: bool = True) -> Callable[[], object]:
        return lambda: self.run([*COMMAND, "check"], site, cache, (0,) if clean else (0, 1))

    def cold(self, site: Path, *, clean: bool = True) -> Callable[[], object]:
        caches = iter([self.cache() for _ in range(self.rounds + 1)])
        return lambda: self.check(site, next(caches), clean=clean)()

    def python(self, code: str, *arguments: str) -> Callable[[], object]:
        return lambda: self.run([sys.executable, "-c", code, *arguments], ROOT, self.room)


def _processor() -> float:
    """Seconds that the processes we waited for have computed, of user and system."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def warm(bench: Bench) -> Measure:
    cache = bench.cache()
    bench.check(ROOT, cache)()
    ours, floor = [*COMMAND, "check"], [sys.executable, "-c", YAML_AND_HASH, str(bench.wheel)]
    name = "warm check : import yaml, hash the wheel"
    return paired(bench, (ours, ROOT), (floor, ROOT), cache, name=name, bound=2)


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
    """Everything that the site holds, its prose against an index of the whole library too, which is made here."""
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
    _type_in(bench.project, typed)
    command = [sys.executable, "-m", "mkdocs", "build", "--clean", "--quiet"]
    return paired(
        bench,
        (command, quoted),
        (command, typed),
        cache,
        name="mkdocs build, quoted : the same pages, typed in",
        bound=1.05,
    )


def paired(bench: Bench, ours: Side, floor: Side, cache: Path, *, name: str, bound: float) -> Measure:
    """Two sides at a time, so that whatever else the machine does meets both, by the processor time that they took.

    One pair beforehand does not count. More pairs are taken while it is open which side of the bound they are on.
    """
    bench.together([ours, floor], cache)
    times: list[list[float]] = []
    while len(times) < max(PAIRS[0], bench.rounds) or (len(times) < PAIRS[1] and _undecided(times, bound)):
        if len(times) % 2:
            times.append(bench.together([ours, floor], cache))
        else:
            times.append(bench.together([floor, ours], cache)[::-1])
    pairs = tuple(a / b for a, b in times)
    low, high = _interval(pairs)
    return Measure(
        name=name,
        ours=statistics.median(a for a, _ in times),
        floor=statistics.median(b for _, b in times),
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
    _remove(half, set(kept[::2]))
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
    """What the tool fills in is written into the pages as an author would, and the tool leaves mkdocs.yml."""
    for page in project.pages:
        lines = page.text.split("\n")
        typed = {block.first: (block, _typed(project, block)) for block in page.scan.blocks if block.kind == "fence"}
        typed |= {marker.first: (marker, body) for marker, body in _generated(project, page)}
        for _, (piece, body) in sorted(typed.items(), reverse=True):
            if body:
                indent = re.sub(r"[^\s>]", " ", piece.prefix)
                lines[piece.first - 1 : piece.last] = [piece.prefix + body[0], *(indent + line for line in body[1:])]
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    config = site / "mkdocs.yml"
    config.write_text(
        re.sub(r"^  - snippetlock\n", "", config.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8"
    )


def _typed(project: Project, block: Block) -> list[str]:
    """The lines of a fence that holds the text itself, for a block that the tool would fill; none for another."""
    if block.snippet is None and block.unsourced is None:
        return []
    snippet = project.snippet(block.snippet) if block.snippet is not None else None
    text, language = (snippet.text, snippet.language) if snippet else (block.text, block.language)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return [f"{fence}{language}", *text.rstrip("\n").split("\n"), fence]


def _generated(project: Project, page: Page) -> Iterator[tuple[Marker, list[str]]]:
    """What takes the place of each marker of a page, as Markdown with HTML in it."""
    here = address(published(page.name, page.language, project.config.languages))
    filled = fill(project, page, lambda target: relative(target, here))
    for marker in page.scan.markers:
        filling = next(filling for filling in filled.fillings if filling.first == marker.first)
        body = ["", *filling.html.split("\n"), ""]
        for section in filling.sections:
            body += [
                f"{'#' * section.level} {section.title} {{ #{section.anchor} }}",
                "",
                *section.html.split("\n"),
                "",
            ]
        yield marker, body


def _remove(site: Path, ids: set[str], *, runs: bool = False) -> None:
    """Take definitions out of a copy of the site, and the blocks that show them; with `runs` what programs say too."""
    for page in open_project(site, cache_dir(os.environ)).pages:
        lines = page.text.split("\n")
        for block in reversed(page.scan.blocks):
            if block.snippet in ids or (runs and block.run is not None):
                lines[block.first - 1 : block.last] = []
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    for file in sorted((site / "snippets").glob("*.yaml")):
        blocks = re.split(r"^(?=[a-z0-9])", file.read_text(encoding="utf-8"), flags=re.M)
        kept = [block for block in blocks if block.partition(":")[0] not in ids]
        file.write_text("".join(kept), encoding="utf-8")
        if not any(re.match("[a-z0-9]", block) for block in kept):
            file.unlink()


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
