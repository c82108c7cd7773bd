"""What every measure needs: the pinned wheel, caches that hold nothing else, and the processor time of commands.

Processor time, of user and system, because other work on the machine changes it less than the clock.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from snippetlock.config import cache_dir, load_config, load_pin
from snippetlock.source import pinned_wheel

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-m", "snippetlock")


class Room:
    """A folder for copies and caches, and the pinned wheel. Ends the program where that is not in the cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pin = load_pin(load_config(ROOT))
        self.home = cache_dir(os.environ)
        self.wheel = pinned_wheel(self.pin, self.home)
        if not self.wheel.exists():
            sys.exit("the pinned wheel is not in the cache: run `snippetlock pin fetch`")
        self._number = 0

    def cache(self) -> Path:
        """A cache that holds the wheel and nothing else."""
        self._number += 1
        folder = self.folder / f"cache-{self._number}"
        place = folder / self.wheel.relative_to(self.home)
        place.parent.mkdir(parents=True)
        try:
            os.link(self.wheel, place)
        except OSError:
            shutil.copyfile(self.wheel, place)
        return folder


def environ(cache: Path) -> dict[str, str]:
    """As `make` has it; Python may keep its bytecode, which is there wherever the tool was installed."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache)}
    environ |= {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    return {name: value for name, value in environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def processor() -> float:
    """Seconds that the processes we waited for, and those that they waited for, have computed."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A command, where it is run, the cache that it has, and how it may end."""

    command: Sequence[str]
    place: Path
    cache: Path
    ends: tuple[int, ...] = (0,)


def together(sides: Sequence[Side]) -> list[float]:
    """Run all sides at the same time: the seconds of processor time of each."""
    running = []
    for side in sides:
        said = tempfile.TemporaryFile()  # noqa: SIM115 - the process has it until it ends
        process = subprocess.Popen(side.command, cwd=side.place, env=environ(side.cache), stdout=said, stderr=said)
        running.append((process, said))
    times = []
    for side, (process, said) in zip(sides, running, strict=True):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in side.ends:
            said.seek(0)
            sys.exit(f"{' '.join(side.command)} ended with {process.returncode}:\n{said.read().decode()}")
        said.close()
        times.append(used.ru_utime + used.ru_stime)
    return times
