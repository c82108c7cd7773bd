"""Read a selector's text: `module:Qualified.name`, or `path/to/file.ext:` and what in it. Looks nothing up.

What stands behind the colon depends on the file: a Python name, the key path of YAML or TOML (`key."a.b".0`), a
heading of Markdown or its `#anchor`, a name of C, C++ or CUDA (`struct Box`, `ns::f#2`), and for all of them
`@name`, a marked region.
"""

from __future__ import annotations

import re

from snippetlock.errors import SelectorError
from snippetlock.model import Selector

# What tells a file at the top of the tree, with no folder to show it, from a module. Not `.json` or `.c`, which
# end the names of modules too.
_SUFFIXES = (".cpp", ".cu", ".cuh", ".hpp", ".md", ".py", ".pyi", ".rst", ".toml", ".txt", ".yaml", ".yml")
_PYTHON = (".py", ".pyi")
_KEY = r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|[^."\':]+'  # compiled at first use
BRACES = frozenset((".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hh", ".hpp", ".hxx"))
"""Ends of the names of files in which definitions have braces."""
_REGION = r'@(?:"[^"]+"|[^\s"#@]+)(?:#[1-9][0-9]{0,5})?'
_KIND = r"^(?:class|concept|enum|namespace|struct|union|(?:\S+::)?operator) (?=\S)"
ROLES = ("getter", "setter", "deleter", "overload")


def parse_selector(text: str) -> Selector:
    """Take a selector's text apart. Raises `SelectorError`, whose column counts in `text` from 1.

    `pkg.mod` alone is the module, `path/to/file.ext` alone the whole file. For Python, a part of the
    name may say which of several it means: `value@setter`, `f#2`.
    """
    if not text:
        raise _error(text, 0, "a selector is empty", "write `module:name` or `path/to/file.ext:key`")
    left, colon, right = text.partition(":")
    if "/" in right.partition(":")[0] and ":" in right and not re.search(r"\.\w+$", left):
        mend = "`:` ends the path: quote from a file without one in its path"
        raise _error(text, len(left), "a path has a colon in it", mend)
    file = is_path(left)
    if file:
        _check_path(text, left)
    else:
        _check_names(text, left, 0, "the module", marks=False)
    if not colon:
        return Selector(text=text, name="", path=left) if file else Selector(text=text, name="", module=left)
    start = len(left) + 1
    if not right:
        raise _error(text, start - 1, "nothing stands after the colon", "name what to take, or leave the colon out")
    if right[0] == "@" and right[1:] not in ROLES:
        _check_region(text, right, start)
    elif file and not left.endswith(_PYTHON):
        _check_inside(text, left, right, start)
    else:
        _check_names(text, right, start, "the name", marks=True)
    return Selector(text=text, name=right, path=left) if file else Selector(text=text, name=right, module=left)


def is_path(left: str) -> bool:
    """Whether what stands before the colon is a path of the tree, and no module."""
    return "/" in left or "\\" in left or left.endswith(_SUFFIXES)


def _check_region(text: str, name: str, start: int) -> None:
    if not re.fullmatch(_REGION, name):
        mend = 'write `@name`, and a name with a space or a `#` in it in quotes: `@"my region"`'
        raise _error(text, start, "the name of a region cannot be read", mend)


def _check_inside(text: str, path: str, name: str, start: int) -> None:
    """What a file that is not Python holds, by the kind of the file."""
    suffix = path[path.rfind(".") :]
    if suffix == ".md":
        if name != name.strip() or not name.isprintable():
            where = start + (0 if name[0].isspace() else len(name.rstrip()))
            raise _error(text, where, "a heading has blanks around it", "write the heading alone")
    elif suffix in BRACES:
        if space := re.search(r"\s", re.sub(_KIND, "", name)):
            where = len(text) - len(space.string) + space.start()
            mend = "write a name, or one with `struct ` or its like before it"
            raise _error(text, where, "a selector has a space in it", mend)
    else:
        _keys(text, name, start)


def split_keys(name: str) -> tuple[str, ...]:
    """The keys of a key path: `a."b.c".0` is a, b.c, 0. Raises `SelectorError`."""
    return _keys(name, name, 0)


def _error(text: str, offset: int, what: str, mend: str) -> SelectorError:
    evidence = (text, " " * offset + "^") if text.isprintable() else (repr(text),)
    return SelectorError(what, column=offset + 1, evidence=evidence if text else (), mend=mend)


def _check_path(text: str, path: str) -> None:
    """A path of the tree: relative, `/` between its parts, and no way out."""
    if "\\" in path:
        raise _error(text, path.index("\\"), "a path has a backslash", "write `/` between folders")
    if control := re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", path):
        mend = "a selector is one line of text: quote from a file without one in its name"
        raise _error(text, control.start(), "a path has a control character in it", mend)
    if path != path.strip():
        at = 0 if path[0].isspace() else len(path.rstrip())
        raise _error(text, at, "a path has a blank at its beginning or its end", "take it out")
    offset = 0
    for part in path.split("/"):
        if part in ("", ".", ".."):
            shown = repr(part) if part else "an empty part"
            mend = "write the path from the top of the tree: `package/folder/file.ext`"
            raise _error(text, offset, f"a path has {shown} in it", mend)
        offset += len(part) + 1


def _check_names(text: str, dotted: str, offset: int, what: str, *, marks: bool) -> None:
    """Identifiers between dots; with `marks` each may carry `@role` and `#number`."""
    if not dotted:
        raise _error(text, offset, f"{what} is missing", "write `module:name`")
    if space := re.search(r"\s", dotted):
        raise _error(text, offset + space.start(), "a selector has a space in it", "take the space out")
    if ":" in dotted:
        at = offset + dotted.index(":")
        raise _error(
            text, at, "a selector has two colons", "write dots between the parts of a name: `module:Class.method`"
        )
    for part in dotted.split("."):
        if not part:
            raise _error(text, offset, f"{what} has an empty part", "write one dot between two names")
        bare = re.split("[@#]", part, maxsplit=1)[0] if marks else part
        if not bare.isidentifier():
            raise _error(text, offset, f"{bare!r} is not a name", "write Python names with dots between them")
        _check_marks(text, offset + len(bare), part[len(bare) :])
        offset += len(part) + 1


def _check_marks(text: str, offset: int, marks: str) -> None:
    """What may follow a name: `@role`, then `#number`."""
    role, hash_, number = marks.partition("#")
    if role and role[1:] not in ROLES:
        raise _error(text, offset, f"{role!r} is not known", f"after `@` stands one of: {', '.join(ROLES)}")
    if hash_ and not re.fullmatch(r"[1-9][0-9]{0,5}", number):
        what = f"{hash_ + number!r} does not number a thing"
        raise _error(text, offset + len(role), what, "count from 1: `#1` is the first")


def _keys(text: str, path: str, offset: int) -> tuple[str, ...]:
    """Split a key path at its dots; a key with a dot, a colon or a space in it stands in quotes."""
    keys: list[str] = []
    pattern = re.compile(_KEY)
    at = 0
    while True:
        match = pattern.match(path, at)
        if not match:
            raise _key_error(text, path, at, offset)
        key = match[0]
        if key[0] == '"':
            key = re.sub(r"\\(.)", r"\1", key[1:-1], flags=re.S)
        elif key[0] == "'":
            key = key[1:-1].replace("''", "'")
        elif space := re.search(r"\s", key):
            where = offset + at + space.start()
            raise _error(text, where, "a selector has a space in it", f'take it out, or quote the key: "{key}"')
        keys.append(key)
        at = match.end()
        if at == len(path):
            return tuple(keys)
        if path[at] != ".":
            raise _key_error(text, path, at, offset)
        at += 1


def _key_error(text: str, path: str, at: int, offset: int) -> SelectorError:
    if path[at : at + 1] == ":":
        return _error(text, offset + at, "a selector has two colons", "quote a key with a colon in it")
    if path[at : at + 1] in ("", "."):
        return _error(text, offset + at, "a key is empty", "write one dot between two keys")
    if at and path[at - 1] not in "\"'.":
        return _error(text, offset + at, "a quote stands inside a key", "put the whole key in quotes")
    if at and path[at - 1] != ".":
        return _error(text, offset + at, "text follows a quoted key", "write a dot between two keys")
    return _error(text, offset + at, "a quote is not closed", "close the quote")
