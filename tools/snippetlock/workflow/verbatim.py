"""Whether a piece of code stands in the pinned library word for word, wherever that is."""

from __future__ import annotations

from functools import cached_property

from snippetlock.errors import SnippetlockError
from snippetlock.model import Tree
from snippetlock.text import decode, split_lines


class Verbatim:
    """The lines of the library's Python files, read when somebody asks for the first time.

    Indentation and blank lines do not count: a docstring is shown without the indentation that it has in its file.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def holds(self, text: str) -> bool:
        """Whether the text is whole lines that follow each other in one file. One without a word in it is not."""
        wanted = _lines(text)
        return any(character.isalnum() for character in wanted) and any(wanted in file for file in self._files)

    @cached_property
    def _files(self) -> tuple[str, ...]:
        files = []
        for path in self._tree.paths():
            if path.endswith(".py"):
                try:
                    files.append(_lines(decode(self._tree.read(path), path, python=True)))
                except SnippetlockError:  # nothing can be quoted from it, so nothing is
                    continue
        return tuple(files)


def _lines(text: str) -> str:
    """The text's lines, each between two line ends of its own; those without anything on them are left out."""
    stripped = (line.strip() for line in split_lines(text))
    return "".join(f"\n{line}\n" for line in stripped if line)
