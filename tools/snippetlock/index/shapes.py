"""What the index says of a library, as data. Lines are 1-based; texts of source are as written, on one line."""

from __future__ import annotations

from typing import Literal

from snippetlock.records import dataclass

Kind = Literal["module", "class", "function", "attribute"]
ParameterKind = Literal["positional-only", "positional", "variadic", "keyword-only", "keywords"]
PARAMETER_KINDS: tuple[ParameterKind, ...] = ("positional-only", "positional", "variadic", "keyword-only", "keywords")

_PROPERTIES = {"property", "cached_property", "abstractproperty", "getter"}
_ROLES = {"staticmethod": "static", "classmethod": "class", "abstractmethod": "abstract", "overload": "overload"}
_ROLES |= dict.fromkeys(_PROPERTIES, "property") | {"setter": "setter", "deleter": "deleter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter. `default` is None where it has none, `annotation` empty where it has none."""

    name: str
    kind: ParameterKind = "positional"
    default: str | None = None
    annotation: str = ""

    @property
    def starred(self) -> str:
        """The name as a signature writes it: `*args`, `**kwargs`."""
        return {"variadic": "*", "keywords": "**"}.get(self.kind, "") + self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The string keys of a dict literal, in order; `complete` unless it has others (computed, or unpacked)."""

    names: tuple[str, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A module, class, function or attribute of the library.

    `qualified` is its name below its module, empty for the module itself; what a function defines inside has
    `<locals>` on the way. `value` is the text that an attribute is set to, None where it is set to nothing, empty
    where the text is long: then the lines of the file have it. `setter` is the method that sets an attribute of
    `self`. `raises` are the exceptions that a function's own body raises, as written. `number` is where the index
    keeps it.
    """

    kind: Kind
    module: str
    qualified: str
    path: str
    line: int
    last: int
    number: tuple[int, int]
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    asynchronous: bool = False
    raises: tuple[str, ...] = ()
    annotation: str = ""
    value: str | None = None
    keys: Keys | None = None
    setter: str = ""

    @property
    def name(self) -> str:
        """The last part of its name; of a module too."""
        return (self.qualified or self.module).rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The qualified name of what it is defined in; empty at the top of a module."""
        return self.qualified.rpartition(".")[0]

    @property
    def selector(self) -> str:
        """`module:Qualified.name`."""
        return f"{self.module}:{self.qualified}" if self.qualified else self.module

    @property
    def place(self) -> str:
        """`path:line`."""
        return f"{self.path}:{self.line}"

    @property
    def local(self) -> bool:
        """Whether it lives inside a function."""
        return "<locals>" in self.qualified

    @property
    def roles(self) -> frozenset[str]:
        """What decorators of the standard library make of it: static, class, property, setter, abstract, overload."""
        names = (decorator.partition("(")[0].rpartition(".")[2] for decorator in self.decorators)
        return frozenset(_ROLES[name] for name in names if name in _ROLES)
