"""What the twins of a project have to catch up with, and accepting that they have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from snippetlock.config.document import decode
from snippetlock.errors import ConfigError, UsageError, nearest
from snippetlock.lock import exclusive
from snippetlock.lock.guard import replace_file
from snippetlock.model import Finding
from snippetlock.reading import read_file
from snippetlock.records import dataclass
from snippetlock.report.translation import Outdated, Translation
from snippetlock.workflow.earlier import Earlier, remember
from snippetlock.workflow.lagging import Lag, lagging, since, twins_of
from snippetlock.workflow.parity import shape_findings
from snippetlock.workflow.project import Project
from snippetlock.workflow.sheets import Group, Sheet, common, groups
from snippetlock.workflow.stamping import stamped

__all__ = ["Taken", "outdated", "take"]

_MARK = b"\xef\xbb\xbf"
_FEW = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A page whose front matter says something else now: the sections accepted, and the entries that went."""

    page: str
    accepted: tuple[str, ...]
    dropped: tuple[str, ...]


class _Pair(NamedTuple):
    """A page and one of its twins, in the group of all."""

    group: Group
    first: Sheet
    second: Sheet


def outdated(project: Project) -> Translation:
    """Everything that is behind. Raises `UsageError` where the project has one language."""
    _several(project)
    earlier, found, missing, unlike = Earlier(project), [], [], 0
    for group in groups(project):
        findings = list(shape_findings(project, group))
        missing += [one for one in findings if one.rule == "SL401"]
        unlike += sum(one.rule != "SL401" for one in findings)
        for first, second in twins_of(project, group):
            found += [_outdated(lag, earlier) for lag in lagging(first, second)]
    return Translation(outdated=tuple(found), missing=tuple(missing), unlike=unlike, pages=len(project.pages))


def _outdated(lag: Lag, earlier: Earlier) -> Outdated:
    change, why = since(lag, earlier)
    return Outdated(
        page=lag.second.page.path,
        anchor=lag.section.anchor,
        title=lag.own.title,
        first=lag.own.first,
        last=lag.own.last,
        original=lag.first.page.path,
        original_first=lag.section.first,
        original_last=lag.section.last,
        digest=lag.section.digest,
        accepted=lag.old,
        change=change,
        why=why,
    )


def take(project: Project, wanted: Sequence[str], base: Path) -> tuple[Taken, ...]:
    """Accept sections: `PAGE#anchor`, or `PAGE` for all of it; a page of the first language stands for its twins.

    `base` is the folder (absolute) that paths may be written from. Nothing is written where one of them cannot be
    accepted: raises `UsageError` then, and where the page and its twin differ in structure.
    """
    _several(project)
    known = groups(project)
    asked: dict[str, tuple[_Pair, set[str]]] = {}
    for words in wanted:
        name, mark, anchor = words.partition("#")
        for pair in _pairs(project, known, name, base):
            anchors = {section.anchor for section in pair.first.shape.sections}
            if mark and anchor not in anchors:
                raise _no_section(pair.first, anchor, anchors)
            asked.setdefault(pair.second.page.path, (pair, set()))[1].update({anchor} if mark else anchors)
    unlike = [finding for pair, _ in asked.values() for finding in _unlike(project, pair)]
    if unlike:
        raise _refused(unlike)
    written: list[tuple[Taken, Path, bytes, bytes]] = []
    for pair, anchors in asked.values():
        change = _stamp(project, pair, anchors)
        if change:
            written.append(change)
        for section in pair.first.shape.sections:
            if section.anchor in anchors:
                remember(project, section)
    with exclusive(project.config.lock):
        _write(project, written)
    return tuple(one for one, *_ in written)


def _several(project: Project) -> None:
    if len(project.config.languages) < 2:
        mend = 'set languages = ["en", "zh"] in [tool.snippetlock], or leave the command'
        raise UsageError("this project has one language, so no page has a twin", mend=mend)


def _pairs(project: Project, known: Iterable[Group], name: str, base: Path) -> list[_Pair]:
    """The page that is meant with its original, or all twins of the original that is."""
    config = project.config
    names = {name, os.path.relpath(os.path.normpath(base / name), config.docs), _below(name, config.name(config.docs))}
    group = next((one for one in known if any(common(each, config.languages) == one.name for each in names)), None)
    pages = {one.page.name for one in group.sheets.values()} if group else set()
    if group is None or not names & pages:
        every = [sheet.page.path for one in known for sheet in one.sheets.values()]
        near = nearest(name, every)
        mend = f"did you mean {' or '.join(near)}?" if near else f"name a page of {config.name(config.docs)}"
        raise UsageError(f"there is no page {name}", mend=mend)
    pairs = [_Pair(group, *twins) for twins in twins_of(project, group)]
    chosen = [pair for pair in pairs if pair.second.page.name in names] or pairs
    if not chosen:
        raise UsageError(f"{name} has no twin", mend="write it first")
    return chosen


def _below(name: str, folder: str) -> str:
    return name.removeprefix(f"{folder}/")


def _no_section(first: Sheet, anchor: str, anchors: Iterable[str]) -> UsageError:
    near = nearest(anchor, anchors)
    mend = (
        f"did you mean {' or '.join(repr(one) for one in near)}?" if near else "the anchors are those of its headings"
    )
    return UsageError(f"{first.page.path} has no section {anchor!r}", mend=mend)


def _unlike(project: Project, pair: _Pair) -> list[Finding]:
    """What keeps one pair from being accepted; other twins of the page are another matter."""
    own = {pair.first.page.path, pair.second.page.path}
    found = [one for one in shape_findings(project, pair.group) if one.place.path in own]
    return [one for one in found if one.rule != "SL401" or one.place.path == pair.second.page.path]


def _refused(unlike: list[Finding]) -> UsageError:
    lines = [f"{one.place}  {one.rule}  {one.message}" for one in unlike[:_FEW]]
    if len(unlike) > _FEW:
        lines.append(f"… and {len(unlike) - _FEW} more")
    copied = all(one.rule == "SL410" for one in unlike)
    why = "sentences of a page were not translated" if copied else "a page and its twin do not have the same structure"
    what = f"nothing was accepted: {why}"
    return UsageError(what, evidence=lines, mend="mend that first; `snippetlock check` says how")


def _stamp(project: Project, pair: _Pair, anchors: set[str]) -> tuple[Taken, Path, bytes, bytes] | None:
    """The page with its digests, and what it was before; None where it says them already."""
    page, said = pair.second.page, pair.second.front.translated
    digests, accepted = {}, []
    for section in pair.first.shape.sections:
        known = said.get(section.anchor)
        if section.anchor in anchors:
            digests[section.anchor] = section.digest
            if known is None or known.text != section.digest:
                accepted.append(section.anchor)
        elif known is not None:
            digests[section.anchor] = known.text
    dropped = tuple(anchor for anchor in said if anchor not in digests)
    if not accepted and not dropped:
        return None
    path = project.config.root / page.path
    before = read_file(path)
    if decode(before, page.path) != page.text:
        raise UsageError("it changed while it was looked at", path=page.path, mend="run the command again")
    text = stamped(page.text, page.scan.front, digests, page.path)
    after = (_MARK if before.startswith(_MARK) else b"") + text.encode("utf-8")
    return Taken(page=page.path, accepted=tuple(accepted), dropped=dropped), path, before, after


def _write(project: Project, written: Iterable[tuple[Taken, Path, bytes, bytes]]) -> None:
    """Each file whole or not at all; what an editor saved since it was read is not written over."""
    done: list[str] = []
    for taken, path, before, after in written:
        told = f"written before it: {', '.join(done)}" if done else "nothing was written"
        if read_file(path) != before:
            what = "it changed while it was looked at"
            raise UsageError(what, path=taken.page, evidence=[told], mend="run the command again")
        try:
            replace_file(path, after)
        except OSError as error:
            mend = "make the file and its folder writable; then run the command again"
            what = f"cannot be written: {error.strerror}"
            raise ConfigError(what, path=taken.page, evidence=[told], mend=mend) from error
        done.append(taken.page)
