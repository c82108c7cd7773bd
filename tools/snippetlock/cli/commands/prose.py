"""What the pages say in words, held against the pin."""

from __future__ import annotations

from snippetlock.cli.arguments import EXITS, form, jobs
from snippetlock.cli.commands import cache_of, project_of, start_of
from snippetlock.errors import UsageError

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from snippetlock.cli.console import Console
    from snippetlock.references.verdicts import Verdict
    from snippetlock.workflow import Project


def options_refs(parser: ArgumentParser) -> None:
    parser.description = (
        "Names, calls, paths and messages in code marks, and links into the repository. With `references` in "
        "[tool.snippetlock], `check` holds them too. With --path it needs no project: the Markdown pages of any "
        "repository are held against its own packages and its history, and only what is proven stale is told."
    )
    parser.epilog = EXITS
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="only these pages (default: all, and the vocabulary)")
    parser.add_argument("--why", metavar="NAME", help="say what a name is taken for, and where, instead")
    jobs(parser)
    form(parser, "findings")
    other = parser.add_argument_group("in a repository that never saw this tool")
    other.add_argument(
        "--path",
        metavar="REPO",
        help="a checkout, a bare repository, or a plain folder; each PAGE is a page or a folder there, or here "
        "(default: README.md and docs)",
    )
    other.add_argument("--rev", metavar="REV", help="the library at this revision (default: HEAD)")
    other.add_argument("--package", metavar="NAME", help="the package (default: what the project is called)")
    other.add_argument("--root", dest="package_root", metavar="DIR", help="the folder that holds it (default: found)")


def run_refs(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.prose import held_prose

    if arguments.jobs is not None and (arguments.path is not None or arguments.why is not None):
        what = "--jobs is for holding the pages of a project: with --path or --why one process works"
        raise UsageError(what, mend="leave --jobs out")
    if arguments.path is not None:
        return _elsewhere(arguments, console)
    for option, value in (("rev", arguments.rev), ("package", arguments.package), ("root", arguments.package_root)):
        if value is not None:
            raise UsageError(f"--{option} goes with --path alone", mend="name the repository: --path REPO")
    if arguments.why is not None:
        return _why(arguments, console)
    project = _project(arguments, console)
    project.jobs = arguments.jobs
    report = held_prose(project, arguments.pages)
    console.report(report, arguments.format)
    return report.exit


def _project(arguments: Namespace, console: Console) -> Project:
    """The project; where there is none, the error says what can be done without."""
    try:
        return project_of(arguments, console)
    except UsageError as error:
        if error.what.startswith("no docs project"):
            error.mend += "; any repository's docs are held, without a project, by `snippetlock refs --path REPO`"
        raise


def _elsewhere(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.cache import Cache, tool_stamp
    from snippetlock.workflow.elsewhere import elsewhere, explain_elsewhere
    from snippetlock.workflow.strange import Asked, open_strange

    if arguments.why is not None:
        _check_why(arguments)
    asked = Asked(
        here=start_of(arguments),
        path=arguments.path,
        rev=arguments.rev or "",
        package=arguments.package or "",
        root=arguments.package_root,
        progress=console.progress,
    )
    library = open_strange(asked, Cache(cache_of(console)), tool_stamp())
    console.note(f"reads {library.chosen}")
    if arguments.why is not None:
        return _told(explain_elsewhere(library, arguments.pages, arguments.why), arguments, console)
    held = elsewhere(library, arguments.pages)
    for note in held.notes:
        console.note(note)
    console.report(held.report, arguments.format)
    return held.report.exit


def _check_why(arguments: Namespace) -> None:
    if arguments.format not in ("text", "json"):
        raise UsageError("--why has no annotations", mend="leave --format out, or write --format json")
    if not arguments.why.strip():
        raise UsageError("--why names nothing", mend="name what stands in code marks: --why kernel_for")


def _why(arguments: Namespace, console: Console) -> int:
    from snippetlock.workflow.explaining import explain

    _check_why(arguments)
    return _told(explain(project_of(arguments, console), arguments.why, arguments.pages), arguments, console)


def _told(found: Iterable[tuple[str, Verdict]], arguments: Namespace, console: Console) -> int:
    from snippetlock.report.why import Told, format_why_json, format_why_text

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
