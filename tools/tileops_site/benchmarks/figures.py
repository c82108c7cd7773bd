"""Numbers as pages show them: few digits, the unit beside them, and the value as it was measured within."""

from __future__ import annotations

from html import escape
from math import floor, log10

from tileops_site.benchmarks.ratios import word


def digits(value: float, count: int = 4) -> str:
    """So many significant digits, those that are zero too, and thousands apart: `1.859`, `7.200`, `12,340`."""
    if value == 0:
        return "0"
    after = max(0, count - 1 - floor(log10(abs(value))))
    return f"{value:,.{min(after, 12)}f}"


def unit(milliseconds: float) -> tuple[float, str]:
    """The factor and the name of the unit in which a time is shown."""
    return (1.0, "ms") if milliseconds >= 1 else (1000.0, "µs")


def time(milliseconds: float) -> str:
    """`1.859 ms`, `6.88 µs`; the value of the night stands in it."""
    factor, name = unit(milliseconds)
    return f'<data value="{milliseconds!r}">{digits(milliseconds * factor)} {name}</data>'


def spread(p10: float, p90: float, busy: float) -> str:
    """`1.857–1.862`, in the unit of the time beside it."""
    factor, _ = unit(busy)
    return f"{digits(p10 * factor)}–{digits(p90 * factor)}"


def rate(tflops: float | None, tbs: float | None, *, compute: bool) -> str:
    """`314.2 TFLOP/s` or `0.2988 TB/s`; empty where that was not measured."""
    value = tflops if compute else tbs
    return f"{digits(value)} {'TFLOP/s' if compute else 'TB/s'}" if value is not None else ""


def ratio(value: float) -> str:
    """`1.43×`: about three digits, or as many as it takes to stand on the right side of 5 %."""
    if value >= 10:
        return f"{value:,.{1 if value < 100 else 0}f}×"
    if value < 0.1:
        return f"{value:.2g}×" if value >= 0.0001 else "<0.0001×"
    shown = f"{value:.2f}"
    for after in range(2, 6):
        shown = f"{value:.{after}f}"
        if word(float(shown)) == word(value):
            break
    return f"{shown}×"


def change(value: float) -> str:
    """A change of a time: `+12 %`, `−3.4 %`."""
    percent = abs(value) * 100
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{digits(percent, 2)} %"


def attribute(text: str) -> str:
    """A text in the quotes of an attribute, and anywhere in HTML."""
    return escape(text, quote=True)
