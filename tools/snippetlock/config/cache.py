"""Where the cache is. Apart from the rest of the configuration, because a warm check reads no other of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def cache_dir(environ: Mapping[str, str]) -> Path:
    """Where fetched wheels and results are kept: `SNIPPETLOCK_CACHE`, else below the user's cache folder.

    The folder need not be there. Raises `UsageError` where neither is said.
    """
    home = environ.get("HOME") or environ.get("USERPROFILE")
    if own := environ.get("SNIPPETLOCK_CACHE"):
        return Path(home + own[1:]) if home and (own == "~" or own.startswith("~/")) else Path(own)
    shared = environ.get("XDG_CACHE_HOME", "")
    if shared and Path(shared).is_absolute():  # a relative one is to be ignored, says the XDG specification
        return Path(shared) / "snippetlock"
    if not home:
        from snippetlock.errors import UsageError

        raise UsageError("no place for the cache: HOME is not set", mend="set SNIPPETLOCK_CACHE to a folder")
    return Path(home) / ".cache" / "snippetlock"
