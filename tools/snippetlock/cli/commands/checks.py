"""The gates: pages, definitions and lock against the pin, and a built site against the lock."""

from __future__ import annotations

from pathlib import Path

from snippetlock.cli.arguments import EXITS, form, jobs
from snippetlock.cli.commands import cache_of, project_of, start_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console


def options_check(parser: ArgumentParser) -> None:
    parser.epilog = EXITS
    parser.add_argument("--fetch", action="store_true", help="first get the pinned library, where it is not at hand")
    jobs(parser)
    form(parser, "findings")


def run_check(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.memo import checked

    if arguments.fetch:
        _fetch(arguments, console)
    outcome = checked(start_of(arguments), cache_of(console), arguments.jobs, arguments.format)
    colored = arguments.format == "text" and console.output_color()
    console.print(outcome.said["color" if colored else arguments.format])
    return outcome.exit


def _fetch(arguments: Namespace, console: Console) -> None:
    """Have the pin at hand; says nothing, for whoever reads findings expects nothing else."""
    from snippetlock.source import fetch, pin_status

    project = project_of(arguments, console)
    pin, root = project.pin, project.config.root
    if pin.kind != "folder" and not pin_status(pin, root, project.cache).cached:
        fetch(pin, project.cache, console.progress, console.environ, root)


def options_proof(parser: ArgumentParser) -> None:
    parser.epilog = EXITS
    parser.add_argument("site", type=Path, metavar="SITE", help="the folder that the site was built into")
    form(parser, "findings")


def run_proof(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.proof import proof

    report = proof(project_of(arguments, console), arguments.site)
    console.report(report, arguments.format)
    return report.exit
