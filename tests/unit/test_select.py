"""Select: exactly the one thing that is named, or an error that shows what could be meant."""

import casefile
import pytest

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError, TreeError
from snippetlock.select import find
from snippetlock.select.files import Reader
from snippetlock.source import DictTree
from snippetlock.text import line_of, line_starts


def lines(text, region):
    """`3-5`, or `3` for one line."""
    starts = line_starts(text)
    first, last = line_of(starts, region.start), line_of(starts, max(region.start, region.end - 1))
    return str(first) if first == last else f"{first}-{last}"


def said(tree, selector):
    """Where a selector leads, or the error in full."""
    try:
        found = find(tree, parse_selector(selector))
    except SnippetlockError as error:
        return f"{type(error).__name__} {error}"
    part = found.part
    return f"{found.path}:{lines(found.text, part.whole)}  {part.kind} {part.selector}".rstrip()


@casefile.each("select-symbols.case", "select-modules.case", "select-hints.case", "select-yaml.case")
def test_what_a_selector_finds(case, tree, golden):
    files = tree(case.files)
    asked = case["find"].split("\n")[:-1]
    golden(case, "".join(f"> {selector}\n{said(files, selector)}\n" for selector in asked))


@pytest.mark.parametrize(("later", "refused"), [(b"x = 1\n", False), (b"x = 2\n", True), (None, True)])
def test_one_answer_never_comes_of_two_states_of_a_file(later, refused):
    files = {"lib/a.py": b"x = 1\n"}
    reader = Reader(DictTree(files))
    assert reader.module("lib.a") is not None
    tree = DictTree({"lib/a.py": later} if later is not None else {})
    second = Reader(tree, reader.consulted)

    if refused:
        with pytest.raises(TreeError, match="it changed while it was read"):
            second.module("lib.a")
    else:
        assert second.module("lib.a").path == "lib/a.py"
