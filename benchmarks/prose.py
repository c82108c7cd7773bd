"""Measure how long prose takes to be held: `python benchmarks/prose.py [--pages N]`.

Pages of 200 mentions each, of names that the pinned library has, with one in a hundred that it has not, are judged by
an index in hand. Told is the processor time of a page, what a thousand would take, and that twice as many pages take
twice as long: the exit code is 1 when they take more, or when a page takes longer than its bound. So it is with a
thousand claims about a thousand definitions, and two thousand. Needs the pinned wheel in the cache.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tools")]

from snippetlock.config import cache_dir, load_config, load_pin  # noqa: E402
from snippetlock.index import Index, open_index  # noqa: E402
from snippetlock.references import scan  # noqa: E402
from snippetlock.references.bench import bench_of, packages_of  # noqa: E402
from snippetlock.references.claims.judging import outcome  # noqa: E402
from snippetlock.references.claims.library import Library  # noqa: E402
from snippetlock.references.judging import judge_page  # noqa: E402
from snippetlock.references.own import own_names  # noqa: E402
from snippetlock.references.speech import speech  # noqa: E402
from snippetlock.source import WheelTree, pinned_wheel  # noqa: E402
from snippetlock.workflow.cache import Cache  # noqa: E402

MENTIONS, GROWTH, AT_MOST = 200, 2.4, 60.0
CLAIMS, A_CLAIM = 1000, 2.0  # milliseconds


def page(names: list[str], number: int) -> str:
    """A page of mentions, the same for the same number."""
    chosen = random.Random(number)
    lines = [f"# Page {number} {{ #page-{number} }}", ""]
    for _ in range(MENTIONS // 4):
        name, other, third = (chosen.choice(names) for _ in range(3))
        wrong = f"{third}_{number}" if chosen.random() < 0.04 else third
        lines += [f"- `{name}` calls `{other}(...)`, as `torch.{third}` does; `{wrong}` is a word.", ""]
    return "\n".join(lines)


def judged(index: Index, pages: list[str]) -> float:
    """Seconds of processor time that all pages take, from their text to the verdicts."""
    begin = process_time()
    for text in pages:
        said, own = speech(text), own_names(scan(text).blocks, packages_of(index))
        bench = bench_of(index, path="page.md", spans=said.spans, selectors={}, own=own, words={})
        assert len(judge_page(bench, said)) >= MENTIONS
    return process_time() - begin


def claims(library: Library, number: int) -> list[str]:
    """Claims about so many definitions of the library, each a true one."""
    found = []
    for definition in library.definitions():
        name = definition.selector
        if definition.kind == "class":
            bases = ", ".join(f'"{base}"' for base in definition.bases if '"' not in base)
            found.append(f"bases({name}) == [{bases}] and not exists({name}.nobody_calls_it_so)")
        elif definition.kind == "function" and "@" not in name:
            found.append(f'exists({name}) and "nobody" not in raises({name})')
        elif definition.keys is not None and definition.keys.complete and not definition.setter:
            keys = ", ".join(f'"{key}"' for key in definition.keys.names)
            found.append(f"keys({name}) == [{keys}]")
    return random.Random(0).sample(found, number)


def claimed(index: Index, texts: list[str]) -> float:
    """Seconds of processor time that claims take, from their text to what they come to."""
    begin, library = process_time(), Library(index)
    states = [outcome(library, text).state for text in texts]
    assert states.count("true") > 0.8 * len(texts), states
    return process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=40)
    count = parser.parse_args().pages
    pin, cache = load_pin(load_config(ROOT)), cache_dir(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(WheelTree(pinned_wheel(pin, cache), pin.sha256), Cache(Path(folder)), "benchmark")
        names = sorted(name for name in index.names if not name.startswith("__"))
        judged(index, [page(names, 0)])
        once = judged(index, [page(names, number) for number in range(1, count + 1)])
        twice = judged(index, [page(names, number) for number in range(count + 1, 3 * count + 1)])
        texts = claims(Library(index), 3 * CLAIMS)
        claimed(index, texts[:CLAIMS])  # opens the sheets
        one = claimed(index, texts[:CLAIMS])
        two = claimed(index, texts[CLAIMS:])
    each = 1000 * twice / (2 * count)
    claim = 1000 * two / (2 * CLAIMS)
    print(f"a page of {MENTIONS} mentions  {each:6.1f} ms  (at most {AT_MOST:.0f}); a thousand: {each:.0f} s")
    print(f"twice as many pages      {twice / once:6.2f}     (at most {GROWTH})")
    print(f"a claim                  {claim:6.2f} ms  (at most {A_CLAIM:.0f}); a thousand: {claim:.1f} s")
    print(f"twice as many claims     {two / one:6.2f}     (at most {GROWTH})")
    slow = each > AT_MOST or claim > A_CLAIM
    return 1 if slow or twice / once > GROWTH or two / one > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
