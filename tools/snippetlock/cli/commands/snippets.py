"""What an author does: start a project, define snippets, look at them, accept them, get the pinned library."""

from __future__ import annotations

from snippetlock.cli.arguments import positive
from snippetlock.cli.commands import cache_of, project_of, start_of

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console
    from snippetlock.model import View


def options_update(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these (default: all)")


def run_update(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import updated
    from snippetlock.workflow import update

    result = update(project_of(arguments, console, writes=True), tuple(arguments.ids))
    if result.report.findings:
        console.report(result.report, "text")
        console.note("nothing was written: mend the findings above first")
    else:
        console.print(updated(result, console.output_color()))
    return result.report.exit


def options_add(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, hyphens")
    parser.add_argument("selector", metavar="SELECTOR", help="module:Qualified.name, or path/to/file.ext:key.path")
    _options_view(parser)
    parser.add_argument("--file", metavar="FILE", help="the definitions file to add it to (default: where its kin is)")


def run_add(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import added
    from snippetlock.workflow import add

    project, view = project_of(arguments, console, writes=True), _view(arguments)
    console.print(added(add(project, arguments.id, arguments.selector, view, arguments.file), console.output_color()))
    return 0


def options_show(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="ID|SELECTOR", help="a defined snippet, or a selector to try")
    _options_view(parser)


def run_show(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import shown
    from snippetlock.workflow import show

    project, view = project_of(arguments, console), _view(arguments)
    console.print(shown(show(project, arguments.what, view), console.output_color()))
    return 0


def _options_view(parser: ArgumentParser) -> None:
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
    parser.add_argument("--count", type=positive, metavar="N", help="how many statements `--match` names")
    parser.add_argument("--docstrings", choices=get_args(Docstrings))
    parser.add_argument("--comments", choices=get_args(Comments), default="keep")
    parser.add_argument(
        "--highlight", action="append", default=[], metavar="TEXT", help="text or pattern to mark; repeat for more"
    )
    parser.add_argument("--imports", action="store_true", help="show the imports of the module that it needs before it")


def _view(arguments: Namespace) -> View:
    """The view that the options of `add` and `show` make up."""
    from snippetlock.model import View

    return View(
        show=arguments.show,
        keep=tuple(arguments.keep),
        from_=arguments.from_,
        to=arguments.to,
        match=arguments.match,
        count=arguments.count,
        docstrings=arguments.docstrings,
        comments=arguments.comments,
        highlight=tuple(arguments.highlight),
        imports=arguments.imports,
    )


def options_list(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--unheld", action="store_true", help="instead, every block of the pages without a source and without a reason"
    )


def run_list(arguments: Namespace, console: Console) -> int:
    from snippetlock.report import table
    from snippetlock.workflow import rows

    if arguments.unheld:
        from snippetlock.cli.say import unheld
        from snippetlock.workflow.unheld import unheld_blocks

        project = project_of(arguments, console)
        console.print(unheld(unheld_blocks(project), project.config.unheld))
        return 0
    found = rows(project_of(arguments, console))
    cells = ((row.id, row.source, row.lines, str(row.pages), row.state) for row in found)
    console.print(table(("ID", "SOURCE", "LINES", "PAGES", "STATE"), cells))
    return 0


def options_pin(parser: ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("fetch",), help="get the pinned wheel or commit into the cache")


def run_pin(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import pinned
    from snippetlock.source import fetch, pin_status

    project = project_of(arguments, console)
    pin, cache = project.pin, project.cache
    status = pin_status(pin, project.config.root, cache, console.environ)
    if arguments.action == "fetch":
        if pin.kind != "folder" and not status.cached:
            path = fetch(pin, cache, console.progress, console.environ, project.config.root)
            console.print(f"{pin.label} is in the cache: {path}\n")
        elif not status.cached:
            console.print(pinned(status))
            return 2
        return 0
    console.print(pinned(status))
    return 2 if status.problem else 0


def options_init(parser: ArgumentParser) -> None:
    pinned = parser.add_mutually_exclusive_group(required=True)
    pinned.add_argument("--folder", metavar="DIR", help="quote from a checkout: the folder that holds the packages")
    pinned.add_argument("--wheel", metavar="NAME==VERSION", help="quote from a release")
    pinned.add_argument("--git", metavar="URL", help="quote from a commit of a repository: its URL, or a path")
    commit = parser.add_argument_group("with --git")
    commit.add_argument("--rev", metavar="REV", help="the branch, tag or commit (default: what the repository gives)")
    commit.add_argument("--package", metavar="NAME", help="the package (default: what the project is called)")
    commit.add_argument("--root", dest="package_root", metavar="DIR", help="the folder that holds it (default: found)")


def run_init(arguments: Namespace, console: Console) -> int:
    from snippetlock.cli.say import begun
    from snippetlock.workflow import Library, begin

    library = Library(
        folder=arguments.folder,
        wheel=arguments.wheel,
        git=arguments.git,
        rev=arguments.rev,
        package=arguments.package,
        root=arguments.package_root,
        environ=console.environ,
        progress=console.progress,
    )
    console.print(begun(begin(start_of(arguments), library=library, cache=cache_of(console))))
    return 0
