"""The whole way of a snippet: where it is there for the first time, it goes on under what it was before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from snippetlock.config import parse_selector
from snippetlock.history.cuts import Cut, Store
from snippetlock.history.following import Follower, Step
from snippetlock.model import Definition
from snippetlock.records import dataclass, replace

__all__ = ["Follow", "Trail", "trails"]

_NAMES = 8  # older names that are followed

Follow = Callable[[list[Follower], Callable[[], None] | None], Iterable[Step]]
"""Sends followers along the commits that are asked about, and says what each did to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """One snippet through all commits: what they did to it, oldest first.

    `oldest` is the name that it had before them, and `first` what it showed then; `definition` the name that it has
    after them, and `cut` what it shows.
    """

    oldest: Definition
    first: Cut
    steps: tuple[Step, ...]
    definition: Definition
    cut: Cut

    @property
    def known(self) -> bool:
        """Whether it could ever be cut."""
        return self.first.digests is not None or any(step.new.digests is not None for step in self.steps)


def trails(
    definitions: Sequence[Definition],
    commits: Sequence[str],
    send: Follow,
    store: Store,
    stamp: str,
    passed: Callable[[], None] | None = None,
) -> list[Trail]:
    """The trail of each definition along `commits`, by their names. `passed` hears of each commit once."""
    number = {commit: at for at, commit in enumerate(commits)}
    found = {trail.oldest.id: trail for trail in _sent([Follower(d, store, stamp) for d in definitions], send, passed)}
    for _ in range(_NAMES):
        older = [
            Follower(_named(trail.oldest, trail.steps[0].origin[1]), store, stamp, number[trail.steps[0].commit.id])
            for trail in found.values()
            if trail.steps and trail.steps[0].cls is None and trail.steps[0].origin
        ]
        if not older:
            break
        found |= {one.oldest.id: _joined(one, found[one.oldest.id]) for one in _sent(older, send, None)}
    return [found[definition.id] for definition in definitions]


def _named(definition: Definition, selector: str) -> Definition:
    return replace(definition, selector=parse_selector(selector))


def _sent(followers: list[Follower], send: Follow, passed: Callable[[], None] | None) -> list[Trail]:
    asked = [follower.definition for follower in followers]
    steps: dict[str, list[Step]] = {definition.id: [] for definition in asked}
    for step in send(followers, passed):
        steps[step.definition.id].append(step)
    return [
        Trail(
            oldest=definition,
            first=follower.first,
            steps=tuple(steps[definition.id]),
            definition=follower.definition,
            cut=follower.cut,
        )
        for definition, follower in zip(asked, followers, strict=True)
    ]


def _joined(older: Trail, newer: Trail) -> Trail:
    """Both as one: the newer one's first step is no beginning, it gave the snippet another name."""
    first, *rest = newer.steps
    assert first.origin
    turn = replace(first, cls=first.origin[0], was=older.definition, old=older.cut)
    return replace(newer, oldest=older.oldest, first=older.first, steps=(*older.steps, turn, *rest))
