"""The files of the built site: every address leads somewhere, with its anchor, in pages, style sheets and the index."""

from __future__ import annotations

import json
import re

import built as reading
import pytest

SOUND = {
    "index.html": '<h1 id="top">T</h1><a href="a/">a</a><a href="a/#b">b</a><a href="https://a.test/x#y">out</a>',
    "a/index.html": '<p id="b">b</p><a href="..">up</a><a href="../sources/k.py.html#L1-L2">x</a><a href="#b">b</a>',
    "sources/k.py.html": '<span id="L1">1</span><span id="L2">2</span>',
    "site.css": "a { background: url('data:,') }",
}


@pytest.mark.browser
def test_every_address_of_the_site_leads_somewhere(site):
    assert reading.faults(site) == []


@pytest.mark.browser
def test_every_column_of_every_table_has_a_name(site):
    assert reading.nameless(site) == []


def test_a_column_without_a_name_is_told(tmp_path):
    for name, word in {"good.html": "<code>a</code>", "bad.html": " "}.items():
        text = f"<article><table><tr><th>{word}</th><th>b</th></tr></table></article>"
        (tmp_path / name).write_text(f"<title>t</title>{text}", encoding="utf-8")
    assert reading.nameless(tmp_path) == ["bad.html"]


@pytest.mark.browser
@pytest.mark.parametrize("language", ["", "zh/"])
def test_what_the_search_finds_is_there(site, language):
    index = json.loads((site / language / "search/search_index.json").read_text(encoding="utf-8"))
    places = [entry["location"].partition("#") for entry in index["docs"]]
    assert len(places) > 100
    missing = []
    for place, _, anchor in places:
        path = f"{language}{place}index.html"
        if not (site / path).is_file() or (anchor and anchor not in reading.page(site, path).anchors):
            missing.append(f"{place}#{anchor}")
    assert missing == []


@pytest.mark.browser
@pytest.mark.parametrize("language", ["", "zh/"])
def test_what_the_reference_shows_is_a_link_where_a_guide_names_it(site, language):
    shown: dict[str, set[str]] = {}
    for path in sorted((site / language / "api").glob("*/index.html")):
        for anchor in map(str, reading.read(path).xpath("//*[contains(@class, 'doc-heading')]/@id")):
            of_class = re.search(r"[A-Z]\w*(\.\w+)?$", anchor)  # a class, or a member with its class
            for name in {anchor, of_class[0] if of_class else anchor}:
                shown.setdefault(name, set()).add(anchor)
    linked, bare = 0, []
    guides = [path for path in sorted((site / language).glob("*/index.html")) if path.parent.name != "verification"]
    for path in guides:  # the verification page is a record: the tool, which knows of no reference, writes it
        for code in reading.read(path).xpath("//article//code[not(ancestor::pre or ancestor::figure)]"):
            name = re.sub(r"\([^()]*\)$", "", code.text_content())
            if len(shown.get(name, ())) != 1 or code.xpath("ancestor::h1 | ancestor::h2 | ancestor::h3 | ancestor::h4"):
                continue
            linked += 1
            if not code.xpath("ancestor::a"):
                bare.append(f"{path.parent.name}: {name}")
    assert linked > 100
    assert bare == []


@pytest.fixture
def small(tmp_path):
    for name, text in SOUND.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_sound_site_has_no_fault(small):
    assert reading.faults(small) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("index.html", 'href="a/"', 'href="b/"', "index.html: 'b/': there is no such file"),
        ("index.html", "a/#b", "a/#c", "index.html: 'a/#c': a/index.html has no such anchor"),
        ("index.html", "<h1", '<img src="no.png"><h1', "index.html: 'no.png': there is no such file"),
        ("index.html", "https://", "ftp://", "index.html: 'ftp://a.test/x#y': an address of an unknown kind"),
        ("a/index.html", "L1-L2", "L1-L3", "a/index.html: '../sources/k.py.html#L1-L3': the file has 2 lines"),
        ("a/index.html", "L1-L2", "L2-L1", "a/index.html: '../sources/k.py.html#L2-L1': the file has 2 lines"),
        (
            "a/index.html",
            "L1-L2",
            "L0",
            "a/index.html: '../sources/k.py.html#L0': sources/k.py.html has no such anchor",
        ),
        ("a/index.html", '<p id="b">', '<p id="b"><b id="b"></b>', "a/index.html: the anchor 'b' is there twice"),
        ("site.css", "data:,", "no.png", "site.css: 'no.png': there is no such file"),
        ("site.css", "data:,", "//a.test/x", "site.css: '//a.test/x': a style sheet asks another host"),
    ],
)
def test_a_broken_address_is_told(small, file, old, new, said):
    path = small / file
    assert old in path.read_text(encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    assert reading.faults(small) == [said]
