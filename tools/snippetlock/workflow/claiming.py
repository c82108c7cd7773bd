"""Hold what the twins of a page claim against what it claims: the same, in the same order, section by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from snippetlock.model import Finding
from snippetlock.references.claims.stated import Claim
from snippetlock.workflow.claims import claimed
from snippetlock.workflow.sheets import Sheet

__all__ = ["claim_differences"]

_SHOWN = 100  # characters of a claim in a message


def claim_differences(first: Sheet, second: Sheet) -> Iterator[Finding]:
    """Where two twins claim other things. Of a section that only one of them has, its heading is the finding."""
    if "<!--" not in first.page.text and "<!--" not in second.page.text:
        return
    ours, theirs = _by_section(first), _by_section(second)
    known = {section.anchor for section in second.shape.sections}
    places = {section.anchor: section.first for section in second.shape.sections}
    for section in first.shape.sections:
        left, right = ours.get(section.anchor, []), theirs.get(section.anchor, [])
        if section.anchor in known and [one.plain for one in left] != [one.plain for one in right]:
            yield from _differing(first, second, left, right, places[section.anchor])


def _by_section(sheet: Sheet) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claimed(sheet.page):
        section = sheet.shape.section(claim.line)
        if section is not None:
            found.setdefault(section.anchor, []).append(claim)
    return found


def _differing(first: Sheet, second: Sheet, left: list[Claim], right: list[Claim], line: int) -> Iterator[Finding]:
    more = Counter(one.plain for one in right)
    for one in left:
        if more[one.plain]:
            more[one.plain] -= 1
            continue
        where = first.page.place(one.line, one.column)
        message = f"{where} claims {_shown(one)}, and this section does not"
        mend = "copy the claim to the sentence that says so here, or take it out there"
        yield Finding(rule="SL409", place=second.page.place(line), message=message, mend=mend)
    less = Counter(one.plain for one in left)
    for one in right:
        if less[one.plain]:
            less[one.plain] -= 1
            continue
        message = f"this section claims {_shown(one)}, and that of {first.page.path} does not"
        mend = "copy the claim to the sentence that says so there, or take it out here"
        yield Finding(rule="SL409", place=second.page.place(one.line, one.column), message=message, mend=mend)
    if Counter(one.plain for one in left) == Counter(one.plain for one in right):
        wrong = next(two for one, two in zip(left, right, strict=True) if one.plain != two.plain)
        message = f"the claims of this section stand in another order in {first.page.path}"
        mend = "give both the same order, each claim with its sentence"
        yield Finding(
            rule="SL409",
            place=second.page.place(wrong.line, wrong.column),
            message=message,
            evidence=tuple(f"{first.page.place(one.line, one.column)}  {_shown(one)}" for one in left),
            mend=mend,
        )


def _shown(claim: Claim) -> str:
    text = claim.plain
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[: _SHOWN - 1]}…`"
