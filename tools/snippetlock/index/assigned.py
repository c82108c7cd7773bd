"""The signature of what is assigned rather than defined: `name = lambda …`, `name = functools.partial(f, …)`."""

from __future__ import annotations

from snippetlock.index import rows
from snippetlock.index.index import Index
from snippetlock.index.names import resolve
from snippetlock.index.shapes import Definition, Parameter
from snippetlock.records import replace

TYPE_CHECKING = False  # as in `index`: what only annotations need is not loaded
if TYPE_CHECKING:
    import ast

__all__ = ["bound_by", "lambda_of", "partial_of"]

_PARTIAL = "functools.partial"


def lambda_of(definition: Definition) -> tuple[Parameter, ...] | None:
    """The parameters of a lambda that a name is set to; None for any other value."""
    import ast  # only for who is called and is no `def`

    node = _value(definition, "lambda")
    if not isinstance(node, ast.Lambda):
        return None
    given = node.args
    by_position = [*given.posonlyargs, *given.args]
    defaults = [*([None] * (len(by_position) - len(given.defaults))), *given.defaults]
    found = [
        _parameter(each, "positional-only" if at < len(given.posonlyargs) else "positional", default)
        for at, (each, default) in enumerate(zip(by_position, defaults, strict=True))
    ]
    found += [_parameter(given.vararg, "variadic")] if given.vararg else []
    found += [
        _parameter(each, "keyword-only", value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    found += [_parameter(given.kwarg, "keywords")] if given.kwarg else []
    return tuple(found)


def _parameter(node: ast.arg, kind: str, default: ast.expr | None = None) -> Parameter:
    import ast

    written = None if default is None else ast.unparse(default)
    return Parameter(name=node.arg, kind=kind, default=written, annotation="")  # type: ignore[arg-type]


def partial_of(index: Index, definition: Definition) -> tuple[Definition, int, tuple[str, ...]] | None:
    """What `functools.partial` is made of: the function, how many arguments it has, and which keywords.

    None for any other value, and where one of these is not told.
    """
    import ast

    node = _value(definition, "partial(")
    if not isinstance(node, ast.Call) or not node.args or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    number, row = definition.number
    file = index.file(number)
    owner = file.sheet["defs"][row][rows.OWNER]
    made, function = ast.unparse(node.func), ast.unparse(node.args[0])
    words = [word.arg for word in node.keywords]
    if not function.replace(".", "").isidentifier() or resolve(index, file, made, owner) != (_PARTIAL,):
        return None
    meant = resolve(index, file, function, owner)
    if not meant or not all(isinstance(each, Definition) for each in meant) or None in words:
        return None
    found = [each for each in meant if isinstance(each, Definition)]
    plain = [each for each in found if "overload" not in each.roles] or found
    return plain[-1], len(node.args) - 1, tuple(word for word in words if word is not None)


def bound_by(parameters: tuple[Parameter, ...], count: int, words: tuple[str, ...]) -> tuple[Parameter, ...]:
    """What is left of some parameters when so many are given by position, and these by keyword.

    One that is given by keyword may be given again by keyword, and so may what comes after it.
    """
    left = list(parameters)
    for _ in range(count):
        if left and left[0].kind in ("positional-only", "positional"):
            del left[0]
    found: list[Parameter] = []
    named = False
    for each in left:
        given = each.name in words
        named = named or given
        if named and each.kind == "positional":
            each = replace(each, kind="keyword-only")
        found.append(replace(each, default=each.default or "…") if given else each)
    return tuple(found)


def _value(definition: Definition, word: str) -> ast.expr | None:
    """The value of a name that a module sets, parsed where it has a word; None for every other."""
    value = definition.value or ""
    if definition.kind != "attribute" or definition.owner or definition.local or word not in value:
        return None
    import ast

    try:
        return ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
