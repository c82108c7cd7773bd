from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from plain import LOCK, SOURCE, copy_of, edit
from upstream import library, project

from snippetlock import __version__
from snippetlock.cli.commands import COMMANDS
from snippetlock.cli.console import _SPELLED, Console
from snippetlock.errors import UsageError
from snippetlock.model import Finding, Place, Report
from snippetlock.report import FORMS

TOOLS = Path(__file__).parents[2] / "tools"
CLEAN = "4 snippets, 4 pages, 2 unsourced blocks, 0 diagrams, 0 findings\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return copy_of(tmp_path)


def test_each_command_has_what_it_takes_and_what_it_does_and_no_other_module_has_more():
    have = set()
    for module in {module for module, _ in COMMANDS.values()}:
        names = vars(import_module(f"snippetlock.cli.commands.{module}"))
        have |= {(module, name) for name in names if name.startswith(("run_", "options_"))}

    wanted = {(m, f"{what}_{name}") for name, (m, _) in COMMANDS.items() for what in ("run", "options")}
    assert have == wanted
    files = {path.stem for path in (TOOLS / "snippetlock/cli/commands").glob("*.py")} - {"__init__"}
    assert files == {module for module, _ in COMMANDS.values()}


def test_every_form_has_who_writes_it():
    for forms in FORMS.values():
        assert next(iter(forms)) == "text"
        for form, writer in forms.items():
            module, _, function = writer.partition(".")
            takes = signature(getattr(import_module(f"snippetlock.report.{module}"), function)).parameters
            assert ("color" in takes) is (form == "text"), writer


def test_check_is_clean(root, run):
    assert run("check", cwd=root) == (0, CLEAN, "")
    assert run("check", cwd=root / "docs") == (0, CLEAN, "")
    assert run("-C", root / "snippets", "check", cwd="/") == (0, CLEAN, "")


def test_findings_are_printed_in_each_form_with_exit_1(root, run):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    code, text, err = run("check", cwd=root)
    assert (code, err) == (1, "")
    assert text == (
        "snippets/counting.yaml:13:1  SL103 text-differs  merge\n"
        "  tally/_counting.py:31-33 is not what was accepted for 'merge'\n"
        "    the accepted text is not at hand; this is what it shows now:\n"
        "    # Merging is symmetric: the order of the two does not matter.\n"
        "    def merge(one: Counter, other: Counter) -> Counter:\n"
        "        return Counter(one.value - other.value)\n"
        "  shown by: docs/index.md:12:15, docs/index.zh.md:12:15\n"
        "  mend: read it where it is shown, then accept it: snippetlock update merge\n"
        "\n"
        "4 snippets, 4 pages, 2 unsourced blocks, 0 diagrams, 1 finding\n"
    )

    code, said, _ = run("check", "--format", "json", cwd=root)
    assert (code, json.loads(said)["findings"][0]["rule"]) == (1, "SL103")
    code, said, _ = run("check", "--format", "github", cwd=root)
    assert code == 1
    assert said.startswith("::error file=snippets/counting.yaml,line=13,col=1,title=SL103 text-differs::")


def test_annotations_name_the_files_as_the_repository_does(repo, run, monkeypatch, tmp_path):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    top = repo("whole").folder
    root = copy_of(top / ".some: docs")
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    place = ".some%3A docs/plain/"

    for cwd in (root, root / "docs"):
        code, said, _ = run("check", "--format", "github", cwd=cwd)
        assert (code, said.count("::error file=")) == (1, 1)
        assert said.startswith(f"::error file={place}snippets/counting.yaml,line=13,col=1,title=SL103 text-differs::")
    (root / "pin.yaml").write_text("name: [\n")
    code, said, _ = run("check", "--format", "github", cwd=root)
    assert (code, said.startswith(f"::error file={place}pin.yaml,line=")) == (2, True)
    code, said, _ = run("check", "--format", "github", cwd=top)
    assert (code, said.startswith("::error title=")) == (2, True)


def test_a_sarif_log_names_the_files_as_the_repository_does(repo, run, monkeypatch, tmp_path):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    top = repo("whole").folder
    alone, nested = copy_of(tmp_path / "alone"), copy_of(top / "some docs")
    said = {}
    for root in (alone, nested):
        shutil.copytree(root / "lib", root / "next")
        edit(root / "next/tally/_counting.py", "one.value + other.value", '  "uri": "one"')
        code, text, _ = run("drift", "--against", "./next", "--format", "sarif", cwd=root)
        assert code == 1
        said[root] = json.loads(text)["runs"][0]["results"]

    def places(results):
        spots = [spot for one in results for spot in one["locations"] + one.get("relatedLocations", [])]
        return [spot["physicalLocation"]["artifactLocation"]["uri"] for spot in spots]

    assert "snippets/counting.yaml" in places(said[alone])
    assert places(said[nested]) == [f"some%20docs/plain/{uri}" for uri in places(said[alone])]
    assert [one["message"] for one in said[nested]] == [one["message"] for one in said[alone]]


def test_the_difference_is_shown_where_the_accepted_text_was_seen(root, run):
    run("check", cwd=root)
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")

    _, text, _ = run("check", cwd=root)
    assert (
        "    --- accepted\n"
        "    +++ tally/_counting.py:31-33\n"
        "    @@ -1,3 +1,3 @@\n"
        "     # Merging is symmetric: the order of the two does not matter.\n"
        "     def merge(one: Counter, other: Counter) -> Counter:\n"
        "    -    return Counter(one.value + other.value)\n"
        "    +    return Counter(one.value - other.value)\n"
    ) in text


def test_update_says_what_it_accepted_and_then_that_there_is_nothing_to_do(root, run):
    run("check", cwd=root)
    edit(root / "lib/tally/defaults.yaml", "step: 1", "step: 2")
    code, text, err = run("update", cwd=root)
    assert (code, err) == (0, "")
    assert text == (
        "accepted counter-defaults: another text, tally/defaults.yaml:2-4\n"
        "    --- accepted\n"
        "    +++ tally/defaults.yaml:2-4\n"
        "    @@ -1,3 +1,3 @@\n"
        "     counter:\n"
        "       start: 0\n"
        "    -  step: 1  # never zero\n"
        "    +  step: 2  # never zero\n"
        "accepted 1 snippet, dropped 0, kept 3\n"
    )

    assert run("update", cwd=root) == (0, "nothing to do: 4 snippets as accepted\n", "")
    assert run("check", cwd=root)[0] == 0


def test_an_update_that_cannot_is_findings_and_writes_nothing(root, run):
    before = (root / LOCK).read_bytes()
    edit(root / SOURCE, "def merge(", "def join(")
    code, text, err = run("update", cwd=root)

    assert code == 1
    assert "SL101 unresolved-selector  merge\n" in text
    assert err == "snippetlock: nothing was written: mend the findings above first\n"
    assert (root / LOCK).read_bytes() == before


def test_show_numbers_the_lines_of_the_file_and_marks_highlights(root, run):
    assert run("show", "counter-see", cwd=root) == (
        0,
        "tally/_counting.py:20-28  tally 2.1\n"
        " 20 | def see(self, *things: object) -> int:\n"
        "    |     # …\n"
        " 25 |     for thing in things:\n"
        " 26 |         if thing is not None:\n"
        ">27 |             self._count += 1\n"
        " 28 |     return self._count\n",
        "",
    )


def test_show_tries_a_selector_that_nobody_defined(root, run):
    assert run("show", "tally:LIMIT", cwd=root) == (0, "tally/__init__.py:6  tally 2.1\n 6 | LIMIT = 1_000\n", "")


def test_show_and_add_say_how_many_statements_match_took_where_nothing_holds_it_to_that(root, run):
    match = ("tally:Counter", "--match", "self._count = $_")
    told = "\n`match` fits 2 statements; `count: 2` (`--count 2`) holds it to that\n"

    assert run("show", *match, cwd=root)[1].endswith(told)
    assert "`match` fits" not in run("show", *match, "--count", "2", cwd=root)[1]
    assert "`match` fits 1 statement; `count: 1`" in run("show", match[0], "--match", "self._count += $_", cwd=root)[1]
    assert told in run("add", "counts", *match, cwd=root)[1]
    assert run("show", "counts", cwd=root)[1].endswith(told)


def test_show_and_add_take_a_view(root, run):
    options = ("--from", "for $x in $*_", "--to", "return $_", "--highlight", "$_ += 1")
    shown = (
        "    | # …\n"
        " 25 | for thing in things:\n"
        " 26 |     if thing is not None:\n"
        ">27 |         self._count += 1\n"
        " 28 | return self._count\n"
    )
    assert run("show", "tally:Counter.see", *options, cwd=root) == (
        0,
        f"tally/_counting.py:25-28  tally 2.1\n{shown}",
        "",
    )
    code, text, err = run("add", "loop", "tally:Counter.see", *options, cwd=root)
    assert (code, err, shown in text) == (0, "", True)
    code, text, err = run("show", "tally:Counter", "--match", "self._count = $_", "--count", "3", cwd=root)
    assert (code, text) == (2, "")
    assert "`match` fits 2 statements, and `count` says 3" in err
    code, text, err = run("show", "merge", "--show", "body", cwd=root)
    assert (code, text) == (2, "")
    assert err.startswith("snippetlock: 'merge' has a view of its own\n")


def test_show_and_add_take_the_imports_along(root, run):
    file = root / "lib/tally/_counting.py"
    edit(file, 'done."""\n', 'done."""\n\nfrom itertools import chain\nfrom math import pi\n')
    edit(file, "for thing in things:", "for thing in chain(things):")
    options = ("tally:Counter.see", "--show", "body", "--docstrings", "drop")
    shown = (
        "  3 | from itertools import chain\n"
        "    | # …\n"
        " 28 | for thing in chain(things):\n"
        " 29 |     if thing is not None:\n"
        " 30 |         self._count += 1\n"
        " 31 | return self._count\n"
    )

    assert run("show", *options, "--imports", cwd=root) == (0, f"tally/_counting.py:28-31  tally 2.1\n{shown}", "")
    assert "import" not in run("show", *options, cwd=root)[1]
    assert run("add", "seen", *options, "--imports", cwd=root)[0] == 0
    assert "  show: body\n  docstrings: drop\n  imports: true\n" in (root / "snippets/counting.yaml").read_text("utf-8")
    assert run("show", "seen", cwd=root)[1].endswith(shown)


@pytest.mark.parametrize("number", ["0", "x", "-1"])
def test_a_count_is_a_number_from_one_on(root, run, number):
    code, _, err = run("show", "tally:Counter", "--match", "a", f"--count={number}", cwd=root)
    assert (code, f"'{number}' is not a whole number from 1 on" in err) == (2, True)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "merg",
            "no snippet 'merg' is defined, and the library has no module 'merg'\n  mend: did you mean 'merge'?\n",
        ),
        (
            "taly",
            "no snippet 'taly' is defined, and the library has no module 'taly'\n  mend: did you mean 'tally'?\n",
        ),
        (
            "zzz",
            "no snippet 'zzz' is defined, and the library has no module 'zzz'\n"
            "  mend: `snippetlock list` shows what there is\n",
        ),
        ("counter-seen", "no snippet 'counter-seen' is defined\n  mend: did you mean 'counter-see'"),
        ("tally:merg", "tally/__init__.py: no symbol 'merg' in tally/__init__.py\n"),
        ("tally:a b", "'tally:a b' is neither a snippet nor a selector: a selector has a space in it\n"),
    ],
)
def test_show_of_nothing_is_exit_2(root, run, asked, said):
    code, text, err = run("show", asked, cwd=root)

    assert (code, text) == (2, "")
    assert err.startswith(f"snippetlock: {said}")


def test_list_is_a_table(root, run):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    edit(root / "snippets/defaults.yaml", "tally/defaults.yaml:counter", "tally/defaults.yaml:counted")

    assert run("list", cwd=root) == (
        0,
        "ID                SOURCE                       LINES                     PAGES  STATE\n"
        "counter           tally:Counter                tally/_counting.py:4-28   2      ok\n"
        "counter-defaults  tally/defaults.yaml:counted  ?                         2      unresolved-selector\n"
        "counter-see       tally:Counter.see            tally/_counting.py:20-28  2      ok\n"
        "merge             tally:merge                  tally/_counting.py:31-33  2      text-differs\n",
        "",
    )


def test_list_survives_a_library_that_cannot_be_read(root, run):
    edit(root / SOURCE, "Counter(one", "Counter((one")

    code, text, err = run("list", cwd=root)
    assert (code, err) == (0, "")
    assert "?" in text


def states(root, run) -> set[str]:
    code, text, err = run("list", cwd=root)
    assert (code, err) == (0, "")
    return {line.split("  ")[-1].strip() for line in text.split("\n")[1:-1]}


def test_list_calls_nothing_ok_that_no_lock_accepts(root, run):
    assert states(root, run) == {"ok"}
    lock = (root / LOCK).read_text()

    (root / LOCK).unlink()
    assert states(root, run) == {"lock-missing"}

    (root / LOCK).write_text(lock.replace("format: 4\n", "format: 4\n\n"))
    assert states(root, run) == {"lock-edited"}

    (root / LOCK).write_text(lock)
    edit(root / "pin.yaml", "2.1", "2.2")
    assert states(root, run) == {"lock-of-another-pin"}


def test_list_says_of_one_snippet_that_it_was_never_accepted(root, run):
    with open(root / "snippets/counting.yaml", "a") as file:
        file.write("limit:\n  source: tally:LIMIT\n")
    _, text, _ = run("list", cwd=root)

    assert [line.split("  ")[-1].strip() for line in text.split("\n")[1:-1]] == [
        *["ok"] * 3,
        "lock-missing, unused-snippet",
        "ok",
    ]


def test_show_takes_a_module_at_the_top_of_the_library(root, run):
    code, text, err = run("show", "tally", cwd=root)
    assert (code, err) == (0, "")
    assert text.startswith("tally/__init__.py:1-6  tally 2.1\n")
    assert run("show", "tally", "--show", "docstring", cwd=root)[0] == 0


def test_an_id_goes_before_a_module_of_the_same_name(root, run):
    with open(root / "snippets/counting.yaml", "a") as file:
        file.write("tally:\n  source: tally:LIMIT\n")
    assert run("show", "tally", cwd=root) == (0, "tally/__init__.py:6  tally 2.1\n 6 | LIMIT = 1_000\n", "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("docs/f.md", "a page cannot be read: it is a FIFO, not a file\n  mend: take it out of the docs"),
        ("snippets/f.yaml", "is not a file\n  mend: remove it, or give it another name\n"),
        (
            "snippets/snippets.lock",
            "the lock cannot be read: it is a FIFO, not a file\n  mend: put the lock file there",
        ),
        ("pin.yaml", "cannot be read: it is a FIFO, not a file\n  mend: put the file itself in its place\n"),
    ],
)
@pytest.mark.parametrize("command", ["check", "list"])
def test_what_is_no_file_is_named_and_not_waited_for(root, name, said, command):
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    code, out, err = shell(root, f"timeout 20 snippetlock {command}")
    assert (code, out) == (2, "")
    assert err.startswith(f"snippetlock: {name}: {said}")


def test_a_fifo_that_nobody_reads_is_nobodys_business(root, run):
    os.mkfifo(root / "snippets/notes.txt")
    os.mkfifo(root / "docs/pipe")
    assert run("check", cwd=root) == (0, CLEAN, "")


def test_add_shows_and_says_how_a_page_asks_for_it(root, run):
    code, text, err = run("add", "limit", "tally:LIMIT", cwd=root)

    assert (code, err) == (0, "")
    assert text == (
        "tally/__init__.py:6  tally 2.1\n"
        " 6 | LIMIT = 1_000\n"
        "\n"
        "added to snippets/counting.yaml, and accepted into the lock. A page shows it with:\n"
        "\n"
        '```python snippet="limit"\n'
        "```\n"
    )


@pytest.mark.parametrize(
    ("builder", "first", "last"),
    [
        (True, "1. In mkdocs.yml, list the extension, and", "2. Accept what the definition shows, and check:"),
        (False, "1. Accept what", "2. To build with MkDocs, write a mkdocs.yml; there, list the extension, and the"),
    ],
)
def test_init_says_what_is_left_to_do(root, run, tmp_path, builder, first, last):
    new = tmp_path / "new"
    new.mkdir()
    (root / "lib").rename(new / "lib")
    if builder:
        (new / "mkdocs.yml").write_text("site_name: new\n")
    code, text, err = run("init", "--folder", "lib", cwd=new)

    assert (code, err) == (0, "")
    assert text.startswith("started: 'first-quotation' quotes tally:Counter of tally\n  wrote pyproject.toml\n")
    steps = text.partition("\nnext:\n")[2]
    assert steps.startswith(first)
    assert f"\n{last}" in steps


def test_pin_says_what_and_where(root, run):
    assert run("pin", cwd=root) == (
        0,
        f"pin     tally 2.1\nfrom    the folder lib\nat      {root / 'lib'}\nstate   at hand\n",
        "",
    )
    assert run("pin", "fetch", cwd=root) == (0, "", "")

    (root / "lib").rename(root / "gone")
    code, text, _ = run("pin", cwd=root)
    assert code == 2
    assert "state   the folder does not exist\n" in text
    assert run("pin", "fetch", cwd=root)[0] == 2


def test_a_check_gets_the_pin_first_where_that_is_asked_for(repo, run, tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    up, commit = library(repo)
    docs = project(tmp_path / "docs", up.serve(), commit)

    code, said, err = run("check", cwd=docs)
    assert (code, said, "run `snippetlock pin fetch`" in err) == (2, "", True)
    code, said, _ = run("check", "--fetch", cwd=docs)
    assert (code, "SL104" in said) == (1, True)
    assert run("update", cwd=docs)[0] == 0
    up.folder.rename(tmp_path / "away")
    assert run("check", "--fetch", cwd=docs) == (0, run("check", cwd=docs)[1], ""), "what is at hand is not asked for"


def test_who_reads_the_pins_own_address_alone_is_offered_no_copy(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SNIPPETLOCK_UPSTREAM", raising=False)
    docs = project(tmp_path / "docs", "http://127.0.0.1:9/lib", "ab" * 20)

    for command in (("pin", "fetch"), ("check", "--fetch")):
        code, _, err = run(*command, cwd=docs)
        assert (code, err.rstrip("\n").split("\n")[-1]) == (2, "  mend: check the address and the network")
    code, _, err = run("drift", cwd=docs)
    assert (code, "check the address and the network, or name a copy with --upstream" in err) == (2, True)


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit", "markdown"])
def test_what_could_not_be_checked_is_exit_2_in_each_form(root, run, form):
    (root / "pin.yaml").unlink()
    code, out, err = run("check", "--format", form, cwd=root)

    assert code == 2
    if form not in ("json", "github"):  # what goes into a file is not what somebody reads first
        assert err.startswith("snippetlock: pin.yaml: there is no pin file\n  mend: ")
    if form in ("text", "markdown"):
        assert out == ""
    elif form == "json":
        assert (json.loads(out)["error"]["path"], json.loads(out)["exit"], err) == ("pin.yaml", 2, "")
    elif form == "sarif":
        assert json.loads(out)["runs"][0]["invocations"][0]["executionSuccessful"] is False
    elif form == "junit":
        assert 'errors="1"' in out
        assert 'message="pin.yaml: there is no pin file"' in out
    else:
        assert out.startswith("::error file=pin.yaml,title=snippetlock could not check::there is no pin file%0A")


def test_the_projects_folder_may_stand_behind_the_command(root, run, tmp_path):
    where = tmp_path / "elsewhere"
    where.mkdir()
    wanted = run("check", cwd=root)
    assert wanted[0] == 0

    assert run("-C", root, "check", cwd=where) == wanted
    assert run("check", "-C", root, "--jobs", "1", cwd=where) == wanted
    assert run("list", "-C", root, cwd=where)[0] == 0
    assert run("check", "-C", root / "none", cwd=where)[0] == 2
    assert run("check", cwd=where)[0] == 2


def test_no_project_and_no_folder_are_exit_2(tmp_path, run):
    code, _, err = run("check", cwd=tmp_path)
    assert code == 2
    assert "start one with `snippetlock init`" in err

    code, _, err = run("-C", tmp_path / "none", "check")
    assert code == 2
    assert err.startswith(f"snippetlock: there is no folder {tmp_path / 'none'}\n")


@pytest.mark.parametrize(
    "arguments", [["frob"], [], ["check", "--form", "json"], ["check", "--format", "xml"], ["init"]]
)
def test_a_wrong_command_line_is_exit_2_with_usage(run, arguments):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert err.startswith("usage: snippetlock")


def test_help_and_version(run):
    assert run("--version") == (0, f"snippetlock {__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    for command in ("check", "update", "add", "show", "list", "init", "pin", "proof"):
        assert f"\n    {command} " in out
        code, said, _ = run(command, "--help")
        assert (code, said.startswith(f"usage: snippetlock {command} ")) == (0, True)


def test_a_bug_of_ours_is_exit_3_with_a_traceback(root, run, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("snippetlock.workflow.memo.checked", broken)
    code, out, err = run("check", cwd=root)

    assert (code, out) == (3, "")
    assert "ZeroDivisionError: oh\n" in err
    assert err.endswith("snippetlock: this is a bug in snippetlock: please report it with the lines above\n")


def test_ctrl_c_is_exit_130_without_a_traceback(root, run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("snippetlock.workflow.memo.checked", interrupted)

    assert run("check", cwd=root) == (130, "", "snippetlock: interrupted\n")


def test_a_reader_that_leaves_is_told_from_a_clean_check(root):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    read, write = os.pipe()
    os.close(read)
    environ = {**os.environ, "PYTHONPATH": str(TOOLS)}
    done = subprocess.run(
        [sys.executable, "-m", "snippetlock", "check"], cwd=root, env=environ, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (141, b"")


def shell(root, line: str, *, unbuffered: bool = False) -> tuple[int, str, str]:
    """Run the line in a shell, `snippetlock` being this one."""
    environ = {**os.environ, "PYTHONPATH": str(TOOLS), "PYTHON": sys.executable}
    environ.pop("PYTHONUNBUFFERED", None)
    if unbuffered:
        environ["PYTHONUNBUFFERED"] = "1"
    line = line.replace("snippetlock", '"$PYTHON" -m snippetlock')
    done = subprocess.run(["/bin/sh", "-c", line], cwd=root, env=environ, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_who_closes_a_stream_gets_the_exit_code(root, closed):
    seen = "" if ">&-" in closed.split() else CLEAN
    assert shell(root, f"snippetlock check {closed}") == (0, seen, "")
    assert shell(root, f"snippetlock show nothing {closed}")[0] == 2
    assert shell(root, f"snippetlock --version {closed}") == (0, seen and f"snippetlock {__version__}\n", "")
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    code, out, err = shell(root, f"snippetlock check {closed}")
    assert (code, bool(out), err) == (1, bool(seen), "")


def test_what_is_opened_does_not_take_the_number_of_a_closed_stream(root):
    edit(root / SOURCE, "one.value + other.value", "one.value - other.value")
    assert shell(root, "snippetlock update >&- 2>&- <&-") == (0, "", "")
    assert shell(root, "snippetlock check") == (0, CLEAN, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [
        ("check", False),
        ("check", True),
        ("check --format json", False),
        ("list", False),
        ("show merge", True),
        ("pin", False),
        ("update", False),
        ("--version", False),
        ("check --help", True),
    ],
)
def test_a_full_disk_is_one_line_and_exit_2(root, command, unbuffered):
    assert shell(root, f"snippetlock {command} >/dev/full", unbuffered=unbuffered) == (
        2,
        "",
        "snippetlock: cannot write the output: No space left on device\n",
    )


def test_a_full_disk_for_errors_leaves_the_exit_code(root):
    assert shell(root, "snippetlock check 2>/dev/full") == (0, CLEAN, "")
    assert shell(root, "snippetlock check >/dev/full 2>/dev/full") == (2, "", "")
    assert shell(root, "snippetlock show nothing 2>/dev/full") == (2, "", "")


def test_a_terminal_that_knows_only_ascii_still_gets_a_report(root):
    edit(root / "docs/index.zh.md", 'sh unsourced="命令，不是引文"', "sh")
    edit(root / "docs/index.zh.md", "pip install tally", "装")
    environ = {**os.environ, "PYTHONPATH": str(TOOLS), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "snippetlock", "check"], cwd=root, env=environ, capture_output=True)

    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\\u88c5\n" in done.stdout


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(stream, environ, wanted):
    assert Console(stream, stream, environ).output_color() is wanted


def test_progress_is_for_terminals_and_is_wiped_before_anything_else():
    out, err = io.StringIO(), Terminal()
    console = Console(out, err, {})
    console.progress("fetching lib 1.0", 5_200_000, 0)
    console.progress("fetching lib 1.0", 1, 2)
    console.print("done\n")
    assert err.getvalue() == "\rfetching lib 1.0 5.2 MB\x1b[K\rfetching lib 1.0 50%\x1b[K\r\x1b[K"
    assert out.getvalue() == "done\n"

    silent = io.StringIO()
    Console(out, silent, {}).progress("fetching", 1, 2)
    assert silent.getvalue() == ""


OBEYED = "a\x1b[2Jb\x07c\rd\x9be\u2028f\u202eg\x1b[8mh\x7f"
SPELLED = r"a\x1b[2Jb\x07c\x0dd\u009be\u2028f\u202eg\x1b[8mh\u007f"


@pytest.mark.parametrize(("stream", "color"), [(Terminal, "\x1b[1;31mx\x1b[0m"), (io.StringIO, r"\x1b[1;31mx\x1b[0m")])
def test_what_somebody_else_wrote_is_shown_and_not_obeyed(stream, color):
    out, err = stream(), stream()
    console = Console(out, err, {})
    text = f"{OBEYED}\x1b[1;31mx\x1b[0m"

    console.print(f"{text}\n")
    console.note(text)
    console.error(UsageError(text), "text")
    console.bug(text)

    assert out.getvalue() == f"{SPELLED}{color}\n"
    assert err.getvalue().startswith(
        f"snippetlock: {SPELLED}{color}\n" * 2 + f"{SPELLED}{color}\nsnippetlock: this is a"
    )


def test_all_that_is_spelled_out_is_what_python_does_not_print():
    """Which lines of a text have none of it is asked that way."""
    assert not any(chr(code).isprintable() for code in _SPELLED)


def test_what_a_program_reads_is_the_same_string():
    out = io.StringIO()
    Console(out, out, {}).print(json.dumps(OBEYED, ensure_ascii=False))

    assert json.loads(out.getvalue()) == OBEYED


def test_what_nobody_obeys_is_shown_as_it_is():
    out = io.StringIO()
    Console(out, out, {}).print("\tλ 中文，“é”\u3000\u00a0\u200d👩\u200d💻\n\n")

    assert out.getvalue() == "\tλ 中文，“é”\u3000\u00a0\u200d👩\u200d💻\n\n"


def test_errors_and_reports_are_coloured_alike():
    out, err = Terminal(), Terminal()
    console = Console(out, err, {})
    console.error(UsageError("no", path="a.yaml", line=1, mend="do"), "text")
    console.report(
        Report(findings=(Finding(rule="SL109", place=Place(path="a.yaml"), message="m"),), counts={}), "text"
    )

    assert err.getvalue() == "snippetlock: \x1b[1ma.yaml:1: \x1b[0mno\n\x1b[36m  mend: \x1b[0mdo\n"
    assert out.getvalue().startswith("\x1b[1ma.yaml\x1b[0m  \x1b[31mSL109 unused-snippet\x1b[0m\n")
