"""The one door to the library: its files as a `Tree`, from a wheel, a folder or a dict. Runs none of it.

A pin of another kind (a git object store) gets its module here and its branch in `open_tree`.
"""

from snippetlock.source.cache import PinStatus, fetch, open_tree, pin_status, pinned_wheel
from snippetlock.source.folder import FolderTree
from snippetlock.source.memory import DictTree
from snippetlock.source.notice import licence
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
    "pinned_wheel",
]
