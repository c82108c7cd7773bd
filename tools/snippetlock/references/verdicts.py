"""What came of one mention: a name, a call, a path or a message that prose quotes. Only data."""

from __future__ import annotations

from typing import Any, Literal

from snippetlock.model import Finding, Place
from snippetlock.records import asdict, dataclass, replace

__all__ = ["State", "Verdict", "finding_of", "placed", "read_verdict", "written"]

State = Literal["resolved", "known", "unknown", "aside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`state` is resolved (the library has it), known (it is somebody else's), unknown, or aside (not judged).

    `text` is what was judged, at a 1-based line and column; `why` says what it was taken for. `rule` is the finding's
    where it is one, else empty; `certain` says that the source proves it, or that only another spelling is there.
    `entry` is the vocabulary's entry that it needed. `asked` is what was looked up where `text` does not say it all:
    the dict with the key.
    """

    text: str
    state: State
    why: str
    line: int = 0
    column: int = 0
    rule: str = ""
    message: str = ""
    evidence: tuple[str, ...] = ()
    mend: str = ""
    entry: str = ""
    certain: bool = False
    asked: str = ""


def placed(verdict: Verdict, line: int, column: int) -> Verdict:
    """The verdict with its place. Most are no findings, and a page has hundreds: those are made in the shortest way."""
    if verdict.rule or verdict.asked:
        return replace(verdict, line=line, column=column)
    return Verdict(
        text=verdict.text, state=verdict.state, why=verdict.why, line=line, column=column, entry=verdict.entry
    )


def finding_of(verdict: Verdict, path: str) -> Finding:
    """The finding of a verdict that is one."""
    return Finding(
        rule=verdict.rule,
        place=Place(path=path, line=verdict.line, column=verdict.column),
        message=verdict.message,
        evidence=verdict.evidence,
        mend=verdict.mend,
    )


def written(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON has it, without what is empty."""
    return {key: value for key, value in asdict(verdict).items() if value}


def read_verdict(kept: dict[str, Any]) -> Verdict:
    """The verdict that was written so."""
    return Verdict(**{**kept, "evidence": tuple(kept.get("evidence", ()))})
