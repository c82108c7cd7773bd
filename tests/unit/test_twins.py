"""Two languages that agree: what is found where they do not, and nothing where they do."""

from __future__ import annotations

import json
import os

import gitrepo
import pytest

from snippetlock.references.structure import structure
from snippetlock.report.examples import project

CONFIG = '[tool.snippetlock]\nlanguages = ["en", "zh"]\ntwins = "sections"\n'
EN = """# Shop { #shop }

Read [the prices](prices.md#cents) first. ![A till](till.png)

```python snippet="total"
```

## Cents { #cents }

All prices are in cents. There is no tax.

```text unsourced="a sample"
1250
```

### Round { #round }

Nothing is rounded.
"""
ZH = """# 商店 { #shop }

请先读[价格](prices.md#cents)。![收银台](till.png)

```python snippet="total"
```

## 分 { #cents }

价格都以分为单位，不含税。

```text unsourced="示例"
1250
```

### 取整 { #round }

什么都不取整。
"""
PRICES = "# Prices { #prices }\n\n## Cents { #cents }\n"
PRICES_ZH = "# 价格 { #prices }\n\n## 分 { #cents }\n"


@pytest.fixture
def shop(tmp_path, monkeypatch, run):
    """`shop(**files)`: a project whose twins agree, with some of its files (`index_zh=…`) written anew."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "shop"
    files = {**project(), "pyproject.toml": CONFIG, "docs/index.md": EN, "docs/index.zh.md": ZH}
    files |= {"docs/prices.md": PRICES, "docs/prices.zh.md": PRICES_ZH}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8", newline="")
    assert run("update", cwd=root)[0] == 0
    assert run("translate", "accept", "docs/index.zh.md", "prices.md", cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 0, run("check", cwd=root)[1]
    return root


def edit(path, *pairs):
    text = path.read_bytes().decode()
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_bytes(text.encode())


def said(run, root):
    """The findings of a check: place, rule and message."""
    found = json.loads(run("check", "--format", "json", cwd=root)[1])["findings"]
    return [(f"{one['path']}:{one['line']}", one["rule"], one["message"]) for one in found]


def rules(run, root):
    return [(place, rule) for place, rule, _ in said(run, root)]


SWAPPED = '```python snippet="shop"\n```\n\n```python snippet="total"\n```\n'

BOTH = {
    "a heading without an anchor": (
        "index.zh.md", ("## 分 { #cents }", "## 分"),
        [("docs/index.zh.md:15", "SL402", "'分' has the anchor '_1', made from its words, and its twin has 'cents'")],
    ),
    "a heading with another anchor": (
        "index.zh.md", ("### 取整 { #round }", "### 取整 { #rounding }"),
        [("docs/index.zh.md:23", "SL402", "'取整' has the anchor 'rounding' and its twin has 'round'")],
    ),
    "a heading of another level": (
        "index.zh.md", ("### 取整", "#### 取整"),
        [("docs/index.zh.md:23", "SL402", "'取整' is a heading of level 4, and its twin one of level 3")],
    ),
    "a heading too few": (
        "index.zh.md", ("### 取整 { #round }\n\n", ""),
        [("docs/index.zh.md:15", "SL402", "docs/index.md has 1 heading here that this page has not")],
    ),
    "a heading too many": (
        "index.zh.md", ("价格都", "## 多余 { #more }\n\n价格都"),
        [("docs/index.zh.md:17", "SL402", "docs/index.md has no such heading")],
    ),
    "a snippet too few": (
        "index.zh.md", ('```python snippet="total"\n```\n', ""),
        [("docs/index.zh.md:1", "SL403",
          'docs/index.md:5 has snippet="total", and this page does not have it in that place')],
    ),
    "a block too many": (
        "index.zh.md", ("什么都", '```sh unsourced="多余"\nls\n```\n\n什么都'),
        [("docs/index.zh.md:25", "SL403", "docs/index.md does not have a block of sh in this place")],
    ),
    "a block of another language": (
        "index.zh.md", ("```text", "```sh"),
        [("docs/index.zh.md:19", "SL403",
          "docs/index.md:12 has a block of text in this place, and this page a block of sh")],
    ),
    "a generated part too many": (
        "index.zh.md", ("什么都", "<!-- snippetlock: rules -->\n\n什么都"),
        [("docs/index.zh.md:25", "SL403",
          "docs/index.md does not have <!-- snippetlock: rules --> in this place")],
    ),
    "a link that leads to another anchor": (
        "index.zh.md", ("prices.md#cents", "prices.md#prices"),
        [("docs/index.zh.md:8", "SL404",
          "docs/index.md:3:6 has the link prices.md#cents, and the section 'shop' of this page has not"),
         ("docs/index.zh.md:10", "SL404",
          "this link leads to prices.md#prices, and docs/index.md has no such link in the section 'shop'")],
    ),
    "an image that is not there": (
        "index.zh.md", ("![收银台](till.png)", ""),
        [("docs/index.zh.md:8", "SL404",
          "docs/index.md:3:43 has the image till.png, and the section 'shop' of this page has not")],
    ),
    "a link in another section": (
        "index.zh.md", ("什么都", "[价格](prices.md)里什么都"),
        [("docs/index.zh.md:25", "SL404",
          "this link leads to prices.md, and docs/index.md has no such link in the section 'round'")],
    ),
    "a word of the original": (
        "index.md", ("no tax", "a tax"),
        [("docs/index.zh.md:15", "SL405", "docs/index.md:8-14 has changed since '分' was made from it")],
    ),
    "a digest that is gone": (
        "index.zh.md", ("  round: ", "  # round: "),
        [("docs/index.zh.md:23", "SL406", "nothing says from which state of docs/index.md 1 section here came")],
    ),
    "a digest of a section that is no more": (
        "index.zh.md", ("  round: ", "  gone: 0123456789abcdef\n  round: "),
        [("docs/index.zh.md:5", "SL406", "`translated` speaks of 'gone', and docs/index.md has no such section")],
    ),
    "a digest that is none": (
        "index.zh.md", ("  round: ", "  round: x"),
        [("docs/index.zh.md:23", "SL406", "nothing says from which state of docs/index.md 1 section here came")],
    ),
    "front matter that is not closed": (
        "prices.md", ("# Prices", "---\ntitle: x\n\n# Prices"),
        [("docs/prices.md:1", "SL407", "the front matter opened here is never closed")],
    ),
    "front matter that is a list": (
        "prices.md", ("# Prices", "---\n- a\n---\n\n# Prices"),
        [("docs/prices.md:2", "SL407", "front matter is a list")],
    ),
    "front matter that says a key twice": (
        "prices.zh.md", ("translated:", "translated-links:\ntranslated-links:\ntranslated:"),
        [("docs/prices.zh.md:3", "SL407", "'translated-links' is said twice")],
    ),
    "an anchor that is there twice": (
        "index.md", ("### Round { #round }", "### Round { #cents }"),
        [("docs/index.md:16", "SL408", "two headings of this page have the anchor 'cents'"),
         ("docs/index.zh.md:5", "SL406", "`translated` speaks of 'round', and docs/index.md has no such section"),
         ("docs/index.zh.md:23", "SL402", "'取整' has the anchor 'round' and its twin has 'cents'")],
    ),
    "a twin that the page says there is none of": (
        "prices.md", ("# Prices", "---\nuntranslated: nobody reads it\n---\n\n# Prices"),
        [("docs/prices.md:2", "SL401", "this page says that it has no twin, but there is docs/prices.zh.md")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "change", "want"), BOTH.values(), ids=BOTH)
def test_what_does_not_agree_is_found(shop, run, name, change, want):
    edit(shop / "docs" / name, change)

    assert said(run, shop) == want


QUIET = {
    "the same link by the name of the twin": ("index.zh.md", ("prices.md#cents", "prices.zh.md#cents")),
    "the same link written in another way": ("index.zh.md", ("(prices.md#cents)", "(./other/../prices.md#cents)")),
    "the same link by a reference": ("index.zh.md", ("(prices.md#cents)。", "[p]。\n\n[p]: prices.md#cents\n")),
    "a link twice": ("index.zh.md", ("![收银台]", "见[价格](prices.md#cents)。![收银台]")),
    "links in another order": (
        "index.zh.md",
        ("请先读[价格](prices.md#cents)。![收银台](till.png)", "![收银台](till.png)先读[价格](prices.md#cents)。"),
    ),
    "another reason of a block": ("index.zh.md", ("示例", "样子")),
    "another text of a block": ("index.zh.md", ("1250", "1250 分")),
    "a heading by underlining": ("index.zh.md", ("## 分 { #cents }", "分 { #cents }\n---")),
    "lines of the original wrapped": ("index.md", ("cents. There", "cents.\nThere")),
    "a comment": ("index.md", ("All prices", "<!-- to do -->\n\nAll prices")),
    "front matter of another tool": ("index.zh.md", ("translated:", "title: 商店\ntags: [a, b]\ntranslated:")),
    "a rule at the top": ("prices.md", ("# Prices", "---\n\n# Prices")),
    "what looks like a heading in a list of code": ("index.zh.md", ("1250", "# 1250 { #no }")),
}


@pytest.mark.parametrize(("name", "change"), QUIET.values(), ids=QUIET)
def test_what_agrees_is_not_found(shop, run, name, change):
    edit(shop / "docs" / name, change)

    assert said(run, shop) == []


def test_a_heading_in_a_quote_or_a_list_is_one_too(shop, run):
    edit(shop / "docs/index.md", ("Nothing is", "> #### Quoted { #quoted }\n\n- #### Listed { #listed }\n\nNothing is"))
    assert [rule for _, rule in rules(run, shop)] == ["SL402", "SL405"]

    edit(shop / "docs/index.zh.md", ("什么都", "> #### 引用 { #quoted }\n\n- #### 列表 { #listed }\n\n什么都"))
    assert [rule for _, rule in rules(run, shop)] == ["SL405", "SL406"]
    assert run("translate", "accept", "docs/index.zh.md", cwd=shop)[0] == 0
    assert said(run, shop) == []


def test_a_page_without_a_twin_gives_its_reason(shop, run):
    (shop / "docs/only.md").write_text("# Only { #only }\n")
    (shop / "docs/nur.zh.md").write_text("# 只有 { #only }\n")
    assert said(run, shop) == [
        ("docs/nur.zh.md:1", "SL401", "there is no docs/nur.md: this page has no twin in 'en'"),
        ("docs/only.md:1", "SL401", "there is no docs/only.zh.md: this page has no twin in 'zh'"),
    ]

    for name in ("only.md", "nur.zh.md"):
        edit(shop / "docs" / name, ("# ", "---\nuntranslated: for one kind of reader\n---\n\n# "))
    assert said(run, shop) == []


@pytest.mark.parametrize("name", ["prices.md", "prices.zh.md"])
def test_a_twin_that_cannot_be_read_is_there(shop, run, name):
    (shop / "docs" / name).write_bytes(b"# Caf\xe9\n")

    assert rules(run, shop) == [(f"docs/{name}:1", "SL501")]


@pytest.mark.parametrize("reason", ["", " ''", " [a]", " ~"])
def test_no_reason_is_none(shop, run, reason):
    (shop / "docs/only.md").write_text(f"---\nuntranslated:{reason}\n---\n\n# Only {{ #only }}\n")

    assert rules(run, shop) == [("docs/only.md:1", "SL401"), ("docs/only.md:2", "SL407")]


def test_a_link_to_the_page_is_no_twin(shop, run):
    (shop / "docs/prices.zh.md").unlink()
    (shop / "docs/prices.zh.md").symlink_to("prices.md")
    want = [("docs/prices.zh.md:1", "SL401", "this is the same file as docs/prices.md, by a link: no twin of it")]
    assert said(run, shop) == want
    assert said(run, shop) == want

    content = (shop / "docs/prices.md").read_bytes()
    (shop / "docs/prices.zh.md").unlink()
    (shop / "docs/prices.zh.md").write_bytes(content)
    assert [rule for _, rule in rules(run, shop)] == ["SL406"], "the same bytes in a file of its own"


def test_a_twin_may_be_a_link_to_a_file_of_its_own(shop, run):
    (shop / "docs/zh").mkdir()
    (shop / "docs/prices.zh.md").rename(shop / "docs/zh/prices.txt")
    (shop / "docs/prices.zh.md").symlink_to("zh/prices.txt")
    assert said(run, shop) == []

    edit(shop / "docs/prices.md", ("## Cents", "## In cents"))
    assert run("translate", "accept", "prices.zh.md", cwd=shop)[0] == 0
    assert (shop / "docs/prices.zh.md").is_symlink()
    assert said(run, shop) == []


def test_pages_of_windows_are_read_like_others(shop, run):
    for path in (shop / "docs").glob("*.md"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))

    assert said(run, shop) == []


def test_a_page_of_windows_is_accepted_as_it_is(shop, run):
    page = shop / "docs/prices.zh.md"
    page.write_bytes(b"\xef\xbb\xbf" + page.read_bytes().replace(b"\n", b"\r\n"))
    edit(shop / "docs/prices.md", ("## Cents", "## In cents"))
    old, new = structure(PRICES).sections[1].digest, structure(PRICES.replace("## C", "## In c")).sections[1].digest
    want = page.read_bytes().replace(old.encode(), new.encode())

    assert run("translate", "accept", "docs/prices.zh.md", cwd=shop)[0] == 0
    assert page.read_bytes() == want
    assert want.startswith(b"\xef\xbb\xbf---\r\ntranslated:\r\n")


def test_front_matter_that_cannot_be_edited_is_left_to_its_author(shop, run):
    page = shop / "docs/prices.zh.md"
    page.write_text("---\n{title: x}\n---\n\n" + PRICES_ZH, encoding="utf-8")
    before = page.read_bytes()
    code, _, err = run("translate", "accept", "docs/prices.zh.md", cwd=shop)

    assert (code, "cannot be written into its front matter" in err) == (2, True)
    assert page.read_bytes() == before


def test_other_languages_are_held_each_against_the_first(shop, run):
    edit(shop / "pyproject.toml", ('["en", "zh"]', '["en", "zh", "de"]'))
    for name in ("index", "prices"):
        text = (shop / f"docs/{name}.md").read_text(encoding="utf-8")
        (shop / f"docs/{name}.de.md").write_text(text.replace('unsourced="a sample"', 'unsourced="Muster"'))
    assert said(run, shop)[0][:2] == ("docs/index.de.md:1", "SL406")
    code, _, err = run("translate", "accept", "index.de.md", "prices.de.md", cwd=shop)
    assert (code, "SL410" in err, "was not translated" in err) == (2, True, True)
    edit(shop / "docs/index.de.md", ("All prices are in cents. There is no tax.", "Preise sind in Cent, ohne Steuer."))
    assert run("translate", "accept", "index.de.md", "prices.de.md", cwd=shop)[0] == 0
    assert said(run, shop) == []

    edit(shop / "docs/index.md", ("no tax", "a tax"))
    assert rules(run, shop) == [("docs/index.de.md:15", "SL405"), ("docs/index.zh.md:15", "SL405")]
    assert run("translate", "accept", "index.de.md", cwd=shop)[0] == 0
    assert rules(run, shop) == [("docs/index.zh.md:15", "SL405")]
    (shop / "docs/prices.de.md").unlink()
    assert rules(run, shop)[1:] == [("docs/prices.md:1", "SL401")]


def test_every_heading_of_a_long_page_is_held(shop, run):
    many = "".join(f"## Number {n} {{ #n{n} }}\n\n" for n in range(3000))
    (shop / "docs/prices.md").write_text(PRICES + many)
    (shop / "docs/prices.zh.md").write_text(PRICES_ZH + many.replace("#n", "#m"), encoding="utf-8")

    assert len(said(run, shop)) == 3001


def test_an_empty_page_has_nothing_to_hold(shop, run):
    for name in ("empty.md", "empty.zh.md"):
        (shop / "docs" / name).write_bytes(b"")
    assert said(run, shop) == []

    (shop / "docs/empty.md").write_text("Words.\n")
    assert said(run, shop) == [
        ("docs/empty.zh.md:1", "SL402", "docs/empty.md has words above its first heading, and this page has not")
    ]


def test_links_that_have_to_differ_are_said_to_be_a_pair(shop, run):
    edit(shop / "docs/index.md", ("Nothing is", "See [Cent](https://en.example/Cent). Nothing is"))
    edit(shop / "docs/index.zh.md", ("什么都", "见[分](https://zh.example/分)。什么都"))
    run("translate", "accept", "docs/index.md", cwd=shop)
    _, text, _ = run("check", cwd=shop)
    pair = "translated-links: {https://en.example/Cent: https://zh.example/分}"
    assert f"for one that has to differ, in the front matter: `{pair}`" in text

    edit(shop / "docs/index.zh.md", ("translated:", f"{pair}\ntranslated:"))
    run("translate", "accept", "docs/index.md", cwd=shop)
    assert said(run, shop) == []

    edit(shop / "docs/index.zh.md", ("en.example/Cent:", "en.example/Other:"))
    assert "`translated-links` pairs https://en.example/Other, and docs/index.md has no such link" in [
        message for _, _, message in said(run, shop)
    ]


def test_how_far_twins_are_held_is_the_projects_to_say(shop, run):
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    edit(shop / "docs/prices.zh.md", ("## 分 { #cents }", "## 分"))
    assert [rule for _, rule in rules(run, shop)] == ["SL405", "SL402"]

    edit(shop / "pyproject.toml", ('twins = "sections"\n', ""))
    assert [rule for _, rule in rules(run, shop)] == ["SL402"]
    edit(shop / "pyproject.toml", ("languages", 'twins = "off"\nlanguages'))
    assert rules(run, shop) == []
    edit(shop / "pyproject.toml", ('"off"', '"all"'))
    code, _, err = run("check", cwd=shop)
    assert (code, err.count("mend: write twins = ")) == (2, 1)


TYPED = '\n```sh unsourced="{0}"\n{1}\n```\n'
COMMANDS = {
    "the same, with translated comments": ("make docs  # all pages\nmake test", "# 先\nmake docs\nmake  test", ""),
    "another placeholder": ("cd <your folder>", "cd <你的目录>", ""),
    "another command": (
        "make docs\nmake", "make docs\nmake all",
        "the block at docs/index.md:20 has the command 'make', and this one the command 'make all'",
    ),
    "a command too few": (
        "make docs\nmake", "make docs",
        "the block at docs/index.md:20 has the command 'make', and this one no further command",
    ),
    "a command too many": (
        "make docs", "make docs\nmake",
        "the block at docs/index.md:20 has no further command, and this one the command 'make'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", COMMANDS)
def test_a_twin_has_the_commands_of_its_page(shop, run, title):
    ours, theirs, want = COMMANDS[title]
    edit(shop / "docs/index.md", ("Nothing is rounded.\n", f"Nothing is rounded.\n{TYPED.format('type', ours)}"))
    edit(shop / "docs/index.zh.md", ("什么都不取整。\n", f"什么都不取整。\n{TYPED.format('输入', theirs)}"))
    run("translate", "accept", "docs/index.zh.md", cwd=shop)

    found = [one for one in said(run, shop) if one[1] == "SL403"]
    assert found == ([("docs/index.zh.md:27", "SL403", want)] if want else [])


MARKS = {
    "the same in other words": ("Type `make docs` or `till --open`.", "先运行 `till --open`，再 `make docs`。", ""),
    "twice in one": ("Type `make docs`.", "运行 `make docs`；`make docs` 会读取页面。", ""),
    "another placeholder": ("Type `cd <your folder>`.", "运行 `cd <你的目录>`。", ""),
    "no command": ("It has `not in`, `a - b` and `till`.", "它有 `x not in y` 和 `b - a`。", ""),
    "in a block there": ("Type `make docs`.", '运行：\n\n```sh unsourced="输入"\nmake docs\n```', "block"),
    "another command": (
        "Type `make docs`.", "运行 `make all`。",
        "docs/index.md:20:6 has the command 'make docs', and this section 'make all'",
    ),
    "another option of a program of one's own": (
        "Type `till --open`.", "运行 `till --close`。",
        "docs/index.md:20:6 has the command 'till --open', and this section 'till --close'",
    ),
    "a command too few": (
        "Type `make docs` or `make test`.", "运行 `make test`。",
        "docs/index.md:20:6 has the command 'make docs', and this section does not",
    ),
    "a command too many": (
        "Type it.", "运行 `make docs`。",
        "this section has the command 'make docs', and that of docs/index.md does not",
    ),
}  # fmt: skip
ROWS = {
    "the same rows, laid out otherwise": (("| `a` | one |", "| `b` | two |"), ("| `a` |  一  |", "| `b` | 二 |"), ""),
    "a row too few": (
        ("| `a` | one |", "| `b` | two |"), ("| `a` | 一 |",),
        "the table at docs/index.md:20 has 2 rows, and this one 1",
    ),
    "a row too many": (
        ("| `a` | one |",), ("| `a` | 一 |", "| `b` | 二 |"),
        "the table at docs/index.md:20 has 1 rows, and this one 2",
    ),
    "a table too few": (
        ("| `a` | one |",), (), "the section 'round' of docs/index.md has 1 table, and this one none",
    ),
    "a table too many": (
        (), ("| `a` | 一 |",), "the section 'round' of docs/index.md has no table, and this one 1",
    ),
}  # fmt: skip


def _accepted(shop, run, ours, theirs):
    edit(shop / "docs/index.md", ("Nothing is rounded.\n", f"Nothing is rounded.\n\n{ours}\n"))
    edit(shop / "docs/index.zh.md", ("什么都不取整。\n", f"什么都不取整。\n\n{theirs}\n"))
    run("translate", "accept", "docs/index.zh.md", cwd=shop)
    return [message for _, rule, message in said(run, shop) if rule == "SL403"]


@pytest.mark.parametrize("title", MARKS)
def test_a_twin_has_the_commands_of_its_sentences(shop, run, title):
    ours, theirs, want = MARKS[title]
    found = _accepted(shop, run, ours, theirs)
    if want == "block":  # the block itself is one that the other page has not
        assert [message for message in found if "command" in message] == []
    else:
        assert found == ([want] if want else [])


@pytest.mark.parametrize("title", ROWS)
def test_a_twin_has_the_rows_of_its_tables(shop, run, title):
    ours, theirs, want = ROWS[title]
    head = "| name | what |\n| --- | --- |\n"
    tables = ["\n".join([head.rstrip(), *rows]) if rows else "" for rows in (ours, theirs)]
    assert _accepted(shop, run, *tables) == ([want] if want else [])


def test_commands_are_held_for_the_whole_page_where_sections_differ(shop, run):
    edit(shop / "docs/index.md", ("There is no tax.", "There is no tax. Type `make docs`."))
    edit(shop / "docs/index.zh.md", ("什么都不取整。\n", "什么都不取整。运行 `make docs`。\n\n## 税 { #tax }\n"))
    assert [message for _, rule, message in said(run, shop) if rule == "SL403"] == []


def test_a_block_that_is_missing_is_not_taken_for_the_next_one_of_its_language(shop, run):
    first, second = TYPED.format("type", "make docs"), TYPED.format("type", "make test")
    edit(shop / "docs/index.md", ("Nothing is rounded.\n", f"Nothing is rounded.\n{first}{second}"))
    edit(shop / "docs/index.zh.md", ("什么都不取整。\n", f"什么都不取整。\n{second}"))
    run("translate", "accept", "docs/index.zh.md", cwd=shop)

    assert [message for _, rule, message in said(run, shop) if rule == "SL403"] == [
        "docs/index.md:20 has a block of sh, and this page does not have it in that place"
    ]


def test_two_snippets_that_changed_places_are_said_to_be_in_another_order(shop, run):
    edit(shop / "snippets/shop.yaml", ("total:", "shop:\n  source: shop.py\ntotal:"))
    edit(shop / "lib/shop.py", ("def total", "def shop():\n    return 1\n\n\ndef total"))
    edit(shop / "snippets/shop.yaml", ("source: shop.py", "source: shop:shop"))
    run("update", cwd=shop)
    two = '```python snippet="total"\n```\n\n```python snippet="shop"\n```\n'
    edit(shop / "docs/index.md", ('```python snippet="total"\n```\n', two))
    edit(shop / "docs/index.zh.md", ('```python snippet="total"\n```\n', SWAPPED))
    found = [message for _, rule, message in said(run, shop) if rule == "SL403"]

    assert found
    assert all("another order" in message for message in found)


# What the original said


def test_the_difference_comes_from_the_history_of_the_docs(shop, run, monkeypatch, tmp_path):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "another cache"))
    history = gitrepo.History(shop)
    history.commit()
    edit(shop / "docs/index.md", ("no tax", "some tax"))
    for name in ("index.md", "index.zh.md"):
        (shop / "docs" / name).rename(shop / "docs" / name.replace("index", "start"))
    history.commit()
    edit(shop / "docs/start.md", ("some tax", "a tax"))

    _, text, _ = run("check", cwd=shop)
    assert "    - There is no tax.\n    + There is a tax.\n" in text


def test_where_no_history_has_the_original_that_is_said_and_looked_for_again(shop, run, monkeypatch, tmp_path):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "another cache"))
    before = (shop / "docs/index.md").read_bytes()
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    _, text, _ = run("check", cwd=shop)
    assert "what it was made from cannot be shown: the history of docs/index.md cannot be read: " in text

    after = (shop / "docs/index.md").read_bytes()
    (shop / "docs/index.md").write_bytes(before)
    gitrepo.History(shop).commit()
    (shop / "docs/index.md").write_bytes(after)
    _, text, _ = run("check", cwd=shop)
    assert "    - There is no tax.\n    + There is a tax.\n" in text


# The command


def test_the_command_lists_what_is_behind(shop, run):
    assert run("translate", cwd=shop)[:2] == (0, "4 pages, 0 sections behind, 0 pages missing\n")
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    edit(shop / "docs/index.zh.md", ("  round: ", "  # "))

    assert run("translate", cwd=shop)[:2] == (
        1,
        """docs/index.zh.md:15-21  #cents  分
  docs/index.md:8-14 changed since:
      All prices are in cents.
    - There is no tax.
    + There is a tax.
      ``` text unsourced="a sample"

docs/index.zh.md:23-25  #round  取整
  nothing says from which state of docs/index.md:16-18 it was made

when a section is up to date: snippetlock translate accept PAGE#ANCHOR …, or PAGE for all of it

4 pages, 2 sections behind, 0 pages missing
""",
    )
    found = json.loads(run("translate", "--format", "json", cwd=shop)[1])
    assert found["counts"] == {"pages": 4, "behind": 2, "missing": 0, "unlike": 0}
    assert [(one["page"], one["anchor"], one["lines"], one["original"]["lines"]) for one in found["sections"]] == [
        ("docs/index.zh.md", "cents", [15, 21], [8, 14]),
        ("docs/index.zh.md", "round", [23, 25], [16, 18]),
    ]
    assert found["sections"][0]["change"][1:3] == ["- There is no tax.", "+ There is a tax."]
    assert found["sections"][1]["change"] is None


def test_one_section_is_accepted_and_nothing_else_is_touched(shop, run):
    page = shop / "docs/index.zh.md"
    edit(shop / "docs/index.md", ("no tax", "a tax"), ("Nothing is", "Nothing at all is"))
    before = page.read_text(encoding="utf-8")
    old = structure(EN)
    new = structure((shop / "docs/index.md").read_text(encoding="utf-8"))

    assert run("translate", "accept", "docs/index.zh.md#cents", cwd=shop)[:2] == (
        0,
        "docs/index.zh.md: accepted #cents\n",
    )
    assert page.read_text(encoding="utf-8") == before.replace(old.sections[1].digest, new.sections[1].digest)
    assert rules(run, shop) == [("docs/index.zh.md:23", "SL405")]
    assert run("translate", "accept", "docs/index.zh.md", cwd=shop)[1] == "docs/index.zh.md: accepted #round\n"
    assert run("translate", "accept", "docs/index.zh.md", cwd=shop)[1].startswith("nothing to do")


@pytest.mark.parametrize("name", ["docs/index.zh.md", "index.zh.md", "docs/index.md", "index.md", "./docs/index.zh.md"])
def test_a_page_may_be_named_as_it_comes(shop, run, name):
    edit(shop / "docs/index.md", ("no tax", "a tax"))

    assert run("translate", "accept", name, cwd=shop)[1] == "docs/index.zh.md: accepted #cents\n"


def test_a_page_may_be_named_from_where_one_is(shop, run):
    edit(shop / "docs/index.md", ("no tax", "a tax"))

    assert run("translate", "accept", "../docs/index.zh.md#cents", cwd=shop / "snippets")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["index.zh.md#cent"], "docs/index.md has no section 'cent'\n  mend: did you mean 'cents'?"),
        (["docs/indx.zh.md"], "there is no page docs/indx.zh.md\n  mend: did you mean "),
        ([], "no page is named"),
        (["index.zh.md", "nothing.md"], "there is no page nothing.md"),
    ],
)
def test_what_cannot_be_accepted_writes_nothing(shop, run, words, said):
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    before = (shop / "docs/index.zh.md").read_bytes()

    code, _, err = run("translate", "accept", *words, cwd=shop)
    assert (code, said in err) == (2, True)
    assert (shop / "docs/index.zh.md").read_bytes() == before


def test_twins_of_another_structure_are_not_accepted(shop, run):
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    edit(shop / "docs/prices.zh.md", ("## 分 { #cents }", "## 分"))
    before = {path: path.read_bytes() for path in (shop / "docs").glob("*.md")}

    code, _, err = run("translate", "accept", "index.zh.md", "prices.zh.md", cwd=shop)
    assert code == 2
    assert "docs/prices.zh.md:9  SL402  '分' has the anchor '_1'" in err
    assert {path: path.read_bytes() for path in (shop / "docs").glob("*.md")} == before


def test_a_project_of_one_language_has_no_twins(shop, run):
    edit(shop / "pyproject.toml", ('["en", "zh"]', '["en"]'))

    assert run("translate", cwd=shop)[0] == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_page_that_cannot_be_written_is_left_as_it_was(shop, run):
    edit(shop / "docs/index.md", ("no tax", "a tax"))
    os.chmod(shop / "docs", 0o555)
    try:
        code, _, err = run("translate", "accept", "index.zh.md", cwd=shop)
    finally:
        os.chmod(shop / "docs", 0o755)

    assert (code, "cannot be written" in err) == (2, True)


def test_a_command_without_end_is_told_by_its_beginning(shop, run):
    edit(shop / "docs/index.md", ("Nothing is rounded.\n", f"Nothing is rounded.\n{TYPED.format('type', 'a' * 5000)}"))
    edit(shop / "docs/index.zh.md", ("什么都不取整。\n", f"什么都不取整。\n{TYPED.format('输入', 'b' * 5000)}"))
    (message,) = [message for _, rule, message in said(run, shop) if rule == "SL403"]

    assert len(message) < 600
    assert "aaa …'" in message
