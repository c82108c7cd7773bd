"""Several nights: in their order, the last against the one before, beyond the noise first."""

from __future__ import annotations

import re

import nights
import pytest
from nights import case, times

from tileops_site.benchmarks.history import history_page, in_order, same_gpu, trends


def night(folder, date, *rows, **more):
    return nights.night(folder / f"n{date}", *rows, meta={**nights.META, "date": date, **more})


def a(label, *spread, op="AOp", **more):
    return case(f"test_a[{label}-float16]", op, tileops=times(*spread, dtype="float16", **more))


def compared(tmp_path, old, new):
    (trend,) = trends([night(tmp_path, "2026-11-01", *old), night(tmp_path, "2026-11-02", *new)])
    return trend


@pytest.mark.parametrize(
    ("old", "new", "sort"),
    [
        ((1.0, 0.9, 1.1), (1.3, 1.2, 1.4), "regressions"),
        ((1.0, 0.9, 1.1), (0.7, 0.6, 0.8), "improvements"),
        ((1.0, 0.9, 1.1), (1.2, 1.1, 1.3), "within"),  # they touch
        ((1.0, 0.9, 1.1), (1.2, 1.05, 1.3), "within"),
        ((1.0, 0.9, 1.1), (9.0, None, None), "within"),  # without a spread nobody knows what noise is
        (("nan",), (1.0, 0.9, 1.1), "new"),  # a time that came, and one that went, with the row there in both nights
        ((1.0, 0.9, 1.1), ("nan",), "gone"),
        (("nan",), ("nan",), "within"),
    ],
)
def test_beyond_the_noise_is_where_the_two_spreads_do_not_touch(tmp_path, old, new, sort):
    assert compared(tmp_path, [a("x", *old)], [a("x", *new)]).sort == sort


def test_the_change_is_that_of_the_last_time_against_the_one_before(tmp_path):
    trend = compared(tmp_path, [a("x", 2.0, 1.9, 2.1)], [a("x", 3.0, 2.9, 3.1)])

    assert (trend.change, trend.times) == (0.5, (2.0, 3.0))


def test_times_of_two_ways_of_measuring_are_not_compared(tmp_path):
    new = a("x", 9.0, 8.9, 9.1).replace("cupti", "events")
    trend = compared(tmp_path, [a("x", 1.0, 0.9, 1.1)], [new])

    assert (trend.sort, trend.change) == ("within", None)


def test_the_worst_comes_first_and_what_is_new_or_gone_last(tmp_path):
    old = [a("better", 2, 1.9, 2.1), a("worse", 1, 0.9, 1.1), a("worst", 1, 0.9, 1.1), a("gone", 1), a("same", 1)]
    new = [a("better", 1, 0.9, 1.1), a("worse", 2, 1.9, 2.1), a("worst", 4, 3.9, 4.1), a("new", 1), a("same", 1)]
    found = trends([night(tmp_path, "2026-11-01", *old), night(tmp_path, "2026-11-02", *new)])

    assert [(trend.row.label, trend.sort) for trend in found] == [
        ("worst", "regressions"),
        ("worse", "regressions"),
        ("better", "improvements"),
        ("same", "within"),
        ("new", "new"),
        ("gone", "gone"),
    ]


def test_nights_stand_in_the_order_of_their_dates(tmp_path):
    made = [night(tmp_path, date, a("x", 1)) for date in ("2026-11-03", "2026-11-01", "2026-11-02")]
    undated = nights.night(tmp_path / "z", a("x", 1), meta=None)

    found = in_order([*made, undated])
    assert [one.meta.date if one.meta else "" for one in found] == ["", "2026-11-01", "2026-11-02", "2026-11-03"]
    assert trends(found)[0].times == (1.0, 1.0, 1.0, 1.0)


def test_rows_that_stand_twice_are_in_no_comparison(tmp_path):
    found = trends([night(tmp_path, "2026-11-01", a("x", 1)), night(tmp_path, "2026-11-02", a("x", 1), a("x", 2))])

    assert [trend.sort for trend in found] == ["gone"]


def test_the_page_counts_the_rows_that_are_in_no_comparison(tmp_path):
    one, two = night(tmp_path, "2026-11-01", a("x", 1)), night(tmp_path, "2026-11-02", a("x", 1), a("x", 2))

    assert "in no comparison: 2." in history_page([one, two], "en")
    assert "有 2 行在同一夜中重复出现" in history_page([one, two], "zh")
    assert "in no comparison" not in history_page([one, one], "en")


@pytest.mark.parametrize("files", [("bench.a", "bench.b"), ("bench.b", "bench.a")])
def test_one_test_of_two_files_is_two_workloads(tmp_path, files):
    def both(first, second):
        took = {"bench.a": first, "bench.b": second}
        return [case("test_a[x-float16]", "AOp", file=one, tileops=times(took[one], dtype="float16")) for one in files]

    found = trends([night(tmp_path, "2026-11-01", *both(1, 4)), night(tmp_path, "2026-11-02", *both(2, 5))])

    assert {trend.row.file: trend.times for trend in found} == {"bench.a": (1, 2), "bench.b": (4, 5)}


def test_a_test_whose_file_was_moved_is_still_the_same_workload(tmp_path):
    old, new = (
        case("test_a[x-float16]", "AOp", file=file, tileops=times(1, dtype="float16")) for file in ("old", "new")
    )
    found = trends([night(tmp_path, "2026-11-01", old), night(tmp_path, "2026-11-02", new)])

    assert [trend.times for trend in found] == [(1, 1)]


def test_nights_of_two_gpus_are_not_compared_and_the_page_says_so(tmp_path):
    one = night(tmp_path, "2026-11-01", a("x", 1))
    other = night(tmp_path, "2026-11-02", a("x", 9), environment={"gpu": "Another <GPU>"})

    assert not same_gpu([one, other])
    page = history_page([one, other], "en")
    assert "ran on different GPUs (Made GPU, Another &#60;GPU&#62;)" in page
    assert "<table" not in page


def test_the_page_has_regressions_first_and_a_sparkline_of_all_nights(tmp_path):
    dates = ("2026-11-01", "2026-11-02", "2026-11-03")
    spreads = ((1, 0.9, 1.1), (1, 0.9, 1.1), (2, 1.9, 2.1))
    page = history_page(
        [night(tmp_path, date, a("x", *spread)) for date, spread in zip(dates, spreads, strict=True)], "en"
    )

    assert "3 nights, from 2026-11-01 to 2026-11-03" in page
    assert re.findall(r"^## (.*?) \{", page, flags=re.M) == ["Slower, beyond the noise", "Faster, beyond the noise"]
    assert "<b>+100 %</b>" in page
    assert page.count("b-spark") == 1
    assert "TileOPs’ time over 3 nights, from 1.000 ms to 2.000 ms" in page
