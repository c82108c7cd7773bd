"""The lock file: the same back from it, every fault by its line, whole at any moment."""

import os
import re
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from snippetlock.errors import LockError
from snippetlock.lock import FORMAT, Entry, Lock, Move, dump_lock, exclusive, guard, read_lock, write_lock
from snippetlock.lock.form import parse_lock
from snippetlock.model import VIEW_KEYS, Digests, Pin, Repository, View, Written


def hexes(letter):
    return letter * 64


def entry(id, **other):
    given = {
        "selector": "pkg.mod:Thing.run",
        "view": View(),
        "path": "pkg/mod.py",
        "first": 3,
        "last": 9,
        "digests": Digests(text=hexes("0"), tokens=hexes("1"), code=hexes("2"), signature=hexes("3")),
    }
    return Entry(id=id, **(given | other))


WHEEL = Pin(name="lib", version="1.0", kind="wheel", sha256=hexes("a"))
LOCK = Lock(
    pin=WHEEL,
    files={"pkg/mod.py": hexes("b"), "pkg/mod/__init__.py": None},
    entries=(
        entry("run"),
        entry(
            "thing",
            selector="conf/x.yaml:a.0",
            view=View(
                show="skeleton",
                keep=("value@setter", "f#2"),
                docstrings="summary",
                comments="drop",
                highlight=('x: "y"\\n', "两行\nb", "\u2028\x85\x7f\ufeff😀"),
            ),
        ),
    ),
)
TEXT = dump_lock(LOCK)
GOLDEN = f"""\
# Written by `snippetlock update`, and only by it: an edit by hand is a finding.
format: 4
pin:
  name: lib
  version: "1.0"
  kind: wheel
  sha256: "{hexes("a")}"
files:
  pkg/mod.py: "{hexes("b")}"
  pkg/mod/__init__.py: null
snippets:
  run:
    source: pkg.mod:Thing.run
    show: source
    file: pkg/mod.py
    lines: 3-9
    text: "{hexes("0")}"
    tokens: "{hexes("1")}"
    code: "{hexes("2")}"
    signature: "{hexes("3")}"
  thing:
    source: conf/x.yaml:a.0
    show: skeleton
    keep: ["value@setter", "f#2"]
    docstrings: summary
    comments: drop
    highlight: ["x: \\"y\\"\\\\n", "两行\\nb", "\\u2028\\u0085\\u007f\\ufeff😀"]
    file: pkg/mod.py
    lines: 3-9
    text: "{hexes("0")}"
    tokens: "{hexes("1")}"
    code: "{hexes("2")}"
    signature: "{hexes("3")}"
"""


def test_imports_are_written_where_they_are_shown(lock_file):
    lock = Lock(pin=WHEEL, files={}, entries=(entry("run", view=View(imports=True)), entry("thing")))
    text = dump_lock(lock)

    assert text.count("    show: source\n    imports: true\n    file:") == text.count("imports") == 1
    assert read_lock(lock_file(text)).entries[0].view.imports is True
    with pytest.raises(LockError, match="imports"):
        read_lock(lock_file(text.replace("imports: true", "imports: yes")))


@pytest.fixture
def lock_file(tmp_path):
    def write(data):
        path = tmp_path / "snippets.lock"
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
        return path

    return write


def unlined(lock):
    return replace(lock, entries=tuple(replace(entry, line=0) for entry in lock.entries))


def test_the_form_is_as_reviewers_see_it():
    assert TEXT[: TEXT.index("checksum")] == GOLDEN
    assert TEXT[len(GOLDEN) :].startswith('checksum: "')
    assert TEXT.count("\n") == GOLDEN.count("\n") + 1


def test_what_is_written_is_read_back(lock_file):
    read = read_lock(lock_file(TEXT))
    assert unlined(read) == LOCK
    assert [e.line for e in read.entries] == [12, 21]
    assert TEXT.split("\n")[11].strip() == "run:"


def test_order_of_entries_and_files_does_not_matter():
    shuffled = replace(LOCK, entries=LOCK.entries[::-1], files=dict(reversed(LOCK.files.items())))
    assert dump_lock(shuffled) == TEXT


RANGES = replace(
    LOCK,
    entries=(
        entry("a", view=View(from_="def call", to='return f("\u2028")\n')),
        entry("b", view=View(show="body", match="self.kernel_for($i, $c)", count=12, comments="drop")),
        entry("c", view=View(from_="yes", match="null")),
    ),
)


def test_ranges_are_written_behind_what_is_kept_and_read_back():
    text = dump_lock(RANGES)
    assert (
        '    show: source\n    from: "def call"\n    to: "return f(\\"\\u2028\\")\\n"\n    file: pkg/mod.py\n' in text
    )
    assert '    show: body\n    match: "self.kernel_for($i, $c)"\n    count: 12\n    comments: drop\n' in text
    assert '    from: "yes"\n    match: "null"\n' in text
    read = parse_lock(text, "x.lock")
    assert ([replace(entry, line=0) for entry in read.entries], read.edited) == (list(RANGES.entries), False)


@pytest.mark.parametrize(("old", "new"), [("count: 12", "count: 0"), ("count: 12", "count: x"), ('"null"', "[1]")])
def test_a_range_that_the_tool_would_not_write_is_refused(old, new):
    with pytest.raises(LockError, match="is not what the tool writes there"):
        parse_lock(dump_lock(RANGES).replace(old, new), "x.lock")


@pytest.mark.parametrize("lock", [LOCK, RANGES, Lock(pin=WHEEL, files={}, entries=())])
def test_it_is_yaml(lock):
    data = yaml.safe_load(dump_lock(lock))
    assert list(data) == ["format", "pin", "files", "snippets", "checksum"]
    assert data["format"] == FORMAT
    assert Pin(**data["pin"]) == lock.pin
    assert data["files"] == lock.files
    for entry in lock.entries:
        fields = data["snippets"][entry.id]
        view = {VIEW_KEYS[key]: fields.pop(key) for key in VIEW_KEYS if key in fields}
        view = {key: tuple(value) if isinstance(value, list) else value for key, value in view.items()}
        assert View(**view) == entry.view
        assert Digests(**{key: fields.pop(key) for key in ("text", "tokens", "code", "signature")}) == entry.digests
        assert fields == {"source": entry.selector, "file": entry.path, "lines": f"{entry.first}-{entry.last}"}


ODD = (
    "null",
    "yes",
    "0",
    "1e5",
    "a b",
    "a: b",
    "a:",
    "a:1",
    "ключ",
    "#x",
    "a #x",
    '"',
    "-",
    "~",
    "",
    "a\\b",
    "{}",
    "a:b",
)


@pytest.mark.parametrize("word", ODD)
def test_odd_words_come_back_from_this_reader_and_from_yaml(lock_file, word):
    lock = replace(LOCK, files={word: None}, entries=(entry(word, selector=word, path=word),))
    assert unlined(read_lock(lock_file(dump_lock(lock)))) == lock
    data = yaml.safe_load(dump_lock(lock))
    assert (list(data["files"]), list(data["snippets"])) == ([word], [word])
    assert data["snippets"][word]["source"] == word


def test_a_pin_that_is_a_folder(lock_file):
    lock = replace(LOCK, pin=Pin(name="lib", version="", kind="folder", folder="/somewhere", place="pin.yaml"))
    assert "somewhere" not in dump_lock(lock)
    assert read_lock(lock_file(dump_lock(lock))).pin == Pin(name="lib", version="", kind="folder")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_that_version_control_changed_are_no_edit(lock_file, end):
    assert read_lock(lock_file(TEXT.replace("\n", end))) == read_lock(lock_file(TEXT))


@pytest.mark.parametrize("whole", [TEXT.rstrip("\n"), "\ufeff" + TEXT])
def test_what_editors_do_at_the_ends_is_no_edit(lock_file, whole):
    assert not read_lock(lock_file(whole)).edited


EDITS = {
    "a digest": (hexes("2"), hexes("4")),
    "a selector": ("pkg.mod:Thing.run", "pkg.mod:Thing.walk"),
    "lines": ("lines: 3-9", "lines: 3-10"),
    "a comment": ("pin:\n", "# mine\npin:\n"),
    "a blank line": ("pin:\n", "\npin:\n"),
    "the header": ("Written by", "Written for"),
    "quotes": ("name: lib", 'name: "lib"'),
    "the pin": ('"1.0"', '"1.1"'),
    "a file": ("null", f'"{hexes("c")}"'),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_by_hand_is_seen(lock_file, edit):
    old, new = EDITS[edit]
    assert old in TEXT
    assert read_lock(lock_file(TEXT.replace(old, new, 1))).edited
    assert not read_lock(lock_file(TEXT)).edited


def test_an_entry_taken_out_is_an_edit(lock_file):
    start, end = TEXT.index("  run:"), TEXT.index("  thing:")
    lock = read_lock(lock_file(TEXT[:start] + TEXT[end:]))
    assert (lock.edited, [e.id for e in lock.entries]) == (True, ["thing"])


RESTORE = "restore it from version control, or delete it and run `snippetlock update`"
FAULTS = {
    "a conflict": (
        ("  run:", "<<<<<<< ours\n  run:\n=======\n  run:\n>>>>>>> theirs"),
        "12: the lock holds both sides of a merge\n"
        "  mend: take either side of each conflict, then run `snippetlock update`",
    ),
    "the middle of a conflict": (
        ("  run:", "=======\n  run:"),
        "12: the lock holds both sides of a merge\n"
        "  mend: take either side of each conflict, then run `snippetlock update`",
    ),
    "another format": (
        ("format: 4", "format: 5"),
        "2: the lock has format 5, and only 4 is known here\n"
        "  mend: use the snippetlock that wrote it, or delete it and run `snippetlock update`",
    ),
    "no format": (("format: 4\n", ""), "1: the lock lacks 'format'"),
    "an entry twice": (("  thing:", "  run:"), "21: 'run' a second time: it is in line 12 already"),
    "a field twice": (
        ("    show: source", "    show: source\n    show: source"),
        "15: 'show' a second time: it is in line 14 already",
    ),
    "a file twice": (
        ("  pkg/mod/__init__.py:", "  pkg/mod.py:"),
        "10: 'pkg/mod.py' a second time: it is in line 9 already",
    ),
    "prose": (("pin:", "pin:\n  oh well"), "4: not a line of a lock: 'oh well'"),
    "a tab": (("    show: source", "\tshow: source"), "14: not a line of a lock: 'show: source'"),
    "half an indentation": (("    show: source", "   show: source"), "14: a line that is indented to nowhere"),
    "too deep": (("    show: source", "      show: source"), "14: a line that is indented to nowhere"),
    "a lack": (("    lines: 3-9\n", ""), "12: 'run' lacks 'lines'"),
    "no pin": (("pin:\n", "pen:\n"), "3: the lock has a key that means nothing: 'pen'"),
    "an unknown field": (("    show: source", "    shew: source"), "14: 'run' has a key that means nothing: 'shew'"),
    "an unknown field of the pin": (
        ("  kind: wheel", "  sort: wheel"),
        "6: 'pin' has a key that means nothing: 'sort'",
    ),
    "an unknown view": (
        ("    show: source", "    show: all"),
        "14: 'show' is not one of source, signature, skeleton, body, docstring",
    ),
    "an unknown kind of pin": (("kind: wheel", "kind: egg"), "6: 'kind' is not one of wheel, folder, git"),
    "a short digest": ((f'text: "{hexes("0")}"', 'text: "00"'), "17: 'text' is not what the tool writes there"),
    "a digest of a file": (
        (f'mod.py: "{hexes("b")}"', "mod.py: b"),
        "9: 'pkg/mod.py' is not what the tool writes there",
    ),
    "odd lines": (("lines: 3-9", "lines: 0-9"), "16: 'lines' is not what the tool writes there"),
    "lines that no file has": (
        ("lines: 3-9", f"lines: 3-{'9' * 5000}"),
        "16: 'lines' is not what the tool writes there",
    ),
    "a digest of the pin that is a path": (
        (f'sha256: "{hexes("a")}"', 'sha256: "../elsewhere"'),
        "7: 'sha256' is not what the tool writes there",
    ),
    "lines backwards": (("lines: 3-9", "lines: 9-3"), "16: the lines end before they begin"),
    "a text for a list": (('keep: ["value@setter", "f#2"]', "keep: f"), "24: 'keep' is no list of texts"),
    "a number in a list": (('["value@setter", "f#2"]', "[1]"), "24: 'keep' is no list of texts"),
    "a broken list": (('["value@setter", "f#2"]', '["f'), "24: not a value of a lock: '[\"f'"),
    "a list without end": (
        ('["value@setter", "f#2"]', "[" * 100_000),
        f"24: not a value of a lock: {'[' * 60!r}",
    ),
    "a word for lines": (("pin:\n", "pin: lib\n"), "4: a line that is indented to nowhere"),
    "a word for an entry": (("  thing:\n", "  that: x\n  thing:\n"), "21: 'that' should hold lines of its own"),
    "more after the end": (("checksum:", "checksum: x\nchecksum:"), "35: the lock goes on after its checksum"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_lock_is_refused_with_its_line(lock_file, fault):
    (old, new), message = FAULTS[fault]
    assert old in TEXT
    path = lock_file(TEXT.replace(old, new, 1))
    with pytest.raises(LockError) as caught:
        read_lock(path)
    mend = "" if "mend:" in message else f"\n  mend: {RESTORE}"
    assert str(caught.value) == f"{path.parent.name}/snippets.lock:{message}{mend}"


def test_a_lock_that_was_cut_off_anywhere_is_never_taken_for_whole(lock_file):
    for length in range(len(TEXT) - 1):
        with pytest.raises(LockError, match="mend: "):
            read_lock(lock_file(TEXT[:length]))


def test_no_file_is_no_lock_and_no_error(tmp_path):
    assert read_lock(tmp_path / "snippets.lock") is None


def test_what_is_no_text_is_refused(lock_file):
    with pytest.raises(LockError, match=r"snippets\.lock:2: not UTF-8: byte 0xff at offset 83"):
        read_lock(lock_file(TEXT.encode()[:83] + b"\xff\n"))


def test_a_folder_in_its_place_is_refused(tmp_path):
    (tmp_path / "snippets.lock").mkdir()
    for act in (read_lock, lambda path: write_lock(path, LOCK)):
        with pytest.raises(LockError, match=r"^test_a_folder.*/snippets\.lock: the lock cannot be .*: Is a directory"):
            act(tmp_path / "snippets.lock")
    assert [p.name for p in tmp_path.iterdir()] == ["snippets.lock"]


# Writing


def test_writing_makes_the_file_and_nothing_else(tmp_path):
    path = tmp_path / "snippets.lock"
    assert write_lock(path, LOCK)
    assert path.read_bytes() == TEXT.encode("utf-8")
    assert os.listdir(tmp_path) == ["snippets.lock"]


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n")])
def test_what_says_the_same_already_is_left_alone(lock_file, text):
    path = lock_file(text)
    os.utime(path, ns=(1, 1))
    assert not write_lock(path, LOCK)
    assert (path.stat().st_mtime_ns, path.read_bytes()) == (1, text.encode("utf-8"))


def test_permissions_stay_and_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.lock", tmp_path / "snippets.lock"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to("real.lock")
    assert write_lock(link, LOCK)
    assert link.is_symlink()
    assert (stat.S_IMODE(real.stat().st_mode), real.read_text(encoding="utf-8")) == (0o640, TEXT)


def test_what_a_killed_run_left_is_taken_away(tmp_path):
    (tmp_path / ".snippets.lock.tmp").write_text("half", encoding="utf-8")
    assert write_lock(tmp_path / "snippets.lock", LOCK)
    assert os.listdir(tmp_path) == ["snippets.lock"]


@pytest.mark.parametrize("call", ["open", "fchmod", "write", "fsync", "replace"])
def test_when_the_system_refuses_the_old_lock_stays(lock_file, monkeypatch, call):
    path = lock_file("old")

    def refuse(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(LockError) as caught:
            write_lock(path, LOCK)
    assert str(caught.value) == (
        f"{path.parent.name}/snippets.lock: the lock cannot be written: No space left on device\n"
        "  mend: make the file and its folder writable, and see that the disk has room"
    )
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(path.parent) == ["snippets.lock"]


def test_a_write_in_small_pieces_is_whole(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:100]))
    write_lock(tmp_path / "snippets.lock", LOCK)
    assert (tmp_path / "snippets.lock").read_bytes() == TEXT.encode("utf-8")


KILLED = """
import os, sys
from pathlib import Path
from snippetlock.lock import exclusive, read_lock, write_lock
from dataclasses import replace
path, die = Path(sys.argv[1]), int(sys.argv[2])
lock = read_lock(path)
calls = 0
def counted(call):
    def wrapped(*args, **kwargs):
        global calls
        calls += 1
        if calls == die:
            os._exit(9)
        return call(*args, **kwargs)
    return wrapped
for name in ("open", "write", "fsync", "fchmod", "close", "replace", "unlink", "fstat", "stat"):
    setattr(os, name, counted(getattr(os, name)))
with exclusive(path):
    write_lock(path, replace(lock, files={}))
os._exit(100 if calls < die else 1)
"""


def test_killed_at_any_point_the_old_lock_or_the_new_is_there_whole(lock_file):
    new = dump_lock(replace(LOCK, files={}))
    seen = []
    for die in range(1, 100):
        path = lock_file(TEXT)
        done = subprocess.run([sys.executable, "-c", KILLED, path, str(die)], env={"PYTHONPATH": _tools()})
        seen.append(path.read_text(encoding="utf-8"))
        if done.returncode == 100:
            break
        assert done.returncode == 9
        assert seen[-1] in (TEXT, new)
        with exclusive(path, wait=0):  # the killed one blocks nobody
            assert write_lock(path, replace(LOCK, entries=()))
        assert os.listdir(path.parent) == ["snippets.lock"]
    assert die > 10
    assert (seen[0], seen[-1]) == (TEXT, new)
    assert os.listdir(path.parent) == ["snippets.lock"]


def _tools():
    return str(Path(__file__).parents[2] / "tools")


# One at a time


def test_a_second_writer_waits_and_then_says_so(tmp_path):
    path = tmp_path / "snippets.lock"
    with exclusive(path), pytest.raises(LockError) as caught, exclusive(path, wait=0.1):
        pass
    assert str(caught.value) == (
        f"{tmp_path.name}/snippets.lock: another process is writing the lock, and was not done after 0.1 s\n"
        "  mend: wait for it to finish, then run this again"
    )
    with exclusive(path, wait=0):
        assert os.listdir(tmp_path) == [".snippets.lock.guard"]
    assert os.listdir(tmp_path) == []


def test_a_second_writer_gets_its_turn(tmp_path, monkeypatch):
    path, order = tmp_path / "snippets.lock", []
    refused = threading.Event()

    def between_two_tries(_):
        refused.set()
        time.sleep(0.01)

    monkeypatch.setattr(guard, "time", SimpleNamespace(sleep=between_two_tries))

    def other():
        with exclusive(path, wait=60):
            order.append("second")

    with exclusive(path):
        thread = threading.Thread(target=other)
        thread.start()
        assert refused.wait(60), "it never tried"
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_many_processes_never_lose_a_change(tmp_path):
    path = tmp_path / "snippets.lock"
    write_lock(path, Lock(pin=WHEEL, files={}, entries=()))
    code = (
        "import sys; from pathlib import Path; from dataclasses import replace\n"
        "from snippetlock.lock import exclusive, read_lock, write_lock\n"
        "path = Path(sys.argv[1])\n"
        "for i in range(10):\n"
        "    with exclusive(path, wait=30):\n"
        "        lock = read_lock(path)\n"
        "        write_lock(path, replace(lock, files={**lock.files, f'{sys.argv[2]}{i}': None}))\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, path, n], env={"PYTHONPATH": _tools()}) for n in "abc"]
    assert [run.wait() for run in runs] == [0, 0, 0]
    assert len(read_lock(path).files) == 30
    assert os.listdir(tmp_path) == ["snippets.lock"]


@pytest.mark.parametrize("call", ["open", "fstat"])
def test_a_folder_that_takes_no_file_is_said(tmp_path, monkeypatch, call):
    def refuse(*args):
        raise PermissionError(13, "Permission denied")

    said = "cannot write beside the lock: Permission denied"
    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(LockError, match=said):
            exclusive(tmp_path / "x").__enter__()


def test_a_guard_that_was_taken_away_meanwhile_is_not_held(tmp_path, monkeypatch):
    same, answers = os.path.samestat, [False]
    monkeypatch.setattr(os.path, "samestat", lambda a, b: answers.pop() if answers else same(a, b))
    with exclusive(tmp_path / "x", wait=1):
        assert answers == []


def test_a_system_without_such_locks_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with (
        pytest.raises(LockError, match="this system lacks the file locks that an update needs"),
        exclusive(tmp_path / "x"),
    ):
        pass


def test_what_fails_inside_gives_the_guard_back(tmp_path):
    with pytest.raises(ZeroDivisionError), exclusive(tmp_path / "x"):
        1 / 0  # noqa: B018
    assert os.listdir(tmp_path) == []


COMMIT = Pin(name="lib", version="", kind="git", commit="c" * 40)


@pytest.mark.parametrize("root", ["src", "packages/a b", ""])
def test_a_pin_that_is_a_commit_keeps_the_folder_that_was_read(lock_file, root):
    where = Repository(url="https://host/lib", root=root, commit=COMMIT.commit)
    text = dump_lock(replace(LOCK, pin=replace(COMMIT, repository=where)))

    assert ("\n  root: " in text, "host" in text) == (bool(root), False)
    assert yaml.safe_load(text)["pin"].get("root", "") == root
    read = read_lock(lock_file(text)).pin
    assert read == replace(COMMIT, repository=Repository(url="", root=root) if root else None)
    assert dump_lock(replace(LOCK, pin=read)) == text


def test_a_wheel_has_no_root_in_the_lock():
    pin = replace(WHEEL, repository=Repository(url="https://host/lib", root="src"))

    assert dump_lock(replace(LOCK, pin=pin)) == TEXT


MOVED = replace(
    LOCK,
    moves=(
        Move(pin=replace(COMMIT, repository=Repository(url="", root="src")), fragments={}, selectors={}),
        Move(
            pin=replace(WHEEL, version="0.9"),
            fragments={"version": "0.9\r\n", "wheel": "  # it: \u2028\n  file: x\n"},
            selectors={"run": ("pkg:run", 'pkg/x.yaml:"a b".0'), "on": ("a", "b"), "up": ("c", "d")},
            sources={"run": Written(text='"pkg\\x3a\\\n  run"'), "up": Written(text="'c'", mixed=True)},
        ),
    ),
)
MOVES = f"""\
moves:
  "1":
    name: lib
    version: ""
    kind: git
    commit: {"c" * 40}
    root: src
    sha256: ""
  "2":
    name: lib
    version: "0.9"
    kind: wheel
    sha256: "{hexes("a")}"
    file:
      version: "0.9\\r\\n"
      wheel: "  # it: \\u2028\\n  file: x\\n"
    mended:
      "on": ["a", "b"]
      run: ["pkg:run", "pkg/x.yaml:\\"a b\\".0", "\\"pkg\\\\x3a\\\\\\n  run\\""]
      up: ["c", "d", "'c'", "mixed"]
"""


def test_moves_stand_behind_the_entries_and_are_read_back(lock_file):
    text = dump_lock(MOVED)

    assert text[: text.index("checksum")] == GOLDEN + MOVES
    read = read_lock(lock_file(text))
    assert unlined(read) == MOVED
    assert not read.edited
    assert list(yaml.safe_load(text)["moves"]["2"]["mended"]) == ["on", "run", "up"]
    assert yaml.safe_load(text)["moves"]["2"]["mended"]["run"][2] == MOVED.moves[1].sources["run"].text
    assert yaml.safe_load(text)["moves"]["2"]["file"] == MOVED.moves[1].fragments


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"on": ["a", "b"]', '"on": ["a"]', "'on' is no pair of selectors"),
        ('"on": ["a", "b"]', '"on": [1, 2]', "'on' is no pair of selectors"),
        ('"on": ["a", "b"]', '"on": a', "'on' is no pair of selectors"),
        ('"on": ["a", "b"]', '"on": ["a", "b", 3]', "'on' is no pair of selectors"),
        ('"\'c\'", "mixed"]', '"\'c\'", "odd"]', "'up' is no pair of selectors and how the first was written"),
        ('"\'c\'", "mixed"]', '"\'c\'", "mixed", "x"]', "'up' is no pair of selectors and how the first was written"),
        ("    mended:", "    mender:", "'2' has a key that means nothing: 'mender'"),
        ("    file:\n", "    file: x\n", "a line that is indented to nowhere"),
        ('version: "0.9\\r\\n"', "version: null", "'version' is not what the tool writes there"),
        ("    kind: git\n", "", "'1' lacks 'kind'"),
        (f"commit: {'c' * 40}", 'commit: "HEAD\\nHEAD"', "'commit' is not what the tool writes there"),
        (
            '    root: src\n    sha256: ""',
            '    root: src\n    sha256: "/"',
            "'sha256' is not what the tool writes there",
        ),
    ],
)
def test_a_move_that_the_tool_would_not_write_is_refused(old, new, said):
    text = dump_lock(MOVED)
    assert text.count(old) == 1

    with pytest.raises(LockError, match=re.escape(said)):
        parse_lock(text.replace(old, new), "snippets.lock")


def test_a_move_taken_out_is_an_edit():
    text = dump_lock(MOVED)
    start, end = text.index('  "2":'), text.index("checksum")

    lock = parse_lock(text[:start] + text[end:], "snippets.lock")
    assert (lock.edited, len(lock.moves)) == (True, 1)
