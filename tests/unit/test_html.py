"""Blocks as HTML: the text unchanged, numbers outside it, marks, captions, and what holds without Pygments."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from fakes import FakeProject, snippet
from rendering import preformatted

from snippetlock.model import Repository
from snippetlock.report.html import (
    code_lines,
    figure,
    fragment,
    message_figure,
    permalink,
    problem_box,
    unsourced_figure,
)
from snippetlock.report.labels import Labels, labels

PIN = FakeProject().pin
EN, ZH = labels("en"), labels("zh")


@pytest.fixture(autouse=True)
def _fresh():
    code_lines.cache_clear()


def text_of(html: str) -> str:
    (pre,) = preformatted(html)
    return pre.text


def test_a_figure_has_a_caption_a_name_and_the_text():
    html = figure(snippet("op", "x = 1\ny = '<'\n", first=49), PIN, EN, "../sources/demo/a.py.html")
    assert html.startswith(
        '<figure class="snippetlock" data-snippet="op" aria-label="demo/a.py, lines 49–50, demo 1.2">'
    )
    assert '<a class="snippetlock-source" href="../sources/demo/a.py.html#L49-L50">' in html
    assert "<code>demo/<wbr>a.py</code> <span>lines 49–50</span>" in html
    assert '<span class="snippetlock-pin">demo 1.2</span>' in html
    assert 'class="language-python highlight"' in html
    assert '<code tabindex="0">' in html
    assert "abridged" not in html
    assert text_of(html) == "x = 1\ny = '<'\n"


def test_line_numbers_are_attributes_and_marks_have_none():
    shown = snippet("op", "class A:\n    # …\n    y = 1\n", first=7, numbers=(7, None, 120), highlight=(3,))
    html = figure(shown, PIN, EN)
    assert [part.split('"')[0] for part in html.split('data-n="')[1:]] == ["7", "", "120"]
    assert '<span class="snippetlock-elided">    <span class="c1"># …</span></span>' in html
    assert '<span class="hll"><span data-n="120"></span>' in html
    assert html.count('class="hll"') == 1
    assert "--snippetlock-digits:3" in html
    assert ">abridged</span>" in html
    assert "<a " not in html
    assert text_of(html) == shown.text


def test_one_line_is_called_a_line():
    assert "<span>line 3</span>" in figure(snippet("op", "x\n"), PIN, EN)
    assert "<span>第 3 行</span>" in figure(snippet("op", "x\n"), PIN, ZH)
    assert "第 3–4 行" in figure(snippet("op", "x\ny\n"), PIN, ZH)


def test_carriage_returns_survive_reading():
    assert text_of(figure(snippet("op", "x\r\ny\rz"), PIN, EN)) == "x\r\ny\rz"


def test_a_permalink_needs_a_commit():
    assert permalink(PIN, "demo/a.py", 1, 2) == ""
    assert permalink(replace(PIN, repository=None), "demo/a.py") == ""
    known = replace(PIN, repository=Repository(url="https://example.org/demo.git/", root="/src/", commit="abc"))
    assert permalink(known, "demo/a.py", 3, 9) == "https://example.org/demo/blob/abc/src/demo/a.py#L3-L9"
    bare = replace(PIN, repository=Repository(url="https://example.org/demo.git", commit="abc"))
    assert permalink(bare, "demo/a.py") == "https://example.org/demo/blob/abc/demo/a.py"
    html = figure(snippet("op", "x\n"), known, EN)
    assert '<a class="snippetlock-repository" href="https://example.org/demo/blob/abc/src/demo/a.py#L3">' in html
    assert (fragment(3, 3), fragment(3, 4)) == ("L3", "L3-L4")


def test_an_unsourced_block_says_why():
    html = unsourced_figure("a & b\n", "text", 'the <"reason">', EN)
    assert 'aria-label="the &lt;&quot;reason&quot;&gt;"' in html
    assert 'Not a quotation: the &lt;"reason"&gt;</figcaption>' in html
    assert "data-n" not in html
    assert text_of(html) == "a & b\n"
    assert "<strong>T</strong>" in unsourced_figure("a\n", "", "r", ZH, "T")


def test_a_message_says_what_is_raised_with_it():
    html = message_figure("a\n", "text", "ValueError", EN)
    assert "The library says it with <code>ValueError</code></figcaption>" in html
    assert 'aria-label="ValueError"' in html
    assert "<strong>T</strong>" in (titled := message_figure("a\n", "", "ValueError", ZH, "T"))
    assert 'aria-label="T"' in titled


def test_a_problem_box_escapes_what_it_says():
    html = problem_box(["a <b>\n  mend: c", "d"], EN)
    assert "<li><pre>a &lt;b&gt;\n  mend: c</pre></li><li><pre>d</pre></li>" in html


@pytest.mark.parametrize("language", ["python", "yaml", "toml", "console", "", "text", "no-such-language"])
def test_any_language_keeps_the_text(language):
    text = 'x: "a"\n\n\t# <c> & d\n  """e\n f"""\n'
    assert text_of(unsourced_figure(text, language, "r", EN)) == text


def test_a_string_over_lines_is_marked_on_each():
    first, second = code_lines('"""a\nb"""\n', "python")
    assert first.count("<span") == first.count("</span>") > 0
    assert second.count("<span") == second.count("</span>") > 0


def test_without_pygments_blocks_are_plain(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygments.lexers", None)
    assert code_lines("x = '<'\n\n", "python") == ("x = '&lt;'", "")


def test_a_lexer_that_changes_the_text_is_not_believed(monkeypatch):
    import pygments.lexers

    class Lossy:
        def get_tokens_unprocessed(self, text):
            yield 0, pygments.token.Text, text.strip()

    monkeypatch.setattr(pygments.lexers, "get_lexer_by_name", lambda name: Lossy())
    assert code_lines("\nx\n", "python") == ("", "x")


def test_a_lexers_own_kind_of_token_has_its_parents_class(monkeypatch):
    import pygments.lexers

    class Own:
        def get_tokens_unprocessed(self, text):
            yield 0, pygments.token.Keyword.Quite.New, text

    monkeypatch.setattr(pygments.lexers, "get_lexer_by_name", lambda name: Own())
    assert code_lines("x\n", "python") == ('<span class="k">x</span>',)


def test_highlighting_is_done_once_for_all_languages():
    for words in (EN, ZH):
        figure(snippet("op", "x = 1\n"), PIN, words)
    assert code_lines.cache_info().misses == 1


def test_labels_fall_back_on_english_and_lack_nothing():
    assert labels("fr") is EN
    assert labels("zh-CN") is labels("zh_Hans") is ZH
    same = {name for name in Labels.__slots__ if getattr(EN, name) == getattr(ZH, name)}
    assert same == {"source_of", "digest"}
