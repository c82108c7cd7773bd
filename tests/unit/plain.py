"""A copy of the project in `tests/sites/plain`, for tests that change one."""

import shutil
from pathlib import Path

from snippetlock.workflow import Project, open_project

PLAIN = Path(__file__).parents[1] / "sites" / "plain"
LOCK = "snippets/snippets.lock"
SOURCE = "lib/tally/_counting.py"


def copy_of(folder: Path) -> Path:
    """The copy's root."""
    return Path(shutil.copytree(PLAIN, folder / "plain"))


def opened(root: Path) -> Project:
    """A new look at it, with its cache beside it."""
    return open_project(root, root.parent / "cache")


def edit(file: Path, old: str, new: str) -> None:
    """Replace what is there exactly once."""
    text = file.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} is in {file.name} {text.count(old)} times"
    file.write_bytes(text.replace(old, new).encode())


def state(root: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
