"""Nights as they are read: folders, archives, branches; what is no night is refused, what is no number is listed."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import nights
import pytest
from nights import case, junit, raw, times

from snippetlock.errors import RepositoryError
from snippetlock.source import at_hand, open_repo
from tileops_site.benchmarks import opening
from tileops_site.benchmarks.model import NightError
from tileops_site.benchmarks.opening import branch_place, named, places
from tileops_site.benchmarks.reading import read_night

ONE = case("test_a[x-float16]", "AOp", "m.ops.a", tileops=times(1.5, 1.4, 1.6, tflops="3", dtype="float16"))


def refused(path):
    with pytest.raises(NightError) as caught:
        read_night(places(path)[0])
    assert caught.value.path
    assert caught.value.mend
    return caught.value


# Where a night is


def test_a_folder_with_all_three_files(tmp_path):
    found = nights.night(tmp_path / "n", ONE, tests=(case("test_t"), case("test_s", ending=nights.skipped("no"))))

    (row,) = found.rows
    assert (row.test, row.label, row.dtype, row.op, row.module) == ("test_a", "x", "float16", "AOp", "m.ops.a")
    assert (row.ours.busy, row.ours.p10, row.ours.p90, row.ours.tflops, row.ours.tbs) == (1.5, 1.4, 1.6, 3.0, None)
    assert (found.cases, found.outcomes, found.odd, found.unknown) == (1, (), (), {})
    assert (found.meta.date, found.meta.facts["driver"], found.meta.version) == ("2026-11-02", "1.2.3", "0.0.9")
    assert (found.tests.passed, found.tests.skipped, found.tests.failed) == (1, 1, 0)


def test_without_meta_and_tests_it_is_a_night_all_the_same(tmp_path):
    found = nights.night(tmp_path, ONE, meta=None)

    assert (found.meta, found.tests, len(found.rows)) == (None, None, 1)


def gzipped(folder):
    for name in ("bench_results.xml", "meta.json"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
        (folder / name).unlink()
    return folder


def zipped(folder):
    with zipfile.ZipFile(folder.parent / "made.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, f"inner/{path.name}")
    return folder.parent / "made.zip"


def tarred(folder):
    with tarfile.open(folder.parent / "made.tar.gz", "w:gz") as archive:
        archive.add(folder, "made")
    return folder.parent / "made.tar.gz"


def misnamed(folder):
    (folder / "bench_results.xml").write_bytes(gzip.compress((folder / "bench_results.xml").read_bytes()))
    return folder


@pytest.mark.parametrize("packed", [gzipped, zipped, tarred, misnamed, lambda folder: zipped(gzipped(folder))])
def test_however_it_is_packed_it_is_the_same_night(tmp_path, packed):
    plain = nights.night(tmp_path / "night", ONE)

    found = read_night(places(packed(tmp_path / "night"))[0])

    assert (found.rows, found.meta) == (plain.rows, plain.meta)


def test_a_folder_of_nights_is_all_of_them(tmp_path):
    nights.write(tmp_path / "b", ONE)
    zipped(nights.write(tmp_path / "a", ONE)).rename(tmp_path / "c.zip")
    (tmp_path / "notes.txt").write_text("nothing")

    assert [place.name for place in places(tmp_path)] == ["a", "b", "c"]


def test_the_tip_of_a_branch(repo, tmp_path):
    up = repo()
    up.commit({"README": "a library"})
    up.git("checkout", "--quiet", "--orphan", "nights")
    nights.write(up.folder, ONE)
    gzipped(up.folder)
    up.commit(message="a night")

    place = branch_place(open_repo(str(up.folder), tmp_path / "cache"), "nights", ask=False)
    found = read_night(place)

    assert (place.name, len(found.rows), found.meta.date) == ("nights", 1, "2026-11-02")
    with pytest.raises(NightError, match="'main' has no bench_results"):
        branch_place(open_repo(str(up.folder), tmp_path / "cache"), "main", ask=False)
    with pytest.raises(RepositoryError):
        branch_place(open_repo(str(up.folder), tmp_path / "cache"), "nightly", ask=False)


def test_a_branch_elsewhere_is_fetched_once_and_then_read_without_its_server(repo, tmp_path):
    up = repo()
    up.git("config", "uploadpack.allowFilter", "true")
    nights.write(up.folder, ONE)
    up.commit(message="a night")

    first = read_night(branch_place(open_repo(up.url, tmp_path / "cache"), "main", ask=True))
    up.folder.rename(tmp_path / "away")

    again = read_night(branch_place(at_hand(up.url, tmp_path / "cache"), "main", ask=False))

    assert first.rows == again.rows != ()


def cut(path):
    path.write_bytes(path.read_bytes()[:100])
    return path


def test_messages_say_the_whole_path(tmp_path):
    nights.write(tmp_path / "a" / "n", ONE)
    for name in ("bench_results.xml", "meta.json"):
        (tmp_path / "a" / "n" / name).write_text("<")
        assert refused(tmp_path / "a" / "n").path == f"{tmp_path}/a/n/{name}"
        nights.write(tmp_path / "a" / "n", ONE)


@pytest.mark.parametrize(
    ("given", "name"), [(".", "n"), ("..", "a"), ("x/..", "n"), ("../n", "n"), ("m", "m"), ("/b/m", "m")]
)
def test_a_night_has_the_name_of_its_folder_however_that_is_named(given, name):
    assert named(Path(given), Path("/a/n")).name == name


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda at: at / "absent", "there is nothing here"),
        (lambda at: at, "no night here"),
        (lambda at: (at / "x.txt").write_text("hello") and at / "x.txt", "it is no archive, or a damaged one"),
        (lambda at: cut(zipped(nights.write(at / "n", ONE))), "it is no archive, or a damaged one"),
        (lambda at: nights.write(at, ONE) / "bench_results.xml", "a night is more than this one file"),
    ],
)
def test_what_is_no_night_says_what_one_is(tmp_path, make, said):
    with pytest.raises(NightError, match=said) as caught:
        places(make(tmp_path))
    assert caught.value.mend


def test_a_file_that_is_there_twice_is_nobodys(tmp_path):
    nights.write(tmp_path, ONE)
    (tmp_path / "bench_results.xml.gz").write_bytes(gzip.compress(b"<testsuites/>"))

    assert "bench_results.xml is there 2 times" in str(refused(tmp_path))


# What is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not well-formed"),
        ("hello", "not well-formed"),
        (junit(ONE)[:-30], "not well-formed"),
        (junit(ONE).replace("</testcase>", ""), "not well-formed"),
        ("<html><body/></html>", "no JUnit"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuites/>', "refused: it has a document type"),
        ('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><testsuites/>', "refused: it has a document type"),
        (f'<testsuites a="{"x" * 11_000_000}"/>', "not well-formed"),
        ("<testsuites>" + "<testsuite>" * 300 + "</testsuite>" * 300 + "</testsuites>", "not well-formed"),
    ],
)
def test_what_is_no_junit_is_refused_by_its_name(tmp_path, text, said):
    nights.write(tmp_path, ONE)
    (tmp_path / "bench_results.xml").write_text(text)

    error = refused(tmp_path)

    assert said in error.what
    assert "bench_results.xml" in error.path


def test_an_entity_bomb_is_refused_before_it_goes_off(tmp_path):
    lines = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))]
    nights.write(tmp_path, ONE)
    (tmp_path / "bench_results.xml").write_text(f"<!DOCTYPE t [{''.join(lines)}]><testsuites a='&a11;'/>")

    assert refused(tmp_path).what.startswith(("refused", "not well-formed"))


def test_nothing_outside_of_the_file_is_read(tmp_path):
    (tmp_path / "secret").write_text("the secret")
    nights.write(tmp_path / "n", ONE)
    entity = f'<!DOCTYPE t [<!ENTITY a SYSTEM "file://{tmp_path}/secret">]>'
    body = "<testsuites><testcase name='&a;'>&a;</testcase></testsuites>"
    (tmp_path / "n/bench_results.xml").write_text(entity + body)

    assert "the secret" not in str(refused(tmp_path / "n"))


@pytest.mark.parametrize(
    ("meta", "said"),
    [(b"{", "not JSON"), (b"[1]", "no JSON object"), (b"\xff\xfe", "not JSON"), (b" " * 2_000_000, "more than")],
)
def test_a_broken_meta_is_refused(tmp_path, meta, said):
    nights.write(tmp_path, ONE)
    (tmp_path / "meta.json").write_bytes(meta)

    assert said in refused(tmp_path).what


def test_meta_that_says_odd_things_says_nothing(tmp_path):
    odd = {"date": ["x"], "commit": None, "gpu": "A  GPU\n", "environment": 5, "packages": {"a": {}, "tileops": 1.5}}
    meta = nights.night(tmp_path, ONE, meta=odd).meta

    assert (meta.date, meta.commit, dict(meta.facts), dict(meta.packages)) == (
        "",
        "",
        {"gpu": "A GPU"},
        {"tileops": "1.5"},
    )


def test_a_gzip_file_that_is_cut_short_or_never_ends(tmp_path, monkeypatch):
    nights.write(tmp_path, ONE)
    whole = gzip.compress(junit(*[ONE] * 2000).encode())
    (tmp_path / "bench_results.xml").write_bytes(whole[: len(whole) // 2])
    assert "cannot be read" in refused(tmp_path).what or "not well-formed" in refused(tmp_path).what

    (tmp_path / "bench_results.xml").write_bytes(whole)
    monkeypatch.setattr(opening, "LARGEST", 10_000)
    assert "refused: more than 10,000 bytes" in refused(tmp_path).what


def test_an_archive_that_is_damaged(tmp_path):
    path = zipped(nights.write(tmp_path / "n", *[ONE] * 200))
    data = bytearray(path.read_bytes())
    data[200:260] = b"\0" * 60
    path.write_bytes(data)

    assert refused(path).what


# What is no measurement


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("1e999", "not finite"),
        ("0", "not a time"),
        ("-0.5", "not a time"),
        ("1e7", "too long"),
        ("600000.1", "too long"),
        ("1e-300", "too short"),
        ("9.9e-7", "too short"),
        ("1_000", "not a number"),
        ("１", "not a number"),
        ("", "not a number"),
        ("<b>", "not a number"),
    ],
)
def test_a_time_that_is_none_is_missing_and_listed(tmp_path, value, why):
    found = nights.night(tmp_path, case("test_a[x]", "AOp", tileops=times(value), swift=times(1.0)))

    (row,) = found.rows
    assert (row.ours.busy, row.measured[1].busy) == (None, 1.0)
    (odd,) = found.odd
    assert "tileops_device_busy_ms" in odd
    assert why in odd


@pytest.mark.parametrize("value", ["0.5", "5e-1", ".5", " 0.5 ", "+0.5"])
def test_a_time_that_is_one(tmp_path, value):
    found = nights.night(tmp_path, case("test_a[x]", "AOp", tileops=times(value)))

    assert (found.rows[0].ours.busy, found.odd) == (0.5, ())


@pytest.mark.parametrize("value", [1e-6, 600_000.0])
def test_the_shortest_and_the_longest_time_are_times(tmp_path, value):
    found = nights.night(tmp_path, case("test_a[x]", "AOp", tileops=times(value)))

    assert (found.rows[0].ours.busy, found.odd) == (value, ())


def test_a_rate_of_zero_is_missing_and_one_below_is_listed_too(tmp_path):
    found = nights.night(tmp_path, case("test_a[x]", "AOp", tileops=times(1, tflops="0", bandwidth_tbs="-1")))

    assert (found.rows[0].ours.tflops, found.rows[0].ours.tbs) == (None, None)
    assert ["tileops_bandwidth_tbs" in odd for odd in found.odd] == [True]


def test_a_spread_that_is_upside_down_is_none(tmp_path):
    found = nights.night(tmp_path, case("test_a[x]", "AOp", tileops=times(1.0, 1.2, 0.9)))

    assert (found.rows[0].ours.p10, found.rows[0].ours.p90, len(found.odd)) == (None, None, 1)


def test_a_property_that_stands_twice_and_one_that_nobody_knows(tmp_path):
    properties = [("op", "AOp"), ("op", "BOp"), ("tileops_device_busy_ms", "1"), ("tileops_magic", "9"), ("", "")]
    found = nights.night(tmp_path, raw("test_a[x]", [*properties, ("tileops_variant", "v")]))

    assert (found.rows[0].op, found.rows[0].ours.busy) == ("AOp", 1.0)
    assert found.odd == ("test_a[x]: op is 'AOp' and then 'BOp'",)
    assert found.unknown == {"": 1, "tileops_magic": 1}


def test_the_second_copy_of_a_baseline_is_none_of_its_own(tmp_path):
    both = [("op", "AOp"), ("baseline_tag", "swift"), ("baseline_device_busy_ms", "2")]
    found = nights.night(tmp_path, raw("a", [*both, ("swift_device_busy_ms", "2")]), raw("b", both))

    assert [[(m.name, m.busy) for m in row.measured] for row in found.rows] == [[("swift", 2.0)], [("swift", 2.0)]]


def test_rows_that_stand_twice_are_both_kept_and_marked(tmp_path):
    again = case("test_a[x-float16]", "AOp", "m.ops.a", tileops=times(9, dtype="float16"))
    found = nights.night(tmp_path, ONE, again, case("test_a[y-float16]", "AOp", tileops=times(1, dtype="float16")))

    assert [(row.label, row.twice) for row in found.rows] == [("x", True), ("x", True), ("y", False)]
    assert found.cases == 3


def test_failures_and_skips_keep_their_reason_and_measure_nothing(tmp_path):
    both = nights.skipped("later") + nights.failed("boom\n\ntrace")
    found = nights.night(
        tmp_path,
        case("test_a[x]", "AOp", tileops=times(1), ending=nights.failed("it broke\nat line 3")),
        case("test_b[y]", ending=nights.skipped("no GPU")),
        case("test_c", ending="<error>\n\n  lost  \n</error>"),
        case("test_d", ending=both),
        case("test_e", ending="<skipped/>"),
    )

    said = [(one.test, one.label, one.ending, one.reason) for one in found.outcomes]
    assert said == [
        ("test_a", "x", "failed", "it broke"),
        ("test_b", "y", "skipped", "no GPU"),
        ("test_c", "", "failed", "lost"),
        ("test_d", "", "failed", "boom"),
        ("test_e", "", "skipped", ""),
    ]
    assert (found.rows, found.cases) == ((), 5)


def test_a_row_without_an_op_or_without_any_property_is_a_row(tmp_path):
    found = nights.night(tmp_path, case("test_a[x]", swift=times(1)), case("test_b"))

    assert [(row.op, len(row.measured)) for row in found.rows] == [("", 1), ("", 0)]


# However much there is

STREAM = """
import io, re, sys
from pathlib import Path
from tileops_site.benchmarks.junit import cases
class Long(io.RawIOBase):
    def __init__(self, size, row):
        self.size, self.row, self.left, self.ended = size, row * 400, b"<testsuites><testsuite>", False
    def read(self, count=-1):
        if not self.left and not self.ended:
            self.ended = self.size <= 0
            self.left = b"</testsuite></testsuites>" if self.ended else self.row
        data, self.left = self.left[:count], self.left[count:]
        self.size -= len(data)
        return data
n = sum(len(case.properties) for case in cases(Long(int(sys.argv[1]), sys.stdin.buffer.read()), "long"))
print(n, re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def memory(size: int) -> tuple[int, int]:
    """How many properties a stream of so many bytes has, and the kilobytes that it took at most."""
    done = subprocess.run(
        [sys.executable, "-c", STREAM, str(size)],
        input=ONE.encode(),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(nights.ROOT / "tools")},
    )
    count, kilobytes = done.stdout.split()
    return int(count), int(kilobytes)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not say what a process takes")
def test_what_was_read_is_let_go():
    few, little = memory(100_000)
    many, much = memory(6_000_000)

    assert many > 20 * few
    assert much < little + 4_000


def test_a_night_of_many_odd_values_lists_the_first_of_them(tmp_path):
    rows = [case(f"test_a[{n}]", "AOp", tileops=times("nan")) for n in range(700)]
    found = nights.night(tmp_path, *rows)

    assert len(found.odd) == 501
    assert found.odd[-1] == "and 200 more"


def test_a_night_of_many_unknown_properties_lists_the_first_of_them(tmp_path):
    rows = [raw(f"test_a[{n}]", [("op", "AOp"), (f"p{n % 700}", "x"), ("q" * 200, "x")]) for n in range(1400)]
    found = nights.night(tmp_path, *rows)

    assert len(found.unknown) == 501
    assert sum(found.unknown.values()) == 2800
    assert found.unknown["p0"] == 2
    assert found.unknown["q" * 100] == 1400


def test_json_of_a_night_is_read_whatever_its_file_is_called(tmp_path):
    nights.write(tmp_path, ONE, meta=None)
    (tmp_path / "meta.json").write_bytes(gzip.compress(json.dumps(nights.META).encode()))

    assert read_night(places(tmp_path)[0]).meta.date == "2026-11-02"


def test_bytes_are_bounded_whatever_is_asked_for(monkeypatch):
    monkeypatch.setattr(opening, "LARGEST", 5)
    stream = opening._Bounded(io.BytesIO(b"123456"), "here")

    assert stream.read(4) == b"1234"
    with pytest.raises(NightError, match="more than 5 bytes"):
        stream.read(-1)
