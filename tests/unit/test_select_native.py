"""Python's own parser says of a statement what libcst says, or nothing."""

import casefile
import pytest

from snippetlock.config import parse_selector
from snippetlock.errors import SourceError
from snippetlock.select import concrete, find, grammar, native
from snippetlock.select import files as outlines

SOURCES = {
    "names": "a = b, [c, *d] = (e) = 1\nf: int = 2\ng: str\nh.i = j[0] = k, = 3\nl += 1\n(m) = 4\n",
    "one line": "a = 1; b = a; a = 2\nif x: c = 1; d = 2\ne = 1\n",
    "blocks": (
        "if a:\n    b = 1\nelif c:\n    d = 2\nelse:\n    e = 3\n"
        "try:\n    f = 1\nexcept A:\n    g = 2\nelse:\n    h = 3\nfinally:\n    i = 4\n"
        "for j in k:\n    l = 1\nelse:\n    m = 2\nwhile n:\n    o = 1\nelse:\n    p = 2\nwith q as r:\n    s = 1\n"
        "match t:\n    case 1:\n        u = 1\n    case _:\n        v = 2\n"
        "async def w():\n    async with x:\n        y = 1\n"
    ),
    "inside": "def f():\n    a = 1\n    def g(): ...\n    if a:\n        class B:\n            c = 1\n",
    "docstrings": (
        "def a():\n    'x'\ndef b():\n    f'x'\ndef c():\n    b'x'\ndef d():\n    ('x'\n     'y')\ndef e(): 'x'\n"
        "def f():\n    'x' f'{y}'\ndef g():\n    'x'.y\nclass h:\n    r'''x'''\n    i = 1\n"
        "def j():\n    1; 'x'\ndef k():\n    u'x'\n"
    ),
    "decorated": "@a\n@b(c)\nclass D(E, f=g):\n"
    "    @property\n    def h(self): return 1\n    @h.setter\n    def h(self, v): ...\n",
    "letters": "ﬁ = 1\ndef ﬁx(): ...\n",
    "expressions": "lambda: (a := 1)\n[b for b in c]\ndel d\nglobal e\nimport f.g as h\n",
    "nothing": "",
}


def in_order(source):
    """What libcst reads, statement after statement."""
    return tuple(shape for statement in concrete.shapes(source, source, 1, "") for shape in statement)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_both_read_the_same(source):
    assert native.shapes(source) == in_order(source)


def test_both_read_the_same_in_every_case():
    read = 0
    for path in ("select-symbols.case", "drift-change.case", "drift-gone.case", "drift-quiet.case"):
        for case in casefile.read(path):
            for source in case.sections.values():
                found = native.shapes(source)
                try:
                    judged = in_order(source)
                except SourceError:
                    continue
                assert found in (None, judged), source
                read += found is not None
    assert read > 200


@pytest.mark.parametrize(
    "source",
    ["def f(:\n", "x = '\0'\n", "x = " + "(" * 250 + ")" * 250 + "\n", "x = " + "-" * 9000 + "1\n", "x = '\ud800'\n"],
    ids=["no grammar", "null", "brackets", "deep", "half a character"],
)
def test_what_it_cannot_read_is_nothing(source):
    assert native.shapes(source) is None


def test_it_warns_of_nothing(recwarn):
    assert native.shapes("x = '\\d'\n") == (("attribute", "x", False, ()),)
    assert not recwarn.list


def test_where_they_disagree_libcst_decides(tree, monkeypatch):
    asked = []
    real = concrete.shapes
    monkeypatch.setattr(grammar, "_READ", {})
    monkeypatch.setattr(concrete, "shapes", lambda *a: asked.append(a[0]) or real(*a))
    files, selector = tree({"m.py": "def f(a):\n    return a\n"}), parse_selector("m:f")
    assert find(files, selector).part.name == "f"
    assert asked == []
    for says in (None, ()):
        monkeypatch.setattr(grammar, "_READ", {})
        outlines._READ.clear()  # what was found there is kept with it
        monkeypatch.setattr(grammar, "shapes", lambda source, says=says: says)
        assert find(files, selector).part.name == "f"
    assert len(asked) == 2


def test_of_a_class_only_the_members_that_changed_are_read_again(tree, monkeypatch):
    asked = []
    monkeypatch.setattr(grammar, "_NATIVE", {})
    monkeypatch.setattr(grammar, "shapes", lambda source, **how: asked.append(source) or native.shapes(source, **how))
    members = "    x = 1\n\n    def f(self):\n        return 1\n\n    @property\n    def g(self):\n        return 2\n"
    text = f"class C:\n{members}"
    find(tree({"m.py": text}), parse_selector("m:C"))
    asked.clear()

    part = find(tree({"m.py": text.replace("return 2", "y = 3")}), parse_selector("m:C")).part
    assert [member.name for member in part.members] == ["x", "f", "g"]
    assert asked == ["@property\ndef g(self):\n    y = 3\n"]


@pytest.mark.parametrize("wrong", ["return (", "return 2\n   x = 1", "return 2\n    )", "class"])
def test_a_member_that_no_grammar_has_is_an_error_of_its_class(tree, wrong):
    text = f"class C:\n    def f(self):\n        return 1\n\n    def g(self):\n        {wrong}\n"
    with pytest.raises(SourceError):
        find(tree({"m.py": text}), parse_selector("m:C"))
