"""The files of the library's manifest at the pin, entry by entry. Nothing of the library is run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import yaml

from snippetlock.errors import SourceError
from snippetlock.model import Tree

SPEC = "tileops/manifest/spec/"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same in C, where PyYAML was built with it


def entries(tree: Tree, only: Collection[str] = ()) -> Iterator[tuple[str, str, Any]]:
    """Each entry of each file: the file, its name and what it holds; of a mapping the keys in `only`, where there are.

    One that stands twice comes twice: PyYAML would keep the last alone. Raises `SourceError` for what cannot be read.
    """
    for file in tree.paths():
        if file.startswith(SPEC) and file.endswith((".yaml", ".yml")):
            yield from ((file, name, value) for name, value in _entries(tree.read(file), file, only))


def fault(what: str, file: str, *evidence: str) -> SourceError:
    """The error for a file of the library that is not as it has to be."""
    mend = "report it upstream, or pin another state of the library"
    return SourceError(what, path=file, evidence=evidence, mend=mend)


def _entries(data: bytes, file: str, only: Collection[str]) -> Iterator[tuple[str, Any]]:
    loader = _Loader(data)
    try:
        node = loader.get_single_node()
        if node is None:
            return
        if not isinstance(node, yaml.MappingNode):
            raise yaml.YAMLError("no mapping")
        for key, value in node.value:
            if only and isinstance(value, yaml.MappingNode):
                value.value = [(name, part) for name, part in value.value if name.value in only]
            yield str(loader.construct_object(key)), loader.construct_object(value, deep=True)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        first = str(error).partition("\n")[0]
        raise fault(f"the manifest cannot be read: {first}", file) from error
    finally:
        loader.dispose()
