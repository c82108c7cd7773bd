"""`requirements/environment`, with a Python that only pretends: what is said, and what pip is left to say."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "requirements/environment"
# It makes an environment by copying itself, and its pip is as talkative as it is let.
PYTHON = """#!/bin/sh
case "$1 $2" in
    "-c "*) echo 3.12 ;;
    "--version "*) echo Python 3.12 ;;
    "-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; touch "$3/pyvenv.cfg" ;;
    "-m pip")
        case " $* " in *" -qq "*) ;; *) echo "WARNING: this index is slow" >&2 ;; esac
        [ -n "$PIP_ROOT_USER_ACTION" ] || echo "WARNING: Running pip as the root user" >&2
        if [ -n "$BROKEN" ]; then echo "ERROR: no such package" >&2; exit 1; fi ;;
esac
"""


@pytest.fixture
def make(tmp_path):
    """`make(**environ) -> (exit code, output, errors)` in a project of its own."""
    (tmp_path / "requirements").mkdir()
    for name, text in {
        "environment": SCRIPT.read_text(),
        "build.txt": "",
        "site.txt": "",
        "../pyproject.toml": "",
        "../python": PYTHON,
    }.items():
        (tmp_path / "requirements" / name).write_text(text)
    (tmp_path / "python").chmod(0o755)

    def run(**environ):
        known = {"PATH": os.environ["PATH"], "PYTHON": str(tmp_path / "python"), **environ}
        command = ["/bin/sh", "requirements/environment", "site"]
        done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


SAID = (
    "environment: making .venv with Python 3.12\n"
    "environment: installing requirements/site.txt (the first time that takes a minute or two)\n"
)


def test_our_lines_are_all_there_is_and_the_second_time_there_is_none(make):
    assert make() == (0, SAID, "")
    assert make() == (0, "", "")


def test_an_error_of_pip_is_seen_and_not_taken_for_done(make):
    code, out, err = make(BROKEN="1")
    assert (code, out) == (2, SAID)
    assert err == (
        "ERROR: no such package\n"
        "environment: pip could not install requirements/site.txt; its message is above. "
        "Run the same command again once that is mended\n"
    )
    assert make() == (0, SAID.partition("\n")[2], "")


def test_who_installs_the_tool_gets_all_of_it_and_nothing_of_this_site():
    from setuptools import find_packages

    given = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"][
        "find"
    ]
    (where,) = given["where"]
    found = set(find_packages(str(ROOT / where), include=given["include"]))

    there = {path.parent for path in (ROOT / where / "snippetlock").rglob("__init__.py")}
    assert found == {".".join(folder.relative_to(ROOT / where).parts) for folder in there}
