"""Inline code of a page: what is one, where, in which section; held against what Python-Markdown renders."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest

from snippetlock.references.inline import inline_code

ROOT = Path(__file__).parents[2]
TOP = ("README.md", "REFERENCE.md", "CONTRIBUTING.md")
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in TOP)])


def found(text):
    return [(one.text, one.line, one.column) for one in inline_code(text).spans]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a `b` c `d`\n", [("b", 1, 3), ("d", 1, 9)]),
        ("``a ` b`` and ` ``` `\n", [("a ` b", 1, 1), ("```", 1, 15)]),
        ("one `two\nthree` four\n", [("two three", 1, 5)]),
        ("one `two\n\nthree` four\n", []),
        ("- one `two\n- three` four\n", []),
        ("- one `two\n  three` four\n", [("two three", 1, 7)]),
        ("> quoted `a`\n> and `b\n> c`\n", [("a", 1, 10), ("b c", 2, 7)]),
        ("no `end\n", []),
        ("```python\n`a`\n```\n`b`\n", [("b", 4, 1)]),
        ("````text\n```\n`a`\n```\n````\n\n`b`\n", [("b", 7, 1)]),
        ("    `code`\n\ntext `b`\n", [("b", 3, 6)]),
        ("- item\n\n    text `b`\n", [("b", 3, 10)]),
        ("<!-- `a` -->\n\n`b`\n", [("b", 3, 1)]),
        ("before <!-- `a`\nstill `c` --> `b`\n", [("b", 2, 15)]),
        ("`a` <!-- `b` --> `c` <!-- `d` --> `e`\n", [("a", 1, 1), ("c", 1, 18), ("e", 1, 35)]),
        ("`<!--` and `a`\n", [("<!--", 1, 1), ("a", 1, 12)]),
        ("an open <!-- and `a`\n", [("a", 1, 18)]),
        ("<pre>\n`a`\n</pre>\n\n`b`\n", [("b", 5, 1)]),
        ('<div markdown="1">\n\n`a`\n\n</div>\n', [("a", 3, 1)]),
        ("| a | b |\n| --- | --- |\n| `x` | `y` |\n", [("x", 3, 3), ("y", 3, 9)]),
        ("# A `b`\ntext `c`\n", [("b", 1, 5), ("c", 2, 6)]),
        ("\t- item\n\n- x\n\n\ttabbed\t`b`\n", [("b", 5, 9)]),
        ("---\ntitle: `a`\n---\n\n`b`\n", [("b", 5, 1)]),
        ("!!! note\n    in it `b`\n", [("b", 2, 11)]),
        ("核心是 `put`，再看 `a`\r\n", [("put", 1, 5), ("a", 1, 14)]),
        ("", []),
    ],
)
def test_what_is_inline_code_and_where(text, want):
    assert found(text) == want
    for _, line, column in want:
        assert text.split("\n")[line - 1][column - 1] == "`"


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# A\n\ntext\n\n## B\n", (1, 5)),
        ("A\n===\ntext\n\nB\n---\n", (1, 5)),
        ("one\ntwo\n---\n", ()),
        ("```\n# no\n```\n\n# yes\n", (5,)),
        ("<!--\n# no\n-->\n\ntext\n", ()),
        ("text\n# A\nmore\n", (2,)),
    ],
)
def test_a_section_is_what_stands_between_two_headings(text, headings):
    prose = inline_code(text)

    assert prose.headings == headings
    assert prose.section(1000) == (headings[-1] if headings else 0)
    assert all(prose.section(line) == line for line in headings)
    assert prose.section(0) == 0


class _Codes(HTMLParser):
    """The texts of <code> outside <pre>, and of <text> in a <g> that the site's figures mark as code."""

    def __init__(self):
        super().__init__()
        self.codes, self.inside, self.pre, self.group = [], 0, 0, False

    def handle_starttag(self, tag, attrs):
        self.pre += tag == "pre"
        self.group = ("class", "d-code") in attrs if tag == "g" else self.group
        if (tag == "code" and not self.pre) or (tag == "text" and self.group):
            self.inside += 1
            self.codes.append("")

    def handle_endtag(self, tag):
        self.pre -= tag == "pre"
        self.inside -= (tag == "code" and not self.pre) or (tag == "text" and self.group)
        self.group = self.group and tag != "g"

    def handle_data(self, data):
        if self.inside:
            self.codes[-1] += data


def rendered(text):
    extensions = ["extra", "admonition", "pymdownx.superfences", "pymdownx.details"]
    text = re.sub(r'^( *```\w*) (?:snippet|unsourced|run)=".*$', r"\1", text, flags=re.M)
    parser = _Codes()
    parser.feed(markdown.markdown(text, extensions=extensions))
    return sorted(" ".join(unescape(code).split()) for code in parser.codes)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_it_is_what_is_rendered(page):
    text = page.read_text(encoding="utf-8")
    codes = sorted(" ".join(one.text.split()) for one in inline_code(text).spans)

    assert codes == rendered(text)


def test_there_is_something_to_hold():
    assert sum(len(rendered(page.read_text(encoding="utf-8"))) for page in PAGES) > 200


@pytest.mark.parametrize(
    "text",
    [
        "\\`no` and `yes`",
        "`a` ``b` `c`` d` `e`",
        "*`a`* [`b`](x) <b>`c`</b>",
        "```a```",
        "`` ` ``",
        "words <code>a</code> and `b`, <code>c\nd</code>",
        "| a |\n| --- |\n| <code>a</code> `b` |\n",
        "## A <code>b</code>\n",
        "<p>a <code>b &lt; c</code></p>\n\n<div><pre><code>no</code></pre><!-- <code>n</code> --><code>y</code></div>",
        "<div>\n<code>a</code>\n</div> <code>behind</code>\n",
        '<div markdown="1">\n\n<code>a</code> `b`\n\n</div>\n',
        "- <code>a</code>\n\n    > `b` <CODE class='x'>c</CODE>\n",
        '<figure><svg class="x"><g class="d-code"><text>a</text><text>b</text></g><text>no</text></svg></figure>',
        "`<code>a</code>` <!-- <code>no</code> -->",
    ],
)
def test_odd_runs_are_as_rendered(text):
    assert sorted(one.text for one in inline_code(text).spans) == rendered(text) != []


def test_a_long_page_of_open_runs_is_no_trouble():
    text = "".join(f"{'`' * (1 + n % 50)} word\n" for n in range(20_000)) + "\n`b`\n"

    assert found(text)[-1] == ("b", 20_002, 1)
