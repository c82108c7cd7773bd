"""Walk through what a move of the pin asks, with somebody at a terminal. Writes nothing: their answers come back."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from snippetlock.config import parse_selector
from snippetlock.errors import SelectorError
from snippetlock.model import Place
from snippetlock.moves import Plan, Step
from snippetlock.records import dataclass, replace
from snippetlock.report.bump import format_step

__all__ = ["Asking", "again", "ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How to talk: `hear` prints a question and returns a line, None at the end of the input.

    `environ` says which editor opens a page, and `root` is the folder that places count from.
    """

    say: Callable[[str], None]
    hear: Callable[[str], str | None]
    root: Path
    environ: Mapping[str, str]
    color: bool = False


def ask(plan: Plan, talk: Asking) -> tuple[str, ...] | None:
    """What somebody accepts, as `--accept` would say it; None when they quit."""
    accepted: list[str] = []
    steps = plan.open
    for number, step in enumerate(steps, start=1):
        talk.say(f"\n({number} of {len(steps)}) {format_step(_answered(step), color=talk.color)}")
        answer = _about(step, talk)
        if answer is None:
            if accepted:
                talk.say(f"{again(accepted)}\n")
            return None
        accepted += [answer] if answer else []
    return tuple(accepted)


def _answered(step: Step) -> Step:
    """The step, its mend saying what to answer here where it says `--accept`."""
    option = rf"`--accept {re.escape(step.snippet)}(?:=([^`]*))?`"
    return replace(step, mend=re.sub(option, lambda found: f"`{_answer(step, found[1])}`", step.mend))


def _answer(step: Step, selector: str | None) -> str:
    """What accepts a step, with another selector where one is given."""
    if selector is None:
        return "a"
    numbers = (n for n, one in enumerate(step.candidates, start=1) if one.selector == selector)
    number = next(numbers, 0)
    return f"c{number}" if number else f"={selector}"


def again(accepted: Sequence[str]) -> str:
    """How to say the same answers without being asked; empty for none."""
    return f"to give these answers again: --accept {shlex.join(accepted)}" if accepted else ""


def _about(step: Step, talk: Asking) -> str | None:
    """What is accepted of one step, empty for nothing; None to quit."""
    while True:
        line = talk.hear(f"{', '.join(_choices(step))}? ")
        if line is None:
            return None
        if line.strip().startswith("="):
            if selector := _selector(line.strip()[1:].strip(), talk):
                return f"{step.snippet}={selector}"
            continue
        word, _, rest = line.strip().lower().partition(" ")
        if word in ("q", "quit"):
            return None
        if word in ("s", "skip"):
            return ""
        if word in ("a", "accept") and step.verdict == "asks":
            return step.snippet
        if word in ("o", "open"):
            talk.say(_open(step, talk, rest))
            continue
        if word[:1] == "c" and (chosen := _candidate(step, word.removeprefix("candidate").removeprefix("c") + rest)):
            return f"{step.snippet}={chosen}"
        talk.say(f"{line.strip()!r} is none of these\n")


def _choices(step: Step) -> Iterator[str]:
    if step.verdict == "asks":
        yield "[a]ccept"
    for number, one in enumerate(step.candidates, start=1):
        yield f"[c{number}] take {one.selector}"
    yield "[=SELECTOR] quote something else"
    yield "[s]kip"
    for number, use in enumerate(step.uses, start=1):
        yield f"[o{f' {number}' if len(step.uses) > 1 else ''}]pen {use}"
    yield "[q]uit"


def _candidate(step: Step, text: str) -> str:
    number = int(text) if text.isdecimal() else 0 if text else 1
    return step.candidates[number - 1].selector if 1 <= number <= len(step.candidates) else ""


def _selector(text: str, talk: Asking) -> str:
    """A selector that somebody wrote; empty for what is none, which is said."""
    try:
        return parse_selector(text).text
    except SelectorError as error:
        talk.say(f"{text!r} is no selector: {error.what}; {error.mend}\n")
        return ""


def _open(step: Step, talk: Asking, text: str) -> str:
    """Open the page of a use, the first without a number; what to say about it."""
    number = int(text) if text.isdecimal() else 0 if text else 1
    if not 1 <= number <= len(step.uses):
        return f"there are {len(step.uses)} pages\n" if step.uses else "no page shows it\n"
    from snippetlock.source.editor import edit

    return edit(editor(talk.environ, talk.root, step.uses[number - 1]), talk.root)


def editor(environ: Mapping[str, str], root: Path, place: Place) -> list[str]:
    """The command that opens a place, in the way of most editors; empty where none is set."""
    command = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed: whoever runs it hears that there is no such program
        words = [command]
    if not words:
        return []
    path, line = str(root / place.path), place.line or 1
    name = Path(words[0]).name
    if name in ("code", "code-insiders", "codium", "cursor"):
        return [*words, "--goto", f"{path}:{line}"]
    if name in ("subl", "zed", "hx", "helix"):
        return [*words, f"{path}:{line}"]
    return [*words, f"+{line}", path]
