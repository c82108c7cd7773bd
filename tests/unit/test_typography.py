"""Chinese typography: what is mended in prose, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tileops_site.typography import main, mends

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("中文english混排。\n", [(1, 1, "中文english混排。", "中文 english 混排。")]),
        ("# 标题\n\n好的,明白.\n", [(3, 1, "好的,明白.", "好的，明白。")]),
        ("- 有3个\n", [(1, 3, "有3个", "有 3 个")]),
        ("---\ntitle: x\n---\n\n对吗?\r\n", [(5, 1, "对吗?", "对吗？")]),
        ("<div markdown>\n\n- 好的,明白\n\n</div>\n", [(3, 3, "好的,明白", "好的，明白")]),
    ],
)
def test_prose_is_held(text, want):
    assert list(mends(text)) == want


@pytest.mark.parametrize(
    "text",
    [
        "中文 english 混排，没有 3 个。\n",
        "`中文english,代码`\n",
        "[链接](中文english,.md)\n",
        "---\n键: 中文english\n---\n",
        "```text\n中文english,\n```\n",
        "- 一\n\n    ```text\n    中文english,\n    ```\n",
        "    中文english,缩进\n",
        "<!-- 中文english, -->\n",
        '<div class="中english" markdown>\n\n- 见[列表](a.md)。\n\n</div>\n',
        '```python snippet="a中b"\n```\n',
    ],
)
def test_what_is_no_prose_is_left_alone(text):
    assert list(mends(text)) == []


def test_each_line_to_mend_is_printed_and_fails(tmp_path, capsys):
    (tmp_path / "a.zh.md").write_bytes("\ufeff# 中\r\n\r\n好的,明白\r\n".encode())
    (tmp_path / "a.md").write_text("好的,明白\n", encoding="utf-8")

    assert main(tmp_path) == 1
    assert capsys.readouterr().out == f"{tmp_path}/a.zh.md:3:1: '好的,明白' is written '好的，明白'\n"


def test_no_page_to_read_is_not_taken_for_clean(tmp_path, capsys):
    assert main(tmp_path) == 1
    assert "no page *.zh.md" in capsys.readouterr().err


def test_the_pages_of_this_site_are_clean():
    assert main(ROOT / "docs") == 0
