"""TOML, Markdown, C and CUDA, marked regions: the lines that are named, or an error that shows what there is."""

import casefile

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError
from snippetlock.model import View
from snippetlock.render import render
from snippetlock.select import find
from snippetlock.text import split_lines


def said(tree, selector):
    try:
        found = find(tree, parse_selector(selector))
        snippet = render("id", found, View())
    except SnippetlockError as error:
        return f"{type(error).__name__} {error}\n"
    lines = split_lines(snippet.text)
    rows = "".join(f"{n:>4}|{line}" for n, line in zip(snippet.numbers, lines, strict=True))
    return f"{snippet.span}  {found.language} {found.part.selector}\n{rows}".rstrip("\n") + "\n"


@casefile.each("select-files.case")
def test_what_a_selector_finds(case, tree, golden):
    files = tree(case.files)
    asked = case["find"].split("\n")[:-1]
    golden(case, "".join(f"> {selector}\n{said(files, selector)}" for selector in asked))
