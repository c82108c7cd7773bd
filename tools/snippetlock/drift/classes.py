"""The class of a change between two cuts of one snippet, by their digests alone. Parses nothing."""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.changes import CLASSES, ChangeClass
from snippetlock.model import Digests, Snippet, View
from snippetlock.records import replace
from snippetlock.text import is_blank, late, margin, sha256, split_lines

__all__ = ["classify", "is_data", "is_narrow", "of_digests", "seen", "worst"]

_MARK = late(r"[ \t]*(?:#|//) …(?=[\r\n]*\Z)")  # of a comment left out behind code
_STUB = late(r"(?:(?<=:)|^)[ \t]*\.\.\.[ \t]*(?:#[^\r\n]*)?(?=[\r\n]*\Z)")  # a body that says it is left out

_DATA = (".json", ".toml", ".yaml", ".yml")


def is_data(path: str) -> bool:
    """Whether a file says what a key is, and has no callers: then a key that comes or goes is content."""
    return path.endswith(_DATA)


def classify(old: Snippet, new: Snippet) -> ChangeClass:
    """What changed in what is shown; `moved` where that is nothing but its file."""
    cls = of_digests(seen(old), seen(new), new.span.path)
    return "moved" if cls == "same" and old.span.path != new.span.path else cls


def seen(snippet: Snippet) -> Digests:
    """The digests to compare a snippet by: of a view that leaves lines out, the marks for these are no difference.

    A mark comes and goes with what nobody asked to see, and takes blank lines beside it along.
    """
    view, digests = snippet.view, snippet.digests
    whole = view.show == "source" and not view.imports and not is_narrow(view)
    if whole and view.comments == "keep" and view.docstrings in (None, "keep"):
        return digests
    # Blank lines of a string are in the tokens.
    return replace(digests, text=sha256("".join(_quoted(snippet)) + digests.tokens))


def is_narrow(view: View) -> bool:
    """Whether a view shows only statements that its patterns name."""
    return bool(view.from_ or view.to or view.match)


def _quoted(snippet: Snippet) -> list[str]:
    """The lines without marks, and without the blank lines that a mark would take along, between members all."""
    lines = list(zip(split_lines(snippet.text), snippet.numbers, strict=True))
    depths = {len(margin(line)) for line, number in lines if number is not None and not is_blank(line)} - {0}
    members = min(depths, default=0) if snippet.view.show == "skeleton" else -1
    found: list[str] = []
    after = False  # a mark with no blank line before it
    brief = snippet.view.show in ("signature", "skeleton")
    for line, number in lines:
        bare = _STUB.sub("", line) if brief else line
        if number is None or (is_blank(bare) and not is_blank(line)):
            after = not _strip(found)
        elif not is_blank(line):
            if len(margin(line)) <= members:
                _strip(found)
            found.append(_MARK.sub("", bare))
            after = False
        elif not after:
            found.append(line)
    _strip(found)
    return found


def _strip(lines: list[str]) -> bool:
    """Take the blank lines at the end; whether there are any."""
    before = len(lines)
    while lines and is_blank(lines[-1]):
        del lines[-1]
    return len(lines) < before


def of_digests(old: Digests, new: Digests, path: str) -> ChangeClass:
    """What changed in a text of the file at `path`, by the first digest that holds."""
    if old.text == new.text:
        return "same"
    if old.tokens == new.tokens:
        return "layout"
    if old.code == new.code:
        return "comment"
    return "body" if old.signature == new.signature or is_data(path) else "signature"


def worst(classes: Iterable[ChangeClass]) -> ChangeClass:
    """The worst of some classes; `same` for none."""
    return min(classes, key=CLASSES.index, default="same")
