"""Plan a move of the pin: what becomes of each snippet, and what somebody has to look at. Writes nothing.

The old side is what the lock accepted, cut from the old pin; the new side is the definition as it stands now, in the
target. So a definition that somebody edited, wrote or took away before the move is understood as what it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from snippetlock.changes import Change, ChangeClass
from snippetlock.config import parse_selector
from snippetlock.drift import classify
from snippetlock.drift.details import details
from snippetlock.drift.fitting import fit
from snippetlock.drift.masking import under_name
from snippetlock.errors import AmbiguousSymbol, SelectorError, SnippetlockError, SourceError
from snippetlock.lock import Entry
from snippetlock.model import Definition, Place, Snippet, Span
from snippetlock.moves import ORDER, SAFE, SCORE, MoveClass, Step, Verdict
from snippetlock.records import dataclass, replace
from snippetlock.select import find
from snippetlock.workflow.advice import advise
from snippetlock.workflow.choosing import Choice
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.drifting import Comparison
from snippetlock.workflow.figures import figures_of
from snippetlock.workflow.mentions import mentions, names_of
from snippetlock.workflow.project import Project
from snippetlock.workflow.returning import Was

__all__ = ["Draft", "draft"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The steps, the worst first, and what the snippets show in the target where they can be cut, by id.

    `accepted` are the snippets as the lock has them, for who asks the history about them.
    """

    steps: tuple[Step, ...]
    snippets: Mapping[str, Snippet]
    accepted: Mapping[str, Definition]


def draft(comparison: Comparison, choice: Choice, unwound: Mapping[str, Was]) -> Draft:
    """What becomes of every snippet of the lock and of the definitions.

    `unwound` are the selectors of a state that the lock remembers, by id. Raises a `SnippetlockError` where the old
    state cannot be had.
    """
    maker = _Maker(comparison, choice, unwound)
    project = comparison.project
    own = project.defined.keys() - project.taken.keys()  # the library's states are nothing to them
    steps = [maker.step(name) for name in sorted({*project.defined, *project.entries} - own)]
    steps.sort(key=lambda step: (ORDER.index(step.cls), step.snippet))
    return Draft(steps=tuple(steps), snippets=maker.snippets, accepted=maker.accepted)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What became of one snippet. `wanted` is the definition as it is to be, `snippet` what that shows, if anything."""

    change: Change
    wanted: Definition
    snippet: Snippet | None


class _Maker:
    def __init__(self, comparison: Comparison, choice: Choice, unwound: Mapping[str, Was]) -> None:
        self.comparison = comparison
        self.project: Project = comparison.project
        self.choice = choice
        self.unwound = unwound
        self.cutter = Cutter(comparison.new.tree, self.project.kept, comparison.new.state.label)
        self.pages = {page.path: page for page in self.project.pages}
        self.drawn = partial(figures_of, self.project)
        self.snippets: dict[str, Snippet] = {}
        self.accepted: dict[str, Definition] = {}

    def step(self, name: str) -> Step:
        """What becomes of one snippet."""
        entry = self.project.entry(name)
        written = self.project.defined.get(name, (None,))[0]
        if written is None:
            assert entry is not None
            place = Place(path=self.project.config.name(self.project.config.lock), line=entry.line or None)
            old = Span(path=entry.path, first=entry.first, last=entry.last)
            return Step(
                snippet=name, cls="dropped", verdict="taken", place=place, before=entry.selector, selector="", old=old
            )
        back = self._back(written)
        natural = self._made(back, entry, chosen=False)
        chosen = self.choice.selectors.get(name)
        if chosen is None or natural.verdict == "taken":
            return natural  # of what nobody has to look at nothing is chosen: whoever reads the choice says so
        if chosen != written.selector.text:  # else it is what led away from the target, and is undone
            back = replace(written, selector=parse_selector(chosen))
        return self._made(back, entry, chosen=True)

    def _back(self, written: Definition) -> Definition:
        """The definition as it was when the lock was at the target, if it is as the move from there left it."""
        was = self.unwound.get(written.id)
        if was is None or was.now != written.selector.text:
            return written
        return replace(written, selector=parse_selector(was.selector))

    def _made(self, wanted: Definition, entry: Entry | None, *, chosen: bool) -> Step:
        if entry is None:
            return self._new(wanted)
        name, selector = wanted.id, parse_selector(entry.selector)
        accepted = Definition(id=name, selector=selector, view=entry.view, place=wanted.place, places={})
        self.accepted[name] = accepted
        followed = (wanted.selector.text, wanted.view) == (entry.selector, entry.view)
        outcome = self._followed(wanted) if followed else self._held(accepted, wanted)
        return self._step(accepted, outcome, chosen=chosen)

    def _new(self, wanted: Definition) -> Step:
        snippet, problem = self._cut(wanted)
        step = self._base(wanted, "new", "taken" if snippet else "blocked", before="")
        if snippet is None:
            assert problem is not None
            return advise(replace(step, details=_told(problem)), problem)
        self.snippets[wanted.id] = snippet
        return replace(step, new=snippet.span, new_text=snippet.text, new_link=self._link(snippet.span))

    def _followed(self, wanted: Definition) -> _Outcome:
        """Of a definition that still is as accepted: what drift says, under the name that the snippet has there."""
        change = self.comparison.change(wanted)
        wanted = _led(wanted, change)
        if (
            change.new is None
            or change.cls in ("removed", "unreadable")
            or (change.cls == "renamed" and not _found(wanted, change))
        ):
            return _Outcome(change=change, wanted=wanted, snippet=None)
        return _Outcome(change=change, wanted=wanted, snippet=self._cut(wanted)[0])

    def _held(self, accepted: Definition, wanted: Definition) -> _Outcome:
        """Of a definition that says something else than was accepted: what it shows against what was shown."""
        if wanted.selector == accepted.selector and not self._resolves(wanted):  # only the view was edited
            wanted = _led(wanted, self.comparison.change(accepted))
        old = self.comparison.cutter.cut(accepted)
        base = Change(snippet=old.id, cls="same", old=old.span, new=None, old_text=old.text, new_text="")
        snippet, problem = self._cut(wanted)
        seen = snippet or self._fitting(wanted)
        if seen is None:
            assert problem is not None
            change = replace(base, cls=_CLASS.get(type(problem), "removed"), details=_told(problem))
            return _Outcome(change=change, wanted=wanted, snippet=None)
        cls = classify(old, seen)
        if cls in ("layout", "comment", "body", "signature") and not self._resolves(accepted):
            cls = "renamed"  # as it would be called where nobody had edited the definition
        facts: tuple[str, ...] = ()
        if cls not in SAFE:
            was = find(self.comparison.old.tree, accepted.selector)
            there = find(self.comparison.new.tree, wanted.selector)
            if cls == "renamed" or there.part.name != was.part.name:
                masked = under_name(there, was.part.name)
                alike = fit(replace(wanted, id=old.id), masked).snippet
                facts = (f"it is {wanted.selector.text} now",)
                shown = (old.text, alike.text if alike else "")
                facts += details(was, masked, accepted.view, shown, classify(old, alike) if alike else "signature")
                cls = "renamed"
            else:
                facts = details(was, there, accepted.view, (old.text, seen.text), cls)
        facts = (*(_told(problem) if problem else ()), *facts)
        change = replace(base, cls=cls, new=seen.span, new_text=seen.text, details=facts)
        return _Outcome(change=change, wanted=wanted, snippet=snippet)

    def _step(self, accepted: Definition, outcome: _Outcome, *, chosen: bool) -> Step:
        change, wanted, snippet = outcome.change, outcome.wanted, outcome.snippet
        problem = None if snippet else self._cut(wanted)[1]
        step = replace(
            self._base(
                wanted, change.cls, self._verdict(change, snippet, chosen=chosen), before=accepted.selector.text
            ),
            chosen=chosen,
            old=change.old,
            new=snippet.span if snippet else change.new,
            old_text=change.old_text,
            new_text=snippet.text if snippet else change.new_text,
            details=change.details,
            candidates=change.candidates,
            old_link=self.comparison.states.link(self.comparison.old, change.old),
        )
        if step.new:
            step = replace(step, new_link=self._link(step.new))
        if snippet:
            self.snippets[accepted.id] = snippet
        if step.verdict != "taken":
            names = names_of(step.before, step.old_text, step.new_text, step.details)
            texts = tuple(self._text(wanted, one.selector) for one in step.candidates)
            step = replace(step, mentions=mentions(names, step.uses, self.pages, self.drawn), candidate_texts=texts)
        return advise(step, problem)

    def _verdict(self, change: Change, snippet: Snippet | None, *, chosen: bool) -> Verdict:
        if snippet is None:
            return "blocked"
        if chosen:
            return "accepted"
        if change.cls in SAFE or change.cls in self.project.config.take:
            return "taken"
        return "accepted" if self.choice.accepts(change.snippet, change.cls) else "asks"

    def _base(self, wanted: Definition, cls: MoveClass, verdict: Verdict, before: str) -> Step:
        name = wanted.id
        return Step(
            snippet=name,
            cls=cls,
            verdict=verdict,
            place=wanted.places.get("source", wanted.place),
            before=before,
            selector=wanted.selector.text,
            uses=self.project.uses(name),
        )

    def _cut(self, definition: Definition) -> tuple[Snippet | None, SnippetlockError | None]:
        try:
            return self.cutter.cut(definition), None
        except SnippetlockError as error:
            return None, error

    def _fitting(self, definition: Definition) -> Snippet | None:
        """As much of what a definition asks for as there is in the target; None where its selector leads nowhere."""
        try:
            return fit(definition, find(self.comparison.new.tree, definition.selector)).snippet
        except SnippetlockError:
            return None

    def _text(self, definition: Definition, selector: str) -> str:
        """What a definition would show in the target with another selector; empty where it cannot."""
        try:
            return self.cutter.cut(replace(definition, selector=parse_selector(selector))).text
        except SnippetlockError:
            return ""

    def _resolves(self, definition: Definition) -> bool:
        """Whether a selector finds one thing in the target, whatever can be shown of it."""
        try:
            find(self.comparison.new.tree, definition.selector)
        except SnippetlockError:
            return False
        return True

    def _link(self, span: Span) -> str:
        return self.comparison.states.link(self.comparison.new, span)


_CLASS: dict[type[SnippetlockError], ChangeClass] = {AmbiguousSymbol: "ambiguous", SourceError: "unreadable"}


def _led(wanted: Definition, change: Change) -> Definition:
    """The definition with the name that the snippet has in the target, as far as nobody has to choose that."""
    best = change.candidates[0] if change.candidates else None
    sure = best and (change.cls == "moved" or (change.cls == "renamed" and best.score >= SCORE))
    return replace(wanted, selector=parse_selector(best.selector)) if best and sure else wanted


def _found(wanted: Definition, change: Change) -> bool:
    """Whether a definition says what the best candidate of a change does."""
    return bool(change.candidates) and wanted.selector.text == change.candidates[0].selector


def _told(error: SnippetlockError) -> tuple[str, ...]:
    """An error in lines. Selectors that it lists stand under why they are listed, which is how to mend it."""
    where = f"{error.where}: " if error.where and error.where not in error.what else ""
    listing = isinstance(error, SelectorError) and error.evidence and error.mend
    why = (error.mend if error.mend.endswith("?") else f"{error.mend}:",) if listing else ()
    return (where + error.what, *why, *error.evidence)
