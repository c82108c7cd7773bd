"""Several nights: what each workload took over them, and what changed since the last beyond the noise.

Compared are the last two nights, and only where both ran on the same GPU with the same way of measuring. A change is
beyond the noise where the two p10–p90 do not touch. Rows that stand twice in a night are in no comparison, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tileops_site.benchmarks import figures
from tileops_site.benchmarks.figures import attribute as safe
from tileops_site.benchmarks.model import Measured, Night, Row
from tileops_site.benchmarks.pages import block, heading, join, literal
from tileops_site.benchmarks.strips import spark
from tileops_site.benchmarks.tables import Words
from tileops_site.benchmarks.words import WORDS

Sort = Literal["regressions", "improvements", "within", "new", "gone"]
SORTS: tuple[Sort, ...] = ("regressions", "improvements", "within", "new", "gone")
_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """One workload over the nights, oldest first. `change` is that of the last time against the one before it."""

    row: Row
    times: tuple[float | None, ...]
    sort: Sort
    change: float | None = None


def in_order(nights: Sequence[Night]) -> tuple[Night, ...]:
    """By date, then by name; a night without a date comes first, for nobody knows how old it is."""
    return tuple(sorted(nights, key=lambda night: (night.meta.date if night.meta else "", night.name)))


def same_gpu(nights: Sequence[Night]) -> bool:
    """Whether the last two nights say the same GPU, or both none."""
    old, new = (_gpu(night) for night in nights[-2:])
    return old == new


def trends(nights: Sequence[Night]) -> tuple[Trend, ...]:
    """Every workload of the last two nights; those beyond the noise first, the greatest change first."""
    every = [_keyed(night) for night in nights]
    old, new = every[-2], every[-1]
    found = [_trend(key, old.get(key), new.get(key), every) for key in dict.fromkeys((*new, *old))]
    return tuple(sorted(found, key=lambda one: (SORTS.index(one.sort), -abs(one.change or 0.0))))


def _keyed(night: Night) -> dict[_Key, Row]:
    """The rows by what names them from night to night: without their file, which may be moved, where that is enough."""
    rows = [row for row in night.rows if not row.twice]
    seen = Counter(map(_key, rows))
    return {(*key, row.file, row.name) if seen[key := _key(row)] > 1 else key: row for row in rows}


def _key(row: Row) -> _Key:
    return (row.op or f"{row.file}::{row.test}", row.test, row.label, row.dtype)


def _trend(key: _Key, old: Row | None, new: Row | None, every: Sequence[dict[_Key, Row]]) -> Trend:
    row = new or old
    assert row is not None  # it is a key of one of the two
    times = tuple(_busy(night[key]) if key in night else None for night in every)
    before, now = old.ours if old else None, new.ours if new else None
    if before is None or now is None or before.busy is None or now.busy is None:
        return Trend(row=row, times=times, sort=_one_sided(old, new))
    if before.timing != now.timing:
        return Trend(row=row, times=times, sort="within")
    return Trend(row=row, times=times, sort=_sort(before, now), change=now.busy / before.busy - 1)


def _busy(row: Row) -> float | None:
    return row.ours.busy if row.ours else None


def _one_sided(old: Row | None, new: Row | None) -> Sort:
    """Whether a time came or went, with its row or alone; a row without a time in either night was there all along."""
    had, has = (row is not None and _busy(row) is not None for row in (old, new))
    if had != has:
        return "gone" if had else "new"
    return "new" if old is None else "gone" if new is None else "within"


def _sort(before: Measured, now: Measured) -> Sort:
    if before.p10 is None or before.p90 is None or now.p10 is None or now.p90 is None:
        return "within"
    if now.p10 > before.p90:
        return "regressions"
    return "improvements" if now.p90 < before.p10 else "within"


def history_page(nights: Sequence[Night], language: str) -> str:
    """The page, from its title on. `nights` are at least two, oldest first."""
    words = WORDS[language]
    parts = [heading(1, words["history"], "history")]
    dates = [night.meta.date if night.meta and night.meta.date else night.name for night in nights]
    parts.append(words["history-lead"].format(count=len(nights), first=literal(dates[0]), last=literal(dates[-1])))
    if not same_gpu(nights):
        old, new = (literal(_gpu(night)) or words["unsaid"] for night in nights[-2:])
        return join([*parts, words["history-other-gpu"].format(old=old, new=new)])
    twice = sum(row.twice for night in nights[-2:] for row in night.rows)
    if twice:
        parts.append(words["history-twice"].format(count=f"{twice:,}"))
    found = trends(nights)
    for sort in SORTS:
        own = [trend for trend in found if trend.sort == sort]
        if own or sort in ("regressions", "improvements"):
            parts += _section(sort, own, words)
    return join(parts)


def _gpu(night: Night) -> str:
    return night.meta.facts.get("gpu", "") if night.meta else ""


def _section(sort: Sort, own: Sequence[Trend], words: Words) -> Iterator[str]:
    yield heading(2, words[sort], sort)
    if not own:
        yield words["nothing"]
        return
    if sort in ("regressions", "improvements"):
        yield words["beyond-lead"]
    keys = ("change", "workload", "before", "now", "trend")
    heads = "".join(f'<th scope="col">{words[key]}</th>' for key in keys)
    rows = "\n".join(_line(trend, words) for trend in own)
    table = f'<table class="b-table b-history"><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>'
    if sort == "within":  # nearly all of them, and nothing to be done about
        summary = words["workloads"].format(count=f"{len(own):,}")
        table = f"<details><summary>{summary}</summary>\n{table}\n</details>"
    yield block(table)


def _line(trend: Trend, words: Words) -> str:
    row = trend.row
    change = figures.change(trend.change) if trend.change is not None else "—"
    known = [time for time in trend.times if time is not None]
    said = ""
    if known:
        first, last = (_plain(time) for time in (known[0], known[-1]))
        said = spark(trend.times, words["trend-said"].format(count=len(trend.times), first=first, last=last))
    cls = {"regressions": "behind", "improvements": "ahead"}.get(trend.sort, "level")
    before, now = (figures.time(time) if time is not None else "—" for time in trend.times[-2:])
    return (
        f'<tr><td class="b-ratio b-{cls}"><b>{change}</b></td>'
        f'<th scope="row"><code>{safe(row.op or row.test)}</code><small>{safe(row.label)} '
        f'<span class="b-dtype">{safe(row.dtype)}</span></small></th>'
        f"<td>{before}</td><td>{now}</td><td>{said}</td></tr>"
    )


def _plain(milliseconds: float) -> str:
    factor, unit = figures.unit(milliseconds)
    return f"{figures.digits(milliseconds * factor)} {unit}"
