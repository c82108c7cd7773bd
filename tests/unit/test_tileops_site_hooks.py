"""The search index of a site in two languages."""

import logging
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from mkdocs.theme import Theme

from tileops_site.hooks import lean, on_env, split, titled

ROOT = Path(__file__).parents[2]

INDEX = {
    "config": {"lang": ["en", "zh"]},
    "docs": [
        {"location": "", "title": "Home", "text": "a"},
        {"location": "selection/#one", "title": "One", "text": "b"},
        {"location": "zh/", "title": "首页", "text": "c"},
        {"location": "zh/selection/#one", "title": "一", "text": "d"},
        {"location": "zhuyin/", "title": "Not Chinese", "text": "e"},
    ],
}


def test_each_language_has_its_own_entries_counted_from_its_folder():
    parts = split(INDEX, ("zh",))
    assert [entry["location"] for entry in parts["zh"]["docs"]] == ["", "selection/#one"]
    assert [entry["text"] for entry in parts["zh"]["docs"]] == ["c", "d"]
    assert [entry["location"] for entry in parts[""]["docs"]] == ["", "selection/#one", "zhuyin/"]


def test_the_configuration_of_the_index_is_kept_and_the_given_index_left_alone():
    before = [dict(entry) for entry in INDEX["docs"]]
    parts = split(INDEX, ("zh",))
    assert all(part["config"] == INDEX["config"] for part in parts.values())
    assert INDEX["docs"] == before


def test_without_further_languages_everything_stays_where_it_is():
    assert split(INDEX, ()) == {"": INDEX}


def test_the_words_that_search_keeps_whole_are_in_the_pages_and_known_to_the_build():
    words = [line.split()[0] for line in (ROOT / "tools/tileops_site/words.txt").read_text("utf-8").split("\n") if line]
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.zh.md")]
    assert words
    assert [word for word in words if not any(word in page for page in pages)] == []
    assert "jieba_dict_user: tools/tileops_site/words.txt" in (ROOT / "mkdocs.yml").read_text("utf-8")


@pytest.mark.parametrize(
    ("anchor", "name", "boost"),
    [
        ("api/op/#tileops.Op.key_for", "Op.key_for", 0.1),
        ("api/tea/#tileops.tea.BrewFwdOp", "BrewFwdOp", 0.5),
        ("api/manifest/#tileops.manifest.load_entry", "load_entry", 0.5),
    ],
)
def test_an_entry_of_the_reference_is_called_by_its_name_and_keeps_its_signature_as_text(anchor, name, boost):
    entry = {"location": anchor, "title": "<code>f(default=None)</code>", "text": "<p>Does.</p>", "boost": 0.5}
    assert titled(entry) == {
        "location": anchor,
        "title": f"<code>{name}</code>",
        "text": "<p><code>f(default=None)</code></p> <p>Does.</p>",
        "boost": boost,
    }
    assert split({"docs": [{**entry, "location": f"zh/{anchor}"}]}, ("zh",))["zh"]["docs"] == [titled(entry)]


@pytest.mark.parametrize(
    "location", ["api/op/", "using-ops/#default-target", "manifest/#tileops.manifest", "api/#modules"]
)
def test_an_entry_of_anything_else_stays_as_it_is(location):
    entry = {"location": location, "title": "T", "text": "t"}
    assert titled(entry) == entry


NAMES = ("a/palette.ab12.min", "_mkdocstrings", "_mkdocstrings", "s/site")
SHEETS = "\n".join(
    f'<link rel="stylesheet" href="../{name}.css">' for name in ("a/palette.ab12.min", "_mkdocstrings", "s/site")
)


@pytest.mark.parametrize(
    ("url", "kept"),
    [("api/op/", ["_mkdocstrings", "s/site"]), ("benchmarks/", ["s/site", "benchmarks"]), ("", ["s/site"])],
)
def test_a_page_asks_for_the_style_sheets_that_say_something_of_it(url, kept):
    page = f'{SHEETS}\n<link rel="stylesheet" href="benchmarks/benchmarks.css">\n<article>'
    assert re.findall(r'href="(?:\.\./|benchmarks/)(.*)\.css"', lean(page, url)) == kept


def test_blank_lines_of_the_templates_go_and_those_of_the_text_stay():
    page = "<body>\n\n  <nav>\n   \n</nav> <article>\n\n<pre>a\n\n  b</pre>\n</article>\n\n\n</body>\n"
    lean_page = "<body>\n<nav>\n</nav> <article>\n\n<pre>a\n\n  b</pre>\n</article>\n</body>\n"
    assert lean(page, "") == lean_page
    assert lean("<p>\n\n</p>", "") == "<p>\n\n</p>"  # a page without an article is not ours


def test_a_build_says_nothing_of_the_dictionary_that_it_loads_unless_something_is_wrong_with_it():
    logger = logging.getLogger("jieba")
    said = {level: logger.makeRecord("jieba", level, "", 1, "Loading", (), None) for level in (10, 20, 30, 40)}
    assert [level for level, record in said.items() if logger.filter(record)] == [30, 40]


def test_the_error_page_is_of_the_default_language_alone_in_every_build():
    theme = Theme(name=None, static_templates=["404.html", "sitemap.xml"])
    languages = [SimpleNamespace(locale=each, default=each == "en") for each in ("en", "zh")]
    plugins = {"i18n": SimpleNamespace(config=SimpleNamespace(languages=languages))}
    made = []
    for language in ("en", "zh", "en"):
        theme["language"] = language
        on_env(None, SimpleNamespace(theme=theme, plugins=plugins), None)
        made.append("404.html" in theme.static_templates)
    assert made == [True, False, True]
