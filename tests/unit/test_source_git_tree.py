"""A commit as a tree, a commit as the pin, and the state of a folder that git looks after."""

import os
import shutil
from pathlib import Path

import pytest

from snippetlock.errors import MissingFile, PinError, RepositoryError, TreeError
from snippetlock.model import Pin, Repository
from snippetlock.source import (
    FolderState,
    GitTree,
    fetch,
    folder_state,
    licence,
    open_repo,
    open_tree,
    pin_status,
    uncommitted,
)
from snippetlock.source.gittree import is_pointer
from snippetlock.source.mirror import mirror_dir

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 1234567\n"
FILES = {
    "LICENSE": "Mine.\n",
    "README.md": "top\n",
    "src/p/__init__.py": "",
    "src/p/a.py": "x = 1\r\n",
    "src/p/b c\"'.py": "b\n",
    "src/编译/核.py": "核 = 1\n",
    "src/p/model.bin": POINTER,
}


@pytest.fixture
def up(repo):
    history = repo()
    history.write(FILES)
    (history.folder / "src" / "link.py").symlink_to("p/a.py")
    (history.folder / "src" / "linked").symlink_to("p")
    history.git("add", "--all")
    history.git("commit", "--quiet", "--message", "zero")
    history.git("update-index", "--add", "--cacheinfo", f"160000,{history.git('rev-parse', 'HEAD')},src/sub")
    history.git("commit", "--quiet", "--message", "one")
    return history


@pytest.fixture
def tree(up, tmp_path):
    with open_repo(str(up.folder), tmp_path / "cache") as repo:
        yield GitTree(repo, up.git("rev-parse", "HEAD"), "src")


def test_files_by_package_path(up, tree):
    assert tree.identity == f"git:{up.git('rev-parse', 'HEAD')}:src"
    assert tree.read("p/a.py") == b"x = 1\r\n"
    assert tree.read("p/b c\"'.py") == b"b\n"
    assert tree.read("编译/核.py") == "核 = 1\n".encode()
    assert tree.read("p/__init__.py") == b""
    assert tree.paths() == ("p/__init__.py", "p/a.py", "p/b c\"'.py", "p/model.bin", "编译/核.py")
    there = [path for path in ("p/a.py", "p", "p/A.py", "README.md", "p/a.py/x", "../README.md", "") if tree.has(path)]
    assert there == ["p/a.py"]
    assert tree.blob_id("p/a.py") == up.git("rev-parse", "HEAD:src/p/a.py")
    for path in ("p", "p/none.py", "link.py", "sub", "sub/x.py", "../x"):
        assert tree.blob_id(path) is None


def test_the_top_of_the_repository_as_root(up, tree):
    with GitTree(tree.repo, tree.commit) as top:
        assert top.identity == f"git:{tree.commit}:"
        assert top.read("src/p/a.py") == b"x = 1\r\n"
        assert "README.md" in top.paths()


def test_a_file_that_is_not_there(tree):
    with pytest.raises(MissingFile) as caught:
        tree.read("p/A.py")
    assert (
        str(caught.value)
        == "p/A.py: the tree has no such file\n  mend: did you mean p/a.py or p/b c\"'.py or 编译/核.py?"
    )
    with pytest.raises(MissingFile):
        tree.read("p")


LINK = "refused: a symbolic link, or below one"
SUB = "refused: it is in a submodule, whose files are in another repository"
REFUSED = [
    ("link.py", LINK, "quote from the file itself"),
    ("linked/a.py", LINK, "quote from the file itself"),
    ("sub", SUB, "quote from a file of this repository"),
    ("sub/x.py", SUB, "quote from a file of this repository"),
    (
        "p/model.bin",
        "refused: a Git LFS pointer; its 1,234,567 bytes are not in the repository",
        "quote from a file that git keeps itself",
    ),
    ("../LICENSE", "refused: `..` in the path", "write the path from the top of the tree: `package/file.py`"),
]


@pytest.mark.parametrize(("path", "what", "mend"), REFUSED)
def test_what_is_refused_by_name(path, what, mend, tree):
    with pytest.raises(TreeError) as caught:
        tree.read(path)
    assert str(caught.value) == f"{path}: {what}\n  mend: {mend}"
    assert tree.has(path) is not path.startswith("..")


def test_a_file_over_the_limit_is_refused_by_its_size(up, tree):
    small = GitTree(tree.repo, tree.commit, "src", limit=6)
    with pytest.raises(TreeError) as caught:
        small.read("p/a.py")
    assert str(caught.value) == (
        "p/a.py: refused: 7 bytes, more than the 6 that are read of one file\n  mend: quote from a smaller file"
    )
    assert GitTree(tree.repo, tree.commit, "src", limit=7).read("p/a.py") == b"x = 1\r\n"


POINTERS = [
    (POINTER, 1234567),
    (POINTER.rstrip("\n"), 1234567),
    (POINTER.replace("oid", "ext-0-foo sha256:00\noid"), 1234567),
    (POINTER.replace("1234567", "0"), 1),
    (f"# {POINTER}", 0),
    (POINTER + "more", 0),
    ("", 0),
    (POINTER.replace("oid", "ext-" + "x" * 2000 + "\noid"), 0),
]


@pytest.mark.parametrize(("text", "size"), POINTERS)
def test_what_is_a_pointer(text, size):
    assert is_pointer(text.encode()) == size


def test_no_such_commit_and_no_such_root(tree):
    with pytest.raises(RepositoryError) as caught:
        GitTree(tree.repo, "1" * 40)
    assert str(caught.value) == (f"there is no commit {'1' * 40} in {tree.repo.name}\n  mend: name another revision")
    for root in ("lib", "README.md"):
        with pytest.raises(TreeError) as caught:
            GitTree(tree.repo, tree.commit, root)
        assert str(caught.value) == (
            f"the commit {tree.commit[:10]} has no folder {root!r}\n"
            "  mend: set `root` in the pin to the folder of the repository that holds the packages"
        )


def test_a_package_that_moved_under_a_root_keeps_its_paths(repo, tmp_path):
    up = repo("moved")
    old = up.commit({"p/a.py": "old", "src/kernel.cu": "k", "LICENSE": "L"})
    new = up.commit({"p/a.py": None, "src/p/a.py": "new"})
    with open_repo(str(up.folder), tmp_path) as repository:
        before, after = (GitTree(repository, commit, "src", older=("",)) for commit in (old, new))
        assert (before.read("p/a.py"), after.read("p/a.py")) == (b"old", b"new")
        assert before.read("kernel.cu") == b"k"
        assert not before.has("p/b.py")
        assert before.paths() == ("LICENSE", "kernel.cu", "p/a.py", "src/kernel.cu")
        assert before.identity == f"git:{old}:src:"
        assert GitTree(repository, new, "lib", older=("src",)).read("p/a.py") == b"new"


def test_the_licence_is_that_of_the_root_or_of_the_repository(up, tree):
    assert licence(tree) == "Mine.\n"
    commit = up.commit({"src/LICENSE": "Nearer.\n", "src/COPYING/x": "a folder"})
    assert licence(GitTree(tree.repo, commit, "src")) == "Nearer.\n"
    bare = up.commit({"LICENSE": None, "src/LICENSE": None})
    assert licence(GitTree(tree.repo, bare, "src")) == ""


def test_contents_read_ahead_are_not_asked_for_again(tree, monkeypatch):
    tree.ahead(["p/a.py", "link.py", "none", "p/model.bin"])
    with monkeypatch.context() as patch:
        patch.setattr(tree.repo.objects, "read", None)
        assert tree.read("p/a.py") == b"x = 1\r\n"
    with pytest.raises(TreeError, match="a Git LFS pointer"):
        tree.read("p/model.bin")


def test_no_more_is_read_ahead_than_is_kept(up, tree, monkeypatch):
    monkeypatch.setattr("snippetlock.source.gittree._HELD", 10)
    tree.ahead(["p/a.py", "p/__init__.py", "编译/核.py"])
    assert sum(map(len, tree._held.values())) <= 10
    assert tree.read("p/a.py") == b"x = 1\r\n"


# Without contents


def test_contents_come_when_they_are_read_or_before(up, tmp_path):
    up.serve()
    commit = up.git("rev-parse", "HEAD")
    with open_repo(up.url, tmp_path / "cache") as repo:
        tree = GitTree(repo, commit, "src")
        assert tree.lacking() == ("LICENSE", *tree.paths())
        assert tree.read("p/a.py") == b"x = 1\r\n"
        tree.prefetch(["p/b c\"'.py", "link.py", "none"])
        assert tree.lacking() == ("LICENSE", "p/__init__.py", "p/model.bin", "编译/核.py")
        tree.prefetch()
        assert tree.lacking() == ()


def test_a_partial_clone_of_the_users(up, tmp_path):
    up.serve()
    up.git("clone", "--quiet", "--bare", "--filter=blob:none", up.url, str(tmp_path / "part"))
    with open_repo(str(tmp_path / "part"), tmp_path) as repo:
        tree = GitTree(repo, up.git("rev-parse", "HEAD"), "src")
        with pytest.raises(RepositoryError, match="a partial clone, or damaged"):
            tree.read("p/a.py")
    pin = pinned(up, url=str(tmp_path / "part"))
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, tmp_path / "cache")
    assert str(caught.value) == (
        f"pin.yaml: files of {pin.label} are not in {tmp_path / 'part'}\n  LICENSE and 5 more\n"
        "  mend: name the repository by its URL: this copy is a partial clone"
    )


# As the pin


def pinned(up, **changes):
    settings = {"url": up.serve(), "root": "src", **changes}
    commit = up.git("rev-parse", "HEAD")
    return Pin(name="lib", version="", kind="git", commit=commit, repository=Repository(**settings), place="pin.yaml")


def test_a_pinned_commit_is_fetched_once_and_read_without_its_server(up, tmp_path):
    pin, cache = pinned(up), tmp_path / "cache"
    before = pin_status(pin, tmp_path, cache)
    assert (before.cached, before.problem, before.mend) == (
        False,
        f"{up.url} is not in the cache",
        "run `snippetlock pin fetch`",
    )
    assert (before.label, before.kind, before.digest) == (f"lib {pin.commit[:10]}", "git", f"commit {pin.commit}")
    assert before.origin == f"the repository {up.url}"
    assert before.path == mirror_dir(up.url, cache)
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, cache)
    assert str(caught.value) == (f"pin.yaml: {up.url} is not in the cache\n  mend: run `snippetlock pin fetch`")
    open_repo(up.url, cache).objects.close()
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, cache)
    assert str(caught.value) == (
        f"pin.yaml: files of {pin.label} are not in the mirror of {up.url}\n  LICENSE and 5 more\n"
        "  mend: run `snippetlock pin fetch`"
    )
    assert fetch(pin, cache) == before.path
    shutil.rmtree(up.folder)
    assert fetch(pin, cache) == before.path
    tree = open_tree(pin, tmp_path, cache)
    assert tree.read("编译/核.py") == "核 = 1\n".encode()
    assert licence(tree) == "Mine.\n"
    after = pin_status(pin, tmp_path, cache)
    assert (after.cached, after.problem, after.mend) == (True, "", "")


def test_a_file_that_is_lacking_alone_is_named_alone(up, tmp_path):
    pin, cache = pinned(up), tmp_path / "cache"
    with open_repo(up.url, cache) as repo:
        GitTree(repo, pin.commit, "src").prefetch(
            ["p/a.py", "p/b c\"'.py", "编译/核.py", "p/model.bin", "p/__init__.py"]
        )
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, cache)
    assert caught.value.evidence == ("LICENSE",)


def test_a_commit_of_a_repository_on_this_machine(up, tmp_path):
    pin, cache = pinned(up, url="up"), tmp_path / "cache"
    assert open_tree(pin, tmp_path, cache).read("p/a.py") == b"x = 1\r\n"
    assert fetch(pin, cache, root=tmp_path) == up.folder / ".git"
    assert pin_status(pin, tmp_path, cache).path == tmp_path / "up"
    assert not cache.exists()
    with pytest.raises(PinError) as caught:
        open_tree(pinned(up, url="gone"), tmp_path, cache)
    assert str(caught.value) == (
        "pin.yaml: gone does not exist\n  mend: name a checkout's top folder, a bare repository, or a URL"
    )


def test_a_pinned_root_that_the_commit_has_not(up, tmp_path):
    with pytest.raises(PinError) as caught:
        open_tree(pinned(up, url=str(up.folder), root="lib"), tmp_path, tmp_path / "cache")
    assert caught.value.what == f"the commit {up.git('rev-parse', 'HEAD')[:10]} has no folder 'lib'"


def test_a_pin_without_its_repository(tmp_path):
    with pytest.raises(PinError) as caught:
        open_tree(Pin(name="lib", version="", kind="git", commit="1" * 40, place="pin.yaml"), tmp_path, tmp_path)
    assert str(caught.value) == (
        "pin.yaml: the pin has 'git' and no 'repository'\n  mend: add `repository: {url: …, root: …}`"
    )


# The state of a folder


def test_a_folder_as_committed_and_then_not(repo, tmp_path):
    up = repo("state")
    commit = up.commit({"src/a b.py": "1", "src/b.py": "1", "src/c.py": "1", "docs/x": "1", ".gitignore": "*.pyc\n"})
    clean = folder_state(up.folder / "src")
    assert clean == FolderState(commit=commit, branch="main")
    assert not clean.dirty
    up.write(
        {"src/a b.py": "2", "src/new.py": "", "src/d/编译.py": "", "src/x.pyc": "", "docs/x": "2", "src/c.py": None}
    )
    up.git("mv", "src/b.py", "src/moved.py")
    dirty = folder_state(up.folder / "src")
    assert dirty.paths == ("a b.py", "b.py", "c.py", "d/编译.py", "moved.py", "new.py")
    assert dirty.dirty
    assert "docs/x" in folder_state(up.folder).paths
    assert (clean.said, dirty.said) == (f"at {commit[:10]}", f"at {commit[:10]}, with uncommitted changes")


def test_a_folder_that_lies_in_a_work_tree_and_is_none_of_it(repo, monkeypatch):
    up = repo("around")
    up.commit({"a": "1", ".gitignore": "ignored/\n"})
    up.write({"ignored/lib/x.py": "1", "new/x.py": "1"})
    assert [folder_state(up.folder / name) for name in ("ignored/lib", "new")] == [FolderState()] * 2
    assert folder_state(up.folder).paths == ("new/x.py",)
    assert FolderState().said == ""
    monkeypatch.setenv("PATH", str(up.folder / "new"))
    assert folder_state(up.folder).problem == "git is not installed"
    assert folder_state(up.folder).said == "git does not say in which state"


def test_which_files_of_the_docs_are_not_as_committed(repo):
    up = repo("docs")
    up.commit({"site/pin.yaml": "1", "site/a.yaml": "1", "site/ä b.yaml": "1", "out.yaml": "1", ".gitignore": "*.lock"})
    root = up.folder / "site"
    paths = [root / name for name in ("pin.yaml", "a.yaml", "ä b.yaml", "new.yaml", "x.lock", "*.yaml", "nowhere.yaml")]
    assert uncommitted(root, paths) == ()
    up.write({"site/pin.yaml": "2", "site/new.yaml": "", "site/x.lock": "", "out.yaml": "2", "site/other.yaml": ""})
    up.write({"site/ä b.yaml": None})
    assert uncommitted(root, paths) == ("new.yaml", "pin.yaml", "ä b.yaml")
    assert uncommitted(root, [Path("pin.yaml"), Path("a.yaml"), up.folder / "out.yaml"]) == ("pin.yaml",)
    up.git("add", "--all")
    assert uncommitted(root, paths) == ("new.yaml", "pin.yaml", "ä b.yaml")
    assert uncommitted(root, []) == ()
    up.commit()
    assert uncommitted(root, paths) == ()


def test_where_nobody_commits_nothing_is_uncommitted(tmp_path, monkeypatch):
    (tmp_path / "a.yaml").write_text("x")
    assert uncommitted(tmp_path, [tmp_path / "a.yaml"]) == ()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert uncommitted(tmp_path, [tmp_path / "a.yaml"]) == ()


def test_a_git_that_refuses_to_say_what_is_committed(repo):
    up = repo("docs")
    up.commit({"a.yaml": "1"})
    (up.folder / ".git/index").write_bytes(b"broken")
    with pytest.raises(RepositoryError) as caught:
        uncommitted(up.folder, [up.folder / "a.yaml"])
    assert caught.value.what == "git does not say what is committed here"
    assert caught.value.evidence
    assert caught.value.mend == "let git answer for this folder (`git status` says what it wants)"


def test_a_folder_in_odd_states(repo, tmp_path):
    up = repo("odd")
    assert folder_state(up.folder) == FolderState(branch="main")
    assert folder_state(up.folder).said == "nothing committed yet"
    one = up.commit({"a": "1"})
    up.git("checkout", "--quiet", "--detach")
    assert folder_state(up.folder) == FolderState(commit=one)
    up.git("checkout", "--quiet", "-b", "side")
    up.commit({"a": "2"})
    up.git("checkout", "--quiet", "main")
    up.commit({"a": "3"})
    with pytest.raises(AssertionError):
        up.merge("side")
    assert folder_state(up.folder).paths == ("a",)
    (tmp_path / "plain").mkdir()
    assert folder_state(tmp_path / "plain") == FolderState()
    assert folder_state(up.folder / ".git") == FolderState()


def test_a_folder_that_git_does_not_trust_or_cannot_read(repo, tmp_path):
    up = repo("owned")
    up.commit({"a": "1"})
    for folder, _, names in os.walk(up.folder):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, 12345, 12345)
    assert folder_state(up.folder).problem.startswith("fatal: detected dubious ownership in repository")
    broken = repo("broken")
    broken.commit({"a": "1"})
    (broken.folder / ".git" / "index").write_bytes(b"no index")
    state = folder_state(broken.folder)
    assert state.problem.startswith(("fatal: ", "error: "))
    assert not state.dirty
