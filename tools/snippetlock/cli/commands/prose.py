"""What the pages say in words, held against the pin."""

from __future__ import annotations

from snippetlock.cli.arguments import EXITS, form
from snippetlock.cli.commands import project_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console


def options_refs(parser: ArgumentParser) -> None:
    parser.description = (
        "Names, calls, paths and messages in code marks, and links into the repository. With `references` in "
        "[tool.snippetlock], `check` holds them too."
    )
    parser.epilog = EXITS
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="only these pages (default: all, and the vocabulary)")
    parser.add_argument("--why", metavar="NAME", help="say what a name is taken for, and where, instead")
    form(parser, "findings")


def run_refs(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.prose import held_prose

    if arguments.why is not None:
        return _why(arguments, console)
    report = held_prose(project_of(arguments, console), arguments.pages)
    console.report(report, arguments.format)
    return report.exit


def _why(arguments: Namespace, console: Console) -> int:
    from snippetlock.errors import UsageError
    from snippetlock.report.why import Told, format_why_json, format_why_text
    from snippetlock.workflow.prose import explain

    if arguments.format == "github":
        raise UsageError("--why has no annotations", mend="leave --format out, or write --format json")
    if not arguments.why.strip():
        raise UsageError("--why names nothing", mend="name what stands in code marks: --why kernel_for")
    found = explain(project_of(arguments, console), arguments.why, arguments.pages)
    told = tuple(
        Told(
            place=place,
            text=verdict.text,
            state=verdict.state,
            why=verdict.message or verdict.why,
            rule=verdict.rule,
            evidence=verdict.evidence,
            mend=verdict.mend,
        )
        for place, verdict in found
    )
    console.print(format_why_json(told) if arguments.format == "json" else format_why_text(told))
    return 1 if any(each.rule for each in told) else 0
