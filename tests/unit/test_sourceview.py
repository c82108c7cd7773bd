"""Source views: the file's own text, marked lines, links there and back, and nothing from outside."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import LICENCE, FakeProject, snippet
from rendering import preformatted, write_source_views

from snippetlock.report.html import code_lines
from snippetlock.report.labels import labels
from snippetlock.report.sourceview import View, source_page
from snippetlock.source import DictTree
from snippetlock.text import sha256
from snippetlock.workflow.highlighted import cache_key, highlighted_all
from snippetlock.workflow.sources import source_views, write_views

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


def shown(quoted: FakeProject, *, directories: bool = True) -> dict[str, str]:
    """Each view of a project as text."""
    return {name: data.decode("utf-8") for name, data in source_views(quoted, directories=directories)}


@pytest.fixture
def views():
    return shown(project())


def test_one_view_a_quoted_file_and_language(views):
    assert list(views) == ["sources/demo/a.py.html", "zh/sources/demo/a.py.html"]


@pytest.mark.parametrize(
    "text", [FILE, FILE.replace("\n", "\r\n"), "x = 1\rno = 'end'", "\n\n\tx\x0c\n", "", "x" * 10_000]
)
def test_the_text_is_the_files(text):
    quoted = FakeProject([snippet("a", "x")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": text})
    for html in shown(quoted).values():
        assert [pre.text for pre in preformatted(html)] == [text, LICENCE]


def test_a_byte_order_mark_is_no_text():
    quoted = FakeProject(
        [snippet("a", "x")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": "\ufeffx = 1\n"}
    )
    assert preformatted(shown(quoted)["sources/demo/a.py.html"])[0].text == "x = 1\n"


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
    html = shown(only)["sources/demo/a.py.html"]
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
    html = shown(project(), directories=False)["zh/sources/demo/a.py.html"]
    assert 'href="../../index.html">' in html
    assert 'href="../../guide/a.html">指南</a>' in html


def test_the_commit_gives_a_permalink():
    html = shown(project(commit="abc"))["sources/demo/a.py.html"]
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
    html = shown(FakeProject(snippets, {"index.md": page}, files={"demo/a.py": FILE}))["sources/demo/a.py.html"]
    assert re.findall(r"--at:(\d+)", html) == ["1", "4", "7"]


def test_without_licence_there_is_none(monkeypatch):
    quoted = project()
    quoted.tree.notices = lambda: ()
    html = shown(quoted)["sources/demo/a.py.html"]
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


def test_views_that_nobody_touched_are_not_read_again(tmp_path, monkeypatch):
    views = {"a.html": b"one", "deep/b.html": b"two"}
    left = write_views(views, tmp_path)
    assert {file.relative_to(tmp_path).as_posix() for file in left} == set(views)
    read, whole = [], Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda file: read.append(file.name) or whole(file))

    assert write_views(views, tmp_path, left) == left
    assert read == []
    (tmp_path / "a.html").write_bytes(b"eno")  # of the same size
    (tmp_path / "deep/b.html").unlink()
    again = write_views(views, tmp_path, left)
    assert read == ["a.html"]
    assert [(tmp_path / name).read_bytes() for name in views] == [b"one", b"two"]
    read.clear()
    assert write_views(views, tmp_path, again) == again != left
    assert read == []


def test_what_is_highlighted_is_kept_by_its_digest():
    quoted = project()
    values, data = {}, {}
    quoted.kept = kept_in(values, data)
    first = shown(quoted)
    assert ({kind for kind, _ in values}, {kind for kind, _ in data}) == ({"highlighted"}, {"views"})
    ((view, whole),) = data.items()
    assert whole.startswith(f"{sha256(FILE)} 9\n".encode())
    data[view] = whole.replace(b"import", b"kept")
    assert shown(quoted) == {name: html.replace("import", "kept") for name, html in first.items()}
    del data[view]
    ((lines, value),) = values.items()
    values[lines] = [line.replace("import", "lines") for line in value]
    assert shown(quoted) == {name: html.replace("import", "lines") for name, html in first.items()}


def kept_in(values: dict, data: dict) -> SimpleNamespace:
    """A cache in two dictionaries, for values and for bytes."""
    return SimpleNamespace(
        get=lambda kind, key: values.get((kind, key)),
        put=lambda kind, key, value: values.update({(kind, key): value}),
        data=lambda kind, key: data.get((kind, key)),
        put_data=lambda kind, key, value: data.update({(kind, key): value}),
    )


@pytest.mark.parametrize("identity", ["sha256:0", None])
def test_what_is_one_fixed_artifact_is_read_for_its_first_views_only(identity):
    """A folder's file is read for each build, for nothing else says that it is as it was."""
    values, data = {}, {}
    files = {"demo/a.py": FILE.encode(), "LICENSE": b"Do.\n"}

    def views(**changed: bytes) -> tuple[str, list[str]]:
        quoted, read = project(), []
        quoted.kept = kept_in(values, data)
        quoted.tree = DictTree({**files, **changed}, identity)
        whole = quoted.tree.read
        quoted.tree.read = lambda path: read.append(path) or whole(path)
        return shown(quoted)["sources/demo/a.py.html"], read

    first, read = views()
    assert read == ["demo/a.py"]
    again, read = views()
    assert again == first
    assert read == ([] if identity else ["demo/a.py"])
    changed, _ = views(**{"demo/a.py": FILE.replace("import", "export").encode(), "LICENSE": b"Do not.\n"})
    if identity is None:
        assert [pre.text for pre in preformatted(changed)] == [FILE.replace("import", "export"), "Do not.\n"]


def test_another_fixed_artifact_has_views_of_its_own():
    values, data = {}, {}
    texts = []
    for identity, text in (("sha256:0", "a = 1\n"), ("sha256:1", "b = 1\n"), ("sha256:0", "a = 1\n")):
        quoted = FakeProject([snippet("a", "x")], {"index.md": '```py snippet="a"\n```'})
        quoted.kept = kept_in(values, data)
        quoted.tree = DictTree({"demo/a.py": text.encode(), "LICENSE": identity.encode()}, identity)
        texts.append([pre.text for pre in preformatted(shown(quoted)["sources/demo/a.py.html"])])
    assert texts == [["a = 1\n", "sha256:0\n"], ["b = 1\n", "sha256:1\n"], ["a = 1\n", "sha256:0\n"]]


def test_many_small_texts_are_highlighted_once_and_kept_in_one_piece():
    values, data = {}, {}
    quoted = project()
    quoted.kept = kept_in(values, data)
    texts = (("import a\n", "python"), ("import a\n", "text"), ("", "python"))
    first = highlighted_all(quoted, texts)
    assert first == {each: code_lines(*each) for each in texts}
    assert first["import a\n", "python"] != first["import a\n", "text"]
    ((key, kept),) = values.items()
    values[key] = [["kept"], *kept[1:]]
    assert highlighted_all(quoted, texts) == {**first, texts[0]: ("kept",)}
    assert highlighted_all(quoted, texts[:1]) == {texts[0]: first[texts[0]]}


def test_a_file_that_nobody_quotes_has_no_list():
    view = View(
        path="a.py", code=b"", count=0, digest="0", pin=project().pin, quoted=(), licence="", root="./", home="./"
    )
    html = source_page(view, labels("en")).decode()
    assert '<section class="uses">' not in html
    assert "<aside" not in html


def test_what_plain_text_makes_is_kept_apart(monkeypatch):
    with_pygments = cache_key("a")
    assert cache_key("a") == with_pygments
    monkeypatch.setitem(sys.modules, "pygments", None)
    assert cache_key("a") != with_pygments


def test_a_file_of_four_thousand_lines_is_shown_whole():
    text = "".join(f"def f{n}(x, y='{n}'):  # {n}\n" for n in range(4000))
    quoted = FakeProject([snippet("a", "x\n")], {"index.md": '```py snippet="a"\n```'}, files={"demo/a.py": text})
    html = shown(quoted)["sources/demo/a.py.html"]
    assert preformatted(html)[0].text == text
    assert html.count('<span class="c"') == 20
