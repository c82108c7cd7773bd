"""From what somebody calls a revision to the one commit it means, or to an error that says what it could mean."""

from __future__ import annotations

import re

from snippetlock.errors import RepositoryError, nearest
from snippetlock.records import dataclass
from snippetlock.source.git import call
from snippetlock.source.mirror import empty, obtain, refresh, refs
from snippetlock.source.repository import Repo, boundary, fetching, shallow, tracked

_LARGEST = 1024 * 1024  # bytes of a commit object
_FULL = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_SHOWN = 8  # candidates in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit. `time` is when it was committed, in seconds since 1970 UTC; `subject` is its first paragraph."""

    id: str
    parents: tuple[str, ...]
    time: int
    author: str
    subject: str

    @property
    def short(self) -> str:
        """Enough of the name for people."""
        return self.id[:10]


def resolve(repo: Repo, revision: str) -> Commit:
    """The commit of a branch, a tag, a hash or its beginning, `HEAD~2` and the like. Asks nobody.

    In a mirror `main` is the branch of the repository that it mirrors. Raises `RepositoryError` for a revision
    that is not there or could be several.
    """
    _check(revision)
    base = re.split(r"[~^@]", revision)[0]
    known = {} if re.fullmatch(_FULL, base) else refs(repo)  # a whole hash is that object, whatever is called so
    named = {full: known[full] for full in _readings(base) if full in known}
    if len(set(named.values())) > 1:
        lines = [f"{full}  {commit}" for full, commit in sorted(named.items())]
        mend = "write it out, as it is listed here"
        raise RepositoryError(f"{base!r} names several things in {repo.name}", evidence=lines, mend=mend)
    wanted = f"{next(iter(named))}{revision[len(base) :]}" if named else revision
    info, plain = repo.objects.glance([f"{wanted}^{{commit}}", wanted])
    if info is None:
        if plain is not None and plain.kind != "commit":
            mend = "name a branch, a tag or a commit"
            raise RepositoryError(f"{revision!r} names a {plain.kind} in {repo.name}, not a commit", mend=mend)
        raise _unknown(repo, revision, known or refs(repo))
    return read_commit(repo, info.id)


def reach(repo: Repo, revision: str) -> Commit:
    """As `resolve`, after asking a mirror's server what is new; a whole hash that is there asks nobody."""
    if repo.remote is None:
        return resolve(repo, revision)
    if not re.fullmatch(_FULL, revision):
        refresh(repo)
        return resolve(repo, revision)
    if not _has_commit(repo, revision):
        refresh(repo)
        if not _has_commit(repo, revision):  # of no branch: a pull request's, or one that was rewritten away
            obtain(repo, [revision])
    return resolve(repo, revision)


def _has_commit(repo: Repo, name: str) -> bool:
    return repo.objects.check([name])[0] is not None


def read_commit(repo: Repo, name: str) -> Commit:
    """A commit by its full name. Raises `RepositoryError` when it is not there."""
    info, data = next(repo.objects.read([name], _LARGEST))
    if info is None or data is None or info.kind != "commit":
        raise RepositoryError(f"there is no commit {name} in {repo.name}", mend="name another revision")
    return parse_commit(info.id, data)


def parse_commit(name: str, data: bytes) -> Commit:
    """Take a commit object apart. A damaged author or time comes out empty or 0: history has such commits."""
    head, _, message = data.partition(b"\n\n")
    parents: list[str] = []
    fields: dict[str, str] = {}
    for line in head.split(b"\n"):
        key, _, value = line.decode("utf-8", "replace").partition(" ")
        if key == "parent":
            parents.append(value)
        else:
            fields.setdefault(key, value)
    try:
        text = message.decode(fields.get("encoding", "utf-8"), "replace")
    except LookupError:
        text = message.decode("utf-8", "replace")
    paragraph = re.split(r"\n[ \t]*\n", text.strip("\n"), maxsplit=1)[0]
    time = re.search(r"> (\d+)", fields.get("committer", ""))
    return Commit(
        id=name,
        parents=tuple(parents),
        time=int(time[1]) if time else 0,
        author=fields.get("author", "").partition(" <")[0],
        subject=" ".join(line.strip() for line in paragraph.split("\n")),
    )


def merge_base(repo: Repo, one: str, other: str) -> str | None:
    """The newest commit in the history of both, by full names; None when they have none in common.

    Raises `RepositoryError` where a shallow clone does not tell.
    """
    code, found = call(repo.git_dir, "merge-base", one, other, ok=(0, 1), where=repo.name)
    if code and (boundary(repo)):
        raise shallow(repo, "it does not reach back to where the two histories part")
    return found.decode("ascii").strip() or None


def _check(revision: str) -> None:
    """Refuse what git would read as an option, a range, or a file."""
    reason = ""
    if not revision:
        reason = "an empty name"
    elif revision.startswith("-"):
        reason = "it starts with `-`"
    elif re.search(r"[\x00-\x1f\x7f]", revision):
        reason = "a control character in it"
    elif ".." in revision:
        reason = "it names a range"
    elif ":" in revision:
        reason = "it names a file, or searches"
    if reason:
        mend = "name one branch, tag or commit"
        raise RepositoryError(f"not a revision: {revision!r}: {reason}", mend=mend)


def _readings(name: str) -> tuple[str, ...]:
    """The full names that a short one can have, those first that git takes first."""
    return (name, f"refs/tags/{name}", f"refs/heads/{name}", f"refs/remotes/{name}")


def _unknown(repo: Repo, revision: str, known: dict[str, str]) -> RepositoryError:
    """The error for what names nothing, or the beginning of several hashes."""
    commits = _beginning(repo, revision)
    if len(commits) > 1:
        lines = [f"{commit.id}  {commit.subject}" for commit in commits[:_SHOWN]]
        what = f"{revision!r} is the beginning of {len(commits)} commits in {repo.name}"
        return RepositoryError(what, evidence=lines, mend="write more of the hash")
    if boundary(repo):
        return shallow(repo, f"{revision!r} is not in the part of the history that it has", revision)
    if not known:
        return empty(repo.name)
    names = [re.sub(r"^refs/(?:heads|tags|remotes)/", "", full) for full in known]
    alike = [name for name in names if name.endswith(f"/{revision}") or revision.endswith(f"/{name}")]
    near = tuple(dict.fromkeys([*sorted(alike), *nearest(revision, names)]))[:3]
    mend = f"did you mean {' or '.join(repr(name) for name in near)}?" if near else "name a branch, a tag or a commit"
    if not repo.mirror and tracked(repo, revision):  # a clone of one branch knows of no other
        fetch = f"fetch it: `{fetching(repo, revision)}`"
        mend = f"{mend} Or {fetch}" if near else fetch
    return RepositoryError(f"no revision {revision!r} in {repo.name}", mend=mend)


def _beginning(repo: Repo, revision: str) -> list[Commit]:
    if not re.fullmatch(r"[0-9a-fA-F]{4,63}", revision):
        return []
    _, listed = call(repo.git_dir, "rev-parse", f"--disambiguate={revision}", where=repo.name)
    found = repo.objects.check(sorted(listed.decode("ascii").split()))
    return [read_commit(repo, info.id) for info in found if info and info.kind == "commit"]
