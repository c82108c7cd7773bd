"""A move of the pin in its forms: what each promises its reader, and that nothing in it is taken for something else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import markdown
import pytest

from snippetlock.changes import Candidate, Culprit, State
from snippetlock.model import Finding, Place, Span
from snippetlock.moves import ORDER, Mention, Moved, Plan, Step
from snippetlock.report.bump import format_bump_text
from snippetlock.report.drift import score
from snippetlock.report.markdown import text
from snippetlock.report.moves import format_bump_json
from snippetlock.report.pull import format_bump_markdown

OLD, NEW = Span(path="lib/a.py", first=3, last=4), Span(path="lib/b.py", first=7, last=9)
USES = (Place(path="docs/x.md", line=7, column=3), Place(path="docs/x.zh.md", line=9, column=3))


def step(name="one", cls="body", verdict="asks", **more):
    given = {
        "place": Place(path="snippets/a.yaml", line=3, column=3),
        "before": "lib.a:f",
        "selector": "lib.a:f",
        "old": OLD,
        "new": NEW,
        "old_text": "def f(a):\n    pass\n",
        "new_text": "def f(a, b):\n    pass\n",
        "uses": USES,
    }
    return Step(snippet=name, cls=cls, verdict=verdict, **(given | more))


def moved(*steps, **more):
    plan = Plan(old=State(label="lib 1.0 (the pin)"), new=State(label="lib 2.0", commit="c" * 40), steps=steps)
    fields = {key: more.pop(key) for key in ("dry", "written", "settled") if key in more}
    return Moved(plan=replace(plan, **more), **fields)


def test_nothing_to_move_is_a_line_in_every_form():
    done = moved(settled=True, said="latest = lib 2.0")

    assert format_bump_text(done) == "nothing to move: already at lib 2.0 (latest = lib 2.0)\n"
    assert format_bump_markdown(done) == "Nothing to move: the documentation is at lib 2.0 already.\n"
    assert json.loads(format_bump_json(done))["settled"] is True


def test_a_claim_that_is_no_longer_so_holds_no_move_up_and_is_told_last():
    claim = Finding(rule="SL311", place=Place(path="docs/a.md", line=3), message="the claim is false", mend="mend it")
    done = format_bump_text(moved(step("a", "same", "taken"), claims=(claim,), written=("pin.yaml",)))
    open_ = format_bump_text(moved(step("a", "body", "asks", mend="look"), claims=(claim,)))

    assert done.endswith(
        "1 snippet: 1 same; 1 claim is no longer so\nwrote pin.yaml\n"
        "1 claim is no longer so: that holds no move up, and `snippetlock check` fails until it is mended\n"
    )
    assert "holds no move up" not in open_


def test_where_little_happened_the_report_is_short():
    done = moved(*(step(f"s{n}", "same", "taken") for n in range(60)), written=("pin.yaml",))

    assert format_bump_markdown(done) == "## The pin moves: lib 1.0 → lib 2.0\n\n60 snippets: 60 same.\n"
    assert format_bump_text(done) == "lib 1.0 (the pin) → lib 2.0\n\n60 snippets: 60 same\nwrote pin.yaml\n"


@pytest.mark.parametrize("cls", ORDER)
def test_every_class_is_said_in_every_form(cls):
    done = moved(step("name", cls, "taken" if cls in ("same", "moved", "layout", "new", "dropped") else "asks"))

    assert f"1 snippet: 1 {cls}" in format_bump_text(done)
    assert f"1 snippet: 1 {cls}" in format_bump_markdown(done)
    assert json.loads(format_bump_json(done))["snippets"][0]["class"] == cls


def test_what_stayed_the_same_under_a_chosen_selector_is_not_to_be_read():
    chosen = step("one", "same", "accepted", selector="lib.a:f#1", chosen=True, new_text="def f(a):\n    pass\n")
    said = format_bump_markdown(moved(chosen, step("two", "body", "accepted")))

    assert "| same | `one` | `lib.a:f`<br>`lib/a.py:3-4` | `lib.a:f#1`<br>`lib/b.py:7-9` |\n" in said
    assert "- `docs/x.md`: [line 7](docs/x.md#L7) (`two`)\n" in said
    assert said.count("<details>") == 1


def test_numbers_of_a_subject_are_links_to_where_they_mean_something():
    commit = Culprit(commit="a" * 40, subject="Mend it (#12), as in other/lib#3", link="https://host/lib/commit/aaa")
    done = moved(step(commits=(commit,)), home="https://host/lib")

    said = format_bump_markdown(done)
    assert (
        "- [`aaaaaaaaaa`](https://host/lib/commit/aaa) Mend it "
        "([\\#12](https://host/lib/issues/12)), as in other/lib\\#3: `one`\n"
    ) in said
    assert re.search(r"(?<!\\)#\d", format_bump_markdown(moved(step(commits=(commit,)), home=""))) is None


def test_lines_of_pages_are_links_to_their_source():
    mention = Mention(place=Place(path="docs/x y.md", line=5, column=2), text="f(a|b)", name="f", near=True)
    done = moved(step(mentions=(mention,)))

    said = format_bump_markdown(done, "https://host/docs/blob/abc/")
    assert "- `docs/x.md`: [line 7](https://host/docs/blob/abc/docs/x.md?plain=1#L7) (`one`)\n" in said
    assert "(https://host/docs/blob/abc/docs/x%20y.md?plain=1#L5) `f(a\\|b)`\n" in said
    assert "[line 9](docs/x.zh.md#L9)" in format_bump_markdown(done)


class _Shape(HTMLParser):
    """How a report nests, and the text of its code blocks."""

    def __init__(self):
        super().__init__()
        self.open, self.folds, self.texts = [], 0, []

    def handle_starttag(self, tag, attrs):
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)
        self.folds += tag == "details"
        if tag == "pre":
            self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "pre" in self.open:
            self.texts[-1] += data


HOSTILE = 'x = "```"\n````\n</details>\n<b>#1 @you `a`\n'


@pytest.mark.parametrize("new", [HOSTILE, "~~~\n", "|\n", "\u202e\n"])
def test_nothing_in_a_difference_ends_its_fold(new):
    done = moved(step(new_text=new, details=("`a|b` <b> @you #3",), mend="`x` | </details>"), step("two"))
    said = format_bump_markdown(done)

    shape = _Shape()
    shape.feed(markdown.markdown(said.replace("<details>", '<details markdown="1">'), extensions=["extra"]))
    assert (shape.open, shape.folds, len(shape.texts)) == ([], 2, 2)
    assert all(line in shape.texts[0] for line in new.split("\n") if line.isprintable())
    assert "@you" not in said.replace("+ <b>#1 @you `a`", "")


@pytest.mark.parametrize(
    ("said", "want"),
    [
        ("takes `a|b` and <b>", r"takes `a|b` and \<b\>"),
        ("```@you`", r"\`\`\`@\u200byou\`".replace(r"\u200b", "\u200b")),
        ("``` [a](b)` and `c`", r"\`\`\` \[a\](b)` and `c\`"),
        ("`a``<b>`", r"\`a\`\`\<b\>\`"),
        ("``", r"\`\`"),
        ("&commat;you & co", r"\&commat;you & co"),
        ("\\`c`", r"\\`c`"),
    ],
)
def test_words_are_code_only_where_everybody_reads_them_so(said, want):
    assert text(said) == want


def test_a_report_has_room_in_a_comment():
    done = moved(*(step(f"s{n}", new_text="x = 1\n" * 200) for n in range(200)))
    said = format_bump_markdown(done)

    assert len(said) < 65_536
    assert re.search(r"… and the differences of \d+ more: run `snippetlock bump --dry-run`\.\n\Z", said)


LINK = f"https://host/{'o' * 60}/src/lib/a.py#L3-L4"


@pytest.mark.parametrize(
    ("many", "left"),
    [
        ([step(f"s{n}", old_link=LINK, new_link=LINK) for n in range(900)], "| | … and "),
        ([step(f"s{n}", uses=[Place(path=f"docs/{n}.md", line=1)]) for n in range(900)], " more pages\n"),
        ([step(f"s{n}", uses=[Place(path="docs/x.md", line=n + 1)]) for n in range(900)], ") and "),
        (
            [step(f"s{n}", commits=[Culprit(commit=f"{n:040}", subject="s", link=LINK)]) for n in range(900)],
            " more commits\n",
        ),
        ([step(f"s{n}", commits=[Culprit(commit="c" * 40, subject="s", link=LINK)]) for n in range(900)], "` and "),
    ],
    ids=["rows", "pages", "lines of a page", "commits", "snippets of a commit"],
)
def test_whatever_there_is_much_of_has_room_and_what_is_left_out_is_counted(many, left):
    said = format_bump_markdown(moved(*many))

    assert len(said) < 65_536
    assert left in said
    assert " more" not in format_bump_markdown(moved(*many[:20])).replace(" more lines", "")


def test_a_terminal_sees_the_same_words_in_colour():
    candidate = Candidate(selector="lib.b:g", span=NEW, score=0.9, reason="same body", cls="same")
    mentions = tuple(
        Mention(place=Place(path=use.path, line=n, column=n), text=f"f{n}", name="f", near=n % 2 == 0)
        for use in USES
        for n in range(1, 24)
    )
    done = moved(
        step("one", "renamed", "asks", selector="lib.b:g", candidates=(candidate,), mentions=mentions, mend="look"),
        step("two", "removed", "blocked", new=None, new_text=""),
        step("three", "body", "accepted"),
        step("four", "moved", "taken", selector="lib.b:f"),
        notes=("one note",),
    )
    plain = format_bump_text(done)

    assert re.sub(r"\x1b\[[0-9;]*m", "", format_bump_text(done, color=True)).count("\n") <= plain.count("\n")
    assert "look  renamed  one  snippets/a.yaml:3:3\n  source: lib.a:f -> lib.b:g\n" in plain
    assert "to do  removed  two  " in plain
    assert "accepted  body  three  " in plain
    assert "taken, moved: four\n  snippets/a.yaml:3:3  source of four: lib.a:f -> lib.b:f\n" in plain
    assert "\nnote: one note\n" in plain
    assert "4 snippets: 1 removed, 1 renamed, 1 body, 1 moved; 1 to do, 1 to look at\n" in plain
    assert plain.endswith("nothing was written, and nothing will be before all of that is done or accepted\n")
    assert "  prose: docs/x.md:2:2 `f2`, 4:4 `f4`, 6:6 `f6`" in plain
    assert "`f16` and 3 more\n" in plain
    assert "  named too: docs/x.zh.md:1:1 `f1`, 3:3 `f3`" in plain


def test_what_is_the_same_under_another_selector_is_named_above_it():
    mended = step("two", "same", "taken", before="lib.a:f#1")
    said = format_bump_text(moved(step("one", "same", "taken"), mended, written=("pin.yaml",)))

    assert "\n\ntaken, same: two\n  snippets/a.yaml:3:3  source of two: lib.a:f#1 -> lib.a:f\n\n2 snippets" in said


GONE = {"verdict": "blocked", "selector": "lib.a:f", "new": None, "new_text": ""}
FIRST = Candidate(selector="lib.a:f#1", span=NEW, score=0.7475, reason="one of several", cls="body")


def said_of(one):
    """What the two forms for people say of one snippet, and what the form for programs does."""
    done = moved(one)
    return format_bump_text(done), format_bump_markdown(done), json.loads(format_bump_json(done))["snippets"][0]


@pytest.mark.parametrize(("cls", "sign"), [("removed", "-"), ("unreadable", " "), ("ambiguous", " ")])
def test_of_what_nothing_takes_the_place_of_the_old_text_is_shown(cls, sign):
    said, report, data = said_of(step("one", cls, **GONE))

    assert f"  what was shown:\n    {sign} def f(a):\n    {sign}     pass\n" in said
    assert f"\nwhat was shown:\n\n```diff\n{sign} def f(a):\n{sign}     pass\n```\n" in report
    assert data["old"]["text"] == "def f(a):\n    pass\n"


def test_of_several_the_first_candidate_is_held_against_the_old_text():
    one = step("one", "ambiguous", **GONE, candidates=(FIRST,), candidate_texts=("def f(a):\n    return 1\n",))

    said, report, data = said_of(one)

    assert "  against lib.a:f#1:\n      def f(a):\n    -     pass\n    +     return 1\n" in said
    assert "\nagainst lib.a:f\\#1:\n\n```diff\n  def f(a):\n-     pass\n+     return 1\n```\n" in report
    assert [one["text"] for one in data["candidates"]] == ["def f(a):\n    return 1\n"]


def test_of_a_candidate_that_cannot_be_shown_nothing_is_made_up():
    said, report, data = said_of(step("one", "ambiguous", **GONE, candidates=(FIRST,), candidate_texts=("",)))

    assert "against" not in said + report
    assert "what was shown:" in said
    assert data["candidates"][0]["text"] is None


def test_a_text_that_changed_or_stayed_is_not_shown_alone():
    for one in (step(), step("one", "same", "accepted", new_text="def f(a):\n    pass\n", chosen=True)):
        said, report, _ = said_of(one)
        assert "what was shown" not in said + report
        assert "against" not in said + report


def test_an_old_text_that_is_long_is_cut_off_and_says_so():
    old = "".join(f"line {n}\n" for n in range(100))

    said, report, data = said_of(step("one", "removed", **GONE, old_text=old))

    assert "    - line 59\n    … 40 more lines\n" in said
    assert "- line 99\n```" in report
    assert data["old"]["text"] == old


@pytest.mark.parametrize(
    ("number", "want"),
    [(0.7475, "0.74"), (0.7499999, "0.74"), (0.75, "0.75"), (0.999, "0.99")]
    + [(n / 100, f"{n / 100:.2f}") for n in (0, 7, 29, 57, 58, 74, 99, 100)],
)
def test_a_score_is_said_with_no_more_than_it_is(number, want):
    one = replace(FIRST, score=number)

    assert score(one) == want
    assert float(want) <= number
    said, report, _ = said_of(step("one", "renamed", **GONE, candidates=(one,), candidate_texts=("",)))
    assert f"  candidate: lib.a:f#1  {want}  one of several; " in said
    assert f"- candidate `lib.a:f#1`, {want}: one of several" in report
