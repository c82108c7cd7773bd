"""What a mention comes to does not depend on what was judged before it, nor on who took its page apart."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import casefile
import pytest
from indexing import indexed

from snippetlock.config.document import parse_document
from snippetlock.config.vocabulary import parse_vocabulary
from snippetlock.index.near import _at_least, _bits, _counted, _Pairs
from snippetlock.references import scan
from snippetlock.references.bench import bench_of, packages_of
from snippetlock.references.groups import group_of
from snippetlock.references.inline import inline_code
from snippetlock.references.judging import judge_page, tell_page
from snippetlock.references.keyed import spoken_key
from snippetlock.references.lines import _single, spans
from snippetlock.references.own import own_names
from snippetlock.references.paragraphs import columns
from snippetlock.references.speech import Said, speech
from snippetlock.references.structure import structure

CASES = casefile.read("references.case")
LIBRARY = next(case for case in CASES if case.title == "LIBRARY")
PAGES = [case["page"] for case in CASES if case.title != "LIBRARY"]
DOCS = Path(__file__).parents[2] / "docs"


def verdicts(index, page, words="", judge=judge_page, path="docs/page.md"):
    seen = scan(page)
    said = speech(page, seen.layout)
    named = {word.name: word for word in parse_vocabulary(parse_document(words, "vocabulary.yaml"))}
    own = own_names(seen.blocks, packages_of(index))
    bench = bench_of(index, path=path, spans=said.spans, selectors={}, own=own, words=named)
    return judge(bench, said, seen.blocks)


@pytest.mark.parametrize("seed", [1, 2])
def test_one_index_for_all_pages_says_what_a_new_one_says(seed):
    pages = random.Random(seed).sample([*PAGES, *PAGES], 2 * len(PAGES))
    shared, alone = indexed(LIBRARY.files), {}
    for page in pages:
        if page not in alone:
            alone[page] = verdicts(indexed(LIBRARY.files), page)
        assert verdicts(shared, page) == alone[page]
    assert any(verdict.rule for found in alone.values() for verdict in found)


def test_a_page_that_defines_a_name_excuses_it_for_itself_alone():
    index = indexed({"kilns/__init__.py": "class Kiln:\n    pass\n"})
    plain = "`warm_up` and `warm_up(1)` and `Kiln`.\n"
    own = f"{plain}\n```python\ndef warm_up(): ...\n```\n"
    for _ in range(2):
        assert [one.state for one in verdicts(index, plain)] == ["unknown", "unknown", "resolved"]
        assert [one.state for one in verdicts(index, own)] == ["known", "known", "resolved"]


def test_what_the_vocabulary_allows_on_one_page_is_a_finding_on_another():
    index = indexed({"kilns/__init__.py": "class Kiln:\n    pass\n"})
    words = "old_kiln:\n  reason: its name until 0.1\n  pages: [docs/old.md]\n"
    for path, want in [("docs/old.md", ("", "old_kiln")), ("docs/page.md", ("SL301", "old_kiln"))] * 2:
        found = verdicts(index, "`old_kiln`\n", words, path=path)
        assert [(one.rule, one.entry) for one in found] == [want]


OPS = {
    "kilns/__init__.py": "from kilns.op import GasOp, Op, WoodOp\n\n__all__ = ['GasOp', 'Op', 'WoodOp']\n",
    "kilns/op.py": "class Op:\n    def __init__(self):\n        self._plans = {}\n        self.size = 1\n\n\n"
    "class _Flat(Op):\n    def _call_spec(self, clay): ...\n\n\nclass GasOp(_Flat):\n    pass\n\n\n"
    "class WoodOp(Op):\n    def _call_spec(self, clay): ...\n\n    def _alone(self): ...\n\n"
    "    def stack_up(self): ...\n",
}


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("It calls `self._call_spec(clay)`.", "Op has no '_call_spec': only classes below it have"),
        ("It calls `self._alone()`.", "Op has no '_alone': only classes below it have"),
        ("An `Op` has `self._alone()`.", "no class that this page speaks of has '_alone', and no class above one"),
        ("A `GasOp` has `self._call_spec(clay)`.", ""),
        ("A `WoodOp` has `self._call_spec(clay)` and `self._alone()`.", ""),
        ("It has `self._plans` and `self.size`.", ""),
        ("An `Op` has `self._plans`, and one below it `self.stack_up`.", ""),
        ("```python\nself._alone = 1\n```\n\nIt calls `self._alone()`.", ""),
    ],
)
def test_what_some_classes_have_of_their_own_is_not_what_every_one_has(page, message):
    found = [verdict for verdict in verdicts(indexed(OPS), page) if verdict.rule]
    assert [(verdict.rule, verdict.message, verdict.certain) for verdict in found] == (
        [("SL301", message, False)] if message else []
    )


@pytest.mark.parametrize("page", PAGES, ids=range(len(PAGES)))
def test_what_is_told_are_the_verdicts_that_say_something(page):
    index = indexed(LIBRARY.files)
    every = verdicts(index, page)
    told = tuple(one for one in every if one.rule or one.entry)
    assert verdicts(index, page, judge=tell_page) == (Counter(map(group_of, every)), told)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_a_page_taken_apart_once_reads_as_one_taken_apart_anew(page):
    text = page.read_text(encoding="utf-8")
    layout = scan(text).layout
    assert layout is not None
    assert inline_code(text, layout) == inline_code(text)
    assert speech(text, layout) == speech(text)
    seen = scan(text)
    assert structure(text, seen) == structure(text)
    assert structure(text, seen) is structure(text, seen)


def test_names_that_share_half_of_their_pairs_are_counted_together():
    chosen = random.Random(3)
    parts = ["gemm", "fwd", "op", "kernel", "for", "call", "x"]
    names = {"_".join(chosen.choices(parts, k=chosen.randint(1, 4))) for _ in range(300)}
    pairs = _Pairs(names)
    for name in [*sorted(names)[::7], "", "z", "gemm_forward", "kernelfor"]:
        own = frozenset(name.replace("_", "")[at : at + 2] for at in range(len(name.replace("_", "")) - 1))
        own = own or frozenset([name])
        want = [
            at for at, other in enumerate(pairs.pairs) if own & other and 4 * len(own & other) >= len(own) + len(other)
        ]
        assert sorted(pairs._half(own)) == want


@pytest.mark.parametrize("least", range(1, 10))
def test_bits_are_counted(least):
    masks = [0b1011, 0b0011, 0b0001, 0, 0b1001, 0b0001, 0b0001]
    count = [sum(mask >> at & 1 for mask in masks) for at in range(4)]
    assert count == [6, 2, 0, 2]
    assert list(_bits(_at_least(_counted(masks), least, 4))) == [at for at in range(4) if count[at] >= least]


def test_the_columns_of_a_line_with_tabs_are_those_of_the_line_as_written():
    assert [columns("a\tb\x02c")(at) for at in (0, 1, 4, 5, 6, 99)] == [1, 2, 3, 5, 6, 6]
    assert [columns("abc")(at) for at in (0, 2, 3, 99)] == [1, 3, 4, 4]


@pytest.mark.parametrize(
    "text", [*(case["page"] for case in CASES if case.title != "LIBRARY"), "a\\`b` c`", "`", "`a", "``"]
)
def test_spans_of_one_backtick_are_told_as_those_of_any_length_are(text):
    for line in text.split("\n"):
        plain = line.replace("``", "")
        assert _single(plain, plain.find("`")) == spans(f"{plain} ```")  # of which the last is closed by none


@pytest.mark.parametrize(
    ("before", "after", "is_key"),
    [
        ("the key ", "", True),
        ("its keys are, ", "", True),
        ("The KEY IS ", "", True),
        ("the key\n", "", True),
        ("键是", "", True),
        ("these keys, ", "", True),
        ("", " keys of it", True),
        ("", "键", True),
        ("the monkey ", "", False),
        ("a list of ", "", False),
        ("the key that ", "", False),
        ("", " keyed", False),
        ("", "\nkey", False),
        ("键的值", "", False),
    ],
)
def test_what_prose_calls_a_key(before, after, is_key):
    said = Said(text="gemm", line=1, column=1, paragraph=1, section=0, before=before, after=after)

    assert spoken_key(said) is is_key


def test_a_call_that_leaves_its_arguments_open_is_right_whatever_it_takes_and_says_what_when_asked():
    index = indexed({"kilns/__init__.py": "class Kiln:\n    def warm_up(self, heat): ...\ndef fire_all(*, at): ...\n"})
    page = "`warm_up(...)`, `warm_up()`, `Kiln.warm_up(…)`, `fire_all(...)`, `warm_up(1, 2)`, `fire_all(1)`.\n"
    found = verdicts(index, page)

    assert [verdict.rule for verdict in found] == ["", "", "", "", "SL302", "SL302"]
    assert found[0].why == "warm_up takes (heat) (kilns/__init__.py:2)"
    assert verdicts(index, page, judge=tell_page) == ({"resolved": 4, "unknown": 2}, found[4:])
    assert verdicts(index, page) == found
