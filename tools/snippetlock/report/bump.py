"""What moving the pin does, for people: what somebody has to look at, one paragraph each, then what was taken.

The words that the forms share are here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from snippetlock.moves import ORDER, VERDICTS, Mention, Moved, Plan, Step, Verdict
from snippetlock.report.changed import Line, changed_lines, plain, whole
from snippetlock.report.drift import candidate_line, colored, paint, untrue_claims
from snippetlock.report.text import format_findings, quantity

__all__ = ["closing_bump", "format_bump_text", "format_step", "prose", "shown", "summary", "to_read"]

_SHOWN = 60  # lines of a difference
_PROSE = 8  # places of one page that a paragraph lists
_STYLES = {"blocked": "1;31", "asks": "1;33", "accepted": "32"}
_LATER = {"blocked": "to do", "asks": "look", "accepted": "accepted"}


def format_bump_text(moved: Moved, *, color: bool = False, brief: bool = False) -> str:
    """The pins, every snippet that somebody has to look at or did, what was taken, and what came of it.

    `brief` is for who has just been walked through it: what they have seen, accepted or not, is named only.
    """
    plan = moved.plan
    if moved.settled:
        label = plan.new.label
        where = plan.said if plan.said.startswith(label) else f"{label} ({plan.said})" if plan.said else label
        return f"nothing to move: already at {where}\n"
    head = [paint(f"{plan.old.label} → {plan.new.label}", "1", color), *([plan.said] if plan.said else [])]
    parts = ["".join(f"{line}\n" for line in head)]
    full: tuple[Verdict, ...] = () if brief else ("blocked", "asks", "accepted")
    rest: tuple[Verdict, ...] = VERDICTS if brief else ("taken",)
    parts += [format_step(step, color=color) for step in plan.of(*full)]
    if taken := [line for verdict in rest for line in _named(plan, verdict)]:
        parts.append("".join(f"{line}\n" for line in taken))
    parts += format_findings(plan.claims, color=color)
    if plan.notes:
        parts.append("".join(f"{paint('note:', '33', color)} {note}\n" for note in plan.notes))
    style = "1;31" if plan.open else "32"
    parts.append("".join(f"{paint(line, style, color)}\n" for line in closing_bump(moved)))
    return "\n".join(parts)


def format_step(step: Step, *, color: bool = False) -> str:
    """All that is to be said about one snippet. Ends in an end of line."""
    return "".join(f"{line}\n" for line in _paragraph(step, color))


def closing_bump(moved: Moved) -> Iterator[str]:
    """What there was, and what was written or why nothing was.

    A claim can be true of one release and not of the next, so it is mended after the move, with its sentence.
    """
    plan = moved.plan
    yield summary(plan)
    if plan.open:
        yield "nothing was written, and nothing will be before all of that is done or accepted"
    elif moved.dry:
        yield "nothing was written: this was a dry run, and nothing stands in the way"
    else:
        yield f"wrote {', '.join(moved.written)}"
    if plan.claims and not plan.open:
        yield f"{untrue_claims(plan.claims)}: that holds no move up, and `snippetlock check` fails until it is mended"


def summary(plan: Plan) -> str:
    """`24 snippets: 1 removed, 2 body, 21 same`, with how many are to be looked at."""
    counts = Counter(step.cls for step in plan.steps)
    classes = ", ".join(f"{counts[cls]} {cls}" for cls in ORDER if counts[cls])
    blocked, asks = len(plan.of("blocked")), len(plan.of("asks"))
    left = [*([f"{blocked} to do"] if blocked else []), *([f"{asks} to look at"] if asks else [])]
    claims = f"; {untrue_claims(plan.claims)}" if plan.claims else ""
    return f"{quantity(len(plan.steps), 'snippets')}: {classes}{'; ' if left else ''}{', '.join(left)}{claims}"


def shown(step: Step, most: int = _SHOWN) -> tuple[str, tuple[Line, ...]]:
    """What was shown against what will be: what is to be said before it, if anything, and the lines.

    Where nothing is to be shown yet it is held against the first candidate, and where there is none, or no difference,
    it stands alone: whoever has to choose something else has to see it.
    """
    likely = next(iter(step.candidate_texts), "")
    lines = changed_lines(step.old_text, step.new_text or likely, most) if step.new_text or likely else ()
    if lines or step.verdict != "blocked":
        return f"against {step.candidates[0].selector}:" if lines and not step.new_text else "", lines
    return "what was shown:" if step.old_text else "", whole(step.old_text, "-" if step.cls == "removed" else " ", most)


def to_read(steps: Iterable[Step]) -> dict[str, dict[int, list[str]]]:
    """The pages that show what somebody has to look at: page to line to ids."""
    found: dict[str, dict[int, list[str]]] = {}
    for step in steps:
        for use in step.uses:
            found.setdefault(use.path, {}).setdefault(use.line or 1, []).append(step.snippet)
    return {page: dict(sorted(lines.items())) for page, lines in sorted(found.items())}


def _named(plan: Plan, verdict: Verdict) -> Iterator[str]:
    """What nobody has to look at any more, a line a class, and the selectors that are mended for it."""
    steps = plan.of(verdict)
    for cls in ORDER:
        names = [s.snippet for s in steps if s.cls == cls and (cls != "same" or verdict != "taken" or s.mended)]
        if names:
            yield f"{_LATER.get(verdict, verdict)}, {cls}: {', '.join(names)}"
    if verdict in ("accepted", "taken"):
        yield from _mended(steps)


def _mended(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.mended:
            yield f"  {step.place}  source of {step.snippet}: {step.before} -> {step.selector}"


def _paragraph(step: Step, color: bool) -> Iterator[str]:
    style = _STYLES[step.verdict]
    yield (f"{paint(_LATER[step.verdict], style, color)}  {step.cls}  {paint(step.snippet, '1', color)}  {step.place}")
    if step.mended:
        yield f"  source: {step.before} -> {step.selector}"
    if step.old:
        yield f"  old: {step.old}{_link(step.old_link)}"
    if step.new:
        yield f"  new: {step.new}{_link(step.new_link)}"
    yield from (f"  - {line}" for line in step.details)
    yield from (f"  candidate: {candidate_line(one)}" for one in step.candidates)
    said, lines = shown(step)
    yield from ([f"  {said}"] if said else [])
    yield from (f"    {line}" for line in (map(colored, lines) if color else plain(lines)))
    for commit in step.commits:
        yield f"  commit: {commit.commit[:10]} {commit.subject}{_link(commit.link)}"
    if step.uses:
        yield f"  shown by: {', '.join(map(str, step.uses))}"
    yield from prose(step.mentions)
    if step.mend:
        yield f"  {paint('mend:', '36', color)} {step.mend}"


def prose(mentions: Iterable[Mention]) -> Iterator[str]:
    """Where the pages speak of it, a line a page: near a use, and elsewhere on the page."""
    pages: dict[tuple[bool, str], list[Mention]] = {}
    for one in mentions:
        pages.setdefault((not one.near, one.place.path), []).append(one)
    for (away, _), found in sorted(pages.items(), key=lambda item: item[0][0]):
        first, *rest = (f"{one.place if n == 0 else _short(one)} `{one.text}`" for n, one in enumerate(found))
        more = f" and {len(found) - _PROSE} more" if len(found) > _PROSE else ""
        yield f"  {'named too' if away else 'prose'}: {', '.join([first, *rest][:_PROSE])}{more}"


def _short(one: Mention) -> str:
    return f"{one.place.line}:{one.place.column}"


def _link(link: str) -> str:
    return f"  {link}" if link else ""
