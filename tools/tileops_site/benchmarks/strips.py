"""Drawings: ratios along a log axis, and times of several nights. SVG that takes the colours of the page.

Dots are drawn in a picture that is stretched to its place, with strokes that are not, so that they stay round; texts
stand outside of it, at percentages, and stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log2

from tileops_site.benchmarks import figures
from tileops_site.benchmarks.ratios import LEVEL, VERDICTS, Verdict, Word

_LOW, _HIGH = -3.0, 3.0  # from an eighth to eight times; what is beyond stands at the edge
_EDGE = 11.0  # percent left free at both ends, for numbers
_STEP = 0.85  # percent: how far dots of one pile are from those of the next
_TICKS = ((-3, "⅛"), (-2, "¼"), (-1, "½"), (0, "1"), (1, "2"), (2, "4"), (3, "8"))


def across(ratio: float) -> float:
    """Where a ratio stands, in percent of the width."""
    at = min(max(log2(ratio), _LOW), _HIGH)
    return round(_EDGE + (100 - 2 * _EDGE) * (at - _LOW) / (_HIGH - _LOW), 2)


def strip(verdicts: Iterable[Verdict], label: str, *, height: int = 34, ends: bool = True) -> str:
    """All ratios of a page or an op. `label` says the same in words; `ends` are the least and the greatest, as text."""
    found = [(v.ratio, v.word) for v in verdicts if v.ratio is not None and v.word != "none"]
    middle = height / 2
    low, high = across(1 / LEVEL), across(LEVEL)
    parts = [
        f'<svg class="b-strip" role="img" aria-label="{figures.attribute(label)}" width="100%" height="{height}">',
        f'<rect class="b-band" x="{low}%" y="0" width="{round(high - low, 2)}%" height="{height}"/>',
        *(
            f'<line class="b-grid" x1="{x}%" x2="{x}%" y1="0" y2="{height}"/>'
            for x in map(_at, range(-3, 4))
            if x != 50
        ),
        _line("b-one", 50, height),
        f'<svg viewBox="0 0 100 {height}" preserveAspectRatio="none" width="100%" height="{height}">',
        *_dots(found, middle),
        "</svg>",
    ]
    if ends and found:
        least, most = min(r for r, _ in found), max(r for r, _ in found)
        parts += _end(least, "end", middle) + (_end(most, "start", middle) if most > least else [])
    return "".join([*parts, "</svg>"])


def _line(name: str, x: float, height: int) -> str:
    return f'<line class="{name}" x1="{x}%" x2="{x}%" y1="0" y2="{height}"/>'


def axis(label: str) -> str:
    """The numbers above strips that stand below one another."""
    texts = [f'<text class="b-tick" x="{_at(at)}%" y="11" text-anchor="middle">{name}×</text>' for at, name in _TICKS]
    return (
        f'<svg class="b-axis" role="img" aria-label="{figures.attribute(label)}" width="100%" height="14">'
        f"{''.join(texts)}</svg>"
    )


def _at(power: int) -> float:
    return across(2.0**power)


def _end(value: float, anchor: str, middle: float) -> list[str]:
    """The least or the greatest ratio as text, on the outer side of its dot."""
    x = across(value)
    shift = -6 if anchor == "end" else 6
    return [
        f'<text class="b-end" x="{x}%" dx="{shift}" y="{middle + 3.5:g}" text-anchor="{anchor}">'
        f"{figures.ratio(value)}</text>"
    ]


def _dots(found: Sequence[tuple[float, Word]], middle: float) -> list[str]:
    """One path a verdict. Dots of one place are piled up from the middle line to both sides."""
    piles: Counter[float] = Counter()
    sizes = Counter(_pile(ratio) for ratio, _ in found)
    paths: dict[Word, list[str]] = {}
    for ratio, word in sorted(found, key=lambda each: (_pile(each[0]), VERDICTS.index(each[1]))):
        x = _pile(ratio)
        apart = min(4.2, (2 * middle - 6) / max(1, sizes[x] - 1))
        number = piles[x]
        piles[x] += 1
        y = middle + (number + 1) // 2 * apart * (1 if number % 2 else -1)
        paths.setdefault(word, []).append(f"M{x:g} {y:.1f}h0")
    return [f'<path class="b-dots b-{word}" d="{"".join(points)}"/>' for word, points in paths.items()]


def _pile(ratio: float) -> float:
    return round(round(across(ratio) / _STEP) * _STEP, 2)


def spark(times: Sequence[float | None], label: str) -> str:
    """The times of several nights, oldest first; the last has a dot. A night without one leaves a gap."""
    known = [time for time in times if time is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    room = (high - low) or 1.0
    step = 72 / max(1, len(times) - 1)
    path, pen, last = [], "M", (0.0, 0.0)
    for number, time in enumerate(times):
        if time is None:
            pen = "M"
            continue
        last = (4 + number * step, 17 - 12 * (time - low) / room if high > low else 11)
        path.append(f"{pen}{last[0]:.1f} {last[1]:.1f}")
        pen = "L"
    return (
        f'<svg class="b-spark" role="img" aria-label="{figures.attribute(label)}" width="80" height="22" '
        f'viewBox="0 0 80 22"><path d="{"".join(path)}"/><circle cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="2.2"/></svg>'
    )
