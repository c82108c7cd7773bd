"""The command line: arguments in, text and an exit code out. What the commands do is in `workflow`.

The one place that turns every exception into an exit code; a traceback is printed for our own bugs alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from snippetlock.errors import SnippetlockError
from snippetlock.model import Exit

__all__ = ["main"]

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code; argparse's own exits (usage, help) come out as SystemExit."""
    from snippetlock.cli.arguments import parse
    from snippetlock.cli.console import Console

    # A name or a source may hold what the terminal's encoding cannot say; a report must still come out.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    arguments = parse(argv)
    console = Console(sys.stdout, sys.stderr, os.environ)
    try:
        code = _run(arguments, console)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Who read our output has had enough. Python would complain once more when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.CLEAN
    except KeyboardInterrupt:
        console.note("interrupted")
        return INTERRUPTED


def _run(arguments: object, console: object) -> int:
    from snippetlock.cli.commands import run

    try:
        return int(run(arguments, console))  # type: ignore[arg-type]
    except SnippetlockError as error:
        console.error(error, getattr(arguments, "format", "text"))  # type: ignore[attr-defined]
        return Exit.CANNOT
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 - the one place: whatever is left is a bug of ours
        import traceback

        console.bug(traceback.format_exc())  # type: ignore[attr-defined]
        return Exit.BUG
