"""A tree of files held in memory: the double of every test."""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock.source.door import LARGEST, check, missing, too_large, unsafe


class DictTree:
    """Files from a mapping of path to bytes. `identity` is the caller's word for the whole, if any."""

    def __init__(self, files: Mapping[str, bytes], identity: str | None = None) -> None:
        for path in files:
            check(path)
        self._files = dict(files)
        self.identity = identity

    def read(self, path: str) -> bytes:
        check(path)
        if path not in self._files:
            raise missing(path, self.paths())
        data = self._files[path]
        if len(data) > LARGEST:
            raise too_large(path, len(data), LARGEST)
        return data

    def has(self, path: str) -> bool:
        return not unsafe(path) and path in self._files

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))

    def notices(self) -> tuple[tuple[str, bytes], ...]:
        """The licence files: those so called at the top."""
        from snippetlock.source.notice import is_notice

        return tuple((path, self._files[path]) for path in self.paths() if is_notice(path))
