from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from plain import PLAIN, opened, state
from privilege import nobody, open_folder
from test_source_fetch import FILE, make_wheel

from snippetlock.errors import PinError, SnippetlockError, UsageError
from snippetlock.workflow import Library, begin, check, update


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    shutil.copytree(PLAIN / "lib", folder / "lib")
    return folder


def start(root, folder="lib"):
    return begin(root, library=Library(folder=folder), cache=root.parent / "cache")


def test_a_project_of_nothing_but_a_folder_is_clean_after_one_update(root):
    started = start(root)

    assert started.wrote == ("pyproject.toml", "pin.yaml", "snippets/first.yaml", "docs/index.md", ".gitignore")
    assert (started.selector, started.pin, started.page) == ("tally:Counter", "tally", "docs/index.md")
    assert [f.rule for f in check(opened(root)).findings] == ["SL104"]
    assert update(opened(root)).written
    assert check(opened(root)).findings == ()


def test_what_is_there_stays_as_it_was(root):
    (root / "pyproject.toml").write_text('[project]\nname = "mine"\n\n[tool.other]\nkey = 1')
    (root / "docs").mkdir()
    (root / "docs/mine.md").write_text("# Mine\n")
    before = state(root)
    started = start(root)

    after = state(root)
    assert started.page == ""
    assert {name for name in after if name not in before} == {"pin.yaml", "snippets/first.yaml", ".gitignore"}
    written = tomllib.loads(after["pyproject.toml"].decode())
    assert written.pop("project") == {"name": "mine"}
    assert set(written["tool"]) == {"other", "snippetlock"}
    assert after["docs/mine.md"] == before["docs/mine.md"]


def test_the_packages_may_be_in_src(root):
    shutil.move(root / "lib", root / "checkout" / "src")

    start(root, folder="checkout")
    assert "folder: checkout/src\n" in (root / "pin.yaml").read_text()
    assert [finding.rule for finding in check(opened(root)).findings] == ["SL104"]


def test_a_linked_pyproject_stays_a_link_and_keeps_its_rights(root):
    real = root.parent / "elsewhere" / "shared.toml"
    real.parent.mkdir()
    real.write_text('[project]\nname = "mine"\n')
    real.chmod(0o600)
    (root / "pyproject.toml").symlink_to(real)
    start(root)

    assert (root / "pyproject.toml").is_symlink()
    assert "[tool.snippetlock]" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600
    assert os.listdir(real.parent) == ["shared.toml"]
    assert [finding.rule for finding in check(opened(root)).findings] == ["SL104"]


def test_a_pyproject_that_cannot_be_written_leaves_nothing(root):
    (root / "pyproject.toml").symlink_to("no/such/folder.toml")
    before = state(root)
    with pytest.raises(UsageError, match=r"pyproject\.toml cannot be written: No such file or directory"):
        start(root)

    assert state(root) == before
    assert (root / "pyproject.toml").is_symlink()


LEFT = b".snippets.journal\n.*.guard\n.*.tmp\n"


@pytest.mark.parametrize(
    ("old", "kept", "added"),
    [
        (None, b"", LEFT),
        (b"site/\n", b"site/\n\n", LEFT),
        (b"site/\r\n.*.tmp\r\n# \xff", b"site/\r\n.*.tmp\r\n# \xff\n\n", b".snippets.journal\n.*.guard\n"),
    ],
)
def test_git_ignores_what_a_killed_command_leaves(root, old, kept, added):
    if old is not None:
        (root / ".gitignore").write_bytes(old)
    start(root)

    said = (root / ".gitignore").read_bytes()
    assert said.startswith(kept + b"# what a killed snippetlock leaves behind")
    assert said.endswith(b"takes it away\n" + added)
    left = ("snippets/.snippets.journal", "snippets/..snippets.journal.tmp", "snippets/.snippets.lock.guard")
    left += ("snippets/.snippets.lock.tmp", "snippets/.first.yaml.tmp", ".pin.yaml.tmp")
    for name in left:
        (root / name).write_bytes(b"")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    shown = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    assert [name for name in left if name in shown] == []
    assert "?? snippets/first.yaml\n" in shown


@pytest.mark.parametrize("name", sorted(LEFT.decode().split()))
def test_this_project_ignores_that_too(name):
    lines = (Path(__file__).parents[2] / ".gitignore").read_text().split("\n")
    assert name in lines


def test_a_gitignore_that_says_it_all_is_not_touched(root):
    (root / ".gitignore").write_bytes(b"*.o\n" + LEFT)
    before = (root / ".gitignore").stat()

    assert ".gitignore" not in start(root).wrote
    after = (root / ".gitignore").stat()  # not all of it: when it was last read is no matter
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo, lambda path: path.symlink_to("no/where")])
def test_a_gitignore_that_cannot_be_read_is_said_and_nothing_is_written(root, make):
    make(root / ".gitignore")
    before = state(root)

    with pytest.raises(UsageError, match=r"\.gitignore cannot be read"):
        start(root)

    assert state(root) == before


def test_where_the_last_cannot_be_written_gitignore_is_as_it_was(root):
    (root / ".gitignore").write_bytes(b"site/\n")
    (root / "pyproject.toml").symlink_to("no/such/folder.toml")

    with pytest.raises(UsageError, match=r"pyproject\.toml cannot be written"):
        start(root)

    assert (root / ".gitignore").read_bytes() == b"site/\n"


UNREADABLE = {
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link that leaves": lambda path: path.symlink_to(os.devnull),
    "a FIFO": os.mkfifo,
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_of_the_library_that_cannot_be_read_is_passed_over(root, make):
    make(root / "lib/aaa.py")  # the first that would be looked into
    assert start(root).selector == "tally:Counter"


def test_files_and_folders_without_rights_are_passed_over():
    with open_folder() as top:
        shutil.copytree(PLAIN / "lib", top / "project/lib")
        (top / "project").chmod(0o777)
        (top / "project/lib/aaa.py").write_text("class Hidden:\n    a = 1\n")
        (top / "project/lib/aaa.py").chmod(0)
        (top / "project/lib/closed").mkdir(mode=0)
        with nobody():
            assert start(top / "project").selector == "tally:Counter"


@pytest.mark.parametrize(
    ("closed", "said"),
    [("lib", "the folder lib cannot be read"), ("docs", "the pages in docs/ cannot be read")],
)
def test_a_folder_that_may_not_be_read_is_said(closed, said):
    with open_folder() as top:
        shutil.copytree(PLAIN / "lib", top / "project/lib")
        (top / "project").chmod(0o777)
        (top / "project/docs").mkdir()
        (top / "project/docs").chmod(0o777)
        (top / "project" / closed).chmod(0)
        with nobody(), pytest.raises(UsageError) as caught:
            start(top / "project")
        assert (caught.value.what, caught.value.mend) == (f"{said}: Permission denied", "mend the folder's permissions")
        (top / "project" / closed).chmod(0o777)
        with nobody():
            assert start(top / "project").selector == "tally:Counter"


LONG = "class Widget:\n" + "".join(f"    field_{n} = {n}\n" for n in range(60))
SHORT = "\n\nclass Thing:\n    a = 1\n"


@pytest.mark.parametrize(
    "handed",
    [
        "from mylib._core import Widget\n",
        "import os\nfrom ._core import (\n    _hidden,  # (no)\n    Core as Widget,\n)\n",
        "from typing import Any\nfrom ._core import _hidden, Widget  # public\n",
    ],
)
@pytest.mark.parametrize("first", [LONG + SHORT, SHORT + "\n\n" + LONG])
def test_a_public_name_is_quoted_before_a_private_path(root, handed, first):
    package = root / "own/mylib"
    package.mkdir(parents=True)
    (package / "_core.py").write_text(f"_hidden = 1\n{first}\n\nCore = Widget\n")
    (package / "__init__.py").write_text(handed)
    assert start(root, folder="own").selector == "mylib:Widget"


def flat(root, name, **packages):
    """A checkout with packages at its top, each with one thing of its own."""
    for package, text in packages.items():
        (root / "own" / package).mkdir(parents=True)
        (root / "own" / package / "__init__.py").write_text(text)
    (root / "own/pyproject.toml").write_text(f'[project]\nname = "{name}"\n')


def test_what_the_project_is_called_comes_before_its_tests_and_its_neighbours(root):
    flat(root, "mylib", attr="class A:\n    x = 1\n", mylib=SHORT, tests="class T:\n    x = 1\n")
    assert start(root, folder="own").selector == "mylib:Thing"
    assert "\nname: mylib\n" in (root / "pin.yaml").read_text()


def test_what_src_holds_is_called_by_the_file_beside_it(root):
    flat(root, "my-lib", my="class A:\n    x = 1\n", my_lib=SHORT)
    (root / "own/src").mkdir()
    for name in ("my", "my_lib"):
        shutil.move(root / "own" / name, root / "own/src" / name)
    assert start(root, folder="own").selector == "my_lib:Thing"


def test_without_such_a_name_the_first_package_is_taken(root):
    flat(root, "other", attr="class A:\n    x = 1\n", mylib=SHORT)
    assert start(root, folder="own").selector == "attr:A"


@pytest.mark.parametrize("init", ["", "from ._core import *\n"])
def test_a_private_thing_of_the_library_is_quoted_before_one_of_its_tests(root, init):
    flat(root, "mylib", mylib=init, tests="class T:\n    x = 1\n")
    (root / "own/mylib/_core.py").write_text(SHORT)
    (root / "own/mylib/tests").mkdir()
    (root / "own/mylib/tests/__init__.py").write_text("class T:\n    x = 1\n")
    assert start(root, folder="own").selector == "mylib._core:Thing"


def test_a_name_of_all_is_public(root):
    flat(root, "mylib", mylib='from ._core import *\n\n__all__ = [\n    # "Other",\n    "Thing",\n]\n')
    (root / "own/mylib/_core.py").write_text(SHORT)
    assert start(root, folder="own").selector == "mylib:Thing"


def test_a_library_of_nothing_but_tests_can_be_quoted(root):
    flat(root, "testkit", testkit=SHORT)
    assert start(root, folder="own").selector == "testkit:Thing"


def test_tests_at_the_top_do_not_hide_the_packages_in_src(root):
    flat(root, "mylib", tests="class T:\n    x = 1\n", mylib=SHORT)
    (root / "own/src").mkdir()
    shutil.move(root / "own/mylib", root / "own/src/mylib")
    assert start(root, folder="own").selector == "mylib:Thing"
    assert "folder: own/src\n" in (root / "pin.yaml").read_text()


def test_the_package_itself_is_not_the_folder_that_holds_it(root):
    flat(root, "mylib", mylib="from ._core import Thing\n")
    (root / "own/mylib/_core.py").write_text(SHORT)
    with pytest.raises(UsageError) as error:
        start(root, folder="own/mylib")
    assert str(error.value) == (
        "the folder own/mylib is a package itself\n  mend: name the folder that holds the library's packages: own"
    )
    assert start(root, folder="own").selector == "mylib:Thing"


def test_without_a_public_name_a_private_one_is_quoted(root):
    package = root / "own/mylib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from ._core import _hidden\n")
    (package / "_core.py").write_text(f"_hidden = 1\n{LONG}{SHORT}")
    assert start(root, folder="own").selector == "mylib._core:Thing"


@pytest.mark.parametrize(("name", "there"), [("mkdocs.yml", True), ("mkdocs.yaml", True), ("zensical.toml", False)])
def test_whether_there_is_a_builder_is_said(root, name, there):
    (root / name).write_text("")
    assert start(root).builder is there


IN_THE_WAY = {
    "a project": (
        lambda root: (root / "pyproject.toml").write_text("[tool.snippetlock]\n"),
        "this is a project already",
    ),
    "broken TOML": (lambda root: (root / "pyproject.toml").write_text("[tool\n"), "pyproject.toml cannot be read"),
    "an inline table": (lambda root: (root / "pyproject.toml").write_text("tool = {}\n"), "a table cannot be appended"),
    "a pin": (lambda root: (root / "pin.yaml").write_text(""), "pin.yaml is there already"),
    "definitions": (
        lambda root: ((root / "snippets").mkdir(), (root / "snippets/a.yaml").write_text("")),
        "snippets/ has definitions already",
    ),
    "no library": (lambda root: shutil.rmtree(root / "lib"), "the folder lib does not exist"),
    "an empty library": (
        lambda root: (shutil.rmtree(root / "lib"), (root / "lib").mkdir()),
        "the folder lib has no Python package or module in it",
    ),
    "nothing to quote": (
        lambda root: (shutil.rmtree(root / "lib/tally"), (root / "lib/a.py").write_text("x = 1\n")),
        "nothing public was found to quote",
    ),
    "a file for a folder": (lambda root: (root / "snippets").write_text(""), "snippets/first.yaml cannot be written"),
}


@pytest.mark.parametrize(("prepare", "said"), IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_what_is_in_the_way_is_said_and_nothing_is_written(root, prepare, said):
    prepare(root)
    before = state(root)
    with pytest.raises(UsageError) as caught:
        start(root)

    assert caught.value.what.startswith(said)
    assert caught.value.mend
    assert state(root) == before


@pytest.fixture
def index(tmp_path):
    """pip's environment: a folder with one wheel is all it knows."""
    make_wheel(tmp_path / "index", text=b"def one():\n    return 1\n")
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path / "index"),
    }


def test_a_release_is_pinned_by_the_digest_of_what_the_index_has(root, index, tmp_path):
    started = begin(root, library=Library(wheel="lib==1.0", environ=index), cache=tmp_path / "cache")

    digest = hashlib.sha256((tmp_path / "index" / FILE).read_bytes()).hexdigest()
    assert f"  file: {FILE}\n  sha256: {digest}\n" in (root / "pin.yaml").read_text()
    assert 'version: "1.0"\n' in (root / "pin.yaml").read_text(), "a bare 1.0 is a number"
    assert (started.selector, started.pin) == ("lib:one", "lib 1.0")
    update(opened(root))
    assert check(opened(root)).findings == ()


@pytest.mark.parametrize("asked", ["lib", "lib==", "==1.0", "lib>=1.0", "lib==1.0 ; x", "-e==1"])
def test_a_release_is_written_as_name_and_version(root, asked):
    with pytest.raises(UsageError, match="is not NAME==VERSION"):
        begin(root, library=Library(wheel=asked), cache=root.parent / "cache")


def test_a_release_that_is_not_there_leaves_nothing(root, index):
    before = state(root)
    with pytest.raises(PinError, match=r"no wheel of lib 9\.9"):
        begin(root, library=Library(wheel="lib==9.9", environ=index), cache=root.parent / "cache")

    assert state(root) == before


# A commit


LIBRARY = {
    "pyproject.toml": '[project]\nname = "kilns"\n',
    "src/kilns/__init__.py": "def fire(batch):\n    return batch\n",
    "tests/__init__.py": "",
    "tests/helper.py": "def help():\n    return 1\n",
}


@pytest.fixture
def library(repo):
    """The library's repository, whose main branch is `trunk`; `served` is how others reach it."""
    made = repo("kilns")
    made.git("checkout", "--quiet", "-b", "trunk")
    made.first = made.commit(LIBRARY)
    made.git("tag", "v1.0")
    made.second = made.commit({"src/kilns/__init__.py": "def fire(batch, degrees):\n    return batch\n"})
    return made


def commit_of(project, where, **options):
    environ = {"PATH": os.environ["PATH"], "HOME": str(project.parent)}
    return begin(project, library=Library(git=where, environ=environ, **options), cache=project.parent / "cache")


def test_a_repository_is_pinned_by_its_newest_commit(root, library):
    started = commit_of(root, library.serve())

    assert (root / "pin.yaml").read_text() == (
        "# Which state of the library the docs speak of: a commit of its repository.\n"
        f"name: kilns\ngit:\n  commit: {library.second}\n"
        f'repository:\n  url: "{library.url}"\n  branch: trunk\n  root: src\n'
    )
    assert (started.selector, started.pin) == ("kilns:fire", f"kilns {library.second[:10]}")
    update(opened(root))
    assert check(opened(root)).findings == ()
    library.commit({"src/kilns/__init__.py": "x = 1\n"})  # a pin stays what it is
    assert check(opened(root)).findings == ()


@pytest.mark.parametrize("rev", ["v1.0", "first"])
def test_or_by_another_that_is_named(root, library, rev):
    commit_of(root, library.serve(), rev=library.first if rev == "first" else rev)
    assert f"  commit: {library.first}\n" in (root / "pin.yaml").read_text()


def test_a_repository_here_is_named_from_the_project(root, library):
    commit_of(root, "../kilns")
    assert '  url: "../kilns"\n' in (root / "pin.yaml").read_text()
    update(opened(root))
    assert check(opened(root)).findings == ()
    shutil.rmtree(root / "snippets")
    for name in ("pin.yaml", "pyproject.toml"):
        (root / name).unlink()
    (root / "near").symlink_to(library.folder)
    commit_of(root, "near")
    assert '  url: "./near"\n' in (root / "pin.yaml").read_text()


def test_the_package_and_its_folder_can_be_said(root, library):
    library.commit({"extra/ovens/__init__.py": "def heat():\n    return 1\n"})
    commit_of(root, library.serve(), package="ovens", root="extra")
    text = (root / "pin.yaml").read_text()
    assert text.count("\nname: ovens\n") == text.count("\n  root: extra\n") == 1


REFUSED = {
    "no such path": ({"git": "owner/name"}, "--git owner/name: it is no URL, and there is no such folder"),
    "no repository": ({"git": "lib"}, "./lib is not a repository"),
    "a password": ({"git": "https://a:b@example.org/x"}, "https://***@example.org/x has a name or a password in it"),
    "an address of another kind": ({"git": "ftp://example.org/x"}, "not an address of a repository"),
    "nothing there": ({"git": "file:///nowhere/at/all"}, "there is no repository at file:///nowhere/at/all"),
    "no such revision": ({"git": "../kilns", "rev": "v2.0"}, "no revision 'v2.0' in ../kilns"),
    "no such package": ({"git": "../kilns", "package": "ovens"}, "there is no package 'ovens'"),
    "no such folder": ({"git": "../kilns", "root": "lib"}, "no Python package was found"),
    "a revision of a folder": ({"folder": "lib", "rev": "main"}, "--rev goes with --git alone"),
    "a package of a folder": ({"folder": "lib", "package": "tally"}, "--package goes with --git alone"),
    "the root of a folder": ({"folder": "lib", "root": "."}, "--root goes with --git alone"),
}


@pytest.mark.parametrize(("asked", "said"), REFUSED.values(), ids=REFUSED)
def test_a_repository_that_cannot_be_pinned_is_refused_and_nothing_is_written(root, library, asked, said):
    before = state(root)
    with pytest.raises(SnippetlockError) as caught:
        begin(root, library=Library(**asked, environ={"PATH": os.environ["PATH"]}), cache=root.parent / "cache")

    assert caught.value.what.startswith(said.format(root=root))
    assert caught.value.mend
    assert "--upstream" not in caught.value.mend  # which `init` does not take
    assert state(root) == before


@pytest.mark.parametrize("below", [".", "docs-project"])
def test_the_repository_that_the_project_lies_in_is_its_own(library, below):
    folder = library.folder / below
    folder.mkdir(exist_ok=True)
    where = "." if below == "." else ".."
    with pytest.raises(UsageError) as caught:
        commit_of(folder, where)
    assert caught.value.what == f"--git {where}: this project lies in it, and its commits would be its own pin"
    assert f"`snippetlock init --folder {where}`" in caught.value.mend
    assert begin(folder, library=Library(folder=where), cache=folder.parent / "cache").selector == "kilns:fire"


def test_an_index_that_has_no_such_library_sends_to_its_repository(root, index):
    with pytest.raises(PinError) as caught:
        begin(root, library=Library(wheel="none==1.0", environ=index), cache=root.parent / "cache")
    assert caught.value.mend.endswith("; a library that is on none is pinned by its repository: --git URL")


def test_a_package_in_src_that_the_project_is_called_like_comes_before_one_beside(root):
    flat(root, "mylib", mylib=SHORT, typing_tests="class T:\n    x = 1\n")
    (root / "own/src").mkdir()
    shutil.move(root / "own/mylib", root / "own/src/mylib")
    assert start(root, folder="own").selector == "mylib:Thing"


# Pages that are there


TYPED = '# Mine\n\n```python\nx = 1\n```\n\n    y = 1\n\n```text unsourced="a sample"\nz\n```\n'


def test_the_blocks_that_the_pages_have_are_counted_and_may_stay(root):
    (root / "docs/more").mkdir(parents=True)
    (root / "docs/mine.md").write_text(TYPED)
    (root / "docs/more/yours.md").write_text("```sh\nls\n```\n")
    (root / "docs/latin.md").write_bytes(b"\xff\n\n```\nno page\n```\n")  # a finding of its own
    started = start(root)

    assert started.unheld == 3
    assert tomllib.loads((root / "pyproject.toml").read_text())["tool"]["snippetlock"]["unheld"] == 3
    update(opened(root))
    assert [finding.rule for finding in check(opened(root)).findings] == ["SL501", "SL109"]
    (root / "docs/more/yours.md").write_text('```python snippet="first-quotation"\n```\n')
    (root / "docs/latin.md").unlink()
    assert [finding.rule for finding in check(opened(root)).findings] == ["SL118"]  # there are fewer now


@pytest.mark.parametrize("text", ["# Mine\n", '```text unsourced="a sample"\nz\n```\n'])
def test_of_pages_without_such_blocks_nothing_is_said(root, text):
    (root / "docs").mkdir()
    (root / "docs/mine.md").write_text(text)
    assert start(root).unheld == 0
    assert "unheld" not in (root / "pyproject.toml").read_text()


def test_the_command_says_what_it_counted(root, run, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(root.parent / "cache"))
    (root / "docs").mkdir()
    (root / "docs/mine.md").write_text(TYPED)
    text = run("init", "--folder", "lib", cwd=root)[1]
    assert "\nThe pages have 2 blocks that were typed in: `unheld = 2` in pyproject.toml lets them stand" in text
    for name in ("pyproject.toml", "pin.yaml", "snippets/first.yaml"):
        (root / name).unlink()
    (root / "docs/mine.md").write_text("```\nx\n```\n")
    assert "a block that was typed in: `unheld = 1`" in run("init", "--folder", "lib", cwd=root)[1]


@pytest.mark.parametrize("name", ["no", "on", "true", "null"])
def test_a_package_that_is_called_like_a_value_of_yaml_can_be_read_again(tmp_path, run, monkeypatch, name):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "docs-project"
    (project / "lib" / name).mkdir(parents=True)
    (project / "lib" / name / "__init__.py").write_text("def fire():\n    return 1\n")
    (project / "pyproject.toml").write_text('[project]\nname = "docs"\n')

    assert run("init", "--folder", "lib", cwd=project)[0] == 0
    assert run("show", f"{name}:fire", cwd=project)[0] == 0
    assert f'name: "{name}"\n' in (project / "pin.yaml").read_text()


def test_the_command_pins_a_commit(root, run, library, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(root.parent / "cache"))
    code, text, _ = run("init", "--git", library.serve(), "--rev", "v1.0", cwd=root)
    assert (code, text.split("\n")[0]) == (
        0,
        f"started: 'first-quotation' quotes kilns:fire of kilns {library.first[:10]}",
    )
    assert run("init", "--git", "x", "--folder", "lib", cwd=root)[0] == 2
