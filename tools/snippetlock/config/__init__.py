"""Read what the author of a docs project wrote: `pyproject.toml`, the pin, the definitions.

Every error is a `ConfigError` with file, line and column, except where a docstring says otherwise.
"""

from snippetlock.config.definitions import VOCABULARY, definition_files, read_definitions
from snippetlock.config.document import Node, parse_document, read_document
from snippetlock.config.pin import load_pin
from snippetlock.config.project import Config, cache_dir, find_root, load_config
from snippetlock.config.selector import parse_selector, split_keys

__all__ = [
    "VOCABULARY",
    "Config",
    "Node",
    "cache_dir",
    "definition_files",
    "find_root",
    "load_config",
    "load_pin",
    "parse_document",
    "parse_selector",
    "read_definitions",
    "read_document",
    "split_keys",
]
