"""What the lock proves, and what is wrong with it. Cuts nothing.

A snippet is not cut where the lock already proves what the cut would be (`holds`). That is sound because a cut
is a pure function of the files consulted, the selector, the view and this tool's format, and the lock states
all four beside the digest of the result:

- the lock's own checksum holds, so the entry is as the tool wrote it, and it was written by this format;
- selector and view are the accepted ones;
- the tree is the fixed artifact that the lock names (of a commit, read from the same folder of it), or every
  file that was consulted for the lock, the entry's own among them, still has its digest, and every one that had
  to be absent still is; of a snippet that shows an example of the project, every such file of its examples.

What this trusts is that the tool wrote the lock: the checksum tells an edit, not a forgery, for whoever writes
the lock can write the checksum. Of a forged lock this module sees two things: a digest that the named lines do
not have, where a view shows whole lines, and an entry of a folder whose file the lock does not list. A false
digest of any other view passes here, and a list that lacks another file; that the text shown is the accepted one
is held against a cut for every view by `proof`, when the site is built. Everything else is cut, through the cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.errors import SnippetlockError
from snippetlock.lock import Entry
from snippetlock.model import VIEW_KEYS, Definition, Finding, Pin, Place
from snippetlock.text import dedent, sha256
from snippetlock.workflow.project import Project


def lock_findings(project: Project) -> Iterator[Finding]:
    """What is wrong with the lock as a whole, and its entries for snippets that are no more."""
    path = project.config.name(project.config.lock)
    lock, defined = project.lock, project.defined
    if lock is None:
        if defined:
            message = f"there is no lock: none of {len(defined)} snippets was accepted"
            yield Finding(rule="SL104", place=Place(path=path), message=message, mend="run `snippetlock update`")
        return
    if lock.edited:
        # Its entries prove nothing now, so nothing is compared with them: this finding stands for all.
        yield Finding(rule="SL105", place=Place(path=path), message="its checksum does not fit its content")
        return
    if not same_pin(project):
        evidence = (f"accepted  {pin_line(lock.pin)}", f"pinned    {pin_line(project.pin)}")
        yield Finding(
            rule="SL106", place=Place(path=path), message="what it accepted is of another pin", evidence=evidence
        )
    for entry in lock.entries:
        if entry.id not in defined:
            message = f"{entry.id!r} was accepted, and is no longer defined"
            yield Finding(rule="SL115", place=Place(path=path, line=entry.line), message=message, snippet=entry.id)


def same_pin(project: Project) -> bool:
    """Whether the lock's entries were accepted at the pin."""
    return project.lock is not None and facts(project.lock.pin) == facts(project.pin)


def facts(pin: Pin) -> tuple[str, ...]:
    """What makes a pin this one and no other, as a lock can tell."""
    return pin.name, pin.version, pin.kind, pin.sha256, pin.commit, _root(pin)


def _root(pin: Pin) -> str:
    """The folder of the pinned commit that its files are read from; a wheel and a folder are whole without it."""
    return pin.repository.root if pin.kind == "git" and pin.repository else ""


def pin_line(pin: Pin) -> str:
    """A pin in a line of evidence."""
    below = f", its folder {_root(pin)}" if _root(pin) else ""
    states = {"wheel": f"wheel sha256:{pin.sha256}", "folder": "a folder", "git": f"commit {pin.commit}{below}"}
    return f"{pin.label}, {states[pin.kind]}"


def holds(project: Project, definition: Definition) -> bool:
    """Whether the lock proves that a cut would give the accepted text. The module's docstring says why it does."""
    lock, entry = project.lock, project.entry(definition.id)
    if lock is None or entry is None or lock.edited or selection_changes(definition, entry):
        return False
    own = project.is_own(entry.path)
    if own or project.tree.identity is None:
        # An entry that its own file does not prove is proved by nothing, whatever else is unchanged.
        files = [item for item in lock.files.items() if project.is_own(item[0]) == own]
        if not lock.files.get(entry.path) or not project.cutter.unchanged(files):
            return False
    elif not same_pin(project):
        return False
    return _slice_holds(project, entry)


def _slice_holds(project: Project, entry: Entry) -> bool:
    """Whether the lines that an entry names have its digest, where a view shows whole lines; true for other views.

    False is no verdict, only a reason to cut: a string that reaches to the margin makes the plain dedent differ.
    """
    view = entry.view
    if view.show != "source" or view.docstrings not in (None, "keep") or view.comments != "keep":
        return True
    if view.from_ or view.to or view.match or view.imports:
        return True
    try:
        lines = project.cutter.lines(entry.path)
    except SnippetlockError:
        return False
    text = "".join(dedent(lines[entry.first - 1 : entry.last]))
    if sha256(text) != entry.digests.text:
        return False
    project.kept.keep_text(entry.digests.text, text)
    return True


def selection_changes(definition: Definition, entry: Entry) -> tuple[str, ...]:
    """How selector and view differ from the accepted ones, a line each; empty when they do not."""
    pairs = [("source", entry.selector, definition.selector.text)]
    for key, name in VIEW_KEYS.items():
        pairs.append((key, getattr(entry.view, name), getattr(definition.view, name)))
    return tuple(
        f"{name}: {_said(old)} was accepted, {_said(new)} is asked for" for name, old, new in pairs if old != new
    )


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return "nothing" if value in (None, "", False) else str(value).lower() if value is True else str(value)
