"""The rules of a page and its twins in other languages (SL4xx)."""

from __future__ import annotations

from snippetlock.rules.form import Rule, rule

TWINS: tuple[Rule, ...] = (
    rule(
        "SL401",
        "twin-missing",
        "A page has no twin",
        "A page is not there in one of the languages, and its front matter does not say why; or it says so and is.",
        "Write the twin, or give the reason in the front matter: `untranslated: reason`.",
    ),
    rule(
        "SL402",
        "twin-headings",
        "Twins have other headings",
        "The headings of two twins are not the same ones: another number, order, level or anchor. Links to a section "
        "then work in one language only.",
        "Write the same headings with the same anchors; the message shows the line to write.",
    ),
    rule(
        "SL403",
        "twin-blocks",
        "Twins show other blocks",
        "Two twins do not have the same snippets, other blocks and generated parts in the same order, or other "
        "commands in a block of a shell; or a section has a command in code marks, or a row of a table, that its "
        "twin lacks.",
        "Copy what one of them lacks, as it stands, or take it out of both; write the same commands.",
    ),
    rule(
        "SL404",
        "twin-links",
        "Twins have other links",
        "A section has a link or an image that leads where none of its twin does.",
        "Write the link in both, or pair it with its own in the front matter: `translated-links: {this: that}`.",
    ),
    rule(
        "SL405",
        "twin-behind",
        "A section changed, and its twin did not",
        "A section says something else than when its twin was made from it.",
        "Bring the twin up to date with the difference shown, then `snippetlock translate accept PAGE#ANCHOR`.",
    ),
    rule(
        "SL406",
        "twin-unaccepted",
        "Nothing says what a twin was made from",
        "The front matter of a twin has no digest for one of its sections, or one for a section that is no more.",
        "Read the two side by side, then `snippetlock translate accept PAGE`.",
    ),
    rule(
        "SL407",
        "front-matter",
        "Front matter that cannot be read",
        "The front matter of a page is not closed, is no YAML, or says of the twin what cannot be meant.",
        "Mend it where the message points.",
    ),
    rule(
        "SL408",
        "anchor-twice",
        "A page has an anchor twice",
        "Two headings of a page state the same anchor, so a link to it leads to the first alone.",
        "Give one of them another anchor, in every language.",
    ),
    rule(
        "SL409",
        "twin-claims",
        "Twins claim other things",
        "A section does not make the claims that its twin makes, in the same order: what holds a sentence in one "
        "language does not hold it in the other.",
        "Copy the claim that one of them lacks, as it stands, to the same sentence, or take it out of both.",
    ),
    rule(
        "SL410",
        "twin-copied",
        "A twin has sentences that nobody translated",
        "Paragraphs of a section are byte for byte those of its twin, and hold sentences. Code, tables of names, "
        "numbers and the names of products may be the same in both.",
        "Translate them. One that is to stay as it is, a quotation for instance, says so: `{ lang=en }` below it.",
    ),
)
