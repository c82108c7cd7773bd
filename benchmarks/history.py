"""Measure drift and replay against git and the parser: `python benchmarks/history.py [--repository PATH --root DIR]`.

Two repositories are made here: a library of modules whose functions change commit by commit, and in one of them
some of their names too. The same is measured on a real one with `--repository`: sixty definitions of the revision
`--at` are followed. A floor imports the libraries that the measured run imports, and no other.
Each measure is the median of the ratios of pairs of runs, one after the other, in processor time, which other work
on the machine changes little; only what is told in seconds is. The exit code is 1 when a bound is passed.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from made import RENAMING, git, repository
from room import COMMAND, environ, processor

SNIPPETS = 60
LIBRARIES = ("libcst", "markdown", "pygments", "yaml")
START = (  # what a run pays before it does anything: git asked once, beside the libraries
    "import subprocess, sys;"
    "subprocess.run(['git', '--git-dir', sys.argv[1], 'log', '--raw', *sys.argv[2:]], stdout=subprocess.DEVNULL)"
)
# … and the contents of what these commits touched, before and after each: `git log --raw A..B` as one types it;
# … the versions of Python files along the mainline, parsed; or the blobs that a file names.
READ = """
import subprocess, sys
git = ['git', '--git-dir', sys.argv[1]]
asked = subprocess.run([*git, 'log', '--raw', '--no-abbrev', sys.argv[2]], stdout=subprocess.PIPE, check=True).stdout
rows = [row.split() for row in asked.decode('utf-8', 'surrogateescape').split('\\n') if row.startswith(':')]
names = '\\n'.join(sorted({name for row in rows for name in row[2:4]} - {'0' * 40})) + '\\n'
subprocess.run([*git, 'cat-file', '--batch'], input=names.encode(), stdout=subprocess.PIPE, check=True)
"""
BLOBS = """
import ast, subprocess, sys
git, how, end, span = ['git', '--git-dir', sys.argv[1]], sys.argv[2], sys.argv[3], sys.argv[4]
ask = [*git, 'log', '--raw', '--no-abbrev', '--no-renames', '--first-parent', '-m', '--format=', span]
rows = subprocess.run(ask, stdout=subprocess.PIPE, check=True).stdout.decode('utf-8', 'surrogateescape').split('\\n')
wanted = set(sys.argv[5:])
rows = [r for r in rows if r.endswith('.py') and (not wanted or r.split('\\t')[-1].removeprefix(end) in wanted)]
ids = open(sys.argv[5]).read().split() if how == 'named' else {r.split()[3] for r in rows}
names = '\\n'.join(sorted(set(ids) - {'0' * 40})) + '\\n'
data = subprocess.run([*git, 'cat-file', '--batch'], input=names.encode(), stdout=subprocess.PIPE, check=True).stdout
at = 0
while at < len(data):
    head = data.index(b'\\n', at)
    size = int(data[at:head].split()[2])
    try:
        ast.parse(data[head + 1 : head + 1 + size])
    except SyntaxError:
        pass
    at = head + size + 2
"""
LOOKED = """
import sys
from snippetlock.cli import main
from snippetlock.history.snapshot import Snapshot
looked, read = set(), Snapshot.read
def noted(self, path):
    looked.add(self.blob(path) if path.endswith('.py') else None)
    return read(self, path)
Snapshot.read = noted
main(sys.argv[1:])
print('LOOKED', *looked - {None})
"""
IMPORTED = (
    "import sys; from snippetlock.cli import main; main(sys.argv[2:]);"
    "print('IMPORTED', *(set(sys.argv[1].split()) & set(sys.modules)))"
)
PEAK = (
    "import resource, sys; from snippetlock.cli import main; main(['replay', '--jobs', '1', *sys.argv[1:]]);"
    "print('PEAK', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def _timed(side: Callable[[], object], clock: Callable[[], float] = processor) -> float:
    start = clock()
    side()
    return (clock() - start) * 1000


def definitions(repository: Path, root: str, revision: str) -> list[str]:
    """Sixty selectors of what the revision defines, spread over its files."""
    prefix = f"{root}/" if root else ""
    listed = git(repository, "ls-tree", "-r", "--name-only", revision, "--", prefix or ".")
    files = [p for p in listed.split("\n") if p.endswith(".py") and "/tests/" not in p]
    packages = {p.split("/")[0] for p in (f.removeprefix(prefix) for f in files) if p.endswith("/__init__.py")}
    files = [p for p in files if p.removeprefix(prefix).split("/")[0] in packages]
    chance = random.Random(7)
    chance.shuffle(files)
    found: list[str] = []
    for file in files:
        tree = ast.parse(git(repository, "show", f"{revision}:{file}"))
        names = [n.name for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef) and n.name != "_"]
        module = file.removeprefix(prefix).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        found += [f"{module}:{name}" for name in chance.sample(names, min(2, len(names)))]
        if len(found) >= SNIPPETS:
            break
    return found[:SNIPPETS]


class Bench:
    """A docs project in `room`, pinned to the end of a history, and that history."""

    def __init__(self, room: Path, repository: Path, root: str, at: str, rounds: int) -> None:
        self.room, self.repository, self.rounds = room, repository, rounds
        self.end = git(repository, "rev-parse", "HEAD").strip()
        self.prefix = f"{root}/" if root else ""
        self.git_dir = git(repository, "rev-parse", "--absolute-git-dir").strip()
        self.site = room / "site"
        selectors = definitions(repository, root, at)
        names = [f"s{number}" for number in range(len(selectors))]
        files = {
            "pyproject.toml": "[tool.snippetlock]\n",
            "pin.yaml": f"name: lib\ngit: {{commit: {self.end}}}\n"
            f"repository: {{url: {self.git_dir}, root: {root or 'null'}, branch: {self.end}}}\n",
            "snippets/all.yaml": "".join(f"{n}: {{source: '{s}'}}\n" for n, s in zip(names, selectors, strict=True)),
            "docs/index.md": "# All\n\n" + "".join(f'```python snippet="{n}"\n```\n\n' for n in names),
        }
        for path, text in files.items():
            (self.site / path).parent.mkdir(parents=True, exist_ok=True)
            (self.site / path).write_text(text, encoding="utf-8")
        modules = {s.partition(":")[0].replace(".", "/") for s in selectors}
        self.paths = sorted(f"{m}{end}" for m in modules for end in (".py", "/__init__.py"))
        self._number = 0

    def cache(self) -> Path:
        self._number += 1
        return self.room / f"cache-{self._number}"

    def run(self, command: list[str], cache: Path, wanted: tuple[int, ...] = (0,)) -> str:
        own = environ(cache)
        own.pop("SNIPPETLOCK_UPSTREAM", None)
        done = subprocess.run(command, cwd=self.site, env=own, capture_output=True, text=True)
        if done.returncode not in wanted:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr}")
        return done.stdout

    def pairs(self, ours: Callable[[], object], floor: Callable[[], object]) -> tuple[float, float, float]:
        """Milliseconds of both sides and their ratio: medians of pairs of runs, the first of which does not count."""
        times = [(_timed(ours), _timed(floor)) for _ in range(self.rounds + 1)][1:]
        ratios = [one / other for one, other in times]
        return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times), statistics.median(ratios)

    def imports(self, command: list[str]) -> str:
        """A statement that imports the libraries which our command imports, empty for none."""
        asked = [sys.executable, "-c", IMPORTED, " ".join(LIBRARIES), *command[len(COMMAND) :]]
        found = self.run(asked, self.cache()).split("IMPORTED")[-1].split()
        return f"import {', '.join(sorted(found))}\n" if found else ""

    def floor(self, how: str, span: str, paths: list[str], command: list[str]) -> Callable[[], object]:
        code = self.imports(command) + BLOBS
        asked = [sys.executable, "-c", code, self.git_dir, how, self.prefix, span, *paths]
        return lambda: self.run(asked, self.room)

    def looked_for(self) -> str:
        """How many snippets drift looked for, in either state, as its report tells."""
        command = [*COMMAND, "drift", "--from", f"{self.end}~100", "--to", self.end, "--fail-on", "none"]
        every = json.loads(self.run([*command, "--format", "json"], self.cache()))["snippets"]
        old = [one for one in every if one["class"] == "appears" or (one["details"][:1] and _was(one["details"][0]))]
        new = [one for one in every if one["class"] in ("renamed", "moved", "removed") and one not in old]
        return f"of {len(every)} snippets drift looks for {len(old)} in the old state, for {len(new)} in the new one"


def _was(detail: str) -> bool:
    return detail.startswith("it was ")


Measured = tuple[str, float, float, float, float]  # what : its floor, both in one unit, their ratio, the bound


def drift(bench: Bench) -> Measured:
    """Between two commits a hundred apart, nothing kept: against git's log and reading what these commits touched."""
    start = f"{bench.end}~100"
    command = [*COMMAND, "drift", "--from", start, "--to", bench.end, "--fail-on", "none"]
    asked = [sys.executable, "-c", bench.imports(command) + READ, bench.git_dir, f"{start}..{bench.end}"]
    found = bench.pairs(lambda: bench.run(command, bench.cache()), lambda: bench.run(asked, bench.room))
    return "drift over 100 commits : log, read what they touched", *found, 3


def replay(bench: Bench) -> Measured:
    """All commits, one process, nothing kept: against parsing each blob that it looked at.

    Where names changed, older ones are looked for in whatever a commit touched: in most of it for a name alone.
    """
    command = [*COMMAND, "replay", "--jobs", "1"]
    looked = bench.run([sys.executable, "-c", LOOKED, *command[len(COMMAND) :]], bench.cache()).split("LOOKED")[-1]
    named = bench.room / "looked"
    named.write_text(looked, encoding="ascii")
    floor = bench.floor("named", bench.end, [str(named)], command)
    found = bench.pairs(lambda: bench.run(command, bench.cache()), floor)
    return f"replay, cold : log, ast.parse of {len(looked.split())} blobs looked at", *found, 2


def own(bench: Bench) -> Measured:
    """The same against parsing only each version of the files that hold the snippets at the end."""
    command = [*COMMAND, "replay", "--jobs", "1"]
    floor = bench.floor("parse", bench.end, bench.paths, command)
    found = bench.pairs(lambda: bench.run(command, bench.cache()), floor)
    return "replay, cold : log, ast.parse of each version", *found, 2


def again(bench: Bench) -> Measured:
    """All commits a second time: against git's log."""
    cache, command = bench.cache(), [*COMMAND, "replay", "--jobs", "1"]
    bench.run(command, cache)
    asked = [sys.executable, "-c", bench.imports(command) + START, bench.git_dir, bench.end]
    found = bench.pairs(lambda: bench.run(command, cache), lambda: bench.run(asked, bench.room))
    return "replay, again : log", *found, 3


def seconds(bench: Bench) -> Measured:
    """All commits on all cores, nothing kept, in seconds."""
    times = [_timed(lambda: bench.run([*COMMAND, "replay"], bench.cache()), perf_counter) for _ in range(bench.rounds)]
    ours = statistics.median(times)
    return "replay, cold, all cores : 1 s", ours, 1000, ours / 1000, 15


def memory(bench: Bench) -> Measured:
    """The largest resident size of a replay, in megabytes."""
    peak = float(bench.run([sys.executable, "-c", PEAK], bench.cache()).split()[-1]) / 1024
    return "peak memory of a replay : 1 MB", peak, 1, peak, 300


MEASURES = {measure.__name__: measure for measure in (drift, replay, own, again, seconds, memory)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs (default: 3)")
    parser.add_argument("--repository", type=Path, help="a real one, measured beside the one made here")
    parser.add_argument("--root", default="src", help="the folder of its packages at the end (default: src)")
    parser.add_argument("--at", default="HEAD", metavar="REV", help="whose definitions are followed (default: HEAD)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)} (default: all)")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no measure {', '.join(sorted(unknown))}")
    print(f"{'measure':<54} {'ours':>8} {'floor':>8} {'ratio':>7} {'bound':>6}")
    with tempfile.TemporaryDirectory() as room:
        benches: dict[str, Bench] = {}
        for title, renaming in (("made here, names stay", 0), ("made here, names change too", RENAMING)):
            made = Path(room) / f"repository-{renaming}"
            repository(made, renaming)
            benches[title] = Bench(Path(room) / f"made-{renaming}", made, "src", "HEAD", arguments.rounds)
        if arguments.repository:
            where, root = arguments.repository.resolve(), arguments.root
            benches[str(arguments.repository)] = Bench(Path(room) / "real", where, root, arguments.at, arguments.rounds)
        over = 0
        for title, bench in benches.items():
            print(f"{title}: {bench.looked_for()}")
            over += sum([_told(*MEASURES[name](bench)) for name in arguments.names or MEASURES])
    return 1 if over else 0


def _told(what: str, ours: float, floor: float, ratio: float, bound: float) -> bool:
    """Print a line; whether the bound is passed."""
    over = ratio > bound
    print(f"{what:<54} {ours:>8.0f} {floor:>8.0f} {ratio:>7.2f} {bound:>6}{'  over' if over else ''}", flush=True)
    return over


if __name__ == "__main__":
    sys.exit(main())
