"""Pages about the library that this site is about: `snippetlock pin fetch` has it at hand."""

from __future__ import annotations

import os
from pathlib import Path

import casefile
import pytest
from indexing import Memory

from snippetlock.config import cache_dir, load_config, load_pin
from snippetlock.errors import PinError
from snippetlock.index import open_index
from snippetlock.references import scan
from snippetlock.references.bench import bench_of
from snippetlock.references.judging import judge_page
from snippetlock.references.own import own_names
from snippetlock.references.speech import speech
from snippetlock.source import open_tree

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def index():
    pin = load_pin(load_config(ROOT))
    try:
        tree = open_tree(pin, ROOT, cache_dir(os.environ))
    except PinError as error:
        pytest.skip(str(error))
    return open_index(tree, Memory(), "test")


@casefile.each("references-pin.case")
def test_what_the_pinned_library_says_of_a_page(index, golden, case):
    said = speech(case["page"])
    own = own_names(scan(case["page"]).blocks, ["tileops"])
    bench = bench_of(index, path="docs/page.md", spans=said.spans, selectors={}, own=own, words={})
    found = [verdict for verdict in judge_page(bench, said) if verdict.rule]

    golden(case, "".join(f"{one.line}:{one.column} {one.rule} {one.message}\n" for one in found))
