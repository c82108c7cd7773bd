"""The command line: arguments in, text and an exit code out. What the commands do is in `workflow`.

The one place that turns every exception into an exit code; a traceback is printed for our own bugs alone. Here
and in the modules beside, imports stand where they are needed: a warm check takes less time than most of them.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from snippetlock.cli.console import Console

__all__ = ["main"]

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended
UNREAD = 141  # and of one whose reader went away: not 0, or a check cut short would pass for a clean one


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    from snippetlock.cli.arguments import parse
    from snippetlock.cli.console import Console

    # A name or a source may hold what the terminal's encoding cannot say; a report must still come out.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    console = Console(sys.stdout, sys.stderr, os.environ)
    try:
        code = _run(parse(sys.argv[1:] if argv is None else argv), console)
        sys.stdout.flush()
        return code
    except SystemExit as error:  # argparse: 0 after --help and --version, 2 after a usage message
        return error.code if isinstance(error.code, int) else 2
    except BrokenPipeError:
        # Who read our output has had enough. Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except KeyboardInterrupt:
        console.note("interrupted")
        return INTERRUPTED


def _run(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.commands import run

    try:
        return run(arguments, console)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:  # noqa: BLE001 - the one place: what is no error of ours is a bug of ours
        from snippetlock.errors import SnippetlockError
        from snippetlock.model import Exit

        if isinstance(error, SnippetlockError):
            console.error(error, getattr(arguments, "format", "text"))
            return Exit.CANNOT
        import traceback

        console.bug(traceback.format_exc())
        return Exit.BUG
