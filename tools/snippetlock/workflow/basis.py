"""Whether what drift calls the pin's text is what was accepted. For a note: drift itself needs no lock."""

from __future__ import annotations

from collections.abc import Iterable

from snippetlock.changes import Drifted
from snippetlock.errors import LISTED, LockError
from snippetlock.lock import Entry
from snippetlock.model import Definition
from snippetlock.report.text import quantity
from snippetlock.text import sha256
from snippetlock.workflow.project import Project

__all__ = ["basis"]

_FIRST = "run `snippetlock check` first"


def basis(project: Project, definitions: Iterable[Definition], drifted: Iterable[Drifted]) -> str:
    """One line for who takes the pin's texts for accepted ones; empty where they are.

    Of an entry its selector, its view and its text count, whatever pin it was accepted at: the same text was read.
    What could not be cut at the pin is left out: its class says so.
    """
    where = project.config.name(project.config.lock)
    try:
        lock = project.lock
    except LockError:
        return f"{where} cannot be read, so nothing says what was accepted: {_FIRST}"
    if lock is None:
        return f"nothing was accepted yet: there is no {where}; {_FIRST}"
    if lock.edited:
        return f"{where} was edited by hand, so nothing says what was accepted: {_FIRST}"
    shown = {one.snippet: one.change.old_text for one in drifted if one.change}
    strange = [
        definition.id
        for definition in definitions
        if definition.id in shown and not _is_accepted(definition, project.entry(definition.id), shown[definition.id])
    ]
    if not strange:
        return ""
    more = f" and {len(strange) - LISTED} more" if len(strange) > LISTED else ""
    verb = "was" if len(strange) == 1 else "were"
    names = ", ".join(strange[:LISTED])
    return f"{quantity(len(strange), 'snippets')} {verb} never accepted as at the pin: {names}{more}; {_FIRST}"


def _is_accepted(definition: Definition, entry: Entry | None, text: str) -> bool:
    return entry is not None and (entry.selector, entry.view, entry.digests.text) == (
        definition.selector.text,
        definition.view,
        sha256(text),
    )
