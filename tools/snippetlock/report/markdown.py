"""Drift as Markdown for a comment on a pull request: a table first, the differences folded below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippetlock.model import Drifted, DriftReport, Span
from snippetlock.report.drift import closing_drift, difference, mend

_SHOWN = 60  # lines of a difference
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")
_MENTION = re.compile(r"@(?=\w)")
_MOST = 60_000  # characters: GitHub refuses a comment of more than 65,536


def format_drift_markdown(report: DriftReport) -> str:
    """A heading, a table of what is not the same, and its differences as far as a comment has room."""
    drifted = [one for one in report.drifted if one.cls != "same"]
    head = f"### Drift: {_text(report.old.label)} → {_text(report.new.label)}\n\n{closing_drift(report)}\n"
    if report.note:
        head += f"\nNote: {_text(report.note)}\n"
    if not drifted:
        return head
    rows = "".join(map(_row, drifted))
    said = f"{head}\n| | snippet | was | is | shown by |\n| --- | --- | --- | --- | --- |\n{rows}"
    for number, one in enumerate(drifted):
        more = "".join(f"{line}\n" for line in _details(one))
        if len(said) + len(more) > _MOST:
            return f"{said}\n… and the details of {len(drifted) - number} more: run `snippetlock drift`.\n"
        said += more
    return said


def _row(one: Drifted) -> str:
    cls = f"**{one.cls}**" if one.fails else one.cls
    change = one.change
    old = _span(change.old, one.old_link) if change else ""
    new = _span(change.new, one.new_link) if change and change.new else ""
    uses = "<br>".join(_text(str(place)) for place in one.uses)
    return f"| {cls} | {_code(one.snippet)} | {old} | {new} | {uses} |\n"


def _details(one: Drifted) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{one.cls}: <code>{_text(one.snippet)}</code></summary>"
    yield ""
    for line in one.change.details if one.change else (one.problem,):
        yield f"- {_text(line)}"
    for candidate in one.change.candidates if one.change else ():
        yield f"- candidate {_code(candidate.selector)}, {candidate.score:.2f}: {_text(candidate.reason)}"
    if one.culprit:
        commit, link = _code(one.culprit.commit[:10]), one.culprit.link
        yield f"- since {f'[{commit}]({link})' if link else commit} {_text(one.culprit.subject)}"
    elif one.blame:
        yield f"- since: {_text(one.blame)}"
    yield f"- mend: {_text(mend(one))}"
    lines = difference(one, _SHOWN)
    if lines:
        fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line.text)), default=0))
        yield ""
        yield f"{fence}diff"
        yield from (f"{line.kind.replace('…', '@@ …')} {line.text}" for line in lines)
        yield fence
    yield ""
    yield "</details>"


def _span(span: Span, link: str) -> str:
    return f"[{_code(str(span))}]({link})" if link else _code(str(span))


def _code(text: str) -> str:
    """Inline code, also in a table's cell, whatever is in it."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|").replace("\n", " ")


def _text(text: str) -> str:
    """Words as they are: nothing in them starts a link, a cell, emphasis, HTML or a mention of somebody."""
    parts = re.split(r"(`[^`]*`)", re.sub(r"\s+", " ", text))
    return "".join(
        part if n % 2 else _MENTION.sub("@\u200b", _SPECIAL.sub(r"\\\1", part)) for n, part in enumerate(parts)
    )
