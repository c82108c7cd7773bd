"""`snippetlock drift` on repositories that the tests make: one state against another, class by class."""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from sarif import faults
from upstream import CORE, START, core, library, project

ROOT = Path(__file__).parents[2]


@pytest.fixture
def up(repo, monkeypatch, tmp_path):
    """The library's repository at its first commit."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SNIPPETLOCK_UPSTREAM", raising=False)
    return library(repo)[0]


@pytest.fixture
def docs(up, tmp_path):
    """The docs project, pinned to the first commit."""
    return project(tmp_path / "docs", str(up.folder), up.git("rev-parse", "HEAD"))


def classes(run, docs, *arguments) -> tuple[int, dict[str, str]]:
    code, said, err = run("drift", "--format", "json", *arguments, cwd=docs)
    found = json.loads(said)
    assert (err, found["exit"]) == ("", code)
    return code, {one["id"]: one["class"] for one in found["snippets"] if one["class"] != "same"}


MOVED = {
    "src/kit/core.py": CORE.split("\n\ndef weigh")[0],
    "src/kit/scale.py": "def weigh" + CORE.split("def weigh")[1],
}
EXPORTS = {"src/kit/__init__.py": "from kit.core import Shelf as Shelf\nfrom kit.scale import weigh as weigh\n"}
TWICE = "\n\nif SIZES:\n    def weigh(things):\n        return 0\nelse:\n    def weigh(things):\n        return 1\n"
LONG = "def weigh(\n    things: list[str],\n    unit: float = 1.0,\n) -> float:"
SHORT = "def weigh(things: list[str], unit: float = 1.0) -> float:"
WITHOUT = CORE.split("\n\ndef weigh")[0]
CHANGES = [
    (core("len(thing) for", "len(thing) + 1 for"), {"weigh": "body"}, 1),
    (core("unit: float = 1.0", "unit: float = 2.0"), {"weigh": "signature"}, 1),
    (core("*, at: int = 0", "at: int = 0"), {"put": "signature"}, 1),
    (core("SIZES = [1, 2, 4]", "SIZES = [1, 2, 8]"), {"sizes": "body"}, 1),
    (core("# From the left.", "# From the right."), {"put": "comment"}, 0),
    (core(SHORT, LONG), {"weigh": "layout"}, 0),
    ({**MOVED, **EXPORTS}, {"weigh": "moved"}, 0),
    (
        {**core("def weigh", "def weight"), "src/kit/__init__.py": "from kit.core import Shelf\n"},
        {"weigh": "renamed"},
        1,
    ),
    ({"src/kit/core.py": WITHOUT, "src/kit/__init__.py": "from kit.core import Shelf\n"}, {"weigh": "removed"}, 1),
    ({"src/kit/core.py": WITHOUT + TWICE}, {"weigh": "ambiguous"}, 1),
    (core("return sum(", "return sum(("), {"weigh": "unreadable"}, 1),
    (core("SIZES = [1", "\n\nSIZES = [1"), {}, 0),
    ({"src/kit/other.py": "def unrelated() -> int:\n    return 1\n", "README.md": "Another.\n"}, {}, 0),
]


@pytest.mark.parametrize(("files", "want", "exit"), CHANGES)
def test_each_class_against_main(up, docs, run, files, want, exit):
    up.commit(files, "Change something")

    assert classes(run, docs) == (exit, want)
    assert classes(run, docs) == (exit, want), "from the cache"
    if want and "unreadable" not in want.values():
        code, back = classes(run, docs, "--from", "main", "--to", "main~1")
        assert set(back) == set(want), "the way back is a change of the same snippets"
        assert (code, back.get("weigh") == "appears") == ((0, True) if "removed" in want.values() else (exit, False))


def test_the_text_report_shows_old_and_new_with_the_changed_words_marked(up, docs, run):
    old = up.git("rev-parse", "HEAD")[:10]
    new = up.commit(core("at: int = 0", "at: int = 1"), "Start at one")[:10]
    code, text, err = run("drift", cwd=docs)

    assert (code, err) == (1, "")
    assert text.startswith(f"kit {old} (the pin) → main {new}\n\nsignature  put  snippets/kit.yaml:1:1\n")
    assert (
        "    - def put(self, thing: str, *, at: int = 0) -> int:\n"
        "                                             ^\n"
        "    + def put(self, thing: str, *, at: int = 1) -> int:\n"
        "                                             ^\n"
    ) in text
    assert "  shown by: docs/index.md:3:11, docs/index.zh.md:3:11\n" in text
    assert text.endswith("\n3 snippets: 1 signature, 2 same; 1 fails\n")


def test_nothing_changed_is_said_in_one_line(up, docs, run):
    short = up.git("rev-parse", "HEAD")[:10]
    run("update", cwd=docs)

    assert run("drift", cwd=docs) == (0, f"kit {short} (the pin) → main {short}\n\n3 snippets: 3 same\n", "")


FIRST = "run `snippetlock check` first"
LOCK = "snippets/snippets.lock"


def noted(run, docs, *arguments) -> str:
    """The note of a comparison; the text says it in a line of its own, or not at all."""
    code, said, _ = run("drift", "--format", "json", *arguments, cwd=docs)
    note = json.loads(said)["note"]
    text = run("drift", *arguments, cwd=docs)
    assert (code, [line for line in text[1].split("\n") if line.startswith("note:")]) == (
        text[0],
        [f"note: {note}"] if note else [],
    )
    return note


def test_what_was_never_accepted_is_no_measure_and_is_said(up, docs, run):
    assert noted(run, docs) == f"nothing was accepted yet: there is no {LOCK}; {FIRST}"
    run("update", cwd=docs)
    assert noted(run, docs) == ""

    definitions = (docs / "snippets/kit.yaml").read_text()
    (docs / "snippets/kit.yaml").write_text(definitions + "shelf:\n  source: kit:Shelf\n")
    assert noted(run, docs) == f"1 snippet was never accepted as at the pin: shelf; {FIRST}"
    assert noted(run, docs, "--only", "weigh") == ""
    (docs / "snippets/kit.yaml").write_text(definitions.replace("kit:weigh", "kit:weigh\n  show: signature"))
    assert noted(run, docs) == f"1 snippet was never accepted as at the pin: weigh; {FIRST}"
    (docs / "snippets/kit.yaml").write_text(definitions.replace("kit:weigh", "kit.core:weigh"))
    assert noted(run, docs) == f"1 snippet was never accepted as at the pin: weigh; {FIRST}"


def test_a_pin_that_moved_on_shows_what_nobody_accepted(up, docs, run):
    run("update", cwd=docs)
    old = up.git("rev-parse", "HEAD")
    new = up.commit(core("# From the left.", "# From the right.", core("1.0", "2.0")["src/kit/core.py"]))
    (docs / "pin.yaml").write_text((docs / "pin.yaml").read_text().replace(old, new))

    assert classes(run, docs) == (0, {})
    assert noted(run, docs) == f"2 snippets were never accepted as at the pin: put, weigh; {FIRST}"
    assert noted(run, docs, "--from", old, "--to", "main") == "", "a state that nobody calls accepted"
    assert noted(run, docs, "--from", "main", "--to", "pin") == ""


def test_a_lock_that_proves_nothing_is_said(up, docs, run):
    run("update", cwd=docs)
    lock = docs / LOCK
    whole = lock.read_text()
    lock.write_text(whole.replace("source: kit:weigh", "source: kit:weight"))
    assert lock.read_text() != whole
    assert noted(run, docs) == f"{LOCK} was edited by hand, so nothing says what was accepted: {FIRST}"
    lock.write_text("[")
    assert noted(run, docs) == f"{LOCK} cannot be read, so nothing says what was accepted: {FIRST}"
    lock.write_text(whole)
    assert noted(run, docs) == ""


def test_a_note_names_twenty_and_counts_the_others(up, docs, run):
    run("update", cwd=docs)
    more = "".join(f"more-{number:02}:\n  source: kit.core:SIZES\n" for number in range(23))
    (docs / "snippets/kit.yaml").write_text((docs / "snippets/kit.yaml").read_text() + more)
    names = ", ".join(f"more-{number:02}" for number in range(20))

    assert noted(run, docs) == f"23 snippets were never accepted as at the pin: {names} and 3 more; {FIRST}"


def test_only_asks_for_some_and_refuses_what_nobody_defined(up, docs, run):
    up.commit({**core("len(thing) for", "len(thing) + 1 for"), "src/kit/__init__.py": "import kit.core\n"})

    assert classes(run, docs, "--only", "sizes") == (0, {})
    assert classes(run, docs, "--only", "sizes", "weigh")[0] == 1
    code, _, err = run("drift", "--only", "siezs", cwd=docs)
    assert (code, err) == (2, "snippetlock: no snippet 'siezs' is defined\n  mend: did you mean 'sizes'?\n")


@pytest.mark.parametrize(
    ("form", "begun"),
    [("text", ""), ("markdown", ""), ("sarif", '{\n  "$schema"'), ("junit", "<?xml version=")],
)
def test_what_cannot_be_compared_is_said_beside_the_output(up, docs, run, form, begun):
    code, out, err = run("drift", "--only", "siezs", "--format", form, cwd=docs)

    assert (code, err.partition("\n")[0]) == (2, "snippetlock: no snippet 'siezs' is defined")
    assert out.startswith(begun)
    assert (out.count("no snippet 'siezs' is defined") == 1) == bool(out) == bool(begun)


def test_the_policy_is_the_projects_or_the_command_lines(up, docs, run):
    up.commit(core("len(thing) for", "len(thing) + 1 for"))

    assert classes(run, docs)[0] == 1
    assert classes(run, docs, "--fail-on", "removed,renamed")[0] == 0
    assert classes(run, docs, "--fail-on", "none")[0] == 0
    (docs / "pyproject.toml").write_text('[tool.snippetlock]\nlanguages = ["en", "zh"]\nfail-on = ["removed"]\n')
    assert classes(run, docs)[0] == 0
    assert classes(run, docs, "--fail-on", "body")[0] == 1
    code, _, err = run("drift", "--fail-on", "bdy", cwd=docs)
    assert code == 2
    assert "argument --fail-on: 'bdy' is no class that can fail; did you mean body? there are unreadable, " in err
    _, _, err = run("drift", "--fail-on", "bdy,x,bdy,remved", cwd=docs)
    assert ": 'bdy' and 'x' and 'remved' are no classes that can fail; did you mean body and removed? there are " in err
    _, _, err = run("drift", "--fail-on", "none,body", cwd=docs)
    assert ": 'none' is no class that can fail; it stands alone; there are " in err


def test_states_are_revisions_folders_and_wheels(up, docs, run, tmp_path):
    up.git("tag", "v1")
    second = up.commit(core("len(thing) for", "len(thing) + 1 for"))
    want = {"weigh": "body"}

    assert classes(run, docs, "--against", second[:8]) == (1, want)
    assert classes(run, docs, "--against", "v1") == (0, {})
    assert classes(run, docs, "--from", "v1", "--to", "main") == (1, want)
    assert classes(run, docs, "--from", "main", "--to", "pin") == (1, want)
    assert classes(run, docs, "--against", str(up.folder)) == (1, want), "a checkout's root is found"
    assert classes(run, docs, "--against", "../up/src") == (1, want)
    wheel = shutil.make_archive(str(tmp_path / "kit-1-py3-none-any"), "zip", up.folder / "src")
    shutil.move(wheel, tmp_path / "kit-1-py3-none-any.whl")
    assert classes(run, docs, "--against", "../kit-1-py3-none-any.whl") == (1, want)
    assert classes(run, docs, "--from", "../kit-1-py3-none-any.whl", "--to", "main") == (0, {})


BESIDE = "for the file or folder of this name write ./docs"
PLACE = "name a checkout's top folder, a bare repository, or a URL"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--against", "mian"], "no revision 'mian' in {up}; did you mean 'main'?"),
        (["--against", ""], "not a revision: '': an empty name; name one branch, tag or commit"),
        (["--against", "a..b"], "not a revision: 'a..b': it names a range; name one branch, tag or commit"),
        (["--against", "docs"], f"no revision 'docs' in {{up}}; {BESIDE}"),
        (["--upstream", "docs"], f"docs is not a repository; {PLACE}"),
        (["--upstream", "gone"], f"gone does not exist; {PLACE}"),
    ],
)
def test_a_repository_or_revision_that_is_not_there_is_one_line_and_2(up, docs, run, arguments, said):
    code, out, err = run("drift", *arguments, cwd=docs)

    assert (code, out) == (2, "")
    assert err == f"snippetlock: could not compare: {said.format(up=up.folder, docs=docs)}\n"


def test_a_url_that_refuses_is_one_line_and_2(up, docs, run):
    code, out, err = run("drift", "--upstream", "https://127.0.0.1:9/kit.git", cwd=docs)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("snippetlock: could not compare: https://127.0.0.1:9/kit.git cannot be reached (")
    code, out, _ = run("drift", "--upstream", "https://127.0.0.1:9/kit.git", "--format", "json", cwd=docs)
    assert (code, json.loads(out)["error"]["kind"]) == (2, "RepositoryError")


def test_an_ambiguous_revision_lists_what_it_could_be(up, docs, run):
    up.git("tag", "main", up.git("rev-parse", "HEAD"))
    up.commit({"README.md": "New.\n"})
    code, _, err = run("drift", "--against", "main", cwd=docs)

    assert code == 2
    assert err.startswith(
        f"snippetlock: could not compare: 'main' names several things in {up.folder} (refs/heads/main"
    )


@pytest.mark.parametrize(
    "arguments", [["--from", "main"], ["--to", "main"], ["--from", "a", "--to", "b", "--against", "c"]]
)
def test_half_a_comparison_is_refused(up, docs, run, arguments):
    code, _, err = run("drift", *arguments, cwd=docs)

    assert (code, err) == (
        2,
        "snippetlock: two states are compared\n  mend: give --against, or --from and --to, or nothing\n",
    )


def test_what_is_gone_with_its_package_is_gone_whichever_snippets_are_asked_for(up, docs, run):
    weigh = CORE[CORE.index("def weigh") :]
    files = dict.fromkeys(("src/kit/__init__.py", "src/kit/core.py", "src/kit/other.py"))
    up.commit({**files, "src/tins/__init__.py": "", "src/tins/core.py": weigh}, "Another package")

    assert classes(run, docs) == (1, {"put": "removed", "sizes": "removed", "weigh": "moved"})
    assert classes(run, docs, "--only", "put", "sizes") == (1, {"put": "removed", "sizes": "removed"})
    up.commit({"src/tins/core.py": "x = 1\n"}, "All gone")
    for only in ((), ("--only", "put", "sizes")):
        code, _, err = run("drift", *only, cwd=docs)
        assert (code, "has no 'kit': nothing to compare with" in err) == (2, True)


def test_a_state_without_the_library_is_no_state_of_it(up, docs, run, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, err = run("drift", "--against", "../empty", cwd=docs)

    assert (code, err) == (
        2,
        "snippetlock: ../empty has no 'kit': nothing to compare with\n"
        "    nothing that the definitions take is there under any name (3 looked for)\n"
        "  mend: name the folder that holds the packages, or set `root` of the pin's repository; "
        "where the library did remove them, so do the definitions that take from them\n",
    )
    code, _, err = run("drift", "--against", "./nowhere", cwd=docs)
    assert (code, err.partition("\n")[0]) == (2, "snippetlock: there is no folder ./nowhere")


def test_what_the_old_state_does_not_have_is_said_and_the_rest_goes_on(up, docs, run):
    up.commit({"src/kit/new.py": "def late() -> int:\n    return 1\n"})
    (docs / "snippets/late.yaml").write_text("late:\n  source: kit.new:late\n")
    code, text, _ = run("drift", "--from", "main~1", "--to", "main", cwd=docs)

    old, new = (up.git("rev-parse", name)[:10] for name in ("main~1", "main"))
    assert code == 0
    assert (
        "appears  late  snippets/late.yaml:1:1\n"
        f"  not in main~1 {old} (no module 'kit.new' in the tree): first appears in main {new}, kit/new.py:1-2\n"
    ) in text
    assert text.endswith("\n\n4 snippets: 1 appears, 3 same\n")
    assert run("drift", "--from", "main~1", "--to", "main", "--fail-on", "appears", cwd=docs)[0] == 1
    assert run("drift", "--from", "main", "--to", "main", cwd=docs)[0] == 0
    (docs / "snippets/late.yaml").write_text("late:\n  source: kit.new:latr\n")
    code, text, _ = run("drift", "--from", "main~1", "--to", "main", "--only", "late", cwd=docs)
    assert code == 1
    assert (
        f"  neither in main~1 {old} nor in main {new}: no module 'kit.new' in the tree; "
        "kit/new.py: no symbol 'latr' in kit/new.py\n"
    ) in text


WEIGH = "def weigh" + CORE.split("def weigh")[1]
AWAY = {
    "src/kit/core.py": CORE.split("\n\n\ndef weigh")[0] + "\n",
    "src/kit/__init__.py": START["src/kit/__init__.py"].replace("from kit.core import weigh as weigh\n", ""),
}
BROKEN = {
    "a bracket that is open where it went": (
        {**AWAY, "src/kit/away.py": f"{WEIGH}\n\nY = [1,\n"},
        "kit/away.py:5: the bracket opened here is not closed",
    ),
    "in its own statement": (
        {**AWAY, "src/kit/away.py": WEIGH.replace("return sum", "return return sum")},
        "kit/away.py:2: the grammar of this statement is not understood",
    ),
    "no text": (
        {**AWAY, "src/kit/away.py": WEIGH.encode() + b"# caf\xe9\n"},
        "kit/away.py:3: not UTF-8: byte 0xe9 at offset 117",
    ),
    "where it was": (
        {**AWAY, "src/kit/core.py": AWAY["src/kit/core.py"] + "\n\ndef broken():\n    return return\n"},
        "kit/core.py:22: the grammar of this statement is not understood",
    ),
    "a bracket beside what did not change": (
        {"src/kit/core.py": f"{CORE}\n\nY = [1,\n"},
        "kit/core.py:25: the bracket opened here is not closed",
    ),
}
SOUND = {
    "moved": {**AWAY, "src/kit/away.py": WEIGH},
    "changed": core("len(thing) for", "len(thing) + 1 for", f"{CORE}\n\ntype Cup[T] = list[T]\n"),  # newer than 3.11
    "found beside a statement that nobody understands": core(
        "len(thing) for", "len(thing) + 1 for", f"{CORE}\n\ndef broken():\n    return return\n"
    ),
    "broken where nothing was looked for": {"src/kit/away.py": "Y = [1,\n"},
    "binary": {**AWAY, "src/kit/away.bin": b"\xff\x00"},
}


def note(run, docs):
    """The note of a comparison; it is the same when nothing is looked at anew."""
    found = []
    for _ in range(2):
        _, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
        found.append(json.loads(said)["note"])
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_does_not_parse_where_something_was_looked_for_is_said_once(name, up, docs, run):
    files, wrong = BROKEN[name]
    new = up.commit(files)[:10]

    said = f"1 file of main {new} does not parse, and what else is there may be missed: {wrong}"
    assert note(run, docs) == said
    _, text, _ = run("impact", "--docs", str(docs), "--base", "main~1", cwd=up.folder)
    assert text.count(said.partition(" parse")[2]) == 1


@pytest.mark.parametrize("name", SOUND)
def test_of_files_that_parse_and_of_those_nobody_looked_into_nothing_is_said(name, up, docs, run):
    up.commit(SOUND[name])

    assert note(run, docs) == ""


PLACE, INSERT = "place = at + self.depth\n        ", "self.things.insert(place, thing)\n        "


@pytest.mark.parametrize(
    ("view", "new", "lost"),
    [
        ("from: place = $_", "spot = at\n        ", True),
        ("from: place = $_\n  to: self.things.insert($*_)", f"{INSERT}{PLACE}", True),
        ("match: place = $_", "spot = at\n        ", True),
        ("match: place = $_\n  count: 1", "place = at\n        ", False),
    ],
)
def test_where_the_part_that_is_shown_is_gone_the_patterns_are_to_be_mended(view, new, lost, up, docs, run):
    (docs / "snippets/kit.yaml").write_text(f"put:\n  source: kit:Shelf.put\n  {view}\n")
    up.commit(core(PLACE + INSERT, new + (INSERT if INSERT not in new else "")))
    _, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
    found = json.loads(said)["snippets"][0]

    assert found["class"] == "body"
    assert found["mend"].startswith("it is there, what its patterns take is not:") == lost


def test_what_means_several_things_in_the_old_state_is_ambiguous_and_says_what_it_is_in_the_new_one(up, docs, run):
    twice = "def pour(cup):\n    fill(cup)\n    return cup\n"
    up.commit({"src/kit/two.py": twice + "\n\ndef pour(cup, by):\n    fill(cup)\n    fill(by)\n"}, "Two")
    up.commit({"src/kit/two.py": twice}, "One")
    up.commit({"src/kit/two.py": None}, "None")
    fills = "fills:\n  source: kit.two:pour#2\n  match: fill($_)\n  count: 1\n"
    (docs / "snippets/two.yaml").write_text(f"pour:\n  source: kit.two:pour\n{fills}")

    def said(new, code):
        got, text, _ = run("drift", "--from", "main~2", "--to", new, "--only", "pour", "fills", cwd=docs)
        assert got == code
        return [line.strip() for line in text.split("\n") if "already:" in line or line.startswith("ambiguous")]

    two, one, none = (up.git("rev-parse", name)[:10] for name in ("main~2", "main~1", "main"))
    name = "'pour' names 2 things in kit/two.py: kit.two:pour#1 (kit/two.py:1), kit.two:pour#2 (kit/two.py:6)"
    match = "kit/two.py:6: `match` fits 2 statements, and `count` says 1"
    heads = ["ambiguous  fills  snippets/two.yaml:3:1", "ambiguous  pour  snippets/two.yaml:1:1"]
    told = [f"at main~2 {two} already: {match}; at ", f"at main~2 {two} already: kit/two.py:1: {name}; at "]
    gone = f"main {none}: no module 'kit.two' in the tree"
    lost = f"main~1 {one}: kit/two.py:1: no symbol 'pour#2' in kit/two.py"
    assert said("main~1", 1) == [
        heads[0], f"{told[0]}{lost}", heads[1], f"{told[1]}main~1 {one} it is one, kit/two.py:1-3"
    ]  # fmt: skip
    assert said("main", 1) == [heads[0], f"{told[0]}{gone}", heads[1], f"{told[1]}{gone}"]
    assert [line.rpartition("; ")[2] for line in said("main~2", 1)[1::2]] == [f"at main~2 {two} too"] * 2
    assert run("drift", "--from", "main~1", "--to", "main~1", "--only", "pour", cwd=docs)[0] == 0


def test_what_had_another_name_in_the_old_state_is_compared_with_that(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.core:heft\nput:\n  source: kit.core:Shelf.put\n")
    up.commit(core("len(thing) for", "len(thing) + 1 for"), "Heavier")
    heavy = CORE.replace("len(thing) for", "len(thing) + 1 for")
    init = START["src/kit/__init__.py"].replace("weigh", "heft")
    up.commit({**core("def weigh(", "def heft(", heavy), "src/kit/__init__.py": init}, "Rename")
    code, said, _ = run("drift", "--from", "main~2", "--to", "main", "--blame", "--format", "json", cwd=docs)
    found = {one["id"]: one for one in json.loads(said)["snippets"]}
    heft = found["heft"]

    assert code == 1
    assert (heft["class"], found["put"]["class"]) == ("renamed", "same")
    assert heft["details"][0] == f"it was kit.core:weigh at main~2 {up.git('rev-parse', 'main~2')[:10]}"
    assert (heft["old"]["first"], heft["new"]["first"]) == (21, 21)
    assert "+ 1" not in heft["old"]["text"]
    assert heft["commit"]["subject"] == "Rename"
    assert heft["mend"] == "nothing to write: the definition has the new name already"


def test_what_is_known_to_be_the_same_is_not_taken_for_its_twin(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.core:heft\nput:\n  source: kit.core:Shelf.put\n")
    twin = f"{CORE[CORE.index('def weigh(') :]}"
    up.commit({"src/kit/twin.py": twin}, "Copy")
    init = START["src/kit/__init__.py"].replace("weigh", "heft")
    renamed = {**core("def weigh(", "def heft("), "src/kit/__init__.py": init, "src/kit/twin.py": f"# More.\n{twin}"}
    up.commit(renamed, "Rename")
    code, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
    heft = next(one for one in json.loads(said)["snippets"] if one["id"] == "heft")

    assert (code, heft["class"], heft["new"]["path"]) == (1, "renamed", "kit/core.py")
    assert heft["details"][0].startswith("it was kit.core:weigh at main~1 ")
    assert [one["selector"] for one in heft["candidates"]] == ["kit.core:heft"]


def test_what_only_resembles_something_in_another_file_appears(up, docs, run):
    weigh = CORE[CORE.index("def weigh(") :]
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.heavy:heft\nhoist:\n  source: kit.heavy:hoist\n")
    other = weigh.replace("def weigh(", "def hoist(").replace("len(thing) for", "len(thing) + 1 for")
    heavy = f"{weigh.replace('def weigh(', 'def heft(')}\n\n{other}"
    up.commit({"src/kit/core.py": CORE.replace(weigh, ""), "src/kit/heavy.py": heavy}, "Move and rename")
    code, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
    found = {one["id"]: one for one in json.loads(said)["snippets"]}

    assert (code, found["heft"]["class"], found["hoist"]["class"]) == (1, "renamed", "appears")
    assert found["heft"]["details"][0].startswith("it was kit.core:weigh at main~1 ")


def test_a_view_that_does_not_fit_yet_appears_too(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("shelf:\n  source: kit.core:Shelf\n  show: skeleton\n  keep: [put, take]\n")
    up.commit(core("        return place\n", "        return place\n\n    def take(self) -> None:\n        pass\n"))
    code, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
    (found,) = json.loads(said)["snippets"]

    assert (code, found["class"]) == (0, "appears")
    assert "(kit/core.py:8: `keep` names no member of Shelf: 'take'): first appears in main " in found["details"][0]


def test_environment_and_option_name_another_repository(up, docs, run, repo, monkeypatch):
    other, _ = library(repo, "一个 副本")
    other.commit(core("len(thing) for", "len(thing) + 1 for"))

    assert classes(run, docs) == (0, {})
    monkeypatch.setenv("SNIPPETLOCK_UPSTREAM", str(other.folder))
    assert classes(run, docs) == (1, {"weigh": "body"})
    assert classes(run, docs, "--upstream", up.folder) == (0, {})


def test_a_url_is_mirrored_and_a_rewritten_branch_is_followed(up, docs, run):
    url = up.serve()
    first = up.git("rev-parse", "HEAD")
    up.commit(core("len(thing) for", "len(thing) + 1 for"))
    assert classes(run, docs, "--upstream", url) == (1, {"weigh": "body"})

    up.git("reset", "--quiet", "--hard", first)
    up.commit(core("SIZES = [1, 2, 4]", "SIZES = [1]"))
    assert classes(run, docs, "--upstream", url) == (1, {"sizes": "body"})


def test_a_pinned_commit_that_is_not_at_hand_is_fetched_with_the_state_it_is_compared_with(up, run, tmp_path):
    url = up.serve()
    docs = project(tmp_path / "far", url, up.git("rev-parse", "HEAD"))
    up.commit(core("len(thing) for", "len(thing) + 1 for"))
    code, said, err = run("check", cwd=docs)
    assert (code, "run `snippetlock pin fetch`" in said + err) == (2, True)
    assert classes(run, docs) == (1, {"weigh": "body"})

    other, gone = up.folder, tmp_path / "gone"
    shutil.rmtree(tmp_path / "cache")
    other.rename(gone)
    code, said, err = run("drift", cwd=docs)
    assert (code, said, url in err) == (2, "", True)
    code, said, err = run("drift", "--upstream", gone, cwd=docs)
    assert (code, said, "run `snippetlock pin fetch`" in err) == (2, "", True)


def test_odd_names_merges_and_renames_of_case_alone(up, docs, run, tmp_path):
    odd = "src/kit/数据/a'b.yaml"
    spaced = 'src/kit/数 据/a "b".py'
    up.commit({odd: "size: 1\n", spaced: "x = 1\n", "src/kit/Case.py": "def f():\n    return 1\n"})
    start = up.git("rev-parse", "HEAD")
    (docs / "snippets/odd.yaml").write_text(
        "odd:\n  source: kit/数据/a'b.yaml:size\ncase:\n  source: kit.Case:f\n", encoding="utf-8"
    )
    up.git("checkout", "--quiet", "-b", "side")
    up.commit({odd: "size: 2\n", spaced: "def f():\n    return 2\n"})
    up.git("checkout", "--quiet", "main")
    up.commit({"src/kit/Case.py": None, "src/kit/case.py": "def f():\n    return 1\n"})
    up.merge("side")

    assert classes(run, docs, "--from", start, "--to", "main") == (1, {"odd": "body", "case": "moved"})


def test_sarif_junit_markdown_and_github_say_the_same(up, docs, run):
    up.commit(core("unit: float = 1.0", "unit: float = 2.0"), "Heavier")
    up.commit(core("# From the left.", "# From the <right> | end ``` ]]>.", core("1.0", "2.0")["src/kit/core.py"]))
    run("update", cwd=docs)

    code, said, _ = run("drift", "--format", "github", cwd=docs)
    lines = said.split("\n")
    assert code == 1
    assert lines[0].startswith(
        "::error file=snippets/kit.yaml,line=5,col=1,title=SL202 drift-signature::'weigh' has another signature at "
    )
    assert lines[1].startswith(
        "::notice file=snippets/kit.yaml,line=1,col=1,title=SL209 drift-comment::'put' has other"
    )
    assert len(lines) == 4

    code, said, _ = run("drift", "--format", "sarif", cwd=docs)
    results = json.loads(said)["runs"][0]["results"]
    assert (code, [(r["ruleId"], r["level"]) for r in results]) == (1, [("SL202", "error"), ("SL209", "note")])
    assert faults(json.loads(said)) == []
    for command in ("check", "refs"):
        assert faults(json.loads(run(command, "--format", "sarif", cwd=docs)[1])) == []

    code, said, _ = run("drift", "--format", "junit", cwd=docs)
    suite = ET.fromstring(said).find("testsuite")
    assert (code, suite.get("tests"), suite.get("failures"), suite.get("errors")) == (1, "3", "1", "0")
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {"weigh": ["failure"], "put": ["system-out"], "sizes": []}

    code, said, _ = run("drift", "--format", "markdown", cwd=docs)
    assert code == 1
    assert said.startswith("### Drift: kit ")
    assert "| **signature** | `weigh` | `kit/core.py:21-22` | `kit/core.py:21-22` | docs/index.md:9:11<br>" in said
    assert "\n````diff\n" in said, "longer than any run of backticks inside"
    assert "\n```diff\n" in said


def test_links_lead_to_the_commit_where_the_repository_has_a_web_page(up, docs, run):
    new = up.commit(core("len(thing) for", "len(thing) + 1 for"))
    pin = docs / "pin.yaml"
    old = up.git("rev-parse", "HEAD~1")
    where = f"repository:\n  url: https://github.com/x/kit\n  root: src\n  commit: {old}\n"
    pin.write_text(f"name: kit\nfolder: {up.folder}/src\n{where}")
    _, said, _ = run("drift", "--format", "json", "--from", old, "--to", new, "--upstream", up.folder, cwd=docs)
    found = json.loads(said)["snippets"][0]

    assert found["old"]["link"] == f"https://github.com/x/kit/blob/{old}/src/kit/core.py#L21-L22"
    assert found["new"]["link"] == f"https://github.com/x/kit/blob/{new}/src/kit/core.py#L21-L22"


def test_make_compares_only_where_it_is_told_to():
    def recipe(*arguments: str) -> list[str]:
        done = subprocess.run(["make", "-n", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.split("\n") if "snippetlock drift" in line]

    assert recipe("docs") == []
    assert recipe("docs", "AGAINST=main") == [".venv/bin/snippetlock drift --against 'main'"]
    assert recipe("drift") == [".venv/bin/snippetlock drift "]
    assert recipe("drift", "AGAINST=v1") == [".venv/bin/snippetlock drift --against 'v1'"]


@pytest.mark.parametrize("replay", [False, True])
def test_a_project_that_defines_nothing_is_no_clean_comparison(run, docs, replay):
    command = ("replay", "--to", "HEAD") if replay else ("drift", "--against", "HEAD")
    assert run(*command, cwd=docs)[0] == 0
    (docs / "snippets/kit.yaml").rename(docs / "kit.yaml")
    code, said, err = run(*command, cwd=docs)

    assert (code, said) == (2, "")
    assert "snippets: no snippet is defined in this folder\n" in err


def test_a_folder_says_which_commit_it_is_of_and_whether_it_differs(up, docs, run):
    commit = up.git("rev-parse", "HEAD")
    clean = f"(at {commit[:10]})"
    dirty = f"(at {commit[:10]}, with uncommitted changes)"
    pin = docs / "pin.yaml"
    pin.write_text(f"name: kit\nfolder: {up.folder}\nrepository:\n  url: {up.folder}\n  root: src\n")

    assert run("pin", cwd=docs)[1].endswith(f"state   at hand, {clean[1:-1]}\n")
    code, text, _ = run("drift", "--from", up.folder, "--to", up.folder, cwd=docs)
    assert (code, text.partition("\n")[0]) == (0, f"{up.folder} {clean} → {up.folder} {clean}")
    up.write({"README.md": "Beside the packages.\n"})
    assert run("pin", cwd=docs)[1].endswith(f"state   at hand, {clean[1:-1]}\n")

    up.write(core("len(thing) for", "len(thing) + 1 for"))
    assert run("pin", cwd=docs)[1].endswith(f"state   at hand, {dirty[1:-1]}\n")
    code, text, _ = run("drift", "--from", "main", "--to", up.folder, cwd=docs)
    assert (code, text.partition("\n")[0]) == (1, f"main {commit[:10]} → {up.folder} {dirty}")
    code, text, _ = run("drift", "--format", "json", cwd=docs)
    found = json.loads(text)
    assert (code, found["old"]["label"]) == (1, f"kit (the pin, {dirty[1:]}")
    assert found["old"]["folder"] == {"commit": commit, "dirty": True}
    assert "folder" not in found["new"]


def test_paths_have_spaces_quotes_commas_and_chinese_in_them(repo, tmp_path, run, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "ca che"))
    history = repo("my 库 \"q\" 'a', 100%")
    folder = "src dir/kit/my dir, \"quoted\" 'x' 编译"
    odd = {f"src dir/kit/{name}.yaml": "a: 1\n" for name in ("new\nline", "tab\there", "back\\slash")}
    files = {
        "src dir/kit/__init__.py": "",
        f"{folder}/算 子.yaml": "key:\n  a: 1\n",
        f"{folder}/c.py": "def g():\n    pass\n",
    }
    first = history.commit({**files, **odd}, "Start")
    history.commit({f"{folder}/算 子.yaml": "key:\n  a: 2\n", "src dir/kit/new\nline.yaml": "a: 2\n"}, "Change")
    history.git("mv", f"{folder}/算 子.yaml", "src dir/kit/另 一个.yaml")
    history.commit({}, "Move")
    docs, path = tmp_path / "文 档", folder.removeprefix("src dir/")
    sources = {"y": f"{path}/算 子.yaml:key", "g": f"{path}/c.py:g"}
    text = "".join(f"{name}:\n  source: {json.dumps(source)}\n" for name, source in sources.items())
    project(docs, "..", first, "")
    (docs / "snippets/kit.yaml").unlink()
    (docs / "snippets/a b,c.yaml").write_text(text)
    (docs / "docs/index.md").write_text('# x\n\n```yaml snippet="y"\n```\n\n```python snippet="g"\n```\n')
    where = json.dumps(str(history.folder))
    (docs / "pin.yaml").write_text(
        f"name: kit\ngit: {{commit: {first}}}\nrepository: {{url: {where}, root: src dir}}\n"
    )

    assert run("update", cwd=docs)[0] == 0
    for upstream in (str(history.folder), history.url, f"../{history.folder.name}"):
        code, said, _ = run("drift", "--blame", "--upstream", upstream, "--format", "json", cwd=docs)
        y, g = json.loads(said)["snippets"]
        assert (code, y["class"], g["class"], y["commit"]["subject"]) == (1, "renamed", "same", "Move")
        assert y["candidates"][0]["selector"] == "kit/另 一个.yaml:key"
    line = run("drift", "--format", "github", cwd=docs)[1].split("\n")[0]
    assert line.startswith("::error file=snippets/a b%2Cc.yaml,line=1,col=1,title=SL203 drift-renamed::'y' has another")
    assert "kit/my dir, \"quoted\" 'x' 编译/算 子.yaml:1-2%0A" in line
    _, said, _ = run("replay", "--format", "jsonl", cwd=docs)
    found = [json.loads(line)["classes"] for line in said.strip().split("\n")[1:]]
    assert [each["y"] for each in found] == ["appears", "body", "moved"]
    assert run("show", "kit/另 一个.yaml:key", cwd=docs)[0] == 2  # not at the pin
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: {json.dumps(str(history.folder / 'src dir'))}\n")
    assert run("show", "kit/另 一个.yaml:key", cwd=docs)[:2] == (
        0,
        "kit/另 一个.yaml:1-2  kit\n 1 | key:\n 2 |   a: 2\n",
    )


TOO_LONG = "a" * 300  # for any system to call a file so


@pytest.mark.parametrize(
    "command",
    [
        ("drift", "--against", TOO_LONG),
        ("drift", "--against", f"./{TOO_LONG}"),
        ("drift", "--upstream", TOO_LONG),
        ("drift", "--upstream", f"./{TOO_LONG}"),
        ("history", "weigh", "--since", TOO_LONG),
        ("bump", "--to", TOO_LONG),
        ("bump", "--to", f"./{TOO_LONG}"),
        ("bump", "--to", f"{TOO_LONG}.whl"),
        ("proof", TOO_LONG),
    ],
    ids=lambda command: " ".join(command).replace(TOO_LONG, "…"),
)
def test_a_name_that_no_file_can_have_is_no_file(docs, run, command):
    assert run("update", cwd=docs)[0] == 0

    code, _, err = run(*command, cwd=docs)
    assert (code, TOO_LONG in err, "this is a bug" in err) == (2, True, False)
