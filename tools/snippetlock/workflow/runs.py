"""Runs of the docs' own programs: what was recorded, and whether it is still of what is there. Runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from snippetlock.config.runs import Run
from snippetlock.config.strays import EXAMPLES, RUNS, beneath
from snippetlock.errors import LockError, SnippetlockError, nearest
from snippetlock.lock.runs import Record, parse_record
from snippetlock.model import Finding, Pin, Place, Tree
from snippetlock.reading import read_file
from snippetlock.text import sha256
from snippetlock.workflow.project import Project

__all__ = ["changes", "file_of", "files_of", "judge_run", "run_findings", "said", "state_of", "stored", "strays_of"]

_TESTS = ("test_", "conftest.", "pytest.")  # how names begin of what no output depends on


def said(command: str, output: str) -> str:
    """A run as a page shows it: what was typed, and what came of it."""
    return f"$ {command}\n{output}\n" if output else f"$ {command}\n"


def file_of(project: Project, name: str) -> Path:
    """The file of a run's record."""
    return project.config.snippets / RUNS / f"{name}.json"


def files_of(project: Project, run: Run) -> dict[str, str]:
    """The digest of each file of a run's example, by its path in the project; its tests aside. Empty for no example.

    Raises `TreeError` for one that is refused.
    """
    found = {}
    for name in beneath(str(project.config.snippets)):
        if name.startswith(f"{EXAMPLES}/{run.example}/") and not _is_test(name[len(EXAMPLES) + len(run.example) + 2 :]):
            path = project.examples + name[len(EXAMPLES) + 1 :]
            found[path] = sha256(project.own.read(path))
    return found


def _is_test(name: str) -> bool:
    *folders, file = name.split("/")
    return file.startswith(_TESTS) or any(folder in ("test", "tests") for folder in folders)


def state_of(pin: Pin, tree: Tree) -> str:
    """What tells the pinned library from any other state of it. Every file of a folder is read for it."""
    if pin.kind == "git":
        return f"commit:{pin.commit}"
    if tree.identity is not None:
        return tree.identity
    listed = [f"{path} {sha256(tree.read(path))}\n" for path in tree.paths() if path.endswith((".py", ".pyi"))]
    return f"folder:{sha256(''.join(listed))}"


def stored(project: Project, name: str) -> Record | None:
    """The record of a run; None where there is none. Raises `LockError` for one that cannot be read."""
    file = file_of(project, name)
    path = project.config.name(file)
    try:
        text = read_file(file).decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror or str(error)
        mend = "remove it, and record the run again: `snippetlock record`"
        raise LockError(f"cannot be read: {why}", path=path, mend=mend) from error
    return parse_record(text, path)


def changes(project: Project, run: Run, record: Record) -> tuple[str, ...]:
    """What of all that a run depends on is another thing than when it was recorded, a line each."""
    found = []
    if run.command != record.command:
        found.append(f"command: `{record.command}` was run, `{run.command}` is asked for")
    if run.exit != record.exit:
        found.append(f"exit: it ended with {record.exit}, {run.exit} is asked for")
    if record.state != state_of(project.pin, project.tree):
        pinned = project.pin.label
        how = "in another state" if record.library == pinned else f"and {pinned} is pinned"
        found.append(f"library: {record.library} was run, {how}")
    now = files_of(project, run)
    for path in sorted({*now, *record.files}):
        if now.get(path) != record.files.get(path):
            how = "is new" if path not in record.files else "is gone" if path not in now else "changed"
            if how == "changed" and sha256(project.own.read(path).replace(b"\r\n", b"\n")) == record.files[path]:
                how = "has other line ends: `* text=auto eol=lf` in .gitattributes keeps them"
            found.append(f"{path} {how}")
    return tuple(found)


def judge_run(project: Project, name: str) -> Record | Finding:
    """The record of a defined run, or the finding that says why it is worth nothing."""
    run, uses = project.runs[name], project.run_uses(name)
    again = f"run it where its environment is: snippetlock record {name}"
    try:
        record = stored(project, name)
        if record is None:
            message = f"{name!r} was never recorded"
            return Finding(
                rule="SL132", place=run.place, message=message, evidence=(run.command,), mend=again, uses=uses
            )
        path = project.config.name(file_of(project, name))
        if record.edited or record.id != name:
            message = f"{path} is not as the tool wrote it"
            return Finding(rule="SL134", place=run.place, message=message, mend=again, uses=uses)
        found = changes(project, run, record)
    except LockError as error:
        message = f"{error.where} is no record: {error.what}"
        return Finding(rule="SL134", place=run.place, message=message, mend=again, uses=uses)
    except SnippetlockError as error:
        return Finding(rule="SL133", place=run.place, message=error.headline, mend=error.mend, uses=uses)
    if found:
        message = f"what {name!r} was recorded of is no longer so"
        return Finding(rule="SL133", place=run.place, message=message, evidence=found, mend=again, uses=uses)
    return record


def run_findings(project: Project) -> Iterator[Finding]:
    """What is wrong with the runs and their records; pages that ask for none are others' business."""
    for name, run in project.runs.items():
        if not project.run_uses(name):
            yield Finding(rule="SL135", place=run.place, message=f"no page shows the run {name!r}")
        examples = _examples(project)
        if run.example not in examples:
            near = nearest(run.example, examples)
            mend = (
                f"did you mean {' or '.join(map(repr, near))}?" if near else f"name a folder below {project.examples}"
            )
            message = f"there is no example {run.example!r}"
            yield Finding(rule="SL133", place=run.place, message=message, mend=mend, uses=project.run_uses(name))
            continue
        found = judge_run(project, name)
        if isinstance(found, Finding):
            yield found
    for path in strays_of(project):
        message = "a record of no run: nothing defines it"
        yield Finding(rule="SL135", place=Place(path=path), message=message, mend="remove it, or define the run")


def _examples(project: Project) -> frozenset[str]:
    """Every folder that a run can name."""
    names = (name.split("/")[1:-1] for name in beneath(str(project.config.snippets)) if name.startswith(f"{EXAMPLES}/"))
    return frozenset("/".join(parts[: end + 1]) for parts in names for end in range(len(parts)))


def strays_of(project: Project) -> tuple[str, ...]:
    """The files among the records that are no record of a run, by their paths in the project."""
    known = {f"{RUNS}/{name}.json" for name in project.runs}
    here = (name for name in beneath(str(project.config.snippets)) if name.startswith(f"{RUNS}/"))
    return tuple(project.config.name(project.config.snippets / name) for name in here if name not in known)
