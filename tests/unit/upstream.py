"""A docs project pinned to the first commit of a small library of ours, whose later commits a test makes."""

from __future__ import annotations

from pathlib import Path

from gitrepo import History

CORE = '''"""Keep things."""

from dataclasses import dataclass

SIZES = [1, 2, 4]


class Shelf:
    """Where things stand."""

    depth: int = 3

    def put(self, thing: str, *, at: int = 0) -> int:
        """Put a thing on the shelf."""
        # From the left.
        place = at + self.depth
        self.things.insert(place, thing)
        return place


def weigh(things: list[str], unit: float = 1.0) -> float:
    return sum(len(thing) for thing in things) * unit
'''
START = {
    "src/kit/__init__.py": "from kit.core import Shelf as Shelf\nfrom kit.core import weigh as weigh\n",
    "src/kit/core.py": CORE,
    "src/kit/other.py": "def unrelated() -> None:\n    return None\n",
    "README.md": "A library.\n",
}
DEFINITIONS = """put:
  source: kit:Shelf.put
sizes:
  source: kit.core:SIZES
weigh:
  source: kit:weigh
"""
PAGE = '# Kit\n\n```python snippet="put"\n```\n\n```python snippet="sizes"\n```\n\n```python snippet="weigh"\n```\n'


def library(repo, name: str = "up") -> tuple[History, str]:
    """The repository, and its first commit."""
    history = repo(name)
    return history, history.commit(START, "Start")


def project(folder: Path, url: str, commit: str, definitions: str = DEFINITIONS) -> Path:
    """A project in `folder`, pinned to a commit of the repository at `url`."""
    files = {
        "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\n',
        "pin.yaml": f"name: kit\ngit:\n  commit: {commit}\nrepository:\n  url: {url}\n  root: src\n",
        "snippets/kit.yaml": definitions,
        "docs/index.md": PAGE,
        "docs/index.zh.md": PAGE,
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def core(old: str, new: str, text: str = CORE) -> dict[str, str]:
    """The library's main file with one place changed."""
    assert text.count(old) == 1, old
    return {"src/kit/core.py": text.replace(old, new)}
