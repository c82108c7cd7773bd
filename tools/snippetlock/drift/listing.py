"""Every definition of a file, by the name that selects it, with its words. Looks at lines only; confirms nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from sys import intern

from snippetlock.config.selector import BRACES
from snippetlock.drift.likeness import Words, folded, without
from snippetlock.errors import SnippetlockError, SourceError
from snippetlock.model import Found, Part, PartKind, Selector, Tree
from snippetlock.records import dataclass, field
from snippetlock.select import find
from snippetlock.select.files import outlined
from snippetlock.select.labels import labels
from snippetlock.select.outline import Outline, Scope
from snippetlock.select.places import line_end
from snippetlock.text import decode, late

__all__ = ["File", "Listed", "module_name", "read", "read_regions"]

_WORD = late(r"\w+")
_SPACED = bytes(ord(c.lower()) if (c := chr(code)).isalnum() or c == "_" else 32 for code in range(128)) + bytes(128)
# A name at the beginning of a line, after what may stand before it: most of them define nothing.
_NAMED = r"\n[ \t]*+(?:(?:def|class|async[ \t]++(?:def|class))[ \t]++)?+({}++)[ \t]*+[(:=\[,]"
_DEFINED, _PLAINLY = late(_NAMED.format(r"\w")), late(_NAMED.format("[A-Za-z0-9_]"))  # the second for ASCII, sooner
_FOREIGN = late(r"[^\x00-\x7f\W]")
_KELVIN = "\u212a"  # the one letter beyond ASCII whose small one is within
_BEFORE = late(rb"[ \t]*+(?:(?:async[ \t]++)?+(?:def|class)[ \t]++)?+")
_LABEL = late(r"[@#]\w+$")
_TITLE = late(r"\w[\w .-]*\w|\w")  # one that can be written as it is
_DEEPEST = 4  # definitions in definitions
_FILES = 256  # Python files kept: along a history one is new in a commit, and old in the next that changes it


@dataclass(frozen=True, slots=True)
class Listed:
    """One definition: `selector` is its qualified name, `name` the last of it without a label, `owner` the rest."""

    path: str
    selector: str
    name: str
    owner: str
    kind: PartKind
    start: int
    end: int
    words: int = -1  # where its words begin, if not where it does: a title has words of its own


@dataclass(frozen=True)
class File:
    """A file's definitions in order, and its words.

    `listing` makes the definitions when they are first asked for: where only words are, nobody lists them. It
    is of the text alone, which is at hand, so it says later what it would have said at once. `faults` are what no
    grammar allows: something may be missing from the list.
    """

    path: str
    text: str
    listing: Callable[[], Iterator[Listed]]
    faults: list[str] = field(default_factory=list)
    said: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    known: dict[tuple[int, int], Words] = field(default_factory=dict)
    rests: dict[tuple[int, str], int] = field(default_factory=dict)
    sets: dict[tuple[int, int], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def listed(self) -> tuple[Listed, ...]:
        """The definitions in order."""
        return tuple(self.listing())

    @cached_property
    def _called(self) -> dict[str, Listed]:
        return {one.selector: one for one in reversed(self.listed)}  # the first of a name stays

    @cached_property
    def _inside(self) -> dict[str, list[Listed]]:
        found: dict[str, list[Listed]] = {}
        for one in self.listed:
            found.setdefault(one.owner, []).append(one)
        return found

    @cached_property
    def every(self) -> frozenset[str]:
        """Each of its words, letter case aside."""
        return frozenset(self.words(0, len(self.text)))

    def words(self, start: int, end: int) -> list[str]:
        """The words between two offsets, letter case aside."""
        found = self.said.get((start, end))
        if found is None:  # each word is kept once, whichever files have it
            found = self.said[start, end] = list(map(intern, self._words(start, end)))
        return found

    def _words(self, start: int, end: int) -> list[str]:
        if self._plain:  # as what follows, in a tenth of its time
            return self._spaced[start:end].split()
        return list(map(str.lower, _WORD.findall(self.text, start, end)))

    def has(self, text: str, inside: frozenset[str]) -> bool:
        """Whether a text stands in it; `inside` are lines that it has from end to end, if it is asked for many."""
        return (not inside or inside <= self._lines) and text in self.text

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(self.text.split("\n"))

    def may_define(self, name: str) -> bool:
        """Whether a line of Python can define what folded is `name`; not behind another statement on its line."""
        if name and name.isascii() and _KELVIN not in self.text:
            places = re.finditer(re.escape(name).encode() + rb"[ \t]*[(:=\[,]", self._flat)
            if not any(map(self._begins, places)):
                return False  # most files have no such name at all, or not where it could be defined
        return name in self.defined

    def _begins(self, found: re.Match[bytes]) -> bool:
        """Whether something in the flat text is the first of its line, or stands behind `def` or `class`."""
        start = self._flat.rfind(b"\n", 0, found.start()) + 1
        return _BEFORE.fullmatch(self._flat, start, found.start()) is not None

    @cached_property
    def _flat(self) -> bytes:
        return self.text.encode("utf-8", "surrogatepass").lower().replace(b"_", b"")

    @cached_property
    def _plain(self) -> bool:
        """Whether no word has a letter beyond ASCII; arrows and dashes are in none."""
        return self.text.isascii() or not _FOREIGN.search(self.text)

    @cached_property
    def _spaced(self) -> str:
        """The text with blanks for what is in no word."""
        return self.text.encode("ascii", "replace").translate(_SPACED).decode("ascii")

    @cached_property
    def defined(self) -> frozenset[str]:
        """Every name that a line of Python can define, as folded, and some more; as `may_define` tells of one."""
        pattern = _PLAINLY if self.text.isascii() else _DEFINED
        return frozenset(map(folded, set(pattern.findall(f"\n{self.text}"))))

    def counts(self, start: int, end: int) -> Words:
        """The words between two offsets, and each with the one before it, counted."""
        found = self.known.get((start, end))
        if found is None:
            found = self.known[start, end] = Words(self.words(start, end))
        return found

    def of(self, one: Listed) -> Words:
        """The words of a definition, counted."""
        return self.counts(max(one.start, one.words), one.end)

    def words_of(self, one: Listed) -> list[str]:
        """The words of a definition."""
        return self.words(max(one.start, one.words), one.end)

    def distinct(self, one: Listed) -> frozenset[str]:
        """The words of a definition, each once."""
        found = self.sets.get((one.start, one.end))
        if found is None:
            found = self.sets[one.start, one.end] = frozenset(self.words_of(one))
        return found

    def rest(self, one: Listed) -> int:
        """How many words and pairs of words a definition has without its own name."""
        found = self.rests.get((one.start, one.name))
        if found is None:
            found = self.rests[one.start, one.name] = without(self.words_of(one), (one.name,))
        return found

    def length(self, start: int, end: int) -> int:
        """How many words there are between two offsets."""
        return len(self.words(start, end))

    def at(self, part: Part) -> Listed | None:
        """The definition that a part is."""
        near = [one for one in self.listed if one.start <= part.head.start < one.end and one.name == part.name]
        return max(near, key=lambda one: one.start, default=None)

    def called(self, selector: str) -> Listed | None:
        return self._called.get(selector)

    def inside(self, owner: str) -> tuple[Listed, ...]:
        """The members of a definition, or for an empty name what stands in no other."""
        return tuple(self._inside.get(owner, ()))


def module_name(path: str) -> str:
    """The dotted name under which a Python file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def read(tree: Tree, path: str) -> File:
    """The definitions of a file; none of one that cannot be read."""
    try:
        if path.endswith(".py"):
            return _python_read(path, tree.read(path))
        found = find(tree, Selector(text=path, name="", path=path))
    except SnippetlockError as error:
        return _nothing(path, error)
    if path.endswith(".md"):
        return File(path, found.text, lambda: _sections(path, found.text))
    if path.endswith(tuple(BRACES)):
        faults: list[str] = []
        return File(path, found.text, lambda: _braces(path, found.text, faults), faults)
    return File(path, found.text, lambda: _parts(found, found.part, "", 0))


def read_regions(tree: Tree, path: str) -> File:
    """The marked regions of a file, as definitions; none of one that cannot be read."""
    from snippetlock.select.regions import regions_of

    try:
        text = decode(tree.read(path), path, python=path.endswith(".py"))
        found = [
            Listed(path, selector, name, "", "key", lines.start, lines.end)
            for selector, name, lines in regions_of(text)
        ]
    except SnippetlockError as error:
        return _nothing(path, error)
    return File(path, text, lambda: iter(found))


def _nothing(path: str, error: SnippetlockError) -> File:
    """A file in which nothing is found; what is too large or no file was refused, and that is no fault of it."""
    return File(path, "", lambda: iter(()), [error.headline] if isinstance(error, SourceError) else [])


@lru_cache(maxsize=_FILES)
def _python_read(path: str, data: bytes) -> File:
    faults: list[str] = []
    return File(path, decode(data, path, python=True), lambda: _python_file(path, data, faults), faults)


def _python_file(path: str, data: bytes, faults: list[str]) -> Iterator[Listed]:
    outline, _ = outlined(data, path)
    faults += [f"{path}:{error.line}: {error.what}" for error in outline.skim.faults[:1]]
    return _python(path, outline, outline.module, "", 0)


def _python(path: str, outline: Outline, scope: Scope, owner: str, depth: int) -> Iterator[Listed]:
    skim = outline.skim
    definitions = outline.definitions(scope)
    for each, label in zip(definitions, labels(skim, definitions), strict=True):
        statement = each.statement
        selector = f"{owner}.{label}" if owner else label
        start, end = skim.starts[statement.first], skim.ends[statement.stop - 1]
        yield Listed(path, selector, each.name, owner, each.kind, start, end)
        if each.kind != "attribute" and depth < _DEEPEST:
            yield from _python(path, outline, outline.inside(statement), selector, depth + 1)


def _braces(path: str, text: str, faults: list[str]) -> Iterator[Listed]:
    """C's definitions; of an announcement and its definition the one with the body."""
    from snippetlock.select.braces import every  # here as below: most files are Python
    from snippetlock.select.declarations import TYPES

    try:
        found = list(every(text, path))
    except SnippetlockError as error:
        faults.append(error.headline)
        return
    names = {name for one, name, _ in found if one.body}
    for one, name, whole in found:
        if one.body or name not in names:
            owner = one.scope if one.scope in names else ""
            kind: PartKind = "class" if one.kind in TYPES else "function" if one.kind == "function" else "key"
            yield Listed(path, name, one.names[0], owner, kind, whole.start, whole.end)


def _sections(path: str, text: str) -> Iterator[Listed]:
    from snippetlock.select.markdown import sections

    found = list(sections(text))
    times = Counter(title for title, _, _ in found)
    for title, anchor, whole in found:
        selector = title if times[title] == 1 and _TITLE.fullmatch(title) else f"#{anchor}"
        yield Listed(path, selector, title, "", "key", whole.start, whole.end, line_end(text, whole.start))


def _parts(found: Found, part: Part, owner: str, depth: int) -> Iterator[Listed]:
    for member in part.members:
        selector = member.selector
        if owner and not selector.startswith(f"{owner}."):
            selector = f"{owner}.{selector}"
        start, end = member.whole.start, member.whole.end
        yield Listed(found.path, selector, member.name, owner, member.kind, start, end, _behind(found, member))
        if depth < _DEEPEST:
            yield from _parts(found, member, selector, depth + 1)


def _behind(found: Found, part: Part) -> int:
    """Where the words of a key of TOML begin: behind a header, for it says the keys around too, and behind a name."""
    if found.language != "toml" or part.name not in found.text[part.whole.start : part.whole.end]:
        return -1
    return found.text.index(part.name, part.whole.start) + len(part.name)
