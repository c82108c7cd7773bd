from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from plain import LOCK, SOURCE, copy_of, edit, opened, state
from privilege import nobody, open_folder

from snippetlock.errors import ConfigError, LockError, UsageError
from snippetlock.lock import read_lock, write_lock
from snippetlock.workflow import check, update
from snippetlock.workflow.cut import Cutter

TOOLS = Path(__file__).parents[2] / "tools"
BYTE = ("one.value + other.value", "one.value - other.value")


@pytest.fixture
def root(tmp_path):
    return copy_of(tmp_path)


def rules(root):
    return [finding.rule for finding in check(opened(root)).findings]


def test_nothing_to_do(root):
    before = state(root)
    result = update(opened(root))

    assert (result.written, result.accepted, result.dropped, result.kept) == (False, (), (), 4)
    assert state(root) == before


def test_a_first_lock_accepts_everything_and_is_the_committed_one(root):
    committed = (root / LOCK).read_bytes()
    (root / LOCK).unlink()
    result = update(opened(root))

    assert [(a.id, a.what) for a in result.accepted] == [
        ("counter", "new"),
        ("counter-defaults", "new"),
        ("counter-see", "new"),
        ("merge", "new"),
    ]
    assert (root / LOCK).read_bytes() == committed


def test_a_changed_text_is_accepted_with_its_difference_and_only_once(root):
    check(opened(root))  # as whoever accepted it had it in the cache
    edit(root / SOURCE, *BYTE)
    assert rules(root) == ["SL103"]
    result = update(opened(root))

    (accepted,) = result.accepted
    assert (accepted.id, accepted.what, accepted.where) == ("merge", "another text", "tally/_counting.py:31-33")
    assert accepted.lines[-2:] == (
        "-    return Counter(one.value + other.value)",
        "+    return Counter(one.value - other.value)",
    )
    assert result.kept == 3
    assert rules(root) == []
    assert not update(opened(root)).written


def test_moved_lines_are_accepted_as_moved(root):
    edit(root / SOURCE, "\n\nclass Counter", "\n\nSTEP = 1\n\n\nclass Counter")
    assert rules(root) == []

    moved = {accepted.id: accepted.what for accepted in update(opened(root)).accepted}
    assert moved["merge"] == "moved from tally/_counting.py:31-33, same text"
    assert not update(opened(root)).written


def test_a_file_that_changed_beside_what_is_shown_is_noted(root):
    edit(root / SOURCE, "Where counting is done.", "Where counting is done!")
    assert rules(root) == []
    result = update(opened(root))

    assert (result.accepted, result.written) == ((), True)
    assert result.notes == ("no text changed; what decides the snippets did, and the lock says so now",)


def test_another_selection_is_accepted_as_such(root):
    edit(root / "snippets/counting.yaml", "keep: [__init__, see]", "keep: [see]")
    (accepted,) = update(opened(root)).accepted

    assert accepted.what == "another selection"
    assert accepted.lines[0] == "keep: [__init__, see] was accepted, [see] is asked for"
    assert rules(root) == []


def test_what_is_no_longer_defined_is_dropped(root):
    edit(root / "snippets/counting.yaml", "\nmerge:\n  source: tally:merge\n", "")

    assert update(opened(root)).dropped == ("merge",)
    assert "merge" not in (root / LOCK).read_text()


def test_one_id_alone_leaves_the_others_as_they_were_accepted(root):
    edit(root / SOURCE, *BYTE)
    edit(root / SOURCE, "self._count += 1", "self._count += 2")
    edit(root / "snippets/counting.yaml", "self._count += 1", "self._count += 2")
    old = {entry.id: entry.digests for entry in read_lock(root / LOCK).entries}
    result = update(opened(root), ("merge",))
    new = read_lock(root / LOCK)

    assert [accepted.id for accepted in result.accepted] == ["merge"]
    assert {e.id for e in new.entries if e.digests != old[e.id]} == {"merge"}
    # The file that both are cut from changed: it must not prove the one that was not accepted.
    assert new.files == {}
    assert sorted(rules(root)) == ["SL103", "SL117"]


def test_one_id_alone_keeps_the_proof_where_the_others_still_hold(root):
    edit(root / "snippets/counting.yaml", "merge:\n  source: tally:merge", "merge:\n  source: tally:LIMIT")
    update(opened(root), ("merge",))

    assert "tally/_counting.py" in read_lock(root / LOCK).files
    assert rules(root) == []


def test_an_unknown_id_is_refused_with_the_nearest(root):
    with pytest.raises(UsageError) as caught:
        update(opened(root), ("merg",))

    assert caught.value.what == "no snippet 'merg' is defined"
    assert caught.value.mend == "did you mean 'merge'?"


BROKEN = {
    "gone": ("SL101", lambda root: edit(root / SOURCE, "def merge(", "def join(")),
    "twice": ("SL110", lambda root: (root / "snippets/z.yaml").write_text("merge:\n  source: tally:merge\n")),
    "grammar": ("SL116", lambda root: edit(root / SOURCE, "Counter(one", "Counter((one")),
    "highlight": ("SL107", lambda root: edit(root / "snippets/counting.yaml", '"self._count += 1"', '"nothing"')),
    "keep": ("SL114", lambda root: edit(root / "snippets/counting.yaml", "keep: [__init__, see]", "keep: [sea]")),
}


@pytest.mark.parametrize(("rule", "break_it"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_cut_is_found_and_nothing_is_written(root, rule, break_it):
    edit(root / "lib/tally/defaults.yaml", "step: 1", "step: 2")  # this could be accepted
    break_it(root)
    before = state(root)
    result = update(opened(root))

    assert rule in [finding.rule for finding in result.report.findings]
    assert not result.written
    assert state(root) == before


def test_one_good_id_is_accepted_beside_a_broken_one(root):
    edit(root / "lib/tally/defaults.yaml", "step: 1", "step: 2")
    edit(root / "snippets/counting.yaml", "keep: [__init__, see]", "keep: [sea]")

    assert [a.id for a in update(opened(root), ("counter-defaults",)).accepted] == ["counter-defaults"]
    assert rules(root) == ["SL114"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda root: edit(root / "pin.yaml", "2.1", "2.2"), "the lock speaks of another pin"),
        (lambda root: edit(root / LOCK, "lines: 31-33", "lines: 31-34"), "the lock was edited by hand"),
    ],
)
def test_one_id_alone_is_refused_where_the_others_cannot_stay(root, change, said):
    change(root)
    before = state(root)
    with pytest.raises(UsageError, match=said) as caught:
        update(opened(root), ("merge",))

    assert caught.value.mend == "accept all of it: snippetlock update"
    assert state(root) == before
    assert update(opened(root)).written
    assert rules(root) == []


def test_an_edited_lock_and_another_pin_are_said_when_they_are_written_over(root):
    edit(root / "pin.yaml", "2.1", "2.2")
    edit(root / LOCK, "lines: 31-33", "lines: 31-34")

    assert update(opened(root)).notes == (
        "pin: tally 2.1, a folder -> tally 2.2, a folder",
        "the lock was edited by hand; it is written anew",
    )


def test_a_lock_that_holds_both_sides_of_a_merge_is_refused(root):
    text = (root / LOCK).read_text()
    (root / LOCK).write_text(f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n")
    before = state(root)
    with pytest.raises(LockError, match="both sides of a merge"):
        update(opened(root))

    assert state(root) == before


def test_killed_at_any_point_it_leaves_the_old_lock_or_the_new(root):
    """Every touch of a file is a point to be killed at: an audit hook ends the process at the first, second, …"""
    edit(root / SOURCE, *BYTE)
    old, source = (root / LOCK).read_bytes(), state(root)
    update(opened(root))
    new = (root / LOCK).read_bytes()
    seen = set()
    for point in range(400):
        (root / LOCK).write_bytes(old)
        status = killed_at(point, root)
        left = (root / LOCK).read_bytes()
        assert left in (old, new), f"killed at {point}"
        seen.add(left)
        if status == 0:
            break
        (root / LOCK).write_bytes(old)
        assert update(opened(root)).written, f"killed at {point}"
        assert (root / LOCK).read_bytes() == new
    else:
        pytest.fail("it never came to its end")
    assert seen == {old, new}
    assert point > 10
    assert set(state(root)) == set(source), "nothing is left lying about"


def killed_at(point: int, root: Path) -> int:
    """Fork, update in the child, and end it without a word at that touch of a file; 0 when it came to its end."""
    child = os.fork()
    if child == 0:
        left = [point]

        def hook(event, arguments):
            if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "fcntl.flock"):
                if left[0] == 0:
                    os._exit(9)
                left[0] -= 1

        sys.addaudithook(hook)
        try:
            update(opened(root))
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_where_nobody_may_write_there_may_still_be_nothing_to_do():
    with open_folder() as folder:
        root = copy_of(folder)
        for path in [root, *root.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        before = state(root)
        with nobody():
            result = update(opened(root))
            assert (result.written, result.accepted, result.kept) == (False, (), 4)

        edit(root / SOURCE, *BYTE)
        changed = state(root)
        with nobody(), pytest.raises(LockError) as caught:
            update(opened(root))
        assert str(caught.value) == (
            "snippets/snippets.lock: cannot write beside the lock: Permission denied\n"
            "  mend: make the lock's folder writable"
        )
        assert (state(root), before[LOCK]) == (changed, changed[LOCK])


def test_two_updates_at_once_both_end_well(root, tmp_path):
    edit(root / SOURCE, *BYTE)
    run = [sys.executable, "-m", "snippetlock", "update"]
    environ = {**os.environ, "PYTHONPATH": str(TOOLS), "SNIPPETLOCK_CACHE": str(tmp_path / "cache")}
    both = [subprocess.Popen(run, cwd=root, env=environ, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate()[0].rpartition("accepted ")[2] for process in both)

    assert [process.returncode for process in both] == [0, 0]
    assert said == ["1 snippet, dropped 0, kept 3\n", "nothing to do: 4 snippets as accepted\n"]
    assert rules(root) == []
    assert [name for name in os.listdir(root / "snippets") if name.startswith(".")] == []


def test_a_lock_forged_with_its_checksum_is_still_found_where_lines_are_whole(root):
    from snippetlock.lock import Lock, write_lock

    lock = read_lock(root / LOCK)
    assert isinstance(lock, Lock)
    text = re.sub(r'(  merge:\n(?:    .*\n)*?    text: ").{8}', r"\g<1>00000000", (root / LOCK).read_text())
    (root / LOCK).write_text(text)
    forged = read_lock(root / LOCK)
    assert forged is not None
    write_lock(root / LOCK, forged)

    assert not read_lock(root / LOCK).edited
    assert rules(root) == ["SL103"]


def forged(root, change):
    """Write the lock with a change, and with the checksum that makes it look as the tool's own."""
    lock = read_lock(root / LOCK)
    write_lock(root / LOCK, change(lock))
    assert not read_lock(root / LOCK).edited


def without_source(lock):
    return replace(lock, files={path: digest for path, digest in lock.files.items() if "_counting.py" not in path})


def test_an_entry_whose_file_the_lock_does_not_list_is_proved_by_nothing(root):
    forged(root, without_source)
    assert rules(root) == []  # what it says is right, and was cut to be seen so
    edit(root / SOURCE, "def see(self, *things", "def see(self, lie=1, *things")
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")

    assert sorted(rules(root)) == ["SL103"] * 3


def test_an_entry_that_stays_is_written_with_where_it_is_now(root):
    old = read_lock(root / LOCK)
    edit(root / SOURCE, "\n\nclass Counter", "\n\nSTEP = 1\n\n\nclass Counter")
    result = update(opened(root), ("merge",))
    new = read_lock(root / LOCK)

    assert [accepted.id for accepted in result.accepted] == ["merge"]
    spans = {entry.id: (entry.first, entry.last) for entry in old.entries if entry.path == "tally/_counting.py"}
    assert {entry.id: (entry.first - 3, entry.last - 3) for entry in new.entries if entry.id in spans} == spans
    assert not update(opened(root)).written


def test_definitions_that_are_nowhere_are_no_clean_project(root):
    for file in (root / "snippets").glob("*.yaml"):
        file.rename(root / file.name)
    with pytest.raises(ConfigError, match="snippets: no snippet is defined in this folder") as caught:
        check(opened(root))
    assert caught.value.evidence[1:] == ("and 7 more", "snippets/snippets.lock  entries: 4")

    before = state(root)
    with pytest.raises(ConfigError, match="no snippet is defined"):
        update(opened(root))
    assert state(root) == before

    (root / LOCK).unlink()
    with pytest.raises(ConfigError, match="asks for"):
        check(opened(root))


def test_a_project_that_has_neither_definitions_nor_a_lock_nor_directives_is_clean(root):
    for path in (*(root / "snippets").iterdir(), *(root / "docs").iterdir()):
        path.unlink()
    for name in ("index.md", "index.zh.md"):
        (root / "docs" / name).write_text("# Nothing yet\n")

    assert rules(root) == []


def test_a_lock_alone_is_no_clean_project(root):
    forged(root, lambda lock: replace(lock, entries=()))
    for path in (*(root / "snippets").glob("*.yaml"), *(root / "docs").iterdir()):
        path.unlink()
    (root / "docs/index.md").write_text("# Nothing yet\n")

    with pytest.raises(ConfigError) as caught:
        check(opened(root))
    assert caught.value.mend.endswith("where there shall be none, remove the lock")


@pytest.mark.parametrize(("old", "new"), [BYTE, ("counting is done", "we count")])
def test_a_file_that_changes_between_two_cuts_is_no_proof_and_nothing_is_written(root, monkeypatch, old, new):
    edit(root / SOURCE, "self._count += 1", "self._count += 1  # more")  # so that something is to be written
    before = state(root)
    cut = Cutter.cut

    def changing(cutter, definition):
        snippet = cut(cutter, definition)
        if definition.id == "counter":
            edit(root / SOURCE, old, new)
        return snippet

    with monkeypatch.context() as patch:
        patch.setattr(Cutter, "cut", changing)
        with pytest.raises(UsageError) as caught:
            update(opened(root))
    assert str(caught.value).startswith("tally/_counting.py: it changed while snippets were cut from it")
    assert {**before, SOURCE: b""} == {**state(root), SOURCE: b""}

    assert update(opened(root)).written
    assert rules(root) == []
