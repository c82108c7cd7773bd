"""What grows with the input must grow in proportion: each part on texts made to hurt it, at `n` and at four times `n`.

A linear part takes 4 times as long, a quadratic one 16. `make bench` runs it as the measure `growth` and reports
the worst; `python benchmarks/growth.py` lists all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from time import process_time

from room import ROOT

from snippetlock.config import parse_selector
from snippetlock.errors import SelectorError, SourceError
from snippetlock.index import Index, calls, open_index, produces
from snippetlock.references import scan
from snippetlock.references.bench import bench_of
from snippetlock.references.characters import hidden
from snippetlock.references.claims.judging import outcome
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.stated import claims_of
from snippetlock.references.judging import judge_page
from snippetlock.references.own import own_names
from snippetlock.references.speech import speech
from snippetlock.report.html import code_lines
from snippetlock.report.sourceview import source_code
from snippetlock.select import find
from snippetlock.source import DictTree
from snippetlock.tokens import tokenize

sys.path.insert(0, str(ROOT / "tests" / "unit"))

from hostile import CALLS, CLAIMS, MAKERS, MESSAGES, PAGES, PROSE, SOURCES, STRANGERS, TOKENS, TWINS

FOUR = 4
_CALLS = count()
BOUND = 10.0  # between the 4 of a linear part, noise included, and the 16 of a quadratic one


def shapes() -> Iterator[tuple[str, int, Callable[[int], str], Callable[[str], object]]]:
    """Each name, the `n` to begin with, what makes a text of a size, and the work on it.

    They begin where a text no longer fits into the processor's caches, which alone would look like growth.
    """
    for title, page in PAGES.items():
        yield f"scan: {title}", 3000, page, scan
    for title, text in TOKENS.items():
        yield f"tokenize: {title}", 16_000, text, _tokenize
    for title, source in SOURCES.items():
        yield f"find: {title}", 8000, source, _find
    for title, (path, name, source) in TWINS.items():
        yield f"one of many: {title}", 2000, source, partial(_find, path=path, name=name)
    for title, (path, name, source) in STRANGERS.items():
        yield f"none of many: {title}", 2000, source, partial(_find, path=path, name=name)
    yield "source view: lines", 500, _lines, _view
    for title, source in SOURCES.items():
        yield f"index: {title}", 4000, source, _index
    for title, (path, _, source) in TWINS.items():
        if path.endswith((".py", ".yaml")):
            yield f"index of many: {title}", 2000, source, partial(_index, path=path)
    for title, text in CALLS.items():
        yield f"calls: {title}", 8000, text, calls
    for title, text in MESSAGES.items():
        yield f"produces: {title}", 8000, text, partial(produces, _index(MAKERS))
    for title, text in CLAIMS.items():
        yield f"claims: {title}", 1000, text, partial(_claimed, Library(_index(KILNS, "kilns.py")))
    for title, text in PROSE.items():
        yield f"prose: {title}", 400, text, partial(_judge, _index(KILNS, "kilns.py"))


KILNS = """
class FIREFwdOp:
    kiln_types = {"fire_gas": 1}
    def kiln_for(self, interface, call):
        raise ValueError("the kiln is cold")
class Op:
    def __init__(self): pass
"""


def _claimed(library: Library, text: str) -> object:
    return [outcome(library, claim.text) for claim in claims_of(text)]


def _judge(index: Index, text: str) -> object:
    said, blocks = speech(text), scan(text).blocks
    own = own_names(blocks, ["kilns"])
    bench = bench_of(index, path="a.md", spans=said.spans, selectors={}, own=own, words={})
    return judge_page(bench, said, blocks), list(hidden(text, blocks))


class _Nothing:
    """A store that keeps nothing."""

    def get(self, kind: str, key: str) -> None:
        del kind, key

    def put(self, kind: str, key: str, value: object) -> None:
        del kind, key, value


def _index(text: str, path: str = "a.py") -> Index:
    return open_index(DictTree({path: text.encode()}, f"{next(_CALLS)}"), _Nothing(), "benchmark")


def _tokenize(text: str) -> object:
    return list(tokenize(text))


def _view(text: str) -> object:
    return source_code(text, code_lines(text, "python"), ())


def _find(text: str, path: str = "a.py", name: str = "x") -> object:
    text += f"# {next(_CALLS)}\n"  # what was found out about a text is kept: each call brings a new one
    try:
        return find(DictTree({path: text.encode()}), parse_selector(f"{path}:{name}"))
    except (SelectorError, SourceError) as error:  # a refusal is an answer, and takes its time too
        return str(error)


def _lines(n: int) -> str:
    return "".join(f"def f{i}(x, y='{i}'):  # {i}\n" for i in range(n))


def growth(rounds: int) -> Iterator[tuple[str, float, float]]:
    """Each name with the milliseconds of both sizes, the best of `rounds`."""
    for name, size, make, act in shapes():
        small, large = make(size), make(size * FOUR)
        times = [(_milliseconds(act, small), _milliseconds(act, large)) for _ in range(rounds)]
        yield name, min(one for one, _ in times), min(four for _, four in times)


def worst(rounds: int) -> tuple[str, float, float]:
    """The entry that grew most. Below a millisecond a ratio says nothing, so it counts as one."""
    return max(growth(rounds), key=lambda entry: entry[2] / max(entry[1], 1.0))


def _milliseconds(act: Callable[[str], object], text: str) -> float:
    begin = process_time()
    act(text)
    return (process_time() - begin) * 1000


if __name__ == "__main__":
    over = False
    for name, one, four in growth(3):
        ratio = four / max(one, 1.0)
        over |= ratio > BOUND
        print(f"{name:<45} {one:>8.1f} ms {four:>8.1f} ms {ratio:>6.2f}{'  over' if ratio > BOUND else ''}", flush=True)
    sys.exit(1 if over else 0)
