"""YAML with places: what is read, and every refusal word for word, by the C parser and by the pure one."""

import pytest
import yaml

from snippetlock.config import parse_document, read_document
from snippetlock.config.document import DEEPEST, LIST, MAPPING, NOTHING, TEXT, _window
from snippetlock.errors import ConfigError


@pytest.fixture(params=["C", "pure"])
def parser(request, monkeypatch):
    if request.param == "pure":
        monkeypatch.delattr(yaml, "CSafeLoader")
    return request.param


def plain(node):
    if node.kind == MAPPING:
        return {key.value: plain(value) for key, value in node.value}
    return [plain(item) for item in node.value] if node.kind == LIST else node.value


READ = [
    ("a: 1.10", {"a": "1.10"}),
    ("a: yes\nb: ~\nc: 2026-01-02", {"a": "yes", "b": "~", "c": "2026-01-02"}),
    ("a: [x, 'y: z', \"\\u2028\"]", {"a": ["x", "y: z", "\u2028"]}),
    ("a:\r\n  b: x\r\n  c:\r\n    - y\r\n", {"a": {"b": "x", "c": ["y"]}}),
    ("a:\r  b: x\r", {"a": {"b": "x"}}),
    ("# only a comment\n---\na: x # more\n...\n", {"a": "x"}),
    ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
    ("\u4e2d\u6587: \U0001f600", {"\u4e2d\u6587": "\U0001f600"}),
    ("[" * DEEPEST + "]" * DEEPEST, None),
]


@pytest.mark.parametrize(("text", "want"), READ)
def test_values_are_the_text_as_written(text, want, parser):
    node = parse_document(text, "f.yaml")
    assert want is None or plain(node) == want


@pytest.mark.parametrize("text", ["", "# a comment\n", "\n\n", "---\n"])
def test_a_file_that_says_nothing_is_a_node_of_nothing(text, parser):
    node = parse_document(text, "f.yaml")
    assert (node.kind, node.found) == (NOTHING, "nothing")


KINDS = [("x", "text"), ("1", "a number (1)"), ("1.5", "a number (1.5)"), ("yes", "a true/false value (yes)")]
KINDS += [("2026-01-02", "a date (2026-01-02)"), ("[x]", "a list"), ("{x: y}", "a mapping"), ("'1'", "text")]
KINDS += [("<<", "a merge key (<<)"), ("=", "text")]


@pytest.mark.parametrize(("text", "found"), KINDS)
def test_what_was_found_is_said_in_words(text, found, parser):
    assert parse_document(f"a: {text}", "f.yaml").value[0][1].found == found


PLACES = [
    ("a:\n  b: x", (2, 6)),
    ("a:\r\n  b: x", (2, 6)),
    ("a:\r  b: x", (2, 6)),
    ("\u00e9\u4e2d:\n  \U0001f600: x", (2, 6)),
    ("a:\n  b: 'x'", (2, 6)),
]


@pytest.mark.parametrize(("text", "place"), PLACES)
def test_places_count_characters_from_1(text, place, parser):
    node = parse_document(text, "f.yaml").value[0][1].value[0][1]
    assert (node.kind, node.line, node.column) == (TEXT, *place)


@pytest.mark.parametrize(
    ("text", "column"),
    [("a: xyz", 6), ("a: 'xyz'", 7), ('a: "xyz"', 7), ('a: "\\u0078yz"', 4), ("a:\n  x\n  yz", 3)],
)
def test_an_offset_is_counted_where_the_text_stands_as_it_is(text, column, parser):
    node = parse_document(text, "f.yaml").value[0][1]
    assert node.error("here", offset=2).column == column


WRITE_OUT = "write it out: nothing here stands for another place"
REFUSED = [
    ("a: &x 1", "f.yaml:1:4: an anchor (`&x`) is not used here", WRITE_OUT),
    ("a: &x\n  b: c", "f.yaml:1:4: an anchor (`&x`) is not used here", WRITE_OUT),
    ("a: b\nc: *x", "f.yaml:2:4: an alias (`*x`) is not used here", WRITE_OUT),
    ("a:\n  <<: {b: c}", "f.yaml:2:3: a merge key (`<<`) is not used here", WRITE_OUT),
    ("a: !!str 1", "f.yaml:1:4: a tag (`!!str`) is not used here", "leave it out; quote what must be text"),
    ("a: !x {b: c}", "f.yaml:1:4: a tag (`!x`) is not used here", "leave it out; quote what must be text"),
    ("a: ! x", "f.yaml:1:4: a tag (`!`) is not used here", "leave it out; quote what must be text"),
    ("a: b\n---\nc: d", "f.yaml:2:1: a second document (`---`) is not used here", "keep one document in a file"),
    ("? [a]\n: b", "f.yaml:1:3: a key is a list", "a key is one word"),
    ("? {a: b}\n: c", "f.yaml:1:3: a key is a mapping", "a key is one word"),
    (
        "a: x\u2028y",
        "f.yaml:1:5: the character U+2028 is not used here",
        'delete it, or write "\\u2028" inside double quotes',
    ),
    (
        "a: b\nc: \x00",
        "f.yaml:2:4: the character U+0000 is not used here",
        'delete it, or write "\\u0000" inside double quotes',
    ),
    (
        "a: \ufffe",
        "f.yaml:1:4: the character U+FFFE is not used here",
        'delete it, or write "\\ufffe" inside double quotes',
    ),
    (
        "[" * (DEEPEST + 1),
        f"f.yaml:1:{DEEPEST + 1}: a nesting of more than {DEEPEST} levels is not used here",
        "close a bracket",
    ),
    ("a:\n\tb: c", "f.yaml:2:1: a tab where YAML wants spaces\n  \tb: c", "indent with spaces"),
]


@pytest.mark.parametrize(("text", "want", "mend"), REFUSED)
def test_what_hides_a_value_is_refused_by_name(text, want, mend, parser):
    with pytest.raises(ConfigError) as caught:
        parse_document(text, "f.yaml")
    assert str(caught.value) == f"{want}\n  mend: {mend}"


# The words of the two parsers differ, so of the first line only our own part is compared.
SYNTAX = [
    ("a: [1, 2\nb: 3", 2, 2, "b: 3", "close the list with `]`"),
    ("a: {b: 1\n", 1, 10, "a: {b: 1", "close the mapping with `}`"),
    ("a: 'x\n", 1, 7, "a: 'x", "close the quote"),
    ("a: b: c\n", 1, 5, "a: b: c", "quote a value that contains a colon and a space"),
    ("a: b\nc\nd: e\n", 3, 1, "d: e", "every key needs a colon and a space after it"),
    ("'a':1\n", 1, 4, "'a':1", "every key needs a colon and a space after it"),
    ("a: @x\n", 1, 4, "a: @x", "put the value in quotes"),
    ("}\n", 1, 1, "}", "put the value in quotes"),
    ("a: ]\n", 1, 4, "a: ]", "put the value in quotes"),
    ("a: [", 1, 5, "a: [", "close the `[` or `{` that is open here"),
    ("a: {b: 1, c: [\n  d: {", 2, 7, "  d: {", "close the `[` or `{` that is open here"),
    ("a: [1, {]\n", 1, 9, "a: [1, {]", "close the `[` or `{` that is open here"),
    ("a: [,]\n", 1, 5, "a: [,]", "write a value before the comma"),
    ("a:\n  b: 1\n c: 2\r\n", 3, 2, " c: 2", "give the keys of one mapping the same indentation"),
    ('a: "\\q"\n', 1, None, 'a: "\\q"', "double the backslash, or use single quotes"),
    ("%YAML 3.0\n---\na: b\n", 1, None, "%YAML 3.0", "mend the YAML at this place"),
]


@pytest.mark.parametrize(("text", "line", "column", "evidence", "mend"), SYNTAX)
def test_broken_yaml_says_where_and_shows_the_line(text, line, column, evidence, mend, parser):
    with pytest.raises(ConfigError) as caught:
        parse_document(text, "f.yaml")
    error = caught.value
    assert (error.path, error.line, error.evidence, error.mend) == ("f.yaml", line, (evidence,), mend)
    assert column in (None, error.column)
    assert error.what.startswith("not YAML: ")


def test_a_nesting_of_thousands_ends_in_a_short_message(parser):
    with pytest.raises(ConfigError) as caught:
        parse_document("[" * 10_000, "f.yaml")
    assert caught.value.mend == "close a bracket"
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(("at", "want"), [(1, "x" * 100 + "…"), (500, "…" + "x" * 100 + "…"), (990, "…" + "x" * 60)])
def test_of_a_long_line_the_part_around_the_place_is_shown(at, want):
    assert _window("x" * 1000, at) == want


def test_a_list_beside_keys_is_told_apart():
    with pytest.raises(ConfigError) as caught:
        parse_document("- a\nb: 1\n", "f.yaml")
    assert (caught.value.where, caught.value.mend) == ("f.yaml:2:1", "write either a list or keys")


BYTES = [
    (b"a: b\nc: \xff", "f.yaml:2:4: not UTF-8: the byte 0xff does not belong here"),
    (b"\xef\xbb\xbfa: \xe9", "f.yaml:1:4: not UTF-8: the byte 0xe9 does not belong here"),
    ("caf\u00e9: x\n".encode() + b"\x80", "f.yaml:2:1: not UTF-8: the byte 0x80 does not belong here"),
    ("a: b".encode("utf-16"), "f.yaml:1:1: not UTF-8: the byte 0xff does not belong here"),
]


@pytest.mark.parametrize(("data", "want"), BYTES)
def test_bytes_that_are_not_utf8_are_placed(data, want, tmp_path):
    (tmp_path / "f.yaml").write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        read_document(tmp_path / "f.yaml", "f.yaml")
    assert str(caught.value) == f"{want}\n  mend: save the file as UTF-8"


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path):
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbfa: b\r\n")
    assert plain(read_document(tmp_path / "f.yaml", "f.yaml")) == {"a": "b"}


@pytest.mark.parametrize(("name", "want"), [("no", "there is no such file"), ("d", "cannot be read: Is a directory")])
def test_a_file_that_cannot_be_read(name, want, tmp_path):
    (tmp_path / "d").mkdir()
    with pytest.raises(ConfigError) as caught:
        read_document(tmp_path / name, name)
    assert str(caught.value).startswith(f"{name}: {want}")
    put = "put the file itself in its place" if name == "d" else "put it back, then run the command again"
    assert caught.value.mend == put


def test_a_link_to_nothing_is_called_so(tmp_path):
    (tmp_path / "f.yaml").symlink_to("real.yaml")
    with pytest.raises(ConfigError) as caught:
        read_document(tmp_path / "f.yaml", "f.yaml")
    assert str(caught.value) == "f.yaml: a link to nothing\n  mend: point the link to the file, or remove it"
    (tmp_path / "real.yaml").write_text("a: b\n")
    assert plain(read_document(tmp_path / "f.yaml", "f.yaml")) == {"a": "b"}


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("snippetlock.config.document.read_file", refuse)
    with pytest.raises(ConfigError) as caught:
        read_document(tmp_path / "f.yaml", "f.yaml")
    assert str(caught.value) == "f.yaml: cannot be read: Permission denied\n  mend: make the file readable"
