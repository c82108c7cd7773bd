"""What a move must not do: record what nothing can read, write over what is not its own, or run out on somebody.

On the same small projects as `test_bump`.
"""

from __future__ import annotations

import json
import re

import pytest
from gitrepo import History
from jars import SAFE_IDS
from test_bump import KIT, LOCK, PAGES, docs, made, refused, released, up

__all__ = ["docs", "made", "released", "up"]  # fixtures


# What is recorded can be read


@pytest.fixture
def copy(up, tmp_path):
    """Somebody's copy of the library's repository."""
    up[0].git("clone", "--quiet", str(up[0].folder), str(tmp_path / "copy"))
    return History(tmp_path / "copy")


@pytest.mark.parametrize("way", ["option", "environment"])
@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_commit_that_only_a_copy_has_is_no_pin(docs, run, copy, monkeypatch, way, more):
    root = docs(SAFE_IDS)
    commit = copy.commit({"src/kit/new.py": "A = 1\n"}, "Only here")
    if way == "environment":
        monkeypatch.setenv("SNIPPETLOCK_UPSTREAM", str(copy.folder))
    else:
        more = (*more, "--upstream", str(copy.folder))

    err = refused(run, root, "--to", "main", *more)

    assert f"pin.yaml: {copy.folder} has commit {commit[:10]}, but where the pin is read from, " in err
    assert "mend: push the commit there first, or " in err
    assert run("check", cwd=root)[0] == 0


@pytest.mark.parametrize("served", [False, True])
def test_a_commit_that_a_copy_has_too_is_recorded_and_at_hand(docs, run, up, copy, served):
    root = docs(SAFE_IDS)
    if served:
        text = (root / "pin.yaml").read_text()
        (root / "pin.yaml").write_text(text.replace(str(up[0].folder), up[0].serve()))
        assert run("pin", "fetch", cwd=root)[0] == 0

    code, _, err = run("bump", "--to", "v1.1", "--upstream", str(copy.folder), cwd=root)

    assert (code, err) == (0, "")
    assert up[1]["1.1"] in (root / "pin.yaml").read_text()
    assert run("check", cwd=root)[0] == 0


def test_where_the_pins_own_address_cannot_be_asked_a_copy_is_not_enough(docs, run, up, copy, tmp_path):
    root = docs(SAFE_IDS)
    (root / "pin.yaml").write_text((root / "pin.yaml").read_text().replace(str(up[0].folder), up[0].serve()))
    assert run("pin", "fetch", cwd=root)[0] == 0
    commit = copy.commit({"src/kit/new.py": "A = 1\n"}, "Only here")
    hidden = up[0].folder.rename(tmp_path / "gone")
    try:
        err = refused(run, root, "--to", "main", "--upstream", str(copy.folder))
    finally:
        hidden.rename(up[0].folder)

    assert f"has commit {commit[:10]}, but where the pin is read from, {up[0].url}, it cannot be had\n" in err
    assert f"there is no repository at {up[0].url}" in err


def test_a_pinned_commit_that_is_gone_is_not_said_to_be_another_revision(docs, run):
    root = docs(SAFE_IDS)
    text = (root / "pin.yaml").read_text()
    (root / "pin.yaml").write_text(re.sub(r"commit: [0-9a-f]{40}", f"commit: {'f' * 40}", text))

    for command in ("check", "update", "pin"):
        _, out, err = run(command, cwd=root)
        assert "push the commit there, or put the pin, the definitions and the lock back from version" in out + err
    (root / "pin.yaml").write_text(text)
    assert run("check", cwd=root)[0] == 0


@pytest.mark.parametrize("address", ["path", "url"])
def test_without_git_a_pinned_commit_is_not_said_to_be_lost(docs, run, up, monkeypatch, tmp_path, address):
    root = docs(SAFE_IDS)
    if address == "url":
        (root / "pin.yaml").write_text((root / "pin.yaml").read_text().replace(str(up[0].folder), up[0].serve()))
        assert run("pin", "fetch", cwd=root)[0] == 0
    with monkeypatch.context() as less:
        less.setenv("PATH", str(tmp_path))
        code, _, err = run("check", cwd=root)
    assert (code, err) == (
        2,
        "snippetlock: pin.yaml: git is not installed\n  mend: install git, 2.32 or newer, where PATH finds it\n",
    )
    assert run("check", cwd=root)[0] == 0


# What is broken or a link is said by its own name, and at once


@pytest.mark.parametrize("command", [("bump", "--to"), ("drift", "--against")])
def test_a_wheel_that_is_none_is_named_as_it_was_given(released, run, tmp_path, command):
    root = released(SAFE_IDS)
    broken = tmp_path / "kit-5.0-py3-none-any.whl"
    broken.write_bytes(b"not a zip")

    code, _, err = run(*command, str(broken), cwd=root)

    assert code == 2
    assert f"{broken}: the wheel is not a zip archive: File is not a zip file" in err
    assert "name another: this one is cut off, or was never a wheel" in err
    assert "pin.yaml" not in err
    assert not list((tmp_path / "cache/wheels").rglob("kit-5.0*"))


@pytest.mark.parametrize("name", ["pin.yaml", "snippets/kit.yaml", LOCK])
@pytest.mark.parametrize("more", [("--to", "nowhere"), ("--to", "v1.1", "--dry-run")])
def test_a_file_that_a_link_leads_out_to_is_said_before_anything_is_asked(docs, run, tmp_path, name, more):
    root = docs(SAFE_IDS)
    (root / name).rename(tmp_path / "shared")
    (root / name).symlink_to(tmp_path / "shared")
    before = (tmp_path / "shared").read_bytes()

    err = refused(run, root, *more)

    assert f"{name}: a link leads out of the project, so it cannot be written together with the other files\n" in err
    assert f"it leads to {tmp_path / 'shared'}\n" in err
    assert "put the file itself, or the folder, into the project in place of the link" in err
    assert (tmp_path / "shared").read_bytes() == before


def test_a_link_within_the_project_is_moved_with(docs, run):
    root = docs(SAFE_IDS)
    (root / "pin.yaml").rename(root / "real.yaml")
    (root / "pin.yaml").symlink_to("real.yaml")

    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0
    assert (root / "pin.yaml").is_symlink()
    assert run("check", cwd=root)[0] == 0


def test_fix_says_at_once_that_definitions_are_elsewhere(docs, run, tmp_path):
    root = docs(SAFE_IDS)
    (root / "snippets/kit.yaml").rename(tmp_path / "shared")
    (root / "snippets/kit.yaml").symlink_to(tmp_path / "shared")

    code, out, err = run("fix", cwd=root)

    assert (code, out) == (2, "")
    assert "snippets/kit.yaml: a link leads out of the project" in err


# A definition that was pointed elsewhere


@pytest.mark.parametrize(
    ("selector", "why"),
    [
        ("kit.lids:nonsense", "name something that is defined there:"),
        ("kit.lids:seel", "did you mean 'seal#"),
        ("kit.lids:seal", "use the selector of the one you mean:"),
    ],
)
def test_a_definition_that_was_pointed_at_nothing_is_to_be_corrected_first(docs, run, selector, why):
    root = docs(("cork", "sizes"))
    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace("kit.lids:cork", selector))

    code, out, err = run("bump", "--to", "v2.0", cwd=root)

    assert (code, err) == (1, "")
    lines = [line.strip() for line in out.split("\n")]
    at = next(n for n, line in enumerate(lines) if line.startswith("- ") and selector.partition(":")[2] in line)
    assert lines[at + 1].startswith(f"- {why}")
    assert lines[at + 1][-1] in ":?"
    assert lines[at + 2].startswith("- kit/lids.py:")
    (mend,) = (line for line in lines if line.startswith("mend: "))
    assert mend.startswith("mend: correct `source` at snippets/kit.yaml:")
    assert (
        f": it says {selector}, where kit.lids:cork was accepted; or say what to quote: `--accept cork=SELECTOR`"
        in mend
    )


def test_a_definition_that_stayed_and_finds_nothing_is_not_called_wrong(docs, run):
    root = docs(("cork", "sizes"))

    for more in ((), ("--accept", "cork=kit.lids:nonsense")):
        code, out, err = run("bump", "--to", "v2.0", *more, cwd=root)
        assert (code, err) == (1, "")
        assert "mend: say what to quote instead: `--accept cork=SELECTOR`" in out


# A report


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
@pytest.mark.parametrize("name", [PAGES[0], "docs/new.md", "notes.md", "data.json", "link.md", "pin.json"])
def test_a_report_is_written_over_nobodys_file(docs, run, name, more):
    root = docs(SAFE_IDS)
    (root / "notes.md").write_text("# Mine\n")
    (root / "data.json").write_text('{"tool": "another"}\n')
    (root / "link.md").symlink_to(PAGES[1])
    (root / "pin.json").symlink_to("pin.yaml")

    err = refused(run, root, "--to", "v1.1", "--report", root / name, *more)

    assert f"--report {root / name}: " in err
    assert "  mend: name a file " in err


@pytest.mark.parametrize("end", ["md", "json"])
@pytest.mark.parametrize("begun", ["nothing", "empty", "a plan", "a failure", "settled", "a link"])
def test_a_report_is_written_over_a_report(docs, run, tmp_path, end, begun):
    root, place = docs(SAFE_IDS), tmp_path / f"r.{end}"
    if begun == "empty":
        place.write_text("")
    elif begun == "a link":
        place.symlink_to("real")
    elif begun != "nothing":
        to = {"a plan": "v1.1", "a failure": "v9.9", "settled": "pin"}[begun]
        run("bump", "--to", to, "--dry-run", "--report", place, cwd=root)
        assert place.exists()

    code, _, err = run("bump", "--to", "v1.1", "--dry-run", "--report", place, cwd=root)

    assert (code, err) == (0, "")
    said = place.read_text()
    assert said.startswith("## The pin moves: ") if end == "md" else json.loads(said)["counts"]["snippets"] == 4
    assert place.is_symlink() == (begun == "a link")


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_report_says_why_there_was_no_move(docs, run, tmp_path, more):
    root, places = docs(SAFE_IDS), [tmp_path / "r.md", tmp_path / "r.json"]
    for place in places:
        assert run("bump", "--to", "v1.1", "--dry-run", "--report", place, cwd=root)[0] == 0
        code, _, err = run("bump", "--to", "nowhere", "--report", place, *more, cwd=root)
        assert (code, "no revision 'nowhere'" in err) == (2, True)

    assert places[0].read_text().startswith("## The pin could not be moved\n\nno revision 'nowhere' in ")
    assert "\nTo mend it: " in places[0].read_text()
    found = json.loads(places[1].read_text())
    assert (found["exit"], found["error"]["message"].startswith("no revision 'nowhere'")) == (2, True)


def test_a_report_says_so_also_where_the_project_cannot_be_opened(docs, run, tmp_path):
    root, place = docs(SAFE_IDS), tmp_path / "r.md"
    assert run("bump", "--to", "v1.1", "--dry-run", "--report", place, cwd=root)[0] == 0
    (root / "pyproject.toml").write_text("[tool.snippetlock]\nnope = 1\n")

    assert run("bump", "--to", "v1.1", "--report", place, cwd=root)[0] == 2
    assert place.read_text().startswith("## The pin could not be moved\n\npyproject.toml:2:1: unknown key")


def test_a_bug_of_ours_leaves_no_report_of_another_run(docs, run, tmp_path, monkeypatch):
    root, place = docs(SAFE_IDS), tmp_path / "r.json"
    assert run("bump", "--to", "v1.1", "--dry-run", "--report", place, cwd=root)[0] == 0
    monkeypatch.setattr("snippetlock.workflow.bumping.aim", lambda *_, **__: 1 / 0)

    assert run("bump", "--to", "v1.1", "--report", place, cwd=root)[0] == 3
    assert not place.exists()


# Somebody's answers


@pytest.fixture
def walk(docs, run, monkeypatch):
    """`walk(answers, *arguments) -> (exit code, all that was said)` in committed docs; `!name` writes into a file."""
    from snippetlock.cli.console import Console

    root = docs(("sizes", "drain", "fill"))
    History(root).commit()

    def make(answers, *arguments):
        left = list(answers)

        def heard(self, question):
            while left and left[0].startswith("!"):
                name = left.pop(0)[1:]
                with (root / name).open("a") as file:
                    file.write("\nMore.\n" if name in PAGES else "\n# More.\n")
            self.print(question)
            return left.pop(0) if left else None

        monkeypatch.setattr(Console, "can_ask", lambda self: True)
        monkeypatch.setattr(Console, "ask", heard)
        code, out, err = run("bump", "--to", "v2.0", "--interactive", *arguments, cwd=root)
        return code, out + err

    make.root = root
    return make


@pytest.mark.parametrize("name", ["pin.yaml", PAGES[0]])
def test_what_is_not_committed_is_said_before_the_first_question(walk, name):
    with (walk.root / name).open("a") as file:
        file.write("\n# More\n")

    code, said = walk(["a", "a"])
    assert (code, "[a]ccept" in said) == (2, False)
    assert f"there are uncommitted changes, and the move would mix with them\n    {name}\n" in said
    assert walk(["s", "s"], "--dry-run")[0] == 1
    assert walk(["a", "a"], "--dirty")[0] == 0


def test_pages_that_are_mended_on_the_way_are_no_work_of_before(walk, run):
    code, said = walk(["a", f"!{PAGES[0]}", "a"])

    assert (code, "uncommitted" in said) == (0, False)
    assert run("check", cwd=walk.root)[0] == 0
    assert (walk.root / PAGES[0]).read_text().endswith("\nMore.\n")


def test_answers_that_came_to_nothing_can_be_given_again(walk):
    code, said = walk(["a", f"!{KIT}", "a"])
    assert (code, "there are uncommitted changes" in said) == (2, True)
    assert "to give these answers again: --accept fill drain\n" in said
    History(walk.root).commit()

    code, said = walk(["a", "s"])
    assert (code, "to give these answers again: --accept fill\n" in said) == (1, True)
    code, said = walk(["=kit:Jar.drain#1", "q"])
    assert (code, "to give these answers again: --accept 'fill=kit:Jar.drain#1'\n" in said) == (1, True)
    code, said = walk(["q"])
    assert (code, "again" in said) == (1, False)
    code, said = walk(["a", "a"])
    assert (code, "again" in said) == (0, False)


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("'vim", "'vim cannot be run: No such file or directory; set VISUAL or EDITOR to the command of an editor\n"),
        ('vim "', 'vim " cannot be run: '),
        ("no-such-editor -w", "no-such-editor cannot be run: "),
        ("", "no editor is set: set VISUAL or EDITOR\n"),
        ("false", "false ended with 1\n"),
        ("true", ""),
    ],
)
def test_an_editor_that_cannot_be_started_is_said_and_the_walk_goes_on(walk, monkeypatch, editor, said):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)

    code, heard = walk(["o", "a", "a"])

    assert (code, said in heard) == (0, True)
    assert ("cannot be run" in heard or "ended with" in heard or "no editor" in heard) == bool(said)
