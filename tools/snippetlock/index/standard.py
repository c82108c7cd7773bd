"""What is known of Python's own classes, without importing more than Python starts with."""

from __future__ import annotations

__all__ = [
    "DECORATORS",
    "EXCEPTIONS",
    "EXCEPTION_KEYWORDS",
    "METACLASSES",
    "TRANSPARENT",
    "above",
    "is_exception",
    "is_standard",
    "standard_members",
]

_TYPES = (
    *(object, type, int, float, complex, bool, str, bytes, bytearray, memoryview),
    *(list, tuple, dict, set, frozenset, slice, range, property, staticmethod, classmethod, super),
)


def _below(cls: type) -> dict[str, type]:
    found: dict[str, type] = {}
    derived: list[type] = cls.__subclasses__()
    for inner in derived:
        if inner.__module__ == "builtins":
            found[inner.__name__] = inner
        found |= _below(inner)
    return found


EXCEPTIONS = {"BaseException": BaseException, **_below(BaseException)}
"""The exceptions that need no import."""
EXCEPTION_KEYWORDS = {
    "ImportError": ("name", "path"),
    "ModuleNotFoundError": ("name", "path"),
    "AttributeError": ("name", "obj"),
    "NameError": ("name",),
    "UnboundLocalError": ("name",),
}
"""What exceptions take by keyword; all others take arguments by position only."""
_BUILTINS: dict[str, type] = {cls.__name__: cls for cls in _TYPES} | EXCEPTIONS
_BUILTINS |= {"IOError": OSError, "EnvironmentError": OSError}


def above(name: str) -> tuple[str, ...]:
    """The names of the classes that one of Python's builtins derives from, itself first; none for what is none."""
    cls = _BUILTINS.get(name.removeprefix("builtins."))
    return tuple(each.__name__ for each in cls.__mro__) if cls is not None else ()


_NONE: frozenset[str] = frozenset()
_ENUM = frozenset(
    [
        "name",
        "value",
        "_name_",
        "_value_",
        "_missing_",
        "_generate_next_value_",
        "_ignore_",
        "_order_",
        "_sort_order_",
    ]
)
_TUPLE = frozenset(dir(tuple)) | frozenset(
    [
        "_asdict",
        "_replace",
        "_fields",
        "_make",
        "_field_defaults",
        "__match_args__",
    ]
)
_OTHERS: dict[str, frozenset[str]] = {
    "abc.ABC": frozenset(["_abc_impl"]),
    "typing.Generic": frozenset(["__parameters__", "__orig_bases__", "_is_protocol"]),
    "typing.Protocol": frozenset(
        ["__parameters__", "__orig_bases__", "_is_protocol", "_is_runtime_protocol", "_abc_impl"]
    ),
    "typing.NamedTuple": _TUPLE,
    "typing.TypedDict": frozenset(dir(dict)) | frozenset(["__total__", "__required_keys__", "__optional_keys__"]),
    "enum.Enum": _ENUM,
    "enum.IntEnum": _ENUM | frozenset(dir(int)),
    "enum.StrEnum": _ENUM | frozenset(dir(str)),
    "enum.Flag": _ENUM | frozenset(["__contains__", "__or__", "__and__", "__xor__", "__invert__", "_boundary_"]),
    "enum.IntFlag": _ENUM | frozenset(dir(int)) | frozenset(["__contains__", "_boundary_"]),
    "types.SimpleNamespace": _NONE,
}
_OTHERS |= {f"typing_extensions.{name}": _OTHERS[f"typing.{name}"] for name in ("Protocol", "NamedTuple", "TypedDict")}
_OTHERS |= {"typing_extensions.Generic": _OTHERS["typing.Generic"]}
_OPEN = frozenset(["types.SimpleNamespace"])

METACLASSES = frozenset(["abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "builtins.type"])
"""Metaclasses that add no members to speak of."""
DECORATORS = frozenset(
    [
        "dataclasses.dataclass",
        "functools.total_ordering",
        "typing.final",
        "typing.runtime_checkable",
        "enum.unique",
        "typing_extensions.final",
        "typing_extensions.runtime_checkable",
        "warnings.deprecated",
        "typing_extensions.deprecated",
        "torch.no_grad",
        "torch.inference_mode",
    ]
)
"""Class decorators that add no members but those with two underscores."""
TRANSPARENT = frozenset(
    [
        "abc.abstractmethod",
        "abc.abstractproperty",
        "typing.overload",
        "typing.final",
        "typing.override",
        "typing.no_type_check",
        "typing_extensions.overload",
        "typing_extensions.override",
        "typing_extensions.final",
        "typing_extensions.deprecated",
        "functools.lru_cache",
        "functools.cache",
        "functools.singledispatch",
        "functools.cached_property",
        "functools.wraps",
        "functools.singledispatchmethod",
        "contextlib.contextmanager",
        "contextlib.asynccontextmanager",
        "warnings.deprecated",
        "builtins.staticmethod",
        "builtins.classmethod",
        "builtins.property",
        "torch.no_grad",
        "torch.inference_mode",
        "torch.enable_grad",
        "torch.compile",
        "torch.jit.ignore",
        "torch.jit.export",
        "torch.jit.unused",
        "torch.jit.script",
        "torch._dynamo.disable",
        "torch.compiler.disable",
        "numba.njit",
        "numba.jit",
    ]
)
"""Function decorators after which a call takes the same arguments."""


def is_standard(name: str) -> bool:
    """Whether a dotted name is a class whose members are known here."""
    module, _, last = name.rpartition(".")
    return last in _BUILTINS if module == "builtins" else name in _OTHERS


def is_exception(name: str) -> bool:
    """Whether a dotted name is one of Python's own exceptions."""
    return name.removeprefix("builtins.") in EXCEPTIONS


def standard_members(name: str) -> frozenset[str] | None:
    """The members of a class that `is_standard`; None where it takes any."""
    if name in _OPEN:
        return None
    module, _, last = name.rpartition(".")
    return frozenset([*dir(_BUILTINS[last]), "_abc_impl"]) if module == "builtins" else _OTHERS[name]
