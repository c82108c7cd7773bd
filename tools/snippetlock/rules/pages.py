"""The rules of pages as such: what keeps one from being read, or deceives who reads it (SL5xx)."""

from __future__ import annotations

from snippetlock.rules.form import Rule, rule

PAGES: tuple[Rule, ...] = (
    rule(
        "SL501",
        "page-unreadable",
        "A page is not UTF-8",
        "The bytes of a page, or of a drawing that it shows, are no UTF-8 text, so nothing on it was checked.",
        "Save the page as UTF-8.",
    ),
    rule(
        "SL502",
        "page-outside",
        "A page lies outside the docs",
        "A link under the docs folder leads out of it; what it leads to is not under review here.",
        "Replace the link by the page itself.",
    ),
    rule(
        "SL503",
        "hidden-character",
        "A page has a character that hides something",
        "The character turns the order in which a line is shown, or nobody sees it in code: what readers copy is not "
        "what they read.",
        "Delete it; the message says where it stands.",
    ),
    rule(
        "SL504",
        "disguised-name",
        "A name only looks like the library's",
        "Letters of another alphabet stand in a name, which is then another name to Python.",
        "Type it anew.",
    ),
)
