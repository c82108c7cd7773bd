"""Pages about the library that this site is about: `snippetlock pin fetch` has it at hand."""

from __future__ import annotations

from pathlib import Path

import casefile
import pytest
from indexing import pinned

from snippetlock.references import scan
from snippetlock.references.bench import bench_of
from snippetlock.references.judging import judge_page, judge_text
from snippetlock.references.own import own_names
from snippetlock.references.speech import speech

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def index():
    return pinned()


@casefile.each("references-pin.case")
def test_what_the_pinned_library_says_of_a_page(index, golden, case):
    said = speech(case["page"])
    own = own_names(scan(case["page"]).blocks, ["tileops"])
    bench = bench_of(index, path="docs/page.md", spans=said.spans, selectors={}, own=own, words={})
    found = [verdict for verdict in judge_page(bench, said) if verdict.rule]

    golden(case, "".join(f"{one.line}:{one.column} {one.rule} {one.message}\n" for one in found))


def test_of_a_method_of_many_classes_the_one_that_they_derive_from_is_told_first(index):
    bench = bench_of(index, path="docs/page.md", spans=(), selectors={}, own=own_names((), ["tileops"]), words={})
    (finding, *_) = judge_text(bench, "entry_for(role, call)")

    assert finding.evidence[0] == "tileops/_kernels/kernel_base.py:437  entry_for takes (call)"
    assert judge_text(bench, "entry_for")[0].why.startswith("function tileops._kernels.kernel_base:Kernel.entry_for ")
