"""What a file was in the commits that changed it."""

from __future__ import annotations

import pytest

from snippetlock.errors import RepositoryError
from snippetlock.source.versions import versions


def contents(path, most=10):
    return [data.decode() for _, data in versions(path, most)]


def test_versions_come_newest_first_through_renames_and_other_commits(repo):
    history = repo("docs")
    body = "".join(f"line {n}\n" for n in range(20))
    history.commit({"docs/a.md": body + "one\n", "other": "x"})
    second = history.commit({"docs/a.md": body + "two\n"})
    history.commit({"other": "y"})
    history.commit({"docs/a.md": None, "docs/b c.md": body + "three\n"})

    path = history.folder / "docs/b c.md"
    assert [text.removeprefix(body) for text in contents(path)] == ["three\n", "two\n", "one\n"]
    assert [commit for commit, _ in versions(path, 10)][1] == second
    assert [text.removeprefix(body) for text in contents(path, 2)] == ["three\n", "two\n"]


def test_a_file_that_was_never_committed_has_none(repo):
    history = repo("docs")
    assert contents(history.folder / "a.md") == []

    history.commit({"a.md": "a\n"})
    assert contents(history.folder / "b.md") == []
    assert contents(history.folder / "a.md") == ["a\n"]


def test_a_file_in_no_checkout_is_said_to_be_in_none(tmp_path):
    with pytest.raises(RepositoryError):
        contents(tmp_path / "a.md")
