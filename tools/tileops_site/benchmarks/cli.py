"""`python -m tileops_site.benchmarks [NIGHT]`: read a night and say what became of every row of it.

The one place here that prints, reads the environment and knows exit codes: 0 where every row has its place, 1 where
something is to be looked at, 2 where the night or the library could not be read.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from snippetlock.config import cache_dir, find_root
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.report.text import quantity
from snippetlock.workflow import Project, open_project
from tileops_site.benchmarks.book import Book, counts
from tileops_site.benchmarks.explain import explained
from tileops_site.benchmarks.families import PAGES
from tileops_site.benchmarks.history import in_order
from tileops_site.benchmarks.manifest import read_manifest
from tileops_site.benchmarks.model import Night, NightError
from tileops_site.benchmarks.opening import RESULTS, named
from tileops_site.benchmarks.overview import shown
from tileops_site.benchmarks.placing import Placed, place, warnings
from tileops_site.benchmarks.ratios import VERDICTS
from tileops_site.benchmarks.section import at_path, book_of, fetched_place, read_nights
from tileops_site.benchmarks.settings import FILE, load_settings
from tileops_site.benchmarks.words import WORDS

_TOLD = 20  # how many of the tests that stand more than once are told by name


def main(argv: Sequence[str] | None = None) -> int:
    """Run it, and return the exit code."""
    arguments = _arguments().parse_args(argv)
    try:
        project = open_project(find_root(Path.cwd()), cache_dir(os.environ))
        if arguments.explain is not None:
            return _explain(project, _nights_if_any(project, arguments), arguments.explain)
        nights = _nights(project, arguments)
        return _account(book_of(project, nights[-1]), nights)
    except SnippetlockError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tileops_site.benchmarks",
        description="Read nights of benchmark results and say what became of every row.",
        epilog="Exit codes: 0 every row has its place, 1 something is to be looked at, 2 could not be read.",
    )
    parser.add_argument(
        "night",
        nargs="*",
        type=Path,
        help=f"a folder or archive that holds {RESULTS}, or a folder of several (default: the branch that "
        "tileops_ref/benchmarks.yaml names)",
    )
    parser.add_argument("--offline", action="store_true", help="take the branch as the cache has it; ask nobody")
    parser.add_argument("--explain", nargs="*", metavar="OP", help="say as JSON which page ops land on, and why")
    return parser


def _nights(project: Project, arguments: argparse.Namespace) -> tuple[Night, ...]:
    settings = load_settings(project.config.root)
    if not arguments.night:
        try:
            found = fetched_place(project, settings, ask=not arguments.offline, environ=os.environ)
        except RepositoryError as error:
            mend = "connect, name another branch, or name a night that is here: make benchmarks SNAPSHOT=FOLDER"
            what = f"the newest night cannot be had: {error.what}"
            raise NightError(what, path=FILE, evidence=error.evidence, mend=mend) from error
        return read_nights((found,), settings)
    paths = [named(path, Path.cwd()) for path in arguments.night]
    return in_order([night for path in paths for night in at_path(path, settings)])


def _nights_if_any(project: Project, arguments: argparse.Namespace) -> tuple[Night, ...]:
    """The same without asking anybody: an op that is named can be placed without a night, too."""
    arguments.offline = True
    try:
        return _nights(project, arguments)
    except NightError:
        if arguments.night or not arguments.explain:
            raise
        return ()


def _explain(project: Project, nights: Sequence[Night], asked: Sequence[str]) -> int:
    """Ops of the night that are asked for, or all; one that is not in it is placed by its name alone."""
    settings, manifest = load_settings(project.config.root), read_manifest(project.tree)
    modules = {row.op: row.module for night in nights for row in night.rows if row.op}
    found: list[Placed] = [place(op, modules.get(op, ""), manifest, settings) for op in asked or modules]
    sys.stdout.write(explained(found, project.pin, nights[-1].name if nights else ""))
    return 0


def _account(book: Book, nights: Sequence[Night]) -> int:
    """The accounting as text, most important first."""
    night = book.night
    endings = Counter(outcome.ending for outcome in night.outcomes)
    date = night.meta.date if night.meta and night.meta.date else night.name
    lines = [
        f"night of {date}" + (f", the last of {len(nights)}" if len(nights) > 1 else ""),
        f"  {quantity(night.cases, 'test cases')} = {quantity(shown(book), 'rows')} shown"
        f" + {endings['failed']:,} failed + {endings['skipped']:,} skipped",
    ]
    for page in PAGES:
        own = [line for group in book.groups[page.slug] for line in group.lines]
        said = ", ".join(f"{n} {WORDS['en'][word]}" for word in VERDICTS if (n := counts(own)[word]))
        lines.append(f"  {page.english:<17} {len(own):>5}  {said}".rstrip())
    remarks = _remarks(book)
    lines += [f"  note: {remark}" for remark in remarks]
    sys.stdout.write("\n".join(lines) + "\n")
    complete = night.cases == shown(book) + len(night.outcomes)
    return 0 if complete and not remarks else 1


def _remarks(book: Book) -> list[str]:
    """What somebody should look at: nothing of it is hidden on the pages either."""
    night = book.night
    open_ones = [name for name in book.implementations if book.settings.known(name).kind == "unclassified"]
    found = [] if night.cases else ["it holds no test case"]
    found += [] if night.meta else ["it has no meta.json: neither its date nor its GPU is known"]
    found += warnings(group.placed for group in book.every)
    found += [f"{name} is unclassified: add it to tileops_ref/benchmarks.yaml" for name in open_ones]
    found += _repeated(night)
    found += night.odd
    found += [f"{name} is a property that nobody knows ({quantity(n, 'times')})" for name, n in night.unknown.items()]
    return found


def _repeated(night: Night) -> list[str]:
    """Test cases that stand more than once: the first of them by name, the rest as their number."""
    seen = Counter(f"{row.file}::{row.name}" for row in night.rows if row.twice)
    told = [f"{name} stands {number:,} times in the night" for name, number in list(seen.items())[:_TOLD]]
    more = len(seen) - len(told)
    return [*told, f"and {quantity(more, 'more tests')} that stand more than once"] if more else told
