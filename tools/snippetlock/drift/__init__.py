"""What became of a snippet between two states of the library: the class of its change, the facts, and candidates.

Pure: two trees in, data out. Starts no process, prints nothing, writes nothing.
"""

from snippetlock.drift.candidates import candidates
from snippetlock.drift.classes import classify, worst
from snippetlock.drift.comparing import compare
from snippetlock.drift.narrowing import narrowed
from snippetlock.drift.origins import origin
from snippetlock.drift.search import Search, touched_paths

__all__ = ["Search", "candidates", "classify", "compare", "narrowed", "origin", "touched_paths", "worst"]
