"""The lists of families and ops that take the place of markers in a page."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest

from snippetlock.errors import ConfigError
from tileops_site.catalogue import Family, Op
from tileops_site.listing import marked, placed

DOCS = Path(__file__).parent.parent.parent / "docs"
BREW = Op(name="BrewFwdOp", params="kind='<b>'", inputs="leaves", outputs=("tea", "rest"), composed=False)
BACK = Op(name="BrewBwdOp", params="", inputs="", outputs=(), composed=False)
SET = Op(name="SetFwdOp", params="", inputs="cup", outputs=("cup",), composed=True)
FAMILIES = (Family(name="tea", ops=(BREW, BACK)), Family(name="cups", ops=(SET,)))
FAMILY_LIST, OP_LIST = "<!-- tileops: families -->", "<!-- tileops: ops -->"


def test_each_family_is_counted_and_so_is_the_whole():
    page = placed(f"Before.\n\n{FAMILY_LIST}\n\nAfter.\n", FAMILIES, "en")
    assert page.startswith("Before.\n\n<div")
    assert page.endswith("</div>\n\nAfter.\n")
    assert (
        '[`tea`](#ops-tea)</th><td data-label="Ops">2</td>'
        '<td data-label="of these, backward">1</td><td data-label="made of ops"></td></tr>'
    ) in page
    assert '2 families</th><td data-label="Ops">3</td>' in page
    assert '<td data-label="made of ops">1</td>' in page


def test_each_op_has_a_row_below_the_anchor_that_its_family_is_linked_by():
    page = placed(f"{OP_LIST}\n", FAMILIES, "en")
    tea, cups = page.split("### `cups` { #ops-cups }")
    assert tea.startswith("### `tea` { #ops-tea }\n\n<div")
    assert tea.count('<th scope="row"') == 2
    assert cups.count('<th scope="row"') == 1
    assert '<th scope="row" markdown="span">`BrewFwdOp`</th>' in tea
    assert "<code>kind='&lt;b&gt;'</code>" in tea
    assert "<code>leaves</code> → <code>tea, rest</code>" in tea
    assert "<code>()</code> → <code>None</code>" in tea


def test_names_are_inline_code_of_the_page_so_that_they_lead_to_the_reference_like_any():
    html = markdown.markdown(
        placed(f"{FAMILY_LIST}\n\n{OP_LIST}\n", FAMILIES, "en"), extensions=["md_in_html", "attr_list"]
    )
    assert '<th scope="row"><code>BrewFwdOp</code></th>' in html
    assert '<th scope="row"><a href="#ops-cups"><code>cups</code></a></th>' in html
    assert "<td data-label=\"Constructed with\"><code>kind='&lt;b&gt;'</code></td>" in html
    assert "markdown=" not in html


def test_the_chinese_page_has_the_same_with_chinese_titles():
    english, chinese = (placed(f"{FAMILY_LIST}\n\n{OP_LIST}\n", FAMILIES, language) for language in ("en", "zh"))
    assert "构造参数" in chinese
    assert "Constructed with" not in chinese
    assert chinese.count("<code>") == english.count("<code>")


def test_a_marker_that_nobody_knows_is_refused_and_what_is_no_marker_stays():
    with pytest.raises(ConfigError, match="unknown marker `tileops: op`") as caught:
        placed("<!-- tileops: op -->\n", FAMILIES, "en")
    assert "families, ops" in caught.value.mend
    page = f"Say `{OP_LIST}` for it.\n\n<!-- snippetlock: rules -->\n"
    assert marked(page) == ()
    assert placed(page, FAMILIES, "en") == page


def test_both_languages_of_a_page_have_the_same_markers():
    pages = {page: marked(page.read_text("utf-8")) for page in DOCS.rglob("*.md")}
    assert {"families", "ops"} <= {name for names in pages.values() for name in names}
    for page, names in pages.items():
        if not page.name.endswith(".zh.md"):
            assert pages[page.with_name(page.name.replace(".md", ".zh.md"))] == names
