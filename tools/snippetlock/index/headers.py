"""The rows of classes and functions, and the literals whose content is known: `__all__`, dicts, named tuples."""

from __future__ import annotations

import ast
from typing import Any

from snippetlock.index import rows
from snippetlock.index.rows import Row, Sheet
from snippetlock.index.slices import Slicer, dotted

_WRAPPED = {"MappingProxyType", "dict", "OrderedDict", "frozendict"}


def function_row(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: int, slicer: Slicer) -> Row:
    """A function with its signature."""
    flags = rows.ASYNC if isinstance(node, ast.AsyncFunctionDef) else 0
    decorators = [slicer.value(each) or dotted(each) or "…" for each in node.decorator_list]
    returns = slicer.cut(node.returns) if node.returns is not None else ""
    parameters = _parameters(node.args, slicer)
    return ["f", node.name, owner, node.lineno, node.end_lineno, flags, decorators, parameters, returns, [[], None]]


def _parameters(arguments: ast.arguments, slicer: Slicer) -> list[Row]:
    plain = [*((each, 0) for each in arguments.posonlyargs), *((each, 1) for each in arguments.args)]
    without = len(plain) - len(arguments.defaults)
    found: list[Row] = []
    for number, (each, kind) in enumerate(plain):
        default = arguments.defaults[number - without] if number >= without else None
        found.append(_parameter(each, kind, default, slicer))
    if arguments.vararg is not None:
        found.append(_parameter(arguments.vararg, 2, None, slicer))
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(each, 3, default, slicer))
    if arguments.kwarg is not None:
        found.append(_parameter(arguments.kwarg, 4, None, slicer))
    return found


def _parameter(argument: ast.arg, kind: int, default: ast.expr | None, slicer: Slicer) -> Row:
    text = None if default is None else slicer.value(default) or "…"
    return [argument.arg, kind, text, slicer.cut(argument.annotation) if argument.annotation is not None else ""]


def class_row(node: ast.ClassDef, owner: int, slicer: Slicer) -> Row:
    """A class with its bases as written."""
    decorators = [slicer.value(each) or dotted(each) or "…" for each in node.decorator_list]
    bases = [slicer.value(each) or "…" for each in node.bases]
    keywords = [[word.arg or "**", slicer.value(word.value) or "…"] for word in node.keywords]
    return ["c", node.name, owner, node.lineno, node.end_lineno, 0, decorators, bases, keywords, None]


def keys_of(value: ast.expr) -> list[Any] | None:
    """The string keys of a dict literal, or of one in `MappingProxyType(…)` and the like; and whether they are all."""
    if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in _WRAPPED:
        held: list[Any] | None = [[], True]
        if value.args:
            held = keys_of(value.args[0]) if len(value.args) == 1 else None
        names = [word.arg for word in value.keywords if word.arg]
        return held and [[*held[0], *names], held[1] and len(names) == len(value.keywords)]
    if not isinstance(value, ast.Dict):
        return None
    texts = [key.value for key in value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return [list(dict.fromkeys(texts)), len(texts) == len(value.keys)]


def exported(sheet: Sheet, value: ast.expr | None, *, added: bool) -> None:
    """Note what an assignment to `__all__` names: [names, whether they are all]."""
    names, complete = sheet["all"] or ([], True) if added else ([], True)
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.BinOp):
            waiting += [each.right, each.left]
        elif isinstance(each, ast.List | ast.Tuple | ast.Set):
            texts = [item.value for item in each.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            names = [*names, *texts]
            complete = complete and len(texts) == len(each.elts)
        else:
            complete = False
    sheet["all"] = [names, complete]


def named_tuple(
    name: str, node: Any, owner: int, value: ast.expr | None, slicer: Slicer
) -> tuple[Row, list[Row]] | None:
    """The class that `Name = namedtuple("Name", "x y")` makes, and its fields; None for anything else."""
    if not isinstance(value, ast.Call) or len(value.args) != 2:
        return None
    if dotted(value.func).rpartition(".")[2] not in ("namedtuple", "NamedTuple"):
        return None
    fields: list[tuple[str, str]] = []
    listed = value.args[1]
    if isinstance(listed, ast.Constant) and isinstance(listed.value, str):
        fields = [(word, "") for word in listed.value.replace(",", " ").split()]
    elif isinstance(listed, ast.List | ast.Tuple):
        for item in listed.elts:
            pair = item.elts if isinstance(item, ast.Tuple) and len(item.elts) == 2 else [item]
            if not isinstance(pair[0], ast.Constant) or not isinstance(pair[0].value, str):
                return None
            fields.append((pair[0].value, slicer.value(pair[1]) if len(pair) == 2 else ""))
    else:
        return None
    keywords = [[word.arg or "**", slicer.value(word.value) or "…"] for word in value.keywords]
    line, last = node.lineno, node.end_lineno
    without = len(fields) - _defaults(value, len(fields))
    made = ["c", name, owner, line, last, 0, [], ["typing.NamedTuple"], keywords, None]
    rows_ = []
    for number, (field, note) in enumerate(fields):
        default = "…" if number >= without else None
        rows_.append(["a", field, -1, line, last, 0, [], note or "object", default, None])
    return made, rows_


def _defaults(call: ast.Call, count: int) -> int:
    """How many fields at the end have a default; all where that is computed."""
    given = next((word.value for word in call.keywords if word.arg == "defaults"), None)
    if given is None:
        return 0
    return min(count, len(given.elts)) if isinstance(given, ast.List | ast.Tuple) else count
