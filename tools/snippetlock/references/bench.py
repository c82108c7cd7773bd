"""What is at hand to judge the mentions of one page by: the index, the page's own names, its sections. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from snippetlock.config.vocabulary import Word
from snippetlock.index import Definition, Index, follow, lookup
from snippetlock.records import dataclass
from snippetlock.references.own import Own
from snippetlock.references.speech import Said
from snippetlock.references.wording import NAME, humped

__all__ = ["Bench", "bench_of", "packages_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`classes` are those that each section's heading, snippets and code spans name, by the section's line.

    `path` is the page's, `own` the names of its examples, `words` the vocabulary. `root` is the folder of the packages
    in the library's repository, `address` that repository's. `brief`: nobody asks why what is right is right.
    """

    index: Index
    path: str
    own: Own
    words: Mapping[str, Word]
    packages: frozenset[str]
    classes: Mapping[int, tuple[Definition, ...]]
    root: str = ""
    address: str = ""
    brief: bool = False

    @property
    def shown(self) -> tuple[Definition, ...]:
        """The classes of all sections."""
        found = {each.number: each for classes in self.classes.values() for each in classes}
        return tuple(found.values())


def packages_of(index: Index) -> frozenset[str]:
    """The top-level names that the library is imported by."""
    if "prose: packages" not in index.memo:
        index.memo["prose: packages"] = frozenset(name for name in index.modules if "." not in name)
    found: frozenset[str] = index.memo["prose: packages"]
    return found


def bench_of(
    index: Index,
    *,
    path: str,
    spans: Iterable[Said],
    selectors: Mapping[int, Collection[str]],
    own: Own,
    words: Mapping[str, Word],
    root: str = "",
    address: str = "",
) -> Bench:
    """What a page brings. `selectors` are those of the snippets that each section shows."""
    named: dict[int, dict[str, None]] = {}
    for section, shown in selectors.items():
        named.setdefault(section, {}).update(dict.fromkeys(shown))
    begun: dict[str, str] = index.memo.setdefault("prose: begun", {})
    for said in spans:
        name = begun.get(said.text)
        if name is None:
            name = begun[said.text] = _begun(said.text)
        if name:
            named.setdefault(said.section, {})[name] = None
    classes = {section: tuple(_classes(index, names)) for section, names in named.items()}
    return Bench(
        index=index,
        path=path,
        own=own,
        words=words,
        packages=packages_of(index),
        classes=classes,
        root=root,
        address=address,
    )


def _begun(text: str) -> str:
    """The name of a class that a piece of code may begin with; empty for none."""
    match = NAME.match(text)
    name = match[0].partition(".")[0] if match else ""
    return name if name and (humped(name) or (name[0].isupper() and name[1:].islower())) else ""


def _classes(index: Index, names: Iterable[str]) -> Iterable[Definition]:
    """The classes that names mean, or are members of."""
    kept: dict[str, tuple[Definition, ...]] = index.memo.setdefault("prose: classes", {})
    found: dict[tuple[int, int], Definition] = {}
    for name in names:
        if name not in kept:
            kept[name] = _class(index, name)
        found.update((each.number, each) for each in kept[name])
    return found.values()


def _class(index: Index, name: str) -> tuple[Definition, ...]:
    parts = name.replace(":", ".").split(".")
    for end in range(len(parts), 0, -1):
        meant = [follow(index, each) for each in lookup(index, ".".join(parts[:end]))]
        classes = tuple(each for each in meant if each.kind == "class" and not each.local)
        if classes:
            return classes
    return ()
