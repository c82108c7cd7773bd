"""What a published block says beside its code: a changed word, number or link is one finding, where it was done."""

from __future__ import annotations

import pytest
from fakes import FakeProject, snippet
from rendering import SUPER, preformatted, render, write_source_views

from snippetlock import extension
from snippetlock.extension import SnippetlockExtension
from snippetlock.references.places import published
from snippetlock.references.published import Figure
from snippetlock.workflow.proof import proof

COMMIT = "0123456789" * 4
FILE = "".join(f"line_{n} = {n}\n" for n in range(1, 40))
PAGES = {
    "guide/a.md": '```python snippet="one"\n```\n\n- i\n\n    ```python snippet="cut"\n    ```\n',
    "guide/a.zh.md": '```python snippet="one"\n```\n',
}
BESIDE = "what is published beside {} is not what the snippet says"


@pytest.fixture
def project(tmp_path):
    snippets = [
        snippet("one", "a = 1\nb = 2\n"),
        snippet("cut", "c = 1\n# …\ne = 3\n", first=10, numbers=(10, None, 12)),
        snippet("twin", "a = 1\nb = 2\n", first=20),
    ]
    yield FakeProject(snippets, PAGES, root=tmp_path, files={"demo/a.py": FILE}, commit=COMMIT)
    extension.held.project = None


@pytest.fixture
def site(project):
    extension.held.project = project
    folder = project.config.root / "site"
    for page in project.pages:
        file = folder / published(page.name, page.language, ("en", "zh"))
        file.parent.mkdir(parents=True, exist_ok=True)
        body = render(page.text, [*SUPER, SnippetlockExtension(page=page.name)])
        file.write_text(f"<!doctype html>\n<body>{body}</body>\n", "utf-8")
    write_source_views(project, folder)
    return folder


def edit(file, old, new):
    text = file.read_text("utf-8")
    assert text.count(old) == 1, (text.count(old), text)
    file.write_text(text.replace(old, new), "utf-8")


def said(project, site):
    return [(f.rule, str(f.place), f.message, f.evidence) for f in proof(project, site).findings]


def test_a_clean_site_is_clean(project, site):
    assert said(project, site) == []


ONE, CUT = "demo/a.py lines 3–4 · demo 1.2 · in the repository", "demo/a.py lines 10–12 · abridged · demo 1.2"
LINK = "../../sources/demo/a.py.html#L3-L4"
FAULTS = [
    (">lines 3–4<", ">lines 4–4<", "the caption", ONE, ONE.replace("3–4", "4–4")),
    (
        "<code>demo/<wbr>a.py</code> <span>lines 3",
        "<code>demo/<wbr>b.py</code> <span>lines 3",
        "the caption",
        ONE,
        "demo/b.py",
    ),
    (
        '<span class="snippetlock-pin">demo 1.2</span> <span class="snippetlock-dot" aria-hidden="true">·</span> '
        f'<a class="snippetlock-repository" href="https://example.org/demo/blob/{COMMIT}/src/demo/a.py#L3-L4"',
        '<span class="snippetlock-pin">demo 1.3</span> <span class="snippetlock-dot" aria-hidden="true">·</span> '
        f'<a class="snippetlock-repository" href="https://example.org/demo/blob/{COMMIT}/src/demo/a.py#L3-L4"',
        "the caption",
        ONE,
        "demo 1.3",
    ),
    (LINK, LINK.replace("L3", "L30"), "the link to the source view", "a.py.html#L3-L4", "a.py.html#L30-L4"),
    (LINK, LINK.partition("#")[0], "the link to the source view", "#L3-L4", "sources/demo/a.py.html'"),
    (LINK, LINK.replace("a.py", "b.py"), "the link to the source view", "demo/a.py", "demo/b.py"),
    (LINK, LINK.replace("../../", "../"), "the link to the source view", "'sources/", "'guide/sources/"),
    (LINK, "https://evil.example/sources/x.html#L3-L4", "the link to the source view", "demo/a.py", "evil.example"),
    (f' href="{LINK}"', "", "the link to the source view", "demo/a.py", "published ''"),
    ("src/demo/a.py#L3-L4", "src/demo/a.py#L3-L5", "the link into the repository", "#L3-L4", "#L3-L5"),
    ("demo/a.py, lines 3–4", "demo/a.py, lines 3–5", "the caption as it is read aloud", "3–4", "3–5"),
    ('data-snippet="one"', 'data-snippet="two"', "the id", "'one'", "'two'"),
    ('<span data-n="4">', '<span data-n="5">', "the number of line 2", "'4'", "'5'"),
    ('<span data-n="4">', "<span>", "the number of line 2", "'4'", "nothing"),
]


@pytest.mark.parametrize(("old", "new", "what", "wanted", "published"), FAULTS)
def test_each_thing_beside_the_code_is_held(project, site, old, new, what, wanted, published):
    page = site / "guide/a/index.html"
    before = page.read_text("utf-8")
    edit(page, old, new)
    ((rule, place, message, evidence),) = said(project, site)

    assert (rule, place, message) == ("SL121", "docs/guide/a.md:1", BESIDE.format("'one'"))
    assert (evidence[0], evidence[1]) == ("published at site/guide/a/index.html:2", f"{what}:")
    assert [line.partition(" ")[0] for line in evidence[2:]] == ["wanted", "published"]
    assert (wanted in evidence[2], published in evidence[3]) == (True, True)

    page.write_text(before, "utf-8")
    assert said(project, site) == []


def test_a_mark_that_was_taken_away_is_missed(project, site):
    page = site / "guide/a/index.html"
    text = page.read_text("utf-8")
    start = text.index('<span title="')
    page.write_text(text[:start] + text[text.index("</span>", start) + len("</span>") :], "utf-8")

    ((rule, place, message, evidence),) = said(project, site)
    assert (rule, place, message) == ("SL121", "docs/guide/a.md:6", BESIDE.format("'cut'"))
    assert evidence[2] == f"wanted '{CUT} · in the repository'"


def test_a_caption_that_is_not_there(project, site):
    page = site / "guide/a/index.html"
    edit(page, '<figure class="snippetlock" data-snippet="one"', '<div data-snippet="one"')
    ((_, place, message, evidence),) = said(project, site)
    assert (place, message) == ("docs/guide/a.md:1", BESIDE.format("'one'"))
    assert evidence == ("published at site/guide/a/index.html:2", "it has no caption")


def test_each_language_has_its_words(project, site):
    edit(site / "zh/guide/a/index.html", "<span>第 3–4 行</span>", "<span>lines 3–4</span>")
    ((_, place, _, evidence),) = said(project, site)
    assert place == "docs/guide/a.zh.md:1"
    assert evidence[2:] == (
        "wanted 'demo/a.py 第 3–4 行 · demo 1.2 · 在仓库中'",
        "published 'demo/a.py lines 3–4 · demo 1.2 · 在仓库中'",
    )


def test_the_same_text_of_another_place_is_told_apart(project, site):
    extension.held.project = project
    body = render(PAGES["guide/a.md"].replace("one", "twin"), [*SUPER, SnippetlockExtension(page="guide/a.md")])
    (site / "guide/a/index.html").write_text(body, "utf-8")
    ((_, _, message, evidence),) = said(project, site)
    assert message == BESIDE.format("'one'")
    assert [line for line in evidence if line.endswith(":")] == [
        "the caption:",
        "the caption as it is read aloud:",
        "the link to the source view:",
        "the link into the repository:",
        "the id:",
        "the number of line 1:",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LINK, "https://docs.example/v1/sources/demo/a.py.html#L3-L4"),
        (LINK, "/v1/sources/demo/a.py.html#L3-L4"),
        (LINK, "../../guide/../sources/demo/a%2Epy.html#L3-L4"),
        (">lines 3–4<", ">lines\n   3–4<"),
        (">lines 3–4<", "><b>lines 3&#8211;4</b><"),
        ("<figcaption><a", "<figcaption class='x'><!-- c --><a"),
    ],
)
def test_what_reads_the_same_is_the_same(project, site, old, new):
    text = (site / "guide/a/index.html").read_text("utf-8")
    (site / "guide/a/index.html").write_text(text.replace(old, new, 1), "utf-8")
    assert old in text
    assert said(project, site) == []


@pytest.mark.parametrize("name", ["old.htm", "deep/old.xhtml", "OLD.HTML", "old.xht"])
def test_pages_of_every_suffix_are_read(project, site, name):
    (site / name).parent.mkdir(exist_ok=True)
    (site / name).write_text("<p>no code</p>")
    assert said(project, site) == []

    (site / name).write_text("<p><pre>x</pre>")
    ((rule, place, message, _),) = said(project, site)
    assert (rule, place, message) == ("SL123", f"site/{name}:1", "a published block that nobody accounts for")


def test_what_is_read_of_a_figure():
    inner = (
        "<figcaption><a class='snippetlock-source x' href='s#L1'>a\n b</a> <a href='z'>c</a></figcaption><pre>t</pre>"
    )
    html = f"<figure class='y snippetlock' data-snippet='i' aria-label='n'>{inner}<p>d</p></figure><pre>u</pre>"
    first, second = preformatted(html)
    assert (first.text, first.figure) == ("t", Figure("i", "n", "a b cd", "s#L1", ""))
    assert (second.text, second.figure) == ("u", None)


@pytest.mark.parametrize(
    "html",
    [
        "<figure class='snippetlock snippetlock-unsourced'><pre>t</pre></figure>",
        "<figure class='other'><pre>t</pre></figure>",
        "<figure class='snippetlock'></figure><pre>t</pre>",
    ],
)
def test_what_is_no_figure_of_a_snippet(html):
    assert [pre.figure for pre in preformatted(html)] == [None]


def test_a_figure_that_is_never_closed_and_one_with_two_blocks():
    first, second = preformatted("<figure class='snippetlock' data-snippet='i'>a<pre>t</pre><pre>u</pre>b")
    assert (first.figure, second.figure) == (Figure("i", "", "ab", "", ""), None)
