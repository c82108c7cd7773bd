"""Where a pin file is cut so that it says another pin, and what is put there. Checks nothing of what comes of it.

A key that is there keeps its place; one that is new gets one that it can be taken from again without a trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from snippetlock.config.document import MAPPING, NOTHING, TEXT, parse_document
from snippetlock.config.scalars import Part, parts, with_ends, written
from snippetlock.errors import ConfigError
from snippetlock.model import Pin
from snippetlock.text import NEWLINE

KINDS = ("wheel", "git", "folder")
BY_HAND = "write it there by hand"
_MIXED = "line-ends"  # among fragments: those of the file are not all alike, and nothing may be made of them

_COMMENT = re.compile(r"#[^\r\n]*")

Splice = tuple[int, int, str]  # characters from, up to, and what stands there then


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with all of them made; they do not overlap."""
    for start, end, said in sorted(splices, reverse=True):
        text = text[:start] + said + text[end:]
    return text


def _own(top: Part) -> dict[str, tuple[Part, Part]]:
    """The pairs of the pin's own that are there, by key path."""
    found = {path: top.find(path) for path in ("version", *KINDS)}
    repository = top.find("repository")
    for name in ("commit", "root"):
        found[f"repository.{name}"] = repository[1].find(name) if repository else None
    return {path: pair for path, pair in found.items() if pair}


def taken(text: str) -> dict[str, str]:
    """The text of each key of the pin's own, by key path."""
    top = parts(text)
    found = {}
    for path, (key, value) in _own(top).items():
        end = _entry_end(text, top, value) if path in KINDS else value.end
        found[path] = text[key.start : end]
    if len(set(NEWLINE.findall(text))) > 1:
        found[_MIXED] = "mixed"
    return found


def changed(text: str, old: Pin, new: Pin) -> Iterator[Splice]:
    """What to splice so that the text says `new`, written as it writes its old values."""
    top = parts(text)
    own = _own(top)
    commit = new.repository.commit if new.repository and new.kind != "git" else None
    root = (new.repository.root or None) if new.repository else None
    for path, value in (("version", new.version or None), ("repository.commit", commit), ("repository.root", root)):
        if path in own:
            if path != "repository.commit" or new.kind != "git" or old.commit != new.commit:
                yield from _set(text, *own[path], value)
        elif value:
            key = path.rpartition(".")[2]
            yield _inserted(text, *_after(top, path), f"{key}: {written(value)}")
    now = own[old.kind]
    if old.kind != new.kind:
        yield _other_kind(text, top, now, new.kind, _values(new))
        return
    for name, said in _values(new).items() - _values(old).items():
        yield from _set(text, *((now[1].find(name) or now) if name else now), said)


def _values(pin: Pin) -> dict[str, str]:
    """What stands below the key of the kind; under no name where it is the value itself."""
    if pin.kind == "wheel":
        return {"file": pin.file, "sha256": pin.sha256}
    return {"commit": pin.commit} if pin.kind == "git" else {"": pin.folder}


def _set(text: str, key: Part, value: Part, wanted: str | None) -> Iterator[Splice]:
    """Another value for a key that is there; None makes it `null`. Nothing where it says so already."""
    means = parse_document(f"k: {text[value.start : value.end]}", "").value[0][1]
    if (means.kind, means.value) == (TEXT, wanted) or (means.kind == NOTHING and wanted is None):
        return
    said = "null" if wanted is None else written(wanted, _quote(value))
    if value.start < value.end:
        yield value.start, value.end, said
        return
    before = text[key.end : value.start]
    colon = "" if ":" in before else ":"
    yield value.start, value.end, f"{colon}{'' if before[-1:].isspace() and not colon else ' '}{said}"


def _after(top: Part, path: str) -> tuple[Part, Part]:
    """The mapping that a new key belongs to, and the value that it comes behind."""
    if path == "version":
        mapping, before = top, top.find("name")
    else:
        mapping = (top.find("repository") or (top, top))[1]
        before = (mapping, mapping.pairs[-1][2]) if mapping.pairs and mapping is not top else None
    if before is None:
        raise ConfigError(f"there is no place for `{path}:`", mend=BY_HAND)
    return mapping, before[1]


def _inserted(text: str, mapping: Part, before: Part, entry: str) -> Splice:
    """A new pair behind a value: in braces after a comma, else on a line of its own."""
    if mapping.flow:
        return before.end, before.end, f", {entry}"
    end = _line_end(text, before.end)
    column = _column(text, mapping.pairs[0][1].start) if mapping.pairs else 0
    return end, end, f"{_line_feed(text)}{' ' * column}{entry}"


def _other_kind(text: str, top: Part, now: tuple[Part, Part], kind: str, values: Mapping[str, str]) -> Splice:
    """The entry of one kind of pin in place of another's; a comment beside its key stays."""
    key, value = now
    style = _quote(value.pairs[0][2] if value.pairs else value)
    keys = [f"{written(name, key.style)}: " if name else "" for name in values]
    pairs = [f"{name}{written(said, style)}" for name, said in zip(keys, values.values(), strict=True)]
    head, gap = written(kind, key.style), text[key.end : value.start]
    if top.flow or value.flow:
        said = pairs[0] if "" in values else f"{{{', '.join(pairs)}}}"
        return key.start, value.end, f"{head}{gap}{said}"
    end = _line_end(text, value.end)
    first_line = re.match(r"[ \t]*:?([^\r\n]*)", gap)
    beside = first_line[1] if value.pairs and first_line else text[value.end : end]
    if "" in values:
        return key.start, end, f"{head}: {pairs[0]}{beside.rstrip()}"
    indent = " " * (_column(text, key.start) + _step(text, top))
    lines = [f"{head}:{beside.rstrip()}", *(f"{indent}{pair}" for pair in pairs)]
    return key.start, end, _line_feed(text).join(lines)


def _quote(value: Part) -> str:
    """The quote that a value is written in, where it is."""
    return value.style if value.style in ("'", '"') else ""


def restored(text: str, fragments: Mapping[str, str]) -> Iterator[Splice]:
    """What to splice so that the pin's own keys stand as they once did."""
    top = parts(text)
    own = _own(top)
    for path in ("version", "repository.commit", "repository.root"):
        fragment, pair = fragments.get(path), own.get(path)
        if pair and fragment is None:
            yield _removed(text, _after(top, path)[0], pair)
        elif fragment is not None:
            said = with_ends(fragment, text, mixed=_MIXED in fragments)
            yield (pair[0].start, pair[1].end, said) if pair else _inserted(text, *_after(top, path), said)
    kind = next((kind for kind in KINDS if kind in fragments), "")
    now = next(kind for kind in KINDS if kind in own)
    if not kind:
        return
    said, (key, value) = with_ends(fragments[kind], text, mixed=_MIXED in fragments), own[now]
    end = _entry_end(text, top, value)
    whole, was = _entry(said, kind)
    if kind == now and not _comments(text, key.start, end, own[now]) <= _comments(whole, 0, len(whole), was):
        yield from _values_of(whole, was, own[now])  # somebody wrote something into it since, which stays
    else:
        yield key.start, end, said


def folder_said(fragments: Mapping[str, str]) -> str:
    """The folder that a pin file said, by its fragments; empty where it was pinned to something else."""
    try:
        whole, _ = _entry(fragments.get("folder", ""), "folder")
    except ConfigError:
        return ""
    said = parse_document(whole, "").value[0][1]
    return str(said.value) if said.kind == TEXT else ""


def _entry(fragment: str, kind: str) -> tuple[str, tuple[Part, Part]]:
    """A fragment as a document, and its one pair. Raises `ConfigError` for what is none."""
    for whole in (fragment, f"? {fragment}"):  # a key may stand behind a question mark
        try:
            if parse_document(whole, "").kind != MAPPING:  # `parts` is for what can be read
                continue
        except ConfigError:
            continue
        for name, *pair in parts(whole).pairs or ():
            if name == kind:
                return whole, (pair[0], pair[1])
    raise ConfigError(f"a fragment that is no `{kind}:`", mend=BY_HAND)


def _values_of(fragment: str, was: tuple[Part, Part], now: tuple[Part, Part]) -> Iterator[Splice]:
    """The values of a kind as a fragment writes them, what stands between them left as it is."""
    for name, key, value in was[1].pairs or (("", *was),):
        there = now[1].find(name) if name else now
        if there:
            yield there[0].start, there[1].end, fragment[key.start : value.end]


def _comments(text: str, start: int, end: int, entry: Iterable[Part]) -> set[str]:
    """The comments between the scalars of an entry."""
    found = set()
    for part in sorted(_scalars(entry)):
        found |= set(_COMMENT.findall(text, start, part.start))
        start = part.end
    return found | set(_COMMENT.findall(text, start, end))


def _scalars(entry: Iterable[Part]) -> Iterator[Part]:
    for part in entry:
        if part.pairs is None:
            yield part
        else:
            yield from _scalars(each for _, *both in part.pairs for each in both)


def _removed(text: str, mapping: Part, pair: tuple[Part, Part]) -> Splice:
    """Take a pair out, and what parts it from the one before it."""
    key, value = pair
    if mapping.flow:
        before = [other.end for _, _, other in mapping.pairs or () if other.end <= key.start]
        return max(before, default=key.start), value.end, ""
    start = key.start - _column(text, key.start)
    end_before = NEWLINE.sub("", text[:start][-2:])
    return start - len(text[:start][-2:]) + len(end_before), _line_end(text, value.end), ""


def _entry_end(text: str, top: Part, value: Part) -> int:
    return value.end if top.flow else _line_end(text, value.end)


def _line_end(text: str, offset: int) -> int:
    """The end of the line, its own end not included, where nothing but a comment follows; else `offset`."""
    found = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=[\r\n]|\Z)").match(text, offset)
    return found.end() if found else offset


def _column(text: str, offset: int) -> int:
    return offset - max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) - 1


def _line_feed(text: str) -> str:
    """The end that the file's lines have."""
    found = NEWLINE.search(text)
    return found[0] if found else "\n"


def _step(text: str, top: Part) -> int:
    """How many columns the file indents what is below a key."""
    for _, key, value in top.pairs or ():
        if value.pairs and not value.flow:
            return _column(text, value.pairs[0][1].start) - _column(text, key.start)
    return 2
