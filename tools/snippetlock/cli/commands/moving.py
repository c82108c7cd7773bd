"""Move the pin to another state of the library, and mend the selectors that do not lead anywhere any more."""

from __future__ import annotations

from pathlib import Path

from snippetlock.cli.arguments import form, upstream
from snippetlock.cli.commands import project_of, states_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from snippetlock.cli.console import Console
    from snippetlock.errors import SnippetlockError
    from snippetlock.moves import Moved
    from snippetlock.workflow.bumping import Request
    from snippetlock.workflow.states import States
    from snippetlock.workflow.targets import Target

_EXITS = (
    "Exit codes: 0 moved, or nothing to move; 1 nothing was written, somebody has to look at something first; "
    "2 could not; 3 a bug of ours."
)


def options_bump(parser: ArgumentParser) -> None:
    parser.description = (
        "What is safe is taken: snippets that are the same, moved (their selectors are mended) or laid out anew. The "
        "rest is listed, old against new, with the pages and the prose to read. When all of it is accepted, the pin, "
        "the definitions and the lock are written together. Going back to a pin that the lock remembers brings the "
        "old state back."
    )
    parser.epilog = _EXITS
    parser.add_argument(
        "--to",
        metavar="TARGET",
        help="a version, `latest`, a revision of the repository (`main`), a wheel or a folder (./…); "
        "default: the latest release, of a pinned commit the pin's branch",
    )
    parser.add_argument(
        "--accept",
        nargs="+",
        action="extend",
        default=[],
        metavar="WHAT",
        help="what you have looked at: an id, a class of changes, or ID=SELECTOR to quote something else",
    )
    parser.add_argument("--interactive", action="store_true", help="ask about each snippet, on a terminal")
    parser.add_argument("--dry-run", action="store_true", help="write nothing but a report; the exit code is the same")
    parser.add_argument("--dirty", action="store_true", help="mix the move with uncommitted changes of the docs")
    parser.add_argument("--allow-yanked", action="store_true", help="take a release that was withdrawn")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="also write it there, or why it could not be: .md for a pull request, .json for programs",
    )
    upstream(parser)
    form(parser, "bump")


def run_bump(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli import reporting
    from snippetlock.errors import SnippetlockError, UsageError

    report = reporting.place(arguments.report)
    begun = False
    try:
        if arguments.interactive and not console.can_ask():
            raise UsageError("--interactive needs a terminal", mend="name what you accept: --accept ID")
        states = states_of(arguments, console, writes=not arguments.dry_run)
        if report:
            reporting.begin(report, states.project.config)
            begun = True
        moved = _moved(states, arguments, console)
    except SnippetlockError as error:
        if report and (begun or report.exists()):  # a report that was there tells of another run
            _stopped(report, error)
        raise
    if moved is None:
        console.note("nothing was written")
        return 1
    return _told(moved, report, arguments, console)


def _told(moved: Moved, report: Path | None, arguments: Namespace, console: Console) -> int:
    """Say what came of a move, in every place that was asked for; the exit code."""
    from snippetlock.report import written
    from snippetlock.report.bump import format_bump_text

    # Whatever becomes of the report, what was moved has to be said.
    problem = _written(report, moved, console.environ) if report else None
    if arguments.interactive and arguments.format == "text":
        console.print(format_bump_text(moved, color=console.output_color(), brief=True))
    else:
        console.print(written("bump", arguments.format, moved, color=console.output_color()))
    if problem:
        console.error(problem, "text")
        return 2
    return moved.plan.exit


def _moved(states: States, arguments: Namespace, console: Console) -> Moved | None:
    """What the move came to; None for who was asked and has had enough."""
    from snippetlock.cli.asking import again
    from snippetlock.errors import SnippetlockError
    from snippetlock.workflow.bumping import Request, aim, bump

    to = aim(states, arguments.to, yanked=arguments.allow_yanked)
    request = Request(accept=tuple(arguments.accept), dry=arguments.dry_run, dirty=arguments.dirty)
    if not arguments.interactive:
        return bump(states, to, request)
    asked = _ask(states, to, request, console)
    if asked is None:
        return None
    answers = again(asked.accept)
    try:
        moved = bump(states, to, asked)
    except SnippetlockError:
        if answers:  # nobody is to answer all of it twice
            console.note(answers)
        raise
    if answers and moved.plan.open:
        console.note(answers)
    return moved


def _ask(states: States, to: Target, request: Request, console: Console) -> Request | None:
    """The request with what somebody accepts of the plan; None for who has had enough.

    What would keep it from being written is said before the first question.
    """
    from snippetlock.cli.asking import Asking, ask
    from snippetlock.records import replace
    from snippetlock.workflow.bumping import bump, hold_committed

    plan = bump(states, to, replace(request, dry=True)).plan
    if plan.open and not request.dry and not request.dirty:
        hold_committed(states)
    asking = Asking(
        say=console.print,
        hear=console.ask,
        root=states.project.config.root,
        environ=console.environ,
        color=console.output_color(),
    )
    more = ask(plan, asking)
    return None if more is None else replace(request, accept=(*request.accept, *more), walked=bool(plan.open))


def _written(path: Path, moved: Moved, environ: Mapping[str, str]) -> SnippetlockError | None:
    """Write the report of a move; why it was not written, where it was not."""
    from snippetlock.cli import reporting
    from snippetlock.report.moves import format_bump_json
    from snippetlock.report.pull import format_bump_markdown

    json = path.suffix == ".json"
    return reporting.write(path, format_bump_json(moved) if json else format_bump_markdown(moved, _pages(environ)))


def _stopped(path: Path, error: SnippetlockError) -> None:
    """Write why there was no move where its report is looked for; should that fail too, there is no report."""
    from snippetlock.cli import reporting
    from snippetlock.report import error_json
    from snippetlock.report.pull import format_stopped_markdown

    reporting.write(path, error_json(error) if path.suffix == ".json" else format_stopped_markdown(error))


def _pages(environ: Mapping[str, str]) -> str:
    """Where the pages are on the web, as GitHub tells its jobs."""
    server, name, commit = (environ.get(f"GITHUB_{key}") for key in ("SERVER_URL", "REPOSITORY", "SHA"))
    return f"{server}/{name}/blob/{commit}" if server and name and commit else ""


def options_fix(parser: ArgumentParser) -> None:
    from snippetlock.moves import SCORE

    parser.description = (
        "For definitions that find nothing at the pin: where what was accepted is found under another name or "
        "elsewhere, the selector is mended. Prose that names the old symbol is listed, in every language, and not "
        "touched; nor is the lock."
    )
    parser.epilog = "Exit codes: 0 all mended, or nothing to mend; 1 something is left; 2 could not; 3 a bug of ours."
    parser.add_argument(
        "--score", type=_score, default=SCORE, metavar="S", help=f"how sure to be, from 0 to 1 (default: {SCORE})"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; the exit code is the same")


def _score(text: str) -> float:
    from argparse import ArgumentTypeError

    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return score


def run_fix(arguments: Namespace, console: Console) -> int:
    from snippetlock.report.fix import format_fix_text
    from snippetlock.workflow.mending import fix

    project = project_of(arguments, console, writes=not arguments.dry_run)
    fixed = fix(project, arguments.score, dry=arguments.dry_run)
    console.print(format_fix_text(fixed, color=console.output_color()))
    return fixed.exit
