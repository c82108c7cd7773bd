"""Blocks that say they are a message of the library: held where prose is, and never taken on trust."""

from __future__ import annotations

import pytest
from plain import edit
from small import accepted, findings

SHOWN = '```python snippet="fire"\n```\n'
MESSAGE = "```text message=\"KilnError\"\nno kiln for 'salt', so it stays cold\n```\n"
FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en"]\nreferences = true\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": "class KilnError(Exception): ...\n\n\ndef fire(clay):\n"
    '    raise KilnError(f"no kiln for {clay!r}, so it stays cold")\n',
    "snippets/kilns.yaml": "fire:\n  source: kilns:fire\n",
    "docs/index.md": f"# Kilns\n\n{SHOWN}\n{MESSAGE}",
}


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return accepted(tmp_path / "docs-project", FILES, run)


def found(run, root):
    return [(finding["rule"], finding["line"], finding["message"]) for finding in findings(run, root)]


def test_a_message_that_the_library_says_is_clean(run, root):
    assert found(run, root) == []


def test_one_that_it_says_no_more_is_found(run, root):
    edit(root / "lib/kilns.py", "so it stays cold", "and it stays warm")
    assert run("update", cwd=root)[0] == 0
    assert found(run, root) == [("SL305", 7, "nothing in the library says \"no kiln for 'salt', so it stays cold\"")]


def test_without_a_check_of_prose_nothing_holds_it(run, root):
    edit(root / "pyproject.toml", "references = true\n", "")
    assert found(run, root) == [("SL112", 6, "a message that nothing holds: `references` is off")]
    edit(root / "docs/index.md", 'message="KilnError"', 'unsourced="a message"')
    assert found(run, root) == []
