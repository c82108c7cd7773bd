"""In which files one looks for what a state did not have: those with a copy that was not there before."""

import pytest

from snippetlock.config import parse_selector
from snippetlock.drift import Search, narrowed
from snippetlock.select import find
from snippetlock.source import DictTree

BODY = """(cups, level):
    poured = [cup.fill(level) for cup in cups]
    spilled = sum(cup.level - level for cup in poured if cup.full)
    return poured, spilled
"""
COPY = f"def early{BODY}"


def inside(owner, text=COPY):
    return f"class {owner}:\n    size = 1\n\n" + "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("before", "after", "looked"),
    [
        (COPY, COPY + "x = 1\n", False),
        (f"# Cups.\n\n\n{COPY}", COPY, False),
        (f"{COPY}\n\n{COPY.replace('early', 'soon')}", f"x = 1\n\n\n{COPY}\n\n{COPY.replace('early', 'soon')}", False),
        (COPY, "x = 1\n", True),
        (COPY, COPY.replace("early", "soon"), True),
        (COPY, inside("Tray"), True),
        (f"{COPY}\n\n{COPY.replace('early', 'soon')}", COPY, True),
        (f"if x:\n    pass\n\n\n{COPY}", f"if x:\n    {COPY[:-1].replace(chr(10), chr(10) + '    ')}\n", True),
    ],
)
def test_a_file_whose_copies_stayed_where_they_were_is_not_looked_into(before, after, looked):
    old = DictTree({"kit/__init__.py": b"", "kit/other.py": before.encode()})
    new = DictTree({"kit/__init__.py": b"", "kit/other.py": after.encode(), "kit/new.py": f"def late{BODY}".encode()})
    back = Search(old, new).back()

    search = narrowed(back, find(new, parse_selector("kit.new:late")))
    assert ("kit/other.py" in search.changed) == looked


def test_a_method_that_went_to_another_class_is_looked_for_there():
    text = "        poured = [cup.fill(level) for cup in cups]\n        return sum(cup.level for cup in poured)\n"
    method = f"    def pour(self, cups, level):\n{text}"
    one, other = f"class Tray:\n    size = 1\n\n{method}", f"class Shelf:\n    size = 1\n\n{method}"
    old = DictTree({"kit/__init__.py": b"", "kit/other.py": one.encode()})
    held = f"class Rack:\n    def fill_all(self, cups, level):\n{text}".encode()
    for now, looked in ((other, True), (f"{one}    depth = 2\n", False)):
        new = DictTree({"kit/__init__.py": b"", "kit/other.py": now.encode(), "kit/new.py": held})
        search = narrowed(Search(old, new).back(), find(new, parse_selector("kit.new:Rack.fill_all")))
        assert ("kit/other.py" in search.changed) == looked
