"""Get a wheel with pip, which knows the user's index, proxy and certificates.

The digest is checked by pip and by us, and the file comes into the cache by a rename, so two fetches at once both
succeed, and a killed one leaves only its own folder behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from snippetlock.errors import PinError
from snippetlock.model import Pin, Progress
from snippetlock.records import replace
from snippetlock.source.cache import pinned_wheel
from snippetlock.source.pip import OFFLINE, pip_command, pip_environ, run_pip, tag_options
from snippetlock.source.wheel import verify


def fetch(
    pin: Pin,
    cache: Path,
    progress: Progress | None = None,
    environ: Mapping[str, str] | None = None,
    root: Path = Path(),
) -> Path:
    """Get the pinned wheel into the cache and return its path; a good one that is there is kept.

    `environ` is what pip is to see of ours (index, proxies, certificates); pip inherits all as it is where
    it is None. Raises `PinError` for every way this can fail, and the cache is then as it was. A pinned commit
    is left to `fetch_commit`: a repository's relative path counts from `root`.
    """
    if pin.kind == "git":
        from snippetlock.source.gitpin import fetch_commit

        return fetch_commit(pin, cache, root, progress, environ)
    if pin.kind != "wheel":
        mend = "nothing to do: a folder is read where it is"
        raise PinError(f"{pin.label} is pinned as a folder, which is not fetched", path=pin.place, mend=mend)
    wheel = pinned_wheel(pin, cache)
    if os.path.isfile(wheel):
        try:
            verify(wheel, pin.sha256, pin.place)
            return wheel
        except PinError:
            pass  # truncated or altered: replaced below
    requirement = f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n"
    with _got(pin, wheel, requirement, progress, environ) as file:
        verify(file, pin.sha256, pin.place)
        _keep(pin, file, wheel)
    return wheel


def resolve(
    name: str, version: str, cache: Path, progress: Progress | None = None, environ: Mapping[str, str] | None = None
) -> Pin:
    """The pin of a release whose file and digest nobody recorded yet; its wheel is in the cache then.

    This once, what the index says is taken for true: the digest in the pin is what holds it to that from now
    on. Raises `PinError`.
    """
    asked = Pin(name=name, version=version, kind="wheel")
    with _got(asked, cache / "wheels" / "unknown" / "wheel", f"{name}=={version}\n", progress, environ) as file:
        with file.open("rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
        pin = replace(asked, file=file.name, sha256=digest)
        _keep(pin, file, pinned_wheel(pin, cache))
    return pin


@contextmanager
def _got(
    pin: Pin, wheel: Path, requirement: str, progress: Progress | None, environ: Mapping[str, str] | None
) -> Iterator[Path]:
    """The one file that pip gets for the requirement, in a folder that goes at the end."""
    with _room(pin, wheel.parent.parent) as room:
        try:
            dest = room / "dest"
            dest.mkdir()
            requirements = room / "requirements.txt"
            requirements.write_text(requirement, encoding="utf-8")
            report = partial(progress, f"fetching {pin.label}") if progress else None
            code, said = run_pip(command(pin, requirements, dest), room, report, pip_environ(environ, room))
        except OSError as error:
            raise _unwritable(pin, wheel.parent, error) from error
        if code:
            raise explain(pin, wheel, said)
        got = sorted(dest.iterdir())
        if len(got) != 1:
            what = f"pip left {len(got)} files where one was asked for"
            raise PinError(what, path=pin.place, evidence=[path.name for path in got], mend="update pip and try again")
        yield got[0]


def _keep(pin: Pin, file: Path, wheel: Path) -> None:
    try:
        wheel.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, wheel)
    except OSError as error:
        raise _unwritable(pin, wheel.parent, error) from error


def command(pin: Pin, requirements: Path, dest: Path) -> list[str]:
    """pip's command line. It asks for the tags of the pinned file, whatever Python runs this.

    The library may want a newer Python than ours (tileops wants 3.12): it is read here, never run. A pin that
    knows no file yet gets the one for this machine.
    """
    return [
        *pip_command("download"),
        *(["--require-hashes"] if pin.file else []),
        *("--no-deps", "--only-binary=:all:", "--ignore-requires-python"),
        *(tag_options(pin.file) if pin.file else []),
        *("--requirement", str(requirements), "--dest", str(dest)),
    ]


@contextmanager
def _room(pin: Pin, wheels: Path) -> Iterator[Path]:
    """A folder of our own beside the wheels, so that the rename stays on one file system."""
    try:
        wheels.mkdir(parents=True, exist_ok=True)
        room = tempfile.mkdtemp(prefix=".fetch-", dir=wheels)
    except OSError as error:
        raise _unwritable(pin, wheels, error) from error
    try:
        yield Path(room)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def explain(pin: Pin, wheel: Path, said: str) -> PinError:
    """Why pip failed, in one message; its own last words are the evidence where we know no better."""
    retry = "run `snippetlock pin fetch`" if pin.file else "run the same command"
    by_hand = f"or put the file there yourself: {wheel}" if pin.file else "or pin a folder or a commit"
    errors = [line.strip() for line in re.findall(r"^ *ERROR: (.*)$", said, re.M)]
    if re.search(r"No module named '?pip", said):
        what, mend = "pip is not installed in this environment", f"run `python -m ensurepip`, {by_hand}"
        return PinError(what, path=pin.place, evidence=(sys.executable,), mend=mend)
    if got := re.search(r"Got +([0-9a-f]{64})", said):
        what = f"the index has another file as {pin.label} than the pinned one"
        digests = (f"expected  sha256 {pin.sha256}", f"got       sha256 {got[1]}")
        mend = "compare the digest in the pin with what the library's authors published; do not just take the new one"
        return PinError(what, path=pin.place, evidence=digests, mend=mend)
    if "No space left on device" in said:
        mend = f"make room, or set SNIPPETLOCK_CACHE to another disk: {wheel.parent.parent}"
        return PinError("the disk is full", path=pin.place, mend=mend)
    versions = re.search(r"\(from versions: ([^)]*)\)", said)
    latest = versions[1].split(", ")[-8:] if versions and versions[1] != "none" else []
    if not latest and re.search(OFFLINE, said):
        what = f"{pin.label} is not in the cache, and the package index cannot be reached"
        mend = f"connect and {retry}, {by_hand}"
        return PinError(what, path=pin.place, evidence=errors[-1:], mend=mend)
    if versions:
        evidence = (f"the latest it has: {', '.join(latest)}",) if latest else ()
        what = f"the package index has no wheel {pin.file or f'of {pin.label}'}"
        wrong = "`name`, `version` and `file` in the pin" if pin.file else "the name and the version"
        mend = f"correct {wrong}, or check which index pip is set to use"
        mend += "" if pin.file else "; a library that is on none is pinned by its repository: --git URL"
        return PinError(what, path=pin.place, evidence=evidence, mend=mend)
    last = errors[-1:] or [line for line in said.split("\n") if line.strip()][-1:]
    mend = f"{retry} again, {by_hand}"
    return PinError("pip could not get the wheel", path=pin.place, evidence=last, mend=mend)


def _unwritable(pin: Pin, folder: Path, error: OSError) -> PinError:
    what = f"the cache cannot be written: {error.strerror}: {folder}"
    return PinError(what, path=pin.place, mend="set SNIPPETLOCK_CACHE to a folder that can be written and has room")
