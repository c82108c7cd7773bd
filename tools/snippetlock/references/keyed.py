"""Judge a key of a dict of the library: `kernel_types["gemm"]`, or a name that stands beside `kernel_types`.

A finding only where every dict that can be meant is a literal of which all keys are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from snippetlock.errors import nearest
from snippetlock.index import Definition, Text, constant, lineage, lookup
from snippetlock.index.rows import KEYWORD
from snippetlock.references.bench import Bench
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import NAME

if TYPE_CHECKING:
    import ast

__all__ = ["dict_names", "judge_beside", "judge_subscripts", "spoken_key"]

_Dict = dict[str, "_Dict | None"]
_SETTERS = ("__setitem__", "setdefault", "update")
_MOST = 12  # keys that a message lists
_SUBSCRIPT = re.compile(r"""(?P<name>[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+)\[(?P<quote>["'])(?P<key>[\w.-]++)(?P=quote)\]""")
_NEXT = re.compile(r"""\[(?P<quote>["'])(?P<key>[\w.-]++)(?P=quote)\]""")
_SPOKEN = re.compile(r"(?:\bkeys?(?: (?:is|are|of|named|called))?|键(?:是|为)?)[ ,、，]*$", re.I)
_LAST = ("key", "keys", "is", "are", "of", "named", "called")  # what `_SPOKEN` ends with in ASCII
_CALLED = re.compile(r"^[ ]*(?:keys?\b|键)", re.I)


def judge_subscripts(bench: Bench, said: Said) -> Iterator[Verdict]:
    """A verdict on each `name["key"]` in a piece of code."""
    for found in _SUBSCRIPT.finditer(said.text):
        dicts = _dicts(bench, said, found["name"])
        if dicts is None:
            continue
        keys = _keys(dicts)
        having = next((each for each in _named(bench, found["name"]) if found["key"] in _keys([each])), None)
        if having is not None:
            further = _NEXT.match(said.text, found.end()) is not None
            inner = _within(bench, having, found["key"], said.text, found.end()) if further else None
            why = f"a key of {having.qualified} ({having.place})"
            yield inner or Verdict(text=found[0], state="resolved", why=why)
        elif _set_later(bench, dicts, found["key"]):
            why = "the source has the key, and may set it there later"
            yield Verdict(text=found[0], state="aside", why=why)
        else:
            yield _fault(found[0], found["key"], found["name"], dicts, keys)


def _within(bench: Bench, having: Definition, key: str, text: str, at: int) -> Verdict | None:
    """The finding for a key of a dict within a dict; None where it has it, or is not written out, or can be set later.

    Never certain: what is set in such a dict later is not kept.
    """
    way, names = f'{having.name}["{key}"]', _written(having.value or "", key)
    while names is not None and (further := _NEXT.match(text, at)):
        if further["key"] not in names:
            if _set_later(bench, [having], further["key"]):
                return None
            has, mend = _told(names, further["key"])
            return Verdict(
                text=f"{way}{further[0]}",
                state="unknown",
                why=f"{way} has no key {further['key']!r}",
                rule="SL303",
                message=f"{way} has no key {further['key']!r}",
                evidence=(f"{having.place}  has {has}",),
                mend=mend,
                asked=f"{way}{further[0]}",
            )
        way, at, names = f"{way}{further[0]}", further.end(), names[further["key"]]
    return None


def _written(value: str, key: str) -> _Dict | None:
    """The dict that a text of a dict has under a key, with all its keys; None for anything else, or a long text."""
    import ast  # only for who asks for a dict within a dict

    try:
        node = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    whole = _keys_of(node)
    return whole.get(key) if whole is not None else None


def _keys_of(node: ast.expr) -> _Dict | None:
    import ast

    if not isinstance(node, ast.Dict):
        return None
    names = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    if len(names) < len(node.keys):
        return None
    return {name: _keys_of(value) for name, value in zip(names, node.values, strict=True)}


def judge_beside(bench: Bench, said: Said, near: Sequence[Said], further: Sequence[Said] = ()) -> Verdict | None:
    """The verdict on a name that nobody has, as a key of a dict that is named near it.

    `near` are spans that name a dict (`dict_names`) of which it can only be a key: in its heading, or where the prose
    calls it one. Of those `further` off one counts where a key of it begins with the same word. None where no dict
    is named there, or what it has is not told.
    """
    for other in (*near, *further):
        if other.text == said.text:
            continue
        dicts = _dicts(bench, said, other.text)
        if dicts:
            keys = _keys(dicts)
            begun = said.text.partition("_")[0]
            alike = any(key.partition("_")[0] == begun for key in keys)
            if said.text in keys or not (alike or other in near) or _set_later(bench, dicts, said.text):
                continue
            return _fault(said.text, said.text, other.text, dicts, keys)
    return None


def dict_names(bench: Bench, spans: Iterable[Said]) -> list[Said]:
    """The spans that name a dict of which keys are known, the first of each name."""
    kept: dict[str, bool] = bench.index.memo.setdefault("prose: dicts", {})
    found: dict[str, Said] = {}
    for said in spans:
        text = said.text
        if text not in kept:
            kept[text] = bool(NAME.fullmatch(text)) and any(each.keys for each in _named(bench, text))
        if kept[text]:
            found.setdefault(text, said)
    return list(found.values())


def spoken_key(said: Said) -> bool:
    """Whether the prose calls it a key."""
    before = said.before
    # Asked of nearly every name: most have no word before them that could end like that, and need no search.
    if (not before.isascii() or before.rstrip(" ,\n").lower().endswith(_LAST)) and _SPOKEN.search(before):
        return True
    return _CALLED.match(said.after) is not None


def _dicts(bench: Bench, said: Said, name: str) -> Sequence[Definition] | None:
    """The literals that a name can mean, those of the section's classes before all others; None where one is none."""
    found = _named(bench, name)
    if not any(each.keys for each in found):
        return None
    for classes in (bench.classes.get(said.section, ()), bench.shown):
        owners = _owners(bench, classes)
        mine = [each for each in found if _owner(each) in owners]
        if mine:
            found = mine
            break
    if any(each.keys is None or not each.keys.complete for each in found):
        return None
    return [each for each in found if each.keys and each.keys.names] or found


def _keys(dicts: Iterable[Definition]) -> list[str]:
    return list(dict.fromkeys(key for each in dicts if each.keys for key in each.keys.names))


def _named(bench: Bench, name: str) -> list[Definition]:
    return [each for each in lookup(bench.index, name) if each.kind == "attribute"]


def _owner(definition: Definition) -> str:
    return f"{definition.module}:{definition.owner}"


def _owners(bench: Bench, classes: Sequence[Definition]) -> frozenset[str]:
    key = ("prose: owners", *(cls.number for cls in classes))
    if key not in bench.index.memo:
        line = (each.selector for cls in classes for each in lineage(bench.index, cls).order)
        bench.index.memo[key] = frozenset(line)
    found: frozenset[str] = bench.index.memo[key]
    return found


def _set_later(bench: Bench, dicts: Iterable[Definition], key: str) -> bool:
    """Whether a file that has one of the dicts, or imports it, has a key as it is set in a dict that is there already.

    That is a string of its own, as in `d["key"] = 1`, or a keyword, as in `d.update(key=1)`; of which dict is not told.
    """
    index = bench.index
    bound = index.table("names")["bound"]
    numbers: set[int] = set()
    for each in dicts:
        names = (each.name, each.owner.partition(".")[0], *each.module.split("."), "*")
        numbers |= {each.number[0], *(number for name in names for number in bound.get(name, ()))}
    if any(index.file(number).sheet["words"].get(key, 0) & KEYWORD for number in numbers):
        return True
    paths = {index.paths[number] for number in numbers}
    return any(each.path in paths and _sets(each) for each in constant(index, key))


def _sets(text: Text) -> bool:
    """Whether a string can be a key that is set: no argument of any other call, and no key of a dict with a name."""
    if text.role in ("call", "key") and text.name:
        return text.name.rpartition(".")[2] in _SETTERS
    return text.role in ("", "assign", "key")


def _fault(text: str, key: str, name: str, dicts: Sequence[Definition], keys: Sequence[str]) -> Verdict:
    what = dicts[0].qualified if len(dicts) == 1 else f"{name} of {len(dicts)} classes"
    has, mend = _told(keys, key)
    return Verdict(
        text=text,
        state="unknown",
        why=f"{what} has no key {key!r}",
        rule="SL303",
        certain=True,
        message=f"{what} has no key {key!r}",
        evidence=(f"{dicts[0].place}  has {has}",),
        mend=mend,
        asked=f'{name}["{key}"]',
    )


def _told(keys: Iterable[str], key: str) -> tuple[str, str]:
    """The keys that a dict has, in words, and how to mend one that it has not."""
    names = list(keys)
    if not names:
        return "no key at all", "name another dict: this one is empty where it is written"
    listed = ", ".join(map(repr, names[:_MOST])) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")
    near = nearest(key, names)
    return listed, f"did you mean {' or '.join(map(repr, near))}?" if near else "write one of those that it has"
