"""What the pages speak of, among what the library calls public; and the day that a wheel's files are of."""

from __future__ import annotations

import zipfile

import pytest
from small import write

from snippetlock.report.coverage import Covered, coverage_html
from snippetlock.report.labels import labels
from snippetlock.source.wheel import WheelTree
from snippetlock.text import sha256
from snippetlock.workflow import open_project
from snippetlock.workflow.coverage import coverage

FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns/__init__.py": '__all__ = ["Fire", "Ash", "Coal", "inner", "_draft"]\nclass Fire: ...\nAsh = Coal = 1\n',
    "lib/kilns/inner.py": '__all__ = ("Glow", "Ash")\n',
    "lib/kilns/_private.py": '__all__ = ["Soot"]\n',
    "lib/kilns/open.py": "class Unsaid: ...\n",
    "lib/kilns/made.py": '__all__ = [*something, "Some"]\n',
    "snippets/kilns.yaml": "fire:\n  source: kilns:Fire\n",
    "docs/index.md": '# Kilns\n\nGlow, and `Ash(1)`.\n\n```text unsourced="x"\nCoal\n```\n',
    "docs/index.zh.md": '# 窑\n\n```python snippet="fire"\n```\n',
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        write(tmp_path / "docs-project" / name, text)
    return open_project(tmp_path / "docs-project", tmp_path / "cache")


def test_a_name_is_spoken_of_in_inline_code_and_not_in_plain_words_or_other_blocks(project):
    assert coverage(project, "en") == (
        Covered(module="kilns", named=("Ash",), silent=("Coal", "Fire")),
        Covered(module="kilns.inner", named=("Ash",), silent=("Glow",)),
    )


def test_what_a_page_shows_it_speaks_of_in_its_own_language_alone(project):
    assert coverage(project, "zh") == (
        Covered(module="kilns", named=("Fire",), silent=("Ash", "Coal")),
        Covered(module="kilns.inner", named=(), silent=("Ash", "Glow")),
    )


def test_the_table_counts_and_names_them(project):
    html = coverage_html(coverage(project, "en"), labels("en"))
    assert "speak of 2 of 5 public names in 2 modules" in html
    assert "<td>1 of 3<br><code>Ash</code></td>" in html
    assert "<summary>2</summary><code>Coal</code>, <code>Fire</code></details>" in html
    assert "2 个模块共有 5 个公开名字" in coverage_html(coverage(project, "en"), labels("zh"))
    assert "<details>" not in coverage_html([Covered(module="a", named=("b",), silent=())], labels("en"))


def wheel(path, *days):
    with zipfile.ZipFile(path, "w") as archive:
        for number, day in enumerate(days):
            archive.writestr(zipfile.ZipInfo(f"kilns/{number}.py", (*day, 1, 2, 4)), "")
    return WheelTree(path, sha256(path.read_bytes()).removeprefix("sha256:"))


def test_a_wheel_is_of_the_day_of_its_newest_file(tmp_path):
    assert wheel(tmp_path / "a.whl", (2025, 12, 31), (2026, 3, 1)).dated == "2026-03-01"
    assert wheel(tmp_path / "b.whl", (1980, 1, 1)).dated == ""
