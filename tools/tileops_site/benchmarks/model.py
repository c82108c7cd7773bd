"""What a night of results holds. Frozen: reading makes it, and everything else only looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from snippetlock.errors import SnippetlockError

Ending = Literal["failed", "skipped"]


class NightError(SnippetlockError):
    """A night cannot be read: no such file, no XML, refused. Nothing of it is shown then."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One implementation in one row. Times in milliseconds of device-busy time; None is missing, and never zero."""

    name: str
    busy: float | None = None
    p10: float | None = None
    p90: float | None = None
    tflops: float | None = None
    tbs: float | None = None
    timing: str = ""  # how it was measured: numbers of two methods are not compared


@dataclass(frozen=True, slots=True)
class Row:
    """One workload and dtype of an op, as one test measured it. `op` is empty where no property names one."""

    file: str  # the class of the test in JUnit's words, which for pytest is its module
    name: str  # of the test case, whole: `test_gemm[square-1k-float16]`
    test: str
    label: str
    dtype: str
    op: str
    module: str
    measured: tuple[Measured, ...]
    twice: bool = False  # another row of the night has the same test and label

    @property
    def ours(self) -> Measured | None:
        """What TileOPs took; None where that was not measured."""
        return next((one for one in self.measured if one.name == OURS), None)


OURS = "tileops"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A test that measured nothing because it failed or was skipped, with the reason it gave."""

    file: str
    test: str
    label: str
    ending: Ending
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """Where and with what a night was measured. Empty texts are what it does not say."""

    date: str = ""
    commit: str = ""
    run: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)  # gpu, driver, cuda, torch, tilelang, …
    packages: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The version of the library that was measured."""
        return self.packages.get("tileops", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """The correctness tests of the same night."""

    passed: int = 0
    skipped: int = 0
    failed: int = 0
    failures: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One night. Every test case of it is in `rows` or in `outcomes`: `cases` counts them as they were read."""

    name: str
    cases: int
    rows: tuple[Row, ...]
    outcomes: tuple[Outcome, ...]
    odd: tuple[str, ...] = ()  # values that are no measurements, each with its place
    unknown: Mapping[str, int] = field(default_factory=dict)  # properties that nobody knows, and how often
    meta: Meta | None = None
    tests: Tests | None = None
