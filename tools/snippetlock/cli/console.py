"""What is printed and how: colour and progress are for terminals, and only where they are wanted.

Names, subjects and paths come from the library, whose authors are nobody's to trust: of what is printed a terminal,
or whatever reads the log of a job, shall obey only what is our own.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from snippetlock.errors import SnippetlockError
    from snippetlock.model import Report

# Controls beside tab and line feed, what ends a line elsewhere, and what turns the direction of writing.
_OBEYED = (*range(9), *range(11, 27), *range(28, 32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
# In JSON, which itself spells out those below 127, the others are the same string then.
_SPELLED = {number: f"\\x{number:02x}" if number < 127 else f"\\u{number:04x}" for number in _OBEYED}
_REPORT = "this is a bug in snippetlock: please report it with the lines above"


class Unwritable(Exception):
    """What was to be said has no place, like on a full disk; `strerror` is the system's word for it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.strerror = error.strerror or str(error)


class Console:
    """Standard output and error, with what the environment says about colour.

    Output that cannot be written raises `Unwritable`, or BrokenPipeError when its reader went away. A word beside
    it that cannot be is lost, and `heard` is False from then on: the exit code still says what came of it.
    """

    def __init__(self, out: TextIO, err: TextIO, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.folder = ""  # of the repository, below which the files are that the output names
        self.form = ""  # of that output
        self._out = out
        self._err = err
        self._drawn = False
        self.heard = True

    def print(self, text: str) -> None:
        """Text that ends in its own end of line."""
        self._clear()
        if self.folder:
            from snippetlock.report import below

            text = below(self.form, text, self.folder)
        try:
            self._out.write(self._harmless(text, self._out))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unwritable(error) from error

    def finish(self) -> None:
        """See that all that was printed is written."""
        try:
            self._out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unwritable(error) from error

    def note(self, text: str) -> None:
        """A line beside the output."""
        self._clear()
        self._say(self._harmless(f"snippetlock: {text}\n", self._err))

    def can_ask(self) -> bool:
        """Whether somebody is there to answer."""
        return self._out.isatty() and sys.stdin is not None and sys.stdin.isatty()

    def ask(self, question: str) -> str | None:
        """Ask, and return the answer's line; None when there will be no more."""
        self.print(question)
        self.finish()
        line = sys.stdin.readline()
        return line if line else None

    def report(self, report: Report, form: str) -> None:
        """Findings in the form asked for."""
        from snippetlock.report import written

        self.print(written("findings", form, report, color=self.output_color()))

    def error(self, error: SnippetlockError, form: str) -> None:
        """Why nothing could be checked: where findings go for programs, to standard error for people.

        SARIF and JUnit go to files that nobody reads when a command fails, so people are told as well.
        """
        from snippetlock.report import ERRORS, error_text, failed

        if form in ERRORS:
            self.print(failed(form, error))
        if form not in ("json", "github"):
            self._clear()
            self.finish()
            said = "snippetlock: " + error_text(error, color=self.color(self._err))
            self._say(self._harmless(said, self._err))

    def bug(self, trace: str) -> None:
        """A traceback, and whose fault it is."""
        self._clear()
        self._say(self._harmless(f"{trace}\nsnippetlock: {_REPORT}\n", self._err))

    def progress(self, label: str, done: int, total: int) -> None:
        """Redraw one line on a terminal; say nothing elsewhere."""
        if self._err.isatty():
            amount = f" {100 * done // total}%" if total else f" {done / 1e6:.1f} MB" if done else ""
            self._say(f"\r{label}{amount}\x1b[K")
            self._drawn = True

    def color(self, stream: TextIO) -> bool:
        """Whether to colour what goes there (https://no-color.org)."""
        return stream.isatty() and not self.environ.get("NO_COLOR") and self.environ.get("TERM") != "dumb"

    def output_color(self) -> bool:
        """Whether to colour standard output."""
        return self.color(self._out)

    def _harmless(self, text: str, stream: TextIO) -> str:
        """The text with controls spelled out; where there is colour, what sets and ends one stays."""
        if "\x1b" in text:
            import re

            colored = r"(?!\[[0-7;]*m)" if self.color(stream) else ""  # an 8 would hide all that follows
            text = re.sub(f"\x1b{colored}", r"\\x1b", text)
        lines = text.split("\n")  # most have no control at all, which is seen in a twentieth of the time
        return "\n".join(line if line.isprintable() else line.translate(_SPELLED) for line in lines)

    def _clear(self) -> None:
        if self._drawn:
            self._say("\r\x1b[K")
            self._drawn = False

    def _say(self, text: str) -> None:
        try:
            self._err.write(text)
            self._err.flush()
        except OSError:
            self.heard = False
