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
    from snippetlock.errors import SnippetlockError
    from snippetlock.model import DriftReport, View
    from snippetlock.workflow import Project
    from snippetlock.workflow.states import States
    from snippetlock.workflow.tracing import Past


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
    from snippetlock.workflow import add

    project, view = _project(arguments, console), _view(arguments)
    console.print(added(add(project, arguments.id, arguments.selector, view, arguments.file), console.output_color()))
    return 0


def _show(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import shown
    from snippetlock.workflow import show

    project, view = _project(arguments, console), _view(arguments)
    console.print(shown(show(project, arguments.what, view), console.output_color()))
    return 0


def _view(arguments: Namespace) -> View:
    """The view that the options of `add` and `show` make up."""
    from snippetlock.model import View

    return View(
        show=arguments.show,
        keep=tuple(arguments.keep),
        from_=arguments.from_,
        to=arguments.to,
        match=arguments.match,
        count=arguments.count,
        docstrings=arguments.docstrings,
        comments=arguments.comments,
        highlight=tuple(arguments.highlight),
    )


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


def _states(arguments: Namespace, console: Console) -> States:
    from snippetlock.workflow.states import Outside, States

    outside = Outside(
        base=Path(os.path.abspath(".")),
        upstream=arguments.upstream or console.environ.get("SNIPPETLOCK_UPSTREAM") or None,
        environ=console.environ,
        progress=console.progress,
    )
    return States(_project(arguments, console), outside)


def _drift(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError, UsageError
    from snippetlock.workflow.drifting import Request, drift

    if bool(arguments.old) != bool(arguments.new) or (arguments.old and arguments.against):
        raise UsageError("two states are compared", mend="give --against, or --from and --to, or nothing")
    states = _states(arguments, console)
    request = Request(
        old=arguments.old or "pin",
        new=arguments.new or arguments.against,
        only=tuple(arguments.only),
        fail_on=arguments.fail_on,
        blame=arguments.blame,
    )
    try:
        report = drift(states.project, request, states)
    except RepositoryError as error:
        if arguments.format in ("json", "github"):
            raise
        console.note(_line(error))
        return 2
    console.print(_formatted(report, arguments.format, console.output_color()))
    return report.exit


def _history(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError
    from snippetlock.report.past import format_history_json, format_history_text
    from snippetlock.workflow.tracing import history

    states = _states(arguments, console)
    try:
        past = history(states.project, arguments.id, states, arguments.since)
    except RepositoryError as error:
        if arguments.format == "json":
            raise
        console.note(_line(error))
        return 2
    if arguments.format == "json":
        console.print(format_history_json(past.snippet, past.selector, past.commits, past.problem, past.events))
    else:
        head = f"{past.snippet}  {past.selector}"
        console.print(format_history_text(head, past.events, _ending(past), color=console.output_color()))
    return 0 if past.events or not past.problem else 1


def _ending(past: Past) -> str:
    changed = f"{len(past.events)} of {past.commits} commits up to {past.until} changed what {past.snippet!r} shows"
    return f"{changed}; at the end: {past.problem}" if past.problem else changed


def _replay(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError
    from snippetlock.report.past import format_replay_lines, format_replay_table
    from snippetlock.workflow.replaying import replay

    states = _states(arguments, console)
    options = {"since": arguments.old, "until": arguments.new, "only": arguments.only, "jobs": arguments.jobs}
    try:
        found = replay(states.project, states, **options)
    except RepositoryError as error:
        console.note(_line(error))
        return 2
    if arguments.format == "table":
        console.print(format_replay_table(found.snippets, found.absent, len(found.commits), found.events))
        return 0
    commits = ((one.commit, one.time, one.subject) for one in found.commits)
    for line in format_replay_lines(found.snippets, found.absent, commits, found.events):
        console.print(line)
    return 0


def _drill(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.drill import drill, format_drill

    report = drill(_project(arguments, console), arguments.sample, console.progress)
    console.print(format_drill(report))
    return report.exit


def _line(error: SnippetlockError) -> str:
    """A repository that cannot be had is no news to read at length: one line, also in a long log."""
    why = f" ({'; '.join(error.evidence)})" if error.evidence else ""
    return f"could not compare: {error.where and f'{error.where}: '}{error.what}{why}{error.mend and f'; {error.mend}'}"


def _formatted(report: DriftReport, form: str, color: bool) -> str:
    if form == "json":
        from snippetlock.report.json import format_drift_json

        return format_drift_json(report)
    if form == "github":
        from snippetlock.report.github import format_drift_github

        return format_drift_github(report)
    if form == "sarif":
        from snippetlock.report.sarif import format_drift_sarif

        return format_drift_sarif(report)
    if form == "junit":
        from snippetlock.report.junit import format_drift_junit

        return format_drift_junit(report)
    if form == "markdown":
        from snippetlock.report.markdown import format_drift_markdown

        return format_drift_markdown(report)
    from snippetlock.report.drift import format_drift_text

    return format_drift_text(report, color=color)


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
    "drift": _drift,
    "drill": _drill,
    "history": _history,
    "replay": _replay,
    "init": _init,
}
