"""A repository of the library's, on this machine: its own, read in place, or our mirror of one elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from snippetlock.errors import RepositoryError
from snippetlock.model import Progress
from snippetlock.records import dataclass, field
from snippetlock.source.git import PROTOCOLS, call, hidden
from snippetlock.source.objects import Objects

_PLACE = r"[A-Za-z0-9_.-]+(?:@[A-Za-z0-9_.-]+)?:(?!//).+"  # git@host:path, as ssh writes it


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """Where a mirror comes from, and how its server may be asked.

    `environ` is what git is to see of ours: proxies, credentials, certificates; None for nothing. `limit` is in
    seconds without any word from the server.
    """

    url: str
    environ: Mapping[str, str] | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)
    limit: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Repo:
    """A handle: every call of git is told `git_dir`. `name` is what messages call it, without passwords.

    `remote` is None for a repository that is read in place, and for a mirror that must do with what it has:
    then nothing is ever fetched. As a context manager it ends the processes that read; without, they end with it.
    """

    git_dir: Path
    name: str
    remote: Remote | None = None
    mirror: bool = False
    objects: Objects = field(compare=False, repr=False)

    def __enter__(self) -> Repo:
        return self

    def __exit__(self, *_: object) -> None:
        self.objects.close()


def is_url(where: str) -> bool:
    """Whether this names a repository on another machine (or by `file://`), which is mirrored, not read in place."""
    return "://" in where or (re.match(_PLACE, where) is not None and not os.path.exists(where))


def check_url(url: str) -> str:
    """The address as it is; raises `RepositoryError` for one of which git would make a command or an option."""
    scheme = url.partition("://")[0] if "://" in url else "ssh"
    if scheme in ("http", "https") and " " in url:
        raise RepositoryError(f"a space in an address: {hidden(url)!r}", mend="write %20 for each")
    if url.startswith("-") or "::" in url or scheme not in PROTOCOLS or re.search(r"[\x00-\x1f\x7f]", url):
        mend = f"write an address of {', '.join(PROTOCOLS)}, or the path of a repository on this machine"
        raise RepositoryError(f"not an address of a repository: {hidden(url)!r}", mend=mend)
    return url


def local(path: Path, name: str = "") -> Repo:
    """The repository of a checkout's top folder, or the bare one that the path names. Nothing of it is changed.

    Messages call it `name`, as somebody wrote it; else by its path.
    """
    name = name or str(path)
    real = Path(os.path.realpath(path))
    git_dir = _git_dir(real)
    if git_dir is None:
        what = "is not a repository" if os.path.exists(real) else "does not exist"
        above = next((str(folder) for folder in real.parents if _git_dir(folder)), "")
        mend = "name a checkout's top folder, a bare repository, or a URL"
        # Not taken for meant: a docs project's own repository often lies above what somebody mistyped.
        evidence = (f"it lies in the repository {above}",) if above and os.path.exists(real) else ()
        raise RepositoryError(f"{name} {what}", evidence=evidence, mend=mend)
    return Repo(git_dir=git_dir, name=name, objects=Objects(git_dir))


def holding(folder: Path) -> Path:
    """The top folder of the checkout that `folder`, absolute, lies in. Raises `RepositoryError` for none."""
    for top in (folder, *folder.parents):
        if _git_dir(top) is not None:
            return top
    mend = "run it in a checkout of the library"
    raise RepositoryError(f"{folder} does not lie in a repository", mend=mend)


def _git_dir(folder: Path) -> Path | None:
    """The git directory of a checkout or of a bare repository; None for another folder."""
    inside = folder / ".git"
    if os.path.isfile(inside):  # of a linked work tree, or a submodule: it says where
        match = re.match(rb"gitdir: ([^\r\n]+)", inside.read_bytes()[:4096])
        return _git_dir(Path(os.path.realpath(folder / os.fsdecode(match[1])))) if match else None
    for found in (inside, folder):
        if os.path.exists(found / "HEAD") and os.path.isdir(common_dir(found) / "objects"):
            return found
    return None


def common_dir(git_dir: Path) -> Path:
    """Where objects and refs are: another folder than `git_dir` for a linked work tree."""
    try:
        return git_dir / (git_dir / "commondir").read_text(encoding="utf-8", errors="surrogateescape").strip("\r\n")
    except OSError:
        return git_dir


def branch(repo: Repo) -> str:
    """The branch that is checked out, or of a mirror the one that its server gives first; empty for none."""
    code, said = call(repo.git_dir, "symbolic-ref", "--quiet", "--short", "HEAD", ok=(0, 1, 128), where=repo.name)
    return "" if code else said.decode("utf-8", "surrogateescape").strip()


def boundary(repo: Repo) -> frozenset[str]:
    """The commits of a shallow clone whose parents were left out; empty for a repository that has all."""
    try:
        return frozenset((common_dir(repo.git_dir) / "shallow").read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()


def shallow(repo: Repo, what: str, revision: str = "") -> RepositoryError:
    """The error for a question that a shallow clone cannot answer; `what` says which.

    `revision` is what it does not know: a clone of one branch has to be told to fetch another.
    """
    mend = (
        f"run `{fetching(repo, revision, '--unshallow')}`" if not repo.mirror else "connect, and run the command again"
    )
    return RepositoryError(f"{repo.name} is a shallow clone: {what}", mend=mend)


def fetching(repo: Repo, revision: str, *options: str) -> str:
    """The command that fetches a remote's branch into a checkout under this name; without such a name, all as usual."""
    import shlex

    place = repo.git_dir.parent if repo.git_dir.name == ".git" else repo.git_dir
    return shlex.join(["git", "-C", str(place), "fetch", *options, *tracked(repo, revision)])


def tracked(repo: Repo, revision: str) -> tuple[str, ...]:
    """The remote and what to fetch of it, for a name like `origin/main`; nothing for any other."""
    _, listed = call(repo.git_dir, "remote", where=repo.name)
    name = re.split(r"[~^@]", revision)[0]
    for remote in sorted(listed.decode("utf-8", "surrogateescape").split("\n"), key=len, reverse=True):
        branch = name.removeprefix(f"{remote}/") if remote else name
        if branch not in ("", name):
            return remote, f"+refs/heads/{branch}:refs/remotes/{remote}/{branch}"
    return ()
