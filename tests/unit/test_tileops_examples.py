"""Our own examples: each has tests, and their environment is of the pinned release. `make examples` runs them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from snippetlock.config import load_config, load_pin
from snippetlock.config.runs import read_runs

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "snippets/examples"
FOLDERS = sorted(path for path in EXAMPLES.iterdir() if path.is_dir() and not path.name.startswith(("_", ".")))
PIN = load_pin(load_config(ROOT))


def test_there_are_examples():
    assert [folder.name for folder in FOLDERS] == [
        "cpu_backend",
        "gemm_call",
        "gemm_graph",
        "manifest_row",
        "own_op",
        "select_table",
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_has_tests_that_say_something(folder):
    (tests,) = folder.glob("test_*.py")

    assert len(re.findall(r"^def test_", tests.read_text(encoding="utf-8"), re.M)) >= 1


def test_the_environment_is_of_the_pinned_release():
    wanted = (ROOT / "requirements/examples.in").read_text(encoding="utf-8")
    locked = (ROOT / "requirements/examples.txt").read_text(encoding="utf-8")

    assert f"\n{PIN.name}=={PIN.version}\n" in wanted
    assert f"\n{PIN.name}=={PIN.version} \\\n" in locked
    assert PIN.sha256 in locked
    for line in re.findall(r"^[\w.-]+==\S+", wanted, re.M):
        assert f"\n{line} " in locked, f"{line} is not what is locked: make the list anew"


def test_the_backend_asks_for_the_pinned_release():
    said = tomllib.loads((EXAMPLES / "cpu_backend/pyproject.toml").read_text(encoding="utf-8"))

    assert said["project"]["dependencies"] == [f"{PIN.name}=={PIN.version}"]


def test_runs_are_recorded_in_environments_that_the_script_makes():
    script = (ROOT / "requirements/examples").read_text(encoding="utf-8")
    made = {".venv-examples", *(f".venv-examples{path}" for path in re.findall(r"^with=\$venv(\S+)", script, re.M))}

    assert {run.environment for run in read_runs(ROOT / "snippets/runs.yaml", "snippets/runs.yaml")} <= {*made, "pin"}
