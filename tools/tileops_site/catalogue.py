"""The library's ops at the pin, family by family, as its manifest has them. Nothing of the library is run.

A fault of the manifest is an error here: a table that leaves an op out would be believed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snippetlock.model import Tree
from tileops_site.spec import SPEC, entries, fault

PACKAGE = "tileops/__init__.py"
_TYPES = f"{SPEC}types.yaml"
_READ = ("family", "signature", "composition")  # of an entry: its workloads are most of the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One entry. `params` and `inputs` are written as Python declares them; `outputs` are names."""

    name: str
    params: str
    inputs: str
    outputs: tuple[str, ...]
    composed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family with its ops, in the manifest's order."""

    name: str
    ops: tuple[Op, ...]


def read_catalogue(tree: Tree) -> tuple[Family, ...]:
    """Every family in the order in which the package lists them.

    Raises `SourceError` where a file cannot be read, an op stands twice, or package and manifest disagree on families.
    """
    ops: dict[str, list[Op]] = {}
    seen: dict[str, str] = {}
    for file, name, entry in entries(tree, _READ):
        if file == _TYPES:
            continue
        if not isinstance(entry, dict):
            raise fault(f"the manifest cannot be read: {name} is no mapping", file)
        if name in seen:
            raise fault(f"the op {name} stands twice in the manifest", file, f"it stands in {seen[name]} too")
        seen[name] = file
        ops.setdefault(str(entry.get("family")), []).append(_op(name, entry, file))
    order = _families(tree)
    if set(order) != set(ops):
        odd = ", ".join(sorted(set(order) ^ set(ops)))
        raise fault("the package and its manifest do not have the same families", PACKAGE, f"only one has: {odd}")
    return tuple(Family(name=name, ops=tuple(ops[name])) for name in order)


def _families(tree: Tree) -> tuple[str, ...]:
    try:
        module = ast.parse(tree.read(PACKAGE))
    except SyntaxError as error:
        raise fault(f"it cannot be read: {error.msg}", PACKAGE) from error
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="_FAMILIES")], value=ast.Tuple(elts=[*items])):
                return tuple(str(item.value) for item in items if isinstance(item, ast.Constant))
    raise fault("the package has no tuple `_FAMILIES`", PACKAGE)


def _op(name: str, entry: Mapping[str, Any], file: str) -> Op:
    signature = _mapping(entry.get("signature"), f"the signature of {name}", file)
    parts = {key: _mapping(signature.get(key), f"{key} of {name}", file) for key in ("params", "inputs", "outputs")}
    for key in ("params", "inputs"):
        for one, said in parts[key].items():
            _mapping(0 if said is None else said, f"{one}, one of {key} of {name},", file)
    return Op(
        name=name,
        params=_declared(parts["params"], _param),
        inputs=_declared(parts["inputs"], _input),
        outputs=tuple(parts["outputs"]),
        composed=bool(entry.get("composition")),
    )


def _mapping(value: Any, what: str, file: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise fault(f"{what} is no mapping", file)
    return value


def _declared(given: Mapping[str, Mapping[str, Any]], one: Any) -> str:
    """A list of parameters; those that have to be named stand behind a star."""
    plain = [one(name, said) for name, said in given.items() if not said.get("kw_only")]
    named = [one(name, said) for name, said in given.items() if said.get("kw_only")]
    return ", ".join([*plain, *(["*", *named] if named else [])])


def _param(name: str, said: Mapping[str, Any]) -> str:
    if said.get("optional"):
        return f"{name}=None"
    if "default" not in said:
        return name
    value = said["default"]
    # A type writes the words that a parameter may be in quotes, and dtypes without.
    dtype = isinstance(value, str) and re.search(rf"(?<!['\"\w]){re.escape(value)}(?!['\"\w])", str(said.get("type")))
    return f"{name}={f'torch.{value}' if dtype else repr(value)}"


def _input(name: str, said: Mapping[str, Any]) -> str:
    return f"{name}=None" if said.get("optional", False) is not False else name
