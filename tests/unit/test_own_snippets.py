"""Snippets of the project's own examples: cut, locked, shown and held like any other; the library has none of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from plain import LOCK, copy_of, edit, opened

from snippetlock.errors import MissingFile, TreeError
from snippetlock.model import Finding, Place
from snippetlock.report.drift import untrue_claims
from snippetlock.source import DictTree
from snippetlock.source.beside import Beside, Own
from snippetlock.workflow import update
from snippetlock.workflow.checks import check
from snippetlock.workflow.drifting import Request, drift
from snippetlock.workflow.memo import checked
from snippetlock.workflow.proof import proof
from snippetlock.workflow.states import Outside, States

TILL = '''from tally import Counter


def till(*things):
    """How many things there are."""
    counter = Counter()
    return counter.see(*things)
'''
FILE = "snippets/examples/shop/till.py"
DEFINED = f"till:\n  source: {FILE}:till\n  docstrings: drop\n"
ASKED = '\n```python snippet="till"\n```\n'


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The plain project with an example that both languages of a page show, accepted."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    folder = copy_of(tmp_path)
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(TILL)
    (folder / "snippets/shop.yaml").write_text(DEFINED)
    for name in ("docs/guide.md", "docs/guide.zh.md"):
        page = folder / name
        page.write_text(page.read_text(encoding="utf-8") + ASKED, encoding="utf-8")
    update(opened(folder))
    return folder


def found(root):
    return [(one.rule, str(one.place)) for one in check(opened(root)).findings]


def test_it_is_cut_from_the_projects_own_file_and_the_lock_says_which(root):
    snippet = opened(root).snippet("till")

    assert str(snippet.span) == f"{FILE}:4-7"
    assert "Counter()" in snippet.text
    assert "How many" not in snippet.text
    assert f"  {FILE}: " in (root / LOCK).read_text()
    assert found(root) == []


def test_a_changed_example_is_not_what_was_accepted_whatever_the_library_is(root):
    edit(root / FILE, "    counter = Counter()\n", "    counter = Counter(1)\n")

    (finding,) = check(opened(root)).findings
    assert (finding.rule, str(finding.place)) == ("SL103", "snippets/shop.yaml:1:1")
    assert finding.message == f"{FILE}:4-7 is not what was accepted for 'till'"
    assert "+    counter = Counter(1)" in finding.evidence

    update(opened(root))
    assert found(root) == []


def test_what_version_control_did_to_line_ends_is_told_from_a_change(root):
    file = root / FILE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (finding,) = check(opened(root)).findings
    assert (finding.rule, finding.mend) == (
        "SL103",
        "only its line ends are others: have git leave them (`* text=auto eol=lf` in .gitattributes), "
        "or accept them: snippetlock update till",
    )
    file.write_bytes(file.read_bytes().replace(b"Counter()", b"Counter(1)"))
    (finding,) = check(opened(root)).findings
    assert finding.mend == "read it where it is shown, then accept it: snippetlock update till"


def test_a_change_beside_what_is_shown_is_none(root):
    edit(root / FILE, "How many things there are.", "How many there are.")

    assert found(root) == []


def test_an_example_that_is_not_there_is_an_unresolved_selector_with_the_nearest(root):
    (root / FILE).rename(root / "snippets/examples/shop/tills.py")

    (finding,) = check(opened(root)).findings
    assert (finding.rule, finding.message) == ("SL101", "the tree has no such file")
    assert finding.evidence == (FILE,)
    assert finding.mend == "did you mean snippets/examples/shop/tills.py?"


def test_the_same_words_are_said_again_only_while_no_example_changed(root):
    cache = root.parent / "cache"
    first = checked(root, cache)
    assert checked(root, cache).said == first.said
    assert first.exit == 0

    edit(root / FILE, "counter = Counter()", "counter = Counter(1)")
    assert checked(root, cache).exit == 1
    edit(root / FILE, "counter = Counter(1)", "counter = Counter()")
    assert checked(root, cache).exit == 0


def test_states_of_the_library_are_compared_without_it(root):
    other = root.parent / "other"
    subprocess.run(["cp", "-r", str(root / "lib"), str(other)], check=True)
    edit(other / "tally/_counting.py", "self._count += 1", "self._count += 2")
    project = opened(root)
    outside = Outside(base=root, upstream=None, environ={}, progress=None)

    report = drift(project, Request(new=str(other)), States(project, outside))

    assert {one.snippet: one.cls for one in report.drifted if one.cls != "same"} == {
        "counter": "body",
        "counter-see": "body",
    }
    assert "till" not in {one.snippet for one in report.drifted}


BROKEN = f"{FILE}:7:12"


def renamed(root, folder):
    """Another state of the library, in which a method that the example calls has another name."""
    shutil.copytree(root / "lib", folder)
    file = folder / "tally/_counting.py"
    file.write_text(file.read_text().replace("def see(", "def look("))


def test_a_state_that_has_no_more_what_an_example_does_is_said_to(root, run):
    renamed(root, root / "next")

    code, said, _ = run("drift", "--against", "./next", cwd=root)
    assert code == 1
    assert f"\n{BROKEN}  SL307 example-name\n  Counter has no 'see', at ./next\n" in said
    assert "; 1 example no longer fits; " in said.strip().rpartition("\n")[2]

    said = run("drift", "--against", "./next", "--format", "markdown", cwd=root)[1]
    assert f"\nWhat examples can no longer do:\n\n- `{BROKEN}`: Counter has no 'see', at ./next\n" in said
    assert "Claims that" not in said

    said = json.loads(run("drift", "--against", "./next", "--format", "json", cwd=root)[1])
    assert [(one["rule"], one["path"], one["line"]) for one in said["claims"]] == [("SL307", FILE, 7)]
    assert run("drift", "--against", "./next", "--fail-on", "none", cwd=root)[0] == 0


def test_a_state_in_which_an_example_still_fits_says_nothing_of_it(root, run):
    shutil.copytree(root / "lib", root / "next")
    edit(root / "next/tally/_counting.py", "self._count += 1", "self._count += 2")

    code, said, _ = run("drift", "--against", "./next", cwd=root)

    assert code == 1
    assert "example" not in said


def test_what_an_example_cannot_do_at_the_pin_either_is_no_drift(root, run):
    edit(root / FILE, "counter.see(", "counter.seen(")
    update(opened(root))
    renamed(root, root / "next")

    assert [rule for rule, _ in found(root)] == ["SL307"]
    assert "SL307" not in run("drift", "--against", "./next", cwd=root)[1]


def test_a_move_says_what_an_example_can_no_longer_do(root, run):
    renamed(root, root / "next")

    _, said, _ = run("bump", "--to", "./next", "--dry-run", cwd=root)

    assert f"{BROKEN}  SL307 example-name\n  Counter has no 'see', at " in said
    assert "; 1 example no longer fits\n" in said


def test_claims_and_examples_are_counted_apart_and_an_example_once():
    def told(*pairs):
        return untrue_claims([Finding(rule=rule, place=Place(path=path), message="") for rule, path in pairs])

    assert told(("SL311", "a.md")) == "1 claim is no longer so"
    assert told(("SL307", "a.py"), ("SL308", "a.py")) == "1 example no longer fits"
    assert told(("SL311", "a.md"), ("SL307", "a.py"), ("SL311", "b.md"), ("SL308", "b.py")) == (
        "2 claims are no longer so, 2 examples no longer fit"
    )


def test_a_move_of_the_pin_keeps_what_was_accepted_of_it(root, run):
    other = root / "next"
    shutil.copytree(root / "lib", other)
    before = (root / LOCK).read_text()
    entry = before[before.index("  till:") :].partition("checksum")[0]

    code, said, err = run("bump", "--to", "./next", "--dirty", cwd=root)

    assert (code, err) == (0, ""), said
    assert "folder: next" in (root / "pin.yaml").read_text()
    assert entry in (root / LOCK).read_text()
    assert found(root) == []


def test_a_move_accepts_nothing_of_an_example(root, run):
    shutil.copytree(root / "lib", root / "next")
    edit(root / FILE, "counter = Counter()", "counter = Counter(1)")

    code, _, err = run("bump", "--to", "./next", "--dirty", cwd=root)

    assert code == 2
    assert "pages, definitions and lock disagree" in err
    assert "SL103" in err


def test_who_asks_what_the_library_did_to_it_is_told_that_it_is_none_of_the_librarys(root, run):
    code, _, err = run("drift", "--against", "./lib", "--only", "till", cwd=root)

    assert code == 2
    assert err == (
        f"snippetlock: 'till' shows {FILE}:till, which is no file of the library\n"
        "  mend: leave it out: `snippetlock check` holds it, and what it calls of the library\n"
    )


def test_show_and_add_name_it_as_what_it_is(root, run):
    code, said, _ = run("show", "till", cwd=root)
    assert (code, said.split("\n")[0]) == (0, f"{FILE}:4-7  an example of these docs")

    code, said, _ = run("add", "till-head", f"{FILE}:till", "--show", "signature", cwd=root)
    assert code == 0
    assert said.startswith(f"{FILE}:4-7  an example of these docs\n")
    assert "added to snippets/shop.yaml" in said


def test_a_published_example_says_whose_it_is_and_its_source_view_too(root):
    site = root.parent / "site"
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(root / "mkdocs.yml"), "-d", str(site)], check=True
    )

    assert proof(opened(root), site).findings == ()
    page = (site / "zh/guide/index.html").read_text(encoding="utf-8")
    figure = next(one for one in re.findall(r"(?s)<figure.*?</figure>", page) if 'data-snippet="till"' in one)
    assert "本文档自带的示例" in figure
    assert "tally 2.1" not in figure
    view = (site / f"sources/{FILE}.html").read_text(encoding="utf-8")
    assert "an example of these docs" in view
    assert "none of the library&#x27;s own" in view
    assert 'id="licence"' not in view

    edit(site / f"sources/{FILE}.html", "How many things there are.", "How many things there were.")
    assert [one.rule for one in proof(opened(root), site).findings] == ["SL121"]


def test_a_page_may_name_what_the_example_that_it_shows_defines(root):
    edit(root / "pyproject.toml", 'pin = "pin.yaml"', 'pin = "pin.yaml"\nreferences = true')
    for name in ("docs/guide.md", "docs/guide.zh.md"):
        page = root / name
        page.write_text(page.read_text(encoding="utf-8") + "\n`tally_all()`\n", encoding="utf-8")
    assert [rule for rule, _ in found(root)] == ["SL301", "SL301"]

    (root / FILE).write_text(TILL + "\n\ndef tally_all():\n    return till()\n")

    assert found(root) == []


def test_a_program_that_lies_in_no_folder_is_an_example_of_its_own(root):
    edit(root / "pyproject.toml", 'pin = "pin.yaml"', 'pin = "pin.yaml"\nreferences = true')
    (root / "snippets/examples/alone.py").write_text("def close_early():\n    return 1\n")
    (root / "snippets/alone.yaml").write_text("alone:\n  source: snippets/examples/alone.py:close_early\n")
    for name in ("docs/guide.md", "docs/guide.zh.md"):
        page = root / name
        said = '\n```python snippet="alone"\n```\n\n`close_early()`\n'
        page.write_text(page.read_text(encoding="utf-8") + said, encoding="utf-8")
    update(opened(root))

    assert found(root) == []


def test_the_library_and_the_examples_are_one_tree_in_which_each_path_is_of_one(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/a.py").write_text("own = 1\n")
    library = DictTree({"docs/examples/a.py": b"shadowed = 1\n", "pkg/a.py": b"x = 1\n"}, "sha256:1")
    tree = Beside(library, Own(tmp_path / "own", "docs/examples/"))

    assert tree.identity is None
    assert tree.read("docs/examples/a.py") == b"own = 1\n"
    assert tree.read("pkg/a.py") == b"x = 1\n"
    assert tree.has("docs/examples/a.py")
    assert not tree.has("docs/examples/b.py")
    with pytest.raises(MissingFile, match=r"docs/examples/b\.py"):
        tree.read("docs/examples/b.py")


def test_a_link_out_of_the_examples_is_refused_by_its_path_in_the_project(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "secret.py").write_text("x = 1\n")
    (tmp_path / "own/a.py").symlink_to(tmp_path / "secret.py")

    with pytest.raises(TreeError) as caught:
        Own(tmp_path / "own", "docs/examples/").read("docs/examples/a.py")
    assert caught.value.headline == "docs/examples/a.py: refused: a link that leaves the folder"


def test_without_a_folder_of_examples_there_is_none(tmp_path):
    tree = Beside(DictTree({"pkg/a.py": b""}), Own(tmp_path / "own", "docs/examples/"))

    assert not tree.has("docs/examples/a.py")
    assert tree.paths() == ("pkg/a.py",)


def test_the_lock_of_a_wheel_proves_nothing_of_an_example(root):
    """A wheel never changes, and what it pins says nothing of a file that lies beside the docs."""
    project = opened(root)
    project.tree  # noqa: B018
    project.__dict__["tree"] = DictTree(
        {path: project.tree.read(path) for path in project.tree.paths()}, identity="sha256:fixed"
    )
    assert check(project).findings == ()

    edit(root / FILE, "counter = Counter()", "counter = Counter(1)")
    project = opened(root)
    project.__dict__["tree"] = DictTree(
        {path: project.tree.read(path) for path in project.tree.paths()}, identity="sha256:fixed"
    )
    assert [one.rule for one in check(project).findings] == ["SL103"]


def test_the_report_of_a_changed_example_names_the_pages_that_show_it(root, run):
    edit(root / FILE, "counter = Counter()", "counter = Counter(1)")

    code, said, _ = run("check", "--format", "json", cwd=root)

    assert code == 1
    assert [use["path"] for use in json.loads(said)["findings"][0]["uses"]] == ["docs/guide.md", "docs/guide.zh.md"]
