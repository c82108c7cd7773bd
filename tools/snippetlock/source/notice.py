"""The library's licence, for the pages that show its files whole."""

from __future__ import annotations

import re
from typing import Protocol

_NOTICE = r"(?:LICEN[CS]E|COPYING|NOTICE)(?:[.-][A-Za-z0-9.-]+)?"


class HasNotices(Protocol):
    """A tree that can say where its licence files are: every one of this package."""

    def notices(self) -> tuple[tuple[str, bytes], ...]: ...


def is_notice(name: str) -> bool:
    """Whether a file of this name states the licence."""
    return re.fullmatch(_NOTICE, name, re.I) is not None


def licence(tree: HasNotices) -> str:
    """The text of every licence file, one after the other; empty when the library carries none."""
    texts = [data.decode("utf-8-sig", errors="replace").strip("\r\n") for _, data in tree.notices()]
    return "\n\n".join(texts) + "\n" if texts else ""
