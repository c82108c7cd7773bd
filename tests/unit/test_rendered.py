"""Which page the text is that a builder renders, and what stands above it in the file."""

from __future__ import annotations

import pytest
from fakes import FakeProject

from snippetlock.workflow.rendered import recognise

FRONT = "---\ntitle: A\n---\n"
BODY = '# A\n\n```text unsourced="why"\nx\n```\n'
PROJECT = FakeProject(pages={"a.md": FRONT + "\n" + BODY, "b.zh.md": BODY})


@pytest.mark.parametrize(
    ("name", "text", "above"),
    [("a.md", BODY, 4), ("a.md", "\n" + BODY, 3), ("b.zh.md", BODY.rstrip("\n"), 0)],
)
def test_a_file_below_its_front_matter_is_the_page_that_is_scanned(name, text, above):
    page, lines = recognise(PROJECT, name, text)
    assert page is next(page for page in PROJECT.pages if page.name == name)
    assert lines == above


@pytest.mark.parametrize(
    ("name", "text", "above"),
    [
        ("a.md", FRONT + "\n" + BODY, 0),  # front matter that nobody took off is text
        ("a.md", BODY.replace("x", "y"), 0),  # another plugin wrote into it
        ("a.md", BODY + "\nmore\n" * 9, 0),
        ("a.md", BODY.partition("\n\n")[2], 6),  # the heading is gone, which is no front matter
        ("new.zh.md", BODY, 0),
    ],
)
def test_another_text_is_a_page_of_its_own(name, text, above):
    page, lines = recognise(PROJECT, name, text)
    assert (page.text, page.name, page.path) == (text, name, f"docs/{name}")
    assert [block.unsourced for block in page.scan.blocks] == ["why"]
    assert (page.language, lines) == ("zh" if ".zh." in name else "en", above)


def test_a_text_without_a_name_is_this_page_in_the_first_language():
    page, above = recognise(PROJECT, "", BODY)
    assert (page.path, page.name, page.language, above) == ("this page", "", "en", 0)
