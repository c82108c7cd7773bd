"""The facts of a change as a person reads them: which parameter, which base, which value, from what to what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from snippetlock.changes import ChangeClass
from snippetlock.drift.classes import is_narrow
from snippetlock.drift.differing import apart, differing, short
from snippetlock.drift.headers import Header, Param, Words, read
from snippetlock.model import Found, Part, Region, View
from snippetlock.render import MARKS
from snippetlock.render.digests import has_fields
from snippetlock.render.normal import Statement, statements

__all__ = ["details"]

_DATA = ("yaml", "toml", "json")  # of which a part is a value; of others it is lines
_KINDS = {
    "module": "a module",
    "class": "a class",
    "function": "a function",
    "attribute": "an assignment",
    "key": "a key",
}


def details(old: Found, new: Found, view: View, texts: tuple[str, str], cls: ChangeClass) -> tuple[str, ...]:
    """What differs between two states of what is shown, in the order of a header; `texts` are what is shown.

    A change of class `layout` has no facts, and `comment` says of which kind the comments are. A body or a signature
    of which no more is known is told by the first line that differs.
    """
    if cls == "layout":
        return ()
    facts = tuple(_facts(old, new, view)) if cls != "comment" and not is_narrow(view) else ()
    if not facts and cls in ("body", "signature"):
        facts = tuple(filter(None, (differing(*texts),)))
    if cls == "comment" or old.part.kind == "function":
        facts += tuple(_asides(*texts)) if old.language == new.language == "python" else ("comments differ",)
    return tuple(dict.fromkeys(facts))


def _facts(old: Found, new: Found, view: View) -> Iterator[str]:
    before, after = old.part, new.part
    if before.kind != after.kind:
        yield f"was {_KINDS[before.kind]}, is {_KINDS[after.kind]} now"
        return
    python = old.language == new.language == "python"
    if view.show not in ("body", "docstring") and python and before.kind not in ("module", "key"):
        yield from _headers(old, new, before, after)
    if before.kind == "function" or view.show in ("signature", "docstring"):
        return
    if old.language == "toml" and bool(before.members) != bool(after.members):
        return  # an inline table has its keys in its value
    if before.kind == "key" and not before.members and not after.members and old.language in _DATA:
        yield from _changed("", _value(old, before), _value(new, after))
    yield from _members(old, new, view)


def _headers(old: Found, new: Found, before: Part, after: Part) -> Iterator[str]:
    """What differs in two headers; those that are the same letter by letter are not even read."""
    if _piece(old, before.head) != _piece(new, after.head):
        yield from _header(read(old.text, before), read(new.text, after))


def _piece(found: Found, region: Region) -> str:
    return found.text[region.start : region.end]


def _header(old: Header, new: Header) -> Iterator[str]:
    yield from _listed("decorator `@{}`", "decorators", old.decorators, new.decorators)
    if old.is_async != new.is_async:
        yield "is async now" if new.is_async else "is not async any more"
    yield from _changed("type parameters", old.generics, new.generics)
    yield from _listed("base `{}`", "bases", old.bases, new.bases)
    yield from _keywords(dict(old.keywords), dict(new.keywords))
    yield from _params(old.params, new.params)
    yield from _changed("return annotation", old.returns, new.returns)
    yield from _changed("annotation", old.annotation, new.annotation)
    yield from _changed("value", old.value, new.value)


def _listed(one: str, all_: str, old: Sequence[Words], new: Sequence[Words]) -> Iterator[str]:
    had, has = [w.same for w in old], [w.same for w in new]
    yield from (f"{one.format(short(w.shown))} was removed" for w in old if w.same not in has)
    yield from (f"{one.format(short(w.shown))} was added" for w in new if w.same not in had)
    if had != has and sorted(had) == sorted(has):
        yield f"{all_} in another order: {_names(w.shown for w in old)} → {_names(w.shown for w in new)}"


def _names(names: Iterator[str]) -> str:
    return ", ".join(f"`{short(name)}`" for name in names)


def _keywords(old: dict[str, Words], new: dict[str, Words]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        yield from _changed(f"class keyword `{name}`", old.get(name), new.get(name))


def _changed(what: str, old: Words | None, new: Words | None) -> Iterator[str]:
    """`what: old → new`; said otherwise where one of them is not there."""
    if (old is None and new is None) or (old and new and old.same == new.same):
        return
    lead = f"{what}: " if what else ""
    if old is None:
        yield f"{what} is new: `{short(new.shown)}`" if new else ""
    elif new is None:
        yield f"{what} is gone: `{short(old.shown)}`"
    else:
        one, other = apart(old.shown, new.shown)
        yield f"{lead}`{one}` → `{other}`"


def _params(old: Sequence[Param], new: Sequence[Param]) -> Iterator[str]:
    had, has = {p.name: p for p in old}, {p.name: p for p in new}
    gone, come = [p for p in old if p.name not in has], [p for p in new if p.name not in had]
    called: dict[str, Param] = {}
    for param in gone:
        other = next((p for p in come if new.index(p) == old.index(param) and _alike(p, param)), None)
        if other is not None:
            come.remove(other)
            called[param.name] = other
            yield f"parameter `{param.name}` is called `{other.name}` now"
        else:
            yield f"parameter `{param.name}` was removed"
    for param in come:
        with_default = f" with the default `{short(param.default.shown)}`" if param.default else ""
        yield f"parameter `{param.name}` was added ({param.kind}{with_default})"
    for param in old:
        other = called.get(param.name) or has.get(param.name)
        if other is not None:
            yield from _param(param, other)
    order, other_order = [p.name for p in old if p.name in has], [p.name for p in new if p.name in had]
    if order != other_order:
        yield f"parameters in another order: {_names(iter(order))} → {_names(iter(other_order))}"


def _alike(one: Param, other: Param) -> bool:
    """Whether two parameters can be the same under another name."""
    said, says = (param.annotation.same if param.annotation else () for param in (one, other))
    return one.kind == other.kind and said == says


def _param(old: Param, new: Param) -> Iterator[str]:
    if old.kind != new.kind:
        yield f"parameter `{new.name}` is {new.kind} now, was {old.kind}"
    yield from _changed(f"annotation of `{new.name}`", old.annotation, new.annotation)
    yield from _changed(f"default of `{new.name}`", old.default, new.default)


def _members(old: Found, new: Found, view: View) -> Iterator[str]:
    keep = set(view.keep)
    noun = "key" if old.part.kind == "key" or old.language != "python" else "member"
    had, has = (_shown(found.part, keep) for found in (old, new))
    gone, come = [n for n in had if n not in has], [n for n in has if n not in had]
    everyone = _shown(new.part, set())
    insides: dict[str, tuple[object, ...]] = {}
    for name in gone:
        pool = come if not keep else [n for n in everyone if n not in had and n not in _shown(old.part, set())]
        insides |= {n: _inside(new, everyone[n]) for n in pool if n not in insides}
        inside = _inside(old, had[name]) if pool else ()
        other = next((n for n in pool if insides[n] == inside), None)
        if other is not None:
            come = [n for n in come if n != other]
            yield f"{noun} `{name}` is called `{other}` now"
        else:
            yield f"{_item(old, had[name], noun)} `{name}` is gone"
    yield from (f"{_item(new, has[name], noun)} `{name}` is new" for name in come)
    for name, member in had.items():
        if name in has:
            yield from _member(old, new, name, member, has[name])
    order = [n for n in had if n in has], [n for n in has if n in had]
    if order[0] != order[1]:
        fields = has_fields(new.text, new.part)
        were, are = (_names(iter(names)) for names in order)
        yield f"{'fields' if fields else noun + 's'} in another order: {were} → {are}"


def _item(found: Found, member: Part, noun: str) -> str:
    """`noun`, or `item` for a member of a list."""
    text = found.text[member.whole.start : member.whole.end].lstrip()
    return "item" if member.kind == "key" and text.startswith("- ") else noun


def _shown(part: Part, keep: set[str]) -> dict[str, Part]:
    own = {m.selector.removeprefix(f"{part.selector}."): m for m in part.members}
    return {name: m for name, m in own.items() if not keep or not keep.isdisjoint((name, m.name, m.selector))}


def _member(old: Found, new: Found, name: str, before: Part, after: Part) -> Iterator[str]:
    if _piece(old, before.whole) == _piece(new, after.whole):
        return
    if before.kind != after.kind:
        yield f"`{name}` was {_KINDS[before.kind]}, is {_KINDS[after.kind]} now"
    elif before.kind == "key":
        had, has = _value(old, before), _value(new, after)
        if had.same != has.same:
            yield from _changed(f"`{name}`", had, has) if not before.members else (f"what `{name}` holds differs",)
    else:
        for fact in _headers(old, new, before, after):
            yield f"`{name}`: {fact.removeprefix('value: ')}"
        if before.kind != "attribute" and _inside(old, before) != _inside(new, after):
            yield f"the {'body' if before.kind == 'function' else 'inside'} of `{name}` differs"


def _value(found: Found, part: Part) -> Words:
    """A key with its value, comments aside."""
    text = found.text[part.whole.start : part.whole.end]
    for comment in reversed(part.comments):
        text = text[: comment.start - part.whole.start] + text[comment.end - part.whole.start :]
    _, _, value = text.partition(":") if not text.lstrip().startswith("- ") else ("", "", text)
    words = text.split()
    return Words(tuple(words), " ".join(value.split()) or " ".join(words))


def _inside(found: Found, part: Part) -> tuple[object, ...]:
    """What a part holds, its own name aside."""
    if found.language != "python":
        return _value(found, part).same[1:]
    start = part.body.start if part.body else part.head.start
    code = _code(found.text[start : part.whole.end])
    return tuple(s.pieces[1:] if part.kind == "attribute" else (s.depth, s.pieces) for s in code)


def _code(text: str) -> list[Statement]:
    return [s for s in statements(text) if s.depth >= 0 and not s.inert]


def _asides(old: str, new: str) -> Iterator[str]:
    """Whether comments or docstrings differ in what is shown."""
    kinds: tuple[tuple[str, Callable[[Statement], bool]], ...] = (
        ("docstrings differ", lambda s: s.inert),
        ("comments differ", lambda s: s.depth < 0 and s.pieces[0] != MARKS["python"]),
    )
    if old == new:
        return
    before, after = list(statements(old)), list(statements(new))
    for fact, wanted in kinds:
        if [s.pieces for s in before if wanted(s)] != [s.pieces for s in after if wanted(s)]:
            yield fact
