"""One real night of results, read, sorted and shown: nothing of it is here, so it is named from outside.

    NIGHT=../path/to/the/night python -m pytest tests/unit/test_benchmarks_night.py

Whatever is compared is read out of the XML and out of the pages by other code than that which made them.
"""

from __future__ import annotations

import gzip
import os
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import nights
import pytest

from snippetlock.config import cache_dir
from snippetlock.errors import PinError
from snippetlock.workflow import open_project
from tileops_site.benchmarks.families import PAGES
from tileops_site.benchmarks.placing import RULES
from tileops_site.benchmarks.section import at_path, book_of, made_pages
from tileops_site.benchmarks.settings import load_settings

GIVEN = os.environ.get("NIGHT", "")
pytestmark = pytest.mark.skipif(not GIVEN, reason="no real night is given: set NIGHT to a folder of one")
RATED = {name for name, one in load_settings(nights.ROOT).implementations.items() if one.kind == "library"}


@pytest.fixture(scope="module")
def xml() -> dict[tuple[str, str], dict[str, str]]:
    """The properties of each test case that has some, by its class and name."""
    folder = nights.ROOT / GIVEN
    path = next(path for path in (folder / "bench_results.xml", folder / "bench_results.xml.gz") if path.exists())
    data = path.read_bytes()
    root = ElementTree.fromstring(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return {
        (case.get("classname"), case.get("name")): {p.get("name"): p.get("value") for p in case.iter("property")}
        | {f"<{child.tag}>": "" for child in case if child.tag != "properties"}
        for case in root.iter("testcase")
    }


@pytest.fixture(scope="module")
def book():
    project = open_project(nights.ROOT, cache_dir(os.environ))
    try:
        project.tree  # noqa: B018 - without the library nothing can be sorted
    except PinError as error:
        pytest.skip(f"the pinned wheel is not in the cache: {error.what}")
    return book_of(project, at_path(nights.ROOT / Path(GIVEN), load_settings(nights.ROOT))[-1])


@pytest.fixture(scope="module")
def pages(book) -> dict[str, str]:
    return made_pages(book, [book.night])


class Shown(HTMLParser):
    """The rows of a page: (test, label, dtype) and the ratio, verdict and times that stand there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, str, str, str, dict[str, str]]] = []
        self.within: list[str] = []
        self.name = ""
        for html in re.findall(r'<table class="b-table">.*?</table>', page, flags=re.S):
            self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.within.append(found.get("class") or tag)
        if tag == "td" and (found.get("class") or "").startswith("b-ratio"):
            self.now = {"ratio": found.get("data-ratio"), "verdict": found["class"].split("b-")[-1], "label": ""}
            self.rows.append(self.now | {"times": {}})
        if tag == "th" and "title" in found:
            self.rows[-1]["test"] = found["title"]
        if tag == "data":
            self.rows[-1]["times"][self.name] = found["value"]

    def handle_data(self, data):
        if not self.within or not data.strip():
            return
        if self.within[-2:] == ["th", "b"]:
            self.rows[-1]["label"] = data
        elif self.within[-1] == "b-dtype":
            self.rows[-1]["dtype"] = data
        elif self.within[-1] in ("b-name", "code"):
            self.name = data

    def handle_endtag(self, tag):
        self.within.pop()


@pytest.fixture(scope="module")
def shown(pages):
    return {page.slug: Shown(pages[f"benchmarks/{page.slug}.md"]).rows for page in PAGES}


def key(row) -> tuple[str, str]:
    """The test case that a row on a page is of."""
    file, _, name = row["test"].partition("::")
    assert f"[{row['label']}" in name
    return file, name


def test_the_rows_that_went_in_are_those_that_are_shown_and_those_that_failed_or_were_skipped(xml, book, shown):
    failed = sum("<failure>" in said or "<error>" in said for said in xml.values())
    skipped = sum("<skipped>" in said for said in xml.values())
    every = [key(row) for rows in shown.values() for row in rows]

    assert len(xml) == book.night.cases == len(every) + failed + skipped
    assert len(set(every)) == len(every)
    passed = [name for name, said in xml.items() if not {"<failure>", "<error>", "<skipped>"} & said.keys()]
    assert sorted(every) == sorted(passed)


def test_numbers_picked_at_random_stand_in_the_xml(xml, shown):
    seed = random.randrange(10**6)
    every = [(row, name, value) for rows in shown.values() for row in rows for name, value in row["times"].items()]

    for row, name, value in random.Random(seed).sample(every, 10):
        own = "tileops" if name == "TileOPs" else name
        assert float(xml[key(row)][f"{own}_device_busy_ms"]) == float(value), (seed, key(row), name)


def test_every_ratio_is_the_fastest_rated_implementation_over_tileops(xml, shown):
    counted = 0
    for row in (row for rows in shown.values() for row in rows):
        said = xml[key(row)]
        times = {k.removesuffix("_device_busy_ms"): float(v) for k, v in said.items() if k.endswith("_device_busy_ms")}
        rated = [time for name, time in times.items() if name in RATED]
        if "tileops" in times and rated:
            ratio = min(rated) / times["tileops"]
            want = "ahead" if ratio > 1.05 else "behind" if ratio < 1 / 1.05 else "level"
            assert (float(row["ratio"]), row["verdict"]) == (pytest.approx(ratio, rel=1e-12), want), key(row)
            counted += 1
        else:
            assert row["verdict"] in ("unrated", "none"), key(row)
    assert counted > 1000


def test_each_rule_chose_pages_and_the_manifest_was_never_passed_over(book):
    chosen = {rule: [group for group in book.every if group.placed.chosen.rule == rule] for rule in RULES}

    assert all(chosen.values())
    for group in book.every:
        if group.name in book.manifest.ops:
            assert group.placed.chosen.rule == "manifest"
            assert group.placed.page.families.count(book.manifest.ops[group.name].family) == 1
    renamed = {group.name: group.op.name for group in chosen["manifest"] if group.placed.chosen.renamed}
    assert renamed.get("GemmFwdOp") == "GEMMFwdOp"


def test_nothing_of_the_night_is_unclassified_or_odd(book):
    assert [name for name in book.implementations if book.settings.known(name).kind == "unclassified"] == []
    assert (book.night.odd, dict(book.night.unknown)) == ((), {})
