"""What a star import of a module brings: its `__all__` where that can be read, else its public names."""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.select.files import Module
from snippetlock.select.statements import small_statements
from snippetlock.tokens import Token

__all__ = ["exported"]

# Words of an `__all__` statement that add no names of their own.
_PLAIN = frozenset(("__all__", "extend", "append", "list", "tuple", "str", "List", "Tuple", "Sequence", "Final"))


def exported(module: Module, name: str) -> bool:
    """Whether `from module import *` may bring `name`, should the module have it.

    An `__all__` that is computed counts as one that may name anything.
    """
    skim = module.outline.skim
    named: set[str] = set()
    certain, seen = True, False
    for statement in module.outline.statements(module.outline.module):
        end = skim.ends[statement.line]
        if statement.kind != "simple" or skim.text.find("__all__", statement.start, end) < 0:
            continue
        for tokens in small_statements(skim.text, statement.start, end):
            words = [skim.text[token.start : token.end] for token in tokens]
            if words[0] != "__all__":
                continue
            seen = True
            named.update(word.strip("rRuU").strip("'\"") for word in _strings(tokens, words))
            others = (w for t, w in zip(tokens, words, strict=True) if t.kind == "name" and w not in _PLAIN)
            certain = certain and next(others, None) is None
    if not seen:
        return not name.startswith("_")
    return name in named or not certain


def _strings(tokens: Sequence[Token], words: Sequence[str]) -> list[str]:
    return [word for token, word in zip(tokens, words, strict=True) if token.kind == "string"]
