"""Findings for programs. `schema` is raised when a key changes its meaning or goes; keys may be added."""

from __future__ import annotations

import json
from typing import Any

from snippetlock import __version__
from snippetlock.changes import Candidate, Drifted, DriftReport, State
from snippetlock.errors import SnippetlockError
from snippetlock.model import Exit, Finding, Place, Report, Span
from snippetlock.report.drift import counted, mend
from snippetlock.report.impact import Impact, lines_to_read
from snippetlock.rules import rule

SCHEMA = 1


def format_json(report: Report) -> str:
    """One object with every finding, in the order of the text report. Ends in an end of line."""
    return _dump(
        exit=int(report.exit),
        counts=dict(report.counts),
        **({"parts": {name: dict(parts) for name, parts in report.parts.items()}} if report.parts else {}),
        findings=[_finding(finding) for finding in report.findings],
        error=None,
    )


def format_drift_json(report: DriftReport) -> str:
    """One object with every snippet between two states, those that stayed the same too. Ends in an end of line."""
    return _dump(
        exit=int(report.exit),
        old=_state(report.old),
        new=_state(report.new),
        fail_on=list(report.fail_on),
        counts={**counted(report), "failing": report.failing},
        note=report.note,
        snippets=[_drifted(one) for one in report.drifted],
        claims=[_finding(one) for one in report.claims],
        error=None,
    )


def format_impact_json(impact: Impact) -> str:
    """One object with every snippet that changed, the lines that did it, and what could not be compared."""
    report = impact.report
    return _dump(
        exit=int(impact.exit),
        old=_state(report.old),
        new=_state(report.new),
        fail_on=list(report.fail_on),
        counts={**counted(report), "untrue": len(impact.untrue), "absent": len(impact.absent)},
        pages={page: list(lines) for page, lines in lines_to_read(impact).items()},
        snippets=[
            {
                **_drifted(one),
                "sites": [
                    {"path": at.path, "first": at.first, "last": at.last, "link": at.link}
                    for at in impact.sites.get(one.snippet, ())
                ],
                "prose": [
                    {**_place(said.place), "text": said.text, "name": said.name, "near": said.near}
                    for said in impact.prose.get(one.snippet, ())
                ],
                "stale": one.snippet in impact.stale,
            }
            for one in report.drifted
            if one.cls != "same"
        ],
        absent=[{"id": one.snippet, "problem": one.problem} for one in impact.absent],
        claims=[_finding(one) for one in report.claims],
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
        "level": finding.level,
    }


def _drifted(one: Drifted) -> dict[str, Any]:
    change, culprit = one.change, one.culprit
    return {
        "id": one.snippet,
        "class": one.cls,
        "fails": one.fails,
        "definition": _place(one.place),
        "old": _side(change.old, one.old_link, change.old_text) if change else None,
        "new": _side(change.new, one.new_link, change.new_text) if change and change.new else None,
        "details": list(change.details) if change else [one.problem],
        "candidates": [_candidate(candidate) for candidate in change.candidates] if change else [],
        "uses": [_place(place) for place in one.uses],
        "commit": {"id": culprit.commit, "subject": culprit.subject, "link": culprit.link} if culprit else None,
        "blame": one.blame,
        "mend": mend(one) if one.cls != "same" else "",
    }


def _state(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"label": state.label, "commit": state.commit or None}
    return {**found, "folder": {"commit": state.base, "dirty": state.dirty}} if state.base else found


def _span(span: Span) -> dict[str, Any]:
    return {"path": span.path, "first": span.first, "last": span.last}


def _side(span: Span, link: str, text: str) -> dict[str, Any]:
    return {**_span(span), "link": link, "text": text}


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        "selector": one.selector,
        **_span(one.span),
        "score": one.score,
        "reason": one.reason,
        "class": one.cls,
    }


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line, "column": place.column}
