"""From an address to a repository: what is on this machine is read in place, the rest is mirrored in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snippetlock.errors import RepositoryError
from snippetlock.model import Pin, Progress, Repository
from snippetlock.records import replace
from snippetlock.source.git import hidden
from snippetlock.source.mirror import mirror, mirrored
from snippetlock.source.repository import Remote, Repo, is_url, local

LIMIT = 30.0  # seconds without a word from the server


def upstream(pin: Pin, override: str | None = None) -> Repository:
    """Where the library is developed: what the pin says, with `override` (a URL or path) in place of its address.

    Links still go where `pin.repository` says: a copy to read from is not where readers look. Raises
    `RepositoryError` where neither names one.
    """
    if pin.repository is None:
        if not override:
            mend = "add `repository: {url: …}` to the pin, or name one with --upstream"
            raise RepositoryError("the pin names no repository to compare with", path=pin.place, mend=mend)
        return Repository(url=override)
    return replace(pin.repository, url=override) if override else pin.repository


def open_repo(
    where: str,
    cache: Path,
    progress: Progress | None = None,
    limit: float = LIMIT,
    *,
    base: Path = Path(),
    environ: Mapping[str, str] | None = None,
) -> Repo:
    """The repository at a path, which is only ever read, or the mirror of the one at a URL, cloned when it is new.

    A mirror that is there is taken as it is: `refresh` or `reach` ask its server. A relative path counts from
    `base`. `limit` is in seconds without a word from the server; `environ` is what git is to see of ours then.
    Raises `RepositoryError`.
    """
    if is_url(where):
        return mirror(Remote(url=where, environ=environ, progress=progress, limit=limit), cache)
    return local(base / where, where)


def at_hand(where: str, cache: Path, *, base: Path = Path()) -> Repo:
    """The repository, as far as it is on this machine: nothing is ever fetched. Raises `RepositoryError`."""
    if not is_url(where):
        return local(base / where, where)
    found = mirrored(Remote(url=where), cache, online=False)
    if found is None:
        raise RepositoryError(f"{hidden(where)} is not in the cache", mend="run `snippetlock pin fetch`")
    return found
