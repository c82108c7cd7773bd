"""Ranges in a project: added, locked, checked, and blamed at the key that is wrong."""

from __future__ import annotations

import pytest
from plain import LOCK, SOURCE, copy_of, edit, opened

from snippetlock.errors import ViewError
from snippetlock.model import View
from snippetlock.workflow import add, check, update

COUNTING = "snippets/counting.yaml"
SEE = "tally:Counter.see"


@pytest.fixture
def root(tmp_path):
    return copy_of(tmp_path)


def found(root):
    return [(f.rule, str(f.place), f.message) for f in check(opened(root)).findings if f.rule != "SL109"]


def test_a_range_is_added_locked_and_holds(root):
    added = add(opened(root), "loop", SEE, View(from_="for $x in $*_", to="return $_", comments="drop"))
    assert added.snippet.text.startswith("# …\nfor thing in things:\n")
    assert (
        (root / COUNTING)
        .read_text()
        .endswith('loop:\n  source: tally:Counter.see\n  from: "for $x in $*_"\n  to: "return $_"\n  comments: drop\n')
    )
    assert '    from: "for $x in $*_"\n    to: "return $_"\n' in (root / LOCK).read_text()
    assert found(root) == []
    add(opened(root), "counts", "tally:Counter", View(match="self._count = $_", count=2))
    assert (root / COUNTING).read_text().endswith('  match: "self._count = $_"\n  count: 2\n')
    assert found(root) == []


def test_nothing_is_written_where_a_pattern_is_wrong(root):
    before = (root / COUNTING).read_text()
    with pytest.raises(ViewError, match="fits no statement"):
        add(opened(root), "loop", SEE, View(from_="for $x in nowhere"))
    assert (root / COUNTING).read_text() == before


def test_another_range_is_another_selection(root):
    add(opened(root), "loop", SEE, View(from_="for $x in $*_"))
    edit(root / COUNTING, '"for $x in $*_"', '"return $_"')
    (finding,) = [f for f in check(opened(root)).findings if f.rule != "SL109"]
    assert (finding.rule, finding.evidence[0]) == (
        "SL117",
        "from: for $x in $*_ was accepted, return $_ is asked for",
    )
    edit(root / COUNTING, '  from: "return $_"\n', '  match: "return $_"\n  count: 1\n')
    (finding,) = [f for f in check(opened(root)).findings if f.rule != "SL109"]
    assert finding.evidence[:3] == (
        "from: for $x in $*_ was accepted, nothing is asked for",
        "match: nothing was accepted, return $_ is asked for",
        "count: nothing was accepted, 1 is asked for",
    )
    update(opened(root))
    assert found(root) == []


def test_a_change_inside_the_range_is_seen_and_one_outside_is_not(root):
    add(opened(root), "loop", SEE, View(from_="for $x in $*_"))
    others = ("counter-see", "counter")
    edit(root / SOURCE, "None of them is kept.", "None is kept.")
    assert [f.snippet for f in check(opened(root)).findings if f.rule == "SL103" and f.snippet not in others] == []
    edit(root / SOURCE, "self._count += 1", "self._count += 2")
    assert [f.snippet for f in check(opened(root)).findings if f.rule == "SL103" and f.snippet not in others] == [
        "loop"
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("for thing in things", "for one in things", 18, "`from` fits no statement: 'for thing in $_'"),
        (
            "        return self._count\n\n\n",
            "        return self.count\n\n\n",
            19,
            "`to` fits no statement: 'return self._count'",
        ),
        ("self._count += 1", "self._count += 2", 23, "`match` fits no statement: '$_ += 1'"),
    ],
)
def test_what_no_longer_fits_is_blamed_on_its_key(root, old, new, line, said):
    add(opened(root), "loop", SEE, View(from_="for thing in $_", to="return self._count"))
    add(opened(root), "plus", SEE, View(match="$_ += 1", count=1))
    assert found(root) == []
    edit(root / SOURCE, old, new)
    assert ("SL114", f"{COUNTING}:{line}:3", said) in found(root)
