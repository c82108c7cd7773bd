"""Several files written together: whatever goes wrong at whatever step, all of them are old or all are new."""

import errno
import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
import upstream
from privilege import nobody, open_folder

from snippetlock.errors import LockError
from snippetlock.lock import together
from snippetlock.lock.steps import Step, digest, dump, unfinished
from snippetlock.lock.together import finish, interrupted, write_together

OLD = {"ref/pin.yaml": b"old pin\n", "snippets/a.yaml": b"old a\r\n", "snippets/snippets.lock": b"old lock\n"}
NEW = {"ref/pin.yaml": b"new pin\n", "snippets/a.yaml": b"new a\r\n\xff", "snippets/snippets.lock": b"new lock\n"}
GONE = {"snippets/gone.yaml": b"to go\n"}
FRESH = {"snippets/fresh.yaml": b"fresh\n"}
JOURNAL = Path("snippets/.snippets.journal")
CALLS = ("open", "write", "fsync", "fchmod", "replace", "unlink")


def make(root):
    for path, data in {**OLD, **GONE}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def asked(root):
    """The change: three files new, one that was not there, one that goes."""
    files = {**NEW, **FRESH, **dict.fromkeys(GONE)}
    return {root / path: data for path, data in files.items()}


def state(root):
    """`old` or `new`, else what there is; what a killed run left beside is no part of it."""
    found = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    return {repr({**OLD, **GONE}): "old", repr({**NEW, **FRESH}): "new"}.get(repr(in_order(found)), found)


def in_order(found):
    known = [*OLD, *GONE, *FRESH]
    return {path: found[path] for path in sorted(found, key=known.index)} if set(found) <= set(known) else found


def write(root):
    return write_together(asked(root), root / JOURNAL, root)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    """A disk takes its time to sync; that it is asked to is counted, and the process that is really killed asks."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "project")


def test_all_of_it_is_written_and_nothing_is_left_beside(root):
    assert state(root) == "old"

    assert write(root) == tuple(asked(root))

    assert state(root) == "new"
    assert sorted(p.name for p in (root / "snippets").iterdir()) == ["a.yaml", "fresh.yaml", "snippets.lock"]
    assert not unfinished(root / JOURNAL)


def test_what_is_so_already_is_left_alone(root):
    write(root)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}

    assert write(root) == ()

    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_paths_count_from_the_project(root):
    changed = write_together({Path("ref/pin.yaml"): b"x"}, root / JOURNAL, root)

    assert changed == (root / "ref/pin.yaml",)
    assert (root / "ref/pin.yaml").read_bytes() == b"x"


def test_modes_stay_and_links_within_the_project_are_followed(root):
    (root / "ref/pin.yaml").chmod(0o640)
    (root / "snippets/a.yaml").rename(root / "real.yaml")
    (root / "snippets/a.yaml").symlink_to("../real.yaml")

    write(root)

    assert stat.S_IMODE((root / "ref/pin.yaml").stat().st_mode) == 0o640
    assert (root / "snippets/a.yaml").is_symlink()
    assert (root / "real.yaml").read_bytes() == NEW["snippets/a.yaml"]


class Killed(BaseException):
    """What no handler of ours may catch: as if the process were gone."""


def counted(monkeypatch, at, outcome, *, after=False):
    """Let the call of that number, of all the calls that write, end in `outcome`; the calls that were made."""
    made = []

    def replaced(name, real):
        def call(*arguments, **options):
            made.append(name)
            if len(made) != at:
                return real(*arguments, **options)
            if after:
                real(*arguments, **options)
            raise outcome

        return call

    for name in CALLS:
        monkeypatch.setattr(os, name, replaced(name, getattr(os, name)))
    return made


def steps(tmp_path):
    """How many calls one change makes."""
    with pytest.MonkeyPatch.context() as patch:
        made = counted(patch, 0, None)
        write(make(tmp_path / "counted"))
    assert set(made) == set(CALLS)
    return len(made)


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_any_call_it_is_old_or_can_be_finished(after, tmp_path):
    ends = set()
    for at in range(1, steps(tmp_path) + 1):
        root = make(tmp_path / f"{at}")
        with pytest.MonkeyPatch.context() as patch:
            counted(patch, at, Killed(), after=after)
            with suppress(Killed):
                write(root)
        if unfinished(root / JOURNAL):
            finish(root / JOURNAL, root)
            assert state(root) == "new"
        assert state(root) in ("old", "new")
        assert not (root / JOURNAL).exists()
        ends.add(state(root))
        write(root)  # and whatever was left does not stand in the way
        assert state(root) == "new"
        assert sorted(p.name for p in (root / "snippets").iterdir()) == ["a.yaml", "fresh.yaml", "snippets.lock"]
    assert ends == {"old", "new"}


def test_killed_while_it_finishes_it_can_be_finished_again(tmp_path):
    def begun(name):
        root = make(tmp_path / name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(together, "_apply", lambda *_: (_ for _ in ()).throw(Killed()))
            with pytest.raises(Killed):
                write(root)
        return root

    with pytest.MonkeyPatch.context() as patch:
        root = begun("count")
        made = counted(patch, 0, None)
        assert set(finish(root / JOURNAL, root)) == set(asked(root))
    for at in range(1, len(made) + 1):
        root = begun(f"{at}")
        with pytest.MonkeyPatch.context() as patch:
            counted(patch, at, Killed())
            try:
                finish(root / JOURNAL, root)
            except Killed:
                assert unfinished(root / JOURNAL) or state(root) == "new"
        finish(root / JOURNAL, root)
        assert state(root) == "new"
        assert not unfinished(root / JOURNAL)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_call_that_fails_leaves_everything_as_it_was(number, tmp_path):
    for at in range(1, steps(tmp_path) + 1):
        root = make(tmp_path / f"{at}")
        failure = None
        with pytest.MonkeyPatch.context() as patch:
            counted(patch, at, OSError(number, os.strerror(number)))
            try:
                write(root)
            except LockError as error:
                failure = error
        if failure is None:
            assert state(root) == "new"  # a folder that cannot be synced is no failure
            continue
        assert failure.mend
        assert os.strerror(number) in failure.what
        if unfinished(root / JOURNAL):  # its end could not be said: all of it is there
            assert "the journal cannot be removed" in failure.what
            assert state(root) == "new"
            finish(root / JOURNAL, root)
        assert state(root) == ("new" if "journal" in failure.what else "old")
        assert not (root / JOURNAL).exists()
        assert not list(root.rglob("*.tmp"))


def test_what_cannot_be_taken_back_is_told_and_can_be_finished(root, monkeypatch):
    real, broken = os.replace, []

    def replace(source, target):
        if broken or Path(target).name == "a.yaml":
            broken.append(target)
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(LockError) as caught:
        write(root)
    monkeypatch.undo()

    assert str(caught.value) == (
        "snippets/a.yaml: cannot be written: Input/output error\n"
        "  and what was written before it cannot be taken back: Input/output error\n"
        "  mend: make the files writable, then run `snippetlock bump` to finish the change"
    )
    assert unfinished(root / JOURNAL)
    finish(root / JOURNAL, root)
    assert state(root) == "new"


KILLER = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = {paths!r}
from test_together import CALLS, make, write

def child(root, at):
    made = 0
    def replaced(real):
        def call(*arguments, **options):
            nonlocal made
            made += 1
            if made == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)
        return call
    for name in CALLS:
        setattr(os, name, replaced(getattr(os, name)))
    write(root)
    os._exit(0)

for at in range(1, int(sys.argv[2]) + 1):
    root = make(Path(sys.argv[1]) / f"real{{at}}")
    pid = os.fork() or child(root, at)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_a_process_that_is_really_killed(tmp_path):
    count = steps(tmp_path)
    here = Path(__file__).parent
    code = KILLER.format(paths=[str(here), str(here.parent), str(here.parent.parent / "tools")])
    done = subprocess.run([sys.executable, "-c", code, tmp_path, str(count)], capture_output=True, text=True)
    assert done.stdout.split() == ["-9"] * count, done.stderr

    ends = []
    for at in range(1, count + 1):
        root = tmp_path / f"real{at}"
        was = unfinished(root / JOURNAL)
        finish(root / JOURNAL, root)
        assert state(root) in ("old", "new")
        assert was <= (state(root) == "new")
        assert not (root / JOURNAL).exists()
        ends.append(state(root))
    assert ends == sorted(ends, key=["old", "new"].index)
    assert set(ends) == {"old", "new"}


def begun(root):
    """A change that was killed after its first file."""
    with pytest.MonkeyPatch.context() as patch:
        real, done = together._apply, []

        def apply(path, data):
            if done:
                raise Killed
            done.append(path)
            real(path, data)

        patch.setattr(together, "_apply", apply)
        with pytest.raises(Killed):
            write(root)
    return root / JOURNAL


def test_a_torn_journal_is_no_change_and_is_dropped(root):
    journal = begun(root)
    whole = journal.read_bytes()
    make(root)
    for torn in (whole[:-1], whole[:70], whole[:10], b"", b"\n", whole + b" ", whole.replace(b"ref", b"fer")):
        journal.write_bytes(torn)
        assert not unfinished(journal)
        assert finish(journal, root) == ()
        assert state(root) == "old"
        assert not journal.exists()
        journal.write_bytes(torn)
        assert write_together({Path("ref/pin.yaml"): b"x"}, journal, root)
        make(root)
    journal.write_bytes(whole)
    assert unfinished(journal)


def test_another_change_is_refused_before_the_first_is_finished(root):
    journal = begun(root)

    with pytest.raises(LockError) as caught:
        write(root)

    assert str(caught.value) == (
        "snippets/.snippets.journal: a change of the pin was interrupted\n"
        "  ref/pin.yaml  written\n"
        "  snippets/a.yaml  not written yet\n"
        "  snippets/snippets.lock  not written yet\n"
        "  snippets/fresh.yaml  not written yet\n"
        "  snippets/gone.yaml  not written yet\n"
        "  mend: run `snippetlock bump` to finish it"
    )
    assert str(caught.value) == str(interrupted(journal, root))
    assert len(finish(journal, root)) == 4
    assert state(root) == "new"


@pytest.mark.parametrize("edit", [b"edited\n", None])
def test_what_was_edited_since_is_not_written_over(edit, root):
    journal = begun(root)
    place = root / "snippets/a.yaml"
    place.write_bytes(edit) if edit else place.unlink()

    with pytest.raises(LockError) as caught:
        finish(journal, root)

    assert caught.value.what == "an interrupted change of the pin cannot be finished: a file was edited since"
    assert "snippets/a.yaml  edited since" in caught.value.evidence
    assert "and remove snippets/.snippets.journal" in caught.value.mend
    assert (root / "snippets/snippets.lock").read_bytes() == OLD["snippets/snippets.lock"]
    assert unfinished(journal)


def test_a_change_that_somebody_took_back_by_hand_is_made_again(root):
    journal = begun(root)
    (root / "ref/pin.yaml").write_bytes(OLD["ref/pin.yaml"])

    assert len(finish(journal, root)) == 5
    assert state(root) == "new"


OUTSIDE = [
    ("../out.yaml", "it is not a path within the project"),
    ("/out.yaml", "it is not a path within the project"),
    ("a/../../out.yaml", "it is not a path within the project"),
    ("a\\b.yaml", "it is not a path within the project"),
    ("", "it is not a path within the project"),
    ("a\0b.yaml", "it is not a path within the project"),
    ("\ud800.yaml", "it is not a path within the project"),
    (".git/config", "it is a file of git's"),
    ("sub/.GIT/config", "it is a file of git's"),
    (".g\u200cit/config", "it is a file of git's"),
    ("git~1/config", "it is a file of git's"),
    ("link/x.yaml", "a link leads out of the project"),
    ("inner/config", "it is a file of git's"),
]


@pytest.mark.parametrize(("name", "reason"), OUTSIDE)
def test_a_journal_that_leads_out_of_the_project_writes_nothing(name, reason, root):
    (root.parent / "elsewhere").mkdir()
    (root / "link").symlink_to("../elsewhere")
    (root / ".git").mkdir()
    (root / "inner").symlink_to(".git")
    files = [
        {"path": "ref/pin.yaml", "old": sha256(OLD["ref/pin.yaml"]).hexdigest(), "data": "bmV3"},
        {"path": name, "old": None, "data": "bmV3"},
    ]
    body = json.dumps({"format": 1, "files": files}).encode()
    journal = root / JOURNAL
    journal.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)

    with pytest.raises(LockError) as caught:
        finish(journal, root)

    assert caught.value.what == f"refused to write {name!r}: {reason}"
    assert state(root) == "old"
    assert not list((root.parent / "elsewhere").iterdir())
    assert not list((root / ".git").iterdir())


LINK = "put the file itself, or the folder, into the project in place of the link"
WROTE = "remove snippets/.snippets.journal: snippetlock wrote no such thing"


@pytest.mark.parametrize(("name", "mend"), [("../out.yaml", WROTE), ("link/x.yaml", LINK), (".git/config", WROTE)])
def test_nothing_is_begun_that_leads_out_of_the_project(name, mend, root):
    (root.parent / "elsewhere").mkdir()
    (root / "link").symlink_to("../elsewhere")

    with pytest.raises(LockError, match="refused to write") as caught:
        write_together({**asked(root), Path(name): b"x"}, root / JOURNAL, root)

    assert caught.value.mend == mend
    assert state(root) == "old"
    assert not (root / JOURNAL).exists()


BODIES = [
    (b"[]", "not a journal"),
    (b"{}", "not a journal"),
    (b'{"format": 1, "files": [{"path": 1, "old": null, "data": null}]}', "not a journal"),
    (b'{"format": 1, "files": [{"path": "a", "old": null, "data": "!"}]}', "not a journal"),
    (b"\xff", "not a journal"),
    (b'{"format": 1, "files": ' + b"[" * 100_000, "not a journal"),
    (b'{"format": 2, "files": []}', "a journal of format 2"),
]


@pytest.mark.parametrize(("body", "what"), BODIES)
def test_what_is_no_journal_of_ours_is_named(body, what, root):
    (root / JOURNAL).write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)

    with pytest.raises(LockError) as caught:
        unfinished(root / JOURNAL)

    assert (caught.value.what, caught.value.path) == (what, "snippets/.snippets.journal")
    assert caught.value.mend


def test_a_folder_where_nobody_may_write():
    with open_folder() as folder:
        root = make(folder / "project")
        for place in (root, root / "ref", root / "snippets"):
            place.chmod(0o555)
        with nobody(), pytest.raises(LockError) as caught:
            write(root)
        assert caught.value.what == "the change cannot be begun: Permission denied"
        assert state(root) == "old"


@pytest.fixture
def docs(tmp_path, repo, monkeypatch):
    """A whole project, whose pin is a repository on this machine."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history, commit = upstream.library(repo)
    return upstream.project(tmp_path / "docs", str(history.folder), commit)


def half_done(docs, *, first="pin.yaml"):
    """The definitions and the pin get a comment each, and the process dies after one of them."""
    files = {docs / name: (docs / name).read_bytes() + b"# new\n" for name in (first, "snippets/kit.yaml")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "_apply", apply_once(together._apply))
        with pytest.raises(Killed):
            write_together(files, docs / JOURNAL, docs)
    return files


def apply_once(real):
    done = []

    def apply(path, data):
        if done:
            raise Killed
        done.append(path)
        real(path, data)

    return apply


READING = [("check",), ("list",), ("show", "put"), ("drift",), ("proof", "."), ("history", "put"), ("pin",)]


@pytest.mark.parametrize("command", READING, ids=lambda command: command[0])
def test_who_reads_is_told_of_a_change_that_was_interrupted(command, docs, run):
    run("update", cwd=docs)
    before = run(*command, cwd=docs)
    run(*command, cwd=docs)  # a warm check remembers
    half_done(docs)

    code, out, err = run(*command, cwd=docs)

    assert (code, out) == (2, "")
    assert [line.strip() for line in err.strip().split("\n")] == [
        "snippetlock: snippets/.snippets.journal: a change of the pin was interrupted",
        "pin.yaml  written",
        "snippets/kit.yaml  not written yet",
        "mend: run `snippetlock bump` to finish it",
    ]
    finish(docs / JOURNAL, docs)
    assert run(*command, cwd=docs)[0] == before[0]


def test_a_build_is_told_of_it_too(docs, run):
    from markdown import markdown

    run("update", cwd=docs)
    page, extension = '```python snippet="put"\n```\n', {"snippetlock": {"root": str(docs)}}
    assert 'data-snippet="put"' in markdown(page, extensions=["snippetlock"], extension_configs=extension)
    half_done(docs)

    with pytest.raises(LockError, match="a change of the pin was interrupted"):
        markdown(page, extensions=["snippetlock"], extension_configs=extension)


@pytest.mark.parametrize("command", [("update",), ("add", "more", "kit.core:Shelf")])
def test_who_writes_finishes_it_first(command, docs, run):
    run("update", cwd=docs)
    files = half_done(docs)

    code, _, err = run(*command, cwd=docs)

    assert (code, err) == (
        0,
        "snippetlock: an interrupted change of the pin is finished now: snippets/kit.yaml written\n",
    )
    assert all(data in path.read_bytes() for path, data in files.items())
    assert not (docs / JOURNAL).exists()
    assert run("check", cwd=docs)[0] == (1 if command[0] == "add" else 0)  # no page shows what was added


@pytest.mark.parametrize(
    "command", [("update",), ("add", "more", "kit.core:Shelf"), ("fix",), ("bump", "--to", "main")]
)
def test_who_writes_sees_also_what_was_interrupted_while_it_waited(command, docs, run, monkeypatch):
    from snippetlock.workflow import project

    run("update", cwd=docs)
    half_done(docs)
    before = {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()}
    monkeypatch.setattr(project, "_settled", lambda config, writes: ())  # it was whole when the project was opened

    code, out, err = run(*command, cwd=docs)

    assert (code, out) == (2, "")
    assert "a change of the pin was interrupted\n    pin.yaml  written\n" in err
    assert {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()} == before
    finish(docs / JOURNAL, docs)
    assert run("update", cwd=docs)[0] == 0


REFUSED = [
    ("Makefile", b"all:\n\techo done\n", "no other file"),
    ("docs/guide.md", b"# Kit\n", "no other file"),
    ("pyproject.toml", b"[tool.snippetlock]\n", "no other file"),
    ("snippets/vocabulary.yaml", b"a: {reason: b}\n", "no other file"),
    ("snippets/examples/run.py", b"1\n", "no other file"),
    ("snippets/deeper/a.yaml", b"a: {source: kit:a}\n", "no other file"),
    ("snippets/.snippets.lock.guard", b"", "no other file"),
    ("snippets/kit.yaml", b"all:\n  - echo done\n", "not what belongs there: "),
    ("snippets/kit.yaml", b"\xff", "not what belongs there: "),
    ("snippets/linked.yaml", b"hooks: [evil.py]\n", "not what belongs there: "),
    ("snippets/kit.yaml", None, "takes no file away"),
    ("snippets/snippets.lock", b"{}\n", "not what belongs there: "),
    ("pin.yaml", b"name: kit\n", "not what belongs there: "),
]


@pytest.mark.parametrize("command", ["update", "fix", "check"])
@pytest.mark.parametrize(("name", "data", "reason"), REFUSED)
def test_a_journal_writes_what_a_move_writes_and_nothing_else(name, data, reason, command, docs, run):
    run("update", cwd=docs)
    (docs / "mkdocs.yml").write_text("site_name: Kit\n")
    (docs / "snippets/linked.yaml").symlink_to("../mkdocs.yml")
    path = docs / name
    old = path.read_bytes() if path.exists() else None
    (docs / JOURNAL).write_bytes(dump([Step(path=name, old=digest(old), data=data)]))

    code, out, err = run(command, cwd=docs)

    assert (code, out) == (2, "")
    assert f"snippets/.snippets.journal: refused to write {name!r}: " in err
    assert reason in err
    assert "mend: remove snippets/.snippets.journal, and see who put it there" in err
    assert (path.read_bytes() if path.exists() else None) == old
    (docs / JOURNAL).unlink()
    (docs / "snippets/linked.yaml").unlink()
    assert run(command, cwd=docs)[0] == 0


@pytest.mark.parametrize("command", [("update",), ("fix",), ("bump", "--to", "main"), ("check",)], ids=lambda c: c[0])
@pytest.mark.parametrize("name", [".snippets.journal", ".snippets.lock.guard"])
@pytest.mark.parametrize("there", [True, False])
def test_what_a_link_leads_to_is_not_written_over(name, there, command, docs, run, tmp_path):
    run("update", cwd=docs)
    mine = tmp_path / "profile"
    if there:
        mine.write_text("mine\n")
    (docs / "snippets" / name).symlink_to(mine)

    code, _, err = run(*command, cwd=docs)

    # Who only reads takes no guard, and nor does who has nothing to write.
    reads = command in (("check",), ("update",)) and name.endswith("guard")
    assert code == (0 if reads else 2)
    assert ("it is a link, to " in err) == name.endswith("journal")
    assert (mine.read_text() if mine.exists() else None) == ("mine\n" if there else None)
    (docs / "snippets" / name).unlink()
    assert run(*command, cwd=docs)[0] == 0


def test_a_torn_journal_stops_nobody(docs, run):
    run("update", cwd=docs)
    (docs / JOURNAL).write_bytes(b"torn")

    assert run("check", cwd=docs)[0] == 0
    assert (docs / JOURNAL).exists()
    assert run("update", cwd=docs)[0] == 0
    assert not (docs / JOURNAL).exists()


def test_who_reads_while_somebody_writes_waits_for_the_end(docs, run):
    import threading

    from snippetlock.lock import exclusive

    run("update", cwd=docs)
    half_done(docs)
    held, done = threading.Event(), threading.Event()

    def writer():
        with exclusive(docs / "snippets/snippets.lock"):
            held.set()
            done.wait(10)
            finish(docs / JOURNAL, docs)

    thread = threading.Thread(target=writer)
    thread.start()
    held.wait(10)
    threading.Timer(0.2, done.set).start()
    code, _, err = run("list", cwd=docs)
    thread.join()
    assert (code, err) == (0, "")
