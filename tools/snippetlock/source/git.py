"""Run git: the one place that starts it. It never asks a question, and never works where the user happens to be.

Reading sees none of the user's settings and no network: what a commit holds is the same for everyone. Only what
talks to another machine gets the environment that the caller passes on: proxies, credentials, certificates.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from snippetlock.errors import RepositoryError

PROTOCOLS = ("file", "git", "http", "https", "ssh")  # not `ext::`, which runs a program
_TICK = 0.1  # seconds between two looks at a silent git
_KEPT = 20_000  # bytes of what git said that are kept: its last words say why it failed
_ALWAYS = {
    "LC_ALL": "C",  # its words are read below
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",  # set and empty: also bars `core.askPass`
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a fetch that fetches while it fetches can go on for ever (git 2.39, a shallow source)
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit's name stands for what it holds, not for a substitute
}
_READING = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "none",  # so that no git, however old, fetches what a partial clone lacks
}
# Of git's own variables only those that say how to reach a server; the rest would turn us to another repository.
_LET_THROUGH = r"GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|EXEC_PATH|(?:SSL|HTTP|CONFIG)_.*)"
_DROPPED = r"GIT_.*|SSH_ASKPASS|LANGUAGE"
# A repository's own settings can name programs to run; these are the ones that our commands would heed.
_TAME = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "log.showSignature=false", "gc.auto=0")
_SETTINGS = tuple(part for setting in _TAME for part in ("-c", setting))


def reading() -> dict[str, str]:
    """The environment of a git that only reads."""
    return {"PATH": os.pathsep.join(os.get_exec_path()), **_ALWAYS, **_READING}


def reaching(environ: Mapping[str, str] | None) -> dict[str, str]:
    """The environment of a git that talks to a server: the caller's, without what would change the question.

    Where it is None git knows no more than where programs are.
    """
    given = {"PATH": os.pathsep.join(os.get_exec_path())} if environ is None else environ
    kept = {k: v for k, v in given.items() if re.fullmatch(_LET_THROUGH, k) or not re.fullmatch(_DROPPED, k)}
    return {**kept, **_ALWAYS, "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS)}


def command(git_dir: Path | None, *arguments: str) -> list[str]:
    """git's command line; the repository is always named, there is no default."""
    where = [f"--git-dir={git_dir}"] if git_dir else []
    return ["git", *where, *_SETTINGS, *arguments]


def unnamed() -> IO[bytes]:
    """A file that is gone when it is closed: a git that says much of what is wrong waits for nobody to hear it."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("git"), "w+b")
    from tempfile import TemporaryFile  # with all that it imports it takes as long as git does

    return TemporaryFile()


def start(git_dir: Path, *arguments: str, errors: IO[bytes], feed: bool = False) -> subprocess.Popen[bytes]:
    """Start a git that reads; its output is a pipe, and its input too with `feed`. Raises `RepositoryError`."""
    stdin = subprocess.PIPE if feed else subprocess.DEVNULL
    return _popen(command(git_dir, *arguments), git_dir, reading(), stdin, subprocess.PIPE, errors, apart=False)


def call(git_dir: Path, *arguments: str, ok: Sequence[int] = (0,), where: str = "") -> tuple[int, bytes]:
    """Run a git that reads to its end: exit code and output. Raises `RepositoryError` for a code not in `ok`."""
    with unnamed() as errors, start(git_dir, *arguments, errors=errors) as process:
        output = process.communicate()[0]
        if process.returncode not in ok:
            raise failed(words(errors), where or str(git_dir))
    return process.returncode, output


def output(folder: Path, environ: Mapping[str, str], *arguments: str) -> tuple[int, bytes, str]:
    """Run git about the work tree around a folder: exit code, output and what it said. Raises `RepositoryError`."""
    with unnamed() as errors:
        process = _popen(
            command(None, *arguments), folder, environ, subprocess.DEVNULL, subprocess.PIPE, errors, apart=False
        )
        with process:
            found = process.communicate()[0]
        return process.returncode, found, words(errors)


def talk(
    arguments: list[str],
    folder: Path,
    environ: Mapping[str, str],
    limit: float,
    report: Callable[[int, int], None] | None = None,
    feed: bytes = b"",
) -> tuple[int | None, str]:
    """Run a git that talks to a server: its exit code and what it said; the code is None when it was silent too long.

    `limit` is in seconds without any word of progress, so a slow server may take its time and a dead one may
    not. Whatever happens, no process is left behind.
    """
    with unnamed() as file:
        file.write(feed)
        file.seek(0)
        # In a session of its own git has no terminal to ask at, and one signal ends its helpers too.
        process = _popen(arguments, folder, environ, file, subprocess.DEVNULL, subprocess.PIPE, apart=True)
        try:
            said, silent = _listen(process, limit, report)
            return (None if silent else process.wait()), said
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stderr:
                process.stderr.close()


def _listen(
    process: subprocess.Popen[bytes], limit: float, report: Callable[[int, int], None] | None
) -> tuple[str, bool]:
    """What git says until it ends, and whether it stopped saying anything before."""
    assert process.stderr is not None
    pipe, said, heard, told = process.stderr.fileno(), b"", time.monotonic(), None
    while True:
        ended = process.poll() is not None  # asked before the pipe: what was said last is not missed
        if select.select([pipe], [], [], 0 if ended else _TICK)[0]:
            piece = os.read(pipe, 65536)
            if not piece:
                return _text(said), False
            said, heard = (said + piece)[-_KEPT:], time.monotonic()
            counts = re.findall(rb"\((\d+)/(\d+)\)", said[-len(piece) - 40 :])  # one may have come in two pieces
            if report and counts and counts[-1] != told:
                told = counts[-1]
                report(int(told[0]), int(told[1]))
        elif ended:  # a helper that lives on may keep the pipe open
            return _text(said), False
        elif time.monotonic() - heard > limit:
            return _text(said), True


def _popen(
    arguments: list[str],
    folder: Path,
    environ: Mapping[str, str],
    stdin: int | IO[bytes],
    stdout: int,
    stderr: int | IO[bytes],
    *,
    apart: bool,
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            arguments, cwd=folder, env=environ, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=apart
        )
    except OSError as error:
        if str(error.filename) == str(folder):
            raise RepositoryError(f"the repository is gone: {folder}", mend="run the command again") from error
        what = "git is not installed" if isinstance(error, FileNotFoundError) else f"git cannot run: {error.strerror}"
        raise RepositoryError(what, mend="install git, 2.32 or newer, where PATH finds it") from error


def words(errors: IO[bytes]) -> str:
    """What a git wrote into this file."""
    errors.seek(0)
    return _text(errors.read())


def _text(said: bytes) -> str:
    return said.decode("utf-8", errors="replace")


def failed(said: str, where: str) -> RepositoryError:
    """The error for a git that could not read; its own last words are the evidence."""
    if "not a git repository" in said:
        mend = "name a checkout's top folder, a bare repository, or a URL"
        return RepositoryError(f"{where} is not a repository", mend=mend)
    mend = "look at the repository with `git fsck`"
    return RepositoryError(f"git could not read {where}", evidence=last_words(said), mend=mend)


def last_words(said: str) -> tuple[str, ...]:
    """The line of git's that says why it failed, without passwords; nothing when it said nothing."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", said) if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return tuple(hidden(line) for line in (fatal or lines)[-1:])


def hidden(text: str) -> str:
    """Text without the user names and passwords of its web addresses: a name alone is often a token."""
    return re.sub(r"(https?://)[^/@\s]+@", r"\1***@", text)
