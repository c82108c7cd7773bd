"""Join the parts: open a project, check it, accept what changed, and say what is where.

The names below are loaded when asked for: a warm check needs one small module of these, and should not pay
for the others. No module here is called like a function it has, or importing the one would hide the other.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.workflow.accept import Accepted, UpdateResult, update
    from snippetlock.workflow.checks import check
    from snippetlock.workflow.define import Added, add
    from snippetlock.workflow.memo import Outcome, checked
    from snippetlock.workflow.pages import Page
    from snippetlock.workflow.pinning import Library
    from snippetlock.workflow.project import Project, open_project
    from snippetlock.workflow.showing import Row, Shown, rows, show
    from snippetlock.workflow.start import Started, begin

_HOME = {
    "Accepted": "accept",
    "Added": "define",
    "Library": "pinning",
    "Outcome": "memo",
    "Page": "pages",
    "Project": "project",
    "Row": "showing",
    "Shown": "showing",
    "Started": "start",
    "UpdateResult": "accept",
    "add": "define",
    "begin": "start",
    "check": "checks",
    "checked": "memo",
    "open_project": "project",
    "rows": "showing",
    "show": "showing",
    "update": "accept",
}

__all__ = [
    "Accepted",
    "Added",
    "Library",
    "Outcome",
    "Page",
    "Project",
    "Row",
    "Shown",
    "Started",
    "UpdateResult",
    "add",
    "begin",
    "check",
    "checked",
    "open_project",
    "rows",
    "show",
    "update",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
