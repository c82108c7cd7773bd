"""Tell from one row of a page what it starts, by the syntax of Python-Markdown and its usual extensions. Pure.

Written out by hand rather than as regular expressions, so that no row can make one of them backtrack.
"""

from __future__ import annotations

from snippetlock.references.lines import TAB


def admonition(text: str) -> bool:
    """`!!! note`."""
    return text.startswith("!!!") and words(text[3:])


def words(rest: str) -> bool:
    """`note`, `note inline end`, `note "Title"`: what may follow `!!!` and `???`."""
    head, quote, title = rest.strip(" ").partition('"')
    named = bool(head.strip()) and all(c.isalnum() or c in "_- " for c in head)
    return named and (not quote or (title.rstrip(" ").endswith('"') and head.endswith(" ")))


def details(text: str) -> bool:
    """`??? note`, and `???+ note` for one that is open."""
    if not text.startswith("???"):
        return False
    rest = text[3:].removeprefix("+").strip(" ")
    return words(rest) or (len(rest) > 1 and rest[0] == rest[-1] == '"')


def tab(text: str) -> bool:
    """`=== "Title"`, with the marks of a tab that begins anew or is shown first."""
    if not text.startswith("==="):
        return False
    rest = text[3:]
    for mark in ("+!", "!+", "+", "!"):
        if rest.startswith(mark):
            rest = rest[len(mark) :]
            break
    body = rest.strip(" ")
    return rest.startswith(" ") and len(body) > 1 and body[0] == body[-1] == '"'


def lead(text: str) -> int:
    """How many blanks a row begins with."""
    return len(text) - len(text.lstrip(" "))


def slash(text: str) -> int:
    """The length of the run of slashes that opens a generic block, or 0."""
    body = text.lstrip(" ")
    run = len(body) - len(body.lstrip("/"))
    name = body[run:].partition("|")[0].strip(" ")
    fits = run >= 3 and lead(text) < TAB and name[:1].isalpha() and all(c.isalnum() or c in "_-" for c in name)
    return run if fits else 0


def slash_end(text: str) -> int:
    """The length of the run of slashes that closes a generic block, or 0."""
    body = text.strip(" ")
    return len(body) if len(body) >= 3 and not body.strip("/") and lead(text) < TAB else 0


def heading(text: str) -> bool:
    """`# A heading`; the blank may be missing."""
    return text.startswith("#")


def rule_line(text: str) -> bool:
    """Three or more dashes, stars or underscores, and blanks: a line across the page."""
    body = text.strip(" ")
    return (
        lead(text) < TAB
        and body[:1] in ("-", "_", "*")
        and body.count(body[0]) >= 3
        and not body.strip(body[0] + " ")
        and "   " not in body
    )


def definition(text: str) -> bool:
    """`: what a term means`."""
    return lead(text) < TAB and text.lstrip(" ").startswith(": ")


def quote(text: str) -> bool:
    """`> A quotation`."""
    return lead(text) < TAB and text.lstrip(" ").startswith(">")


def footnote(text: str) -> str:
    """The label of the footnote that a row defines, `[^label]: …`; empty for none."""
    body = text.lstrip(" ")
    label, mark, _ = body[2:].partition("]:")
    return label if body.startswith("[^") and mark and "]" not in label and lead(text) < TAB else ""


def reference(text: str) -> bool:
    """Where a name leads: `[name]: address`, and a title that ends the row."""
    label, mark, rest = text.lstrip(" ")[1:].partition("]:")
    if lead(text) >= TAB or not text.lstrip(" ").startswith("[") or not mark or set(label) & set("[]"):
        return False
    title = rest.strip(" ").partition(" ")[2].strip(" ")
    ends = title[:1] + title[-1:] in ("''", '""', "()") and len(title) > 1
    return bool(rest.strip(" ")) and (not title or ends)


def item(text: str) -> int:
    """Where the content of a list item starts, or 0 for a row that is none."""
    at = lead(text)
    if at >= TAB or at == len(text):
        return 0
    end = at
    if text[at] in "*+-":
        end = at + 1
    else:
        while end < len(text) and text[end].isdigit():
            end += 1
        if end == at or text[end : end + 1] != ".":
            return 0
        end += 1
    body = len(text) - len(text[end:].lstrip(" "))
    return body if body > end else 0
