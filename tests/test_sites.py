"""Whole projects under the real commands: nothing of TileOPs is in them.

`plain` is a folder-pinned library of our own with pages in two languages. Each test works on a copy; every
break is held against the unbroken copy, which is clean.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLAIN = Path(__file__).parent / "sites" / "plain"


def command(*arguments: str, cwd: Path, cache: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own, with only what it needs in its environment."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "snippetlock", *arguments],
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache), **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of `plain` to break."""
    return Path(shutil.copytree(PLAIN, tmp_path / "plain"))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def edit(file: Path, old: str, new: str) -> None:
    """Replace what is there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is in {file.name} {text.count(old)} times"
    file.write_text(text.replace(old, new), encoding="utf-8")


def findings(site: Path, cache: Path) -> list[tuple[str, str, int | None]]:
    """Rule, path and line of every finding; fails unless the exit code says the same."""
    done = command("check", "--format", "json", cwd=site, cache=cache)
    said = json.loads(done.stdout)
    assert done.returncode == said["exit"] == (1 if said["findings"] else 0), done.stdout + done.stderr
    return [(found["rule"], found["path"], found["line"]) for found in said["findings"]]


# Whole


def test_the_project_is_clean_and_says_so_in_one_line(site, cache):
    done = command("check", cwd=site, cache=cache)

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "4 snippets, 4 pages, 2 unsourced blocks, 0 diagrams, 0 findings\n",
        "",
    )


def test_the_answer_does_not_depend_on_where_and_in_which_locale_it_is_asked(site, cache):
    edit(site / "docs" / "guide.zh.md", 'snippet="counter-see"', 'snippet="counter-sea"')
    ways = [
        command("check", cwd=site, cache=cache),
        command("check", cwd=site / "docs", cache=cache),
        command("-C", str(site), "check", cwd=Path("/"), cache=cache),
        command("check", cwd=site, cache=cache / "fresh", LC_ALL="C"),
        command("check", cwd=site, cache=cache / "0", PYTHONHASHSEED="0"),
        command("check", cwd=site, cache=cache / "1", PYTHONHASHSEED="1"),
        command("check", cwd=site, cache=Path("/dev/null/no")),
    ]

    assert "no definition has the id 'counter-sea'" in ways[0].stdout
    assert {(way.returncode, way.stdout, way.stderr) for way in ways} == {(1, ways[0].stdout, "")}


@pytest.mark.parametrize("state", ["cold", "warm"])
def test_a_check_that_finds_the_lock_holding_loads_no_parser(site, cache, state):
    if state == "warm":
        command("check", cwd=site, cache=cache)
    code = "import sys; from snippetlock.cli import main; code = main(['check']); print('libcst' in sys.modules, code)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=site,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )

    assert done.stdout.endswith("0 findings\nFalse 0\n"), done.stdout + done.stderr


# One thing broken at a time


def rename_symbol(site: Path) -> None:
    edit(site / "lib/tally/_counting.py", "def merge(one", "def join(one")


def edit_a_byte(site: Path) -> None:
    edit(site / "lib/tally/_counting.py", "one.value + other.value", "one.value - other.value")


def edit_what_is_not_shown(site: Path) -> None:
    edit(site / "lib/tally/_counting.py", "Where counting is done.", "Where counting is done!")


def move_lines(site: Path) -> None:
    edit(
        site / "lib/tally/_counting.py",
        '"""Where counting is done."""\n',
        '"""Where counting is done."""\n\nSTEP = 1\n',
    )


def add_an_overload(site: Path) -> None:
    with (site / "lib/tally/_counting.py").open("a") as file:
        file.write("\n\nif LIMIT:\n\n    def merge(one, other):\n        return one\n")


def break_the_grammar(site: Path) -> None:
    edit(site / "lib/tally/_counting.py", "return Counter(one.value", "return Counter((one.value")


def edit_the_yaml(site: Path) -> None:
    edit(site / "lib/tally/defaults.yaml", "step: 1", "step: 2")


def drop_a_directive(site: Path) -> None:
    for page in ("guide.md", "guide.zh.md"):
        edit(site / "docs" / page, '    ```yaml snippet="counter-defaults"\n    ```\n', "    Nothing.\n")


def ask_for_nothing_known(site: Path) -> None:
    edit(site / "docs/index.zh.md", 'snippet="merge"', 'snippet="merg"')
    for page in ("index.md", "index.zh.md"):
        edit(site / "docs" / page, "# Tally", '# Tally\n\n```python snippet="merge"\n```')


def type_a_block_in(site: Path) -> None:
    edit(site / "docs/index.md", 'sh unsourced="a command, not a quotation"', "sh")


def call_code_a_diagram(site: Path) -> None:
    with (site / "docs/index.md").open("a", encoding="utf-8") as file:
        file.write("\n```mermaid\nimport tally\n```\n")


def fill_a_directive(site: Path) -> None:
    edit(site / "docs/guide.md", 'snippet="counter-see"\n', 'snippet="counter-see"\n    x = 1\n')


def define_twice(site: Path) -> None:
    (site / "snippets/again.yaml").write_text("merge:\n  source: tally:merge\n")


def highlight_nothing(site: Path) -> None:
    edit(site / "snippets/counting.yaml", '"self._count += 1"', '"self._count -= 1"')


def highlight_twice(site: Path) -> None:
    edit(site / "snippets/counting.yaml", '"self._count += 1"', '"self._count"')


def highlight_something_else(site: Path) -> None:
    edit(site / "snippets/counting.yaml", '"self._count += 1"', '"thing is not None"')


def keep_nobody(site: Path) -> None:
    edit(site / "snippets/counting.yaml", "keep: [__init__, see]", "keep: [__init__, sea]")


def change_the_view(site: Path) -> None:
    edit(site / "snippets/counting.yaml", "keep: [__init__, see]", "keep: [see]")


def define_more(site: Path) -> None:
    with (site / "snippets/defaults.yaml").open("a") as file:
        file.write("\nlimit:\n  source: tally:LIMIT\n")
    for page in ("index.md", "index.zh.md"):
        edit(site / "docs" / page, "# Tally\n", '# Tally\n\n```python snippet="limit"\n```\n')


def remove_the_lock(site: Path) -> None:
    (site / "snippets/snippets.lock").unlink()


def edit_the_lock(site: Path) -> None:
    edit(site / "snippets/snippets.lock", "lines: 31-33", "lines: 31-34")


def pin_another_version(site: Path) -> None:
    edit(site / "pin.yaml", '"2.1"', '"2.2"')


def undefine(site: Path) -> None:
    edit(site / "snippets/counting.yaml", "\nmerge:\n  source: tally:merge\n", "")
    for page in ("index.md", "index.zh.md"):
        edit(site / "docs" / page, '    ```python snippet="merge"\n    ```\n', "    Nothing.\n")


def save_as_latin_1(site: Path) -> None:
    (site / "docs/more.md").write_bytes("# Über\n".encode("latin-1"))


def link_out(site: Path) -> None:
    (site / "docs/more.md").symlink_to(site / "pin.yaml")


def edit_what_is_highlighted(site: Path) -> None:
    # Also in the class's skeleton, so two snippets say it; neither speaks of the highlight first.
    edit(site / "lib/tally/_counting.py", "self._count += 1", "self._count += 2")


COUNTING, DEFAULTS, LOCK = "snippets/counting.yaml", "snippets/defaults.yaml", "snippets/snippets.lock"
BREAKS = [
    (rename_symbol, [("SL101", COUNTING, 14)]),
    (edit_a_byte, [("SL103", COUNTING, 13)]),
    (edit_what_is_highlighted, [("SL103", COUNTING, 2), ("SL103", COUNTING, 8)]),
    (edit_what_is_not_shown, []),
    (move_lines, []),
    (add_an_overload, [("SL102", COUNTING, 14)]),
    (break_the_grammar, [("SL116", COUNTING, 14)]),
    (edit_the_yaml, [("SL103", DEFAULTS, 1)]),
    (drop_a_directive, [("SL109", DEFAULTS, 1)]),
    (ask_for_nothing_known, [("SL111", "docs/index.zh.md", 15)]),
    (type_a_block_in, [("SL112", "docs/index.md", 17)]),
    (call_code_a_diagram, [("SL112", "docs/index.md", 21)]),
    (fill_a_directive, [("SL113", "docs/guide.md", 6)]),
    (define_twice, [("SL110", COUNTING, 13)]),
    (highlight_nothing, [("SL107", COUNTING, 11)]),
    (highlight_twice, [("SL108", COUNTING, 11)]),
    (highlight_something_else, [("SL117", COUNTING, 9)]),
    (keep_nobody, [("SL114", COUNTING, 5)]),
    (change_the_view, [("SL117", COUNTING, 3)]),
    (define_more, [("SL104", DEFAULTS, 4)]),
    (remove_the_lock, [("SL104", LOCK, None)]),
    (edit_the_lock, [("SL105", LOCK, None)]),
    (pin_another_version, [("SL106", LOCK, None)]),
    (undefine, [("SL115", LOCK, 45)]),
    (save_as_latin_1, [("SL501", "docs/more.md", 1)]),
    (link_out, [("SL502", "docs/more.md", None)]),
]


@pytest.mark.parametrize("temperature", ["cold", "warm"])
@pytest.mark.parametrize(("break_it", "wanted"), BREAKS, ids=lambda value: getattr(value, "__name__", ""))
def test_each_break_is_found_once_and_where_it_is(site, cache, break_it, wanted, temperature):
    if temperature == "warm":
        assert findings(site, cache) == []
    break_it(site)

    first = findings(site, cache)
    assert first == wanted
    assert findings(site, cache) == first, "the same answer the second time"


# Built


def build(site: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"],
        cwd=site,
        env={**kept, "PYTHONPATH": str(ROOT / "tools"), "SNIPPETLOCK_CACHE": str(cache), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_a_page_without_a_twin_that_stands_in_for_it_is_proven_and_an_edited_lock_proves_nothing(site, cache):
    (site / "docs/guide.zh.md").unlink()
    done = build(site, cache)
    assert done.returncode == 0, done.stderr
    proven = command("proof", "site", cwd=site, cache=cache)
    assert proven.stdout == "4 pages, 10 blocks, 0 diagrams, 4 source views, 0 findings\n"
    edit(site / "site/zh/guide/index.html", "</body>", "<pre>x</pre></body>")
    proven = command("proof", "site", "--format", "json", cwd=site, cache=cache)
    assert [(found["rule"], found["path"]) for found in json.loads(proven.stdout)["findings"]] == [
        ("SL123", "site/zh/guide/index.html")
    ]
    edit(site / "site/zh/guide/index.html", "<pre>x</pre></body>", "</body>")

    edit_the_lock(site)
    proven = command("proof", "site", "--format", "json", cwd=site, cache=cache)
    assert [(found["rule"], found["path"]) for found in json.loads(proven.stdout)["findings"]] == [("SL105", LOCK)]


def test_the_built_site_shows_every_snippet_byte_for_byte_and_is_proven(site, cache):
    done = build(site, cache)
    assert done.returncode == 0, done.stderr
    proven = command("proof", "site", cwd=site, cache=cache)
    assert proven.returncode == 0, proven.stdout + proven.stderr
    assert proven.stdout.endswith(", 0 findings\n")

    # Not by our own reading of HTML: the text of the block, tags out and entities back.
    page = (site / "site" / "zh" / "guide" / "index.html").read_text(encoding="utf-8")
    block = re.search(r'data-snippet="counter-see".*?<pre\b.*?<code[^>]*>(.*?)</code>', page, re.S)
    assert block is not None
    assert html.unescape(re.sub(r"<[^>]+>", "", block[1])) == (
        "def see(self, *things: object) -> int:\n"
        "    # …\n"
        "    for thing in things:\n"
        "        if thing is not None:\n"
        "            self._count += 1\n"
        "    return self._count\n"
    )


def test_a_build_stops_where_a_check_would(site, cache):
    edit(site / "docs/guide.zh.md", 'snippet="counter-see"', 'snippet="counter-sea"')
    done = build(site, cache)

    assert done.returncode == 1
    assert "docs/guide.zh.md:5" in done.stderr
    assert "no definition has the id 'counter-sea'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_published_block_that_was_touched_is_found(site, cache):
    assert build(site, cache).returncode == 0
    page = site / "site" / "guide" / "index.html"
    text = page.read_text(encoding="utf-8")
    touched = text.replace('<span class="n">thing</span>', '<span class="n">thong</span>', 1)
    assert touched != text
    page.write_text(touched, encoding="utf-8")

    done = command("proof", "site", "--format", "json", cwd=site, cache=cache)
    assert done.returncode == 1
    assert [found["rule"] for found in json.loads(done.stdout)["findings"]] == ["SL121"]


# From nothing


def test_init_leads_to_a_clean_check_by_what_it_prints(tmp_path, cache):
    shutil.copytree(PLAIN / "lib", tmp_path / "new" / "lib")
    new = tmp_path / "new"
    started = command("init", "--folder", "lib", cwd=new, cache=cache)
    assert started.returncode == 0, started.stderr
    lines = [line.strip() for line in started.stdout.split("\n")]
    keys = [line for line in lines if line.startswith(("markdown_extensions:", "plugins:"))]
    todo = [line.split()[1:] for line in lines if line.startswith("snippetlock ")]
    assert (len(keys), todo) == (2, [["update"], ["check"]])

    (new / "mkdocs.yml").write_text("\n".join(["site_name: New", "theme: {name: mkdocs}", *keys, ""]))
    for arguments in todo:
        done = command(*arguments, cwd=new, cache=cache)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "1 snippet, 1 page, 0 unsourced blocks, 0 diagrams, 0 findings\n"
    assert build(new, cache).returncode == 0
    assert command("proof", "site", cwd=new, cache=cache).returncode == 0
