"""A repository that is made to be measured: a library whose functions change commit by commit."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

MODULES, COMMITS, TOUCHED = 40, 300, 4
RENAMING = 15  # commits from one that renames functions to the next


def git(folder: Path, *arguments: str, feed: bytes = b"") -> str:
    """What git says; `feed` is what it is told. Raises where it ends with anything but 0."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], input=feed, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def repository(folder: Path, renaming: int = RENAMING) -> None:
    """A repository written in one go: each commit changes the body of a function in a few modules, or some names."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    chance = random.Random(3)
    bodies = {(m, f): 0 for m in range(MODULES) for f in range(30)}
    names = {(m, f): f"f{f}" for m, f in bodies}
    stream = []
    for number in range(COMMITS):
        touched = range(MODULES) if number == 0 else sorted(chance.sample(range(MODULES), TOUCHED))
        message = f"Change {number}"
        who = f"Ada <ada@example.org> {1_700_000_000 + number} +0000"
        stream.append(f"commit refs/heads/main\ncommitter {who}\ndata {len(message)}\n{message}\n")
        for module in touched:
            bodies[module, chance.randrange(30)] += number > 0
            if renaming and number % renaming == renaming - 1:
                names |= {(module, f): f"f{f}_at_{number}" for f in chance.sample(range(30), 8)}
            text = "".join(_function(names[module, f], f, bodies[module, f]) for f in range(30))
            stream.append(f"M 100644 inline src/many/m{module}.py\ndata {len(text)}\n{text}\n")
        if number == 0:
            stream.append("M 100644 inline src/many/__init__.py\ndata 0\n\n")
    git(folder, "fast-import", "--quiet", feed="".join(stream).encode())


def _function(name: str, number: int, version: int) -> str:
    lines = "".join(f"    total += {line * number} * a if b else {line * number + version}\n" for line in range(20))
    return f'def {name}(a, b=None):\n    """Function {number}."""\n    total = 0\n{lines}    return total\n\n\n'
