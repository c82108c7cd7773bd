"""What every test may ask for: a tree from a dict, a git history, a git that only speaks, the command line, goldens."""

from __future__ import annotations

import os
import signal

import built
import casefile
import gitrepo
import pytest


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write what the tests got into the case files")


def pytest_configure(config):
    # What a shell begins in the background ignores an interruption, and so would the commands that tests interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is for people: in CI a golden that differs is a failure")


@pytest.fixture
def golden(request):
    """`golden(case, got, section="want")`: fails with a diff, or writes under --update-golden."""
    update = request.config.getoption("--update-golden")
    return lambda case, got, section="want": casefile.compare(case, got, section, update=update)


@pytest.fixture
def tree():
    """`tree({"a.py": "x = 1\\n"}) -> DictTree`; text is stored as UTF-8, bytes as they are."""
    from snippetlock.source import DictTree

    return lambda files: DictTree({p: t if isinstance(t, bytes) else t.encode("utf-8") for p, t in files.items()})


@pytest.fixture
def repo(tmp_path):
    """`repo("name") -> History`: an empty repository below the test's folder; see `gitrepo`."""
    return lambda name="up", *options: gitrepo.History(tmp_path / name, *options)


@pytest.fixture
def speaking(tmp_path):
    """`speaking(script) -> environ` in which git is a shell script of these lines."""

    def make(script):
        folder = tmp_path / "fake"
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "git").chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}

    return make


@pytest.fixture
def run(capsys, monkeypatch):
    """`run("check", cwd=path) -> (exit code, standard output, standard error)`."""
    from snippetlock.cli import main

    def call(*argv, cwd=None):
        with monkeypatch.context() as patch:
            if cwd is not None:
                patch.chdir(cwd)
            capsys.readouterr()
            code = main([str(a) for a in argv])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of this project's own site, built once for all tests that look at it."""
    return built.build(tmp_path_factory.mktemp("built") / "site")
