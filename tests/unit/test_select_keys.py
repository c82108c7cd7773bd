"""The quick reader of YAML keys says what the reader that cuts them out says."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippetlock.errors import SourceError
from snippetlock.select.keys import keys
from snippetlock.select.nodes import load
from snippetlock.text import line_at

CORPUS = Path(__file__).parent.parent / "corpus"
TEXTS = {
    "mappings": "a:\n  b: 1\n  c:\n    d: 2\ne:\n",
    "sequences": "a:\n- 1\n- b: 2\n  c: 3\n- - 4\n  - 5\n",
    "flow": "a: {b: [1, {c: 2}], d: }\n",
    "a sequence at the top": "- a: 1\n- 2\n",
    "a scalar": "just text\n",
    "nothing": "# a comment\n",
    "several documents": "a: 1\n---\nb: 2\n",
    "anchors": "a: &x {b: 1}\nc: *x\nd: [*x]\n",
    "keys that are collections": "? [a, b]\n: {c: 1}\n? {d: e}\n: 2\nf: 3\n",
    "keys that are aliases": "a: &x b\n*x : {c: 1}\nd: 2\n",
    "quotes and blocks": "\"a\\tb\": 1\n'c d': |\n  text: no key\ne: >\n  f\n",
    "empty keys": "? \n: 1\n'': 2\n",
    "line ends": "a: 1\r\nb:\r\n  c: 2\r\n",
    "merges": "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n",
}


def slowly(data, path):
    document = load(data, path)
    found, waiting = [], [(entry, -1) for entry in reversed(document.root.entries)]
    while waiting:
        entry, above = waiting.pop()
        found.append((above, entry.name, line_at(document.text, entry.start)))
        waiting += [(inner, len(found) - 1) for inner in reversed(entry.node.entries)]
    return found


def told(read, data, path):
    try:
        return read(data, path)
    except SourceError as error:
        return str(error)


@pytest.mark.parametrize("title", TEXTS)
def test_keys_are_those_of_the_entries(title):
    data = TEXTS[title].encode()

    assert keys(data, "a.yaml") == slowly(data, "a.yaml")


@pytest.mark.parametrize("file", sorted(path.name for path in CORPUS.glob("*.yaml")))
def test_keys_of_odd_files_are_those_of_the_entries(file):
    data = (CORPUS / file).read_bytes()

    assert told(keys, data, file) == told(slowly, data, file)


def test_what_nests_too_deep_is_refused_in_both():
    data = ("[" * 201 + "]" * 201).encode()
    for read in (keys, slowly):
        with pytest.raises(SourceError, match="nested more than 200 levels"):
            read(data, "a.yaml")
    assert len(keys(("[" * 200 + "]" * 200).encode(), "a.yaml")) == 199
