"""The stamp of a project: equal while nothing changed, and nothing where that cannot be told."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from fakes import FakeProject

from snippetlock.workflow.stamp import stamp


@pytest.fixture
def project(tmp_path):
    for name in (
        "pyproject.toml",
        "pin.yaml",
        "snippets/a.yaml",
        "snippets/snippets.lock",
        "docs/index.md",
        "docs/a/b.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    return FakeProject(root=tmp_path)


def test_equal_while_nothing_changes(project):
    assert stamp(project) == stamp(FakeProject(root=project.config.root)) is not None


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "pin.yaml", "snippets/a.yaml", "snippets/snippets.lock", "docs/a/b.md"]
)
def test_another_when_a_file_changes(project, name):
    before = stamp(project)
    file = project.config.root / name
    file.write_text("y")
    os.utime(file, ns=(1, 1))
    assert stamp(project) != before


@pytest.mark.parametrize("name", ["docs/new.md", "snippets/new.yaml"])
def test_another_when_a_file_comes(project, name):
    before = stamp(project)
    (project.config.root / name).write_text("")
    assert stamp(project) != before


@pytest.mark.parametrize(
    "make",
    [
        lambda snippets: (snippets / "new.yaml").mkdir(),
        lambda snippets: (snippets / "sub/new.yaml").write_text(""),
        lambda snippets: (snippets / "new.yaml").symlink_to("../docs"),
    ],
)
def test_another_when_there_is_what_is_no_definitions_file(project, make):
    (project.config.root / "snippets/sub").mkdir()
    before = stamp(project)
    assert stamp(project) == before
    make(project.config.root / "snippets")
    assert stamp(project) != before


def test_none_where_it_cannot_be_told(project):
    (project.config.root / "pin.yaml").unlink()
    assert stamp(project) is None


def test_none_for_a_folder(project):
    project.pin = replace(project.pin, kind="folder", folder="lib")
    assert stamp(project) is None
