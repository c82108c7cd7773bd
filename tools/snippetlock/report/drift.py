"""What became of each snippet between two states, as data for the forms: its words, and its findings.

Text for people is here too: each snippet once, the worst first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from snippetlock.changes import CLASSES, Candidate, ChangeClass, Drifted, DriftReport
from snippetlock.model import Finding, Report
from snippetlock.report.changed import Line, changed_lines, plain, whole
from snippetlock.report.text import format_findings, quantity
from snippetlock.rules import rule

__all__ = [
    "RULE",
    "alone",
    "candidate_line",
    "closing_drift",
    "colored",
    "counted",
    "difference",
    "facts",
    "findings",
    "format_drift_text",
    "headline",
    "lines_shown",
    "mend",
    "of_examples",
    "paint",
    "paragraph",
    "score",
    "untrue_claims",
]

RULE: dict[ChangeClass, str] = {
    "body": "SL201",
    "signature": "SL202",
    "renamed": "SL203",
    "removed": "SL204",
    "ambiguous": "SL205",
    "unreadable": "SL206",
    "moved": "SL207",
    "layout": "SL208",
    "comment": "SL209",
    "appears": "SL210",
}
_WORDS: dict[ChangeClass, str] = {
    "body": "has another body",
    "signature": "has another signature",
    "renamed": "has another name",
    "removed": "is gone",
    "ambiguous": "is there more than once",
    "unreadable": "cannot be compared",
    "moved": "is in another file",
    "layout": "is laid out in another way",
    "comment": "has other comments",
    "appears": "is there for the first time",
    "same": "is the same",
}
_EXAMPLES = ("SL307", "SL308", "SL309")
_LOST = re.compile(r"`(?:from|to|match)`(?: and `to`)? (?:fits? (?:no|only|\d+)|is no) ")  # as a view says it
_SHOWN = 60  # lines of a difference
_STYLES = {"-": "31", "+": "32", "…": "35"}


def headline(one: Drifted, report: DriftReport) -> str:
    """One sentence about one snippet."""
    state = report.old if one.change is None and one.cls != "appears" else report.new
    return f"{one.snippet!r} {_WORDS[one.cls]} at {state.label}"


def mend(one: Drifted) -> str:
    """How to mend it, with the selector to use where there is one."""
    best = one.change.candidates[0] if one.change and one.change.candidates else None
    if best and one.cls in ("renamed", "moved") and best.selector == one.selector:
        return "nothing to write: the definition has the new name already"
    if best and one.cls in ("renamed", "moved", "ambiguous"):
        return f"when the pin moves there: `source: {best.selector}`"
    if one.cls == "ambiguous" and not one.change:
        return "write a definition that means one of them, or compare with a state in which it means one"
    if one.cls == "ambiguous" and one.change and one.change.new:
        return "the selector leads to one; write more of the pattern that fits more than it should, or correct `count`"
    if one.cls == "body" and one.change and any(map(_LOST.match, one.change.details)):
        return "it is there, what its patterns take is not: when the pin moves there, write others, or quote more"
    details = one.change.details if one.change else ()
    if one.cls == "signature" and details and all(each.startswith("key `") for each in details):
        return "read its pages against the keys that it has now: data has no calls"
    if one.cls == "moved":
        return "nothing to do: the selector still leads to it"
    return rule(RULE[one.cls]).mend


def facts(one: Drifted, report: DriftReport) -> tuple[str, ...]:
    """What a person should know besides the text: one line each."""
    change = one.change
    lines = [one.problem] if one.problem else []
    if change:
        where = [f"{report.old.label}: {change.old}", *([f"{report.new.label}: {change.new}"] if change.new else [])]
        lines += [*where, *change.details, *map(candidate_line, change.candidates)]
    if one.culprit:
        lines.append(f"since {one.culprit.commit[:10]} {one.culprit.subject}")
    elif one.blame:
        lines.append(one.blame)
    return tuple(lines)


def findings(report: DriftReport) -> Report:
    """A finding for each snippet that is not the same, and each claim; what fails no policy is a note."""
    found = tuple(_finding(one, report) for one in report.drifted if one.cls != "same")
    return Report(findings=(*found, *report.claims), counts=counted(report))


def counted(report: DriftReport) -> dict[str, int]:
    """The number of snippets, and of each class that there is."""
    classes = Counter(one.cls for one in report.drifted)
    return {"snippets": len(report.drifted), **{cls: classes[cls] for cls in CLASSES if classes[cls]}}


def closing_drift(report: DriftReport) -> str:
    """`24 snippets: 2 removed, 1 body, 21 same; 3 fail`."""
    counts = counted(report)
    whole = quantity(counts.pop("snippets"), "snippets")
    classes = ", ".join(f"{number} {cls}" for cls, number in counts.items())
    claims = f"; {untrue_claims(report.claims)}" if report.claims else ""
    failing = f"; {report.failing} fail{'s' if report.failing == 1 else ''}" if report.failing else ""
    return f"{whole}: {classes}{claims}{failing}" if classes else f"{whole}{claims}"


def of_examples(found: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Claims that are no longer so, and what examples can no longer do."""
    told = tuple(found)
    examples = tuple(one for one in told if one.rule in _EXAMPLES)
    return tuple(one for one in told if one not in examples), examples


def untrue_claims(found: Iterable[Finding]) -> str:
    """How many claims are no longer so, and how many examples do what is no longer there, in words."""
    claims, examples = of_examples(found)
    said = []
    if claims:
        said.append(f"{quantity(len(claims), 'claims')} {'is' if len(claims) == 1 else 'are'} no longer so")
    if examples:
        files = len({one.place.path for one in examples})
        said.append(f"{quantity(files, 'examples')} no longer {'fits' if files == 1 else 'fit'}")
    return ", ".join(said)


def format_drift_text(report: DriftReport, *, color: bool = False) -> str:
    """Every snippet that is not the same as a paragraph, the note, then the counts. Ends in an end of line."""
    head = paint(f"{report.old.label} → {report.new.label}", "1", color)
    paragraphs = ["".join(f"{line}\n" for line in paragraph(one, report, color)) for one in _drifted(report)]
    closing = paint(closing_drift(report), "1;31" if report.failing else "32", color)
    paragraphs += format_findings(report.claims, color=color)
    note = [f"{paint('note:', '33', color)} {report.note}\n"] if report.note else []
    return "\n".join([f"{head}\n", *paragraphs, *note, f"{closing}\n"])


def _drifted(report: DriftReport) -> Iterator[Drifted]:
    return (one for one in report.drifted if one.cls != "same")


def paragraph(one: Drifted, report: DriftReport, color: bool) -> Iterator[str]:
    """All that is to be said about one snippet, line by line."""
    style = "1;31" if one.fails else "33"
    yield f"{paint(one.cls, style, color)}  {paint(one.snippet, '1', color)}  {one.place}"
    if one.problem:
        yield f"  {one.problem}"
    change = one.change
    if change:
        yield f"  old: {change.old}{_link(one.old_link)}"
        if change.new:
            yield f"  new: {change.new}{_link(one.new_link)}"
        yield from (f"  - {line}" for line in change.details)
        yield from (f"  candidate: {candidate_line(candidate)}" for candidate in change.candidates)
        yield from ([f"  {alone(one)}"] if alone(one) else [])
        yield from _difference(one, color)
    if one.uses:
        yield f"  shown by: {', '.join(map(str, one.uses))}"
    if one.culprit:
        yield f"  since: {one.culprit.commit[:10]} {one.culprit.subject}{_link(one.culprit.link)}"
    elif one.blame:
        yield f"  since: {one.blame}"
    yield f"  {paint('mend:', '36', color)} {mend(one)}"


def _link(link: str) -> str:
    return f"  {link}" if link else ""


def score(one: Candidate) -> str:
    """A candidate's score with two digits, never more than it is: who asks for that much gets the candidate."""
    hundredths = round(one.score * 100)
    return f"{(hundredths - (hundredths / 100 > one.score)) / 100:.2f}"


def candidate_line(one: Candidate) -> str:
    """A candidate in a line: its selector, its score and reason, where it is and how much differs."""
    text = "the same text" if one.cls == "same" else f"{one.cls} differs" if one.cls != "layout" else "laid out anew"
    return f"{one.selector}  {score(one)}  {one.reason}; {one.span}, {text}"


def _difference(one: Drifted, color: bool) -> Iterable[str]:
    lines = difference(one, _SHOWN)
    return (f"    {line}" for line in (map(colored, lines) if color else plain(lines)))


def difference(one: Drifted, most: int) -> tuple[Line, ...]:
    """What is shown, old against new, nothing where there is no difference; where there is no new text, the old one."""
    change = one.change
    if change and not change.new_text:
        return whole(change.old_text, "-" if one.cls == "removed" else " ", most)
    return changed_lines(change.old_text, change.new_text, most) if change else ()


def alone(one: Drifted) -> str:
    """What is to be said before a text that nothing stands against; empty where there is a new one."""
    change = one.change
    return "what was shown:" if change and change.old_text and not change.new_text else ""


def colored(line: Line) -> str:
    """A line of a difference for a terminal: the words that changed stand out."""
    text, at = "", 0
    for start, end in line.marks:
        text += f"{line.text[at:start]}\x1b[7m{line.text[start:end]}\x1b[27m"
        at = end
    whole = f"{line.kind} {text}{line.text[at:]}".rstrip(" ")
    return paint(whole, _STYLES[line.kind], True) if line.kind in _STYLES else whole


def paint(text: str, style: str, color: bool) -> str:
    """The text in a style of the terminal's, where colour is wanted."""
    return f"\x1b[{style}m{text}\x1b[0m" if color else text


def lines_shown(one: Drifted) -> tuple[str, ...]:
    """The difference as plain lines, for forms without a colour or a block of their own."""
    return (*filter(None, (alone(one),)), *plain(difference(one, _SHOWN)))


def _finding(one: Drifted, report: DriftReport) -> Finding:
    return Finding(
        rule=RULE[one.cls],
        place=one.place,
        message=headline(one, report),
        evidence=(*facts(one, report), *lines_shown(one)),
        mend=mend(one),
        snippet=one.snippet,
        uses=one.uses,
        level="error" if one.fails else "note",
    )
