"""The names that a page's own examples define: prose may speak of them, and the library has none of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from snippetlock.records import dataclass
from snippetlock.references.blocks import Block

__all__ = ["Own", "own_names"]

_WORD = re.compile(r"[^\W\d]\w*+")
_PROMPT = re.compile(r"^(?:>>>|\.\.\.|In \[\d+\]:) ?", re.M)
_PYTHON = ("python", "py", "python3", "pycon", "pyi", "ipython", "")
_HEAD = re.compile(r"\b(?:async )?def ([^\W\d]\w*+)(?:\[[^\]\n]*+\])?[ \t]*\(([^)]*+)\)?")
_PARAMETER = re.compile(r"(?:^|,)\s*+\*{0,2}+([^\W\d]\w*+)")
_DEFINED = re.compile(r"\b(?:class|as|for|import|global|type)[ \t]++([^\W\d]\w*+)")
_SET = re.compile(r"(?<![\w.])([^\W\d]\w*+)[ \t]*+(?::[^=\n()]*+)?=(?!=)")
_TARGETS = re.compile(r"[\w \t,.*()\[\]]*+")
_MEMBER = re.compile(r"\b(?:self|cls)\.([^\W\d]\w*+)[ \t]*+(?::[^=\n()]*+)?=(?!=)")
_FROM = re.compile(r"\bfrom[ \t]++([\w.]++)[ \t]++import[ \t]++(\([^)]*+\)?|[^\n#]++)")
_QUOTED = re.compile(r"""["']([^\W\d][\w-]*+)["']""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """`defined` are the names that examples in Python define, `spoken` the words of all others."""

    defined: frozenset[str] = frozenset()
    spoken: frozenset[str] = frozenset()


def own_names(blocks: Iterable[Block], packages: Collection[str], programs: Iterable[str] = ()) -> Own:
    """The names of blocks without a snippet; a diagram has none, for it speaks of the library.

    What an example imports from the library itself (`packages` are its top-level names) is none of its own. `programs`
    are texts in Python that the page shows a part of.
    """
    found = {name for text in programs for name in _defined(text, packages)}
    spoken: set[str] = set()
    for block in blocks:
        if block.snippet is not None or block.diagram:
            continue
        text = _PROMPT.sub("", block.text)
        language = block.language.lower()
        if language in _PYTHON and (language or re.search(r"\b(?:def|class|import)\b|=", text)):
            found |= _defined(text, packages)
        else:
            spoken.update(_WORD.findall(text))
    return Own(defined=frozenset(found), spoken=frozenset(spoken))


def _defined(text: str, packages: Collection[str]) -> set[str]:
    found: set[str] = set()
    for name, parameters in _HEAD.findall(text):
        found.add(name)
        found.update(_PARAMETER.findall(parameters))
    for module, names in _FROM.findall(text):
        words = _WORD.findall(names)
        renamed = {words[at + 1] for at, word in enumerate(words[:-1]) if word == "as"}
        found |= renamed
        if module.partition(".")[0] not in packages:
            found.update(words)
    without = _FROM.sub("", text)
    found.update(name for name in _DEFINED.findall(without) if name not in packages)
    found.update(_SET.findall(text))
    found.update(_MEMBER.findall(text))
    found.update(_QUOTED.findall(text))
    for line in text.split("\n"):
        targets, equals, _ = line.partition("=")
        if equals and "," in targets and _TARGETS.fullmatch(targets):
            found.update(_WORD.findall(targets))
    return found
