"""What became of a snippet between two states of the library: the class of its change, the facts, and candidates.

Pure: two trees in, data out. Starts no process, prints nothing, writes nothing. The names below are loaded when asked
for: who compares digests alone pays for nothing that cuts.
"""

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.drift.classes import classify, worst
    from snippetlock.drift.comparing import compare
    from snippetlock.drift.narrowing import narrowed
    from snippetlock.drift.origins import origin
    from snippetlock.drift.search import Search, touched_paths

__all__ = ["Search", "classify", "compare", "narrowed", "origin", "touched_paths", "worst"]

_HOMES = {
    "classify": "classes",
    "worst": "classes",
    "compare": "comparing",
    "narrowed": "narrowing",
    "origin": "origins",
    "Search": "search",
    "touched_paths": "search",
}


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
