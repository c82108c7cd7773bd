"""A statement that was read once in this process is not read by libcst again, wherever it stands."""

import pytest

from snippetlock.config import parse_selector
from snippetlock.errors import SourceError
from snippetlock.select import concrete, find, grammar


def test_libcst_reads_a_statement_once(tree, monkeypatch):
    monkeypatch.setattr(grammar, "_READ", {})
    monkeypatch.setattr(grammar, "shapes", lambda source: None)  # as if its grammar were newer than this Python
    read = []
    real = concrete.shapes
    monkeypatch.setattr(concrete, "shapes", lambda *a: read.append(a[0]) or real(*a))
    one, other = "def f(a):\n    return a\n", "x = 1\n\n\nclass A:\n    def f(a):\n        return a\n"
    for files, selector in ((one, "m:f"), (one, "m:f"), ("# moved\n" + one, "m:f"), (other, "m:A.f")):
        find(tree({"m.py": files}), parse_selector(selector))
    assert read == [one]
    find(tree({"m.py": one.replace("return a", "return 1")}), parse_selector("m:f"))
    assert len(read) == 2


def test_what_is_wrong_is_wrong_every_time(tree):
    for _ in range(2):
        with pytest.raises(SourceError, match="grammar of this statement"):
            find(tree({"m.py": "def f(a):\n    return a +\n"}), parse_selector("m:f"))


def test_what_was_read_is_forgotten_before_it_is_too_much(tree, monkeypatch):
    monkeypatch.setattr(grammar, "_READ", {})
    monkeypatch.setattr(grammar, "_MOST_READ", 2)
    for i in range(5):
        find(tree({"m.py": f"forgotten = {i}\n"}), parse_selector("m:forgotten"))
        assert 0 < len(grammar._READ) <= 2
