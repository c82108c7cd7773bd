"""A claim is a comment: what readers see of a page is the same without it, wherever it may stand."""

from __future__ import annotations

import re
from pathlib import Path

import casefile
import markdown
import pytest

from snippetlock.references.claims.stated import claims_of
from snippetlock.references.structure import structure

DOCS = Path(__file__).parents[2] / "docs"
EXTENSIONS = [
    *("admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc"),
    *("pymdownx.details", "pymdownx.superfences", "pymdownx.tabbed"),
]
CASES = {case.title: case["page"] for case in casefile.read("claims.case") if "page" in case.sections}
CLAIM = "<!-- claim: 1 == 1 -->"


def seen(page):
    """The HTML of a page without its comments, blanks beside tags and runs of blanks aside."""
    made = markdown.markdown(page, extensions=EXTENSIONS)
    made = re.sub(r"[ \t]+", " ", re.sub(r"<!--.*?-->", "", made, flags=re.S)).replace(" &#160;", "&#160;")
    return re.sub(r">\s+|\s+<", lambda found: found[0].strip(), made)


def without(page):
    """A page whose comments were never written."""
    page = re.sub(r"^([ >\t]*)<!--(?:(?!-->).)*-->[ \t]*\n(?:\1[ \t]*\n)?", "", page, flags=re.S | re.M)
    return re.sub(r"[ \t]*(?<!`)<!--.*?-->", "", page, flags=re.S)


GOOD = {
    "paragraph": f"One.\n\n{CLAIM}\nTwo.\n",
    "paragraph after a blank": f"One.\n\n{CLAIM}\n\nTwo.\n",
    "end of a paragraph": f"One,\ntwo. {CLAIM}\n\nThree.\n",
    "middle of a line": f"One {CLAIM} two.\n",
    "list": f"One.\n\n{CLAIM}\n- a\n- b\n",
    "ordered list": f"One.\n\n{CLAIM}\n1. a\n2. b\n",
    "item": f"- a {CLAIM}\n- b\n",
    "item of two lines": f"- a\n  b {CLAIM}\n- c\n",
    "paragraph of an item": f"- a\n\n    {CLAIM}\n    b\n\n- c\n",
    "table": f"{CLAIM}\n| a | b |\n| - | - |\n| 1 | 2 |\n",
    "row": f"| a | b |\n| - | - |\n| 1 | 2 {CLAIM} |\n| 3 | 4 |\n",
    "head of a table": f"| a | b {CLAIM} |\n| - | - |\n| 1 | 2 |\n",
    "quote": f"> {CLAIM}\n> a\n",
    "admonition": f"!!! note\n\n    {CLAIM}\n    a\n",
    "tab": f'=== "a"\n\n    {CLAIM}\n    b\n\n=== "c"\n\n    d\n',
    "definition": f"a\n:   b {CLAIM}\n",
    "footnote": f"a[^1]\n\n[^1]: b {CLAIM}\n",
    "Chinese": f"{CLAIM}\n共有两座窑。\n\n- 一 {CLAIM}\n",
    "several": f"{CLAIM}\n{CLAIM}\nOne.\n",
    "several lines": "<!-- Why.\n     claim: 1 == 1\n     claim: 2 == 2 -->\nOne.\n",
    "brackets": 'One <!-- claim: "a_b_c" in ["a"] and {"x"} == set(["*x*"]) --> two *three*.\n',
}
# What it would break, and the word of the finding for it.
BAD = {
    "a heading with an anchor": (f"## One {{ #two }} {CLAIM}\n", "heading"),
    "two items": (f"- a\n{CLAIM}\n- b\n", "list"),
    "two items, indented": (f"- a\n  {CLAIM}\n- b\n", "list"),
    "two rows": (f"| a | b |\n| - | - |\n{CLAIM}\n| 1 | 2 |\n", "table"),
    "a paragraph": (f"One\n{CLAIM}\ntwo.\n", "paragraph"),
    "a cell": ('| a | b |\n| - | - |\n| 1 <!-- claim: "|" == "|" --> | 2 |\n', "cell"),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_claim_changes_nothing_that_is_seen(name):
    assert [claim.fault for claim in claims_of(GOOD[name]) if claim.fault] == []
    assert claims_of(GOOD[name])
    assert seen(GOOD[name]) == seen(without(GOOD[name]))


@pytest.mark.parametrize("name", GOOD)
def test_a_claim_changes_no_section(name):
    """Whoever writes claims into a page that has a twin has nothing to accept."""
    one, other = (structure(page) for page in (GOOD[name], without(GOOD[name])))

    assert [(each.anchor, each.digest) for each in one.sections] == [(e.anchor, e.digest) for e in other.sections]


@pytest.mark.parametrize("name", BAD)
def test_a_claim_that_would_is_a_finding(name):
    page, word = BAD[name]

    assert seen(page) != seen(without(page))
    assert [word in claim.fault for claim in claims_of(page)] == [True]


@pytest.mark.parametrize("name", ["claims that are true", "the same, where it should stand"])
def test_a_page_of_claims_is_read_as_one_without(name):
    assert seen(CASES[name]) == seen(without(CASES[name]))


@pytest.mark.parametrize("name", ["kernel-selection.md", "kernel-selection.zh.md"])
def test_a_page_of_this_site_is_read_as_one_without(name):
    page = re.sub(r"^---\n.*?\n---\n", "", (DOCS / name).read_text(encoding="utf-8"), count=1, flags=re.S)
    page = re.sub(r"^```\w+ snippet=.*\n```\n", "A block.\n", page, flags=re.M)  # as the extension fills it

    assert len(claims_of(page)) > 30
    assert seen(page) == seen(without(page))
