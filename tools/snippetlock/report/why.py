"""Why a name in prose is taken for what it is: the answer to `refs --why`, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from snippetlock.records import dataclass
from snippetlock.report.json import SCHEMA

__all__ = ["Told", "format_why_json", "format_why_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One verdict: where (empty for a name that no page has), on what, which, why, and what there is to see."""

    place: str
    text: str
    state: str
    why: str
    rule: str = ""
    evidence: tuple[str, ...] = ()
    mend: str = ""


def format_why_text(told: Sequence[Told]) -> str:
    """A paragraph for each verdict; those that say the same of the same text are one."""
    places: dict[tuple[str, ...], list[str]] = {}
    first: dict[tuple[str, ...], Told] = {}
    for each in told:
        key = (each.text, each.state, each.why, *each.evidence)
        places.setdefault(key, []).append(each.place)
        first.setdefault(key, each)
    return "\n".join(_paragraph(first[key], [place for place in where if place]) for key, where in places.items())


def _paragraph(told: Told, places: Sequence[str]) -> str:
    said = {"aside": "not judged"}.get(told.state, told.state)
    lines = [f"{told.text}  {said}{f' ({told.rule})' if told.rule else ''}", f"  {told.why}"]
    lines += [f"    {line}" for line in told.evidence]
    lines += [f"  mend: {told.mend}"] if told.mend else []
    lines.append(f"  on: {', '.join(places)}" if places else "  no page has it in code marks")
    return "\n".join(lines) + "\n"


def format_why_json(told: Sequence[Told]) -> str:
    """One object with every verdict, in the order of the pages."""
    verdicts = [
        {
            "place": each.place or None,
            "text": each.text,
            "state": each.state,
            "why": each.why,
            "rule": each.rule or None,
            "evidence": list(each.evidence),
            "mend": each.mend,
        }
        for each in told
    ]
    return json.dumps({"schema": SCHEMA, "verdicts": verdicts}, ensure_ascii=False, indent=2) + "\n"
