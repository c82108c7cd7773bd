"""What two pages in two languages have in common: headings, anchors, links, sections; held against the rendering."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from compositions import compose
from rendering import SUPER, render

from snippetlock.references.structure import TOP, structure

ROOT = Path(__file__).parents[2]
LOOSE = ("README.md", "REFERENCE.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in LOOSE)])


class Rendered(HTMLParser):
    """The headings, links and images that a rendered page has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.headings: list[tuple[int, str | None]] = []
        self.links: Counter[tuple[bool, str]] = Counter()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), given.get("id")))
        elif tag == "a" and "href" in given and not (given.get("class") or "").startswith("footnote-"):
            self.links[False, given["href"] or ""] += 1
        elif tag == "img" and "src" in given:
            self.links[True, given["src"] or ""] += 1
        elif tag in ("object", "embed") and (shown := given.get("data" if tag == "object" else "src")):
            self.links[True, shown] += 1

    handle_startendtag = handle_starttag


def assert_as_rendered(text, body=None):
    want, seen = Rendered(render(text if body is None else body, [*SUPER, "toc"])), structure(text)

    assert sorted((one.level, one.anchor) for one in seen.headings) == sorted(want.headings), text
    assert Counter((one.image, one.target) for one in seen.links) == want.links, text


TITLES = (
    """
Plain words|Two words here|`code`|`a_b` and __bold__|_soft_ words|snake_case_name|*em* and **strong**
***both***|A [link](a.md "title") in it|[ref][r]|[r]|![alt](x.png) picture|<https://a.example/x>
tags <em>in</em> it|A & B &amp; C|Ünïcode Ärger|中文标题|What? Why!|1. Numbered|a - b -- c
\\*escaped\\* \\_x\\_|`x` { #own }|Own { #own-2 .cls }|{ #only }|With id { id=by-key }
braces {not} a list|Trailing ##|C# and F#|`a` `b`|`` a ` b ``|__init__|_a_b_|a*b*c|e-mail <me@a.example>
emoji 🙂 here|tab\tinside|(parens) [brackets]|"quotes" 'single'|x_y_z and _under_|`{ #code }`|note[^1]
A: b; c|über_straße|<!-- hidden --> seen|**bold `code` [link](b.md)**|a\\`b|Plain words|plain-words
Plain words_1|100%
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

PIECES = (
    """
[a](b.md)|[a](b.md "t")|[a](<b c.md>)|[a](b.md 'x')|[a](x_(y).md)|![i](p.png)|[![i](p.png)](b.md)|[t][r]
[r]|[r][]|[T][R S]|[r  s]|![r]|![t][r]|<https://e.example/?a=1&b=2>|<me@e.example>|<a href="raw.md">x</a>
<img src="i.png" alt="[x] (y)">|`[no](no.md)`|\\[no](no.md)|[no\\](no.md)|[a](b.md#x)|[a](#here)
[a]( b.md )|[a]()|[a [b] c](n.md)|[no]|(b.md)|[x] (y.md)|[`c`](d.md)|[*e*](f.md)|<!-- [no](no.md) -->
[a](b.md?x=1&amp;y=2)|text|**[b](b.md)**|[a][nowhere]|[中文](zh.md)|[a](中.md)|![x](a.png){ width=3 }
[l](m.md){ .c }
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

DEFINED = '\n\n[r]: where.md\n[R S]: <other.md> "title"\n'


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(
    "form", ["# {}\n", "text\n\n### {} ###\n\nmore\n", "{}\n===\n", "{}\n---\ntext\n", "> ## {}\n"]
)
def test_the_anchor_of_a_heading_is_the_rendered_one(title, form):
    assert_as_rendered(form.format(title) + "\n[^1]: note\n" * ("[^1]" in title) + DEFINED)


@pytest.mark.parametrize("seed", range(60))
def test_anchors_of_a_page_are_the_rendered_ones(seed):
    random = Random(seed)
    lines = ["[^1]", ""]
    for _ in range(random.randint(2, 12)):
        kind = random.choice(
            ["{}", "{}", "- {}", "> {}", "    {}", "!!! note\n\n    {}", "text\n{}", "<div markdown>\n\n{}\n\n</div>"]
        )
        lines += [kind.format("#" * random.randint(1, 6) + " " + random.choice(TITLES)), ""]
    assert_as_rendered("\n".join([*lines, "[^1]: A note."]) + DEFINED)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize(
    "form",
    [
        "{}\n",
        "a {} b\n",
        "- {}\n- x\n",
        "> {}\n",
        "# {}\n",
        "| h | i |\n| --- | --- |\n| {} | x |\n",
        "x\n{}\ny\n",
        "    {}\n",
    ],
)
def test_a_link_is_the_rendered_one(piece, form):
    assert_as_rendered(form.format(piece) + DEFINED)


@pytest.mark.parametrize("seed", range(100))
def test_links_of_a_page_are_the_rendered_ones(seed):
    random = Random(seed)
    lines = []
    for _ in range(random.randint(2, 10)):
        kind = random.choice(["{}", "- {}", "> {}", "1. {}", "!!! note\n    {}", "{}.\n{}", "term\n:   {}"])
        # Side by side, what one reference ends with may be what the next begins with: that is for nobody to write.
        gap = random.choice([" and ", ", ", "; ", *(["\nor "] if kind == "{}" else [])])
        said = [gap.join(random.choice(PIECES) for _ in range(random.randint(1, 3))) for _ in range(2)]
        lines += [kind.format(*said), ""]
    assert_as_rendered("\n".join(lines) + DEFINED)


@pytest.mark.parametrize("seed", range(120))
def test_headings_of_nested_pages_are_the_rendered_ones(seed):
    assert_as_rendered(compose(Random(seed)))


def plain(text):
    """A page of this project without what only its extension reads."""
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    # What takes the place of a directive has no heading; the options of other blocks are nothing superfences knows.
    body = re.sub(r'(?m)^( *)```\w* (?:snippet|run)=.*\n *```$|(?<=```)(\w*) unsourced=".*"$', r"\2", body)
    return re.sub(r"(?m)^( *```\w*) (?:unsourced|title)=.*$", r"\1", body)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_this_projects_pages_are_read_as_rendered(page):
    text = page.read_text(encoding="utf-8")
    assert_as_rendered(text, plain(text))


def of(text, anchor):
    return next(one for one in structure(text).sections if one.anchor == anchor)


PLAIN = """---
title: x
---

# One { #one }

A sentence that is long, with `code` and a [link](a.md#b).

- first
- second

| a | b |
| --- | --- |
| c | d |

```python snippet="x"
```

## Two { #two }

```text unsourced="why"
  kept as is

    it stands
```
"""

SAME = {
    "a line wrapped": ("long, with `code`", "long,\nwith `code`"),
    "a line wrapped within code": ("a [link]", "a\n[link]"),
    "blanks at the end of lines": ("sentence that", "sentence   \nthat"),
    "blanks between words": ("A sentence", "A   sentence"),
    "another mark of a list": ("- first\n- second", "* first\n* second"),
    "a table laid out": ("| a | b |\n| --- | --- |\n| c | d |", "| a   | b |\n|:---|---:|\n|c|d|"),
    "more blank lines": ("\n\n- first", "\n\n\n\n- first"),
    "a comment": ("# One", "<!-- nobody sees this -->\n\n# One"),
    "a comment within a paragraph": ("A sentence", "A <!-- `x` --> sentence"),
    "a reference": ("[link](a.md#b).\n", "[link][r].\n\n[r]: a.md#b\n"),
    "the other form of a heading": ("# One { #one }", "One { #one }\n============"),
    "marks behind a heading": ("# One { #one }", "# One # { #one }"),
    "the heading's level": ("# One { #one }", "### One { #one }"),
    "the front matter": ("title: x", "title: y\nmore: z"),
    "a longer fence": ('```python snippet="x"\n```', '~~~~python snippet="x"\n~~~~'),
}

OTHER = {
    "a word": ("sentence", "phrase"),
    "a word of the heading": ("# One", "# The one"),
    "code": ("`code`", "`codes`"),
    "where a link leads": ("a.md#b", "a.md#c"),
    "a paragraph cut in two": (", with", ",\n\nwith"),
    "an item": ("- second", "- second\n- third"),
    "the order of items": ("- first\n- second", "- second\n- first"),
    "the kind of a list": ("- first\n- second", "1. first\n2. second"),
    "a cell": ("| d |", "| e |"),
    "a snippet": ('snippet="x"', 'snippet="y"'),
    "a snippet more": ('```python snippet="x"\n```', '```python snippet="x"\n```\n\n```python snippet="y"\n```'),
    "a marker": ("- first", "<!-- snippetlock: rules -->\n\n- first"),
    "raw HTML": ("- first", "<p>seen</p>\n\n- first"),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_a_digest_stays_when_readers_see_no_difference(old, new):
    assert PLAIN.count(old) == 1
    changed = PLAIN.replace(old, new)

    assert of(changed, "one").digest == of(PLAIN, "one").digest
    assert of(changed, "two").digest == of(PLAIN, "two").digest
    assert of(changed.replace("\n", "\r\n"), "one").digest == of(PLAIN, "one").digest


@pytest.mark.parametrize(("old", "new"), OTHER.values(), ids=OTHER)
def test_a_digest_changes_when_readers_see_a_difference(old, new):
    assert PLAIN.count(old) == 1
    changed = PLAIN.replace(old, new)

    assert of(changed, "one").digest != of(PLAIN, "one").digest
    assert of(changed, "two").digest == of(PLAIN, "two").digest


@pytest.mark.parametrize(("old", "new"), [("as is\n\n", "as is\n"), ("    it", "   it"), ("why", "because")])
def test_in_code_layout_is_what_readers_see(old, new):
    assert of(PLAIN.replace(old, new), "two").digest != of(PLAIN, "two").digest


def test_digests_of_earlier_versions_of_this_tool_stay_valid():
    assert [(one.anchor, one.first, one.last, one.digest) for one in structure(PLAIN).sections] == [
        ("one", 5, 17, "58dbc7d63431571c"),
        ("two", 19, 25, "d08cb0fdf8414cbe"),
    ]


def test_what_stands_above_the_first_heading_is_a_section_where_it_is_something():
    assert [one.anchor for one in structure("words\n\n# A\n").sections] == [TOP, "a"]
    assert [one.anchor for one in structure("---\na: b\n---\n\n# A\n").sections] == ["a"]
    assert structure("").sections == ()


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n[no](a.md)\n```\n",
        "<!-- # no\n\n# no [no](a.md) -->\n",
        "    # no [no](a.md)\n",
        "<div>\n# no\n</div>\n",
        "---\n# no: 1\n---\n",
        "`# no\n[no](a.md)`\n",
        "\\# no \\[no](a.md)\n",
        "text\n\n    # no\n    [no](a.md)\n",
    ],
)
def test_what_only_looks_like_a_heading_or_a_link_is_none(text):
    assert structure(text).headings == structure(text).links == ()


def test_lines_and_columns_are_those_of_the_page():
    text = (
        "---\na: b\n---\n\ufeff".removesuffix("\ufeff")
        + "# A\r\n\r\n>\t[x](y.md)\r\n\r\n- ![i](j.png) 中文 <a href='z'>z</a>\r\n"
    )
    seen = structure(text)

    assert [(one.line, one.title) for one in seen.headings] == [(4, "A")]
    assert [(one.line, one.column, one.target) for one in seen.links] == [(6, 3, "y.md"), (8, 3, "j.png"), (8, 18, "z")]
    for one in seen.links:
        assert text.split("\n")[one.line - 1][one.column - 1] in "[!<"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000, "![" * 10_000, "[a](" * 10_000, "(" * 20_000, "<a " * 10_000, '<a b="' * 10_000, "[a]" * 10_000,
        "# " + "_" * 20_000 + "a" + "_" * 20_000, "# " + "*a" * 10_000, "# A\n" * 10_000, "#\n" * 5_000, "{#" * 10_000,
        "# " + "`" * 10_000, "# x {" + " #a" * 10_000, "<!-- " * 10_000, "[r]: a\n" * 10_000, "[^a]" * 10_000,
        "<" * 20_000, "x <!-- c --> `y` " * 5_000, "[![" * 5_000 + "](a)" * 10_000, "<a@" * 10_000,
        "# " + "[a](b) " * 5_000,
    ],
)  # fmt: skip
def test_hostile_pages_are_read_in_linear_steps(text):
    structure(text)  # a quadratic reading takes minutes here


SETS = {
    "a.svg": ["a.svg"],
    "a.svg 2x": ["a.svg"],
    "a.png, b.svg 2x": ["a.png", "b.svg"],
    "a.png 1x,b.svg 2x": ["a.png", "b.svg"],
    " a.png 100w ,\n b,c.svg 200w , ": ["a.png", "b,c.svg"],
    "": [],
    ",": [],
}


@pytest.mark.parametrize("value", SETS)
def test_every_picture_that_a_set_of_sources_names(value):
    shown = structure(f'<picture>\n<source srcset="{value}">\n</picture>\n').links

    assert [(link.image, link.target) for link in shown] == [(True, target) for target in SETS[value]]


def test_what_shows_a_file_is_seen_as_it_is_rendered():
    assert_as_rendered(
        '<p><object data="a.svg">a</object> <embed src="b.svg"></p>\n\nAnd <embed src="c.svg" /> here.\n'
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_this_projects_tables_have_the_rows_that_are_rendered(page):
    text = page.read_text(encoding="utf-8")
    body = re.sub(r"<!-- claim:.*?-->", "", plain(text), flags=re.S)  # the extension's to read
    rendered = re.findall("<table.*?</table>", render(body, [*SUPER, "toc"]), re.S)
    want = [each.partition("</thead>")[2].count("<tr") for each in rendered]
    assert [each.rows for each in structure(text).tables] == want
