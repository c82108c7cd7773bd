"""What the front matter of a page says about its twin: why it has none, what it was made from, which links are pairs.

All other keys are somebody else's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from snippetlock.config.document import MAPPING, NOTHING, TEXT, Node, parse_document
from snippetlock.errors import ConfigError
from snippetlock.records import dataclass, field
from snippetlock.references import Problem
from snippetlock.text import split_lines

__all__ = ["LINKS", "NONE", "TRANSLATED", "Front", "Said", "read_front"]

NONE, TRANSLATED, LINKS = "untranslated", "translated", "translated-links"

_KEY = re.compile(r"[\w-]+[ \t]*:(?:[ \t]|$)")
_REASON = f"write `{NONE}: why there is no other`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A value of the front matter and the line (1-based) that it stands on."""

    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """`untranslated` is the reason for having no twin; `translated` the digest of each section, by its anchor.

    `links` are pairs: what the first page links to, and what this one has in its place.
    """

    untranslated: Said | None = None
    translated: Mapping[str, Said] = field(default_factory=dict)
    links: Mapping[str, Said] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def read_front(text: str, lines: int) -> Front:
    """Read what stands in the first `lines` lines of a page, its marks included; 0 for a page without front matter."""
    rows = split_lines(text)
    if not lines:
        opened = len(rows) > 1 and rows[0].rstrip() == "---" and _KEY.match(rows[1]) is not None
        mend = "close it with --- on a line of its own"
        return Front(problems=(Problem(1, 1, "the front matter opened here is never closed", mend),) if opened else ())
    try:
        node = parse_document("".join(rows[1 : lines - 1]), "")
    except ConfigError as error:
        what = f"front matter that cannot be read, so builders print it as text: {error.what}"
        return Front(problems=(Problem((error.line or 1) + 1, error.column or 1, what, error.mend),))
    if node.kind == NOTHING:
        return Front()
    if node.kind != MAPPING:
        return Front(problems=(_problem(node, f"front matter is {node.found}", "write keys with values, or none"),))
    return _front(node)


def _front(node: Node) -> Front:
    found: dict[str, Node] = {}
    problems: list[Problem] = []
    for key, value in node.value:
        if key.value in (NONE, TRANSLATED, LINKS) and key.value in found:
            problems.append(_problem(key, f"{key.value!r} is said twice", "keep one of them"))
        found.setdefault(key.value, value)
    reason = None
    if NONE in found:
        value = found[NONE]
        if value.kind == TEXT and value.value.strip():
            reason = Said(text=value.value, line=value.line + 1)
        else:
            problems.append(_problem(value, f"{NONE!r} gives no reason", _REASON))
    translated = _texts(found.get(TRANSLATED), TRANSLATED, "its digest", problems)
    links = _texts(found.get(LINKS), LINKS, "what this page has in its place", problems)
    return Front(untranslated=reason, translated=translated, links=links, problems=tuple(problems))


def _texts(node: Node | None, key: str, each: str, problems: list[Problem]) -> dict[str, Said]:
    """The pairs of a mapping from text to text."""
    if node is None or node.kind == NOTHING:
        return {}
    if node.kind != MAPPING:
        problems.append(_problem(node, f"{key!r} is {node.found}, not a mapping", f"write pairs, each with {each}"))
        return {}
    found: dict[str, Said] = {}
    for name, value in node.value:
        if name.value in found:
            problems.append(_problem(name, f"{key!r} says {name.value!r} twice", "keep one of them"))
        elif value.kind in (MAPPING, "a list", NOTHING):
            problems.append(_problem(value, f"{key!r} says {value.found} of {name.value!r}", f"write {each}"))
        else:
            found[name.value] = Said(text=value.value, line=name.line + 1)
    return found


def _problem(node: Node, what: str, mend: str) -> Problem:
    return Problem(node.line + 1, node.column, what, mend)
