"""Work a claim out, from its text to its outcome, which depends on the text and the library alone."""

from __future__ import annotations

from snippetlock.references.claims.answers import Stop, shown
from snippetlock.references.claims.evaluating import Step, evaluate
from snippetlock.references.claims.kinds import kind_of, said
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.outcomes import NOT_SO, Outcome
from snippetlock.references.claims.parsing import parse, parse_expression
from snippetlock.references.claims.terms import ClaimError

__all__ = ["asked", "outcome"]

_ASIDE = ("only in the ", "the same ones")
_LINE = 160  # characters of a message that has both sides in it


def outcome(library: Library, text: str) -> Outcome:
    """Read a claim and work it out."""
    try:
        program = parse(text)
    except ClaimError as error:
        return _malformed(error.message, error.at, error.mend)
    step = evaluate(program, library)
    if step.stop is not None:
        return _stopped(step)
    if not isinstance(step.value, bool):
        what = f"a claim is true or false, and this is {said(kind_of(step.value))}: {shown(step.value)}"
        return _malformed(what, step.start, "compare it with something")
    if step.value:
        return Outcome(state="true", evidence=step.why, places=step.places)
    return Outcome(state="false", message=_unlike(step), evidence=step.why, places=step.places)


def _unlike(step: Step) -> str:
    """What is not so, in one line where one comparison decides and its sides are short."""
    sides = [line.partition("  (")[0] for line in step.why if not line.startswith(_ASIDE)]
    line = f"{NOT_SO}: {', and '.join(sides)}"
    return line if 1 <= len(sides) <= 2 and len(line) <= _LINE else NOT_SO


def asked(library: Library, text: str) -> Outcome:
    """Read any expression and work it out: `value` is what it comes to, as a claim would write it."""
    try:
        program = parse_expression(text)
    except ClaimError as error:
        return _malformed(error.message, error.at, error.mend)
    step = evaluate(program, library)
    if step.stop is not None:
        return _stopped(step)
    return Outcome(
        state="false" if step.value is False else "true",
        value=shown(step.value, 20_000),
        evidence=step.why,
        places=step.places,
    )


def _malformed(message: str, at: int, mend: str) -> Outcome:
    return Outcome(state="malformed", message=message, at=at, mend=mend)


def _stopped(step: Step) -> Outcome:
    stop = step.stop
    assert isinstance(stop, Stop)
    if stop.why == "misfit":
        return Outcome(state="malformed", message=stop.message, evidence=stop.evidence, mend=stop.mend, at=step.at)
    if stop.why == "missing":
        return Outcome(
            state="false", message=f"{NOT_SO}: {stop.message}", evidence=stop.evidence, mend=stop.mend, at=step.at
        )
    return Outcome(state="unknowable", message=stop.message, evidence=stop.evidence, mend=stop.mend, at=step.at)
