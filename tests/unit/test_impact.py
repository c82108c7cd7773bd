"""`snippetlock impact` in checkouts that the tests make: what a branch does to the docs of another project."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest
from test_workflow_drift import EXPORTS, MOVED, SHORT, TWICE, WITHOUT
from upstream import CORE, PAGE, START, core, library, project

from snippetlock.report.comment import MARKER

ELSEWHERE = "0123456789" * 4  # the docs are pinned to a commit that nobody has: it is not asked for


@pytest.fixture
def up(repo, monkeypatch, tmp_path):
    """The library's checkout, on a branch that has just left main."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SNIPPETLOCK_UPSTREAM", "/nowhere")
    up = library(repo)[0]
    up.git("checkout", "--quiet", "-b", "topic")
    return up


@pytest.fixture
def docs(tmp_path):
    return project(tmp_path / "docs", "https://github.com/example/kit", ELSEWHERE)


def found(run, up, docs, *arguments, base="main", cwd=None):
    code, said, err = run(
        "impact", "--base", base, "--docs", docs, "--format", "json", *arguments, cwd=cwd or up.folder
    )
    assert err == ""
    report = json.loads(said)
    assert report["error"] is None, report["error"]
    return code, report


def untrue(report) -> dict[str, tuple[str, list[str]]]:
    """The class and the places in the change of each snippet that must be read again."""
    return {
        one["id"]: (one["class"], [f"{at['path']}:{at['first']}-{at['last']}" for at in one["sites"]])
        for one in report["snippets"]
        if one["fails"]
    }


CORE_PY = "src/kit/core.py"
GONE = {CORE_PY: WITHOUT, "src/kit/__init__.py": "from kit.core import Shelf\n"}
RENAMED = {**core("def weigh", "def weight"), "src/kit/__init__.py": "from kit.core import Shelf\n"}
CHANGES = [
    (core("len(thing) for", "len(thing) + 1 for"), {"weigh": ("body", [f"{CORE_PY}:22-22"])}),
    (core("*, at: int = 0", "at: int = 0"), {"put": ("signature", [f"{CORE_PY}:13-13"])}),
    (
        core("place = at + self.depth\n", "place = at\n        place += self.depth\n"),
        {"put": ("body", [f"{CORE_PY}:16-17"])},
    ),
    (core("        self.things.insert(place, thing)\n", ""), {"put": ("body", [f"{CORE_PY}:17-17"])}),
    ({"src/kit/__init__.py": "import os\n" + START["src/kit/__init__.py"]}, {}),
    (RENAMED, {"weigh": ("renamed", [f"{CORE_PY}:21-21"])}),
    (GONE, {"weigh": ("removed", [f"{CORE_PY}:18-18"])}),
    ({CORE_PY: WITHOUT + TWICE}, {"weigh": ("ambiguous", [f"{CORE_PY}:25-25"])}),
    ({**MOVED, **EXPORTS}, {}),
    (core("# From the left.", "# From the right."), {}),
    (core("return sum(", "return sum(("), {"weigh": ("unreadable", [f"{CORE_PY}:None-None"])}),
]


@pytest.mark.parametrize(("files", "want"), CHANGES)
def test_each_class_with_the_lines_that_changed(up, docs, run, files, want):
    up.commit(files, "Change something")

    code, report = found(run, up, docs)
    assert (code, untrue(report)) == (0, want)
    assert report["pages"] == (
        {f"docs/index{end}.md": report["pages"]["docs/index.md"] for end in ("", ".zh")} if want else {}
    )
    assert report["counts"]["untrue"] == len(want)
    assert found(run, up, docs, "--fail") == (1 if want else 0, {**report, "exit": 1 if want else 0})


def test_what_is_gone_was_where_its_first_line_is_also_where_another_begins_so(up, docs, run):
    start = '"""A pair."""\n\n\nclass Pair:\n'
    one = "    @property\n    def one(self):\n        return 1\n\n"
    two = "    @property\n    def both(self):\n        yield from sorted(self.names)\n"
    up.git("checkout", "--quiet", "main")
    up.commit({"src/kit/pair.py": start + one + two})
    (docs / "snippets/kit.yaml").write_text("one: {source: kit.pair:Pair.one}\nboth: {source: kit.pair:Pair.both}\n")
    up.git("checkout", "--quiet", "-b", "less")
    up.commit({"src/kit/pair.py": start + two})

    assert untrue(found(run, up, docs)[1]) == {"one": ("removed", ["src/kit/pair.py:5-5"])}


def test_the_lines_of_code_come_before_those_of_docstrings_and_comments(up, docs, run):
    text = CORE.replace("Put a thing on the shelf.", "Put it there.").replace("# From the left.", "# From right.")
    up.commit(core("self.things.insert(place, thing)", "self.things.insert(0, thing)", text))

    assert untrue(found(run, up, docs)[1]) == {"put": ("body", [f"{CORE_PY}:17-17", f"{CORE_PY}:14-15"])}


def test_only_what_the_branch_did_counts_as_git_diff_with_three_dots_has_it(up, docs, run):
    up.commit(core("len(thing) for", "2 * len(thing) for"), "On the branch")
    up.git("checkout", "--quiet", "main")
    main = up.commit(core("*, at: int = 0", "at: int = 0"), "Meanwhile on main")

    code, report = found(run, up, docs, "--head", "topic")
    assert (code, set(untrue(report))) == (0, {"weigh"})
    assert report["old"]["label"].endswith(" (where it left main)")
    code, report = found(run, up, docs, "--head", "topic", base=main)
    assert set(untrue(report)) == {"weigh"}
    assert found(run, up, docs)[1]["snippets"] == [], "main changed nothing since main"


def test_the_work_tree_is_a_head_too(up, docs, run):
    up.write(core("len(thing) for", "2 * len(thing) for"))

    assert untrue(found(run, up, docs)[1]) == {}
    assert untrue(found(run, up, docs, "--head", "./")[1]) == {"weigh": ("body", [f"{CORE_PY}:22-22"])}


def test_it_is_run_anywhere_in_the_checkout(up, docs, run, tmp_path):
    up.commit(core("len(thing) for", "2 * len(thing) for"))
    _, report = found(run, up, docs)

    assert untrue(report)
    assert found(run, up, docs / "docs", cwd=up.folder / "src/kit") == (0, report)
    code, said, _ = run("-C", up.folder, "impact", "--base", "main", "--docs", docs, "--format", "json", cwd=tmp_path)
    assert (code, json.loads(said)) == (0, report)


DEFINED = "put:\n  source: kit:Shelf.put\nlater:\n  source: kit.later:Thing\ndrop:\n  source: kit:Shelf.drop\n"
PAGED = PAGE.replace('"sizes"', '"later"').replace('"weigh"', '"drop"')


def test_what_the_base_does_not_have_is_told_apart(up, docs, run):
    (docs / "snippets/kit.yaml").write_text(DEFINED)
    for page in ("index", "index.zh"):
        (docs / f"docs/{page}.md").write_text(PAGED)
    up.commit(core("*, at: int = 0", "at: int = 0"))

    code, report = found(run, up, docs, "--fail")
    assert (code, set(untrue(report))) == (1, {"put"})
    assert [one["id"] for one in report["absent"]] == ["drop", "later"]
    assert report["absent"][0]["problem"].startswith("neither in main ")
    text = run("impact", "--base", "main", "--docs", docs, cwd=up.folder)[1]
    assert "\nnot in the base, and not compared: drop, later\n" in text
    assert text.endswith("1 snippet: 1 signature; 2 more are not in the base\n")


def test_a_name_that_the_docs_have_already_is_no_news_to_them(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("put:\n  source: kit:Shelf.put\nweigh:\n  source: kit.core:weight\n")
    up.commit(RENAMED)

    _, report = found(run, up, docs)
    assert [(one["id"], one["class"], one["fails"]) for one in report["snippets"]] == [("weigh", "renamed", False)]
    up.git("checkout", "--quiet", "-b", "back")
    up.commit({**core("def weigh", "def weighing"), "src/kit/__init__.py": "from kit.core import Shelf\n"})
    assert set(untrue(found(run, up, docs, base="topic")[1])) == {"weigh"}


def test_where_the_base_has_none_nothing_can_be_said(up, docs, run):
    (docs / "snippets/kit.yaml").write_text("later:\n  source: kit.later:Thing\n")

    code, said, err = run("impact", "--base", "main", "--docs", docs, cwd=up.folder)
    assert (code, said) == (2, "")
    assert err.startswith("snippetlock: none of the 1 snippets is in main ")
    assert "  mend: run it in a checkout of kit, or name another base\n" in err


def test_what_the_docs_were_behind_on_already_is_marked(up, docs, run):
    pinned = up.git("rev-parse", "HEAD")
    project(docs, str(up.folder), pinned)
    assert run("update", cwd=docs)[0] == 0
    up.git("checkout", "--quiet", "main")
    text = CORE.replace("len(thing) for", "2 * len(thing) for")
    up.commit({CORE_PY: text}, "The docs do not have this yet")
    up.git("checkout", "--quiet", "-B", "topic")
    up.commit({CORE_PY: text.replace("2 * len", "3 * len").replace("*, at: int = 0", "at: int = 0")})

    _, report = found(run, up, docs)
    assert {one["id"]: one["stale"] for one in report["snippets"]} == {"put": False, "weigh": True}
    assert run("impact", "--base", "main", "--docs", docs, cwd=up.folder)[1].count("another text than the base") == 1


def test_docs_of_a_newer_release_are_not_said_to_be_behind(up, docs, run):
    old = up.git("rev-parse", "HEAD")
    up.git("checkout", "--quiet", "main")
    project(docs, str(up.folder), up.commit({CORE_PY: CORE.replace("len(thing) for", "2 * len(thing) for")}, "Next"))
    assert run("update", cwd=docs)[0] == 0
    up.git("checkout", "--quiet", "-B", "topic", old)
    up.commit({CORE_PY: CORE.replace("len(thing) for", "3 * len(thing) for")}, "On the old release")

    for form in ("text", "markdown"):
        _, said, _ = run("impact", "--base", old, "--docs", docs, "--format", form, cwd=up.folder)
        assert "the docs quote another text than the base has" in said
        assert "older" not in said
        assert "behind" not in said


def test_a_change_that_brings_what_the_docs_quote_makes_nothing_untrue(up, docs, run):
    pinned = up.commit(core("len(thing) for", "2 * len(thing) for"), "What the docs are pinned to")
    project(docs, str(up.folder), pinned)
    assert run("update", cwd=docs)[0] == 0

    assert untrue(found(run, up, docs)[1]) == {}
    up.git("checkout", "--quiet", "-B", "topic", "main")
    up.commit(core("len(thing) for", "3 * len(thing) for"))
    assert set(untrue(found(run, up, docs)[1])) == {"weigh"}


@pytest.mark.parametrize(
    "pin", ["folder: ../somewhere", "wheel: {file: kit-1-py3-none-any.whl, sha256: %s}" % ("ab" * 32)]
)
def test_a_pin_that_names_no_repository_will_do(up, docs, run, pin):
    (docs / "pin.yaml").write_text(f"name: kit\nversion: '1'\n{pin}\n")
    up.commit({"tests/kit/__init__.py": "", **core("len(thing) for", "2 * len(thing) for")})

    assert untrue(found(run, up, docs)[1]) == {"weigh": ("body", [f"{CORE_PY}:22-22"])}
    up.write(core("SIZES = [1, 2, 4]", "SIZES = [1, 2, 8]"))
    assert set(untrue(found(run, up, docs, "--head", "./")[1])) == {"sizes"}


def test_a_package_that_moves_to_another_root_is_still_found(up, docs, run):
    up.git("mv", "src/kit", "kit")
    up.commit({"kit/core.py": CORE.replace("len(thing) for", "2 * len(thing) for")})

    assert untrue(found(run, up, docs)[1]) == {"weigh": ("body", ["kit/core.py:22-22"])}


def comment(run, up, docs, form="markdown"):
    code, said, err = run("impact", "--base", "main", "--docs", docs, "--format", form, cwd=up.folder)
    assert (code, err) == (0, "")
    return said


def test_the_comment_begins_the_same_way_and_is_short_where_nothing_happened(up, docs, run):
    clean = comment(run, up, docs)
    up.commit(core(SHORT, SHORT.replace("unit: float", "unit: int")))
    said = comment(run, up, docs)

    assert clean.startswith(f"{MARKER}\n### This change leaves every quotation in the documentation true\n")
    assert clean.count("\n") == 4
    assert said.startswith(f"{MARKER}\n### This change makes 1 quotation in the documentation untrue, on 2 pages\n")
    assert "| `docs/index.md` | 9 (`weigh`) |\n| `docs/index.zh.md` | 9 (`weigh`) |\n" in said
    head = up.git("rev-parse", "HEAD")
    assert (
        "<details><summary>signature: <code>weigh</code> in <code>src/kit/core.py:21</code></summary>\n\n"
        f"- changed at [`src/kit/core.py:21`](https://github.com/example/kit/blob/{head}/src/kit/core.py#L21)\n"
    ) in said
    assert "```diff\n- def weigh(things: list[str], unit: float = 1.0) -> float:\n" in said


def test_the_prose_that_names_what_changed_is_shown(up, docs, run):
    for name in ("index.md", "index.zh.md"):
        page = (docs / "docs" / name).read_text()
        (docs / "docs" / name).write_text(page + "\nCall `weigh(things, unit=2)`, in `unit` each; `put` is another.\n")
    up.commit({CORE_PY: CORE.replace("unit: float", "factor: float").replace("* unit", "* factor")})
    said = comment(run, up, docs)

    assert "\n- spoken of in `docs/index.md`, line 12 (`weigh(things, unit=2)`, `unit`)\n" in said
    assert "\n- spoken of in `docs/index.zh.md`, line 12 (" in said
    assert "(`put`)" not in said
    text = run("impact", "--base", "main", "--docs", docs, cwd=up.folder)[1]
    assert "\n  prose: docs/index.md:12:6 `weigh(things, unit=2)`, 12:34 `unit`\n" in text
    _, report = found(run, up, docs)
    assert [one["text"] for one in report["snippets"][0]["prose"]] == ["weigh(things, unit=2)", "unit"] * 2


def test_annotations_are_at_the_changed_lines_one_for_each_place(up, docs, run):
    (docs / "snippets/kit.yaml").write_text((docs / "snippets/kit.yaml").read_text() + "shelf:\n  source: kit:Shelf\n")
    up.commit(core("*, at: int = 0", "at: int = 0"))
    said = comment(run, up, docs, "github")

    assert said.startswith(
        "::warning file=src/kit/core.py,line=13,title=the documentation quotes this::"
        "makes untrue: put (signature), shelf (signature)%0A"
    )
    assert said.count("::warning") == 1
    assert "%0Aread again: docs/index.md:3:11, docs/index.zh.md:3:11\n" in said
    failing = run("impact", "--base", "main", "--docs", docs, "--format", "github", "--fail", cwd=up.folder)
    assert (failing[0], failing[1]) == (1, said.replace("::warning", "::error"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--base", "nothing"], "no revision 'nothing'"),
        (["--base", "main", "--head", "nothing"], "no revision 'nothing'"),
        (["--base", "alone"], "have no commit in common"),
    ],
)
def test_revisions_that_cannot_be_had(up, docs, run, arguments, said):
    up.git("checkout", "--quiet", "--orphan", "alone")
    up.commit({}, "Another beginning")
    up.git("checkout", "--quiet", "topic")

    code, out, err = run("impact", *arguments, "--docs", docs, cwd=up.folder)
    assert (code, out) == (2, "")
    assert err.startswith("snippetlock: could not compare: ")
    assert said in err
    code, out, err = run("impact", *arguments, "--docs", docs, "--format", "github", cwd=up.folder)
    assert (code, err, out.startswith("::error title=snippetlock could not check::")) == (2, "", True)


def test_places_that_are_wrong(up, docs, run, tmp_path):
    code, _, err = run("impact", "--base", "main", "--docs", docs, cwd=docs)
    assert code == 2
    assert "does not lie in a repository; run it in a checkout of the library" in err
    code, _, err = run("impact", "--base", "main", "--docs", tmp_path / "absent", cwd=up.folder)
    assert (code, "name the docs project's folder after --docs" in err) == (2, True)
    code, _, err = run("impact", "--base", "./", "--docs", docs, cwd=up.folder)
    assert (code, "the base './' is a folder" in err) == (2, True)
    code, _, err = run("impact", "--base", "main", "--docs", up.folder, cwd=up.folder)
    assert (code, "no docs project here" in err) == (2, True)


def test_a_shallow_checkout_is_told_to_fetch_more(up, docs, run, repo, tmp_path):
    up.commit(core("len(thing) for", "2 * len(thing) for"))
    clone = repo("clone")
    clone.git("fetch", "--quiet", "--depth=1", up.url, "+refs/heads/*:refs/remotes/origin/*")
    clone.git("checkout", "--quiet", "origin/topic")

    code, _, err = run("impact", "--base", "origin/main", "--docs", docs, cwd=clone.folder)
    assert code == 2
    assert "shallow clone" in err
    assert "fetch --unshallow" in err


@pytest.mark.parametrize("depth", [["--depth=1"], []], ids=["shallow", "whole"])
def test_a_clone_of_one_branch_is_told_how_to_fetch_the_other(up, docs, run, tmp_path, depth):
    up.commit(core("len(thing) for", "2 * len(thing) for"))
    place = tmp_path / "a clone"
    up.git("clone", "--quiet", *depth, "--single-branch", "--branch=topic", up.url, str(place))
    code, _, err = run("impact", "--base", "origin/main", "--docs", docs, cwd=place)
    assert code == 2
    command = err.rpartition("`")[0].rpartition("`")[2]
    assert command == (
        f"git -C '{place}' fetch {'--unshallow ' if depth else ''}origin +refs/heads/main:refs/remotes/origin/main"
    )

    subprocess.run(shlex.split(command), env=up.env, capture_output=True, check=True)
    code, out, err = run("impact", "--base", "origin/main", "--docs", docs, cwd=place)

    assert (code, err) == (0, "")
    assert out == run("impact", "--base", "main", "--docs", docs, cwd=up.folder)[1].replace("main", "origin/main")


def test_a_clone_of_all_branches_is_told_what_is_alike_and_a_branch_of_no_remote_is_nobodys(up, docs, run, tmp_path):
    place = tmp_path / "clone"
    up.git("clone", "--quiet", up.url, str(place))

    mends = [
        run("impact", "--base", base, "--docs", docs, cwd=place)[2].partition("; ")[2].strip()
        for base in ("origin/mian", "other/main", "mian")
    ]

    fetch = f"git -C {place} fetch origin +refs/heads/mian:refs/remotes/origin/mian"
    assert mends[0] == f"did you mean 'origin/main' or 'origin/topic' or 'origin/HEAD'? Or fetch it: `{fetch}`"
    assert all(mend and "fetch" not in mend for mend in mends[1:])


def test_an_example_that_a_change_breaks_is_told_as_one(run, up, docs):
    example = docs / "snippets/examples/shop/till.py"
    example.parent.mkdir(parents=True)
    example.write_text("from kit import weigh\n\nprint(weigh([]), weigh([], unit=2.0))\n")
    up.commit(core("len(thing) for", "len(thing) + 1 for"), "topic")
    assert "till.py" not in run("impact", "--base", "main", "--docs", docs, cwd=up.folder)[1]

    up.commit(core("unit: float = 1.0", "scale: float = 1.0"), "more")
    code, said, err = run("impact", "--base", "main", "--docs", docs, "--fail", cwd=up.folder)
    assert (code, err) == (1, "")
    assert "makes 1 quotation and 1 example in the documentation untrue" in said
    assert "snippets/examples/shop/till.py:3:18  SL308 example-call" in said

    said = run("impact", "--base", "main", "--docs", docs, "--format", "github", cwd=up.folder)[1]
    (line,) = (line for line in said.split("\n") if "examples of the documentation do this" in line)
    assert "snippets/examples/shop/till.py:3:18" in line
