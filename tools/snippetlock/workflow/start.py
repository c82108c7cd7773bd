"""Start a project: the table in pyproject.toml, the pin, a first definition, a page where there is none, .gitignore.

Everything is worked out before anything is written, and nothing that is there is written over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from snippetlock.errors import ConfigError, UsageError
from snippetlock.lock import replace_file
from snippetlock.model import Pin, Snippet, View
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.source import open_tree
from snippetlock.workflow.define import definition_text
from snippetlock.workflow.files import walk
from snippetlock.workflow.foremost import foremost
from snippetlock.workflow.pages import read
from snippetlock.workflow.pinning import PIN, Library, pin_of

_ID = "first-quotation"
_WHY = b"# what a killed snippetlock leaves behind; the next one that writes takes it away"
_LEFT = (b".snippets.journal", b".*.guard", b".*.tmp")
_RIGHTS = "mend the folder's permissions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What was written (paths from the project's folder), and what the first definition quotes.

    `page` is the page that shows it already; empty where the project had pages of its own, and `unheld` is how many
    blocks these have that nothing holds. `builder` says whether there is a mkdocs.yml.
    """

    pin: str
    id: str
    selector: str
    language: str
    wrote: tuple[str, ...]
    page: str
    builder: bool
    unheld: int = 0


def begin(root: Path, *, library: Library, cache: Path) -> Started:
    """Start a project in `root` that quotes from a library, or raise a `SnippetlockError` and write nothing."""
    blocks = _blocks(root / "docs")
    project = _pyproject(root, blocks or 0)
    pin, text = pin_of(library, root, cache)
    first = foremost(open_tree(pin, root, cache), cache, pin.name, _ID)
    page = "" if blocks is not None else "docs/index.md"
    files = {
        PIN: text,
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
        unheld=blocks or 0,
        builder=any((root / f"mkdocs.{suffix}").is_file() for suffix in ("yml", "yaml")),
    )


def _pyproject(root: Path, unheld: int) -> str:
    """pyproject.toml with our table at its end and everything else as it was."""
    import tomllib

    path = root / "pyproject.toml"
    table = '[tool.snippetlock]\ndocs = "docs"\nsnippets = "snippets"\npin = "pin.yaml"\nlanguages = ["en"]\n'
    table += f"unheld = {unheld}  # blocks that were typed in; `snippetlock list --unheld`\n" if unheld else ""
    try:
        old = read_file(path).decode() if path.exists() else ""
        before = tomllib.loads(old)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise UsageError(f"pyproject.toml cannot be read: {why}", mend="mend it first") from error
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


def _blocks(docs: Path) -> int | None:
    """How many blocks that nothing holds the pages have which can be read; None where there are no pages."""
    try:
        names = walk(docs) if docs.is_dir() else ()
    except OSError as error:
        raise UsageError(f"the pages in docs/ cannot be read: {error.strerror}", mend=_RIGHTS) from error
    count = 0
    for name, out in names:
        with suppress(ConfigError, UnicodeDecodeError):  # a check says so, and of a page that leads out of docs too
            page = None if out else read(docs, name, f"docs/{name}", ("en",))
            count += sum(block.unheld for block in page.scan.blocks) if page else 0
    return count if names else None


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
