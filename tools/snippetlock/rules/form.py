"""What a rule is. The rules themselves stand beside this, a file for each hundred of their codes."""

from __future__ import annotations

from snippetlock.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of disagreement. `code` is for machines and stays; `name` is for people."""

    code: str
    name: str
    title: str
    meaning: str
    mend: str


def rule(code: str, name: str, title: str, meaning: str, mend: str) -> Rule:
    """A rule from its texts alone: a table of them reads better without the names."""
    return Rule(code=code, name=name, title=title, meaning=meaning, mend=mend)
