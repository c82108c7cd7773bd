"""Pages judged on all cores: what is said is what one process says, and nothing is left of the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from plain import edit
from small import accepted, write

from snippetlock.index import build
from snippetlock.references import judging
from snippetlock.workflow import ahead, workers
from snippetlock.workflow.telling import Prose

SHOWN = '```python snippet="fire"\n```\n'
PROJECT = {
    "pyproject.toml": "[tool.snippetlock]\nreferences = true\n",
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": "class FIREFwdOp:\n    def kiln_for(self, interface, call):\n        return interface, call\n",
    "lib/torn.py": "def (:\n",
    "snippets/kilns.yaml": "fire:\n  source: kilns:FIREFwdOp\n",
    "snippets/vocabulary.yaml": "GlazeFwdOp: {reason: until 0.9, pages: [docs/page-3.md]}\nNever: {reason: x}\n",
    "docs/index.md": f"# Kilns\n\n`FIREFwdOp` asks `kiln_for(interface, call)`.\n\n{SHOWN}",
}
WRONG = (
    "`FireFwdOp` is misspelled.",
    "`kiln_for(role, inputs, call)` is called wrongly.",
    "`GlazeFwdOp` was renamed.",
    "<!-- claim: exists(kilns:Nothing) -->\n\nA claim.",
    "```python\nkiln_for()\n```",
    '```text unsourced="it is a picture"\n```',
    "![A kiln](kiln.svg)",
    "<!-- snippetlock: verificaton -->\n\nA `torch.Tensor`, and `lib/kilns.py`.",
    'A directive `snippet="fire"` in text, and ```snippet="fire"``` again.',
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><g class="code"><text>FireFwdOp</text></g></svg>\n'


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    """A project of twenty pages, most of them with something wrong, that takes several processes."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(ahead, "ENOUGH", 100)
    monkeypatch.setattr(ahead, "_TASK", 200)
    monkeypatch.setattr(build, "_PAYS", 10)
    made = accepted(tmp_path / "docs-project", PROJECT, run)
    write(made / "docs/kiln.svg", SVG)
    for number in range(20):
        text = f"# Page {number}\n\n`kilns.FIREFwdOp.kiln_for` is there.\n\n{WRONG[number % len(WRONG)]}\n"
        write(made / f"docs/page-{number}.md", text)
    return made


@pytest.fixture
def shared(monkeypatch):
    """How many tasks were shared, each time."""
    counts, spread = [], workers.spread

    def counted(do, tasks, jobs, look=None):
        if jobs > 1:
            counts.append(len(tasks))
        return spread(do, tasks, jobs, look)

    monkeypatch.setattr(workers, "spread", counted)
    return counts


@pytest.mark.parametrize(
    "command", [["check"], ["refs"], ["refs", "docs/page-3.md", "docs/page-0.md", "docs/page-1.md"]]
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_several_processes_say_what_one_says_cold_and_warm_and_after_a_change(
    root, run, shared, monkeypatch, tmp_path, command, form
):
    def both():
        found = []
        for jobs in ("1", "3"):
            monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / f"cache-{jobs}"))
            shared.clear()
            found.append(run(*command, "--format", form, "--jobs", jobs, cwd=root))
            assert bool(shared) is (jobs == "3")
        assert found[0] == found[1]
        return found[0], len(shared)

    (code, said, _), times = both()
    assert code == 1
    assert "FireFwdOp" in said
    assert times == 2  # the library, and the pages
    if command != ["check"]:  # of which the whole report is kept
        assert both() == ((code, said, ""), 1)  # all pages are kept: nothing but a look at them is shared
    edit(root / "docs/page-1.md", "is there", "is not `FireFwdOp`")
    assert both()[0] != (code, said, "")


def test_what_changed_on_many_pages_is_judged_by_several_too(root, run, shared):
    run("refs", "--jobs", "3", cwd=root)
    for number in range(4, 20):
        edit(root / f"docs/page-{number}.md", "is there", "is still there")
    shared.clear()
    run("refs", "--jobs", "3", cwd=root)

    assert len(shared) == 2  # one look for what is kept, and the index was kept; then what is not
    assert shared[0] > shared[1] > 1


def test_few_pages_are_judged_here(root, run, shared, monkeypatch):
    monkeypatch.setattr(ahead, "ENOUGH", 500_000)
    monkeypatch.setattr(build, "_PAYS", 400_000)
    assert run("refs", "--jobs", "3", cwd=root)[0] == 1
    assert run("check", "--jobs", "3", cwd=root)[0] == 1
    assert shared == []


@pytest.mark.parametrize("command", ["check", "refs"])
def test_an_error_stands_where_it_belongs(root, run, tmp_path, monkeypatch, command):
    edit(root / "snippets/vocabulary.yaml", "reason: x", "raison: x")
    told = run(command, "--jobs", "1", cwd=root)
    assert told[0] == 2
    assert run(command, "--jobs", "3", cwd=root) == told


@pytest.mark.parametrize("command", ["check", "refs"])
def test_a_page_that_one_of_them_cannot_judge_is_an_error_of_the_command(root, run, command, monkeypatch):
    from snippetlock.errors import ConfigError

    tell = Prose.told

    def told(self, page):
        if page.path == "docs/page-7.md":
            raise ConfigError("a figure cannot be read", path="docs/kiln.svg", mend="mend its permissions")
        return tell(self, page)

    monkeypatch.setattr(Prose, "told", told)
    code, _, said = run(command, "--jobs", "3", cwd=root)
    assert (code, said) == (
        2, "snippetlock: docs/kiln.svg: a figure cannot be read\n  mend: mend its permissions\n"
    )  # fmt: skip


@pytest.mark.parametrize("command", ["check", "refs"])
def test_a_process_that_is_ended_is_an_error_of_the_command(root, run, command, monkeypatch):
    tell, here = judging.tell_page, os.getpid()

    def told(*given):
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return tell(*given)

    monkeypatch.setattr(judging, "tell_page", told)
    code, out, said = run(command, "--jobs", "3", cwd=root)

    assert (code, out) == (2, "")
    assert said == (
        "snippetlock: a process that worked for this command ended before its work was done\n"
        "    it was ended by SIGKILL\n"
        "  mend: run the command again; where memory was short, with --jobs 1\n"
    )
    assert run(command, "--jobs", "1", cwd=root)[0] == 1


SLOW = """
import sys, time
from snippetlock.cli import main
from snippetlock.index import build
from snippetlock.references import judging
from snippetlock.workflow import ahead

ahead.ENOUGH, ahead._TASK, build._PAYS = 100, 200, 10
tell = judging.tell_page

def told(*given):
    time.sleep(0.2)
    return tell(*given)

judging.tell_page = told
sys.exit(main(["refs", "--jobs", "3", "--format", "json"]))
"""


@pytest.mark.parametrize("whom", ["all", "the first"])
def test_interrupted_it_leaves_no_process_and_only_whole_entries_in_the_cache(root, run, tmp_path, whom, monkeypatch):
    kept = tmp_path / "interrupted"
    environ = {**os.environ, "SNIPPETLOCK_CACHE": str(kept)}
    with subprocess.Popen(
        [sys.executable, "-c", SLOW],
        cwd=root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        end = time.monotonic() + 60
        while not list(kept.glob("prose/*")) and time.monotonic() < end:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT) if whom == "all" else process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=30)  # to the end of the output, which the others hold too
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)

    assert (process.returncode, said, complained) == (130, b"", b"snippetlock: interrupted\n")
    assert 0 < len(list(kept.glob("prose/*"))) < 21
    assert [path for path in kept.rglob("*") if path.name.startswith(".")] == []
    whole = run("refs", "--format", "json", "--jobs", "1", cwd=root)
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(kept))
    assert run("refs", "--format", "json", "--jobs", "1", cwd=root) == whole


def test_who_asks_for_no_number_of_processes_gets_one_a_core(root, run, shared, monkeypatch):
    monkeypatch.setattr(workers, "cores", lambda: 1)
    assert run("refs", cwd=root)[0] == 1
    assert run("check", cwd=root)[0] == 1
    assert shared == []
    monkeypatch.setattr(workers, "cores", lambda: 2)
    edit(root / "docs/page-1.md", "is there", "is `there`")
    assert run("check", cwd=root)[0] == 1
    assert shared


@pytest.mark.parametrize("option", [["--why", "kiln_for"], ["--path", "."]])
def test_where_one_process_works_it_is_no_use_to_ask_for_more(root, run, option):
    code, out, said = run("refs", "--jobs", "2", *option, cwd=root)

    assert (code, out) == (2, "")
    assert said.endswith("with --path or --why one process works\n  mend: leave --jobs out\n")
