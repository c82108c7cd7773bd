"""Small projects written file by file, for tests of what commands say of one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Run = Callable[..., tuple[int, str, str]]


def write(path: Path, text: str) -> None:
    """Write a file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def accepted(root: Path, files: Mapping[str, str], run: Run) -> Path:
    """The project that the files make, with all that it shows accepted."""
    for name, text in files.items():
        write(root / name, text)
    assert run("update", cwd=root)[0] == 0
    return root


def findings(run: Run, root: Path, *command: str) -> list[dict[str, Any]]:
    """What a command finds, `check` by default; its exit code says whether there is anything."""
    code, said, _ = run(*(command or ("check",)), "--format", "json", cwd=root)
    found: list[dict[str, Any]] = json.loads(said)["findings"]
    assert code == bool(found)
    return found
