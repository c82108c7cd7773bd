"""Findings as SARIF 2.1.0 (OASIS): what code hosts and editors read to show them at their lines."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import quote

from snippetlock import __version__
from snippetlock.changes import DriftReport
from snippetlock.errors import SnippetlockError
from snippetlock.model import Exit, Finding, Place, Report
from snippetlock.report.drift import findings
from snippetlock.rules import RULES, rule
from snippetlock.text import sha256

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"  # the top of the repository: whoever reads the log knows where that is
_INDEX = {each.code: number for number, each in enumerate(RULES)}


def format_drift_sarif(report: DriftReport) -> str:
    """One run with a result for each snippet that is not the same. Ends in an end of line."""
    return format_sarif(findings(report), report.note)


def format_sarif(report: Report, note: str = "") -> str:
    """One run with a result for each finding, and every rule that one could name. Ends in an end of line.

    `note` is about the run as a whole.
    """
    notes = [{"level": "note", "message": {"text": note}}] if note else []
    return _log(int(report.exit), notes, {"results": [_result(finding) for finding in report.findings]})


def error_sarif(error: SnippetlockError) -> str:
    """The same log where nothing could be checked: the run failed, and a notification says why.

    It has no `results`: an empty list would say that all was looked at, and close what an earlier run found.
    """
    mend = [f"mend: {error.mend}"] if error.mend else []
    outside = not error.path or os.path.isabs(error.path)  # no file of the project's: its path in words
    head = error.headline if outside else error.what
    said: dict[str, Any] = {"level": "error", "message": {"text": "\n".join([head, *error.evidence, *mend])}}
    if not outside:
        said["locations"] = [_location(Place(path=error.path, line=error.line, column=error.column))]
    return _log(int(Exit.CANNOT), [said], {})


def _log(code: int, notes: list[dict[str, Any]], results: dict[str, Any]) -> str:
    """One run, every rule that it could name, and how it ended."""
    driver = {
        "name": "snippetlock",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(each.code) for each in RULES],
    }
    noted = {"toolExecutionNotifications": notes} if notes else {}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": code != Exit.CANNOT, "exitCode": code, **noted}],
        "originalUriBaseIds": {
            _ROOT: {
                "description": {"text": "The top of the repository, or the folder of a docs project that is in none."}
            }
        },
        "columnKind": "unicodeCodePoints",
        **results,
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def below(text: str, folder: str) -> str:
    """The same log about a project in a folder of the repository: code hosts count addresses from the top of that.

    What stands before an address is nothing but blanks, which no message in the log begins a line with.
    """
    return re.sub(r'^(\s*"uri": ")', lambda match: f"{match[1]}{_address(folder)}/", text, flags=re.M)


def _rule(code: str) -> dict[str, Any]:
    about = rule(code)
    return {
        "id": about.code,
        "name": about.name,
        "shortDescription": {"text": f"{about.title}."},
        "fullDescription": {"text": about.meaning},
        "help": {"text": about.mend},
        "defaultConfiguration": {"level": "error"},
    }


def _result(finding: Finding) -> dict[str, Any]:
    message = "\n".join([finding.message, *finding.evidence, f"mend: {finding.mend or rule(finding.rule).mend}"])
    # What a result is known again by, when its lines have moved: the rule and the snippet, or the message.
    known = sha256("\0".join([finding.rule, finding.snippet or f"{finding.place.path}\0{finding.message}"]))
    said = f"shows {finding.snippet!r}" if finding.snippet else "has it too"
    related = [
        {"id": number, "message": {"text": said}, **_location(place)}
        for number, place in enumerate(finding.uses, start=1)
    ]
    return {
        "ruleId": finding.rule,
        "ruleIndex": _INDEX[finding.rule],
        "level": finding.level,
        "message": {"text": message},
        # A file of the library is none of the project's: its path in words, without an address.
        "locations": [] if finding.place.pinned else [_location(finding.place)],
        "partialFingerprints": {"snippetlock/v1": known},
        **({"relatedLocations": related} if related else {}),
    }


def _location(place: Place) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": {"uri": _address(place.path), "uriBaseId": _ROOT}}
    if place.line is not None:
        where["region"] = {"startLine": place.line, **({"startColumn": place.column} if place.column else {})}
    return {"physicalLocation": where}


def _address(path: str) -> str:
    return quote(path, errors="surrogateescape")
