"""Digests: what changes which, and that they are the same everywhere."""

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import casefile
import pytest
from test_render import plain, view_of

from snippetlock.config import parse_selector
from snippetlock.errors import SourceError
from snippetlock.model import View
from snippetlock.render import render
from snippetlock.render.normal import Statement, statements
from snippetlock.render.tables import said
from snippetlock.select import find
from snippetlock.select.events import events


def differing(case, tree, name):
    selector = parse_selector(case.get("select", "m:f" if name == "m.py" else f"{name}:k").strip())
    view = view_of(case.get("view"))
    old, new = (asdict(render("id", find(tree({name: case[s]}), selector), view).digests) for s in ("old", "new"))
    return [key for key in old if old[key] != new[key]]


@casefile.each("render-digests.case")
def test_which_digests_a_change_of_python_changes(case, tree, golden):
    names = differing(case, tree, "m.py")
    golden(case, " ".join(names) + "\n" if names else "")


def test_every_kind_of_change_is_among_the_cases():
    wanted = {case["want"].strip() for case in casefile.read("render-digests.case")}
    assert wanted == {"", "text", "text tokens", "text tokens code", "text tokens code signature"}


def test_line_ends_are_layout(tree):
    source = 'def f(a):\n    """Doc.\n\n    More."""\n    x = """\n"""  # so\n    return a\n'
    kinds = []
    for end in ("\n", "\r\n", "\r"):
        found = find(tree({"m.py": source.replace("\n", end)}), parse_selector("m:f"))
        kinds.append(render("id", found, View()).digests)
    assert len({d.text for d in kinds}) == 3
    assert len({(d.tokens, d.code, d.signature) for d in kinds}) == 1


def test_a_digest_is_sha256_and_never_changes(tree):
    # These are in every lock: when they change, so must the lock's format number.
    method = '    def f(self, *, a="b"):\n        return f"{a!r:>{4}}"\n'
    source = f'@d\nclass A(B):\n    """Doc."""\n\n    x: int = 1  # one\n\n{method}'
    digests = render("id", find(tree({"m.py": source}), parse_selector("m:A")), View(docstrings="keep")).digests
    assert {key: value[:12] for key, value in asdict(digests).items()} == {
        "text": "bc85de57be80",
        "tokens": "97d165eee1fe",
        "code": "f935f45a7ee5",
        "signature": "2f963113106f",
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        ("\n\n", []),
        ("# c\n", [Statement(-1, ("# c",))]),
        ("x = (  # c\n  1)\n", [Statement(0, ("x", "=", "1")), Statement(-1, ("# c",))]),
        ("    x\ny\n", [Statement(1, ("x",)), Statement(0, ("y",))]),
        ("if a:\n        b\n    c\n", [Statement(0, ("if", "a", ":")), Statement(1, ("b",)), Statement(1, ("c",))]),
        ("'d'\n", [Statement(0, ("'d",), True)]),
        ("'d' 'e'; x", [Statement(0, ("'de",), True), Statement(0, ("x",))]),
        ("f'd'\n", [Statement(0, ("f'd",))]),
        (")\n]", [Statement(0, (")",)), Statement(0, ("]",))]),
        ("(a,]\n)", [Statement(0, ("(", "a", ",", "]", ")"))]),
        ("class A: x = 1", [Statement(0, ("class", "A", ":")), Statement(1, ("x", "=", "1"))]),
        ("\ta: b\n", [Statement(1, ("a", ":", "b"))]),
        (";\n", []),
        ("if", [Statement(0, ("if",))]),
        ("if a; b", [Statement(0, ("if", "a")), Statement(0, ("b",))]),
    ],
)
def test_statements_of_any_text(text, wanted):
    assert list(statements(text)) == wanted


# YAML


@casefile.each("render-digests-yaml.case")
def test_which_digests_a_change_of_yaml_changes(case, tree, golden):
    names = differing(case, tree, "m.yaml")
    golden(case, " ".join(names) + "\n" if names else "")


def digests_of(language, text):
    return render("id", plain(language, text), View()).digests


def test_a_yaml_slice_that_is_no_yaml_by_itself_goes_by_its_lines():
    one, same, other = (digests_of("yaml", text) for text in ("- [\n  a\n", "- [  \n  a", "- [ a\n"))
    assert (one.tokens, one.code) == (same.tokens, same.code)
    assert one.tokens != other.tokens


def test_what_has_no_grammar_goes_by_its_lines():
    one, same = digests_of("bash", "a b\n\nc\n"), digests_of("bash", "a b \r\n\r\nc\t")
    assert one.text != same.text
    assert (one.tokens, one.code, one.signature) == (same.tokens, same.code, same.signature)
    for text in ("a b c\n", "a b\nc\n", "a  b\n\nc\n", "a b\n\n c\n", "a b\\\n\nc\n"):
        assert digests_of("bash", text).code != one.code
    assert digests_of("bash", "a \\\nb\n").code != digests_of("bash", "a \\ \nb\n").code


LAID_OUT_ANEW = [
    ("markdown", "a\nb c\n\n\nd\n", "a b\nc\n\nd"),
    ("markdown", "# T\ntext\n", "T\n=\n\ntext\n"),
    ("markdown", "| a | b |\n|--|:-:|\n| `x  y` | 1 |\n", "|a   |  b |\n| --- | :--: |\n|  `x  y`  | 1\n"),
    ("markdown", "- a b\n- c\n", "*  a\n   b\n*  c\n"),
    ("markdown", "- a\n  - b\n", "- a\n    - b\n"),
    ("markdown", "> a\n> b\n", "> a b\n"),
    ("markdown", "text\n```sh\nx\n```\nmore\n", "text\n\n~~~ sh\nx\n~~~\n\nmore\n"),
    ("markdown", "***\n", "---\n"),
    ("json", '{"a": [1, 2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}\n'),
    ("toml", "k = {a = 1, b = {c = 'x'}}\n", '[k]\na = 0x1\nb.c = "x"\n'),
    ("toml", "[[k]]\na = 1\n[[k]]\na = 2\n", "k = [{a = 1}, {a = 2}]\n"),
    ("c", "int f() { return a - -b; }", "int f() {\n  return a - - b;\n}"),
]
OF_ANOTHER_BODY = [
    ("markdown", "```sh\na b\n```\n", "```sh\na\nb\n```\n"),
    ("markdown", "```py\nif a:\n    b\n```\n", "```py\nif a:\nb\n```\n"),
    ("markdown", "```py\na\n```\n", "```sh\na\n```\n"),
    ("markdown", "```\na\n\nb\n```\n", "```\na\nb\n```\n"),
    ("markdown", "a\n\n    b\n      c\n", "a\n\n    b\n    c\n"),
    ("markdown", "a\n\n    b\n", "a\n\nb\n"),
    ("markdown", "a b\n", "a\n\nb\n"),
    ("markdown", "a  \nb\n", "a\nb\n"),
    ("markdown", "- a\n- b\n", "- a b\n"),
    ("markdown", "- a\n- b\n", "- a\n  - b\n"),
    ("markdown", "- a\n- b\n", "1. a\n2. b\n"),
    ("markdown", "- a\n- b\n", "- a\n* b\n"),
    ("markdown", "- a\n\n  b\n", "- a\n\nb\n"),
    ("markdown", "# T\n\na b\n", "# T a\n\nb\n"),
    ("markdown", "# T\n", "## T\n"),
    ("markdown", "a\n\n---\n", "a\n---\n"),
    ("markdown", "> a\n", "a\n"),
    ("markdown", "> ```\n> a\n> b\n> ```\n", "> ```\n> a b\n> ```\n"),
    ("markdown", "|a|b|\n|-|-|\n|1|2|\n", "|a|b|\n|-|-:|\n|1|2|\n"),
    ("markdown", "|a|b|\n|-|-|\n|1|2|\n", "|a|b|\n|-|-|\n|12| |\n"),
    ("markdown", "`a  b`\n", "`a b`\n"),
    ("markdown", "`<!-- x -->` a\n", "a\n"),
    ("markdown", "<pre>\na\n\nb\n</pre>\n", "<pre>\na\nb\n</pre>\n"),
    ("markdown", "!!! note\n    a\n", "!!! note a\n"),
    ("json", '{"a": 1}', '{"a": "1"}'),
    ("toml", "k = {a = 1}\n", "[k]\na = 1.0\n"),
    ("toml", "k = {a = 1}\n", '[k]\na = "1"\n'),
    ("toml", "k = [1, [2]]\n", "k = [[1], 2]\n"),
    ("toml", "k = {}\n", "k = []\n"),
    ("c", "int f() { return a - -b; }", "int f() { return a --b; }"),
    ("c", "int f() { return a + +b; }", "int f() { return a ++b; }"),
]
COMMENTED = [
    ("markdown", "a\n\n- b\n", "a\n\n<!-- more\nto come -->\n\n- b\n"),
    ("markdown", "a b\n", "a <!-- so --> b\n"),
    ("markdown", "a <!-- so --> b\n", "a <!-- not so --> b\n"),
    ("toml", "k = {a = 1}\n", "[k]\na = 1  # one\n"),
    ("toml", "[k]\na = 1  # one\nb = 2\n", "[k]\na = 1\nb = 2  # one\n"),
]


@pytest.mark.parametrize(("language", "old", "new"), LAID_OUT_ANEW)
def test_layout_of_other_text_is_layout(language, old, new):
    one, other = digests_of(language, old), digests_of(language, new)
    assert (one.tokens, one.code, one.signature) == (other.tokens, other.code, other.signature)
    assert one.text != other.text


@pytest.mark.parametrize(("language", "old", "new"), OF_ANOTHER_BODY)
def test_what_other_text_says_is_no_layout(language, old, new):
    assert digests_of(language, old).code != digests_of(language, new).code


@pytest.mark.parametrize(("language", "old", "new"), COMMENTED)
def test_comments_of_other_text_are_no_code(language, old, new):
    one, other = digests_of(language, old), digests_of(language, new)
    assert one.tokens != other.tokens
    assert one.code == other.code


@pytest.mark.parametrize("piece", ["> ", "- ", "<!-- ", "`", "| a ", "    ", "1. ", "```\n", "[a](", "* * a"])
def test_no_markdown_is_too_much(piece):
    one, other = (digests_of("markdown", f"{piece * 5000}{end}\n") for end in "xy")
    assert one.tokens != other.tokens


def test_a_yaml_text_that_says_too_much_costs_what_its_length_does():
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40))
    assert len(events(bomb)) < 500
    with pytest.raises(SourceError, match="not YAML: exceeded maximum nesting depth") as caught:
        events("[" * 50_000 + "]" * 50_000)
    assert caught.value.mend == "select from another file"


def test_an_alias_of_nothing_is_yaml_all_the_same():
    assert "*-1" in [what for _, what in events("a: *x")]


@pytest.mark.parametrize(("text", "line"), [("a: [1\nb: 2\n", 2), ("a: \x00", None)])
def test_what_is_not_yaml_is_said(text, line):
    with pytest.raises(SourceError, match="not YAML") as caught:
        events(text)
    assert caught.value.line == line


def test_digests_do_not_hang_on_the_hash_seed_or_the_locale(tree):
    code = (
        "from snippetlock.model import *; from snippetlock.render import render\n"
        "text = 'def f(a, *, b=1):\\n    \\'é\\'\\n    return {a, b}  # ü\\n'\n"
        "r = lambda a, b: Region(start=a, end=b)\n"
        "end = len(text)\n"
        "part = Part(name='f', selector='f', kind='function', whole=r(0, end), head=r(0, 17), body=r(18, end))\n"
        "selector = Selector(text='m:f', name='f', module='m')\n"
        "found = Found(selector=selector, path='m.py', text=text, language='python', part=part, consulted=())\n"
        "print(render('id', found, View()).digests)\n"
    )
    tools = str(Path(__file__).parents[2] / "tools")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONPATH": tools, **env}, capture_output=True, check=True
        ).stdout
        for env in ({"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "1", "LC_ALL": "C"}, {"PYTHONUTF8": "1"})
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a = 'x', # so\n", ["a", "=", '"x"', "# so"]),
        ('words end"""\n', None),  # begins in a string
        ('a = "\\q"\n', None),
        ("a = 1\rb", None),
        ("", []),
    ],
)
def test_toml_that_cannot_be_read_says_nothing(text, what):
    pieces = said(text)
    assert (pieces if pieces is None else [piece for piece, _ in pieces]) == what


def test_many_comments_of_toml_take_no_longer_each():
    assert len(said("x = [\n" + "1, # c\n" * 50_000 + "]")) == 1 + 50_000 * 2
