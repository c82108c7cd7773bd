"""The class of a change between two cuts of one snippet, by their digests alone. Parses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from snippetlock.drift.fitting import is_narrow
from snippetlock.model import CLASSES, ChangeClass, Digests, Snippet
from snippetlock.text import is_blank, sha256, split_lines

__all__ = ["classify", "of_digests", "seen", "worst"]

_MARK = re.compile(r"[ \t]*(?:#|//) …(?=[\r\n]*\Z)")  # of a comment left out behind code


def classify(old: Snippet, new: Snippet) -> ChangeClass:
    """What changed in what is shown; `moved` where that is nothing but its file."""
    cls = of_digests(seen(old), seen(new))
    return "moved" if cls == "same" and old.span.path != new.span.path else cls


def seen(snippet: Snippet) -> Digests:
    """The digests to compare a snippet by: of a view that leaves lines out, marks and blank lines are no difference.

    A mark comes and goes with what nobody asked to see, and takes the blank lines around it along.
    """
    view, digests = snippet.view, snippet.digests
    if view.show == "source" and view.comments == "keep" and view.docstrings in (None, "keep") and not is_narrow(view):
        return digests
    lines = zip(split_lines(snippet.text), snippet.numbers, strict=True)
    quoted = [_MARK.sub("", line) for line, number in lines if number is not None and not is_blank(line)]
    return replace(digests, text=sha256("".join(quoted) + digests.tokens))  # blank lines of a string are in the tokens


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
