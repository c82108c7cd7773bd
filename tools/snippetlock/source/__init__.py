"""The one door to the library: its files as a `Tree`, from a wheel, a commit, a folder or a dict. Runs none of it.

And to its history: a repository on this machine or a mirror of one elsewhere, its revisions, what commits changed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snippetlock.source.cache import open_tree, pinned_folder, pinned_wheel
    from snippetlock.source.checkout import FolderState, folder_state, uncommitted
    from snippetlock.source.commits import Change, PathChange, blobs, diff, log
    from snippetlock.source.download import fetch, resolve
    from snippetlock.source.folder import FolderTree
    from snippetlock.source.gittree import GitTree
    from snippetlock.source.memory import DictTree
    from snippetlock.source.mirror import Moved, refresh
    from snippetlock.source.notice import licence
    from snippetlock.source.opening import at_hand, open_repo, upstream
    from snippetlock.source.repository import Repo
    from snippetlock.source.revisions import Commit, merge_base, reach
    from snippetlock.source.status import PinStatus, pin_status
    from snippetlock.source.wheel import WheelTree

__all__ = [
    "Change",
    "Commit",
    "DictTree",
    "FolderState",
    "FolderTree",
    "GitTree",
    "Moved",
    "PathChange",
    "PinStatus",
    "Repo",
    "WheelTree",
    "at_hand",
    "blobs",
    "diff",
    "fetch",
    "folder_state",
    "licence",
    "log",
    "merge_base",
    "open_repo",
    "open_tree",
    "pin_status",
    "pinned_folder",
    "pinned_wheel",
    "reach",
    "refresh",
    "resolve",
    "uncommitted",
    "upstream",
]

_HOMES = {
    "open_tree": "cache",
    "pinned_folder": "cache",
    "pinned_wheel": "cache",
    "FolderState": "checkout",
    "folder_state": "checkout",
    "uncommitted": "checkout",
    "Change": "commits",
    "PathChange": "commits",
    "blobs": "commits",
    "diff": "commits",
    "log": "commits",
    "fetch": "download",
    "resolve": "download",
    "FolderTree": "folder",
    "GitTree": "gittree",
    "DictTree": "memory",
    "Moved": "mirror",
    "refresh": "mirror",
    "licence": "notice",
    "Repo": "repository",
    "Commit": "revisions",
    "merge_base": "revisions",
    "reach": "revisions",
    "PinStatus": "status",
    "pin_status": "status",
    "at_hand": "opening",
    "open_repo": "opening",
    "upstream": "opening",
    "WheelTree": "wheel",
}


def __getattr__(name: str) -> Any:
    """Load a part when it is first asked for: a check that replays pays for no folder walk and no pip."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
