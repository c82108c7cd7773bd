"""What a quotation hides from those who read it: a finding about the snippet, whose page shows it byte for byte."""

from __future__ import annotations

import pytest
import small

FILES = {
    "pyproject.toml": "[tool.snippetlock]\n",
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "snippets/kilns.yaml": "fire:\n  source: kilns:fire\n",
    "docs/index.md": '# Kilns\n\n```python snippet="fire"\n```\n',
}


@pytest.fixture
def findings(tmp_path, monkeypatch, run):
    """`findings("a = 1\\n")`: what a check says where that is the body of the function that is quoted."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))

    def call(body, beside="", defined=FILES["snippets/kilns.yaml"]):
        files = FILES | {
            "snippets/kilns.yaml": defined,
            "lib/kilns.py": f"def fire():\n    {body}\n    return 1\n\n\ndef other():\n    return 2{beside}\n",
        }
        return small.findings(run, small.accepted(tmp_path, files, run))

    return call


@pytest.mark.parametrize(
    ("body", "said", "column"),
    [
        ('x = "a\u202eb"', "U+202E (RIGHT-TO-LEFT OVERRIDE): it turns the order", 11),
        ("x = 1  # \u2066so\u2069", "U+2066 (LEFT-TO-RIGHT ISOLATE): it turns the order", 14),
        ('x = "a\u200bb"', "U+200B (ZERO WIDTH SPACE): it cannot be seen", 11),
    ],
)
def test_what_a_quotation_hides_is_a_finding_about_its_snippet(findings, body, said, column):
    (found,) = findings(body)
    assert (found["rule"], found["path"], found["snippet"]) == ("SL503", "snippets/kilns.yaml", "fire")
    assert said in found["message"]
    assert found["evidence"][0].startswith(f"kilns.py:2:{column}  ")
    assert "<U+" in found["evidence"][0]


@pytest.mark.parametrize("body", ["x = 1", 'x = "Töpfe, 窑"', 'x = "\\u202e"'])
def test_letters_of_any_language_and_escapes_hide_nothing(findings, body):
    assert findings(body) == []


def test_a_line_that_the_view_leaves_out_is_not_looked_at(findings):
    whole, hiding = "fire:\n  source: kilns:fire\n", '"""Burns.\n\n    \u202eWarm.\n    """\n    x = 1  # so'
    assert findings(hiding, defined=whole + "  docstrings: drop\n") == []
    (found,) = findings(hiding, defined=whole)
    assert found["evidence"][0].startswith("kilns.py:4:5  ")
    (found,) = findings(hiding + "\u200b", defined=whole + "  docstrings: drop\n")
    assert found["evidence"][0].startswith("kilns.py:6:")


def test_what_stands_beside_a_quotation_is_not_looked_at(findings):
    assert findings("x = 1", beside="  # \u202e") == []
    assert len(findings("x = 1  # \u202e", beside="")) == 1
