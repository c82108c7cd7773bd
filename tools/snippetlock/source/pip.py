"""Run pip: as the user set it up for index, proxies and certificates, and as nobody set it up for anything else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

_TICK = 0.2  # seconds between two looks at a pip that works
# What the user may have told pip for other work, and what would change which file is asked for.
_CLEARED = (
    r"PIP_(?:ABI|CONSTRAINT|DEST|DRY_RUN|IGNORE_INSTALLED|IMPLEMENTATION|LOG|NO_BINARY|NO_DEPS|ONLY_BINARY|PLATFORM|PRE"
    r"|PREFIX|PYTHON|PYTHON_VERSION|QUIET|REPORT|REQUIRE_HASHES|REQUIREMENT|ROOT|TARGET|UPGRADE|USER|VERBOSE)"
)
OFFLINE = (
    "connection broken by|Max retries exceeded|ConnectionError|Temporary failure in name resolution"
    "|Network is unreachable|timed out|ProxyError|SSLError"
)


def pip_command(command: str) -> list[str]:
    """The beginning of pip's command line. Nothing is asked of the user."""
    # A `pip` folder or a `calendar.py` where the user stands is not to be run. Who has us run isolated from the
    # environment too wants that of pip; else pip may be where only PYTHONPATH or the user's own packages are.
    alone = "-I" if sys.flags.isolated else "-P"
    return [
        *(sys.executable, alone, "-X", "utf8", "-m", "pip", command),
        *("--no-input", "--disable-pip-version-check", "--no-color", "--progress-bar", "off"),
    ]


def tag_options(file: str) -> list[str]:
    """The options that ask for the tags in a wheel's name."""
    pythons, abis, platforms = (part.split(".") for part in file.removesuffix(".whl").rsplit("-", 3)[1:])
    tag = re.match(r"(?P<implementation>[a-z]+)(?P<major>\d)(?P<minor>\d*)", pythons[-1])
    target = []
    if tag:
        version = ".".join(filter(None, (tag["major"], tag["minor"])))
        target = ["--implementation", tag["implementation"], "--python-version", version]
    for flag, values in (("--abi", abis), ("--platform", platforms)):
        for value in values:
            target += [flag, value]
    return target


def pip_environ(environ: Mapping[str, str] | None, room: Path) -> dict[str, str] | None:
    """pip's environment: the user's index and proxies, none of what would change the question or the words."""
    if environ is None:
        return None
    kept = {key: value for key, value in environ.items() if not re.fullmatch(_CLEARED, key, re.I)}
    # pip puts what it is downloading into TMPDIR: there the progress can be seen.
    return {"PIP_RETRIES": "2", **kept, "LC_ALL": "C", "PYTHONUTF8": "1", "TMPDIR": str(room)}


def run_pip(
    args: list[str],
    room: Path,
    report: Callable[[int, int], None] | None,
    environ: dict[str, str] | None,
    limit: float | None = None,
) -> tuple[int | None, str]:
    """Run pip to its end: its exit code, and what it said. How much has come is reported on the way.

    The code is None for a pip that neither said anything nor got anything for `limit` seconds, and was ended.
    """
    log = room / "pip.log"
    with log.open("wb") as out:
        process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environ)
        try:
            code = _awaited(process, log, room, report, limit)
        finally:
            if process.poll() is None:  # interrupted: leave no pip behind
                process.kill()
                process.wait()
    if report and code == 0:
        report(_size(room), _size(room))
    return code, log.read_bytes().decode("utf-8", errors="replace")


def _awaited(
    process: subprocess.Popen[bytes],
    log: Path,
    room: Path,
    report: Callable[[int, int], None] | None,
    limit: float | None,
) -> int | None:
    silent, heard = 0, (0, 0)
    while limit is None or silent * _TICK < limit:
        try:
            return process.wait(timeout=_TICK)
        except subprocess.TimeoutExpired:
            now = log.stat().st_size, _size(room)
            silent, heard = silent + 1 if now == heard else 0, now
            if report:
                report(now[1], 0)
    return None


def _size(room: Path) -> int:
    """Bytes of the largest wheel below: for a moment pip keeps two copies. Files come and go while we look."""
    largest = 0
    wheels = (Path(folder, name) for folder, _, names in os.walk(room) for name in names if name.endswith(".whl"))
    for wheel in wheels:
        with suppress(FileNotFoundError):
            largest = max(largest, wheel.stat().st_size)
    return largest
