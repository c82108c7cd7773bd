"""Trees of a dict and of a folder, and what every tree refuses."""

import os
import socket

import pytest
from privilege import nobody, open_folder

from snippetlock.errors import MissingFile, PinError, TreeError
from snippetlock.model import Pin, Repository
from snippetlock.source import DictTree, FolderTree, licence, open_tree, pin_status
from snippetlock.source.door import LARGEST

TOP = "write the path from the top of the tree: `package/file.py`"
UNSAFE = [
    ("", "refused: an empty path"),
    ("/etc/passwd", "refused: an absolute path"),
    ("../x.py", "refused: `..` in the path"),
    ("pkg/../../x.py", "refused: `..` in the path"),
    ("pkg/..", "refused: `..` in the path"),
    ("./x.py", "refused: an empty part or `.` in the path"),
    ("pkg//x.py", "refused: an empty part or `.` in the path"),
    ("pkg/", "refused: an empty part or `.` in the path"),
    ("pkg\\x.py", "refused: a backslash in the path"),
    ("C:/x.py", "refused: a drive letter in the path"),
    ("pkg/x\0.py", "refused: a NUL character in the path"),
]


@pytest.fixture
def folder(tmp_path):
    """`lib/` with a package, and a file outside of it."""
    (tmp_path / "lib" / "pkg").mkdir(parents=True)
    (tmp_path / "lib" / "pkg" / "a.py").write_bytes(b"x = 1\r\n")
    (tmp_path / "outside.py").write_bytes(b"secret")
    return tmp_path / "lib"


@pytest.fixture(params=["dict", "folder"])
def either(request, folder):
    return FolderTree(folder) if request.param == "folder" else DictTree({"pkg/a.py": b"x = 1\r\n"})


def test_a_file_is_read_byte_for_byte(either):
    assert either.read("pkg/a.py") == b"x = 1\r\n"
    assert either.has("pkg/a.py")
    assert either.paths() == ("pkg/a.py",)
    assert either.identity is None


@pytest.mark.parametrize("path", ["pkg/b.py", "pkg", "pkg/a.py/b"])
def test_what_is_not_there_is_said_with_what_is_near(path, either):
    assert not either.has(path)
    with pytest.raises(TreeError) as caught:
        either.read(path)
    if path != "pkg":
        assert isinstance(caught.value, MissingFile)
        assert str(caught.value) == f"{path}: the tree has no such file\n  mend: did you mean pkg/a.py?"


def test_a_name_like_no_other(either):
    with pytest.raises(MissingFile) as caught:
        either.read("zzzzzzzzzzzzzzz")
    assert caught.value.mend == "look for its name in the library at the pin"


@pytest.mark.parametrize(("path", "want"), UNSAFE)
def test_a_path_that_could_leave_the_tree_is_refused(path, want, either):
    assert not either.has(path)
    with pytest.raises(TreeError) as caught:
        either.read(path)
    assert (caught.value.what, caught.value.path, caught.value.mend) == (want, path, TOP)


@pytest.mark.parametrize(("path", "want"), UNSAFE)
def test_a_dict_may_not_hold_such_a_path_either(path, want):
    with pytest.raises(TreeError, match="refused"):
        DictTree({path: b""})


def test_a_dict_has_the_identity_it_is_given():
    assert DictTree({}, identity="sha256:0").identity == "sha256:0"


def test_a_file_over_the_limit_is_refused(folder):
    want = "a.py: refused: 33,554,433 bytes, more than the 33,554,432 that are read of one file"
    with pytest.raises(TreeError) as caught:
        DictTree({"a.py": bytes(LARGEST + 1)}).read("a.py")
    assert str(caught.value) == f"{want}\n  mend: quote from a smaller file"
    assert len(DictTree({"a.py": bytes(LARGEST)}).read("a.py")) == LARGEST
    with pytest.raises(TreeError, match=r"pkg/a\.py: refused: 7 bytes, more than the 6 that"):
        FolderTree(folder, limit=6).read("pkg/a.py")
    assert FolderTree(folder, limit=7).read("pkg/a.py") == b"x = 1\r\n"


LINKS = [
    ("pkg/out.py", "../../outside.py", "refused: a link that leaves the folder"),
    ("pkg/abs.py", "/etc/hostname", "refused: a link that leaves the folder"),
    ("pkg/dead.py", "nowhere.py", "a link to nothing"),
    ("pkg/loop.py", "loop.py", "cannot be read: Too many levels of symbolic links"),
]


@pytest.mark.parametrize(("path", "target", "want"), LINKS)
def test_a_link_that_leads_nowhere_good_is_there_and_refused(path, target, want, folder):
    (folder / path).symlink_to(target)
    tree = FolderTree(folder)
    assert tree.has(path)  # so that nobody says "no such file" of it
    with pytest.raises(TreeError) as caught:
        tree.read(path)
    assert (caught.value.what, caught.value.path) == (want, path)


def test_a_folder_that_is_a_link_out_is_refused_too(folder):
    (folder / "up").symlink_to("..")
    tree = FolderTree(folder)
    with pytest.raises(TreeError, match=r"up/outside\.py: refused: a link that leaves the folder"):
        tree.read("up/outside.py")
    assert tree.read("up/lib/pkg/a.py") == b"x = 1\r\n"  # out and in again is in
    assert tree.paths() == ("pkg/a.py",)


def test_a_link_that_stays_inside_is_followed(folder):
    (folder / "pkg" / "same.py").symlink_to("a.py")
    (folder / "also").symlink_to("pkg")
    tree = FolderTree(folder)
    assert tree.read("pkg/same.py") == tree.read("also/a.py") == b"x = 1\r\n"


def test_a_folder_may_itself_be_reached_by_a_link(folder, tmp_path):
    (tmp_path / "link").symlink_to("lib")
    assert FolderTree(tmp_path / "link").read("pkg/a.py") == b"x = 1\r\n"


def test_what_is_no_regular_file_is_refused_and_not_waited_for(folder, monkeypatch):
    os.mkfifo(folder / "pkg" / "fifo.py")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(folder / "pkg")  # a socket's path has to be short
        listener.bind("sock.py")
    tree = FolderTree(folder)
    for path in ("pkg/fifo.py", "pkg/sock.py", "pkg"):
        with pytest.raises(TreeError) as caught:
            tree.read(path)
        assert str(caught.value) == f"{path}: refused: not a regular file\n  mend: quote from a file"


def test_a_file_without_permission():
    with open_folder() as folder:
        for name, mode in (("a.py", 0), ("b.py", 0o644)):
            (folder / name).write_bytes(b"x")
            (folder / name).chmod(mode)
        with nobody():
            tree = FolderTree(folder)
            assert tree.read("b.py") == b"x"
            with pytest.raises(TreeError) as caught:
                tree.read("a.py")
    assert str(caught.value) == "a.py: cannot be read: Permission denied\n  mend: make the file readable"


def test_a_listing_leaves_out_what_is_never_quoted(folder):
    for name in (".git/x", "pkg/__pycache__/a.pyc", ".hidden", "node_modules/x.js", "b.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    assert FolderTree(folder).paths() == ("b.md", "pkg/a.py")


@pytest.mark.parametrize(("name", "want"), [("no", "does not exist"), ("outside.py", "is not a folder")])
def test_a_folder_that_is_none(name, want, folder):
    with pytest.raises(PinError) as caught:
        FolderTree(folder.parent / name, where="pin.yaml")
    assert str(caught.value) == (
        f"pin.yaml: the pinned folder {want}: {folder.parent / name}\n  mend: set `folder` in the pin to the checkout"
    )


def pinned(folder, root=""):
    repository = Repository(url="/x", root=root) if root is not None else None
    return Pin(name="lib", version="", kind="folder", folder=folder, repository=repository, place="pin.yaml")


@pytest.mark.parametrize("root", [None, "", "pkg", "src"])
def test_a_pin_of_a_checkout_is_opened_at_the_repositorys_root(root, folder, tmp_path):
    tree = open_tree(pinned("lib", root), tmp_path, tmp_path / "cache")
    assert tree.paths() == (("a.py",) if root == "pkg" else ("pkg/a.py",))
    assert open_tree(pinned(str(folder), root), tmp_path / "elsewhere", tmp_path).paths() == tree.paths()


def test_the_state_of_a_folder_pin(folder, tmp_path):
    good = pin_status(pinned("lib"), tmp_path, tmp_path)
    assert (good.label, good.kind, good.digest, good.origin) == ("lib", "folder", "", "the folder lib")
    assert (good.path, good.cached, good.size, good.problem, good.mend) == (folder, True, None, "", "")
    bad = pin_status(pinned("no"), tmp_path, tmp_path)
    assert (bad.cached, bad.problem, bad.mend) == (
        False,
        "the folder does not exist",
        "set `folder` in the pin to the checkout",
    )


def test_the_licence_of_a_tree(folder):
    assert licence(DictTree({"a.py": b""})) == ""
    assert (
        licence(DictTree({"LICENSE": b"one\r\n\n", "COPYING.txt": b"\xef\xbb\xbftwo", "a/LICENSE": b"no"}))
        == "two\n\none\n"
    )
    assert licence(FolderTree(folder)) == ""
    (folder.parent / "LICENSE.md").write_text("above\n")
    assert licence(FolderTree(folder)) == "above\n"
    (folder / "LICENCE").write_bytes(b"caf\xe9")
    assert licence(FolderTree(folder)) == "caf\ufffd\n"
