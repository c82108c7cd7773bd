"""Quote code from one pinned state of a library, and prove that every quotation is true.

The words: pin, tree, selector, span, view, snippet, lock, finding; `model` has them as data, CONTRIBUTING.md the parts.
Start at `snippetlock.workflow` for the whole, or at `snippetlock.select` to find one thing.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
