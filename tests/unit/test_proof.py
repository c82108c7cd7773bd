"""The proof: a clean site is clean, and each thing done to a published site is found once, where it was done."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from fakes import FakeProject, snippet
from rendering import SUPER, render, write_source_views

from snippetlock import extension
from snippetlock.errors import UsageError
from snippetlock.extension import SnippetlockExtension
from snippetlock.references.places import prefix, published, relative
from snippetlock.workflow.proof import proof

FILE = "".join(f"line_{n} = {n}\n" for n in range(1, 40))
PAGES = {
    "index.md": '# Home\n\n```python snippet="one"\n```\n\n- i\n\n    ```python snippet="two"\n    ```\n\n'
    '```text unsourced="r"\nthe\ttext\n```\n\n```mermaid\ngraph LR\n    a --> b\n```\n\nt[^1]\n\n[^1]: n\n\n'
    '    ```python snippet="three"\n    ```\n\n```python snippet="one"\n```\n',
    "index.zh.md": '# 首页\n\n```python snippet="one"\n```\n\n```python snippet="two"\n```\n',
    "guide/a.md": '```python snippet="three"\n```\n',
    "guide/none.md": "no code\n",
}


@pytest.fixture
def project(tmp_path):
    snippets = [
        snippet("one", "a = '<&>'\n\tb\r\nc\n"),
        snippet("two", "d = 1\n\n    e"),
        snippet("three", "f = 1\n", first=30),
    ]
    yield FakeProject(snippets, PAGES, root=tmp_path, files={"demo/a.py": FILE})
    extension.held.project = None


@pytest.fixture
def site(project):
    """The project, built as a builder would; `site(directories=False)` for addresses of files."""

    def build(*, directories: bool = True):
        extension.held.project = project
        folder = project.config.root / "site"
        for page in project.pages:
            name = published(page.name, page.language, ("en", "zh"), directories=directories)
            # Without MkDocs the extension takes addresses to be those of folders; a builder that has others says so.
            there = "" if directories else relative(prefix(page.language, ("en", "zh")) + "sources/", name)
            body = render(page.text, [*SUPER, SnippetlockExtension(page=page.name, sources=there)])
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(f"<!doctype html>\n<body>{body}</body>\n".encode())
        (folder / "404.html").write_text("<p>nothing here</p>")
        write_source_views(project, folder, directories=directories)
        return folder

    return build


def edit(file, old: str, new: str, count: int = 1) -> None:
    text = file.read_bytes().decode()
    assert old in text
    file.write_bytes(text.replace(old, new, count).encode())


def said(project, folder) -> list[tuple[str, str, str]]:
    return [(f.rule, str(f.place), f.message) for f in proof(project, folder).findings]


@pytest.mark.parametrize("directories", [True, False])
def test_a_clean_site_is_clean(project, site, directories):
    report = proof(project, site(directories=directories))
    assert report.findings == ()
    assert dict(report.counts) == {"pages": 4, "blocks": 9, "diagrams": 1, "source views": 2}


def test_one_changed_byte(project, site):
    folder = site()
    edit(folder / "index.html", "&lt;&amp;&gt;", "&lt;&amp;&lt;")
    (finding,) = proof(project, folder).findings
    assert (finding.rule, str(finding.place)) == ("SL121", "docs/index.md:3")
    assert finding.message == "what is published is not 'one'"
    assert finding.evidence == (
        "published at site/index.html:3",
        "line 1:",
        "wanted \"a = '<&>'\\n\"",
        "published \"a = '<&<'\\n\"",
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("\t<span", "    <span", "line 2:"),
        ("&#13;", "", "line 2:"),
        ("c</span>\n</code>", "c</span></code>", "line 3:"),
        ("c</span>\n</code>", "c</span>\n\n</code>", "line 4:"),
    ],
)
def test_bytes_that_nobody_sees(project, site, old, new, line):
    folder = site()
    edit(folder / "zh/index.html", old, new)
    (finding,) = proof(project, folder).findings
    assert (finding.rule, str(finding.place)) == ("SL121", "docs/index.zh.md:3")
    assert line in finding.evidence


def _figures(html: str) -> list[str]:
    return ["<figure" + part.partition("</figure>")[0] + "</figure>" for part in html.split("<figure")[1:]]


def test_a_block_left_out(project, site):
    folder = site()
    edit(folder / "index.html", _figures((folder / "index.html").read_bytes().decode())[1], "")
    assert said(project, folder) == [("SL122", "docs/index.md:8", "'two' was not published")]


def test_a_block_too_many(project, site):
    folder = site()
    edit(folder / "index.html", "</body>", "<p>\n<pre>\n\nextra <b>code</b>\n</pre></body>")
    (finding,) = proof(project, folder).findings
    assert (finding.rule, finding.place.path) == ("SL123", "site/index.html")
    assert finding.message == "a published block that nobody accounts for"
    assert finding.evidence == ("docs/index.md asks for no such block", "it begins 'extra code\\n'")


def test_two_blocks_swapped(project, site):
    folder = site()
    file = folder / "zh/index.html"
    first, second = _figures(file.read_bytes().decode())
    edit(file, first, "@")
    edit(file, second, first)
    edit(file, "@", second)
    assert said(project, folder) == [
        ("SL121", "docs/index.zh.md:3", "what is published is not 'one' (every block is there, in another order)")
    ]


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("the\ttext", "the text", ("SL121", "docs/index.md:11", "what is published is not the unsourced block")),
        ("a --&gt; b", "a --&gt; c", ("SL121", "docs/index.md:15", "what is published is not the diagram")),
        ('id="L30"', 'id="L30" ', None),
    ],
)
def test_other_blocks_are_held_too(project, site, old, new, finding):
    folder = site()
    file = folder / ("index.html" if finding else "sources/demo/a.py.html")
    edit(file, old, new)
    assert said(project, folder) == ([finding] if finding else [])


def test_a_block_in_a_footnote(project, site):
    folder = site()
    text = (folder / "index.html").read_bytes().decode()
    head, mark, tail = text.partition("fn:1")
    (folder / "index.html").write_bytes((head + mark + tail.replace('"mi">1</span>', '"mi">2</span>', 1)).encode())
    assert said(project, folder) == [("SL121", "docs/index.md:24", "what is published is not 'three'")]


def test_a_page_that_was_not_built(project, site):
    folder = site()
    (folder / "guide/a/index.html").unlink()
    assert said(project, folder) == [
        ("SL122", "docs/guide/a.md", "this page was not published: the site has no guide/a/index.html")
    ]
    assert [(one.evidence, one.mend) for one in proof(project, folder).findings] == [((), "build the site again")]


@pytest.mark.parametrize("built", ["index.zh/index.html", "index.zh.html"])
def test_a_page_whose_language_the_builder_did_not_know(project, site, built):
    folder = site()
    (folder / built).parent.mkdir(exist_ok=True)
    (folder / "zh/index.html").rename(folder / built)
    (found,) = [one for one in proof(project, folder).findings if one.rule == "SL122"]
    assert str(found.place) == "docs/index.zh.md"
    assert found.message == "this page was not published: the site has no zh/index.html"
    assert found.evidence == (f"it has {built}",)
    assert "the plugin of mkdocs-static-i18n" in found.mend


def test_a_page_of_nobody_may_show_no_code(project, site):
    folder = site()
    (folder / "404.html").write_text("<pre>x</pre><p><pre>y</pre>")
    assert said(project, folder) == [("SL123", "site/404.html:1", "a published block that nobody accounts for")] * 2


def test_a_page_of_nobody_may_show_what_the_library_says(project, site):
    folder = site()
    (folder / "api").mkdir()
    shown = "<h1>a</h1><pre>line_7 = 7\nline_8 = 8\n</pre>"
    (folder / "api/index.html").write_text(shown)
    assert said(project, folder) == []
    (folder / "api/index.html").write_text(shown.replace("line_8", "line_9"))
    assert said(project, folder) == [("SL123", "site/api/index.html:1", "a published block that nobody accounts for")]


def test_an_extension_that_did_not_run(project, site):
    folder = site()
    page = next(page for page in project.pages if page.name == "guide/a.md")
    (folder / "guide/a/index.html").write_text(render(page.text.replace(' snippet="three"', ""), SUPER))
    assert [finding[0] for finding in said(project, folder)] == ["SL121"]
    (folder / "guide/a/index.html").write_text(render(page.text, ["fenced_code"]))
    assert said(project, folder) == [("SL122", "docs/guide/a.md:1", "'three' was not published")]


def test_a_typed_in_block_is_nobodys(project, site):
    folder = site()
    changed = tuple(
        project.page(page.name, page.text.replace(' unsourced="r"', "")) if page.name == "index.md" else page
        for page in project.pages
    )
    project.pages = changed
    assert [(rule, place.partition(":")[0]) for rule, place, _ in said(project, folder)] == [
        ("SL123", "site/index.html")
    ]


def test_what_is_published_must_be_what_was_accepted(project, site):
    folder = site()
    project.entries["three"] = replace_digest(project.entries["three"])
    assert said(project, folder) == [
        ("SL121", "docs/guide/a.md:1", "what is published of 'three' is not what was accepted"),
        ("SL121", "docs/index.md:24", "what is published of 'three' is not what was accepted"),
    ]
    del project.entries["three"]
    assert proof(project, folder).findings[0].evidence[1] == "accepted: nothing"


def replace_digest(entry):
    from types import SimpleNamespace

    return SimpleNamespace(id=entry.id, digests=replace(entry.digests, text="0" * 64))


def test_snippets_that_cannot_be_cut_or_are_not_one(project, site):
    folder = site()
    project.break_snippet("one")
    assert {rule for rule, _, _ in said(project, folder)} == {"SL114", "SL123"}
    project = FakeProject([snippet("one", "x\n")], {"index.md": PAGES["index.zh.md"]}, root=project.config.root)
    project.define_twice("one")
    rules = [rule for rule, place, _ in said(project, folder) if place.startswith("docs/")]
    assert rules == ["SL110", "SL111"]


def test_source_views_show_the_pinned_file(project, site):
    folder = site()
    edit(folder / "zh/sources/demo/a.py.html", "line_7</span>", "line_8</span>")
    assert said(project, folder) == [
        (
            "SL121",
            "site/zh/sources/demo/a.py.html:" + _line(folder),
            "the source view does not show demo/a.py as pinned",
        )
    ]


def _line(folder) -> str:
    text = (folder / "zh/sources/demo/a.py.html").read_text("utf-8")
    return str(text[: text.index("<pre>")].count("\n") + 1)


def test_source_views_show_the_licence_and_nothing_else(project, site):
    folder = site()
    view = folder / "sources/demo/a.py.html"
    edit(view, "be kind", "be cruel")
    assert [m for _, _, m in said(project, folder)] == ["the source view does not show the licence as pinned"]
    edit(view, '<footer id="licence"', "<pre>more</pre><footer hidden")
    assert [rule for rule, _, _ in said(project, folder)] == ["SL121", "SL123"]
    view.write_text("<pre>" + FILE + "</pre>")
    assert [m for _, _, m in said(project, folder)] == ["the source view does not show the licence"]
    view.write_text("<p>nothing</p>")
    assert [m for _, _, m in said(project, folder)] == ["the source view does not show demo/a.py"]


def test_source_views_that_are_missing_or_of_no_file(project, site):
    folder = site()
    (folder / "sources/demo/a.py.html").rename(folder / "sources/demo/b.py.html")
    assert said(project, folder) == [
        ("SL122", "docs/guide/a.md:1", "the source view sources/demo/a.py.html was not published"),
        ("SL123", "site/sources/demo/b.py.html", "a source view of no pinned file: the tree has no such file"),
    ]


def test_a_library_without_a_licence(project, site):
    project.tree.notices = lambda: ()
    assert said(project, site()) == []


def test_a_folder_without_pages_proves_nothing(project, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no HTML page"):
        proof(project, tmp_path / "empty")
    with pytest.raises(UsageError, match="no HTML page"):
        proof(project, tmp_path / "absent")


def test_long_lines_are_cut_in_evidence(project, site):
    folder = site()
    edit(folder / "404.html", "nothing", "<pre>" + "x" * 500 + "</pre>")
    (finding,) = proof(project, folder).findings
    assert finding.evidence[1].endswith("…")
    assert len(finding.evidence[1]) < 200


# The lock as a whole


def test_an_edited_lock_accepts_nothing(project, site):
    folder = site()
    project.lock.edited = True
    assert said(project, folder) == [("SL105", "snippets/snippets.lock", "its checksum does not fit its content")]


def test_a_lock_of_another_pin_accepts_nothing(project, site):
    folder = site()
    project.lock.pin = replace(project.pin, sha256="1" * 64)
    assert said(project, folder) == [("SL106", "snippets/snippets.lock", "what it accepted is of another pin")]


def test_no_lock_accepts_nothing(project, site):
    folder = site()
    project.lock, project.entries = None, {}
    assert [(rule, place) for rule, place, _ in said(project, folder)] == [("SL104", "snippets/snippets.lock")]


# The folder of a site


def test_a_linked_folder_is_a_finding_and_not_a_hole(project, site, tmp_path):
    folder = site()
    there = tmp_path / "elsewhere"
    there.mkdir()
    (there / "more.html").write_text("<pre>x</pre>")
    assert said(project, folder) == []
    (folder / "more").symlink_to(there)
    ((rule, place, message),) = said(project, folder)
    assert (rule, place, message[:22]) == ("SL123", "site/more", "a link within the site")


def test_linked_files_are_findings_and_those_that_are_pages_are_read(project, site, tmp_path):
    folder = site()
    (tmp_path / "more.html").write_text("<pre>x</pre>")
    (folder / "more.html").symlink_to(tmp_path / "more.html")
    (folder / "nowhere").symlink_to(tmp_path / "absent")
    assert [(rule, place) for rule, place, _ in said(project, folder)] == [
        ("SL123", "site/more.html"),
        ("SL123", "site/more.html:1"),
        ("SL123", "site/nowhere"),
    ]


def test_a_folder_that_cannot_be_read_proves_nothing(project, site, monkeypatch):
    folder = site()
    scandir = os.scandir

    def refused(path):
        if str(path).endswith("guide"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(UsageError, match="Permission denied: site/guide"):
        proof(project, folder)


# What cannot be read for certain


@pytest.mark.parametrize("name", ["index.html", "404.html", "sources/demo/a.py.html"])
def test_a_page_that_browsers_may_take_otherwise(project, site, name):
    folder = site()
    text = (folder / name).read_bytes().decode()
    (folder / name).write_bytes(f"{text}\n<p><iframe srcdoc='&lt;pre>x'></iframe>".encode())
    line = text.count("\n") + 2
    assert said(project, folder) == [
        ("SL123", f"site/{name}:{line}", "this page cannot be read for certain: a page within the page (<iframe>)")
    ]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("<p>x".encode("utf-16"), "it is UTF-16"),
        (b"<p>\xff", "it is not UTF-8"),
        (b"<meta charset=utf-7><p>", "it says that its encoding is utf-7"),
        (b'<meta http-equiv="content-type" content="text/html; charset=GBK">', "it says that its encoding is GBK"),
    ],
)
def test_a_page_in_another_encoding(project, site, data, what):
    folder = site()
    (folder / "404.html").write_bytes(data)
    assert said(project, folder) == [("SL123", "site/404.html:1", f"this page cannot be read for certain: {what}")]
    (folder / "404.html").write_bytes("<meta charset='UTF-8'><p>é".encode())
    assert said(project, folder) == []


@pytest.mark.parametrize(
    ("old", "new", "odd"),
    [
        ("line_", "<br>line_", None),
        ("e</span>", "e</span><img src=x>", "<img> stands in it"),
        ("<pre>", "<pre hidden>", "its <pre> has the attribute 'hidden'"),
        ('<figure class="snippetlock"', '<figure hidden class="snippetlock"', "it stands in a <figure> that is hidden"),
    ],
)
def test_a_block_that_readers_see_otherwise(project, site, old, new, odd):
    folder = site()
    file = folder / ("guide/a/index.html" if odd else "sources/demo/a.py.html")
    if old == "e</span>":
        old, new = "1</span>", "1</span><img src=x>"
    edit(file, old, new)
    (finding,) = proof(project, folder).findings
    if odd:
        assert (finding.rule, str(finding.place)) == ("SL121", "docs/guide/a.md:1")
        assert finding.message == "'three' is published, but not so that readers see it as it is"
        assert finding.evidence[1:] == (odd,)
    else:
        assert (finding.rule, finding.evidence) == ("SL121", ("<br> stands in it",))


# Diagrams, and pages without a twin


def test_code_that_calls_itself_a_diagram_is_nobodys(project, site):
    folder = site()
    text = PAGES["index.md"].replace("graph LR\n", "import os\n")
    project.pages = tuple(project.page(page.name, text) if page.name == "index.md" else page for page in project.pages)
    edit(folder / "index.html", "graph LR", "import os")
    report = proof(project, folder)
    assert [(f.rule, f.place.path, f.evidence[1]) for f in report.findings] == [
        ("SL123", "site/index.html", "it begins 'import os\\n'")
    ]
    assert report.counts["diagrams"] == 0


@pytest.mark.parametrize("directories", [True, False])
def test_a_page_without_a_twin_may_stand_in_for_it(project, site, directories):
    folder = site(directories=directories)
    page = next(page for page in project.pages if page.name == "guide/a.md")
    name = published("guide/a.md", "zh", ("en", "zh"), directories=directories)
    up = relative("sources/", name)
    body = render(page.text, [*SUPER, SnippetlockExtension(page=page.name, sources=up)])
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"<!doctype html>\n<body>{body}</body>\n")
    report = proof(project, folder)
    assert (report.findings, report.counts["pages"], report.counts["blocks"]) == ((), 5, 10)
    edit(folder / name, '"mi">1</span>', '"mi">2</span>')
    assert said(project, folder) == [("SL121", "docs/guide/a.md:1", "what is published is not 'three'")]


def test_a_page_with_a_twin_stands_in_for_nothing(project, site):
    folder = site()
    (folder / "zh/index.html").write_bytes((folder / "index.html").read_bytes())
    assert {place.partition(":")[0] for _, place, _ in said(project, folder)} == {
        "docs/index.zh.md",
        "site/zh/index.html",
    }
