"""The library's manifest at the pin: which family each op has, which workloads, in which order. Nothing is run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from snippetlock.drift.likeness import folded
from snippetlock.errors import SourceError
from snippetlock.model import Tree
from tileops_site.spec import SPEC, entries

_ASIDE = ("bench_skip_reason", "dtype_cases", "label")  # of a workload: all else is what the op is called with


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One workload of an op. `shape` is what it is called with, in the manifest's order: (`M`, `4096`)."""

    label: str
    dtypes: frozenset[str]
    shape: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One entry of the manifest. `file` is where it stands."""

    name: str
    family: str
    file: str
    workloads: tuple[Workload, ...]

    def at(self, label: str) -> int:
        """Where a label stands among the workloads; behind them all where it does not."""
        return next((at for at, one in enumerate(self.workloads) if one.label == label), len(self.workloads))

    def fitting(self, label: str, dtype: str) -> tuple[Workload, ...]:
        """The workloads that have this label and are run with this dtype: one, where the manifest tells."""
        return tuple(one for one in self.workloads if one.label == label and dtype in one.dtypes)


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Every op by name. `alike` gives those that one name could have become."""

    ops: Mapping[str, Op] = field(default_factory=dict)

    @cached_property
    def _folded(self) -> Mapping[str, tuple[Op, ...]]:
        found: dict[str, tuple[Op, ...]] = {}
        for op in self.ops.values():
            found[folded(op.name)] = (*found.get(folded(op.name), ()), op)
        return found

    def alike(self, name: str) -> tuple[Op, ...]:
        """What drift offers for a name that is gone, as far as names tell: the same one in another case."""
        return self._folded.get(folded(name), ())


def read_manifest(tree: Tree) -> Manifest:
    """The manifest of a tree. An op that stands twice is refused: nobody could say which family it has."""
    ops: dict[str, Op] = {}
    for file, name, entry in entries(tree):
        if not isinstance(entry, dict) or "family" not in entry:
            continue  # types that signatures share
        op = _op(name, entry, file)
        if name in ops:
            raise _twice(op, ops[name])
        ops[name] = op
    if not ops:
        mend = "name the manifest's folder in tileops_site/spec.py"
        raise SourceError("the library at the pin has no manifest here", path=SPEC, mend=mend)
    return Manifest(ops=ops)


def _twice(op: Op, other: Op) -> SourceError:
    evidence = (f"{other.file}: family {other.family}", f"{op.file}: family {op.family}")
    mend = "report it upstream; until then, pin a state in which it stands once"
    return SourceError(f"the op {op.name} stands twice in the manifest", path=op.file, evidence=evidence, mend=mend)


def _op(name: str, entry: Mapping[str, Any], file: str) -> Op:
    given = entry.get("workloads")
    workloads = tuple(_workload(one) for one in given if isinstance(one, dict)) if isinstance(given, list) else ()
    return Op(name=name, family=str(entry["family"]), file=file, workloads=workloads)


def _workload(given: Mapping[str, Any]) -> Workload:
    cases = given.get("dtype_cases")
    dtypes = {str(one) for case in cases if isinstance(case, dict) for one in case.values()} if cases else set()
    shape = tuple((str(key), _said(value)) for key, value in given.items() if key not in _ASIDE)
    return Workload(label=str(given.get("label", "")), dtypes=frozenset(dtypes), shape=shape)


def _said(value: Hashable | Sequence[Any]) -> str:
    """A value as a shape says it: `4096×4096` for dimensions, `false` for False."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in value)
        return ("×" if whole and 1 < len(value) <= 6 else ", ").join(_said(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_said(one)}" for key, one in value.items())
    return str(value)
