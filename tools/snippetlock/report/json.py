"""Findings for programs. `schema` is raised when a key changes its meaning or goes; keys may be added."""

from __future__ import annotations

import json
from typing import Any

from snippetlock import __version__
from snippetlock.errors import SnippetlockError
from snippetlock.model import Exit, Finding, Place, Report
from snippetlock.rules import rule

SCHEMA = 1


def format_json(report: Report) -> str:
    """One object with every finding, in the order of the text report. Ends in an end of line."""
    return _dump(
        exit=int(report.exit),
        counts=dict(report.counts),
        findings=[_finding(finding) for finding in report.findings],
        error=None,
    )


def error_json(error: SnippetlockError, code: Exit = Exit.CANNOT) -> str:
    """The same object where nothing could be checked: no findings, and `error` says why."""
    described = {
        "kind": type(error).__name__,
        "path": error.path,
        "line": error.line,
        "column": error.column,
        "message": error.what,
        "evidence": list(error.evidence),
        "mend": error.mend,
    }
    return _dump(exit=int(code), counts={}, findings=[], error=described)


def _dump(**fields: Any) -> str:
    whole = {"schema": SCHEMA, "tool": f"snippetlock {__version__}", **fields}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    about = rule(finding.rule)
    return {
        "rule": about.code,
        "name": about.name,
        **_place(finding.place),
        "pinned": finding.place.pinned,
        "snippet": finding.snippet,
        "message": finding.message,
        "evidence": list(finding.evidence),
        "mend": finding.mend or about.mend,
        "uses": [_place(place) for place in finding.uses],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line, "column": place.column}
