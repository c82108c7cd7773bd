"""Accept what the snippets show now: cut everything, and only when all of it can be, write the lock.

Holds the lock's own guard from reading to writing, so that of two updates at once the second sees what the
first wrote. Killed at any point it leaves the old lock or the new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack

from snippetlock.config import parse_selector
from snippetlock.errors import LockError, SnippetlockError, UsageError
from snippetlock.lock import Entry, Lock, Move, exclusive, says, write_lock
from snippetlock.lock.together import whole
from snippetlock.model import Definition, Finding, Pin, Place, Report, Repository, Snippet
from snippetlock.records import dataclass, replace
from snippetlock.workflow.accepted import accepted_text, difference
from snippetlock.workflow.held import pin_line, same_pin, selection_changes
from snippetlock.workflow.judging import duplicates, judge
from snippetlock.workflow.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """One snippet whose entry changed. `what` says in a few words how; `lines` show it, old against new."""

    id: str
    where: str
    what: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateResult:
    """What an update did. With findings in `report` it wrote nothing; `written` is False when nothing had to be.

    `kept` counts the entries that stayed as they were; `notes` say what changed beside the entries.
    """

    accepted: tuple[Accepted, ...]
    dropped: tuple[str, ...]
    kept: int
    notes: tuple[str, ...]
    report: Report
    written: bool


def update(project: Project, ids: tuple[str, ...] = ()) -> UpdateResult:
    """Accept the snippets named, or all of them; then entries of snippets no longer defined are dropped too.

    Raises `UsageError` for an id that nobody defines, `ConfigError` where nothing is defined, and `LockError` when
    another process is updating or the lock cannot be read or written. What cannot be cut, or is defined twice, is a
    finding. Where nobody may write that is an error only when something has to be written.
    """
    with ExitStack() as held:
        refused = _guarded(held, project)
        whole(project.config.journal, project.config.root)
        look = Project(project.config, project.cache)  # a new look: the lock may have changed while we waited
        asked = [look.definition(name) for name in ids if len(look.defined.get(name, ())) <= 1]
        if not ids:
            if not look.defined:
                raise look.nothing_defined()  # or a lock would be emptied because a folder was mistyped
            asked = [found[0] for found in look.defined.values() if len(found) == 1]
        snippets, findings = _cut(look, asked, ids)
        if findings:
            return _refused(look, findings)
        lock = with_entries(look, snippets) if ids else _whole(look, snippets)
        accepted = tuple(change for name in sorted(snippets) for change in _change(look, snippets[name]))
        dropped = tuple(name for name in look.entries if name not in {entry.id for entry in lock.entries})
        if refused and not says(look.config.lock, lock):
            raise refused
        # What was accepted must be at hand when it is compared with what comes later.
        for snippet in snippets.values():
            look.kept.keep_text(snippet.digests.text, snippet.text)
        written = write_lock(look.config.lock, lock)
        return UpdateResult(
            accepted=accepted,
            dropped=dropped,
            kept=len(lock.entries) - len(accepted),
            notes=_notes(look, lock, silent=not accepted and not dropped) if written else (),
            report=Report(findings=(), counts={}),
            written=written,
        )


def _guarded(held: ExitStack, project: Project) -> LockError | None:
    """Take the lock's guard; the error instead where no guard can be made. Raises when somebody else holds it."""
    try:
        held.enter_context(exclusive(project.config.lock))
    except LockError as error:
        if error.__cause__ is None:
            raise
        return error
    return None


def with_entries(look: Project, new: Mapping[str, Snippet]) -> Lock:
    """The present lock with these entries written over its own, all others as they are.

    Raises `UsageError` where the others cannot stay: the lock was edited, or speaks of another pin.
    """
    old = look.lock
    if old is None:
        return _lock(look, new.values(), ())
    if old.edited or not same_pin(look):
        what = "was edited by hand" if old.edited else "speaks of another pin"
        raise UsageError(
            f"the lock {what}, so one entry alone cannot be accepted",
            path=look.config.name(look.config.lock),
            mend="accept all of it: snippetlock update",
        )
    return _lock(look, new.values(), [entry for entry in old.entries if entry.id not in new])


def _cut(look: Project, asked: Iterable[Definition], ids: tuple[str, ...]) -> tuple[dict[str, Snippet], list[Finding]]:
    findings = [finding for finding in duplicates(look) if not ids or finding.snippet in ids]
    snippets = {}
    for definition in asked:
        snippet, failure = judge(look, definition)
        if snippet:
            snippets[definition.id] = snippet
        if failure:
            findings.append(failure)
    return snippets, findings


def _refused(look: Project, findings: list[Finding]) -> UpdateResult:
    ordered = tuple(sorted(findings, key=lambda f: (f.place.path, f.place.line or 0, f.rule)))
    report = Report(findings=ordered, counts={"snippets": len(look.defined)})
    return UpdateResult(accepted=(), dropped=(), kept=len(look.entries), notes=(), report=report, written=False)


def _whole(look: Project, snippets: Mapping[str, Snippet]) -> Lock:
    return _lock(look, snippets.values(), ())


def _lock(look: Project, snippets: Iterable[Snippet], stay: Iterable[Entry]) -> Lock:
    """A lock of new and of staying entries.

    `files` must prove every entry (see `checks`), so the staying ones are cut again: one that shows what was
    accepted is written with where it is now; where one does not, it stays as it was, no file may prove anything,
    and the list stays empty. Raises `UsageError` where a file was another one for one snippet than for the next.
    """
    shown, entries, settled = list(snippets), [], True
    for entry in stay:
        snippet = _still(look, entry)
        if snippet:
            shown.append(snippet)
        else:
            entries.append(entry)
            settled = False
    moves = look.lock.moves if look.lock and same_pin(look) and not look.lock.edited else ()
    lock = lock_of(look.pin, shown, moves)
    entries += lock.entries
    return replace(
        lock, files=lock.files if settled else {}, entries=tuple(sorted(entries, key=lambda entry: entry.id))
    )


def lock_of(pin: Pin, snippets: Iterable[Snippet], moves: tuple[Move, ...] = ()) -> Lock:
    """The lock that accepts snippets as they were cut at a pin.

    Raises `UsageError` where a file was another one for one snippet than for the next.
    """
    files: dict[str, str | None] = {}
    entries = []
    for snippet in snippets:
        entries.append(_entry(snippet))
        for path, digest in snippet.consulted:
            if files.setdefault(path, digest) != digest:
                raise UsageError("it changed while snippets were cut from it", path=path, mend="run the command again")
    ordered = tuple(sorted(entries, key=lambda entry: entry.id))
    return Lock(pin=locked(pin), files=files, entries=ordered, moves=moves)


def locked(pin: Pin) -> Pin:
    """A pin as far as a lock keeps it."""
    root = pin.repository.root if pin.kind == "git" and pin.repository else ""
    repository = Repository(url="", root=root) if root else None
    return replace(
        pin,
        file="",
        folder="",
        sha256=pin.sha256 if pin.kind == "wheel" else "",
        commit=pin.commit if pin.kind == "git" else "",
        repository=repository,
        place="",
    )


def _entry(snippet: Snippet) -> Entry:
    return Entry(
        id=snippet.id,
        selector=snippet.selector.text,
        view=snippet.view,
        path=snippet.span.path,
        first=snippet.span.first,
        last=snippet.span.last,
        digests=snippet.digests,
    )


def _still(look: Project, entry: Entry) -> Snippet | None:
    """The snippet of an entry, cut now; None where it does not show what was accepted."""
    here = Place(path=look.config.name(look.config.lock))
    definition = Definition(
        id=entry.id, selector=parse_selector(entry.selector), view=entry.view, place=here, places={}
    )
    try:
        snippet = look.cutter.cut(definition)
    except SnippetlockError:
        return None
    return snippet if snippet.digests.text == entry.digests.text else None


def _change(look: Project, snippet: Snippet) -> tuple[Accepted, ...]:
    """How a snippet's entry changes; nothing when it does not."""
    entry = look.entry(snippet.id)
    where = str(snippet.span)
    if entry is None:
        return (Accepted(id=snippet.id, where=where, what="new"),)
    definition = look.defined[snippet.id][0]
    changes = selection_changes(definition, entry)
    lines: tuple[str, ...] = ()
    if snippet.digests.text != entry.digests.text:
        lines = difference(accepted_text(look, entry), snippet.text, where)
    if changes or lines:
        what = "another text" if not changes else "another selection" + ("" if lines else " of the same text")
        return (Accepted(id=snippet.id, where=where, what=what, lines=(*changes, *lines)),)
    if (entry.path, entry.first, entry.last) != (snippet.span.path, snippet.span.first, snippet.span.last):
        return (
            Accepted(id=snippet.id, where=where, what=f"moved from {entry.path}:{entry.first}-{entry.last}, same text"),
        )
    return ()


def _notes(look: Project, lock: Lock, *, silent: bool) -> tuple[str, ...]:
    """What changed in the lock beside its entries; `silent` when those say nothing of why it was written."""
    old = look.lock
    if old is None:
        return ()
    notes = []
    if not same_pin(look):
        notes.append(f"pin: {pin_line(old.pin)} -> {pin_line(lock.pin)}")
    if old.edited:
        notes.append("the lock was edited by hand; it is written anew")
    if silent and not notes:
        notes.append("no text changed; what decides the snippets did, and the lock says so now")
    return tuple(notes)
