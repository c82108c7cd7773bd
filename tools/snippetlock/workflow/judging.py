"""Hold one definition against the pinned library, and what it cuts against the lock.

A snippet is not cut where the lock already proves what the cut would be: see `held`.
"""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import (
    AmbiguousSymbol,
    HighlightError,
    MissingFile,
    SelectorError,
    SnippetlockError,
    SourceError,
    TreeError,
    ViewError,
)
from snippetlock.lock import Entry
from snippetlock.model import Definition, Finding, Place, Snippet
from snippetlock.records import replace
from snippetlock.text import normalise, sha256
from snippetlock.workflow.accepted import accepted_text, difference
from snippetlock.workflow.held import holds, selection_changes
from snippetlock.workflow.project import Project

_RULES: tuple[tuple[type[SnippetlockError], str, tuple[str, ...]], ...] = (
    (HighlightError, "SL107", ("highlight",)),
    (ViewError, "SL114", ("keep", "docstrings", "comments", "show")),
    (AmbiguousSymbol, "SL102", ("source",)),
    (SelectorError, "SL101", ("source",)),
    (MissingFile, "SL101", ("source",)),
    (TreeError, "SL116", ("source",)),
    (SourceError, "SL116", ("source",)),
)
_READ = "read it where it is shown, then accept it: snippetlock update {}"
_RETURNED = (
    "only its line ends are others: have git leave them (`* text=auto eol=lf` in .gitattributes), "
    "or accept them: snippetlock update {}"
)


def duplicates(project: Project) -> Iterator[Finding]:
    """A finding at every definition whose id an earlier one has."""
    for name, found in project.defined.items():
        for definition in found[1:]:
            yield Finding(
                rule="SL110",
                place=definition.place,
                message=f"the id {name!r} is defined here and at {found[0].place}",
                evidence=tuple(f"{d.place}  {d.selector}" for d in found),
                snippet=name,
                uses=project.uses(name),
            )


def definition_findings(project: Project, definition: Definition) -> Iterator[Finding]:
    """What is wrong with one definition: no page shows it, it cannot be cut, or what it cuts was not accepted."""
    name = definition.id
    if not project.uses(name):
        yield Finding(rule="SL109", place=definition.place, message=f"no page shows {name!r}", snippet=name)
    if holds(project, definition):
        return
    snippet, failure = judge(project, definition)
    if failure:
        yield _beneath(project, definition, failure) or failure
    elif snippet:
        yield from unaccepted(project, definition, snippet)


def judge(project: Project, definition: Definition) -> tuple[Snippet | None, Finding | None]:
    """Cut a snippet; where it cannot be cut, the finding that says why."""
    try:
        return project.cutter.cut(definition), None
    except (SelectorError, SourceError, TreeError, ViewError) as error:
        return None, _failure(project, definition, error)


def unaccepted(project: Project, definition: Definition, snippet: Snippet) -> Iterator[Finding]:
    """How a snippet differs from what the lock accepted; nothing where a finding about the whole lock stands."""
    if project.lock and not project.lock.edited:
        yield from _compare(project, definition, snippet, project.entry(definition.id))


def _compare(project: Project, definition: Definition, snippet: Snippet, entry: Entry | None) -> Iterator[Finding]:
    uses = project.uses(definition.id)
    if entry is None:
        yield Finding(
            rule="SL104",
            place=definition.place,
            message=f"{definition.id!r} was never accepted",
            evidence=(f"{snippet.span}",),
            mend=_look(definition.id),
            snippet=definition.id,
            uses=uses,
        )
        return
    changed = snippet.digests.text != entry.digests.text
    if changes := selection_changes(definition, entry):
        yield Finding(
            rule="SL117",
            place=definition.places.get("source", definition.place),
            message=f"the definition of {definition.id!r} is not the accepted one",
            evidence=(*changes, *(_difference(project, snippet, entry) if changed else ())),
            mend=_look(definition.id),
            snippet=definition.id,
            uses=uses,
        )
    elif changed:
        yield Finding(
            rule="SL103",
            place=definition.place,
            message=f"{snippet.span} is not what was accepted for {definition.id!r}",
            evidence=_difference(project, snippet, entry),
            mend=_RETURNED.format(definition.id) if _returned(snippet, entry) else _READ.format(definition.id),
            snippet=definition.id,
            uses=uses,
        )


def _returned(snippet: Snippet, entry: Entry) -> bool:
    """Whether only the line ends are others: version control makes them so in a checkout on Windows."""
    return sha256(normalise(snippet.text)) == entry.digests.text


def _look(name: str) -> str:
    return f"look at it with `snippetlock show {name}`, then accept it: snippetlock update {name}"


def _beneath(project: Project, definition: Definition, failure: Finding) -> Finding | None:
    """The change of the source that made a highlight fail: it comes first, and says so in one finding."""
    entry = project.entry(definition.id)
    if failure.rule not in ("SL107", "SL108") or entry is None or project.lock is None or project.lock.edited:
        return None
    if selection_changes(definition, entry):
        return None
    plain = replace(definition, view=replace(definition.view, highlight=()))
    for finding in _compare(project, plain, project.cutter.cut(plain), replace(entry, view=plain.view)):
        return replace(
            finding,
            evidence=(*finding.evidence, f"{failure.place}  {failure.message}"),
            mend=f"{finding.mend} (once its `highlight` fits the new text)",
        )
    return None


def _difference(project: Project, snippet: Snippet, entry: Entry) -> tuple[str, ...]:
    return difference(accepted_text(project, entry), snippet.text, str(snippet.span))


def _failure(project: Project, definition: Definition, error: SnippetlockError) -> Finding:
    """The finding for an error that a definition caused: at the definition, with the error's own place as evidence."""
    rule, keys = next((rule, keys) for kind, rule, keys in _RULES if isinstance(error, kind))
    if isinstance(error, HighlightError) and error.times:
        rule = "SL108"
    where = (error.where,) if error.where and error.where not in error.what else ()
    return Finding(
        rule=rule,
        place=_blamed(definition, (error.key,) if isinstance(error, ViewError) and error.key else keys, error.what),
        message=error.what,
        evidence=(*where, *error.evidence),
        mend=error.mend,
        snippet=definition.id,
        uses=project.uses(definition.id),
    )


def _blamed(definition: Definition, keys: tuple[str, ...], what: str) -> Place:
    """The item of a list that the message quotes, else the first of the keys that the definition has."""
    places = definition.places
    for key in ("keep", "highlight"):
        for number, item in enumerate(getattr(definition.view, key)):
            if key in keys and repr(item) in what:
                return places.get(f"{key}.{number}", definition.place)
    return next((places[key] for key in keys if key in places), definition.place)
