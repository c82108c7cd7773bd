"""How TileOPs compares in a row, the numbers that say so, and the drawings of them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from nights import SETTINGS

from tileops_site.benchmarks import figures
from tileops_site.benchmarks.model import Measured, Row, packed
from tileops_site.benchmarks.ratios import LEVEL, Verdict, judge, word
from tileops_site.benchmarks.strips import across, axis, spark, strip


def row(**busy) -> Row:
    """A row of implementations and their times; a pair is a time and how it was measured."""
    measured = []
    for name, value in busy.items():
        time, timing = value if isinstance(value, tuple) else (value, "cupti")
        measured.append(Measured(name.replace("_", "-"), time, timing=timing))
    return Row("f", "t[l]", "float16", "AOp", "", *packed(measured))


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ({"tileops": 1.0, "swift": 2.0}, Verdict(word="ahead", ratio=2.0, against="swift")),
        ({"tileops": 2.0, "swift": 1.0}, Verdict(word="behind", ratio=0.5, against="swift")),
        ({"tileops": 1.0, "swift": 1.03}, Verdict(word="level", ratio=1.03, against="swift")),
        ({"tileops": 1.0, "swift": 3.0, "brisk": 2.0}, Verdict(word="ahead", ratio=2.0, against="brisk")),
        # An eager reference is never what a verdict is made of; where it is the fastest of all, it is told beside.
        ({"tileops": 1.0, "swift": 2.0, "torch": 4.0}, Verdict(word="ahead", ratio=2.0, against="swift")),
        ({"tileops": 1.0, "swift": 2.0, "torch": 0.5}, Verdict(word="ahead", ratio=2.0, against="swift", eager=0.5)),
        ({"tileops": 1.0, "torch": 3.0}, Verdict(word="unrated", ratio=3.0, against="torch", why="eager")),
        # What nobody has classified is not rated against, and the library's own is no baseline.
        ({"tileops": 1.0, "mystery": 3.0}, Verdict(word="none", why="no-rated")),
        ({"tileops": 1.0, "tileops_x": 3.0}, Verdict(word="none", why="alone")),
        ({"tileops": 1.0}, Verdict(word="none", why="alone")),
        ({"tileops": None, "swift": 1.0}, Verdict(word="none", why="no-time")),
        ({"swift": 1.0}, Verdict(word="none", why="no-time")),
        (
            {"tileops": 1.0, "swift": None, "torch": 2.0},
            Verdict(word="unrated", ratio=2.0, against="torch", why="eager"),
        ),
        # Times of two ways of measuring are not compared.
        ({"tileops": 1.0, "swift": (2.0, "events")}, Verdict(word="none", why="no-rated")),
        ({"tileops": (1.0, ""), "swift": (2.0, "")}, Verdict(word="ahead", ratio=2.0, against="swift")),
    ],
)
def test_the_verdict_of_a_row(given, want):
    assert judge(row(**given), SETTINGS) == want


@pytest.mark.parametrize(
    ("ratio", "want"),
    [(LEVEL, "level"), (1.0501, "ahead"), (1 / LEVEL, "level"), (0.9523, "behind"), (1.0, "level"), (1e-9, "behind")],
)
def test_level_is_within_five_percent_both_ways_round(ratio, want):
    assert word(ratio) == want
    turned = {"ahead": "behind", "behind": "ahead", "level": "level"}[want]
    assert word(1 / ratio) == turned


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (1.434, "1.43×"),
        (1.0, "1.00×"),
        (1.0504, "1.0504×"),  # two digits would read as level
        (0.9521, "0.95×"),
        (0.953, "0.953×"),  # and here as behind
        (1.05, "1.05×"),
        (0.0386, "0.039×"),
        (0.00002, "<0.0001×"),
        (15.95, "15.9×"),
        (81.93, "81.9×"),
        (1234.5, "1,234×"),
    ],
)
def test_a_ratio_stands_on_the_right_side_of_five_percent(value, want):
    assert figures.ratio(value) == want


@pytest.mark.parametrize(
    ("milliseconds", "want"),
    [
        (1.85924, "1.859 ms"),
        (0.00688, "6.880 µs"),
        (0.5, "500.0 µs"),
        (1234.5, "1,234 ms"),
        (0.000001, "0.001000 µs"),
    ],
)
def test_a_time_has_four_digits_its_unit_and_what_was_measured(milliseconds, want):
    shown = figures.time(milliseconds)

    assert re.sub("<.*?>", "", shown) == want
    assert float(re.search('value="(.*?)"', shown)[1]) == milliseconds


def test_a_spread_is_in_the_unit_of_its_time_and_a_rate_in_its_own():
    assert figures.spread(0.0009, 0.0011, 0.001) == "0.9000–1.100"
    assert figures.spread(0.9, 1.1, 1.0) == "0.9000–1.100"
    assert figures.rate(314.169, 0.15, compute=True) == "314.2 TFLOP/s"
    assert figures.rate(314.169, 0.15, compute=False) == "0.1500 TB/s"
    assert figures.rate(None, 0.15, compute=True) == ""
    assert [figures.change(value) for value in (0.12, -0.034, 0.0)] == ["+12 %", "−3.4 %", "0 %"]


# Drawings


def test_an_axis_is_logarithmic_and_its_ends_are_ends():
    assert across(1.0) == 50
    assert across(2.0) - 50 == pytest.approx(50 - across(0.5))
    assert across(4.0) - across(2.0) == pytest.approx(across(2.0) - 50, abs=0.02)
    assert 0 < across(1e-9) == across(0.125) < across(8.0) == across(1e9) < 100


def test_a_strip_has_a_dot_for_each_ratio_in_its_colour_and_says_what_it_shows():
    found = [Verdict(word="ahead", ratio=2.0), Verdict(word="ahead", ratio=2.0), Verdict(word="behind", ratio=0.5)]
    drawn = strip([*found, Verdict(word="unrated", ratio=3.0), Verdict(word="none")], 'said & "done"')

    root = ElementTree.fromstring(drawn)
    paths = {path.get("class"): path.get("d").count("M") for path in root.iter("path")}
    assert paths == {"b-dots b-ahead": 2, "b-dots b-behind": 1, "b-dots b-unrated": 1}
    assert root.get("aria-label") == 'said & "done"'
    assert root.get("role") == "img"
    assert [text.text for text in root.iter("text")] == ["0.50×", "3.00×"]
    assert "#" not in re.sub("&#.*?;", "", drawn)  # no colour of its own: the page's


def test_dots_of_one_place_do_not_hide_one_another_and_stay_within():
    drawn = strip([Verdict(word="level", ratio=1.0)] * 40, "x", height=34)

    ys = [float(y) for y in re.findall(r"M\S+ (\S+?)h0", drawn)]
    assert len(set(ys)) == 40
    assert 0 < min(ys) < max(ys) < 34


def test_a_strip_of_nothing_and_an_axis():
    assert ElementTree.fromstring(strip([], "none")).findall(".//path") == []
    assert [text.text for text in ElementTree.fromstring(axis("an axis")).iter("text")][3] == "1×"


def test_a_sparkline_leaves_a_gap_where_a_night_is_missing():
    root = ElementTree.fromstring(spark([1.0, None, 3.0, 2.0], "said"))

    path = root.find("path").get("d")
    assert (path.count("M"), path.count("L")) == (2, 1)
    lows = [float(y) for y in re.findall(r"[ML]\S+ ([\d.]+)", path)]
    assert lows[0] > lows[2] > lows[1]  # more time stands higher
    assert float(root.find("circle").get("cy")) == lows[2]
    assert spark([None, None], "x") == ""
    assert "11.0" in spark([1.0, 1.0], "x")
