"""The words of a comparison of two states as data: what became of each snippet, who did it, and the whole report.

As in `model`, lines and columns are 1-based.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from snippetlock.model import Exit, Finding, Place, Span
from snippetlock.records import dataclass

ChangeClass = Literal[
    "unreadable",
    "ambiguous",
    "removed",
    "renamed",
    "signature",
    "body",
    "comment",
    "layout",
    "moved",
    "appears",
    "same",
]
CLASSES: tuple[ChangeClass, ...] = get_args(ChangeClass)
"""What can have become of a snippet, the worst first.

`unreadable`: its file does not parse, or cannot be read. `appears`: the old state has nothing that it could have been.
"""
CAN_FAIL = CLASSES[:-1]
FAIL_ON: tuple[ChangeClass, ...] = CLASSES[: CLASSES.index("body") + 1]
"""The classes that fail where nobody said which: everything after which a page must be read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a vanished snippet could be now. `selector` resolves in the new tree to `span`.

    `score` is between 0 and 1. `cls` is the class of what it shows, its name aside, against what was shown;
    `signature` where the view does not fit it.
    """

    selector: str
    span: Span
    score: float
    reason: str
    cls: ChangeClass


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of one snippet between two trees.

    `new` and `new_text` are those of the first candidate where the snippet is renamed or moved away from its
    selector, and None and empty where nothing is left. `details` are facts, one line each.
    """

    snippet: str
    cls: ChangeClass
    old: Span
    new: Span | None
    old_text: str
    new_text: str
    details: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def change_of(kept: Mapping[str, Any], name: str) -> Change:
    """The change that `records.asdict` took apart, of the snippet of this name."""
    return Change(
        snippet=name,
        cls=kept["cls"],
        old=Span(**kept["old"]),
        new=Span(**kept["new"]) if kept["new"] else None,
        old_text=kept["old_text"],
        new_text=kept["new_text"],
        details=tuple(kept["details"]),
        candidates=tuple(Candidate(**{**one, "span": Span(**one["span"])}) for one in kept["candidates"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One of the two states of the library that are compared. `commit` is a full hash, empty for what is no commit.

    Of a folder `base` is the commit that it was checked out from, empty where git knows none, and `dirty` says
    whether it differs from that.
    """

    label: str  # what messages call it: `tileops 0.1.0`, `main 2db29de6e2`, `../lib (at 2db29de6e2)`
    commit: str = ""
    base: str = ""
    dirty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprit:
    """The commit that brought a change: its full hash, its subject, its address (empty without one)."""

    commit: str
    subject: str
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drifted:
    """One snippet of a comparison. `change` is None where the old state cannot be cut: `problem` says why.

    `selector` is what its definition says.

    `fails` is what the policy says of its class. `blame` is the commit that did it, or in words why none is
    named; empty when nobody asked. Links are empty where the state is no commit with a web page.
    """

    snippet: str
    cls: ChangeClass
    change: Change | None
    place: Place
    uses: tuple[Place, ...] = ()
    fails: bool = False
    problem: str = ""
    selector: str = ""
    old_link: str = ""
    new_link: str = ""
    culprit: Culprit | None = None
    blame: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReport:
    """Every snippet between two states, the worst first; those that stayed the same too.

    `note` is one line on what the old state is worth as a measure; empty where it is what was accepted, or was
    never meant to be. `claims` are those of the pages that are true in the old state and no longer in the new one.
    """

    old: State
    new: State
    drifted: tuple[Drifted, ...]
    fail_on: tuple[ChangeClass, ...]
    note: str = ""
    claims: tuple[Finding, ...] = ()

    @property
    def failing(self) -> int:
        """How many snippets and claims fail the policy."""
        return sum(one.fails for one in self.drifted) + sum(one.level == "error" for one in self.claims)

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.failing else Exit.CLEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What one commit did to one snippet: its class, None where the snippet is there for the first time.

    `time` is in seconds since 1970 UTC. `selector` leads to it after the commit, `span` is where it is then, None
    where it cannot be cut: `problem` says why. `details` are facts, one line each.
    """

    snippet: str
    commit: str
    time: int
    subject: str
    cls: ChangeClass | None
    selector: str
    span: Span | None = None
    problem: str = ""
    link: str = ""
    details: tuple[str, ...] = ()
