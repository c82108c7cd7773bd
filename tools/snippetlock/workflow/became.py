"""What a name that is gone is called now: the candidates of drift for it, followed from commit to commit."""

from __future__ import annotations

from collections.abc import Callable

from snippetlock.changes import Candidate
from snippetlock.config import parse_selector
from snippetlock.drift import compare
from snippetlock.errors import RepositoryError, SnippetlockError
from snippetlock.index import lookup
from snippetlock.model import Definition, Place, View
from snippetlock.records import dataclass
from snippetlock.workflow.since import Past, Since

__all__ = ["Became", "became"]

_LEAST = 0.5  # a candidate of which less is certain is none for a reader
_STEPS = 4  # renames in a row that are followed


@dataclass(frozen=True, slots=True, kw_only=True)
class Became:
    """A selector that is there today, where it stands, why it is taken for what was meant, and how sure that is."""

    selector: str
    place: str
    reason: str
    score: float


def became(past: Past, selector: str, since: Since, ask: Callable[[str], Since]) -> Became | None:
    """What the definition that a selector named before a change is today; None where nothing is like it.

    `ask` says since when a selector names nothing.
    """
    score, reasons = 1.0, []
    for _ in range(_STEPS):
        found = _in_change(past, selector, since)
        if found is None or found.score < _LEAST:
            return None
        selector, score = found.selector, score * found.score
        reasons.append(found.reason)
        there = lookup(past.index(past.until.id), selector)
        if there:
            return Became(selector=selector, place=there[0].place, reason=reasons[-1], score=score)
        since = ask(selector)
        if since.change is None:
            return None
    return None


def _in_change(past: Past, selector: str, since: Since) -> Candidate | None:
    """What a commit made of a definition."""
    change = since.change
    if change is None or not change.commit.parents:
        return None
    place = Place(path="")
    try:
        definition = Definition(id="past", selector=parse_selector(selector), view=View(), place=place, places={})
        touched = {path for one in change.paths for path in (one.path, one.old_path)}
        renames = {one.old_path: one.path for one in change.paths if one.status == "renamed"}
        old, new = past.tree(change.commit.parents[0]), past.tree(change.commit.id)
        found = compare(definition, old, new, touched=touched, renames=renames)
    except RepositoryError:
        raise
    except SnippetlockError:  # what cannot be cut there can be compared with nothing
        return None
    return found.candidates[0] if found.candidates else None
