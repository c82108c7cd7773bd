"""What the pin is to be moved to: a release, a commit, a folder or a wheel, as somebody calls it. Writes no pin.

A release and a wheel are in the cache afterwards, and of a commit in a mirror so is every file.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from snippetlock.changes import State
from snippetlock.config.pin import WHEEL, plain_name
from snippetlock.errors import NoRelease, PinError, RepositoryError, SnippetlockError, UsageError
from snippetlock.model import Pin
from snippetlock.records import dataclass, replace
from snippetlock.source import GitTree, WheelTree, fetch, pinned_wheel
from snippetlock.source.git import hidden
from snippetlock.source.gitpin import pinned_tree
from snippetlock.source.releases import LATEST, Release, resolve_release
from snippetlock.source.wheel import verify
from snippetlock.workflow.packages import packages
from snippetlock.workflow.states import PIN, Opened, States
from snippetlock.workflow.tags import VERSION, of_tag, tags_of
from snippetlock.workflow.walking import root_of

__all__ = ["Target", "target"]

_SHORT = 12  # digits of a digest that a line for people shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where the pin can move: `pin` as the pin file would say it, its files, and in a line what the name came to."""

    pin: Pin
    opened: Opened
    said: str


def target(states: States, text: str, *, allow_yanked: bool = False) -> Target:
    """The state that somebody calls `text`, as a pin of this project. Raises a `SnippetlockError` where it is none.

    `latest` and versions are releases; what starts with `.` or `/` is a folder, what ends in `.whl` a wheel, and the
    rest names a commit. Where the pin is a commit, a version is first looked for among the tags; where it is not, the
    tag of just this name is taken when there is no such release.
    """
    if text == PIN:
        return Target(pin=states.project.pin, opened=states.open(PIN), said=f"{PIN} = {states.project.pin.label}")
    if text.endswith(".whl"):
        found = _wheel(states, text)
    elif text.startswith((".", "/")):
        found = _folder(states, text)
    elif text == LATEST:
        found = _release(states, text, allow_yanked=allow_yanked)
    elif VERSION.fullmatch(text):
        found = _version(states, text, allow_yanked=allow_yanked)
    else:
        found = _commit(states, text)
    _hold(states, found.opened, text)
    return found


def _version(states: States, text: str, *, allow_yanked: bool) -> Target:
    """What somebody calls a version: a release, or the commit of a tag."""
    by_tag = states.project.pin.kind == "git"
    found = _tagged(states, tags_of(text, states.project.pin.name), text) if by_tag else None
    if found is not None:
        return found
    try:
        return _release(states, text, allow_yanked=allow_yanked)
    except NoRelease as error:
        if by_tag or states.project.pin.repository is None:
            raise
        if (found := _tagged(states, (text,), text, quiet=True)) is not None:
            return replace(found, said=f"{found.said}; {error.what}")
        if (other := _tagged(states, tags_of(text, states.project.pin.name), text, quiet=True)) is not None:
            tag = other.said.partition(" = ")[0]
            said = f"{error.mend} O" if error.mend.endswith("?") else f"{error.mend}; o"
            error.mend = f"{said}r take the commit of its tag: {tag}"
        raise


def _release(states: States, text: str, *, allow_yanked: bool) -> Target:
    project, outside = states.project, states.outside
    name = project.pin.name
    like = project.pin.file  # whoever moves the pin, and on whatever machine, shall get the same wheel
    release = resolve_release(name, text, outside.environ, outside.progress, allow_yanked=allow_yanked, like=like)
    pin = _of_wheel(states, release.version, release.file, release.sha256)
    path = fetch(pin, project.cache, outside.progress, outside.environ, project.config.root)
    called = f"{text} = " if text in (LATEST, f"v{release.version}") else ""
    return _wheel_target(states, pin, path, called, release)


def _of_wheel(states: States, version: str, file: str, sha256: str) -> Pin:
    """The pin of a wheel. No commit is known of it yet."""
    old = states.project.pin
    repository = old.repository and replace(old.repository, commit=None)
    return Pin(
        name=old.name,
        version=version,
        kind="wheel",
        file=file,
        sha256=sha256,
        repository=repository,
        place=old.place,
    )


def _wheel_target(states: States, pin: Pin, path: Path, called: str, release: Release | None = None) -> Target:
    tree = WheelTree(path, pin.sha256, where=pin.label, pinned=False)  # by the pin file it is not said yet
    root = pin.repository.root if pin.repository else ""
    opened = Opened(state=State(label=pin.label), tree=tree, root=root)
    tag, commit = of_tag(states, opened, pin.version)
    if commit and pin.repository:
        pin = replace(pin, repository=replace(pin.repository, commit=commit))
        opened = replace(opened, state=State(label=pin.label, commit=commit))
    said = f"{called}{pin.label}, sha256 {pin.sha256[:_SHORT]}…"
    said += f", the commit of tag {tag}" if commit else ""
    if release:
        said += f", yanked: {release.yanked}" if release.yanked is not None else ""
        said += f"; newer, but no wheel that was asked for: {', '.join(release.passed)}" if release.passed else ""
    return Target(pin=pin, opened=opened, said=said)


def _tagged(states: States, tags: Iterable[str], text: str, *, quiet: bool = False) -> Target | None:
    """The commit of the first of these tags that there is, as the version `text`; None where there is none of them.

    `quiet` is for who can do without: a repository that cannot be had has no tags then.
    """
    for tag in tags:
        try:
            states.commit(f"refs/tags/{tag}")
        except RepositoryError as error:
            if quiet or "refs/tags/" in error.what:
                continue
            raise
        return _commit(states, f"refs/tags/{tag}", called=tag, version=text.removeprefix("v"))
    return None


def _commit(states: States, text: str, *, called: str = "", version: str = "") -> Target:
    """A commit of the pin's own repository, by its full name."""
    pin = states.project.pin
    commit = states.commit(text)
    if pin.repository is None:
        mend = "add `repository: {url: …, root: …}` to the pin first: it says where the commit is found"
        raise UsageError(f"{text} is a commit, and the pin names no repository", path=pin.place, mend=mend)
    label = commit.short if commit.id.startswith(text) else f"{called or text} {commit.short}"
    opened = states.at(commit, label, root_of(states, commit))
    if isinstance(opened.tree, GitTree) and opened.tree.repo.remote is not None:
        opened.tree.prefetch()
    moved = Pin(
        name=pin.name,
        version=version,
        kind="git",
        commit=commit.id,
        repository=replace(pin.repository, commit=commit.id, root=opened.root),
        place=pin.place,
    )
    _recorded(states, moved)
    below = f", its folder {opened.root or '.'}" if opened.root != pin.repository.root else ""
    name = "" if commit.id.startswith(text) else f"{called or text} = "
    return Target(pin=moved, opened=opened, said=f"{name}commit {commit.id}{below}, {commit.subject!r}")


def _recorded(states: States, pin: Pin) -> None:
    """See that a check will be able to read a commit: from the pin's own address, whatever copy it was looked up in.

    Raises a `SnippetlockError` where it will not: such a pin would be one that no command can do anything with.
    """
    root, cache, outside = states.project.config.root, states.project.cache, states.outside
    assert pin.repository is not None
    try:
        fetch(pin, cache, outside.progress, outside.environ, root)
        pinned_tree(pin, root, cache).repo.objects.close()
    except SnippetlockError as error:
        if not outside.upstream:
            raise
        copy, own = hidden(outside.upstream), hidden(pin.repository.url)
        mend = (
            "push the commit there first, or see that the address can be reached, or let `repository.url` of the pin "
            "name one that has it; `snippetlock drift --against` compares with a copy and pins nothing"
        )
        what = f"{copy} has commit {pin.commit[:10]}, but where the pin is read from, {own}, it cannot be had"
        raise UsageError(what, path=pin.place, evidence=(error.what, *error.evidence), mend=mend) from error


def _tops(opened: Opened) -> set[str]:
    """What stands at the top of a state: its packages and modules among them."""
    return {path.split("/")[0].removesuffix(".py") for path in opened.tree.paths()}


def _folder(states: States, text: str) -> Target:
    """A folder, recorded as it was called: from the project's folder, or absolute."""
    old, root = states.project.pin, states.project.config.root
    opened = states.open(text)
    place = text if os.path.isabs(text) else os.path.relpath(states.outside.base / text, root).replace(os.sep, "/")
    pin = Pin(
        name=old.name,
        version="",
        kind="folder",
        folder=place,
        repository=old.repository and replace(old.repository, commit=None),
        place=old.place,
    )
    return Target(pin=pin, opened=opened, said=f"the folder {place}, read as it is")


def _wheel(states: States, text: str) -> Target:
    """A wheel on this machine: recorded by name and digest as a release is, and put where fetched ones are."""
    name = states.project.pin.name
    path = states.outside.base / text
    parts = re.fullmatch(WHEEL, path.name)
    if not parts:
        mend = f"name a file like {name}-1.0-py3-none-any.whl"
        raise UsageError(f"{path.name} is not the name of a wheel", mend=mend)
    if plain_name(parts["name"]) != plain_name(name):
        mend = f"name a wheel of {name}, or change `name` in the pin first"
        raise UsageError(f"{path.name} is a wheel of another package than {name}", mend=mend)
    found = states.open(text).tree
    found.paths()  # what is no wheel is refused under the name that it was given, and not kept
    digest = str(found.identity).removeprefix("sha256:")
    pin = _of_wheel(states, parts["version"].replace("_", "-"), path.name, digest)
    kept = pinned_wheel(pin, states.project.cache)
    try:
        verify(kept, digest)
    except PinError:  # not there yet, or cut off, or altered
        _keep(path, kept)
    found_at = _wheel_target(states, pin, kept, f"{text} = ")
    return replace(found_at, said=f"{found_at.said}; on another machine the package index is asked for it")


def _keep(path: Path, kept: Path) -> None:
    """Copy a wheel into the cache, whole or not at all."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".keep-", dir=kept.parent) as room:
            shutil.copyfile(path, Path(room) / kept.name)
            os.replace(Path(room) / kept.name, kept)
    except OSError as error:
        mend = "set SNIPPETLOCK_CACHE to a folder that can be written and has room"
        raise UsageError(f"the cache cannot be written: {error.strerror}: {kept.parent}", mend=mend) from error


def _hold(states: States, opened: Opened, text: str) -> None:
    """Refuse what has none of the packages that the definitions take from: it is not this library."""
    wanted = packages(found[0] for found in states.project.taken.values())
    there = _tops(opened)
    if wanted and not wanted & there:
        names = " and no ".join(repr(name) for name in sorted(wanted))
        mend = "name the folder that holds the packages, or another state of the library"
        raise UsageError(f"{text} is not this library: it has no {names}", evidence=_few(there), mend=mend)


def _few(there: set[str]) -> tuple[str, ...]:
    names = sorted(there)
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return (f"it has {', '.join(names[:8]) or 'no file'}{more}",)
