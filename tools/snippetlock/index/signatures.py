"""The signature that a caller of a definition meets: bound methods, constructors, generated `__init__`."""

from __future__ import annotations

from typing import Literal

from snippetlock.index import rows
from snippetlock.index.ancestry import bases, lineage
from snippetlock.index.index import Index
from snippetlock.index.names import follow, resolve
from snippetlock.index.shapes import Definition, Parameter
from snippetlock.index.standard import (
    DECORATORS,
    EXCEPTION_KEYWORDS,
    METACLASSES,
    TRANSPARENT,
    is_exception,
    is_standard,
)
from snippetlock.records import dataclass, replace

__all__ = ["Signature", "signature"]

_PLAIN = frozenset(["abc.ABC", "typing.Generic", "typing.Protocol", "builtins.object", "typing_extensions.Protocol"])
_PROTOCOLS = ("typing.Protocol", "typing_extensions.Protocol")
_DATACLASS = frozenset(["dataclasses.dataclass"])
_IMPLICIT = ("__new__", "__init_subclass__", "__class_getitem__")  # methods of a class without a decorator
_LONGEST = 32  # of `partial`s that are made of each other
_ANYTHING = (Parameter(name="args", kind="variadic"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a caller passes. `parameters` is None where the source alone does not tell, and `reason` says why.

    `first` is the parameter that a bound method has no more (`self`, `cls`), which prose may still show; `bound` says
    to what. `source` is where the parameters are written: an `__init__` for a class.
    """

    name: str
    parameters: tuple[Parameter, ...] | None
    source: Definition
    first: Parameter | None = None
    bound: Literal["", "instance", "class"] = ""
    reason: str = ""

    @property
    def shown(self) -> str:
        """`(a, b=1, *, c)`, without annotations."""
        return f"({', '.join(_shown(self.parameters or ()))})"


def _shown(parameters: tuple[Parameter, ...]) -> list[str]:
    words: list[str] = []
    before = ""
    for parameter in parameters:
        if before == "positional-only" and parameter.kind != before:
            words.append("/")
        if parameter.kind == "keyword-only" and before not in ("keyword-only", "variadic"):
            words.append("*")
        words.append(parameter.starred + (f"={parameter.default}" if parameter.default is not None else ""))
        before = parameter.kind
    return [*words, "/"] if before == "positional-only" else words


def signature(index: Index, definition: Definition) -> Signature:
    """What a caller of this definition passes: without `self` for a method, of its `__init__` for a class.

    A module that has a method under a name of its own (`burn = Oven.fire`) has it as the class does: with `self`.
    """
    name = definition
    definition = follow(index, name)
    if definition.kind == "function":
        found = _function(index, definition)
        return _unbound(replace(found, name=name.name)) if name.kind == "attribute" and not name.owner else found
    if definition.kind == "class":
        return _class(index, definition)
    if definition.value and ("lambda" in definition.value or "partial(" in definition.value):
        made = _assigned(index, definition)
        if made is not None:
            return made
    article = "an" if definition.kind == "attribute" else "a"
    return _unknown(definition, f"{definition.name} is {article} {definition.kind}")


def _assigned(index: Index, definition: Definition) -> Signature | None:
    """What is set to a lambda or a `partial`; None where that is not told."""
    from snippetlock.index.assigned import bound_by, lambda_of, partial_of

    given: list[tuple[int, dict[str, str]]] = []
    seen: set[tuple[int, int]] = set()
    meant = definition
    while (partial := partial_of(index, meant)) is not None:
        if meant.number in seen or len(seen) == _LONGEST:
            return None  # they are made of each other, or go on and on
        seen.add(meant.number)
        function, count, words = partial
        given.append((count, words))
        meant = follow(index, function)
    parameters = lambda_of(meant)
    if parameters is None and given and meant.kind in ("function", "class"):
        parameters = _unbound(signature(index, meant)).parameters
    for count, words in reversed(given):
        parameters = bound_by(parameters, count, words) if parameters is not None else None
    if parameters is None:
        return None
    return Signature(name=definition.name, parameters=parameters, source=definition)


def _unbound(found: Signature) -> Signature:
    """The signature of what is reached through its class, which binds no instance, and no class to a `__new__`."""
    if found.parameters is None or found.first is None:
        return found
    if found.bound != "instance" and found.source.name != "__new__":
        return found
    return replace(found, parameters=(found.first, *found.parameters), first=None, bound="")


def _unknown(definition: Definition, reason: str) -> Signature:
    return Signature(name=definition.name, parameters=None, source=definition, reason=reason)


def _function(index: Index, definition: Definition) -> Signature:
    for decorator in definition.decorators:
        if not _among(index, definition, decorator, TRANSPARENT):
            return _unknown(definition, f"@{decorator.partition('(')[0]} may change what it takes")
    roles = definition.roles
    if roles & {"property", "setter", "deleter"}:
        return _unknown(definition, f"{definition.name} is a property")
    parameters = definition.parameters
    number, row = definition.number
    defs = index.file(number).sheet["defs"]
    owner = defs[row][rows.OWNER]
    method = owner >= 0 and defs[owner][rows.KIND] == "c" and "static" not in roles
    if definition.name in _IMPLICIT and method:
        roles |= {"class"}
    first = None
    if method and parameters and parameters[0].kind in ("positional", "positional-only"):
        first, parameters = parameters[0], parameters[1:]
    bound: Literal["", "instance", "class"] = "" if first is None else "class" if "class" in roles else "instance"
    return Signature(name=definition.name, parameters=parameters, source=definition, first=first, bound=bound)


def _among(index: Index, definition: Definition, written: str, known: frozenset[str]) -> bool:
    number, row = definition.number
    file = index.file(number)
    name = written.partition("(")[0].strip()
    if name.endswith((".setter", ".getter", ".deleter")):
        return True
    meant = resolve(index, file, name, file.sheet["defs"][row][rows.OWNER])
    return all(each in known for each in meant or (f"builtins.{name}",))


def _class(index: Index, cls: Definition) -> Signature:
    line = lineage(index, cls)
    if any(is_standard(base) and base.startswith("enum.") for base in line.standard):
        return _unknown(cls, f"{cls.name} is an enumeration")
    if "builtins.type" in line.standard:
        return _unknown(cls, f"{cls.name} makes classes")
    if any(base in _PROTOCOLS for base in bases(index, cls)):
        return _unknown(cls, f"{cls.name} is a protocol")
    for each in line.order:
        for word, value in each.keywords:
            if word == "**" or (word == "metaclass" and not _among(index, each, value, METACLASSES)):
                return _unknown(cls, f"{each.name} is made by {value}")
    for each in line.order:
        made = _own_constructor(index, each)
        if made is not None:
            return replace(made, name=cls.name, first=None, bound="")
        strange = [base for base in bases(index, each) if isinstance(base, str) and not is_standard(base)]
        if strange:
            return _unknown(cls, f"{strange[0]} is not in the tree")
    known = [base.removeprefix("builtins.") for base in line.standard if is_exception(base)]
    if known:
        words = [word for base in known for word in EXCEPTION_KEYWORDS.get(base, ())]
        more = (Parameter(name=word, kind="keyword-only", default="None") for word in dict.fromkeys(words))
        return Signature(name=cls.name, parameters=(*_ANYTHING, *more), source=cls)
    if set(line.standard) <= _PLAIN:
        return Signature(name=cls.name, parameters=(), source=cls)
    return _unknown(cls, f"{line.standard[0]} decides what it takes")


def _own_constructor(index: Index, cls: Definition) -> Signature | None:
    """How a class is built by what stands in its own body and header; None where that says nothing."""
    number, row = cls.number
    file = index.file(number)
    init = [each for each in index.inside(file, row, "__init__") if each.kind == "function"]
    new = [each for each in index.inside(file, row, "__new__") if each.kind == "function"]
    if len(init) + len(new) > 1:
        plain = [each for each in init if "overload" not in each.roles]
        if new or len(plain) != 1:
            return _unknown(cls, f"{cls.name} has several ways to be built")
        init = plain
    strange = [each for each in cls.decorators if not _among(index, cls, each, DECORATORS)]
    if strange:
        return _unknown(cls, f"@{strange[0].partition('(')[0]} may change what it takes")
    if init or new:
        return signature(index, (init or new)[0])
    for decorator in cls.decorators:
        if _among(index, cls, decorator, _DATACLASS):
            if _option(decorator, "init") == "False":
                return None
            return Signature(name=cls.name, parameters=_fields(index, cls), source=cls)
    if any(base in ("typing.NamedTuple", "typing_extensions.NamedTuple") for base in bases(index, cls)):
        own = [each for each in _annotated(index, cls) if each.annotation]
        return Signature(name=cls.name, parameters=tuple(_parameter(each, "") for each in own), source=cls)
    return None


def _annotated(index: Index, cls: Definition) -> list[Definition]:
    """The attributes with an annotation in a class body, in order."""
    number, row = cls.number
    file = index.file(number)
    found = []
    for at, each in enumerate(file.sheet["defs"]):
        if each[rows.OWNER] == row and each[rows.KIND] == "a" and each[rows.A]:
            found.append(index.definition(file, at))
    return found


def _fields(index: Index, cls: Definition) -> tuple[Parameter, ...]:
    """The parameters of a dataclass: its fields and those of the dataclasses it derives from, the oldest first."""
    found: dict[str, Parameter | None] = {}
    for each in reversed(lineage(index, cls).order):
        own = [d for d in each.decorators if _among(index, each, d, _DATACLASS)]
        if not own:
            continue
        only = "kw_only=True" if _option(own[0], "kw_only") == "True" else ""
        for field in _annotated(index, each):
            note = field.annotation.strip("\"'").removeprefix("typing.").removeprefix("dataclasses.")
            if note == "KW_ONLY":
                only = "kw_only=True"
            elif not note.startswith("ClassVar"):
                kept = _option(field.value or "", "init") != "False" or not _is_field(field)
                found[field.name] = _parameter(field, only) if kept else None
    parameters = [parameter for parameter in found.values() if parameter is not None]
    return tuple(sorted(parameters, key=lambda parameter: parameter.kind == "keyword-only"))


def _is_field(field: Definition) -> bool:
    return (field.value or "").partition("(")[0].rpartition(".")[2] == "field"


def _parameter(field: Definition, only: str) -> Parameter:
    default = field.value
    value = field.value or ""
    if _is_field(field):
        option = _option(value, "kw_only")
        only = only if not option else "kw_only=True" if option == "True" else ""
        factory = _option(value, "default_factory")
        default = _option(value, "default") or (f"{factory}()" if factory else None)
    elif default == "":
        default = "…"  # a long one, which stays in its file
    kind = "keyword-only" if only else "positional"
    return Parameter(name=field.name, kind=kind, default=default, annotation=field.annotation)  # type: ignore[arg-type]


def _option(written: str, name: str) -> str:
    """The text of a keyword argument in the text of a call; empty where it has none."""
    if f"{name}=" not in written.replace(" ", ""):
        return ""
    import ast  # only for who has options to read

    try:
        call = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    words = call.keywords if isinstance(call, ast.Call) else []
    return next((ast.unparse(word.value) for word in words if word.arg == name), "")
