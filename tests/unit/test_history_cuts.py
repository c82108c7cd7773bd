"""What a definition shows is cut once for each of its texts, wherever they stand; what is at hand is not asked for."""

import pytest
from test_drift import define

from snippetlock.drift.classes import seen
from snippetlock.history import Contents, Cuts, Snapshot, cutting
from snippetlock.model import View
from snippetlock.render import render
from snippetlock.select import find, spot
from snippetlock.source import open_repo

F = "# About f.\n@cache\ndef f(a, b=1):\n    # Why.\n    return a\n    # And so.\n"


class Nothing:
    """A store that keeps nothing."""

    def get(self, kind, key):
        return None

    def put(self, kind, key, value):
        pass


@pytest.fixture
def up(repo):
    return repo()


@pytest.fixture
def contents(up, tmp_path):
    up.commit({"a": "a"})
    with open_repo(str(up.folder), tmp_path / "cache") as opened:
        yield Contents(opened)


@pytest.fixture
def states(up, contents):
    """`states(text, …)`: a snapshot for each text of `m.py`."""

    def make(*texts):
        found = []
        for text in texts:
            up.commit({"m.py": text})
            found.append(Snapshot(contents, {"m.py": up.git("rev-parse", "HEAD:m.py")}))
        return found

    return make


@pytest.fixture
def rendered(monkeypatch):
    """The texts that were really taken apart and shown."""
    texts = []
    monkeypatch.setattr(cutting, "render", lambda *a: texts.append(a[1].text) or render(*a))
    return texts


def cut_all(definition, snapshots):
    """Each cut, which has to be what the snapshot alone gives."""
    every = Cuts(Nothing(), "", definition)
    found = [every.at(snapshot) for snapshot in snapshots]
    for cut, snapshot in zip(found, snapshots, strict=True):
        if cut.digests:
            snippet = render("id", find(snapshot, definition.selector), definition.view)
            assert (cut.span, cut.digests) == (snippet.span, seen(snippet))
    return found


ABOVE = ("import x\nX = 2\n", "import x\nimport y\nX = 2\n", '"""Doc\n\n"""\nX = 2\n', "def e(): ...\n\n\n\nX = 2\n")


@pytest.mark.parametrize("view", [View(), View(show="signature"), View(comments="drop"), View(show="body")])
def test_the_same_text_is_shown_once_wherever_it_stands(states, rendered, view):
    found = cut_all(define("m:f", view), states(*[f"{above}\n\n{F}\n\nX = 1\n" for above in ABOVE]))
    assert len(rendered) == 1
    assert [cut.span.first - found[0].span.first for cut in found] == [0, 1, 2, 3]


OTHER = {
    "body": F.replace("return a", "return b"),
    "comment below": F + "    # More.\n",
    "comment above": "# No.\n" + F,
    "decorator": F.replace("@cache\n", ""),
    "name": F.replace("def f", "def  f"),
    "no end of line": F.removesuffix("    # And so.\n").removesuffix("\n"),
    "first line": "#!" + F[1:],
    "first line, further down": "\n\n\n#!" + F[1:],
    "second line": "\n# coding: utf-8\n" + F.removeprefix("# About f.\n"),
    "third line": "\n\n# coding: utf-8\n" + F.removeprefix("# About f.\n"),
    "in a class": "class f:\n    x = 1\n    def f(self):\n        return 2\n",
    "an attribute": "f = g = 1\n",
    "two on a line": "e = 1; f = 2\n",
    "below an if": "if x:\n    f = lambda: 1\nelse:\n    y = 2\n",
}


@pytest.mark.parametrize("view", [View(), View(show="signature"), View(docstrings="drop")])
def test_what_is_shown_is_what_each_state_alone_gives(states, view):
    for text in OTHER.values():
        cut_all(define("m:f", view), states(F, text, f"x = 1\n\n{text}", F))


def test_twins_and_members_are_told_apart(states, rendered):
    twins = "class A:\n    @property\n    def v(self): return 1\n    @v.setter\n    def v(self, x): self.x = x\n"
    for selector in ("m:A.v@getter", "m:A.v@setter", "m:A"):
        cut_all(define(selector), states(twins, f"\n{twins}", f"\n\n\n{twins}\n"))
    assert len({cut.digests for cut in cut_all(define("m:f"), states("f = e = 1\n", "e = f = 1\n"))}) == 2


@pytest.mark.parametrize(
    ("selector", "text", "known"),
    [
        ("m:f", F, True),
        ("m:A.f", "class A:\n    def f(self): ...\n", True),
        ("m:A.x", "class A: x = 1\n", False),  # on the line of another header
        ("m", F, False),  # the whole file
        ("m:f", F + "x = '\n", False),  # what is not closed can hide anything
        ("m.py:@f", "# region f\nx = 1\n# endregion\n", False),
        ("m.toml:x", "x = 1\n", False),
    ],
)
def test_whose_text_alone_says_how_it_is_shown(tree, selector, text, known):
    files = tree({"m.py": text, "m.toml": text})
    assert (spot(files, define(selector).selector, View()) is not None) is known


def test_a_spot_is_where_the_definition_and_its_comments_are(tree):
    there = spot(tree({"m.py": f"x = 1\n\n{F}\n\ny = 2\n"}), define("m:f").selector, View())
    assert (there.path, there.line, there.text) == ("m.py", 2, f"\n{F}\n\n")


def test_what_is_read_ahead_is_not_asked_for_again(up, contents, monkeypatch):
    up.commit({"m.py": "m = 1\n", "n.py": "n = 1\n"})
    names = {path: up.git("rev-parse", f"HEAD:{path}") for path in ("m.py", "n.py")}
    snapshot = Snapshot(contents, {**names, "gone.py": "0" * 40})
    snapshot.ahead(["m.py", "n.py", "none.py"])
    assert snapshot.reads == set()
    with monkeypatch.context() as patch:
        patch.setattr("snippetlock.history.snapshot.blobs", None)
        assert (snapshot.read("m.py"), snapshot.read("n.py")) == (b"m = 1\n", b"n = 1\n")
    snapshot.ahead(["gone.py", "m.py"])  # whoever reads it will hear of it
    with pytest.raises(Exception, match="an object is not in"):
        snapshot.read("gone.py")


@pytest.mark.parametrize(
    ("text", "cls"),
    [("def f():\n    a = 1\n    a = 2\n", "ambiguous"), ("def f():\n    b = 1\n", "removed")],
)
def test_a_range_that_fits_more_than_it_should_is_ambiguous_as_drift_says(states, text, cls):
    definition = define("m:f", View(from_="a = $_"))
    good, other = cut_all(definition, states("def f():\n    a = 1\n", text))
    assert good.digests is not None
    assert other.cls == cls
