"""The programs of the docs themselves, below `snippets/examples/`: read them, and hold each against the pin.

Each is judged once while neither it, nor the pin, nor this tool changed. None is ever run here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from snippetlock.config.strays import EXAMPLES, beneath
from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Place, Tree
from snippetlock.records import dataclass, replace
from snippetlock.references.verdicts import Verdict, finding_of, read_verdict, written
from snippetlock.text import decode, sha256
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.project import Project, listing

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.index import Index
    from snippetlock.workflow.states import Opened

__all__ = ["Program", "broken", "program_findings", "programs"]

_KIND = "programs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A file of Python of an example, by its path in the project.

    `example` is the folder of all that belong together, or the file where it lies in none.

    Where it cannot be read, `problem` says so, and the text is empty.
    """

    path: str
    example: str
    text: str = ""
    problem: Finding | None = None


def programs(project: Project) -> tuple[Program, ...]:
    """Every program of the docs, sorted by path."""
    names = beneath(str(project.config.snippets))
    here = [name for name in names if name.startswith(f"{EXAMPLES}/") and name.endswith(".py")]
    return tuple(_read(project, name[len(EXAMPLES) + 1 :]) for name in here)


def _read(project: Project, name: str) -> Program:
    path = project.examples + name
    example = name.partition("/")[0]
    try:
        text = decode(project.own.read(path), path, True)
    except SnippetlockError as error:
        place = Place(path=path, line=error.line, column=error.column)
        return Program(path=path, example=example, problem=_unreadable(place, error.what, error.mend))
    return Program(path=path, example=example, text=text)


def _unreadable(place: Place, what: str, mend: str) -> Finding:
    return Finding(rule="SL309", place=place, message=what, mend=mend)


class _Library:
    """One state of the library, as programs are held against it."""

    def __init__(self, project: Project, tree: Tree, *, pinned: bool = False) -> None:
        self.project = project
        self.tree = tree
        self.pinned = pinned
        self.stamp = tool_stamp()

    @cached_property
    def listing(self) -> str:
        """What tells this state from others."""
        return self.project.listing if self.pinned else listing(self.tree)

    @cached_property
    def index(self) -> Index:
        """Its index."""
        from snippetlock.index import open_index

        return open_index(self.tree, self.project.kept, self.stamp)

    @cached_property
    def settled(self) -> bool:
        """Whether it was the same before and after it was indexed."""
        before, _ = self.listing, self.index
        return self.tree.identity is not None or listing(self.tree) == before

    def verdicts(self, program: Program) -> tuple[Verdict, ...]:
        """The verdicts on a program, kept or made. Raises what `judge_program` and the parser of Python raise."""
        key = sha256(json.dumps([self.stamp, self.listing, program.path, program.text]))
        kept = self.project.kept.get(_KIND, key)
        if kept is not None:
            return tuple(map(read_verdict, kept))
        from snippetlock.references.bench import bench_of
        from snippetlock.references.own import Own
        from snippetlock.references.programs import judge_program

        bench = bench_of(self.index, path=program.path, spans=(), selectors={}, own=Own(), words={})
        found = judge_program(bench, program.text)
        if self.settled:
            self.project.kept.put(_KIND, key, list(map(written, found)))
        return found


def program_findings(project: Project) -> Iterator[Finding]:
    """What the programs have of the library that it has not, and those that cannot be read."""
    library = _Library(project, project.tree, pinned=True)
    for program in programs(project):
        found = _verdicts(library, program)
        if isinstance(found, Finding):
            yield found
        else:
            yield from (finding_of(verdict, program.path) for verdict in found if verdict.rule)


def _verdicts(library: _Library, program: Program) -> tuple[Verdict, ...] | Finding:
    if program.problem is not None:
        return program.problem
    try:
        return library.verdicts(program)
    except SyntaxError as error:
        place = Place(path=program.path, line=error.lineno, column=error.offset)
        return _unreadable(place, f"it is no Python: {error.msg}", "mend it at this place")
    except (ValueError, RecursionError, MemoryError) as error:
        return _unreadable(Place(path=program.path), f"it cannot be read: {error}", "write it with less nesting")


def broken(project: Project, old: Opened, new: Opened) -> tuple[Finding, ...]:
    """What the programs can do with one state of the library and no longer with another, by path and line.

    What they cannot do with either, and what cannot be read, a check of the pin says.
    """
    before, after = (_Library(project, each.tree) for each in (old, new))
    found = []
    for program in programs(project):
        now = _verdicts(after, program)
        if isinstance(now, Finding) or not any(verdict.rule for verdict in now):
            continue
        was = _verdicts(before, program)
        known = {_where(verdict) for verdict in was if verdict.rule} if not isinstance(was, Finding) else set()
        for verdict in now:
            if verdict.rule and _where(verdict) not in known:
                one = finding_of(verdict, program.path)
                found.append(replace(one, message=f"{one.message}, at {new.state.label}"))
    return tuple(found)


def _where(verdict: Verdict) -> tuple[str, int, int, str]:
    return verdict.rule, verdict.line, verdict.column, verdict.text
