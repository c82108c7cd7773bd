"""Sources and prose as hostile as they come: an answer, or a file that is told as unread; never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile import CALLS, MAKERS, MESSAGES, SOURCES, TOKENS, TWINS
from indexing import Memory, indexed, one

from snippetlock.index import (
    bind,
    calls,
    constant,
    files,
    keys,
    lineage,
    lookup,
    nearest,
    open_index,
    produces,
    signature,
    unproven,
)
from snippetlock.source import DictTree

CORPUS = Path(__file__).parent.parent / "corpus"
N = 2000


@pytest.mark.parametrize("title", SOURCES)
def test_long_sources_are_read_or_told(title):
    index = indexed({"a.py": SOURCES[title](N), "b.py": "y = 1\n"})

    assert lookup(index, "a.x") or [each.path for each in index.unread] == ["a.py"]
    assert lookup(index, "b.y")


@pytest.mark.parametrize("title", TWINS)
def test_one_name_for_many_things_gives_them_all(title):
    path, name, make = TWINS[title]
    index = indexed({path: make(500)})

    found = keys(index, name) if path.endswith("yaml") else lookup(index, name)
    assert len(found) >= 400 or index.unread or not path.endswith((".py", ".yaml"))


@pytest.mark.parametrize("file", sorted(path.name for path in CORPUS.iterdir() if path.suffix in (".py", ".yaml")))
def test_odd_files_are_read_or_told(file):
    index = indexed({file: (CORPUS / file).read_bytes()})

    for each in index.unread:
        assert each.path == file
        assert each.why
    assert index.unread or index.names or index.table("keys") or file in ("blank.py", "empty.py")


DEEP = {
    "parentheses": "x = " + "(" * 10_000 + ")" * 10_000,
    "unary operators": "x = " + "-" * 10_000 + "1",
    "a chain of additions": "x = " + "+".join(["'a'"] * 5_000),
    "a chain of names": "x = " + "+".join(["a"] * 5_000),
    "attributes": "x = a" + ".b" * 10_000,
    "calls": "x = a" + "()" * 5_000,
    "lambdas": "x = " + "lambda: " * 5_000 + "1",
    "elif": "if a: pass\n" + "elif b: x = 1\n" * 3_000,
    "nested functions": "".join(f"{' ' * i}def f{i}():\n" for i in range(90)) + " " * 90 + "pass",
    "dicts": "x = " + "{1: " * 150 + "1" + "}" * 150,
    "f-strings": "x = f'" + "{a}" * 5_000 + "'",
    "a null": "x = 1\0",
    "surrogates": "x = '\\ud800'\nraise ValueError(f'\\ud800 is {x} not good')\n",
    "a number": "x = " + "9" * 10_000,
    "percent": "x = '%' * 3 % ()\ny = '%(' % 1\nz = '%" + "(" * 3_000 + "' % 1\n",
    "format": "x = '{'.format(1)\ny = '" + "{" * 3_001 + "'.format()\nz = '" + "{a{b}" * 2_000 + "'.format()\n",
}


@pytest.mark.parametrize("title", DEEP)
def test_what_nests_or_goes_on_is_read_or_told(title):
    index = indexed({"a.py": DEEP[title], "b.py": "y = 1\n"})

    assert index.names.get("y")
    assert [each.path for each in index.unread] in ([], ["a.py"])
    if not index.unread:
        assert lookup(index, "a.f0" if title == "nested functions" else "a.x")
        produces(index, "some message that nothing makes")


@pytest.mark.parametrize("title", TOKENS)
def test_long_prose_is_no_call_of_ours(title):
    text = TOKENS[title](N)
    index = indexed({"a.py": "def x(a): ...\n"})

    for call in (*calls(text), *calls(f"x({text}")):
        bind(signature(index, one(index, "a.x")), call)


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 10_000, "f(" * 10_000, "f(" * 10_000 + ")" * 10_000, "f(a" + ", a" * 10_000 + ")", "f(" + "[" * 10_000),
        *("f(" + "," * 10_000 + ")", "f.f" * 10_000 + "(a)", "f(a)" + "(a)" * 10_000, "f(" + "[," * 5_000 + "])"),
        *(")(" * 9_000, "f(*" * 5_000, "f(a[" * 3_000 + "]" * 3_000, "f(lambda " * 3_000, "f(" + "(a,)" * 5_000 + ")"),
        *("f(a" + "[, b" * 2_000, "f(a" + "[, b" * 2_000 + "]" * 2_000 + ")", "f." * 10_000 + "f(a)"),
    ],
)  # fmt: skip
def test_rubbish_is_no_call(text):
    index = indexed({"a.py": "def f(a, *, b=1): ...\nclass C(f.f): ...\n"})

    for call in calls(text):
        bind(signature(index, one(index, "a.f")), call)
    for ask in (lookup, nearest, produces, constant, files, keys):
        ask(index, text)


def test_a_long_line_of_bases_ends():
    many = "class C0: a = 1\n" + "".join(f"class C{i}(C{i - 1}): ...\n" for i in range(1, 1500))
    wide = "".join(f"class B{i}: b{i} = 1\n" for i in range(3000))
    wide += f"class Wide({', '.join(f'B{i}' for i in range(3000))}): ...\n"
    index = indexed({"deep.py": many, "wide.py": wide})

    assert lookup(index, "C50.a")
    assert lineage(index, one(index, "C1499")).endless
    assert unproven(index, one(index, "C1499"), "nothing")
    assert lookup(index, "Wide.b2999")


def test_stars_that_multiply_end():
    layers = {
        f"s/m{i}_{j}.py": f"from s.m{i + 1}_0 import *\nfrom s.m{i + 1}_1 import *\n" for i in range(40) for j in (0, 1)
    }
    index = indexed({**layers, "s/m40_0.py": "x = 1\n", "s/m40_1.py": "x = 2\n"})

    assert len(lookup(index, "s.m0_0.x")) == 2
    assert not lookup(index, "s.m0_0.y")


def test_a_chain_of_imports_without_end_ends():
    chain = {f"c/m{i}.py": f"from c.m{i + 1} import x\n" for i in range(3000)}
    index = indexed({**chain, "c/m3000.py": "x = 1\n"})

    assert lookup(index, "c.m2999.x")
    assert lookup(index, "c.m0.x") == ()


def test_names_that_are_none_are_nothing():
    index = indexed({"a.py": "class A:\n    def f(self): ...\n"})

    for name in (
        "",
        ".",
        "..",
        "a.",
        ".a",
        "a..f",
        "self",
        "self.",
        "cls.f.g",
        "\x00",
        "a" * 10**6,
        "a." * 10_000 + "b",
    ):
        assert not lookup(index, name) or name == "cls.f.g", name[:20]


def test_a_name_of_a_file_is_no_command():
    index = open_index(DictTree({"a b.py": b"x = 1\n", "1-2.py": b"y = 2\n", "é/ü.py": b"z = 3\n"}), Memory(), "1")

    assert lookup(index, "é.ü.z")
    assert lookup(index, "y")


@pytest.mark.parametrize("title", CALLS)
def test_prose_that_could_be_calls_is_read(title):
    index = indexed({"a.py": "def f(a, *args, b=1): ...\n"})

    for call in calls(CALLS[title](N)):
        assert bind(signature(index, one(index, "a.f")), call).fits is not None


@pytest.mark.parametrize("last", ["p0", "p1999", "f", "unknown"])
def test_partials_of_partials_without_end_take_nothing_that_is_known(last):
    chain = "".join(f"p{at} = partial(p{at + 1}, 1)\n" for at in range(1_999))
    index = indexed({"a.py": f"from functools import partial\ndef f(*a): ...\n{chain}p1999 = partial({last}, 1)\n"})

    assert signature(index, one(index, "a.p0")).parameters is None
    shown = signature(index, one(index, "a.p1999")).shown
    assert shown == ("(*a)" if last == "f" else "()")


@pytest.mark.parametrize("title", MESSAGES)
def test_prose_that_could_be_a_message_is_made_by_nothing(title):
    assert produces(indexed({"a.py": MAKERS}), MESSAGES[title](N)) == () or title == "pieces"
