"""Running git: what it may see, what it may not do, and what is said when it cannot."""

import os
import signal
import stat
import time

import pytest

from snippetlock.errors import RepositoryError
from snippetlock.source.git import call, command, failed, hidden, last_words, output, reaching, reading, talk

MEND = "name a checkout's top folder, a bare repository, or a URL"
INSTALL = "install git, 2.32 or newer, where PATH finds it"


def test_reading_sees_nothing_of_ours(monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("HOME", "/home/ada")
    environ = reading()
    assert environ["PATH"] == os.environ["PATH"]
    assert "GIT_DIR" not in environ
    assert "HOME" not in environ
    assert environ["GIT_ALLOW_PROTOCOL"] == "none"
    assert environ["GIT_CONFIG_GLOBAL"] == os.devnull


def test_reaching_takes_what_leads_to_a_server_and_nothing_that_leads_astray():
    kept = {
        "PATH": "/bin",
        "HOME": "/h",
        "https_proxy": "p",
        "SSH_AUTH_SOCK": "s",
        "GIT_SSH_COMMAND": "ssh -i k",
        "GIT_SSL_CAINFO": "c",
        "GIT_CONFIG_COUNT": "0",
    }
    dropped = {
        "GIT_DIR": "x",
        "GIT_WORK_TREE": "x",
        "GIT_INDEX_FILE": "x",
        "GIT_OBJECT_DIRECTORY": "x",
        "GIT_TRACE": "1",
        "SSH_ASKPASS": "x",
        "LANGUAGE": "zh",
    }
    environ = reaching({**kept, **dropped, "LC_ALL": "zh_CN.UTF-8", "GIT_ASKPASS": "ask", "GIT_TERMINAL_PROMPT": "1"})
    assert {key: environ[key] for key in kept} == kept
    assert not dropped.keys() & environ.keys()
    assert (environ["LC_ALL"], environ["GIT_ASKPASS"], environ["GIT_TERMINAL_PROMPT"]) == ("C", "", "0")
    assert environ["GIT_ALLOW_PROTOCOL"] == "file:git:http:https:ssh"
    assert reaching(None)["PATH"] == os.environ["PATH"]


def test_the_repository_is_always_named(tmp_path):
    assert command(tmp_path, "log")[:2] == ["git", f"--git-dir={tmp_path}"]
    assert command(None, "clone")[0] == "git"
    assert "--git-dir" not in " ".join(command(None, "clone"))


def test_where_we_stand_and_what_we_are_told_changes_nothing(repo, monkeypatch):
    one, other = repo("one"), repo("other")
    first, second = one.commit({"a": "1"}), other.commit({"a": "2"})
    monkeypatch.chdir(other.folder)
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    assert call(one.folder / ".git", "rev-parse", "HEAD") == (0, f"{first}\n".encode())
    assert first != second


def test_a_command_that_fails_says_what_git_said(repo, tmp_path):
    up = repo()
    up.commit({"a": "1"})
    with pytest.raises(RepositoryError) as caught:
        call(up.folder / ".git", "rev-list", "nope", "--")
    assert str(caught.value) == (
        f"git could not read {up.folder / '.git'}\n  fatal: bad revision 'nope'\n"
        "  mend: look at the repository with `git fsck`"
    )
    assert call(up.folder / ".git", "rev-parse", "--verify", "--quiet", "nope", ok=(0, 1)) == (1, b"")
    with pytest.raises(RepositoryError) as caught:
        call(tmp_path, "rev-parse", "HEAD", where="there")
    assert str(caught.value) == f"there is not a repository\n  mend: {MEND}"


def test_no_git_on_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError) as caught:
        call(tmp_path, "version")
    assert str(caught.value) == f"git is not installed\n  mend: {INSTALL}"


def test_a_git_that_may_not_be_run(tmp_path, monkeypatch):
    (tmp_path / "git").write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError) as caught:
        call(tmp_path, "version")
    assert str(caught.value) == f"git cannot run: Permission denied\n  mend: {INSTALL}"


def test_a_repository_that_is_gone(tmp_path):
    with pytest.raises(RepositoryError) as caught:
        call(tmp_path / "gone", "version")
    assert str(caught.value) == f"the repository is gone: {tmp_path / 'gone'}\n  mend: run the command again"


def test_talking_reports_progress_and_keeps_the_last_words(speaking, tmp_path):
    environ = speaking(
        "cat >&2; printf 'Receiving objects:  50%% (5/10)\\r' >&2; sleep 0.2; echo 'fatal: no' >&2; exit 3"
    )
    calls = []
    code, said = talk(["git", "x"], tmp_path, environ, 60, lambda *call: calls.append(call), b"fed\n")
    assert (code, said) == (3, "fed\nReceiving objects:  50% (5/10)\rfatal: no\n")
    assert calls == [(5, 10)]
    assert talk(["git", "x"], tmp_path, speaking("exit 0"), 60) == (0, "")


def test_a_git_that_falls_silent_is_ended_with_its_helpers(speaking, tmp_path):
    environ = speaking(f"sleep 60 & echo $! > {tmp_path}/pid; echo word >&2; wait")
    assert talk(["git", "x"], tmp_path, environ, 0.3) == (None, "word\n")
    pid = int((tmp_path / "pid").read_text())
    for _ in range(1200):  # the kernel takes it away when it comes to it
        if not alive(pid):
            break
        time.sleep(0.05)
    assert not alive(pid)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_helper_that_lives_on_does_not_keep_us(speaking, tmp_path):
    environ = speaking(f"sleep 60 & echo $! > {tmp_path}/pid; echo done >&2")
    # Kept by the pipe that the helper holds, we would have called git silent after 30 s: None, not its exit code.
    assert talk(["git", "x"], tmp_path, environ, 30) == (0, "done\n")


def test_an_interrupted_talk_leaves_no_git(speaking, tmp_path):
    environ = speaking(f"echo $$ > {tmp_path}/pid; echo '(1/2)' >&2; sleep 60")

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        talk(["git", "x"], tmp_path, environ, 30, interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGCONT)


def test_there_is_no_terminal_to_ask_at(speaking, tmp_path):
    environ = speaking("(: < /dev/tty) 2>/dev/null && exit 1; exit 0")
    assert talk(["git", "x"], tmp_path, environ, 5) == (0, "")


WORDS = [
    ("", ()),
    ("warning: a\nfatal: b\n", ("fatal: b",)),
    ("Cloning\r50%\rfatal: b\nPlease make sure\n", ("fatal: b",)),
    ("just this\n\n", ("just this",)),
    ("fatal: unable to access 'https://u:p@h/x'", ("fatal: unable to access 'https://***@h/x'",)),
]


@pytest.mark.parametrize(("said", "want"), WORDS)
def test_the_last_words(said, want):
    assert last_words(said) == want
    assert failed(said, "there").evidence == want


def test_a_password_is_not_said():
    assert hidden("https://ada:secret@host/x") == hidden("https://token@host/x") == "https://***@host/x"
    assert hidden("ssh://git@host/x") == "ssh://git@host/x"
    assert hidden("https://host/@x") == "https://host/@x"


def test_output_is_of_the_folder_we_name(repo, monkeypatch):
    up = repo()
    up.commit({"sub/a": "1"})
    monkeypatch.chdir("/")
    code, found, said = output(up.folder / "sub", reading(), "rev-parse", "--show-prefix")
    assert (code, found, said) == (0, b"sub/\n", "")
    code, found, said = output(up.folder, reading(), "rev-parse", "--verify", "nope")
    assert (code, found) == (128, b"")
    assert said == "fatal: Needed a single revision\n"


def test_hooks_and_programs_in_a_repositorys_settings_are_not_run(repo, tmp_path):
    up = repo()
    commit = up.commit({"a": "1"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    up.git("config", "core.fsmonitor", str(trap))
    up.git("config", "gpg.program", str(trap))
    up.git("config", "log.showSignature", "true")
    up.git("config", "diff.external", str(trap))
    up.git("config", "core.pager", str(trap))
    call(up.folder / ".git", "log", "--raw", "-1", commit)
    call(up.folder / ".git", "diff-tree", "-r", "--root", commit)
    assert not (tmp_path / "sprung").exists()
