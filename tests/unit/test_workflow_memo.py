from __future__ import annotations

import json
import os
import shutil

import pytest
from plain import LOCK, SOURCE, copy_of, edit, opened

import snippetlock.workflow.checks
from snippetlock.errors import ConfigError
from snippetlock.report import format_json
from snippetlock.workflow.checks import check
from snippetlock.workflow.memo import checked


@pytest.fixture
def root(tmp_path):
    return copy_of(tmp_path)


@pytest.fixture
def asked(root, monkeypatch):
    """`asked() -> (exit code, words, whether they were worked out anew)`."""
    calls = []

    def counting(project):
        calls.append(project)
        return check(project)

    monkeypatch.setattr(snippetlock.workflow.checks, "check", counting)

    def call():
        calls.clear()
        outcome = checked(root, root.parent / "cache")
        return outcome.exit, outcome.said, bool(calls)

    return call


def anew(root):
    """Exit code and words of a look that knows of no other."""
    report = check(opened(root))
    return report.exit, format_json(report)


def test_the_second_check_says_the_words_of_the_first(root, asked):
    *first, worked = asked()
    assert worked

    assert asked() == (*first, False)
    assert first[0] == 0
    assert first[1]["text"] == "4 snippets, 4 pages, 2 unsourced blocks, 0 findings\n"


def test_findings_are_said_again_in_every_form(root, asked):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    edit(root / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")
    code, said, _ = asked()
    assert code == 1
    assert [form for form in said if "SL112" in said[form] and "SL103" in said[form]] == list(said)
    assert set(said) == {"text", "color", "json", "github"}

    assert asked() == (code, said, False)


CHANGES = {
    "a page": lambda root: edit(root / "docs/index.md", "Counts", "Sums"),
    "a new page": lambda root: (root / "docs/new.md").write_text("# New\n"),
    "a page gone": lambda root: (root / "docs/guide.zh.md").unlink(),
    "a page renamed": lambda root: (root / "docs/guide.zh.md").rename(root / "docs/guide2.zh.md"),
    "a page that is a link now": lambda root: (
        (root / "docs/guide.md").rename(root / "guide.md"),
        (root / "docs/guide.md").symlink_to(root / "guide.md"),
    ),
    "a definition": lambda root: edit(root / "snippets/counting.yaml", "[__init__, see]", "[see]"),
    "a comment of a definition": lambda root: edit(root / "snippets/counting.yaml", "# The", "# A"),
    "a new definitions file": lambda root: (root / "snippets/z.yaml").write_text("z:\n  source: tally:merge\n"),
    "the lock": lambda root: edit(root / LOCK, "format: 2\n", "format: 2\n\n"),
    "the lock gone": lambda root: (root / LOCK).unlink(),
    "the pin": lambda root: edit(root / "pin.yaml", "2.1", "2.2"),
    "the configuration": lambda root: edit(root / "pyproject.toml", '"en", "zh"', '"en"'),
    "a file that was consulted": lambda root: edit(root / SOURCE, "counting is done", "we count"),
    "a file that had to be absent": lambda root: (
        (root / "lib/tally/_counting").mkdir(),
        (root / "lib/tally/_counting/__init__.py").write_text("class Counter: ...\n"),
    ),
    "a file of the library that is a link out now": lambda root: (
        (root / SOURCE).rename(root / "elsewhere.py"),
        (root / SOURCE).symlink_to(root / "elsewhere.py"),
    ),
    "a file of the library gone": lambda root: (root / "lib/tally/defaults.yaml").unlink(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_input_counts(root, asked, change):
    asked()
    change(root)

    code, said, worked = asked()
    assert worked
    assert (code, said["json"]) == anew(root)


def test_definitions_below_the_others_count_too(root, asked):
    asked()
    (root / "snippets/sub").mkdir()
    assert not asked()[2]
    (root / "snippets/sub/z.yaml").write_text("z:\n  source: tally:merge\n")

    with pytest.raises(ConfigError, match=r"snippets/sub/z\.yaml: a definitions file in a sub-folder is not read"):
        asked()


UNSEEN = {
    "a file that nothing consulted": lambda root: (root / "lib/tally/more.py").write_text("x = 1\n"),
    "a time of change": lambda root: os.utime(root / "docs/index.md", ns=(1, 1)),
    "an editor's file": lambda root: (root / "snippets/.counting.yaml.swp").write_text("x"),
}


@pytest.mark.parametrize("change", UNSEEN.values(), ids=UNSEEN)
def test_what_no_check_reads_does_not_count(root, asked, change):
    asked()
    change(root)

    assert not asked()[2]


def rules(said):
    return [finding["rule"] for finding in json.loads(said["json"])["findings"]]


def test_a_check_that_could_not_consult_a_folder_is_not_kept(root, asked):
    edit(root / "snippets/counting.yaml", "source: tally:merge", "source: tally.more:merge")
    assert rules(asked()[1]) == ["SL101"]
    (root / "lib/tally/more.py").write_text("def merge(): ...\n")

    _, said, worked = asked()
    assert worked
    assert rules(said) == ["SL117"]


def test_what_changes_while_it_is_checked_is_not_kept(root, monkeypatch):
    def changing(project):
        report = check(project)
        edit(root / "docs/index.md", "Counts what", "Sums up what")
        return report

    monkeypatch.setattr(snippetlock.workflow.checks, "check", changing)
    checked(root, root.parent / "cache")

    assert not (root.parent / "cache" / "reports").exists()


def test_a_project_that_moved_is_checked_anew(root, asked, tmp_path):
    asked()
    (tmp_path / "elsewhere").mkdir()
    moved = shutil.copytree(root, tmp_path / "elsewhere" / "plain")
    edit(moved / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")

    assert checked(moved, root.parent / "cache").exit == 1
    assert asked()[0] == 0


def test_a_nearer_project_is_another_one(root, asked, monkeypatch):
    inside = root / "docs"
    assert checked(inside, root.parent / "cache").exit == 0
    shutil.copytree(root / "snippets", inside / "snippets")
    (inside / "pyproject.toml").write_text('[tool.snippetlock]\npin = "none.yaml"\n')

    with pytest.raises(ConfigError, match="there is no pin file"):
        checked(inside, root.parent / "cache")


def test_what_could_not_be_checked_is_not_kept(root, asked):
    (root / "pin.yaml").rename(root / "away.yaml")
    with pytest.raises(ConfigError):
        asked()
    (root / "away.yaml").rename(root / "pin.yaml")

    assert asked()[0] == 0
