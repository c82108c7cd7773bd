"""What docs say and do of one state of the library that is not so in another: claims of pages, and their examples.

Loads neither for a project that has none.
"""

from __future__ import annotations

import os

from snippetlock.config.strays import EXAMPLES
from snippetlock.model import Finding
from snippetlock.workflow.project import Project

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.workflow.states import Opened

__all__ = ["lapsed_of"]


def lapsed_of(project: Project, old: Opened, new: Opened) -> tuple[Finding, ...]:
    """Claims that are true in one state and no longer in another, then what examples can no longer do."""
    found: tuple[Finding, ...] = ()
    if any("<!--" in page.text for page in project.pages):
        from snippetlock.workflow.claims import lapsed

        found += lapsed(project, old, new)
    if os.path.isdir(project.config.snippets / EXAMPLES):
        from snippetlock.workflow.programs import broken

        found += broken(project, old, new)
    return found
