from __future__ import annotations

import pytest
from plain import LOCK, copy_of, edit, opened, state

from snippetlock.errors import ConfigError, SelectorError, UsageError, ViewError
from snippetlock.model import View
from snippetlock.workflow import add, check
from snippetlock.workflow.define import definition_text

COUNTING = "snippets/counting.yaml"
PLAIN = View()


@pytest.fixture
def root(tmp_path):
    return copy_of(tmp_path)


def broken(root):
    return [(finding.rule, finding.snippet) for finding in check(opened(root)).findings]


def test_a_definition_goes_where_its_kin_is_and_everything_else_stays(root):
    before = (root / COUNTING).read_text()
    added = add(opened(root), "limit", "tally:LIMIT", PLAIN)

    assert (added.path, added.created, added.snippet.text) == (COUNTING, False, "LIMIT = 1_000\n")
    assert (root / COUNTING).read_text() == before + "\nlimit:\n  source: tally:LIMIT\n"
    assert broken(root) == [("SL109", "limit")], "accepted, and not yet on a page"


def test_another_module_gets_a_file_of_its_own(root):
    (root / "lib/tally/_Extra_1.py").write_text("def more(): ...\n")
    added = add(opened(root), "more", "tally._Extra_1:more", PLAIN)

    assert (added.path, added.created) == ("snippets/extra-1.yaml", True)
    assert broken(root) == [("SL109", "more")]


@pytest.mark.parametrize(
    ("selector", "path"),
    [
        ("tally._counting:merge", "snippets/counting.yaml"),
        ("tally/defaults.yaml:report", "snippets/defaults.yaml"),
        ("tally:Counter.value@setter", "snippets/counting.yaml"),
    ],
)
def test_the_file_is_called_after_the_module_or_the_file(root, selector, path):
    assert add(opened(root), "new-one", selector, PLAIN).path == path
    assert broken(root) == [("SL109", "new-one")]


@pytest.mark.parametrize("name", ["more", "more.yaml", "snippets/more.yaml"])
def test_a_file_can_be_named(root, name):
    added = add(opened(root), "limit", "tally:LIMIT", PLAIN, name)

    assert (added.path, added.created) == ("snippets/more.yaml", True)
    assert (root / "snippets/more.yaml").read_text() == "limit:\n  source: tally:LIMIT\n"


@pytest.mark.parametrize(
    ("name", "instead"),
    [("other.txt", "other.yaml"), ("x.yml", "x.yaml"), ("snippets/a.YAML", "a.yaml"), ("a.yaml.bak", "a.yaml.yaml")],
)
def test_a_file_of_another_kind_is_refused(root, name, instead):
    before = state(root)
    with pytest.raises(UsageError) as caught:
        add(opened(root), "limit", "tally:LIMIT", PLAIN, name)

    assert str(caught.value) == (f"{name!r} cannot be a definitions file: one ends in .yaml\n  mend: name {instead}")
    assert state(root) == before


def test_a_name_with_dots_is_a_name(root):
    assert add(opened(root), "limit", "tally:LIMIT", PLAIN, "tally.limits.yaml").path == "snippets/tally.limits.yaml"


@pytest.mark.parametrize("name", ["../more", "a/b", "", ".hidden", "vocabulary", "snippets/../../x"])
def test_a_file_elsewhere_is_refused(root, name):
    before = state(root)
    with pytest.raises(UsageError, match="cannot be a definitions file"):
        add(opened(root), "limit", "tally:LIMIT", PLAIN, name or "/")

    assert state(root) == before


def test_line_ends_and_a_missing_last_one_are_respected(root):
    file = root / "snippets/defaults.yaml"
    file.write_bytes(file.read_bytes().rstrip(b"\n").replace(b"\n", b"\r\n"))
    add(opened(root), "unit", "tally/defaults.yaml:report", PLAIN)

    assert file.read_bytes() == (
        b"counter-defaults:\r\n  source: tally/defaults.yaml:counter\r\n"
        b"\r\nunit:\r\n  source: tally/defaults.yaml:report\r\n"
    )
    assert broken(root) == [("SL109", "unit")]


def test_every_option_of_a_view_is_written_and_read_back(root):
    view = View(
        show="skeleton",
        keep=("see", "__init__"),
        docstrings="summary",
        comments="drop",
        highlight=('"""Counts what it is shown."""', "self._count += 1"),
    )
    add(opened(root), "all", "tally:Counter", view)

    definition = opened(root).definition("all")
    assert (definition.view, definition.selector.text) == (view, "tally:Counter")
    assert broken(root) == [("SL109", "all")]


def test_what_yaml_would_read_otherwise_is_quoted():
    view = View(highlight=("a: b", "# no", "yes", 'say "x"', "\t\\", "{a}", "plain"), keep=("x#2",))

    assert definition_text("one", "a.b:C", view) == (
        "one:\n"
        "  source: a.b:C\n"
        '  keep: ["x#2"]\n'
        '  highlight: ["a: b", "# no", "yes", "say \\"x\\"", "\\t\\\\", "{a}", plain]\n'
    )


REFUSED = [
    ("merge", "tally:LIMIT", PLAIN, UsageError, "the id 'merge' is taken"),
    ("No Id", "tally:LIMIT", PLAIN, ConfigError, "'No Id' is not an id"),
    ("limit", "tally LIMIT", PLAIN, UsageError, "'tally LIMIT' is no selector"),
    ("limit", "tally:LIMITS", PLAIN, SelectorError, "no symbol 'LIMITS'"),
    ("limit", "tally:LIMIT", View(highlight=("nothing",)), ViewError, "'nothing' is not in the snippet"),
    ("limit", "tally:Counter", View(show="skeleton", keep=("sea",)), ViewError, "`keep` names no member"),
]


@pytest.mark.parametrize(("name", "selector", "view", "error", "said"), REFUSED, ids=[r[4] for r in REFUSED])
def test_what_cannot_be_is_refused_and_nothing_is_written(root, name, selector, view, error, said):
    before = state(root)
    with pytest.raises(error) as caught:
        add(opened(root), name, selector, view)

    assert caught.value.what.startswith(said)
    assert caught.value.mend
    assert state(root) == before


def test_a_file_that_cannot_be_appended_to_is_left_and_the_text_is_given(root):
    file = root / "snippets/defaults.yaml"
    file.write_text("{counter-defaults: {source: 'tally/defaults.yaml:counter'}}\n")
    before = state(root)
    with pytest.raises(UsageError, match=r"cannot be appended to snippets/defaults.yaml") as caught:
        add(opened(root), "unit", "tally/defaults.yaml:report", PLAIN)

    assert caught.value.mend == "add it by hand: unit:\n  source: tally/defaults.yaml:report\n"
    assert state(root) == before


def test_a_text_that_would_swallow_the_definition_is_noticed(root):
    file = root / "snippets/defaults.yaml"
    file.write_text('counter-defaults:\n  source: "tally/defaults.yaml:counter"\n...\n')
    before = state(root)
    with pytest.raises(UsageError, match=r"snippets/defaults\.yaml"):
        add(opened(root), "unit", "tally/defaults.yaml:report", PLAIN)

    assert state(root) == before


def test_a_lock_of_another_pin_is_left_alone(root):
    edit(root / "pin.yaml", "2.1", "2.2")
    before = state(root)
    with pytest.raises(UsageError, match="speaks of another pin"):
        add(opened(root), "limit", "tally:LIMIT", PLAIN)

    assert state(root) == before


def test_without_a_lock_it_makes_one_for_itself_alone(root):
    (root / LOCK).unlink()
    add(opened(root), "limit", "tally:LIMIT", PLAIN)

    assert {rule for rule, _ in broken(root)} == {"SL104", "SL109"}
