"""The rules of what pages and examples say of the library: names, calls, keys, paths, messages, claims (SL3xx)."""

from __future__ import annotations

from snippetlock.rules.form import Rule, rule

PROSE: tuple[Rule, ...] = (
    rule(
        "SL301",
        "unknown-name",
        "The prose names what the library has not",
        "A name in code marks looks like the library's, and at the pin nothing is called so; nor is it a name of "
        "Python, of a well-known package, or of the page's own examples.",
        "Write the name that the library has; any near one is listed. `snippetlock refs --why NAME` explains it. "
        "A name that is right all the same goes into `vocabulary.yaml`, with the reason.",
    ),
    rule(
        "SL302",
        "call-does-not-bind",
        "The prose writes a call that cannot be made",
        "No definition of that name takes these arguments: there are too many, one is missing, a keyword or the name "
        "or place of a parameter is another one.",
        "Write it as the message says that it is called, or leave the arguments open: `name(...)`.",
    ),
    rule(
        "SL303",
        "unknown-key",
        "The prose names a key that a dict has not",
        "The dict that stands beside it is written out in the source, with all its keys, and this is none of them.",
        "Write one of the keys that the message lists.",
    ),
    rule(
        "SL304",
        "unknown-path",
        "The prose names a file that the library has not",
        "A path below a package of the library, or a link into its repository, leads to no file at the pin, or to "
        "lines or names that the file does not have.",
        "Write the path that the file has; any near one is listed.",
    ),
    rule(
        "SL305",
        "unknown-message",
        "The prose quotes a message that nothing says",
        "A text marked `{ .message }` is made by no string of the source, or the exception named beside it is not what "
        "is raised with it.",
        "Quote what the source says, and name what it raises.",
    ),
    rule(
        "SL306",
        "unneeded-word",
        "The vocabulary has an entry that no page needs",
        "No page uses the name, or the library has it now, or a page of the entry is not there: what is excused for no "
        "reason would hide the next mistake.",
        "Remove the entry from `vocabulary.yaml`, or correct its `pages`.",
    ),
    rule(
        "SL307",
        "example-name",
        "An example uses what the library has not",
        "A program below `snippets/examples/` imports a name, or reads one of a module, a class or an object of the "
        "library, that is not there at the pin.",
        "Use the name that the library has; any near one is listed, and where the program has it from.",
    ),
    rule(
        "SL308",
        "example-call",
        "An example makes a call that does not bind",
        "A program below `snippets/examples/` calls something of the library with arguments that it does not take at "
        "the pin.",
        "Call it as the message says that it is called.",
    ),
    rule(
        "SL309",
        "example-unreadable",
        "An example cannot be read",
        "A program below `snippets/examples/` is no Python, no text, or no plain file, so nothing of it was checked.",
        "Mend it where the message points.",
    ),
    rule(
        "SL311",
        "false-claim",
        "A page claims what is not so",
        "A claim, `<!-- claim: … -->`, is not true at the pin: the message has what each side is, and the lines that "
        "it is from. What it names may not be there at all.",
        "Correct the sentence that it speaks for, in every language, and the claim with it. `snippetlock claim "
        "'EXPRESSION'` says what an expression is now.",
    ),
    rule(
        "SL312",
        "malformed-claim",
        "A claim that cannot be read",
        "What stands behind `claim:` is no expression, calls a function that there is not, or compares what is never "
        "the same; or a comment is begun so that it is no claim. Nothing was held.",
        "Mend it where the caret points. The page on claims has every function with an example.",
    ),
    rule(
        "SL313",
        "untold-claim",
        "The source does not tell whether a claim is true",
        "What the claim asks for is worked out when the library runs, changed later, or comes from another package. It "
        "is neither true nor false, so nothing holds the sentence.",
        "Claim what the source tells: the keys of a dict rather than its values, or what is written, by `text(…)`. Or "
        "take the claim out.",
    ),
    rule(
        "SL314",
        "loose-claim",
        "A claim that stands wrong",
        "No paragraph, list or table follows it in its section; or it ends the list, the table or the paragraph that "
        "it stands in, for a comment with a line of its own is a block.",
        "Put it above the paragraph, the list or the table, or within the row or item that it speaks for.",
    ),
)
