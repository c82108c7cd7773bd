"""Every rule's example, made and run: what the rules page shows is what the tool says."""

from __future__ import annotations

import re
import subprocess
from importlib.resources import files
from pathlib import Path

import casefile
import pytest

from snippetlock.report.examples import FILE, PROJECT, examples, project
from snippetlock.rules import RULES

SOURCE = Path(str(files("snippetlock.report").joinpath(FILE)))
CASES = {case.title: case for case in casefile.parse(SOURCE.read_bytes().decode(), SOURCE)}


def write(root: Path, contents) -> None:
    for name, text in contents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def build(root: Path) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    build(load_config(str(root / "mkdocs.yml"), quiet=True))


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "shop").mkdir()
    write(tmp_path / "shop", project())
    return tmp_path / "shop"


@pytest.mark.parametrize("code", [rule.code for rule in RULES])
def test_the_tool_says_of_each_example_what_the_page_shows(root, run, golden, monkeypatch, code):
    example = examples()[code]
    write(root, example.given)
    assert run("update", cwd=root)[0] == 0
    if "snippets/runs.yaml" in example.given:
        assert run("record", "--all", cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 0, "clean before anything goes wrong"
    command = example.command.split()
    if command[0] == "proof":
        with monkeypatch.context() as patch:
            patch.chdir(root)
            build(root)
        assert run(*command, cwd=root)[0] == 0

    write(root, {**example.wrong, **example.also})
    for name, rows in example.edits.items():
        old, new = (row[2:] for row in rows.removesuffix("\n").split("\n"))
        text = (root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (root / name).write_text(text.replace(old, new), encoding="utf-8")
    subprocess.run(["sh", "-ec", example.script], cwd=root, check=True)

    _, text, _ = run(*command, cwd=root)
    *paragraphs, _closing = text.rstrip("\n").split("\n\n")
    golden(CASES[code], "\n\n".join(paragraphs) + "\n", "said")
    _, said, _ = run(*command, "--format", "github", cwd=root)
    assert re.findall(r"title=(SL\d+)", said) == [code], "an example is of one rule alone"


def test_every_rule_has_an_example_and_no_example_is_of_no_rule():
    assert list(examples()) == [rule.code for rule in RULES]


def test_both_readers_of_the_file_see_the_same():
    assert {
        title: {name: text for name, text in case.sections.items() if name != "input"} for title, case in CASES.items()
    } == {
        PROJECT: {f"file {name}": text for name, text in project().items()},
        **{code: sections(example) for code, example in examples().items()},
    }


def sections(example):
    kinds = {"given": example.given, "wrong": example.wrong, "also": example.also, "edit": example.edits}
    found = {f"{kind} {name}": text for kind, contents in kinds.items() for name, text in contents.items()}
    found |= {"do": example.script} if example.script else {}
    found |= {"run": f"{example.command}\n"} if example.command != "check" else {}
    return {**found, "said": example.said}
