"""What was accepted is cut again from what the lock names, with nothing kept but that."""

from __future__ import annotations

import re
import shutil

import pytest
from upstream import CORE, START, core, library, project

from snippetlock.workflow import check, open_project, update

LIGHT = ("len(thing) for", "len(thing) + 1 for")
DIFFERENCE = (
    "--- accepted",
    "+++ kit/core.py:21-22",
    "@@ -1,2 +1,2 @@",
    " def weigh(things: list[str], unit: float = 1.0) -> float:",
    "-    return sum(len(thing) for thing in things) * unit",
    "+    return sum(len(thing) + 1 for thing in things) * unit",
)


@pytest.fixture
def up(repo):
    return library(repo)[0]


@pytest.fixture
def docs(up, tmp_path):
    """The docs project, pinned to the first commit and accepted there, by somebody with another cache."""
    root = project(tmp_path / "docs", str(up.folder), up.git("rev-parse", "HEAD"))
    update(open_project(root, tmp_path / "another"))
    return root


def changed(root):
    found = {finding.rule: finding for finding in check(open_project(root, root.parent / "cache")).findings}
    assert sorted(found) == ["SL103", "SL106"]
    return found["SL103"].evidence


def pin(root, up, text):
    repository = f"repository:\n  url: {up.folder}\n  root: src\n"
    (root / "pin.yaml").write_text(f"name: kit\n{text}\n{repository}")


def test_another_commit_is_compared_with_the_accepted_one(up, docs):
    pin(docs, up, f"git:\n  commit: {up.commit(core(*LIGHT))}")
    assert changed(docs) == DIFFERENCE


def test_so_is_a_folder(up, docs):
    shutil.copytree(up.folder / "src", docs / "lib")
    (docs / "lib/kit/core.py").write_text(CORE.replace(*LIGHT))
    pin(docs, up, "folder: lib")
    assert changed(docs) == DIFFERENCE


def test_a_repository_that_lacks_the_commit_says_nothing(docs, repo):
    other = library(repo, "other")[0]  # the same first commit, until it is thrown away
    other.commit(core(*LIGHT))
    other.git("checkout", "--quiet", "--orphan", "new")
    commit = other.commit(message="Anew")
    other.git("branch", "-D", "main")
    other.git("reflog", "expire", "--expire=now", "--all")
    other.git("gc", "--quiet", "--prune=now")
    pin(docs, other, f"git:\n  commit: {commit}")
    assert changed(docs)[0] == "the accepted text is not at hand; this is what it shows now:"


def test_another_root_of_the_accepted_commit_is_another_pin(up, docs):
    def findings(root):
        old = {path.replace("src/", "old/"): text for path, text in START.items() if path.startswith("src/")}
        commit = up.commit({**old, "old/kit/core.py": CORE.replace(*LIGHT)})
        text = (docs / "pin.yaml").read_text()
        (docs / "pin.yaml").write_text(re.sub("commit: .*", f"commit: {commit}", text))
        update(open_project(docs, docs.parent / "cache"))
        assert check(open_project(docs, docs.parent / "cache")).findings == ()
        (docs / "pin.yaml").write_text(re.sub("root: .*", f"root: {root}", (docs / "pin.yaml").read_text()))
        return {finding.rule: finding for finding in check(open_project(docs, docs.parent / "cache")).findings}

    assert findings("src") == {}
    found = findings("old")
    assert [line.rpartition(", ")[2] for line in found["SL106"].evidence] == ["its folder src", "its folder old"]
