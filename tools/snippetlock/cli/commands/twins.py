"""The pages of several languages: which are behind, and that they have caught up."""

from __future__ import annotations

from snippetlock.cli.arguments import form
from snippetlock.cli.commands import project_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console


def options_translate(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=("accept",), help="say that sections have caught up (default: list those behind)"
    )
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE[#ANCHOR]", help="to accept: one section of a page, or all that it has"
    )
    form(parser, "translation")


def run_translate(arguments: Namespace, console: Console) -> int:
    import os
    from pathlib import Path

    from snippetlock.errors import UsageError
    from snippetlock.workflow.translating import outdated, take

    if arguments.action is None:
        from snippetlock.report import written

        found = outdated(project_of(arguments, console))
        console.print(written("translation", arguments.format, found, color=console.output_color()))
        return int(found.exit)
    if not arguments.pages:
        raise UsageError("no page is named", mend="snippetlock translate accept PAGE#ANCHOR …, or PAGE for all of it")
    project = project_of(arguments, console, writes=True)
    base = Path(os.path.abspath("."))
    taken = take(project, arguments.pages, base)
    for one in taken:
        said = ", ".join(f"#{anchor}" for anchor in one.accepted) or "nothing new"
        gone = f"; taken out: {', '.join(f'#{anchor}' for anchor in one.dropped)}" if one.dropped else ""
        console.print(f"{one.page}: accepted {said}{gone}\n")
    if not taken:
        console.print("nothing to do: all of it was accepted as it is\n")
    return 0
