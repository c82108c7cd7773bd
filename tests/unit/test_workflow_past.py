"""`history`, `replay` and `drift --blame`: which commit did what, on repositories that the tests make."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from upstream import CORE, START, core, library, project

from snippetlock.history import cuts, snapshot
from snippetlock.source import blobs
from snippetlock.workflow import cache, tracing


@pytest.fixture
def up(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SNIPPETLOCK_UPSTREAM", raising=False)
    return library(repo)[0]


@pytest.fixture
def docs(up, tmp_path):
    """The docs project, pinned to the first commit."""
    return project(tmp_path / "docs", str(up.folder), up.git("rev-list", "--max-parents=0", "HEAD"))


HEAVY = core("len(thing) for", "len(thing) + 1 for")
DOUBLE = core("= 1.0", "= 2.0", HEAVY["src/kit/core.py"])
BARE = DOUBLE["src/kit/core.py"]
SPLIT = {
    "src/kit/core.py": BARE.split("\n\ndef weigh")[0],
    "src/kit/scale.py": "def weigh" + BARE.split("def weigh")[1],
    "src/kit/__init__.py": "from kit.core import Shelf\nfrom kit.scale import weigh\n",
}
RENAMED = {
    "src/kit/scale.py": SPLIT["src/kit/scale.py"].replace("def weigh", "def weight"),
    "src/kit/__init__.py": "from kit.core import Shelf\nfrom kit.scale import weight\n",
}
LIGHT = {"src/kit/scale.py": RENAMED["src/kit/scale.py"].replace("+ 1", "+ 2")}


@pytest.fixture
def story(up):
    """Eight commits: four change what `weigh` shows, one takes its name, the rest only touch its files."""
    return [
        up.git("rev-parse", "HEAD"),
        up.commit(HEAVY, "Heavier"),
        up.commit({"src/kit/other.py": "def unrelated() -> int:\n    return 1\n"}, "Elsewhere"),
        up.commit(DOUBLE, "Double"),
        up.commit({"src/kit/core.py": "# Shifted.\n\n" + BARE}, "Shift lines"),
        up.commit(SPLIT, "Split"),
        up.commit(RENAMED, "Rename"),
        up.commit(LIGHT, "Lighter"),
    ]


def past(run, docs, *arguments):
    code, said, err = run("history", *arguments, "--format", "json", cwd=docs)
    found = json.loads(said)
    assert err == ""
    return code, [(one["class"], one["subject"]) for one in found["events"]], found


def test_history_lists_what_changed_the_snippet_and_not_merely_its_file(story, docs, run):
    code, events, found = past(run, docs, "weigh")

    assert code == 0
    assert events == [
        ("appears", "Start"),
        ("body", "Heavier"),
        ("signature", "Double"),
        ("moved", "Split"),
        ("renamed", "Rename"),
        ("body", "Lighter"),
    ]
    assert (found["selector"], found["commits"]) == ("kit:weight", 8)
    assert found["events"][2]["details"] == ["default of `unit`: `1.0` → `2.0`"]


def test_history_as_text_has_the_newest_first(story, docs, run):
    code, said, _ = run("history", "weigh", "--since", story[1], cwd=docs)

    assert code == 0
    assert said == (
        "weigh  kit:weight\n"
        "\n"
        f"{story[7][:10]}  2023-11-14  body       Lighter\n"
        "  - `return sum(len(thing) + 1 for thing in things) * unit` →"
        " `return sum(len(thing) + 2 for thing in things) * unit`\n"
        f"{story[6][:10]}  2023-11-14  renamed    Rename\n"
        "  - no symbol 'weigh' in kit/__init__.py\n"
        "  - it is kit:weight now\n"
        f"{story[5][:10]}  2023-11-14  moved      Split\n"
        "  - defined in kit/scale.py now, was in kit/core.py\n"
        f"{story[3][:10]}  2023-11-14  signature  Double\n"
        "  - default of `unit`: `1.0` → `2.0`\n"
        "\n"
        f"4 of 6 commits up to main {story[7][:10]} changed what 'weigh' shows\n"
    )


def test_history_goes_on_under_the_names_from_before(story, docs, run):
    (docs / "snippets/kit.yaml").write_text("weight:\n  source: kit.scale:weight\n")
    _, events, found = past(run, docs, "weight")

    assert events == [
        ("appears", "Start"),
        ("body", "Heavier"),
        ("signature", "Double"),
        ("moved", "Split"),
        ("renamed", "Rename"),
        ("body", "Lighter"),
    ]
    assert found["events"][4]["details"] == ["it was kit.scale:weigh before"]


def test_history_follows_a_package_that_moved_below_the_root(repo, tmp_path, run, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history = repo("flat")
    history.commit({"kit/__init__.py": "", "kit/core.py": CORE}, "Flat")
    history.commit({"kit/core.py": HEAVY["src/kit/core.py"]}, "Heavier")
    history.git("mv", "kit", "src")
    history.write({"src/x": ""})
    history.git("rm", "-q", "-r", "--cached", ".")
    (history.folder / "src/x").unlink()
    (history.folder / "src/kit").mkdir()
    for name in ("__init__.py", "core.py"):
        (history.folder / "src" / name).rename(history.folder / "src/kit" / name)
    last = history.commit({}, "Below src")
    docs = project(tmp_path / "docs", str(history.folder), last, "weigh:\n  source: kit.core:weigh\n")

    assert past(run, docs, "weigh")[1] == [("appears", "Flat"), ("body", "Heavier")]


def test_replay_does_not_call_the_same_what_was_never_there(up, docs, run):
    (docs / "snippets/more.yaml").write_text("nothing:\n  source: kit.other:nothing\n")
    up.commit({"src/kit/other.py": "x = 1\n"}, "Elsewhere")
    first = up.git("rev-list", "--max-parents=0", "HEAD")
    ends = {name: run("replay", "--from", first, "--only", name, cwd=docs)[1] for name in ("nothing", "put")}

    assert ends == {
        "nothing": "nothing can be cut at no commit: kit/other.py: no symbol 'nothing' in kit/other.py\n\n"
        "1 commit, 1 snippet: 1 absent\n",
        "put": "1 commit, 1 snippet: all same\n",
    }


def test_replay_goes_on_where_the_packages_went_when_no_root_is_named(repo, tmp_path, run, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history = repo("flat")
    first = history.commit({"kit/__init__.py": "", "kit/core.py": CORE}, "Flat")
    history.commit({"kit/__init__.py": None, "kit/core.py": None, "src/kit/__init__.py": "", "src/kit/core.py": CORE})
    history.commit({"src/kit/core.py": HEAVY["src/kit/core.py"]}, "Heavier")
    docs = project(tmp_path / "docs", str(history.folder), first, "weigh:\n  source: kit.core:weigh\n")
    pin = docs / "pin.yaml"
    pin.write_text(pin.read_text().replace("  root: src\n", ""))
    _, said, _ = run("replay", "--from", first, "--format", "jsonl", cwd=docs)

    found = [json.loads(line)["classes"].get("weigh") for line in said.split("\n") if "classes" in line]
    assert found == ["moved", "body"], said


def test_history_of_one_of_twins_is_that_of_the_file_that_git_renamed(up, docs, run):
    twin = "def align(size, step):\n    return (size + step - 1) // step * step\n"
    up.commit({f"src/kit/{name}.py": twin for name in "az"}, "Twins")
    up.commit({"src/kit/z.py": twin.replace("- 1", "- 2")}, "Twin")
    up.commit({"src/kit/z.py": twin}, "Back")
    moved = {f"src/kit/sub/{name}.py": twin for name in "az"}
    up.commit({**moved, **dict.fromkeys(("src/kit/a.py", "src/kit/z.py"))}, "Below")
    (docs / "snippets/kit.yaml").write_text("align:\n  source: kit.sub.z:align\n")
    _, events, found = past(run, docs, "align")

    assert events == [("appears", "Twins"), ("body", "Twin"), ("body", "Back"), ("moved", "Below")]
    assert found["events"][-1]["details"] == ["it was kit.z:align before"]


ALIGN = "def align(size, step):\n    return (size + step - 1) // step * step\n"


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (
            ("one", "two"),
            [("renamed", "Out"), ("body", "One"), ("body", "Two"), ("signature", "Both"), ("signature", "Both")],
        ),
        (("grid", "two"), [("moved", "Out"), ("body", "One"), ("signature", "Both")]),  # one has the file's name
    ],
)
def test_history_follows_all_copies_where_none_of_them_is_the_one(names, wanted, up, docs, run):
    (docs / "snippets/kit.yaml").write_text("align:\n  source: kit.grid:align\n")
    up.commit({"src/kit/grid.py": ALIGN}, "Grid")
    one, two = (f"src/kit/{at}/{name}.py" for at, name in zip("ab", names, strict=True))
    up.commit({"src/kit/grid.py": None, one: ALIGN, two: ALIGN}, "Out")
    up.commit({one: ALIGN.replace("- 1", "- 2")}, "One")
    up.commit({two: ALIGN.replace("- 1", "- 3")}, "Two")
    up.commit({one: ALIGN.replace("step)", "step=1)"), two: ALIGN.replace("step)", "step=2)")}, "Both")
    _, events, found = past(run, docs, "align")

    assert events == [("appears", "Grid"), *wanted]
    selectors = [one["selector"] for one in found["events"]]
    assert (found["selector"], selectors[1]) == (f"kit.a.{names[0]}:align",) * 2
    copies = [one["details"][0] for one in found["events"] if one["selector"] == f"kit.b.{names[1]}:align"]
    assert copies == [f"in its copy kit.b.{names[1]}:align"] * sum(subject == "Two" for _, subject in wanted) * 2
    _, said, _ = run("history", "align", cwd=docs)
    count = len({subject for _, subject in wanted}) + 1
    assert f"\n{count} of 6 commits up to main {up.git('rev-parse', 'HEAD')[:10]} changed what 'align' shows" in said


@pytest.mark.parametrize(
    ("imports", "wanted"), [("true", [("appears", "Grid"), ("body", "From")]), ("false", [("appears", "Grid")])]
)
def test_history_knows_of_imports_where_they_are_shown(imports, wanted, up, docs, run):
    text = f"import bits\n\n\ndef other():\n    return 1\n\n\n{ALIGN.replace('- 1', '- bits.ONE')}"
    (docs / "snippets/kit.yaml").write_text(f"align:\n  source: kit.grid:align\n  imports: {imports}\n")
    up.commit({"src/kit/grid.py": text}, "Grid")
    up.commit({"src/kit/grid.py": (text := text.replace("return 1", "return 2"))}, "Sibling")
    up.commit({"src/kit/grid.py": (text := text.replace("import bits", "from far import bits"))}, "From")
    up.commit({"src/kit/grid.py": f"import more\n{text}"}, "Unneeded")

    assert past(run, docs, "align")[1] == wanted


@pytest.mark.parametrize(("most", "left"), [(24, []), (2, ["9 of its copies are not followed"])])
def test_of_many_copies_it_is_said_how_many_are_not_followed(most, left, up, docs, run, monkeypatch):
    monkeypatch.setattr(tracing, "_COPIES", most)
    (docs / "snippets/kit.yaml").write_text("align:\n  source: kit.grid:align\n")
    up.commit({"src/kit/grid.py": ALIGN}, "Grid")
    files = [f"src/kit/p{number:02}/align.py" for number in range(12)]
    up.commit({"src/kit/grid.py": None, **dict.fromkeys(files, ALIGN)}, "Out")
    up.commit(dict.fromkeys(files, ALIGN.replace("- 1", "- 2")), "Every")
    _, events, found = past(run, docs, "align")

    assert events == [("appears", "Grid"), ("renamed", "Out"), *[("body", "Every")] * min(12, most + 1)]
    assert found["events"][1]["details"][1:] == ["it is in 12 places now, word for word", *left]


def test_history_of_what_was_never_there_is_said_and_1(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("late:\n  source: kit.core:late\n")
    up.commit({"README.md": "More.\n"})
    code, said, _ = run("history", "late", cwd=docs)

    until = f"main {up.git('rev-parse', 'HEAD')[:10]}"
    assert code == 1
    assert said == (
        "late  kit.core:late\n"
        "\n"
        f"0 of 2 commits up to {until} changed what 'late' shows; "
        "at the end: kit/core.py: no symbol 'late' in kit/core.py\n"
    )


def test_a_merge_brings_what_it_merged(up, docs, run):
    up.git("checkout", "--quiet", "-b", "side")
    up.commit(HEAVY, "On a branch")
    up.git("checkout", "--quiet", "main")
    up.commit({"README.md": "More.\n"}, "Meanwhile")
    up.merge("side", "Merge the branch")

    assert past(run, docs, "weigh")[1] == [("appears", "Start"), ("body", "Merge the branch")]


def test_a_commit_that_does_not_parse_is_one_event_and_the_next_goes_on(up, docs, run):
    up.commit(core("return sum(", "return sum(("), "Break")
    up.commit(HEAVY, "Mend")
    code, events, found = past(run, docs, "weigh")

    assert (code, events) == (0, [("appears", "Start"), ("unreadable", "Break"), ("body", "Mend")])
    assert found["events"][1]["problem"].startswith("kit/core.py:")


def test_what_is_no_source_at_one_commit_is_unreadable_there(up, docs, run):
    up.commit({"src/kit/core.py": POINTER}, "Into LFS")
    up.commit({"src/kit/core.py": CORE}, "Out again")
    up.commit({"src/kit/core.py": None}, "Away")
    (up.folder / "src/kit/core.py").symlink_to("other.py")
    up.commit({}, "A link")
    _, events, found = past(run, docs, "weigh")

    assert events == [("appears", "Start"), ("unreadable", "Into LFS"), ("same", "Out again"), ("removed", "Away")]
    assert found["events"][1]["problem"] == "kit/core.py: refused: a Git LFS pointer"

    _, text, _ = run("history", "weigh", cwd=docs)
    assert text.count("kit/core.py: refused: a Git LFS pointer\n") == 1
    assert "\n3 of 5 commits up to " in text  # out of LFS again is no change


def test_replay_calls_what_cannot_be_read_so_until_it_can(up, docs, run):
    up.commit({"src/kit/core.py": POINTER}, "Into LFS")
    up.commit({"README.md": "More.\n"}, "Meanwhile")
    up.commit({"src/kit/core.py": CORE}, "Out again")
    _, found = lines(run, docs, "--only", "weigh")

    assert [classes["weigh"] for _, classes in found] == ["appears", "unreadable", "unreadable", "same"]


def test_blame_names_the_commit_since_which_it_is_so(story, docs, run):
    code, said, _ = run("drift", "--blame", "--format", "json", cwd=docs)
    found = {one["id"]: one["commit"] and one["commit"]["subject"] for one in json.loads(said)["snippets"]}
    assert (code, found) == (1, {"weigh": "Rename", "put": None, "sizes": None})

    _, text, _ = run("drift", "--blame", "--against", story[3], cwd=docs)
    assert "signature  weigh  snippets/kit.yaml:5:1\n" in text
    assert f"  since: {story[3][:10]} Double\n" in text
    _, text, _ = run("drift", "--blame", "--against", story[2], cwd=docs)
    assert f"  since: {story[1][:10]} Heavier\n" in text


GONE = {
    "src/kit/core.py": HEAVY["src/kit/core.py"].split("\n\ndef weigh")[0],
    "src/kit/__init__.py": "from kit.core import Shelf\n",
}


def blamed(run, docs):
    _, said, _ = run("drift", "--blame", "--format", "json", cwd=docs)
    return {
        one["id"]: (one["class"], one["commit"] and one["commit"]["subject"]) for one in json.loads(said)["snippets"]
    }


def test_blame_of_what_is_removed_names_who_removed_it_and_of_what_is_not_who_changed_it(up, docs, run):
    up.commit(HEAVY, "Heavier")
    up.commit({"README.md": "More.\n"}, "Meanwhile")
    assert blamed(run, docs)["weigh"] == ("body", "Heavier")

    up.commit(GONE, "Away")
    up.commit({"README.md": "Less.\n"}, "After")
    assert blamed(run, docs) == {"weigh": ("removed", "Away"), "put": ("same", None), "sizes": ("same", None)}

    up.commit({**HEAVY, "src/kit/__init__.py": START["src/kit/__init__.py"]}, "Back, as it was")
    assert blamed(run, docs)["weigh"][0] == "body"


def test_blame_of_what_appears_names_the_commit_since_which_it_is_there(up, docs, run):
    late = "def late(cup):\n    return [cup]\n"
    with (docs / "snippets/kit.yaml").open("a") as file:
        file.write("late:\n  source: kit.late:late\nmark:\n  source: kit.core:weigh\n  match: mark($_)\n")
    assert blamed(run, docs)["late"] == ("unreadable", None)
    up.commit({"src/kit/late.py": late}, "First")
    up.commit({"src/kit/late.py": None}, "Gone again")
    up.commit({"src/kit/late.py": late}, "Come")
    up.commit({"src/kit/late.py": late.replace("[cup]", "[cup, cup]")}, "Changed")
    up.commit(core("    return sum", "    mark(1)\n    return sum"), "Marked")
    up.commit({"src/kit/other.py": "x = 1\n"}, "Elsewhere")

    found = blamed(run, docs)

    assert (found["late"], found["mark"]) == (("appears", "Come"), ("appears", "Marked"))
    assert found["weigh"] == ("body", "Marked")
    up.git("checkout", "-q", "-b", "side", up.git("rev-list", "--max-parents=0", "HEAD"))
    up.commit({"src/kit/side.py": ""}, "Aside")
    up.git("checkout", "-q", "main")
    _, said, _ = run("drift", "--blame", "--from", "side", "--to", "main", "--only", "late", cwd=docs)
    assert "  since: " in said
    assert " Come\n" in said


def test_blame_of_what_was_renamed_and_then_removed_names_who_removed_it(up, docs, run):
    weight = core("def weigh(", "def weight(", HEAVY["src/kit/core.py"])
    up.commit({**weight, "src/kit/__init__.py": "from kit.core import Shelf, weight\n"}, "Rename")
    assert blamed(run, docs)["weigh"] == ("renamed", "Rename")

    up.commit(GONE, "Away")
    assert blamed(run, docs)["weigh"] == ("removed", "Away")


def test_blame_forgives_what_was_taken_back(up, docs, run):
    up.commit(HEAVY, "Heavier")
    up.commit({"src/kit/core.py": CORE}, "Revert")
    up.commit(core("# From the left.", "# From the right."), "Comment")
    up.commit(core("# From the left.", "# From the right.", HEAVY["src/kit/core.py"]), "Heavier again")
    _, said, _ = run("drift", "--blame", "--format", "json", cwd=docs)
    found = {one["id"]: one["commit"] and one["commit"]["subject"] for one in json.loads(said)["snippets"]}

    assert found == {"weigh": "Heavier again", "put": "Comment", "sizes": None}


def test_blame_says_why_it_names_nobody(story, docs, run, tmp_path, up):
    _, text, _ = run("drift", "--blame", "--against", str(up.folder), cwd=docs)
    assert "  since: /" in text
    assert "is no commit: nobody can be named\n" in text

    pin = docs / "pin.yaml"
    (tmp_path / "lib/kit").mkdir(parents=True)
    (tmp_path / "lib/kit/__init__.py").write_text(
        "def weigh():\n    return 'never on main'\n\n\nclass Shelf:\n    put = 1\n"
    )
    (tmp_path / "lib/kit/core.py").write_text("SIZES = []\n")
    pin.write_text(f"name: kit\nfolder: {tmp_path}/lib\nrepository:\n  url: {up.folder}\n  root: src\n")
    _, text, _ = run("drift", "--blame", cwd=docs)
    assert "  since: no commit up to main " in text


def test_blame_of_a_pin_whose_commit_nobody_knows_searches_the_whole_history(story, docs, run, up, tmp_path):
    up.git("worktree", "add", "--quiet", str(tmp_path / "old"), story[0])
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: {tmp_path}/old\nrepository:\n  url: {up.folder}\n  root: src\n")
    _, said, _ = run("drift", "--blame", "--format", "json", cwd=docs)
    found = {one["id"]: one["commit"] and one["commit"]["subject"] for one in json.loads(said)["snippets"]}

    assert found == {"weigh": "Rename", "put": None, "sizes": None}


def lines(run, docs, *arguments):
    code, said, err = run("replay", "--format", "jsonl", *arguments, cwd=docs)
    assert (code, err) == (0, "")
    head, *rest = [json.loads(line) for line in said.strip("\n").split("\n")]
    return head, [(one["subject"], one["classes"]) for one in rest]


def test_replay_gives_each_snippet_a_class_after_each_commit(story, docs, run):
    head, found = lines(run, docs)

    assert (head["schema"], head["snippets"]) == (1, ["put", "sizes", "weigh"])
    assert [subject for subject, _ in found] == [
        "Start", "Heavier", "Elsewhere", "Double", "Shift lines", "Split", "Rename", "Lighter"
    ]  # fmt: skip
    assert [classes["weigh"] for _, classes in found] == [
        "appears", "body", "same", "signature", "same", "moved", "renamed", "body"
    ]  # fmt: skip
    assert [classes["put"] for _, classes in found] == ["appears", *["same"] * 7]
    _, later = lines(run, docs, "--from", story[3], "--to", story[5], "--only", "weigh")
    assert later == [("Shift lines", {"weigh": "same"}), ("Split", {"weigh": "moved"})]


STORY = ["body", "same", "signature", "same", "moved", "renamed", "body"]


@pytest.mark.parametrize(
    ("source", "ends", "want"),
    [
        ("kit:weigh", (0, 7), STORY),  # the name at the beginning: the clean twin
        ("kit.scale:weigh", (0, 7), STORY),  # for one commit only
        ("kit.scale:weight", (0, 7), STORY),  # the name at the end
        ("kit.scale:weight", (0, 3), STORY[:3]),  # one that comes after the end
        ("kit:weigh", (6, 7), STORY[6:]),  # one that went before the beginning
        ("kit.scale:weigh", (1, 3), STORY[1:3]),
        ("kit.scale:weigh", (6, 7), STORY[6:]),
        ("kit.scale:wait", (0, 7), ["absent"] * 7),  # never anything like it
    ],
)
def test_replay_follows_a_snippet_by_a_name_that_it_has_anywhere(story, docs, run, source, ends, want):
    (docs / "snippets/kit.yaml").write_text(f"weigh:\n  source: {source}\n")
    first, last = ends
    _, found = lines(run, docs, "--from", story[first], "--to", story[last])

    assert [classes["weigh"] for _, classes in found] == want


def test_replay_follows_what_only_the_pin_has_by_its_candidate(up, docs, run, tmp_path):
    first = up.git("rev-parse", "HEAD")
    up.commit(HEAVY, "Heavier")
    (tmp_path / "lib/kit").mkdir(parents=True)
    (tmp_path / "lib/kit/__init__.py").write_text("")
    (tmp_path / "lib/kit/core.py").write_text(HEAVY["src/kit/core.py"].replace("def weigh(", "def heft("))
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: {tmp_path}/lib\nrepository:\n  url: {up.folder}\n  root: src\n")
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.core:heft\n")

    assert lines(run, docs, "--from", first)[1] == [("Heavier", {"heft": "body"})]


def test_replay_needs_no_pin_to_say_what_is_never_there(up, docs, run):
    first = up.git("rev-parse", "HEAD")
    up.commit(HEAVY, "Heavier")
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.core:heft\nweigh:\n  source: kit:weigh\n")
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: ../nowhere\nrepository:\n  url: {up.folder}\n  root: src\n")
    code, said, err = run("replay", "--from", first, cwd=docs)

    assert (code, err) == (0, "")
    why = "heft can be cut at no commit: kit/core.py: no symbol 'heft' in kit/core.py"
    assert said.endswith(f"\n{why}\n\n1 commit, 2 snippets: 1 body, 1 absent\n")


POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 9\n"


def test_replay_says_once_why_a_snippet_can_never_be_cut(up, docs, run):
    names = ("broken", "large", "link", "module", "pointer")
    sources = {name: f"kit.{name}:x" for name in names} | {"module": "kit/sub/x.yaml:x", "good": "kit.other:unrelated"}
    text = "".join(f"{name}:\n  source: {source}\n" for name, source in sources.items())
    (docs / "snippets/kit.yaml").write_text(text)
    files = {"broken": "x = ((\n", "pointer": POINTER, "large": "x = 1\n" + "#" * (32 << 20)}
    up.write({f"src/kit/{name}.py": text for name, text in files.items()})
    (up.folder / "src/kit/link.py").symlink_to("other.py")
    (up.folder / "src/kit/sub").mkdir()
    up.git("update-index", "--add", "--cacheinfo", f"160000,{up.git('rev-parse', 'HEAD')},src/kit/sub")
    up.commit({}, "Odd things")
    up.commit({"README.md": "More.\n"}, "After")
    code, said, _ = run("replay", cwd=docs)

    assert code == 0
    why = {
        "broken": "kit/broken.py:1: the bracket opened here is not closed",
        "large": "kit/large.py: refused: 33,554,438 bytes, more than the 33,554,432 that are read of one file",
        "link": "kit/link.py: refused: a symbolic link, or below one",
        "module": "kit/sub/x.yaml: refused: it is in a submodule, whose files are in another repository",
        "pointer": "kit/pointer.py: refused: a Git LFS pointer; its 9 bytes are not in the repository",
    }
    told = [line for line in said.split("\n") if "at no commit" in line]
    assert [line.split(": ", 1)[0] for line in told] == [f"{name} can be cut at no commit" for name in names]
    for line, reason in zip(told, why.values(), strict=True):
        assert line.split(": ", 1)[1].startswith(reason), line
    assert said.endswith("\n\n3 commits, 6 snippets: 1 appears, 5 absent\n")
    head, _ = lines(run, docs)
    assert {name: reason.startswith(why[name]) for name, reason in head["never"].items()} == dict.fromkeys(names, True)


def test_replay_knows_what_is_absent(up, docs, run):
    (docs / "snippets/late.yaml").write_text("late:\n  source: kit.new:late\n")
    up.commit({"README.md": "More.\n"}, "Before")
    up.commit({"src/kit/new.py": "def late():\n    return 1\n"}, "Comes")
    up.commit({"src/kit/new.py": None}, "Goes")
    up.commit({"README.md": "Less.\n"}, "After")
    _, found = lines(run, docs)

    assert [classes["late"] for _, classes in found] == ["absent", "absent", "appears", "removed", "absent"]


def test_a_way_back_is_no_way_on_which_nothing_happened(docs, run, story):
    code, said, err = run("replay", "--from", story[4], "--to", story[0], cwd=docs)

    assert (code, said) == (2, "")
    assert err == (
        f"snippetlock: could not compare: {story[0]} is older than {story[4]}: no commit leads from this to that; "
        f"name them the other way round: --from {story[0][:10]} --to {story[4][:10]}\n"
    )
    assert run("replay", "--from", story[0], "--to", story[4], cwd=docs)[0] == 0
    assert run("replay", "--from", story[0], "--to", story[0], cwd=docs)[0] == 0


def test_replay_as_a_table_closes_with_a_tally(story, docs, run):
    code, said, _ = run("replay", "--from", story[0], "--only", "weigh", "sizes", cwd=docs)

    assert code == 0
    assert said.split("\n")[0].split() == ["COMMIT", "DATE", "SNIPPET", "CLASS", "NOW", "SUBJECT"]
    assert said.split("\n")[1].split() == [
        story[1][:10], "2023-11-14", "weigh", "body", "kit/core.py:21-22", "Heavier"
    ]  # fmt: skip
    assert said.endswith("\n\n7 commits, 2 snippets: 1 renamed, 1 signature, 2 body, 1 moved\n")
    nothing = run("replay", "--from", story[7], cwd=docs)
    assert nothing == (0, "0 commits, 3 snippets: all same\n", "")  # `weigh` too, under another name


def test_replay_on_several_cores_says_the_same(story, docs, run, monkeypatch, tmp_path):
    (docs / "snippets/more.yaml").write_text("unrelated:\n  source: kit.other:unrelated\n")
    alone = run("replay", "--format", "jsonl", "--jobs", "1", cwd=docs)
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "other"))
    together = run("replay", "--format", "jsonl", "--jobs", "3", cwd=docs)

    assert alone == together
    assert '"unrelated":"signature"' in alone[1]


SLOW = """
import os, time
from types import SimpleNamespace
from snippetlock.workflow import replaying

class Work:
    way = SimpleNamespace(changes=())
    def do(self, group, **_):
        os.write(1, f"{os.getpid()}\\n".encode())
        time.sleep(60)

replaying._together(Work(), [["a"], ["b"]], None)
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_whoever_works_for_a_replay_ends_with_it(sent):
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE) as process:
        workers = {int(process.stdout.readline()) for _ in range(2)}
        assert process.poll() is None
        process.send_signal(sent)
        try:
            process.communicate(timeout=20)  # to the end of the output, which the workers hold too
        finally:
            left = {worker for worker in workers if Path(f"/proc/{worker}").exists()}
            for worker in left:
                os.kill(worker, signal.SIGKILL)
    assert process.returncode == -sent
    assert len(workers - {process.pid}) == 2


@pytest.fixture
def counted(monkeypatch):
    """How often a snippet was really looked for."""
    count = []
    cut = cuts.Cuts._cut
    monkeypatch.setattr(cuts.Cuts, "_cut", lambda *a: count.append(1) or cut(*a))
    return count


def test_a_second_replay_cuts_nothing_and_reads_no_content(story, docs, run, counted, monkeypatch):
    read = []
    monkeypatch.setattr(snapshot, "blobs", lambda repo, names: read.extend(names) or blobs(repo, names))
    first = run("replay", "--jobs", "1", cwd=docs)
    assert len(counted) > 8
    assert len(read) > 8
    counted.clear()
    read.clear()

    assert run("replay", "--jobs", "1", cwd=docs) == first
    assert counted == []
    assert read == []


def test_an_interrupted_replay_goes_on_where_it_was(story, docs, run, counted, monkeypatch):
    class Enough(KeyboardInterrupt):
        pass

    from snippetlock.cli.console import Console

    def progress(self, label, done, total):
        if done == 5:
            raise Enough

    with monkeypatch.context() as patch:
        patch.setattr(Console, "progress", progress)
        assert run("replay", "--jobs", "1", cwd=docs)[0] == 130
    before = len(counted)
    counted.clear()
    code, said, _ = run("replay", "--jobs", "1", cwd=docs)

    assert code == 0
    assert before
    assert 0 < len(counted) < before
    assert said.endswith("\n8 commits, 3 snippets: 3 appears, 1 renamed, 1 signature, 2 body, 1 moved\n")


KILLED = """
import os, signal, sys
from snippetlock.cli import main
from snippetlock.cli.console import Console
from snippetlock.history import following

def progress(self, label, done, total):
    if done == 5:
        os.kill(os.getpid(), signal.SIGKILL)

following._OFTEN = 2
Console.progress = progress
main(["replay", "--jobs", "1"])
"""


def test_a_killed_replay_goes_on_where_it_was(story, docs, run, counted, tmp_path, monkeypatch):
    whole = run("replay", "--jobs", "1", cwd=docs)
    cuts = len(counted)
    counted.clear()
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "other"))
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=docs, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"")

    assert run("replay", "--jobs", "1", cwd=docs) == whole
    assert 0 < len(counted) < cuts


def test_what_another_version_kept_is_not_used(story, docs, run, counted, monkeypatch):
    first = run("replay", "--jobs", "1", cwd=docs)
    counted.clear()
    for module in ("replaying", "tracing"):
        monkeypatch.setattr(f"snippetlock.workflow.{module}.tool_stamp", lambda: "another version")

    assert run("replay", "--jobs", "1", cwd=docs) == first
    assert counted
    assert cache.tool_stamp() != "another version"


def test_a_damaged_cache_costs_only_time(story, docs, run, tmp_path, counted):
    first = run("replay", "--jobs", "1", cwd=docs)
    counted.clear()
    for file in (tmp_path / "cache/history").iterdir():
        file.write_bytes(file.read_bytes()[:-9])

    assert run("replay", "--jobs", "1", cwd=docs) == first
    assert counted


@pytest.mark.parametrize("command", [["replay", "--to", "mian"], ["history", "put", "--since", "mian"]])
def test_an_unknown_revision_is_one_line_and_2(up, docs, run, command):
    code, out, err = run(*command, cwd=docs)

    assert (code, out) == (2, "")
    assert err == f"snippetlock: could not compare: no revision 'mian' in {up.folder}; did you mean 'main'?\n"


def test_a_shallow_clone_is_refused(story, docs, run, up, tmp_path):
    up.git("clone", "--quiet", "--depth", "2", up.url, str(tmp_path / "shallow"))
    code, _, err = run("history", "weigh", "--upstream", tmp_path / "shallow", cwd=docs)

    assert (code, err.count("\n")) == (2, 1)
    assert "is a shallow clone: " in err


def test_a_mirror_is_walked_like_the_repository(story, docs, run, up):
    here = run("replay", "--format", "jsonl", cwd=docs)
    url = up.serve()

    assert run("replay", "--format", "jsonl", "--upstream", url, cwd=docs) == here


def test_history_of_a_name_that_upstream_never_had_is_that_of_its_candidate(up, docs, run, tmp_path):
    up.commit(HEAVY, "Heavier")
    (tmp_path / "lib/kit").mkdir(parents=True)
    (tmp_path / "lib/kit/__init__.py").write_text("")
    (tmp_path / "lib/kit/core.py").write_text(HEAVY["src/kit/core.py"].replace("def weigh(", "def heft("))
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: {tmp_path}/lib\nrepository:\n  url: {up.folder}\n  root: src\n")
    (docs / "snippets/kit.yaml").write_text("heft:\n  source: kit.core:heft\n")
    code, events, found = past(run, docs, "heft")

    assert (code, found["selector"]) == (0, "kit.core:weigh")
    assert events == [("appears", "Start"), ("body", "Heavier")]


BASE = "class Base:\n    sizes = (1, 2, 4)\n\n\nclass Box(Base):\n    lid = True\n"
OVERRIDDEN = f"{BASE}    sizes = (1, 2, 4)\n"
PUSHED_DOWN = "class Base:\n    pass\n\n\nclass Box(Base):\n    lid = True\n    sizes = (1, 2, 4)\n"


@pytest.mark.parametrize(
    ("then", "want"),
    [
        (OVERRIDDEN, [("appears", "Then")]),  # the base class has its own as before
        (PUSHED_DOWN, [("appears", "Base"), ("renamed", "Then")]),
    ],
)
def test_what_stays_where_it_was_is_nobodys_origin(up, docs, run, then, want):
    up.commit({"src/kit/box.py": BASE}, "Base")
    up.commit({"src/kit/box.py": then}, "Then")
    (docs / "snippets/kit.yaml").write_text("sizes:\n  source: kit.box:Box.sizes\n")

    assert past(run, docs, "sizes")[1] == want
    code, said, _ = run("drift", "--from", "main~1", "--to", "main", "--format", "json", cwd=docs)
    assert (code, json.loads(said)["snippets"][0]["class"]) == ((0, "appears") if len(want) == 1 else (1, "renamed"))


def test_names_that_differ_in_case_alone_are_followed(up, docs, run):
    first = up.git("rev-parse", "HEAD")
    up.git("mv", "src/kit/core.py", "src/kit/Core.py")
    up.commit({"src/kit/__init__.py": "from kit.Core import Shelf, weigh\n"}, "A file")
    text = CORE.replace("class Shelf", "class SHELF")
    up.commit({"src/kit/Core.py": text, "src/kit/__init__.py": "from kit.Core import SHELF, weigh\n"}, "A class")
    (docs / "snippets/kit.yaml").write_text("put:\n  source: kit.core:Shelf.put\nnew:\n  source: kit.Core:SHELF.put\n")
    _, found = lines(run, docs, "--from", first)

    assert found == [("A file", {"put": "moved", "new": "moved"}), ("A class", {"put": "renamed", "new": "renamed"})]


def test_a_text_to_highlight_that_is_not_there_yet_keeps_nobody_from_being_followed(up, docs, run):
    first = up.git("rev-parse", "HEAD")
    up.commit(RENAMED | {"src/kit/core.py": SPLIT["src/kit/core.py"]}, "Rename")
    up.commit(LIGHT, "Lighter")
    (docs / "snippets/kit.yaml").write_text('weight:\n  source: kit.scale:weight\n  highlight: ["+ 2"]\n')
    _, found = lines(run, docs, "--from", first)

    assert found == [("Rename", {"weight": "renamed"}), ("Lighter", {"weight": "body"})]


def test_what_keeps_a_candidate_from_being_followed_is_said(up, docs, run, tmp_path):
    first = up.git("rev-parse", "HEAD")
    up.commit({"README.md": "More.\n"}, "After")
    (tmp_path / "lib/kit").mkdir(parents=True)
    (tmp_path / "lib/kit/__init__.py").write_text("")
    lib = CORE.replace("class Shelf", "class Shelves").replace("depth", "width")
    (tmp_path / "lib/kit/core.py").write_text(lib)
    (docs / "pin.yaml").write_text(f"name: kit\nfolder: {tmp_path}/lib\nrepository:\n  url: {up.folder}\n  root: src\n")
    text = "shelf:\n  source: kit.core:Shelves\n  show: skeleton\n  keep: [width, put]\n"
    (docs / "snippets/kit.yaml").write_text(text)
    _, said, _ = run("replay", "--from", first, cwd=docs)

    assert said == (
        "shelf can be cut at no commit: it is kit.core:Shelf there, and "
        "kit/core.py:8: `keep` names no member of Shelf: 'width'\n\n1 commit, 1 snippet: 1 absent\n"
    )
