"""Prose held against a library: cases as data, and what must not harm it."""

from __future__ import annotations

import asyncio
import builtins
import collections
import functools
import sys
import typing
from importlib.resources import files
from keyword import iskeyword

import casefile
import pytest
from hostile import PROSE
from indexing import indexed

from snippetlock.config.document import parse_document
from snippetlock.config.vocabulary import parse_vocabulary
from snippetlock.references import scan
from snippetlock.references.bench import bench_of, packages_of
from snippetlock.references.characters import hidden
from snippetlock.references.judging import judge_page
from snippetlock.references.known import is_file, lists
from snippetlock.references.own import own_names
from snippetlock.references.slips import slip_of
from snippetlock.references.speech import speech
from snippetlock.references.wording import shaped

CASES = casefile.read("references.case")
LIBRARY = next(case for case in CASES if case.title == "LIBRARY")


@pytest.fixture(scope="module")
def library():
    return indexed(LIBRARY.files)


def judged(library, page, *, words="", path="docs/page.md", selectors=None):
    said = speech(page)
    bench = bench_of(
        library,
        path=path,
        spans=said.spans,
        selectors=selectors or {},
        own=own_names(scan(page).blocks, packages_of(library)),
        words={word.name: word for word in parse_vocabulary(parse_document(words, "vocabulary.yaml"))},
        root="lib",
        address="https://git.example/kilns.git",
    )
    return judge_page(bench, said, scan(page).blocks, frozenset(["v1.0"]))


def shown(verdicts):
    for verdict in verdicts:
        state = f"{verdict.rule}{'' if verdict.certain else '?'}" if verdict.rule else verdict.state
        yield f"{verdict.line}:{verdict.column} {state} [{verdict.text}] {verdict.message or verdict.why}"


@pytest.mark.parametrize("case", [case for case in CASES if case.title != "LIBRARY"], ids=str)
def test_a_page_says_what_the_library_has(library, golden, case):
    path = next((name[5:] for name in case.sections if name.startswith("path ")), "docs/page.md")
    got = shown(
        judged(library, case["page"].replace("\\r\n", "\r\n").replace("\\t", "\t"), words=case.get("words"), path=path)
    )

    golden(case, "".join(f"{line}\n" for line in got))


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        ('JARS["flour"]', "write one of those that it has"),
        ('JARS["brin"]', "did you mean 'brine'?"),
        ('JARS["brine"]["grms"]', "did you mean 'grams'?"),
        ('JARS["sugar"]["lumps"]', "name another dict: this one is empty where it is written"),
        ('EMPTY["lumps"]', None),
    ],
)
def test_how_to_mend_a_key_that_is_not_there(library, said, mend):
    found = [each for each in judged(library, f"`{said}`") if each.rule]

    assert [each.mend for each in found] == ([mend] if mend else [])


@pytest.mark.parametrize(
    ("name", "surely", "perhaps"),
    [
        ("a.py", True, True),
        ("a.b.yaml", True, True),
        (".toml", True, True),
        ("a.json", False, True),
        ("a.log", False, True),
        ("a.run", False, False),
        ("py", False, False),
        ("json", False, False),
        ("", False, False),
    ],
)
def test_a_file_ends_as_one(name, surely, perhaps):
    assert (is_file(name), is_file(name, perhaps=True)) == (surely, perhaps)


def test_an_ending_stands_in_one_list():
    assert lists()["endings"].isdisjoint(lists()["either"])


def test_a_slip_of_a_parameter_tells_the_function_that_has_it(library):
    (of_parameter,) = judged(library, "`queit`")
    (of_class,) = judged(library, "`Reaedr`")

    assert of_parameter.mend.startswith("did you mean 'quiet'?")
    assert of_parameter.evidence == ("kilns/lorry.py:16  a parameter of kilns.lorry:drive",)
    assert of_class.evidence == ("kilns/lorry.py:4  kilns.lorry:Reader",)


def test_no_word_of_english_is_in_the_list_in_vain(monkeypatch):
    words = sorted(lists()["words"])
    source = "".join(f"class {word.title()}: ...\n" for word in words)
    source += "".join(f"def f({word}): ...\n" for word in words if not iskeyword(word))

    def slips():
        index = indexed({"a.py": source})
        return {word for word in words if slip_of(index, word) or slip_of(index, word.title())}

    assert slips() == set()
    monkeypatch.setattr("snippetlock.references.slips.lists", lambda: {"words": frozenset()})
    assert slips() == set(words)


HOSTILE = {
    "backticks": "`" * 10_000,
    "backticks one by one": "` " * 10_000,
    "runs of backticks": " ".join("`" * n for n in range(1, 200)),
    "a comment that is never closed": "<!-- " * 2_000 + "`FireFwdOp`",
    "huge inline code": "`" + "kiln_for(" * 20_000 + "`",
    "huge name": "`" + "kiln_" * 20_000 + "`",
    "dotted name": "`" + "kilns." * 20_000 + "Op`",
    "brackets": "`f" + "(" * 240 + ")" * 240 + "`",
    "open brackets": "`f" + "([{" * 160 + "`",
    "humps": "`" + "Aa" * 240 + "!`",
    "underscores": "`" + "a_" * 240 + "!`",
    "slashes": "`" + "a/" * 240 + "`",
    "stars": "`kilns/" + "*<a>" * 100 + "`",
    "commas": "`kiln_for(" + "," * 480 + ")`",
    "quotes": "`" + "'\"" * 240 + "`",
    "keys": "`" + 'a["b"]' * 80 + "`",
    "imports": "`import " + "a, " * 150 + "b`",
    "attribute lists": "`x`" + "{" * 5_000,
    "message": "`" + "kiln " * 95 + "`{ .message }",
    "a link": "https://git.example/kilns/blob/v1.0/" + "lib/" * 20_000,
    "surrogates and nulls": "`\ud800` `\x00` `kilns\x00.Op` `\ufffe`",
    "own example": "```python\n"
    + "def f(" * 5_000
    + "\n"
    + "a, " * 20_000
    + "= 1\n"
    + "from x import (" * 3_000
    + "\n```\n\n`Op`",
    "table": "| a | b |\n| --- | --- |\n" + "| `Op` | `FireFwdOp` |\n" * 200,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_is_too_much(library, name):
    found = judged(library, HOSTILE[name])

    wanted = {"table": 200, "a comment that is never closed": 1}.get(name, 0)
    assert sum(verdict.rule == "SL301" for verdict in found) == wanted


@pytest.mark.parametrize("name", PROSE)
def test_much_of_the_same_is_judged_as_little_of_it(library, name):
    """How long it takes is for `benchmarks/growth.py`."""
    few, many = (told(library, PROSE[name](n)) for n in (2, 20))

    assert few
    assert set(few) == set(many)
    assert len(many) >= 10 * len(few)


def told(library, page):
    """The rules of all that is wrong with a page, hidden characters among it."""
    found = [verdict.rule for verdict in judged(library, page) if verdict.rule]
    return found + ["SL503" for _ in hidden(page, scan(page).blocks)]


def test_what_is_too_long_is_no_mention(library):
    (long,) = judged(library, "`" + "FireFwdOp, " * 100 + "`")
    (short,) = judged(library, "`FireFwdOp`")

    assert (long.state, short.rule) == ("aside", "SL301")


@pytest.mark.parametrize(
    ("page", "want"),
    [
        ("# A\n\nplain `code`, ünïcode and 中文\n", []),
        ("\ufeff# A\n", []),
        ("a \u202e b\n", ["1:3 U+202E"]),
        ("a `b\u200bc` d\n", ["1:5 U+200B"]),
        ("a b\u200bc d \u00ad \u200d\n", []),
        ("a\n\n```python\nx = 1\ny\u2060 = 2\n```\n", ["5:2 U+2060"]),
        ("👩\u200d👩\u200d👧 and \U0001f3f4\U000e0067\U000e0062\U000e007f\n", []),
        ("`👩\u200d💻` `🏳\ufe0f\u200d🌈` `💁🏽\u200d♂\ufe0f`\n", []),
        ("`a\u200d💻`\n", ["1:3 U+200D"]),
        ("`💻\u200da`\n", ["1:3 U+200D"]),
        ("`x\ufe0f\u200d💻`\n", ["1:4 U+200D"]),
        ("hidden\U000e0067\U000e0062 words\n", ["1:7 U+E0067"]),
        ("\u2066a\u2069 b \u202e\nc \u202d\n", ["1:1 U+2066", "2:3 U+202D"]),
        ("a\r\nb \u202e\r\n", ["2:3 U+202E"]),
    ],
)
def test_characters_that_hide_something_are_told(page, want):
    found = list(hidden(page, scan(page).blocks))

    assert [f"{one.line}:{one.column} {one.message.partition(' ')[0]}" for one in found] == want


def test_what_python_has_is_in_the_lists():
    modules = (typing, collections, functools, asyncio)
    shaped_names = {name for module in modules for name in module.__all__ if shaped(name) and name[0] != "_"}

    assert len(shaped_names) > 100
    assert shaped_names <= lists()["standard"]
    assert {name for name in sys.stdlib_module_names if not name.startswith("_")} <= lists()["modules"]
    assert {"distutils", "imp", "tomllib"} <= lists()["modules"]
    assert set(dir(builtins)) - {name for name in dir(builtins) if name.startswith("_")} <= lists()["builtins"]
    assert all(list(words) == sorted(words) for words in written_lists())


def written_lists():
    text = files("snippetlock.references").joinpath("known.txt").read_text(encoding="ascii")
    for part in text.split("\n== ")[1:]:
        yield part.split()[1:]


def test_a_name_that_another_module_has_is_told_with_that_module(library):
    here, lost = judged(library, "`kilns.table.weigh`, `kilns.table.mistake`")
    assert (here.rule, here.mend) == ("SL301", "did you mean 'kilns.ledger.weigh'?")
    assert here.evidence[-1] == "kilns/ledger.py:5  kilns.ledger:weigh"
    assert (lost.rule, "kilns.ledger" in lost.mend) == ("SL301", False)
