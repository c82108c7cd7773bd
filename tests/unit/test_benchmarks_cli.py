"""`python -m tileops_site.benchmarks`, and the pages in a build of MkDocs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nights
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from nights import case, small, times

from tileops_site.benchmarks import hooks
from tileops_site.benchmarks.cli import main

SETTINGS = """repository: ../upstream
branch: nights
implementations:
  swift: {kind: library, package: swift-kernels}
  brisk: {kind: library}
  torch: {kind: eager, package: torch}
aside: [variant]
keywords: {norm: normalization}
"""
MKDOCS = """site_name: made
nav:
  - Home: index.md
  - Benchmarks: benchmarks/index.md
plugins:
  - i18n:
      docs_structure: suffix
      fallback_to_default: false
      languages:
        - {locale: en, name: English, default: true}
        - {locale: zh, name: 中文, nav_translations: {Home: 首页}}
markdown_extensions: [attr_list, md_in_html]
validation: {nav: {omitted_files: warn}}
strict: true
theme: {name: null, custom_dir: theme}
"""
THEME = (
    "{% for i in nav %}{{ i.title }}:{% for c in i.children or [] %}{{ c.title }}|{% endfor %}{% endfor %}"
    "{{ page.content }}"
)


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A docs project that pins a folder with a made manifest, and knows two pages of benchmarks."""
    root = tmp_path / "project"
    files = {
        "pyproject.toml": '[tool.snippetlock]\npin = "tileops_ref/pin.yaml"\nlanguages = ["en", "zh"]\n',
        "tileops_ref/pin.yaml": "name: tileops\nversion: 0.1.0\nfolder: ../library\n",
        "tileops_ref/benchmarks.yaml": SETTINGS,
        "mkdocs.yml": MKDOCS,
        "theme/main.html": THEME,
        **{f"../library/{path}": text for path, text in nights.SPEC.items()},
        "../library/tileops/__init__.py": "",
    }
    for name in ("index", "benchmarks/index", "benchmarks/reading"):
        files |= {f"docs/{name}{end}": "# Page\n\n<!-- benchmarks: overview -->\n" for end in (".md", ".zh.md")}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    nights.write(tmp_path / "night", *small())
    monkeypatch.chdir(root)
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return root


def clean(*more) -> tuple[str, ...]:
    return (case("test_mask[small-float32]", "MaskFwdOp", tileops=times(0.5), swift=times(1.0)), *more)


# The command line


def test_a_clean_night_is_accounted_for(project, tmp_path, capsys):
    nights.write(tmp_path / "clean", *clean())

    assert main([str(tmp_path / "clean")]) == 0
    out = capsys.readouterr().out
    assert "night of 2026-11-02\n  1 test case = 1 row shown + 0 failed + 0 skipped\n" in out
    assert re.search(r"Sampling +1  1 ahead\n", out)


def test_what_is_to_be_looked_at_is_said_and_ends_with_1(project, tmp_path, capsys):
    assert main([str(tmp_path / "night")]) == 1
    out = capsys.readouterr().out
    assert "11 test cases = 9 rows shown + 1 failed + 1 skipped" in out
    assert "note: mystery is unclassified: add it to tileops_ref/benchmarks.yaml" in out
    assert "note: test_gemm[odd-float16]: tileops_device_busy_ms is 'nan', not a number" in out
    assert "note: swift_wonder is a property that nobody knows (1 time)" in out


def test_tests_that_stand_more_than_once_are_to_be_looked_at(project, tmp_path, capsys):
    again = (case(f"test_a[{number}]", "MaskFwdOp", tileops=times(1)) for number in range(25) for _ in range(3))
    nights.write(tmp_path / "again", *clean(*again))

    assert main([str(tmp_path / "again")]) == 1
    out = capsys.readouterr().out
    assert "note: bench.ops::test_a[0] stands 3 times in the night\n" in out
    assert out.count("stands 3 times") == 20
    assert "note: and 5 more tests that stand more than once\n" in out


def test_a_night_of_nothing_or_without_its_meta_is_to_be_looked_at(project, tmp_path, capsys):
    nights.write(tmp_path / "empty")
    nights.write(tmp_path / "bare", *clean(), meta=None)

    assert main([str(tmp_path / "empty")]) == main([str(tmp_path / "bare")]) == 1
    out = capsys.readouterr().out
    assert out.count("note: it holds no test case") == 1
    assert out.count("note: it has no meta.json: neither its date nor its GPU is known") == 1


def test_the_folder_one_stands_in_has_a_name(project, tmp_path, capsys):
    (project / "bench_results.xml").write_text(nights.junit(*clean()))

    assert main(["."]) == 1  # it has no meta.json
    assert "night of project\n" in capsys.readouterr().out


def test_what_cannot_be_read_is_said_and_ends_with_2(project, tmp_path, capsys):
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "there is nothing here" in capsys.readouterr().err


def test_a_branch_that_cannot_be_had_says_what_to_do_instead(project, capsys):
    assert main([]) == main(["--offline"]) == 2
    err = capsys.readouterr().err
    assert err.count("tileops_ref/benchmarks.yaml: the newest night cannot be had") == 2
    assert "mend: connect, name another branch, or name a night that is here: make benchmarks SNAPSHOT=FOLDER" in err


def test_it_is_said_why_an_op_is_on_its_page(project, tmp_path, capsys):
    assert main([str(tmp_path / "night"), "--explain", "GemmFwdOp", "OldNorm", "Nobody"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [(op["op"], op["page"], op["rule"]) for op in said["ops"]] == [
        ("GemmFwdOp", "gemm", "manifest"),
        ("OldNorm", "normalization", "keyword"),
        ("Nobody", "other", "other"),
    ]

    assert main(["--explain", "MaskFwdOp"]) == 0  # also without a night
    (mask,) = json.loads(capsys.readouterr().out)["ops"]
    assert (mask["page"], mask["module"]) == ("sampling", None)
    assert main(["--explain"]) == main([str(tmp_path / "nowhere"), "--explain", "MaskFwdOp"]) == 2
    assert capsys.readouterr().out == ""

    main([str(tmp_path / "night"), "--explain"])
    every = [op["op"] for op in json.loads(capsys.readouterr().out)["ops"]]
    assert every == ["GEMMFwdOp", "GemmFwdOp", "MaskFwdOp", "OldNorm"]


def test_several_nights_and_the_branch_that_is_configured(project, tmp_path, repo, capsys):
    nights.write(tmp_path / "many/a", *clean(), meta={**nights.META, "date": "2026-11-05"})
    nights.write(tmp_path / "many/b", *clean())
    assert main([str(tmp_path / "many")]) == 0
    assert "night of 2026-11-05, the last of 2" in capsys.readouterr().out

    up = repo("upstream")
    up.git("checkout", "--quiet", "-b", "nights")
    nights.write(up.folder, *clean())
    up.commit(message="a night")
    assert main([]) == main(["--offline"]) == 0
    assert capsys.readouterr().out.count("night of 2026-11-02") == 2


def test_it_runs_as_a_module(project, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tileops_site.benchmarks", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(nights.ROOT / "tools")},
    )
    assert "read nights of benchmark results" in done.stdout.lower()


# In a build of MkDocs


def built(project, monkeypatch, snapshot) -> dict[str, str]:
    if snapshot is not None:
        monkeypatch.setenv("SNAPSHOT", str(snapshot))
    else:
        monkeypatch.delenv("SNAPSHOT", raising=False)
    config = load_config(str(project / "mkdocs.yml"), hooks=[hooks.__file__], site_dir=str(project / "site"))
    build(config)
    return {
        path.relative_to(project / "site").as_posix(): path.read_text(encoding="utf-8")
        for path in (project / "site").rglob("*.html")
    }


def test_a_site_with_a_night_has_all_pages_in_both_languages_and_nothing_is_left_in_the_docs(
    project, tmp_path, monkeypatch
):
    before = sorted(path for path in project.rglob("*"))
    pages = built(project, monkeypatch, tmp_path / "night")

    assert {"benchmarks/sampling/index.html", "zh/benchmarks/sampling/index.html"} <= set(pages)
    assert "MaskFwdOp" in pages["benchmarks/sampling/index.html"]
    assert "Benchmarks:Page|Elementwise|RoPE|Reduction|" in pages["index.html"]
    assert "|MoE|Sampling|Linear attention|SSM|Other|Every row accounted for|How to read" in pages["index.html"]
    assert "基准测试:" in pages["zh/index.html"]
    assert "|MoE|采样|线性注意力|SSM|其他|数据核对|如何读这些数字|" in pages["zh/index.html"]
    assert "b-families" in pages["benchmarks/index.html"]
    assert "b-families" in pages["zh/benchmarks/index.html"]
    assert sorted(path for path in project.rglob("*") if "site" not in path.parts) == before


def test_a_site_with_several_nights_has_their_history(project, tmp_path, monkeypatch):
    nights.write(tmp_path / "many/a", *clean(), meta={**nights.META, "date": "2026-11-05"})
    nights.write(tmp_path / "many/b", *clean())
    pages = built(project, monkeypatch, "../many")

    assert "2 nights, from 2026-11-02 to 2026-11-05" in pages["benchmarks/history/index.html"]
    assert "|历史|" in pages["zh/index.html"]


@pytest.mark.parametrize("snapshot", [None, "none"])
def test_without_a_night_the_site_is_built_and_says_so(project, monkeypatch, snapshot):
    pages = built(project, monkeypatch, snapshot)

    assert "No night of results was at hand" in pages["benchmarks/index.html"]
    assert "没有可用的夜测结果" in pages["zh/benchmarks/index.html"]
    assert "benchmarks/sampling/index.html" not in pages
    assert "Benchmarks:Page|How to read these numbers|" in pages["index.html"]


def test_a_night_that_cannot_be_read_ends_the_build_with_its_reason(project, tmp_path, monkeypatch, caplog):
    (tmp_path / "night/bench_results.xml").write_text("<testsuites>")

    with pytest.raises(Abort):
        built(project, monkeypatch, tmp_path / "night")
    assert re.search(r"(?s)bench_results.xml:1: not well-formed XML: .*mend: take the night again", caplog.text)


def test_a_night_is_read_once_for_all_languages_and_again_for_another_build(project, tmp_path, monkeypatch):
    built(project, monkeypatch, tmp_path / "night")
    loaded = sys.modules[hooks.__file__]
    first = loaded._made.book
    nights.write(tmp_path / "night", *clean())
    read = []
    monkeypatch.setattr(loaded, "at_path", lambda *given: read.append(given) or hooks.at_path(*given))

    pages = built(project, monkeypatch, tmp_path / "night")

    assert len(read) == 1
    assert loaded._made.book is not first
    assert "OldNorm" not in pages["benchmarks/normalization/index.html"]


def test_the_branch_is_shown_as_far_as_it_is_on_this_machine(project, tmp_path, repo, monkeypatch):
    up = repo("upstream")
    up.git("checkout", "--quiet", "-b", "nights")
    nights.write(up.folder, *clean())
    up.commit(message="a night")

    assert "b-families" in built(project, monkeypatch, None)["benchmarks/index.html"]
