"""What a night of results holds. Frozen: reading makes it, and everything else only looks at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from struct import Struct
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
    """One workload and dtype of an op, as one test measured it. `op` is empty where no property names one.

    A night can have hundreds of thousands of rows. So their numbers are packed, and taken out when they are asked for.
    """

    file: str  # the class of the test in JUnit's words, which for pytest is its module
    name: str  # of the test case, whole: `test_gemm[square-1k-float16]`
    dtype: str
    op: str
    module: str
    names: tuple[tuple[str, str], ...]  # of each implementation, and how it was measured
    numbers: bytes  # five of each: NaN for what is missing
    twice: bool = False  # another row of the night has the same file and name

    @property
    def test(self) -> str:
        """The function that was run."""
        return self.name.partition("[")[0]

    @property
    def label(self) -> str:
        """What the test calls its workload: what stands in brackets, without the dtype."""
        label = self.name.partition("[")[2].removesuffix("]")
        return label.removesuffix(f"-{self.dtype}") if self.dtype else label

    @property
    def measured(self) -> tuple[Measured, ...]:
        """Every implementation, in the order of the night."""
        return tuple(
            Measured(name, _known(busy), _known(p10), _known(p90), _known(tflops), _known(tbs), timing)
            for (name, timing), (busy, p10, p90, tflops, tbs) in zip(
                self.names, _FIVE.iter_unpack(self.numbers), strict=True
            )
        )

    @property
    def ours(self) -> Measured | None:
        """What TileOPs took; None where that was not measured."""
        return next((one for one in self.measured if one.name == OURS), None)


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def packed(measured: Sequence[Measured]) -> tuple[tuple[tuple[str, str], ...], bytes]:
    """What a row keeps of these."""
    fives = ((one.busy, one.p10, one.p90, one.tflops, one.tbs) for one in measured)
    numbers = b"".join(_FIVE.pack(*(nan if value is None else value for value in five)) for five in fives)
    return tuple((one.name, one.timing) for one in measured), numbers


OURS = "tileops"
_FIVE = Struct("<5d")


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
