"""For the library's own developers: what a change of theirs does to the docs, before it is merged."""

from __future__ import annotations

import os
from pathlib import Path

from snippetlock.cli.arguments import form
from snippetlock.cli.commands import cache_of, could_not, start_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console


def options_impact(parser: ArgumentParser) -> None:
    parser.description = (
        "Run in a checkout of the library (-C names another). What HEAD changed since it parted from BASE, as "
        "`git diff BASE...HEAD` has it, is held against every snippet of the docs project in DIR. The docs may be "
        "pinned to another release, which need not be at hand."
    )
    parser.epilog = "Exit codes: 0 also where something is untrue, unless --fail makes that 1; 2 could not tell."
    parser.add_argument("--base", required=True, metavar="REV", help="the branch that the change is meant for")
    parser.add_argument(
        "--head", default="HEAD", metavar="REV", help="the change; a folder (./) is the work tree (default: HEAD)"
    )
    parser.add_argument("--docs", required=True, type=Path, metavar="DIR", help="the docs project's folder")
    parser.add_argument("--fail", action="store_true", help="end with 1 where something must be read again")
    form(parser, "impact")


def run_impact(arguments: Namespace, console: Console) -> int:
    from snippetlock.config import find_root
    from snippetlock.errors import RepositoryError, UsageError
    from snippetlock.report import written
    from snippetlock.source.repository import holding
    from snippetlock.workflow import open_project
    from snippetlock.workflow.impact import impact
    from snippetlock.workflow.states import Outside, States

    docs = os.path.realpath(arguments.docs)
    if not os.path.isdir(docs):
        raise UsageError(f"there is no folder {arguments.docs}", mend="name the docs project's folder after --docs")
    try:
        top = holding(start_of(arguments))
        outside = Outside(base=top, upstream=str(top), environ=console.environ, progress=console.progress)
        states = States(open_project(find_root(Path(docs)), cache_of(console)), outside)
        found = impact(states.project, states, arguments.base, arguments.head, strict=arguments.fail)
    except RepositoryError as error:
        if arguments.format in ("json", "github"):
            raise
        console.note(could_not(error))
        return 2
    console.print(written("impact", arguments.format, found, color=console.output_color()))
    return found.exit
