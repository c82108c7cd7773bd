"""`requirements/examples`, with a Python that only pretends: what it says before it downloads, and when it need not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# It makes an environment by copying itself, and installs by writing a line into a file.
PYTHON = """#!/bin/sh
case "$1 $2 $3" in
    "-m venv --without-pip") mkdir -p "$4/bin" "$4/lib"; cp "$0" "$4/bin/python" ;;
    "-m venv "*) mkdir -p "$3/bin" "$3/lib"; cp "$0" "$3/bin/python"; touch "$3/pyvenv.cfg" ;;
    "-m pip "*)
        if [ -n "$BROKEN" ]; then echo "ERROR: no such package" >&2; exit 1; fi
        echo "$*" >> "$LOG" ;;
    *sysconfig*) echo "$(dirname "$0")/../lib" ;;
    *sys.exit*) exit "${TOO_OLD:-0}" ;;
    *) echo "Python 3.12" ;;
esac
"""


@pytest.fixture
def make(tmp_path):
    """`make(**environ) -> (exit code, output, errors, what pip was asked for)` in a project of its own."""
    (tmp_path / "requirements").mkdir()
    for name in ("examples", "examples.txt"):
        shutil.copy(ROOT / "requirements" / name, tmp_path / "requirements" / name)
    shutil.copytree(ROOT / "snippets/examples/cpu_backend", tmp_path / "snippets/examples/cpu_backend")
    (tmp_path / "bin").mkdir()
    for name in ("python3.13", "python3.12", "python3.14", "python3", "python"):
        (tmp_path / "bin" / name).write_text(PYTHON)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "bin/df").write_text('#!/bin/sh\necho head\necho "disk 1 1 ${FREE:-9000000} 1% /"\n')
    (tmp_path / "bin/df").chmod(0o755)

    def run(**environ):
        log = tmp_path / "log"
        log.write_text("")
        done = subprocess.run(
            ["sh", str(tmp_path / "requirements/examples")],
            env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path), "LOG": str(log), **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        asked = [line.split("install ")[1].split(" ")[0] for line in log.read_text().splitlines()]
        return done.returncode, done.stdout, done.stderr, asked

    run.root = tmp_path
    return run


def test_it_says_how_much_before_it_downloads_and_nothing_when_it_is_there(make):
    code, said, err, asked = make()

    assert (code, err) == (0, "")
    first, second = said.splitlines()
    assert first.startswith("examples: making .venv-examples with Python 3.12: 1.5 GB to download, 5 GB on disk")
    assert second == "examples: installing snippets/examples/cpu_backend into .venv-examples/with/cpu_backend"
    assert asked == ["--no-warn-script-location", "--no-deps"]

    assert make() == (0, "", "", [])


def test_another_list_makes_it_anew_and_another_backend_that_alone(make):
    make()
    module = make.root / "snippets/examples/cpu_backend/tileops_cpu/kernels.py"
    module.write_text(module.read_text() + "\n")
    assert [line.split(" ")[1] for line in make()[1].splitlines()] == ["installing"]

    listed = make.root / "requirements/examples.txt"
    listed.write_text(listed.read_text() + "\n")
    assert [line.split(" ")[1] for line in make()[1].splitlines()] == ["making", "installing"]


def test_what_pip_could_not_install_is_tried_again(make):
    code, _, err, _ = make(BROKEN="1")
    assert code == 2
    assert err.startswith("ERROR: no such package\nexamples: pip could not install requirements/examples.txt")

    assert make()[0] == 0


def test_where_it_does_not_fit_nothing_is_downloaded(make):
    code, said, err, asked = make(FREE="3500000")

    assert (code, asked) == (2, [])
    assert said.startswith("examples: making .venv-examples")
    assert err == "examples: 8 GB must be free here, and 3 are\n"


def test_a_folder_of_that_name_is_not_removed(make):
    (make.root / ".venv-examples").mkdir()
    (make.root / ".venv-examples/mine").write_text("kept")

    code, _, err, asked = make()

    assert (code, asked) == (2, [])
    assert err == "examples: .venv-examples is there but is no Python environment; move it away\n"
    assert (make.root / ".venv-examples/mine").read_text() == "kept"


def test_without_a_python_that_the_release_takes_it_says_which(make):
    code, _, err, asked = make(TOO_OLD="1")

    assert (code, asked) == (2, [])
    assert err.startswith("examples: TileOPs needs Python 3.12 to 3.14, and none was found")
