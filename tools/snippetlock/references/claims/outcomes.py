"""What a claim comes to as data, and the verdict on it that a page gets. Pure; reads nothing of the library."""

from __future__ import annotations

from typing import Any, Literal

from snippetlock.records import dataclass
from snippetlock.references.claims.stated import Claim, place_in
from snippetlock.references.verdicts import Verdict

__all__ = ["NOT_SO", "Outcome", "caret", "verdict_of"]

NOT_SO = "this is not so"
RULES = {"false": "SL311", "malformed": "SL312", "unknowable": "SL313", "loose": "SL314"}
_SHOWN = 160  # characters of a claim in a message
_WIDE = 100  # characters of a line above its caret


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a claim comes to. `at` is the offset that a message points to; `value` and `places` are for whoever asks."""

    state: Literal["true", "false", "malformed", "unknowable"]
    message: str = ""
    evidence: tuple[str, ...] = ()
    mend: str = ""
    at: int = 0
    value: str = ""
    places: tuple[str, ...] = ()


def verdict_of(claim: Claim, found: Outcome) -> Verdict:
    """The verdict on a claim of a page."""
    text = claim.plain if len(claim.plain) <= _SHOWN else f"{claim.plain[: _SHOWN - 1]}…"
    if claim.fault:
        state = "malformed" if "begins with" in claim.fault else "loose"
        return _finding(text, claim.line, claim.column, RULES[state], claim.fault, (text,), claim.mend)
    if found.state == "true":
        return Verdict(
            text=text,
            state="resolved",
            why=f"a claim that is true: {'; '.join(found.evidence) or 'so it is'}",
            line=claim.line,
            column=claim.column,
            certain=True,
        )
    line, column = place_in(claim, found.at) if found.state == "malformed" else (claim.line, claim.column)
    spoken = (f"it speaks for line {claim.tied}: {claim.excerpt}",) if claim.excerpt else ()
    if found.state == "malformed":
        message, evidence = (
            f"a claim that cannot be read: {found.message}",
            (*(caret(claim.text, found.at) if text else ()), *found.evidence),
        )
    elif found.state == "unknowable":
        message = f"the source does not tell whether this is so: {found.message}"
        evidence = (text, *found.evidence, *spoken)
    else:
        message, evidence = found.message, (text, *found.evidence, *spoken)
    mend = found.mend or ("correct the sentence, and the claim with it" if found.state == "false" else "")
    return _finding(text, line, column, RULES[found.state], message, evidence, mend)


def _finding(
    text: str, line: int, column: int, rule: str, message: str, evidence: tuple[str, ...], mend: str
) -> Verdict:
    told: dict[str, Any] = {"text": text, "state": "unknown", "why": message, "rule": rule, "message": message}
    return Verdict(**told, line=line, column=column, evidence=evidence, mend=mend, certain=True)


def caret(text: str, at: int) -> tuple[str, str]:
    """The line of a text that an offset is in, and a caret below it; of a long line the part around it."""
    first = text.rfind("\n", 0, at) + 1
    end = text.find("\n", first)
    line, column = text[first : end if end >= 0 else len(text)], at - first
    if len(line) > _WIDE:
        start = max(0, min(column - _WIDE // 2, len(line) - _WIDE))
        line, column = line[start : start + _WIDE], column - start
    line = "".join(char if char.isprintable() else " " for char in line)
    return line, " " * column + "^"
