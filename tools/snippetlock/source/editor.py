"""Open a file in somebody's editor, and wait until they are done. The only program here that is not git or pip."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path


def edit(command: Sequence[str], folder: Path) -> str:
    """Run the editor; what to say about it, empty when all went well. Raises nothing."""
    if not command:
        return "no editor is set: set VISUAL or EDITOR\n"
    try:
        done = subprocess.run(command, cwd=folder, check=False)
    except OSError as error:
        return f"{command[0]} cannot be run: {error.strerror}; set VISUAL or EDITOR to the command of an editor\n"
    return f"{command[0]} ended with {done.returncode}\n" if done.returncode else ""
