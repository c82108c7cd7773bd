"""The drill: its changes are what they say, each gets its class, and a tool that is wrong does not pass."""

import ast
import json

import pytest
from plain import copy_of, opened

from snippetlock.config import parse_selector
from snippetlock.errors import ConfigError, MissingFile, SourceError
from snippetlock.model import Exit, View
from snippetlock.select import find
from snippetlock.workflow import drill as drilling
from snippetlock.workflow import mutations as mutating
from snippetlock.workflow.drill import drill, format_drill
from snippetlock.workflow.mutations import Overlay, mutations

SOURCE = '''class Kettle(Vessel):
    """Boils."""

    limit = 100
    modes = {
        "tea": 80,
    }

    def boil(self, seconds, *, slowly=False):
        """Heat up."""  # in seconds
        # first
        return self.heat(seconds)

    def _wait(self): return 1

    @property
    def hot(self):
        x = [
            1]
        return (
            x
        )
'''
YAML = "kettle:\n  size: 2\n  modes: [tea]\n  parts:\n    - lid\n    - base\n"


def made(tree, files, selector, **view):
    found = find(tree(files), parse_selector(selector))
    return found, list(mutations(found, View(**view)))


def ways(made):
    return {(one.way, one.cls) for one in made}


def test_every_snippet_of_a_project_gets_the_class_of_every_change(tmp_path):
    steps = []
    project = opened(copy_of(tmp_path))
    report = drill(project, progress=lambda *step: steps.append(step))
    assert report.misses == ()
    assert report.exit is Exit.CLEAN
    assert steps == [("drill", i, 4) for i in range(5)]
    assert {trial.wanted for trial in report.trials} >= {
        "same", "moved", "layout", "comment", "body", "signature", "renamed", "removed", "ambiguous",
    }  # fmt: skip
    said = format_drill(report)
    assert said.endswith(f"\n{len(report.trials)} of {len(report.trials)} right\n")
    assert said.startswith("ambiguous     4 of    4\n")


def test_a_sample_is_spread_over_the_definitions(tmp_path):
    project = opened(copy_of(tmp_path))
    every = [definition.id for definition in project.definitions]
    assert {trial.snippet for trial in drill(project, 2).trials} == {every[0], every[2]}
    assert {trial.snippet for trial in drill(project, 9).trials} == set(every)


def test_a_tool_that_sees_nothing_fails(tmp_path, monkeypatch):
    real = drilling.compare

    def blind(definition, old_tree, new_tree, *, search, old):
        return real(definition, old_tree, old_tree, old=old, touched=())

    monkeypatch.setattr(drilling, "compare", blind)
    report = drill(opened(copy_of(tmp_path)), 1)
    assert report.exit is Exit.FINDINGS
    assert {trial.wanted for trial in report.trials if trial.right} == {"same"}
    assert "counter: rename it: same, should be renamed\n" in format_drill(report)


def test_an_error_of_the_tool_is_a_miss(tmp_path, monkeypatch):
    def broken(*args, **named):
        raise SourceError("no idea")

    monkeypatch.setattr(drilling, "compare", broken)
    report = drill(opened(copy_of(tmp_path)), 1)
    assert len(report.misses) == len(report.trials)
    assert "counter: rename it: SourceError, should be renamed\n  no idea\n" in format_drill(report)


@pytest.mark.parametrize(
    ("selector", "view", "wanted"),
    [
        ("m:Kettle", {}, {("edit its body", "body"), ("change a default", "signature"), ("wrap it anew", "layout")}),
        ("m:Kettle", {"show": "signature"}, {("change a default", "same"), ("add a decorator", "signature")}),
        ("m:Kettle.boil", {"show": "body"}, {("change a default", "same"), ("touch a comment", "comment")}),
        ("m:Kettle.boil", {"show": "signature"}, {("edit its body", "same"), ("touch a comment", "same")}),
        ("m:Kettle.limit", {}, {("edit its body", "body"), ("wrap it anew", "layout"), ("delete it", "removed")}),
        ("m:Kettle.hot", {}, {("wrap it anew", "layout")}),
        ("m:Kettle._wait", {}, {("rename it", "renamed"), ("wrap it anew", "layout")}),
        ("m:Kettle.boil", {"match": "self.heat($_)"}, {("change a default", "same"), ("delete it", "removed")}),
        ("m", {}, {("delete it", "removed"), ("move its file", "moved")}),
        ("k.yaml:kettle", {}, {("rename it", "renamed"), ("wrap it anew", "layout"), ("move its file", "moved")}),
        ("k.yaml:kettle.size", {}, {("edit its body", "body")}),
        ("k.yaml:kettle.parts.0", {}, {("shift its lines", "same")}),
    ],
)
def test_the_ways_that_apply(tree, selector, view, wanted):
    found, every = made(tree, {"m.py": SOURCE, "k.yaml": YAML}, selector, **view)
    assert wanted <= ways(every)
    assert len({one.digest for one in every}) == len(every)
    for one in every:
        for path, data in one.files.items():
            assert data is None or path != found.path or data.decode() != found.text
            if data is not None and path.endswith(".py"):
                ast.parse(data)


OTHERS = {
    "p.toml": '[tool.cup]\nsize = 2\nglaze = "green"\n\n[tool.pot]\nsize = 1\nlid = "round"\n',
    "k.cuh": "namespace kiln {\n// Fill it.\nint pour(int cup, int amount) {\n  return cup * amount;\n}\n}\n",
    "g.md": "# Cups\n\n## Filling cups\n\nPour it in, up to the rim and no more.\n\n## Washing\n\nBy hand.\n",
    "d/s.sh": "set -e\n# ANCHOR: fire\nkiln --heat 900\nkiln --hold 20\n# ANCHOR_END: fire\nkiln --cool\n",
    "m.py": "import a\n\n# region fire\na.heat(900)\na.hold(20, until=a.hot)\n# endregion\n",
    "n.py": "type Pair[T] = tuple[T, T]\n\n\ndef pour[T](cup: T, amount: int = 1) -> Pair[T]:\n    return cup, cup\n",
    "kiln/yaml.py": "def fire(cup, heat=900):\n    return cup.fire(heat)\n",
    "w.py": "@a\ndef f(x: int): ...\n@a\ndef f(x: str): ...\ndef f(x):\n    return x\n",
}


@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        ("p.toml:tool.cup", {"rename it", "delete it", "touch a comment", "move its file", "shift its lines"}),
        ("p.toml:tool.cup.size", {"rename it", "delete it", "edit its body", "touch a comment", "move its file"}),
        ("k.cuh:pour", {"rename it", "delete it", "duplicate it", "edit its body", "touch a comment", "move its file"}),
        ("g.md:Filling cups", {"rename it", "delete it", "duplicate it", "edit its body", "move its file"}),
        ("g.md:#filling-cups", {"rename it", "delete it", "edit its body", "move its file"}),
        ("d/s.sh:@fire", {"delete it", "edit its body", "move its file", "shift its lines"}),
        ("d/s.sh", {"delete it", "edit its body", "move its file"}),
        ("m:@fire", {"delete it", "move its file", "shift its lines"}),
        ("n:pour", {"rename it", "delete it", "duplicate it", "edit its body", "change a default", "wrap it anew"}),
        ("kiln.yaml:fire", {"rename it", "delete it", "duplicate it", "edit its body", "change a default"}),
        ("w:f#1", {"add a decorator", "wrap it anew", "move its file"}),
    ],
)
def test_each_language_is_changed_in_its_own_ways_and_gets_each_class(tmp_path, selector, wanted):
    root = copy_of(tmp_path)
    for file in (root / "snippets").glob("*.yaml"):
        file.unlink()
    for path, text in OTHERS.items():
        (root / "lib" / path).parent.mkdir(exist_ok=True)
        (root / "lib" / path).write_text(text)
    (root / "snippets/one.yaml").write_text(json.dumps({"one": {"source": selector}}))
    report = drill(opened(root))

    assert report.misses == ()
    assert wanted <= {trial.way for trial in report.trials}
    never = {"w:f#1": {"rename it", "delete it", "duplicate it"}, "g.md:#filling-cups": {"duplicate it"}}
    assert not never.get(selector, {"duplicate it"} if selector[0] in "pd" else set()) & {t.way for t in report.trials}


def test_what_does_not_apply_is_left_out(tree):
    _, every = made(tree, {"m.py": "#!x\nf = ()\n"}, "m:f")
    assert {one.way for one in every} == {
        "rename it", "delete it", "duplicate it", "edit its body", "wrap it anew", "touch a comment", "move its file",
    }  # fmt: skip
    _, every = made(tree, {"m.py": "_: int\n"}, "m:_")
    assert not {"rename it", "edit its body", "wrap it anew"} & {one.way for one in every}


def test_of_a_range_nothing_inside_is_touched(tree):
    _, every = made(tree, {"m.py": SOURCE}, "m:Kettle.boil", from_="return $_")
    assert not {"edit its body", "wrap it anew", "touch a comment"} & {one.way for one in every}


def test_a_change_that_went_wrong_is_said(tree, monkeypatch):
    for edits, said in (([(0, 0, "(")], "left m.py unreadable"), ([(0, 0, "")], "changed nothing")):
        monkeypatch.setattr(mutating, "WAYS", {"bend it": lambda found, view, edits=edits: iter([("body", edits)])})
        with pytest.raises(SourceError, match=f"the drill's `bend it` {said}"):
            made(tree, {"m.py": SOURCE}, "m:Kettle")


def test_an_overlay_is_a_tree(tree):
    over = Overlay(tree({"a.py": "1", "b.py": "2"}), {"a.py": None, "c.py": b"3"})
    assert over.paths() == ("b.py", "c.py")
    assert (over.has("a.py"), over.has("b.py"), over.has("c.py"), over.identity) == (False, True, True, None)
    assert (over.read("b.py"), over.read("c.py")) == (b"2", b"3")
    with pytest.raises(MissingFile):
        over.read("a.py")


def test_a_project_that_defines_nothing_has_not_passed(tmp_path):
    root = copy_of(tmp_path)
    for file in (root / "snippets").glob("*.yaml"):
        file.unlink()

    with pytest.raises(ConfigError, match="no snippet is defined in this folder"):
        drill(opened(root))
