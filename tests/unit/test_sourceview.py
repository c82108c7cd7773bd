"""Source views: the file's own text, marked lines, links there and back, and nothing from outside."""

from __future__ import annotations

import re
from importlib import metadata

import pytest
from fakes import LICENCE, FakeProject, snippet

from snippetlock.references.published import preformatted
from snippetlock.report.labels import labels
from snippetlock.report.sourceview import View, source_page
from snippetlock.workflow import highlighted
from snippetlock.workflow.highlighted import cache_key
from snippetlock.workflow.sources import source_views, write_source_views

FILE = "import os\n\n\nclass A:\n    def f(self):\n        return '<&>'\n\n    def g(self):\n        pass\n"
PAGES = {
    "index.md": '# Home\n\n```python snippet="a"\n```\n\n```python snippet="whole"\n```\n',
    "guide/a.md": '# Guide <x>\n\n```python snippet="a"\n```\n',
    "guide/a.zh.md": '# 指南\n\n```python snippet="a"\n```\n',
}


def project(**more) -> FakeProject:
    part = snippet("a", "    def f(self):\n        # …\n", path="demo/a.py", first=5, numbers=(5, None))
    whole = snippet("whole", "class A:\n" * 6, path="demo/a.py", first=4)
    return FakeProject([part, whole, snippet("unused", "x\n")], PAGES, files={"demo/a.py": FILE}, **more)


@pytest.fixture
def views():
    return dict(source_views(project()))


def test_one_view_a_quoted_file_and_language(views):
    assert list(views) == ["sources/demo/a.py.html", "zh/sources/demo/a.py.html"]


@pytest.mark.parametrize(
    "text", [FILE, FILE.replace("\n", "\r\n"), "x = 1\rno = 'end'", "\n\n\tx\x0c\n", "", "x" * 10_000]
)
def test_the_text_is_the_files(text):
    quoted = FakeProject([snippet("a", "x")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": text})
    for html in dict(source_views(quoted)).values():
        assert [pre.text for pre in preformatted(html)] == [text, LICENCE]


def test_a_byte_order_mark_is_no_text():
    quoted = FakeProject(
        [snippet("a", "x")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": "\ufeffx = 1\n"}
    )
    assert preformatted(dict(source_views(quoted))["sources/demo/a.py.html"])[0].text == "x = 1\n"


def test_every_line_has_its_anchor_and_quoted_ones_a_mark(views):
    html = views["sources/demo/a.py.html"]
    marks = re.findall(r'<span class="(l[ q]*)" id="L(\d+)" data-n="(\d+)">', html)
    assert [(int(a), int(b)) for _, a, b in marks] == [(n, n) for n in range(1, 10)]
    assert [int(a) for name, a, _ in marks if name == "l q"] == [4, 5, 6, 7, 8, 9]


def test_lines_left_out_of_a_quotation_are_not_marked():
    only = FakeProject(
        [snippet("a", "a\n# …\nb\n", path="demo/a.py", first=1, numbers=(1, None, 5))],
        {"index.md": '```py snippet="a"\n```'},
        files={"demo/a.py": FILE},
    )
    html = dict(source_views(only))["sources/demo/a.py.html"]
    assert re.findall(r'"l q" id="L(\d+)"', html) == ["1", "5"]


def test_a_range_is_an_anchor_even_without_scripts(views):
    html = views["sources/demo/a.py.html"]
    assert html.index('id="L4"') < html.index('id="L4-L9"') < html.index('id="L5"')


def test_it_says_what_it_is_and_links_back(views):
    html = views["sources/demo/a.py.html"]
    assert "<title>demo/a.py · demo 1.2</title>" in html
    assert '<html lang="en">' in html
    assert '<a href="../../index.html">' not in html
    assert '<a href="../../">← Home</a>' in html
    assert 'href="../../guide/a/">Guide &lt;x&gt;</a>' in html
    assert '<a href="#L5-L6">lines 5–6</a>' in html
    assert 'hreflang="zh">中文</a>' in html
    assert "Licence of demo" in html
    assert "in the repository" not in html


def test_readers_of_another_language_get_its_pages_first(views):
    html = views["zh/sources/demo/a.py.html"]
    assert '<html lang="zh">' in html
    assert 'href="../../guide/a/">指南</a>' in html
    assert "Guide" not in html
    assert 'href="../../../">Home</a>' in html  # shown on an English page only
    assert 'href="../../../sources/demo/a.py.html" hreflang="en">English</a>' in html


def test_addresses_without_folders():
    html = dict(source_views(project(), directories=False))["zh/sources/demo/a.py.html"]
    assert 'href="../../index.html">' in html
    assert 'href="../../guide/a.html">指南</a>' in html


def test_the_commit_gives_a_permalink():
    html = dict(source_views(project(commit="abc")))["sources/demo/a.py.html"]
    assert 'href="https://example.org/demo/blob/abc/src/demo/a.py"' in html


def test_no_request_leaves_the_page(views):
    icon = '<link rel="icon" href="data:,">\n'  # without it a browser asks the server for one
    for html in views.values():
        assert html.count(icon) == 1
        html = html.replace(icon, "")
        assert not re.search(r'(?:src=|@import|url\(|<link\b|fetch\(|<img|href="//)', html)
        assert not re.findall(r'href="(\w+:)', html)


def test_the_palette_is_the_sites(views):
    assert 'new URL("../../",location).pathname+".__palette"' in views["sources/demo/a.py.html"]
    assert 'new URL("../../../",location).pathname+".__palette"' in views["zh/sources/demo/a.py.html"]


def test_notes_do_not_lie_on_each_other():
    snippets = [snippet(f"s{n}", "x\n", path="demo/a.py", first=1 + n) for n in range(3)]
    page = "".join(f'```py snippet="s{n}"\n```\n' for n in range(3))
    html = dict(source_views(FakeProject(snippets, {"index.md": page}, files={"demo/a.py": FILE})))[
        "sources/demo/a.py.html"
    ]
    assert re.findall(r"--at:(\d+)", html) == ["1", "4", "7"]


def test_without_licence_there_is_none(monkeypatch):
    quoted = project()
    quoted.tree.notices = lambda: ()
    html = dict(source_views(quoted))["sources/demo/a.py.html"]
    assert "licence" not in html.partition("</style>")[2].partition("<script>")[0]
    assert len(preformatted(html)) == 1


def test_views_are_written_once(tmp_path):
    names = write_source_views(project(), tmp_path)
    assert names == ("sources/demo/a.py.html", "zh/sources/demo/a.py.html")
    files = [tmp_path / name for name in names]
    before = [file.stat().st_ino for file in files]
    files[1].write_text("other")
    write_source_views(project(), tmp_path)
    assert files[0].stat().st_ino == before[0]
    assert "指南" in files[1].read_text("utf-8")
    assert sorted(file.name for file in tmp_path.rglob("*") if file.is_file()) == ["a.py.html", "a.py.html"]


def test_what_is_highlighted_is_kept_by_its_digest():
    kept = {}
    quoted = project()
    quoted.kept.get = lambda kind, key: kept.get((kind, key))
    quoted.kept.put = lambda kind, key, value: kept.update({(kind, key): value})
    first = dict(source_views(quoted))
    assert {kind for kind, _ in kept} == {"highlighted"}
    ((view, (code, count)),) = [(name, value) for name, value in kept.items() if len(value) == 2]
    assert count == 9
    kept[view] = [code.replace("import", "kept"), count]
    assert dict(source_views(quoted)) == {name: html.replace("import", "kept") for name, html in first.items()}
    del kept[view]
    ((lines, value),) = kept.items()
    kept[lines] = [line.replace("import", "lines") for line in value]
    assert dict(source_views(quoted)) == {name: html.replace("import", "lines") for name, html in first.items()}


def test_a_file_that_nobody_quotes_has_no_list():
    view = View(
        path="a.py", code="", count=0, digest="0", pin=project().pin, quoted=(), licence="", root="./", home="./"
    )
    html = source_page(view, labels("en"))
    assert '<section class="uses">' not in html
    assert "<aside" not in html


def test_what_plain_text_makes_is_kept_apart(monkeypatch):
    monkeypatch.setattr(highlighted, "_pygments", highlighted._pygments.__wrapped__)
    with_pygments = cache_key("a")

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    assert cache_key("a") != with_pygments


def test_a_file_of_four_thousand_lines_is_shown_whole():
    text = "".join(f"def f{n}(x, y='{n}'):  # {n}\n" for n in range(4000))
    quoted = FakeProject([snippet("a", "x\n")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": text})
    html = dict(source_views(quoted))["sources/demo/a.py.html"]
    assert preformatted(html)[0].text == text
    assert html.count('<span class="c"') == 20
