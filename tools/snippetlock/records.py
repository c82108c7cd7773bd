"""Dataclasses that cost next to nothing before they are used: `dataclasses` under its own names, as far as we use it.

The standard library compiles six functions for each class, and imports `inspect` for it: for the ninety classes that
a comparison needs that is a tenth of its time. Here a class gets functions that are there already, and its `__init__`
is compiled when it has made some objects. A checker of types sees the standard library's, and so does whoever asks a
class for its fields: `dataclasses.replace`, `asdict` and `fields` take these objects like their own.
"""

from __future__ import annotations

from operator import attrgetter
from reprlib import recursive_repr

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import asdict, dataclass, field, replace
    from typing import Any

__all__ = ["asdict", "dataclass", "field", "replace"]

_MISSING: Any = object()
_FEW = 24  # objects of a class in the time that it takes to compile an `__init__`


class _Field:
    """What `field` says of one; a plain default is one that says nothing else."""

    __slots__ = ("compare", "default", "default_factory", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Callable[[], Any] = _MISSING,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare


def _dataclass(*, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True) -> Any:
    """As `dataclasses.dataclass`, of a class that derives from none; it has neither order nor weak references."""

    def made(cls: type) -> type:
        names = tuple(cls.__annotations__)
        space = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        said = {name: space.pop(name) for name in names if name in space}
        fields = {name: one if isinstance(one, _Field) else _Field(default=one) for name, one in said.items()}
        fields = {name: fields.get(name) or _Field() for name in names}
        if slots:
            space["__slots__"] = names
        space |= {"__qualname__": cls.__qualname__, "__match_args__": () if kw_only else names}
        space |= {"__dataclass_fields__": _Fields(fields, kw_only), "_names": names}
        space["_shown"] = tuple(name for name, one in fields.items() if one.repr)
        space.setdefault("__repr__", _repr)
        if eq:
            compared = [name for name, one in fields.items() if one.compare]
            _comparing(space, attrgetter(*compared) if compared else lambda _: (), frozen)
        if frozen:
            space |= {"__setattr__": _unset, "__delattr__": _undeleted}
        if frozen and slots:
            space |= {"__getstate__": _state, "__setstate__": _restore}
        kind: Any = type(cls)(cls.__name__, cls.__bases__, space)

        left = _FEW

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            """Put the real one here, and be it; the first objects, and most classes have no others, need none."""
            nonlocal left
            left -= 1
            if left < 0 or not _filled(self, fields, kw_only, args, kwargs):
                kind.__init__ = _init(kind, fields, kw_only, frozen)
                kind.__init__(self, *args, **kwargs)

        kind.__init__ = __init__
        return kind  # type: ignore[no-any-return]

    return made


def _comparing(space: dict[str, Any], key: Callable[[Any], Any], frozen: bool) -> None:
    def __eq__(self: Any, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    space["__eq__"] = __eq__
    space["__hash__"] = (lambda self: hash(key(self))) if frozen else None


def _filled(self: Any, fields: dict[str, _Field], kw_only: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Give an object its fields; False where the arguments do not fit, which the real `__init__` says in words."""
    given = dict(zip(fields, args, strict=False)) | kwargs
    if (args and kw_only) or len(given) != len(args) + len(kwargs) or not given.keys() <= fields.keys():
        return False
    for name, one in fields.items():
        if name not in given and one.default is _MISSING and one.default_factory is _MISSING:
            return False
        value = one.default_factory() if name not in given and one.default is _MISSING else given.get(name, one.default)
        object.__setattr__(self, name, value)
    if hasattr(self, "__post_init__"):
        self.__post_init__()
    return True


def _init(cls: type, fields: dict[str, _Field], kw_only: bool, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_missing": _MISSING, "_set": object.__setattr__}
    head, body = ["self", "*"] if kw_only and fields else ["self"], []
    for name, one in fields.items():
        value = name
        if one.default is not _MISSING:
            known[f"_default_{name}"] = one.default
            head.append(f"{name}=_default_{name}")
        elif one.default_factory is not _MISSING:
            known[f"_make_{name}"] = one.default_factory
            head.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        else:
            head.append(name)
        if frozen and "__slots__" in vars(cls):  # a slot is written to faster by itself than by its name
            known[f"_set_{name}"] = vars(cls)[name].__set__
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    made: dict[str, Any] = {}
    exec(f"def __init__({', '.join(head)}):\n " + ("\n ".join(body) or "pass"), known, made)
    init: Callable[..., None] = made["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


@recursive_repr()
def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"


def _unset(self: Any, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _undeleted(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self._names]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self._names, state, strict=True):
        object.__setattr__(self, name, value)


def _replace(one: Any, /, **changes: Any) -> Any:
    """As `dataclasses.replace`."""
    return type(one)(**{name: getattr(one, name) for name in one._names} | changes)


def _asdict(one: Any) -> Any:
    """As `dataclasses.asdict`; what is no dataclass, tuple, list or dict is not copied."""
    if hasattr(one, "_names"):
        return {name: _asdict(getattr(one, name)) for name in one._names}
    if isinstance(one, (list, tuple)):
        return type(one)(map(_asdict, one))
    return {name: _asdict(value) for name, value in one.items()} if isinstance(one, dict) else one


class _Fields:
    """The fields as `dataclasses` describes them, made when somebody asks."""

    def __init__(self, said: dict[str, _Field], kw_only: bool) -> None:
        self.said = said
        self.kw_only = kw_only

    def __get__(self, one: object, cls: type) -> Any:
        import dataclasses

        def described(name: str) -> Any:
            known = self.said[name]
            said: dict[str, Any] = {"default": known.default, "default_factory": known.default_factory}
            said = {key: value for key, value in said.items() if value is not _MISSING}
            return dataclasses.field(**said, repr=known.repr, compare=known.compare)

        named = [(name, note, described(name)) for name, note in cls.__annotations__.items()]
        model = dataclasses.make_dataclass(cls.__name__, named, kw_only=self.kw_only)
        return vars(model)["__dataclass_fields__"]


if not TYPE_CHECKING:
    asdict, dataclass, field, replace = _asdict, _dataclass, _Field, _replace
