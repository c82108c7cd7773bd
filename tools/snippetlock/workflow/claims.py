"""Hold what a project's pages claim against a state of the library: each claim is worked out once a state.

What a claim comes to is kept by the state, the claim and this tool, and the claims of a page by its text. Where all
are kept, the index is neither built nor loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from snippetlock.model import Finding, Place, Tree
from snippetlock.records import asdict
from snippetlock.references.claims.outcomes import NOT_SO, RULES, Outcome, verdict_of
from snippetlock.references.claims.stated import Claim, claims_of
from snippetlock.references.verdicts import Verdict, finding_of
from snippetlock.report.asked import Asked
from snippetlock.rules import rule
from snippetlock.text import sha256
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project, listing

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.index import Index
    from snippetlock.references.claims.library import Library
    from snippetlock.workflow.states import Opened

__all__ = ["Claims", "ask", "claim_findings", "claim_verdicts", "claimed", "lapsed"]

_KIND = "claims"


class Claims:
    """The claims of a project against one state. `open_` gives the index of that state, and is asked late."""

    def __init__(self, project: Project, tree: Tree, open_: Callable[[], Index] | None = None) -> None:
        self.project = project
        self.tree = tree
        self.stamp = tool_stamp()
        self._open = open_

    @cached_property
    def listing(self) -> Any:
        """What tells this state from others."""
        return self.project.listing if self.tree is self.project.tree else listing(self.tree)

    @cached_property
    def library(self) -> Library:
        """The library in this state."""
        from snippetlock.index import open_index
        from snippetlock.references.claims.library import Library

        return Library(self._open() if self._open else open_index(self.tree, self.project.kept, self.stamp))

    @cached_property
    def settled(self) -> bool:
        """Whether the library was the same before and after it was opened."""
        before, _ = self.listing, self.library
        return self.tree.identity is not None or listing(self.tree) == before

    def outcome(self, text: str) -> Outcome:
        """What a claim comes to, kept or worked out."""
        key = sha256(repr((self.stamp, self.listing, text)))
        kept = self.project.kept.get(_KIND, key)
        if kept is not None:
            return Outcome(**{**kept, "evidence": tuple(kept["evidence"]), "places": tuple(kept["places"])})
        from snippetlock.references.claims.judging import outcome

        found = outcome(self.library, text)
        if self.settled:
            self.project.kept.put(_KIND, key, asdict(found))
        return found

    def verdicts(self, page: Page) -> tuple[Verdict, ...]:
        """The verdicts on the claims of one page."""
        return tuple(verdict_of(claim, self.outcome(claim.text)) for claim in claimed(page))


def claimed(page: Page) -> tuple[Claim, ...]:
    """The claims of a page."""
    return claims_of(page.text, page.scan.layout)


def claim_verdicts(claims: Claims, pages: tuple[Page, ...]) -> Iterator[tuple[Page, Verdict]]:
    """Every verdict on a claim, with its page."""
    for page in pages:
        for verdict in claims.verdicts(page):
            yield page, verdict


def claim_findings(claims: Claims, pages: tuple[Page, ...]) -> Iterator[Finding]:
    """What is wrong with the claims of some pages."""
    for page, verdict in claim_verdicts(claims, pages):
        if verdict.rule:
            yield finding_of(verdict, page.path)


def ask(project: Project, text: str, tree: Tree | None = None) -> Asked:
    """What an expression comes to at the pin, or in another state. Nothing of it is kept."""
    from snippetlock.references.claims.judging import asked
    from snippetlock.references.claims.outcomes import caret

    found = asked(Claims(project, project.tree if tree is None else tree).library, text)
    malformed = found.state == "malformed"
    plain = " ".join(text.split())
    written = plain if found.value in ("True", "False") else f"{plain} == {found.value}"
    whole = bool(found.value) and found.value != "False" and "…" not in written and "-->" not in written
    return Asked(
        expression=text,
        state=found.state,
        value=found.value,
        places=found.places,
        message=found.message,
        evidence=(*(caret(text, found.at) if malformed else ()), *found.evidence),
        mend=found.mend or ("" if found.state in ("true", "false") else rule(RULES[found.state]).mend),
        claim=f"<!-- claim: {written} -->" if whole else "",
    )


def lapsed(project: Project, old: Opened, new: Opened) -> tuple[Finding, ...]:
    """The claims that are true in one state and no longer in another, in the order of pages and lines.

    One that several pages make is told once; its uses are all the places. What is no claim at all, or not true before
    either, a check says.
    """
    made: dict[str, list[tuple[Page, Claim]]] = {}
    for page in project.pages:
        for claim in claimed(page):
            if not claim.fault:
                made.setdefault(claim.plain, []).append((page, claim))
    if not made:
        return ()
    before, after = (Claims(project, each.tree) for each in (old, new))
    found = []
    for same in made.values():
        page, claim = same[0]
        outcome = after.outcome(claim.text)
        if outcome.state == "true" or before.outcome(claim.text).state != "true":
            continue
        verdict = verdict_of(claim, outcome)
        what = "is no longer so" if outcome.state == "false" else "can no longer be told"
        reason = outcome.message.removeprefix(NOT_SO).removeprefix(": ")
        places = tuple(Place(path=each.path, line=one.line, column=one.column) for each, one in same)
        found.append(
            Finding(
                rule=verdict.rule,
                place=places[0],
                message=f"what this page claims {what} at {new.state.label}{reason and f': {reason}'}",
                evidence=verdict.evidence,
                mend=verdict.mend,
                uses=places if len(places) > 1 else (),
            )
        )
    return tuple(found)
