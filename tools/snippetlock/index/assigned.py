"""The signature of what is assigned rather than defined: `name = lambda …`, `name = functools.partial(f, …)`."""

from __future__ import annotations

from snippetlock.index import rows
from snippetlock.index.index import File, Index
from snippetlock.index.names import resolve
from snippetlock.index.shapes import Definition, Parameter
from snippetlock.records import replace

TYPE_CHECKING = False  # as in `index`: what only annotations need is not loaded
if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

__all__ = ["bound_by", "lambda_of", "partial_of"]

_PARTIAL = "functools.partial"
_PLACEHOLDER = "Placeholder"  # of `functools`, from Python 3.14 on


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


def partial_of(index: Index, definition: Definition) -> tuple[Definition, int, dict[str, str]] | None:
    """What `functools.partial` is made of: the function, how many arguments it has, and its keywords with their values.

    None for any other value, and where one of these is not told: a `functools.Placeholder` is no argument yet.
    """
    import ast

    node = _value(definition, "partial(")
    if not isinstance(node, ast.Call) or not node.args or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    number, row = definition.number
    file = index.file(number)
    owner = file.sheet["defs"][row][rows.OWNER]
    made, function = ast.unparse(node.func), ast.unparse(node.args[0])
    words = {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}
    if not function.replace(".", "").isidentifier() or resolve(index, file, made, owner) != (_PARTIAL,):
        return None
    meant = resolve(index, file, function, owner)
    if not meant or not all(isinstance(each, Definition) for each in meant) or len(words) < len(node.keywords):
        return None
    names = [ast.unparse(each) for given in node.args[1:] for each in ast.walk(given) if _is_name(each)]
    if any(_is_placeholder(index, file, each, owner) for each in names):
        return None
    found = [each for each in meant if isinstance(each, Definition)]
    plain = [each for each in found if "overload" not in each.roles] or found
    return plain[-1], len(node.args) - 1, words


def _is_name(node: ast.AST) -> bool:
    import ast

    return isinstance(node, ast.Name | ast.Attribute)


def _is_placeholder(index: Index, file: File, name: str, scope: int) -> bool:
    """Whether a name can stand for `functools.Placeholder`, also by other names for it, or for one from elsewhere."""
    waiting, seen = [(file, name, scope)], set[tuple[int, str, int]]()
    while waiting:
        file, name, scope = waiting.pop()
        if (file.number, name, scope) in seen:
            continue
        seen.add((file.number, name, scope))
        if not name.replace(".", "").isidentifier():
            continue
        for each in resolve(index, file, name, scope):
            if isinstance(each, str):
                if each.rpartition(".")[2] == _PLACEHOLDER:
                    return True
            elif each.kind == "attribute" and each.value:
                number, row = each.number
                inner = index.file(number)
                waiting.append((inner, each.value, inner.sheet["defs"][row][rows.OWNER]))
    return False


def bound_by(parameters: tuple[Parameter, ...], count: int, words: Mapping[str, str]) -> tuple[Parameter, ...] | None:
    """What is left of some parameters when so many are given by position, and these by keyword.

    One that is given by keyword may be given again by keyword, and so may what comes after it. None where fewer can
    be given by position: whoever writes that means something else.
    """
    left = list(parameters)
    for _ in range(count):
        if left and left[0].kind in ("positional-only", "positional"):
            del left[0]
        elif not left or left[0].kind != "variadic":
            return None
    found: list[Parameter] = []
    named = False
    for each in left:
        given = each.name in words and each.kind in ("positional", "keyword-only")
        named = named or given
        if named and each.kind == "positional":
            each = replace(each, kind="keyword-only")
        found.append(replace(each, default=words[each.name]) if given else each)
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
