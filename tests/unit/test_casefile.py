"""The reader of case files: what it reads, what it refuses, how it updates."""

import re
from pathlib import Path

import casefile
import pytest

SAMPLE = """\
For the reader.
--- not a section yet

=== one
1
--- file a.py
x = 1

y = 2

--- want
\\--- not a mark
---
\\=

=== two
--- want
"""


def parse(text):
    return casefile.parse(text, Path("x.case"))


def test_cases_have_a_place_and_sections():
    one, two = parse(SAMPLE)
    assert [str(c) for c in (one, two)] == ["x.case:4 one", "x.case:16 two"]
    assert one.sections == {
        "input": "1\n",
        "file a.py": "x = 1\n\ny = 2\n",
        "want": "--- not a mark\n---\n\\=\n",
    }
    assert one.files == {"a.py": "x = 1\n\ny = 2\n"}
    assert (two["want"], two.get("error"), two["input"]) == ("", "", "")


def test_a_section_that_is_not_there_is_named():
    with pytest.raises(KeyError, match=r"x\.case:16 two: no section '--- error'"):
        parse(SAMPLE)[1]["error"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.case: no cases"),
        ("--- want\n1\n", "x.case: no cases"),
        ("=== a\n1\n", "x.case:1: case 'a' has no section that says what is wanted"),
        ("=== a\n--- want\n=== a\n--- want\n", "x.case:3: a second case 'a'"),
        ("=== a\n--- want\n--- want\n", "x.case:3: a second section 'want' in one case"),
    ],
)
def test_what_is_not_a_case_file_is_refused(text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse(text)


def test_a_difference_is_shown_as_a_diff_and_equality_is_silent():
    one, _ = parse(SAMPLE)
    casefile.compare(one, "1\n", "input")
    with pytest.raises(pytest.fail.Exception) as caught:
        casefile.compare(one, "2\n", "input")
    assert str(caught.value) == "x.case:4 one\n--- x.case:4 input\n+++ got\n@@ -1 +1 @@\n-1\n+2"


@pytest.mark.parametrize(
    ("title", "section", "got"),
    [("one", "file a.py", "x\n"), ("one", "want", "--- mark\n"), ("one", "error", "E\n"), ("two", "want", "a\n\nb\n")],
)
def test_an_update_changes_the_one_section(title, section, got):
    before = {c.title: dict(c.sections) for c in parse(SAMPLE)}
    text = casefile.replaced(SAMPLE, title, section, got)
    after = {c.title: dict(c.sections) for c in parse(text)}
    before[title][section] = got
    assert after == before
    assert casefile.replaced(text, title, section, got) == text


def test_update_writes_the_file_and_says_nothing(tmp_path):
    source = tmp_path / "x.case"
    source.write_text(SAMPLE, encoding="utf-8")
    for case in casefile.parse(SAMPLE, source):
        casefile.compare(case, "new\n", update=True)
    assert [c["want"] for c in casefile.parse(source.read_text(encoding="utf-8"), source)] == ["new\n", "new\n"]


def test_each_reads_the_folder_of_cases(tmp_path, monkeypatch):
    monkeypatch.setattr(casefile, "FOLDER", tmp_path)
    (tmp_path / "x.case").write_text(SAMPLE, encoding="utf-8")
    mark = casefile.each("x.case")
    assert [c.title for c in mark.args[1]] == ["one", "two"]
    (tmp_path / "empty.case").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no cases"):
        casefile.each("x.case", "empty.case")
