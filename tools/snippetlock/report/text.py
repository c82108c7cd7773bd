"""Findings for people: where, what, the evidence, how to mend, and one closing line that counts.

Says nothing about where it is printed: whether a terminal wants colour is the caller's knowledge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from unicodedata import east_asian_width

from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Report
from snippetlock.rules import rule

_STYLES = {"where": "1", "rule": "31", "mend": "36", "+": "32", "-": "31", "@": "35", "good": "32", "bad": "1;31"}


def format_text(report: Report, *, color: bool = False) -> str:
    """Every finding as a paragraph, then the counts. Ends in an end of line."""
    paragraphs = [_finding(finding, color) for finding in report.findings]
    return "\n".join([*paragraphs, _paint(closing(report), "bad" if report.findings else "good", color) + "\n"])


def format_findings(findings: Iterable[Finding], *, color: bool = False) -> list[str]:
    """Each finding as a paragraph that ends in an end of line."""
    return [_finding(finding, color) for finding in findings]


def error_text(error: SnippetlockError, *, color: bool = False) -> str:
    """An error as a paragraph of the same shape. Ends in an end of line."""
    where = _paint(f"{error.where}: ", "where", color) if error.where else ""
    lines = [f"{where}{error.what}", *_evidence(error.evidence, color)]
    if error.mend:
        lines.append(_paint("  mend: ", "mend", color) + error.mend)
    return "\n".join(lines) + "\n"


def closing(report: Report) -> str:
    """`24 snippets, 6 pages, 0 findings`; behind a count what it is made of, where that is told."""
    return ", ".join(quantity(number, name) + _parts(report, name) for name, number in _counts(report).items())


def _parts(report: Report, name: str) -> str:
    parts = report.parts.get(name)
    said = (f"{number} {part}" if " " in part else quantity(number, part) for part, number in (parts or {}).items())
    return f" ({', '.join(said)})" if parts else ""


def quantity(number: int, name: str) -> str:
    """A number with its noun; `name` is the plural."""
    return f"{number} {name.removesuffix('s') if number == 1 else name}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns aligned with spaces, the last one ragged; a Chinese character counts as two columns."""
    everything = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*everything, strict=True)]
    lines = ("  ".join(_pad(cell, width) for cell, width in zip(row, widths, strict=True)) for row in everything)
    return "".join(line.rstrip(" ") + "\n" for line in lines)


def _finding(finding: Finding, color: bool) -> str:
    about = rule(finding.rule)
    subject = f"  {finding.snippet}" if finding.snippet else ""
    head = _paint(str(finding.place), "where", color) + "  " + _paint(f"{about.code} {about.name}", "rule", color)
    lines = [head + subject, f"  {finding.message}", *_evidence(finding.evidence, color)]
    if finding.uses:
        lines.append(f"  shown by: {', '.join(map(str, finding.uses))}")
    lines.append(_paint("  mend: ", "mend", color) + (finding.mend or about.mend))
    return "\n".join(lines) + "\n"


def _evidence(lines: Iterable[str], color: bool) -> list[str]:
    return ["    " + _paint(line, line[:1], color and line[:1] in _STYLES) for line in lines]


def _counts(report: Report) -> Mapping[str, int]:
    return {**report.counts, "findings": len(report.findings)}


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if color else text


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
