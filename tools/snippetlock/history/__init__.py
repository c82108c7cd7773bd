"""What a snippet showed along a repository's commits: which of them changed it, and how.

Reads blobs by their names, and cuts again only where a file that decided the last cut is another one.
"""

from snippetlock.history.cuts import Cut, Cuts, Store
from snippetlock.history.following import Follower, Step, follow
from snippetlock.history.snapshot import Contents, Snapshot
from snippetlock.history.trails import Trail, trails

__all__ = ["Contents", "Cut", "Cuts", "Follower", "Snapshot", "Step", "Store", "Trail", "follow", "trails"]
