"""What a heading says, the anchor it states, and the one that it gets where it states none. Pure.

As Python-Markdown does it with `attr_list` and `toc` in their usual settings. A site that makes its anchors in
another way has other ones where none is stated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import unescape

from snippetlock.records import dataclass
from snippetlock.references.lines import masked, spans
from snippetlock.references.linked import Found, find_links
from snippetlock.references.parts import Title

__all__ = ["Heading", "attributes", "headings", "plain", "stated"]

_LIST = re.compile(r"[ ]+\{:?[ ]*([^}\n ][^\n]*)\}[ ]*$")
_ITEM = re.compile(r"""[^ =}#.]+=(?:"[^"]*"|'[^']*'|[^ }=]+)|[#.][^ }=]+|[^ =}]+""")
_BESIDE = re.compile(r"\{:?[ ]*[^}\n ][^}\n]*\}")  # the attributes of what stands before it
_HIDDEN = re.compile(r"<!--(?:[^-]|-(?!->))*-->|\[\^[^\]]+\]")
_TAG = re.compile(r"</?[a-zA-Z](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()>#+.!-])")
_EMPHASIS = (
    re.compile(r"(?<!\w)(_{1,3})(?![\s_])(.+?)(?<![\s_])\1(?![\w_])"),
    re.compile(r"(\*{1,3})(?![\s*])(.+?)(?<![\s*])\1(?!\*)"),
)
_LONGEST = 1000  # characters of a heading in which emphasis is looked for
_COUNTED = re.compile(r"(.*)_([0-9]+)", re.S)
_KEPT = "\ue000"  # stands for what no further rule changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of a page. `line` is 1-based, `stated` the anchor that it states, empty for none.

    `anchor` is the one that it has, stated or made from its words.
    """

    line: int
    level: int
    title: str
    stated: str
    anchor: str


def headings(titles: Sequence[Title], defined: Mapping[str, str], taken: Iterable[str] = ()) -> tuple[Heading, ...]:
    """The headings in the order of their lines. `taken` are anchors that other elements state.

    `titles` come in the order in which they are rendered: footnotes last.
    """
    parsed = [(title, *attributes(title.text)) for title in titles]
    used = {*taken, *(stated for _, _, stated in parsed if stated)}
    counts: dict[str, int] = {}
    found = []
    for title, text, own in parsed:
        said = plain(text, defined)
        anchor = own or _unique(_slug(said), used, counts)
        found.append(Heading(line=title.line + 1, level=title.level, title=said, stated=own, anchor=anchor))
    return tuple(sorted(found, key=lambda one: one.line))


def attributes(text: str) -> tuple[str, str]:
    """A heading's text without its attribute list, and the anchor which that states."""
    match = _LIST.search(masked(text))
    if match is None:
        return text.strip(), ""
    body = text[: match.start()].rstrip().rstrip("#").rstrip()
    return body, stated(text[match.start(1) : match.end(1)])


def stated(body: str) -> str:
    """The anchor in the body of an attribute list: the last `#name` or `id=name`."""
    found = ""
    for item in _ITEM.findall(body.partition("}")[0]):
        key, mark, value = item.partition("=")
        if item.startswith("#"):
            found = item[1:]
        elif mark and key == "id":
            found = value.strip("\"'")
    return found


def plain(text: str, defined: Mapping[str, str]) -> str:
    """The words of a heading as the table of contents shows them: no marks, no tags, no images."""
    kept: list[str] = []
    said = _without_marks(text, defined, kept)
    for pattern in _EMPHASIS if len(said) < _LONGEST else ():
        for _ in range(3):
            said, times = pattern.subn(r"\2", said)
            if not times:
                break
    words = iter(kept)
    said = unescape(_TAG.sub("", said))
    return " ".join("".join(next(words, "") if char == _KEPT else char for char in said).split())


def _without_marks(text: str, defined: Mapping[str, str], kept: list[str]) -> str:
    """The text with what must stay as it is set aside into `kept`, in order."""
    text = _HIDDEN.sub("", text).replace(_KEPT, "")
    parts, at = [], 0
    for start, end, said in _pieces(text, defined):
        if start < at:
            continue
        parts += [text[at:start], _KEPT]
        kept.append(said)
        beside = _BESIDE.match(text, end)
        at = beside.end() if beside else end
    return "".join([*parts, text[at:]])


def _pieces(text: str, defined: Mapping[str, str]) -> list[tuple[int, int, str]]:
    """Code spans, links and escapes: where each stands, and the words that it shows."""
    found: list[tuple[int, int, str]] = []
    for start, end in spans(text):
        run = len(text[start:end]) - len(text[start:end].lstrip("`"))
        found.append((start, end, text[start + run : end - run].strip()))
    bare = masked(text)
    for link in find_links(text, bare, defined):
        if not text.startswith("<", link.start):
            found.append((link.start, link.end, _shown(link, text, defined)))
        elif "://" in link.target or link.target.startswith("mailto:"):
            inner = text[link.start + 1 : link.end - 1]
            found.append((link.start, link.end, "" if inner[:2].lower() in ("a ", "im") else inner))
    found += [(match.start(), match.end(), match[1]) for match in _ESCAPED.finditer(bare)]
    return sorted(found, key=lambda one: (one[0], -one[1]))


def _shown(link: Found, text: str, defined: Mapping[str, str]) -> str:
    return "" if link.image else plain(text[link.first : link.last], defined)


def _slug(text: str) -> str:
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_).strip().lower())


def _unique(anchor: str, used: set[str], counts: dict[str, int]) -> str:
    """The anchor, with a number where it is taken, or empty."""
    if anchor in used or not anchor:
        match = _COUNTED.fullmatch(anchor)
        base, count = (match[1], int(match[2])) if match else (anchor, counts.get(anchor, 0))
        while f"{base}_{(count := count + 1)}" in used:
            pass
        if not match:
            counts[anchor] = count
        anchor = f"{base}_{count}"
    used.add(anchor)
    return anchor
