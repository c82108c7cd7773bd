"""Small git histories for tests: folders of files turned into commits, the same names of commits every time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

START = 1_700_000_000  # seconds; each commit is a minute after the one before


class History:
    """A repository in `folder`, made by plain git with nobody's settings. `self.env` is what git sees."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.count = 0
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main", "--template=", *options)

    @property
    def url(self) -> str:
        return f"file://{self.folder}"

    @property
    def env(self) -> dict[str, str]:
        date = f"{START + 60 * self.count} +0100"
        people = {f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")}
        mails = {f"GIT_{who}_EMAIL": "ada@example.org" for who in ("AUTHOR", "COMMITTER")}
        dates = {f"GIT_{who}_DATE": date for who in ("AUTHOR", "COMMITTER")}
        nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
        return {"PATH": os.environ["PATH"], **nobody, **people, **mails, **dates}

    def git(self, *arguments: str, feed: bytes = b"") -> str:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments], input=feed, env=self.env, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: dict[str, str | bytes | None]) -> None:
        """Put files into the work tree; None takes one away."""
        for path, text in files.items():
            place = self.folder / path
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))

    def commit(self, files: dict[str, str | bytes | None] | None = None, message: str = "change") -> str:
        """Change files, commit all there is, and return the commit's name."""
        self.write(files or {})
        self.count += 1
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", message)
        return self.git("rev-parse", "HEAD")

    def merge(self, branch: str, message: str = "merge") -> str:
        self.count += 1
        self.git("merge", "--quiet", "--no-ff", "--message", message, branch)
        return self.git("rev-parse", "HEAD")

    def serve(self) -> str:
        """Let it be cloned without contents, as the large hosts do; the URL."""
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        return self.url
