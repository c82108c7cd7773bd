"""Claims against a library: cases as data, values against Python's own, and what must not harm it."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path

import casefile
import pytest
from indexing import indexed, pinned

from snippetlock.references.claims.functions import FUNCTIONS
from snippetlock.references.claims.judging import asked, outcome
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.outcomes import verdict_of
from snippetlock.references.claims.stated import claims_of
from snippetlock.references.claims.terms import LONGEST

CASES = casefile.read("claims.case")
LIBRARY = next(case for case in CASES if case.title == "LIBRARY")


@pytest.fixture(scope="module")
def library():
    return Library(indexed(LIBRARY.files))


def told(library, expression):
    found = asked(library, expression)
    places = f"  ({', '.join(found.places)})" if found.places else ""
    if found.value:
        return f"{found.value}{places}"
    more = "".join(f" | {line}" for line in (*found.evidence, *([found.mend] if found.mend else [])))
    state = "not so" if found.state == "false" else found.state
    return f"{state}{f' at {found.at + 1}' if found.state == 'malformed' else ''}: {found.message}{more}"


@pytest.mark.parametrize("case", [case for case in CASES if "ask" in case.sections], ids=str)
def test_what_an_expression_comes_to(library, golden, case):
    lines = case["ask"].split("\n")[:-1]

    golden(case, "".join(f"{line}\n    {told(library, line)}\n" for line in lines))


@pytest.mark.parametrize("case", [case for case in CASES if "page" in case.sections], ids=str)
def test_what_a_page_claims(library, golden, case):
    got = []
    for claim in claims_of(case["page"]):
        verdict = verdict_of(claim, outcome(library, claim.text))
        head = f"{verdict.line}:{verdict.column} {verdict.rule or 'true'} for {claim.tied}"
        got += [head, *(f"    {line}" for line in (verdict.message or claim.plain, *verdict.evidence))]
        got += [f"    mend: {verdict.mend}"] if verdict.mend else []

    golden(case, "".join(f"{line}\n" for line in got))


def test_every_function_is_asked():
    said = "".join(case.get("ask") for case in CASES)

    assert [name for name in FUNCTIONS if f"{name}(" not in said] == []


# Against Python itself


@pytest.fixture
def real(tmp_path, monkeypatch):
    """The made library, imported: it is ours."""
    for name, text in LIBRARY.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "ceramics.py").write_text(
        "class Clay: ...\nclass Base: ...\ndef wrapped(function):\n    return function\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "kilns", raising=False)
    yield importlib.import_module("kilns.firing")
    for name in [name for name in sys.modules if name.partition(".")[0] in ("kilns", "ceramics")]:
        del sys.modules[name]


def as_claimed(value):
    """A value of Python as the language shows it: sequences are lists."""
    if isinstance(value, list | tuple):
        return tuple(map(as_claimed, value))
    if hasattr(value, "items"):
        return {key: as_claimed(each) for key, each in value.items()}
    return frozenset(value) if isinstance(value, set | frozenset) else value


NAMES = [
    *("HOTTEST", "LIMITS", "MORE", "SHELVES", "TEXT", "NOTHING", "READY", "LOCAL", "Kiln.devices", "Kiln.general"),
    *(
        "Kiln.preferred",
        "GasKiln.preferred",
        "WoodKiln.sizes",
        "GasKiln.devices",
        "Op.kiln_types",
        "FIREFwdOp.interfaces",
    ),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_value_is_what_python_makes_of_it(library, real, name):
    from snippetlock.references.claims.evaluating import evaluate
    from snippetlock.references.claims.parsing import parse_expression

    found = evaluate(parse_expression(f"value(kilns.firing:{name})"), library).value
    thing = real
    for part in name.split("."):
        thing = getattr(thing, part)

    assert (found, type(found)) == (as_claimed(thing), type(as_claimed(thing)))


@pytest.mark.parametrize("name", ["Op", "FIREFwdOp", "Spec", "Op.kiln_for", "Op.of", "Op.plain", "cached", "register"])
def test_parameters_are_what_python_binds(library, real, name):
    from snippetlock.references.claims.evaluating import evaluate
    from snippetlock.references.claims.parsing import parse_expression

    def ask(text):
        return evaluate(parse_expression(text), library).value

    thing = real
    for part in name.split("."):
        thing = getattr(thing, part)
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    wanted = [each for each in inspect.signature(thing).parameters.values() if each.name != "self"]

    assert ask(f"parameters(kilns.firing:{name})") == tuple(kinds.get(each.kind, "") + each.name for each in wanted)
    assert ask(f"keyword_only(kilns.firing:{name})") == tuple(
        each.name for each in wanted if each.kind == inspect.Parameter.KEYWORD_ONLY
    )
    for each in wanted:
        if each.default is not inspect.Parameter.empty:
            assert ask(f'default(kilns.firing:{name}, "{each.name}")') == as_claimed(each.default)


@pytest.mark.parametrize("name", ["Kiln", "GasKiln", "Op", "FIREFwdOp", "KilnError", "ColdError"])
def test_classes_are_what_python_makes_of_them(library, real, name):
    thing = getattr(real, name)
    ours = [each for each in vars(real).values() if isinstance(each, type)]
    below = {each.__name__ for each in ours if issubclass(each, thing) and each is not thing}

    assert outcome(library, f"is_abstract(kilns.firing:{name})").state == str(inspect.isabstract(thing)).lower()
    for other in ("Kiln", "Op", "KilnError"):
        said = outcome(library, f"is_subclass(kilns.firing:{name}, kilns.firing:{other})").state
        assert said == str(issubclass(thing, getattr(real, other))).lower()
    names = ", ".join(f'"{each}"' for each in sorted(below))
    assert outcome(library, f"sorted(subclasses(kilns.firing:{name})) == [{names}]").state == "true"


# What must not harm it

HOSTILE = {
    "a megabyte": "exists(kilns:Op) and " * 50_000,
    "a thousand deep": "(" * 1_000 + "1 == 1" + ")" * 1_000,
    "lists": "[" * 1_000,
    "calls": "len(" * 1_000,
    "nots": "not " * 2_400 + "exists(kilns:Op)",
    "conditions": "count(kilns:" + "a[b]" * 2_000 + ")",
    "stars": "count(kilns:" + "*a" * 4_000 + ")",
    "folders": "count(" + "**/" * 3_000 + "x)",
    "dots": "exists(kilns:" + "a." * 4_000 + "b)",
    "quotes": '"' * 9_999,
    "backslashes": '"' + "\\\\" * 4_000,
    "ands": " and ".join(["1 == 1"] * 900),
    "ors": " or ".join(["1 == 2"] * 900),
    "digits": "9" * 9_000 + " == 1",
    "a list": "[" + "1," * 4_000 + "1] == keys(kilns.firing:LIMITS)",
    "blanks": " " * 9_999,
    "marks": "\x00\x02\u202e\ud800" * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_author_writes_is_answered_in_short(library, name):
    found = outcome(library, HOSTILE[name])

    assert found.state in ("true", "false", "malformed")
    assert len(found.message) < 1_000
    assert sum(map(len, found.evidence)) < 10_000


def test_what_is_refused_is_said(library):
    assert outcome(library, HOSTILE["a megabyte"]).message == (
        f"a claim has at most {LONGEST:,} characters, and this one has 1,050,000"
    )
    assert outcome(library, HOSTILE["a thousand deep"]).message == "brackets nest more than 50 deep"
    assert outcome(library, "(" * 49 + "1 == 1" + ")" * 49).state == "true"
    assert outcome(library, HOSTILE["nots"]).state == "true"
    assert outcome(library, HOSTILE["ands"]).state == "true"


@pytest.mark.parametrize(
    "source",
    [
        "X = " + "[" * 60 + "]" * 60,
        "X = " + "-" * 500 + "1",
        "X = 9 ** 9 ** 9 ** 9",
        "X = 1 << 10 ** 9",
        "X = 'a' * 10 ** 12",
        "X = [0] * 10 ** 12",
        "X = Y\nY = X",
        "X = [*X]",
        "X = {**X}",
        "X = 1 // 0",
        "X = 1.5 % 0",
        "X = {[1]: 2}",
        "X = {{}}",
        "X = f'{1}'",
        "X = b'1'",
        "X = 1j",
        "X = ...",
        "X = [y for y in range(3)]",
        "X = (lambda: 1)()",
        "X = list(map(str, [1]))",
        "X = sorted([1, 'a'])",
        "X = tuple({1, 2})",
        "def list(x): ...\nX = list([1])",
    ],
)
def test_a_value_that_only_a_run_tells_is_told_as_that(source):
    small = Library(indexed({"m.py": source + "\n"}))

    assert outcome(small, "value(m:X) == 1").state == "unknowable"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("X = 1 << 4", "16"),
        ("X = 2 ** 10 - 1", "1023"),
        ("X = [1] + [2]", "[1, 2]"),
        ("X = (1, *[2, 3])", "[1, 2, 3]"),
        ("X = {1} | {2}", "{1, 2}"),
        ("X = {'a': 1} | {'b': 2}", '{"a": 1, "b": 2}'),
        ("X = dict(a=1)", '{"a": 1}'),
        ("X = frozenset()", "set()"),
        ("X = -1.5", "-1.5"),
        ("X = not True", "False"),
        ("A = B = 'x'\nX = A", '"x"'),
        ("X: int = 3", "3"),
        ("class C:\n    Y = 1\n    X = Y\nX = C.X", "1"),
        ("from n import Z as X", "7"),
        ("X = int", "builtins.int"),
        ("import torch\nX = torch.float16", "torch.float16"),
        ("X = 1\n\n\ndef f(X):\n    X.append(1)", "1"),
    ],
)
def test_a_value_that_the_source_tells(source, value):
    small = Library(indexed({"m.py": source + "\n", "n.py": "Z = 7\n"}))

    assert asked(small, "value(m:X)").value == value


@pytest.mark.parametrize(
    "change",
    [
        "X += ['b']",
        "X.append('b')",
        "X[0] = 'b'",
        "del X[0]",
        "for i in ():\n    X.insert(0, i)",
        "def f():\n    X.append('b')",
        "def f():\n    global X\n    X.clear()",
        "class C:\n    X.sort()",
        "if True:\n    X.remove('a')",
    ],
)
def test_what_is_changed_later_is_not_told(change):
    still = Library(indexed({"m.py": "X = ['a']\n"}))
    small = Library(indexed({"m.py": f"X = ['a']\n{change}\n"}))

    assert outcome(still, 'value(m:X) == ["a"]').state == "true"
    assert outcome(small, 'value(m:X) == ["a"]').state == "unknowable"


def test_a_file_that_cannot_be_read_is_no_proof():
    broken = Library(indexed({"a.py": "class A: ...\n", "b.py": "class B(\n"}))

    for claim in ("not exists(**:B)", "count(*:A) == 1", "subclasses(a:A) == []"):
        found = outcome(broken, claim)
        assert (found.state, "b.py cannot be read" in found.message) == ("unknowable", True)
    assert outcome(broken, "exists(a:A)").state == "true"


# The library that this site is about

FACTS = casefile.read("claims-tileops.case")


@pytest.fixture(scope="module")
def tileops():
    return Library(pinned())


@pytest.mark.parametrize("claim", FACTS[0]["true"].split("\n")[:-1])
def test_what_is_known_of_the_library_can_be_claimed(tileops, claim):
    found = outcome(tileops, claim)

    assert (found.state, found.message) == ("true", "")


@pytest.mark.parametrize("claim", FACTS[0]["false"].split("\n")[:-1])
def test_what_was_once_said_of_it_is_not_so(tileops, claim):
    found = outcome(tileops, claim)

    assert found.state == "false"
    assert found.message


# What the pages, the README and the reference say of claims

ROOT = Path(__file__).parents[2]
PAGES = ("docs/contributing/claims.md", "docs/contributing/claims.zh.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_function_has_its_line(page):
    text = (ROOT / page).read_text(encoding="utf-8")

    assert [name for name in FUNCTIONS if f"`{name}(" not in text] == []


@pytest.mark.parametrize("page", [*PAGES, "README.md", "REFERENCE.md"])
def test_the_claims_that_are_shown_are_true(tileops, page):
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = [claim for claim in re.findall(r"^ *(?:claim: |\| )?(?:.*)<!--.*?-->", text, flags=re.S | re.M) if claim]
    claims = [each for part in shown for each in claims_of(f"{part.strip()}\ntext\n") if "…" not in each.text]

    assert len(claims) >= 2
    assert [(claim.plain, outcome(tileops, claim.text).state) for claim in claims] == [
        (claim.plain, "true") for claim in claims
    ]


@pytest.mark.parametrize("page", PAGES)
def test_what_is_said_to_be_printed_is_printed(run, page):
    pinned()  # or skip
    text = (ROOT / page).read_text(encoding="utf-8")
    block = re.search(r"^    \$ snippetlock claim '([^']*)'\n((?:    .*\n)*?)    ```", text, flags=re.M)

    code, said, _ = run("claim", block[1], cwd=ROOT)
    assert (code, said) == (0, re.sub(r"^    ", "", block[2], flags=re.M))
