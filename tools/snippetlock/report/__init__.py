"""Reports and errors as text: for people, for programs, for GitHub. Pure: nothing is printed here.

The names below are loaded when asked for: a warm check prints what it kept, and needs none of them. The HTML
reports are imported by their own names, because only a site needs what they need.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.errors import SnippetlockError
    from snippetlock.report.github import error_github, format_github
    from snippetlock.report.json import error_json, format_json
    from snippetlock.report.text import error_text, format_text, table

_HOMES = {
    "error_github": "github",
    "error_json": "json",
    "error_text": "text",
    "format_github": "github",
    "format_json": "json",
    "format_text": "text",
    "table": "text",
}

# What can be written, in which forms, and by whom: `module.function`. The first form is the one without being asked.
FORMS = {
    "findings": {
        "text": "text.format_text",
        "json": "json.format_json",
        "github": "github.format_github",
        "sarif": "sarif.format_sarif",
        "junit": "junit.format_junit",
        "markdown": "markdown.format_markdown",
    },
    "drift": {
        "text": "drift.format_drift_text",
        "json": "json.format_drift_json",
        "github": "github.format_drift_github",
        "sarif": "sarif.format_drift_sarif",
        "junit": "junit.format_drift_junit",
        "markdown": "markdown.format_drift_markdown",
    },
    "bump": {
        "text": "bump.format_bump_text",
        "json": "moves.format_bump_json",
        "markdown": "pull.format_bump_markdown",
    },
    "translation": {"text": "translation.format_translation_text", "json": "translation.format_translation_json"},
    "impact": {
        "text": "impact.format_impact_text",
        "markdown": "comment.format_impact_markdown",
        "github": "github.format_impact_github",
        "json": "json.format_impact_json",
    },
}

__all__ = [
    "ERRORS",
    "FORMS",
    "below",
    "error_github",
    "error_json",
    "error_text",
    "failed",
    "format_github",
    "format_json",
    "format_text",
    "table",
    "written",
]


# How each form for programs says that nothing could be checked; the others say it to people, as text.
ERRORS = {"json": "error_json", "github": "error_github", "sarif": "error_sarif", "junit": "error_junit"}


def failed(form: str, error: SnippetlockError) -> str:
    """Why nothing could be checked, in a form of `ERRORS`. Ends in an end of line."""
    return str(getattr(import_module(f"{__name__}.{form}"), ERRORS[form])(error))


def written(what: str, form: str, report: object, *, color: bool) -> str:
    """A report in one of the `FORMS` of what it is; colour is for text alone. Ends in an end of line."""
    module, _, function = FORMS[what][form].partition(".")
    write = getattr(import_module(f"{__name__}.{module}"), function)
    return str(write(report, color=color) if form == "text" else write(report))


def below(form: str, text: str, folder: str) -> str:
    """What was written as `github` or `sarif`, about a project in that folder: their readers count from the top."""
    return str(import_module(f"{__name__}.{form}").below(text, folder))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
