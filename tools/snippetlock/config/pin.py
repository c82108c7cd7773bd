"""Read the pin: which state of the library the docs speak of."""

from __future__ import annotations

import os
import re

from snippetlock.config.document import NOTHING, Node, parse_document, read_document
from snippetlock.config.project import Config
from snippetlock.config.schema import fields, text
from snippetlock.errors import ConfigError
from snippetlock.model import Pin, Repository
from snippetlock.records import replace

_KEYS = ("folder", "git", "name", "repository", "version", "wheel")
# Patterns are compiled at first use: what a run does not need should not slow its start.
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_VERSION = r"[A-Za-z0-9][A-Za-z0-9.!+_-]*"
WHEEL = r"(?P<name>[A-Za-z0-9._]+)-(?P<version>[A-Za-z0-9.!+_]+)(?:-\d[A-Za-z0-9_.]*)?(?:-[A-Za-z0-9_.]+){3}\.whl"
_COMMIT = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_URL = r"https?://\S+|(?:(?:ssh|git|file)://|[A-Za-z0-9_.-]+@[^:]+:|/|\./|\.\./)[^\x00-\x1f\x7f]+"


def load_pin(config: Config) -> Pin:
    """Read the pin file: a wheel, a folder or a commit, and where the library is developed.

    Fetches nothing. Raises `ConfigError` where there is none, or it says what cannot be meant.
    """
    place = config.name(config.pin)
    if not os.path.lexists(config.pin):
        raise ConfigError(
            "there is no pin file",
            path=place,
            mend="write one, or set `pin` in [tool.snippetlock] to where it is (`snippetlock init` writes an example)",
        )
    return _pin(read_document(config.pin, place), place)


def parse_pin(source: str, place: str) -> Pin:
    """The pin of a pin file's text, for who is about to write it; `place` is what messages call the file."""
    return _pin(parse_document(source, place), place)


def _pin(node: Node, place: str) -> Pin:
    if node.kind == NOTHING:
        raise node.error("the pin file is empty", "write `name:`, `version:` and `wheel:` (or `folder:`, or `git:`)")
    found = fields(node, _KEYS, "the pin", required=("name",))
    name = _matching(found["name"][1], _NAME, "name", "write the name of the package on the index")
    version = ""
    if "version" in found and found["version"][1].kind != NOTHING:
        version = _matching(found["version"][1], _VERSION, "version", "write a version, like 0.1.0")
    repository = _repository(found["repository"][1]) if "repository" in found else None
    kinds = [kind for kind in ("wheel", "folder", "git") if kind in found]
    if len(kinds) > 1:
        key = max((found[kind][0] for kind in kinds), key=lambda k: (k.line, k.column))
        said = " and ".join(repr(kind) for kind in kinds[:2])
        raise key.error(f"the pin has both {said}", "keep the one that is to be read")
    if "folder" in found:
        folder = text(found["folder"][1], "folder")
        if folder.startswith("~"):
            mend = "write the path out, or from the project's folder: ../library"
            raise found["folder"][1].error(f"folder is {folder!r}", mend)
        return Pin(name=name, version=version, kind="folder", folder=folder, repository=repository, place=place)
    if "git" in found:
        commit, repository = _commit(found["git"][1], node, repository)
        return Pin(name=name, version=version, kind="git", commit=commit, repository=repository, place=place)
    if "wheel" not in found:
        mend = "add `wheel: {file: …, sha256: …}`, `folder: path` or `git: {commit: …}`"
        raise node.error("the pin has neither 'wheel' nor 'folder' nor 'git'", mend)
    if not version:
        raise node.error("the pin has no 'version'", "add `version:`; a wheel has one")
    file, sha256 = _wheel(found["wheel"][1], name, version)
    return Pin(name=name, version=version, kind="wheel", file=file, sha256=sha256, repository=repository, place=place)


def _matching(node: Node, pattern: str, what: str, mend: str) -> str:
    value = text(node, what)
    if not re.fullmatch(pattern, value):
        raise node.error(f"{what} is {value!r}", mend)
    return value


def _wheel(node: Node, name: str, version: str) -> tuple[str, str]:
    """File name and digest; the file must be of the package and version that the pin states."""
    found = fields(node, ("file", "sha256"), "wheel", required=("file", "sha256"))
    file_node, digest_node = found["file"][1], found["sha256"][1]
    file = text(file_node, "file")
    parts = re.fullmatch(WHEEL, file)
    if not parts:
        mend = f"write it whole, like {name}-{version}-py3-none-any.whl"
        raise file_node.error(f"file is {file!r}, not the name of a wheel", mend)
    if plain_name(parts["name"]) != plain_name(name) or not _same_version(parts["version"], version):
        mend = "make `name`, `version` and `file` say the same"
        raise file_node.error(f"{file!r} is not a wheel of {name} {version}", mend)
    digest = text(digest_node, "sha256").lower()
    if re.search(r"[^0-9a-f]", digest):
        raise digest_node.error("sha256 has other characters than hex digits", "write the 64 hex digits alone")
    if len(digest) != 64:
        raise digest_node.error(f"sha256 has {len(digest)} digits, not 64", "copy the digest whole")
    return file, digest


def _commit(node: Node, pin: Node, repository: Repository | None) -> tuple[str, Repository]:
    """The commit, and the repository that it is of: links go to that very commit."""
    found = fields(node, ("commit",), "git", required=("commit",))["commit"][1]
    commit = _matching(found, _COMMIT, "commit", "write the whole commit, 40 hex digits")
    if repository is None:
        raise pin.error("the pin has 'git' and no 'repository'", "add `repository: {url: …, root: …}`")
    if repository.commit not in (None, commit):
        mend = "leave `commit` out of `repository`: links go to the pinned one"
        raise found.error(f"git says {commit[:10]}, and repository says {str(repository.commit)[:10]}", mend)
    return commit, replace(repository, commit=commit)


def plain_name(name: str) -> str:
    """A package's name without the differences that the index does not see."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _same_version(one: str, other: str) -> bool:
    """A wheel's name writes `_` for what would part it."""
    return one.replace("_", "-") == other.replace("_", "-")


def _repository(node: Node) -> Repository:
    pairs = fields(node, ("branch", "commit", "root", "url"), "repository", required=("url",))
    found = {key: value for key, (_, value) in pairs.items() if value.kind != NOTHING or key in ("url", "branch")}
    url = _matching(found["url"], _URL, "url", "write an address (https://…) or a path that git can clone")
    branch = text(found["branch"], "branch") if "branch" in found else "main"
    root = ""
    if "root" in found:
        root = text(found["root"], "root").rstrip("/")
        if "\\" in root or any(part in ("", ".", "..") for part in root.split("/")):
            mend = "write the folder of the repository that holds the packages, like src"
            raise found["root"].error(f"root is {root!r}", mend)
    commit = None
    if "commit" in found:
        commit = _matching(found["commit"], _COMMIT, "commit", "write the whole commit, 40 hex digits, or null")
    return Repository(url=url.rstrip("/"), branch=branch, root=root, commit=commit)
