"""One function a command: find the project, let `workflow` do it, say what came of it.

Imports are inside: a command loads only what it runs.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from snippetlock.cli.console import Console
from snippetlock.config.project import cache_dir, find_root
from snippetlock.errors import UsageError
from snippetlock.model import Exit


def run(arguments: Namespace, console: Console) -> int:
    """Run the command that was asked for; returns the exit code. Raises `SnippetlockError` for "could not"."""
    return _COMMANDS[arguments.command](arguments, console)


def _start(arguments: Namespace) -> Path:
    folder = (arguments.root or Path()).resolve()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {arguments.root}", mend="name the project's folder after -C")
    return folder


def _here(arguments: Namespace, console: Console) -> tuple[Path, Path]:
    """The project's root, and the cache."""
    return find_root(_start(arguments)), cache_dir(console.environ).absolute()


def _check(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow import checked

    report = checked(*_here(arguments, console))
    console.report(report, arguments.format)
    return report.exit


def _update(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import updated
    from snippetlock.workflow import open_project, update

    result = update(open_project(*_here(arguments, console)), tuple(arguments.ids))
    if result.report.findings:
        console.report(result.report, "text")
        console.note("nothing was written: mend the findings above first")
    else:
        console.print(updated(result, console.output_color()))
    return result.report.exit


def _add(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import added
    from snippetlock.model import View
    from snippetlock.workflow import add, open_project

    view = View(
        show=arguments.show,
        keep=tuple(arguments.keep),
        docstrings=arguments.docstrings,
        comments=arguments.comments,
        highlight=tuple(arguments.highlight),
    )
    project = open_project(*_here(arguments, console))
    console.print(added(add(project, arguments.id, arguments.selector, view, arguments.file), console.output_color()))
    return Exit.CLEAN


def _show(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import shown
    from snippetlock.workflow import open_project, show

    console.print(shown(show(open_project(*_here(arguments, console)), arguments.what), console.output_color()))
    return Exit.CLEAN


def _list(arguments: Namespace, console: Console) -> int:
    from snippetlock.report import table
    from snippetlock.workflow import open_project, rows

    found = rows(open_project(*_here(arguments, console)))
    cells = ((row.id, row.source, row.lines, str(row.pages), row.state) for row in found)
    console.print(table(("ID", "SOURCE", "LINES", "PAGES", "STATE"), cells))
    return Exit.CLEAN


def _pin(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import pinned
    from snippetlock.source import fetch, pin_status
    from snippetlock.workflow import open_project

    root, cache = _here(arguments, console)
    pin = open_project(root, cache).pin
    status = pin_status(pin, root, cache)
    if arguments.action == "fetch":
        if pin.kind == "wheel" and not status.cached:
            path = fetch(pin, cache, console.progress, console.environ)
            console.print(f"{pin.label} is in the cache: {path}\n")
        elif not status.cached:
            console.print(pinned(status))
            return Exit.CANNOT
        return Exit.CLEAN
    console.print(pinned(status))
    return Exit.CANNOT if status.problem else Exit.CLEAN


def _proof(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow import open_project
    from snippetlock.workflow.proof import proof

    report = proof(open_project(*_here(arguments, console)), arguments.site)
    console.report(report, arguments.format)
    return report.exit


def _init(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import begun
    from snippetlock.workflow import begin

    started = begin(
        _start(arguments),
        folder=arguments.folder,
        wheel=arguments.wheel,
        cache=cache_dir(console.environ).absolute(),
        progress=console.progress,
        environ=console.environ,
    )
    console.print(begun(started))
    return Exit.CLEAN


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
