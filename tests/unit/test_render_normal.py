"""Python's normal form: what says the same reads the same, and what does not does not."""

import pytest

from snippetlock.errors import SourceError
from snippetlock.render.imports import in_order
from snippetlock.render.normal import _READ, statements


def form(text):
    return list(in_order(statements(text)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("return (a, b)", "return a, b"),
        ("for a, b, in c:\n  x", "for a, b in c:\n  x"),
        ("for (a, b,) in c:\n  x", "for a, b in c:\n  x"),
        ("for a in b, c,:\n  x", "for a in b, c:\n  x"),
        ("x = [a for a, b, in c]", "x = [a for a, b in c]"),
        ("a, b, = c", "(a, b) = c"),
        ("a, b, = c, d, = e, f,", "a, b = c, d = e, f"),
        ("x = lambda a, b=1,: a", "x = lambda a, b=1: a"),
        ("x = lambda a,: a", "x = lambda a: a"),
        ("match a:\n  case b, c,:\n    x", "match a:\n  case b, c:\n    x"),
        ("x = 2.5e+3, 1E05, 5., .5, 1.e-05, 2.J", "x = 2.5e3, 1e5, 5.0, 0.5, 1.0e-5, 2.0j"),
        ("x = 0XABC, 0B1, 0O7", "x = 0xabc, 0b1, 0o7"),
        ("x  #c", "x  # c"),
        ('"""a\n   b\n     c\n"""', '"""\n a\n b\n   c"""'),
        ("'a  '", '"""a\n"""'),
        ("with (a as b, c as d,):\n  x", "with a as b, c as d:\n  x"),
        ("with (open(x)):\n  x", "with open(x):\n  x"),
        ("for (a, b) in (c, d):\n  x", "for a, b in c, d:\n  x"),
        ("x = ((a, b))", "x = a, b"),
        ("from a import (b, c,)", "from a import b, c"),
        ("class A():\n  x", "class A:\n  x"),
        ("f((x for x in y))", "f(x for x in y)"),
        ("x[(a, b)]", "x[a, b]"),
        ("x = 1, 2,", "x = (1, 2,)"),
        ("x = ('a' 'b')", "x = 'ab'"),
        ("f'{x}' 'b'", "f'{x}b'"),
        ("f'{x[\"a\"]}'", "f\"{x['a']}\""),
        ("f'{ x }'", "f'{x}'"),
        ("f'{x:{ y }}'", "f'{x:{y}}'"),
        ("assert (a\n and b), 'm'", "assert a and b, 'm'"),
        ("a or (b and c)", "a or b and c"),
        ("match (x):\n  case (a, b):\n    y", "match x:\n  case a, b:\n    y"),
        ("except_ = (yield x)", "except_ = yield x"),
        ("del (a, b)", "del a, b"),
        ("x = 1_000", "x = 1000"),
        ("'\\xAB'", "'\\xab'"),
        ("'a{' f'{x}'", "f'a{{{x}'"),
        ("x = not (a == b)", "x = not a == b"),
        ("@(a)\ndef f(): x", "@a\ndef f(): x"),
        ("try:\n  x\nexcept (A, B):\n  y", "try:\n  x\nexcept A, B:\n  y"),
        ("raise (A) from (b)", "raise A from b"),
        ("lambda: (a if b else c)", "lambda: a if b else c"),
        ("x = lambda a, b: (a)", "x = lambda a, b: a"),
        ("f((lambda a, b: a), c)", "f(lambda a, b: a, c)"),
        ("def f() -> (int): x", "def f() -> int: x"),
        ("x = await (f(1))", "x = await f(1)"),
        ("f(((a for a, b in c)))", "f(a for a, b in c)"),
        ("f'{x!r:>{w}}'", "f'{x!r:>{ w }}'"),
        ("x = 2 ** (-b)", "x = 2 ** -b"),
        ("with (a,):\n  x", "with a:\n  x"),
        ("x = [a for (b) in c]", "x = [a for b in c]"),
        ("x = (a) not in b", "x = a not in b"),
        (
            "import b\nfrom a import d, c\n# w\nimport e\nz",
            "import e\nfrom a import c\nfrom a import d\nimport b\n# w\nz",
        ),
        ("import a.x, a.y", "import a.y\nimport a.x"),
        ("x = f(a, *(b or c))", "x = f(a, *b or c)"),
        ("async for (a, b) in (c):\n    x", "async for a, b in c:\n    x"),
        ("while (a):\n    x", "while a:\n    x"),
        ("x = '\\N{bullet}'", "x = '\\N{BULLET}'"),
        ("f'\\N{bullet}{a}'", "f'\\N{BULLET}{a}'"),
        ("f'{{{a}}}' '{'", "f'{{{a}}}{{'"),
        ("x = a[(b):c]", "x = a[b:c]"),
        ("x = (yield (a, b))", "x = yield a, b"),
        ("x: (int | str) = 1", "x: int | str = 1"),
        ("rf'{a}\\d'", 'fr"{ a }\\d"'),
        ("x = (a for (b, c) in d)", "x = (a for b, c in d)"),
        ("try:\n    x\nexcept* (A):\n    y", "try:\n    x\nexcept* A:\n    y"),
        ("if a:\n    import b\nimport c", "if a: import b\nimport c"),
    ],
)
def test_the_same(one, other):
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("return (a,)", "return a"),
        ("f((a, b))", "f(a, b)"),
        ("for a, in b:\n  x", "for a in b:\n  x"),
        ("for a in b,:\n  x", "for a in b:\n  x"),
        ("a, = b", "a = b"),
        ("a, = b, c, = d", "a = b, c = d"),
        ("x = [a for a, in b]", "x = [a for a in b]"),
        ("match a:\n  case b,:\n    x", "match a:\n  case b:\n    x"),
        ("x = a[b, c,:]", "x = a[b, c:]"),
        ("x = 1e5", "x = 1e-5"),
        ("x = 5.", "x = 5"),
        ("x = 0x1e5", "x = 0x1e05"),
        ("x = 1e5", "x = 1e50"),
        ("#!c", "# !c"),
        ('x = """a\n  b"""', 'x = """a\n b"""'),
        ('"""a\n  b\n   c"""', '"""a\n  b\n  c"""'),
        ("[(x for x in y)]", "[x for x in y]"),
        ("a - (b - c)", "a - b - c"),
        ("(a < b) == c", "a < b == c"),
        ("(-1) ** 2", "-1 ** 2"),
        ("lambda: (a, b)", "lambda: a, b"),
        ("x in (a, b)", "x in a, b"),
        ("(yield a), b", "yield a, b"),
        ("f'{a = }'", "f'{a=}'"),
        ("'\\1' '2'", "'\\12'"),
        ("r'\\n'", "'\\n'"),
        ("b'a' b'\\uAB12'", "b'a\\uab12'"),
        ("assert (a, b)", "assert a, b"),
        ("(a): int", "a: int"),
        ("x[(a, b):c]", "x[a, b:c]"),
        ("f'a' 'b{c}'", "f'ab{c}'"),
        ("f(a)(b)", "f(a) (c)"),
        ("(a, b)[0]", "a, b[0]"),
        ("x = (a, b).c", "x = a, b.c"),
        ("f'{a==b}'", "f'{a=}'"),
        ("with (a, b) as c:\n  x", "with a, b as c:\n  x"),
        ("(a)(b)", "a, b"),
        ("f'{x!r}'", "f'{x!s}'"),
        ("f'{x:a}'", "f'{x: a}'"),
        ("import a\nimport b as a", "import b as a\nimport a"),
        ("from a import *\nimport b", "import b\nfrom a import *"),
        ("import a\nx\nimport b", "import b\nx\nimport a"),
        ("if a:\n    import b\nimport c", "if a:\n    import b\n    import c"),
        ("from a import b", "from a import b, b"),
        ("x = (a)(b)", "x = (a, b)"),
        ("f('a')('b')", "f('a' 'b')"),
        ("x = -(a + b)", "x = -a + b"),
        ("x = (a, b), c", "x = a, b, c"),
        ("f(*(a, b))", "f(*a, b)"),
        ("x = (lambda: a) + b", "x = lambda: a + b"),
        ("x = (a if b else c) if d else e", "x = a if b else c if d else e"),
        ("x = '\\xAB'", "x = '\\xAC'"),
    ],
)
def test_not_the_same(one, other):
    assert form(one) != form(other)


@pytest.mark.parametrize("text", ["f'{a'", "f'{a!r'", "f'{a:{b'", "f'{'", "x = (a]", "x = a)", "(", "f'}'", "f'{a]}'"])
def test_text_with_gaps_has_a_form(text):
    if text.count("{") > text.count("}"):
        with pytest.raises(SourceError, match="not closed"):
            form(text)
    else:
        assert form(text)


def test_fields_in_fields_are_compared_as_they_are_from_some_depth_on():
    deep = "f'{a" + ":{b" * 12 + "}" * 13 + "'"
    assert form(deep) == form(deep)
    assert form(deep) != form(deep.replace("b}", "b }"))


def test_ten_thousand_parentheses_take_no_recursion():
    assert form("x = " + "(" * 10_000 + "1" + ")" * 10_000) == form("x = 1")


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("f(a,\n", "f(a,\n  b)\n"),
        ("x = [\n  1,\n]\n", "x = [\n  1,\n  2,\n]\n"),
        ('"""a\n"""\nx\n', '"""a\nx\n"""\n'),
        ("x\r", "x\r\ny\n"),
        ("if x:\n  y\n", "  y\nz\n"),
        ("x  # a\n", "x  # a\n# b"),
        ("x \\\n", "x \\\n  + y\n"),
        ("  ", "  x\n"),
        ("f(\n", "f(\n  a\n)\n"),
    ],
)
def test_a_text_says_the_same_whatever_was_read_before(before, text):
    _READ.clear()
    alone = form(text)
    _READ.clear()
    list(statements(before))

    assert form(text) == alone


def test_a_bracket_that_the_text_leaves_open_is_no_line_that_is_known_again():
    assert form("f(a,\n") != form("f(a,\n  b)\n")[:1]
    assert form("f(a,\n  b)\n") == form("f(a, b)\n")


@pytest.mark.parametrize(
    "line",
    [
        "x = 1_000 + 0XF - .5e+3 + 5.j",
        "f(a, b=-1, *c, **d)[1:2, ...] @= {k: v for k, v in z}",
        "g = (a, b,)",
        "for a, b, in c: pass",
        "if (x := (a)) != b: return lambda y, z: y; pass",
        "class C(): x: int = (3)",
        "match (a): pass",
        "print(a)(b)[c](d); del (x)",
        "return(a)",
        "x = (a + b) * c",
        "a: (b) = c",
        "x = [1) + y",
        "     $ ? ! `",
        "x = a. .b....5",
    ],
)
def test_a_line_of_names_numbers_and_operators_is_read_as_one_with_a_comment_is(line):
    plain, noted = list(statements(f"{line}\n")), list(statements(f"{line}  # Note.\n"))
    assert plain == [one for one in noted if one.depth >= 0]
    assert plain
    assert len(noted) == len(plain) + 1
