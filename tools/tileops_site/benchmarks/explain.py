"""Why an op is on its page, as JSON: what each of the four rules says, and which one chose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from snippetlock import __version__
from snippetlock.model import Pin
from tileops_site.benchmarks.placing import Answer, Placed

SCHEMA = 1  # raised when a key changes its meaning or goes; keys may be added


def explained(found: Sequence[Placed], pin: Pin, night: str) -> str:
    """One object with every op asked for, in their order. Ends in an end of line."""
    whole = {
        "schema": SCHEMA,
        "tool": f"snippetlock {__version__}",
        "pin": {"name": pin.name, "version": pin.version or None},
        "night": night or None,
        "ops": [_op(placed) for placed in found],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _op(placed: Placed) -> dict[str, Any]:
    return {
        "op": placed.name,
        "module": placed.module or None,
        "page": placed.page.slug,
        "label": {"en": placed.page.english, "zh": placed.page.chinese},
        "rule": placed.chosen.rule,
        "why": placed.chosen.why,
        "renamed": placed.chosen.renamed,
        "warning": placed.chosen.warning or None,
        "rules": [_answer(answer) for answer in placed.answers],
    }


def _answer(answer: Answer) -> dict[str, Any]:
    entry = answer.op
    return {
        "rule": answer.rule,
        "page": answer.page.slug if answer.page else None,
        "why": answer.why,
        "entry": {"name": entry.name, "family": entry.family, "file": entry.file} if entry else None,
    }
