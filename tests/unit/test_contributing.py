"""The pages for contributors: every command on them is one, what they show of files can be read, and twins agree."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from snippetlock.cli.arguments import parse
from snippetlock.config import parse_definitions
from snippetlock.references import scan
from snippetlock.references.inline import inline_code
from snippetlock.report.chinese import RULES as CHINESE
from snippetlock.report.classes import MEANINGS
from snippetlock.rules import RULES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "contributing"
ENGLISH = sorted(path for path in FOLDER.glob("*.md") if not path.name.endswith(".zh.md"))
PROGRAMS = ("snippetlock", "make", "cp")
OUTSIDE = {"make": r"[a-z-]+( [a-z-]+)*( [A-Z]+=\S+| [A-Z]+=\"[^\"]+\")*", "export": r"PATH=.*", "cp": r"\S+ \S+"}
WORDS = {
    **{rule.code: f"{rule.meaning} {rule.mend}" for rule in RULES},
    **{f"{code} zh": " ".join(words) for code, words in CHINESE.items()},
    **{
        f"{cls} {language}": f"{row.bump} {row.act}"
        for language, table in MEANINGS.items()
        for cls, row in table.items()
    },
}


def commands(text: str) -> list[str]:
    """What a page gives to type: the lines of its shell blocks, and inline code that begins with a command."""
    blocks = scan(text).blocks
    typed = [line for block in blocks if block.language == "sh" for line in block.content]
    asked = (line for block in blocks if block.language == "console" for line in block.content)
    typed += [line[2:] for line in asked if line.startswith("$ ")]
    spans = [span.text for span in inline_code(text).spans]
    return typed + [span for span in spans if " " in span and span.split(" ")[0] in PROGRAMS]


def wrong(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Why a line is no command of this project; empty for one that is."""
    program, _, rest = command.partition(" ")
    if program == "snippetlock":
        try:
            parse(rest.split())
        except SystemExit:
            return capsys.readouterr().err
        return ""
    if program not in OUTSIDE or not re.fullmatch(OUTSIDE[program], rest):
        return f"nobody knows {command!r}"
    if program != "make":
        return ""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    words = [word.partition("=") for word in shlex.split(rest)]
    unknown = [word for word, equals, _ in words if not equals and not re.search(rf"^{word}:", makefile, re.M)]
    unknown += [word for word, equals, _ in words if equals and f"$({word})" not in makefile]
    return f"the Makefile has no {unknown}" if unknown else ""


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda path: path.name)
def test_every_command_on_a_page_is_one(page, capsys):
    said = commands(page.read_text(encoding="utf-8"))

    assert [why for command in said if (why := wrong(command, capsys))] == []
    assert said or page.name.startswith("rules"), "a page that shows how to do something has something to type"


@pytest.mark.parametrize("name", WORDS)
def test_every_command_of_a_rule_or_class_is_one(name, capsys):
    found = re.findall(r"`(snippetlock [^`]*)`", WORDS[name])
    found += [f"snippetlock bump {option}" for option in re.findall(r"`(--[^`]*)`", WORDS[name])]

    assert [why for command in found if (why := wrong(command, capsys))] == []


@pytest.mark.parametrize(
    "command",
    [
        "snippetlock bumb",
        "snippetlock bump --too x",
        "snippetlock update --all",
        "make dogs",
        "make docs TO",
        "make bump AT=x",
        "ls",
    ],
)
def test_what_is_no_command_is_found(command, capsys):
    assert wrong(command, capsys)


@pytest.mark.parametrize("page", ENGLISH, ids=lambda path: path.name)
def test_twins_agree(page):
    texts = [path.read_text(encoding="utf-8") for path in (page, page.with_suffix(".zh.md"))]
    for seen in (
        lambda text: re.findall(r"^(#+) .* \{ (#[\w-]+) \}$", text, re.M),
        lambda text: [(block.language, block.snippet, block.unsourced is None) for block in scan(text).blocks],
        lambda text: [block.content for block in scan(text).blocks if block.language in ("sh", "text")],
        lambda text: [marker.name for marker in scan(text).markers],
        lambda text: re.findall(r"\]\(([^)]+)\)", text),
        lambda text: sorted(commands(text)),
    ):
        assert seen(texts[0]) == seen(texts[1])


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda path: path.name)
def test_every_heading_has_an_anchor_of_its_own(page):
    text = page.read_text(encoding="utf-8")
    lines = text.split("\n")
    headings = [lines[number - 1] for number in inline_code(text).headings]
    anchors = [re.fullmatch(r"#+ .* \{ #([\w-]+) \}", heading) for heading in headings]

    assert None not in anchors
    assert len({anchor[1] for anchor in anchors}) == len(headings) > 0


@pytest.mark.parametrize("page", ["quote.md", "quote.zh.md"])
def test_the_definition_and_the_directive_that_are_shown_can_be_read(page):
    blocks = scan((FOLDER / page).read_text(encoding="utf-8")).blocks
    (definition,) = (block for block in blocks if block.language == "yaml" and "gemm-roof" in block.text)
    directives = [scan(block.text).blocks[0] for block in blocks if block.language == "markdown"]
    assert [block.run for block in directives if block.run] == ["own-op"]
    directives = [block for block in directives if not block.run]

    (defined,) = parse_definitions(definition.text, "snippets/gemm.yaml")
    assert [block.snippet for block in directives if block.snippet] == [defined.id]
    assert [bool(block.unsourced) for block in directives if not block.snippet] == [True]
    assert not any(block.problems for block in directives)
    assert definition.text.startswith("#"), "why it is quoted"
