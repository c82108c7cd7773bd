"""The files that a host of repositories reads, and their scripts, with a `gh` and a `snippetlock` that only pretend."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / ".github/scripts"
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))

# Writes down what it was asked, with the text of a body, and says what the test wants it to.
GH = """#!/bin/sh
echo "gh $*" >>"$TOLD"
while [ $# -gt 0 ]; do
    if [ "$1" = --body-file ]; then sed 's/^/| /' "$2" >>"$TOLD"; fi
    case "$1 $2" in
        "issue list") printf '%s' "$OPEN_ISSUE" ;;
        "pr list") printf '%s' "$KNOWN_PULL" ;;
        "pr create") [ -z "$FORBIDDEN" ] || { echo "$FORBIDDEN" >&2; failed=1; } ;;
    esac
    shift
done
exit "${failed:-0}"
"""
SNIPPETLOCK = """#!/bin/sh
case "$1" in
    drift) echo "### Drift"; exit "$DRIFT" ;;
    bump)
        echo "snippetlock $*" >>"$TOLD"
        case "$*" in
            *--dry-run*) echo "The plan." >"$6"; cat "$PLAN"; exit "$ASKS" ;;
        esac
        echo "The report." >"$5"; echo "kit 0.2.0" >pin.txt; cat "${MOVED:-$PLAN}"; exit "${MOVES:-0}" ;;
esac
"""


@pytest.fixture
def work(tmp_path, repo):
    """A checkout of a docs project, with an `origin` to push to."""
    origin = repo("origin", "--bare")
    work = repo("work")
    work.commit({"pin.txt": "kit 0.1.0\n", "README.md": "Docs.\n"})
    work.git("remote", "add", "origin", str(origin.folder))
    work.git("push", "--quiet", "origin", "main")
    for name, text in {"gh": GH, "snippetlock": SNIPPETLOCK}.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    return work


@pytest.fixture
def script(tmp_path, work):
    """`script("drift", …, DRIFT="1") -> (exit code, output, errors, what gh was told)`, run in the checkout."""

    def run(name, *arguments, **environ):
        told = tmp_path / "told.txt"
        told.write_text("")
        silent = {"OPEN_ISSUE": "", "KNOWN_PULL": "", "FORBIDDEN": ""}
        path = f"{tmp_path / 'bin'}:{work.env['PATH']}"
        known = {
            **work.env,
            **silent,
            "PATH": path,
            "TOLD": str(told),
            "SNIPPETLOCK": str(tmp_path / "bin/snippetlock"),
        }
        done = subprocess.run(
            [SCRIPTS / name, *arguments],
            cwd=work.folder,
            env=known | environ,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr, told.read_text()

    return run


LIST = "gh issue list --label {} --state open --limit 100 --json number --jq [.[].number] | min // empty\n"
NOT_ANY_MORE = "The library's main is no longer what the pages quote"


def test_drift_opens_an_issue_with_the_report(script, tmp_path):
    report, summary = tmp_path / "drift.md", tmp_path / "summary.md"

    code, _, err, told = script("drift", report, DRIFT="1", GITHUB_STEP_SUMMARY=str(summary))
    assert (code, err) == (0, "")
    assert told == (
        LIST.format("drift")
        + "gh label create drift --force --description Kept by a workflow --color D93F0B\n"
        + f"gh issue create --title {NOT_ANY_MORE} --label drift --body-file {report}\n| ### Drift\n"
    )
    assert summary.read_text() == report.read_text() == "### Drift\n"


def test_drift_writes_the_issue_anew_that_is_open(script, tmp_path):
    report = tmp_path / "drift.md"

    code, _, _, told = script("drift", report, DRIFT="1", OPEN_ISSUE="7")
    assert code == 0
    assert told == LIST.format("drift") + (
        f"gh issue edit 7 --title {NOT_ANY_MORE} --body-file {report}\n| ### Drift\n"
    )


def test_drift_closes_the_issue_when_nothing_disagrees(script, tmp_path):
    closed = script("drift", tmp_path / "drift.md", DRIFT="0", OPEN_ISSUE="7")
    assert (closed[0], closed[3]) == (0, LIST.format("drift") + "gh issue close 7 --comment Nothing is left of this.\n")

    assert script("drift", tmp_path / "drift.md", DRIFT="0") == (0, "", "", LIST.format("drift"))


@pytest.mark.parametrize("ended", ["2", "3"])
def test_where_nothing_is_known_the_issue_stays(script, tmp_path, ended):
    said = f"drift: could not compare (exit code {ended}); the issue stays as it is\n"

    assert script("drift", tmp_path / "drift.md", DRIFT=ended, OPEN_ISSUE="7") == (int(ended), "", said, "")


@pytest.fixture
def release(script, tmp_path):
    """`release("asks", "taken", …) -> as script`: the plan has a snippet of each verdict, `a`, `b`, … in this order."""

    def run(*verdicts, settled=False, claims=(), **environ):
        snippets = [{"id": name, "verdict": verdict} for name, verdict in zip("abcd", verdicts, strict=False)]
        plan = tmp_path / "given.json"
        new = {"label": "kit 0.2.0"}
        plan.write_text(json.dumps({"settled": settled, "new": new, "snippets": snippets, "claims": claims}))
        asks = "1" if {"asks", "blocked"} & set(verdicts) else "0"
        (tmp_path / "room").mkdir(exist_ok=True)
        return script("release", tmp_path / "room", **{"ASKS": asks, "PLAN": str(plan), **environ})

    return run


def changed(work) -> bool:
    return bool(work.git("status", "--porcelain")) or work.git("rev-parse", "--abbrev-ref", "HEAD") != "main"


PLANNED = "snippetlock bump --to latest --dry-run --report {0}/room/plan.md --format json\n" + LIST.format("release")
PULLS = "gh pr list --head pin/kit-0.2.0 --state all --limit 1 --json number --jq .[].number\n"
CREATE = "gh pr create --base main --head pin/kit-0.2.0 --title Move the pin to kit 0.2.0 --body-file {0}/room/body.md"
AGAIN = (
    "| \n| Checks do not start by themselves on what a workflow opened: close this and open it again, or push to it.\n"
)


def test_a_release_that_asks_nothing_is_a_pull_request(release, work, tmp_path):
    code, said, err, told = release("taken", "taken")

    assert (code, said, err) == (0, "release: proposed kit 0.2.0\n", "")
    bump = "snippetlock bump --to latest --report {0}/room/pull.md --format json\n"
    assert told == (PLANNED + PULLS + bump + CREATE + "\n| The report.\n" + AGAIN).format(tmp_path)
    assert work.git("log", "--format=%s", "origin/pin/kit-0.2.0", "-1") == "Move the pin to kit 0.2.0"
    assert work.git("show", "--stat", "--format=", "origin/pin/kit-0.2.0").split("|")[0].strip() == "pin.txt"
    assert not changed(work)


def test_a_release_that_asks_is_a_draft_on_whose_branch_that_is_accepted(release, work, tmp_path):
    code, said, err, told = release("asks", "taken", "asks")

    assert (code, said, err) == (0, "release: proposed kit 0.2.0, as a draft\n", "")
    assert f"snippetlock bump --to latest --report {tmp_path}/room/pull.md --format json --accept a c\n" in told
    assert f"{CREATE} --draft\n| > What changed is accepted on this branch alone".format(tmp_path) in told
    assert told.endswith("| \n| The report.\n" + AGAIN)
    assert not changed(work)


@pytest.mark.parametrize("verdicts", [("taken",), ("asks",)])
def test_a_release_of_which_a_claim_is_untrue_is_a_draft_that_says_so(release, verdicts, tmp_path):
    code, said, err, told = release(*verdicts, claims=[{"rule": "SL311"}])

    assert (code, said, err) == (0, "release: proposed kit 0.2.0, as a draft\n", "")
    assert f"{CREATE} --draft\n".format(tmp_path) in told
    assert told.count("> Claims or examples named below are untrue of this release.") == 1
    assert ("nobody has read it yet" in told) == ("asks" in verdicts)


def test_a_release_that_a_person_must_decide_about_is_an_issue(release, work, tmp_path):
    code, said, err, told = release("blocked", "asks")

    assert (code, said, err) == (0, "release: somebody has to decide about kit 0.2.0\n", "")
    create = "gh issue create --title The library's new release leaves snippets without a source --label release"
    assert f"{create} --body-file {tmp_path}/room/plan.md\n| The plan.\n" in told
    assert "gh pr" not in told
    assert not changed(work)


def test_the_newest_release_is_nothing_to_propose(release, work, tmp_path):
    code, said, err, told = release(settled=True, OPEN_ISSUE="9")

    assert (code, said, err) == (0, "release: the pin is the newest release\n", "")
    assert told == PLANNED.format(tmp_path) + "gh issue close 9 --comment Nothing is left of this.\n"
    assert not changed(work)


def test_what_was_proposed_once_is_not_proposed_again(release, work, tmp_path):
    code, said, err, told = release("asks", KNOWN_PULL="12")

    assert (code, said, err) == (0, "release: #12 proposes kit 0.2.0\n", "")
    assert told == (PLANNED + PULLS).format(tmp_path)
    assert not changed(work)


ALLOW = 'Settings, Actions, General, Workflow permissions, "Allow GitHub Actions to create and approve pull requests"'
WAITS = (
    "there is a branch pin/kit-0.2.0 without a pull request: open one for it, or delete it and allow this one to "
    f"({ALLOW})\n"
)


@pytest.mark.parametrize(
    ("environ", "more"),
    [({}, ""), ({"GITHUB_ACTIONS": "true"}, f"::warning title=a release waits for a pull request::{WAITS}")],
)
def test_a_branch_of_the_name_without_a_pull_request_is_left_alone(release, work, environ, more):
    work.git("push", "--quiet", "origin", "main:pin/kit-0.2.0")
    there = work.git("rev-parse", "origin/pin/kit-0.2.0")

    code, said, err, told = release("taken", **environ)
    assert (code, said, err) == (0, f"release: {WAITS}{more}", "")
    assert "gh pr create" not in told
    assert (work.git("rev-parse", "origin/pin/kit-0.2.0"), changed(work)) == (there, False)


def test_where_no_pull_request_may_be_opened_the_setting_is_named_once(release, work, tmp_path):
    why = "GitHub Actions is not permitted to create or approve pull requests (createPullRequest)"

    summary = tmp_path / "summary.md"
    code, said, err, _ = release("asks", FORBIDDEN=why, GITHUB_STEP_SUMMARY=str(summary))

    assert (code, said) == (2, "")
    assert err == (
        f"{why}\nrelease: the branch pin/kit-0.2.0 is pushed, and no pull request could be opened for it. "
        f"The repository must allow that: {ALLOW}.\n"
        f"release: open one by hand, with {tmp_path}/room/body.md for its text; or allow it and delete the branch, and "
        "the next run opens one\n"
    )
    assert work.git("log", "--format=%s", "origin/pin/kit-0.2.0", "-1") == "Move the pin to kit 0.2.0"
    assert summary.read_text() == (tmp_path / "room/body.md").read_text() != ""
    assert not changed(work)
    assert release("asks", FORBIDDEN=why)[:3] == (0, f"release: {WAITS}", "")
    work.git("push", "--quiet", "origin", ":pin/kit-0.2.0")
    work.git("branch", "--quiet", "-D", "pin/kit-0.2.0")
    assert release("asks")[:3] == (0, "release: proposed kit 0.2.0, as a draft\n", "")


def test_the_setting_is_named_wherever_somebody_sets_the_workflow_up():
    root = SCRIPTS.parents[1]
    for name in (".github/scripts/release", ".github/workflows/drift.yml", "CONTRIBUTING.md"):
        text = re.sub(r"[#\s]+", " ", (root / name).read_text(encoding="utf-8"))
        assert "Allow GitHub Actions to create and approve pull requests" in text, name


def test_a_release_is_not_proposed_from_a_checkout_with_changes(release, work):
    work.write({"README.md": "Half a sentence"})

    code, said, err, told = release("taken")
    assert (code, said, told) == (2, "", "")
    assert err == "release: the checkout has changes, which would be proposed too: commit or stash them first\n"
    assert (work.folder / "README.md").read_text() == "Half a sentence"


@pytest.mark.parametrize(("environ", "ended"), [({"ASKS": "2"}, 2), ({"ASKS": "3"}, 3), ({"MOVES": "1"}, 1)])
def test_a_move_that_cannot_be_made_ends_with_its_code(release, environ, ended):
    code, _, err, told = release("taken", **environ)

    assert (code, err) == (ended, f"release: could not move the pin (exit code {ended})\n")
    assert "gh pr create" not in told


def test_a_release_that_came_out_meanwhile_is_not_proposed_under_the_name_of_the_last(release, work, tmp_path):
    moved = tmp_path / "moved.json"
    moved.write_text(json.dumps({"settled": False, "new": {"label": "kit 0.3.0"}, "snippets": []}))

    code, said, err, told = release("taken", MOVED=str(moved))
    assert (code, said) == (2, "")
    assert err == "release: kit 0.3.0 came out meanwhile: take these changes back, and run this again\n"
    assert "gh pr create" not in told
    assert work.git("rev-parse", "--abbrev-ref", "HEAD") == "main"


def test_without_the_right_to_push_no_pull_request_is_opened(release, tmp_path):
    hook = tmp_path / "origin/hooks/pre-receive"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)

    code, _, err, told = release("taken")
    assert (code, "gh pr create" in told) == (1, False)
    assert "pre-receive hook declined" in err


# Makes an environment by copying itself; its pip writes down what it is to install.
PYTHON = """#!/bin/sh
[ "$1" = -I ] || { echo "not isolated: $*"; exit 9; }
case "$2 $3" in
    "-c "*print*) echo "$0" ;;
    "-c "*) exit "$TOO_OLD" ;;
    "-m venv") mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
    "-m pip") shift 3; echo "pip $*" >>"$TOLD"; [ -z "$BROKEN" ] ;;
    "-m snippetlock") shift 2; echo "$PWD: $*"; exit 1 ;;
esac
"""


def test_the_action_installs_by_digest_once_and_ends_as_the_check_does(tmp_path, script):
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    (tmp_path / "my docs").mkdir()
    python, room = str(tmp_path / "python"), str(tmp_path / "room")
    given = {
        "PYTHON": python,
        "RUNNER_TEMP": room,
        "TOO_OLD": "0",
        "BROKEN": "",
    }

    code, said, err, told = script("check", tmp_path / "my docs", "--fetch", **given)
    assert (code, said, err) == (1, f"{tmp_path / 'my docs'}: snippetlock check --fetch --format github --fetch\n", "")
    start = "pip --disable-pip-version-check --quiet install --no-build-isolation"
    lists = [f"{start} --require-hashes --requirement {ROOT}/requirements/{name}.txt\n" for name in ("build", "tool")]
    assert told == "".join(lists) + f"{start} --no-deps {ROOT}\n"
    assert script("check", tmp_path / "my docs", **given)[3] == "", "installed already"
    shutil.copy(python, tmp_path / "newer")
    assert script("check", tmp_path, **given | {"PYTHON": str(tmp_path / "newer")})[3] == told, "for another Python"
    other = {name: shutil.copytree(ROOT / name, tmp_path / "v2" / name) for name in (".github", "requirements")}
    told = script(other[".github"] / "scripts/check", tmp_path, **given)[3]
    assert told.endswith(f"{start} --no-deps {tmp_path}/v2\n"), "another version of the action in the same job"

    shutil.rmtree(room)
    assert script("check", tmp_path, **given | {"BROKEN": "yes"})[0] == 1
    assert script("check", tmp_path, **given)[3] != "", "half an environment is none"
    shutil.rmtree(room)
    code, said, _, _ = script("check", tmp_path, **given | {"TOO_OLD": "1"})
    assert (code, said.startswith("::error title=snippetlock could not check::")) == (2, True)
    code, said, _, _ = script("check", tmp_path / "absent", **given)
    assert (code, "::there is no folder " in said) == (2, True)


# Really starts what it is asked for, with the same flags, and lets it say its version; then it only pretends.
STARTING = """#!/bin/sh
[ "$1" != -I ] && alone= || { alone=-I; shift; }
case "$1 $2" in
    "-m "*) "$REAL" $alone -m "$2" --help >/dev/null || exit 9 ;;
    *) exec "$REAL" $alone "$@" ;;
esac
case "$2" in
    venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    snippetlock) echo checked ;;
esac
"""
# Modules that some Python of ours looks for, and what it runs as it starts.
SHADOWS = ("venv", "pip", "json", "yaml", "argparse", "snippetlock", "sitecustomize", "usercustomize")


@pytest.fixture
def shadows(work, tmp_path):
    """`shadows() -> environ`: the checkout has files with the names of modules, on PYTHONPATH too."""

    def make():
        code = f"import pathlib\npathlib.Path({str(tmp_path / 'run.txt')!r}).write_text(__file__)\n"
        work.commit({f"{name}.py": code for name in SHADOWS})
        return {"PYTHONPATH": str(work.folder)}

    return make


@pytest.mark.parametrize("shadowed", [False, True])
def test_the_action_runs_nothing_of_the_project_that_it_checks(script, shadows, tmp_path, shadowed):
    (tmp_path / "python").write_text(STARTING)
    (tmp_path / "python").chmod(0o755)
    environ = {"PYTHON": str(tmp_path / "python"), "REAL": sys.executable, "RUNNER_TEMP": str(tmp_path / "room")}

    code, said, err, _ = script("check", ".", **environ, **(shadows() if shadowed else {}))
    assert (code, said, err) == (0, "checked\n", "")
    assert not (tmp_path / "run.txt").exists()


def test_a_release_is_planned_with_nothing_of_the_project(release, shadows, tmp_path):
    code, said, err, _ = release("taken", **shadows())

    assert (code, said, err) == (0, "release: proposed kit 0.2.0\n", "")
    assert not (tmp_path / "run.txt").exists()


@pytest.mark.parametrize("given", ["", "--a --b", "--a\n--b\n", "\n --a\n\n--b"])
def test_the_action_passes_all_arguments_on(tmp_path, given):
    (step,) = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    script = tmp_path / "check"
    script.write_text('echo "$#: $*"\n')
    environ = {"PATH": os.environ["PATH"], "SCRIPT": str(script), "FOLDER": "my docs", "ARGS": given}

    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout == ("3: my docs --a --b\n" if given else "1: my docs\n")


def test_the_packages_of_the_action_are_those_that_the_tests_run_with():
    def packages(name):
        return set(re.findall(r"^[a-z].*==\S+", (ROOT / f"requirements/{name}.txt").read_text(), re.M))

    assert packages("tool") <= packages("site") <= packages("test") | packages("site")
    assert {name.split("==")[0] for name in packages("tool")} >= {"libcst", "markdown", "pygments", "pyyaml"}


def jobs():
    for file in WORKFLOWS:
        for name, job in yaml.safe_load(file.read_text())["jobs"].items():
            yield pytest.param(file, job, id=f"{file.stem}-{name}")


@pytest.mark.parametrize(("file", "job"), list(jobs()))
def test_each_job_has_no_more_rights_than_it_names_and_an_end(file, job):
    whole = yaml.safe_load(file.read_text())
    # `on` is a truth value to this reader of YAML.
    assert set(whole[True]) <= {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert whole["permissions"] == {}
    assert job["permissions"]
    if "pull_request" in whole[True]:
        assert set(job["permissions"].values()) == {"read"}
    assert job["timeout-minutes"] <= 45
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_every_action_stands_at_a_commit_the_same_everywhere_with_its_version_beside_it():
    files = [*WORKFLOWS, ROOT / "action.yml"]
    used = [line for file in files for line in file.read_text().split("\n") if re.match(r"\s*(- )?uses:", line)]

    pinned = [re.fullmatch(r"\s*(?:- )?uses: ([\w./-]+)@([0-9a-f]{40}) # v(\d+\.\d+\.\d+)", line) for line in used]
    assert used
    assert all(pinned), used
    assert len({match[1] for match in pinned}) == len({match.groups() for match in pinned})


def test_every_script_that_a_step_runs_is_there_and_every_script_is_run():
    text = "".join(file.read_text() for file in [*WORKFLOWS, ROOT / "action.yml", *SCRIPTS.iterdir()])
    named = set(re.findall(r"(?:\.github/scripts|\$\(dirname \"\$0\"\))/(\w+)", text))

    assert named == {path.name for path in SCRIPTS.iterdir()}
    assert all(os.access(path, os.X_OK) for path in SCRIPTS.iterdir())


def test_the_hook_runs_a_command_that_there_is(run, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, *start, module = hook["entry"].partition(" check")[0].split()
    arguments = hook["entry"].split()[len(start) + 2 :]

    assert (program, start, module, hook["language"]) == ("python", ["-I", "-m"], "snippetlock", "python")
    assert hook["pass_filenames"] is False
    code, _, err = run("-C", tmp_path, *arguments)
    assert (code, "no docs project here" in err) == (2, True)


def test_the_hook_runs_nothing_of_the_project_that_it_checks(work, shadows, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    _, *arguments = hook["entry"].split()
    command, environ = [sys.executable, *arguments], {**work.env, **shadows()}

    done = subprocess.run(command, cwd=work.folder, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, "no docs project here" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "run.txt").exists()


@pytest.mark.parametrize(("start", "pips"), [(["-I"], "-I"), (["-P"], "-P"), ([], "-P")])
def test_pip_is_as_isolated_as_who_starts_it(start, pips):
    code = "from snippetlock.source.pip import pip_command; print(pip_command('download')[1])"

    done = subprocess.run([sys.executable, *start, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{pips}\n"
