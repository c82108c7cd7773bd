"""What can be written into settings, pin, definitions and environment stands in REFERENCE.md, and no other key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from snippetlock.config import definitions, pin, project, runs
from snippetlock.config.pin import parse_pin
from snippetlock.extension import SnippetlockExtension

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "REFERENCE.md").read_text("utf-8")


def section(title):
    """The text of a section of REFERENCE.md."""
    return REFERENCE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_yaml(title):
    return section(title).partition("```yaml\n")[2].partition("```")[0]


def test_every_setting_stands_in_the_table_and_no_other():
    table = re.findall(r"^\| `([a-z-]+)` \|", section("Settings"), re.M)
    assert sorted(table) == sorted(project._KEYS)


def test_every_key_of_the_pin_stands_in_its_example():
    keys = set(re.findall(r"^(?:# )?([a-z]+):", first_yaml("The pin"), re.M))
    assert keys == set(pin._KEYS)


@pytest.mark.parametrize("kind", ["wheel", "git", "folder"])
def test_the_example_of_a_pin_is_one(kind):
    lines = first_yaml("The pin").replace("sha256: …", "sha256: " + "ab" * 32)
    lines = lines.replace("commit: …", "commit: " + "ab" * 20)
    kept = [
        line.removeprefix("# ")
        for line in lines.split("\n")
        if line.removeprefix("# ").partition(":")[0] in (kind, "name", "version", "repository") or line.startswith("  ")
    ]
    found = parse_pin("\n".join(kept), "pin.yaml")
    assert (found.kind, found.name, found.version) == (kind, "kilns", "1.4.0")
    assert found.repository is not None
    assert (found.repository.branch, found.repository.root) == ("main", "src")


@pytest.mark.parametrize(("title", "keys"), [("Definitions", definitions.KEYS), ("Programs of your own", runs._KEYS)])
def test_every_key_of_a_definition_and_of_a_run_is_shown(title, keys):
    assert [key for key in keys if not re.search(rf"^  {key}:", section(title), re.M)] == []


def test_every_variable_of_the_environment_is_named():
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tools/snippetlock").rglob("*.py"))
    variables = set(re.findall(r"SNIPPETLOCK_[A-Z]+", sources))
    assert "SNIPPETLOCK_CACHE" in variables
    assert [name for name in sorted(variables) if f"`{name}`" not in REFERENCE] == []


def test_every_option_of_the_extension_is_named():
    assert [name for name in SnippetlockExtension().getConfigs() if f"`{name}`" not in section("In a site")] == []
