"""What a twin has as its page has it: sentences that nobody translated, and all that may be the same."""

from __future__ import annotations

import pytest
from small import accepted, findings

from snippetlock.workflow.copied import sentence

SHOWN = '```python snippet="fire"\n```\n'
FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": "def fire(clay):\n    return clay\n",
    "snippets/kilns.yaml": "fire:\n  source: kilns:fire\n",
}


@pytest.fixture
def checked(tmp_path, monkeypatch, run):
    """`checked(words, words of the twin)`: what a check says where each stands under its own heading."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))

    def call(ours, theirs, languages=("en", "zh"), title="窑"):
        second = f"docs/index.{languages[1]}.md"
        listed = ", ".join(f'"{name}"' for name in languages)
        pages = {
            "pyproject.toml": f"[tool.snippetlock]\nlanguages = [{listed}]\n",
            "docs/index.md": f"# Kilns {{ #kilns }}\n\n{ours}\n\n{SHOWN}",
            second: f"# {title} {{ #kilns }}\n\n{theirs}\n\n{SHOWN}",
        }
        found = findings(run, accepted(tmp_path, {**FILES, **pages}, run))
        return [(each["rule"], each["path"], each["line"], each["message"]) for each in found]

    return call


ENGLISH = "A kiln is fired once, and whoever opens it early has to begin anew."
CHINESE = "窑只烧一次，谁开早了就得从头再来。"


def test_a_section_that_is_word_for_word_the_page_was_not_translated(checked):
    whole = "'窑' is word for word docs/index.md:1-6: it was not translated"
    assert checked(ENGLISH, ENGLISH) == [("SL410", "docs/index.zh.md", 1, whole)]
    assert checked(ENGLISH, CHINESE) == []


def test_one_paragraph_that_was_left_is_told_too(checked):
    part = "1 paragraph of '窑' is word for word in docs/index.md:1-8: not translated"
    assert checked(f"{ENGLISH}\n\nAnd so on.", f"{ENGLISH}\n\n以此类推。") == [("SL410", "docs/index.zh.md", 1, part)]
    assert checked(f"{ENGLISH}\n\nAnd so on.", f"{CHINESE}\n\n以此类推。") == []


def test_how_a_paragraph_is_wrapped_says_nothing(checked):
    assert [rule for rule, *_ in checked(ENGLISH, ENGLISH.replace(" once, ", " once,\n"))] == ["SL410"]


@pytest.mark.parametrize(
    ("languages", "ours", "theirs"),
    [(("zh", "en"), CHINESE, ENGLISH), (("de", "fr"), "Ein Ofen wird nur einmal gebrannt.", "Un four cuit une fois.")],
)
def test_any_two_languages(checked, languages, ours, theirs):
    assert [rule for rule, *_ in checked(ours, ours, languages)] == ["SL410"]
    assert checked(ours, theirs, languages) == []


def test_two_kinds_of_one_language_are_no_translation(checked):
    assert checked(ENGLISH, ENGLISH, ("en", "en-GB"), "Kilns") == []


def test_what_is_to_stay_says_so(checked):
    assert checked(ENGLISH, f"{ENGLISH}\n{{ lang=en }}") == []
    assert checked(f"<p>{ENGLISH}</p>", f'<p lang="en">{ENGLISH}</p>') == []
    assert [rule for rule, *_ in checked(f"<p>{ENGLISH}</p>", f"<p>{ENGLISH}</p>")] == ["SL410"]


SAME = {
    "only code blocks": '```text unsourced="r"\nthis is a line of words in a block\n```',
    "a table of names": "| op | kernel |\n| --- | --- |\n| `fire_fwd` | gas |\n| GlazeFwdOp | salt, wood, raku |",
    "numbers": "| 1 | 2.5 | 3e-4 |\n| --- | --- | --- |\n| 10 % | 4 x 4 | 128 |",
    "the name of a product": "NVIDIA H200 Tensor Core GPU",
    "names in a row": "add, sub, mul, div, exp, log, sqrt, tanh, sigmoid, relu",
    "code and a number": "`kiln_for(interface, call)` = 3",
    "a link": "[TileOPs](https://git.example/a/tree/of/words-that-are-many)",
    "a formula": "$a times b is equal to c and d$",
    "a style": "<style>\n.a { color: red } /* this is a rule of style */\n</style>",
    "a script": "<script>\nlet it = () => be and so on for ever\n</script>",
    "a figure of code": "<figure><svg><text>kiln_for(a)</text><text>entry</text></svg></figure>",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_what_is_the_same_in_every_language(checked, text):
    assert checked(text, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "This page is generated.",
        "| `x` | the number of rows in each tile |",
        "- What the kiln holds is clay",
        "Call `fire` before the clay dries.",
        "**Fired clay** is *hard* and it lasts.",
        "[The way of a kiln is long and dark](way.md)",
        '<figure><text x="1">the clay is put into it</text></figure>',
        "Der Ofen wird nur einmal gebrannt.",
        "Печь обжигают только один раз.",
        "가마는 한 번만 굽는다고 그들은 말한다",
        "窑只烧一次。",
        "窯は一度だけ焼かれる。",
        "เตาเผาจะเผาเพียงครั้งเดียว",
    ],
)
def test_a_sentence(text):
    assert sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "TileOPs",
        "昇腾",
        "华为昇腾处理器",
        "Python 3.12",
        "float16, bfloat16",
        "MIT License",
        "Jane van der Berg",
        "`a b c d e f g`",
    ],
)
def test_no_sentence(text):
    assert not sentence(text)


@pytest.mark.parametrize(
    "text", ["`" * 50_000, "<" * 50_000, "<script>" * 20_000, "a_" * 50_000, "](" * 50_000, "$ `` " * 20_000]
)
def test_a_paragraph_that_is_made_to_harm_is_read_at_once(text):
    assert not sentence(text)
