"""The programs of the docs themselves, below `snippets/examples/`: read them, and hold each against the pin.

Each is judged once while neither it, nor the pin, nor this tool changed. None is ever run here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from snippetlock.config.strays import EXAMPLES, beneath
from snippetlock.errors import SnippetlockError
from snippetlock.model import Finding, Place
from snippetlock.records import dataclass
from snippetlock.references.verdicts import Verdict, finding_of, read_verdict, written
from snippetlock.text import decode, sha256
from snippetlock.workflow.project import Project

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.workflow.prose import Prose

__all__ = ["Program", "program_findings", "programs"]

_KIND = "programs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A file of Python of an example, by its path in the project. `example` is the folder of all that belong together.

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
    example = name.partition("/")[0] if "/" in name else ""
    try:
        text = decode(project.files.read(path), path, True)
    except SnippetlockError as error:
        place = Place(path=path, line=error.line, column=error.column)
        return Program(path=path, example=example, problem=_unreadable(place, error.what, error.mend))
    return Program(path=path, example=example, text=text)


def _unreadable(place: Place, what: str, mend: str) -> Finding:
    return Finding(rule="SL309", place=place, message=what, mend=mend)


def program_findings(project: Project) -> Iterator[Finding]:
    """What the programs have of the library that it has not, and those that cannot be read."""
    found = programs(project)
    if not found:
        return
    from snippetlock.workflow.prose import Prose

    prose = Prose(project)
    for program in found:
        if program.problem is not None:
            yield program.problem
            continue
        verdicts = _verdicts(prose, program)
        if isinstance(verdicts, Finding):
            yield verdicts
        else:
            yield from (finding_of(verdict, program.path) for verdict in verdicts if verdict.rule)


def _verdicts(prose: Prose, program: Program) -> tuple[Verdict, ...] | Finding:
    project = prose.project
    key = sha256(json.dumps([prose.stamp, project.listing, program.path, program.text]))
    kept = project.kept.get(_KIND, key)
    if kept is not None:
        return tuple(map(read_verdict, kept))
    from snippetlock.references.bench import bench_of
    from snippetlock.references.own import Own
    from snippetlock.references.programs import judge_program

    bench = bench_of(prose.index, path=program.path, spans=(), selectors={}, own=Own(), words={})
    try:
        verdicts = judge_program(bench, program.text)
    except SyntaxError as error:
        place = Place(path=program.path, line=error.lineno, column=error.offset)
        return _unreadable(place, f"it is no Python: {error.msg}", "mend it at this place")
    except (ValueError, RecursionError, MemoryError) as error:
        return _unreadable(Place(path=program.path), f"it cannot be read: {error}", "write it with less nesting")
    if prose.settled:
        project.kept.put(_KIND, key, list(map(written, verdicts)))
    return verdicts

