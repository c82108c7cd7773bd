from __future__ import annotations

import json
import os
import re
import shutil

import gitrepo
import pytest
from plain import LOCK, SOURCE, copy_of, edit, opened

import snippetlock.workflow.checks
import snippetlock.workflow.project
from snippetlock.errors import ConfigError, SnippetlockError
from snippetlock.report import format_json
from snippetlock.workflow.accept import update
from snippetlock.workflow.checks import check
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.memo import checked
from snippetlock.workflow.project import open_project


@pytest.fixture
def root(tmp_path):
    return copy_of(tmp_path)


@pytest.fixture
def asked(root, monkeypatch):
    """`asked() -> (exit code, words, whether they were worked out anew)`."""
    calls = []

    def counting(project):
        calls.append(project)
        return check(project)

    monkeypatch.setattr(snippetlock.workflow.checks, "check", counting)

    def call():
        calls.clear()
        outcome = checked(root, root.parent / "cache")
        return outcome.exit, outcome.said, bool(calls)

    return call


def anew(root):
    """Exit code and words of a look that knows of no other."""
    report = check(opened(root))
    return report.exit, format_json(report)


def test_the_second_check_says_the_words_of_the_first(root, asked):
    *first, worked = asked()
    assert worked

    assert asked() == (*first, False)
    assert first[0] == 0
    assert first[1]["text"] == "4 snippets, 4 pages, 2 unsourced blocks, 0 diagrams, 0 findings\n"


def test_findings_are_said_again_in_every_form(root, asked):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    edit(root / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")
    code, said, _ = asked()
    assert code == 1
    assert [form for form in said if "SL112" in said[form] and "SL103" in said[form]] == list(said)
    assert set(said) == {"text", "color", "json", "github"}

    assert asked() == (code, said, False)


def test_a_form_that_few_ask_for_is_made_when_it_is_asked_for(root, asked):
    cache = root.parent / "cache"
    edit(root / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")
    for form in ("sarif", "junit", "markdown"):
        assert "SL112" in checked(root, cache, form=form).said[form]

    assert set(asked()[1]) == {"text", "color", "json", "github"}


CHANGES = {
    "a page": lambda root: edit(root / "docs/index.md", "Counts", "Sums"),
    "a new page": lambda root: (root / "docs/new.md").write_text("# New\n"),
    "a page gone": lambda root: (root / "docs/guide.zh.md").unlink(),
    "a page renamed": lambda root: (root / "docs/guide.zh.md").rename(root / "docs/guide2.zh.md"),
    "a page that is a link now": lambda root: (
        (root / "docs/guide.md").rename(root / "guide.md"),
        (root / "docs/guide.md").symlink_to(root / "guide.md"),
    ),
    "a definition": lambda root: edit(root / "snippets/counting.yaml", "[__init__, see]", "[see]"),
    "a comment of a definition": lambda root: edit(root / "snippets/counting.yaml", "# The", "# A"),
    "a new definitions file": lambda root: (root / "snippets/z.yaml").write_text("z:\n  source: tally:merge\n"),
    "the lock": lambda root: edit(root / LOCK, "format: 4\n", "format: 4\n\n"),
    "the lock gone": lambda root: (root / LOCK).unlink(),
    "the pin": lambda root: edit(root / "pin.yaml", "2.1", "2.2"),
    "the configuration": lambda root: edit(root / "pyproject.toml", '"en", "zh"', '"en"'),
    "a file that was consulted": lambda root: edit(root / SOURCE, "counting is done", "we count"),
    "a file that had to be absent": lambda root: (
        (root / "lib/tally/_counting").mkdir(),
        (root / "lib/tally/_counting/__init__.py").write_text("class Counter: ...\n"),
    ),
    "a file of the library that is a link out now": lambda root: (
        (root / SOURCE).rename(root / "elsewhere.py"),
        (root / SOURCE).symlink_to(root / "elsewhere.py"),
    ),
    "a file of the library gone": lambda root: (root / "lib/tally/defaults.yaml").unlink(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_input_counts(root, asked, change):
    asked()
    change(root)

    code, said, worked = asked()
    assert worked
    assert (code, said["json"]) == anew(root)


def test_definitions_below_the_others_count_too(root, asked):
    (root / "snippets/sub").mkdir()
    asked()
    assert not asked()[2]
    (root / "snippets/sub/z.yaml").write_text("z:\n  source: tally:merge\n")

    with pytest.raises(ConfigError, match=r"snippets/sub/z\.yaml: a definitions file in a sub-folder is not read"):
        asked()


def refused_or_found(ask):
    """What a check ends with: its code and words, or the error that it could not check for."""
    try:
        return ask()
    except SnippetlockError as error:
        return type(error), str(error)


def link(place, target):
    place.symlink_to(target)


def in_place_of(place, target):
    """A link to what was moved away."""
    place.rename(target)
    place.symlink_to(target)


MUTATIONS = {
    "nothing": lambda root: None,
    "a folder of pages": lambda root: (root / "docs/more").mkdir(),
    "a folder that is called as a page": lambda root: (root / "docs/more.md").mkdir(),
    "a page that is a link to nothing": lambda root: link(root / "docs/more.md", "nowhere"),
    "a page that is a link to another": lambda root: link(root / "docs/more.md", "index.md"),
    "a page that is a link out": lambda root: link(root / "docs/more.md", "../pin.yaml"),
    "pages that are linked from elsewhere": lambda root: in_place_of(root / "docs", root / "pages"),
    "no folder of pages": lambda root: (root / "docs").rename(root / "pages"),
    "a folder beside the definitions": lambda root: (root / "snippets/more").mkdir(),
    "a folder that is called as definitions": lambda root: (root / "snippets/more.yaml").mkdir(),
    "a folder that is called as odd definitions": lambda root: (root / "snippets/more.yml").mkdir(),
    "definitions with an odd name": lambda root: (root / "snippets/more.yml").write_text(""),
    "definitions that are a link to nothing": lambda root: link(root / "snippets/more.yaml", "nowhere"),
    "definitions that are a link to a folder": lambda root: link(root / "snippets/more.yaml", "../docs"),
    "definitions that are a link now": lambda root: in_place_of(root / "snippets/counting.yaml", root / "z.yaml"),
    "definitions that are no file": lambda root: os.mkfifo(root / "snippets/more.yaml"),
    "a folder of the words": lambda root: (root / "snippets/vocabulary.yaml").mkdir(),
    "no folder of definitions": lambda root: (root / "snippets").rename(root / "away"),
    "a lock that is a folder": lambda root: ((root / LOCK).unlink(), (root / LOCK).mkdir()),
    "a lock that is a link to nothing": lambda root: ((root / LOCK).unlink(), link(root / LOCK, "nowhere")),
    "the root of a checkout": lambda root: (root / "lib/src").mkdir(),
    "a root that is a link": lambda root: link(root / "lib/src", "tally"),
    "a root that is a file": lambda root: (root / "lib/src").write_text(""),
    "a package beside its module": lambda root: (
        (root / "lib/tally/_counting").mkdir(),
        (root / "lib/tally/_counting/__init__.py").write_text(""),
    ),
    "a package beside its module, a link to nothing": lambda root: (
        (root / "lib/tally/_counting").mkdir(),
        link(root / "lib/tally/_counting/__init__.py", "nowhere"),
    ),
    "a folder beside a module": lambda root: (root / "lib/tally/_counting").mkdir(),
    "a module beside its package": lambda root: (root / "lib/tally.py").write_text(""),
    "a module that is a folder": lambda root: ((root / SOURCE).unlink(), (root / SOURCE).mkdir()),
    "a module that is a link to nothing": lambda root: ((root / SOURCE).unlink(), link(root / SOURCE, "nowhere")),
    "a library that is a link": lambda root: in_place_of(root / "lib", root / "library"),
    "a package that is a link out": lambda root: in_place_of(root / "lib/tally", root / "tally"),
    "no library": lambda root: (root / "lib").rename(root / "library"),
    "a project above": lambda root: (root.parent / "pyproject.toml").write_text("[tool.snippetlock]\n"),
    "a configuration that is a folder": lambda root: (
        (root / "pyproject.toml").unlink(),
        (root / "pyproject.toml").mkdir(),
    ),
    "a pin of another name": lambda root: edit(root / "pin.yaml", "name: tally", "name: telly"),
    "a pin of another version": lambda root: edit(root / "pin.yaml", '"2.1"', '"2.2"'),
    "a pin of another folder": lambda root: edit(root / "pin.yaml", "folder: lib", "folder: docs"),
    "a pin of another root": lambda root: edit(root / "pin.yaml", "root: src", "root: tally"),
    "a pin of another repository": lambda root: edit(root / "pin.yaml", "https://host/tally", "https://host/telly"),
    "a pin with a key too many": lambda root: edit(root / "pin.yaml", "name: tally", "name: tally\ncolor: red"),
    "a pin that is a link to nothing": lambda root: ((root / "pin.yaml").unlink(), link(root / "pin.yaml", "nowhere")),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_a_warm_check_says_what_a_cold_one_does(root, mutation):
    with (root / "pin.yaml").open("a") as pin:
        pin.write("repository: {url: 'https://host/tally', root: src}\n")

    def ask(cache):
        outcome = checked(root, root.parent / cache)
        return outcome.exit, outcome.said

    assert ask("cache")[0] == 0
    mutation(root)

    assert refused_or_found(lambda: ask("cache")) == refused_or_found(lambda: ask("fresh"))


@pytest.fixture
def committed(root, repo):
    """The project, pinned to a commit of its library below `src`, and the library's repository beside it."""
    history = repo("up")
    files = {f"src/{file.relative_to(root / 'lib')}": file.read_bytes() for file in (root / "lib/tally").iterdir()}
    commit = history.commit({**files, "other/tally/__init__.py": ""})
    pin = f"name: tally\ngit: {{commit: {commit}}}\nrepository: {{url: ../up, root: src}}\n"
    (root / "pin.yaml").write_text(pin)
    update(opened(root))
    return root


COMMITTED = {
    "nothing": lambda up: None,
    "a newer commit": lambda up: up.commit({"src/tally/_counting.py": ""}),
    "no work tree": lambda up: shutil.rmtree(up.folder / "src"),
    "no repository": lambda up: shutil.rmtree(up.folder / ".git"),
    "no objects": lambda up: shutil.rmtree(up.folder / ".git/objects"),
    "no content of a file": lambda up: (
        up.folder / ".git/objects" / re.sub("^(..)", r"\1/", up.git("rev-parse", "HEAD:src/tally/_counting.py"))
    ).unlink(),
    "another repository": lambda up: (
        shutil.rmtree(up.folder),
        gitrepo.History(up.folder).commit({"src/tally/__init__.py": ""}),
    ),
}


@pytest.mark.parametrize("mutation", COMMITTED.values(), ids=COMMITTED)
def test_a_warm_check_of_a_commit_looks_that_it_is_still_there(committed, mutation, tmp_path):
    def ask(cache):
        outcome = checked(committed, tmp_path / cache)
        return outcome.exit, outcome.said

    assert ask("cache")[0] == 0
    up = gitrepo.History(tmp_path / "up")
    mutation(up)

    assert refused_or_found(lambda: ask("cache")) == refused_or_found(lambda: ask("fresh"))


def test_a_commit_that_is_still_there_is_replayed(committed, asked):
    asked()

    assert not asked()[2]


UNSEEN = {
    "a file that nothing consulted": lambda root: (root / "lib/tally/more.py").write_text("x = 1\n"),
    "a time of change": lambda root: os.utime(root / "docs/index.md", ns=(1, 1)),
    "an editor's file": lambda root: (root / "snippets/.counting.yaml.swp").write_text("x"),
}


@pytest.mark.parametrize("change", UNSEEN.values(), ids=UNSEEN)
def test_what_no_check_reads_does_not_count(root, asked, change):
    asked()
    change(root)

    assert not asked()[2]


def rules(said):
    return [finding["rule"] for finding in json.loads(said["json"])["findings"]]


def test_a_check_that_could_not_consult_a_folder_is_not_kept(root, asked):
    edit(root / "snippets/counting.yaml", "source: tally:merge", "source: tally.more:merge")
    assert rules(asked()[1]) == ["SL101"]
    (root / "lib/tally/more.py").write_text("def merge(): ...\n")

    _, said, worked = asked()
    assert worked
    assert rules(said) == ["SL117"]


def test_what_changes_while_it_is_checked_is_not_kept(root, monkeypatch):
    def changing(project):
        report = check(project)
        edit(root / "docs/index.md", "Counts what", "Sums up what")
        return report

    monkeypatch.setattr(snippetlock.workflow.checks, "check", changing)
    checked(root, root.parent / "cache")

    assert not (root.parent / "cache" / "reports").exists()


def test_a_project_that_moved_is_checked_anew(root, asked, tmp_path):
    asked()
    (tmp_path / "elsewhere").mkdir()
    moved = shutil.copytree(root, tmp_path / "elsewhere" / "plain")
    edit(moved / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")

    assert checked(moved, root.parent / "cache").exit == 1
    assert asked()[0] == 0


def test_a_nearer_project_is_another_one(root, asked, monkeypatch):
    inside = root / "docs"
    assert checked(inside, root.parent / "cache").exit == 0
    shutil.copytree(root / "snippets", inside / "snippets")
    (inside / "pyproject.toml").write_text('[tool.snippetlock]\npin = "none.yaml"\n')

    with pytest.raises(ConfigError, match="there is no pin file"):
        checked(inside, root.parent / "cache")


def test_what_could_not_be_checked_is_not_kept(root, asked):
    (root / "pin.yaml").rename(root / "away.yaml")
    with pytest.raises(ConfigError):
        asked()
    (root / "away.yaml").rename(root / "pin.yaml")

    assert asked()[0] == 0


def test_a_configuration_that_is_saved_while_it_is_read_is_not_kept(root, monkeypatch):
    def saved_behind(found, cache):
        project = open_project(found, cache)
        edit(root / "pyproject.toml", '"docs"', '"pages"')
        return project

    monkeypatch.setattr(snippetlock.workflow.project, "open_project", saved_behind)
    assert checked(root, root.parent / "cache").exit == 0
    monkeypatch.undo()

    with pytest.raises(ConfigError, match="the folder of pages cannot be read"):
        checked(root, root.parent / "cache")


def test_a_file_seen_in_two_states_is_not_kept(root, monkeypatch):
    edit(root / SOURCE, "counting is done", "we count")  # the lock proves nothing now, and everything is cut
    cut = Cutter.cut

    def changing(cutter, definition):
        snippet = cut(cutter, definition)
        if definition.id == "counter":
            edit(root / SOURCE, "def merge(one", "def merge(first")
        return snippet

    monkeypatch.setattr(Cutter, "cut", changing)
    checked(root, root.parent / "cache")
    monkeypatch.undo()

    assert not (root.parent / "cache" / "reports").exists()
    report = checked(root, root.parent / "cache")
    assert (report.exit, report.said["json"]) == anew(root)


def test_a_file_that_changes_under_the_proof_of_its_lines_is_not_kept(root, monkeypatch):
    unchanged = Cutter.unchanged

    def changing(cutter, consulted):
        held = unchanged(cutter, consulted)
        text = (root / SOURCE).read_text()
        (root / SOURCE).write_text(text.replace("counting is done", "we count"))
        return held

    monkeypatch.setattr(Cutter, "unchanged", changing)
    checked(root, root.parent / "cache")

    assert not (root.parent / "cache" / "reports").exists()
