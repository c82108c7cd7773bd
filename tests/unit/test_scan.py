"""The scanner: what it sees in pages, that it agrees with what is rendered, and that nothing stops it."""

from __future__ import annotations

import random

import casefile
import pytest
from compositions import compose
from hostile import PAGES
from rendering import PLAIN, SUPER, published, render

from snippetlock.references import Block, Scan, scan
from snippetlock.references.lines import cut, expand
from snippetlock.references.places import address, relative, source_view
from snippetlock.references.places import published as published_at


def dump(found: Scan) -> str:
    lines = [f"front matter {found.front}"] if found.front else []
    pieces = [(b.first, _block(b)) for b in found.blocks]
    pieces += [(m.first, [f"marker {m.first}-{m.last} {m.name}{_prefix(m.prefix)}"]) for m in found.markers]
    pieces += [(c.first, [f"comment {c.first}-{c.last}{_prefix(c.prefix)}"]) for c in found.comments]
    for _, said in sorted(pieces, key=lambda piece: piece[0]):
        lines += said
    for p in found.problems:
        lines += [f"problem {p.line}:{p.column}: {p.message}", f"  mend: {p.mend}"]
    return "\n".join(lines)


def _block(b: Block) -> list[str]:
    options = "".join(f" {name}={value!r}" for name, value in b.options.items())
    note = f" footnote={b.footnote}" if b.footnote else ""
    closed = "" if b.closed else " (open)"
    language = f" {b.language}" if b.language else ""
    head = f"{b.kind} {b.first}-{b.last}{language}{options}{_prefix(b.prefix)}{note}{closed}"
    return [head, *(f"  |{line}" for line in b.content)]


def _prefix(prefix: str) -> str:
    return f" prefix={prefix!r}" if prefix else ""


@casefile.each("scan.case")
def test_cases(case, golden):
    golden(case, dump(scan(case["input"])))


def test_columns_of_options_and_the_parts_of_a_block():
    (block,) = scan('text\n\n> ```python   snippet="a"\n> ```\n').blocks
    assert (block.snippet, block.unsourced, block.diagram, block.columns["snippet"]) == ("a", None, "", 15)
    assert (block.info, block.text, block.closed) == ('python   snippet="a"', "", True)
    (other,) = scan("```text unsourced='r'\na\n\nb\n```").blocks
    assert (other.snippet, other.unsourced, other.text) == (None, "r", "a\n\nb\n")
    assert [b.snippet for b in scan('```py snippet="x"\n```\n\n    code\n').blocks] == ["x", None]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("graph LR", "graph"),
        ("  flowchart TD;", "flowchart"),
        ("sequenceDiagram", "sequenceDiagram"),
        ("gitGraph:", "gitGraph"),
        ("pie title x", "pie"),
        ("%% a remark\n\nstateDiagram-v2", "stateDiagram-v2"),
        ("%%{init: {\n  'theme': 'x'\n}}%%\ngantt", "gantt"),
        ("---\ntitle: import os\n---\nmindmap", "mindmap"),
        ("import os", ""),
        ("graph = build()", ""),
        ("timeline: int = 3", ""),
        ("graph: Graph = build()", ""),
        ("graph(1)", ""),
        ("Graph LR", ""),
        ("graphs", ""),
        ("%% graph", ""),
        ("---\ngraph LR", ""),
        ("", ""),
    ],
)
def test_a_diagram_begins_like_one(head, kind):
    (block,) = scan(f"```mermaid\n{head}\n    a --> b\n```\n").blocks
    assert block.diagram == kind


def test_what_says_what_it_is_or_is_of_another_language_is_no_diagram():
    page = "```text\ngraph LR\n```\n\n```mermaid unsourced='r'\ngraph LR\n```\n\n    graph LR\n"
    assert [block.diagram for block in scan(page).blocks] == ["", "", ""]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end):
    page = '# t\n\n```python snippet="a"\n```\n\n- i\n\n    ~~~text unsourced="r"\n    a\n\n    b\n    ~~~\n'
    assert dump(scan(page.replace("\n", end))) == dump(scan(page))


def test_only_line_ends_end_lines():
    (block,) = scan('```text unsourced="r"\na\x0cb\u2028c\x85d\n```\n').blocks
    assert block.content == ("a\x0cb\u2028c\x85d",)


def test_front_matter_only_where_it_may_stand():
    page = "---\na: 1\n---\n\ntext\n"
    assert scan(page).front == 3
    assert scan(page, front=False).front == 0
    assert scan("").front == 0


def test_blank_lines_with_spaces_stay_in_the_text_and_end_no_container():
    (block,) = scan('- i\n\n    ```text unsourced="r"\n    a\n      \n\n    b\n    ```\n').blocks
    assert block.content == ("a", "  ", "", "b")


@pytest.mark.parametrize(
    ("raw", "width", "left"),
    [
        ("    x", 4, "x"),
        ("\tx", 4, "x"),
        ("\tx", 2, "  x"),
        ("  \tx", 4, "x"),
        ("\t", 6, ""),
        ("", 3, ""),
        ("\t", 1, "   "),
    ],
)
def test_cut_counts_columns(raw, width, left):
    assert cut(raw, width) == left


def test_expand_is_python_markdowns_normalisation():
    for line in ("\ta\tb", "ab\tc", "   \t ", "\x02a\x03", "a\t", ""):
        told = line.replace("\x02", "").replace("\x03", "").expandtabs(4)
        assert expand(line) == (told if told.strip(" ") else "")


def test_places():
    at = [published_at(name, language, ("en", "zh")) for name, language in [("index.md", "en"), ("a/b.zh.md", "zh")]]
    assert at == ["index.html", "zh/a/b/index.html"]
    assert published_at("a/README.md", "en", ("en",)) == "a/index.html"
    assert published_at("a.zh.md", "zh", ("en", "zh"), directories=False) == "zh/a.html"
    assert (address("index.html"), address("a/index.html"), address("a.html")) == ("", "a/", "a.html")
    assert source_view("m/x.py", "zh", ("en", "zh")) == "zh/sources/m/x.py.html"
    assert relative("sources/m/x.py.html", "") == "sources/m/x.py.html"
    assert relative("zh/sources/m/x.py.html", "zh/a/") == "../sources/m/x.py.html"
    assert relative("a/", "sources/m/x.py.html") == "../../a/"
    assert relative("", "a.html") == "./"


# What is scanned is what is rendered


def agrees(page: str) -> bool:
    """Whether a renderer shows the blocks that the scanner sees, in order, those of footnotes last."""
    page = "\n".join(expand(line) for line in page.split("\n"))
    found = scan(page, front=False)
    assert not found.problems, found.problems
    body = [_words(b.text) for b in found.blocks if not b.footnote]
    notes = [_words(b.text) for b in found.blocks if b.footnote]
    shown = [_words(text) for text in published(render(page, SUPER))]
    return shown[: len(body)] == body and sorted(shown[len(body) :]) == sorted(notes)


def _words(text: str) -> str:
    """The text without its blank lines: renderers trim and repeat those of code that has no fence."""
    return "\n".join(line for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("seed", range(400))
def test_agrees_with_the_renderer_on_compositions_of_containers(seed):
    page = compose(random.Random(seed))
    assert agrees(page), page


HANDWRITTEN = {
    "fence right behind a paragraph": "text\n```py\nx\n```\ntext\n",
    "fence with blanks before it": "  ```py\n  x\n    y\n  ```\n",
    "loose and tight lists": "- a\n- b\n\n    ```py\n    x\n    ```\n- c\n\n- d\n\n        y\n",
    "list in list by two blanks is no nesting": "- a\n  - b\n\n    text\n\n        code\n",
    "code after a list and a heading": "- a\n\n# h\n\n    code\n",
    "code after a list and a comment": "- a\n\n<!-- c -->\n\n    code\n",
    "lazy lines in a list": "- a\nlazy\n\n    text\n",
    "lazy lines in a quote": "> a\nlazy\n\n    code\n",
    "two blank lines end a footnote": "a[^1]\n\n[^1]: n\n\n    in\n\n\n    code\n",
    "footnotes one behind the other": "a[^1] b[^2]\n\n[^1]: n\n[^2]: m\n\n    ```py\n    x\n    ```\n",
    "footnote behind text, lazily": "a[^1]\n[^1]: n\nlazy\n\n    in\n\n        code\n",
    "link definitions": "[a]: http://x\n    code\n",
    "setext headings": "a\n===\n    code\n\nb\n---\n\n    code\n",
    "rules": "a\n\n***\n\n    code\n\n- - -\n",
    "a rule in a list": "- a\n\n    ---\n\n    text\n",
    "generic blocks": "/// admonition | t\n\n    code\n\n```py\nx\n```\n///\n\n    code\n",
    "generic blocks with options": "/// admonition | t\n    type: note\n\ntext\n\n    code\n\n///\n\n    after\n",
    "generic blocks nested": "//// admonition | t\n\n/// admonition | u\n\n    in\n\n///\n\n    mid\n\n////\n",
    "nested admonitions with lists": "!!! note\n    - a\n\n        b\n\n            code\n\n    c\n\n        code\n",
    "tabs with lists": '=== "a"\n\n    - b\n\n        text\n\n=== "c"\n\n        code\n',
    "definition lists": "a\n:   b\n\n    text\n\n        code\n\nc\n\n:   d\n    e\n\n    f\n:   g\n",
    "a colon that defines nothing": ": a\n\n    code\n",
    "elements in elements": "<div markdown>\n\n    a\n\n<div markdown>\n\n```\nx\n```\n\n</div>\n\n</div>\n\n    b\n",
    "raw elements": "<div>\n    raw\n</div>\n\n    code\n",
    "an element's tail": "<div>x</div> tail\n    more\n\n    code\n",
    "markdown=span": '<p markdown="span">\n    x\n</p>\n\n    code\n',
    "comments with text behind them": "<!-- a --> text\n\n    code\n\n <!-- b --> text\n    more\n",
    "a table": "| a | b |\n|---|---|\n| `x` | y |\n\n    code\n",
    "headings in lists": "- # h\n    text\n\n    # i\n    text\n",
    "three blanks": "   a\n\n    code\n\n   - b\n\n        text\n",
    "numbers without a dot": "1 a\n\n    code\n",
    "a list of lists": "- - a\n\n        text\n",
    "quotes with code": ">     code\n>\n> - a\n>\n>     text\n>\n>         code\n",
    "a generic block behind text": "text\n/// admonition | t\n\n    code\n///\ntext\n\n/// admonition | x\n\n    b\n",
    "a list that starts with a list": "    * * a\n        * b\n\n- * c\n    * d\n\n        e\n\n            code\n",
    "lazy definitions": "a\n: b\nlazy\n\n    c\n\n        code\n",
    "loose definitions": "a\n\n: b\n\n    c\n\n: d\n\n    e\n\n        code\n\nf\n:   g\n    h\ni\n: j\n",
    "a footnote at the end of another": "x[^1] y[^2]\n\n[^1]: a\n\n    b\n[^2]: c\n\n    d\n\n        code\n",
    "a footnote's last lines": "x[^1] y[^2]\n\n[^1]: a\n\n    b\n    c\n[^2]: d\n",
    "an empty item": "-   \n    a\n\n    b\n\n-   \n\ntext\n",
    "a heading in a loose list": "- a\n\n- # h\n    b\n\n    c\n",
    "definitions of links among text": "text\n[a]: http://x\nmore\n\n    code\n",
    "tabs that are new or chosen": '===+ "a"\n\n    text\n\n===! "b"\n\n        code\n\n=== "c"\n    text\n',
    "a comment before text in a list": "- i\n\n    <!-- a --> text\n\n    <!-- b\n    c --> text\n\n        code\n",
    "a comment in a paragraph": "text <!-- a\nb --> text\n\n    code\n\ntext <!-- c\n\n    code\n",
    "an end tag of nothing": "</div>\n\n    code\n",
    "an element in one line": "<div markdown>x</div>\n\n    code\n\n<div markdown> y\n\n    z\n\n</div>\n\n    code\n",
    "another element's end tag": "<div markdown>\n\n</p>\n\n    code\n\n</div>\n\n    code\n",
    "elements with long tags": '<div class="a"\n     markdown="1">\n\n    code\n\n</div>\n\n    code\n',
    "quotes side by side": "> a\n\n> b\n\n    code\n",
    "empty lines at both ends": "\n\n\n    code\n\n\n",
}


@pytest.mark.parametrize("title", HANDWRITTEN)
def test_agrees_with_the_renderer_on_pages_by_hand(title):
    assert agrees(HANDWRITTEN[title])


@pytest.mark.parametrize("extensions", [PLAIN, SUPER], ids=["fenced_code", "superfences"])
def test_agrees_with_both_fence_extensions_at_the_top_level(extensions):
    page = "a\n\n```py\nx\n\n  y\n```\n\n~~~~ text\n```\n~~~\n~~~~\n\n    code\n\n``` { .py }\nz\n```\n"
    assert [_words(text) for text in published(render(page, extensions))] == [_words(b.text) for b in scan(page).blocks]


# Hostile


# What a hostile page of 1,500 has of its own: blocks, and problems with the first of their messages.
OWN = {
    "unclosed fences": (1500, 1500, "the block opened here is never closed"),
    "unclosed fences behind prefixes": (1500, 1500, "the block opened here is never closed"),
    "comments": (0, 1500, "the comment opened here is never closed"),
    "pre": (1, 0, ""),
    "pre in text": (1, 0, ""),
    "backticks": (0, 1, "a directive inside a line of text is never filled"),
    "misplaced directives": (0, 1500, "a directive inside a line of text is never filled"),
    "options": (1, 1500, "unknown option 'a'"),
    "quotation marks": (1, 750, "unknown option 'a'"),
}


@pytest.mark.parametrize("title", PAGES)
def test_a_page_that_is_all_marks_is_read_to_its_end(title):
    """How long it takes is for `benchmarks/growth.py`; here nothing in it is missed, nor what stands around it."""
    marks = PAGES[title](1500)
    page = "```py\nfirst\n```\n\n" + marks
    found = scan(page)
    assert (found.blocks[0].content, found.blocks[0].last) == (("first",), 3)
    messages = [problem.message for problem in found.problems]
    assert (len(found.blocks) - 1, len(messages), "".join(messages[:1])) == OWN.get(title, (0, 0, ""))
    places = [(block.first, block.last) for block in found.blocks]
    assert places == sorted(places)
    assert all(1 <= first <= last <= page.count("\n") + 1 for first, last in places)

    assert scan(f"{marks}\n\n```py\nlast\n```\n").blocks[-1].content[-1] == "last"


def test_hostile_pages_are_those_that_are_told_of():
    assert set(OWN) <= set(PAGES)


def test_deep_nesting_is_no_recursion():
    for page in ("> " * 5000 + "a", "- " * 5000 + "a", "".join(" " * 4 * i + "- a\n" for i in range(300))):
        scan(page)
