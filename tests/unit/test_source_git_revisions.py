"""From a revision to one commit, and what is said when there is none, or more than one."""

import hashlib
import itertools

import pytest

from snippetlock.errors import RepositoryError
from snippetlock.source.opening import open_repo
from snippetlock.source.revisions import Commit, merge_base, parse_commit, read_commit, resolve

ANY = "name a branch, a tag or a commit"


@pytest.fixture
def up(repo):
    history = repo()
    history.commit({"a": "1"}, "one")
    history.git("branch", "feature/gemm")
    history.commit({"a": "2"}, "two\nlines of a subject\n\nand a body")
    history.git("tag", "--annotate", "v1.0", "--message", "a tag")
    history.git("tag", "blob", history.git("rev-parse", "HEAD:a"))
    return history


@pytest.fixture
def repository(up, tmp_path):
    with open_repo(str(up.folder), tmp_path / "cache") as repository:
        yield repository


def test_a_commit_as_data(up, repository):
    one, two = up.git("rev-parse", "HEAD~1"), up.git("rev-parse", "HEAD")
    commit = resolve(repository, "main")
    assert commit == Commit(id=two, parents=(one,), time=1_700_000_120, author="Ada", subject="two lines of a subject")
    assert commit.short == two[:10]
    assert resolve(repository, "HEAD~1") == Commit(id=one, parents=(), time=1_700_000_060, author="Ada", subject="one")


def test_every_way_to_name_one(up, repository):
    one, two = up.git("rev-parse", "HEAD~1"), up.git("rev-parse", "HEAD")
    for name in ("main", "HEAD", "v1.0", "refs/tags/v1.0", "heads/main", two, two[:7], two.upper(), "v1.0^{commit}"):
        assert resolve(repository, name).id == two, name
    for name in ("HEAD~1", "main^", "v1.0~1", "feature/gemm", "refs/heads/feature/gemm", one[:12], f"{two}~1"):
        assert resolve(repository, name).id == one, name


def test_a_remote_branch_of_a_clone(up, tmp_path):
    up.git("clone", "--quiet", str(up.folder), str(tmp_path / "copy"))
    with open_repo(str(tmp_path / "copy"), tmp_path / "cache") as repository:
        assert resolve(repository, "origin/feature/gemm").subject == "one"
        with pytest.raises(RepositoryError) as caught:
            resolve(repository, "feature/gemm")
        assert caught.value.mend == "did you mean 'origin/feature/gemm'?"


UNKNOWN = [
    ("mian", "did you mean 'main'?"),
    ("v1", "did you mean 'v1.0'?"),
    ("origin/main", "did you mean 'main'?"),
    ("gemm", "did you mean 'feature/gemm'?"),
    ("quite another", ANY),
    ("main~9", "did you mean 'main'?"),
    ("0000000", ANY),
    ("1" * 40, ANY),
]


@pytest.mark.parametrize(("name", "mend"), UNKNOWN)
def test_a_revision_that_is_not_there(name, mend, up, repository):
    with pytest.raises(RepositoryError) as caught:
        resolve(repository, name)
    assert str(caught.value) == f"no revision {name!r} in {up.folder}\n  mend: {mend}"


REFUSED = [
    ("", "an empty name"),
    ("--all", "it starts with `-`"),
    ("main\nHEAD", "a control character in it"),
    ("a..b", "it names a range"),
    ("main:a", "it names a file, or searches"),
    (":/one", "it names a file, or searches"),
]


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_what_is_no_revision(name, reason, repository):
    with pytest.raises(RepositoryError) as caught:
        resolve(repository, name)
    assert str(caught.value) == f"not a revision: {name!r}: {reason}\n  mend: name one branch, tag or commit"


def test_a_name_of_something_else(up, repository):
    with pytest.raises(RepositoryError) as caught:
        resolve(repository, "blob")
    assert str(caught.value) == f"'blob' names a blob in {up.folder}, not a commit\n  mend: {ANY}"


def test_a_branch_and_a_tag_of_one_name(up, repository):
    up.git("branch", "both", "HEAD")
    up.git("tag", "both", "HEAD")
    assert resolve(repository, "both").subject.startswith("two")
    up.git("tag", "--force", "both", "HEAD~1")
    one, two = up.git("rev-parse", "HEAD~1"), up.git("rev-parse", "HEAD")
    for name in ("both", "both~1"):
        with pytest.raises(RepositoryError) as caught:
            resolve(repository, name)
        assert str(caught.value) == (
            f"'both' names several things in {up.folder}\n  refs/heads/both  {two}\n  refs/tags/both  {one}\n"
            "  mend: write it out, as it is listed here"
        )
    assert resolve(repository, "refs/tags/both").id == one


def test_a_beginning_of_several_hashes(up, repository):
    tree = up.git("rev-parse", "HEAD^{tree}")
    by_start = {}
    for number in itertools.count():
        text = f"tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nnumber {number}\n".encode()
        name = hashlib.sha1(b"commit %d\0" % len(text) + text).hexdigest()
        if name[:4] in by_start:
            break
        by_start[name[:4]] = text
    pair = sorted(up.git("hash-object", "-w", "-t", "commit", "--stdin", feed=t) for t in (text, by_start[name[:4]]))
    with pytest.raises(RepositoryError) as caught:
        resolve(repository, name[:4])
    error = caught.value
    assert error.what == f"{name[:4]!r} is the beginning of 2 commits in {up.folder}"
    assert [line.split()[0] for line in error.evidence] == pair
    assert error.evidence[0].partition("  ")[2].startswith("number ")
    assert error.mend == "write more of the hash"


def test_an_empty_repository(repo, tmp_path):
    with open_repo(str(repo("none").folder), tmp_path) as repository, pytest.raises(RepositoryError) as caught:
        resolve(repository, "main")
    assert str(caught.value) == (
        f"{tmp_path / 'none'} has no branch and no tag\n  mend: name a repository that has commits"
    )


def test_a_commit_by_its_whole_name(up, repository):
    assert read_commit(repository, up.git("rev-parse", "HEAD")).subject.startswith("two")
    for name in ("0" * 40, up.git("rev-parse", "HEAD^{tree}")):
        with pytest.raises(RepositoryError) as caught:
            read_commit(repository, name)
        assert str(caught.value) == f"there is no commit {name} in {up.folder}\n  mend: name another revision"


ODD = [
    (b"", ("", 0, "")),
    (b"tree 1\nauthor \xff <a> 1 +0000\ncommitter A <a>\n\n", ("\ufffd", 0, "")),
    (b"encoding latin-1\ncommitter A <a> 7 -0330\n\n\n\xe9t\xe9\n  two \n\t\nthree", ("", 7, "été two")),
    (b"encoding no-such\n\n\xc3\xa9", ("", 0, "é")),
    (b"gpgsig -----\n author x\n\nsubject", ("", 0, "subject")),
]


@pytest.mark.parametrize(("data", "want"), ODD)
def test_an_odd_commit_is_still_one(data, want):
    commit = parse_commit("1", data)
    assert (commit.author, commit.time, commit.subject) == want


def test_where_two_histories_part(up, repository, tmp_path):
    two = up.git("rev-parse", "HEAD")
    up.git("checkout", "--quiet", "-b", "side")
    three = up.commit({"b": "1"})
    up.git("checkout", "--quiet", "main")
    four = up.commit({"c": "1"})
    assert merge_base(repository, three, four) == two
    assert merge_base(repository, two, four) == two
    up.git("checkout", "--quiet", "--orphan", "other")
    alone = up.commit({})
    assert merge_base(repository, alone, four) is None
    up.git("clone", "--quiet", "--depth=1", "--no-single-branch", up.url, str(tmp_path / "part"))
    with open_repo(str(tmp_path / "part"), tmp_path) as part, pytest.raises(RepositoryError) as caught:
        merge_base(part, three, four)
    assert caught.value.what == (
        f"{tmp_path / 'part'} is a shallow clone: it does not reach back to where the two histories part"
    )
