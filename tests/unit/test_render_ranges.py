"""Ranges: what `from`, `to` and `match` show of a file, and how they refuse."""

import casefile
import yaml

from snippetlock.config import parse_selector
from snippetlock.errors import ViewError
from snippetlock.model import VIEW_KEYS, View
from snippetlock.render import render
from snippetlock.select import find
from snippetlock.text import split_lines


def view_of(text):
    given = yaml.safe_load(text) or {}
    return View(**{VIEW_KEYS[key]: tuple(value) if isinstance(value, list) else value for key, value in given.items()})


def numbered(snippet):
    lines = split_lines(snippet.text)
    return "".join(f"{n or '':>3}|{line}" for n, line in zip(snippet.numbers, lines, strict=True))


@casefile.each("render-ranges.case")
def test_what_is_shown(case, tree, golden):
    files = {
        path: text.replace("\n", "\r\n") if "carriage" in case.title else text for path, text in case.files.items()
    }
    found = find(tree(files), parse_selector(case["select"].strip()))
    try:
        snippet = render("id", found, view_of(case["view"]))
    except ViewError as error:
        golden(case, f"{type(error).__name__} ({error.key}) {error}\n")
        return
    golden(case, numbered(snippet).replace("\r\n", "\n"))
    assert " ".join(map(str, snippet.highlight)) == case.get("highlight").strip()
    source = split_lines(found.text)
    shown = [number for number in snippet.numbers if number is not None and source[number - 1].strip()]
    assert (snippet.span.first, snippet.span.last) == (shown[0], shown[-1])
    for number, line in zip(snippet.numbers, split_lines(snippet.text), strict=True):
        assert number is None or line.strip().partition("# …")[0].strip() in source[number - 1]
