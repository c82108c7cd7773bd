"""Measure how long prose takes to be held: `python benchmarks/prose.py [--pages N] [--rounds N] [NAME…]`.

Each measure but the first is a ratio with its bound, of processor time (user and system) of whole commands that run at
the same time, so that whatever else the machine does meets both; the median of the rounds. Commands that it is taken
of work in one process: several know less of what the others found out, and so do more, in less time.

seconds `refs` on 1,000 made pages of 200 mentions each, with nothing kept, so that the index of the library is made
        too: ten seconds by the clock, on all cores. The one measure that other work on the machine spoils.
cold    The same in one process, against Python-Markdown rendering the same pages.
growth  four times the pages take four times as long: what 250 pages take, index and start, is taken off both.
warm    `check` of this site with references, claims and twins, against the same without, when nothing changed since
        the last one. The site has to be clean: what looks in vain for an earlier state of a page is not kept.
edited  The same after one page changed, which is judged anew, and the index opened for it.

The exit code is 1 when a bound is passed. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from room import COMMAND, ROOT, Room, Side, together

from snippetlock.index import open_index
from snippetlock.source import WheelTree
from snippetlock.workflow.cache import Cache

MENTIONS = 200
SECONDS, COLD, GROWTH, WARM, EDITED = 10, 1.2, 4.4, 1.5, 2
RENDER = (
    "import sys, pathlib, markdown\n"
    "md = markdown.Markdown(extensions=['extra', 'admonition', 'toc'])\n"
    "for page in sorted(pathlib.Path(sys.argv[1]).glob('*.md')): md.reset().convert(page.read_text())"
)


class Bench(Room):
    """A room for made projects, and for copies of the site."""

    def made(self, pages: int) -> Path:
        """A project of so many pages."""
        place = self.folder / f"made-{pages}"
        (place / "docs").mkdir(parents=True)
        (place / "snippets").mkdir()
        (place / "pyproject.toml").write_text("[tool.snippetlock]\nreferences = true\n")
        shutil.copyfile(ROOT / "tileops_ref" / "pin.yaml", place / "pin.yaml")
        index = open_index(WheelTree(self.wheel, self.pin.sha256), Cache(self.folder / "names"), "benchmark")
        names = sorted(name for name in index.names if not name.startswith("__"))
        for number in range(pages):
            (place / "docs" / f"page-{number}.md").write_text(page(names, number))
        return place

    def site(self, name: str, *, prose: bool) -> Path:
        """The site's sources, to change; with `prose` off, its quotations alone are held."""
        place = self.folder / name
        for part in ("docs", "snippets", "tileops_ref"):
            shutil.copytree(ROOT / part, place / part, ignore=shutil.ignore_patterns("checkout", "__pycache__"))
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        if not prose:
            text = re.sub(r"(?m)^twins = .*$", 'twins = "off"', re.sub(r"(?m)^references = .*$", "", text))
        (place / "pyproject.toml").write_text(text, encoding="utf-8")
        return place


def page(names: list[str], number: int) -> str:
    """A page of mentions, the same for the same number; one in a hundred is of no name that there is."""
    chosen = random.Random(number)
    lines = [f"# Page {number} {{ #page-{number} }}", ""]
    for _ in range(MENTIONS // 4):
        name, other, third = (chosen.choice(names) for _ in range(3))
        wrong = f"{third}_{number}" if chosen.random() < 0.04 else third
        lines += [f"- `{name}` calls `{other}(...)`, as `torch.{third}` does; `{wrong}` is a word.", ""]
    return "\n".join(lines)


def _refs(bench: Bench, place: Path, *options: str) -> Side:
    """The prose of a made project, held with nothing kept: it has findings."""
    return Side(command=(*COMMAND, "refs", *options), place=place, cache=bench.cache(), ends=(0, 1))


def seconds(bench: Bench, pages: int, rounds: int) -> bool:
    place, times = bench.made(pages), []
    for _ in range(rounds):
        side, began = _refs(bench, place), perf_counter()
        together([side])
        times.append(perf_counter() - began)
    ours, bound = statistics.median(times), SECONDS * pages / 1000
    return told("seconds", f"{pages} pages, by the clock", ours / bound, 1, ours, bound)


def cold(bench: Bench, pages: int, rounds: int) -> bool:
    place = bench.made(pages)
    rendered = Side(command=(sys.executable, "-c", RENDER, str(place / "docs")), place=place, cache=bench.folder)
    times = [together([_refs(bench, place, "--jobs", "1"), rendered]) for _ in range(rounds)]
    ours, floor = (statistics.median(side) for side in zip(*times, strict=True))
    return told("cold", "rendering the same pages", statistics.median(a / b for a, b in times), COLD, ours, floor)


def growth(bench: Bench, pages: int, rounds: int) -> bool:
    """Three sizes: what the second has over the first, against what the third has over the first."""
    first, more = bench.made(pages // 4), pages // 8
    second, third = bench.made(pages // 4 + more), bench.made(pages // 4 + 4 * more)
    ratios, last = [], (0.0, 0.0)
    for _ in range(rounds):
        one, two, five = together([_refs(bench, place, "--jobs", "1") for place in (first, second, third)])
        last = five - one, two - one
        ratios.append(last[0] / last[1])
    return told("growth", "a quarter of the pages", statistics.median(ratios), GROWTH, *last)


def warm(bench: Bench, pages: int, rounds: int) -> bool:
    sides = _sites(bench)
    times = [together(sides) for _ in range(max(rounds, 3))]
    return _against(times, "warm", WARM)


def edited(bench: Bench, pages: int, rounds: int) -> bool:
    sides, times = _sites(bench), []
    for number in range(max(rounds, 3)):
        for side in sides:
            with (side.place / "docs" / "verification.md").open("a", encoding="utf-8") as file:
                file.write(f"\n<!-- {number} -->\n")
        times.append(together(sides))
    return _against(times, "edited", EDITED)


def _sites(bench: Bench) -> list[Side]:
    """The site with all that it holds, and with its quotations alone, each checked once and clean."""
    places = bench.site("held", prose=True), bench.site("plain", prose=False)
    sides = [Side(command=(*COMMAND, "check"), place=place, cache=bench.cache()) for place in places]
    together(sides)
    return sides


def _against(times: Sequence[Sequence[float]], name: str, bound: float) -> bool:
    ours, floor = (statistics.median(side) for side in zip(*times, strict=True))
    return told(name, "without prose", statistics.median(a / b for a, b in times), bound, ours, floor)


def told(name: str, floor_name: str, ratio: float, bound: float, ours: float, floor: float) -> bool:
    over = "  over" if ratio > bound else ""
    print(
        f"{name:<22} {ours:7.2f} s : {floor_name:<26} {floor:7.2f} s {ratio:7.2f} (at most {bound}){over}", flush=True
    )
    return not over


MEASURES = {measure.__name__: measure for measure in (seconds, cold, growth, warm, edited)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)} (default: all)")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no measure {', '.join(sorted(unknown))}")
    fine = True
    for name in arguments.names or MEASURES:
        with tempfile.TemporaryDirectory() as folder:
            fine &= MEASURES[name](Bench(Path(folder)), arguments.pages, arguments.rounds)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
