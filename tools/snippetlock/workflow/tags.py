"""The tags of a version in the library's repository, and their commits. Asks only what is on this machine."""

from __future__ import annotations

import re

from snippetlock.changes import State
from snippetlock.errors import SnippetlockError
from snippetlock.source import GitTree, at_hand
from snippetlock.source.mirror import refs
from snippetlock.workflow.states import Opened, States, differences

__all__ = ["VERSION", "commits_of_tags", "of_tag", "tags_of"]

# A version as PEP 440 has it, with a dot in it or short enough to be no beginning of a commit's name.
VERSION = re.compile(
    r"v?(?:[0-9]+!)?(?:[0-9]+(?:\.[0-9]+)+|[0-9]{1,3})(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?[0-9]*)?"
    r"(?:[-_.]?post[-_.]?[0-9]*)?(?:[-_.]?dev[-_.]?[0-9]*)?(?:\+[A-Za-z0-9.]+)?"
)


def of_tag(states: States, opened: Opened, version: str) -> tuple[str, str]:
    """The tag of a release and its commit, where the repository is on this machine and holds the very same files."""
    repository = states.project.pin.repository
    if repository is None:
        return "", ""
    try:
        with at_hand(repository.url, states.project.cache, base=states.project.config.root) as repo:
            known = refs(repo)
            for tag in tags_of(version, states.project.pin.name):
                commit = known.get(f"refs/tags/{tag}")
                if commit and _holds(opened, GitTree(repo, commit, repository.root)):
                    return tag, commit
    except SnippetlockError:  # not at hand: a release needs none, and who wants links to it fills it in
        pass
    return "", ""


def commits_of_tags(states: States, version: str) -> frozenset[str]:
    """The commits of a version's tags, where the repository is on this machine; asks nobody."""
    pin = states.project.pin
    if pin.repository is None or not VERSION.fullmatch(version):
        return frozenset()
    try:
        with at_hand(pin.repository.url, states.project.cache, base=states.project.config.root) as repo:
            known = refs(repo)
    except SnippetlockError:
        return frozenset()
    return frozenset(known[f"refs/tags/{tag}"] for tag in tags_of(version, pin.name) if f"refs/tags/{tag}" in known)


def _holds(opened: Opened, tree: GitTree) -> bool:
    """Whether a commit has every Python file of a wheel as it is there; builders add others of their own."""
    there = [path for path in opened.tree.paths() if path.endswith(".py") and tree.has(path)]
    other = Opened(state=State(label=""), tree=tree, root=tree.root)
    touched, _ = differences(opened, other)
    return bool(there) and not any(path in (touched or ()) for path in there)


def tags_of(version: str, name: str) -> tuple[str, ...]:
    """What the tag of a version of the package `name` may be called, the version itself first."""
    bare = version.removeprefix("v")
    return (version, *dict.fromkeys(tag for tag in (f"v{bare}", bare, f"{name}-{bare}") if tag != version))
