"""One function a command: find the project, let `workflow` do it, say what came of it.

Imports are inside: a command loads only what it runs.
"""

from __future__ import annotations

import os
from pathlib import Path

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import Namespace

    from snippetlock.cli.console import Console
    from snippetlock.workflow import Project


def run(arguments: Namespace, console: Console) -> int:
    """Run the command that was asked for; returns the exit code. Raises `SnippetlockError` for "could not"."""
    return int(_COMMANDS[arguments.command](arguments, console))


def _start(arguments: Namespace) -> Path:
    folder = os.path.realpath(arguments.root or ".")
    if not os.path.isdir(folder):
        from snippetlock.errors import UsageError

        raise UsageError(f"there is no folder {arguments.root}", mend="name the project's folder after -C")
    return Path(folder)


def _cache(console: Console) -> Path:
    from snippetlock.config.cache import cache_dir

    return Path(os.path.abspath(cache_dir(console.environ)))


def _project(arguments: Namespace, console: Console) -> Project:
    from snippetlock.config import find_root
    from snippetlock.workflow import open_project

    return open_project(find_root(_start(arguments)), _cache(console))


def _check(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.memo import checked

    outcome = checked(_start(arguments), _cache(console))
    form = arguments.format
    console.print(outcome.said["color" if form == "text" and console.output_color() else form])
    return outcome.exit


def _update(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import updated
    from snippetlock.workflow import update

    result = update(_project(arguments, console), tuple(arguments.ids))
    if result.report.findings:
        console.report(result.report, "text")
        console.note("nothing was written: mend the findings above first")
    else:
        console.print(updated(result, console.output_color()))
    return result.report.exit


def _add(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import added
    from snippetlock.model import View
    from snippetlock.workflow import add

    view = View(
        show=arguments.show,
        keep=tuple(arguments.keep),
        docstrings=arguments.docstrings,
        comments=arguments.comments,
        highlight=tuple(arguments.highlight),
    )
    project = _project(arguments, console)
    console.print(added(add(project, arguments.id, arguments.selector, view, arguments.file), console.output_color()))
    return 0


def _show(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import shown
    from snippetlock.workflow import show

    console.print(shown(show(_project(arguments, console), arguments.what), console.output_color()))
    return 0


def _list(arguments: Namespace, console: Console) -> int:
    from snippetlock.report import table
    from snippetlock.workflow import rows

    found = rows(_project(arguments, console))
    cells = ((row.id, row.source, row.lines, str(row.pages), row.state) for row in found)
    console.print(table(("ID", "SOURCE", "LINES", "PAGES", "STATE"), cells))
    return 0


def _pin(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import pinned
    from snippetlock.source import fetch, pin_status

    project = _project(arguments, console)
    pin, cache = project.pin, project.cache
    status = pin_status(pin, project.config.root, cache)
    if arguments.action == "fetch":
        if pin.kind != "folder" and not status.cached:
            path = fetch(pin, cache, console.progress, console.environ, project.config.root)
            console.print(f"{pin.label} is in the cache: {path}\n")
        elif not status.cached:
            console.print(pinned(status))
            return 2
        return 0
    console.print(pinned(status))
    return 2 if status.problem else 0


def _proof(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.proof import proof

    report = proof(_project(arguments, console), arguments.site)
    console.report(report, arguments.format)
    return report.exit


def _init(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import begun
    from snippetlock.workflow import begin

    started = begin(
        _start(arguments),
        folder=arguments.folder,
        wheel=arguments.wheel,
        cache=_cache(console),
        progress=console.progress,
        environ=console.environ,
    )
    console.print(begun(started))
    return 0


_COMMANDS = {
    "check": _check,
    "update": _update,
    "add": _add,
    "show": _show,
    "list": _list,
    "pin": _pin,
    "proof": _proof,
    "init": _init,
}
