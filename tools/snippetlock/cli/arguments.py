"""The command line as argparse knows it, and the options that several commands have. Decides nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from snippetlock import __version__
from snippetlock.cli.commands import COMMANDS, options

EXITS = "Exit codes: 0 nothing disagrees, 1 findings, 2 could not check, 3 a bug of ours."

# What judges an option when it is added asks for the width of the terminal, and the module that knows it is large.
_UNSHOWN = partial(argparse.HelpFormatter, width=80)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; `command` is always one of the commands."""
    parser = argparse.ArgumentParser(
        prog="snippetlock",
        description="Quote code from one pinned state of a library, and prove that every quotation is true.",
        epilog=EXITS,
        allow_abbrev=False,
        formatter_class=_UNSHOWN,
    )
    parser.add_argument("--version", action="version", version=f"snippetlock {__version__}")
    said = "the project's folder, or one inside it (default: here)"
    parser.add_argument("-C", "--root", type=Path, metavar="DIR", help=said)
    # With `prog` given, argparse need not format a usage line to learn it.
    commands = parser.add_subparsers(prog="snippetlock", dest="command", metavar="COMMAND", required=True)
    # Parsers of other commands are for who asks for help, or asks for none of them: they take as long as most imports.
    for name in argv[:1] if argv[:1] and argv[0] in COMMANDS else COMMANDS:
        command = commands.add_parser(name, help=COMMANDS[name][1], allow_abbrev=False, formatter_class=_UNSHOWN)
        if name in argv:  # what a command takes is its module's to say, which is loaded for nobody else
            options(name, command)
            # Behind it too: what only adds arguments, like a hook of pre-commit, has no other place for it.
            command.add_argument("-C", dest="root", type=Path, metavar="DIR", default=argparse.SUPPRESS, help=said)
        command.formatter_class = argparse.HelpFormatter
    parser.formatter_class = argparse.HelpFormatter
    return parser.parse_args(argv)


def form(parser: argparse.ArgumentParser, what: str) -> None:
    """`--format`, with the forms that this can be written in."""
    from snippetlock.report import FORMS

    first, *_ = forms = tuple(FORMS[what])
    parser.add_argument("--format", choices=forms, default=first, help=f"how it is printed (default: {first})")


def upstream(parser: argparse.ArgumentParser) -> None:
    """`--upstream`, for who reads the library's repository."""
    parser.add_argument(
        "--upstream",
        metavar="URL",
        help="the repository to read: a URL or a path (default: SNIPPETLOCK_UPSTREAM, or the pin's)",
    )


def jobs(parser: argparse.ArgumentParser) -> None:
    """`--jobs` of a command that works on all cores."""
    parser.add_argument("--jobs", type=positive, metavar="N", help="processes that work (default: one a core)")


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def classes(text: str) -> tuple[str, ...]:
    """The classes of drift in a list with commas, in their own order; `none` alone for no class."""
    from snippetlock.changes import CAN_FAIL
    from snippetlock.errors import nearest

    names = [] if text == "none" else [name.strip() for name in text.split(",")]
    wrong = [name for name in dict.fromkeys(names) if name not in CAN_FAIL]
    if wrong:
        near = [found for name in wrong for found in nearest(name, CAN_FAIL, 1)]
        what = "is no class that can fail" if len(wrong) == 1 else "are no classes that can fail"
        hint = f"did you mean {' and '.join(dict.fromkeys(near))}? " if near else ""
        hint = "it stands alone; " if "none" in wrong else hint
        said = f"{' and '.join(map(repr, wrong))} {what}; {hint}there are {', '.join(CAN_FAIL)}"
        raise argparse.ArgumentTypeError(said)
    return tuple(cls for cls in CAN_FAIL if cls in names)
