"""The pages as they are made, whole, in both languages: goldens in tests/nights, held to what the night says."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import markdown
import nights
import pytest
from nights import case, small, times

from snippetlock.model import Repository
from tileops_site.benchmarks.book import Book
from tileops_site.benchmarks.families import BY_SLUG, PAGES
from tileops_site.benchmarks.overview import accounting, no_night, overview, shown
from tileops_site.benchmarks.pages import breaking, family_page, literal, same_state
from tileops_site.benchmarks.section import labels, made_pages, navigation
from tileops_site.benchmarks.words import LANGUAGES, WORDS
from tileops_site.typography import mends

PAGES_OF = nights.ROOT / "tests/nights"


@pytest.fixture
def book(tmp_path) -> Book:
    return nights.book(nights.night(tmp_path / "small", *small(), tests=(case("test_t"), case("test_u"))))


def older(tmp_path):
    """The night before: one op was faster, one slower, one was not there."""
    rows = (
        case("test_gemm[first-float16]", "GEMMFwdOp", tileops=times(0.03, 0.029, 0.031, dtype="float16")),
        case("test_gemm[first-bfloat16]", "GEMMFwdOp", tileops=times(1.0, 0.9, 1.1, dtype="bfloat16")),
        case("test_gemm[second-float16]", "GEMMFwdOp", tileops=times(3.0, 2.9, 3.1, dtype="float16")),
        case("test_gemm[bygone-float16]", "GEMMFwdOp", tileops=times(3.0, 2.9, 3.1, dtype="float16")),
    )
    return nights.night(tmp_path / "older", *rows, meta={**nights.META, "date": "2026-11-01"})


def made(book, tmp_path) -> dict[str, str]:
    found = made_pages(book, [older(tmp_path), book.night])
    found["benchmarks/index.md"], found["benchmarks/index.zh.md"] = (overview(book, one) for one in LANGUAGES)
    return {name.removeprefix("benchmarks/"): text for name, text in found.items()}


GOLDEN = [
    f"{name}{end}"
    for name in ("accounting", "gemm", "history", "index", "normalization", "other", "sampling")
    for end in (".md", ".zh.md")
]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_pages_of_a_small_night(book, tmp_path, name, request):
    got, path = made(book, tmp_path)[name], PAGES_OF / name
    if request.config.getoption("--update-golden"):
        path.write_text(got, encoding="utf-8")
    assert got == path.read_text(encoding="utf-8")


def test_no_golden_is_left_over():
    assert sorted(path.name for path in PAGES_OF.iterdir()) == sorted(GOLDEN)


# What is in them


class Rows(HTMLParser):
    """What a page shows, read out of it again: per table row its ratio, verdict, label, and times by name."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[dict[str, object]] = []
        self.tags: list[str] = []
        self.name = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(found.get("class") or tag)
        if tag == "td" and (found.get("class") or "").startswith("b-ratio"):
            ratio = found.get("data-ratio")
            row = {"ratio": float(ratio) if ratio else None, "verdict": found["class"].split("b-")[-1]}
            self.rows.append({**row, "label": "", "times": {}})
        if tag == "data":
            self.rows[-1]["times"][self.name] = float(found["value"])

    def handle_data(self, data):
        if not data.strip() or not self.tags:
            return
        if self.rows and self.tags[-1] == "b" and not self.rows[-1]["label"] and "×" not in data and data != "—":
            self.rows[-1]["label"] = data
        self.name = data if self.tags[-1] in ("b-name", "code") else self.name


def test_a_page_read_again_says_what_the_night_says(book):
    rows = Rows(family_page(book, BY_SLUG["gemm"], "en")).rows

    first = rows[0]
    assert (first["label"], first["ratio"], first["verdict"]) == ("first", 2.0, "ahead")
    assert first["times"] == {"TileOPs": 0.05, "torch": 0.08, "swift": 0.1, "brisk": 0.2}
    assert list(first["times"]) == ["TileOPs", "torch", "swift", "brisk"]  # the fastest first
    assert [row["verdict"] for row in rows] == ["ahead", "level", "behind", "unrated", "none", "none"]


def test_a_time_that_is_missing_is_shown_as_missing(book):
    page = family_page(book, BY_SLUG["gemm"], "en")

    assert page.count('<span class="b-missing">missing</span>') == 1
    assert (
        '<span class="b-time"><data value="0.2">200.0 µs</data></span>'
        + "".join(
            f'<span class="b-{what}"><span class="b-missing" title="missing">—</span></span>'
            for what in ("spread", "rate")
        )
        in page
    )
    assert "TileOPs’ time is missing" in page


def test_the_rate_is_that_of_computing_or_of_moving_for_all_of_a_row(tmp_path):
    much, few = {"tflops": "400", "bandwidth_tbs": "0.5"}, {"tflops": "4", "bandwidth_tbs": "0.5"}
    rows = [
        case(f"t[{name}]", "MaskFwdOp", tileops=times(1.0, **rates), swift=times(2.0, **few))
        for name, rates in (("much", much), ("few", few))
    ]
    page = family_page(nights.book(nights.night(tmp_path, *rows)), BY_SLUG["sampling"], "en")

    assert re.findall(r"[\d.]+ T\w+/s", page) == ["400.0 TFLOP/s", "4.000 TFLOP/s", "0.5000 TB/s", "0.5000 TB/s"]


def test_the_sampling_page_is_made_with_its_ops_in_the_navigation_under_its_chinese_label(book, tmp_path):
    pages = made(book, tmp_path)

    assert {"sampling.md", "sampling.zh.md"} <= set(pages)
    assert "## MaskFwdOp { #maskfwdop }" in pages["sampling.md"]
    assert "# 采样 { #sampling }" in pages["sampling.zh.md"]
    assert "<code>QuietFwdOp</code>" in pages["sampling.md"]
    assert {"Sampling": "benchmarks/sampling.md"} in navigation(night=True, history=False)
    assert labels("zh")["Sampling"] == "采样"


def test_the_navigation_follows_the_list():
    entries = navigation(night=True, history=True)
    titles = [next(iter(entry)) for entry in entries[1:]]

    assert entries[0] == "benchmarks/index.md"
    assert titles[: len(PAGES)] == [
        *("Elementwise", "RoPE", "Reduction", "Normalization", "Conv & Pool", "GEMM", "Quantization", "Attention"),
        *("MoE", "Sampling", "Linear attention", "SSM", "Other"),
    ]
    assert titles[len(PAGES) :] == ["History", "Every row accounted for", "How to read these numbers"]
    assert set(titles) <= set(labels("zh"))
    assert navigation(night=False, history=False) == [
        "benchmarks/index.md",
        {"How to read these numbers": "benchmarks/reading.md"},
    ]


def test_every_page_of_the_list_is_made_in_both_languages(book):
    found = made_pages(book, [book.night])

    wanted = {f"benchmarks/{page.slug}{end}" for page in PAGES for end in (".md", ".zh.md")}
    assert set(found) == {*wanted, "benchmarks/accounting.md", "benchmarks/accounting.zh.md"}


def test_both_languages_have_the_same_anchors_rows_and_numbers(book, tmp_path):
    pages = made(book, tmp_path)

    for name in (name for name in pages if not name.endswith(".zh.md")):
        english, chinese = pages[name], pages[name.replace(".md", ".zh.md")]
        for pattern in (r"\{ #(\S+) \}", r"data-ratio=\"(\S+)\"", r"data value=\"(\S+)\"", r"<tr>", r"d=\"(\S*)\""):
            assert re.findall(pattern, english) == re.findall(pattern, chinese), name
    assert set(WORDS["en"]) == set(WORDS["zh"])
    for key, text in WORDS["en"].items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", WORDS["zh"][key])), key


def test_the_chinese_of_the_made_pages_is_written_as_chinese(book, tmp_path):
    for name, text in made(book, tmp_path).items():
        if name.endswith(".zh.md"):
            prose = re.sub(r"<svg class=\S*b-.*?</svg>(</svg>)?", "\n", text, flags=re.S)
            prose = re.sub(r"<(code|data)\b.*?</\1>", "x", prose, flags=re.S)
            prose = re.sub(r"</?(td|th|tr|li|ul|dt|dd|div|small|span)\b[^>]*>", "\n", prose)
            prose = re.sub(r"</?[a-z]+[^>]*>|\{ #\S+ \}", "", prose)
            assert list(mends(prose)) == [], name


def test_the_accounting_adds_up(book):
    page = accounting(book, "en")

    assert "11 test cases = 9 rows shown + 1 failed + 1 skipped." in page
    assert shown(book) + len(book.night.outcomes) == book.night.cases
    assert "test_gemm[odd-float16]: tileops_device_busy_ms is &#x27;nan&#x27;, not a number" in page
    assert "swift_wonder (1)" in page


def test_an_implementation_that_nobody_has_classified_is_shown_and_said_so(book):
    gemm, whole = family_page(book, BY_SLUG["gemm"], "en"), overview(book, "en")

    assert '<li class="b-unclassified"><span class="b-name"><code>mystery</code> <small>unclassified</small>' in gemm
    assert "Unclassified: shown where it was measured, and never rated against." in whole
    assert "swift-kernels 4.5" in whole


class Seen(HTMLParser):
    """The tags of a page, links with where they lead, and its texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        assert not any(name.startswith("on") for name in found)
        self.tags |= {tag, f"{tag} {found.get('href')}"}
        self.texts += [value for value in found.values() if value]

    def handle_data(self, data):
        self.texts.append(data)


HOSTILE = "<img src=x onerror=alert(1)>\"&'`[a](b)*_{#x}\n<!-- -->"


def test_whatever_a_night_says_is_text(tmp_path):
    evil = HOSTILE.replace("\n", " ")
    rows = (
        case(f"test[{evil}]", evil, evil, file=evil, tileops=times(1.0, dtype=evil)),
        case(f"test_s[{evil}]", ending=nights.skipped(evil), file=evil),
        nights.raw("t[x]", [("op", "GEMMFwdOp"), (f"{evil}_device_busy_ms", "1"), (f"tileops_{evil}", evil)]),
        case("t[y]", "GEMMFwdOp", tileops=times(evil), swift=times(1.0)),
    )
    meta = {**nights.META, "date": evil, "commit": evil, "environment": {"gpu": evil}, "packages": {"tileops": evil}}
    book = nights.book(nights.night(tmp_path, *rows, meta=meta))

    pages = list(made_pages(book, [replace(book.night, meta=None), book.night]).values())
    pages += [overview(book, one) for one in LANGUAGES]
    texts = []
    for page in pages:
        seen = Seen(markdown.markdown(page, extensions=["attr_list", "md_in_html", "tables", "toc"]))
        assert not {"img", "em", "strong", "a b"} & seen.tags
        texts += seen.texts
    # Nothing of it is lost either: as a name, a label, a dtype, a reason, a date.
    assert sum(evil in text for text in texts) > 20


def test_a_heading_is_the_text_that_it_was(tmp_path):
    text = "a*b*_c_ `d` <e> [f](g) &amp; # h {#i}"
    html = markdown.markdown(f"## {literal(text)} {{ #own }}", extensions=["attr_list"])

    assert html == (
        '<h2 id="own">a&#42;b&#42;&#95;c&#95; &#96;d&#96; &#60;e&#62; &#91;f&#93;&#40;g&#41; '
        "&#38;amp&#59; &#35; h &#123;&#35;i&#125;</h2>"
    )


def test_two_ops_of_one_anchor_have_two(tmp_path):
    rows = [case(f"t[{n}]", op, tileops=times(1.0)) for n, op in enumerate(("a_b", "a-b", "unmeasured", "a.b", "€"))]
    page = family_page(nights.book(nights.night(tmp_path, *rows)), BY_SLUG["other"], "en")

    anchors = re.findall(r"^## .*\{ #(\S+) \}", page, flags=re.M)
    assert anchors == ["a-b", "a-b-2", "unmeasured-2", "a-b-3", "op"]
    assert re.findall(r'<a href="#(\S+)">', page) == anchors


def test_rows_that_stand_twice_and_labels_of_two_tests_say_so(tmp_path):
    rows = [case(f"{test}[x]", "MaskFwdOp", tileops=times(1.0)) for test in ("test_a", "test_a", "test_b")]
    page = family_page(nights.book(nights.night(tmp_path, *rows)), BY_SLUG["sampling"], "en")

    assert page.count("stands twice in the night") == 2
    assert page.count("<small><code>test_a</code></small>") == 2
    assert page.count("<small><code>test_b</code></small>") == 1


def test_long_names_may_break_between_words():
    assert breaking("SlidingWindowFwdOp") == "Sliding<wbr>Window<wbr>Fwd<wbr>Op"
    assert breaking("grouped_gemm<") == "grouped_<wbr>gemm&lt;"


# The state of the library


@pytest.mark.parametrize(
    ("measured", "commit", "pinned", "at", "same"),
    [
        ("0.1.0", "a" * 40, "0.1.0", "", True),
        ("0.0.9", "a" * 40, "0.1.0", "", False),
        ("0.1.0+gabc", "a" * 40, "0.1.0", "a" * 40, True),
        ("0.1.0", "b" * 40, "0.1.0", "a" * 40, False),
    ],
)
def test_a_night_of_another_state_says_so(tmp_path, measured, commit, pinned, at, same):
    meta = {**nights.META, "commit": commit, "packages": {"tileops": measured}}
    book = nights.book(nights.night(tmp_path, *small(), meta=meta), version=pinned)
    repository = Repository(url="https://example.org", branch="main", root="", commit=at or None)
    book = replace(book, pin=replace(book.pin, repository=repository))

    assert same_state(book) is same
    for page in (family_page(book, BY_SLUG["gemm"], "en"), overview(book, "en")):
        assert ("The night measured TileOPs" in page) is not same


@pytest.mark.parametrize(
    ("commit", "url", "want"),
    [
        (
            "a" * 40,
            "https://github.com/x/y",
            f'<a href="https://github.com/x/y/commit/{"a" * 40}"><code>aaaaaaaaaa</code></a>',
        ),
        ("a" * 40, "/somewhere/here", "<code>aaaaaaaaaa</code>"),
        ("<main>", "https://github.com/x/y", "&lt;main&gt;"),
    ],
)
def test_the_commit_that_was_measured_is_linked_where_it_is_one(tmp_path, commit, url, want):
    book = nights.book(nights.night(tmp_path, *small(), meta={**nights.META, "commit": commit}))
    book = replace(book, pin=replace(book.pin, repository=Repository(url=url)))

    assert f"<dt>Commit</dt><dd>{want}</dd>" in overview(book, "en")


def test_a_night_without_meta_says_so_and_has_all_its_rows(tmp_path):
    book = nights.book(nights.night(tmp_path, *small(), meta=None))

    for one, said in (("en", "it came without meta.json"), ("zh", "缺少 meta.json")):
        assert said in family_page(book, BY_SLUG["gemm"], one)
        assert said in overview(book, one)
    assert "of the night of no date: " in family_page(book, BY_SLUG["gemm"], "en")
    assert shown(book) == 9


def test_without_a_night_a_sentence_says_so_in_both_languages():
    assert "No night of results was at hand" in no_night("en")
    assert "没有可用的夜测结果" in no_night("zh")
    assert "make benchmarks SNAPSHOT=" in no_night("en")
