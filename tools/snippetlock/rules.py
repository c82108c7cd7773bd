"""Every rule a finding can name, once: what it means and how to mend it.

Only data. The checks live where their facts are; a finding's own message says the particulars.
"""

from __future__ import annotations

from snippetlock.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of disagreement. `code` is for machines and stays; `name` is for people."""

    code: str
    name: str
    title: str
    meaning: str
    mend: str


def _rule(code: str, name: str, title: str, meaning: str, mend: str) -> Rule:
    return Rule(code=code, name=name, title=title, meaning=meaning, mend=mend)


RULES: tuple[Rule, ...] = (
    _rule(
        "SL101",
        "unresolved-selector",
        "A selector finds nothing",
        "The pinned library has nothing under the name that a definition selects.",
        "Correct `source:`; the message lists the nearest names. `snippetlock show SELECTOR` tries one.",
    ),
    _rule(
        "SL102",
        "ambiguous-selector",
        "A selector finds several things",
        "Several definitions share the name: overloads, a property and its setter, twins in two branches.",
        "Use the selector that the message gives beside the one you mean (`name@setter`, `name#2`).",
    ),
    _rule(
        "SL103",
        "text-differs",
        "The text is not the accepted one",
        "What the selector and view cut now differs from what was accepted into the lock.",
        "Read the difference and the pages that show it, then accept it with `snippetlock update ID`.",
    ),
    _rule(
        "SL104",
        "lock-missing",
        "A snippet was never accepted",
        "A definition has no entry in the lock, so nothing says which text its author read.",
        "Look at it with `snippetlock show ID`, then accept it with `snippetlock update ID`.",
    ),
    _rule(
        "SL105",
        "lock-edited",
        "The lock was edited by hand",
        "The lock's own checksum does not fit its content: an editor or a merge changed it.",
        "Restore the file from version control, or write it anew with `snippetlock update`.",
    ),
    _rule(
        "SL106",
        "lock-of-another-pin",
        "The lock speaks of another pin",
        "What was accepted was cut from another state of the library than the pin names.",
        "Read what the other findings say has changed, then accept the new pin with `snippetlock update`.",
    ),
    _rule(
        "SL107",
        "highlight-not-found",
        "A highlighted text is absent",
        "A text listed under `highlight:` does not occur in the snippet as it is shown.",
        "Copy the text to highlight from `snippetlock show ID`, or remove it.",
    ),
    _rule(
        "SL108",
        "highlight-not-once",
        "A highlighted text occurs more than once",
        "A text listed under `highlight:` occurs several times in the snippet, so it does not say which is meant.",
        "Lengthen the text until it occurs once.",
    ),
    _rule(
        "SL109",
        "unused-snippet",
        "No page shows a snippet",
        "A definition is quoted by no page, so nobody would notice that it became untrue.",
        "Quote it on a page, or remove the definition and run `snippetlock update`.",
    ),
    _rule(
        "SL110",
        "duplicate-id",
        "Two definitions have the same id",
        "A page that asks for the id could mean either.",
        "Rename or remove one of the two places that the message names.",
    ),
    _rule(
        "SL111",
        "unknown-id",
        "A page asks for a snippet that nobody defines",
        "No definitions file has the id that a directive names.",
        "Correct the id; the message lists the nearest. `snippetlock add ID SELECTOR` defines a new one.",
    ),
    _rule(
        "SL112",
        "unsourced-block",
        "A code block with no source",
        "A block of a page was typed in: nothing holds it against the library. A diagram needs no source, where it "
        "begins with a word of its language.",
        'Quote it (`snippet="id"`), or say why it has no source: `unsourced="reason"`.',
    ),
    _rule(
        "SL113",
        "malformed-directive",
        "A directive that cannot be filled",
        "A directive is not empty, is not closed, has an option we do not know, or stands where no block can.",
        "Write it as an empty fence on lines of its own; the message says what is in the way.",
    ),
    _rule(
        "SL114",
        "empty-view",
        "A view that does not fit",
        "`keep:` names no member, `from:`, `to:` or `match:` fits nothing or too much, the view leaves nothing to "
        "show, or the language has no such view.",
        "Correct the view; the message lists the members, or the statements, there are.",
    ),
    _rule(
        "SL115",
        "lock-stale",
        "The lock has an entry for a snippet that is gone",
        "The lock still holds a snippet that no definitions file defines.",
        "Run `snippetlock update`, which drops it.",
    ),
    _rule(
        "SL116",
        "unreadable-source",
        "A file of the library cannot be read",
        "Its grammar, its encoding, its nesting or its path defeats us, so nothing can be quoted from it.",
        "Quote another file, or report the file to the library; the message says where reading ended.",
    ),
    _rule(
        "SL117",
        "selection-differs",
        "The definition is not the accepted one",
        "The selector or the view was edited after the snippet was accepted.",
        "Look at it with `snippetlock show ID`, then accept it with `snippetlock update ID`.",
    ),
    _rule(
        "SL121",
        "published-differs",
        "A published block is not the snippet",
        "A block of the built site, or what its caption, links or line numbers say, is not what the lock accepted, "
        "or something hides or breaks what readers see of it.",
        "Build the site anew (`mkdocs build --clean`); if it stays, another extension rewrites the block.",
    ),
    _rule(
        "SL122",
        "published-missing",
        "A snippet is missing from the built page",
        "A page asks for a snippet, and its built page does not show it.",
        "Build the site anew (`mkdocs build --clean`), and see that the extension is listed in mkdocs.yml.",
    ),
    _rule(
        "SL123",
        "published-unknown",
        "A published block that nobody accounts for",
        "The built site shows a block that is neither a snippet nor an allowed block of its page, or may show one: "
        "a page cannot be read for certain, or a link leads out of what was read.",
        "Find what put it there (raw HTML, a plugin, a theme), and quote or declare it on the page, or take it out.",
    ),
    _rule(
        "SL131",
        "run-unknown",
        "A page asks for a run that nobody defines",
        "`run=` names an id that `runs.yaml` does not have.",
        "Correct the id; the message lists the nearest. Or define the run in `runs.yaml`.",
    ),
    _rule(
        "SL132",
        "run-missing",
        "A run was never recorded",
        "`runs.yaml` defines a run of which there is no record, so no page can show what it says.",
        "Record it where its environment is: `snippetlock record ID`. Nothing else ever runs it.",
    ),
    _rule(
        "SL133",
        "run-stale",
        "A recorded run is of something else",
        "Since a run was recorded its command, a file of its example or the pin changed: it may say another thing now.",
        "Record it again where its environment is: `snippetlock record ID`, and read what changed.",
    ),
    _rule(
        "SL134",
        "run-edited",
        "A record is not as the tool wrote it",
        "Somebody edited the record of a run, so nothing says that the program ever said this.",
        "Record it again: `snippetlock record ID`.",
    ),
    _rule(
        "SL135",
        "run-unused",
        "No page shows a run",
        "A run is defined that no page asks for, or there is a record that belongs to no run.",
        'Show it on a page, by an empty block with `run="ID"`, or remove the run and its record.',
    ),
    _rule(
        "SL201",
        "drift-body",
        "Another state of the library has another body",
        "What a snippet shows has another body there; what a caller sees stayed.",
        "Read its pages against the new text; when the pin moves there, mend them and accept it.",
    ),
    _rule(
        "SL202",
        "drift-signature",
        "Another state of the library has another signature",
        "Parameters, defaults, annotations, bases or decorators of what a snippet shows differ, or a member is gone.",
        "Read its pages, and every call in them, against the new signature.",
    ),
    _rule(
        "SL203",
        "drift-renamed",
        "What a snippet shows has another name there",
        "The selector finds nothing in the other state, but something that was most likely it.",
        "When the pin moves there, use the selector of the candidate, and the new name on the pages.",
    ),
    _rule(
        "SL204",
        "drift-removed",
        "What a snippet shows is gone there",
        "The selector finds nothing in the other state, and nothing in the files that changed is like it.",
        "Say on its pages that it goes, or quote what took its place.",
    ),
    _rule(
        "SL205",
        "drift-ambiguous",
        "What a snippet shows is there more than once",
        "The selector finds several things in the other state.",
        "Use the selector of the one you mean; the first candidate is the most like it.",
    ),
    _rule(
        "SL206",
        "drift-unreadable",
        "A snippet cannot be compared",
        "The snippet cannot be cut in one of the two states, so nothing can be said of it.",
        "Look at the file that the message names, or compare with a state in which it can be read.",
    ),
    _rule(
        "SL207",
        "drift-moved",
        "What a snippet shows is in another file there",
        "File or module differ in the other state; the text is the same.",
        "Nothing to read again; use the candidate's selector where the old one finds nothing.",
    ),
    _rule(
        "SL208",
        "drift-layout",
        "What a snippet shows is laid out in another way there",
        "Line breaks, quotes or spacing differ in the other state.",
        "Nothing to read again; the page shows it as it is when the pin moves.",
    ),
    _rule(
        "SL209",
        "drift-comment",
        "What a snippet shows has other comments there",
        "Only comments or docstrings differ in the other state.",
        "Read them: what they say may be said on its pages too.",
    ),
    _rule(
        "SL210",
        "drift-appears",
        "What a snippet shows is there for the first time",
        "The older of the two states has nothing that it could have been.",
        "Nothing to read again; quote it from where it is, or use the name that it had.",
    ),
    _rule(
        "SL301",
        "unknown-name",
        "The prose names what the library has not",
        "A name in code marks looks like the library's, and at the pin nothing is called so; nor is it a name of "
        "Python, of a well-known package, or of the page's own examples.",
        "Write the name that the library has; the message lists the nearest. `snippetlock refs --why NAME` explains "
        "it. A name that is right all the same goes into `vocabulary.yaml`, with the reason.",
    ),
    _rule(
        "SL302",
        "call-does-not-bind",
        "The prose writes a call that cannot be made",
        "No definition of that name takes these arguments: there are too many, one is missing, a keyword or the name "
        "or place of a parameter is another one.",
        "Write it as the message says that it is called, or leave the arguments open: `name(...)`.",
    ),
    _rule(
        "SL303",
        "unknown-key",
        "The prose names a key that a dict has not",
        "The dict that stands beside it is written out in the source, with all its keys, and this is none of them.",
        "Write one of the keys that the message lists.",
    ),
    _rule(
        "SL304",
        "unknown-path",
        "The prose names a file that the library has not",
        "A path below a package of the library, or a link into its repository, leads to no file at the pin, or to "
        "lines or names that the file does not have.",
        "Write the path that the file has; the message lists the nearest.",
    ),
    _rule(
        "SL305",
        "unknown-message",
        "The prose quotes a message that nothing says",
        "A text marked `{ .message }` is made by no string of the source, or the exception named beside it is not what "
        "is raised with it.",
        "Quote what the source says, and name what it raises.",
    ),
    _rule(
        "SL306",
        "unneeded-word",
        "The vocabulary has an entry that no page needs",
        "No page uses the name, or the library has it now, or a page of the entry is not there: what is excused for no "
        "reason would hide the next mistake.",
        "Remove the entry from `vocabulary.yaml`, or correct its `pages`.",
    ),
    _rule(
        "SL307",
        "example-name",
        "An example uses what the library has not",
        "A program below `snippets/examples/` imports a name, or reads one of a module, a class or an object of the "
        "library, that is not there at the pin.",
        "Use the name that the library has; the message lists the nearest, and where the program has it from.",
    ),
    _rule(
        "SL308",
        "example-call",
        "An example makes a call that does not bind",
        "A program below `snippets/examples/` calls something of the library with arguments that it does not take at "
        "the pin.",
        "Call it as the message says that it is called.",
    ),
    _rule(
        "SL309",
        "example-unreadable",
        "An example cannot be read",
        "A program below `snippets/examples/` is no Python, no text, or no plain file, so nothing of it was checked.",
        "Mend it where the message points.",
    ),
    _rule(
        "SL311",
        "false-claim",
        "A page claims what is not so",
        "A claim, `<!-- claim: … -->`, is not true at the pin: the message has what each side is, and the lines that "
        "it is from. What it names may not be there at all.",
        "Correct the sentence that it speaks for, in every language, and the claim with it. `snippetlock claim "
        "'EXPRESSION'` says what an expression is now.",
    ),
    _rule(
        "SL312",
        "malformed-claim",
        "A claim that cannot be read",
        "What stands behind `claim:` is no expression, calls a function that there is not, or compares what is never "
        "the same; or a comment is begun so that it is no claim. Nothing was held.",
        "Mend it where the caret points. The page on claims has every function with an example.",
    ),
    _rule(
        "SL313",
        "untold-claim",
        "The source does not tell whether a claim is true",
        "What the claim asks for is worked out when the library runs, changed later, or comes from another package. It "
        "is neither true nor false, so nothing holds the sentence.",
        "Claim what the source tells: the keys of a dict rather than its values, or what is written, by `text(…)`. Or "
        "take the claim out.",
    ),
    _rule(
        "SL314",
        "loose-claim",
        "A claim that stands wrong",
        "No paragraph, list or table follows it in its section; or it ends the list, the table or the paragraph that "
        "it stands in, for a comment with a line of its own is a block.",
        "Put it above the paragraph, the list or the table, or within the row or item that it speaks for.",
    ),
    _rule(
        "SL401",
        "twin-missing",
        "A page has no twin",
        "A page is not there in one of the languages, and its front matter does not say why; or it says so and is.",
        "Write the twin, or give the reason in the front matter: `untranslated: reason`.",
    ),
    _rule(
        "SL402",
        "twin-headings",
        "Twins have other headings",
        "The headings of two twins are not the same ones: another number, order, level or anchor. Links to a section "
        "then work in one language only.",
        "Write the same headings with the same anchors; the message shows the line to write.",
    ),
    _rule(
        "SL403",
        "twin-blocks",
        "Twins show other blocks",
        "Two twins do not have the same snippets, other blocks and generated parts in the same order.",
        "Copy the block that one of them lacks, as it stands, or take it out of both.",
    ),
    _rule(
        "SL404",
        "twin-links",
        "Twins have other links",
        "A section has a link or an image that leads where none of its twin does.",
        "Write the link in both, or pair it with its own in the front matter: `translated-links: {this: that}`.",
    ),
    _rule(
        "SL405",
        "twin-behind",
        "A section changed, and its twin did not",
        "A section says something else than when its twin was made from it.",
        "Bring the twin up to date with the difference shown, then `snippetlock translate accept PAGE#ANCHOR`.",
    ),
    _rule(
        "SL406",
        "twin-unaccepted",
        "Nothing says what a twin was made from",
        "The front matter of a twin has no digest for one of its sections, or one for a section that is no more.",
        "Read the two side by side, then `snippetlock translate accept PAGE`.",
    ),
    _rule(
        "SL407",
        "front-matter",
        "Front matter that cannot be read",
        "The front matter of a page is not closed, is no YAML, or says of the twin what cannot be meant.",
        "Mend it where the message points.",
    ),
    _rule(
        "SL408",
        "anchor-twice",
        "A page has an anchor twice",
        "Two headings of a page state the same anchor, so a link to it leads to the first alone.",
        "Give one of them another anchor, in every language.",
    ),
    _rule(
        "SL409",
        "twin-claims",
        "Twins claim other things",
        "A section does not make the claims that its twin makes, in the same order: what holds a sentence in one "
        "language does not hold it in the other.",
        "Copy the claim that one of them lacks, as it stands, to the same sentence, or take it out of both.",
    ),
    _rule(
        "SL410",
        "twin-copied",
        "A twin has sentences that nobody translated",
        "Paragraphs of a section are byte for byte those of its twin, and hold sentences. Code, tables of names, "
        "numbers and the names of products may be the same in both.",
        "Translate them. One that is to stay as it is, a quotation for instance, says so: `{ lang=en }` below it.",
    ),
    _rule(
        "SL501",
        "page-unreadable",
        "A page is not UTF-8",
        "The bytes of a page, or of a drawing that it shows, are no UTF-8 text, so nothing on it was checked.",
        "Save the page as UTF-8.",
    ),
    _rule(
        "SL502",
        "page-outside",
        "A page lies outside the docs",
        "A link under the docs folder leads out of it; what it leads to is not under review here.",
        "Replace the link by the page itself.",
    ),
    _rule(
        "SL503",
        "hidden-character",
        "A page has a character that hides something",
        "The character turns the order in which a line is shown, or nobody sees it in code: what readers copy is not "
        "what they read.",
        "Delete it; the message says where it stands.",
    ),
    _rule(
        "SL504",
        "disguised-name",
        "A name only looks like the library's",
        "Letters of another alphabet stand in a name, which is then another name to Python.",
        "Type it anew.",
    ),
)

_BY_CODE = {rule.code: rule for rule in RULES}


def rule(code: str) -> Rule:
    """The rule with this code. Raises KeyError for a code that is in no table."""
    return _BY_CODE[code]
