"""The command line: arguments in, text and an exit code out. What the commands do is in `workflow`.

The one place that turns every exception into an exit code; a traceback is printed for our own bugs alone. Here
and in the modules beside, imports stand where they are needed: a warm check takes less time than most of them.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import TextIO

    from snippetlock.cli.console import Console

__all__ = ["main"]

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended
UNREAD = 141  # and of one whose reader went away: not 0, or a check cut short would pass for a clean one


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    from snippetlock.cli.arguments import parse
    from snippetlock.cli.console import Console, Unwritable

    # One command in one process: what it makes is held to its end or freed by reference counts. Looking for rings
    # in it after every 700 new objects takes a tenth of its time.
    gc.set_threshold(100_000, 50, 100)
    _open_what_is_closed()
    # A name or a source may hold what the terminal's encoding cannot say; a report must still come out.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Held back until `finish` writes it: argparse passes over what goes wrong when it writes itself.
            held = {"write_through": False} if stream is sys.stdout else {}
            stream.reconfigure(errors="backslashreplace", **held)
    console = Console(sys.stdout, sys.stderr, os.environ)
    try:
        try:
            code = _run(parse(sys.argv[1:] if argv is None else argv), console)
        except SystemExit as error:  # argparse: 0 after --help and --version, 2 after a usage message
            code = error.code if isinstance(error.code, int) else 2
        console.finish()
        return code
    except BrokenPipeError:  # who read our output has had enough
        _leave(sys.stdout)
        return UNREAD
    except Unwritable as error:
        _leave(sys.stdout)
        console.note(f"cannot write the output: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        console.note("interrupted")
        return INTERRUPTED
    finally:
        if not console.heard:
            _leave(sys.stderr)
        if argv is None:  # the process is this command, and ends with it: nobody need look through what is left
            gc.freeze()


def _open_what_is_closed() -> None:
    """Give a closed stream (`>&-`) a place where nobody reads: whoever closed it wants the exit code alone.

    Every free number of the three is taken, or the next file that is opened would get it, and our output.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as we live
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _leave(stream: TextIO) -> None:
    """Let what could not be written go where everything can: Python would try once more at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.commands import run
    from snippetlock.cli.console import Unwritable

    try:
        return run(arguments, console)
    except (BrokenPipeError, KeyboardInterrupt, Unwritable):
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
