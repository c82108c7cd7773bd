"""Drift along a history: the folders of `tests/history` as commits of a real repository, read without a checkout."""

from pathlib import Path

import pytest
from test_drift import define

from snippetlock.config import parse_selector
from snippetlock.drift import compare
from snippetlock.model import View
from snippetlock.source.commits import diff
from snippetlock.source.gittree import GitTree
from snippetlock.source.repository import local

HISTORY = Path(__file__).parents[1] / "history"
STATES = sorted(path.name for path in HISTORY.iterdir())


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """(the repository, the commit of each folder), one after the other."""
    import gitrepo

    made = gitrepo.History(tmp_path_factory.mktemp("history"))
    commits = {}
    for name in STATES:
        gone = [p for p in made.folder.rglob("*") if p.is_file() and ".git" not in p.relative_to(made.folder).parts]
        files = {str(p.relative_to(HISTORY / name)): p.read_bytes() for p in (HISTORY / name).rglob("*") if p.is_file()}
        absent = [str(p.relative_to(made.folder)) for p in gone]
        commits[name] = made.commit({**{path: None for path in absent if path not in files}, **files}, name)
    repo = local(made.folder)
    yield repo, commits
    repo.objects.close()


def between(states, one, other, selector, **view):
    repo, commits = states
    changes = diff(repo, commits[one], commits[other], ("src",))
    touched = {path for change in changes for path in (change.path, change.old_path) if path}
    renames = {change.old_path: change.path for change in changes if change.old_path and change.old_path != change.path}
    old, new = (GitTree(repo, commits[name], "src") for name in (one, other))
    return compare(define(selector, View(**view)), old, new, touched=touched, renames=renames)


KEPT = {"show": "skeleton", "keep": ("boil",), "docstrings": "drop", "comments": "drop"}


@pytest.mark.parametrize(
    ("one", "other", "selector", "view", "wanted", "candidate"),
    [
        ("v1", "v1", "tea:pour", {}, "same", None),
        ("v1", "v2", "tea:pour", {}, "layout", None),
        ("v1", "v2", "tea:GlassKettle", {}, "comment", None),
        ("v1", "v2", "tea:GlassKettle", KEPT, "same", None),
        ("v1", "v2", "tea:GlassKettle.modes", {}, "layout", None),
        ("v1", "v2", "tea.kettle:Vessel", {}, "same", None),
        ("v2", "v3", "tea:pour", {}, "body", None),
        ("v2", "v3", "tea:GlassKettle.boil", {}, "signature", None),
        ("v2", "v3", "tea:GlassKettle", KEPT, "signature", None),
        ("v2", "v3", "tea:GlassKettle.modes", {}, "same", None),
        ("v2", "v3", "tea/spec.yaml:GlassKettle.modes", {}, "body", None),
        ("v2", "v3", "tea/spec.yaml:GlassKettle.signature", {}, "same", None),
        ("v3", "v4", "tea:pour", {}, "moved", None),
        ("v3", "v4", "tea.cups:pour", {}, "moved", "tea:pour"),
        ("v3", "v4", "tea:GlassKettle", {}, "renamed", "tea:GLASSKettle"),
        ("v3", "v4", "tea:GlassKettle.boil", {}, "renamed", "tea:GLASSKettle.boil"),
        ("v3", "v4", "tea.kettle:GlassKettle.boil", {}, "renamed", "tea:GLASSKettle.boil"),
        ("v3", "v4", "tea.kettle:Vessel", {}, "moved", "tea._kettles.kettle:Vessel"),
        ("v3", "v4", "tea/spec.yaml:GlassKettle.signature", {}, "renamed", "tea/spec.yaml:GLASSKettle.signature"),
        ("v4", "v5", "tea:GLASSKettle.boil", {}, "renamed", "tea._kettles.kettle:Vessel.boil"),
        ("v4", "v5", "tea:GLASSKettle.modes", {}, "same", None),
        ("v4", "v5", "tea:pour", {}, "ambiguous", "tea._cups.pour:pour#1"),
        ("v4", "v5", "tea/spec.yaml:GLASSKettle.signature", {}, "removed", None),
        ("v1", "v5", "tea:GlassKettle.modes", {}, "renamed", "tea:GLASSKettle.modes"),
        ("v5", "v1", "tea._kettles.kettle:Vessel.boil", {}, "renamed", "tea.kettle:GlassKettle.boil"),
    ],
)
def test_between_two_commits(states, one, other, selector, view, wanted, candidate):
    change = between(states, one, other, selector, **view)
    assert change.cls == wanted, change
    assert (change.candidates[0].selector if change.candidates else None) == candidate
    if candidate:
        assert str(parse_selector(candidate)) == candidate


def test_forth_and_back_is_the_same(states):
    for selector in ("tea:pour", "tea:GlassKettle", "tea:GlassKettle.boil"):
        forth, back = between(states, "v1", "v3", selector), between(states, "v3", "v1", selector)
        assert (forth.cls, forth.old_text, forth.new_text) == (back.cls, back.new_text, back.old_text)
