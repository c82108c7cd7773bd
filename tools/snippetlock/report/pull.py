"""A move of the pin as the text of a pull request: short when little happened, and folded where it did not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import quote

from snippetlock.changes import Culprit
from snippetlock.errors import SnippetlockError
from snippetlock.links import number_link
from snippetlock.model import Span
from snippetlock.moves import SAFE, Moved, Plan, Step
from snippetlock.report.bump import closing_bump, shown, summary, to_read
from snippetlock.report.drift import score
from snippetlock.report.markdown import MOST, claim_rows, code, in_line, text, within

__all__ = ["HEADS", "format_bump_markdown", "format_stopped_markdown"]

_MOVES, _NOTHING, _STOPPED = "## The pin moves: ", "Nothing to move: ", "## The pin could not be moved"
HEADS = (_MOVES, _NOTHING, _STOPPED)  # how a report begins: what begins otherwise is none

_SHOWN = 120  # lines of a difference
_NUMBER = re.compile(r"(?<![\w/])#(\d+)\b")
_PROSE = 20
_ROOM = MOST // 4  # characters of the table, of the pages and of the commits; the rest is for the differences
_LINE = _ROOM // 4  # of one page, or of one commit


def format_bump_markdown(moved: Moved, pages: str = "") -> str:
    """The pins, what each snippet needs, the pages to read again, and the commits; as far as a comment has room.

    `pages` is the web address of the documentation's files at a commit (`https://host/owner/name/blob/main`): places
    are links below it; without one they are links beside the report.
    """
    plan = moved.plan
    if moved.settled:
        return f"{_NOTHING}the documentation is at {text(plan.new.label)} already.\n"
    said = f"{_MOVES}{text(_bare(plan.old.label))} → {text(_bare(plan.new.label))}\n\n"
    said += f"{text(plan.said)}.\n\n" if plan.said else ""
    said += f"{text(summary(plan))}.\n"
    said += "".join(f"\n> {text(note)}\n" for note in plan.notes)
    said += "".join(claim_rows(plan.claims))
    if plan.open:
        said += f"\n**{text(list(closing_bump(moved))[-1].capitalize())}.**\n"
    listed = [step for step in plan.steps if step.verdict != "taken" or step.cls != "same" or step.mended]
    if listed:
        said += "\n| | snippet | was | is |\n| --- | --- | --- | --- |\n"
        said += within(map(_row, listed), _ROOM, "| | … and {} more | | |\n")
    said += _pages(plan, pages) + _commits(plan)
    looked = _looked(plan)
    for number, step in enumerate(looked):
        more = "".join(f"{line}\n" for line in _fold(step, pages))
        if len(said) + len(more) > MOST:
            return f"{said}\n… and the differences of {len(looked) - number} more: run `snippetlock bump --dry-run`.\n"
        said += more
    return said


def format_stopped_markdown(error: SnippetlockError) -> str:
    """Why nobody could say what a move would bring."""
    evidence = "".join(f"- {text(line)}\n" for line in error.evidence)
    evidence = evidence and f"\n{evidence}"
    return f"{_STOPPED}\n\n{text(error.headline)}\n{evidence}\nTo mend it: {text(error.mend)}\n"


def _looked(plan: Plan) -> list[Step]:
    """What somebody has to read, or has read: not a text that is the same under the selector that was chosen for it."""
    steps = plan.of("blocked", "asks", "accepted")
    return [step for step in steps if step.verdict != "accepted" or step.cls not in SAFE]


def _bare(label: str) -> str:
    return label.removesuffix(" (the pin)")


def _row(step: Step) -> str:
    cls = f"**{step.cls}**" if step.verdict in ("blocked", "asks") else step.cls
    was, now = (
        _side(*side)
        for side in (
            (step.before, step.old, step.old_link),
            (step.selector if step.new else "", step.new, step.new_link),
        )
    )
    return f"| {cls} | {code(step.snippet)} | {was} | {now} |\n"


def _side(selector: str, span: Span | None, link: str) -> str:
    where = code(str(span)) if span else ""
    place = f"[{where}]({link})" if link and where else where
    return "<br>".join(part for part in (code(selector) if selector else "", place) if part)


def _pages(plan: Plan, base: str) -> str:
    """The pages that show what somebody has to look at, each line a link."""
    pages = to_read(_looked(plan))
    if not pages:
        return ""
    rows = (f"- {code(page)}: {_lines(base, page, lines)}\n" for page, lines in pages.items())
    return "\nTo be read again:\n\n" + within(rows, _ROOM, "- … and {} more pages\n")


def _lines(base: str, page: str, lines: Mapping[int, list[str]]) -> str:
    found = (
        f"[line {line}]({_address(base, page, line)}) ({', '.join(map(code, ids))})" for line, ids in lines.items()
    )
    return in_line(found, _LINE)


def _address(base: str, page: str, line: int | None) -> str:
    """Of a page the source: a host that renders Markdown has no lines else."""
    path = quote(page)
    return f"{base.rstrip('/')}/{path}?plain=1#L{line or 1}" if base else f"{path}#L{line or 1}"


def _commits(plan: Plan) -> str:
    """Every commit that changed something somebody has to look at, once."""
    commits: dict[str, tuple[Culprit, list[str]]] = {}
    for step in plan.steps:
        for one in step.commits:
            commits.setdefault(one.commit, (one, []))[1].append(step.snippet)
    rows = (f"- {_commit(one, plan.home)}: {in_line(map(code, ids), _LINE)}\n" for one, ids in commits.values())
    said = within(rows, _ROOM, "- … and {} more commits\n")
    return f"\nWhat did it upstream:\n\n{said}" if said else ""


def _commit(one: Culprit, home: str) -> str:
    short = code(one.commit[:10])
    return f"{f'[{short}]({one.link})' if one.link else short} {_subject(one.subject, home)}"


def _subject(subject: str, home: str) -> str:
    """The subject, its numbers linked to where upstream speaks of them: here they would mean something else."""
    said, at = "", 0
    for match in _NUMBER.finditer(subject):
        link = number_link(home, match[1])
        number = f"[\\#{match[1]}]({link})" if link else f"\\#\u200b{match[1]}"
        said += text(subject[at : match.start()]) + number
        at = match.end()
    return said + text(subject[at:])


def _fold(step: Step, base: str) -> Iterator[str]:
    state = {"blocked": "to do", "asks": "to look at", "accepted": "accepted"}[step.verdict]
    said, lines = shown(step, _SHOWN)
    yield ""
    yield f"<details><summary>{step.cls}: <code>{escape(step.snippet, quote=False)}</code> ({state})</summary>"
    yield ""
    for line in step.details:
        yield f"- {text(line)}"
    for one in step.candidates:
        yield f"- candidate {code(one.selector)}, {score(one)}: {text(one.reason)}"
    for mention in sorted(step.mentions, key=lambda one: not one.near)[:_PROSE]:
        place = mention.place
        yield f"- prose: [{code(str(place))}]({_address(base, place.path, place.line)}) {code(mention.text)}"
    if step.mend:
        yield f"- mend: {text(step.mend)}"
    if lines:
        fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line.text)), default=0))
        yield from ["", text(said)] if said else []
        yield ""
        yield f"{fence}diff"
        yield from (f"{line.kind.replace('…', '@@ …')} {line.text}" for line in lines)
        yield fence
    yield ""
    yield "</details>"
