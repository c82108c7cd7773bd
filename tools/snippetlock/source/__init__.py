"""The one door to the library: its files as a `Tree`, from a wheel, a folder or a dict. Runs none of it.

A pin of another kind (a git object store) gets its module here and its branch in `open_tree`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snippetlock.source.cache import open_tree, pinned_folder, pinned_wheel
    from snippetlock.source.download import fetch, resolve
    from snippetlock.source.folder import FolderTree
    from snippetlock.source.memory import DictTree
    from snippetlock.source.notice import licence
    from snippetlock.source.status import PinStatus, pin_status
    from snippetlock.source.wheel import WheelTree

__all__ = [
    "DictTree",
    "FolderTree",
    "PinStatus",
    "WheelTree",
    "fetch",
    "licence",
    "open_tree",
    "pin_status",
    "pinned_folder",
    "pinned_wheel",
    "resolve",
]

_HOMES = {
    "open_tree": "cache",
    "pinned_folder": "cache",
    "pinned_wheel": "cache",
    "fetch": "download",
    "resolve": "download",
    "FolderTree": "folder",
    "DictTree": "memory",
    "licence": "notice",
    "PinStatus": "status",
    "pin_status": "status",
    "WheelTree": "wheel",
}


def __getattr__(name: str) -> Any:
    """Load a part when it is first asked for: a check that replays pays for no folder walk and no pip."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
