"""Run the docs' own programs and keep what they say, or hold it against what was kept. Only where somebody asks for it.

A record is written whole or not at all, and only of a run that ended as it is to end, with the pinned library.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from snippetlock.config.runs import PIN, Run
from snippetlock.config.strays import EXAMPLES
from snippetlock.errors import ConfigError, SnippetlockError, UsageError, nearest
from snippetlock.lock import exclusive, replace_file
from snippetlock.lock.runs import Record, dump_record
from snippetlock.reading import read_file
from snippetlock.records import dataclass, replace
from snippetlock.source.running import environment, laid_out, locations, run
from snippetlock.text import split_lines
from snippetlock.workflow.packages import top
from snippetlock.workflow.project import Project
from snippetlock.workflow.runs import changes, file_of, files_of, state_of, stored

__all__ = ["Recorded", "Recording", "chosen", "record"]

_MOST = 40  # lines of evidence
_BLANKS = "\n\t\u00a0\u3000"  # the last one is what a space is among Chinese characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What came of one run: `what` in a few words, `lines` show it; `wrong` where it is not as it is to be.

    `left` says that this machine has not what it needs, so that it was not run. Of both `mend` says what to do.
    """

    id: str
    what: str
    lines: tuple[str, ...] = ()
    wrong: bool = False
    written: bool = False
    left: bool = False
    mend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """How to run: the variables of whoever asks, the most seconds for a command, whether to compare only."""

    environ: Mapping[str, str]
    limit: float
    check: bool = False


def chosen(project: Project, names: Iterable[str]) -> tuple[str, ...]:
    """The runs of these ids, or all. Raises `UsageError` for an id that is none, `ConfigError` where there are none."""
    runs = project.runs
    if not runs:
        where = project.config.name(project.config.runs)
        raise ConfigError("no run is defined", path=where, mend="write one there: `id: {example: folder, command: …}`")
    for name in names:
        if name not in runs:
            near = nearest(name, runs)
            mend = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(runs)}"
            raise UsageError(f"no run {name!r} is defined", mend=mend)
    return tuple(dict.fromkeys(names)) or tuple(runs)


def record(project: Project, name: str, way: Recording) -> Recorded:
    """Run one, and write its record, or hold what it says against the record that there is.

    Raises `UsageError` where it cannot be run as it is to be: no such environment, another library than the pinned one.
    """
    asked = project.runs[name]
    old = _old(project, name)
    if way.check:
        if old is None:
            what = "was never recorded: nothing to compare with"
            return Recorded(id=name, what=what, wrong=True, mend=f"record it: `snippetlock record {name}`")
        if stale := changes(project, asked, old):
            mend = f"record it anew: `snippetlock record {name}`"
            return Recorded(id=name, what="the record is stale", lines=stale, wrong=True, mend=mend)
    new = _run(project, asked, way)
    if isinstance(new, Recorded):
        return new
    notes = _facts(old, new)
    difference = _difference(asked, old.output, new.output) if old else ()
    if way.check:
        what = "says something else than was recorded" if difference else "says what was recorded"
        mend = f"read it, and record it anew: `snippetlock record {name}`; or say under `volatile` what may differ"
        return Recorded(id=name, what=what, lines=(*notes, *difference), wrong=bool(difference), mend=mend)
    if old and not difference:
        new = replace(new, output=old.output)  # or what may differ would differ at every recording
    if not _written(project, file_of(project, name), dump_record(new).encode("utf-8")):
        return Recorded(id=name, what="as recorded")
    what = "recorded" if old is None else "recorded anew" if difference else "recorded anew, and says the same"
    return Recorded(id=name, what=what, lines=(*notes, *difference), written=True)


def _written(project: Project, file: Path, data: bytes) -> bool:
    """Write a record, whole or not at all; False where it is there already. Raises `UsageError` where it cannot be."""
    try:
        if file.is_file() and read_file(file) == data:
            return False
        file.parent.mkdir(exist_ok=True)
        with exclusive(file):
            replace_file(file, data)
    except OSError as error:
        mend = "take away what stands in its place, or mend the permissions of its folder"
        what = f"the record cannot be written: {error.strerror}"
        raise UsageError(what, path=project.config.name(file), mend=mend) from error
    return True


def _old(project: Project, name: str) -> Record | None:
    try:
        old = stored(project, name)
    except SnippetlockError:
        return None
    return None if old is None or old.edited else old


def _run(project: Project, asked: Run, way: Recording) -> Record | Recorded:
    folder = project.config.snippets / EXAMPLES / asked.example
    if not folder.is_dir():
        raise UsageError(f"there is no example {asked.example!r}", path=str(asked.place), mend="name one that is there")
    with _environment(project, asked, way) as environ:
        return _run_in(environ, folder, project, asked, way)


def _run_in(
    environ: Mapping[str, str], folder: Path, project: Project, asked: Run, way: Recording
) -> Record | Recorded:
    if asked.needs and run(asked.needs, folder, environ, way.limit).exit:
        what = "not run: its needs are not met here"
        mend = f"run it where that command succeeds, or correct `needs` at {asked.place}"
        return Recorded(id=asked.id, what=what, lines=(asked.needs,), left=True, mend=mend)
    files = files_of(project, asked)
    facts = {name: _fact(asked, name, folder, environ, way) for name in asked.facts}
    done = run(asked.command, folder, environ, way.limit)
    lines = tuple(line.rstrip("\r\n") for line in split_lines(done.output))
    if done.exit != asked.exit:
        what = f"ended with {done.exit}, not {asked.exit}: nothing is kept of it"
        mend = (
            f"mend the program, or correct its command; if it is to end so, write `exit: {done.exit}` at {asked.place}"
        )
        return Recorded(id=asked.id, what=what, lines=lines[-_MOST:], wrong=True, mend=mend)
    if files_of(project, asked) != files:
        raise UsageError(f"the example of {asked.id!r} changed while it was run", mend="run the command again")
    _hold_output(asked, done.output, (str(project.config.root), environ.get("PYTHONPATH", "")))
    return Record(
        id=asked.id,
        command=asked.command,
        library=project.pin.label,
        state=state_of(project.pin, project.tree),
        files=files,
        facts=facts,
        exit=done.exit,
        output=done.output,
    )


@contextmanager
def _environment(project: Project, asked: Run, way: Recording) -> Iterator[dict[str, str]]:
    """The variables for a run; the library that it will import is the pinned one, file by file."""
    if project.pin.kind == "folder":  # what lies there is the library: it is imported from nowhere else
        yield environment(way.environ, _programs(project, asked), Path(project.cutter.place))
    elif asked.environment == PIN:
        with laid_out(project.tree) as library:
            yield environment(way.environ, None, library)
    else:
        environ = environment(way.environ, _programs(project, asked), None)
        _hold_library(project, environ)
        yield environ


def _programs(project: Project, asked: Run) -> Path | None:
    """The folder whose programs come first. Raises `UsageError` where it is not there."""
    if asked.environment in ("", PIN):
        return None
    folder = project.config.root / asked.environment
    if not (folder / "bin").is_dir():
        mend = "make it first, or correct `environment`"
        raise UsageError(f"there is no environment {asked.environment}", path=str(asked.place), mend=mend)
    return folder


def _hold_library(project: Project, environ: Mapping[str, str]) -> None:
    paths = [path for path in project.tree.paths() if "/" in path]
    names = sorted({top(path) for path in paths if path.endswith("/__init__.py")})
    found = locations(names, environ)
    for name in names:
        place = found.get(name)
        if place is None:
            mend = f"install {project.pin.label} there, or say `environment: pin`, which needs it nowhere"
            raise UsageError(f"the environment has no {name!r}", mend=mend)
        for path in paths:
            if path.startswith(f"{name}/") and not _same(place / path[len(name) + 1 :], project.tree.read(path)):
                what = f"the environment has another {name!r} than the pinned one"
                evidence = (f"{path} differs from {project.pin.label}",)
                raise UsageError(what, evidence=evidence, mend=f"install {project.pin.label} there")


def _same(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() == data
    except OSError:
        return False


def _fact(asked: Run, name: str, folder: Path, environ: Mapping[str, str], way: Recording) -> str:
    done = run(asked.facts[name], folder, environ, way.limit, errors=False)
    first = done.output.partition("\n")[0].strip()
    if done.exit or not first.isprintable() or not first:
        what = f"the fact {name!r} of {asked.id!r} cannot be told: {asked.facts[name]}"
        why = f"it ended with {done.exit}" if done.exit else "it has nothing to show in its first line"
        mend = "correct its command, or take it out of `facts`"
        raise UsageError(what, path=str(asked.place), evidence=(why,), mend=mend)
    return first


def _hold_output(asked: Run, output: str, folders: tuple[str, ...]) -> None:
    """Raise `UsageError` for what no page is to show: a folder of this machine, or what terminals obey."""
    strange = next((char for char in output if not char.isprintable() and char not in _BLANKS), "")
    if strange:
        mend = "let the program write plain text"
        raise UsageError(f"the output of {asked.id!r} has the character U+{ord(strange):04X}", mend=mend)
    for folder in filter(None, folders):
        if folder in output:
            mend = "let the program write paths from its own folder"
            raise UsageError(f"the output of {asked.id!r} names a folder of this machine: {folder}", mend=mend)


def _facts(old: Record | None, new: Record) -> tuple[str, ...]:
    """The facts that differ from those of the record."""
    if old is None:
        return ()
    names = dict.fromkeys((*old.facts, *new.facts))
    pairs = ((name, old.facts.get(name, "nothing"), new.facts.get(name, "nothing")) for name in names)
    return tuple(f"{name}: {was} was recorded, {now} now" for name, was, now in pairs if was != now)


def _difference(asked: Run, old: str, new: str) -> tuple[str, ...]:
    """How two outputs differ beside what may differ, which is shown as `…`."""
    hide: Callable[[str], str] = lambda text: text  # noqa: E731
    if asked.volatile:
        pattern = re.compile("|".join(f"(?:{each})" for each in asked.volatile))
        hide = lambda text: pattern.sub("…", text)  # noqa: E731
    before, after = (hide(text).split("\n") for text in (old, new))
    lines = list(difflib.unified_diff(before, after, "recorded", "now", lineterm="", n=2))
    left = len(lines) - _MOST
    return (*lines[:_MOST], f"… {left} more lines") if left > 1 else tuple(lines)
