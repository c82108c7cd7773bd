"""Run a command of the docs' own, because somebody asked for it: what it says, and how it ends. Judges nothing.

The one place that runs a program of a project. Its output, standard error among it, is taken as a terminal shows it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from snippetlock.errors import UsageError
from snippetlock.model import Tree
from snippetlock.records import dataclass

__all__ = ["Ran", "environment", "laid_out", "locations", "run"]

# So that a run on one machine says what it says on another: no colours, 80 columns, UTF-8; nothing left behind.
_SET = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONUTF8": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
}
_DROPPED = (
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONWARNINGS",
    "VIRTUAL_ENV",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
)
_MOST = 1_000_000  # bytes that a command may say: one that never stops would fill the memory before its time is up
_FIND = (
    "import sys, importlib.util as u\n"
    "for name in sys.argv[1:]:\n"
    "    spec = u.find_spec(name)\n"
    "    found = (spec.submodule_search_locations or [spec.origin]) if spec else ['']\n"
    "    print(next(iter(found)) or '')\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a command ended, and what it said; `output` has line feeds, and none at its end."""

    exit: int
    output: str


def environment(environ: Mapping[str, str], folder: Path | None, library: Path | None) -> dict[str, str]:
    """The variables that a command sees. `library` is imported from there.

    The programs of `folder` come first; without one those beside the Python that runs this.
    """
    kept = {key: value for key, value in environ.items() if key not in _DROPPED}
    programs = folder / "bin" if folder is not None else Path(sys.executable).parent
    kept["PATH"] = os.pathsep.join(filter(None, (str(programs), environ.get("PATH", ""))))
    if folder is not None:
        kept["VIRTUAL_ENV"] = str(folder)
    if library is not None:
        kept["PYTHONPATH"] = str(library)
    return {**kept, **_SET}


@contextmanager
def laid_out(tree: Tree) -> Iterator[Path]:
    """A folder with the files of a state of the library, to import them from; it is gone afterwards.

    Raises `UsageError` where there is no room for it, and what `tree.read` does.
    """
    with tempfile.TemporaryDirectory(prefix="snippetlock-") as name:
        for path in tree.paths():
            file = Path(name, path)
            data = tree.read(path)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            except OSError as error:
                what = f"the library cannot be laid out to be imported: {error.strerror or error}"
                raise UsageError(what, path=path, mend="make room in the folder for temporary files") from error
        yield Path(name)


def run(command: str, folder: Path, environ: Mapping[str, str], limit: float, *, errors: bool = True) -> Ran:
    """Run a command with `sh` in a folder; `limit` is in seconds. Without `errors` what goes to standard error is lost.

    Raises `UsageError` where it cannot be started, takes longer, says more than a page could show, or says what is no
    UTF-8 text. Whatever comes of it, nothing that it began goes on.
    """
    process = _started(command, folder, environ, subprocess.STDOUT if errors else subprocess.DEVNULL)
    slow = threading.Event()

    def late() -> None:
        slow.set()
        _kill(process)

    timer = threading.Timer(limit, late)
    try:
        timer.start()
        data = process.stdout.read(_MOST + 1) if process.stdout else b""
        if len(data) <= _MOST:
            process.wait()
    finally:
        timer.cancel()
        _kill(process)
        if process.stdout:
            process.stdout.close()
        process.wait()
    if slow.is_set():
        mend = "give it longer: --timeout SECONDS"
        raise UsageError(f"it did not end within {limit:g} seconds: {command}", mend=mend)
    if len(data) > _MOST:
        raise UsageError(f"it says more than {_MOST:,} bytes: {command}", mend="let it say what a page can show")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"what it says is no UTF-8 text: {command}", mend="let it write UTF-8") from error
    return Ran(exit=process.returncode, output=text.replace("\r\n", "\n").rstrip("\n"))


def _started(command: str, folder: Path, environ: Mapping[str, str], errors: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["sh", "-c", command],
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    except OSError as error:
        mend = "see that PATH leads to `sh`, and that the example's folder may be entered"
        raise UsageError(f"it cannot be started: {error.strerror}: {command}", mend=mend) from error


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a command and all that it began, also where it has ended itself."""
    with suppress(ProcessLookupError, PermissionError):  # the second is what macOS says of a group of the dead
        os.killpg(process.pid, signal.SIGKILL)


def locations(names: Sequence[str], environ: Mapping[str, str]) -> dict[str, Path | None]:
    """Where the Python of an environment has these packages, without importing them; None for one that it has not.

    Raises `UsageError` where there is no Python.
    """
    for python in ("python", "python3"):
        try:
            done = subprocess.run(
                [python, "-P", "-c", _FIND, *names],
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            if done.returncode == 0:
                found = done.stdout.split("\n")
                return {name: Path(place) if place else None for name, place in zip(names, found, strict=False)}
            last = done.stderr.strip().rpartition("\n")[2]
        except FileNotFoundError:
            continue
        except OSError as error:
            last = error.strerror or str(error)
        raise UsageError(f"{python} of the environment does not run: {last}", mend="make the environment anew")
    raise UsageError("there is no Python to run with", mend="name an `environment` that has one in its bin/")
