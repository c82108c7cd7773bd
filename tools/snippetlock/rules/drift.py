"""The rules of what became of a snippet in another state of the library (SL2xx)."""

from __future__ import annotations

from snippetlock.rules.form import Rule, rule

DRIFT: tuple[Rule, ...] = (
    rule(
        "SL201",
        "drift-body",
        "Another state of the library has another body",
        "What a snippet shows has another body there; what a caller sees stayed.",
        "Read its pages against the new text; when the pin moves there, mend them and accept it.",
    ),
    rule(
        "SL202",
        "drift-signature",
        "Another state of the library has another signature",
        "Parameters, defaults, annotations, bases or decorators of what a snippet shows differ, or a member is gone.",
        "Read its pages, and every call in them, against the new signature.",
    ),
    rule(
        "SL203",
        "drift-renamed",
        "What a snippet shows has another name there",
        "The selector finds nothing in the other state, but something that was most likely it.",
        "When the pin moves there, use the selector of the candidate, and the new name on the pages.",
    ),
    rule(
        "SL204",
        "drift-removed",
        "What a snippet shows is gone there",
        "The selector finds nothing in the other state, and nothing in the files that changed is like it.",
        "Say on its pages that it goes, or quote what took its place.",
    ),
    rule(
        "SL205",
        "drift-ambiguous",
        "What a snippet shows is there more than once",
        "The selector finds several things in the other state.",
        "Use the selector of the one you mean; the first candidate is the most like it.",
    ),
    rule(
        "SL206",
        "drift-unreadable",
        "A snippet cannot be compared",
        "The snippet cannot be cut in one of the two states, so nothing can be said of it.",
        "Look at the file that the message names, or compare with a state in which it can be read.",
    ),
    rule(
        "SL207",
        "drift-moved",
        "What a snippet shows is in another file there",
        "File or module differ in the other state; the text is the same.",
        "Nothing to read again; use the candidate's selector where the old one finds nothing.",
    ),
    rule(
        "SL208",
        "drift-layout",
        "What a snippet shows is laid out in another way there",
        "Line breaks, quotes or spacing differ in the other state.",
        "Nothing to read again; the page shows it as it is when the pin moves.",
    ),
    rule(
        "SL209",
        "drift-comment",
        "What a snippet shows has other comments there",
        "Only comments or docstrings differ in the other state.",
        "Read them: what they say may be said on its pages too.",
    ),
    rule(
        "SL210",
        "drift-appears",
        "What a snippet shows is there for the first time",
        "The older of the two states has nothing that it could have been.",
        "Nothing to read again; quote it from where it is, or use the name that it had.",
    ),
)
