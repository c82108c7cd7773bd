"""A pin that is a commit: read from where it is, or from the mirror that `snippetlock pin fetch` filled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snippetlock.errors import PinError, RepositoryError, SnippetlockError, TreeError
from snippetlock.model import Pin, Progress, Repository
from snippetlock.source.git import hidden
from snippetlock.source.gittree import GitTree
from snippetlock.source.mirror import OR_COPY, mirror_dir
from snippetlock.source.opening import at_hand, open_repo
from snippetlock.source.repository import is_url
from snippetlock.source.revisions import reach

_FETCH = "run `snippetlock pin fetch`"
_LOST = "push the commit there, or put the pin, the definitions and the lock back from version control"


def pinned_place(pin: Pin, root: Path, cache: Path) -> tuple[str, Path]:
    """The repository as messages call it, and where it is on this machine, whether or not it is there."""
    url = _repository(pin).url
    return hidden(url), mirror_dir(url, cache) if is_url(url) else root / url


def pinned_tree(pin: Pin, root: Path, cache: Path) -> GitTree:
    """The pinned commit with all its files at hand. Asks nobody; raises `PinError`."""
    repository = _repository(pin)
    mirrored = is_url(repository.url)
    try:
        repo = at_hand(repository.url, cache, base=root)
    except RepositoryError as error:
        raise _unreadable(pin, error, _FETCH if mirrored else error.mend) from error
    try:
        tree = GitTree(repo, pin.commit, repository.root)
        lacking = tree.lacking()
    except RepositoryError as error:
        raise _unreadable(pin, error, _FETCH if mirrored else _LOST) from error
    except TreeError as error:
        raise _unreadable(pin, error, error.mend) from error
    if lacking:
        mend = _FETCH if repo.mirror else "name the repository by its URL: this copy is a partial clone"
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        what = f"files of {pin.label} are not in {'the mirror of ' if repo.mirror else ''}{repo.name}"
        raise PinError(what, path=pin.place, evidence=(f"{lacking[0]}{more}",), mend=mend)
    return tree


def _unreadable(pin: Pin, error: SnippetlockError, mend: str) -> PinError:
    """The error as one of the pin; what the system refused, like to run git, has its own mend."""
    mend = error.mend if isinstance(error.__cause__, OSError) else mend
    return PinError(error.what, path=pin.place, evidence=error.evidence, mend=mend)


def fetch_commit(
    pin: Pin, cache: Path, root: Path, progress: Progress | None = None, environ: Mapping[str, str] | None = None
) -> Path:
    """Have the pinned commit and every file of its root at hand, and return where. Raises `RepositoryError`.

    What is there is not asked for again. A repository on this machine is read in place, and only looked at.
    """
    repository = _repository(pin)
    try:
        with open_repo(repository.url, cache, progress, base=root, environ=environ) as repo:
            reach(repo, pin.commit)
            GitTree(repo, pin.commit, repository.root).prefetch()
            return repo.git_dir
    except RepositoryError as error:
        error.mend = error.mend.removesuffix(OR_COPY)
        raise


def _repository(pin: Pin) -> Repository:
    if pin.repository is None:
        mend = "add `repository: {url: …, root: …}`"
        raise PinError("the pin has 'git' and no 'repository'", path=pin.place, mend=mend)
    return pin.repository
