"""Releases by version and by `latest`: real pip, and an index that is a folder made here. No network."""

import errno
import os
from pathlib import Path

import pytest
from wheels import Index, digest

from snippetlock.errors import PinError
from snippetlock.source.releases import Release, resolve_release


@pytest.fixture
def index(tmp_path):
    return Index(tmp_path / "index")


def refused(index, wanted, name="lib", **options):
    with pytest.raises(PinError) as caught:
        resolve_release(name, wanted, index.environ, **options)
    return str(caught.value)


def test_a_version_and_the_latest(index):
    one, two, _ = (index.add("lib", version) for version in ("1.0", "1.10", "1.9"))

    wanted = Release(name="lib", version="1.0", file="lib-1.0-py3-none-any.whl", sha256=digest(one))
    assert resolve_release("lib", "1.0", index.environ) == wanted
    assert resolve_release("lib", "v1.0", index.environ) == wanted
    latest = resolve_release("lib", "latest", index.environ)
    assert latest == Release(name="lib", version="1.10", file="lib-1.10-py3-none-any.whl", sha256=digest(two))


def test_the_latest_is_a_final_release_that_was_not_yanked(index):
    index.add("lib", "1.0")
    index.add("lib", "1.1", yanked="wrong numbers")
    index.add("lib", "2.0rc1")
    index.add("lib", "3.0.dev1")

    assert resolve_release("lib", "latest", index.environ).version == "1.0"
    assert resolve_release("lib", "2.0rc1", index.environ).version == "2.0rc1"


def test_pips_own_settings_say_where_the_index_is_and_nothing_else(index, tmp_path):
    index.add("lib", "1.0")
    index.add("lib", "2.0rc1")
    settings = tmp_path / "pip.conf"
    text = f"[global]\nindex-url = file://{index.folder}\npre = true\nquiet = 2\nrequire-virtualenv = true\n"
    settings.write_text(f"{text}[install]\nuser = true\n")
    environ = {**index.environ, "PIP_CONFIG_FILE": str(settings)}
    del environ["PIP_INDEX_URL"]

    assert resolve_release("lib", "latest", environ).version == "1.0"


def test_a_name_that_the_index_writes_in_another_way(index):
    index.add("my_lib", "1.0")

    found = resolve_release("My.Lib", "latest", index.environ)

    assert (found.name, found.file) == ("My.Lib", "my_lib-1.0-py3-none-any.whl")


def test_an_index_that_says_no_digest_is_asked_for_the_file(index):
    place = index.add("lib", "1.0", hashed=False)

    assert resolve_release("lib", "1.0", index.environ).sha256 == digest(place)


def test_a_yanked_release_is_refused_unless_it_is_meant(index):
    index.add("lib", "1.0")
    index.add("lib", "1.1", yanked="wrong numbers")
    index.add("lib", "1.2", yanked="")

    assert refused(index, "1.1") == (
        "lib 1.1 was yanked: its authors took it back\n"
        "  reason: wrong numbers\n"
        "  mend: take another release, or this very one with --allow-yanked"
    )
    assert resolve_release("lib", "1.1", index.environ, allow_yanked=True).yanked == "wrong numbers"
    assert resolve_release("lib", "1.2", index.environ, allow_yanked=True).yanked == "<none given>"
    assert resolve_release("lib", "1.0", index.environ, allow_yanked=True).yanked is None
    assert resolve_release("lib", "latest", index.environ, allow_yanked=True).version == "1.0"


def test_where_everything_was_yanked_nothing_is_the_latest(index):
    index.add("lib", "1.0", yanked="all wrong")

    assert refused(index, "latest") == (
        "every release of lib was yanked: its authors took them back\n"
        "  the latest it has: 1.0\n"
        "  mend: name the one you want all the same"
    )


@pytest.mark.parametrize("wanted", ["1.1", "latest"])
def test_a_file_that_is_not_what_the_index_promises_is_nobodys_to_take(wanted, index):
    index.add("lib", "1.0")
    place = index.add("lib", "1.1")
    promised = digest(place)
    assert resolve_release("lib", wanted, index.environ).sha256 == promised

    place.write_bytes(place.read_bytes() + b"more")

    label = f"lib {wanted}".replace(" latest", "")
    assert refused(index, wanted) == (
        f"the package index gives another file as {label} than it promises\n"
        f"  promised  sha256 {promised}\n"
        f"  got       sha256 {digest(place)}\n"
        "  mend: do not take this file: tell whoever keeps the index, or see which index pip is set to use; until then "
        "name a commit, a folder, or a wheel whose digest the library's authors published"
    )


@pytest.mark.parametrize("wanted", ["1.0", "latest"])
def test_only_what_was_yanked_is_said_to_be(wanted, speaking):
    label = "lib" if wanted == "latest" else "lib 1.0"
    found = "  Found link file:///x/lib-1.0-py3-none-any.whl (from y), version: 1.0"
    with pytest.raises(PinError) as caught:
        resolve_release("lib", wanted, speaking(f"print({found!r}); print('ERROR: full'); raise SystemExit(1)").environ)

    assert (caught.value.what, caught.value.evidence) == (f"pip could not get {label}", ("full",))


def test_where_there_is_no_final_release_none_is_the_latest(index):
    index.add("lib", "1.0a1")
    index.add("lib", "1.0rc2")

    assert refused(index, "latest") == (
        "lib has no final release, only ones before it, like 1.0rc2\n  mend: name the one you want: 1.0rc2"
    )


def test_a_version_that_was_never_made(index):
    for version in ("0.9", "1.0", "1.1", "1.2rc1"):
        index.add("lib", version)

    assert refused(index, "v1.1.7") == (
        "lib has no release 1.1.7\n  the latest it has: 0.9, 1.0, 1.1\n  mend: did you mean 1.1?"
    )


def test_a_release_of_which_there_are_only_sources(index):
    index.add("lib", "1.0")
    index.sources("lib", "1.1")
    index.sources("lib", "1.1.1")
    index.sources("lib", "1.1.post1")

    assert refused(index, "1.1") == (
        "lib 1.1 has no wheel, only sources\n"
        "  lib-1.1.tar.gz\n"
        "  mend: name its tag or a folder instead: an archive of sources would have to be built, and is not read"
    )
    assert resolve_release("lib", "latest", index.environ).version == "1.0"


def test_a_library_of_which_there_are_only_sources(index):
    index.sources("lib", "1.0")

    assert refused(index, "latest").startswith("lib has no wheel, only sources\n  lib-1.0.tar.gz\n")


def test_a_wheel_for_another_machine(index):
    index.add("lib", "1.0", tags="cp27-cp27m-win_amd64")

    assert refused(index, "1.0") == (
        "lib 1.0 has no wheel for this Python and machine\n"
        "  lib-1.0-cp27-cp27m-win_amd64.whl\n"
        "  mend: name one of these files once you have it, a tag of the repository, or a folder"
    )


def test_what_is_newer_and_passed_over_is_named(index):
    for version in ("1.0", "1.9"):
        index.add("lib", version)
    for version in ("0.9", "1.10", "2.0rc1"):
        index.sources("lib", version)
    index.add("lib", "2.0", tags="cp27-cp27m-win_amd64")

    latest = resolve_release("lib", "latest", index.environ)

    assert (latest.version, latest.passed) == ("1.9", ("lib-1.10.tar.gz", "lib-2.0-cp27-cp27m-win_amd64.whl"))
    assert resolve_release("lib", "1.0", index.environ).passed == ()


def test_what_is_newer_is_told_by_its_version(index):
    index.add("lib", "2.0")
    newer = ("1!0.1", "10.0", "2.0.1", "2.0.post1", "2.1")
    for version in (*newer, "2", "2.0", "2.0.0", "1.10", "2.0.1rc1", "2.1.dev3", "2.0+cu12"):
        index.sources("lib", version)

    passed = resolve_release("lib", "latest", index.environ).passed
    assert sorted(passed) == [f"lib-{version}.tar.gz" for version in newer]


def test_a_wheel_for_another_machine_that_was_built_twice(index):
    index.add("lib", "1.1", tags="2-cp27-cp27m-win_amd64")
    index.add("lib", "1.1.1")

    assert refused(index, "1.1").startswith(
        "lib 1.1 has no wheel for this Python and machine\n  lib-1.1-2-cp27-cp27m-win_amd64.whl\n"
    )


def test_a_wheel_like_the_pinned_one_is_asked_for_whatever_machine_asks(index):
    index.add("lib", "1.0", tags="cp27-cp27m-win_amd64")
    index.add("lib", "2.0", tags="cp27-cp27m-win_amd64")
    index.add("lib", "3.0", tags="cp27-cp27m-manylinux1_x86_64")

    found = resolve_release("lib", "latest", index.environ, like="lib-1.0-cp27-cp27m-win_amd64.whl")

    assert found.file == "lib-2.0-cp27-cp27m-win_amd64.whl"
    assert found.passed == ("lib-3.0-cp27-cp27m-manylinux1_x86_64.whl",)
    assert "lib has no wheel for this Python and machine" in refused(index, "latest", like="lib-1.0-py3-none-any.whl")
    other = "lib-1.0-cp27-cp27m-macosx_10_9_x86_64.whl"
    assert f"lib 2.0 has no wheel like {other}\n" in refused(index, "2.0", like=other)


def test_a_library_that_the_index_does_not_have(index):
    index.add("lib", "1.0")

    assert refused(index, "latest", name="bil") == (
        "the package index has no release of bil\n"
        "  No matching distribution found for bil\n"
        "  mend: correct `name` in the pin, or see which index pip is set to use"
    )


def test_a_wheel_of_another_package_under_this_name(index):
    index.add("lib", "1.0", called="other")

    said = refused(index, "1.0")

    # Some versions of pip look at the name inside themselves.
    ours = "what the package index gives for lib is lib-1.0-py3-none-any.whl, a file of other\n  mend: see that"
    assert said.startswith((ours, "the wheel of lib 1.0 is not what its name says\n"))


@pytest.mark.parametrize(
    ("name", "wanted"), [("lib", ""), ("lib", "main"), ("lib", ">=1"), ("-r x", "1.0"), ("lib", "1*")]
)
def test_what_is_no_release_is_asked_of_nobody(name, wanted, index):
    assert refused(index, wanted, name=name) == (
        f"not a release: {wanted!r} of {name!r}\n  mend: write a version like 0.1.0, or `latest`"
    )


@pytest.fixture
def speaking(tmp_path, index):
    """`speaking(code) -> index` whose pip is a program of these lines."""

    class Speaking:
        def __init__(self, code):
            (tmp_path / "fake" / "pip").mkdir(parents=True)
            (tmp_path / "fake" / "pip" / "__init__.py").write_text("")
            (tmp_path / "fake" / "pip" / "__main__.py").write_text(code)
            self.environ = {**index.environ, "PYTHONPATH": str(tmp_path / "fake")}

    return Speaking


RETRY = "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError': /simple/lib/"
NONE = "ERROR: Could not find a version that satisfies the requirement lib==1.0 (from versions: none)"
NO_MATCH = "ERROR: No matching distribution found for lib==1.0"
CONNECT = "connect and run the same command, or name a wheel, a commit or a folder that is at hand"
OLD_PIP = "run `python -m pip install --upgrade pip`: 22.2 or newer is needed"
KEEPER = "tell whoever keeps the index; until then name a commit, a folder or another release"
SAID = [
    (f"{RETRY}\n{NONE}\n{NO_MATCH}", "the package index cannot be reached", CONNECT),
    ("no such option: --report", "pip is not installed in this environment, or too old", OLD_PIP),
    ("/usr/bin/python: No module named pip", "pip is not installed in this environment, or too old", OLD_PIP),
    (
        f"ERROR: the requirement lib==1.0 (from versions: {', '.join(f'{n}.0' for n in range(2, 14))}, 8.0b1)",
        "lib has no release 1.0",
        "did you mean 13.0 or 12.0 or 11.0?",
    ),
    ("ERROR: lib has inconsistent name: expected 'lib'", "the wheel of lib 1.0 is not what its name says", KEEPER),
    (
        "  Found link file:///x/lib-1.0-py3-none-any.whl (from y), version: 1.0\nERROR: 403 Client Error: Forbidden",
        "pip could not get lib 1.0",
        "run the same command again, or name a commit or a folder",
    ),
]


@pytest.mark.parametrize(("said", "what", "mend"), SAID)
def test_what_pip_says_is_put_in_our_words(said, what, mend, speaking):
    with pytest.raises(PinError) as caught:
        resolve_release("lib", "1.0", speaking(f"print({said!r}); raise SystemExit(1)").environ)

    evidence = said.split("\n")[-1].removeprefix("ERROR: ").removeprefix("lib has ")
    if "versions:" in evidence and "none" not in evidence:
        evidence = "the latest it has: 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0"
    assert (caught.value.what, caught.value.evidence, caught.value.mend) == (what, (evidence,), mend)


ANSWERS = [
    "",
    "[]",
    "{}",
    '{"install": []}',
    '{"install": [{}]}',
    '{"install": [{"download_info": {"url": "file:///x.whl", "archive_info": []}, "metadata": {"name": "lib"}}]}',
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_none(answer, speaking):
    code = f"import sys\nopen(sys.argv[sys.argv.index('--report') + 1], 'w').write({answer!r})"
    with pytest.raises(PinError) as caught:
        resolve_release("lib", "1.0", speaking(code).environ)
    assert str(caught.value) == "pip does not say what it found\n  mend: update pip: 22.2 or newer says it"


def answering(file, name="lib", digest="a" * 64):
    info = {"url": f"https://host/{file}", "archive_info": {"hash": f"sha256={digest}"}}
    answer = {"install": [{"download_info": info, "metadata": {"name": name}, "is_yanked": False}]}
    return f"import json, sys\njson.dump({answer!r}, open(sys.argv[sys.argv.index('--report') + 1], 'w'))"


@pytest.mark.parametrize(
    ("file", "name", "digest", "what"),
    [
        ("lib-1.0.tar.gz", "lib", "a" * 64, "what the package index gives for lib is lib-1.0.tar.gz, a file of lib"),
        ("bil-1.0-py3-none-any.whl", "lib", "a" * 64, "is bil-1.0-py3-none-any.whl, a file of lib"),
        ("lib-1.0-py3-none-any.whl", "bil", "a" * 64, "is lib-1.0-py3-none-any.whl, a file of bil"),
        ("lib-1.0-py3-none-any.whl", "lib", "", "the package index says no SHA-256 of lib-1.0-py3-none-any.whl"),
    ],
)
def test_an_answer_that_is_not_believed(file, name, digest, what, speaking):
    with pytest.raises(PinError) as caught:
        resolve_release("lib", "1.0", speaking(answering(file, name, digest)).environ)
    assert what in caught.value.what
    assert caught.value.mend


def test_an_answer_of_an_address_with_escapes(speaking):
    found = resolve_release("lib", "1.0+a", speaking(answering("lib-1.0%2Ba-py3-none-any.whl")).environ)

    assert found == Release(name="lib", version="1.0+a", file="lib-1.0+a-py3-none-any.whl", sha256="a" * 64)


def test_an_index_that_never_answers_is_given_up(speaking, tmp_path):
    pid = tmp_path / "pid"
    code = (
        f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\nprint('asking', flush=True)\ntime.sleep(60)"
    )

    with pytest.raises(PinError) as caught:
        resolve_release("lib", "1.0", speaking(code).environ, limit=1.0)

    assert str(caught.value) == (
        f"the package index does not answer: 1 s without a word from pip\n  asking\n  mend: {CONNECT}"
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.parametrize("call", ["mkdir", "open"])
def test_a_disk_that_is_full(call, index, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os if call == "mkdir" else Path, call, full)

    assert refused(index, "1.0") == (
        "the package index cannot be asked: No space left on device\n"
        "  mend: see that the disk has room, and that the folder for temporary files can be written (TMPDIR)"
    )


def test_progress_is_told_while_pip_asks(speaking):
    calls = []
    code = "import time\ntime.sleep(0.5)\n" + answering("lib-1.0-py3-none-any.whl")

    resolve_release("lib", "1.0", speaking(code).environ, lambda *call: calls.append(call))

    assert set(calls) == {("asking for lib==1.0", 0, 0)}
