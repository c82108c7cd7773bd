"""Find the one thing that a selector names, and take it apart. Reads the tree; imports and runs nothing of it."""

from __future__ import annotations

from pathlib import PurePosixPath

from snippetlock.config.selector import BRACES
from snippetlock.errors import SelectorError
from snippetlock.model import Found, Selector, Tree, View
from snippetlock.records import replace
from snippetlock.select.places import file_part
from snippetlock.select.python import Located, Spot
from snippetlock.text import decode, sha256

__all__ = ["Located", "Spot", "find", "locate", "spot"]

_LANGUAGES = {  # by the end of a file's name; anything else is "text"
    ".c": "c", ".cc": "cpp", ".cfg": "ini", ".cpp": "cpp", ".cu": "cuda", ".cuh": "cuda", ".cxx": "cpp", ".h": "c",
    ".hpp": "cpp", ".ini": "ini", ".json": "json", ".md": "markdown", ".py": "python",
    ".rst": "rst", ".sh": "bash", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


def find(tree: Tree, selector: Selector) -> Found:
    """Find what `selector` names in `tree`.

    Raises `UnknownSymbol`, `AmbiguousSymbol` or another `SelectorError` unless it is exactly one thing,
    `SourceError` for a file that cannot be understood, `TreeError` for one that cannot be read.
    """
    selector = _settled(tree, selector)
    suffix = PurePosixPath(selector.path).suffix
    language = _LANGUAGES.get(suffix, "text")
    if selector.name.startswith("@"):
        from snippetlock.select.regions import find_region

        return find_region(tree, selector, language)
    if selector.module or suffix == ".py":
        return Located(tree, selector).found()
    if suffix in (".yaml", ".yml"):
        from snippetlock.select.yaml import find_yaml  # PyYAML takes a while to import

        return find_yaml(tree, selector)
    if suffix == ".toml":
        from snippetlock.select.toml import find_toml

        return find_toml(tree, selector)
    if not selector.name:
        return _whole_file(tree, selector, language)
    if suffix == ".md":
        from snippetlock.select.markdown import find_section

        return find_section(tree, selector)
    if suffix in BRACES:
        from snippetlock.select.braces import find_braces

        return find_braces(tree, selector, language)
    raise SelectorError(
        f"nothing inside a {suffix or 'nameless'} file has a name that can be selected",
        path=selector.path,
        mend=f"select a marked region, {selector.path}:@name, or {selector.path} and in it lines by `from` and `to`",
    )


def _settled(tree: Tree, selector: Selector) -> Selector:
    """The same; of a module that is called as the files of a language end, like `kiln.io.yaml`, as one of a module."""
    path = selector.path
    if not path or "/" in path or path.endswith(".py") or tree.has(path):
        return selector
    names = path.split(".")
    if not all(name.isidentifier() for name in names):
        return selector
    place = "/".join(names)
    module = tree.has(f"{place}.py") or tree.has(f"{place}/__init__.py")
    return replace(selector, module=path, path="") if module else selector


def locate(tree: Tree, selector: Selector) -> Located | None:
    """What `find` would find, before it is taken apart; None where only `find` can say. Raises what `find` raises.

    Reads the files that `find` would read.
    """
    selector = _settled(tree, selector)
    python = selector.module or selector.path.endswith(".py")
    return Located(tree, selector) if python and not selector.name.startswith("@") else None


def spot(tree: Tree, selector: Selector, view: View) -> Spot | None:
    """Where a definition stands that `find` would find; None where only a cut can say. Raises what `find` raises."""
    located = locate(tree, selector)
    return located.spot(view) if located else None


def _whole_file(tree: Tree, selector: Selector, language: str) -> Found:
    """A file as it is, with nothing known of what is in it."""
    data = tree.read(selector.path)
    text = decode(data, selector.path, python=False)
    return Found(
        selector=selector,
        path=selector.path,
        text=text,
        language=language,
        part=file_part(len(text)),
        consulted=((selector.path, sha256(data)),),
    )
