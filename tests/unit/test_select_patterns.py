"""Patterns: what they fit, what they do not, and that no pattern and no code makes them slow or wrong."""

import ast
import random
from pathlib import Path

import casefile
import pytest

from snippetlock.errors import ViewError
from snippetlock.select.blocks import ODD, own_trees, statements_of
from snippetlock.select.matching import fits, outermost
from snippetlock.select.patterns import hits, parse_pattern
from snippetlock.select.words import Node
from snippetlock.text import line_at


def found(code, pattern):
    """Each place that fits, as (line, text on one line)."""
    return [
        (line_at(code, hit.start), " ".join(code[hit.start : hit.end].split()))
        for hit in hits(parse_pattern(pattern), statements_of(code))
    ]


def said(code, pattern):
    try:
        return "".join(f"{line}: {text}\n" for line, text in found(code, pattern)) or "nothing\n"
    except ViewError as error:
        return f"{error}\n"


@casefile.each("select-patterns.case")
def test_what_a_pattern_fits(case, golden):
    asked = [line.replace("⏎", "\n") for line in case["patterns"].split("\n") if line]
    shown = ((pattern.replace("\n", "⏎"), said(case["code"], pattern)) for pattern in asked)
    golden(case, "".join(f"> {pattern}\n{answer}" for pattern, answer in shown))


# Trees


def values_aside(tree):
    """A copy that knows of strings and numbers only that they are there: unparsing writes them anew."""
    kind = tree.label.partition(" ")[0]
    label = kind if kind in ("string", "number") and not tree.parts else tree.label
    return (label, tuple(map(values_aside, tree.parts)))


def trees(code):
    return [tree for statement in statements_of(code) for tree in own_trees(statement)]


SOURCES = sorted(Path(ast.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", SOURCES[::12], ids=lambda path: path.name)
def test_a_file_and_what_ast_writes_for_it_have_the_same_trees(path):
    code = path.read_bytes().decode("utf-8", "replace")
    ours = trees(code)
    assert ODD not in ours
    ours = [values_aside(tree) for tree in ours if tree.label not in ("string", "else", "elif", "if")]
    anew = [
        values_aside(t) for t in trees(ast.unparse(ast.parse(code))) if t.label not in ("string", "else", "elif", "if")
    ]
    ours, anew = ([t for t in every if t[0] not in ("string", "pass")] for every in (ours, anew))
    assert ours == anew


OPERATORS = ("+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "and", "or", "<", "not in", "is not")


def expression(rng, depth):
    """A random expression, every part of it in parentheses."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice("abcd")
    one, two, three = (expression(rng, depth - 1) for _ in range(3))
    shapes = (
        lambda: f"(({one}) {rng.choice(OPERATORS)} ({two}))",
        lambda: f"({rng.choice(('-', '~', 'not ', 'await '))}({one}))",
        lambda: f"(({one}) if ({two}) else ({three}))",
        lambda: f"(lambda a, *b, c=({one}): ({two}))",
        lambda: f"(({one}).x[({two})](({three}), k=({one})))",
        lambda: f"[(({one})) for a in ({two}) if ({three})]",
        lambda: f"(a := ({one}))",
        lambda: f"(({one}), *[({two})], {{({three}): ({one})}})",
        lambda: f"(yield ({one}))",
        lambda: f"a[({one}):({two}), ({three})]",
    )
    return rng.choices(shapes, weights=(8, 2, 2, 1, 2, 1, 1, 1, 1, 1))[0]()


@pytest.mark.parametrize("seed", range(150))
def test_operators_are_grouped_as_python_groups_them(seed):
    code = f"async def f():\n    x = {expression(random.Random(seed), 4)}\n"
    bare = ast.unparse(ast.parse(code))
    assert ODD not in trees(code)
    assert list(map(values_aside, trees(code))) == list(map(values_aside, trees(bare)))


@pytest.mark.parametrize("path", SOURCES[::40], ids=lambda path: path.name)
def test_each_statement_is_a_pattern_of_itself(path):
    code = path.read_bytes().decode("utf-8", "replace")
    tried = 0
    for statement in statements_of(code)[::7]:
        text = code[statement.start : statement.end]
        word = text.split(maxsplit=1)[0].rstrip(":")
        if len(text) > 1000 or word in ("else", "elif", "except", "finally", "case") or "$" in text:
            continue
        pattern = parse_pattern(text)
        assert [hit for hit in hits(pattern, [statement]) if hit.statement is statement]
        tried += 1
    assert tried > 3 or len(code) < 4000


# Limits


def test_no_pattern_tries_every_way_to_share_out_a_list():
    code = f"f({', '.join('a' for _ in range(400))})\n"
    statements = statements_of(code)
    bomb = parse_pattern(f"f({', '.join('$*_, $x' + str(i) for i in range(60))}, $*_, no)")
    assert hits(bomb, statements) == []
    nested = parse_pattern(f"f({', '.join('$*_, g($*_, $*_, h($*_))' for i in range(60))}, $*_)")
    assert hits(nested, statements) == []


def test_long_chains_and_deep_brackets_are_read_or_left_alone():
    long = "x = " + " + ".join("a" for _ in range(5000)) + "\n" + "y = " + ".b".join("a" for _ in range(5000)) + "\n"
    deep = f"z = {'(' * 150}f(1){')' * 150}\n"
    statements = statements_of(long + deep + "f(1)\n")
    assert [line_at(long + deep, hit.start) for hit in hits(parse_pattern("f(1)"), statements)] == [4]
    assert len(hits(parse_pattern("$x = $_"), statements)) == 2
    assert [tree is ODD for statement in statements for tree in own_trees(statement)] == [False, False, True, False]
    same = Node("binary +", (trees(long)[0].parts[1],) * 2, 0, 0)
    assert fits(parse_pattern("$a + $a").node, same, {})


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("a" * 4001, "a pattern has 4001 characters"),
        ("f(" * 80 + ")" * 80, "this is nested more than 60 levels deep"),
        ("f(" * 190 + ")" * 190, "this is nested more than 90 levels deep"),
        ("+".join("a" * 100), "this is nested more than 60 levels deep"),
    ],
)
def test_patterns_beyond_the_limits_are_refused(pattern, what):
    with pytest.raises(ViewError) as caught:
        parse_pattern(pattern)
    assert what in caught.value.what


def test_a_place_in_a_pattern_of_several_lines_is_shown_with_its_line():
    with pytest.raises(ViewError) as caught:
        parse_pattern("if x:\n\ty = )\n")
    assert caught.value.evidence == ("\ty = )", "\t    ^")


def test_expressions_that_fit_are_found_outermost_first():
    (tree,) = trees("f(f(1), f(2))")
    assert [(one.start, one.end) for one in outermost(parse_pattern("f($x)").node, tree)] == [(2, 6), (8, 12)]
    assert [(one.start, one.end) for one in outermost(parse_pattern("f($*_)").node, tree)] == [(0, 13)]
