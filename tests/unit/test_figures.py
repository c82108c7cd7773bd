"""Drawings in files of their own: held by the pages that show them, seen by a warm check, and no XML is parsed."""

from __future__ import annotations

import pytest
from plain import edit
from small import accepted, findings, write

from snippetlock.references.raw import wrote
from snippetlock.references.speech import drawing

SHOWN = '```python snippet="fire"\n```\n'
DRAWN = """<?xml version="1.0" encoding="UTF-8"?>
<!-- FireFwdOp -->
<svg xmlns="http://www.w3.org/2000/svg">
  <title>How FIREFwdOp asks</title>
  <g class="d-code"><text x="1">kiln_for(interface, call)</text></g>
  <text>uses a kiln</text>
</svg>
"""
FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\nreferences = true\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": "class FIREFwdOp:\n    def kiln_for(self, interface, call):\n        return interface, call\n",
    "snippets/kilns.yaml": "fire:\n  source: kilns:FIREFwdOp\n",
    "docs/index.md": f"# Kilns {{ #kilns }}\n\n![The way](img/way.svg)\n\n{SHOWN}",
    "docs/index.zh.md": f"# 窑 {{ #kilns }}\n\n![走法](img/way.zh.svg)\n\n{SHOWN}",
    "docs/img/way.svg": DRAWN,
    "docs/img/way.zh.svg": DRAWN.replace("uses a kiln", "用一座窑"),
}


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return accepted(tmp_path / "docs-project", FILES, run)


def found(run, root, *command):
    return [(each["rule"], each["path"], each["line"], each["column"]) for each in findings(run, root, *command)]


def test_a_drawing_for_each_language_is_the_same_picture_and_clean(run, root):
    assert found(run, root) == []
    code, said, _ = run("refs", cwd=root)
    assert (code, said) == (0, "2 pages, 8 mentions (8 resolved), 0 words of the vocabulary, 0 findings\n")
    code, said, _ = run("refs", "--why", "FIREFwdOp", cwd=root)
    assert (code, "docs/img/way.svg:4:14, docs/img/way.zh.svg:4:14" in said) == (0, True)


def test_a_warm_check_sees_a_drawing_that_changed(run, root):
    assert found(run, root) == []
    edit(root / "docs/img/way.svg", "How FIREFwdOp", "How FireFwdOp")
    assert found(run, root) == [("SL301", "docs/img/way.svg", 4, 14)]
    edit(root / "docs/img/way.zh.svg", "interface, call", "role, inputs, call")
    wrong = [("SL301", "docs/img/way.svg", 4, 14), ("SL302", "docs/img/way.zh.svg", 5, 33)]
    assert found(run, root) == wrong
    assert found(run, root, "refs") == wrong
    assert found(run, root, "refs", "docs/index.zh.md") == wrong[1:]
    edit(root / "docs/img/way.svg", "How FireFwdOp", "How FIREFwdOp")
    (root / "docs/img/way.zh.svg").unlink()
    assert found(run, root) == []
    write(root / "docs/img/way.zh.svg", DRAWN.replace("a kiln", "KilnFireFwdOp"))
    assert found(run, root) == [("SL301", "docs/img/way.zh.svg", 6, 14)]


def test_one_that_both_pages_show_is_told_once_with_both(run, root):
    edit(root / "docs/index.zh.md", "way.zh.svg", "way.svg")
    (root / "docs/img/way.zh.svg").unlink()
    assert found(run, root) == []
    edit(root / "docs/img/way.svg", "How FIREFwdOp", "How FireFwdOp")
    _, said, _ = run("check", cwd=root)
    assert said.count("SL301") == 1
    assert "docs/index.md:3" in said
    assert "docs/index.zh.md:3" in said


def test_the_file_of_a_language_is_held_where_the_page_names_the_first(run, root):
    edit(root / "docs/index.zh.md", "way.zh.svg", "way.svg")
    assert found(run, root) == []
    edit(root / "docs/img/way.zh.svg", "How FIREFwdOp", "How FireFwdOp")
    assert found(run, root) == [("SL301", "docs/img/way.zh.svg", 4, 14)]


@pytest.mark.parametrize(
    "shows",
    [
        '<img alt="w" src="img/way.svg?raw#top">',
        '<p><img src="../img/way.svg" alt="w"></p>',
        "![w][way]\n\n[way]: img/way.svg",
        "[![w](img/w%61y.svg)](index.md)",
        '<object type="image/svg+xml" data="img/way.svg">w</object>',
        '<p><embed src="img/way.svg"></p>',
        '<iframe src="../img/way.svg"></iframe>',
        '<img alt="w" src="w.png" srcset="w.png 1x,img/way.svg 2x">',
        '<picture>\n<source media="print" srcset="img/way.svg, w.png 2x">\n<img alt="w" src="w.png">\n</picture>',
        'Here: <img alt="w" srcset="w.png, img/way.svg 2x" />',
    ],
)
def test_however_a_page_shows_it(run, root, shows):
    for name in ("index.md", "index.zh.md"):
        edit(root / "docs" / name, "\n\n```python", f"\n\n{shows}\n\n```python")
    edit(root / "docs/index.md", "![The way](img/way.svg)", "words")
    edit(root / "docs/index.zh.md", "![走法](img/way.zh.svg)", "话")
    (root / "docs/img/way.zh.svg").unlink()
    assert found(run, root) == []
    edit(root / "docs/img/way.svg", "uses a kiln", "uses a kiln_fire")
    assert found(run, root) == [("SL301", "docs/img/way.svg", 6, 16)]


@pytest.mark.parametrize(
    "shows",
    [
        "[w](img/way.svg)",
        "`![w](img/way.svg)`",
        "![w](https://x.example/img/way.svg)",
        '<img alt="w" src="w.png" data-src="img/way.svg">',
        '<object x-data="img/way.svg"></object>',
        '<iframe src="img/way.svg.html"></iframe>',
    ],
)
def test_what_is_only_led_to_is_not_held(run, root, shows):
    edit(root / "docs/index.md", "![The way](img/way.svg)", shows)
    edit(root / "docs/index.zh.md", "![走法](img/way.zh.svg)", shows)
    edit(root / "docs/img/way.svg", "How FIREFwdOp", "How FireFwdOp")
    assert found(run, root) == []


def test_a_drawing_outside_the_docs_is_not_read(run, root):
    write(root / "way.svg", DRAWN.replace("How FIREFwdOp", "How FireFwdOp"))
    for name in ("way.svg", "way.zh.svg"):
        (root / "docs/img" / name).unlink()
        (root / "docs/img" / name).symlink_to("../../way.svg")
    assert found(run, root) == []
    (root / "docs/img/way.svg").unlink()
    write(root / "docs/img/way.svg", (root / "way.svg").read_text())
    assert found(run, root) == [("SL301", "docs/img/way.svg", 4, 14)]


def test_bytes_and_hidden_characters_of_a_drawing_are_findings(run, root):
    (root / "docs/img/way.svg").write_bytes(DRAWN.replace("uses", "\xe9").encode("latin-1"))
    assert found(run, root) == [("SL501", "docs/img/way.svg", 6, 9)]
    write(root / "docs/img/way.svg", DRAWN.replace("uses", "\u202eu"))
    assert found(run, root) == [("SL503", "docs/img/way.svg", 6, 9)]
    write(root / "docs/img/way.svg", DRAWN.replace("uses", "é"))
    assert found(run, root) == []


def test_the_vocabulary_excuses_what_a_drawing_names(run, root):
    edit(root / "docs/img/way.svg", "uses a kiln", "uses a kiln_fire")
    assert found(run, root) == [("SL301", "docs/img/way.svg", 6, 16)]
    write(root / "snippets/vocabulary.yaml", "kiln_fire: {reason: of a version before}\n")
    assert found(run, root) == []
    edit(root / "docs/img/way.svg", "uses a kiln_fire", "uses a kiln")
    assert found(run, root) == [("SL306", "snippets/vocabulary.yaml", 1, 1)]


# In two languages


def test_a_sentence_in_a_drawing_that_nobody_translated_is_a_finding(run, root):
    edit(root / "pyproject.toml", "references = true\n", "")
    say = "<text>the kiln is fired only once</text>\n</svg>"
    edit(root / "docs/img/way.svg", "</svg>", say)
    edit(root / "docs/img/way.zh.svg", "</svg>", say.replace("the kiln is fired only once", "窑只烧一次"))
    assert found(run, root) == []
    edit(root / "docs/img/way.zh.svg", "窑只烧一次", "the kiln is fired only once")
    assert found(run, root) == [("SL410", "docs/index.zh.md", 3, None)]
    (root / "docs/img/way.zh.svg").unlink()
    edit(root / "docs/index.zh.md", "way.zh.svg", "way.svg")
    assert found(run, root) == [("SL410", "docs/index.zh.md", 3, None)]
    assert "docs/img/way.zh.svg, and show that here" in run("check", cwd=root)[1]
    write(root / "docs/img/way.zh.svg", DRAWN)
    assert found(run, root) == []


def test_a_drawing_of_code_alone_serves_every_language(run, root):
    (root / "docs/img/way.zh.svg").unlink()
    edit(root / "docs/index.zh.md", "way.zh.svg", "way.svg")
    assert found(run, root) == []


# What is read of one


def said(text, *, xml=True):
    return [(one.text, text[one.at], one.code) for one in wrote(text, xml=xml)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("<svg><text>a_b</text></svg>", [("a_b", "a", False)]),
        ("<s:svg><s:text class='code'>a_b</s:text></s:svg>", [("a_b", "a", True)]),
        ("<svg><text><![CDATA[a_b < c]]></text></svg>", [("a_b c", "a", False)]),
        (
            "<svg><text>a<tspan>_b</tspan> c<tspan x='1'>d</tspan></text></svg>",
            [("a_b c", "a", False), ("d", "d", False)],
        ),
        ("<svg class='code'><text>f(a,<tspan y='1'>b)</tspan></text></svg>", [("f(a, b)", "f", True)]),
        ("<svg><text>a <tspan class='code'>f</tspan></text></svg>", [("a", "a", False), ("f", "f", True)]),
        ("<svg><text>&lt;a&gt; &amp;&#98;</text></svg>", [("<a> &b", "&", False)]),
        ("<svg><g/><text/><text>a</text></svg>", [("a", "a", False)]),
        ("<svg><n:view/><title/><text>a</text></svg>", [("a", "a", False)]),
        ("<svg><style>a_b</style><metadata>a_b</metadata><script>a_b</script></svg>", []),
        ("<svg><path d='a_b'/>a_b</svg>", []),
        (
            "<svg><g class='node'><title>a_b</title><text>c</text></g><title>d</title></svg>",
            [("c", "c", False), ("d", "d", False)],
        ),
        ("<svg><g class='graph'><g><title>a_b</title></g><text>c</text></g></svg>", [("c", "c", False)]),
        ("<svg><g class='nodes'><title>a_b</title></g></svg>", [("a_b", "a", False)]),
        (
            "<svg class='code'><text>f(</text><text><tspan x='1'>a</tspan></text></svg>",
            [("f(", "f", True), ("a", "a", True)],
        ),
        ("<text>a_b</text>", []),
        ("", []),
    ],
)
def test_what_a_drawing_says(text, want):
    assert said(text) == want


def test_no_entity_is_resolved_and_nothing_outside_is_read(tmp_path):
    write(tmp_path / "secret", "SECRET")
    declared = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
    declared += f'<!ENTITY out SYSTEM "{tmp_path}/secret"><!ENTITY a0 "lol">'
    text = f"<!DOCTYPE svg [{declared}]>\n<svg><text>a_b &a29; &out;</text></svg>"

    assert [one.text for one in drawing(text, 0).drawn] == ["a_b &a29; &out;"]


@pytest.mark.parametrize(
    "text",
    [
        "<svg>" + "<g>" * 200_000,
        "<svg>" + "<g><text>" * 50_000 + "</svg>" * 50_000,
        "<svg><g class='node'>" + "<text>" * 50_000 + "</a></title></g>" * 50_000,
        "<svg><text>" + "<tspan x='1'>(" * 50_000,
        "<svg class='code'><text>" + "<tspan x='1'>(a" * 20_000,
        "<svg><text>" + "a_" * 200_000,
        "<svg><text>" + "a.b(" * 100_000,
        "<svg><text>" + "&amp" * 100_000,
        "<svg><![CDATA[" * 50_000,
        "<svg><text>" + "<![CDATA[a" * 50_000,
    ],
)
def test_a_drawing_that_is_made_to_harm_is_read_at_once(text):
    assert len(drawing(text, 0).drawn) < len(text)
