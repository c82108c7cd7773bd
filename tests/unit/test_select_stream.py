"""Whoever reads a YAML file sees the same lines in it, and refuses the same depth."""

from __future__ import annotations

import pytest

from snippetlock.errors import SourceError
from snippetlock.select.keys import keys
from snippetlock.select.nodes import load
from snippetlock.select.stream import DEEPEST, stream
from snippetlock.select.values import read_data
from snippetlock.text import line_at

READERS = {"keys": keys, "nodes": load, "values": read_data}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\x85", "\u2028", "\u2029"], ids=["lf", "crlf", "nel", "ls", "ps"])
def test_a_line_is_what_it_is_to_an_editor(end):
    text = f"a: 1 # one{end}b: 2\nc: 3\n"

    found = {event.value: line for kind, event, line in stream(text, "a.yaml") if kind == "scalar"}
    assert found == {name: line_at(text, text.index(name)) for name in ("a", "1", "b", "2", "c", "3")}
    assert read_data(text.encode(), "a.yaml").entries["c"].line == keys(text.encode(), "a.yaml")[-1][2] == found["c"]


def test_the_ends_of_collections_are_told():
    assert [kind for kind, _, _ in stream("a: [b, *c]\n", "a.yaml")] == [
        *("mapping", "scalar", "sequence", "scalar", "alias", None, None)
    ]


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_all_refuse_the_same_depth(read):
    def nested(depth):
        return f"a:\n  {'[' * depth}{']' * depth}\n".encode()

    read(nested(DEEPEST - 1), "a.yaml")
    with pytest.raises(SourceError) as caught:
        read(nested(DEEPEST), "a.yaml")
    assert str(caught.value).startswith(f"a.yaml:2: this is nested more than {DEEPEST} levels deep")
