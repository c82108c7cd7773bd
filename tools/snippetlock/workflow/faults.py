"""The findings about a built site that a page and a source view share. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.model import Finding, Place
from snippetlock.references.published import Pre, Shown
from snippetlock.text import split_lines
from snippetlock.workflow.pages import Page

_WIDEST = 160  # characters of a line that are shown as evidence


def first_difference(wanted: str, shown: str) -> tuple[str, ...]:
    """The first line that differs, both ways, with what cannot be seen made visible."""
    old, new = split_lines(wanted), split_lines(shown)
    index = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    sides = [("wanted", old), ("published", new)]
    said = [
        f"{name} {_visible(lines[index])}" if index < len(lines) else f"{name} nothing more" for name, lines in sides
    ]
    return (f"line {index + 1}:", *said)


def unknown(file: str, pre: Pre, page: Page | None = None) -> Finding:
    """A block of a published file that nobody accounts for; `page` is what became that file, if any did."""
    first = next((line for line in split_lines(pre.text) if line.strip()), "")
    asked = f"{page.path} asks for no such block" if page else "no page of the docs becomes this file"
    return Finding(
        rule="SL123",
        place=Place(path=file, line=pre.line),
        message="a published block that nobody accounts for",
        evidence=(asked, f"it begins {_visible(first)}"),
        mend="quote it, or say why it has no source; a theme or plugin that prints code does it outside <pre>",
    )


def uncertain(file: str, shown: Shown) -> Iterator[Finding]:
    """A finding for each thing that may make readers see other code than was read."""
    for doubt in shown.doubts:
        yield Finding(
            rule="SL123",
            place=Place(path=file, line=doubt.line),
            message=f"this page cannot be read for certain: {doubt.what}",
            evidence=("browsers may show code here that was not seen",),
            mend="leave it out, or write it so that every browser takes it alike",
        )


def link(file: str) -> Finding:
    """A link in the folder of a site."""
    return Finding(
        rule="SL123",
        place=Place(path=file),
        message="a link within the site: what it leads to may change, and a folder behind it is not read",
        mend="put the files themselves there, or build the site again",
    )


def _visible(line: str) -> str:
    text = repr(line)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"
