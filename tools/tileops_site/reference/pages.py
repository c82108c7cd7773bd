"""Which pages the API reference has and what stands in them, before mkdocstrings fills them. Pure.

A page a family, with the ops that the manifest puts there, and one for each public module beside them, with the names
of its `__all__`. Nothing is listed by hand: what the library adds appears, and what it takes away is gone. A name that
mkdocstrings then does not find stops the build.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from snippetlock.config.selector import parse_selector
from snippetlock.errors import SnippetlockError, SourceError
from snippetlock.model import Part, Tree
from snippetlock.records import dataclass
from snippetlock.select import find
from tileops_site.catalogue import Family

FOLDER = "api/"
INDEX = f"{FOLDER}index.md"
MARKER = "<!-- api: modules -->"
LANGUAGES = ("en", "zh")
_MODULES = ("authoring", "backend", "manifest")
_PACKAGE = "tileops"
_OP = f"{_PACKAGE}.Op"  # the base class: what each op inherits is told there once
# Of a class that is no op: each public member. `members: true` would be every one, whatever the filters say.
_ALL_PUBLIC = """
    options:
      members: null
      filters: public
      show_if_no_docstring: true"""
_OF_OPS = frozenset({"forward"})  # the method that mkdocs.yml has shown of each op

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "op": "The base class `Op`, imported as `tileops.Op`. What is told here holds for every op.",
        "family": "Family `{name}`: {count} ops, imported from `tileops.{name}`. What every op inherits is told at "
        "[`Op`](op.md).",
        "module": "The public names of `tileops.{name}`.",
        "source": "Signatures and docstrings below are those of {library}, word for word.",
        "modules": "Module",
        "names": "What it holds",
        "comma": ", ",
        "between": " ",
    },
    "zh": {
        "op": "基类 `Op`，用 `tileops.Op` 导入。这里写的对每个 op 都成立。",
        "family": "family `{name}`：共 {count} 个 op，从 `tileops.{name}` 导入。每个 op 继承的部分见 [`Op`](op.md)。",
        "module": "`tileops.{name}` 的公开名字。",
        "source": "以下签名和 docstring 原样取自 {library}，因此是英文。",
        "modules": "模块",
        "names": "内容",
        "comma": "、",
        "between": "",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The public members of one class, which a page shows under its full name; those that say enough alone."""

    name: str
    members: tuple[str, ...]
    alone: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One page: its name below `FOLDER`, the module it is about, and the full names of what stands on it, in order."""

    name: str
    module: str
    names: tuple[str, ...]
    classes: tuple[Shown, ...] = ()
    family: bool = False


def references(tree: Tree, families: Sequence[Family]) -> tuple[Reference, ...]:
    """The pages in the order of the navigation. Raises `SourceError` for a module that does not say what is public."""
    pages = [Reference(name="op", module=_PACKAGE, names=(_OP,), classes=_classes(tree, (_OP,)))]
    for family in families:
        module = f"{_PACKAGE}.{family.name}"
        names = tuple(f"{module}.{op.name}" for op in family.ops)
        pages.append(Reference(name=family.name, module=module, names=names, family=True))
    for name in _MODULES:
        module = f"{_PACKAGE}.{name}"
        public = _public(tree, f"{_PACKAGE}/{name}/__init__.py")
        names = tuple(f"{module}.{each}" for each in public if f"{_PACKAGE}.{each}" != _OP)
        pages.append(Reference(name=name, module=module, names=names, classes=_classes(tree, names)))
    return tuple(pages)


def made_pages(pages: Sequence[Reference], library: str) -> dict[str, str]:
    """The text of each page in each language, by its name below the docs folder."""
    made = {}
    for language in LANGUAGES:
        suffix = "" if language == LANGUAGES[0] else f".{language}"
        for page in pages:
            text = "\n\n".join(_page(page, library, _WORDS[language]))
            made[f"{FOLDER}{page.name}{suffix}.md"] = f"{_front(page)}{text}\n"
    return made


def targets(pages: Sequence[Reference]) -> dict[str, str]:
    """What inline code means, by what it says: the page below the docs folder, with the anchor.

    A name without its module means what only one page has under it, and so does a member with the name of its class. A
    member alone is one that only one class has, and no op: who says `forward` may speak of any of them.
    """
    made: dict[str, str] = {}
    short: dict[str, list[str]] = {}
    for page in pages:
        for name in page.names:
            made[name] = f"{FOLDER}{page.name}.md#{name}"
            short.setdefault(name.rpartition(".")[2], []).append(made[name])
    owned: dict[str, list[str]] = {}
    for shown in (shown for page in pages for shown in page.classes):
        last = shown.name.rpartition(".")[2]
        for member in shown.members:
            address = made[f"{shown.name}.{member}"] = f"{made[shown.name]}.{member}"
            short.setdefault(f"{last}.{member}", []).append(address)
            owned.setdefault(member, []).append(address if member in shown.alone else "")
    known = {name: each[0] for name, each in short.items() if len(each) == 1}
    alone = {name: each[0] for name, each in owned.items() if len(each) == 1 and each[0] and name not in _OF_OPS}
    return alone | made | known


def _front(page: Reference) -> str:
    """What the theme reads: a title unlike any guide's, and that a search puts guides before so many signatures."""
    return f"---\ntitle: {_title(page)}\nsearch:\n  boost: 0.5\n---\n\n"


def _page(page: Reference, library: str, words: Mapping[str, str]) -> Iterator[str]:
    yield f"# {_title(page)}"
    kind = "family" if page.family else "op" if page.module == _PACKAGE else "module"
    name = page.module.rpartition(".")[2]
    said = words[kind].format(name=name, count=len(page.names)), words["source"].format(library=library)
    yield words["between"].join(said)
    if len(page.names) > 1:
        links = (f"[`{each.rpartition('.')[2]}`](#{each})" for each in page.names)
        yield f'<div class="api-names" markdown>\n{" ".join(links)}\n</div>'
    for each in page.names:
        yield f"::: {each}{'' if page.family else _ALL_PUBLIC}"


def _title(page: Reference) -> str:
    return _OP if page.module == _PACKAGE else page.module


def navigation(pages: Sequence[Reference]) -> list[Any]:
    """The section's entries, as the configuration of MkDocs has them."""
    return [INDEX, *({_title(page).removeprefix(f"{_PACKAGE}."): f"{FOLDER}{page.name}.md"} for page in pages)]


def listed(pages: Sequence[Reference], language: str) -> str:
    """The list of all pages, in Markdown, for the section's first page."""
    words = _WORDS[language]
    rows = []
    for page in pages:
        names = words["comma"].join(f"[`{each.rpartition('.')[2]}`]({page.name}.md#{each})" for each in page.names)
        rows.append(f"| [`{_title(page)}`]({page.name}.md) | {names} |")
    table = "\n".join([f"| {words['modules']} | {words['names']} |", "| --- | --- |", *rows])
    return f'<div class="api-modules" markdown>\n\n{table}\n\n</div>'


def _classes(tree: Tree, names: Iterable[str]) -> tuple[Shown, ...]:
    """What of these names is a class, with its public members, but not those that it inherits."""
    return tuple(shown for name in names if (shown := _class(tree, name)))


def _class(tree: Tree, name: str) -> Shown | None:
    module, _, last = name.rpartition(".")
    try:
        found = find(tree, parse_selector(f"{module}:{last}"))
    except SnippetlockError:
        return None  # one that is not there, or twice, is mkdocstrings' to tell
    if found.part.kind != "class":
        return None
    members = dict.fromkeys(part.name for part in found.part.members if not part.name.startswith("_"))
    return Shown(name=name, members=tuple(members), alone=_alone(found.text, found.part) & frozenset(members))


def _alone(text: str, part: Part) -> frozenset[str]:
    """The members of a class that mean it without its name.

    Not those that are a parameter too, as `target` is, and none of a record: its fields are words such as `shape`.
    """
    body = ast.parse(text[part.whole.start : part.whole.end]).body[-1]
    if not isinstance(body, ast.ClassDef) or body.decorator_list:
        return frozenset()
    taken = {node.arg for node in ast.walk(body) if isinstance(node, ast.arg)}
    return frozenset(each.name for each in part.members) - taken


def _public(tree: Tree, path: str) -> tuple[str, ...]:
    try:
        module = ast.parse(tree.read(path))
    except SyntaxError as error:
        raise _fault(path, f"it cannot be read: {error.msg}") from error
    said = [node for node in ast.walk(module) if isinstance(node, ast.Name) and node.id == "__all__"]
    for statement in module.body if len(said) == 1 else ():  # what is added to elsewhere is not all of it
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                names = [item.value for item in items if isinstance(item, ast.Constant)]
                if len(names) == len(items):
                    return tuple(map(str, names))
    raise _fault(path, "the module has no list `__all__` of plain strings")


def _fault(path: str, what: str) -> SourceError:
    return SourceError(what, path=path, mend="report it upstream, or pin another state of the library")
