"""The commands and their options, as argparse knows them. Decides nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from snippetlock import __version__

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]

FORMATS = ("text", "json", "github")
DRIFT_FORMATS = (*FORMATS, "sarif", "junit", "markdown")
_EXITS = "Exit codes: 0 nothing disagrees, 1 findings, 2 could not check, 3 a bug of ours."


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments; `command` is always one of the commands."""
    parser = argparse.ArgumentParser(
        prog="snippetlock",
        description="Quote code from one pinned state of a library, and prove that every quotation is true.",
        epilog=_EXITS,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"snippetlock {__version__}")
    parser.add_argument(
        "-C", "--root", type=Path, metavar="DIR", help="the project's folder, or one inside it (default: here)"
    )
    # With `prog` given, argparse need not format a usage line to learn it.
    commands = parser.add_subparsers(prog="snippetlock", dest="command", metavar="COMMAND", required=True)
    _check(commands)
    _update(commands)
    _add(commands, filled="add" in argv)
    _show(commands, filled="show" in argv)
    commands.add_parser("list", help="every snippet: id, source, lines, pages, state", allow_abbrev=False)
    _pin(commands)
    _proof(commands)
    _drift(commands, filled="drift" in argv)
    _history(commands)
    _replay(commands)
    _drill(commands)
    _init(commands)
    return parser.parse_args(argv)


def _check(commands: _Commands) -> None:
    parser = commands.add_parser(
        "check", help="hold pages, definitions and lock against the pin", epilog=_EXITS, allow_abbrev=False
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="how findings are printed (default: text)")


def _update(commands: _Commands) -> None:
    parser = commands.add_parser("update", help="accept what the snippets show now into the lock", allow_abbrev=False)
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these (default: all)")


def _add(commands: _Commands, *, filled: bool) -> None:
    parser = commands.add_parser("add", help="define a snippet, show it and lock it", allow_abbrev=False)
    if not filled:  # what it takes is the model's to say, and 20 ms away
        return
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, hyphens")
    parser.add_argument("selector", metavar="SELECTOR", help="module:Qualified.name, or path/to/file.ext:key.path")
    _view(parser)
    parser.add_argument("--file", metavar="FILE", help="the definitions file to add it to (default: where its kin is)")


def _view(parser: argparse.ArgumentParser) -> None:
    """The options that make up a view."""
    from typing import get_args

    from snippetlock.model import Comments, Docstrings, Show

    parser.add_argument("--show", choices=get_args(Show), default="source")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="MEMBER", help="a member that a skeleton shows; repeat for more"
    )
    parser.add_argument("--from", dest="from_", default="", metavar="PATTERN", help="the first statement to show")
    parser.add_argument("--to", default="", metavar="PATTERN", help="the last statement to show")
    parser.add_argument("--match", default="", metavar="PATTERN", help="show only the statements that hold this")
    parser.add_argument("--count", type=_positive, metavar="N", help="how many statements `--match` names")
    parser.add_argument("--docstrings", choices=get_args(Docstrings))
    parser.add_argument("--comments", choices=get_args(Comments), default="keep")
    parser.add_argument(
        "--highlight", action="append", default=[], metavar="TEXT", help="text or pattern to mark; repeat for more"
    )


def _show(commands: _Commands, *, filled: bool) -> None:
    parser = commands.add_parser("show", help="print a snippet with its source line numbers", allow_abbrev=False)
    if filled:
        parser.add_argument("what", metavar="ID|SELECTOR", help="a defined snippet, or a selector to try")
        _view(parser)


def _pin(commands: _Commands) -> None:
    parser = commands.add_parser("pin", help="which library is pinned, and whether it is at hand", allow_abbrev=False)
    parser.add_argument("action", nargs="?", choices=("fetch",), help="get the pinned wheel or commit into the cache")


def _proof(commands: _Commands) -> None:
    parser = commands.add_parser(
        "proof", help="hold every block of a built site against the lock", epilog=_EXITS, allow_abbrev=False
    )
    parser.add_argument("site", type=Path, metavar="SITE", help="the folder that the site was built into")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how findings are printed (default: text)")


def _upstream(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--upstream",
        metavar="URL",
        help="the repository to read: a URL or a path (default: SNIPPETLOCK_UPSTREAM, or the pin's)",
    )


def _drift(commands: _Commands, *, filled: bool) -> None:
    parser = commands.add_parser(
        "drift",
        help="what became of the snippets in another state of the library",
        description="A state is a branch, tag or commit of the library's repository, `pin`, a folder (./…) or a wheel.",
        epilog=_EXITS,
        allow_abbrev=False,
    )
    if not filled:  # the classes are the model's to say
        return
    parser.add_argument("--against", metavar="REV", help="compare the pin with this (default: the pin's branch)")
    parser.add_argument("--from", dest="old", metavar="A", help="compare this …")
    parser.add_argument("--to", dest="new", metavar="B", help="… with this")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these snippets (default: all)")
    parser.add_argument(
        "--fail-on",
        type=_classes,
        metavar="CLASS,…",
        help="the classes that end with 1, or `none` (default: fail-on in pyproject.toml)",
    )
    _upstream(parser)
    parser.add_argument("--blame", action="store_true", help="name the commit that brought each change")
    parser.add_argument("--format", choices=DRIFT_FORMATS, default="text", help="how it is printed (default: text)")


def _history(commands: _Commands) -> None:
    parser = commands.add_parser(
        "history", help="the commits that changed what a snippet shows", epilog=_EXITS, allow_abbrev=False
    )
    parser.add_argument("id", metavar="ID", help="a defined snippet")
    parser.add_argument("--since", metavar="REV", help="only what came after this (default: all)")
    _upstream(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")


def _replay(commands: _Commands) -> None:
    parser = commands.add_parser(
        "replay", help="what each commit did to each snippet", epilog=_EXITS, allow_abbrev=False
    )
    parser.add_argument("--from", dest="old", metavar="A", help="start after this (default: at the first commit)")
    parser.add_argument("--to", dest="new", metavar="B", help="end with this (default: the pin's branch)")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these snippets (default: all)")
    parser.add_argument("--jobs", type=_positive, metavar="N", help="processes that work (default: one a core)")
    _upstream(parser)
    parser.add_argument("--format", choices=("table", "jsonl"), default="table", help="(default: table)")


def _drill(commands: _Commands) -> None:
    parser = commands.add_parser(
        "drill",
        help="change a copy of each snippet's source in every way, and require the right class",
        epilog=_EXITS,
        allow_abbrev=False,
    )
    parser.add_argument("--sample", type=_positive, metavar="N", help="only N snippets, spread evenly (default: all)")


def _positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _classes(text: str) -> tuple[str, ...]:
    from snippetlock.errors import nearest
    from snippetlock.model import CAN_FAIL

    names = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in CAN_FAIL:
            near = nearest(name, CAN_FAIL, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise argparse.ArgumentTypeError(
                f"{name!r} is no class that can fail; {hint}there are {', '.join(CAN_FAIL)}"
            )
    return tuple(cls for cls in CAN_FAIL if cls in names)


def _init(commands: _Commands) -> None:
    parser = commands.add_parser("init", help="start a project here", allow_abbrev=False)
    pinned = parser.add_mutually_exclusive_group(required=True)
    pinned.add_argument("--folder", metavar="DIR", help="quote from a checkout: the folder that holds the packages")
    pinned.add_argument("--wheel", metavar="NAME==VERSION", help="quote from a release")
