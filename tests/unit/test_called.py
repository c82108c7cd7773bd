"""Whatever is wrong with a file of a project, messages call it by its path from there, and say how to mend it."""

from __future__ import annotations

import os

import pytest
from small import accepted, write

FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\nreferences = true\n',
    "pin.yaml": "name: shop\nfolder: lib\nrepository: {url: ./up}\n",
    "lib/shop.py": "def total(prices):\n    return sum(prices)\n",
    "snippets/shop.yaml": "total:\n  source: shop:total\nown:\n  source: snippets/examples/demo/demo.py:go\n",
    "snippets/vocabulary.yaml": "{}\n",
    "snippets/runs.yaml": "demo:\n  example: demo\n  command: echo 1\n",
    "snippets/examples/demo/demo.py": "def go():\n    return 1\n",
    "docs/index.md": '# Shop { #shop }\n\n```python snippet="total"\n```\n\n```python snippet="own"\n```\n\n'
    '```console run="demo"\n```\n',
    "docs/index.zh.md": '# 商店 { #shop }\n\n```python snippet="total"\n```\n\n```python snippet="own"\n```\n\n'
    '```console run="demo"\n```\n',
}
MADE = ("snippets/snippets.lock", "snippets/runs/demo.json")


def link(path):
    path.unlink()
    path.symlink_to("no/where")


def folder(path):
    path.unlink()
    path.mkdir()


def fifo(path):
    path.unlink()
    os.mkfifo(path)


WAYS = {
    "other bytes": lambda path: path.write_bytes(b"\xff snippetlock" + path.read_bytes()),
    "no grammar": lambda path: path.write_text("[tool.snippetlock\n  a: [b\n" + path.read_text(encoding="utf-8")),
    "a folder": folder,
    "a link to nothing": link,
    "a FIFO": fifo,
}


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    made = accepted(tmp_path / "shop", FILES, run)
    assert run("record", "--all", cwd=made)[0] == 0
    assert run("check", cwd=made)[0] == 0
    return made


NO_PROJECT = {("pyproject.toml", way) for way in ("a folder", "a link to nothing", "a FIFO")}
CASES = [(name, way) for name in (*FILES, *MADE) for way in WAYS if name != "lib/shop.py"]  # which is the library's


@pytest.mark.parametrize(("name", "way"), [case for case in CASES if case not in NO_PROJECT])
def test_a_file_that_is_wrong_is_called_from_the_projects_folder(root, run, name, way):
    WAYS[way](root / name)
    code, out, err = run("check", cwd=root)
    said = out + err
    assert code in (1, 2)
    assert str(root) not in said
    assert name in said or (name, way) == ("snippets/runs/demo.json", "a link to nothing")  # it was never recorded then
    assert "\n  mend: " in said


@pytest.mark.parametrize("way", ["other bytes", "no grammar", "a folder", "a FIFO"])
def test_so_it_is_where_a_project_begins(tmp_path, run, way):
    write(tmp_path / "lib/shop.py", FILES["lib/shop.py"])
    write(tmp_path / "pyproject.toml", '[project]\nname = "shop"\n')
    WAYS[way](tmp_path / "pyproject.toml")
    code, _, err = run("init", "--folder", "lib", cwd=tmp_path)
    assert (code, str(tmp_path) in err) == (2, False)
    assert err.startswith("snippetlock: pyproject.toml cannot be read: ")
    assert err.endswith("\n  mend: mend it first\n")


@pytest.mark.parametrize(("below", "called"), [(".", "pyproject.toml"), ("docs", "../pyproject.toml")])
def test_a_broken_configuration_is_called_from_where_one_works(root, run, below, called):
    write(root / "pyproject.toml", "[tool.snippetlock]\ndocs = = 1\n")
    code, _, err = run("check", cwd=root / below)
    assert (code, err.split("\n")[0]) == (2, f"snippetlock: {called}:2:8: not TOML: Invalid value")


def test_a_repository_beside_the_project_is_called_as_the_pin_calls_it(root, run):
    said = run("drift", cwd=root)[2]
    assert said.startswith("snippetlock: could not compare: ./up does not exist; name a checkout's top folder, ")
