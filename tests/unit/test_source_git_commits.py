"""What commits changed: walked, and between any two."""

import subprocess

import pytest

from snippetlock.errors import RepositoryError
from snippetlock.source.commits import PathChange, blobs, diff, log
from snippetlock.source.gittree import GitTree
from snippetlock.source.opening import at_hand, open_repo

LONG = "".join(f"line {number}\n" for number in range(40))


@pytest.fixture
def up(repo):
    return repo()


@pytest.fixture
def repository(up, tmp_path):
    with open_repo(str(up.folder), tmp_path / "cache") as repository:
        yield repository


def short(changes):
    return [(change.status, change.old_path, change.path) for change in changes]


def test_one_commit_after_the_other(up, repository):
    one = up.commit({"src/p/a.py": "1", "other": "x"}, "one")
    two = up.commit({"src/p/a.py": "2", "src/p/b c\"'\\.py": "b", "src/编译.py": "c"}, "two")
    empty = up.commit({}, "")
    three = up.commit({"src/p/a.py": None}, "three")
    changes = list(log(repository, None, three))
    assert [change.commit.id for change in changes] == [one, two, empty, three]
    assert [change.commit.parents for change in changes] == [(), (one,), (two,), (empty,)]
    assert [change.commit.subject for change in changes] == ["one", "two", "", "three"]
    assert [change.commit.time for change in changes] == [1_700_000_060 + 60 * n for n in range(4)]
    assert changes[0].commit.author == "Ada"
    a1, a2 = (up.git("rev-parse", f"{commit}:src/p/a.py") for commit in (one, two))
    assert changes[0].paths == (
        PathChange(status="added", path="other", old_path="other", old=None, new=up.git("rev-parse", f"{one}:other")),
        PathChange(status="added", path="src/p/a.py", old_path="src/p/a.py", old=None, new=a1),
    )
    assert changes[1].paths[0] == PathChange(
        status="modified", path="src/p/a.py", old_path="src/p/a.py", old=a1, new=a2
    )
    assert [change.path for change in changes[1].paths[1:]] == ["src/p/b c\"'\\.py", "src/编译.py"]
    assert changes[2].paths == ()
    assert changes[3].paths == (
        PathChange(status="deleted", path="src/p/a.py", old_path="src/p/a.py", old=a2, new=None),
    )
    assert [change.commit.id for change in log(repository, one, three)] == [two, empty, three]
    assert list(log(repository, three, three)) == []


def test_paths_below_a_root(up, repository):
    up.commit({"p/a.py": "1", "docs/x": "1", "srcery/y": "1"})
    up.git("mv", "p", "src") or up.git("mv", "src", "p2")
    (up.folder / "src").mkdir()
    up.git("mv", "p2", "src/p")
    up.commit({"src/p/b.py": "2", "docs/x": "2"})
    head = up.commit({"src/p/b.py": None, "legacy/b.py": "2"})
    got = [short(change.paths) for change in log(repository, None, head, ("src",))]
    assert got == [
        [],
        [("added", "p/a.py", "p/a.py"), ("added", "p/b.py", "p/b.py")],
        [("deleted", "p/b.py", "p/b.py")],
    ]
    got = [short(change.paths) for change in log(repository, None, head, ("src", ""))]
    assert got == [
        [("added", path, path) for path in ("docs/x", "p/a.py", "srcery/y")],
        [("modified", "docs/x", "docs/x"), ("added", "p/b.py", "p/b.py")],
        [("renamed", "p/b.py", "legacy/b.py")],
    ]


def test_a_path_is_of_the_innermost_root_whichever_is_named_first(repo, tmp_path):
    history = repo("moved")
    old = history.commit({"p/a.py": "a = 1\n", "p/b.py": "b = 1\n"})
    new = history.commit({"p/a.py": None, "p/b.py": None, "src/p/a.py": "a = 1\n", "src/p/c.py": "c = 1\n"})
    with open_repo(str(history.folder), tmp_path / "cache") as found:
        for roots in (("", "src"), ("src", "")):
            changes = diff(found, old, new, roots)
            assert sorted((change.status, change.path) for change in changes) == [
                ("added", "p/c.py"),
                ("deleted", "p/b.py"),
            ]


def test_a_rename_that_changes_nothing_is_seen_on_the_way(up, repository):
    up.commit({"p/Gemm.py": LONG})
    up.git("mv", "p/Gemm.py", "p/gemm.py")
    head = up.commit({})
    up.git("mv", "p/gemm.py", "p/other.py")
    edited = up.commit({"p/other.py": LONG + "more\n"})
    blob = up.git("rev-parse", f"{head}:p/gemm.py")
    changes = list(log(repository, None, edited))
    assert changes[1].paths == (
        PathChange(status="renamed", path="p/gemm.py", old_path="p/Gemm.py", old=blob, new=blob, likeness=100),
    )
    assert short(changes[2].paths) == [("deleted", "p/gemm.py", "p/gemm.py"), ("added", "p/other.py", "p/other.py")]
    (renamed,) = diff(repository, head, edited)
    assert (renamed.status, renamed.old_path, renamed.path) == ("renamed", "p/gemm.py", "p/other.py")
    assert 50 <= renamed.likeness < 100
    assert (renamed.old, renamed.new) == (blob, up.git("rev-parse", f"{edited}:p/other.py"))


def test_a_merge_on_the_mainline_brings_all_and_beside_it_nothing(up, repository):
    base = up.commit({"a": "1"}, "base")
    up.git("checkout", "--quiet", "-b", "side")
    side = up.commit({"b": "1"}, "side")
    up.git("checkout", "--quiet", "main")
    main = up.commit({"c": "1"}, "main")
    merge = up.merge("side")
    mainline = list(log(repository, base, merge))
    assert [change.commit.id for change in mainline] == [main, merge]
    assert mainline[1].commit.parents == (main, side)
    assert short(mainline[1].paths) == [("added", "b", "b")]
    everything = list(log(repository, base, merge, mainline=False))
    assert {change.commit.id for change in everything[:2]} == {side, main}
    assert everything[2].commit.id == merge
    assert everything[2].paths == ()


def test_links_submodules_and_modes(up, repository):
    up.commit({"a": "1", "b": "2"})
    (up.folder / "a").unlink()
    (up.folder / "a").symlink_to("b")
    up.git("update-index", "--add", "--cacheinfo", f"160000,{up.git('rev-parse', 'HEAD')},sub")
    (up.folder / "b").chmod(0o755)
    up.git("add", "a", "b")
    up.git("commit", "--quiet", "--message", "two")
    two = up.git("rev-parse", "HEAD")
    changes = list(log(repository, None, two))
    assert short(changes[1].paths) == [("deleted", "a", "a")]


def test_a_shallow_clone_is_refused_at_its_end(up, tmp_path):
    up.commit({"a": "1"})
    two, three = up.commit({"a": "2"}), up.commit({"a": "3"})
    up.git("clone", "--quiet", "--depth=2", up.url, str(tmp_path / "part"))
    with open_repo(str(tmp_path / "part"), tmp_path) as part:
        assert [change.commit.id for change in log(part, two, three)] == [three]
        with pytest.raises(RepositoryError) as caught:
            list(log(part, None, three))
        assert str(caught.value) == (
            f"{tmp_path / 'part'} is a shallow clone: what came before {two[:10]} is not in it\n"
            f"  mend: run `git -C {part.git_dir.parent} fetch --unshallow`"
        )


def test_a_walk_that_nobody_finishes_leaves_no_git(up, repository):
    for number in range(5):
        head = up.commit({"a": str(number)})
    walk = log(repository, None, head)
    next(walk)
    walk.close()
    got = subprocess.run(["ps", "-ww", "-o", "args=", "-e"], capture_output=True, text=True, check=True).stdout
    assert f"--git-dir={repository.git_dir}" not in got


def test_a_walk_from_nowhere(up, repository):
    up.commit({"a": "1"})
    with pytest.raises(RepositoryError) as caught:
        list(log(repository, None, "1" * 40))
    assert str(caught.value) == (
        f"git could not read {up.folder}\n  fatal: bad object {'1' * 40}\n"
        "  mend: look at the repository with `git fsck`"
    )


def test_between_any_two(up, repository):
    one = up.commit({"src/a.py": LONG, "src/b.py": "b", "src/c.py": "c", "old/x": LONG[::-1]})
    two = up.commit({"src/a.py": None, "src/d.py": LONG + "d", "src/b.py": "bb", "old/x": None, "new/x": LONG[::-1]})
    assert short(diff(repository, one, two, ("src",))) == [
        ("modified", "b.py", "b.py"),
        ("renamed", "a.py", "d.py"),
    ]
    assert short(diff(repository, two, one, ("src",))) == [("renamed", "d.py", "a.py"), ("modified", "b.py", "b.py")]
    assert short(diff(repository, one, two)) == [
        ("renamed", "old/x", "new/x"),
        ("modified", "src/b.py", "src/b.py"),
        ("renamed", "src/a.py", "src/d.py"),
    ]
    assert diff(repository, one, one) == ()
    assert short(diff(repository, one, two, ("*",))) == []


def test_between_any_two_folders_and_but_for_those_aside(up, repository):
    one = up.commit({"p/a.py": LONG, "p/b.py": "b", "p/c.py": LONG[::-1], "tests/x": LONG})
    two = up.commit({
        **dict.fromkeys(("p/a.py", "p/b.py", "p/c.py", "tests/x")),
        **{"src/p/a.py": LONG, "src/p/b.py": "bb", "src/p/d.py": LONG[::-1] + "d", "tests/y": LONG + "y"},
    })  # fmt: skip
    top, src = GitTree(repository, one).folder_id, GitTree(repository, two, "src").folder_id

    assert short(diff(repository, top, src, aside=["tests"])) == [
        ("modified", "p/b.py", "p/b.py"),
        ("renamed", "p/c.py", "p/d.py"),
    ]
    assert ("deleted", "tests/x", "tests/x") in short(diff(repository, top, src))
    assert short(diff(repository, one, two, aside=["src", "p"])) == [("renamed", "tests/x", "tests/y")]
    assert short(diff(repository, one, two, aside=["src", "p"], renames=False)) == [
        ("deleted", "tests/x", "tests/x"),
        ("added", "tests/y", "tests/y"),
    ]


def test_a_mirror_gets_what_it_compares(up, tmp_path):
    one = up.commit({"src/a.py": LONG, "src/same.py": "s", "docs/big": "x" * 999})
    two = up.commit({"src/a.py": None, "src/d.py": LONG + "d", "docs/big": None, "docs/new": "y"})
    up.serve()
    with open_repo(up.url, tmp_path / "cache") as mirror:
        assert short(diff(mirror, one, two, ("src",))) == [("renamed", "a.py", "d.py")]
        same, big = (up.git("rev-parse", f"{one}:{path}") for path in ("src/same.py", "docs/big"))
        assert mirror.objects.check([same, big]) == [None, None]
        assert [len(change.paths) for change in log(mirror, None, two)] == [3, 4]
        assert list(blobs(mirror, [same, big, same])) == [(same, b"s"), (big, b"x" * 999), (same, b"s")]
    with at_hand(up.url, tmp_path / "cache") as offline:
        assert list(blobs(offline, [same])) == [(same, b"s")]
        with pytest.raises(RepositoryError, match="an object is not in the mirror"):
            list(blobs(offline, [up.git("rev-parse", f"{two}:docs/new")]))


def test_contents_of_many(up, repository, monkeypatch):
    monkeypatch.setattr("snippetlock.source.commits._AT_ONCE", 3)
    monkeypatch.setattr("snippetlock.source.commits.LARGEST", 4)
    ids = [up.git("hash-object", "-w", "--stdin", feed=data) for data in (b"a", b"12345", b"c", b"d", b"e")]
    assert [data for _, data in blobs(repository, ids)] == [b"a", None, b"c", b"d", b"e"]
    assert list(blobs(repository, [])) == []
    up.commit({"x": "1"})
    with pytest.raises(RepositoryError, match="an object is not in"):
        list(blobs(repository, [up.git("rev-parse", "HEAD^{tree}")]))


def test_many_changes_come_in_pieces(up, repository, monkeypatch):
    monkeypatch.setattr("snippetlock.source.commits._PIECE", 7)
    head = up.commit({f"p/{number}.py": str(number) for number in range(30)}, "a subject longer than a piece")
    (change,) = log(repository, None, head)
    assert len(change.paths) == 30
    assert change.commit.subject == "a subject longer than a piece"
