"""The calls in a text of prose."""

from __future__ import annotations

import pytest

from snippetlock.index import calls


def told(text):
    """Each call as name and arguments: keywords with `=`, bare names with `'`."""
    marks = {"keyword": "{0}=", "star": "*{0}", "stars": "**{0}", "ellipsis": "...", "separator": "{1}"}
    return [
        f"{'.' if call.chained else ''}{call.name}("
        + ", ".join(marks.get(a.kind, "'{0}" if a.name else "{1}").format(a.name, a.text) for a in call.arguments)
        + ")"
        for call in calls(text)
    ]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("f()", ["f()"]),
        ("f(a, 1, 'x')", ["f('a, 1, 'x')"]),
        ("f(a, b=2, *c, **d)", ["f('a, b=, *c, **d)"]),
        ("x.y(z=1)", ["x.y(z=)"]),
        ("f(...)", ["f(...)"]),
        ("f(a, …)", ["f('a, ...)"]),
        ("f(a)(b).g(c)", ["f('a)", ".('b)", ".g('c)"]),
        ("a[0](b)", [".('b)"]),
        ("y = f(a) + g(b)", ["f('a)", "g('b)"]),
        ("f(g(a), h(b, c))", ["f(g(a), h(b, c))"]),
        ("@cached(size=3)", ["cached(size=)"]),
        ("return await f(a)", ["f('a)"]),
        ("not (a), if (b)", []),
        ("f (a)", []),
        ("f(a, None, True)", ["f('a, None, True)"]),
        ("f(a\n  , b)", ["f('a, 'b)"]),
        ("f(lambda x, y: x, a)", ["f(lambda x, y: x, 'a)"]),
        ("f(x for x, y in z)", ["f(x for x, y in z)"]),
        ("f({1: 2, 3: 4}, [5, 6], (7, 8))", ["f({1: 2, 3: 4}, [5, 6], (7, 8))"]),
        ("f(a[, b[, c]])", ["f('a, 'b, 'c)"]),
        ("f([a, b])", ["f([a, b])"]),
        ("f([, a])", ["f('a)"]),
        ("f(*, a, /)", ["f(*, 'a, /)"]),
        ("f(a: int = 3, *b: str) -> int", ["f('a, *)"]),
        ("f(<name>)", ["f(<name>)"]),
        ("f(a # b)\n)", ["f('a)"]),
        ("看 f(数)", ["f('数)"]),
        ("f(a,)", ["f('a)"]),
    ],
)
def test_calls_are_read(text, want):
    assert told(text) == want


@pytest.mark.parametrize(
    "text",
    ["", "f", "f(", "f)", "f(a", "f(a]", "f[a)", "f(,)", "f(a,,b)", "f('a)", "(a)", "1(a)", "f(a))(", "\x00(", "f(a[)"],
)
def test_what_is_no_call_is_none(text):
    assert calls(text) == () or text == "f(a))("


def test_a_signature_is_told_from_a_call():
    assert [call.declared for call in calls("f(a, b)")] == [False]
    for text in ("def f(a)", "f(a: int)", "f(a, *, b)", "f(a, /)", "f(a[, b])"):
        assert [call.declared for call in calls(text)] == [True], text


def test_open_calls_are_told():
    for text in ("f(*a)", "f(**a)", "f(a, ...)", "f(…)"):
        assert calls(text)[0].open, text
    assert not calls("f(a)")[0].open
