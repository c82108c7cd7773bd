"""What mentions come to, counted: in the report, and on the page that says what was checked."""

from __future__ import annotations

import json

import casefile
import pytest
from indexing import indexed
from plain import edit
from small import accepted
from test_prose import FILES

from snippetlock.config.document import parse_document
from snippetlock.config.vocabulary import parse_vocabulary
from snippetlock.model import Pin
from snippetlock.references import scan
from snippetlock.references.bench import bench_of
from snippetlock.references.groups import GROUPS, shown_groups
from snippetlock.references.judging import judge_page, tell_page
from snippetlock.references.own import own_names
from snippetlock.references.speech import speech
from snippetlock.report.labels import labels
from snippetlock.report.verification import Record, verification_html

LIBRARY = next(case for case in casefile.read("references.case") if case.title == "LIBRARY")
PAGE = """# Kilns

{0}

```python
shelf = build()
```
"""
MENTIONS = {
    "`FIREFwdOp`": "resolved",
    "`kiln_for(interface, call)`": "resolved",
    "`FireFwdOp`": "unknown",
    "`OldFwdOp`": "in the vocabulary",
    "`shelf`": "of examples",
    "`KeyError`": "of Python",
    "`read_text`": "of Python",
    "`torch.Tensor`": "of others",
    "`np.asarray`": "of others",
    "`my_kiln`": "placeholders",
    "`make docs`": "no code",
    "`--jobs`": "no code",
    "`kind:`": "no code",
    "`heat`": "open",
}


@pytest.mark.parametrize("mention", MENTIONS)
def test_whose_a_mention_is(mention):
    page = PAGE.format(mention)
    said, blocks = speech(page), scan(page).blocks
    words = parse_vocabulary(parse_document("OldFwdOp: {reason: until 0.9}", "vocabulary.yaml"))
    bench = bench_of(
        indexed(LIBRARY.files),
        path="docs/page.md",
        spans=said.spans,
        selectors={},
        own=own_names(blocks, ["kilns"]),
        words={word.name: word for word in words},
    )
    groups, _ = tell_page(bench, said, blocks)

    assert groups[MENTIONS[mention]]
    assert sum(groups.values()) == len(judge_page(bench, said, blocks))


def test_groups_are_told_in_their_order_and_none_that_is_empty():
    assert list(shown_groups({"unknown": 1, "open": 0, "no code": 2, "resolved": 3})) == [
        "resolved", "no code", "unknown"
    ]  # fmt: skip


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return accepted(tmp_path / "docs-project", FILES, run)


def test_a_report_says_what_its_mentions_are_made_of(run, root):
    edit(root / "docs/index.md", "kiln_for(interface, call)", "kiln_for(role, inputs, call)")
    code, said, _ = run("refs", "--format", "json", cwd=root)
    found = json.loads(said)

    assert code == 1
    assert found["parts"]["mentions"]["unknown"] == 1
    assert sum(found["parts"]["mentions"].values()) == found["counts"]["mentions"]
    assert " mentions (" in run("refs", cwd=root)[1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_record_has_a_row_for_each_group(language):
    words = labels(language)
    mentions = {group: number for number, group in enumerate((*GROUPS, "unknown"), start=1)}
    record = Record(
        pin=Pin(name="a", version="1", kind="folder", folder="lib"),
        quotations=(),
        others=(),
        pages=0,
        languages=0,
        mentions=mentions,
    )
    shown = verification_html(record, words, str)

    assert set(words.whose) == set(mentions)
    for group, number in mentions.items():
        assert f"<td>{words.whose[group]}</td><td>{number}</td>" in shown
    bare = Record(
        pin=Pin(name="a", version="1", kind="folder", folder="lib"), quotations=(), others=(), pages=0, languages=0
    )
    assert words.mentioned not in verification_html(bare, words, str)
