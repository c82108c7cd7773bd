"""A project whose prose is held: what check and refs say, what the vocabulary excuses, what is kept between runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from plain import edit
from small import accepted, findings, write

import snippetlock.index.build
import snippetlock.references.judging
from snippetlock.config.vocabulary import read_vocabulary
from snippetlock.errors import ConfigError

TOOLS = Path(__file__).parents[2] / "tools"
SHOWN = '```python snippet="fire"\n```\n'
FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\nreferences = true\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": "class FIREFwdOp:\n    def kiln_for(self, interface, call):\n        return interface, call\n",
    "snippets/kilns.yaml": "fire:\n  source: kilns:FIREFwdOp\n",
    "docs/index.md": f"# Kilns {{ #kilns }}\n\n`FIREFwdOp` asks `kiln_for(interface, call)`.\n\n{SHOWN}",
    "docs/index.zh.md": f"# 窑 {{ #kilns }}\n\n`FIREFwdOp`调用`kiln_for(interface, call)`。\n\n{SHOWN}",
}


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return accepted(tmp_path / "docs-project", FILES, run)


def rules(run, root, *command):
    return [(finding["rule"], finding["path"], finding["line"]) for finding in findings(run, root, *command)]


def test_prose_that_is_true_is_clean(run, root):
    assert rules(run, root) == []
    code, said, _ = run("refs", cwd=root)
    assert (code, said) == (0, "2 pages, 8 mentions (8 resolved), 0 words of the vocabulary, 0 findings\n")


def test_check_holds_both_languages(run, root):
    edit(root / "docs/index.md", "kiln_for(interface, call)", "kiln_for(role, inputs, call)")
    edit(root / "docs/index.zh.md", "`FIREFwdOp`", "`FireFwdOp`")

    assert rules(run, root) == [("SL302", "docs/index.md", 3), ("SL301", "docs/index.zh.md", 3)]
    assert rules(run, root, "refs") == rules(run, root)
    assert rules(run, root, "refs", "docs/index.md") == rules(run, root)[:1]
    assert rules(run, root, "refs", "index.zh.md") == rules(run, root)[1:]


def test_a_project_that_does_not_say_so_is_not_held_but_can_ask(run, root):
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FireFwdOp` and `GlazeFwdOp`")
    edit(root / "pyproject.toml", "references = true\n", "")

    assert rules(run, root) == []
    assert rules(run, root, "refs") == [("SL301", "docs/index.md", 3)] * 2


def test_only_what_is_proven_can_be_held(run, root):
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FireFwdOp` and `GlazeFwdOp`")
    assert rules(run, root) == [("SL301", "docs/index.md", 3)] * 2
    edit(root / "pyproject.toml", "references = true", 'references = "proven"')

    assert rules(run, root) == [("SL301", "docs/index.md", 3)]
    assert "FIREFwdOp" in run("check", cwd=root)[1]


def test_a_word_of_the_vocabulary_is_excused_where_it_may_stand(run, root):
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FIREFwdOp`, once `GlazeFwdOp`,")
    assert rules(run, root) == [("SL301", "docs/index.md", 3)]

    write(root / "snippets/vocabulary.yaml", "GlazeFwdOp: {reason: the name until 0.9}\n")
    assert rules(run, root) == []
    write(root / "snippets/vocabulary.yaml", "GlazeFwdOp: {reason: the name, pages: [docs/index.md]}\n")
    assert rules(run, root) == []
    write(root / "snippets/vocabulary.yaml", "GlazeFwdOp: {reason: the name, pages: [docs/index.zh.md]}\n")
    assert rules(run, root) == [("SL301", "docs/index.md", 3)]


def test_a_word_that_nobody_needs_is_a_finding(run, root):
    write(root / "snippets/vocabulary.yaml", "# words\nGlazeFwdOp: {reason: none}\nFIREFwdOp: {reason: needless}\n")

    assert rules(run, root) == [("SL306", "snippets/vocabulary.yaml", 2), ("SL306", "snippets/vocabulary.yaml", 3)]
    assert rules(run, root, "refs", "docs/index.md") == [], "of one page it cannot be told"


def test_a_page_of_the_vocabulary_has_to_be_there(run, root):
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FIREFwdOp`, once `GlazeFwdOp`,")
    write(root / "snippets/vocabulary.yaml", "GlazeFwdOp: {reason: x, pages: [docs/index.md, docs/old.md]}\n")

    assert rules(run, root) == [("SL306", "snippets/vocabulary.yaml", 1)]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (
            "a: {reason: x}\na: {reason: y}\n",
            "2:1",
            "the vocabulary has 'a' twice (first at snippets/vocabulary.yaml:1:1)",
        ),
        ("a: {reason: x, page: [y]}\n", "1:16", "unknown key 'page' in the entry of 'a'"),
        ("a: {pages: [y]}\n", "1:4", "the entry of 'a' has no 'reason'"),
        ("a: because\n", "1:4", "the entry of 'a' is text, not a mapping"),
        ("a: {reason: '  '}\n", "1:13", "`reason` of 'a' is empty"),
        ("a: {reason: x, pages: []}\n", "1:23", "`pages` of 'a' is an empty list"),
        ("a: {reason: x, pages: y}\n", "1:23", "`pages` of 'a' is text, not a list"),
        ("- a\n", "1:1", "the vocabulary is a list, not a mapping"),
        ("1: {reason: x}\n", "1:1", "a name of the vocabulary is a number (1), not text"),
        ("a: {reason: x\n", "1:15", "not YAML: did not find expected ',' or '}'"),
    ],
)
def test_a_vocabulary_that_is_wrong_is_refused_at_its_place(tmp_path, text, where, what):
    file = tmp_path / "vocabulary.yaml"
    write(file, text)
    with pytest.raises(ConfigError) as caught:
        read_vocabulary(file, "snippets/vocabulary.yaml")

    assert str(caught.value.what) == what
    assert f"{caught.value.line}:{caught.value.column}" == where


def test_a_vocabulary_may_be_empty_and_need_not_be(tmp_path):
    write(tmp_path / "empty.yaml", "# nothing yet\n")

    assert read_vocabulary(tmp_path / "empty.yaml", "x") == ()
    assert read_vocabulary(tmp_path / "none.yaml", "x") == ()


def test_a_wrong_vocabulary_stops_the_check(run, root):
    write(root / "snippets/vocabulary.yaml", "a: {reason: x, page: y}\n")
    code, _, said = run("check", cwd=root)

    assert code == 2
    assert "snippets/vocabulary.yaml:1:16" in said


def counted(monkeypatch):
    """How often an index is built and a page judged from now on."""
    built, judged = [], []
    join, judge = snippetlock.index.build.join, snippetlock.references.judging.tell_page
    monkeypatch.setattr(snippetlock.index.index, "join", lambda *a: built.append(1) or join(*a))
    monkeypatch.setattr(
        snippetlock.references.judging, "tell_page", lambda b, *a: judged.append(b.path) or judge(b, *a)
    )
    return built, judged


def test_what_is_known_of_a_page_is_kept_until_something_changes(run, root, monkeypatch):
    assert run("check", cwd=root)[0] == 0
    built, judged = counted(monkeypatch)
    assert run("check", cwd=root)[0] == 0
    assert run("refs", cwd=root)[0] == 0
    assert (built, judged) == ([], [])

    edit(root / "docs/index.md", "`FIREFwdOp` asks", "`FIREFwdOp` always asks")
    assert run("check", cwd=root)[0] == 0
    assert (built, judged) == ([], ["docs/index.md"])


def test_a_library_that_changed_where_no_snippet_is_is_seen(run, root):
    write(root / "lib/other.py", "def dry_clay(pot):\n    return pot\n")
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FIREFwdOp` with `dry_clay(pot)`")
    assert rules(run, root) == []

    write(root / "lib/other.py", "def dry_clay(pot, days):\n    return pot, days\n")
    assert rules(run, root) == [("SL302", "docs/index.md", 3)]
    (root / "lib/other.py").unlink()
    assert rules(run, root) == [("SL301", "docs/index.md", 3)]


def test_what_a_page_shows_tells_what_self_is(run, root):
    write(root / "lib/other.py", "class Other:\n    def dry_clay(self):\n        return 1\n")
    for page in ("docs/index.md", "docs/index.zh.md"):
        edit(root / page, "`FIREFwdOp`", "`self.kiln_for(interface, call)`")
    assert rules(run, root) == []
    edit(root / "docs/index.md", "`kiln_for(interface, call)`", "`self.dry_clay()`")
    assert rules(run, root) == [("SL301", "docs/index.md", 3)]

    write(root / "snippets/other.yaml", "other:\n  source: other:Other\n")
    for name in ("more.md", "more.zh.md"):
        write(root / "docs" / name, '# O { #other }\n\n`self.dry_clay()`\n\n```python snippet="other"\n```\n')
    assert run("update", cwd=root)[0] == 0
    assert rules(run, root) == [("SL301", "docs/index.md", 3)], "the class that a snippet shows has it"


def test_why_says_what_a_name_is_taken_for(run, root):
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FireFwdOp`")
    code, said, _ = run("refs", "--why", "FireFwdOp", cwd=root)
    assert code == 1
    assert said == (
        "FireFwdOp  unknown (SL301)\n"
        "  the library has no 'FireFwdOp': it is written 'FIREFwdOp'\n"
        "    kilns.py:1  kilns:FIREFwdOp\n"
        "  mend: write 'FIREFwdOp'\n"
        "  on: docs/index.md:3:1\n"
    )

    code, said, _ = run("refs", "--why", "torch.Tensor", cwd=root)
    assert (code, said) == (0, "torch.Tensor  known\n  torch is a well-known package\n  no page has it in code marks\n")
    code, said, _ = run("refs", "--why", "interface", "--format", "json", cwd=root)
    verdicts = json.loads(said)["verdicts"]
    assert code == 0
    assert {verdict["text"] for verdict in verdicts} == {"interface", "kiln_for(interface, call)"}
    assert {verdict["place"] for verdict in verdicts} == {"docs/index.md:3:18", "docs/index.zh.md:3:14"}


def test_what_cannot_be_asked_is_said(run, root):
    assert run("refs", "docs/indx.md", cwd=root)[::2] == (
        2,
        "snippetlock: no page 'docs/indx.md' in docs\n"
        "  mend: did you mean 'docs/index.md' or 'docs/index.zh.md' or 'index.md'?\n",
    )
    assert run("refs", "--why", " ", cwd=root)[0] == 2
    assert run("refs", "--why", "x", "--format", "github", cwd=root)[0] == 2


def test_a_file_that_the_index_cannot_read_leaves_the_rest_held(run, root):
    write(root / "lib/broken.py", "def (\n")
    edit(root / "docs/index.md", "`FIREFwdOp`", "`FireFwdOp`")

    assert rules(run, root) == [("SL301", "docs/index.md", 3)]


LOADED = """
import sys
from snippetlock.cli import main
code = main(["check"])
print(sorted(name for name in sys.modules if name.startswith(("snippetlock.references", "snippetlock.index"))))
sys.exit(code)
"""


def test_a_warm_check_loads_nothing_that_reads_prose(run, root):
    assert run("check", cwd=root)[0] == 0
    environ = {**os.environ, "PYTHONPATH": str(TOOLS)}
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=root, env=environ, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    loaded = ["snippetlock.index", "snippetlock.index.build", "snippetlock.index.rows"]  # what tells a folder's state
    assert done.stdout.split("\n")[-2] == str(loaded)
