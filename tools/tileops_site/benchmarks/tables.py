"""The table of one op: a row for each workload and dtype, the ratio first, and every implementation with its times.

Whatever comes out of a night is escaped here: names are somebody else's text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tileops_site.benchmarks import figures
from tileops_site.benchmarks.book import Group, Line
from tileops_site.benchmarks.figures import attribute as safe
from tileops_site.benchmarks.manifest import Workload
from tileops_site.benchmarks.model import OURS, Measured, Row
from tileops_site.benchmarks.ratios import Verdict
from tileops_site.benchmarks.settings import Settings

_INTENSE = 100.0  # operations for each byte: from here on an op is told by what it computes, else by what it moves
_LONG = 60  # characters of a value in a shape

Words = Mapping[str, str]


def table(group: Group, settings: Settings, words: Words) -> str:
    """The whole table, without its heading."""
    tests = _told_by_test(group.lines)
    rows = "\n".join(_line(line, settings, words, tests) for line in group.lines)
    heads = "".join(f'<th scope="col">{words[key]}</th>' for key in ("ratio", "workload", "times"))
    return f'<table class="b-table"><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>'


def _told_by_test(lines: Iterable[Line]) -> frozenset[tuple[str, str]]:
    """Labels and dtypes that several tests have: only the name of the test tells them apart."""
    count = Counter((line.row.label, line.row.dtype) for line in lines)
    return frozenset(key for key, number in count.items() if number > 1)


def _line(line: Line, settings: Settings, words: Words, tests: frozenset[tuple[str, str]]) -> str:
    row = line.row
    measured = sorted(row.measured, key=lambda one: (one.busy is None, one.busy or 0.0, one.name))
    if not any(one.name == OURS for one in measured):
        measured.append(Measured(OURS))
    compute = _computes(row)
    times = "".join(_measured(one, line.verdict, settings, words, compute=compute) for one in measured)
    return (
        f"<tr>{_ratio(line.verdict, words)}{_workload(line, words, tests)}"
        f'<td class="b-times"><ul>{times}</ul></td></tr>'
    )


def _ratio(verdict: Verdict, words: Words) -> str:
    number = figures.ratio(verdict.ratio) if verdict.ratio is not None else "—"
    notes = []
    if verdict.word == "unrated":
        notes.append(words["eager-only"])
    elif verdict.against:
        notes.append(words["of"].format(name=f"<code>{safe(verdict.against)}</code>"))
    if verdict.eager is not None:
        notes.append(words["faster-eager"].format(ratio=figures.ratio(verdict.eager)))
    if verdict.word == "none":
        notes.append(words[verdict.why])
    value = f' data-ratio="{verdict.ratio!r}"' if verdict.ratio is not None else ""
    small = "".join(f"<small>{note}</small>" for note in notes)
    return (
        f'<td class="b-ratio b-{verdict.word}"{value}><b>{number}</b> '
        f'<span class="b-word">{words[verdict.word]}</span>{small}</td>'
    )


def _workload(line: Line, words: Words, tests: frozenset[tuple[str, str]]) -> str:
    row = line.row
    label = f"<b>{safe(row.label)}</b>" if row.label else f"<i>{words['no-label']}</i>"
    dtype = f' <span class="b-dtype">{safe(row.dtype)}</span>' if row.dtype else ""
    notes = []
    if (row.label, row.dtype) in tests:
        notes.append(f"<code>{safe(row.test)}</code>")
    if len(line.shapes) == 1:
        notes.append(shape(line.shapes[0]))
    elif line.shapes:
        notes.append(words["several-shapes"].format(count=len(line.shapes)))
    if row.twice:
        notes.append(words["twice"])
    small = "".join(f"<small>{note}</small>" for note in notes)
    return f'<th scope="row" title="{safe(f"{row.file}::{row.name}")}">{label}{dtype}{small}</th>'


def shape(workload: Workload) -> str:
    """`M 4096 · N 7168 · trans_b true`, as the manifest has it; what is very long is cut, and whole in its title."""
    parts = []
    for key, value in workload.shape:
        cut = f"{value[: _LONG - 1]}…" if len(value) > _LONG else value
        title = f' title="{safe(value)}"' if cut != value else ""
        parts.append(f'<span class="b-dim"{title}><i>{safe(key)}</i> {safe(cut)}</span>')
    return f'<span class="b-shape">{" ".join(parts)}</span>'


def _measured(one: Measured, verdict: Verdict, settings: Settings, words: Words, *, compute: bool) -> str:
    kind = settings.known(one.name).kind
    name = words["ours"] if one.name == OURS else f"<code>{safe(one.name)}</code>"
    mark = f" <small>{words['unclassified']}</small>" if kind == "unclassified" else ""
    chosen = " b-chosen" if one.name == verdict.against and verdict.word != "unrated" else ""
    time = f'<span class="b-missing">{words["missing"]}</span>' if one.busy is None else figures.time(one.busy)
    none = f'<span class="b-missing" title="{words["missing"]}">—</span>'
    spread = figures.spread(one.p10, one.p90, one.busy or one.p10) if one.p10 and one.p90 else none
    rate = figures.rate(one.tflops, one.tbs, compute=compute) or none
    return (
        f'<li class="b-{kind}{chosen}"><span class="b-name">{name}{mark}</span><span class="b-time">{time}</span>'
        f'<span class="b-spread">{spread}</span><span class="b-rate">{rate}</span></li>'
    )


def _computes(row: Row) -> bool:
    """Whether a row is told in TFLOP/s: by its own numbers, and the same for all implementations in it."""
    one = row.ours or next(iter(row.measured), None)
    if one is None or one.tflops is None:
        return False
    return one.tbs is None or one.tflops / one.tbs >= _INTENSE
