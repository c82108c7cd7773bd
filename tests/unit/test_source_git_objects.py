"""Objects out of one long-lived git: any size, many at once, what is not there, and no process left."""

import gc
import os
import pickle
import signal
import subprocess

import pytest

from snippetlock.errors import RepositoryError
from snippetlock.source.objects import Entry, Info, Objects

LIMIT = 1 << 20


@pytest.fixture
def up(repo):
    history = repo()
    history.commit({"src/p/a.py": "x = 1\n", "b c.py": b"\x00\r\n", "编译/q\"uote'.py": "", "empty": ""})
    return history


@pytest.fixture
def objects(up):
    with Objects(up.folder / ".git") as reader:
        yield reader


def blob(history, data):
    return history.git("hash-object", "-w", "--stdin", feed=data)


def test_what_a_name_stands_for(up, objects):
    commit, tree = up.git("rev-parse", "HEAD"), up.git("rev-parse", "HEAD:src")
    names = ["HEAD^{commit}", "nope", tree, "HEAD:src", commit[:10], "main~5", "two words", ""]
    found = objects.check(names)
    assert [info and (info.id, info.kind) for info in found] == [
        (commit, "commit"),
        None,
        (tree, "tree"),
        (tree, "tree"),
        (commit, "commit"),
        None,
        None,
        None,
    ]
    assert objects.check([]) == []


def test_contents_in_the_order_asked(up, objects):
    ids = [blob(up, data) for data in (b"one", b"", b"three\n\0\n")]
    absent = "0" * 40
    got = list(objects.read([ids[2], absent, ids[0], ids[1], ids[2]], LIMIT))
    assert [data for _, data in got] == [b"three\n\0\n", None, b"one", b"", b"three\n\0\n"]
    assert got[0][0] == Info(ids[2], "blob", 8)
    assert got[1][0] is None
    assert list(objects.read([], LIMIT)) == []


def test_hundreds_at_once_and_large_ones_do_not_block(up, objects):
    large = os.urandom(3_000_000)
    ids = [blob(up, str(number).encode()) for number in range(70)]
    many = [*ids, *[blob(up, large)] * 5, *ids, "0" * 40, *ids]
    got = [data for _, data in objects.read(many, 1 << 22)]
    small = [str(number).encode() for number in range(70)]
    assert got == [*small, *[large] * 5, *small, None, *small]


def test_one_over_the_limit_is_not_read(up, objects):
    ids = [blob(up, b"12345"), blob(up, b"1234")]
    assert [(info.size, data) for info, data in objects.read(ids, 4)] == [(5, None), (4, b"1234")]


def test_reading_in_the_middle_of_reading(up, objects):
    ids = [blob(up, str(number).encode()) for number in range(40)]
    got = [(data, next(objects.read([ids[0]], LIMIT))[1]) for _, data in objects.read(ids, LIMIT)]
    assert got == [(str(number).encode(), b"0") for number in range(40)]


def test_a_tree_by_names(up, objects):
    top = objects.tree(up.git("rev-parse", "HEAD^{tree}"))
    assert sorted(top) == ["b c.py", "empty", "src", "编译"]
    assert top["src"] == Entry("40000", up.git("rev-parse", "HEAD:src"))
    assert objects.tree(top["编译"].id).keys() == {"q\"uote'.py"}
    assert objects.tree(up.git("rev-parse", "HEAD^{tree}")) is top


def test_names_of_64_digits(repo):
    history = repo("sha256", "--object-format=sha256")
    history.commit({"a/b.py": "x"})
    with Objects(history.folder / ".git") as objects:
        entry = objects.tree(history.git("rev-parse", "HEAD^{tree}"))["a"]
        assert objects.tree(entry.id)["b.py"].id == history.git("rev-parse", "HEAD:a/b.py")
        assert len(entry.id) == 64


def test_trees_are_kept_up_to_a_number(up, monkeypatch):
    monkeypatch.setattr("snippetlock.source.objects._TREES", 1)
    with Objects(up.folder / ".git") as objects:
        top = objects.tree(up.git("rev-parse", "HEAD^{tree}"))
        objects.tree(top["src"].id)
        assert objects.tree(up.git("rev-parse", "HEAD^{tree}")) is not top


def test_a_tree_that_is_none(up, objects):
    with pytest.raises(RepositoryError) as caught:
        objects.tree(blob(up, b"x"))
    assert str(caught.value) == (
        f"git could not read {up.folder / '.git'}\n  the tree {blob(up, b'x')} is missing\n"
        "  mend: look at the repository with `git fsck`"
    )
    with pytest.raises(RepositoryError):
        objects.tree("0" * 40)


def test_a_damaged_object_is_an_error_and_the_next_one_is_read(up, objects):
    bad, good = blob(up, os.urandom(100_000)), blob(up, b"good")
    file = up.folder / ".git" / "objects" / bad[:2] / bad[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:50_000])
    with pytest.raises(RepositoryError) as caught:
        list(objects.read([bad], LIMIT))
    assert caught.value.what == f"git could not read {up.folder / '.git'}"
    assert caught.value.evidence == (f"fatal: unable to stream {bad} to stdout",)
    assert [data for _, data in objects.read([good], LIMIT)] == [b"good"]


def test_no_repository(tmp_path):
    with pytest.raises(RepositoryError) as caught:
        Objects(tmp_path).check(["HEAD"])
    assert caught.value.what == f"{tmp_path} is not a repository"


def test_no_git(up, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError, match="git is not installed"):
        Objects(up.folder / ".git").check(["HEAD"])


def children():
    return subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    ).stdout.count("cat-file")


def test_no_process_is_left(up):
    gc.collect()
    others = children()  # of tests before this one, whatever still holds them
    with Objects(up.folder / ".git") as objects:
        list(objects.read(["HEAD"], LIMIT))
        assert children() == others + 1
        objects.check(["HEAD"])
        assert children() == others + 2
    assert children() == others
    assert objects.check(["HEAD"])[0].kind == "commit"
    del objects
    gc.collect()
    assert children() == others
    Objects(up.folder / ".git").close()


def test_an_ended_git_is_replaced(up, objects):
    head = objects.check(["HEAD"])
    objects._sizes._process.kill()
    objects._sizes._process.wait()
    with pytest.raises(RepositoryError):
        objects.check(["HEAD"])
    assert objects.check(["HEAD"]) == head


def test_a_forked_process_has_its_own(up, objects):
    head = objects.check(["HEAD"])
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, b"same" if objects.check(["HEAD"]) == head else b"other")
            objects.close()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 10) == b"same"
    os.close(read)
    os.close(write)
    assert objects.check(["HEAD"]) == head


def test_the_parents_process_is_left_alone(up, objects, monkeypatch):
    head = objects.check(["HEAD"])
    process = objects._sizes._process
    monkeypatch.setattr("snippetlock.source.objects.os.getpid", lambda: -1)
    assert objects.check(["HEAD"]) == head
    assert objects._sizes._process is not process
    assert alive(process.pid)
    os.kill(process.pid, signal.SIGKILL)  # not its own `kill`: it takes the process for another's now
    os.waitpid(process.pid, 0)


def alive(pid):
    os.kill(pid, 0)
    return True


def test_contents_are_held_a_few_at_a_time(up, objects, monkeypatch):
    monkeypatch.setattr("snippetlock.source.objects._TOGETHER", 10)
    ids = [blob(up, bytes([65 + number]) * 6) for number in range(5)]
    assert [len(objects._contents.some(ids[at:])) for at in (0, 2, 4)] == [2, 2, 1]
    assert [data for _, data in objects.read(ids, LIMIT)] == [bytes([65 + number]) * 6 for number in range(5)]


def test_large_ones_leave_the_others_as_they_are(up, objects):
    small, large = blob(up, b"small"), blob(up, b"x" * 100_000)
    got = list(objects.read([large, small, large, "0" * 40, small, large], 10))
    assert [(info and info.size, data) for info, data in got] == [
        (100_000, None),
        (5, b"small"),
        (100_000, None),
        (None, None),
        (5, b"small"),
        (100_000, None),
    ]


def test_an_interrupted_question_does_not_answer_the_next(up, objects, monkeypatch):
    ids = [blob(up, str(number).encode()) for number in range(10)]

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(objects._contents, "_content", interrupt)
        with pytest.raises(KeyboardInterrupt):
            list(objects.read(ids, LIMIT))
    assert [data for _, data in objects.read(ids[::-1], LIMIT)] == [str(number).encode() for number in range(9, -1, -1)]


def test_it_can_be_sent_to_another_process(up, objects):
    head = objects.check(["HEAD"])
    with pickle.loads(pickle.dumps(objects)) as copy:
        assert copy.check(["HEAD"]) == head


def test_a_partial_clone_of_the_users_fetches_nothing(up, tmp_path):
    up.serve()
    up.git("clone", "--quiet", "--bare", "--filter=blob:none", up.url, str(tmp_path / "part"))
    lacking, head = up.git("rev-parse", "HEAD:src/p/a.py"), up.git("rev-parse", "HEAD")
    with Objects(tmp_path / "part") as objects:
        found = objects.check([head, lacking, head, lacking])
        assert [info is None for info in found] == [False, True, False, True]
