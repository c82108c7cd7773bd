"""Mirrors: bare clones in the cache of repositories that are elsewhere, without the contents of files.

Contents come when they are asked for, many at once, and only through `obtain`: the mirror's own settings do not
say that it is partial, or git would fetch behind our back, one file at a time. Old commits stay when a branch is
rewritten, for nothing is ever collected.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import ceil
from pathlib import Path

from snippetlock.errors import RepositoryError
from snippetlock.records import dataclass
from snippetlock.source.git import call, command, hidden, last_words, reaching, talk
from snippetlock.source.objects import Objects
from snippetlock.source.repository import Remote, Repo, boundary, check_url, fetching

_WAIT = 600.0  # seconds for another process to finish; that one is bound by its own limit
_STEP = 0.1
_HEADS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_PARTIAL = ("-c", "remote.origin.promisor=true", "-c", "remote.origin.partialclonefilter=blob:none")
_FETCH = ("fetch", "--progress", "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-fetch-head")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What a fetch did to a branch or tag (`refs/heads/main`): None for one that is new, or gone.

    `rewritten`: the old commit is not in the new one's history.
    """

    ref: str
    old: str | None
    new: str | None
    rewritten: bool = False


def mirror_dir(url: str, cache: Path) -> Path:
    """Where the cache keeps the mirror of a URL, whether or not it is there."""
    return cache / "git" / sha256(url.encode("utf-8", "surrogateescape")).hexdigest()


def mirrored(remote: Remote, cache: Path, *, online: bool) -> Repo | None:
    """The mirror that the cache has; None when it has none. Asks nobody."""
    git_dir = mirror_dir(remote.url, cache)
    if not (git_dir / "HEAD").exists():
        return None
    return Repo(
        git_dir=git_dir,
        name=hidden(remote.url),
        remote=remote if online else None,
        mirror=True,
        objects=Objects(git_dir),
    )


def mirror(remote: Remote, cache: Path) -> Repo:
    """The mirror, cloned now if the cache has none. Raises `RepositoryError`, and the cache is then as it was."""
    check_url(remote.url)
    found = mirrored(remote, cache, online=True)
    if found is None:
        with _alone(mirror_dir(remote.url, cache), remote):
            found = mirrored(remote, cache, online=True) or _cloned(remote, cache)
    return found


def refresh(repo: Repo) -> tuple[Moved, ...]:
    """Fetch branches and tags, drop those that are gone, and say what moved. A local repository is left alone."""
    if repo.remote is None:
        return ()
    with _alone(repo.git_dir, repo.remote):
        before = refs(repo)
        deepen = ("--unshallow",) if boundary(repo) else ()
        _ask(repo.git_dir, repo.remote, *_PARTIAL, *_FETCH, *deepen, "--prune", "origin", *_HEADS)
        repo.objects.close()
        after = refs(repo)
    moved = []
    for ref in sorted(before.keys() | after.keys()):
        old, new = before.get(ref), after.get(ref)
        if old != new:
            rewritten = bool(old and new) and not _contains(repo, str(new), str(old))
            moved.append(Moved(ref=ref, old=old, new=new, rewritten=rewritten))
    return tuple(moved)


def obtain(repo: Repo, ids: Iterable[str]) -> None:
    """Make sure that these objects are there, fetching at once all that are not. Raises `RepositoryError`."""
    wanted = list(dict.fromkeys(ids))
    lacking = [name for name, info in zip(wanted, repo.objects.check(wanted), strict=True) if info is None]
    if lacking and repo.remote is not None:
        with _alone(repo.git_dir, repo.remote):
            noop = ("-c", "fetch.negotiationAlgorithm=noop")  # what we have says nothing of what we lack
            feed = "".join(f"{name}\n" for name in lacking).encode("ascii")
            _ask(repo.git_dir, repo.remote, *_PARTIAL, *noop, *_FETCH, "--no-tags", "--stdin", "origin", feed=feed)
        lacking = [name for name, info in zip(lacking, repo.objects.check(lacking), strict=True) if info is None]
    if lacking:
        raise absent(repo, lacking)


def absent(repo: Repo, ids: list[str]) -> RepositoryError:
    """The error for objects that cannot be had."""
    count = f"{len(ids)} objects are" if len(ids) > 1 else "an object is"
    if repo.mirror:
        mend = "run `snippetlock pin fetch`" if repo.remote is None else "check that the repository is whole"
        return RepositoryError(f"{count} not in the mirror of {repo.name}", evidence=ids[:1], mend=mend)
    mend = f"run `{fetching(repo, '', '--refetch')}`, or name the repository by its URL"
    return RepositoryError(f"{count} not in {repo.name}: a partial clone, or damaged", evidence=ids[:1], mend=mend)


def empty(name: str) -> RepositoryError:
    """The error for a repository without a commit. To git a web page without a line of refs is one, too."""
    page = name.startswith(("http://", "https://"))
    what = f"{name} has no branch and no tag" + (": it is empty, or a page and no repository" if page else "")
    mend = (
        "correct the address, or name a repository that has commits" if page else "name a repository that has commits"
    )
    return RepositoryError(what, mend=mend)


def refs(repo: Repo) -> dict[str, str]:
    """Every branch, tag and remote-tracking branch by full name, with the commit that it leads to."""
    form = "--format=%(refname)%00%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"
    _, listed = call(repo.git_dir, "for-each-ref", form, "refs/heads", "refs/tags", "refs/remotes", where=repo.name)
    lines = listed.decode("utf-8", "surrogateescape").split("\n")
    return {name: commit for name, _, commit in (line.partition("\0") for line in lines) if name}


def _contains(repo: Repo, commit: str, older: str) -> bool:
    """Whether `older` is in the history of `commit`; a tag may lead to what is no commit, and contains nothing."""
    return call(repo.git_dir, "merge-base", "--is-ancestor", older, commit, ok=(0, 1, 128))[0] == 0


def _cloned(remote: Remote, cache: Path) -> Repo:
    """Clone into a folder beside, then rename: a killed clone leaves only its own folder behind."""
    target = mirror_dir(remote.url, cache)
    from shutil import rmtree
    from tempfile import mkdtemp  # both for who clones: once

    room = Path(mkdtemp(prefix=".clone-", dir=target.parent))
    try:
        made = room / "git"
        options = ("clone", "--bare", "--progress", "--filter=blob:none", "--reject-shallow", "--template=")
        _ask(None, remote, *options, "--origin=origin", "--", remote.url, str(made), folder=room)
        for key in ("remote.origin.promisor", "remote.origin.partialclonefilter", "extensions.partialclone"):
            call(made, "config", "--local", "--unset-all", key, ok=(0, 5))
        if not call(made, "for-each-ref", "--count=1")[1]:
            raise empty(hidden(remote.url))
        os.rename(made, target)
    except OSError as error:
        raise _unwritable(target.parent, error) from error
    finally:
        rmtree(room, ignore_errors=True)
    return Repo(git_dir=target, name=hidden(remote.url), remote=remote, mirror=True, objects=Objects(target))


def _ask(git_dir: Path | None, remote: Remote, *arguments: str, folder: Path | None = None, feed: bytes = b"") -> None:
    """One exchange with the server. Raises `RepositoryError` for every way this can fail."""
    name = hidden(remote.url)
    report = remote.progress

    def told(done: int, total: int) -> None:
        if report:
            report(f"fetching {name}", done, total)

    where = folder or git_dir
    assert where is not None
    # Should we be killed, and git live on, it too gives up on a dead server.
    slow = ("-c", "http.lowSpeedLimit=1", "-c", f"http.lowSpeedTime={2 * ceil(remote.limit)}")
    asked = command(git_dir, *slow, *arguments)
    code, said = talk(asked, where, reaching(remote.environ), remote.limit, told, feed)
    if code is None:
        mend = f"check the address and the network{OR_COPY}"
        raise RepositoryError(f"{name} does not answer: {remote.limit:g} s without a word", mend=mend)
    if code:
        raise explain(name, said)


OR_COPY = ", or name a copy with --upstream"
"""Of what a command can do that takes `--upstream`: a pin is read from its own address alone."""

_SAID = (
    (
        "could not read Username|could not read Password|Authentication failed|terminal prompts disabled",
        "{name} asks who we are, or there is no such repository",
        "store the credentials where git finds them without asking (a credential helper), or correct the address",
    ),
    (
        "Permission denied|Host key verification failed",
        "{name} lets us in by no key that ssh has",
        "let `ssh` reach the host without asking, or use its https address",
    ),
    ("Could not resolve host|Name or service not known|Temporary failure", "the host of {name} is not known", ""),
    ("Connection refused|Failed to connect|Couldn't connect|unreachable|timed out", "{name} cannot be reached", ""),
    (
        "dubious ownership",
        "git does not trust who owns {name}",
        "name it by its path instead of file://, or run `git config --global --add safe.directory` with that path",
    ),
    (
        "is this a git repository",
        "{name} answers, but not as a repository does",
        "correct the address: that of a page is often another than that of its repository",
    ),
    (
        "not found|does not appear to be a git repository|not a git repository",
        "there is no repository at {name}",
        "correct the address",
    ),
    (
        "is shallow, reject",
        "{name} is itself a shallow clone, whose history ends somewhere",
        "unshallow it there, or name the repository that it was cloned from",
    ),
    (
        "returned error: 403",
        "{name} does not let us in",
        "store credentials that may read it where git finds them, or correct the address",
    ),
    ("returned error: 5[0-9][0-9]", "{name} cannot answer now", f"try again later{OR_COPY}"),
    ("No space left on device", "the disk is full", "make room, or set SNIPPETLOCK_CACHE to another disk"),
    ("not our ref", "{name} has no object of this name that it gives out", "correct the name, or use a full copy"),
    ("unadvertised object", "{name} does not give out a single object by its name", "use a full copy"),
)


def explain(name: str, said: str) -> RepositoryError:
    """Why an exchange failed, in one message with git's own last words."""
    connect = f"check the address and the network{OR_COPY}"
    for pattern, what, mend in _SAID:
        if re.search(pattern, said):
            return RepositoryError(what.format(name=name), evidence=last_words(said), mend=mend or connect)
    return RepositoryError(f"git could not fetch {name}", evidence=last_words(said), mend=connect)


@contextmanager
def _alone(git_dir: Path, remote: Remote) -> Iterator[None]:
    """Be the only process that changes this mirror. Held by the system: a killed process blocks nobody."""
    import fcntl

    try:
        git_dir.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(git_dir.parent / f"{git_dir.name}.guard", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise _unwritable(git_dir.parent, error) from error
    try:
        end = time.monotonic() + _WAIT
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if time.monotonic() > end:
                what = f"another process is fetching {hidden(remote.url)}, and was not done after {_WAIT:g} s"
                raise RepositoryError(what, mend="wait for it to finish, then run this again")
            time.sleep(_STEP)
        yield
    finally:
        os.close(handle)


def _unwritable(folder: Path, error: OSError) -> RepositoryError:
    what = f"the cache cannot be written: {error.strerror}: {folder}"
    return RepositoryError(what, mend="set SNIPPETLOCK_CACHE to a folder that can be written and has room")
