"""What became of one snippet between two trees. Reads both, writes nothing; every outcome is data.

Cheap where nothing happened: files that decided the old cut and did not change end the question. What tells more
than that something differs is imported when something does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from snippetlock.changes import Candidate, Change, ChangeClass
from snippetlock.drift.classes import classify, is_data, worst
from snippetlock.drift.fitting import fit
from snippetlock.drift.search import Search, content
from snippetlock.errors import AmbiguousSymbol, MissingFile, SelectorError, SnippetlockError, SourceError, TreeError
from snippetlock.model import Definition, Found, Selector, Snippet, Span, Tree
from snippetlock.records import replace
from snippetlock.render import Laid
from snippetlock.select import Located, find, locate

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.drift.candidates import Offer

__all__ = ["compare"]

_GONE = (SelectorError, MissingFile)
_ANOTHER = 0.5  # less alike than this, and what has the name now may be something else


def compare(
    definition: Definition,
    old_tree: Tree,
    new_tree: Tree,
    *,
    touched: Iterable[str] | None = None,
    renames: Mapping[str, str] | None = None,
    search: Search | None = None,
    old: Snippet | Laid | None = None,
) -> Change:
    """Compare what a definition shows in two trees.

    `touched` are the files that differ and `renames` those that git says were renamed (old path to new); a
    `search` of these trees holds both, and shares what it reads between snippets. `old` is the old cut, if at
    hand. Raises what `select` and `render` raise where the old tree cannot be cut: then nothing can be compared.
    """
    search = search or Search(old_tree, new_tree, touched, renames)
    before = None if old else locate(old_tree, definition.selector)
    old = old or Laid(definition.id, _found(before, old_tree, definition), definition.view)
    case = _Case(definition, search, old)
    consulted = old.consulted if isinstance(old, Snippet) else old.found.consulted
    if all(search.unchanged(path, digest) for path, digest in consulted):
        return case.same()
    try:
        after = locate(new_tree, definition.selector)
        return case.stayed(before, after) or case.found(_found(after, new_tree, definition))
    except _GONE as error:
        return case.ambiguous(error) if isinstance(error, AmbiguousSymbol) else case.vanished(error)
    except (SourceError, TreeError) as error:
        return case.unreadable(error)


def _found(located: Located | None, tree: Tree, definition: Definition) -> Found:
    return located.found() if located else find(tree, definition.selector)


class _Case:
    """One definition, and what it shows in the old tree; what is more than its text is found out when asked for."""

    def __init__(self, definition: Definition, search: Search, old: Snippet | Laid) -> None:
        self.definition = definition
        self.search = search
        self.laid = old

    @cached_property
    def old(self) -> Snippet:
        return self.laid if isinstance(self.laid, Snippet) else self.laid.snippet

    @cached_property
    def was(self) -> Found:
        return find(self.search.old, self.definition.selector) if isinstance(self.laid, Snippet) else self.laid.found

    def change(self, **fields: Any) -> Change:
        old = self.laid
        base = Change(snippet=old.id, cls="same", old=old.span, new=None, old_text=old.text, new_text="")
        return replace(base, **fields)

    def same(self) -> Change:
        return self.change(new=self.laid.span, new_text=self.laid.text)

    def stayed(self, before: Located | None, after: Located | None) -> Change | None:
        """The change of what stands in the new tree word for word, wherever; None where only a cut can tell."""
        view = self.definition.view
        now = after.spot(view) if after else None
        located = before or locate(self.search.old, self.definition.selector) if now else None
        was = located.spot(view) if located else None
        if now is None or was is None or (was.what, was.text) != (now.what, now.text):
            return None
        old, by = self.laid.span, now.line - was.line
        span = Span(path=now.path, first=old.first + by, last=old.last + by)
        if now.path == old.path:
            return self.change(new=span, new_text=self.laid.text)
        return self.change(cls="moved", new=span, new_text=self.laid.text, details=(_moved(old.path, now.path),))

    def unreadable(self, error: SnippetlockError) -> Change:
        return self.change(cls="unreadable", details=(error.headline,))

    def ambiguous(self, error: AmbiguousSymbol) -> Change:
        """Those that the name means now, as many as a message lists, the one most like the old first."""
        from snippetlock.drift.likeness import likeness

        was = self.was
        counts = self.search.old_file(was.path).counts(was.part.head.start, was.part.whole.end)
        ranked: list[Candidate] = []
        for text, path, line in error.candidates:
            span, alike, cls = Span(path=path, first=line, last=line), 0.0, classify(self.old, self.old)
            try:
                there = find(self.search.new, _like(self.definition.selector, text))
                shown = fit(replace(self.definition, selector=there.selector), there).snippet
            except SnippetlockError:
                continue
            part = there.part
            alike = likeness(counts, self.search.file(path).counts(part.head.start, part.whole.end))
            cls, span = (classify(self.old, shown), shown.span) if shown else ("signature", span)
            cls = "same" if cls == "moved" else cls
            ranked.append(Candidate(selector=text, span=span, score=round(alike, 2), reason="one of several", cls=cls))
        ranked.sort(key=lambda c: -c.score)
        return self.change(cls="ambiguous", details=(error.what,), candidates=tuple(ranked))

    def vanished(self, error: SnippetlockError) -> Change:
        from snippetlock.drift.candidates import COPIES, equals, offers

        was = self.was
        every = offers(self.definition, was, lambda: self.old, self.search)
        if not every:
            return self.change(cls="removed", details=(error.what,))
        best = every[0]
        there, alike = best.candidate.span.path, equals(every)
        moved = bool(alike) and not self._undecided(alike)
        away = moved and there != self.laid.span.path
        lead = _moved(self.laid.span.path, there) if away else f"it is {best.candidate.selector} now"
        number = f"{len(alike)}{' and more' if len(alike) == COPIES else ''}"
        lead = f"it is in {number} places now, word for word" if alike and not moved else lead
        facts: tuple[str, ...] = ()
        if best.candidate.cls != "same":
            facts = self._facts(was, best.found, best.laid, best.candidate.cls, best.called)
        return self.change(
            cls="moved" if moved else "renamed",
            new=best.candidate.span,
            new_text=best.laid.text if best.laid else "",
            details=(error.what, lead, *facts),
            candidates=tuple(offer.candidate for offer in every),
        )

    def _undecided(self, alike: list[Offer]) -> bool:
        """Whether of several copies none is the one: the name of the file tells, and git, if it had no choice."""
        search, old = self.search, self.laid.span.path
        taken = {new for was, new in search.renames.items() if was != old}  # what another file became
        first, *rest = dict.fromkeys(offer.candidate.span.path for offer in alike)
        others = [path for path in rest if path not in taken]
        if search.renames.get(old) == first:
            others = [other for other in others if content(search.new, other) == content(search.new, first)]
        return any((_base(other) == _base(old)) >= (_base(first) == _base(old)) for other in others)

    def found(self, found: Found) -> Change:
        old, fitted = self.old, fit(self.definition, found)
        new = fitted.snippet
        if new is None:
            return self.change(cls="removed", details=fitted.notes)
        cls = classify(old, new)
        lost = tuple(f"member `{name}` is gone" for name in fitted.lost)
        least: ChangeClass = "body" if is_data(new.span.path) else "signature"
        cls = worst((cls, least)) if lost else "body" if fitted.wide else cls
        cls = "ambiguous" if fitted.several else cls
        was = self.was if cls not in ("same", "moved") else found
        facts = self._facts(was, found, new, cls) if was is not found and not fitted.wide else ()
        away = (_moved(old.span.path, new.span.path),) if old.span.path != new.span.path else ()
        other = self._elsewhere(was, found) if cls in ("body", "signature") else ()
        return self.change(
            cls=cls,
            new=new.span,
            new_text=new.text,
            details=tuple(dict.fromkeys((*away, *facts, *self._unsaid(lost, facts), *fitted.notes))),
            candidates=tuple(offer.candidate for offer in other),
        )

    def _unsaid(self, lost: tuple[str, ...], facts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in lost if not any(one.rpartition(" is ")[0] in fact for fact in facts))

    def _facts(
        self, was: Found, found: Found, new: Snippet | Laid | None, cls: ChangeClass, called: str = ""
    ) -> tuple[str, ...]:
        from snippetlock.drift.details import details

        text = new.text if new else ""
        if called and was.part.name:  # a new name alone is no difference
            text = re.sub(rf"\b{re.escape(called)}\b", lambda _: was.part.name, text)
        return details(was, found, self.definition.view, (self.laid.text, text), cls)

    def _elsewhere(self, was: Found, found: Found) -> tuple[Offer, ...]:
        """Where the old text is now, under another name, when what has its name is something else."""
        from snippetlock.drift.likeness import likeness, size

        if was.part.kind == "module":
            return ()
        one = self.search.old_file(was.path).counts(was.part.whole.start, was.part.whole.end)
        other = self.search.file(found.path).counts(found.part.whole.start, found.part.whole.end)
        if size(one) < 5 or likeness(one, other, (was.part.name,)) >= _ANOTHER:
            return ()
        from snippetlock.drift.candidates import offers
        from snippetlock.drift.narrowing import narrowed

        every = offers(self.definition, was, lambda: self.old, narrowed(self.search, was))
        return tuple(o for o in every if o.candidate.cls in ("same", "layout", "comment"))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _moved(old: str, new: str) -> str:
    return f"defined in {new} now, was in {old}"


def _like(asked: Selector, text: str) -> Selector:
    left, _, name = text.partition(":")
    return Selector(text=text, name=name, module=left if asked.module else "", path="" if asked.module else left)
