"""What somebody accepts of a move: snippets by id, classes, or another selector for a snippet. Reads no file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from snippetlock.changes import CLASSES
from snippetlock.config import parse_selector
from snippetlock.errors import SelectorError, UsageError, nearest
from snippetlock.moves import ORDER, Step
from snippetlock.records import dataclass, field

__all__ = ["Choice", "check_choice", "read_choice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The ids and classes that are accepted, and the selectors that somebody named, by id."""

    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    selectors: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, name: str, cls: str) -> bool:
        """Whether somebody accepted this snippet, of this class."""
        return name in self.ids or name in self.selectors or cls in self.classes


def read_choice(texts: Iterable[str], known: Collection[str]) -> Choice:
    """What `ID`, `CLASS` and `ID=SELECTOR` say, any number of them; `known` are the ids of the plan.

    A word that is both is taken for the id, which accepts less. Raises `UsageError` for what is neither.
    """
    ids: list[str] = []
    classes: list[str] = []
    selectors: dict[str, str] = {}
    for text in texts:
        name, equals, selector = text.partition("=")
        if equals:
            selectors[_known(name, known, text)] = _selector(name, selector, selectors.get(name))
        elif text not in known and text in ORDER:
            classes.append(text)
        else:
            ids.append(_known(text, known, text))
    return Choice(ids=tuple(ids), classes=tuple(classes), selectors=selectors)


def _known(name: str, known: Collection[str], text: str) -> str:
    if name in known:
        return name
    words = known if "=" in text else (*known, *CLASSES)
    near = nearest(name, words)
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "`snippetlock list` shows what there is"
    kind = "snippet" if "=" in text else "snippet of the plan and no class"
    raise UsageError(f"--accept {text}: {name!r} is no {kind}", mend=mend)


def _selector(name: str, selector: str, before: str | None) -> str:
    if before is not None and before != selector:
        raise UsageError(f"--accept says two selectors for {name!r}: {before} and {selector}", mend="say one of them")
    try:
        return parse_selector(selector).text
    except SelectorError as error:
        what = f"--accept {name}=…: {selector!r} is no selector: {error.what}"
        raise UsageError(what, evidence=error.evidence, mend=error.mend) from error


def check_choice(choice: Choice, steps: Iterable[Step], *, back: bool) -> tuple[str, ...]:
    """Lines about what was accepted for nothing: a class that nothing is of, and on the way `back` also a snippet.

    Who goes back says again what they said on the way there, and some of it is not asked about now. Else a snippet of
    which nothing is to be accepted is most likely not the one that was meant: raises `UsageError`.
    """
    by_id = {step.snippet: step for step in steps}
    notes = []
    for name in (*choice.ids, *choice.selectors):
        step = by_id[name]
        if step.verdict != "taken":
            continue
        what = f"--accept {name}: nothing of it is to be accepted: {_clean(step)}"
        if not back:
            quote = (
                f"; to quote something else, edit its definition at {step.place}" if name in choice.selectors else ""
            )
            raise UsageError(what, mend=f"leave it out{quote}")
        notes.append(what)
    present = {step.cls for step in by_id.values()}
    return (*notes, *(f"--accept {cls}: nothing is {cls}" for cls in choice.classes if cls not in present))


def _clean(step: Step) -> str:
    said = {"new": "it is new", "dropped": "it is no longer defined", "same": "it is the same there"}
    return said.get(step.cls, f"it is taken as it is ({step.cls})")
