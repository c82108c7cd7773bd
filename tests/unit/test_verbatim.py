"""Code of a page that no Markdown page accounts for: whole lines that follow each other in one file of the library."""

from __future__ import annotations

import pytest

from snippetlock.source import DictTree
from snippetlock.workflow.verbatim import Verbatim

FILE = b'def f(a):\n    """Do it::\n\n        y = f(1)\n\n        z = y\n    """\n    return a\n'
TREE = DictTree({"a.py": FILE, "b.py": b"one = 1\n", "c.py": b"\xff\n", "d.yaml": b"key: 1\n"})


@pytest.mark.parametrize("text", ["y = f(1)\n\nz = y\n", "y = f(1)\nz = y", "  def f(a):", "one = 1"])
def test_lines_of_a_file_stand_there_whatever_their_indentation(text):
    assert Verbatim(TREE).holds(text)


@pytest.mark.parametrize(
    "text", ["y = f(1)\nreturn a", "y = f(", "return a\none = 1", "z = y\ny = f(1)", "key: 1", "", "\n", '"""']
)
def test_parts_of_lines_other_orders_and_nothing_do_not(text):
    assert not Verbatim(TREE).holds(text)
