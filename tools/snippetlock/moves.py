"""The words of moving the pin as data: what a move does to each snippet, and what came of it.

Lines and columns are 1-based.
"""

from __future__ import annotations

from typing import Literal, get_args

from snippetlock.changes import CLASSES, Candidate, ChangeClass, Culprit, State
from snippetlock.model import Exit, Finding, Place, Span
from snippetlock.records import dataclass

MoveClass = ChangeClass | Literal["new", "dropped"]
"""A class of drift, or what the definitions say: `new` was never accepted, `dropped` is no longer defined."""
ORDER: tuple[MoveClass, ...] = (*CLASSES, "new", "dropped")
"""In the order of reports, the worst first."""

Verdict = Literal["blocked", "asks", "accepted", "taken"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""`blocked`: somebody has to write something first. `asks`: somebody has to look. `accepted`: somebody did.
`taken`: nobody needs to."""

SAFE: tuple[MoveClass, ...] = ("same", "moved", "layout")
"""What a move takes without asking; what the definitions say is taken too."""
POLICY: tuple[ChangeClass, ...] = ("comment",)
"""What a project can have taken as well."""
SCORE = 0.75
"""The score from which on a candidate is good enough for whoever does not choose one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Inline code of a page, as written, that names something which changed: `name`.

    `near`: it stands under the same heading as a use of the snippet.
    """

    place: Place
    text: str
    name: str
    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a move of the pin does to one snippet.

    `selector` is what the definition says when it is done, `before` what was accepted; empty for a snippet that is
    new or dropped. `place` is where the definition says it. `chosen` says that somebody named the selector.
    `commits` are those that changed what it shows, oldest first, as far as they are known. `candidate_texts` are what
    the candidates show, each in its place, empty where one cannot be shown so.
    """

    snippet: str
    cls: MoveClass
    verdict: Verdict
    place: Place
    before: str
    selector: str
    chosen: bool = False
    old: Span | None = None
    new: Span | None = None
    old_text: str = ""
    new_text: str = ""
    details: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    candidate_texts: tuple[str, ...] = ()
    uses: tuple[Place, ...] = ()
    mentions: tuple[Mention, ...] = ()
    commits: tuple[Culprit, ...] = ()
    old_link: str = ""
    new_link: str = ""
    mend: str = ""

    @property
    def mended(self) -> bool:
        """Whether the definition is to say another selector than it was accepted with."""
        return bool(self.before) and bool(self.selector) and self.before != self.selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What moving the pin comes to: every snippet, the worst first, those that stay the same too.

    `said` is how the target was found (`latest is 0.2.0`), `notes` are lines about the whole, `back` says that the
    lock remembers the target. `home` is the web page of the library's repository, empty without one. `claims` are those
    of the pages that are true at the old state and no longer at the new one: their sentences are to be corrected.
    """

    old: State
    new: State
    steps: tuple[Step, ...]
    said: str = ""
    notes: tuple[str, ...] = ()
    back: bool = False
    home: str = ""
    claims: tuple[Finding, ...] = ()

    def of(self, *verdicts: Verdict) -> tuple[Step, ...]:
        """The steps with one of these verdicts."""
        return tuple(step for step in self.steps if step.verdict in verdicts)

    @property
    def open(self) -> tuple[Step, ...]:
        """What stands in the way of writing."""
        return self.of("blocked", "asks")

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.open else Exit.CLEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What a move did. `settled`: the pin is there already. `written` are the files that changed, by name."""

    plan: Plan
    settled: bool = False
    dry: bool = False
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """A definition that finds nothing at the pin. `selector` is what to say instead, empty where nobody can tell.

    `problem` is why it finds nothing, `candidates` and `near` what it could be now: with scores, where what was
    accepted is at hand (`compared`), else by name alone. `unsure`: whatever its score, the best may have been there all
    along. `mentions` are the lines of prose that still name the old
    symbol.
    """

    snippet: str
    place: Place
    before: str
    selector: str
    problem: str
    compared: bool = True
    unsure: bool = False
    candidates: tuple[Candidate, ...] = ()
    near: tuple[str, ...] = ()
    uses: tuple[Place, ...] = ()
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """What `fix` found and did. `against` is what the candidates were compared with, or why with nothing."""

    mends: tuple[Mend, ...]
    snippets: int
    score: float
    against: str
    dry: bool = False
    written: tuple[str, ...] = ()

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if any(not mend.selector for mend in self.mends) else Exit.CLEAN
