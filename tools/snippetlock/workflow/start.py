"""Start a project: the table in pyproject.toml, the pin, a first definition, a page where there is none, .gitignore.

Everything is worked out before anything is written, and nothing that is there is written over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from snippetlock.errors import UsageError
from snippetlock.lock import replace_file
from snippetlock.model import Pin, Progress, Snippet, View
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.source import open_tree
from snippetlock.workflow.define import definition_text
from snippetlock.workflow.files import walk
from snippetlock.workflow.foremost import foremost
from snippetlock.workflow.layout import called, outside, plain_name

_ID = "first-quotation"
_WHY = b"# what a killed snippetlock leaves behind; the next one that writes takes it away"
_LEFT = (b".snippets.journal", b".*.guard", b".*.tmp")
_RIGHTS = "mend the folder's permissions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What was written (paths from the project's folder), and what the first definition quotes.

    `page` is the page that shows it already; empty where the project had pages of its own. `builder` says whether
    there is a mkdocs.yml.
    """

    pin: str
    id: str
    selector: str
    language: str
    wrote: tuple[str, ...]
    page: str
    builder: bool


def begin(
    root: Path,
    *,
    folder: str | None,
    wheel: str | None,
    cache: Path,
    progress: Progress | None = None,
    environ: Mapping[str, str] | None = None,
) -> Started:
    """Start a project in `root` that quotes from a folder or a wheel (`name==version`), or raise `UsageError`."""
    project = _pyproject(root)
    pin, text = _folder_pin(root, folder) if folder is not None else _wheel_pin(wheel or "", cache, progress, environ)
    first = foremost(open_tree(pin, root, cache), cache, pin.name, _ID)
    page = "" if _has_pages(root / "docs") else "docs/index.md"
    files = {
        "pin.yaml": text,
        "snippets/first.yaml": "# What the pages quote: one definition a snippet.\n\n"
        + definition_text(_ID, first.selector.text, View()),
    }
    if page:
        files[page] = _page(pin, first)
    for name in files:
        if os.path.lexists(root / name):
            raise UsageError(f"{name} is there already", mend="move it away, or write the project by hand")
    if any((root / "snippets").glob("*.y*ml")):
        raise UsageError("snippets/ has definitions already", mend="move them away, or write the project by hand")
    ignore = _ignore(root)
    _write_all(root, files, {**({".gitignore": ignore} if ignore else {}), "pyproject.toml": project.encode()})
    return Started(
        pin=pin.label,
        id=_ID,
        selector=first.selector.text,
        language=first.language,
        wrote=("pyproject.toml", *files, *([".gitignore"] if ignore else [])),
        page=page,
        builder=any((root / f"mkdocs.{suffix}").is_file() for suffix in ("yml", "yaml")),
    )


def _pyproject(root: Path) -> str:
    """pyproject.toml with our table at its end and everything else as it was."""
    import tomllib

    path = root / "pyproject.toml"
    table = '[tool.snippetlock]\ndocs = "docs"\nsnippets = "snippets"\npin = "pin.yaml"\nlanguages = ["en"]\n'
    try:
        old = path.read_bytes().decode() if path.exists() else ""
        before = tomllib.loads(old)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"pyproject.toml cannot be read: {error}", mend="mend it first") from error
    if "snippetlock" in before.get("tool", {}):
        raise UsageError(
            "this is a project already: pyproject.toml has [tool.snippetlock]", mend="run `snippetlock check`"
        )
    new = f"{old.rstrip()}\n\n{table}" if old.strip() else table
    try:
        after = tomllib.loads(new)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            "a table cannot be appended to pyproject.toml", evidence=table.strip().split("\n"), mend="add it by hand"
        ) from error
    after["tool"].pop("snippetlock")
    if {**after, "tool": after["tool"] or before.get("tool")} != {"tool": None, **before}:
        raise UsageError(
            "a table appended to pyproject.toml would change the others", mend="add [tool.snippetlock] by hand"
        )
    return new


def _folder_pin(root: Path, folder: str) -> tuple[Pin, str]:
    """A pin of the folder that holds the packages: the one named, or its `src`."""
    places = (folder, os.path.join(folder, "src"))
    held = ((place, _packages(root / place, tests)) for tests in (False, True) for place in places)
    chosen, names = next((each for each in held if each[1]), ("", []))
    mend = "name the folder that holds the library's packages"
    if not chosen and os.path.isfile(root / folder / "__init__.py"):
        above = os.path.normpath(os.path.join(folder, "..")).replace(os.sep, "/")
        raise UsageError(f"the folder {folder} is a package itself", mend=f"{mend}: {above}")
    if not chosen:
        what = "has no Python package or module in it" if (root / folder).is_dir() else "does not exist"
        raise UsageError(f"the folder {folder} {what}", mend=mend)
    name = names[0]
    shown = chosen.replace(os.sep, "/").rstrip("/") or "."
    head = "# Which state of the library the docs speak of: a folder, read as it is.\n"
    text = f"{head}name: {name}\nfolder: {_quoted(shown)}\n"
    return Pin(name=name, version="", kind="folder", folder=shown, place="pin.yaml"), text


def _packages(folder: Path, tests: bool) -> list[str]:
    """The packages in a folder, else the modules: the one that its project is called like first.

    What looks like tests or examples is left out, unless they are asked for: a library may be called so.
    """
    if not folder.is_dir():
        return []
    try:
        entries = [e for e in sorted(folder.iterdir()) if not e.name.startswith((".", "_"))]
    except OSError as error:
        raise UsageError(f"the folder {folder.name} cannot be read: {error.strerror}", mend=_RIGHTS) from error
    found = [e.name for e in entries if os.path.isfile(e / "__init__.py") and (tests or not outside(e.name))] or [
        e.stem for e in entries if e.suffix == ".py" and e.stem.isidentifier() and e.stem not in ("setup", "conftest")
    ]
    names: Collection[str] = ()
    for place in (folder, folder.resolve().parent) if len(found) > 1 else ():
        names = names or called(lambda file, place=place: _data(place / file))[0]  # type: ignore[misc]
    return sorted(found, key=lambda name: plain_name(name) not in names)


def _data(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except OSError:
        return None


def _wheel_pin(
    asked: str, cache: Path, progress: Progress | None, environ: Mapping[str, str] | None
) -> tuple[Pin, str]:
    """A pin of the release, fetched to learn its file and digest."""
    from snippetlock.source import resolve

    name, _, version = asked.partition("==")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or not re.fullmatch(
        r"[A-Za-z0-9][A-Za-z0-9.!+_-]*", version
    ):
        raise UsageError(f"{asked!r} is not NAME==VERSION", mend="write one like tileops==0.1.0")
    pin = resolve(name, version, cache, progress, environ)
    text = (
        "# Which state of the library the docs speak of: a release, fetched by its digest.\n"
        f"name: {pin.name}\nversion: {_quoted(pin.version)}\nwheel:\n  file: {pin.file}\n  sha256: {pin.sha256}\n"
    )
    return pin, text


def _quoted(text: str) -> str:
    """A version like 1.0 is a number to YAML: quoted, unless it could be nothing but text."""
    return text if re.fullmatch(r"[A-Za-z_][\w./-]*|\d+\.\d+\.\d+", text) else f'"{text}"'


def _has_pages(docs: Path) -> bool:
    try:
        return docs.is_dir() and bool(walk(docs))
    except OSError as error:
        raise UsageError(f"the pages in docs/ cannot be read: {error.strerror}", mend=_RIGHTS) from error


def _page(pin: Pin, snippet: Snippet) -> str:
    return f'# {pin.name}\n\nQuoted from the library itself:\n\n```{snippet.language} snippet="{_ID}"\n```\n'


def _ignore(root: Path) -> bytes:
    """What .gitignore is to say, our lines at its end and all else as it was; empty where it says them already."""
    try:
        old = read_file(root / ".gitignore") if os.path.lexists(root / ".gitignore") else b""
    except OSError as error:
        raise UsageError(f".gitignore cannot be read: {error.strerror}", mend="mend it first") from error
    said = {line.strip() for line in old.split(b"\n")}
    missing = [line for line in _LEFT if line not in said]
    if not missing:
        return b""
    gap = b"" if not old else b"\n" if old.endswith(b"\n") else b"\n\n"
    return old + gap + b"".join(line + b"\n" for line in (_WHY, *missing))


def _write_all(root: Path, files: Mapping[str, str], others: Mapping[str, bytes]) -> None:
    """Write the new files, then the others, which can be there; take all back if that fails.

    The last of the others is pyproject.toml, which makes the folder a project.
    """
    written: list[Path] = []
    before: dict[Path, bytes] = {}
    name = ""
    try:
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            with open(root / name, "x", encoding="utf-8", newline="") as file:
                written.append(root / name)
                file.write(content)
        for name, data in others.items():
            place = root / name
            if place.exists():
                before[place] = read_file(place)
            elif not place.is_symlink():
                written.append(place)
            replace_file(place, data)
    except OSError as error:
        _take_back(written, before)
        raise UsageError(f"{name} cannot be written: {error.strerror}", mend="mend its folder's permissions") from error


def _take_back(written: Iterable[Path], before: Mapping[Path, bytes]) -> None:
    """Leave the folder as it was, as far as that can be: new files go, the others are what they were `before`."""
    with suppress(OSError):
        for place, old in before.items():
            if read_file(place) != old:
                replace_file(place, old)
    for path in written:
        path.unlink(missing_ok=True)
