"""The rules of snippets: definitions, the lock, blocks of pages, the built site, recorded runs (SL1xx)."""

from __future__ import annotations

from snippetlock.rules.form import Rule, rule

SNIPPETS: tuple[Rule, ...] = (
    rule(
        "SL101",
        "unresolved-selector",
        "A selector finds nothing",
        "The pinned library has nothing under the name that a definition selects.",
        "Correct `source:`; any near name is listed. `snippetlock show SELECTOR` tries one.",
    ),
    rule(
        "SL102",
        "ambiguous-selector",
        "A selector finds several things",
        "Several definitions share the name: overloads, a property and its setter, twins in two branches.",
        "Use the selector that the message gives beside the one you mean (`name@setter`, `name#2`).",
    ),
    rule(
        "SL103",
        "text-differs",
        "The text is not the accepted one",
        "What the selector and view cut now differs from what was accepted into the lock.",
        "Read the difference and the pages that show it, then accept it with `snippetlock update ID`.",
    ),
    rule(
        "SL104",
        "lock-missing",
        "A snippet was never accepted",
        "A definition has no entry in the lock, so nothing says which text its author read.",
        "Look at it with `snippetlock show ID`, then accept it with `snippetlock update ID`.",
    ),
    rule(
        "SL105",
        "lock-edited",
        "The lock was edited by hand",
        "The lock's own checksum does not fit its content: an editor or a merge changed it.",
        "Restore the file from version control, or write it anew with `snippetlock update`.",
    ),
    rule(
        "SL106",
        "lock-of-another-pin",
        "The lock speaks of another pin",
        "What was accepted was cut from another state of the library than the pin names.",
        "Read what the other findings say has changed, then accept the new pin with `snippetlock update`.",
    ),
    rule(
        "SL107",
        "highlight-not-found",
        "A highlighted text is absent",
        "A text listed under `highlight:` does not occur in the snippet as it is shown.",
        "Copy the text to highlight from `snippetlock show ID`, or remove it.",
    ),
    rule(
        "SL108",
        "highlight-not-once",
        "A highlighted text occurs more than once",
        "A text listed under `highlight:` occurs several times in the snippet, so it does not say which is meant.",
        "Lengthen the text until it occurs once.",
    ),
    rule(
        "SL109",
        "unused-snippet",
        "No page shows a snippet",
        "A definition is quoted by no page, so nobody would notice that it became untrue.",
        "Quote it on a page, or remove the definition and run `snippetlock update`.",
    ),
    rule(
        "SL110",
        "duplicate-id",
        "Two definitions have the same id",
        "A page that asks for the id could mean either.",
        "Rename or remove one of the two places that the message names.",
    ),
    rule(
        "SL111",
        "unknown-id",
        "A page asks for a snippet that nobody defines",
        "No definitions file has the id that a directive names.",
        "Correct the id; any near one is listed. `snippetlock add ID SELECTOR` defines a new one.",
    ),
    rule(
        "SL112",
        "unsourced-block",
        "A code block with no source",
        "A block of a page was typed in: nothing holds it against the library. A diagram needs no source, where it "
        "begins with a word of its language.",
        'Quote it (`snippet="id"`), or say why it has no source: `unsourced="reason"`.',
    ),
    rule(
        "SL113",
        "malformed-directive",
        "A directive that cannot be filled",
        "A directive is not empty, is not closed, has an option we do not know, or stands where no block can.",
        "Write it as an empty fence on lines of its own; the message says what is in the way.",
    ),
    rule(
        "SL114",
        "empty-view",
        "A view that does not fit",
        "`keep:` names no member, `from:`, `to:` or `match:` fits nothing or too much, the view leaves nothing to "
        "show, or the language has no such view.",
        "Correct the view; the message lists the members, or the statements, there are.",
    ),
    rule(
        "SL115",
        "lock-stale",
        "The lock has an entry for a snippet that is gone",
        "The lock still holds a snippet that no definitions file defines.",
        "Run `snippetlock update`, which drops it.",
    ),
    rule(
        "SL116",
        "unreadable-source",
        "A file of the library cannot be read",
        "Its grammar, its encoding, its nesting or its path defeats us, so nothing can be quoted from it.",
        "Quote another file, or report the file to the library; the message says where reading ended.",
    ),
    rule(
        "SL117",
        "selection-differs",
        "The definition is not the accepted one",
        "The selector or the view was edited after the snippet was accepted.",
        "Look at it with `snippetlock show ID`, then accept it with `snippetlock update ID`.",
    ),
    rule(
        "SL118",
        "unheld-differs",
        "The number of blocks that nothing holds is not the one written down",
        "A project may have blocks that were typed in without a reason, and says how many under `unheld`. There are "
        "more now, because a new one was typed in, or fewer, so another could come in unnoticed.",
        "Quote the new one, or say why it has no source: `snippetlock list --unheld` has all. "
        "If there are fewer, write the new number.",
    ),
    rule(
        "SL121",
        "published-differs",
        "A published block is not the snippet",
        "A block of the built site, or what its caption, links or line numbers say, is not what the lock accepted, "
        "or something hides or breaks what readers see of it.",
        "Build the site anew (`mkdocs build --clean`); if it stays, another extension rewrites the block.",
    ),
    rule(
        "SL122",
        "published-missing",
        "A snippet is missing from the built page",
        "A page asks for a snippet, and its built page does not show it.",
        "Build the site anew (`mkdocs build --clean`), and see that the extension is listed in mkdocs.yml.",
    ),
    rule(
        "SL123",
        "published-unknown",
        "A published block that nobody accounts for",
        "The built site shows a block that is neither a snippet nor an allowed block of its page, or may show one: "
        "a page cannot be read for certain, or a link leads out of what was read.",
        "Find what put it there (raw HTML, a plugin, a theme), and quote or declare it on the page, or take it out.",
    ),
    rule(
        "SL131",
        "run-unknown",
        "A page asks for a run that nobody defines",
        "`run=` names an id that `runs.yaml` does not have.",
        "Correct the id; any near one is listed. Or define the run in `runs.yaml`.",
    ),
    rule(
        "SL132",
        "run-missing",
        "A run was never recorded",
        "`runs.yaml` defines a run of which there is no record, so no page can show what it says.",
        "Record it where its environment is: `snippetlock record ID`. Nothing else ever runs it.",
    ),
    rule(
        "SL133",
        "run-stale",
        "A recorded run is of something else",
        "Since a run was recorded its command, a file of its example or the pin changed: it may say another thing now.",
        "Record it again where its environment is: `snippetlock record ID`, and read what changed.",
    ),
    rule(
        "SL134",
        "run-edited",
        "A record is not as the tool wrote it",
        "Somebody edited the record of a run, so nothing says that the program ever said this.",
        "Record it again: `snippetlock record ID`.",
    ),
    rule(
        "SL135",
        "run-unused",
        "No page shows a run",
        "A run is defined that no page asks for, or there is a record that belongs to no run.",
        'Show it on a page, by an empty block with `run="ID"`, or remove the run and its record.',
    ),
)
