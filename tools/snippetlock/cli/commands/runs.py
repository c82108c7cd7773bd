"""The one command that runs programs of the project: what they say is recorded, or held against the record."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from snippetlock.cli.arguments import EXITS, positive
from snippetlock.cli.commands import project_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console

_LIMIT = 600  # seconds


def options_record(parser: ArgumentParser) -> None:
    parser.epilog = f"It runs what `runs.yaml` says, with your rights: read that first. {EXITS}"
    parser.add_argument("ids", nargs="*", metavar="ID", help="the runs; name them, or say --all")
    parser.add_argument("--all", action="store_true", help="every run that is defined")
    parser.add_argument("--check", action="store_true", help="write nothing: hold what is said now against the records")
    parser.add_argument(
        "--timeout", type=positive, default=_LIMIT, metavar="SECONDS", help=f"for one command (default: {_LIMIT})"
    )


def run_record(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import recorded
    from snippetlock.errors import UsageError
    from snippetlock.model import Exit
    from snippetlock.report.text import quantity
    from snippetlock.workflow.recording import Recording, chosen, record

    if bool(arguments.ids) == arguments.all:
        what = "both ids and --all are given" if arguments.all else "nothing says which runs"
        raise UsageError(what, mend="name them, or say --all")
    project = project_of(arguments, console, writes=not arguments.check)
    way = Recording(environ=console.environ, limit=arguments.timeout, check=arguments.check)
    names, wrong, left = chosen(project, arguments.ids), 0, 0
    for name in names:
        run = project.runs[name]
        console.note(f"{name}: {run.command} (in {project.examples}{run.example})")
        console.finish()
        with _ended():
            done = record(project, name, way)
        bad = done.wrong or (done.left and not arguments.all)  # who names it means it
        wrong += bad
        left += done.left
        console.print(recorded(done, console.output_color(), wrong=bad))
        console.finish()  # or what is said of the next one would come before it
    rest = f", {left} not run" if left else ""
    console.print(f"{quantity(len(names), 'runs')}{rest}, {wrong or 'none'} of them wrong\n")
    return Exit.FINDINGS if wrong else Exit.CLEAN


@contextmanager
def _ended() -> Iterator[None]:
    """Be interrupted by whoever ends this process or closes its terminal: what it runs must not outlive it."""
    if threading.current_thread() is not threading.main_thread():  # no other may say what a signal does
        yield
        return
    ours = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]  # not: nohup
    for each in ours:
        signal.signal(each, _interrupt)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
