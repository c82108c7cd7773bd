"""The Markdown extension: bytes at every depth, captions and addresses, errors, and what builders tell it."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import casefile
import pytest
from fakes import FakeProject, snippet
from markdown import Markdown
from rendering import COMMON, NONE, PLAIN, SUPER, published, render

from snippetlock import extension
from snippetlock.errors import SnippetlockError
from snippetlock.extension import SnippetlockExtension


@pytest.fixture(autouse=True)
def held():
    """No test leaves a project behind for the next."""
    yield extension.held
    extension.held.project, extension.held.serving, extension.held.page = None, False, None


def fill(text: str, project: FakeProject, extensions=SUPER, **options) -> str:
    extension.held.project = project
    return render(text, [*extensions, SnippetlockExtension(**options)])


# Bytes

TEXTS = {
    "plain": "def f(x):\n    return x\n",
    "tab": "def f():\n\treturn '\t'\n",
    "blank lines with spaces": "def f():\n    \n  \n\n    return 1\n",
    "backticks": 'def f():\n    """\n    ```python\n    f()\n    ```\n\n    ````\n    """\n',
    "HTML-like": "x = '<b>&amp;</b> & <!-- c --> </code></pre> <pre>' < y\n",
    "blank lines at both ends": "\n\n\nx = 1\n\n\n",
    "no final newline": "x = 1",
    "blanks at the end": "x = 1   \n  ",
    "carriage returns": "x = 1\r\n\ry = 2\r",
    "form feed and separators": "a = 1\x0c\nb = '\u2028\x85'\n\x0b\n",
    "placeholders": "x = 'klzzwxh:0003' 'wzxhzdk:0' '{{ x }}' '*a* _b_ [c](d)'\n",
    "longer than a screen": "".join(f"x{n} = {n}\n" for n in range(300)),
    "CJK and emoji": "s = '核 🚀'\n",
    "a syntax error": "def def ':\n",
}
DEPTHS = {
    "top": "{}",
    "list": "- item\n\n{4}\n\n    text",
    "tight list": "- item\n{4}",
    "nested list": "1. item\n\n    - item\n\n{8}\n\n    text",
    "quote": "> text\n>\n{> }\n>\n> text",
    "quote in quote": "> > {> > }",
    "list in quote": "> - item\n>\n{>     }",
    "admonition": "!!! note\n\n{4}\n\n    text",
    "details": "??? note\n    text\n\n{4}",
    "tab": '=== "a"\n\n{4}\n\n=== "b"\n\n    text',
    "definition": "term\n:   definition\n\n{4}",
    "footnote": "text[^1]\n\n[^1]: note\n\n{4}",
    "element": "<div markdown>\n\n{}\n\n</div>",
    "raw element": "<div>\n{}\n</div>",
    "admonition in a list in a tab": '=== "a"\n\n    - item\n\n        !!! note\n\n{12}',
}


def page_at(depth: str) -> str:
    """A page with the directive `a` at a depth, between two others at the top."""
    lines = []
    for line in DEPTHS[depth].split("\n"):
        before, brace, rest = line.partition("{")
        if not brace:
            lines.append(line)
            continue
        prefix = rest.removesuffix("}")
        prefix = " " * int(prefix) if prefix.isdigit() else prefix or before
        lines += [f'{prefix}```python snippet="a"', f"{prefix}```"]
    body = "\n".join(lines)
    return f'# t\n\n```python snippet="first"\n```\n\n{body}\n\n# end\n\n~~~ snippet="last"\n~~~\n'


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("extensions", [NONE, PLAIN, SUPER], ids=["none", "fenced_code", "superfences"])
def test_what_is_published_is_the_snippet_byte_for_byte(extensions, text, depth):
    project = FakeProject([snippet("first", "first = 1\n"), snippet("a", TEXTS[text]), snippet("last", "last = 1\n")])
    shown = published(fill(page_at(depth), project, extensions))
    wanted = ["first = 1\n", TEXTS[text], "last = 1\n"]
    if depth == "footnote":
        wanted = [wanted[0], wanted[2], wanted[1]]
    assert shown == wanted


@pytest.mark.parametrize("extensions", [NONE, PLAIN, SUPER], ids=["none", "fenced_code", "superfences"])
def test_an_unsourced_block_keeps_its_bytes_too(extensions):
    page = '- i\n\n\t```make unsourced="a recipe"\n\tall: a\n\t\tcc\n\t  \n\n\t<b> ```\n\t```\n\ntext\n'
    html = fill(page, FakeProject(), extensions)
    assert published(html) == ["all: a\n\tcc\n  \n\n<b> ```\n"]
    assert "a recipe" in html


def test_typed_in_code_of_any_kind_becomes_a_box_while_serving():
    extension.held.serving = True
    page = (
        '- i\n\n    ```python\n    x = 1\n    ```\n\n        y = 1\n\ntext\n\n    ```python snippet="shown"\n    ```\n'
    )
    html = fill(page, FakeProject())
    assert html.count('role="alert"') == 3
    assert "<pre><code>" not in html
    assert "x = 1" in html


def test_a_diagram_is_left_alone():
    assert [t.strip() for t in published(fill("```mermaid\ngraph LR\n```\n", FakeProject()))] == ["graph LR"]


def test_a_fence_in_a_comment_is_not_shown():
    page = "- i\n\n    <!--\n\n    ```python\n    x\n    ```\n\n    -->\n\ntext\n"
    html = fill(page, FakeProject())
    assert published(html) == []
    assert "x" not in html.replace("text", "")


CLAIM = "<!-- claim: exists(kit/*.yaml:*[tool][not b]) and _x_ == *y* -->"


@pytest.mark.parametrize("text", ["{}", "| a |\n| --- |\n| c {} |", "- d {}", "e {} f"])
def test_what_a_claim_says_is_neither_link_nor_emphasis(text):
    links = "\n\n[not b]: https://example.org/\n"
    shown = fill(f"# A\n\n{text.format(CLAIM)}{links}", FakeProject({}))
    assert CLAIM in shown
    assert "<a" not in shown
    assert '<a href="https://example.org/">tool</a>' in fill(f"# A\n\n[tool][not b]{links}", FakeProject({}))


def test_a_claim_in_a_code_span_is_code_and_one_without_an_end_is_text():
    assert "<code>&lt;!-- claim: 1 --&gt;</code>" in fill("`<!-- claim: 1 -->`", FakeProject({}))
    assert "&lt;!-- claim: 1" in fill("a <!-- claim: 1", FakeProject({}))


def test_other_comments_stay():
    page = "<!--\na comment\n-->\n\n<!-- another -->\n"
    assert "a comment" in fill(page, FakeProject())


# Captions and addresses


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("index.md", "sources/demo/a.py.html#L3-L4"),
        ("guide/a.md", "../../sources/demo/a.py.html#L3-L4"),
        ("guide/a.zh.md", "../../sources/demo/a.py.html#L3-L4"),
        ("index.zh.md", "sources/demo/a.py.html#L3-L4"),
    ],
)
def test_the_caption_links_to_the_source_view_of_its_language(name, address):
    html = fill('```python snippet="a"\n```', FakeProject([snippet("a", "x\ny\n")]), page=name)
    assert f'href="{address}"' in html


def test_the_address_of_source_views_can_be_given():
    html = fill('``` snippet="a"\n```', FakeProject([snippet("a", "x\n")]), sources="https://example.org/src/")
    assert 'href="https://example.org/src/demo/a.py.html#L3"' in html


def mkdocs_file(project, page: str, name: str, url: str, directories: bool = True, **more) -> str:
    """Render with a `relpath` tree processor as MkDocs registers it."""
    extension.held.project = project
    md = Markdown(extensions=[*COMMON, SnippetlockExtension(**more)])
    from markdown.treeprocessors import Treeprocessor

    relpath = Treeprocessor(md)
    relpath.run = lambda root: None
    relpath.file = SimpleNamespace(src_uri=name, url=url, use_directory_urls=directories)
    md.treeprocessors.register(relpath, "relpath", 0)
    return md.convert(page)


def test_mkdocs_says_which_page_it_is():
    project = FakeProject([snippet("a", "x\n")], {"guide/a.zh.md": "x"})
    page = '```python snippet="a"\n```'
    assert 'href="../../sources/demo/a.py.html#L3"' in mkdocs_file(project, page, "guide/a.zh.md", "zh/guide/a/")
    assert 'href="../sources/demo/a.py.html#L3"' in mkdocs_file(
        project, page, "guide/a.zh.md", "zh/guide/a.html", False
    )
    assert 'href="sources/demo/a.py.html#L3"' in mkdocs_file(project, page, "index.md", "./")
    assert "第 3 行" in mkdocs_file(project, page, "guide/a.zh.md", "zh/guide/a/")


def test_the_verification_page_is_generated_where_its_marker_stands():
    pages = {
        "index.md": '# Home `x` { #home }\n\n```python snippet="a"\n```\n\n```text unsourced="a <reason>"\nx\n```\n',
        "index.zh.md": '```python snippet="a"\n```\n',
        "check.md": "<!-- snippetlock: verification -->\n",
    }
    project = FakeProject([snippet("a", "x\n"), snippet("b", "y\n", path="top.py")], pages)
    html = fill("text\n\n- i\n\n    <!-- snippetlock: verification -->\n", project, page="check.md")
    assert 'href="../sources/demo/a.py.html#L3"' in html
    assert 'href="../" hreflang="en">Home x</a>' in html
    assert "2 quotations from 2 files, on 2 pages in 2 languages." in html
    assert 'href="../zh/" hreflang="zh" title="index.zh.md">中文</a>' in html
    assert "a &lt;reason&gt;" in html
    assert "docs/index.md:6" in html
    assert "<code>top.py</code>" in html.replace("<wbr>", "")
    assert "nowhere" in html
    assert "demo.whl" in html
    assert html.index("<li>") < html.index("snippetlock-record") < html.index("</li>")
    assert "None: every code block" in fill("<!-- snippetlock: verification -->", FakeProject([], {"index.md": "x"}))


def test_the_record_lists_diagrams_where_there_are_any():
    pages = {"index.md": "# Home\n\n```mermaid\ngraph LR\n```\n", "index.zh.md": "x\n"}
    marker = "<!-- snippetlock: verification -->"
    html = fill(marker, FakeProject([], pages))
    assert "Diagrams (1)" in html
    assert "<code>docs/index.md:3</code></a></td><td><code>graph</code></td>" in html
    assert "图示（1 幅）" in fill(marker, FakeProject([], pages), page="check.zh.md")
    assert "Diagrams" not in fill(marker, FakeProject([], {"index.md": "```mermaid unsourced='r'\ngraph LR\n```\n"}))


def test_the_record_of_a_folder_says_which():
    project = FakeProject([], {"index.md": "x"})
    project.pin = replace(project.pin, kind="folder", folder="../lib", version="", repository=None)
    html = fill("<!-- snippetlock: verification -->", project)
    assert "<code>../lib</code>" in html
    assert "Version" not in html
    assert "Developed at" not in html


# Errors


@casefile.each("directives.case")
def test_what_is_said_of_pages(case, golden):
    project = FakeProject(
        [snippet("good", "x\n"), snippet("broken", "y\n"), snippet("twice", "z\n")], {"page.md": case["input"]}
    )
    project.break_snippet("broken")
    project.define_twice("twice")
    page = case["input"]
    if page.startswith("---"):
        page = page.split("---\n", 2)[2].lstrip("\n")  # what MkDocs hands on
    try:
        fill(page, project, page="page.md")
        golden(case, "published")
    except SnippetlockError as error:
        golden(case, str(error))


def test_mkdocs_gets_its_own_error(monkeypatch):
    class BuildError(Exception):
        pass

    monkeypatch.setitem(sys.modules, "mkdocs.exceptions", SimpleNamespace(BuildError=BuildError))
    with pytest.raises(BuildError, match=r"^docs/a.md:1:11: no definition has the id 'a'"):
        mkdocs_file(FakeProject(), '```python snippet="a"\n```', "a.md", "a/")


def test_while_serving_a_box_says_what_is_wrong_and_the_rest_is_shown():
    extension.held.serving = True
    project = FakeProject([snippet("a", "good\n")])
    page = (
        '# t\n\n- i\n\n    ```python snippet="no"\n    ```\n\n```python snippet="a"\n```\n\nx ```py snippet="a" ``` y\n'
    )
    html = fill(page, project, page="a.md")
    assert html.count('role="alert"') == 2
    assert "docs/a.md:5:15: no definition has the id" in html
    assert "docs/a.md:11:3: a directive inside a line of text" in html
    assert "good\n" in published(html)


def test_without_mkdocs_a_page_has_no_name():
    with pytest.raises(SnippetlockError, match=r"^this page:1:11: "):
        fill('```python snippet="a"\n```', FakeProject())


def test_the_page_that_another_extension_changed_is_read_as_it_is_now():
    from markdown.extensions import Extension
    from markdown.preprocessors import Preprocessor

    class Prepend(Preprocessor):
        def run(self, lines):
            return ["added", "", *lines]

    class Adding(Extension):
        def extendMarkdown(self, md):
            md.preprocessors.register(Prepend(md), "adding", 35)

    extension.held.project = FakeProject([snippet("a", "x\n")])
    html = render('```python snippet="a"\n```', [*SUPER, Adding(), SnippetlockExtension()])
    assert published(html) == ["x\n"]


def test_what_another_extension_renders_within_a_page_is_none_of_the_page():
    extension.held.project = FakeProject([snippet("a", "x\n")])
    file = SimpleNamespace(src_uri="a.md", url="a/", use_directory_urls=True)

    def rendering():
        made = Markdown(extensions=[*SUPER, SnippetlockExtension()])
        made.treeprocessors.register(SimpleNamespace(file=file, run=lambda root: None), "relpath", 0)
        return made

    page = '```python snippet="a"\n```'
    assert published(rendering().convert(page)) == ["x\n"]
    assert published(rendering().convert("An example:\n\n```python\ny = 1\n```")) == ["y = 1\n"]
    assert published(rendering().convert(page)) == ["x\n"]  # the page itself once more
    file = SimpleNamespace(src_uri="b.md", url="b/", use_directory_urls=True)
    from mkdocs.exceptions import BuildError  # once it is loaded, by whichever test, it is what builders hear

    with pytest.raises(BuildError, match=r"^docs/b\.md:3: a code block"):
        rendering().convert("An example:\n\n```python\ny = 1\n```")


def test_a_project_is_found_from_its_root(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(extension, "open_project", lambda root, cache: opened.append(root) or FakeProject())
    monkeypatch.setattr(extension, "find_root", lambda start: start / "found")
    monkeypatch.chdir(tmp_path)
    render("text", [SnippetlockExtension(root=str(tmp_path / "given"))])
    render("text", [extension.makeExtension()])
    assert opened == [tmp_path / "given", tmp_path / "found"]
