from __future__ import annotations

import pytest

from snippetlock.workflow.files import leads, walk
from snippetlock.workflow.pages import language


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("index.md", "index.zh.md", "deep/er/a.markdown", "deep/B.MD", "deep/picture.png", ".hidden.md"):
        (folder / name).write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "no.md").write_text("x")
    return folder


PLAIN = [("deep/B.MD", False), ("deep/er/a.markdown", False), ("index.md", False), ("index.zh.md", False)]


def test_pages_are_markdown_files_sorted_and_without_hidden_ones(docs):
    assert list(walk(docs)) == PLAIN


def test_a_link_to_a_page_inside_is_a_page(docs):
    (docs / "deep" / "z.md").symlink_to(docs / "index.md")

    assert list(walk(docs)) == sorted([*PLAIN, ("deep/z.md", False)])


@pytest.mark.parametrize("target", ["../outside.md", "/nowhere/at/all.md", "missing.md"])
def test_a_link_out_or_to_nothing_is_told_apart(docs, target):
    (docs.parent / "outside.md").write_text("x")
    (docs / "z.md").symlink_to(target)

    assert list(walk(docs)) == [*PLAIN, ("z.md", True)]
    missing = "" if target == "../outside.md" else ", which is not there"
    assert leads(docs / "z.md") == f"it leads to {target}{missing}"


def test_a_folder_that_leads_out_is_one_entry_and_one_inside_is_entered(docs):
    (docs.parent / "other").mkdir()
    (docs.parent / "other" / "o.md").write_text("x")
    (docs / "out").symlink_to(docs.parent / "other")
    (docs / "inn").symlink_to(docs / "deep" / "er")

    assert list(walk(docs)) == sorted([*PLAIN, ("out", True), ("inn/a.markdown", False)])


@pytest.mark.parametrize("target", [".", "..", "../.."])
def test_circles_of_links_end(docs, target):
    (docs / "deep" / "er" / "round").symlink_to(target)

    assert set(PLAIN) <= set(walk(docs))
    assert len(walk(docs)) <= len(PLAIN) + 4


def test_docs_that_are_themselves_a_link_are_inside(docs, tmp_path):
    (tmp_path / "linked").symlink_to(docs)

    assert list(walk(tmp_path / "linked")) == PLAIN


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a.md", "en"), ("a.zh.md", "zh"), ("b/a.zh.md", "zh"), ("a.fr.md", "en"), ("zh.md", "en"), ("a.zh/b.md", "en")],
)
def test_the_suffix_says_the_language(name, wanted):
    assert language(name, ("en", "zh")) == wanted
