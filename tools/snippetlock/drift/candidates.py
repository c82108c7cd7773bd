"""Candidates for what is gone: guesses whose selector really leads there, with the class of what they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from snippetlock.changes import CLASSES, Candidate, ChangeClass
from snippetlock.config.selector import BRACES
from snippetlock.drift.classes import classify
from snippetlock.drift.fitting import fit
from snippetlock.drift.guess import UNSURE, Guess
from snippetlock.drift.listing import Listed, module_name
from snippetlock.drift.masking import under_name
from snippetlock.drift.search import Search
from snippetlock.errors import AmbiguousSymbol, SnippetlockError, SourceError
from snippetlock.model import Definition, Found, Part, Selector, Snippet, Span, Tree
from snippetlock.records import dataclass, replace
from snippetlock.render import Laid
from snippetlock.select import find
from snippetlock.select.files import Reader
from snippetlock.select.hints import qualified
from snippetlock.select.labels import steps
from snippetlock.select.resolve import Target, resolve
from snippetlock.text import line_at

__all__ = ["COPIES", "Offer", "equals", "offers"]

_MOST = 5  # candidates that are offered
_TRIED = 12  # guesses that are cut
COPIES = 24  # equal copies that are cut and offered: of five of them nobody could choose
_NEARER: dict[ChangeClass, float] = {"same": 0.5, "layout": 0.35, "comment": 0.2}  # of what is left to 1
_COPIED = 0.8  # where no less is offered a copy is, and beside it nothing that only resembles
_BEHIND = 0.1  # a candidate so much worse than a certain one is no help; the less certain the best, the more


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A candidate, and what was cut there; `laid` is None where the view does not fit it.

    `found` and the class of the candidate are under the old name: a new name alone is no difference. `called` is that.
    """

    candidate: Candidate
    called: str
    found: Found
    laid: Laid | None
    same_name: bool


def offers(definition: Definition, found: Found, old: Callable[[], Snippet], search: Search) -> tuple[Offer, ...]:
    """The candidates with what was cut; `old` makes the old cut, for who has something to compare with it."""
    _, was = search.listed(found)
    every: list[Offer] = []
    least, tried = 0.0, 0
    for guesses in search.guesses(found):
        for at, guess in enumerate(guesses[tried:COPIES], tried):
            if at >= _TRIED and guess.score < guesses[0].score:
                break
            if _nearer(guess.score, max(_NEARER.values())) < least:
                break  # whatever is shown there: it would be too far behind, and all that follow
            offer = _offer(definition, found, old, guess, was, search)
            if offer is not None:
                every.append(offer)
                least = max(least, _still(offer.candidate.score))
        tried = len(guesses)
        if least >= _COPIED:
            break
    every.sort(key=lambda o: (-o.candidate.score, -CLASSES.index(o.candidate.cls)))  # of equals as they were guessed
    shown = every[: max(_MOST, len(equals(every)))]
    return tuple(offer for offer in shown if offer.candidate.score >= least)


def equals(every: Sequence[Offer]) -> list[Offer]:
    """Those that are no worse than the best and show the same text under the same name, if the best does."""
    best = every[0].candidate.score if every else 0.0
    same = [o.candidate.cls == "same" and o.same_name and o.candidate.score >= best for o in every]
    return [offer for offer, alike in zip(every, same, strict=True) if alike] if any(same[:1]) else []


def _still(best: float) -> float:
    """The least score that is offered beside the best."""
    return best - _BEHIND - (1 - best) / 2


def _nearer(score: float, part: float) -> float:
    return round(score + (1 - score) * part, 3)


def _offer(
    definition: Definition, found: Found, old: Callable[[], Snippet], guess: Guess, was: Listed | None, search: Search
) -> Offer | None:
    selector = _spelled(definition.selector, found, guess, search)
    try:
        there = find(search.new, selector)
    except SourceError as error:
        search.refused.setdefault(guess.path, error.headline)
        return None
    except SnippetlockError:
        return None
    if there.path != guess.path or (guess.listed and not _is(guess.listed, there.part)):
        return None
    kind = found.part.kind
    mended = replace(definition, selector=selector)
    region = selector.name.startswith("@")  # whose name is in no line of it
    masked = there if region else under_name(there, found.part.name)
    fitted = fit(mended, masked)
    laid = fitted.laid if masked is there else fit(mended, there, digested=False).laid
    shown = fitted.snippet if not fitted.lost and not fitted.wide else None
    cls: ChangeClass = classify(old(), shown) if shown else "signature"
    cls = "same" if cls == "moved" else cls
    candidate = Candidate(
        selector=selector.text,
        span=laid.span if laid else _span(there),
        score=min(_nearer(guess.score, _NEARER.get(cls, 0.0)), guess.most if kind == there.part.kind else UNSURE),
        reason=guess.reason,
        cls=cls,
    )
    same_name = guess.listed is None or (was is not None and guess.listed.selector == was.selector)
    return Offer(candidate=candidate, called=there.part.name, found=masked, laid=laid, same_name=same_name)


def _is(listed: Listed, part: Part) -> bool:
    return listed.start <= part.head.start < listed.end and listed.name == part.name


def _span(found: Found) -> Span:
    first, last = (line_at(found.text, at) for at in (found.part.whole.start, max(0, found.part.whole.end - 1)))
    return Span(path=found.path, first=first, last=max(first, last))


def _spelled(asked: Selector, found: Found, guess: Guess, search: Search) -> Selector:
    """The selector for a guess, in the manner of the one that was asked for.

    Who asked a public module gets one again, where the definition can still be reached through it or through
    a package around it; else the module that defines it. Who asked the defining module gets that one.
    """
    name = _listed(guess)
    if not asked.module or not guess.path.endswith(".py"):
        return _kinded(asked, guess, search)
    own = module_name(guess.path)
    if name.startswith("@"):
        return _selector(own, name, module=own)
    direct = module_name(found.path) == asked.module and (_is_private(asked.module) or not _is_private(own))
    for module in () if direct else _public(asked.module, own):
        if module == asked.module and module_name(found.path) == module and _imported(search.old, module, name):
            continue  # it used the name before it lost this one, and gives it to nobody
        for spelled in dict.fromkeys((asked.name, name)):  # as it was imported, where it still is
            if guess.listed and _leads(search.new, module, spelled, guess):
                return _selector(module, spelled, module=module)
    if name and not _leads(search.new, own, name, guess):  # the name is imported there as well
        first, dot, rest = name.partition(".")
        name = f"{first}#1{dot}{rest}"
    return _selector(own, name, module=own)


def _kinded(asked: Selector, guess: Guess, search: Search) -> Selector:
    """The selector in a file that is no Python, with the kind and without the scope where it was asked for so.

    Of several definitions of one name in C, the number of the one that is meant is added.
    """
    path, name = guess.path, _listed(guess)
    plain = _selector(path, name, path=path)
    if guess.listed is None or name.startswith("@"):
        return plain
    if not path.endswith(tuple(BRACES)):  # a heading has a name and an anchor
        return _as_asked(asked, guess.listed, path, search) or plain
    kind, blank, called = asked.name.rpartition(" ")
    bare = name if "::" in called else name.rpartition("::")[2]
    numbered: list[str] = []
    for spelled in dict.fromkeys((f"{kind}{blank}{bare}", bare, f"{kind}{blank}{name}", name)):
        try:
            there = find(search.new, _selector(path, spelled, path=path))
        except AmbiguousSymbol as error:
            numbered += [text.removeprefix(f"{path}:") for text, _, _ in error.candidates]
        except SnippetlockError:
            continue
        else:
            if there.part.whole.start == guess.listed.start:
                return there.selector
    every = (find(search.new, _selector(path, spelled, path=path)) for spelled in numbered)
    return next((there.selector for there in every if there.part.whole.start == guess.listed.start), plain)


def _as_asked(asked: Selector, listed: Listed, path: str, search: Search) -> Selector | None:
    """The selector by the words of the one that was asked for, if they lead there in this file; or by an anchor too."""
    same = _selector(path, asked.name, path=path)
    try:
        if find(search.new, same).part.whole.start == listed.start:
            return same
    except SnippetlockError:
        pass
    if not (asked.name.startswith("#") and path.endswith(".md")):
        return None
    from snippetlock.select.markdown import sections  # seldom asked

    every = sections(search.file(path).text)
    return next((_selector(path, f"#{at}", path=path) for _, at, whole in every if whole.start == listed.start), None)


def _selector(left: str, name: str, *, module: str = "", path: str = "") -> Selector:
    return Selector(text=f"{left}:{name}" if name else left, name=name, module=module, path=path)


def _public(asked: str, own: str) -> tuple[str, ...]:
    """The module that was asked, and the packages around the defining one, those without private parts first.

    The nearest comes first, but where the whole library has another name: there the one that is as deep as was asked.
    """
    parts = own.split(".")
    around = [".".join(parts[:i]) for i in range(len(parts) - 1, 0, -1)]
    if parts[0] != asked.partition(".")[0]:
        around.sort(key=lambda module: abs(module.count(".") - asked.count(".")))
    around.sort(key=_is_private)
    return tuple(dict.fromkeys((asked, *around)))


def _is_private(module: str) -> bool:
    return any(part.startswith("_") for part in module.split("."))


def _listed(guess: Guess) -> str:
    return guess.listed.selector if guess.listed else ""


def _leads(tree: Tree, module: str, name: str, guess: Guess) -> bool:
    found = _resolved(tree, module, name)
    return len(found) == 1 and found[0].module.path == guess.path and qualified(found[0]) == _listed(guess)


def _imported(tree: Tree, module: str, name: str) -> bool:
    """Whether a module that is no package has the first part of a name from another one."""
    found = _resolved(tree, module, name.partition(".")[0])
    package = tree.has(f"{module.replace('.', '/')}/__init__.py")
    return not package and bool(found) and all(module_name(one.module.path) != module for one in found)


def _resolved(tree: Tree, module: str, name: str) -> list[Target]:
    reader = Reader(tree)
    try:
        there = reader.module(module)
        return resolve(reader, there, steps(name)) if there else []
    except SnippetlockError:
        return []
