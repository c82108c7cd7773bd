"""Addresses of lines and commits on the web, in the way of the host that keeps a repository. Pure."""

from __future__ import annotations

import re
from urllib.parse import quote

from snippetlock.model import Repository


def permalink(
    repository: Repository, commit: str | None, path: str, first: int | None = None, last: int | None = None
) -> str:
    """The address of a file's lines at a commit; empty where there is no commit, or no web page of the repository.

    `path` is a package path: the repository's root is put before it. A host that nobody knows is taken to
    do as GitHub does.
    """
    home = web(repository.url)
    if not home or not commit:
        return ""
    way = _way(home)
    full = quote(f"{repository.root.strip('/')}/{path}".lstrip("/"), errors="surrogateescape")
    address = f"{home}/{_BLOB[way].format(commit=commit)}/{full}"
    if first is None:
        return address
    return f"{address}#{fragment(first, last, way)}"


def commit_link(repository: Repository, commit: str) -> str:
    """The address of a commit; empty where the repository has no web page."""
    home = web(repository.url)
    return f"{home}/{_COMMIT.get(_way(home), 'commit/{commit}').format(commit=commit)}" if home else ""


def number_link(home: str, number: str) -> str:
    """The address of what `#7` means in a commit's subject, on the web page of a repository; empty without one.

    Hosts that count issues and pull requests together lead on to the one that it is.
    """
    way = _NUMBERS.get(_way(home), "issues/{number}") if home else ""
    return f"{home}/{way.format(number=number)}" if way else ""


def fragment(first: int, last: int | None = None, way: str = "github") -> str:
    """The part of an address that marks lines: `L7` or `L7-L9`, or as another host writes it."""
    one, several = _LINES.get(way, ("L{first}", "L{first}-L{last}"))
    return (one if last is None or first == last else several).format(first=first, last=last)


def web(url: str) -> str:
    """The web page of a repository by the address that git knows; empty for one on this machine."""
    match = re.fullmatch(_WEB, url) or re.fullmatch(_SSH, url) or re.fullmatch(_SHORT, url)
    if match is None:
        return ""
    found = match.groupdict()
    path = found["path"].strip("/").removesuffix(".git")
    return f"{found.get('scheme', 'https')}://{found['host']}/{path}"


_WEB = r"(?P<scheme>https?)://(?:[^/@]*@)?(?P<host>[^/@]+)/(?P<path>.+)"
_SSH = r"(?:ssh|git)://(?:[^/@]*@)?(?P<host>[^/:@]+)(?::\d+)?/(?P<path>.+)"  # their ports say nothing of the web's
_SHORT = r"[\w.-]+@(?P<host>[\w.-]+):(?P<path>[^/].*)"
_BLOB = {
    "github": "blob/{commit}",
    "gitlab": "-/blob/{commit}",
    "gitea": "src/commit/{commit}",
    "bitbucket": "src/{commit}",
    "sourcehut": "tree/{commit}/item",
}
_COMMIT = {"gitlab": "-/commit/{commit}", "bitbucket": "commits/{commit}"}
_NUMBERS = {"gitlab": "-/issues/{number}", "sourcehut": ""}
_LINES = {
    "gitlab": ("L{first}", "L{first}-{last}"),
    "bitbucket": ("lines-{first}", "lines-{first}:{last}"),
    "sourcehut": ("L{first}", "L{first}-{last}"),
}
_HOSTS = (
    ("gitlab", r"(?:^|\.)(?:gitlab\..*|salsa\.debian\.org|framagit\.org)$|^gitlab[.-]"),
    ("gitea", r"(?:^|\.)(?:codeberg\.org|gitea\..*|forgejo\..*)$|^(?:gitea|forgejo)[.-]"),
    ("bitbucket", r"(?:^|\.)bitbucket\.org$"),
    ("sourcehut", r"^git\.sr\.ht$"),
)


def _way(home: str) -> str:
    host = home.partition("://")[2].partition("/")[0].partition(":")[0]
    return next((way for way, pattern in _HOSTS if re.search(pattern, host)), "github")
