"""Try the tool on the project's own snippets: change a copy of each source in every way, and require the class.

Nothing is written: the changed files lie over the pin's tree in memory.
"""

from __future__ import annotations

from collections import Counter

from snippetlock.changes import CLASSES, Change, ChangeClass
from snippetlock.drift import Search, compare
from snippetlock.errors import SnippetlockError
from snippetlock.model import Definition, Exit, Progress
from snippetlock.records import dataclass
from snippetlock.render import render
from snippetlock.select import find
from snippetlock.workflow.mutations import Mutation, Overlay, mutations
from snippetlock.workflow.project import Project

__all__ = ["DrillReport", "Trial", "drill", "format_drill"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One change of one snippet's source: the class it should have, and the one that it got."""

    snippet: str
    way: str
    wanted: ChangeClass
    got: str
    said: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.wanted == self.got


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillReport:
    """Every trial, in the order of the definitions."""

    trials: tuple[Trial, ...]

    @property
    def misses(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if not trial.right)

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.misses else Exit.CLEAN


def drill(project: Project, sample: int | None = None, progress: Progress | None = None) -> DrillReport:
    """Try every way on each snippet, or on `sample` of them spread evenly over the definitions.

    Raises what cutting raises, of which a project whose check is clean has nothing to fear, and `ConfigError` where
    nothing is defined.
    """
    project.taken_names()
    chosen = _spread(tuple(one for one in project.definitions if one.id in project.taken), sample)
    trials: list[Trial] = []
    for done, definition in enumerate(chosen):
        if progress:
            progress("drill", done, len(chosen))
        trials += _trials(project, definition)
    if progress:
        progress("drill", len(chosen), len(chosen))
    return DrillReport(trials=tuple(trials))


def _spread(definitions: tuple[Definition, ...], sample: int | None) -> tuple[Definition, ...]:
    if sample is None or sample >= len(definitions):
        return definitions
    return tuple(definitions[i * len(definitions) // sample] for i in range(sample))


def _trials(project: Project, definition: Definition) -> list[Trial]:
    tree = project.tree
    found = find(tree, definition.selector)
    old = render(definition.id, found, definition.view)
    trials: list[Trial] = []
    for mutation in mutations(found, definition.view):
        new = Overlay(tree, mutation.files)
        search = Search(tree, new, mutation.files)
        try:
            change = compare(definition, tree, new, search=search, old=old)
        except SnippetlockError as error:
            trials.append(_trial(definition, mutation, type(error).__name__, (error.what,)))
            continue
        got = _inherited(change, mutation) or change.cls
        said = (*change.details, *(f"{c.selector} ({c.reason})" for c in change.candidates[:2]))
        trials.append(_trial(definition, mutation, got, said))
    return trials


def _trial(definition: Definition, mutation: Mutation, got: str, said: tuple[str, ...]) -> Trial:
    return Trial(snippet=definition.id, way=mutation.way, wanted=mutation.cls, got=got, said=said)


def _inherited(change: Change, mutation: Mutation) -> ChangeClass | None:
    """What is deleted where a base class has it too is inherited from then on: that is the right answer as well."""
    said = change.candidates[0].reason if change.candidates else ""
    return "removed" if mutation.cls == "removed" and said.startswith("inherited from") else None


def format_drill(report: DrillReport) -> str:
    """The score of each class, the worst class first, and every miss."""
    wanted = Counter(trial.wanted for trial in report.trials)
    right = Counter(trial.wanted for trial in report.trials if trial.right)
    lines = [f"{cls:10} {right[cls]:4} of {wanted[cls]:4}" for cls in CLASSES if wanted[cls]]
    for trial in report.misses:
        lines.append(f"{trial.snippet}: {trial.way}: {trial.got}, should be {trial.wanted}")
        lines += [f"  {fact}" for fact in trial.said]
    lines.append(f"{right.total()} of {wanted.total()} right")
    return "\n".join(lines) + "\n"
