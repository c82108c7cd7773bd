"""Findings as GitHub workflow commands: one `::error …` (or `::notice …`) line each, shown beside the changed lines.

A command is one line, so ends of line are escaped; in properties `:` and `,` are separators and are too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from snippetlock.changes import Drifted, DriftReport
from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Report
from snippetlock.report.drift import closing_drift, findings, of_examples
from snippetlock.report.impact import Impact, Site, closing_impact, headline_impact
from snippetlock.report.text import closing
from snippetlock.rules import rule


def format_github(report: Report) -> str:
    """One command a finding, then the counts as a plain line for the log."""
    return "".join(map(_finding, report.findings)) + closing(report) + "\n"


def format_drift_github(report: DriftReport) -> str:
    """One command a snippet that is not the same, a notice for one that fails no policy, then the counts."""
    head = f"{report.old.label} → {report.new.label}"
    note = f"::notice title=snippetlock drift::{_data(report.note)}\n" if report.note else ""
    return "".join(map(_finding, findings(report).findings)) + note + f"{head}: {closing_drift(report)}\n"


def format_impact_github(impact: Impact) -> str:
    """One command for each place in the change, with all that it makes untrue, then the counts.

    Beside the changed lines GitHub shows no more than ten of a kind; what is worst comes first.
    """
    level = "error" if impact.strict else "warning"
    at: dict[Site, list[Drifted]] = {}
    for one in impact.untrue:
        at.setdefault(next(iter(impact.sites.get(one.snippet, ())), Site(path="")), []).append(one)
    said = "".join(_untrue(site, ones, level) for site, ones in at.items())
    heads = ("the documentation claims this", "examples of the documentation do this")
    for head, found in zip(heads, of_examples(impact.report.claims), strict=True):
        told = "\n".join(f"{', '.join(map(str, one.uses or (one.place,)))}: {one.message}" for one in found)
        if told:
            said += _command(head, told, path="", line=None, column=None, command=level)
    note = f"not in the base, and not compared: {', '.join(one.snippet for one in impact.absent)}"
    said += f"::notice title=snippetlock impact::{_data(note)}\n" if impact.absent else ""
    return f"{said}{headline_impact(impact)}: {closing_impact(impact)}\n"


def _untrue(site: Site, ones: list[Drifted], level: str) -> str:
    names = ", ".join(f"{one.snippet} ({one.cls})" for one in ones)
    facts = dict.fromkeys(line for one in ones for line in (one.change.details if one.change else ()))
    pages = dict.fromkeys(str(place) for one in ones for place in one.uses)
    shown = f"read again: {', '.join(pages)}" if pages else "no page shows it"
    return _command(
        "the documentation quotes this",
        "\n".join([f"makes untrue: {names}", *facts, shown]),
        path=site.path,
        line=site.first,
        end=site.last if site.last != site.first else None,
        column=None,
        command=level,
    )


def below(text: str, folder: str) -> str:
    """The same commands about a project in a folder of the repository: GitHub counts paths from the top of that."""
    return re.sub(r"^(::[a-z]+ file=)", lambda match: f"{match[1]}{_property(folder)}/", text, flags=re.M)


def error_github(error: SnippetlockError) -> str:
    """One command that says why nothing could be checked; at a place where that is in the project."""
    outside = os.path.isabs(error.path)  # no file of the repository's: its path in words
    return _command(
        "snippetlock could not check",
        _message(error.headline if outside else error.what, error.evidence, (), error.mend),
        path="" if outside else error.path,
        line=None if outside else error.line,
        column=None if outside else error.column,
    )


def _finding(finding: Finding) -> str:
    about = rule(finding.rule)
    place = finding.place
    # A place in the pinned library is no file of this repository: the annotation then stands without one.
    return _command(
        f"{about.code} {about.name}",
        _message(
            f"{place}: {finding.message}" if place.pinned else finding.message,
            finding.evidence,
            map(str, finding.uses),
            finding.mend or about.mend,
        ),
        path="" if place.pinned else place.path,
        line=None if place.pinned else place.line,
        column=None if place.pinned else place.column,
        command="notice" if finding.level == "note" else "error",
    )


def _message(what: str, evidence: Iterable[str], uses: Iterable[str], mend: str) -> str:
    shown = ", ".join(uses)
    return "\n".join(
        [what, *evidence, *([f"shown by: {shown}"] if shown else []), *([f"mend: {mend}"] if mend else [])]
    )


def _command(
    title: str,
    message: str,
    *,
    path: str,
    line: int | None,
    column: int | None,
    end: int | None = None,
    command: str = "error",
) -> str:
    known = {"file": path or None, "line": line, "endLine": end, "col": column, "title": title}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in known.items() if value is not None)
    return f"::{command} {properties}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
