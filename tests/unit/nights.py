"""Nights of results for tests, made from a few words: no number of them was measured anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from snippetlock.model import Pin
from snippetlock.source import DictTree
from tileops_site.benchmarks.book import Book, make_book
from tileops_site.benchmarks.families import BY_SLUG
from tileops_site.benchmarks.manifest import Manifest, read_manifest
from tileops_site.benchmarks.model import Night
from tileops_site.benchmarks.opening import places
from tileops_site.benchmarks.reading import read_night
from tileops_site.benchmarks.settings import Implementation, Settings

ROOT = Path(__file__).parent.parent.parent
SETTINGS = Settings(
    repository="https://example.org/library",
    branch="nights",
    implementations={
        "swift": Implementation(name="swift", kind="library", package="swift-kernels"),
        "brisk": Implementation(name="brisk", kind="library"),
        "torch": Implementation(name="torch", kind="eager", package="torch"),
    },
    keywords=((("grouped", "gemm"), BY_SLUG["gemm"]), (("norm",), BY_SLUG["normalization"])),
    aside=("variant",),
)
META = {
    "commit": "c0ffee" + "0" * 34,
    "date": "2026-11-02",
    "run_id": "7",
    "gpu": "Made GPU",
    "environment": {"gpu": "Made GPU", "driver": "1.2.3", "cuda": "99.1", "torch": "9.9.9", "tilelang": "8.8.8"},
    "packages": {"swift-kernels": "4.5", "torch": "9.9.9", "tileops": "0.0.9"},
}
SPEC = {
    "tileops/manifest/spec/alpha.yaml": """
GEMMFwdOp:
  family: gemm
  workloads:
  - {M: 8, N: [4, 2], fast: true, dtype_cases: [{T: float16}, {T: bfloat16}], label: first}
  - {M: 9, N: [4, 2], fast: false, dtype_cases: [{T: float16}], label: second}
  - {M: 10, dtype_cases: [{T: float16}], label: both}
  - {M: 11, dtype_cases: [{T: float16}], label: both}
MaskFwdOp: {family: sampling, workloads: [{V: 5, dtype_cases: [{T: float32}], label: small}]}
QuietFwdOp: {family: sampling, workloads: []}
""",
    "tileops/manifest/spec/types.yaml": "adts:\n  Layout: [a, b]\n",
}


def times(busy, p10=None, p90=None, **more) -> dict[str, str]:
    """The properties of one implementation: a time in milliseconds with its spread."""
    found = {"device_busy_ms": busy, "device_busy_p10_ms": p10, "device_busy_p90_ms": p90, "timing": "cupti", **more}
    return {key: str(value) for key, value in found.items() if value is not None}


def case(name: str, op: str = "", module: str = "", ending: str = "", file: str = "bench.ops", **measured) -> str:
    """A test case in XML; `measured` are implementations (`_` for `-`) and their properties."""
    said = {key: value for key, value in (("op", op), ("op_module", module)) if value}
    for one, metrics in measured.items():
        said.update({f"{one.replace('_', '-')}_{metric}": value for metric, value in metrics.items()})
    return raw(name, list(said.items()), ending, file)


def raw(name: str, properties: list[tuple[str, str]], ending: str = "", file: str = "bench.ops") -> str:
    """A test case with just these properties."""
    rows = "".join(f"<property name={quoteattr(k)} value={quoteattr(v)}/>" for k, v in properties)
    inner = f"<properties>{rows}</properties>" if rows else ""
    return f"<testcase classname={quoteattr(file)} name={quoteattr(name)} time='0.1'>{inner}{ending}</testcase>"


def skipped(reason: str) -> str:
    return f'<skipped type="pytest.skip" message={quoteattr(reason)}>{escape(reason)}</skipped>'


def failed(reason: str) -> str:
    return f"<failure message={quoteattr(reason)}>Traceback</failure>"


def junit(*cases: str) -> str:
    body = "\n".join(cases)
    head = "<?xml version='1.0' encoding='utf-8'?>\n"
    return f'{head}<testsuites><testsuite name="pytest">{body}</testsuite></testsuites>'


def write(folder: Path, *cases: str, meta: object = META, tests: tuple[str, ...] = ()) -> Path:
    """A night in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench_results.xml").write_text(junit(*cases), encoding="utf-8")
    if meta is not None:
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    if tests:
        (folder / "test_results.xml").write_text(junit(*tests), encoding="utf-8")
    return folder


def night(folder: Path, *cases: str, **more) -> Night:
    """The same, read."""
    return read_night(places(write(folder, *cases, **more))[0], SETTINGS.aside)


def manifest(spec: dict[str, str] = SPEC) -> Manifest:
    return read_manifest(DictTree({path: text.encode() for path, text in spec.items()}))


def pin(version: str = "0.1.0") -> Pin:
    return Pin(name="tileops", version=version, kind="wheel", file="x.whl", sha256="0" * 64)


def book(found: Night, settings: Settings = SETTINGS, version: str = "0.1.0") -> Book:
    return make_book(found, pin(version), manifest(), settings)


def small() -> tuple[str, ...]:
    """One night with a bit of everything that a page has to say."""
    gemm = {"op": "GEMMFwdOp", "module": "tileops.ops.gemm.gemm"}
    rates = {"tflops": "400", "bandwidth_tbs": "0.5"}
    return (
        case("test_gemm[second-float16]", **gemm, tileops=times(2.0, 1.9, 2.1, dtype="float16"), swift=times(1.0)),
        case(
            "test_gemm[first-float16]",
            **gemm,
            tileops=times(0.05, 0.049, 0.052, dtype="float16", **rates),
            swift=times(0.1, 0.09, 0.11, tflops="200", bandwidth_tbs="0.25"),
            brisk=times(0.2),
            torch=times(0.08, 0.079, 0.082),
        ),
        case("test_gemm[first-bfloat16]", **gemm, tileops=times(1.0, dtype="bfloat16"), swift=times(1.04)),
        case("test_gemm[both-float16]", **gemm, tileops=times(1.0, dtype="float16"), torch=times(3.0)),
        case("test_gemm[odd-float16]", **gemm, tileops=times("nan", dtype="float16"), swift=times(1.0)),
        case("test_old[first-float16]", "GemmFwdOp", tileops=times(1.0, dtype="float16"), mystery=times(0.5)),
        case("test_mask[small-float32]", "MaskFwdOp", "tileops.ops.gemm.x", tileops=times(0.5, dtype="float32")),
        case("test_norm[a<b>-float16]", "OldNorm", tileops=times(0.01, dtype="float16"), swift=times(0.02, wonder="1")),
        case("test_lost[x]", torch=times(0.5)),
        case("test_gemm[gone-float16]", ending=skipped("not <b>here</b>")),
        case("test_else[y]", file="bench.other", ending=failed("boom\nand more")),
    )
