"""The grammar of a selector: what its parts are, and each way to get it wrong with the column."""

import pytest

from snippetlock.config import parse_selector, split_keys
from snippetlock.errors import SelectorError

PYTHON = [
    ("pkg", "pkg", ""),
    ("pkg.mod", "pkg.mod", ""),
    ("pkg.json", "pkg.json", ""),
    ("pkg.mod:Class.method", "pkg.mod", "Class.method"),
    ("pkg:value@setter", "pkg", "value@setter"),
    ("pkg:value@getter#2", "pkg", "value@getter#2"),
    ("pkg:Class#2.method@overload#10", "pkg", "Class#2.method@overload#10"),
    ("pkg:\u4e2d\u6587", "pkg", "\u4e2d\u6587"),
]
FILES = [
    ("a/b.yaml", "a/b.yaml", ""),
    ("top.yaml", "top.yaml", ""),
    ("a/b.yaml:Gemm.workloads.0", "a/b.yaml", "Gemm.workloads.0"),
    ('a/b.yaml:"a.b".c', "a/b.yaml", '"a.b".c'),
    ("a/b.py:Class.method", "a/b.py", "Class.method"),
    ("top.py:f#2", "top.py", "f#2"),
    ("a/Makefile", "a/Makefile", ""),
    ('a dir/it\'s "b".yaml:key', 'a dir/it\'s "b".yaml', "key"),
    ("编译/算 子.py:f", "编译/算 子.py", "f"),
    ("a\u3000b.toml:key", "a\u3000b.toml", "key"),
    ('a.yaml:"x/y:z"', "a.yaml", '"x/y:z"'),
]


@pytest.mark.parametrize(("text", "module", "name"), PYTHON)
def test_a_module_and_a_name(text, module, name):
    got = parse_selector(text)
    assert (got.text, got.module, got.path, got.name) == (text, module, "", name)


@pytest.mark.parametrize(("text", "path", "name"), FILES)
def test_a_file_and_a_key_path(text, path, name):
    got = parse_selector(text)
    assert (got.text, got.module, got.path, got.name) == (text, "", path, name)


KEYS = [
    ("a", ("a",)),
    ("a.0.b-c", ("a", "0", "b-c")),
    ('"a.b".c', ("a.b", "c")),
    ("a.'b c'", ("a", "b c")),
    ("'it''s'", ("it's",)),
    (r'"a\"b\\c"', (r'a"b\c',)),
    ('"a:b"', ("a:b",)),
    ('""', ("",)),
]


@pytest.mark.parametrize(("name", "keys"), KEYS)
def test_keys_stand_between_dots_and_may_be_quoted(name, keys):
    assert split_keys(name) == keys


DOTS = "write dots between the parts of a name: `module:Class.method`"
NAMES = "write Python names with dots between them"
LINE = "a selector is one line of text: quote from a file without one in its name"
COLON = "`:` ends the path: quote from a file without one in its path"
TOP = "write the path from the top of the tree: `package/folder/file.ext`"
ROLES = "after `@` stands one of: getter, setter, deleter, overload"
REFUSED = [
    ("", 1, "a selector is empty", "write `module:name` or `path/to/file.ext:key`"),
    (":f", 1, "the module is missing", "write `module:name`"),
    ("pkg:", 4, "nothing stands after the colon", "name what to take, or leave the colon out"),
    ("pkg mod:f", 4, "a selector has a space in it", "take the space out"),
    ("pkg: f", 5, "a selector has a space in it", "take the space out"),
    ("pkg:f\u3000", 6, "a selector has a space in it", "take the space out"),
    (" pkg:f", 1, "a selector has a space in it", "take the space out"),
    ("pkg:a:b", 6, "a selector has two colons", DOTS),
    ("pkg::b", 5, "a selector has two colons", DOTS),
    ("pkg..mod:f", 5, "the module has an empty part", "write one dot between two names"),
    (".pkg:f", 1, "the module has an empty part", "write one dot between two names"),
    ("pkg:f.", 7, "the name has an empty part", "write one dot between two names"),
    ("my-pkg:f", 1, "'my-pkg' is not a name", NAMES),
    ("pkg@x:f", 1, "'pkg@x' is not a name", NAMES),
    ("pkg:a.2b", 7, "'2b' is not a name", NAMES),
    ("pkg:@setter", 5, "'' is not a name", NAMES),
    ("pkg:f@put", 6, "'@put' is not known", ROLES),
    ("pkg:f@", 6, "'@' is not known", ROLES),
    ("pkg:f@setter@getter", 6, "'@setter@getter' is not known", ROLES),
    ("pkg:f#", 6, "'#' does not number a thing", "count from 1: `#1` is the first"),
    ("pkg:f#0", 6, "'#0' does not number a thing", "count from 1: `#1` is the first"),
    ("pkg:f@setter#x", 13, "'#x' does not number a thing", "count from 1: `#1` is the first"),
    ("a/../b.py:f", 3, "a path has '..' in it", TOP),
    ("./b.py:f", 1, "a path has '.' in it", TOP),
    ("/b.py:f", 1, "a path has an empty part in it", TOP),
    ("a//b.py", 3, "a path has an empty part in it", TOP),
    ("a\\b.py:f", 2, "a path has a backslash", "write `/` between folders"),
    ("a/b\tc.yaml", 4, "a path has a control character in it", LINE),
    ("a/b\u2028c.yaml", 4, "a path has a control character in it", LINE),
    (" a/b.yaml", 1, "a path has a blank at its beginning or its end", "take it out"),
    ("a/b.yaml :c", 9, "a path has a blank at its beginning or its end", "take it out"),
    ("a:b/c.yaml:d", 2, "a path has a colon in it", COLON),
    ("a/b:c/d.yaml:e", 4, "a path has a colon in it", COLON),
    ("a/b.yaml:a b", 11, "a selector has a space in it", 'take it out, or quote the key: "a b"'),
    ("a/b.yaml:", 9, "nothing stands after the colon", "name what to take, or leave the colon out"),
    ("a/b.yaml:a:b", 11, "a selector has two colons", "quote a key with a colon in it"),
    ("a/b.yaml::b", 10, "a selector has two colons", "quote a key with a colon in it"),
    ("a/b.yaml:a..b", 12, "a key is empty", "write one dot between two keys"),
    ("a/b.yaml:a.", 12, "a key is empty", "write one dot between two keys"),
    ('a/b.yaml:"a"b', 13, "text follows a quoted key", "write a dot between two keys"),
    ('a/b.yaml:a"b"', 11, "a quote stands inside a key", "put the whole key in quotes"),
    ('a/b.yaml:"a', 10, "a quote is not closed", "close the quote"),
]


@pytest.mark.parametrize(("text", "column", "what", "mend"), REFUSED)
def test_a_wrong_selector_says_what_and_where(text, column, what, mend):
    with pytest.raises(SelectorError) as caught:
        parse_selector(text)
    error = caught.value
    assert (error.column, error.what, error.mend) == (column, what, mend)
    assert error.evidence == (
        (text, " " * (column - 1) + "^") if text and text.isprintable() else (repr(text),) * bool(text)
    )


def test_a_selector_that_would_break_the_line_is_shown_escaped():
    with pytest.raises(SelectorError) as caught:
        parse_selector("a/b\x00.py")
    assert str(caught.value) == f"a path has a control character in it\n  'a/b\\x00.py'\n  mend: {LINE}"
