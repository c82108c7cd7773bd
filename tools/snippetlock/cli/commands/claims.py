"""What an expression of the language of claims comes to at the pin: whoever writes a claim asks here first."""

from __future__ import annotations

from snippetlock.cli.arguments import upstream
from snippetlock.cli.commands import project_of, states_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console


def options_claim(parser: ArgumentParser) -> None:
    from argparse import RawDescriptionHelpFormatter

    from snippetlock.references.claims.functions import FUNCTIONS

    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = (
        "Works an expression out from the source of the pinned library, and prints its value, the lines\n"
        "that it is from, and a claim to copy into a page. Nothing of the library is imported or run.\n"
        "A NAME is `module:Qualified.name` or `path/to/file.yaml:key.path`; a PATTERN has `*` in it,\n"
        '`**` for any depth, or conditions: `[key]`, `[not key]`, `[key == "value"]`.'
    )
    shown = "\n".join(f"  {each.shown}" for each in FUNCTIONS.values())
    parser.epilog = (
        f"functions:\n{shown}\nbetween them: == != < <= > >= in, not in, and, or, not\n\n"
        "Exit codes: 0 true, or a value, 1 false, 2 cannot be read, or the source does not tell."
    )
    parser.add_argument("expression", metavar="EXPRESSION", help="in quotes: 'keys(package.module:Class.table)'")
    parser.add_argument("--at", metavar="REV", help="in another state: a branch, tag, commit, folder (./…) or wheel")
    upstream(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")


def run_claim(arguments: Namespace, console: Console) -> int:
    from snippetlock.report.asked import format_asked_json, format_asked_text
    from snippetlock.workflow.claims import ask

    if arguments.at is None:
        found = ask(project_of(arguments, console), arguments.expression)
    else:
        states = states_of(arguments, console)
        found = ask(states.project, arguments.expression, states.open(arguments.at).tree)
    form = format_asked_json if arguments.format == "json" else format_asked_text
    console.print(form(found))
    return {"true": 0, "false": 1}.get(found.state, 2)
