"""Findings and drift as Markdown for a comment on a pull request: a table first, the differences folded below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from snippetlock.changes import Drifted, DriftReport
from snippetlock.model import Finding, Report, Span
from snippetlock.report.drift import alone, closing_drift, difference, mend, of_examples, score
from snippetlock.report.text import closing
from snippetlock.rules import rule

_SHOWN = 60  # lines of a difference
_CLAIMS = 40  # of a list
_ROW = 500  # characters of the places of one
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#]|&(?=\w+;))")
_MENTION = re.compile(r"@(?=\w)")
# One backtick to one backtick: of longer runs it is not said here where they end, so each is spelled out.
_CODE = re.compile(r"((?<!`)`(?!`)[^`]+(?<!`)`(?!`))")
MOST = 60_000  # characters: GitHub refuses a comment of more than 65,536


def format_markdown(report: Report) -> str:
    """A heading, and a list of the findings as far as a comment has room. Ends in an end of line."""
    head = f"### Docs: {closing(report)}\n"
    found = ("".join(_finding(finding)) for finding in report.findings)
    return head + ("\n" + within(found, MOST, "- … and {} more\n") if report.findings else "")


def _finding(finding: Finding) -> Iterator[str]:
    about = rule(finding.rule)
    snippet = f" {code(finding.snippet)}" if finding.snippet else ""
    yield f"- {code(str(finding.place))} **{about.code}** {about.name}{snippet}: {text(finding.message)}\n"
    yield from (f"  - {text(line)}\n" for line in finding.evidence if line.strip())
    if finding.uses:
        yield f"  - shown by {in_line((code(str(place)) for place in finding.uses), _ROW)}\n"
    yield f"  - mend: {text(finding.mend or about.mend)}\n"


def format_drift_markdown(report: DriftReport) -> str:
    """A heading, a table of what is not the same, and its differences as far as a comment has room."""
    drifted = [one for one in report.drifted if one.cls != "same"]
    head = f"### Drift: {text(report.old.label)} → {text(report.new.label)}\n\n{closing_drift(report)}\n"
    if report.note:
        head += f"\nNote: {text(report.note)}\n"
    head += "".join(claim_rows(report.claims))
    if not drifted:
        return head
    rows = within(map(_row, drifted), MOST // 2, "| | … and {} more | | | |\n")
    said = f"{head}\n| | snippet | was | is | shown by |\n| --- | --- | --- | --- | --- |\n{rows}"
    for number, one in enumerate(drifted):
        more = "".join(f"{line}\n" for line in _details(one))
        if len(said) + len(more) > MOST:
            return f"{said}\n… and the details of {len(drifted) - number} more: run `snippetlock drift`.\n"
        said += more
    return said


def claim_rows(claims: Iterable[Finding]) -> Iterator[str]:
    """A list of claims that are no longer so, with where they stand and what is so; one of what examples cannot do."""
    heads = ("Claims that are no longer so", "What examples can no longer do")
    for head, found in zip(heads, of_examples(claims), strict=True):
        yield from _claim_rows(head, found)


def _claim_rows(head: str, found: Iterable[Finding]) -> Iterator[str]:
    for number, one in enumerate(found):
        if number == 0:
            yield f"\n{head}:\n\n"
        if number == _CLAIMS:
            yield "- … and more\n"
            return
        places = in_line((code(str(place)) for place in one.uses or (one.place,)), _ROW)
        yield f"- {places}: {text(one.message)}\n"


def _row(one: Drifted) -> str:
    cls = f"**{one.cls}**" if one.fails else one.cls
    change = one.change
    old = _span(change.old, one.old_link) if change else ""
    new = _span(change.new, one.new_link) if change and change.new else ""
    uses = "<br>".join(text(str(place)) for place in one.uses)
    return f"| {cls} | {code(one.snippet)} | {old} | {new} | {uses} |\n"


def _details(one: Drifted) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{one.cls}: <code>{text(one.snippet)}</code></summary>"
    yield ""
    for line in one.change.details if one.change else (one.problem,):
        yield f"- {text(line)}"
    for candidate in one.change.candidates if one.change else ():
        yield f"- candidate {code(candidate.selector)}, {score(candidate)}: {text(candidate.reason)}"
    if one.culprit:
        commit, link = code(one.culprit.commit[:10]), one.culprit.link
        yield f"- since {f'[{commit}]({link})' if link else commit} {text(one.culprit.subject)}"
    elif one.blame:
        yield f"- since: {text(one.blame)}"
    yield f"- mend: {text(mend(one))}"
    yield from diffed(one)
    yield ""
    yield "</details>"


def _span(span: Span, link: str) -> str:
    return f"[{code(str(span))}]({link})" if link else code(str(span))


def diffed(one: Drifted) -> Iterator[str]:
    """What is shown, old against new, as a block of its own; where there is no new text, what was shown."""
    if lines := difference(one, _SHOWN):
        fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line.text)), default=0))
        yield from (["", alone(one)] if alone(one) else [])
        yield ""
        yield f"{fence}diff"
        yield from (f"{line.kind.replace('…', '@@ …')} {line.text}" for line in lines)
        yield fence


def within(parts: Iterable[str], room: int, left: str) -> str:
    """As many parts as have room, in characters; then `left`, in which `{}` is how many have none."""
    said, parts = "", list(parts)
    for number, part in enumerate(parts):
        if len(said) + len(part) > room:
            return said + left.format(len(parts) - number)
        said += part
    return said


def in_line(parts: Iterable[str], room: int) -> str:
    """One after the other with commas, as many as have room."""
    return within((f", {part}" for part in parts), room, " and {} more").removeprefix(", ")


def code(words: str) -> str:
    """Inline code, also in a table's cell, whatever is in it."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", words)), default=0))
    space = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{space}{words}{space}{fence}".replace("|", "\\|").replace("\n", " ")


def text(words: str) -> str:
    """Words as they are: nothing in them starts a link, a cell, emphasis, HTML or a mention of somebody."""
    parts = _CODE.split(re.sub(r"\s+", " ", words))
    return "".join(
        part if n % 2 else _MENTION.sub("@\u200b", _SPECIAL.sub(r"\\\1", part)) for n, part in enumerate(parts)
    )
