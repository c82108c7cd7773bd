"""The class of a change between two cuts of one snippet, by their digests alone. Parses nothing."""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.model import CLASSES, ChangeClass, Digests, Snippet

__all__ = ["classify", "of_digests", "worst"]


def classify(old: Snippet, new: Snippet) -> ChangeClass:
    """What changed in what is shown; `moved` where that is nothing but its file."""
    cls = of_digests(old.digests, new.digests)
    return "moved" if cls == "same" and old.span.path != new.span.path else cls


def of_digests(old: Digests, new: Digests) -> ChangeClass:
    """What changed in a text, by the first digest that holds."""
    if old.text == new.text:
        return "same"
    if old.tokens == new.tokens:
        return "layout"
    if old.code == new.code:
        return "comment"
    return "body" if old.signature == new.signature else "signature"


def worst(classes: Iterable[ChangeClass]) -> ChangeClass:
    """The worst of some classes; `same` for none."""
    return min(classes, key=CLASSES.index, default="same")
