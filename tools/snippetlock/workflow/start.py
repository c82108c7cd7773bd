"""Start a project: the table in pyproject.toml, the pin, a first definition, a page where there is none, .gitignore.

Everything is worked out before anything is written, and nothing that is there is written over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from snippetlock.config import parse_selector
from snippetlock.errors import SnippetlockError, TreeError, UsageError
from snippetlock.lock import replace_file
from snippetlock.model import Definition, Pin, Place, Progress, Snippet, Tree, View
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.source import open_tree
from snippetlock.workflow.cache import Cache
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.define import definition_text
from snippetlock.workflow.files import walk

_PUBLIC = re.compile(r"^(?:class|def|async def)[ \t]+([A-Za-z]\w*)", re.M)
_HANDED_ON = re.compile(r"^from[ \t]+[.\w]+[ \t]+import[ \t]*(?:\(((?:#.*|[^)#])*)\)|([^\n(]+))", re.M)
_LONGEST = 40  # lines of a good first example
_TRIED = 40  # files to look through for one
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
    first = _first(open_tree(pin, root, cache), cache)
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
    chosen = next((place for place in (folder, os.path.join(folder, "src")) if _packages(root / place)), None)
    if chosen is None:
        what = "has no Python package or module in it" if (root / folder).is_dir() else "does not exist"
        raise UsageError(f"the folder {folder} {what}", mend="name the folder that holds the library's packages")
    name = _packages(root / chosen)[0]
    shown = chosen.replace(os.sep, "/").rstrip("/") or "."
    head = "# Which state of the library the docs speak of: a folder, read as it is.\n"
    text = f"{head}name: {name}\nfolder: {_quoted(shown)}\n"
    return Pin(name=name, version="", kind="folder", folder=shown, place="pin.yaml"), text


def _packages(folder: Path) -> list[str]:
    """The packages in a folder, else the modules; sorted, tests and private names last or not at all."""
    if not folder.is_dir():
        return []
    try:
        entries = [e for e in sorted(folder.iterdir()) if not e.name.startswith((".", "_"))]
    except OSError as error:
        raise UsageError(f"the folder {folder.name} cannot be read: {error.strerror}", mend=_RIGHTS) from error
    packages = [
        e.name for e in entries if os.path.isfile(e / "__init__.py") and e.name not in ("tests", "test", "docs")
    ]
    return packages or [
        e.stem for e in entries if e.suffix == ".py" and e.stem.isidentifier() and e.stem not in ("setup", "conftest")
    ]


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


def _first(tree: Tree, cache: Path) -> Snippet:
    """Something public that can be quoted, short if there is any; only without it something private.

    Raises `UsageError` when the library has neither.
    """
    cutter = Cutter(tree, Cache(cache))
    best: Snippet | None = None
    hidden = False  # whether the best is private
    for selector, private in _candidates(tree):
        if private and best is not None and not hidden:
            return best
        try:
            snippet = cutter.cut(
                Definition(id=_ID, selector=parse_selector(selector), view=View(), place=Place(path=""), places={})
            )
        except SnippetlockError:
            continue
        if len(snippet.numbers) <= _LONGEST:
            return snippet
        best, hidden = (best, hidden) if best else (snippet, private)
    if best is None:
        raise UsageError(
            "nothing public was found to quote in the library", mend="name the folder that holds its packages"
        )
    return best


def _candidates(tree: Tree) -> Iterator[tuple[str, bool]]:
    """Selectors to try: what shallow public files define and hand on, then what private ones define (True)."""
    paths = [path for path in tree.paths() if path.endswith(".py")]
    for path in sorted(paths, key=lambda path: (_private(path), path.count("/"), path))[:_TRIED]:
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if all(part.isidentifier() for part in module.split(".")):
            try:
                text = tree.read(path).decode("utf-8", errors="replace")
            except TreeError:  # the library may have what nobody can quote: a link to nothing, a file of no rights
                continue
            for name in (*(found[1] for found in _PUBLIC.finditer(text)), *_handed_on(text)):
                yield f"{module}:{name}", _private(path)


def _handed_on(text: str) -> Iterator[str]:
    """The public names that a module imports from others, as it calls them."""
    for found in _HANDED_ON.finditer(text):
        for item in re.sub("#.*", "", found[1] or found[2]).split(","):
            name = (item.split() or [""])[-1]
            if re.fullmatch(r"[A-Za-z]\w*", name):
                yield name


def _private(path: str) -> bool:
    return any(part.startswith("_") for part in path.removesuffix("__init__.py").split("/"))


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
