"""Walking through a plan with somebody at a terminal; the terminal is a list of answers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from test_report_bump import NEW, moved, step

from snippetlock.changes import Candidate
from snippetlock.cli.asking import Asking, ask, editor
from snippetlock.model import Place
from snippetlock.source.editor import edit

SPAN = NEW
PAIR = tuple(Candidate(selector=f"lib.b:{n}", span=SPAN, score=0.8, reason="alike", cls="body") for n in "gh")
STEPS = (
    step("gone", "removed", "blocked", new=None, new_text="", candidates=()),
    step("other", "renamed", "asks", candidates=PAIR),
    step("inner", "body", "asks"),
    step("fine", "same", "taken"),
)


def walked(*answers, steps=STEPS, environ=None):
    """What came of it, what was said, and the answers that nobody heard."""
    left, said = list(answers), []

    def hear(question):
        said.append(question)
        return left.pop(0) if left else None

    talk = Asking(say=said.append, hear=hear, root=Path("/docs"), environ=environ or {})
    return ask(moved(*steps).plan, talk), "".join(said), left


def test_each_step_that_asks_is_walked_and_answers_come_back_as_acceptances():
    got, said, left = walked("s\n", "a\n", "accept\n")

    assert (got, left) == (("other", "inner"), [])
    assert [part in said for part in ("(1 of 3) to do  removed  gone", "(3 of 3) look  body  inner")] == [True, True]
    assert "fine" not in said


@pytest.mark.parametrize(
    ("mend", "want"),
    [
        ("read its pages, then `--accept x`", "read its pages, then `a`"),
        ("`--accept x` takes it, `--accept x=lib.b:h` what was", "`a` takes it, `c2` what was"),
        ("say what to quote: `--accept x=SELECTOR`; or", "say what to quote: `=SELECTOR`; or"),
        ("not of this one: `--accept xy`, `--accept-nothing`", "not of this one: `--accept xy`, `--accept-nothing`"),
    ],
)
def test_the_mend_says_what_to_answer_here(mend, want):
    assert f"mend: {want}\n" in walked("s", steps=(step("x", "renamed", "asks", candidates=PAIR, mend=mend),))[1]


@pytest.mark.parametrize(
    ("answer", "want"), [("c", "lib.b:g"), ("c1", "lib.b:g"), ("c 2", "lib.b:h"), ("candidate 2", "lib.b:h")]
)
def test_a_candidate_is_taken_by_its_number(answer, want):
    assert walked("skip", answer, "s")[0] == (f"other={want}",)


def test_something_else_is_quoted_by_its_selector():
    got, said, left = walked("=lib b", "= lib.c:Other.f#2\n", "s", "s")

    assert (got, left) == (("gone=lib.c:Other.f#2",), [])
    assert "'lib b' is no selector: " in said


@pytest.mark.parametrize("answer", ["c3", "c0", "cx", "x", "", "aa"])
def test_what_is_no_answer_is_asked_again(answer):
    got, said, left = walked("s", answer, "a", "s")

    assert (got, left) == (("other",), [])
    assert f"{answer!r} is none of these\n" in said


def test_what_is_to_do_cannot_be_accepted():
    got, said, _ = walked("a", "c", "s", "s", "s")

    assert got == ()
    assert "'a' is none of these\n" in said
    assert "[a]ccept" not in said.partition("(2 of 3)")[0]


@pytest.mark.parametrize("answers", [("s", "a", "q"), ("s", "a", "QUIT\n"), ("s", "a")])
def test_whoever_quits_or_goes_away_has_accepted_nothing(answers):
    assert walked(*answers)[0] is None


def test_a_page_is_opened_where_it_is_said(tmp_path):
    seen = tmp_path / "seen"
    program = tmp_path / "my-editor"
    program.write_text(
        f"#!{sys.executable}\nimport sys, pathlib\npathlib.Path({str(seen)!r}).write_text(repr(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    environ = {"EDITOR": "false", "VISUAL": f"'{program}' --wait"}

    steps = (replace(STEPS[2]),)
    left, said = ["o 2", "o 3", "o x", "a"], []
    talk = Asking(
        say=said.append,
        hear=lambda question: said.append(question) or left.pop(0),
        root=tmp_path,
        environ=environ,
    )
    assert ask(moved(*steps).plan, talk) == ("inner",)
    assert seen.read_text() == repr(["--wait", "+9", str(tmp_path / "docs/x.zh.md")])
    assert "".join(said).count("there are 2 pages\n") == 2


@pytest.mark.parametrize(
    ("command", "want"),
    [
        ("vim", ["vim", "+7", "/docs/docs/x.md"]),
        ("nano -l", ["nano", "-l", "+7", "/docs/docs/x.md"]),
        ("/usr/bin/code --wait", ["/usr/bin/code", "--wait", "--goto", "/docs/docs/x.md:7"]),
        ("subl -w", ["subl", "-w", "/docs/docs/x.md:7"]),
        ("", []),
        (" ", []),
        ("vim '", ["vim '", "+7", "/docs/docs/x.md"]),
    ],
)
def test_how_editors_are_told_of_a_line(command, want):
    assert editor({"EDITOR": command}, Path("/docs"), Place(path="docs/x.md", line=7)) == want


def test_an_editor_that_is_not_there_or_fails_is_said(tmp_path):
    assert edit([], tmp_path) == "no editor is set: set VISUAL or EDITOR\n"
    said = "/nowhere/vi cannot be run: No such file or directory; set VISUAL or EDITOR to the command of an editor\n"
    assert edit(["/nowhere/vi", "x"], tmp_path) == said
    assert edit(["false"], tmp_path) == "false ended with 1\n"
    assert edit(["true"], tmp_path) == ""
