"""States of the library against each other: what became of the snippets, when, and whether it would be seen."""

from __future__ import annotations

from snippetlock.cli.arguments import EXITS, classes, form, jobs, positive, upstream
from snippetlock.cli.commands import could_not, project_of, states_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console
    from snippetlock.workflow.tracing import Past


def options_drift(parser: ArgumentParser) -> None:
    parser.description = (
        "A state is a branch, tag or commit of the library's repository, `pin`, a folder (./…) or a wheel."
    )
    parser.epilog = EXITS
    parser.add_argument("--against", metavar="REV", help="compare the pin with this (default: the pin's branch)")
    parser.add_argument("--from", dest="old", metavar="A", help="compare this …")
    parser.add_argument("--to", dest="new", metavar="B", help="… with this")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these snippets (default: all)")
    parser.add_argument(
        "--fail-on",
        type=classes,
        metavar="CLASS,…",
        help="the classes that end with 1, or `none` (default: fail-on in pyproject.toml)",
    )
    upstream(parser)
    parser.add_argument("--blame", action="store_true", help="name the commit that brought each change")
    form(parser, "drift")


def run_drift(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError, UsageError
    from snippetlock.report import written
    from snippetlock.workflow.drifting import Request, drift

    if bool(arguments.old) != bool(arguments.new) or (arguments.old and arguments.against):
        raise UsageError("two states are compared", mend="give --against, or --from and --to, or nothing")
    states = states_of(arguments, console)
    request = Request(
        old=arguments.old or "pin",
        new=arguments.new or arguments.against,
        only=tuple(arguments.only),
        fail_on=arguments.fail_on,
        blame=arguments.blame,
    )
    try:
        report = drift(states.project, request, states)
    except RepositoryError as error:
        if arguments.format in ("json", "github"):
            raise
        console.note(could_not(error))
        return 2
    console.print(written("drift", arguments.format, report, color=console.output_color()))
    return report.exit


def options_history(parser: ArgumentParser) -> None:
    parser.epilog = EXITS
    parser.add_argument("id", metavar="ID", help="a defined snippet")
    parser.add_argument("--since", metavar="REV", help="only what came after this (default: all)")
    upstream(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")


def run_history(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError
    from snippetlock.report.past import format_history_json, format_history_text
    from snippetlock.workflow.tracing import history

    states = states_of(arguments, console)
    try:
        past = history(states.project, arguments.id, states, arguments.since)
    except RepositoryError as error:
        if arguments.format == "json":
            raise
        console.note(could_not(error))
        return 2
    if arguments.format == "json":
        console.print(format_history_json(past.snippet, past.selector, past.commits, past.problem, past.events))
    else:
        head = f"{past.snippet}  {past.selector}"
        console.print(format_history_text(head, past.events, _ending(past), color=console.output_color()))
    return 0 if past.events or not past.problem else 1


def _ending(past: Past) -> str:
    count = len({event.commit for event in past.events if event.cls != "same"})  # what only comes back is no change
    changed = f"{count} of {past.commits} commits up to {past.until} changed what {past.snippet!r} shows"
    return f"{changed}; at the end: {past.problem}" if past.problem else changed


def options_replay(parser: ArgumentParser) -> None:
    parser.epilog = EXITS
    parser.add_argument("--from", dest="old", metavar="A", help="start after this (default: at the first commit)")
    parser.add_argument("--to", dest="new", metavar="B", help="end with this (default: the pin's branch)")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these snippets (default: all)")
    jobs(parser)
    upstream(parser)
    parser.add_argument("--format", choices=("table", "jsonl"), default="table", help="(default: table)")


def run_replay(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import RepositoryError
    from snippetlock.report.past import format_replay_lines, format_replay_table
    from snippetlock.workflow.replaying import replay

    states = states_of(arguments, console)
    options = {"since": arguments.old, "until": arguments.new, "only": arguments.only, "jobs": arguments.jobs}
    try:
        found = replay(states.project, states, **options)
    except RepositoryError as error:
        console.note(could_not(error))
        return 2
    if arguments.format == "table":
        commits = len(found.commits)
        console.print(format_replay_table(found.snippets, found.absent, commits, found.events, found.never))
        return 0
    passed = ((one.commit, one.time, one.subject) for one in found.commits)
    for line in format_replay_lines(found.snippets, found.absent, passed, found.events, found.never):
        console.print(line)
    return 0


def options_drill(parser: ArgumentParser) -> None:
    parser.epilog = EXITS
    parser.add_argument("--sample", type=positive, metavar="N", help="only N snippets, spread evenly (default: all)")


def run_drill(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.drill import drill, format_drill

    report = drill(project_of(arguments, console), arguments.sample, console.progress)
    console.print(format_drill(report))
    return report.exit
