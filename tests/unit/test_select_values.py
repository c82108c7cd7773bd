"""Values of data files: the same as their own readers make, with lines, and in short whatever they hold."""

from __future__ import annotations

import json
import tomllib

import pytest
import yaml
from indexing import pinned

from snippetlock.errors import SourceError
from snippetlock.select.values import Unread, plain, read_data


def tupled(value):
    """A value with tuples in place of lists, and keys as texts: that is how it is told."""
    if isinstance(value, dict):
        return {str(key): tupled(each) for key, each in value.items()}
    return tuple(map(tupled, value)) if isinstance(value, list) else value


YAML = """\
# a comment
text: plain
quoted: "1"
single: '2'
numbers: [1, -2, 0x10, 1.5, 1e3, .inf]
truths: {a: true, b: no, c: on}
nothing:
tilde: ~
folded: >
  two
  lines
literal: |
  kept

  so
nested:
  - a
  - b: [c, {d: e}]
  -
    - f
anchor: &here {x: 1}
again: *here
"odd.key": yes
empty: {}
none: []
"""


def test_yaml_is_what_its_reader_makes():
    assert plain(read_data(YAML.encode(), "a.yaml")) == tupled(yaml.safe_load(YAML))


def test_toml_and_json_are_what_their_readers_make():
    toml = '[a]\nb = 1\nc = [1.5, "x", true]\n[[d]]\ne = {f = 2}\n'
    said = '{"a": [1, null, {"b": "c"}], "d": true}'

    assert plain(read_data(toml.encode(), "a.toml")) == tupled(tomllib.loads(toml))
    assert plain(read_data(said.encode(), "a.json")) == tupled(json.loads(said))


def test_each_value_stands_where_its_key_does():
    root = read_data(YAML.encode(), "a.yaml")
    lines = YAML.split("\n")

    for key, datum in root.entries.items():
        name = f'"{key}"' if "." in key else key
        assert lines[datum.line - 1].startswith(f"{name}:") or key == "again"
    inner = root.entries["nested"].entries["1"].entries["b"]
    assert lines[inner.line - 1].startswith("  - b:")


def test_a_date_is_a_text():
    assert plain(read_data(b"a: 2026-01-02\n", "a.yaml")) == {"a": "2026-01-02"}
    assert plain(read_data(b"a = 2026-01-02\n", "a.toml")) == {"a": "2026-01-02"}


def test_no_document_and_several():
    assert plain(read_data(b"", "a.yaml")) == ()
    assert plain(read_data(b"a: 1\n---\nb: 2\n", "a.yaml")) == ({"a": 1}, {"b": 2})


BOMB = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: {<<: {b: 1}, c: 2}\n", "by `<<`"),
        ("a: 1\na: 2\n", "the key 'a' twice"),
        ("? [a]\n: 1\n", "a key that is no text"),
        ("a: &x [*x]\n", "it holds too much, or itself"),
        (BOMB, "it holds too much, or itself"),
    ],
)
def test_what_is_not_all_there_is_not_told(text, why):
    with pytest.raises(Unread, match=why.replace("[", r"\[")):
        plain(read_data(text.encode(), "a.yaml"))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b"a: [1\n", "a.yaml"),
        (b"[" * 5_000, "a.yaml"),
        (b"a = \n", "a.toml"),
        (b"a = " + b"[" * 5_000, "a.toml"),
        (b'{"a": }', "a.json"),
        (b"[" * 100_000, "a.json"),
        (b"[" * 300 + b"]" * 300, "a.json"),
        (b"\xff", "a.json"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_where(data, path):
    with pytest.raises(SourceError) as caught:
        read_data(data, path)

    assert caught.value.path == path
    assert caught.value.mend


def test_every_data_file_of_the_library_is_what_its_reader_makes():
    tree = pinned().tree
    paths = [path for path in tree.paths() if path.endswith(".yaml")]

    assert len(paths) >= 25
    for path in paths:
        assert plain(read_data(tree.read(path), path)) == tupled(yaml.safe_load(tree.read(path)))
