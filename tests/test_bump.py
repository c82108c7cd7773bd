"""`snippetlock bump` on whole small projects: a library in three releases, as wheels and as git, and bilingual docs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import casefile
import jars
import pytest
from gitrepo import History
from jars import DEFINITIONS, IDS, RELEASES, SAFE_IDS

from snippetlock.lock import read_lock, write_lock

TOOLS = Path(__file__).parents[1] / "tools"
LOCK = "snippets/snippets.lock"
KIT = "snippets/kit.yaml"
PAGES = ("docs/guide.md", "docs/guide.zh.md")
ASK = {"lid": "renamed", "fill": "signature", "drain": "body", "shake": "comment"}
STOP = {"odd": "unreadable", "seal": "ambiguous", "cork": "removed"}
GOOD = tuple(name for name in IDS if name not in STOP)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The library's repository with its commits, and the folder of its wheels, made once."""
    folder = tmp_path_factory.mktemp("library")
    history = History(folder / "up")
    return history, jars.library(history), folder / "wheels", jars.index(folder / "wheels")


@pytest.fixture
def up(made, tmp_path, monkeypatch):
    """The same, for tests that use the command line; nobody asks a network."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SNIPPETLOCK_UPSTREAM", raising=False)
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in made[3].items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def docs(up, tmp_path, run):
    """`docs(ids) -> root`: docs that quote these snippets of release 1.0, a commit, and accepted them."""

    def make(ids=GOOD, definitions=DEFINITIONS, config=""):
        history, commits, *_ = up
        root = jars.project(tmp_path / "docs", jars.git_pin(str(history.folder), commits["1.0"]), ids, definitions)
        if config:
            with (root / "pyproject.toml").open("a") as file:
                file.write(config)
        accept(run, root)
        return root

    return make


@pytest.fixture
def released(up, tmp_path, run):
    """`released(ids) -> root`: docs pinned to the wheel of 1.0."""

    def make(ids=GOOD, more=""):
        path = up[2] / "kit-1.0-py3-none-any.whl"
        root = jars.project(tmp_path / "docs", jars.wheel_pin(path, more), ids)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        kept = tmp_path / "cache" / "wheels" / digest
        kept.mkdir(parents=True)
        shutil.copy(path, kept)
        accept(run, root)
        return root

    return make


def accept(run, root):
    code, out, err = run("update", cwd=root)
    assert (code, err) == (0, ""), out + err
    assert run("check", cwd=root)[0] == 0


def state(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def changed(before, after) -> set[str]:
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def lines(before: dict[str, bytes], after: dict[str, bytes], name: str = KIT) -> list[tuple[str, str]]:
    """The lines of a file that differ, old and new."""
    old, new = (side[name].decode().split("\n") for side in (before, after))
    assert len(old) == len(new)
    return [(a, b) for a, b in zip(old, new, strict=True) if a != b]


def plan(run, root, *arguments) -> tuple[int, dict]:
    code, out, err = run("bump", "--format", "json", *arguments, cwd=root)
    assert err == "", err
    found = json.loads(out)
    assert found["exit"] == code
    return code, found


def verdicts(found) -> dict[str, tuple[str, str]]:
    return {one["id"]: (one["class"], one["verdict"]) for one in found["snippets"] if one["class"] != "same"}


def refused(run, root, *arguments) -> str:
    """What is said by a command that could not; nothing may have changed."""
    before = state(root)
    code, out, err = run("bump", *arguments, cwd=root)
    assert (code, out) == (2, ""), out + err
    assert changed(before, state(root)) == set()
    assert "\n  mend: " in err
    return err


# What is safe


def test_safe_changes_are_taken_without_a_question(docs, run):
    root = docs(SAFE_IDS)
    before = state(root)

    code, out, err = run("bump", "--to", "v1.1", cwd=root)

    assert (code, err) == (0, "")
    after = state(root)
    assert changed(before, after) == {"pin.yaml", KIT, LOCK}
    assert lines(before, after) == [
        ("  source: kit.scale:tare  # where it is defined", "  source: kit.weights:tare  # where it is defined")
    ]
    assert "taken, moved: tare\n  snippets/kit.yaml:8:3  source of tare: kit.scale:tare -> kit.weights:tare\n" in out
    assert "4 snippets: 1 layout, 1 moved, 2 same\nwrote " in out
    assert "look " not in out
    assert run("check", cwd=root)[0] == 0


def test_a_second_run_changes_nothing(docs, run):
    root = docs(SAFE_IDS)
    run("bump", "--to", "v1.1", cwd=root)
    before = state(root)

    code, out, err = run("bump", "--to", "v1.1", "--accept", "body", "tare", cwd=root)

    assert (code, err) == (0, "")
    assert out.startswith("nothing to move: already at kit 1.1 (")
    assert changed(before, state(root)) == set()


def test_a_dry_run_says_what_would_be_and_writes_nothing(docs, run):
    root = docs(SAFE_IDS)
    before = state(root)

    code, out, _ = run("bump", "--to", "v1.1", "--dry-run", cwd=root)

    assert code == 0
    assert out.endswith("nothing was written: this was a dry run, and nothing stands in the way\n")
    assert changed(before, state(root)) == set()


def test_main_is_recorded_by_the_commit_that_it_is(docs, run, up):
    root = docs(GOOD)

    assert run("bump", "--to", "main", "--accept", *ASK, cwd=root)[0] == 0
    assert f"  commit: {up[1]['2.0']}  # what is read\n" in (root / "pin.yaml").read_text()


def test_without_a_target_a_pinned_commit_goes_to_its_branch(docs, run, up):
    root = docs(SAFE_IDS)

    code, out, _ = run("bump", cwd=root)

    assert code == 0
    assert up[1]["2.0"] in (root / "pin.yaml").read_text()
    assert "main = commit" in out


# What asks


def test_each_class_asks_and_nothing_is_written(docs, run):
    root = docs(IDS)
    before = state(root)

    code, found = plan(run, root, "--to", "v2.0")

    assert code == 1
    assert verdicts(found) == {
        **{name: (cls, "blocked") for name, cls in STOP.items()},
        **{name: (cls, "asks") for name, cls in ASK.items()},
        "tare": ("moved", "taken"),
        "label": ("layout", "taken"),
    }
    assert found["verdicts"] == {"blocked": 3, "asks": 4, "accepted": 0, "taken": 4}
    assert found["written"] == []
    assert changed(before, state(root)) == set()


def test_what_asks_comes_with_all_that_somebody_needs(docs, run, up):
    root = docs(IDS)

    _, found = plan(run, root, "--to", "v2.0")
    by_id = {one["id"]: one for one in found["snippets"]}

    fill = by_id["fill"]
    assert fill["details"] == ["parameter `level` is called `height` now"]
    assert [use["path"] for use in fill["uses"]] == list(PAGES)
    prose = [(one["path"], one["line"], one["column"], one["text"]) for one in fill["prose"]]
    for path, line, column, text in prose:
        shown = (root / path).read_text(encoding="utf-8").split("\n")[line - 1][column - 1 :]
        assert shown.startswith(f"`{text}`")
    assert [(path, text) for path, _, _, text in prose] == [
        (PAGES[0], "Jar.fill"),
        (PAGES[0], "level"),
        (PAGES[0], "fill(what, level=2)"),
        (PAGES[1], "Jar.fill"),
        (PAGES[1], "level"),
    ]
    assert fill["commits"] == [{"id": up[1]["2.0"], "subject": "Release 2.0 (#3)", "link": ""}]
    assert by_id["lid"]["candidates"][0]["selector"] == "kit.lids:cover"
    # `lid` is named elsewhere too; its parameter only where it is about it.
    assert [(one["text"], one["near"]) for one in by_id["lid"]["prose"]] == [
        ("lid", True),
        ("lid", False),
        ("lid", True),
    ]
    assert [one["text"] for one in by_id["cork"]["prose"]] == ["cork(width)", "cork"]
    assert "`--accept cork=SELECTOR`; or delete its directives" in by_id["cork"]["mend"]
    assert [(use["path"], use["line"]) for use in by_id["cork"]["uses"]] == [(PAGES[0], 55), (PAGES[1], 51)]
    assert "--accept seal=kit.lids:seal#1" in by_id["seal"]["mend"]
    assert by_id["sizes"]["prose"] == by_id["tare"]["prose"] == []


def test_what_is_accepted_is_written_together(docs, run):
    root = docs()
    before = state(root)

    code, out, err = run("bump", "--to", "v2.0", "--accept", "fill", "drain", "--accept", "renamed", "shake", cwd=root)

    assert (code, err) == (0, ""), out + err
    after = state(root)
    assert changed(before, after) == {"pin.yaml", KIT, LOCK}
    assert [new.strip() for _, new in lines(before, after)] == [
        "source: kit.weights:tare  # where it is defined",
        "source: kit.lids:cover",
    ]
    assert run("check", cwd=root)[0] == 0


@pytest.mark.parametrize("left", ASK)
def test_as_long_as_one_is_not_accepted_nothing_is_written(docs, run, left):
    root = docs()
    before = state(root)

    code, found = plan(run, root, "--to", "v2.0", "--accept", *(name for name in ASK if name != left))

    assert code == 1
    assert [one["id"] for one in found["snippets"] if one["verdict"] == "asks"] == [left]
    assert changed(before, state(root)) == set()


def test_a_project_can_have_comments_taken(docs, run):
    root = docs(("shake",), config='take = ["comment"]\n')

    code, found = plan(run, root, "--to", "v2.0")

    assert (code, verdicts(found)) == (0, {"shake": ("comment", "taken")})
    assert run("check", cwd=root)[0] == 0


def test_of_several_the_one_that_is_meant_is_chosen(docs, run):
    root = docs(("seal", "odd"))

    code, found = plan(run, root, "--to", "v2.0", "--accept", "seal=kit.lids:seal#1", "odd=kit.jar:SIZES")

    assert code == 0
    assert verdicts(found) == {"odd": ("renamed", "accepted")}
    assert [one["source"] for one in found["snippets"] if one["id"] == "seal"] == [
        {"before": "kit.lids:seal", "after": "kit.lids:seal#1", "chosen": True}
    ]
    assert "seal:\n  source: kit.lids:seal#1\n" in (root / KIT).read_text()
    assert run("check", cwd=root)[0] == 0


def test_of_several_that_all_differ_the_first_is_shown_against_what_was_quoted(tmp_path, up, run, repo):
    seal = "def seal(jar):\n    return jar.upper()\n"
    history = repo("seals")
    old = history.commit({"src/kit/__init__.py": seal}, "One (#1)")
    two = seal.replace("upper", "lower") + "\n\n" + seal.replace("jar.upper()", "None")
    history.commit({"src/kit/__init__.py": two}, "Two (#2)")
    pin = jars.git_pin(str(history.folder), old)
    root = jars.project(tmp_path / "docs", pin, ("seal",), "seal: {source: kit:seal}\n")
    accept(run, root)

    code, found = plan(run, root, "--to", "main")
    out = run("bump", "--to", "main", cwd=root)[1]

    assert (code, verdicts(found)) == (1, {"seal": ("ambiguous", "blocked")})
    (one,) = found["snippets"]
    assert (one["old"]["text"], one["new"]) == (seal, None)
    texts = [candidate["text"] for candidate in one["candidates"]]
    assert texts == [seal.replace("upper", "lower"), seal.replace("jar.upper()", "None")]
    assert "  against kit:seal#1:\n      def seal(jar):\n    -     return jar.upper()\n" in out
    assert "    +     return jar.lower()\n" in out


def test_what_is_removed_waits_until_nothing_asks_for_it(docs, run):
    root = docs(("sizes", "cork"))
    assert plan(run, root, "--to", "v2.0", "--accept", "removed", "cork")[0] == 1

    for name in PAGES:  # as the message says: the directives first …
        text = (root / name).read_text(encoding="utf-8")
        (root / name).write_text(text.replace('```python snippet="cork"\n```\n', ""), encoding="utf-8")
    assert "check first" in refused(run, root, "--to", "v2.0")
    kept = (root / KIT).read_text()
    (root / KIT).write_text(kept.replace("cork:\n  source: kit.lids:cork\n", ""))  # … and the definition

    code, found = plan(run, root, "--to", "v2.0")
    assert (code, verdicts(found)) == (0, {"cork": ("dropped", "taken")})
    assert run("check", cwd=root)[0] == 0
    assert "cork" not in (root / LOCK).read_text()


# What the definitions say


def test_a_definition_that_somebody_pointed_elsewhere_is_held_against_what_was_accepted(docs, run):
    root = docs(("lid", "tare"))
    text = (root / KIT).read_text()
    text = text.replace("kit.lids:lid", "kit.lids:cover").replace("kit.scale:tare", "kit.weights:tare")
    (root / KIT).write_text(text)
    assert run("check", cwd=root)[0] == 1  # there is no such thing at the present pin

    code, found = plan(run, root, "--to", "v2.0")

    assert (code, verdicts(found)) == (1, {"lid": ("renamed", "asks"), "tare": ("moved", "taken")})
    before = state(root)
    assert plan(run, root, "--to", "v2.0", "--accept", "lid")[0] == 0
    assert changed(before, state(root)) == {"pin.yaml", LOCK}
    assert run("check", cwd=root)[0] == 0


def test_a_new_definition_is_new_and_a_view_that_changed_is_looked_at(docs, run):
    root = docs(("fill", "drain"))
    with (root / KIT).open("a") as file:
        file.write("cover: {source: kit.lids:cover}\n")
    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace('highlight: ["self.what = what"]', "show: body"))
    with (root / "docs/guide.md").open("a", encoding="utf-8") as file:
        file.write('\n```python snippet="cover"\n```\n')

    code, found = plan(run, root, "--to", "v2.0", "--accept", "drain")

    assert (code, verdicts(found)) == (
        1,
        {"fill": ("signature", "asks"), "drain": ("body", "accepted"), "cover": ("new", "taken")},
    )
    assert plan(run, root, "--to", "v2.0", "--accept", "drain", "fill")[0] == 0
    assert run("check", cwd=root)[0] == 0


def test_a_definition_that_does_not_fit_the_new_text_is_to_be_mended(docs, run):
    root = docs(("drain",), DEFINITIONS.replace("comments: keep}", 'highlight: ["what, self.what"]}'))

    code, found = plan(run, root, "--to", "v2.0", "--accept", "body")

    assert (code, verdicts(found)) == (1, {"drain": ("body", "blocked")})
    assert "the definition does not fit it" in found["snippets"][0]["mend"]
    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace("what, self.what", "return self.what"))
    assert plan(run, root, "--to", "v2.0", "--accept", "body")[0] == 0
    assert run("check", cwd=root)[0] == 0


def test_what_is_renamed_and_does_not_fit_is_mended_where_it_is_defined(docs, run):
    root = docs(("lid",), DEFINITIONS.replace("kit.lids:lid\n", 'kit.lids:lid\n  highlight: ["def lid(size"]\n'))

    for accepted in ("renamed", "lid", "lid=kit.lids:cover"):
        code, found = plan(run, root, "--to", "v2.0", "--accept", accepted)
        (one,) = found["snippets"]
        assert (code, one["class"], one["verdict"]) == (1, "renamed", "blocked")
        assert one["mend"].startswith("the definition does not fit it: 'def lid(size' is not in the snippet")
        assert one["source"]["after"] == "kit.lids:cover"

    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace("def lid(size", "def cover(size"))
    code, found = plan(run, root, "--to", "v2.0")
    assert (code, verdicts(found)) == (1, {"lid": ("renamed", "asks")})
    assert plan(run, root, "--to", "v2.0", "--accept", "lid")[0] == 0
    assert "source: kit.lids:cover\n" in (root / KIT).read_text()
    assert run("check", cwd=root)[0] == 0


# Swapped names


@pytest.fixture
def swapped(tmp_path, up, run, repo):
    """Docs on a library in which two functions swap their names."""
    one = "def left(jar: str) -> str:\n    half = jar[: len(jar) // 2]\n    return half.strip()\n"
    two = "def right(jar: str) -> list[str]:\n    return sorted(jar.split(','), key=len)[-3:]\n"
    history = repo("swap")
    first = history.commit({"src/kit/__init__.py": f"{one}\n\n{two}"})
    other = two.replace("right", "left"), one.replace("left", "right")
    history.commit({"src/kit/__init__.py": "\n\n".join(other)}, "Swap them (#7)")
    root = jars.project(tmp_path / "docs", jars.git_pin(str(history.folder), first), ())
    (root / KIT).write_text("one: {source: kit:left}\ntwo: {source: kit:right}\n")
    for name in PAGES:
        (root / name).write_text('```python snippet="one"\n```\n\n```python snippet="two"\n```\n')
    accept(run, root)
    return root


def test_of_two_that_swapped_names_each_is_shown_with_where_it_is_now(swapped, run):
    code, found = plan(run, swapped, "--to", "main")

    assert (code, verdicts(found)) == (1, {"one": ("signature", "asks"), "two": ("signature", "asks")})
    assert [one["candidates"][0]["selector"] for one in found["snippets"]] == ["kit:right", "kit:left"]


def test_each_follows_its_text_when_somebody_says_so_and_goes_back(swapped, run):
    before = state(swapped)

    assert plan(run, swapped, "--to", "main", "--accept", "one=kit:right", "two=kit:left")[0] == 0
    assert (swapped / KIT).read_text() == "one: {source: kit:right}\ntwo: {source: kit:left}\n"
    assert run("check", cwd=swapped)[0] == 0

    code, found = plan(run, swapped, "--to", "main~1", "--accept", "one=kit:right", "two=kit:left")
    assert (code, found["back"]) == (0, True)
    assert changed(before, state(swapped)) == set()


def test_each_keeps_its_name_when_somebody_says_so(swapped, run):
    assert plan(run, swapped, "--to", "main", "--accept", "signature")[0] == 0
    assert (swapped / KIT).read_text() == "one: {source: kit:left}\ntwo: {source: kit:right}\n"
    assert run("check", cwd=swapped)[0] == 0


# Back


ODDLY = DEFINITIONS.replace("\n", "\r\n")


@pytest.mark.parametrize("definitions", [DEFINITIONS, ODDLY, "\ufeff" + ODDLY], ids=["LF", "CRLF", "BOM"])
def test_back_is_byte_for_byte(docs, run, definitions):
    root = docs(GOOD, definitions)
    if "\r" in definitions:
        (root / "pin.yaml").write_bytes((root / "pin.yaml").read_bytes().replace(b"\n", b"\r\n"))
    before = state(root)
    assert before[KIT].count(b"\r\n") == (definitions.count("\r\n") and before[KIT].count(b"\n"))

    assert run("bump", "--to", "v2.0", "--accept", *ASK, cwd=root)[0] == 0
    between = state(root)
    assert changed(before, between) == {"pin.yaml", KIT, LOCK}
    assert between[KIT].count(b"\r\n") == before[KIT].count(b"\r\n")
    code, out, _ = run("bump", "--to", "v1.0", "--accept", *ASK, cwd=root)

    assert code == 0, out
    assert changed(before, state(root)) == set()
    assert run("bump", "--to", "v2.0", "--accept", *ASK, cwd=root)[0] == 0
    assert changed(between, state(root)) == set()


@pytest.mark.parametrize(
    "said",
    ['<!-- claim: parameters(kit:Jar.fill) == ["what", "level"] -->\nAs it is.', "`Jar.fill(what, level=1)`"],
    ids=["claim", "call"],
)
def test_what_the_move_makes_untrue_in_a_sentence_does_not_hold_up_the_way_back(docs, run, said):
    root = docs(GOOD, config="references = true\n")
    for page in PAGES:
        (root / page).write_text(f"{(root / page).read_text()}\n{said}\n".replace("As it is.", f"{page}."))
    assert run("check", cwd=root)[0] == 0
    before = state(root)

    assert run("bump", "--to", "v2.0", "--accept", *ASK, cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 1
    code, out, err = run("bump", "--to", "v1.0", "--accept", *ASK, cwd=root)

    assert code == 0, out + err
    assert changed(before, state(root)) == set()
    assert run("check", cwd=root)[0] == 0


SPELLED = {
    "an escape": 'source: "kit.scale\\x3atare"  # where',
    "two lines": 'source: "kit.scale:\\\n      tare"  # where',
    "a quote that it does not need": "source: 'kit.scale:tare'",
    "folded": "source: >-\n      kit.scale:tare",
    "literal": "source: |-\n        kit.scale:tare",
    "braces": '{source: "kit.scale\\u003A\\\n   tare" , docstrings: keep}',
    "a question mark": "? source\n  : kit.scale:tare",
}


def spelled(said: str) -> str:
    """Two definitions, of which that of `tare` is written in a way."""
    body = f" {said}" if said[0] == "{" else f"\n  {said}"
    return f"# ours\ntare:{body}\nweigh: {{source: kit:weigh}}\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "mixed"])
@pytest.mark.parametrize("name", SPELLED)
def test_back_however_the_selector_was_written(docs, run, name, ends):
    text = spelled(SPELLED[name])
    said = text.split("\n")
    text = ends.join(said) if ends != "mixed" else "\r\n".join(said[:3]) + "\n" + "\r\n".join(said[3:])
    root = docs(("tare", "weigh"), text)
    before = state(root)
    assert before[KIT] == text.encode()

    for version in ("v1.1", "v2.0"):
        assert run("bump", "--to", version, cwd=root)[0] == 0
        assert b"kit.weights:tare" in (root / KIT).read_bytes()
    code, out, _ = run("bump", "--to", "v1.0", cwd=root)

    assert code == 0, out
    assert changed(before, state(root)) == set()
    assert run("check", cwd=root)[0] == 0


def test_back_where_version_control_made_other_line_ends_meanwhile(docs, run):
    text = spelled(SPELLED["two lines"])
    root = docs(("tare", "weigh"), text)
    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0
    (root / KIT).write_bytes((root / KIT).read_bytes().replace(b"\n", b"\r\n"))

    assert run("bump", "--to", "v1.0", cwd=root)[0] == 0

    assert (root / KIT).read_bytes() == text.replace("\n", "\r\n").encode()


def test_back_from_a_selector_that_needed_quotes_to_one_that_needed_none(tmp_path, up, run, repo):
    history = repo("sizes")
    old = history.commit({"src/kit/__init__.py": "", "src/kit/sizes.yaml": "left: 1\n"}, "One (#1)")
    history.commit({"src/kit/sizes.yaml": "'all: left': 1\n"}, "Two (#2)")
    pin = jars.git_pin(str(history.folder), old)
    root = jars.project(tmp_path / "docs", pin, ("left",), "left: {source: kit/sizes.yaml:left}\n")
    for page in PAGES:
        (root / page).write_text((root / page).read_text().replace("```python", "```yaml"))
    accept(run, root)
    before = state(root)
    assert run("bump", "--to", "main", "--accept", 'left=kit/sizes.yaml:"all: left"', cwd=root)[0] == 0
    assert (root / KIT).read_text() == 'left: {source: "kit/sizes.yaml:\\"all: left\\""}\n'

    code, out, err = run("bump", "--to", old, "--accept", "left", cwd=root)

    assert code == 0, out + err
    assert changed(before, state(root)) == set()


def test_a_lock_that_does_not_say_how_a_selector_was_written_leads_back_to_it_all_the_same(docs, run):
    root = docs(("tare", "weigh"), spelled(SPELLED["an escape"]))
    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0
    lock = read_lock(root / LOCK)
    write_lock(root / LOCK, replace(lock, moves=tuple(replace(move, sources={}) for move in lock.moves)))

    assert run("bump", "--to", "v1.0", cwd=root)[0] == 0

    assert 'source: "kit.scale:tare"  # where\n' in (root / KIT).read_text()
    assert run("check", cwd=root)[0] == 0


def test_back_over_two_moves_and_over_one(docs, run):
    root = docs()
    states = [state(root)]
    for version, *accepted in (("v1.1",), ("v2.0", "--accept", *ASK)):
        assert run("bump", "--to", version, *accepted, cwd=root)[0] == 0
        states.append(state(root))

    assert run("bump", "--to", "v1.1", "--accept", *ASK, cwd=root)[0] == 0
    assert changed(states[1], state(root)) == set()
    assert run("bump", "--to", "v2.0", "--accept", *ASK, cwd=root)[0] == 0
    assert run("bump", "--to", "v1.0", "--accept", *ASK, cwd=root)[0] == 0
    assert changed(states[0], state(root)) == set()


def test_the_same_acceptances_serve_on_the_way_back_also_where_nothing_is_asked_now(docs, run):
    root = docs(("seal", "lid", "odd"))
    before = state(root)
    accepted = ("lid=kit.lids:cover", "seal=kit.lids:seal#1", "odd=kit.jar:SIZES")
    assert run("bump", "--to", "v2.0", "--accept", *accepted, cwd=root)[0] == 0

    code, found = plan(run, root, "--to", "v1.0", "--accept", *accepted)

    assert (code, found["back"]) == (0, True)
    assert found["notes"][:1] == ["--accept seal: nothing of it is to be accepted: it is the same there"]
    assert changed(before, state(root)) == set()


def test_what_somebody_edited_meanwhile_stays(docs, run):
    root = docs(SAFE_IDS)
    run("bump", "--to", "v1.1", cwd=root)
    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace("kit.weights:tare", "kit:tare"))
    run("update", cwd=root)

    code, found = plan(run, root, "--to", "v1.0")

    assert (code, found["back"]) == (0, True)
    assert "source: kit:tare  #" in (root / KIT).read_text()
    assert "moves:" not in (root / LOCK).read_text()
    assert run("check", cwd=root)[0] == 0


def test_an_update_keeps_what_the_lock_remembers_and_another_pin_forgets_it(docs, run, up):
    root = docs(SAFE_IDS)
    run("bump", "--to", "v1.1", cwd=root)
    text = (root / LOCK).read_text()
    moves = text[text.index("moves:") : text.index("checksum:")]
    (root / KIT).write_text((root / KIT).read_text() + "also: {source: kit.jar:Jar.drain}\n")

    assert run("update", cwd=root)[0] == 0
    assert moves in (root / LOCK).read_text()

    pin = (root / "pin.yaml").read_text()
    (root / "pin.yaml").write_text(pin.replace(up[1]["1.1"], up[1]["2.0"]))
    assert run("update", cwd=root)[0] == 0
    assert "moves:" not in (root / LOCK).read_text()


# Releases


def test_a_wheel_is_recorded_by_version_and_digest_and_the_old_one_comes_back_unasked(released, run, up, monkeypatch):
    root = released(SAFE_IDS)
    before = state(root)
    wheel = up[2] / "kit-1.1-py3-none-any.whl"

    code, out, err = run("bump", "--to", wheel, cwd=root)

    assert (code, err) == (0, ""), out + err
    assert (root / "pin.yaml").read_text() == jars.wheel_pin(wheel)
    assert run("check", cwd=root)[0] == 0
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")  # what is known is not asked for
    assert run("bump", "--to", "1.0", cwd=root)[0] == 0
    assert changed(before, state(root)) == set()


def test_latest_says_what_it_is_and_finds_the_commit_of_its_tag(released, run, up):
    history, commits, *_ = up
    more = f"repository:\n  url: {history.folder}\n  root: src\n  commit: null\n"  # a tag tells it too
    root = released(GOOD, more)
    before = state(root)

    code, found = plan(run, root, "--to", "latest", "--accept", *ASK)

    assert code == 0
    assert found["said"].startswith("latest = kit 2.0, sha256 ")
    assert found["new"]["commit"] == commits["2.0"]
    fill = next(one for one in found["snippets"] if one["id"] == "fill")
    assert [one["subject"] for one in fill["commits"]] == ["Release 2.0 (#3)"]
    assert f"  commit: {commits['2.0']}\n" in (root / "pin.yaml").read_text()
    assert plan(run, root, "--to", "v1.0", "--accept", *ASK)[0] == 0
    assert changed(before, state(root)) == set()


def test_of_a_mirror_the_contents_of_the_commits_between_are_fetched(up, run, tmp_path, repo):
    history = repo("server")
    commits = jars.library(history)
    jar = (history.folder / "src/kit/jar.py").read_text()
    for number in (3, 4):  # contents that neither the old state nor the new one has
        middle = history.commit({"src/kit/jar.py": jar.replace("times * 2", f"times * {number}")}, f"Shake {number}")
    history.commit({"src/kit/jar.py": jar.replace("times * 2", "times * 5")}, "Shake 5")
    root = jars.project(tmp_path / "docs", jars.git_pin(history.serve(), commits["2.0"]), ("shake",))
    assert run("pin", "fetch", cwd=root)[0] == 0
    accept(run, root)

    code, found = plan(run, root, "--to", "main")

    (one,) = found["snippets"]
    assert (code, one["class"], found["notes"]) == (1, "body", [])
    assert [commit["subject"] for commit in one["commits"]] == ["Shake 3", "Shake 4", "Shake 5"]
    assert one["commits"][1]["id"] == middle


def test_where_no_commit_is_known_that_is_said_once(released, run, up):
    root = released(GOOD)

    code, found = plan(run, root, "--to", str(up[2] / "kit-2.0-py3-none-any.whl"))

    assert code == 1
    assert len(found["notes"]) == 1
    assert found["notes"][0].startswith("which commits did it is not known: ")


def test_from_a_release_to_main_and_back(released, run, up):
    history, commits, *_ = up
    root = released(SAFE_IDS, f"repository:\n  url: {history.folder}\n  root: src\n")
    before = state(root)

    assert run("bump", "--to", "main", cwd=root)[0] == 0
    assert f"git:\n  commit: {commits['2.0']}\n" in (root / "pin.yaml").read_text()
    assert run("check", cwd=root)[0] == 0
    assert run("bump", "--to", "1.0", cwd=root)[0] == 0
    assert changed(before, state(root)) == set()


def test_to_a_folder_and_back(docs, run, tmp_path, up):
    root = docs(SAFE_IDS)
    before = state(root)
    for path, text in RELEASES["1.1"].items():
        (tmp_path / "work" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / path).write_text(text)

    assert run("bump", "--to", "../work", cwd=root)[0] == 0
    assert "folder: ../work" in (root / "pin.yaml").read_text()
    assert run("check", cwd=root)[0] == 0
    assert run("bump", "--to", "../work", cwd=root)[1].startswith("nothing to move: already at kit")
    err = refused(run, root)
    assert "the pin is a folder, which has no next state" in err
    assert run("bump", "--to", up[1]["1.0"], cwd=root)[0] == 0
    assert changed(before, state(root)) == set()


@pytest.mark.parametrize("folder", ["work#1", "it's", "wörk", "a: b #1", "'work'"])
def test_back_to_a_folder_whatever_it_is_called(docs, run, tmp_path, up, folder):
    root = docs(SAFE_IDS)
    for name in (folder, "work"):  # the other is no state that the lock remembers
        for path, text in RELEASES["1.1"].items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text)
    assert run("bump", "--to", f"../{folder}", cwd=root)[0] == 0
    before = state(root)
    assert run("bump", "--to", up[1]["2.0"], cwd=root)[0] == 0

    assert plan(run, root, "--to", "../work", "--dry-run")[1]["back"] is False
    assert plan(run, root, "--to", f"../{folder}", "--dry-run")[1]["back"] is True
    assert run("bump", "--to", f"../{folder}", cwd=root)[0] == 0
    assert changed(before, state(root)) == set()


def test_a_commit_that_states_no_version_comes_back_under_that_of_its_tag(docs, run, up):
    root = docs(SAFE_IDS)
    before = state(root)
    wheel = up[2] / "kit-1.1-py3-none-any.whl"
    assert run("bump", "--to", wheel, cwd=root)[0] == 0
    between = state(root)

    code, out, err = run("bump", "--to", "v1.0", cwd=root)

    assert (code, err) == (0, "")
    assert changed(before, state(root)) == set()
    assert ", as it was pinned before\n" in out
    assert run("bump", "--to", wheel, cwd=root)[0] == 0
    assert changed(between, state(root)) == set()


def test_a_version_whose_tag_is_another_commit_than_was_left_is_its_release(docs, run, up):
    root = docs(SAFE_IDS)
    assert run("bump", "--to", up[2] / "kit-2.0-py3-none-any.whl", cwd=root)[0] == 0

    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0

    assert "file: kit-1.1-py3-none-any.whl" in (root / "pin.yaml").read_text()


def test_what_the_lock_remembers_no_more_is_a_move_like_any_other(docs, run, monkeypatch):
    from snippetlock.workflow import bumping

    monkeypatch.setattr(bumping, "_MOST", 1)
    root = docs()
    before = state(root)
    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0
    assert run("bump", "--to", "v2.0", "--accept", *ASK, cwd=root)[0] == 0
    assert (root / LOCK).read_text().count("    kind: git\n") == 1

    code, found = plan(run, root, "--to", "v1.0", "--accept", *ASK)

    assert (code, found["back"]) == (0, False)
    assert run("check", cwd=root)[0] == 0
    assert lines(before, state(root)) == []  # the old names are found again, as any others would be
    assert "moves:" in (root / LOCK).read_text()


def test_definitions_in_several_files_are_mended_each_where_it_is(docs, run):
    root = docs(("tare", "lid"))
    text = (root / KIT).read_text()
    lid = "lid:\n  source: kit.lids:lid\n"
    (root / KIT).write_text(text.replace(lid, ""))
    (root / "snippets/more.yaml").write_text(f"# More.\n{lid}")
    accept(run, root)
    before = state(root)

    assert run("bump", "--to", "v2.0", "--accept", "lid", cwd=root)[0] == 0

    after = state(root)
    assert changed(before, after) == {"pin.yaml", KIT, "snippets/more.yaml", LOCK}
    assert after["snippets/more.yaml"] == b"# More.\nlid:\n  source: kit.lids:cover\n"
    assert run("bump", "--to", "v1.0", "--accept", "lid", cwd=root)[0] == 0
    assert changed(before, state(root)) == set()


def test_a_candidate_that_is_little_alike_is_somebodys_to_choose(docs, run, repo, tmp_path):
    old = "".join(f"    total += jar.{word} * {n}\n" for n, word in enumerate("abcdefgh"))
    new = old.replace("jar.a", "jar.aa").replace("jar.c ", "box.cc ").replace("jar.e", "box.e").replace("* 6", "- 66")
    history = repo("weak")
    first = history.commit({"src/kit/__init__.py": f"def count(jar):\n    total = 0\n{old}    return total\n"})
    history.commit({"src/kit/__init__.py": f"def reckon(jar, box):\n    total = 0\n{new}    return total\n"})
    root = jars.project(tmp_path / "docs", jars.git_pin(str(history.folder), first), ())
    (root / KIT).write_text("count: {source: kit:count}\n")
    for name in PAGES:
        (root / name).write_text('```python snippet="count"\n```\n')
    accept(run, root)

    code, found = plan(run, root, "--to", "main", "--accept", "renamed", "count")

    (one,) = found["snippets"]
    assert (code, one["class"], one["verdict"]) == (1, "renamed", "blocked")
    assert one["candidates"][0]["score"] < 0.75
    assert one["mend"].startswith("no candidate scores 0.75: choose one, like `--accept count=kit:reckon`; or delete")
    assert plan(run, root, "--to", "main", "--accept", "count=kit:reckon")[0] == 0
    assert (root / KIT).read_text() == "count: {source: kit:reckon}\n"


def test_a_package_that_moved_to_another_folder_of_the_repository(docs, run, repo, up):
    root = docs(("sizes", "fill"))
    history = repo("moved")
    history.git("pull", "--quiet", str(up[0].folder), "main")
    history.git("mv", "src", "packages")
    jar = (history.folder / "packages/kit/jar.py").read_text()
    commit = history.commit({"packages/kit/jar.py": jar.replace("height *", "2 * height *")}, "Fill twice")
    pin = (root / "pin.yaml").read_text()
    (root / "pin.yaml").write_text(pin.replace(str(up[0].folder), str(history.folder)))
    before = state(root)

    code, found = plan(run, root, "--to", "main", "--accept", "fill")

    assert code == 0
    fill = next(one for one in found["snippets"] if one["id"] == "fill")
    assert (fill["class"], fill["commits"][-1]["id"]) == ("signature", commit)
    assert "  root: packages\n" in (root / "pin.yaml").read_text()
    assert run("check", cwd=root)[0] == 0
    assert plan(run, root, "--to", up[1]["1.0"], "--accept", "fill")[0] == 0
    assert changed(before, state(root)) == set()


# Together or not at all


class Killed(BaseException):
    """What no code catches, as a kill would have it."""


@pytest.mark.parametrize("writes", range(5))
def test_killed_at_any_write_the_next_command_finds_one_state_or_makes_it(docs, run, monkeypatch, writes):
    from snippetlock.lock import guard, together

    root = docs()
    before = state(root)
    done = []

    def replace_file(path, data):
        if len(done) == writes:
            raise Killed
        guard.replace_file(path, data)
        done.append(path.name)

    with monkeypatch.context() as patch:
        patch.setattr(together, "replace_file", replace_file)
        move = ("bump", "--to", "v2.0", "--accept", *ASK)
        if writes < 4:
            with pytest.raises(Killed):
                run(*move, cwd=root)
        else:
            assert run(*move, cwd=root)[0] == 0
    assert done[:1] == ([".snippets.journal"] if writes else [])
    (root / "snippets/.snippets.lock.guard").unlink(missing_ok=True)
    if writes == 0:
        assert changed(before, state(root)) == set()
    elif writes < 4:
        assert run("check", cwd=root)[0] == 2  # in no state that anybody accepted
        code, _, err = run("bump", "--to", "v2.0", cwd=root)
        assert (code, "an interrupted change of the pin is finished now" in err) == (0, True)
    assert run("check", cwd=root)[0] == 0
    if writes:
        assert changed(before, state(root)) == {"pin.yaml", KIT, LOCK}


def test_a_disk_that_is_full_leaves_all_as_it_was(docs, run, monkeypatch):
    from snippetlock.lock import guard, together

    root = docs()
    before = state(root)

    def replace_file(path, data):
        if path.name == "pin.yaml":
            raise OSError(28, "No space left on device")
        guard.replace_file(path, data)

    monkeypatch.setattr(together, "replace_file", replace_file)
    assert "nothing was changed" in refused(run, root, "--to", "v2.0", "--accept", *ASK)
    assert changed(before, state(root)) == set()


def test_of_two_at_once_the_second_sees_what_the_first_wrote(docs, tmp_path):
    root = docs()
    command = [sys.executable, "-m", "snippetlock", "bump", "--to", "v2.0", "--accept", *ASK]
    environ = {**os.environ, "PYTHONPATH": str(TOOLS)}
    both = [
        subprocess.Popen(command, cwd=root, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate() for process in both]

    assert [process.returncode for process in both] == [0, 0], said
    assert sorted(out.startswith("nothing to move: already at") for out, _ in said) == [False, True]


# What cannot be


BAD = {
    "no such revision": (("--to", "feature"), "'feature'"),
    "a folder that is not there": (("--to", "./nowhere"), "there is no folder ./nowhere"),
    "a folder that is not the library": (("--to", "./docs"), "./docs is not this library: it has no 'kit'"),
    "a wheel of another package": (("--to", "./jam-1.0-py3-none-any.whl"), "is a wheel of another package than kit"),
    "a wheel that is not there": (("--to", "./kit-7.0-py3-none-any.whl"), "the wheel cannot be read"),
    "an id that is not in the plan": (
        ("--to", "v2.0", "--accept", "fil"),
        "--accept fil: 'fil' is no snippet of the plan and no class\n  mend: did you mean 'fill'?",
    ),
    "no class": (
        ("--to", "v2.0", "--accept", "bodies"),
        "--accept bodies: 'bodies' is no snippet of the plan and no class\n  mend: did you mean 'body'?",
    ),
    "an id that is nobody's, with a selector": (
        ("--to", "v2.0", "--accept", "jar=kit.jar:Jar"),
        "--accept jar=kit.jar:Jar: 'jar' is no snippet",
    ),
    "no selector": (("--to", "v2.0", "--accept", "fill=kit jar"), "--accept fill=…: 'kit jar' is no selector"),
    "two selectors": (("--to", "v2.0", "--accept", "fill=kit:a", "fill=kit:b"), "says two selectors for 'fill'"),
    "what is the same": (
        ("--to", "v2.0", "--accept", "sizes"),
        "--accept sizes: nothing of it is to be accepted: it is the same there",
    ),
    "what is moved": (
        ("--to", "v2.0", "--accept", "tare"),
        "--accept tare: nothing of it is to be accepted: it is taken as it is (moved)",
    ),
    "another selector for what is clean": (
        ("--to", "v2.0", "--accept", "sizes=kit.jar:Jar"),
        "same there\n  mend: leave it out; to quote something else, edit its definition at snippets/kit.yaml:3:",
    ),
    "a report without a form": (("--report", "r.txt"), "--report r.txt: its name says no form"),
    "a report that is a folder": (
        ("--report", "docs.md"),
        "--report docs.md: it is a folder\n  mend: name a file in it",
    ),
    "a report in no folder": (("--report", "no/r.md"), "--report no/r.md: there is no such folder"),
    "nobody to ask": (("--interactive",), "--interactive needs a terminal"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_said_and_nothing_is_written(docs, run, tmp_path, name):
    arguments, said = BAD[name]
    root = docs()
    jars.wheel(root, "1.0", "jam", {"jam/__init__.py": ""})
    (root / "docs.md").mkdir()

    assert said in refused(run, root, *arguments)


def test_a_class_that_nothing_is_of_is_a_note(docs, run):
    root = docs(SAFE_IDS)

    code, found = plan(run, root, "--to", "v2.0", "--accept", "body")

    assert (code, found["notes"]) == (0, ["--accept body: nothing is body"])


def test_a_selector_that_finds_nothing_is_not_accepted(docs, run):
    root = docs(("seal",))

    code, found = plan(run, root, "--to", "v2.0", "--accept", "seal=kit.lids:seel")

    assert (code, verdicts(found)) == (1, {"seal": ("removed", "blocked")})
    assert found["snippets"][0]["details"][0] == "no symbol 'seel' in kit/lids.py"
    assert "kit/lids.py:10  kit.lids:seal#1" in found["snippets"][0]["details"]  # the nearest names


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("3.0", r"kit has no release 3.0\n    the latest it has: 1.0, (1.1, )?2.0\n"),  # older pips list it
        ("1.1", "was yanked"),
    ],
)
def test_a_release_that_is_not_to_be_had(released, run, tmp_path, monkeypatch, target, said):
    root = released(SAFE_IDS)
    index = tmp_path / "simple" / "kit"
    index.mkdir(parents=True)
    for version in RELEASES:
        path = jars.wheel(index, version)
        yanked = ' data-yanked="wrong numbers"' if version == "1.1" else ""
        with (index / "index.html").open("a") as file:
            file.write(f'<a href="{path.name}"{yanked}>{path.name}</a>\n')
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", index.parent.as_uri())

    assert re.search(said, refused(run, root, "--to", target))


def test_without_a_network_that_is_said(released, run, monkeypatch):
    root = released(SAFE_IDS)
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")

    assert "connect and run the same command" in refused(run, root, "--to", "1.1")


def test_a_repository_that_is_gone_is_said(docs, run, tmp_path):
    root = docs(SAFE_IDS)

    err = refused(run, root, "--to", "v1.1", "--upstream", str(tmp_path / "nowhere"))
    assert "nowhere" in err


def test_with_a_lock_that_proves_nothing_there_is_nothing_to_hold_it_against(docs, run, up):
    root = docs(SAFE_IDS)
    kept = (root / LOCK).read_text()

    (root / LOCK).write_text(kept.replace("kit.scale:tare", "kit.scale:tara"))
    assert "the lock was edited by hand" in refused(run, root, "--to", "v1.1")
    (root / LOCK).unlink()
    assert "nothing was accepted yet" in refused(run, root, "--to", "v1.1")
    (root / LOCK).write_text(kept)
    pin = (root / "pin.yaml").read_text()
    (root / "pin.yaml").write_text(pin.replace(up[1]["1.0"], up[1]["1.1"]))
    assert "the lock speaks of another pin than the pin file" in refused(run, root, "--to", "v2.0")
    assert "the lock speaks of another pin than the pin file" in refused(run, root, "--to", "v1.1")
    (root / "pin.yaml").write_text(pin)
    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0


def test_what_a_check_finds_comes_first(docs, run):
    root = docs(SAFE_IDS)
    text = (root / PAGES[0]).read_text(encoding="utf-8")

    (root / PAGES[0]).write_text(text + '\n```python snippet="nobody"\n```\n', encoding="utf-8")
    err = refused(run, root, "--to", "v1.1")
    assert "  docs/guide.md:27:11  SL111  no definition has the id 'nobody'\n" in err
    assert "`snippetlock check` says what to mend" in err
    (root / PAGES[0]).write_text(text, encoding="utf-8")
    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0


# Somebody's work


@pytest.fixture
def committed(docs):
    """Docs under version control, all of it committed."""

    def make(ids=GOOD):
        root = docs(ids)
        history = History(root)
        history.commit()
        return root

    return make


@pytest.mark.parametrize("name", ["pin.yaml", KIT, PAGES[0], PAGES[1]])
def test_a_move_does_not_mix_with_somebodys_work(committed, run, name):
    root = committed(SAFE_IDS)
    extra = "\n\nMore.\n" if name in PAGES else "\n# More.\n"
    with (root / name).open("a", encoding="utf-8") as file:
        file.write(extra)

    err = refused(run, root, "--to", "v1.1")
    assert f"  {name}\n  mend: commit or stash them, or mix them with the move: --dirty\n" in err
    assert run("bump", "--to", "v1.1", "--dry-run", cwd=root)[0] == 0
    assert run("bump", "--to", "v1.1", "--dirty", cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 0


def test_work_elsewhere_is_nobodys_business(committed, run):
    root = committed(SAFE_IDS)
    (root / "notes.txt").write_text("mine\n")

    assert run("bump", "--to", "v1.1", cwd=root)[0] == 0


def test_where_something_asks_nobody_is_told_to_commit_first(committed, run):
    root = committed()
    (root / "docs/new.md").write_text("# New\n")

    assert run("bump", "--to", "v2.0", cwd=root)[0] == 1


# At a terminal, and in reports


def answered(monkeypatch, *answers):
    """A terminal where somebody gives these answers."""
    from snippetlock.cli.console import Console

    left = list(answers)
    monkeypatch.setattr(Console, "can_ask", lambda self: True)
    monkeypatch.setattr(Console, "ask", lambda self, question: left.pop(0) if left else None)
    return left


def test_somebody_at_a_terminal_accepts_one_by_one(docs, run, monkeypatch):
    root = docs((*GOOD, "seal"))
    left = answered(monkeypatch, "c1", "a", "a", "a", "a")

    code, out, err = run("bump", "--to", "v2.0", "--interactive", cwd=root)

    assert (code, err, left) == (0, "", []), out
    assert "seal:\n  source: kit.lids:seal#1\n" in (root / KIT).read_text()
    assert "(1 of 5) to do  ambiguous  seal" in out
    assert out.count("  seal  snippets/kit.yaml") == out.count("  fill  snippets/kit.yaml") == 1
    assert "accepted, signature: fill\n" in out
    assert run("check", cwd=root)[0] == 0


@pytest.mark.parametrize(("answers", "code"), [(("a", "a", "s", "a"), 1), (("a", "a", "a", "q"), 1), ((), 1)])
def test_who_skips_or_quits_writes_nothing(docs, run, monkeypatch, answers, code):
    root = docs()
    before = state(root)
    answered(monkeypatch, *answers)

    assert run("bump", "--to", "v2.0", "--interactive", cwd=root)[0] == code
    assert changed(before, state(root)) == set()


def test_who_has_skipped_all_sees_it_once(docs, run, monkeypatch):
    root = docs((*GOOD, "seal"))
    answered(monkeypatch, *"sssss")

    code, out, _ = run("bump", "--to", "v2.0", "--interactive", cwd=root)

    assert code == 1
    head, _, tail = out.rpartition("(5 of 5)")
    assert [out.count(f"  {name}  snippets/kit.yaml") for name in ("seal", *ASK)] == [1] * 5
    assert "to do, ambiguous: seal\nlook, renamed: lid\nlook, signature: fill\nlook, body: drain\n" in tail
    assert tail.endswith("nothing was written, and nothing will be before all of that is done or accepted\n")
    assert "--accept" not in out
    assert "  mend: look at it, then `a` takes kit.lids:cover\n" in head
    assert "  mend: say which is meant, like `c1`; or delete its directives" in head


def test_where_nothing_asks_nobody_is_asked(docs, run, monkeypatch):
    root = docs(SAFE_IDS)
    answered(monkeypatch)

    assert run("bump", "--to", "v1.1", "--interactive", cwd=root)[0] == 0
    assert run("bump", "--to", "v1.1", "--interactive", cwd=root)[1].startswith("nothing to move")


@casefile.each("bump.case")
def test_the_report_is_as_reviewers_see_it(docs, run, golden, case):
    root = docs(tuple(case["snippets"].split()))
    report = root.parent / "report.md"

    code, out, err = run(*case["input"].split(), "--report", report, cwd=root)

    assert (code, err) == (int(case["exit"]), "")
    golden(case, out, "text")
    golden(case, report.read_text(encoding="utf-8"), "report")


def test_a_report_is_written_whatever_comes_of_it_and_in_both_forms(docs, run, tmp_path):
    root = docs()
    places = [tmp_path / f"report.{end}" for end in ("md", "json")]

    for arguments, code in (((), 1), (("--dry-run",), 1), (("--accept", *ASK), 0)):
        for place in places:
            assert run("bump", "--to", "v2.0", *arguments, "--report", place, cwd=root)[0] == code
        assert places[0].read_text(encoding="utf-8") != ""
        json.loads(places[1].read_text(encoding="utf-8"))
    assert places[0].read_text(encoding="utf-8").startswith("## The pin moves: ")
    found = json.loads(places[1].read_text(encoding="utf-8"))
    assert found["settled"] is True


def test_a_report_that_cannot_be_written_keeps_nobody_from_hearing_of_the_move(docs, run, monkeypatch, tmp_path):
    root = docs()
    monkeypatch.setattr("snippetlock.lock.replace_file", lambda path, data: (_ for _ in ()).throw(OSError(28, "full")))

    code, out, err = run("bump", "--to", "v2.0", "--accept", *ASK, "--report", tmp_path / "r.md", cwd=root)

    assert (code, out.endswith(f"wrote {KIT}, pin.yaml, {LOCK}\n")) == (2, True)
    assert err == (
        f"snippetlock: {tmp_path}/r.md: the report cannot be written: full\n  mend: name a file that can be written\n"
    )
    assert run("check", cwd=root)[0] == 0


def test_pages_are_linked_where_github_says_they_are(docs, run, monkeypatch, tmp_path):
    root = docs()
    for name, value in {"SERVER_URL": "https://host", "REPOSITORY": "owner/docs", "SHA": "abc"}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)

    run("bump", "--to", "v2.0", "--report", tmp_path / "r.md", cwd=root)

    said = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "](https://host/owner/docs/blob/abc/docs/guide.zh.md?plain=1#L27)" in said
