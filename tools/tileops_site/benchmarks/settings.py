"""Read `tileops_ref/benchmarks.yaml`: where nights come from, what implementations are, and which words tell a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from snippetlock.config.document import Node, read_document
from snippetlock.config.schema import choice, fields, mapping, text, texts
from snippetlock.errors import nearest
from tileops_site.benchmarks.families import BY_SLUG, Family

FILE = "tileops_ref/benchmarks.yaml"
Kind = Literal["library", "eager", "ours", "unclassified"]

_OWN = re.compile(r"tileops(?:[-_].*)?", re.DOTALL)
_WORDS = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """Something that is timed beside TileOPs. `package` is where its version stands; empty where nobody said."""

    name: str
    kind: Kind
    package: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the project says about benchmarks. `keywords` are words of a name and their page, in their order.

    `aside` are metrics that are known, and that no page shows.
    """

    repository: str = ""
    branch: str = ""
    implementations: Mapping[str, Implementation] = field(default_factory=dict)
    keywords: tuple[tuple[tuple[str, ...], Family], ...] = ()
    aside: tuple[str, ...] = ()

    def known(self, name: str) -> Implementation:
        """What an implementation is. Every `tileops` and `tileops-…` is the library's own."""
        if _OWN.fullmatch(name):
            return Implementation(name=name, kind="ours", package="tileops")
        return self.implementations.get(name) or Implementation(name=name, kind="unclassified")


def words(name: str) -> tuple[str, ...]:
    """The words of a name in any spelling, lower case: `silu_and_mul`, `GEMMFP8FwdOp`, `TopkSelector`."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether words stand in others, one after another."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def load_settings(root: Path) -> Settings:
    """The settings of a project. Raises `ConfigError` at the line that is wrong."""
    node = read_document(root / FILE, FILE)
    known = ("aside", "branch", "implementations", "keywords", "repository")
    found = {key: value for key, (_, value) in fields(node, known, "the file", required=known).items()}
    return Settings(
        repository=text(found["repository"], "repository"),
        branch=text(found["branch"], "branch"),
        implementations=_implementations(found["implementations"]),
        keywords=_keywords(found["keywords"]),
        aside=tuple(item.value for item in texts(found["aside"], "aside")),
    )


def _implementations(node: Node) -> dict[str, Implementation]:
    names = [key.value for key, _ in mapping(node, "implementations")]
    found = {}
    for name, (key, value) in fields(node, names, "implementations").items():
        if _OWN.fullmatch(name):
            raise key.error(f"{name!r} is TileOPs itself", "leave it out: it is what the others are compared with")
        parts = fields(value, ("kind", "package"), f"the implementation {name!r}", required=("kind",))
        kind: Kind = choice(parts["kind"][1], ("eager", "library"), "kind")
        package = text(parts["package"][1], "package") if "package" in parts else ""
        found[name] = Implementation(name=name, kind=kind, package=package)
    return found


def _keywords(node: Node) -> tuple[tuple[tuple[str, ...], Family], ...]:
    """Most specific first: a keyword that another one before it always answers for would never be asked."""
    names = [key.value for key, _ in mapping(node, "keywords")]
    found: list[tuple[tuple[str, ...], Family]] = []
    for name, (key, value) in fields(node, names, "keywords").items():
        asked = words(name)
        if "_".join(asked) != name:
            raise key.error(f"the keyword {name!r} is not in lower case with `_` between words", "write it so")
        for before, _ in found:
            if within(before, asked):
                hidden = "_".join(before)
                raise key.error(f"{hidden!r} before it answers for {name!r}", f"write {name!r} before {hidden!r}")
        slug = text(value, f"the page of {name!r}")
        if slug not in BY_SLUG:
            near = nearest(slug, BY_SLUG) or tuple(BY_SLUG)
            raise value.error(f"there is no page {slug!r}", f"write one of: {', '.join(near)}")
        found.append((asked, BY_SLUG[slug]))
    return tuple(found)
