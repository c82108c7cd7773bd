"""Move the pin: plan, and where nothing stands in the way write the pin, the definitions and the lock together.

Holds the lock's guard from the last look to the last write, so that of two moves at once the second sees what the
first wrote. Killed at any point, the next command that writes finishes what was begun, or nothing was begun.
"""

from __future__ import annotations

from pathlib import Path

from snippetlock.changes import State
from snippetlock.config.editing import edit_pin, pin_fragments
from snippetlock.config.pin import parse_pin
from snippetlock.errors import UsageError, listed
from snippetlock.links import web
from snippetlock.lock import Lock, Move, dump_lock, exclusive
from snippetlock.lock.together import whole, writable, write_together
from snippetlock.model import Finding, Pin
from snippetlock.moves import Moved, Plan
from snippetlock.records import dataclass, replace
from snippetlock.source.checkout import uncommitted
from snippetlock.workflow.accept import lock_of, locked
from snippetlock.workflow.bringing import brought
from snippetlock.workflow.checks import check
from snippetlock.workflow.choosing import check_choice, read_choice
from snippetlock.workflow.drifting import Comparison
from snippetlock.workflow.held import same_pin
from snippetlock.workflow.lapsing import lapsed_of
from snippetlock.workflow.planning import Draft, draft
from snippetlock.workflow.project import Project
from snippetlock.workflow.returning import recalled, remembered, same_state, unwound
from snippetlock.workflow.rewriting import mended, sources, text_of
from snippetlock.workflow.states import PIN, Opened, States
from snippetlock.workflow.tags import of_tag
from snippetlock.workflow.targets import Target, target

__all__ = ["Request", "aim", "bump", "hold_committed"]

_MOST = 20  # moves that the lock remembers
_FIRST = "check first: `snippetlock check` says what to mend; a move can only be held against what was accepted"
_EXCUSED = frozenset(("SL101", "SL102", "SL104", "SL107", "SL108", "SL114", "SL115", "SL116", "SL117"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is accepted (`ID`, `CLASS`, `ID=SELECTOR`), whether to write, and whether to mix with uncommitted work.

    Who `walked` through the plan opened pages to mend them: after `hold_committed` these are no work of before.
    """

    accept: tuple[str, ...] = ()
    dry: bool = False
    dirty: bool = False
    walked: bool = False


def aim(states: States, text: str | None, *, yanked: bool = False) -> Target:
    """The pin that `text` means; None is the latest release, of a pinned commit the branch. May ask the network.

    Raises `LockError` first where a file could not be written: whoever moves the pin hears that before all the rest.
    """
    writable(_files(states.project), states.project.config.root)
    pin = states.project.pin
    if text is None:
        if pin.kind == "folder":
            raise UsageError("the pin is a folder, which has no next state", mend="say where to: --to FOLDER")
        text = "latest" if pin.kind == "wheel" else states.repository.branch
    return recalled(states, text) or target(states, text, allow_yanked=yanked)


def bump(states: States, to: Target, request: Request) -> Moved:
    """Move the pin of a project to a target, or say what stands in the way; writes all of it or nothing.

    Raises `UsageError` where what was accepted does not hold, for an acceptance that fits nothing, and, where
    something would be written, for uncommitted changes; `LockError` while another process is writing.
    """
    if request.dry:
        return _bump(states, to, request)
    config = states.project.config
    with exclusive(config.lock):
        whole(config.journal, config.root)
        return _bump(states, to, request)


def _bump(states: States, to: Target, request: Request) -> Moved:
    look = Project(states.project.config, states.project.cache)  # a new look: it may have changed while we waited
    states = States(look, states.outside)
    lock = _sound(look)
    known = {*look.defined, *look.entries}
    choice = read_choice(request.accept, known)
    if same_state(to.pin, look.pin):
        here = State(label=look.pin.label)
        return Moved(plan=Plan(old=here, new=here, steps=(), said=to.said), settled=True, dry=request.dry)
    _clean(look)
    back = remembered(lock, to.pin)
    old = _known(states, states.open(PIN))
    comparison = Comparison(look, states, old, to.opened)
    made = draft(comparison, choice, unwound(lock, back))
    comparison.keep()
    notes = check_choice(choice, made.steps, back=back is not None)
    asked = [made.accepted[s.snippet] for s in made.steps if s.verdict != "taken" and s.snippet in made.accepted]
    found = brought(look, states, old, to.opened, asked)
    repository = to.pin.repository or look.pin.repository
    plan = Plan(
        old=old.state,
        new=to.opened.state,
        steps=tuple(replace(step, commits=found.commits.get(step.snippet, ())) for step in made.steps),
        said=to.said,
        notes=(*notes, *([found.note] if found.note else ())),
        back=back is not None,
        home=web(repository.url) if repository else "",
        claims=lapsed_of(look, old, to.opened),
    )
    if plan.open or request.dry:
        return Moved(plan=plan, dry=request.dry)
    if not request.dirty:
        _committed(look, states, pages=not request.walked)
    return Moved(plan=plan, written=_write(look, to.pin, plan, made, lock, back))


def _known(states: States, old: Opened) -> Opened:
    """The old state with its commit, where the pin does not say it and a tag of the repository at hand does."""
    pin = states.project.pin
    if old.state.commit or not pin.version:
        return old
    _, commit = of_tag(states, old, pin.version)
    return replace(old, state=replace(old.state, commit=commit))


def _sound(look: Project) -> Lock:
    """The lock, where it says what was accepted at the pin. Raises `UsageError`."""
    lock, where = look.lock, look.config.name(look.config.lock)
    if lock is None:
        raise UsageError(f"nothing was accepted yet: there is no {where}", mend=_FIRST)
    if lock.edited:
        raise UsageError("the lock was edited by hand, so nothing says what was accepted", path=where, mend=_FIRST)
    if not same_pin(look):
        raise UsageError(
            "the lock speaks of another pin than the pin file",
            path=where,
            mend=f"put the pin back as it was, and let `snippetlock bump --to …` move it; or {_FIRST}",
        )
    return lock


def _clean(look: Project) -> None:
    """Raise `UsageError` where a check finds what no move can set right.

    A snippet whose definition is not as accepted is no fault here: what it says is meant for the target. Nor is a
    sentence, an example or a record that the pin proves wrong: nothing of it was accepted, and who moved and found
    that the pages are not ready must be able to go back.
    """
    findings = [one for one in check(look).findings if one.level == "error" and not _excused(look, one)]
    if findings:
        evidence = listed([f"{one.place}  {one.rule}  {one.message}" for one in findings])
        raise UsageError("pages, definitions and lock disagree at the present pin", evidence=evidence, mend=_FIRST)


def _excused(look: Project, finding: Finding) -> bool:
    if finding.rule.startswith("SL3") or finding.rule == "SL133":
        return True
    entry, defined = look.entry(finding.snippet), look.defined.get(finding.snippet, ())
    if not finding.snippet or finding.rule not in _EXCUSED or len(defined) > 1:
        return False
    if defined and finding.snippet not in look.taken:
        return False  # a move accepts nothing of the project's own
    if entry is None or not defined:
        return True
    return (defined[0].selector.text, defined[0].view) != (entry.selector, entry.view)


def _files(look: Project) -> list[Path]:
    """The files that a move may write."""
    config = look.config
    return [config.pin, config.lock, *sorted({config.root / d.place.path for d in look.definitions})]


def hold_committed(states: States) -> None:
    """Raise `UsageError` where somebody's work lies in the files that a move writes, or in the pages."""
    _committed(states.project, states, pages=True)


def _committed(look: Project, states: States, *, pages: bool) -> None:
    config = look.config
    changed = uncommitted(config.root, [*_files(look), *([config.docs] if pages else [])], states.outside.environ)
    if changed:
        mend = "commit or stash them, or mix them with the move: --dirty"
        raise UsageError(
            "there are uncommitted changes, and the move would mix with them", evidence=listed(changed), mend=mend
        )


def _write(look: Project, pin: Pin, plan: Plan, made: Draft, lock: Lock, back: int | None) -> tuple[str, ...]:
    """Write the files that change; their names."""
    config = look.config
    name = config.name(config.pin)
    text, mark = text_of(config.pin, name)
    fragments = None if back is None else lock.moves[back].fragments
    edited = edit_pin(text, pin, fragments=fragments, name=name)
    wanted = {step.snippet: step.selector for step in plan.steps if step.selector}
    if back is None:
        says = {id: look.defined[id][0].selector.text for id in wanted}
        changed = {id: (says[id], selector) for id, selector in wanted.items() if says[id] != selector}
        left = Move(
            pin=locked(look.pin),
            fragments=pin_fragments(text),
            selectors=changed,
            sources=sources(look, changed),
        )
        moves = (*lock.moves, left)[-_MOST:]
    else:
        moves = lock.moves[:back]
    snippets = [made.snippets[id] for id in sorted(made.snippets)]
    snippets += [look.snippet(id) for id in sorted(look.defined.keys() - look.taken.keys())]
    # Of the pin as the file says it now: it may say less than is known, and that is what a check holds the lock to.
    new = lock_of(parse_pin(edited, name), snippets, moves)
    ways = {
        id: was.written for id, was in unwound(lock, back).items() if was.written and was.selector == wanted.get(id)
    }
    files = mended(look, wanted, ways)
    files[config.pin] = (mark + edited).encode("utf-8")
    files[config.lock] = dump_lock(new).encode("utf-8")
    return tuple(config.name(path) for path in write_together(files, config.journal, config.root))
