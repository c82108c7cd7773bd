"""What commits changed, from one pass of `git log` or `git diff-tree`: which files, from which content to which.

Paths are picked here, not by git: a pathspec makes its log several times slower. Renames are found by equal
content while walking; likeness needs the contents of files, so only `diff` looks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Literal

from snippetlock.records import dataclass, replace
from snippetlock.source.door import LARGEST
from snippetlock.source.git import call, failed, start, unnamed, words
from snippetlock.source.mirror import absent, obtain
from snippetlock.source.repository import Repo, boundary, shallow
from snippetlock.source.revisions import Commit

Status = Literal["added", "deleted", "modified", "renamed"]
_FORM = "--format=%H%x00%P%x00%ct%x00%an%x00%s"
_REGULAR = frozenset({b"100644", b"100755", b"100664"})
_PIECE = 1 << 16
_AT_ONCE = 2048  # blobs that one fetch asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class PathChange:
    """What became of one file. Paths are package paths; `old` and `new` name the contents (blobs).

    A side is None where there is no regular file: none at all, a link, a submodule, or one outside the roots.
    `likeness` is in percent, 100 for a rename that changed nothing.
    """

    status: Status
    path: str
    old_path: str
    old: str | None
    new: str | None
    likeness: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One commit, and what it changed against its first parent (the empty tree for a commit that has none)."""

    commit: Commit
    paths: tuple[PathChange, ...]


def log(
    repo: Repo, a: str | None, b: str, roots: Sequence[str] = ("",), *, mainline: bool = True, whole: bool = True
) -> Iterator[Change]:
    """The commits that `b` has and `a` has not, oldest first, each after its parents; all of `b`'s for None.

    Names are full hashes. On the mainline (first parents only) each change follows on the one before it, and a
    merge brings all it merged at once. Without `mainline` the merged commits come one by one, and a merge itself
    shows no files. Commits that change nothing below the roots come too, with no paths. `roots` as in `GitTree`.
    Raises `RepositoryError`, also at the commit where a shallow clone ends; where it need not be the `whole` history,
    that one comes as if it had no parent.
    """
    ends = boundary(repo)
    walk = ("--first-parent",) if mainline else ("--no-diff-merges",)
    span = [b] if a is None else [b, f"^{a}"]
    options = (*walk, "--reverse", "--topo-order", "--raw", "-z", "--no-abbrev", "-M100%", "--no-mailmap", "--root")
    arguments = ("log", *options, "--encoding=UTF-8", _FORM, *span, "--")
    prefixes = _prefixes(roots)
    with unnamed() as errors, start(repo.git_dir, *arguments, errors=errors) as process:
        try:
            assert process.stdout is not None
            for change in _changes(_tokens(process.stdout), prefixes):
                if change.commit.id not in ends:
                    yield change
                elif whole:
                    raise shallow(repo, f"what came before {change.commit.short} is not in it")
                else:
                    yield replace(change, commit=replace(change.commit, parents=()))
            if process.wait():
                raise failed(words(errors), repo.name)
        finally:
            process.kill()


def _changes(tokens: Iterator[bytes], prefixes: tuple[bytes, ...]) -> Iterator[Change]:
    """The commits of a log as git says it."""
    head = next(tokens, None)
    while head is not None:
        commit = _commit(head, tokens)
        head, paths = _raw(tokens, prefixes)
        yield Change(commit=commit, paths=paths)


def diff(
    repo: Repo, a: str, b: str, roots: Sequence[str] = ("",), *, aside: Iterable[str] = (), renames: bool = True
) -> tuple[PathChange, ...]:
    """What differs between two commits or trees, by full hashes, with renames by likeness (git's own, 50 % and more).

    The folders `aside` of the top are left out. Without `renames` what was renamed is deleted and added, and no
    content is read; else those that this compares are fetched into a mirror. With more than a thousand files gone and
    as many new, git looks only for renames that changed nothing.
    """
    prefixes = _prefixes(roots)
    plain = ("diff-tree", "-r", "-z", "--no-abbrev", "--no-commit-id")
    within = [f":(literal){root}" for root in roots if "" not in roots]
    within += [f":(exclude,literal){folder}" for folder in aside]
    _, found = call(repo.git_dir, *plain, "--no-renames", a, b, "--", *within, where=repo.name)
    both = [change for change in _all(found, (b"",)) if change.status != "modified"]
    if renames and len({change.status for change in both}) == 2:
        obtain(repo, [name for change in both for name in (change.old, change.new) if name])
        _, found = call(repo.git_dir, *plain, "-M", "-l1000", a, b, "--", *within, where=repo.name)
    return _all(found, prefixes)


def blobs(repo: Repo, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """The content of each blob in the order asked, many at a time; None for one too large to be source.

    What a mirror lacks is fetched, all at once where few thousand are asked for. Raises `RepositoryError` for
    what cannot be had.
    """
    group: list[str] = []
    for name in ids:
        group.append(name)
        if len(group) == _AT_ONCE:
            yield from _blobs(repo, group)
            group = []
    yield from _blobs(repo, group)


def _blobs(repo: Repo, ids: list[str], *, obtained: bool = False) -> Iterator[tuple[str, bytes | None]]:
    for at, (info, data) in enumerate(repo.objects.read(ids, LARGEST)):
        if info is None and not obtained:
            obtain(repo, ids[at:])  # asked only now: most often all of them are there
            yield from _blobs(repo, ids[at:], obtained=True)
            return
        if info is None or info.kind != "blob":
            raise absent(repo, [ids[at]])
        yield ids[at], data


def _tokens(output: IO[bytes]) -> Iterator[bytes]:
    """What stands between NULs."""
    rest = b""
    while piece := output.read(_PIECE):
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole


def _commit(head: bytes, tokens: Iterator[bytes]) -> Commit:
    parents, time, author, subject = (next(tokens).decode("utf-8", "replace") for _ in range(4))
    return Commit(
        id=head.decode("ascii"),
        parents=tuple(parents.split()),
        time=int(time or 0),
        author=author,
        subject=subject,
    )


def _raw(tokens: Iterator[bytes], prefixes: tuple[bytes, ...]) -> tuple[bytes | None, tuple[PathChange, ...]]:
    """The changes that come next, and what comes after them: the next commit's name, or None at the end."""
    found: list[PathChange] = []
    for token in tokens:
        if not token.startswith((b":", b"\n:")):
            return token, tuple(found)
        old_path = next(tokens)
        old = new = _below(old_path, prefixes)
        if token[token.rindex(b" ") + 1 :].startswith((b"R", b"C")):
            new = _below(next(tokens), prefixes)
        if change := _change(token, old, new):
            found.append(change)
    return None, tuple(found)


def _all(found: bytes, prefixes: tuple[bytes, ...]) -> tuple[PathChange, ...]:
    return _raw(iter(found.split(b"\0")), prefixes)[1]


def _change(meta: bytes, old_path: bytes | None, new_path: bytes | None) -> PathChange | None:
    """One change as far as it is of regular files below the roots; None for the rest, and for a mere change of mode."""
    old_mode, new_mode, old_id, new_id, status = meta.lstrip(b"\n:").split(b" ")
    before = old_path if old_mode in _REGULAR else None
    after = new_path if new_mode in _REGULAR else None
    path = after if after is not None else before
    if path is None or (before == after and old_id == new_id):
        return None
    name = _name(path)
    kind: Status = "added" if before is None else "deleted" if after is None else "modified"
    return PathChange(
        status="renamed" if before is not None and after is not None and before != after else kind,
        path=name,
        old_path=name if before is None or before == path else _name(before),
        old=None if before is None else old_id.decode("ascii"),
        new=None if after is None else new_id.decode("ascii"),
        likeness=int(status[1:] or 0) if before is not None and after is not None else 0,
    )


def _below(path: bytes, prefixes: tuple[bytes, ...]) -> bytes | None:
    """The package path; None outside the roots."""
    for prefix in prefixes:
        if path.startswith(prefix):
            return path[len(prefix) :]
    return None


def _prefixes(roots: Sequence[str]) -> tuple[bytes, ...]:
    # The longest first, whichever tree it is of: everything is below the top.
    found = {f"{root}/".encode("utf-8", "surrogateescape") if root else b"" for root in roots}
    return tuple(sorted(found, key=len, reverse=True))


def _name(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def past(repo: Repo, path: str, most: int) -> tuple[str, ...]:
    """The commits before `HEAD`, it included, that changed a file, the newest first and so many at most.

    Raises `RepositoryError` where there is none yet.
    """
    _, listed = call(
        repo.git_dir, "rev-list", f"--max-count={most}", "HEAD", "--", f":(literal){path}", where=repo.name
    )
    return tuple(listed.decode("ascii").split())
