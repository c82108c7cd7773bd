"""The pins that the lock remembers: which of them somebody means, and what going back to one undoes. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import normpath
from typing import NamedTuple

from snippetlock.changes import State
from snippetlock.config.pin import parse_pin
from snippetlock.config.splices import folder_said, restored, spliced
from snippetlock.errors import ConfigError, LockError
from snippetlock.lock import Lock, Move
from snippetlock.model import Pin, Written
from snippetlock.records import replace
from snippetlock.source import fetch, open_tree, pin_status
from snippetlock.workflow.held import facts
from snippetlock.workflow.rewriting import text_of
from snippetlock.workflow.states import Opened, States
from snippetlock.workflow.tags import commits_of_tags, of_tag
from snippetlock.workflow.targets import Target

__all__ = ["Was", "recalled", "remembered", "same_state", "unwound"]


class Was(NamedTuple):
    """A selector of a remembered state: `now` is what the moves since made of it, `written` how its file wrote it."""

    now: str
    selector: str
    written: Written | None


def same_state(one: Pin, other: Pin) -> bool:
    """Whether two pins are of one state of the library, whatever version they call it; a folder by its place alone."""
    name, _, *rest = facts(one)
    again, _, *others = facts(other)
    return (name, rest) == (again, others) and normpath(one.folder) == normpath(other.folder)


def remembered(lock: Lock, pin: Pin) -> int | None:
    """The number of the move that left this state, the last of several; None where the lock knows of none."""
    found = [n for n, move in enumerate(lock.moves) if same_state(_whole(move), pin)]
    return found[-1] if found else None


def _whole(move: Move) -> Pin:
    """The pin that a move left, with the folder, of which a lock keeps only how the pin file writes it."""
    return replace(move.pin, folder=folder_said(move.fragments))


def unwound(lock: Lock, back: int | None) -> Mapping[str, Was]:
    """The selectors of a remembered state, and what the moves since made of them; by id."""
    found: dict[str, Was] = {}
    for move in reversed(lock.moves[back:] if back is not None else ()):
        for name, (before, after) in move.selectors.items():
            if name not in found:
                found[name] = Was(now=after, selector=before, written=move.sources.get(name))
            elif found[name].selector == after:
                found[name] = Was(now=found[name].now, selector=before, written=move.sources.get(name))
    return found


def recalled(states: States, text: str) -> Target | None:
    """The pin that was left under this version, as the pin file said it then; None where the lock knows of none.

    A commit whose pin stated no version was left under that of its tags. It is not asked for again: what it was is
    known. Raises `PinError` when it is gone and cannot be had.
    """
    project, outside = states.project, states.outside
    try:
        lock = project.lock
    except LockError:
        return None  # the move itself says so
    move = _called(states, lock, text) if lock else None
    if move is None:
        return None
    body, _ = text_of(project.config.pin, project.config.name(project.config.pin))
    try:
        pin = parse_pin(spliced(body, restored(body, move.fragments)), project.pin.place)
    except ConfigError:
        return None  # the pin file was edited since: what it says now decides
    if not same_state(pin, _whole(move)):
        return None
    if pin.kind != "folder" and not pin_status(pin, project.config.root, project.cache).cached:
        fetch(pin, project.cache, outside.progress, outside.environ, project.config.root)
    commit = pin.commit or (pin.repository.commit if pin.repository else None) or ""
    opened = Opened(
        state=State(label=pin.label, commit=commit),
        tree=open_tree(pin, project.config.root, project.cache),
        root=pin.repository.root if pin.repository else "",
    )
    if not commit:
        opened = replace(opened, state=State(label=pin.label, commit=of_tag(states, opened, pin.version)[1]))
    return Target(pin=pin, opened=opened, said=f"{text} = {pin.label}, as it was pinned before")


def _called(states: States, lock: Lock, text: str) -> Move | None:
    """The last move that left what is called so."""
    bare = any(move.pin.kind == "git" and not move.pin.version for move in lock.moves)
    commits = commits_of_tags(states, text) if bare else frozenset()
    for move in reversed(lock.moves):
        if move.pin.version == text.removeprefix("v") if move.pin.version else move.pin.commit in commits:
            return move
    return None
