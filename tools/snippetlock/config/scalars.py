"""Where the parts of a YAML text stand, to the character, and how a new value is written in place of an old one.

`document` says what a text means, for messages; this is for who changes it. Works on texts that `parse_document` took.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from snippetlock.config.document import TEXT, parse_document
from snippetlock.errors import ConfigError
from snippetlock.model import Written
from snippetlock.text import NEWLINE

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PLAIN, _SINGLE, _DOUBLE = "", "'", '"'


class Part(NamedTuple):
    """A value of a text: its characters from `start` up to, not including, `end`.

    `style` is that of a scalar (a quote, `|`, `>`, or empty), `pairs` are those of a mapping, None for what is none;
    `flow` says that a mapping is written in braces.
    """

    start: int
    end: int
    style: str
    pairs: tuple[tuple[str, Part, Part], ...] | None = None  # key, its own part, its value
    flow: bool = False

    def find(self, key: str) -> tuple[Part, Part] | None:
        """The last key of that name and its value; None where the mapping has none."""
        return next(((at, value) for name, at, value in reversed(self.pairs or ()) if name == key), None)


def parts(text: str) -> Part:
    """The one value of a text, mappings taken apart."""
    import yaml  # slow to import: not where nothing is changed

    return _part(yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), text)


def _part(node: Any, text: str) -> Part:
    kind = type(node).__name__
    start, end = node.start_mark.index, node.end_mark.index
    if kind == "ScalarNode":
        if node.style in ("|", ">"):  # such a one goes on to the next line that is not blank
            end = start + len(text[start:end].rstrip())
        return Part(start, end, node.style or _PLAIN)
    if kind == "MappingNode":
        pairs = tuple((key.value, _part(key, text), _part(value, text)) for key, value in node.value)
        # A block goes on to whatever comes after it, comments included; what is its own ends with its last value.
        last = end if node.flow_style or not pairs else max(part.end for _, *both in pairs for part in both)
        return Part(start, last, _PLAIN, pairs, bool(node.flow_style))
    items = [_part(item, text) for item in node.value]
    return Part(start, end if node.flow_style or not items else items[-1].end, _PLAIN)


def written(value: str, style: str = _PLAIN) -> str:
    """A one-line scalar that means `value` wherever it stands: in the style that was there, where that can say it."""
    for form in (style, _DOUBLE):
        text = _form(value, form)
        if text is not None and _means(f"k: {text}", value) and _means(f"{{k: {text}, l: m}}", value):
            return text
    raise ConfigError(f"YAML cannot say {value!r} in one line", mend="write it by hand")


def _form(value: str, style: str) -> str | None:
    if style == _DOUBLE:
        return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if "\n" in value or "\r" in value:
        return None
    return f"'{value.replace(_SINGLE, _SINGLE * 2)}'" if style == _SINGLE else value


def _means(text: str, value: str) -> bool:
    try:
        node = parse_document(text, "")
    except ConfigError:
        return False
    return isinstance(node.value, tuple) and node.value[0][1][:2] == (TEXT, value)


def replaced(text: str, part: Part, value: str) -> Iterator[str]:
    """The text with a scalar changed, in the ways that can be tried, the one nearest to what was there first."""
    raw = text[part.start : part.end]
    head = re.match(r"[^\r\n]*(?:\r\n|\r|\n)\s*", raw) if part.style in ("|", ">") else None
    if head:
        yield f"{text[: part.start]}{head[0]}{value}{text[part.end :]}"
    style = part.style if part.style in (_SINGLE, _DOUBLE) else _PLAIN
    yield f"{text[: part.start]}{written(value, style)}{text[part.end :]}"


def written_at(text: str, part: Part) -> Written:
    """How a scalar is written."""
    return Written(text=text[part.start : part.end], mixed=len(set(NEWLINE.findall(text))) > 1)


def rewritten(text: str, part: Part, was: Written) -> str:
    """The text with a scalar as it was written once, in the line ends that the text has now."""
    return f"{text[: part.start]}{with_ends(was.text, text, mixed=was.mixed)}{text[part.end :]}"


def with_ends(fragment: str, text: str, *, mixed: bool) -> str:
    """A fragment of a text with the line ends that the text has now: version control may have changed all of them.

    Where the text was `mixed`, with several kinds of them, nothing is made of any.
    """
    now, then = set(NEWLINE.findall(text)), set(NEWLINE.findall(fragment))
    if mixed or len(now) != 1 or len(then) != 1 or now == then:
        return fragment
    return NEWLINE.sub(lambda _: next(iter(now)), fragment)
