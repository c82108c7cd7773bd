"""Which release somebody means by a version or by `latest`: asked of the package index, through pip. Keeps no file.

pip knows the user's index. What it says at length tells why there is no such release: one that was never made, one
without a wheel, one for other machines.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from snippetlock.errors import NoRelease, PinError, nearest
from snippetlock.model import Progress
from snippetlock.records import dataclass
from snippetlock.source.pip import OFFLINE, pip_command, pip_environ, run_pip, tag_options

LATEST = "latest"
_ANSWER = "answer.json"
_ANYWHERE = "-none-any.whl"
LIMIT = 60.0  # seconds without a word from pip, which itself asks a silent index three times
_SOURCES, _OTHERS = "No sources permitted for .*?", "none of the wheel's tags .*? are compatible.*?"  # pip's words
_SHOWN = 8  # versions that a message lists
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_VERSION = r"v?[0-9][A-Za-z0-9.!+_-]*"
_EARLY = r"(?:a|b|c|rc|alpha|beta|pre|preview|dev)[-_.]?[0-9]*"  # anywhere in a version: it is no final one
# What a user's configuration may say for installing, which an environment outweighs. Nothing is installed here.
_SETTLED = {"PIP_PRE": "0", "PIP_QUIET": "0", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
# pip's words of a file that has another digest than its address says.
_LIED = r"Expected (sha\w+) +([0-9a-f]+)\r?\n(?: +or .*\n)* *Got +([0-9a-f]+)"
_RETRY = "connect and run the same command, or name a wheel, a commit or a folder that is at hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One release: the wheel of it that was asked for, and that file's SHA-256.

    `yanked` is why its authors took it back, None where they did not. `passed` are files of newer final releases
    that could not be taken: sources, or wheels for others.
    """

    name: str
    version: str
    file: str
    sha256: str
    yanked: str | None = None
    passed: tuple[str, ...] = ()


def resolve_release(
    name: str,
    wanted: str,
    environ: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    *,
    allow_yanked: bool = False,
    like: str = "",
    limit: float = LIMIT,
) -> Release:
    """The release of a version, or the newest final one for `latest`. Raises `PinError` where there is none to take.

    A release that was yanked is refused unless `allow_yanked`, and `latest` never takes one. `environ` is what pip is
    to see of ours: index, proxies, certificates; pip inherits all as it is where it is None. What the index says is
    taken for true, this once. `like` is the file name of a wheel: where that is for one Python or machine, another for
    the same is asked for, else one for this. `limit` is in seconds without a word from pip.
    """
    version = "" if wanted == LATEST else wanted.removeprefix("v")
    if not re.fullmatch(_NAME, name) or not (wanted == LATEST or re.fullmatch(_VERSION, wanted)):
        mend = f"write a version like 0.1.0, or `{LATEST}`"
        raise PinError(f"not a release: {wanted!r} of {name!r}", mend=mend)
    requirement = f"{name}=={version}" if version else name
    label = f"asking for {requirement}"
    code, said, found = _asked(requirement, like, environ, partial(progress, label) if progress else None, limit)
    if code is None:
        what = f"the package index does not answer: {limit:g} s without a word from pip"
        raise PinError(what, evidence=_words(said), mend=_RETRY)
    if code:
        raise _explained(name, version, said, like)
    release = _release(name, version, found, said)
    if not version and re.search(_EARLY, release.version, re.I):
        what = f"{name} has no final release, only ones before it, like {release.version}"
        raise PinError(what, mend=f"name the one you want: {release.version}")
    if release.yanked is not None and not allow_yanked:
        what = f"{name} {release.version} was yanked: its authors took it back"
        mend = "take another release, or this very one with --allow-yanked"
        raise PinError(what, evidence=(f"reason: {release.yanked}",), mend=mend)
    return release


def _asked(
    requirement: str,
    like: str,
    environ: Mapping[str, str] | None,
    told: Callable[[int, int], None] | None,
    limit: float,
) -> tuple[int | None, str, Any]:
    """pip's exit code, what it said, and its answer; the code is None for a pip that was given up."""
    try:
        with tempfile.TemporaryDirectory(prefix="snippetlock-", ignore_cleanup_errors=True) as folder:
            room = Path(folder)
            given = pip_environ(environ, room)
            code, said = run_pip(_command(requirement, room, like), room, told, given and {**given, **_SETTLED}, limit)
            return code, said, None if code or code is None else _read(room / _ANSWER)
    except OSError as error:
        mend = "see that the disk has room, and that the folder for temporary files can be written (TMPDIR)"
        raise PinError(f"the package index cannot be asked: {error.strerror}", mend=mend) from error


def _command(requirement: str, room: Path, like: str) -> list[str]:
    """pip's command line: what it would install if it were to, whatever Python the library wants and what is there."""
    tags = [] if not like or like.endswith(_ANYWHERE) else [*tag_options(like), "--target", str(room / "target")]
    return [
        *(*pip_command("install"), "-v", "-v", "--dry-run", "--ignore-installed", "--no-deps"),
        *("--only-binary=:all:", "--ignore-requires-python", *tags),
        *("--report", str(room / _ANSWER), requirement),
    ]


def _read(answer: Path) -> Any:
    try:
        return json.loads(answer.read_text(encoding="utf-8"))["install"][0]
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise PinError("pip does not say what it found", mend="update pip: 22.2 or newer says it") from error


def _release(name: str, wanted: str, found: Any, said: str) -> Release:
    """The release that pip chose. Its file must be a wheel of the library, and the index must say its digest."""
    try:
        file = unquote(urlsplit(found["download_info"]["url"]).path).rpartition("/")[2]
        archive, metadata = found["download_info"]["archive_info"], found["metadata"]
        digest = archive.get("hashes", {}).get("sha256") or archive.get("hash", "").removeprefix("sha256=")
        called = metadata["name"]
    except (KeyError, TypeError, AttributeError) as error:
        raise PinError("pip does not say what it found", mend="update pip: 22.2 or newer says it") from error
    parts = file.split("-")
    if not file.endswith(".whl") or {_plain(called), _plain(parts[0])} != {_plain(name)}:
        what = f"what the package index gives for {name} is {file}, a file of {called}"
        raise PinError(what, mend="see that the name in the pin is right, and which index pip is set to use")
    if not re.fullmatch("[0-9a-f]{64}", digest):
        mend = "ask an index that does, or name the wheel's file"
        raise PinError(f"the package index says no SHA-256 of {file}", mend=mend)
    warned = re.search(r"is a yanked version: .*\n *Reason for being yanked: (.*)", said)
    reason = warned[1].strip() if warned else "not said" if found.get("is_yanked") else None
    version = parts[1].replace("_", "-")
    passed = () if wanted else tuple(f for f in _skipped(said, f"(?:{_SOURCES}|{_OTHERS})", "") if _newer(f, version))
    return Release(name=name, version=version, file=file, sha256=digest, yanked=reason, passed=passed)


def _newer(file: str, version: str) -> bool:
    """Whether a file is of a later final release, by the numbers in its name."""
    named = re.search(r"-([0-9][^-]*?)(?:-.*|\.tar\.gz|\.zip|\.tar\.bz2)$", file)
    if not named or re.search(_EARLY, named[1], re.I):
        return False
    return _order(named[1]) > _order(version)


def _order(version: str) -> tuple[int, tuple[int, ...], int]:
    """What final releases are ordered by: epoch, numbers (1.0 is 1.0.0), and the number of a later mend of them."""
    epoch, _, bare = version.rpartition("!")
    numbers = re.sub(r"(?:\.0+)+$", "", re.sub(r"[^0-9.].*|\.(?![0-9]).*", "", bare))
    post = re.search(r"post[-_.]?([0-9]*)", bare, re.I)
    return int(epoch or 0), tuple(map(int, re.findall(r"[0-9]+", numbers))), int(post[1] or 0) if post else -1


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _explained(name: str, version: str, said: str, like: str) -> PinError:
    """Why there is no such release, in one message."""
    label = f"{name} {version}".strip()
    if error := _untrusted(label, said):
        return error
    known = _versions(said)
    skipped = _skipped(said, _SOURCES, version)
    if not known and not skipped and re.search(OFFLINE, said):
        return PinError("the package index cannot be reached", evidence=_words(said), mend=_RETRY)
    if version not in known and skipped:
        mend = "name its tag or a folder instead: an archive of sources would have to be built, and is not read"
        return NoRelease(f"{label} has no wheel, only sources", evidence=skipped, mend=mend)
    others = _skipped(said, _OTHERS, version)
    if version not in known and others:
        fit = "for this Python and machine" if not like or like.endswith(_ANYWHERE) else f"like {like}"
        mend = "name one of these files once you have it, a tag of the repository, or a folder"
        return NoRelease(f"{label} has no wheel {fit}", evidence=others, mend=mend)
    if not known:
        mend = "correct `name` in the pin, or see which index pip is set to use"
        return NoRelease(f"the package index has no release of {name}", evidence=_words(said), mend=mend)
    if not version and "No matching distribution" in said:
        what = f"every release of {name} was yanked: its authors took them back"
        return PinError(what, evidence=(_listed(known),), mend="name the one you want all the same")
    if not version or version in known:
        mend = "run the same command again, or name a commit or a folder"
        return PinError(f"pip could not get {label}", evidence=_words(said), mend=mend)
    near = nearest(version, known)
    mend = f"did you mean {' or '.join(near)}?" if near else "name one of these"
    return NoRelease(f"{name} has no release {version}", evidence=(_listed(known),), mend=mend)


def _untrusted(label: str, said: str) -> PinError | None:
    """What is wrong with pip itself, or with the file that it got; None where it is neither."""
    if re.search(r"No module named '?pip|no such option: --(?:report|dry-run)", said):
        mend = "run `python -m pip install --upgrade pip`: 22.2 or newer is needed"
        return PinError("pip is not installed in this environment, or too old", evidence=_words(said), mend=mend)
    if lie := re.search(_LIED, said):
        kind, promised, got = lie.groups()
        mend = (
            "do not take this file: tell whoever keeps the index, or see which index pip is set to use; until then "
            "name a commit, a folder, or a wheel whose digest the library's authors published"
        )
        evidence = (f"promised  {kind} {promised}", f"got       {kind} {got}")
        return PinError(
            f"the package index gives another file as {label} than it promises", evidence=evidence, mend=mend
        )
    if "inconsistent name" in said or "inconsistent version" in said:
        mend = "tell whoever keeps the index; until then name a commit, a folder or another release"
        return PinError(f"the wheel of {label} is not what its name says", evidence=_inconsistent(said), mend=mend)
    return None


def _versions(said: str) -> tuple[str, ...]:
    """The versions that the index has as wheels for here, the newest last; yanked ones where there are no others."""
    listed = re.search(r"\(from versions: ([^)]*)\)", said)
    if listed and listed[1] != "none":
        return tuple(listed[1].split(", "))
    return tuple(dict.fromkeys(re.findall(r"^ *Found link .*, version: (\S+)$", said, re.M)))


def _listed(versions: Iterable[str]) -> str:
    final = [version for version in versions if not re.search(_EARLY, version, re.I)]
    return f"the latest it has: {', '.join((final or list(versions))[-_SHOWN:])}"


def _skipped(said: str, why: str, version: str) -> tuple[str, ...]:
    """The files of a version, or of any, that pip passed over for this reason."""
    urls = re.findall(rf"^ *Skipping link: {why}: (\S+)", said, re.M)
    files = (unquote(urlsplit(url).path).rpartition("/")[2] for url in urls)
    of = rf"-{re.escape(version)}(?:-|\.(?:whl|zip|tar\.\w+)$)" if version else ""
    return tuple(dict.fromkeys(file for file in files if re.search(of, file)))[:_SHOWN]


def _inconsistent(said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"has (inconsistent (?:name|version): .*)", said)))[:1]


def _words(said: str) -> tuple[str, ...]:
    """pip's own last words, without the trace of its code."""
    errors = [line.strip() for line in re.findall(r"^ *ERROR: (.*)$", said, re.M)]
    return tuple(errors[-1:] or [line.strip() for line in said.split("\n") if line.strip()][-1:])
