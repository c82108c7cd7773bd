"""What a page's twins have to catch up with, in words and for programs. Pure."""

from __future__ import annotations

import json

from snippetlock import __version__
from snippetlock.model import Exit, Finding
from snippetlock.records import dataclass
from snippetlock.report.text import quantity

__all__ = ["Outdated", "Translation", "format_translation_json", "format_translation_text"]

SCHEMA = 1
_COLORS = {"-": "31", "+": "32"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """A section of a twin (`page`, lines `first` to `last`) that was not made from what the original says now.

    `accepted` is the digest that it was made from, empty for none. `change` is how the original changed since, a line
    each, and None where that cannot be said: `why` tells.
    """

    page: str
    anchor: str
    title: str
    first: int
    last: int
    original: str
    original_first: int
    original_last: int
    digest: str
    accepted: str = ""
    change: tuple[str, ...] | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """All that is behind, in the order of pages. `missing` are findings for pages without a twin.

    `unlike` is how many findings there are about pages whose twins have another structure.
    """

    outdated: tuple[Outdated, ...]
    missing: tuple[Finding, ...]
    unlike: int
    pages: int

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.outdated or self.missing or self.unlike else Exit.CLEAN


def format_translation_text(found: Translation, *, color: bool = False) -> str:
    """A paragraph for each section, and a closing line."""
    parts = [_paragraph(one, color) for one in found.outdated]
    parts += [f"{one.place}\n  {one.message}\n  mend: {one.mend}\n" for one in found.missing]
    if found.outdated:
        parts.append(
            "when a section is up to date: snippetlock translate accept PAGE#ANCHOR …, or PAGE for all of it\n"
        )
    if found.unlike:
        what = "1 finding" if found.unlike == 1 else f"{found.unlike} findings"
        parts.append(f"the structure of twins differs: {what}; `snippetlock check` shows them\n")
    behind = quantity(len(found.outdated), "sections")
    parts.append(
        f"{quantity(found.pages, 'pages')}, {behind} behind, {quantity(len(found.missing), 'pages')} missing\n"
    )
    return "\n".join(parts)


def _paragraph(one: Outdated, color: bool) -> str:
    head = f"{one.page}:{one.first}-{one.last}  #{one.anchor}  {one.title}".rstrip()
    where = f"{one.original}:{one.original_first}-{one.original_last}"
    if one.change is None and not one.accepted:
        lines = [head, f"  nothing says from which state of {where} it was made"]
    elif one.change is None:
        lines = [head, f"  {where} changed since; {one.why}"]
    else:
        lines = [head, f"  {where} changed since:"]
        lines += [f"    {_colored(line) if color else line}" for line in one.change]
    return "\n".join(lines) + "\n"


def _colored(line: str) -> str:
    return f"\x1b[{_COLORS[line[0]]}m{line}\x1b[0m" if line[:1] in _COLORS else line


def format_translation_json(found: Translation) -> str:
    """One object. Ends in an end of line."""
    whole = {
        "schema": SCHEMA,
        "tool": f"snippetlock {__version__}",
        "exit": int(found.exit),
        "counts": {
            "pages": found.pages,
            "behind": len(found.outdated),
            "missing": len(found.missing),
            "unlike": found.unlike,
        },
        "sections": [
            {
                "page": one.page,
                "anchor": one.anchor,
                "title": one.title,
                "lines": [one.first, one.last],
                "original": {
                    "page": one.original,
                    "lines": [one.original_first, one.original_last],
                    "digest": one.digest,
                },
                "accepted": one.accepted or None,
                "change": None if one.change is None else list(one.change),
                "why": one.why or None,
            }
            for one in found.outdated
        ],
        "missing": [{"page": one.place.path, "message": one.message, "mend": one.mend} for one in found.missing],
        "error": None,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
