"""What the mentions of pages come to, counted: how many the library has, and whose the others are."""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock.references.known import SAMPLE
from snippetlock.references.verdicts import Verdict

__all__ = ["GROUPS", "group_of", "shown_groups"]

GROUPS = ("resolved", "in the vocabulary", "of examples", "of Python", "of others", "placeholders", "no code", "open")
"""In the order that they are told in. What is a finding is `unknown`, and comes last."""

_PYTHON = ("one of Python's", "a word of Python", "Python's standard library")
_NO_CODE = ("no code of Python", "a key of a file", "no path of a file")


def group_of(verdict: Verdict) -> str:
    """Whose the name is that a verdict is on, as one of `GROUPS`; `open` for what is not judged, or cannot be told."""
    if verdict.rule:
        return "unknown"
    if verdict.entry:
        return "in the vocabulary"
    if verdict.state == "resolved":
        return "resolved"
    why = verdict.why
    if why == SAMPLE:
        return "placeholders"
    if verdict.state == "aside":
        return "no code" if why in _NO_CODE else "open"
    if "example of this page" in why:
        return "of examples"
    return "of Python" if why.startswith(_PYTHON) or why.endswith("Python's standard library") else "of others"


def shown_groups(counted: Mapping[str, int]) -> dict[str, int]:
    """The groups that have any, in their order."""
    return {group: counted[group] for group in (*GROUPS, "unknown") if counted.get(group)}
