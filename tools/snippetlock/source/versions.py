"""What a file of a checkout was in the commits that changed it, the newest first. Reads git's objects, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from snippetlock.source.commits import blobs
from snippetlock.source.git import call
from snippetlock.source.repository import holding, local

__all__ = ["versions"]

_RAW = re.compile(rb":\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AMRT]")


def versions(path: Path, most: int) -> Iterator[tuple[str, bytes]]:
    """The commit and the content of a file (absolute) as the last `most` commits that changed it left it.

    Renames are followed. Raises `RepositoryError` where the file is in no checkout, or git cannot be asked.
    """
    top = holding(path.parent)
    with local(top) as repo:
        name = path.relative_to(top).as_posix()
        options = ("--follow", "--raw", "--no-abbrev", f"--max-count={most}", "--format=%H", "--no-mailmap")
        _, said = call(
            repo.git_dir, "--literal-pathspecs", "log", *options, "HEAD", "--", name, ok=(0, 128), where=repo.name
        )
        commits, ids = [], []
        commit = b""
        for line in said.split(b"\n"):
            match = _RAW.match(line)
            if match:
                commits.append(commit.decode("ascii"))
                ids.append(match[1].decode("ascii"))
            elif line:
                commit = line
        for commit_name, (_, data) in zip(commits, blobs(repo, ids), strict=True):
            if data is not None:
                yield commit_name, data
