"""A move of the pin for programs. `schema` is raised when a key changes its meaning or goes; keys may be added."""

from __future__ import annotations

import json
from collections import Counter
from itertools import zip_longest
from typing import Any

from snippetlock import __version__
from snippetlock.changes import Candidate, State
from snippetlock.model import Finding, Place
from snippetlock.moves import ORDER, VERDICTS, Moved, Step
from snippetlock.records import asdict

__all__ = ["SCHEMA", "format_bump_json"]

SCHEMA = 1


def format_bump_json(moved: Moved) -> str:
    """One object with every snippet, those that stay the same too. Ends in an end of line."""
    plan = moved.plan
    classes = Counter(step.cls for step in plan.steps)
    verdicts = Counter(step.verdict for step in plan.steps)
    counts: dict[str, int] = {cls: classes[cls] for cls in ORDER if classes[cls]}
    whole = {
        "schema": SCHEMA,
        "tool": f"snippetlock {__version__}",
        "exit": int(plan.exit),
        "old": _state(plan.old),
        "new": _state(plan.new),
        "said": plan.said,
        "settled": moved.settled,
        "back": plan.back,
        "dry": moved.dry,
        "written": list(moved.written),
        "notes": list(plan.notes),
        "counts": {"snippets": len(plan.steps), **counts},
        "verdicts": {str(verdict): verdicts[verdict] for verdict in VERDICTS},
        "snippets": [_step(step) for step in plan.steps],
        "claims": [_claim(one) for one in plan.claims],
        "error": None,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _state(state: State) -> dict[str, Any]:
    return {"label": state.label, "commit": state.commit or None}


def _claim(one: Finding) -> dict[str, Any]:
    evidence = list(one.evidence)
    uses = [_place(place) for place in one.uses]
    said = {"message": one.message, "evidence": evidence, "mend": one.mend}
    return {"rule": one.rule, **_place(one.place), **said, "uses": uses}


def _step(step: Step) -> dict[str, Any]:
    return {
        "id": step.snippet,
        "class": step.cls,
        "verdict": step.verdict,
        "definition": _place(step.place),
        "source": {"before": step.before or None, "after": step.selector or None, "chosen": step.chosen},
        "old": {**asdict(step.old), "link": step.old_link, "text": step.old_text} if step.old else None,
        "new": {**asdict(step.new), "link": step.new_link, "text": step.new_text} if step.new else None,
        "details": list(step.details),
        "candidates": [
            {**_candidate(one), "text": text or None}
            for one, text in zip_longest(step.candidates, step.candidate_texts, fillvalue=None)
            if one is not None
        ],
        "uses": [_place(use) for use in step.uses],
        "prose": [{**_place(one.place), "text": one.text, "name": one.name, "near": one.near} for one in step.mentions],
        "commits": [{"id": one.commit, "subject": one.subject, "link": one.link} for one in step.commits],
        "mend": step.mend,
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {"selector": one.selector, **asdict(one.span), "score": one.score, "reason": one.reason, "class": one.cls}


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line, "column": place.column}
