"""The table of commands, and what several of them need. Each command stands in a module by its subject.

For a command NAME its module has `options_NAME`, which tells argparse what it takes, and `run_NAME`, which finds the
project, lets `workflow` do it, says what came of it and returns the exit code. A module is loaded when its command
is asked for, and what a command needs is imported inside: a warm check takes less time than most imports.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from snippetlock.cli.console import Console
    from snippetlock.errors import SnippetlockError
    from snippetlock.workflow import Project
    from snippetlock.workflow.states import States

# The command, its module, and what help says of it; in the order of help.
COMMANDS = {
    "check": ("checks", "hold pages, definitions and lock against the pin"),
    "update": ("snippets", "accept what the snippets show now into the lock"),
    "add": ("snippets", "define a snippet, show it and lock it"),
    "show": ("snippets", "print a snippet with its source line numbers"),
    "list": ("snippets", "every snippet: id, source, lines, pages, state"),
    "pin": ("snippets", "which library is pinned, and whether it is at hand"),
    "refs": ("prose", "hold names, calls, paths and messages in the prose against the pin"),
    "claim": ("claims", "what an expression of a claim comes to at the pin, and from which lines"),
    "translate": ("twins", "which sections of translated pages are behind; accept those that have caught up"),
    "proof": ("checks", "hold every block of a built site against the lock"),
    "record": ("runs", "run the docs' own programs and keep what they say, or compare it: --check"),
    "drift": ("compare", "what became of the snippets in another state of the library"),
    "impact": (
        "upstream",
        "in a checkout of the library: what a change makes untrue in the docs",
    ),
    "history": ("compare", "the commits that changed what a snippet shows"),
    "replay": ("compare", "what each commit did to each snippet"),
    "bump": ("moving", "move the pin to another state of the library, and take what is safe"),
    "fix": ("moving", "mend the selectors that find nothing at the pin"),
    "drill": ("compare", "change a copy of each snippet's source in every way, and require the right class"),
    "init": ("snippets", "start a project here"),
}


def run(arguments: Namespace, console: Console) -> int:
    """Run the command that was asked for; returns the exit code. Raises `SnippetlockError` for "could not"."""
    form = getattr(arguments, "format", "")
    other = arguments.command == "impact" or getattr(arguments, "path", None)  # they speak of another's files
    if form in ("github", "sarif") and not other:
        console.form, console.folder = form, _folder(arguments)
    return int(_part("run", arguments.command)(arguments, console))


def options(command: str, parser: ArgumentParser) -> None:
    """Give the parser of a command what the command takes."""
    _part("options", command)(parser)


def _part(what: str, command: str):  # type: ignore[no-untyped-def] # functions of two kinds, by their name
    return getattr(import_module(f"{__name__}.{COMMANDS[command][0]}"), f"{what}_{command}")


def _folder(arguments: Namespace) -> str:
    """Where in its repository the project is; empty at the top of it, and for what is in none."""
    from snippetlock.config import find_root
    from snippetlock.errors import SnippetlockError
    from snippetlock.source.repository import holding

    try:
        root = find_root(start_of(arguments))
        return "/".join(root.relative_to(holding(root)).parts)
    except SnippetlockError:  # the command says so itself
        return ""


def start_of(arguments: Namespace) -> Path:
    """The folder that the command works from. Raises `UsageError` where there is none."""
    folder = os.path.realpath(arguments.root or ".")
    if not os.path.isdir(folder):
        from snippetlock.errors import UsageError

        raise UsageError(f"there is no folder {arguments.root}", mend="name the project's folder after -C")
    return Path(folder)


def cache_of(console: Console) -> Path:
    """The folder of the cache; it may not be there yet."""
    from snippetlock.config.cache import cache_dir

    return Path(os.path.abspath(cache_dir(console.environ)))


def project_of(arguments: Namespace, console: Console, *, writes: bool = False) -> Project:
    """The project that the command is run in; one that `writes` finishes what an interrupted one began."""
    from snippetlock.config import find_root
    from snippetlock.workflow import open_project

    project = open_project(find_root(start_of(arguments)), cache_of(console), writes=writes)
    if project.finished:
        names = ", ".join(map(project.config.name, project.finished))
        console.note(f"an interrupted change of the pin is finished now: {names} written")
    return project


def states_of(arguments: Namespace, console: Console, *, writes: bool = False) -> States:
    """The states of the library that can be compared, from the repository that `--upstream` or the pin names."""
    from snippetlock.workflow.states import Outside, States

    outside = Outside(
        base=Path(os.path.abspath(".")),
        upstream=arguments.upstream or console.environ.get("SNIPPETLOCK_UPSTREAM") or None,
        environ=console.environ,
        progress=console.progress,
    )
    return States(project_of(arguments, console, writes=writes), outside)


def could_not(error: SnippetlockError) -> str:
    """A repository that cannot be had is no news to read at length: one line, also in a long log."""
    why = f" ({'; '.join(error.evidence)})" if error.evidence else ""
    return f"could not compare: {error.headline}{why}{error.mend and f'; {error.mend}'}"
