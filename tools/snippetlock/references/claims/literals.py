"""What a name of the library is set to, worked out from its literals and from other names. Runs nothing.

Numbers, texts, lists, sets and dicts, joined by `+`, `|` and `*`, with names followed to what they are set to. All
else a run alone could tell, and that is said.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from snippetlock.index import Definition, follow, rows
from snippetlock.index.names import resolve
from snippetlock.index.standard import is_standard
from snippetlock.records import dataclass
from snippetlock.references.claims.answers import Made, Object, Stop
from snippetlock.references.claims.library import Library
from snippetlock.references.claims.targets import object_of
from snippetlock.references.claims.written import dotted

__all__ = ["entries_of", "node_of", "value_of", "worked_out"]

_DEEPEST = 40  # values in values, and names that lead to names
_LARGEST = 1 << 64
_MOST = 100_000  # entries of one value
_SHOWN = 80  # characters of source in a message
_WHOLE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv, ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
}  # fmt: skip
_SHIFTS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}
_SEQUENCES = {"list": tuple, "tuple": tuple, "set": frozenset, "frozenset": frozenset}
_PROXY = "types.MappingProxyType"


@dataclass(frozen=True, slots=True, kw_only=True)
class _At:
    """Where an expression is written: the file of the index, the row around it, how many names led here."""

    library: Library
    file: int
    scope: int
    path: str
    depth: int = 0
    keys_only: bool = False  # whether the values of dicts matter


def value_of(library: Library, definition: Definition, depth: int = 0) -> Made:
    """What an attribute is set to. Raises `Stop` where the source does not tell."""
    key = ("value", definition.number)
    if key not in library.known:
        try:
            library.known[key] = _value_of(library, definition, depth)
        except Stop as stop:
            library.known[key] = stop
    found: Made | Stop = library.known[key]
    if isinstance(found, Stop):
        raise found
    return found


def _value_of(library: Library, definition: Definition, depth: int) -> Made:
    at, node = _node(library, definition, depth)
    return Made(value=_worked(at, node, 0), places=(definition.place,))


def entries_of(library: Library, definition: Definition) -> tuple[Any, ...]:
    """The keys of a dict, whatever their values are; the entries of what is none."""
    at, node = _node(library, definition, 0)
    value = _worked(_At(library=library, file=at.file, scope=at.scope, path=at.path, keys_only=True), node, 0)
    if isinstance(value, dict | tuple | frozenset):
        return tuple(value)
    if isinstance(value, Object):
        what = f"{definition.selector} is {value.label}, and what that holds is not told"
        raise Stop("unknown", what, evidence=(definition.place,))
    raise Stop("misfit", f"{definition.selector} is no dict, list or set", evidence=(f"{definition.place}",))


def _node(library: Library, definition: Definition, depth: int) -> tuple[_At, ast.expr]:
    node = node_of(library, definition)
    changed = library.written(definition.path).changed.get(definition.qualified)
    if changed is not None:
        what = f"{definition.selector} is changed later: only a run tells what it is then"
        raise Stop("unknown", what, evidence=(definition.place, f"{definition.path}:{changed}  changes it"))
    number, row = definition.number
    scope = library.index.file(number).sheet["defs"][row][rows.OWNER]
    return _At(library=library, file=number, scope=scope, path=definition.path, depth=depth), node


def node_of(library: Library, definition: Definition) -> ast.expr:
    """The expression that an attribute is set to. Raises `Stop` where it is set to none, or by a method."""
    place = (definition.place,)
    if definition.kind != "attribute":
        what = f"{definition.selector} is a {definition.kind}, which is set to nothing"
        mend = "name it alone, or ask for its `parameters`, `members`, `bases` or the like"
        raise Stop("misfit", what, evidence=place, mend=mend)
    if definition.setter:
        method = definition.setter.rpartition(".")[2]
        what = f"{definition.selector} is set by {method} when it runs: each instance has its own"
        raise Stop("unknown", what, evidence=place)
    node = library.written(definition.path).values.get((definition.line, definition.name))
    if node is None:
        only = "has an annotation and no value" if definition.annotation else "is set in no statement of its own"
        raise Stop("unknown", f"{definition.selector} {only}", evidence=place)
    return node


def worked_out(library: Library, definition: Definition, text: str) -> Any:
    """What an expression of a definition's header comes to: a default."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Stop("unknown", f"`{text}` cannot be read", evidence=(definition.place,)) from None
    number, row = definition.number
    scope = library.index.file(number).sheet["defs"][row][rows.OWNER] if row >= 0 else -1
    return _worked(_At(library=library, file=number, scope=scope, path=definition.path), node, 0)


def _worked(at: _At, node: ast.expr, depth: int) -> Any:
    if depth > _DEEPEST or at.depth > _DEEPEST:
        raise _unknown(at, node, "is nested too deep")
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, bool | int | float | str):
            return value
        case ast.List() | ast.Tuple():
            items = tuple(_items(at, node.elts, depth))
            _limited(at, node, items)
            return items
        case ast.Set():
            if any(isinstance(each, ast.List | ast.Set) for each in node.elts):
                raise _unknown(at, node, "holds what no set can")
            return _set(at, node, _items(at, node.elts, depth))
        case ast.Dict():
            return _dict(at, node, depth)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            return _signed(at, node, _worked(at, operand, depth + 1))
        case ast.BinOp():
            return _joined(at, node, _worked(at, node.left, depth + 1), _worked(at, node.right, depth + 1))
        case ast.Name() | ast.Attribute():
            return _named(at, node)
        case ast.Call():
            return _called(at, node, depth)
    raise _unknown(at, node, "is worked out when it runs")


def _items(at: _At, nodes: list[ast.expr], depth: int) -> list[Any]:
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            value = _worked(at, node.value, depth + 1)
            if not isinstance(value, tuple | frozenset | dict):
                raise _unknown(at, node, "is worked out when it runs")
            found += value
        else:
            found.append(_worked(at, node, depth + 1))
    return found


def _dict(at: _At, node: ast.Dict, depth: int) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            more = _worked(at, value, depth + 1)
            if not isinstance(more, dict):
                raise _unknown(at, value, "is worked out when it runs")
            found |= more
        else:
            name = _worked(at, key, depth + 1)
            if isinstance(name, dict) or isinstance(key, ast.List | ast.Set):
                raise _unknown(at, key, "can be no key")
            found[name] = None if at.keys_only else _worked(at, value, depth + 1)
    _limited(at, node, found)
    return found


def _set(at: _At, node: ast.expr, items: list[Any]) -> frozenset[Any]:
    try:
        found = frozenset(items)
    except TypeError:
        raise _unknown(at, node, "holds what no set can") from None
    _limited(at, node, found)
    return found


def _limited(at: _At, node: ast.expr, value: Any) -> None:
    if len(value) > _MOST:
        raise _unknown(at, node, f"has more than {_MOST:,} entries")


def _signed(at: _At, node: ast.UnaryOp, value: Any) -> Any:
    if isinstance(node.op, ast.Not) and isinstance(value, bool):
        return not value
    if isinstance(value, int | float) and not isinstance(value, bool) and not isinstance(node.op, ast.Not):
        return -value if isinstance(node.op, ast.USub) else value
    raise _unknown(at, node, "is worked out when it runs")


def _joined(at: _At, node: ast.BinOp, left: Any, right: Any) -> Any:
    """Two values joined, where both are of a kind and the result is of a size to be spoken of."""
    kind = type(node.op)
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (left, right))
    if kind in _SHIFTS and numbers and isinstance(left, int) and isinstance(right, int) and 0 <= right <= 64:
        return _sized(at, node, _SHIFTS[kind](left, right) if abs(left) < _LARGEST else _LARGEST)
    same = type(left) is type(right)
    fits = (
        numbers
        or (kind is ast.Add and same and isinstance(left, str | tuple))
        or (kind is ast.BitOr and same and isinstance(left, dict | frozenset))
        or (kind in (ast.BitAnd, ast.Sub) and same and isinstance(left, frozenset))
    )
    if kind not in _WHOLE or not fits:
        raise _unknown(at, node, "is worked out when it runs")
    try:
        return _sized(at, node, _WHOLE[kind](left, right))
    except (ZeroDivisionError, TypeError, OverflowError):
        raise _unknown(at, node, "cannot be worked out") from None


def _sized(at: _At, node: ast.expr, value: Any) -> Any:
    large = isinstance(value, int | float) and not abs(value) < _LARGEST
    if large or (isinstance(value, str | tuple | dict | frozenset) and len(value) > _MOST):
        raise _unknown(at, node, "is too large to be spoken of")
    return value


def _named(at: _At, node: ast.Name | ast.Attribute) -> Any:
    """What a name means: what it is set to, or a class, function or module itself."""
    name, index = dotted(node), at.library.index
    if not name:
        raise _unknown(at, node, "is worked out when it runs")
    meant = resolve(index, index.file(at.file), name, at.scope)
    if not meant and is_standard(f"builtins.{name}"):
        return Object(f"builtins.{name}", f"builtins.{name}")
    if len(meant) != 1:
        why = "is found nowhere in the library" if not meant else "means one of several things"
        raise _unknown(at, node, why)
    found = meant[0]
    if isinstance(found, Definition):
        found = follow(index, found)
        if found.kind == "attribute":
            return value_of(at.library, found, at.depth + 1).value
    return object_of(at.library, found)


def _called(at: _At, node: ast.Call, depth: int) -> Any:
    """A call of what only makes a list, a set or a dict of what it is given."""
    name, index = dotted(node.func), at.library.index
    meant = resolve(index, index.file(at.file), name, at.scope) if name else ()
    called = name if not meant else meant[0] if isinstance(meant[0], str) and len(meant) == 1 else ""
    if called == "dict" and not any(word.arg is None for word in node.keywords) and len(node.args) <= 1:
        first = _worked(at, node.args[0], depth + 1) if node.args else {}
        if isinstance(first, dict):
            words = {word.arg: None if at.keys_only else _worked(at, word.value, depth + 1) for word in node.keywords}
            return first | words
    if called in ("dict.fromkeys", "builtins.dict.fromkeys") and 1 <= len(node.args) <= 2 and not node.keywords:
        names, *rest = (_worked(at, each, depth + 1) for each in node.args)
        if isinstance(names, tuple | dict):
            return dict.fromkeys(names, rest[0] if rest else None)
    plain = not node.keywords and len(node.args) <= 1 and not any(isinstance(a, ast.Starred) for a in node.args)
    if plain and called in (*_SEQUENCES, "sorted", _PROXY):
        given = _worked(at, node.args[0], depth + 1) if node.args else ()
        if called == _PROXY and isinstance(given, dict):
            return given
        if (
            called in _SEQUENCES
            and isinstance(given, tuple | frozenset | dict)
            and not (isinstance(given, frozenset) and _SEQUENCES[called] is tuple)
        ):
            made = tuple(given)
            return made if _SEQUENCES[called] is tuple else _set(at, node, list(made))
        if called == "sorted" and isinstance(given, tuple | frozenset | dict):
            texts = list(given)
            if all(isinstance(each, str) for each in texts) or all(isinstance(each, int) for each in texts):
                return tuple(sorted(texts))
    raise _unknown(at, node, "is worked out when it runs")


def _unknown(at: _At, node: ast.expr, why: str) -> Stop:
    line = f"{at.path}:{node.lineno}" if hasattr(node, "lineno") else at.path
    return Stop("unknown", f"`{_shown(node)}` {why}", evidence=(line,))


def _shown(node: ast.AST, most: int = _SHOWN) -> str:
    try:
        text = ast.unparse(node)
    except RecursionError:
        return "…"
    return text if len(text) <= most else f"{text[: most - 1]}…"
