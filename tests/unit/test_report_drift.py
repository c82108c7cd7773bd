"""Drift in its forms: differences by line and word, and what each format promises its reader."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from sarif import faults

from snippetlock.changes import CLASSES, FAIL_ON, Candidate, Change, Culprit, Drifted, DriftReport, State
from snippetlock.errors import ConfigError, PinError
from snippetlock.model import Exit, Finding, Place, Report, Span
from snippetlock.report.changed import changed_lines, plain, visible
from snippetlock.report.comment import format_impact_markdown
from snippetlock.report.drift import RULE, closing_drift, findings, format_drift_text
from snippetlock.report.github import format_drift_github
from snippetlock.report.impact import Impact
from snippetlock.report.json import format_drift_json
from snippetlock.report.junit import format_drift_junit
from snippetlock.report.markdown import format_drift_markdown
from snippetlock.report.sarif import below, error_sarif, format_drift_sarif, format_sarif
from snippetlock.rules import RULES

OLD, NEW = Span(path="lib/a.py", first=3, last=4), Span(path="lib/b.py", first=7, last=8)
BEST = Candidate(selector="lib.b:g", span=NEW, score=0.93, reason="same body under another name", cls="same")


def drifted(cls, name="a", old="def f(a):\n    pass\n", new="def f(a, b):\n    pass\n", **more):
    change = Change(snippet=name, cls=cls, old=OLD, new=NEW, old_text=old, new_text=new, details=("one fact",))
    uses = (Place(path="docs/x.md", line=7, column=3), Place(path="docs/x.zh.md", line=9))
    place = Place(path="snippets/a.yaml", line=3, column=1)
    return Drifted(
        snippet=name, cls=cls, change=change, place=place, uses=uses, fails=cls in FAIL_ON, **more
    )  # fmt: skip


def report(*each):
    old, new = State(label="lib 1.0"), State(label="main 0123456789", commit="0123456789" * 4)
    return DriftReport(old=old, new=new, drifted=each, fail_on=FAIL_ON)


EVERY = report(*(drifted(cls, cls) for cls in CLASSES))


NOTE = "1 snippet was never <accepted> as_it is: a|b 50%; run `snippetlock check` first"
NOTED = {
    "text": (format_drift_text, f"\nnote: {NOTE}\n\n1 snippet: 1 same\n"),
    "json": (format_drift_json, f'  "note": "{NOTE}",\n'),
    "github": (format_drift_github, f"::notice title=snippetlock drift::{NOTE.replace('%', '%25')}\n"),
    "sarif": (
        format_drift_sarif,
        f"""          "toolExecutionNotifications": [
            {{
              "level": "note",
              "message": {{
                "text": "{NOTE}"
              }}
            }}
          ]
""",
    ),
    "junit": (
        format_drift_junit,
        f"/>\n<system-out>note: {NOTE.replace('<', '&lt;').replace('>', '&gt;')}</system-out>\n</testsuite>\n",
    ),
    "markdown": (
        format_drift_markdown,
        "\n\nNote: 1 snippet was never \\<accepted\\> as\\_it is: a\\|b 50%; run `snippetlock check` first\n",
    ),
}


@pytest.mark.parametrize("form", NOTED)
def test_every_form_says_the_note_and_is_silent_without_one(form):
    say, said = NOTED[form]
    plainly = report(drifted("same"))
    noted = replace(plainly, note=NOTE)

    assert said in say(noted)
    assert said not in say(plainly)
    assert "note" not in say(plainly).lower().replace('"note": ""', "")
    assert (noted.exit, noted.failing) == (Exit.CLEAN, 0)


def test_a_difference_marks_the_words_that_changed_and_leaves_out_what_did_not():
    old = "a = 1\nb = 2\nc = 3\nd = 4\ndef f(one, two=3):\ne\n"
    new = "a = 1\nb = 2\nc = 3\nd = 4\ndef f(one, two=4, *, six):\ne\n"

    assert plain(changed_lines(old, new)) == [
        "… 2 more lines",
        "  c = 3",
        "  d = 4",
        "- def f(one, two=3):",
        "                 ^",
        "+ def f(one, two=4, *, six):",
        "                 ^^^^^^^^^",
        "  e",
    ]
    assert changed_lines(old, old) == ()


@pytest.mark.parametrize("form", [one for one in NOTED if one != "json"])
@pytest.mark.parametrize(("cls", "mark"), [("removed", "-"), ("ambiguous", " "), ("unreadable", " ")])
def test_where_nothing_new_can_be_shown_every_form_shows_what_was(form, cls, mark):
    say = NOTED[form][0]
    left = replace(drifted(cls, new="").change, new=None)
    said = say(report(replace(drifted(cls), change=left)))

    assert re.search(r"what was shown:(%0A|\\n|\s)+(```diff\n)?" + mark + r" *def f\(a\):", said)
    assert "what was shown" not in say(report(drifted(cls)))
    assert "what was shown" not in say(report(replace(drifted("unreadable"), change=None, problem="no such file")))


@pytest.mark.parametrize(
    ("old", "new", "want"),
    [
        ("x = '中文'\n", "x = '中国文'\n", ["- x = '中文'", "       ^^^^", "+ x = '中国文'", "       ^^^^^^"]),
        ("\tx = 1\n", "\tx = 2\n", ["- \tx = 1", "  \t    ^", "+ \tx = 2", "  \t    ^"]),
        ("a b c\n", "k l m\n", ["- a b c", "+ k l m"]),
        ("x\n", "x", ["- x", "+ x  (no end of line)"]),
        ("x\r\n", "x\n", ["… every line ended in CRLF, and ends in LF now"]),
        ("x\r\ny\r\n", "x\nz\n", ["… every line ended in CRLF, and ends in LF now", "  x", "- y", "+ z"]),
        ("x\r\ny\n", "x\ny\n", ["- x\\r", "+ x", "  y"]),
        ("", "x\n", ["+ x"]),
    ],
)
def test_differences_of_odd_lines(old, new, want):
    assert plain(changed_lines(old, new)) == want


def test_a_long_difference_is_cropped():
    said = plain(changed_lines("", "".join(f"{n}\n" for n in range(50)), 5))

    assert said == ["+ 0", "+ 1", "+ 2", "+ 3", "+ 4", "… 45 more lines"]


def test_control_characters_are_spelled_out():
    assert visible("a\x1b[31m\x0c\n") == ["a\\x1b[31m\\x0c"]


def test_the_worst_class_and_each_count_close_the_text():
    assert closing_drift(EVERY).startswith("11 snippets: 1 unreadable, 1 ambiguous, 1 removed, ")
    assert closing_drift(EVERY).endswith("1 moved, 1 appears, 1 same; 6 fail")
    assert closing_drift(report()) == "0 snippets"
    assert (EVERY.exit, report(drifted("layout")).exit) == (Exit.FINDINGS, Exit.CLEAN)


def test_text_has_colour_only_where_it_is_asked_for():
    one = report(drifted("signature"))

    assert "\x1b" not in format_drift_text(one)
    assert "\x1b[32m+ def f(a\x1b[7m, b\x1b[27m):\x1b[0m" in format_drift_text(one, color=True)


def test_a_candidate_becomes_the_way_to_mend():
    from dataclasses import replace

    one = drifted("renamed")
    said = format_drift_text(report(replace(one, change=replace(one.change, candidates=(BEST,)))))

    assert "  candidate: lib.b:g  0.93  same body under another name; lib/b.py:7-8, the same text\n" in said
    assert "  mend: when the pin moves there: `source: lib.b:g`\n" in said


def test_what_bounds_a_range_is_mended_where_the_selector_leads_to_one():
    said = format_drift_text(report(drifted("ambiguous")))
    assert "  mend: the selector leads to one; write more of the pattern that fits more than it should" in said


@pytest.mark.parametrize(
    ("details", "mend"),
    [
        (("key `a` is gone", "key `b` is new"), "read its pages against the keys that it has now: data has no calls"),
        (("parameter `b` was added",), "Read its pages, and every call in them, against the new signature."),
        ((), "Read its pages, and every call in them, against the new signature."),
    ],
)
def test_of_data_no_call_is_to_be_read(details, mend):
    one = drifted("signature")
    said = format_drift_text(report(replace(one, change=replace(one.change, details=details))))
    assert f"  mend: {mend}\n" in said


def test_a_culprit_is_named_with_its_link():
    culprit = Culprit(commit="ab" * 20, subject="Break it", link="https://x/commit/ab")
    one = report(drifted("body", culprit=culprit))

    assert "  since: ababababab Break it  https://x/commit/ab\n" in format_drift_text(one)
    assert json.loads(format_drift_json(one))["snippets"][0]["commit"]["subject"] == "Break it"
    assert "- since [`ababababab`](https://x/commit/ab) Break it\n" in format_drift_markdown(one)


def test_every_class_has_a_rule_and_same_has_none():
    codes = {each.code for each in RULES}

    assert set(RULE) == set(CLASSES) - {"same"}
    assert {code for code in codes if code.startswith("SL2")} == set(RULE.values())
    assert [f.level for f in findings(EVERY).findings] == ["error"] * 6 + ["note"] * 4


def test_json_has_a_schema_and_every_snippet():
    said = json.loads(format_drift_json(EVERY))

    assert (said["schema"], said["exit"], said["error"]) == (1, 1, None)
    assert said["old"] == {"label": "lib 1.0", "commit": None}
    assert (said["fail_on"], said["counts"]["failing"]) == (list(FAIL_ON), 6)
    assert [one["class"] for one in said["snippets"]] == list(CLASSES)
    assert said["snippets"][5]["old"] == {
        "path": "lib/a.py", "first": 3, "last": 4, "link": "", "text": "def f(a):\n    pass\n"
    }  # fmt: skip


def test_github_lines_are_one_a_finding():
    lines = format_drift_github(EVERY).split("\n")

    assert len(lines) == 12
    assert all(re.match(r"::(error|notice) file=snippets/a\.yaml,line=3,col=1,title=SL2", line) for line in lines[:10])
    assert lines[10].startswith("lib 1.0 → main 0123456789: 11 snippets: ")


def test_sarif_has_what_its_schema_requires():
    log = json.loads(format_drift_sarif(EVERY))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]

    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["name"] == "snippetlock"
    assert [each["id"] for each in rules] == [each.code for each in RULES]
    assert len(run["results"]) == 10
    for result in run["results"]:
        assert result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        places = [where["physicalLocation"] for where in result["locations"] + result["relatedLocations"]]
        assert places[0]["artifactLocation"] == {"uri": "snippets/a.yaml", "uriBaseId": "SRCROOT"}
        assert places[0]["region"] == {"startLine": 3, "startColumn": 1}
        assert places[0]["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert [where["id"] for where in result["relatedLocations"]] == [1, 2]
    prints = [tuple(result["partialFingerprints"].values()) for result in run["results"]]
    assert len(set(prints)) == 10


ODD = (
    Place(path="docs/页 %#?[x].md", line=3, column=2),
    Place(path="a b.md"),
    Place(path="caf\udce9.md", line=2),
    Place(path="c:d/x.md", line=1),
    Place(path="tileops/x.py", line=3, pinned=True),
)


def every_rule():
    """A finding of each rule, at places of every kind."""
    levels = ("error", "note")
    return tuple(
        Finding(
            rule=each.code,
            place=ODD[i % 5],
            message=f"{i} <&\u2028\x00",
            snippet="s" * (i % 2),
            uses=ODD[: i % 4],
            level=levels[i % 2],
        )
        for i, each in enumerate(RULES)
    )


def test_a_log_of_every_rule_and_every_class_is_sound_sarif():
    log = format_sarif(Report(findings=every_rule(), counts={}), "a note")

    assert {one["ruleId"] for one in json.loads(log)["runs"][0]["results"]} == {each.code for each in RULES}
    assert faults(json.loads(log)) == []
    assert faults(json.loads(below(log, "sub dir/文"))) == []
    assert faults(json.loads(format_drift_sarif(replace(EVERY, note=NOTE)))) == []
    assert faults(json.loads(format_sarif(Report(findings=(), counts={})))) == []


def test_a_log_of_what_could_not_be_checked_says_so_and_has_no_results():
    error = ConfigError("not YAML", path="a b/pin.yaml", line=5, column=6, evidence=("x: [",), mend="close it")
    log = json.loads(error_sarif(error))
    run = log["runs"][0]

    assert faults(log) == faults(json.loads(below(error_sarif(error), "sub dir/文"))) == []
    assert "results" not in run
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (note,) = invocation["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("error", "not YAML\nx: [\nmend: close it")
    physical = note["locations"][0]["physicalLocation"]
    assert (physical["artifactLocation"]["uri"], physical["region"]["startLine"]) == ("a%20b/pin.yaml", 5)
    log["runs"][0]["results"] = []
    assert faults(log) == ["results"], "which would say that all was looked at"


def test_what_is_no_file_of_the_project_has_no_place_in_it():
    log = json.loads(error_sarif(PinError("is truncated", path="/cache/lib.whl", mend="fetch it")))

    assert faults(log) == []
    (note,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "/cache/lib.whl: is truncated\nmend: fetch it"
    assert "locations" not in note


FIRST = ("runs", 0, "results", 0)
PHYSICAL = (*FIRST, "locations", 0, "physicalLocation")


@pytest.mark.parametrize(
    ("where", "value", "fault"),
    [
        ((*PHYSICAL, "region", "startLine"), 0, "startLine"),
        ((*PHYSICAL, "region", "startColumn"), 1.5, "startColumn"),
        ((*PHYSICAL, "artifactLocation", "uri"), "a b.md", "no address relative to its base: 'a b.md'"),
        ((*PHYSICAL, "artifactLocation", "uri"), "/a.md", "no address relative to its base: '/a.md'"),
        ((*PHYSICAL, "artifactLocation", "uriBaseId"), "TOP", "uriBaseId"),
        ((*FIRST, "ruleIndex"), 1, "ruleIndex"),
        ((*FIRST, "level"), "fatal", "level 'fatal'"),
        ((*FIRST, "line"), 1, "result: line"),
        ((*FIRST, "message"), {"text": " "}, "a message says nothing"),
        ((*FIRST, "message"), {}, "text: text"),
        (("version",), "2.2", "version"),
    ],
)
def test_a_log_that_is_not_sound_is_not_taken_for_one(where, value, fault):
    log = json.loads(format_sarif(Report(findings=every_rule(), counts={})))
    *way, last = where
    inner = log
    for key in way:
        inner = inner[key]
    inner[last] = value

    assert fault in faults(log)


def test_sarif_escapes_paths_into_addresses():
    from dataclasses import replace

    one = replace(drifted("body"), place=Place(path="snippets/页 %.yaml", line=1))
    found = json.loads(format_drift_sarif(report(one)))["runs"][0]["results"][0]

    uri = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "snippets/%E9%A1%B5%20%25.yaml"


def test_junit_counts_failures_and_errors_and_says_what_xml_cannot():
    suites = ET.fromstring(format_drift_junit(EVERY))
    (suite,) = suites

    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "11", "failures": "5", "errors": "1"
    }  # fmt: skip
    assert [[child.tag for child in case] for case in suite] == [
        ["error"], *[["failure"]] * 5, *[["system-out"]] * 4, []
    ]  # fmt: skip
    odd = ET.fromstring(format_drift_junit(report(drifted("body", old="x\n", new="y = '\x00<&]]>\ud800'\n"))))
    assert "y = '\\x00<&]]>\\ud800'" in odd[0][0][0].text


def test_markdown_is_a_table_whose_cells_hold_and_differences_in_fences():
    one = drifted("body", old="a\n", new="```` | <b> @all\n")
    said = format_drift_markdown(report(one))

    assert "| **body** | `a` | `lib/a.py:3-4` | `lib/b.py:7-8` | docs/x.md:7:3<br>docs/x.zh.md:9 |\n" in said
    assert "`````diff\n- a\n+ ```` | <b> @all\n`````\n" in said
    assert format_drift_markdown(report(drifted("same"))).endswith("\n\n1 snippet: 1 same\n")


def test_markdown_stays_below_what_a_comment_holds():
    many = report(*(drifted("body", f"a{n}", new="x" * 500 + "\n") for n in range(200)))
    said = format_drift_markdown(many)

    assert len(said) < 65_536
    assert re.search(r"\n… and the details of \d+ more: run `snippetlock drift`\.\n$", said)
    assert said.count("| **body** |") == 200
    many = report(*(drifted("body", f"a{n}") for n in range(2000)))
    said = format_drift_markdown(many)
    assert len(said) < 65_536
    assert re.search(r"\n\| \| … and \d+ more \| \| \| \|\n", said)


def test_a_comment_on_a_change_stays_below_that_too():
    def untrue(number):
        places = (Place(path=f"docs/{n % 50}.md", line=n) for n in range(1, number + 1))
        return tuple(replace(drifted("body", f"a{n}"), uses=(place,)) for n, place in enumerate(places))

    said = format_impact_markdown(Impact(library="lib", report=report(*untrue(20_000)), sites={}))
    assert len(said) < 65_536
    assert re.search(r"\n\| `docs/1\.md` \| 1 \(`a0`\), 51 \(`a50`\), .* and \d+ more \|\n", said)
    few = format_impact_markdown(Impact(library="lib", report=report(*untrue(40)), sites={}))
    assert " more |" not in few
