"""Findings and drift as JUnit XML: a test case for each, for the tables that CI servers show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from snippetlock.changes import Drifted, DriftReport
from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Report
from snippetlock.report.drift import RULE, facts, headline, lines_shown, mend
from snippetlock.report.text import closing
from snippetlock.rules import rule

_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot say


def format_junit(report: Report) -> str:
    """One suite with a case for each finding; with one that passed where there is none. Ends in an end of line."""
    passed = f'<testcase name={_attribute(closing(report))} classname="snippetlock" time="0"/>\n'
    cases = list(map(_finding, report.findings)) or [passed]
    return _document(cases, failures=sum(finding.level == "error" for finding in report.findings))


def error_junit(error: SnippetlockError) -> str:
    """The same suite where nothing could be checked: one case, which is an error and says why."""
    mend = [f"mend: {error.mend}"] if error.mend else []
    text = escape(_sayable("\n".join([*error.evidence, *mend])))
    case = f'<testcase name="could not check" classname={_attribute(error.path or "snippetlock")} time="0">\n'
    case += f"<error type={_attribute(type(error).__name__)} message={_attribute(error.headline)}>{text}</error>\n"
    return _document([f"{case}</testcase>\n"], errors=1)


def format_drift_junit(report: DriftReport) -> str:
    """One suite. What fails the policy is a failure, what could not be compared an error. Ends in an end of line."""
    errors = sum(one.fails and one.cls == "unreadable" for one in report.drifted)
    cases = [_case(one, report) for one in report.drifted]
    cases += [_finding(one, "claimed by") for one in report.claims]
    return _document(
        cases,
        failures=report.failing - errors,
        errors=errors,
        name="snippetlock drift",
        suite=f"{report.old.label} → {report.new.label}",
        note=f"<system-out>note: {escape(_sayable(report.note))}</system-out>\n" if report.note else "",
    )


def _document(
    cases: Sequence[str],
    *,
    failures: int = 0,
    errors: int = 0,
    name: str = "snippetlock",
    suite: str = "snippetlock",
    note: str = "",
) -> str:
    """One suite of these cases, and `note` behind them."""
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="0"'
    body = f'<testsuite name={_attribute(suite)} {counts} time="0">\n{"".join(cases)}{note}</testsuite>\n'
    whole = f"<testsuites name={_attribute(name)} {counts}>\n{body}</testsuites>\n"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}'


def _case(one: Drifted, report: DriftReport) -> str:
    head = f'<testcase name={_attribute(one.snippet)} classname={_attribute(one.place.path)} time="0"'
    if one.cls == "same":
        return f"{head}/>\n"
    shown = [f"shown by: {', '.join(map(str, one.uses))}"] if one.uses else []
    lines = [*facts(one, report), *lines_shown(one), *shown, f"mend: {mend(one)}"]
    text = escape(_sayable("\n".join(lines)))
    if not one.fails:
        return f"{head}>\n<system-out>{escape(_sayable(headline(one, report)))}\n{text}</system-out>\n</testcase>\n"
    tag = "error" if one.cls == "unreadable" else "failure"
    about = rule(RULE[one.cls])
    kind = _attribute(f"{about.code} {about.name}")
    return f"{head}>\n<{tag} type={kind} message={_attribute(headline(one, report))}>{text}</{tag}>\n</testcase>\n"


def _finding(one: Finding, by: str = "shown by") -> str:
    head = f'<testcase name={_attribute(str(one.place))} classname={_attribute(one.place.path)} time="0"'
    places = [f"{by}: {', '.join(map(str, one.uses))}"] if one.uses else []
    text = escape(_sayable("\n".join([*one.evidence, *places, f"mend: {one.mend or rule(one.rule).mend}"])))
    if one.level == "note":
        return f"{head}>\n<system-out>{escape(_sayable(one.message))}\n{text}</system-out>\n</testcase>\n"
    kind = _attribute(f"{one.rule} {rule(one.rule).name}")
    return f"{head}>\n<failure type={kind} message={_attribute(one.message)}>{text}</failure>\n</testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_sayable(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _sayable(text: str) -> str:
    return _REFUSED.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)
