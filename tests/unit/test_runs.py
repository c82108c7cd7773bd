"""Recorded runs: what a program of the docs said, kept with all that it depends on, shown, proven and compared."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from gitrepo import History
from plain import copy_of, edit, opened, state

from snippetlock.config.document import parse_document
from snippetlock.config.runs import parse_runs
from snippetlock.errors import ConfigError, LockError, UsageError
from snippetlock.lock.runs import Record, dump_record, parse_record
from snippetlock.references import scan
from snippetlock.source import DictTree
from snippetlock.workflow.checks import check
from snippetlock.workflow.memo import checked
from snippetlock.workflow.proof import proof

TILL = """from tally import Counter

counter = Counter()
print(counter.see("cup", "plate"), "things")
"""
FILE = "snippets/examples/shop/till.py"
RUNS = "snippets/runs.yaml"
RECORD = "snippets/runs/till.json"
DEFINED = "till:\n  example: shop\n  command: python till.py\n"
ASKED = '\n```console run="till"\n```\n'
PAGES = ("docs/guide.md", "docs/guide.zh.md")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The plain project with a program whose run both languages of a page show; nothing is recorded yet."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    folder = copy_of(tmp_path)
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(TILL)
    (folder / RUNS).write_text(DEFINED)
    for name in PAGES:
        page = folder / name
        page.write_text(page.read_text(encoding="utf-8") + ASKED, encoding="utf-8")
    return folder


@pytest.fixture
def recorded(root, run):
    """The same, recorded."""
    assert run("record", "till", cwd=root)[0] == 0
    return root


def found(root):
    return [(one.rule, str(one.place), one.message) for one in check(opened(root)).findings]


# Recording


def test_a_run_is_recorded_when_somebody_asks_for_it_and_never_before(root, run):
    assert found(root) == [("SL132", f"{RUNS}:1:1", "'till' was never recorded")]
    assert not (root / "snippets/runs").exists()

    code, said, err = run("record", "till", cwd=root)

    assert (code, said) == (0, "till: recorded\n1 run, none of them wrong\n")
    assert err == "snippetlock: till: python till.py (in snippets/examples/shop)\n"
    record = json.loads((root / RECORD).read_text())
    assert (record["command"], record["output"], record["exit"]) == ("python till.py", ["2 things"], 0)
    assert record["library"] == "tally 2.1"
    assert list(record["files"]) == [FILE]
    assert found(root) == []


def test_the_same_again_changes_no_byte(recorded, run):
    before = (recorded / RECORD).read_bytes()

    code, said, _ = run("record", "--all", cwd=recorded)

    assert (code, said.split("\n")[0]) == (0, "till: as recorded")
    assert (recorded / RECORD).read_bytes() == before


def test_what_it_says_now_is_held_against_the_record_and_nothing_is_written(recorded, run):
    assert run("record", "--check", "till", cwd=recorded)[:2] == (
        0,
        "till: says what was recorded\n1 run, none of them wrong\n",
    )
    record = parse_record((recorded / RECORD).read_text(), "")
    other = Record(**{key: getattr(record, key) for key in Record.__slots__} | {"output": "3 things"})
    (recorded / RECORD).write_text(dump_record(other))
    before = (recorded / RECORD).read_bytes()

    code, said, _ = run("record", "--check", "till", cwd=recorded)

    assert code == 1
    assert said == (
        "till: says something else than was recorded\n"
        "    --- recorded\n    +++ now\n    @@ -1 +1 @@\n    -3 things\n    +2 things\n"
        "  mend: read it, and record it anew: `snippetlock record till`; or say under `volatile` what may differ\n"
        "1 run, 1 of them wrong\n"
    )
    assert (recorded / RECORD).read_bytes() == before
    assert run("record", "till", cwd=recorded)[1].startswith("till: recorded anew\n")
    assert parse_record((recorded / RECORD).read_text(), "").output == "2 things"


def test_only_what_the_definition_says_may_differ(recorded, run):
    edit(recorded / FILE, '"things")', '"things", __import__("time").monotonic_ns(), "ns")')
    assert run("record", "till", cwd=recorded)[0] == 0
    assert run("record", "--check", "till", cwd=recorded)[0] == 1

    (recorded / RUNS).write_text(DEFINED + "  volatile: ['\\d+ ns']\n")
    before = (recorded / RECORD).read_bytes()
    assert run("record", "--check", "till", cwd=recorded)[0] == 0
    assert run("record", "till", cwd=recorded)[1].startswith("till: as recorded\n")
    assert (recorded / RECORD).read_bytes() == before

    (recorded / RUNS).write_text(DEFINED + "  volatile: ['\\d+ ms']\n")
    assert run("record", "--check", "till", cwd=recorded)[0] == 1


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("python -c 'raise SystemExit(3)'", 1, "till: ended with 3, not 0: nothing is kept of it"),
        ("python -c 'print(1); 1/0'", 1, "    ZeroDivisionError: division by zero"),
        ("pwd", 2, "names a folder of this machine"),
        ("printf 'a\\033[1mb'", 2, "has the character U+001B"),
        ("printf '\\377'", 2, "is no UTF-8 text"),
        ("sleep 30", 2, "did not end within 1 seconds"),
        ("exec >&- 2>&-; sleep 30", 2, "did not end within 1 seconds"),
        ("yes all", 2, "it says more than 1,000,000 bytes: yes all"),
        ("printf 'a\\342\\200\\213b'", 2, "has the character U+200B"),
    ],
)
def test_what_is_not_as_it_is_to_be_is_not_kept(recorded, run, command, code, said):
    before = (recorded / RECORD).read_bytes()
    (recorded / RUNS).write_text(DEFINED.replace("python till.py", command))

    got, out, err = run("record", "till", "--timeout", "1", cwd=recorded)

    assert got == code
    assert said in out + err
    assert (out + err).count("\n  mend: ") == 1  # whatever is wrong, somebody is told what to do
    assert (recorded / RECORD).read_bytes() == before


def test_a_run_that_ends_wrongly_is_mended_by_its_program_or_by_its_definition(recorded, run):
    (recorded / RUNS).write_text(DEFINED.replace("python till.py", "echo closed; exit 4"))
    code, said, _ = run("record", "till", cwd=recorded)
    assert (code, said) == (
        1,
        "till: ended with 4, not 0: nothing is kept of it\n    closed\n"
        f"  mend: mend the program, or correct its command; if it is to end so, write `exit: 4` at {RUNS}:1:1\n"
        "1 run, 1 of them wrong\n",
    )
    (recorded / RUNS).write_text(DEFINED.replace("python till.py", "echo closed; exit 4") + "  exit: 4\n")
    code, said, _ = run("record", "till", cwd=recorded)
    assert (code, "mend:" in said) == (0, False)


def test_what_there_is_no_record_of_or_an_old_one_is_to_be_recorded(root, run):
    code, said, _ = run("record", "--check", "till", cwd=root)
    assert code == 1
    assert "never recorded: nothing to compare with\n  mend: record it: `snippetlock record till`\n" in said
    assert run("record", "till", cwd=root)[0] == 0
    assert "mend:" not in run("record", "--check", "till", cwd=root)[1]
    edit(root / FILE, '"things")', '"other things")')
    code, said, _ = run("record", "--check", "till", cwd=root)
    assert (code, "\n  mend: record it anew: `snippetlock record till`\n" in said) == (1, True)


IN_ITS_PLACE = {
    "a folder": lambda file: file.mkdir(parents=True),
    "a link to nothing": lambda file: (file.parent.mkdir(), file.symlink_to("no/where")),
    "a file for its folder": lambda file: file.parent.write_text(""),
}


@pytest.mark.parametrize("make", IN_ITS_PLACE.values(), ids=IN_ITS_PLACE)
def test_a_record_that_cannot_be_written_is_said(root, run, make):
    make(root / RECORD)
    code, _, err = run("record", "till", cwd=root)
    assert code == 2
    assert f"snippetlock: {RECORD}: the record cannot be written: " in err
    assert "\n  mend: take away what stands in its place, or mend the permissions of its folder\n" in err


def test_a_run_that_is_to_fail_is_recorded_with_its_code(root, run):
    (root / RUNS).write_text(DEFINED.replace("python till.py", "echo closed; exit 4") + "  exit: 4\n")

    assert run("record", "till", cwd=root)[0] == 0
    assert json.loads((root / RECORD).read_text())["exit"] == 4
    assert found(root) == []

    (root / RUNS).write_text(DEFINED.replace("python till.py", "echo closed; exit 4"))
    assert [rule for rule, *_ in found(root)] == ["SL133"]


def test_what_is_left_running_ends_with_a_run_that_takes_too_long(root, run, tmp_path):
    (root / RUNS).write_text(DEFINED.replace("python till.py", f"(sleep 5; touch {tmp_path}/late) & sleep 30"))
    begun = time.monotonic()

    assert run("record", "till", "--timeout", "1", cwd=root)[0] == 2

    assert time.monotonic() - begun < 5
    assert not (root / RECORD).exists()


def test_what_a_run_leaves_behind_ends_with_it(root, run, tmp_path):
    (root / RUNS).write_text(
        DEFINED.replace("python till.py", f"(sleep 1; touch {tmp_path}/late) >/dev/null 2>&1 & touch {tmp_path}/begun")
    )

    assert run("record", "till", cwd=root)[0] == 0

    assert (tmp_path / "begun").exists()
    time.sleep(1.5)
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_is_run_ends_with_whoever_records_and_nothing_is_written(recorded, tmp_path, how):
    command = f"touch {tmp_path}/begun; (sleep 2; touch {tmp_path}/late) & sleep 30"
    (recorded / RUNS).write_text(DEFINED.replace("python till.py", command))
    before = state(recorded)
    process = subprocess.Popen(
        [sys.executable, "-m", "snippetlock", "record", "till"], cwd=recorded, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "begun").exists():
        time.sleep(0.05)

    process.send_signal(how)

    assert process.communicate()[1].endswith("snippetlock: interrupted\n")
    assert process.returncode == 130
    assert state(recorded) == before
    time.sleep(2.5)
    assert not (tmp_path / "late").exists()


def test_whom_no_hang_up_is_to_end_records_on(root, tmp_path):
    (root / RUNS).write_text(DEFINED.replace("python till.py", f"touch {tmp_path}/begun; sleep 1; echo done"))
    process = subprocess.Popen(["nohup", sys.executable, "-m", "snippetlock", "record", "till"], cwd=root)
    while not (tmp_path / "begun").exists():
        time.sleep(0.05)

    process.send_signal(signal.SIGHUP)

    assert process.wait() == 0
    assert json.loads((root / RECORD).read_text())["output"] == ["done"]


def test_the_wide_space_of_chinese_text_is_plain_text(root, run):
    said = "printf '\\346\\235\\257\\343\\200\\200\\347\\233\\230'"
    (root / RUNS).write_text(DEFINED.replace("python till.py", said))

    assert run("record", "till", cwd=root)[0] == 0
    assert json.loads((root / RECORD).read_text())["output"] == ["杯\u3000盘"]
    assert found(root) == []


def test_a_run_sees_no_settings_of_whoever_records(root, run, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("FORCE_COLOR", "1")
    ask = "import os; print([os.environ.get(n) for n in ('FORCE_COLOR', 'NO_COLOR', 'COLUMNS', 'LC_ALL', 'TERM')])"
    (root / RUNS).write_text(DEFINED.replace("python till.py", f'python -c "{ask}"'))

    assert run("record", "till", cwd=root)[0] == 0
    assert json.loads((root / RECORD).read_text())["output"] == ["[None, '1', '80', 'C.UTF-8', 'dumb']"]


def test_facts_are_told_by_commands_and_another_one_is_said_and_fails_nothing(root, run):
    (root / RUNS).write_text(DEFINED + "  facts: {shelf: echo oak}\n")
    assert run("record", "till", cwd=root)[0] == 0
    assert json.loads((root / RECORD).read_text())["facts"] == {"shelf": "oak"}

    (root / RUNS).write_text(DEFINED + "  facts: {shelf: echo pine}\n")
    code, said, _ = run("record", "--check", "till", cwd=root)
    assert (code, said.split("\n")[1]) == (0, "    shelf: oak was recorded, pine now")

    (root / RUNS).write_text(DEFINED + "  facts: {shelf: exit 1}\n")
    code, _, err = run("record", "till", cwd=root)
    assert code == 2
    assert err.endswith(
        "snippetlock: snippets/runs.yaml:1:1: the fact 'shelf' of 'till' cannot be told: exit 1\n    it ended with 1\n"
        "  mend: correct its command, or take it out of `facts`\n"
    )
    (root / RUNS).write_text(DEFINED + "  facts: {shelf: 'true'}\n")
    assert "    it has nothing to show in its first line\n" in run("record", "till", cwd=root)[2]


def test_what_a_machine_cannot_run_is_left_and_named_and_whoever_means_it_is_told(recorded, run):
    before = (recorded / RECORD).read_bytes()
    (recorded / RUNS).write_text(DEFINED + "  needs: exit 3\n")
    said = "till: not run: its needs are not met here\n    exit 3\n"

    assert run("record", "--all", cwd=recorded)[:2] == (0, said + "1 run, 1 not run, none of them wrong\n")
    assert run("record", "--check", "--all", cwd=recorded)[:2] == (0, said + "1 run, 1 not run, none of them wrong\n")
    mend = f"  mend: run it where that command succeeds, or correct `needs` at {RUNS}:1:1\n"
    assert run("record", "till", cwd=recorded)[:2] == (1, said + mend + "1 run, 1 not run, 1 of them wrong\n")
    assert (recorded / RECORD).read_bytes() == before
    assert found(recorded) == []

    (recorded / RUNS).write_text(DEFINED + "  needs: exit 0\n")
    assert run("record", "till", cwd=recorded)[:2] == (0, "till: as recorded\n1 run, none of them wrong\n")


def test_an_environment_comes_first_and_must_be_there(root, run):
    (root / RUNS).write_text(DEFINED + "  environment: .shop\n")
    code, _, err = run("record", "till", cwd=root)
    assert code == 2
    assert err.endswith(f"{RUNS}:1:1: there is no environment .shop\n  mend: make it first, or correct `environment`\n")

    python = root / ".shop/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho the environment\\'s own\n")
    python.chmod(0o755)
    assert run("record", "till", cwd=root)[0] == 0
    assert json.loads((root / RECORD).read_text())["output"] == ["the environment's own"]


def test_the_library_that_is_run_must_be_the_pinned_one_file_by_file(recorded, tmp_path):
    """Of a wheel, what is installed where it runs is held against it."""
    from snippetlock.source.running import environment
    from snippetlock.workflow.recording import _hold_library

    project = opened(recorded)
    fixed = {path: project.tree.read(path) for path in project.tree.paths() if not path.endswith(".pyc")}
    place = tmp_path / "env"
    for path, data in fixed.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    project.__dict__["tree"] = DictTree(fixed, identity="sha256:fixed")
    environ = environment(os.environ, None, place)

    _hold_library(project, environ)

    edit(place / "tally/_counting.py", "self._count += 1", "self._count += 2")
    with pytest.raises(UsageError, match=r"another 'tally' than the pinned one") as caught:
        _hold_library(project, environ)
    assert caught.value.evidence == ("tally/_counting.py differs from tally 2.1",)
    with pytest.raises(UsageError, match="the environment has no 'tally'"):
        _hold_library(project, environment(os.environ, None, None))


def test_a_machine_that_cannot_run_it_is_said_with_what_to_do(tmp_path):
    from snippetlock.source.running import locations
    from snippetlock.source.running import run as started

    assert started("echo 1", tmp_path, os.environ, 60).output == "1"
    for folder, environ in ((tmp_path, {"PATH": "/no/where"}), (tmp_path / "gone", os.environ)):
        with pytest.raises(UsageError, match=r"it cannot be started: No such file or directory: echo 1") as caught:
            started("echo 1", folder, environ, 60)
        assert caught.value.mend == "see that PATH leads to `sh`, and that the example's folder may be entered"

    with pytest.raises(UsageError, match="there is no Python to run with"):
        locations(["tally"], {"PATH": str(tmp_path)})
    (tmp_path / "python").write_text("#!/no/such/interpreter\n")
    with pytest.raises(UsageError, match="python of the environment does not run: Permission denied") as caught:
        locations(["tally"], {"PATH": str(tmp_path)})
    assert caught.value.mend == "make the environment anew"
    (tmp_path / "python").write_text("#!/bin/sh\necho no such option >&2; exit 2\n")
    (tmp_path / "python").chmod(0o755)
    with pytest.raises(UsageError, match="python of the environment does not run: no such option"):
        locations(["tally"], {"PATH": f"{tmp_path}:{os.environ['PATH']}"})


def pinned_by_commit(root, run):
    """Pin the library by its commit: only of a folder is it clear where a program imports it from."""
    history = History(root.parent / "repository")
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "lib").rglob("*.*")}
    commit = history.commit(files)
    pin = f"name: tally\ngit: {{commit: {commit}}}\nrepository: {{url: '{history.url}', root: lib}}\n"
    (root / "pin.yaml").write_text(pin)
    assert run("pin", "fetch", cwd=root)[0] == 0


def test_the_pinned_files_alone_can_be_an_environment(root, run):
    pinned_by_commit(root, run)
    code, _, err = run("record", "till", cwd=root)
    print(err)
    assert (code, "the environment has no 'tally'" in err, "or say `environment: pin`" in err) == (2, True, True)

    (root / RUNS).write_text(DEFINED + "  environment: pin\n")
    assert run("record", "till", cwd=root)[:2] == (0, "till: recorded\n1 run, none of them wrong\n")
    assert json.loads((root / RECORD).read_text())["output"] == ["2 things"]
    assert run("record", "--check", "till", cwd=root)[:2] == (
        0,
        "till: says what was recorded\n1 run, none of them wrong\n",
    )

    edit(root / FILE, '"plate"', '"plate", "fork"')
    code, said, _ = run("record", "--check", "till", cwd=root)
    assert (code, said.split("\n")[0]) == (1, "till: the record is stale")


def test_where_the_pinned_files_were_laid_out_is_in_no_record_and_they_are_gone_afterwards(
    root, run, tmp_path, monkeypatch
):
    pinned_by_commit(root, run)
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    (root / FILE).write_text("import tally\nprint(tally.__file__)\n")
    (root / RUNS).write_text(DEFINED + "  environment: pin\n")

    code, _, err = run("record", "till", cwd=root)
    assert (code, f"names a folder of this machine: {room}" in err) == (2, True)
    assert not (root / RECORD).exists()
    assert list(room.iterdir()) == []


def test_where_the_pinned_files_find_no_room_it_says_so(root, run, tmp_path, monkeypatch):
    pinned_by_commit(root, run)
    (root / RUNS).write_text(DEFINED + "  environment: pin\n")
    written = Path.write_bytes

    def full(self, data):
        if self.name == "_counting.py":
            raise OSError(28, "No space left on device")
        return written(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    code, _, err = run("record", "till", cwd=root)
    assert (code, err.endswith("make room in the folder for temporary files\n")) == (2, True)
    assert "tally/_counting.py: the library cannot be laid out to be imported: No space left on device" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing says which runs"),
        (("till", "--all"), "both ids and --all are given"),
        (("tills",), "no run 'tills' is defined\n  mend: did you mean 'till'?"),
    ],
)
def test_who_asks_for_nothing_that_is_there_is_told(root, run, arguments, said):
    code, _, err = run("record", *arguments, cwd=root)

    assert code == 2
    assert said in err


def test_without_runs_there_is_nothing_to_record(root, run):
    (root / RUNS).unlink()

    assert run("record", "--all", cwd=root)[2] == (
        f"snippetlock: {RUNS}: no run is defined\n  mend: write one there: `id: {{example: folder, command: …}}`\n"
    )


# Whether it still is of what is there


def stale(root):
    (finding,) = check(opened(root)).findings
    assert (finding.rule, str(finding.place)) == ("SL133", f"{RUNS}:1:1")
    assert [use.path for use in finding.uses] == list(PAGES)
    return finding.evidence


def test_a_record_is_of_its_command(recorded):
    edit(recorded / RUNS, "python till.py", "python -B till.py")

    assert stale(recorded) == ("command: `python till.py` was run, `python -B till.py` is asked for",)


def test_a_record_is_of_every_file_of_its_example_but_the_tests(recorded):
    shop = recorded / "snippets/examples/shop"
    for name in ("test_till.py", "conftest.py", "tests/more.py", "__pycache__/till.pyc", ".hidden", "x.egg-info/PKG"):
        (shop / name).parent.mkdir(exist_ok=True)
        (shop / name).write_text("")
    (recorded / "snippets/examples/other").mkdir()
    (recorded / "snippets/examples/other/a.txt").write_text("")
    assert found(recorded) == []

    (shop / "prices.txt").write_text("")
    assert stale(recorded) == ("snippets/examples/shop/prices.txt is new",)
    edit(recorded / FILE, '"plate"', '"bowl"')
    assert stale(recorded) == ("snippets/examples/shop/prices.txt is new", f"{FILE} changed")
    (recorded / FILE).unlink()
    assert stale(recorded) == ("snippets/examples/shop/prices.txt is new", f"{FILE} is gone")


def test_other_line_ends_of_an_example_are_told_from_a_change(recorded):
    file = recorded / FILE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    said = f"{FILE} has other line ends: `* text=auto eol=lf` in .gitattributes keeps them"
    assert stale(recorded) == (said,)
    file.write_bytes(file.read_bytes() + b"# more\n")
    assert stale(recorded) == (f"{FILE} changed",)


def test_a_record_is_of_the_state_of_the_library(recorded):
    file = recorded / "lib/tally/_counting.py"
    before = file.read_text()
    file.write_text(before + "\n# more\n")
    assert stale(recorded) == ("library: tally 2.1 was run, in another state",)

    file.write_text(before)
    assert found(recorded) == []

    edit(recorded / "pin.yaml", '"2.1"', '"2.2"')
    assert [rule for rule, *_ in found(recorded)] == ["SL106"]


def test_the_same_words_are_said_again_only_while_nothing_changed(recorded):
    cache = recorded.parent / "cache"
    first = checked(recorded, cache)
    assert (first.exit, checked(recorded, cache).said) == (0, first.said)
    assert first.said["text"].endswith("1 recorded run, 0 findings\n")

    kept = (recorded / RECORD).read_bytes()
    (recorded / RECORD).write_bytes(kept.replace(b"2 things", b"3 things"))
    assert checked(recorded, cache).exit == 1
    (recorded / RECORD).write_bytes(kept)
    assert checked(recorded, cache).exit == 0
    file = recorded / "lib/tally/__init__.py"
    file.write_text(file.read_text() + "\nmore = 1\n")
    assert checked(recorded, cache).exit == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("2 things", "3 things"), f"{RECORD} is not as the tool wrote it"),
        (lambda text: text.replace('"exit": 0', '"exit":  0'), f"{RECORD} is not as the tool wrote it"),
        (lambda text: text[: len(text) // 2], f"{RECORD} is no record: it is no JSON"),
        (lambda text: "[]", f"{RECORD} is no record: it has not the keys of a record"),
        (lambda text: text.replace('"format": 1', '"format": 2'), f"{RECORD} is no record: it has format 2"),
        (lambda text: text.replace('"exit": 0', '"exit": "0"'), f"{RECORD} is no record: a value in it"),
    ],
)
def test_a_record_that_the_tool_did_not_write_is_none(recorded, change, said):
    file = recorded / RECORD
    file.write_text(change(file.read_text()))

    ((rule, place, message),) = found(recorded)
    assert (rule, place) == ("SL134", f"{RUNS}:1:1")
    assert message.startswith(said)


def test_the_record_of_another_run_is_no_record_of_this_one(recorded, run):
    (recorded / RUNS).write_text(DEFINED + DEFINED.replace("till:", "close:", 1))
    (recorded / "snippets/runs/close.json").write_bytes((recorded / RECORD).read_bytes())

    assert [(rule, place) for rule, place, _ in found(recorded)] == [
        ("SL134", f"{RUNS}:4:1"),
        ("SL135", f"{RUNS}:4:1"),
    ]


def test_a_run_that_nothing_shows_and_a_record_of_no_run_are_findings(recorded):
    (recorded / "snippets/runs/old.json").write_text("{}")
    for name in PAGES:
        edit(recorded / name, ASKED, "")

    assert found(recorded) == [
        ("SL135", f"{RUNS}:1:1", "no page shows the run 'till'"),
        ("SL135", "snippets/runs/old.json", "a record of no run: nothing defines it"),
    ]


def test_a_run_of_no_example_says_which_there_are(recorded):
    edit(recorded / RUNS, "example: shop", "example: shops")

    ((rule, _, message),) = found(recorded)
    assert (rule, message) == ("SL133", "there is no example 'shops'")


def test_a_page_may_name_what_the_example_defines_whose_run_it_shows(recorded):
    edit(recorded / "pyproject.toml", 'pin = "pin.yaml"', 'pin = "pin.yaml"\nreferences = true')
    for name in PAGES:
        page = recorded / name
        page.write_text(page.read_text(encoding="utf-8") + "\n`tally_all()`\n", encoding="utf-8")
    assert [rule for rule, *_ in found(recorded)] == ["SL301", "SL301"]

    (recorded / "snippets/examples/shop/test_till.py").write_text("def tally_all():\n    pass\n")
    assert found(recorded) == []


# Pages


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ('```console run=""\n```', "the run's id is empty"),
        ('```console run="A b"\n```', "'A b' is not a run's id"),
        ("```console run\n```", "option 'run' needs the id of a run"),
        ('```console run="a" snippet="b"\n```', "a block is either a snippet or a run, not both"),
        ('```console run="a" unsourced="b"\n```', "a block is either a run or unsourced, not both"),
        ('```console run="a" title="b"\n```', "a directive takes no 'title'"),
        ('```console run="a"\n$ python\n```', "a directive must be empty: its text comes from its record"),
        ('| a |\n| - |\n| ```console run="a"``` |', "a directive in a table is never filled"),
    ],
)
def test_a_directive_that_cannot_be_filled(block, said):
    assert next(problem.message for problem in scan(f"{block}\n").problems) == said


@pytest.mark.parametrize("text", ['`subprocess.run(run="a")`', "`dry_run=True`", "``` run=x ```", '`` `run="a"` ``'])
def test_a_call_with_an_argument_of_that_name_is_no_directive(text):
    assert scan(f"See {text}.\n").problems == ()


def test_twins_show_the_same_runs(recorded):
    edit(recorded / PAGES[1], ASKED, "")

    ((rule, place, message),) = found(recorded)
    assert rule == "SL403"
    assert place.startswith(PAGES[1])
    assert 'run="till"' in message


def test_a_published_run_says_what_it_is_of_and_is_proven(root, run):
    (root / RUNS).write_text(DEFINED + "  facts: {shelf: echo oak}\n")
    assert run("record", "till", cwd=root)[0] == 0
    site = root.parent / "site"
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(root / "mkdocs.yml"), "-d", str(site)], check=True
    )
    assert proof(opened(root), site).findings == ()

    page = site / "zh/guide/index.html"
    figure = re.search(r'(?s)<figure class="snippetlock snippetlock-run".*?</figure>', page.read_text(encoding="utf-8"))
    assert figure is not None
    words = " ".join(re.sub(r"<[^>]*>", " ", figure[0]).split())
    assert words == "运行记录 · snippets/examples/shop · tally 2.1 · shelf oak $ python till.py 2 things"

    for old, new in (("2 things", "3 things"), ("shelf oak", "shelf elm")):
        edit(page, old, new)
        assert [one.rule for one in proof(opened(root), site).findings] == ["SL121"]
        edit(page, new, old)
    edit(root / FILE, '"plate"', '"bowl"')
    assert {one.rule for one in proof(opened(root), site).findings} >= {"SL133"}


def test_a_stale_run_is_not_published(recorded):
    edit(recorded / FILE, '"plate"', '"bowl"')
    site = recorded.parent / "site"

    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(recorded / "mkdocs.yml"), "-d", str(site)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode != 0
    assert "what 'till' was recorded of is no longer so" in done.stderr


# The files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Till: {example: a, command: b}", "1:1: 'Till' is not an id"),
        ("till: {example: a}", "1:7: the run 'till' has no 'command'"),
        ("till: {example: a, command: b, comand: c}", "1:32: unknown key 'comand' in the run 'till'"),
        ("till: {example: ../a, command: b}", "1:17: example is '../a', which is no folder there"),
        ("till: {example: a, command: b, environment: /usr}", "1:45: environment is '/usr', which is no folder there"),
        ('till: {example: a, command: "b\\nc"}', "1:29: command has more than one line, or a control character"),
        ("till: {example: a, command: b, volatile: ['(']}", "1:43: '(' is no regular expression"),
        ("till: {example: a, command: b, volatile: ['x*']}", "1:43: 'x*' fits nothing at all"),
        ("till: {example: a, command: b, exit: -1}", "1:38: exit is a number (-1), not a whole number from 1 on"),
        ("till: {example: a, command: b}\ntill: {example: a, command: b}", "2:1: the run 'till' stands twice"),
        ("till: {example: a, command: b, facts: {x: y, x: z}}", "facts says 'x' twice"),
    ],
)
def test_a_file_of_runs_that_cannot_be_meant(text, said):
    with pytest.raises(ConfigError) as caught:
        parse_runs(parse_document(text, "runs.yaml"))
    assert said in caught.value.headline


def test_a_file_of_runs_may_be_empty_and_says_all_that_it_says():
    assert parse_runs(parse_document("# none yet\n", "runs.yaml")) == ()
    (one,) = parse_runs(
        parse_document(
            "till: {example: a/b, command: c d, environment: .e/f, facts: {g: h}, volatile: ['i'], exit: 2, needs: j}",
            "runs.yaml",
        )
    )
    assert (one.example, one.command, one.environment, one.facts, one.volatile, one.exit, one.needs) == (
        "a/b",
        "c d",
        ".e/f",
        {"g": "h"},
        ("i",),
        2,
        "j",
    )


def test_a_record_is_read_as_it_was_written():
    record = Record(
        id="a", command="b", library="c 1", state="d", files={"e": "f"}, facts={"g": "窑"}, exit=1, output="x\n\n y"
    )

    text = dump_record(record)

    assert parse_record(text, "a.json") == record
    assert dump_record(record) == text
    assert "窑" in text
    with pytest.raises(LockError, match="it is no JSON"):
        parse_record("", "a.json")
