"""Find the packages of a repository that never heard of this tool, and the folder that holds them. Reads three files.

What `pyproject.toml`, `setup.cfg` or `setup.py` call the project comes first; then what lies there. Nothing is run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from snippetlock.errors import UsageError, nearest
from snippetlock.records import dataclass
from snippetlock.workflow.packages import BESIDE

__all__ = ["Layout", "called", "layout_of", "outside", "plain_name"]

_DEEPEST = 3  # folders above a package: `python/lib/src/package`
_OUTSIDE = BESIDE | frozenset(["benchmark", "build", "ci", "demo", "demos", "dist", "doc", "docs_src", "example"])
_OUTSIDE |= frozenset(["experiments", "node_modules", "notebooks", "samples", "site", "templates", "testing", "tools"])
_OUTSIDE |= frozenset(["third_party", "vendor", "venv"])
_SHOWN = 8  # packages that a message lists
_SAID = re.compile(rb"""^\s*name\s*=\s*["']([\w.-]+)["']""", re.M)
_CFG = re.compile(rb"^name\s*=\s*([\w.-]+)\s*$", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """`root` is the folder that holds the packages, empty for the top; `why` says how they were found."""

    root: str
    packages: tuple[str, ...]
    why: str


def layout_of(
    paths: Iterable[str], read: Callable[[str], bytes | None], *, package: str = "", root: str | None = None
) -> Layout:
    """Where the packages are: what is asked for, else what the project is called, else the largest that is there.

    `read` gives the bytes of a file, None where there is none. Raises `UsageError` where there is no package.
    """
    held = _held(paths)
    if root is not None:
        root = "" if root in (".", "./") else root.strip("/")
        held = {name: size for name, size in held.items() if name.rpartition("/")[0] == root}
    if not held:
        raise _none(root)
    if package:
        return _asked(held, package)
    names, said = called(read)
    named = [each for each in held if plain_name(each.rpartition("/")[2]) in names]
    if named:
        first = min(named, key=lambda each: (each.count("/"), -held[each], each))
        return _with(held, first, f"as {said} calls the project")
    first = max(sorted(held), key=lambda each: (held[each], -each.count("/")))
    others = len(held) - 1
    why = f"the largest of {others + 1} packages; --package names another" if others else "the only package"
    return _with(held, first, why)


def _held(paths: Iterable[str]) -> dict[str, int]:
    """The packages by path, and how many Python files each has: folders with an `__init__`, and the modules beside."""
    files = [path for path in paths if path.endswith((".py", ".pyi"))]
    inits = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] in ("__init__.py", "__init__.pyi")}
    found: dict[str, int] = {}
    for folder in inits:
        parts = folder.split("/")
        above = folder.rpartition("/")[0]
        if above not in inits and len(parts) <= _DEEPEST + 1 and parts[-1].isidentifier() and not outside(folder):
            found[folder] = 0
    roots = {each.rpartition("/")[0] for each in found} | {"", "src"}
    for path in files:
        folder, _, name = path.rpartition("/")
        word = name.partition(".")[0]
        if folder in roots and word not in ("__init__", "setup", "conftest", "noxfile", "tasks", "__main__"):
            found.setdefault(path.partition(".")[0], 0)
        for depth in range(1, _DEEPEST + 2):
            package = "/".join(path.split("/")[:depth])
            if package in found:
                found[package] += 1
    if any(found[each] > 0 and each in inits for each in found):
        return {each: size for each, size in found.items() if each in inits or size == 0}
    return found


def outside(folder: str) -> bool:
    """Whether what lies in a folder is none of the library, however much it looks like it: tests, examples, copies."""
    return any(part in _OUTSIDE or part.startswith((".", "test")) for part in folder.split("/"))


def _with(held: Mapping[str, int], first: str, why: str) -> Layout:
    """A package, with those beside it that are the library's too: all below `src`, else those called like it."""
    root, _, name = first.rpartition("/")
    beside = {each.rpartition("/")[2] for each in held if each.rpartition("/")[0] == root}
    own = {each for each in beside if root.rpartition("/")[2] == "src" or each == name or each.startswith(f"{name}_")}
    return Layout(root=root, packages=(name, *sorted(own - {name})), why=why)


def _asked(held: Mapping[str, int], package: str) -> Layout:
    path = package.replace(".", "/").strip("/")
    found = [each for each in held if each == path or each.rpartition("/")[2] == path]
    if not found:
        names = sorted({each.rpartition("/")[2] for each in held})
        near = nearest(package, names)
        listed = ", ".join(names[:_SHOWN]) + (" and more" if len(names) > _SHOWN else "")
        mend = (
            f"did you mean {' or '.join(map(repr, near))}?" if near else "name one of those, or the --root they are in"
        )
        raise UsageError(f"there is no package {package!r}", evidence=(f"there is {listed}",), mend=mend)
    first = min(found, key=lambda each: (each.count("/"), -held[each], each))
    root, _, name = first.rpartition("/")
    return Layout(root=root, packages=(name,), why="as asked for")


def _none(root: str | None) -> UsageError:
    where = f"in {root!r}" if root else "at the top, below src/, or up to three folders deep"
    return UsageError(
        "no Python package was found",
        evidence=(f"looked for folders with an __init__.py {where}, and for modules there",),
        mend="name the folder that holds it with --root, and the package with --package",
    )


def plain_name(name: str) -> str:
    """A name without what projects and their packages spell differently."""
    return re.sub(r"[-_.]", "", name).lower()


def called(read: Callable[[str], bytes | None]) -> tuple[frozenset[str], str]:
    """What the project's own files call it and its packages, spelled plainly, and which file says so."""
    for file, names in (("pyproject.toml", _pyproject), ("setup.cfg", _setup_cfg), ("setup.py", _setup_py)):
        data = read(file)
        found = frozenset(map(plain_name, names(data))) if data is not None else frozenset()
        if found:
            return found | {each.removeprefix("python") for each in found} - {""}, file
    return frozenset(), ""


def _setup_cfg(data: bytes) -> Iterator[str]:
    yield from (each.decode("ascii", "replace") for each in _CFG.findall(data)[:1])


def _setup_py(data: bytes) -> Iterator[str]:
    yield from (each.decode("ascii", "replace") for each in _SAID.findall(data)[:1])


def _pyproject(data: bytes) -> Iterator[str]:
    """The names that the project and the common build backends give; nothing of a file that is no TOML."""
    try:
        said = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return
    tool = _table(said, "tool")
    yield from _texts(_table(said, "project").get("name"), _table(tool, "poetry").get("name"))
    yield from _texts(_table(tool, "flit", "module").get("name"), _table(tool, "flit", "metadata").get("module"))
    yield from _texts(_table(tool, "uv", "build-backend").get("module-name"))
    wheel = _table(tool, "hatch", "build", "targets", "wheel")
    for listed in (wheel.get("packages"), _table(tool, "setuptools").get("packages")):
        yield from (each.rpartition("/")[2] for each in _texts(*(listed if isinstance(listed, list) else ())))
    included = _table(tool, "poetry").get("packages")
    for each in included if isinstance(included, list) else ():
        yield from _texts(each.get("include") if isinstance(each, dict) else None)


def _table(said: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        inner = said.get(key)
        said = inner if isinstance(inner, dict) else {}
    return said


def _texts(*values: object) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))
