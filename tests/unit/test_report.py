from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

from snippetlock.errors import PinError
from snippetlock.model import Finding, Place, Report
from snippetlock.report import (
    FORMS,
    error_github,
    error_json,
    error_text,
    format_github,
    format_json,
    format_text,
    table,
    written,
)
from snippetlock.report.junit import error_junit

DIFFERS = Finding(
    rule="SL103",
    place=Place(path="snippets/a.yaml", line=3, column=1),
    message="lib/a.py:4-5 is not what was accepted for 'a'",
    evidence=("--- accepted", "+++ lib/a.py:4-5", "@@ -1 +1 @@", "-old", "+new"),
    mend="read it",
    snippet="a",
    uses=(Place(path="docs/x.md", line=7), Place(path="docs/x.zh.md", line=9)),
)
UNUSED = Finding(rule="SL109", place=Place(path="snippets/b.yaml", line=1), message="no page shows 'b'", snippet="b")
REPORT = Report(findings=(DIFFERS, UNUSED), counts={"snippets": 2, "pages": 1})
CLEAN = Report(findings=(), counts={"snippets": 24, "pages": 6})
ERROR = PinError("lib 1.0 is not in the cache", path="pin.yaml", line=2, evidence=("looked for /x",), mend="fetch it")


def test_text_says_where_what_evidence_and_mend():
    assert format_text(REPORT) == (
        "snippets/a.yaml:3:1  SL103 text-differs  a\n"
        "  lib/a.py:4-5 is not what was accepted for 'a'\n"
        "    --- accepted\n"
        "    +++ lib/a.py:4-5\n"
        "    @@ -1 +1 @@\n"
        "    -old\n"
        "    +new\n"
        "  shown by: docs/x.md:7, docs/x.zh.md:9\n"
        "  mend: read it\n"
        "\n"
        "snippets/b.yaml:1  SL109 unused-snippet  b\n"
        "  no page shows 'b'\n"
        "  mend: Quote it on a page, or remove the definition and run `snippetlock update`.\n"
        "\n"
        "2 snippets, 1 page, 2 findings\n"
    )


def test_a_clean_report_is_its_closing_line():
    assert format_text(CLEAN) == "24 snippets, 6 pages, 0 findings\n"
    assert format_github(CLEAN) == "24 snippets, 6 pages, 0 findings\n"


def test_colour_changes_nothing_but_colour():
    coloured = format_text(REPORT, color=True)

    assert "\x1b[32m+new\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == format_text(REPORT)


def test_an_error_is_said_in_the_same_shape():
    assert error_text(ERROR) == "pin.yaml:2: lib 1.0 is not in the cache\n    looked for /x\n  mend: fetch it\n"


def test_json_holds_every_field_and_a_schema():
    said = json.loads(format_json(REPORT))

    assert (said["schema"], said["exit"], said["error"]) == (1, 1, None)
    assert said["counts"] == {"snippets": 2, "pages": 1}
    assert said["findings"][0] == {
        "rule": "SL103",
        "name": "text-differs",
        "path": "snippets/a.yaml",
        "line": 3,
        "column": 1,
        "pinned": False,
        "snippet": "a",
        "message": "lib/a.py:4-5 is not what was accepted for 'a'",
        "evidence": ["--- accepted", "+++ lib/a.py:4-5", "@@ -1 +1 @@", "-old", "+new"],
        "mend": "read it",
        "uses": [
            {"path": "docs/x.md", "line": 7, "column": None},
            {"path": "docs/x.zh.md", "line": 9, "column": None},
        ],
        "level": "error",
    }


def test_json_of_an_error_has_no_findings_and_says_why():
    said = json.loads(error_json(ERROR))

    assert (said["exit"], said["findings"]) == (2, [])
    assert said["error"] == {
        "kind": "PinError",
        "path": "pin.yaml",
        "line": 2,
        "column": None,
        "message": "lib 1.0 is not in the cache",
        "evidence": ["looked for /x"],
        "mend": "fetch it",
    }


def test_json_keeps_chinese_readable():
    finding = Finding(rule="SL109", place=Place(path="docs/页.md"), message="没有")

    assert "没有" in format_json(Report(findings=(finding,), counts={}))


def test_github_escapes_what_would_end_a_command_or_a_property():
    finding = Finding(
        rule="SL112",
        place=Place(path="docs/a,b:c%.md", line=2),
        message="50% of\r\nlines: a,b::c",
        mend="m",
    )

    assert format_github(Report(findings=(finding,), counts={"pages": 1})) == (
        "::error file=docs/a%2Cb%3Ac%25.md,line=2,title=SL112 unsourced-block::50%25 of%0D%0Alines: a,b::c%0Amend: m\n"
        "1 page, 1 finding\n"
    )


def test_github_gives_one_line_a_finding_with_uses():
    lines = format_github(REPORT).split("\n")

    assert len(lines) == 4
    assert lines[0].startswith("::error file=snippets/a.yaml,line=3,col=1,title=SL103 text-differs::")
    assert "%0Ashown by: docs/x.md:7, docs/x.zh.md:9%0Amend: read it" in lines[0]


def test_github_does_not_point_at_a_file_of_the_library():
    finding = Finding(rule="SL116", place=Place(path="lib/a.py", line=4, pinned=True), message="m", mend="n")

    assert format_github(Report(findings=(finding,), counts={})).startswith(
        "::error title=SL116 unreadable-source::lib/a.py:4: m%0A"
    )


def test_github_of_an_error():
    assert error_github(ERROR) == (
        "::error file=pin.yaml,line=2,title=snippetlock could not check::"
        "lib 1.0 is not in the cache%0Alooked for /x%0Amend: fetch it\n"
    )


def test_github_does_not_point_at_what_is_no_file_of_the_project():
    assert error_github(PinError("is truncated", path="/cache/lib.whl", line=1, mend="fetch it")) == (
        "::error title=snippetlock could not check::/cache/lib.whl:1: is truncated%0Amend: fetch it\n"
    )


def test_junit_of_an_error_is_one_case_that_is_an_error():
    whole = ET.fromstring(error_junit(ERROR))

    assert (whole.get("tests"), whole.get("failures"), whole.get("errors")) == ("1", "0", "1")
    (error,) = whole.iter("error")
    assert (error.get("type"), error.get("message")) == ("PinError", "pin.yaml:2: lib 1.0 is not in the cache")
    assert error.text == "looked for /x\nmend: fetch it"
    strange = ET.fromstring(error_junit(PinError("a\x00<b>&\x1b", path='p"q')))
    assert next(strange.iter("error")).get("message") == 'p"q: a\\x00<b>&\\x1b'


def test_a_table_counts_chinese_as_two_columns_and_has_no_trailing_blanks():
    assert table(("ID", "N", "S"), [("页", "1", "ok"), ("abcde", "10", "")]) == (
        "ID     N   S\n页     1   ok\nabcde  10\n"
    )


@pytest.mark.parametrize(("number", "said"), [(0, "0 findings"), (1, "1 finding"), (2, "2 findings")])
def test_quantities_agree_with_their_number(number, said):
    findings = (UNUSED,) * number

    assert format_text(Report(findings=findings, counts={})).rstrip().rpartition("\n")[2] == said


@pytest.mark.parametrize("form", FORMS["findings"])
def test_every_form_says_every_finding_and_how_to_mend_it(form):
    said = written("findings", form, REPORT, color=False).replace("%3A", ":")

    for words in ("SL103", "is not what was accepted for", "read it", "SL109", "no page shows"):
        assert words in said, words
    assert "docs/x.zh.md" in said
    assert said.endswith("\n")


@pytest.mark.parametrize("form", FORMS["findings"])
def test_every_form_can_say_that_there_is_none(form):
    said = written("findings", form, CLEAN, color=False)

    assert "mend: " not in said
    assert form == "sarif" or re.search(r'24 snippets|"snippets": 24', said)


def test_junit_has_a_case_for_each_finding_or_one_that_passed():
    (suite,) = ET.fromstring(written("findings", "junit", REPORT, color=False))
    (clean,) = ET.fromstring(written("findings", "junit", CLEAN, color=False))

    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert [[child.tag for child in case] for case in suite] == [["failure"], ["failure"]]
    assert (clean.get("tests"), clean.get("failures"), [list(case) for case in clean]) == ("1", "0", [[]])


def test_a_sarif_log_of_a_clean_check_has_no_results():
    (run,) = json.loads(written("findings", "sarif", CLEAN, color=False))["runs"]

    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]


def test_markdown_of_findings_is_a_list_with_room_for_a_comment():
    many = Report(findings=(DIFFERS,) * 5000, counts={})
    said = written("findings", "markdown", many, color=False)

    assert said.startswith("### Docs: 5000 findings\n\n- `snippets/a.yaml:3:1` **SL103** text-differs `a`: ")
    assert len(said) < 65_536
    assert re.search(r"\n- … and \d+ more\n$", said)


def test_a_count_says_what_it_is_made_of():
    parts = {"mentions": {"resolved": 3, "placeholders": 1, "of examples": 1}}
    report = Report(findings=(), counts={"pages": 1, "mentions": 5}, parts=parts)

    assert format_text(report) == "1 page, 5 mentions (3 resolved, 1 placeholder, 1 of examples), 0 findings\n"
    assert json.loads(format_json(report))["parts"] == parts
    assert "parts" not in json.loads(format_json(CLEAN))
