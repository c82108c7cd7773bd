"""From a night's files to its rows. Nothing is dropped: what is no measurement is listed with its place.

A property is `<implementation>_<metric>`. Numbers that cannot be one (not a number, not finite, a time of less than a
nanosecond or of more than ten minutes a call) are missing values from here on, and listed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from sys import intern
from typing import Any

from tileops_site.benchmarks.junit import Case, cases
from tileops_site.benchmarks.model import OURS, Ending, Measured, Meta, Night, NightError, Outcome, Row, Tests, packed
from tileops_site.benchmarks.opening import META, RESULTS, TESTS, Place

_TIMES = {"device_busy_ms": "busy", "device_busy_p10_ms": "p10", "device_busy_p90_ms": "p90"}
_RATES = {"tflops": "tflops", "bandwidth_tbs": "tbs"}
# Known and not shown: what a ratio or a rate is made of, and what the timer says about itself.
_ASIDE = ("bytes", "flops", "gap_ms", "latency_ms", "n_kernels", "n_samples", "ratio")
_METRICS = (*_TIMES, *_RATES, *_ASIDE, "dtype", "timing")
_ALIAS = "baseline"  # the properties of one implementation a second time; `baseline_tag` says whose
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LONGEST = 600_000.0  # milliseconds: no call of one op takes ten minutes
_SHORTEST = 1e-6  # milliseconds: one nanosecond, the step in which a GPU's own clock counts
_Names = tuple[tuple[str, str], ...]
_MOST = 1024**2  # bytes of meta.json
_ODD, _WIDE = 500, 100  # how many odd values and unknown names are told one by one; characters of such a name


class _Odd:
    """Values that are no measurements: the first of them as text, the rest as their number."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.count = 0

    def append(self, said: str) -> None:
        self.count += 1
        if self.count <= _ODD:
            self.first.append(said)

    def told(self) -> tuple[str, ...]:
        more = self.count - len(self.first)
        return (*self.first, f"and {more:,} more") if more else tuple(self.first)


def read_night(place: Place, aside: Collection[str] = ()) -> Night:
    """A night, whole; `aside` are more metrics that are known. One without meta or tests is a night, too.

    Raises `NightError` for files that are no such thing.
    """
    rows: list[Row] = []
    outcomes: list[Outcome] = []
    odd, unknown = _Odd(), Counter[str]()
    known = _pattern(aside)
    shared: dict[_Names, _Names] = {}
    count = 0
    with place.files[RESULTS]() as stream:
        for case in cases(stream, f"{place.at}/{RESULTS}"):
            count += 1
            if case.ending:
                outcomes.append(_outcome(case))
            else:
                rows.append(_row(case, known, shared, odd, unknown))
    return Night(
        name=place.name,
        cases=count,
        rows=_marked(rows),
        outcomes=tuple(outcomes),
        odd=odd.told(),
        unknown=dict(sorted(unknown.items())),
        meta=_meta(place) if META in place.files else None,
        tests=_tests(place) if TESTS in place.files else None,
    )


def _pattern(aside: Collection[str]) -> re.Pattern[str]:
    """What a property is that is known: an implementation, and the longest metric that ends it."""
    metrics = sorted({*_METRICS, *aside}, key=lambda each: (-len(each), each))
    return re.compile(rf"(.+?)_({'|'.join(map(re.escape, metrics))})")


def _named(case: Case) -> tuple[str, str]:
    """The test's function and the label in its brackets."""
    test, bracket, label = case.name.partition("[")
    return test, label.removesuffix("]") if bracket else ""


def _outcome(case: Case) -> Outcome:
    test, label = _named(case)
    ending: Ending = "skipped" if case.ending == "skipped" else "failed"
    return Outcome(file=case.file, test=test, label=label, ending=ending, reason=case.reason)


def _row(case: Case, known: re.Pattern[str], shared: dict[_Names, _Names], odd: _Odd, unknown: Counter[str]) -> Row:
    """A row. What many rows say alike is kept once: `shared` is for lists of names."""
    where = case.name or case.file or "a test without a name"
    said: dict[str, str] = {}
    for name, value in case.properties:
        if said.setdefault(name, value) != value:
            odd.append(f"{where}: {name} is {said[name][:40]!r} and then {value[:40]!r}")
    found: dict[str, dict[str, str]] = {}
    for name, value in said.items():
        match = known.fullmatch(name)
        if match:
            found.setdefault(match[1], {})[match[2]] = value
        elif name not in ("op", "op_module", "baseline_tag"):
            unknown[name[:_WIDE] if name[:_WIDE] in unknown or len(unknown) < _ODD else "…"] += 1
    _unalias(found, said.get("baseline_tag", ""))
    names, numbers = packed([_measured(name, metrics, where, odd) for name, metrics in found.items()])
    return Row(
        file=intern(case.file),
        name=case.name,
        dtype=intern(_dtype(found)),
        op=intern(said.get("op", "")),
        module=intern(said.get("op_module", "")),
        names=shared.setdefault(names, names),
        numbers=numbers,
    )


def _unalias(found: dict[str, dict[str, str]], tag: str) -> None:
    """Take the second copy of an implementation away; it stands for it where there is no first."""
    if tag and _ALIAS in found:
        copy = found.pop(_ALIAS)
        found.setdefault(tag, copy)


def _dtype(found: Mapping[str, Mapping[str, str]]) -> str:
    """The dtype of the library's own run, else the one that all others agree on."""
    own = found.get(OURS, {}).get("dtype", "")
    every = {metrics["dtype"] for metrics in found.values() if metrics.get("dtype")}
    return own or (every.pop() if len(every) == 1 else "")


def _measured(name: str, metrics: Mapping[str, str], where: str, odd: _Odd) -> Measured:
    values: dict[str, float | None] = {}
    for metric, key in (*_TIMES.items(), *_RATES.items()):
        if metric in metrics:
            value, wrong = _value(metrics[metric], time=metric in _TIMES)
            values[key] = value
            if wrong:
                odd.append(f"{where}: {name}_{metric} is {metrics[metric][:40]!r}, {wrong}")
    p10, busy, p90 = values.get("p10"), values.get("busy"), values.get("p90")
    if p10 is not None and p90 is not None and p10 > p90:
        odd.append(f"{where}: {name} has a p10 of {p10:g} ms above its p90 of {p90:g} ms")
        p10 = p90 = None
    return Measured(name, busy, p10, p90, values.get("tflops"), values.get("tbs"), metrics.get("timing", ""))


def _value(text: str, *, time: bool) -> tuple[float | None, str]:
    """A number, or why it is none. A rate of zero is one of an op that computes, or moves, nothing: missing."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None, "not a number"
    value = float(text)
    if not isfinite(value):
        return None, "not finite"
    if value < 0 or (time and value == 0):
        return None, "not a time" if time else "not a rate"
    if time and value > _LONGEST:
        return None, "too long for one call"
    if time and value < _SHORTEST:
        return None, "too short for one call"
    return value or None, ""


def _marked(rows: list[Row]) -> tuple[Row, ...]:
    """The rows; those that another one has the same test and label as say so."""
    seen = Counter((row.file, row.name) for row in rows)
    if len(seen) == len(rows):
        return tuple(rows)
    return tuple(replace(row, twice=seen[row.file, row.name] > 1) for row in rows)


def _tests(place: Place) -> Tests:
    passed = skipped = 0
    failures: list[Outcome] = []
    with place.files[TESTS]() as stream:
        for case in cases(stream, f"{place.at}/{TESTS}"):
            passed += not case.ending
            skipped += case.ending == "skipped"
            if case.ending == "failed":
                failures.append(_outcome(case))
    return Tests(passed=passed, skipped=skipped, failed=len(failures), failures=tuple(failures))


def _meta(place: Place) -> Meta:
    name = f"{place.at}/{META}"
    mend = "take the night again from where it is published, or leave the file away"
    with place.files[META]() as stream:
        data = stream.read(_MOST + 1)
    if len(data) > _MOST:
        raise NightError(f"refused: more than {_MOST:,} bytes", path=name, mend=mend)
    try:
        said = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NightError(f"not JSON: {error}", path=name, mend=mend) from error
    if not isinstance(said, dict):
        raise NightError("it is no JSON object", path=name, mend=mend)
    environment = _texts(said.get("environment"))
    gpu = environment.pop("gpu", "") or _text(said.get("gpu"))
    return Meta(
        date=_text(said.get("date")),
        commit=_text(said.get("commit")),
        run=_text(said.get("run_id")),
        facts={**({"gpu": gpu} if gpu else {}), **environment},
        packages=_texts(said.get("packages")),
    )


def _texts(value: Any) -> dict[str, str]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else ()
    return {str(key): text for key, one in pairs if (text := _text(one))}


def _text(value: Any) -> str:
    """A text or number on one line; anything else says nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())[:200]
