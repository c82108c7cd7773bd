"""What an expression of the language of claims comes to: the answer to `snippetlock claim`."""

from __future__ import annotations

import json

from snippetlock.records import dataclass
from snippetlock.report.json import SCHEMA

__all__ = ["Asked", "format_asked_json", "format_asked_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer. `state` is true, false, malformed or unknowable; `value` is empty where there is none.

    `places` are the lines of the library that it is from, `claim` is one to copy, empty where there is none.
    """

    expression: str
    state: str
    value: str = ""
    places: tuple[str, ...] = ()
    message: str = ""
    evidence: tuple[str, ...] = ()
    mend: str = ""
    claim: str = ""


def format_asked_text(asked: Asked) -> str:
    """The value with its lines, or why there is none. Ends in an end of line."""
    lines = [asked.value or asked.message]
    lines += [f"  {line}" for line in asked.evidence]
    lines += [f"  from {', '.join(asked.places)}"] if asked.places and not asked.evidence else []
    lines += [f"  mend: {asked.mend}"] if asked.mend else []
    lines += [f"  claim: {asked.claim}"] if asked.claim else []
    return "".join(f"{line}\n" for line in lines)


def format_asked_json(asked: Asked) -> str:
    """One object. Ends in an end of line."""
    whole = {
        "schema": SCHEMA,
        "expression": asked.expression,
        "state": asked.state,
        "value": asked.value or None,
        "places": list(asked.places),
        "message": asked.message,
        "evidence": list(asked.evidence),
        "mend": asked.mend,
        "claim": asked.claim or None,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
