"""What can go wrong, one class for each thing a reader can do about it.

    SnippetlockError
    ├── UsageError         the command line asks for something that cannot be done
    ├── ConfigError        pyproject.toml, the pin or a definitions file is malformed
    ├── PinError           the pinned library cannot be had as it was recorded
    │   └── NoRelease      there is no such release, or nothing of it that can be read
    ├── RepositoryError    the library's repository cannot be had, or has no such revision
    ├── LockError          the lock file cannot be read, or another process is writing it
    ├── WorkerError        a process of ours was ended by somebody else
    ├── TreeError          a file of the tree cannot be read
    │   └── MissingFile    the tree has no such file
    ├── SourceError        a file was read, but its grammar or encoding defeats us
    ├── SelectorError      a selector does not name exactly one thing
    │   ├── UnknownSymbol
    │   └── AmbiguousSymbol
    └── ViewError          the view does not fit what was selected
        └── HighlightError a highlighted text is absent, or there more than once

The first six mean "could not check" (exit 2). The others become findings (exit 1) where a page or a
definition asked, because the rest can still be checked. Only `workflow` makes that translation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

LISTED = 20
"""How many candidates a message lists: a file can have thousands of one name, and nobody reads them."""

ELSEWHERE = "quote another definition, or report it upstream"
OTHER_FILE = "quote from another file, or report it upstream"
"""How to mend what is wrong in the library itself: whoever quotes from a release or a commit cannot edit it."""


class SnippetlockError(Exception):
    """Where, what, the evidence, how to mend: the four things a message owes its reader.

    `line` and `column` are 1-based. `evidence` is one line of text each, without an end of line. `advice` gives
    evidence and mend in their place when one of them is first asked for: most errors are answers that somebody goes
    on with (it is not there: where is it now?), and what could have been meant takes longer than all the rest.
    """

    def __init__(
        self,
        what: str,
        *,
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        evidence: Iterable[str] = (),
        mend: str = "",
        advice: Callable[[], tuple[Iterable[str], str]] | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.path = path
        self.line = line
        self.column = column
        self._evidence = tuple(evidence)
        self._mend = mend
        self._advice = advice

    @property
    def evidence(self) -> tuple[str, ...]:
        self._advised()
        return self._evidence

    @property
    def mend(self) -> str:
        self._advised()
        return self._mend

    @mend.setter
    def mend(self, mend: str) -> None:
        self._advised()
        self._mend = mend

    def _advised(self) -> None:
        if self._advice is not None:
            evidence, self._mend = self._advice()
            self._evidence, self._advice = tuple(evidence), None

    @property
    def where(self) -> str:
        """`path:line:column`, as much of it as is known; empty when nothing is."""
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join([self.path, *numbers]) if self.path else ""

    @property
    def headline(self) -> str:
        """Where and what, in one line; without evidence and mend."""
        return f"{self.where}: {self.what}" if self.where else self.what

    def __str__(self) -> str:
        mend = [f"  mend: {self.mend}"] if self.mend else []
        return "\n".join([self.headline, *(f"  {line}" for line in self.evidence), *mend])


class UsageError(SnippetlockError):
    """The command line asks for something that cannot be done."""


class ConfigError(SnippetlockError):
    """`pyproject.toml`, the pin or a definitions file is malformed."""


class PinError(SnippetlockError):
    """The pinned library cannot be had as it was recorded: absent, truncated, or another digest."""


class NoRelease(PinError):
    """There is no release of that version, or nothing of it that can be read here: somebody may mean a tag."""


class RepositoryError(SnippetlockError):
    """The library's repository cannot be had, or has no such revision: unreachable, shallow, not one at all."""


class LockError(SnippetlockError):
    """The lock file cannot be read, or another process is writing it."""


class WorkerError(SnippetlockError):
    """A process that worked for the command was ended by somebody else: most likely where memory was short."""


class TreeError(SnippetlockError):
    """A file of the tree cannot be read: unsafe path, too large, a link."""


class MissingFile(TreeError):
    """The tree has no such file."""


class SourceError(SnippetlockError):
    """A file was read, but its grammar or its encoding defeats us."""


class SelectorError(SnippetlockError):
    """A selector does not name exactly one thing."""


class UnknownSymbol(SelectorError):
    """Nothing has this name; `known` are the names that could have been meant, or what tells them when asked."""

    def __init__(
        self,
        name: str,
        *,
        path: str,
        known: Iterable[str] | Callable[[], Iterable[str]],
        line: int | None = None,
        evidence: Iterable[str] = (),
        noun: str = "symbol",
        mend: str = "",
        advice: Callable[[], tuple[Iterable[str], str]] | None = None,
    ) -> None:
        self.name = name
        self._names = known

        def said() -> tuple[Iterable[str], str]:
            rows, how = advice() if advice else (evidence, mend)
            near = () if how else nearest(name, self.known)
            return rows, how or (f"did you mean {' or '.join(repr(n) for n in near)}?" if near else "")

        super().__init__(f"no {noun} {name!r} in {path}", path=path, line=line, advice=said)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The names, each once, sorted."""
        return tuple(sorted(set(self._names() if callable(self._names) else self._names)))


class AmbiguousSymbol(SelectorError):
    """Several things have this name; `candidates` are (selector, path, line) of the first `LISTED` of the `count`.

    `count` need be given only where not all candidates are.
    """

    def __init__(
        self,
        name: str,
        *,
        path: str,
        candidates: Sequence[tuple[str, str, int]],
        count: int = 0,
        mend: str = "use the selector of the one you mean",
    ) -> None:
        self.name = name
        self.count = count or len(candidates)
        self.candidates = tuple(candidates[:LISTED])
        rows = [f"{where}:{line}  {selector}" for selector, where, line in self.candidates]
        super().__init__(
            f"{name!r} names {self.count} things in {path}",
            path=path,
            line=self.candidates[0][2] if self.candidates else None,
            evidence=listed(rows, self.count),
            mend=mend,
        )


class ViewError(SnippetlockError):
    """The view does not fit what was selected: no such member, nothing left to show.

    `key` is the key of the definition that is to blame, where one is; `several` says that it fits more than it should.
    """

    key = ""
    several = False


class HighlightError(ViewError):
    """A highlighted text is in the snippet `times` times, which is not once."""

    times = 0


def listed(rows: Sequence[str], count: int = 0) -> tuple[str, ...]:
    """The first `LISTED` of the rows, and how many more there are; `count` is how many in all, if not all are given."""
    shown = tuple(rows[:LISTED])
    more = max(count, len(rows)) - len(shown)
    return (*shown, f"and {more:,} more") if more else shown


def nearest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names most like `name`, best first; a difference of case alone always counts."""
    pool = sorted(set(known))
    folded = [k for k in pool if k.lower() == name.lower() and k != name]
    from difflib import get_close_matches  # 5 ms: only for who has a name wrong

    close = get_close_matches(name, pool, n=most, cutoff=0.6)
    return tuple(dict.fromkeys([*folded, *close]))[:most]
