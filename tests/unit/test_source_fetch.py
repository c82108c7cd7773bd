"""Fetching and the cache: real pip, no network. The index is a folder of wheels made here, or pip is one that talks."""

import base64
import errno
import hashlib
import os
import subprocess
import sys
import threading
import zipfile

import pytest
from privilege import nobody, open_folder

from snippetlock.errors import PinError
from snippetlock.model import Pin
from snippetlock.source import WheelTree, fetch, open_tree, pin_status, pinned_wheel, resolve
from snippetlock.source.download import command, explain

FILE = "lib-1.0-py3-none-any.whl"


def make_wheel(folder, text=b"x = 1\n", file=FILE, version="1.0"):
    """A wheel that pip accepts, and that wants a Python which nobody has."""
    info = f"lib-{version}.dist-info"
    files = {
        "lib/__init__.py": text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: lib\nVersion: {version}\nRequires-Python: >=9\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / file, "w") as archive:
        for name, data in {**files, f"{info}/RECORD": record.encode()}.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return (folder / file).read_bytes()


@pytest.fixture
def index(tmp_path):
    """pip's environment: this folder is all that pip knows. Set against us: a language, and odd options."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path / "index"),
        "PIP_CONSTRAINT": "/nowhere",
        "PIP_PLATFORM": "win32",
        "pip_only_binary": ":none:",
        "LANG": "xx_XX.latin-1",
        "LC_ALL": "xx_XX.latin-1",
    }


@pytest.fixture
def pin(tmp_path):
    data = make_wheel(tmp_path / "index")
    digest = hashlib.sha256(data).hexdigest()
    return Pin(name="lib", version="1.0", kind="wheel", file=FILE, sha256=digest, place="pin.yaml")


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def place(pin, cache, tmp_path):
    """Put the wheel into the cache by hand, as the messages say one may."""
    path = pinned_wheel(pin, cache)
    path.parent.mkdir(parents=True)
    path.write_bytes((tmp_path / "index" / FILE).read_bytes())
    return path


def left(cache):
    return sorted(str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file())


def test_a_wheel_comes_into_the_cache_by_its_digest(pin, cache, index, tmp_path):
    calls = []
    path = fetch(pin, cache, lambda *call: calls.append(call), index)
    assert path == pinned_wheel(pin, cache) == cache / "wheels" / pin.sha256 / FILE
    assert path.read_bytes() == (tmp_path / "index" / FILE).read_bytes()
    assert left(cache) == [f"wheels/{pin.sha256}/{FILE}"]
    assert os.listdir(cache / "wheels") == [pin.sha256]
    size = path.stat().st_size
    assert calls[-1] == ("fetching lib 1.0", size, size)
    assert open_tree(pin, tmp_path, cache).read("lib/__init__.py") == b"x = 1\n"


def test_a_wheel_in_the_cache_is_not_fetched_again(pin, cache, index, tmp_path):
    path = place(pin, cache, tmp_path)
    before = path.stat().st_mtime_ns
    (tmp_path / "index" / FILE).unlink()
    assert fetch(pin, cache, None, index) == path
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("change", [lambda d: d[:-1], lambda d: b"", lambda d: d[:-1] + b"x"])
def test_a_damaged_wheel_in_the_cache_is_refused_and_replaced_by_a_fetch(change, pin, cache, index, tmp_path):
    path = place(pin, cache, tmp_path)
    good = path.read_bytes()
    path.write_bytes(change(good))
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, cache)
    assert str(caught.value) == (
        "pin.yaml: the wheel is not the pinned one: truncated, altered, or another\n"
        f"  file      {path} ({len(change(good)):,} bytes)\n"
        f"  expected  sha256 {pin.sha256}\n"
        f"  got       sha256 {hashlib.sha256(change(good)).hexdigest()}\n"
        "  mend: run `snippetlock pin fetch` to get it again"
    )
    assert fetch(pin, cache, None, index).read_bytes() == good
    assert isinstance(open_tree(pin, tmp_path, cache), WheelTree)


def test_a_wheel_that_is_not_cached(pin, cache, tmp_path):
    with pytest.raises(PinError) as caught:
        open_tree(pin, tmp_path, cache)
    assert str(caught.value) == (
        f"pin.yaml: lib 1.0 is not in the cache\n  looked for {pinned_wheel(pin, cache)}\n"
        "  mend: run `snippetlock pin fetch`"
    )
    assert not cache.exists()


def test_the_state_of_a_wheel_pin(pin, cache, tmp_path):
    before = pin_status(pin, tmp_path, cache)
    assert (before.label, before.kind, before.digest) == ("lib 1.0", "wheel", f"sha256:{pin.sha256}")
    assert before.origin == f"the package index, through pip: {FILE}"
    assert (before.path, before.cached, before.size) == (pinned_wheel(pin, cache), False, None)
    assert (before.problem, before.mend) == ("lib 1.0 is not in the cache", "run `snippetlock pin fetch`")
    path = place(pin, cache, tmp_path)
    after = pin_status(pin, tmp_path, cache)
    assert (after.cached, after.size, after.problem, after.mend) == (True, path.stat().st_size, "", "")
    path.write_bytes(b"x")
    damaged = pin_status(pin, tmp_path, cache)
    assert (damaged.cached, damaged.size) == (False, 1)
    assert damaged.problem == "the wheel is not the pinned one: truncated, altered, or another"
    assert damaged.mend == "run `snippetlock pin fetch` to get it again"


def test_two_fetches_at_once_both_succeed(pin, cache, index):
    got = []
    threads = [threading.Thread(target=lambda: got.append(fetch(pin, cache, None, index))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [pinned_wheel(pin, cache)] * 2
    assert left(cache) == [f"wheels/{pin.sha256}/{FILE}"]


def test_a_module_where_the_user_stands_is_not_run(pin, cache, index, tmp_path, monkeypatch):
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").write_text("raise SystemExit('not this one')")
    (tmp_path / "calendar.py").write_text("raise SystemExit('nor this one')")
    monkeypatch.chdir(tmp_path)
    assert fetch(pin, cache, None, index).is_file()


def test_another_file_of_the_same_version_is_refused_and_nothing_is_left(pin, cache, index, tmp_path):
    other = make_wheel(tmp_path / "index", b"x = 2\n")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, index)
    assert str(caught.value) == (
        "pin.yaml: the index has another file as lib 1.0 than the pinned one\n"
        f"  expected  sha256 {pin.sha256}\n"
        f"  got       sha256 {hashlib.sha256(other).hexdigest()}\n"
        "  mend: compare the digest in the pin with what the library's authors published; do not just take the new one"
    )
    assert left(cache) == []


def test_a_failed_fetch_leaves_the_file_that_was_there(pin, cache, index, tmp_path):
    path = place(pin, cache, tmp_path)
    path.write_bytes(b"altered")
    (tmp_path / "index" / FILE).unlink()
    with pytest.raises(PinError):
        fetch(pin, cache, None, index)
    assert path.read_bytes() == b"altered"


def test_a_version_that_the_index_does_not_have(pin, cache, index, tmp_path):
    (tmp_path / "index" / FILE).unlink()
    make_wheel(tmp_path / "index", file="lib-1.1-py3-none-any.whl", version="1.1")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, index)
    mend = "correct `name`, `version` and `file` in the pin, or check which index pip is set to use"
    assert str(caught.value) == (
        f"pin.yaml: the package index has no wheel {FILE}\n  the latest it has: 1.1\n  mend: {mend}"
    )
    (tmp_path / "index" / "lib-1.1-py3-none-any.whl").unlink()
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, index)
    assert str(caught.value) == f"pin.yaml: the package index has no wheel {FILE}\n  mend: {mend}"


@pytest.fixture
def speaking(tmp_path, index):
    """`speaking(code) -> environ` in which pip is a program of these lines."""

    def make(code):
        (tmp_path / "fake" / "pip").mkdir(parents=True)
        (tmp_path / "fake" / "pip" / "__init__.py").write_text("")
        (tmp_path / "fake" / "pip" / "__main__.py").write_text(code)
        return {**index, "PYTHONPATH": str(tmp_path / "fake")}

    return make


RETRY = "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError': /simple/lib/"
NONE = "ERROR: Could not find a version that satisfies the requirement lib==1.0 (from versions: none)"
SAID = [
    (
        f"{RETRY}\n{NONE}\nERROR: No matching distribution found for lib==1.0",
        "lib 1.0 is not in the cache, and the package index cannot be reached",
        ("No matching distribution found for lib==1.0",),
        "connect and run `snippetlock pin fetch`, or put the file there yourself: {path}",
    ),
    (
        f"{RETRY}\n{NONE.replace('none', '0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9')}",
        f"the package index has no wheel {FILE}",
        ("the latest it has: 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9",),
        "correct `name`, `version` and `file` in the pin, or check which index pip is set to use",
    ),
    (
        "/usr/bin/python: No module named pip",
        "pip is not installed in this environment",
        (sys.executable,),
        "run `python -m ensurepip`, or put the file there yourself: {path}",
    ),
    (
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "the disk is full",
        (),
        "make room, or set SNIPPETLOCK_CACHE to another disk: {wheels}",
    ),
    (
        "ERROR: HTTP error 403 while getting lib\nERROR: 403 Client Error: Forbidden",
        "pip could not get the wheel",
        ("403 Client Error: Forbidden",),
        "run `snippetlock pin fetch` again, or put the file there yourself: {path}",
    ),
    (
        "Traceback (most recent call last):\n\nKeyError: 'x'\n\n",
        "pip could not get the wheel",
        ("KeyError: 'x'",),
        "run `snippetlock pin fetch` again, or put the file there yourself: {path}",
    ),
    (
        "",
        "pip could not get the wheel",
        (),
        "run `snippetlock pin fetch` again, or put the file there yourself: {path}",
    ),
]


@pytest.mark.parametrize(("said", "what", "evidence", "mend"), SAID)
def test_what_pip_says_is_put_in_our_words(said, what, evidence, mend, pin, cache, speaking):
    environ = speaking(f"print({said!r}); raise SystemExit(1)")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, environ)
    error = caught.value
    mend = mend.format(path=pinned_wheel(pin, cache), wheels=cache / "wheels")
    assert (error.path, error.what, error.evidence, error.mend) == ("pin.yaml", what, evidence, mend)
    assert left(cache) == []


def test_an_environment_without_pip(pin, cache, index, tmp_path, monkeypatch):
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    monkeypatch.setattr(sys, "executable", str(venv / "bin" / "python"))
    with pytest.raises(PinError, match="pip is not installed in this environment"):
        fetch(pin, cache, None, {**index, "PYTHONNOUSERSITE": "1"})


def test_a_pip_that_says_nothing_wrong_is_still_not_believed(pin, cache, speaking, tmp_path):
    code = "import sys, pathlib\nd = pathlib.Path(sys.argv[sys.argv.index('--dest') + 1])\n"
    environ = speaking(code + "print(d)\nfor n in ('a', 'b'): (d / n).write_text('x')\n")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, environ)
    assert str(caught.value) == (
        "pin.yaml: pip left 2 files where one was asked for\n  a\n  b\n  mend: update pip and try again"
    )
    (tmp_path / "fake" / "pip" / "__main__.py").write_text(code + "(d / 'lib.whl').write_text('x')\n")
    with pytest.raises(PinError, match="the wheel is not the pinned one"):
        fetch(pin, cache, None, environ)
    assert left(cache) == []


def test_progress_is_told_while_pip_works(pin, cache, speaking, tmp_path):
    wheel, seen = tmp_path / "index" / FILE, tmp_path / "seen"
    code = (
        "import os, pathlib, shutil, sys, tempfile, time\n"
        "half = pathlib.Path(tempfile.gettempdir(), 'half.whl')\nhalf.write_bytes(b'1234')\n"
        "(half.parent / 'gone.whl').symlink_to('nowhere')  # as a file that went away while we looked\n"
        "(half.parent / 'other').write_bytes(b'12345')\n"
        f"for _ in range(6000): os.path.exists({str(seen)!r}) or time.sleep(0.01)  # until half of it was told of\n"
        "half.unlink()\n"
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])\n"
    )
    calls = []

    def told(*call):
        calls.append(call)
        if call[1]:
            seen.touch()

    fetch(pin, cache, told, speaking(code))
    size = wheel.stat().st_size
    assert ("fetching lib 1.0", 4, 0) in calls
    assert calls[-1] == ("fetching lib 1.0", size, size)


def test_an_interrupted_fetch_leaves_no_pip_and_no_file(pin, cache, speaking, tmp_path):
    code = f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n"

    def interrupt(label, done, total):
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(pin, cache, interrupt, speaking(code))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert left(cache) == []


def test_the_environment_is_inherited_where_none_is_given(pin, cache, index, monkeypatch):
    for key in [key for key in os.environ if key.startswith("PIP_")]:
        monkeypatch.delenv(key)
    for key in ("PIP_CONFIG_FILE", "PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.setenv(key, index[key])
    assert fetch(pin, cache).is_file()


UNWRITABLE = "set SNIPPETLOCK_CACHE to a folder that can be written and has room"


def test_a_cache_that_is_a_file(pin, cache, index):
    cache.write_text("")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, index)
    assert str(caught.value) == (
        f"pin.yaml: the cache cannot be written: Not a directory: {cache / 'wheels'}\n  mend: {UNWRITABLE}"
    )


def test_a_cache_that_may_only_be_read_serves_what_it_has_and_takes_nothing(pin, index, tmp_path):
    with open_folder() as cache:
        path = place(pin, cache, tmp_path)
        for folder in (cache, cache / "wheels", path.parent):
            folder.chmod(0o555)
        with nobody():
            assert fetch(pin, cache, None, index) == path
            assert open_tree(pin, tmp_path, cache).read("lib/__init__.py") == b"x = 1\n"
        path.write_bytes(b"")
        with nobody(), pytest.raises(PinError) as caught:
            fetch(pin, cache, None, index)
    assert str(caught.value) == (
        f"pin.yaml: the cache cannot be written: Permission denied: {cache / 'wheels'}\n  mend: {UNWRITABLE}"
    )


@pytest.mark.parametrize("call", ["mkdir", "replace"])
def test_a_disk_that_fills_up(call, pin, cache, index, monkeypatch):
    real = getattr(os, call)

    def full(path, *args, **kwargs):
        if str(path).endswith((pin.sha256, ".whl", "dest")):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, call, full)
    with pytest.raises(PinError) as caught:
        fetch(pin, cache, None, index)
    monkeypatch.undo()
    assert str(caught.value) == (
        f"pin.yaml: the cache cannot be written: No space left on device: {cache / 'wheels' / pin.sha256}\n"
        f"  mend: {UNWRITABLE}"
    )
    assert left(cache) == []


def test_a_folder_is_not_fetched(cache):
    pin = Pin(name="lib", version="", kind="folder", folder="x", place="pin.yaml")
    with pytest.raises(PinError) as caught:
        fetch(pin, cache)
    assert str(caught.value) == (
        "pin.yaml: lib is pinned as a folder, which is not fetched\n  mend: nothing to do: a folder is read where it is"
    )


TAGS = [
    ("py3-none-any", "--implementation py --python-version 3 --abi none --platform any"),
    ("py2.py3-none-any", "--implementation py --python-version 3 --abi none --platform any"),
    (
        "cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64",
        "--implementation cp --python-version 3.12 --abi cp312"
        " --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64",
    ),
    ("cp39-abi3-win_amd64", "--implementation cp --python-version 3.9 --abi abi3 --platform win_amd64"),
    ("odd-none-any", "--abi none --platform any"),
]


@pytest.mark.parametrize(("tags", "want"), TAGS)
def test_pip_is_asked_for_the_tags_of_the_pinned_file(tags, want, pin, tmp_path):
    from dataclasses import replace

    args = command(replace(pin, file=f"lib-1.0-{tags}.whl"), tmp_path / "r", tmp_path / "d")
    start = args.index("--ignore-requires-python") + 1
    assert " ".join(args[start : args.index("--requirement")]) == want


@pytest.mark.parametrize("tags", [tags for tags, _ in TAGS[:-1]])
def test_pip_takes_a_wheel_of_any_platform(tags, pin, cache, index, tmp_path):
    from dataclasses import replace

    file = f"lib-1.0-{tags}.whl"
    (tmp_path / "index" / FILE).unlink()
    digest = hashlib.sha256(make_wheel(tmp_path / "index", file=file)).hexdigest()
    assert fetch(replace(pin, file=file, sha256=digest), cache, None, index).name == file


def test_the_words_of_pip_are_read_without_pip(pin, tmp_path):
    got = "a" * 64
    error = explain(pin, tmp_path / "w" / "x.whl", f"    Expected sha256 {pin.sha256}\n         Got        {got}\n")
    assert error.evidence == (f"expected  sha256 {pin.sha256}", f"got       sha256 {got}")


def test_a_release_is_resolved_to_a_pin_and_its_wheel_kept(pin, cache, index, tmp_path):
    found = resolve("lib", "1.0", cache, environ=index)
    assert (found.kind, found.label, found.file, found.sha256) == ("wheel", "lib 1.0", FILE, pin.sha256)
    assert left(cache) == [f"wheels/{pin.sha256}/{FILE}"]
    assert open_tree(found, tmp_path, cache).paths() == ("lib/__init__.py",)


def test_a_release_that_is_not_there_is_no_pin(pin, cache, index):
    with pytest.raises(PinError) as caught:
        resolve("lib", "9.9", cache, environ=index)
    assert caught.value.what == "the package index has no wheel of lib 9.9"
    assert caught.value.mend == (
        "correct the name and the version, or check which index pip is set to use; "
        "a library that is on none is pinned by its repository: --git URL"
    )
    assert left(cache) == []
