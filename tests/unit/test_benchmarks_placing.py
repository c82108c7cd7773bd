"""Which page an op lands on: four rules, the first that answers wins; the manifest at the pin; the settings."""

from __future__ import annotations

import json
import os

import nights
import pytest
from nights import SETTINGS, manifest

from snippetlock.config import cache_dir
from snippetlock.errors import ConfigError, PinError, SourceError
from snippetlock.workflow import open_project
from tileops_site.benchmarks.book import make_book
from tileops_site.benchmarks.explain import explained
from tileops_site.benchmarks.families import BY_FAMILY, BY_PACKAGE, BY_SLUG, OTHER, PAGES
from tileops_site.benchmarks.manifest import read_manifest
from tileops_site.benchmarks.placing import RULES, place, warnings
from tileops_site.benchmarks.settings import FILE, load_settings, words


def chosen(name, module="", spec=nights.SPEC, settings=SETTINGS):
    placed = place(name, module, manifest(spec), settings)
    return placed.page.slug, placed.chosen.rule


def spec(**families):
    return {"tileops/manifest/spec/x.yaml": "".join(f"{op}: {{family: {f}}}\n" for op, f in families.items())}


# Precedence


@pytest.mark.parametrize(
    ("name", "module", "want"),
    [
        ("MaskFwdOp", "", ("sampling", "manifest")),
        # Its package says otherwise, its name says otherwise, and both do: the manifest decides all the same.
        ("MaskFwdOp", "tileops.ops.gemm.mask", ("sampling", "manifest")),
        ("NormFwdOp", "tileops.ops.gemm.norm", ("gemm", "package")),
        ("grouped_gemm_mask", "", ("gemm", "keyword")),
        # The package before the keyword, and not the other way round.
        ("RMSNorm", "tileops.ops.moe.routed.norm", ("moe", "package")),
        ("RMSNorm", "tileops.ops.unheard_of", ("normalization", "keyword")),
        ("RMSNorm", "tileops._ops.rope", ("rope", "package")),
        ("RMSNorm", "elsewhere.moe", ("normalization", "keyword")),
        ("Nothing", "tileops.ops.unheard_of.x", ("other", "other")),
        ("Nothing", "", ("other", "other")),
        ("", "", ("other", "other")),
        ("Normal", "", ("other", "other")),  # a keyword is a word, and no part of one
    ],
)
def test_the_first_rule_that_answers_wins(name, module, want):
    assert chosen(name, module) == want


def test_the_manifest_wins_over_a_keyword_both_ways_round():
    families = spec(RMSNormFwdOp="attention", AttentionFwdOp="norm")

    assert chosen("RMSNormFwdOp", spec=families) == ("attention", "manifest")
    assert chosen("AttentionFwdOp", "tileops.ops.attention.x", spec=families) == ("normalization", "manifest")
    assert chosen("RMSNormBwdOp", spec=families) == ("normalization", "keyword")


def test_a_name_in_another_case_is_a_candidate_and_says_so():
    placed = place("GemmFwdOp", "tileops.ops.moe.x", manifest(), SETTINGS)

    assert (placed.page.slug, placed.chosen.rule, placed.chosen.renamed) == ("gemm", "manifest", True)
    assert placed.chosen.op.name == "GEMMFwdOp"
    assert "same name in another case" in placed.chosen.why
    assert not place("GEMMFwdOp", "", manifest(), SETTINGS).chosen.renamed


def test_two_candidates_are_none():
    two = spec(GEMMFwdOp="gemm", GEmmFwdOp="moe")

    assert chosen("gemmfwdop", "tileops.ops.norm.x", spec=two) == ("normalization", "package")
    assert "any of GEMMFwdOp, GEmmFwdOp" in place("gemmfwdop", "", manifest(two), SETTINGS).answers[0].why


def test_a_family_that_the_list_does_not_know_goes_to_other_and_is_named():
    placed = place("NewFwdOp", "tileops.ops.gemm.x", manifest(spec(NewFwdOp="holography")), SETTINGS)

    assert (placed.page, placed.chosen.rule) == (OTHER, "manifest")
    (said,) = warnings(iter([placed, placed]))
    assert "'holography'" in said
    assert "NewFwdOp" in said
    assert warnings(iter([place("GEMMFwdOp", "", manifest(), SETTINGS)])) == ()


# The manifest


def test_every_family_of_the_list_has_its_page():
    families = spec(**{f"Op{n}": family for n, family in enumerate(BY_FAMILY)})

    for number, page in enumerate(BY_FAMILY.values()):
        assert chosen(f"Op{number}", spec=families) == (page.slug, "manifest")
    assert {BY_FAMILY[family] for family in BY_FAMILY} == set(PAGES)
    assert len(BY_FAMILY) == sum(len(page.families) for page in PAGES)
    assert len(BY_PACKAGE) == sum(len(page.packages) for page in PAGES)
    assert len(BY_SLUG) == len({page.english for page in PAGES}) == len({page.chinese for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a.yaml": "AOp: {family: gemm}", "b.yaml": "AOp: {family: moe}"}, ("b.yaml", "family gemm", "family moe")),
        ({"a.yaml": "AOp: {family: gemm}\nBOp: {family: moe}\nAOp: {family: moe}"}, ("a.yaml", "family gemm")),
        ({"a.yaml": "AOp: {family: gemm}", "b.yaml": "AOp: {family: gemm}"}, ("a.yaml", "b.yaml")),
    ],
)
def test_an_op_in_two_families_is_refused(files, said):
    with pytest.raises(SourceError, match="AOp stands twice") as caught:
        manifest({f"tileops/manifest/spec/{name}": text for name, text in files.items()})
    assert all(part in str(caught.value) for part in said)
    assert caught.value.mend


@pytest.mark.parametrize("text", ["- a", "a: [", "a: !!python/object:os.x {}", "\tx: 1"])
def test_a_manifest_that_is_no_yaml_of_ops_is_refused(text):
    with pytest.raises(SourceError, match="cannot be read"):
        manifest({"tileops/manifest/spec/a.yaml": text})


def test_a_library_without_a_manifest_is_refused():
    with pytest.raises(SourceError, match="no manifest here"):
        manifest({"tileops/manifest/spec/types.yaml": "adts: {}", "elsewhere/gemm.yaml": "AOp: {family: gemm}"})


def test_shapes_are_those_of_the_one_workload_that_fits():
    op = manifest().ops["GEMMFwdOp"]

    (first,) = op.fitting("first", "bfloat16")
    assert first.shape == (("M", "8"), ("N", "4×2"), ("fast", "true"))
    assert op.fitting("second", "bfloat16") == ()
    assert op.fitting("nowhere", "float16") == ()
    assert [one.shape[0][1] for one in op.fitting("both", "float16")] == ["10", "11"]
    assert [op.at(label) for label in ("first", "second", "both", "nowhere")] == [0, 1, 2, 4]


def test_the_manifest_at_the_pin_knows_every_family_of_the_list():
    try:
        tree = open_project(nights.ROOT, cache_dir(os.environ)).tree
    except PinError as error:
        pytest.skip(f"the pinned wheel is not in the cache: {error.what}")
    found = read_manifest(tree)

    assert {op.family for op in found.ops.values()} == set(BY_FAMILY)
    assert found.ops["GEMMFwdOp"].family == "gemm"
    assert [op.name for op in found.alike("GemmFwdOp")] == ["GEMMFwdOp"]
    sampling = [op.name for op in found.ops.values() if BY_FAMILY[op.family].slug == "sampling"]
    assert "TopKMaskFwdOp" in sampling


# The settings


def test_the_settings_of_this_project():
    settings = load_settings(nights.ROOT)

    assert (settings.branch, settings.known("torch").kind) == ("nightly-bench", "eager")
    assert settings.known("torch-compile").kind == "library"
    assert (
        settings.known("tileops").kind == settings.known("tileops-x").kind == settings.known("tileops_x").kind == "ours"
    )
    assert settings.known("who").kind == settings.known("tileopsy").kind == "unclassified"
    assert chosen("silu_and_mul_strategy", settings=settings) == ("elementwise", "keyword")
    assert chosen("grouped_gemm_nt", settings=settings) == ("gemm", "keyword")
    assert chosen("FP8QuantFwdOp", settings=settings) == ("quantization", "keyword")


GOOD = """repository: https://example.org/x
branch: b
implementations: {swift: {kind: library}}
aside: [variant]
keywords: {grouped_gemm: gemm, gemm: gemm}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", None),
        ("branch: b", "brunch: b", "unknown key 'brunch'"),
        ("branch: b\n", "", "has no 'branch'"),
        ("kind: library", "kind: fast", "kind is 'fast'"),
        ("swift: {", "tileops-x: {", "is TileOPs itself"),
        ("kind: library", "kind: library, color: red", "unknown key 'color'"),
        ("gemm: gemm}", "gemm: gem}", "there is no page 'gem'"),
        ("grouped_gemm: gemm, gemm: gemm", "gemm: gemm, grouped_gemm: gemm", "write 'grouped_gemm' before 'gemm'"),
        ("grouped_gemm", "GroupedGEMM", "is not in lower case"),
        ("gemm: gemm}", "gemm: gemm, gemm: moe}", "stands twice"),
    ],
)
def test_settings_are_read_strictly(tmp_path, old, new, said):
    path = tmp_path / FILE
    path.parent.mkdir()
    path.write_text(GOOD.replace(old, new) if old else GOOD)

    if said is None:
        assert load_settings(tmp_path).keywords == (
            (("grouped", "gemm"), BY_SLUG["gemm"]),
            (("gemm",), BY_SLUG["gemm"]),
        )
        return
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path)
    assert said in str(caught.value)
    assert caught.value.line


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("silu_and_mul", "silu and mul"),
        ("GEMMFP8FwdOp", "gemmfp8 fwd op"),
        ("FP8QuantFwdOp", "fp8 quant fwd op"),
        ("TopkSelectorFwdOp", "topk selector fwd op"),
        ("", ""),
    ],
)
def test_words_of_a_name(name, want):
    assert " ".join(words(name)) == want


# Said as JSON


def test_explained_are_the_page_the_rule_and_what_the_others_say():
    found = [
        place(name, module, manifest(), SETTINGS)
        for name, module in [
            ("MaskFwdOp", "tileops.ops.gemm.x"),
            ("GemmFwdOp", ""),
            ("X", "tileops.ops.rope"),
            ("a_norm", ""),
            ("", ""),
        ]
    ]
    said = json.loads(explained(found, nights.pin(), "small"))

    assert (said["schema"], said["pin"], said["night"]) == (1, {"name": "tileops", "version": "0.1.0"}, "small")
    assert [(op["op"], op["page"], op["rule"], op["renamed"]) for op in said["ops"]] == [
        ("MaskFwdOp", "sampling", "manifest", False),
        ("GemmFwdOp", "gemm", "manifest", True),
        ("X", "rope", "package", False),
        ("a_norm", "normalization", "keyword", False),
        ("", "other", "other", False),
    ]
    mask = said["ops"][0]
    assert mask["label"] == {"en": "Sampling", "zh": "采样"}
    assert [answer["rule"] for answer in mask["rules"]] == list(RULES)
    assert [answer["page"] for answer in mask["rules"]] == ["sampling", "gemm", None, "other"]
    assert mask["rules"][0]["entry"] == {
        "name": "MaskFwdOp",
        "family": "sampling",
        "file": "tileops/manifest/spec/alpha.yaml",
    }


def test_every_row_is_on_exactly_one_page_and_rows_stand_in_the_order_of_the_manifest(tmp_path):
    found = nights.night(tmp_path, *nights.small())
    book = make_book(found, nights.pin(), manifest(), SETTINGS)

    shown = [line.row for group in book.every for line in group.lines]
    assert sorted(map(id, shown)) == sorted(map(id, found.rows))
    gemm = next(group for group in book.groups["gemm"] if group.name == "GEMMFwdOp")
    assert [line.row.label for line in gemm.lines] == ["first", "first", "second", "both", "odd"]
    assert [len(line.shapes) for line in gemm.lines] == [1, 1, 1, 2, 0]
    assert [op.name for op in book.unmeasured(BY_SLUG["sampling"])] == ["QuietFwdOp"]
    assert {slug: [one.test for one in outcomes] for slug, outcomes in book.listed.items()} == {
        "gemm": ["test_gemm"],
        "": ["test_else"],
    }
