"""What the import statements of a module bind, read from their tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snippetlock.records import dataclass
from snippetlock.select.files import Module
from snippetlock.select.outline import normal
from snippetlock.select.statements import small_statements
from snippetlock.tokens import Token

__all__ = ["Import", "imports"]


@dataclass(frozen=True, slots=True)
class Import:
    """`name` is bound to attribute `attribute` of `module`, or to `module` itself where that is empty.

    A star import has the name and the attribute `*`. `offset` is where the statement stands.
    """

    name: str
    module: str
    attribute: str
    offset: int


def imports(module: Module, name: str = "") -> tuple[Import, ...]:
    """The imports at module level that bind `name`, all for an empty one, in order; star imports always."""
    skim = module.outline.skim
    found: list[Import] = []
    for statement in module.outline.statements(module.outline.module):
        end = skim.ends[statement.line]
        if statement.kind not in ("import", "simple"):
            continue
        if statement.kind == "simple" and skim.text.find("import", statement.start, end) < 0:
            continue
        written = skim.text[statement.start : end]
        if name not in written and "*" not in written and written.isascii():
            continue
        for tokens in small_statements(skim.text, statement.start, end):
            found += (i for i in _read(module, tokens) if i.name in ("*", name) or not name)
    return tuple(found)


def _read(module: Module, tokens: Sequence[Token]) -> Iterator[Import]:
    words = [normal(module.text[token.start : token.end]) for token in tokens]
    words = [word for word in words if word not in ("(", ")")]
    offset = tokens[0].start
    if words[0] == "import":
        for dotted, alias in _clauses(words[1:]):
            top = dotted.split(".")[0]
            yield Import(alias or top, dotted if alias else top, "", offset)
    elif words[0] == "from" and "import" in words:
        at = words.index("import")
        source = _absolute(module, "".join(words[1:at]))
        for attribute, alias in _clauses(words[at + 1 :]):
            yield Import(alias or attribute, source, attribute, offset)


def _clauses(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """`a.b as c, d` as (a.b, c) and (d, nothing)."""
    dotted, alias, after_as = "", "", False
    for word in (*words, ","):
        if word == ",":
            if dotted:
                yield dotted, alias
            dotted, alias, after_as = "", "", False
        elif word == "as":
            after_as = True
        elif after_as:
            alias = word
        else:
            dotted += word


def _absolute(module: Module, source: str) -> str:
    """The full name of what `from` names; a relative name that leaves the tree keeps its dots."""
    name = source.lstrip(".")
    level = len(source) - len(name)
    if not level:
        return name
    above = module.name.split(".")
    cut = len(above) - (level - module.package)
    if cut <= 0:
        return source
    return ".".join([*above[:cut], *([name] if name else [])])
