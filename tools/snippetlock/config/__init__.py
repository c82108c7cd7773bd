"""Read what the author of a docs project wrote: `pyproject.toml`, the pin, the definitions.

Every error is a `ConfigError` with file, line and column, except where a docstring says otherwise.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms of a warm check
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.config.cache import cache_dir
    from snippetlock.config.definitions import VOCABULARY, definition_files, parse_definitions, read_definitions
    from snippetlock.config.document import Node, parse_document, read_document
    from snippetlock.config.editing import edit_pin, edit_source, pin_fragments, source_written
    from snippetlock.config.pin import load_pin, parse_pin
    from snippetlock.config.project import Config, find_root, load_config
    from snippetlock.config.selector import parse_selector, split_keys

__all__ = [
    "VOCABULARY",
    "Config",
    "Node",
    "cache_dir",
    "definition_files",
    "edit_pin",
    "edit_source",
    "find_root",
    "load_config",
    "load_pin",
    "parse_definitions",
    "parse_document",
    "parse_pin",
    "parse_selector",
    "pin_fragments",
    "read_definitions",
    "read_document",
    "source_written",
    "split_keys",
]

_HOMES = {
    "VOCABULARY": "definitions",
    "definition_files": "definitions",
    "read_definitions": "definitions",
    "Node": "document",
    "parse_definitions": "definitions",
    "parse_document": "document",
    "read_document": "document",
    "edit_pin": "editing",
    "edit_source": "editing",
    "pin_fragments": "editing",
    "source_written": "editing",
    "load_pin": "pin",
    "parse_pin": "pin",
    "Config": "project",
    "cache_dir": "cache",
    "find_root": "project",
    "load_config": "project",
    "parse_selector": "selector",
    "split_keys": "selector",
}


def __getattr__(name: str) -> Any:
    """Load a part when it is first asked for: a start pays only for what it uses."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
