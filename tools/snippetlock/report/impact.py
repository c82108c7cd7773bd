"""What a change of the library makes untrue, as data for the forms, and as text for people.

The reader is a developer of the library: what must be read again comes first, with the lines that did it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snippetlock.changes import Drifted, DriftReport
from snippetlock.model import Exit
from snippetlock.moves import Mention
from snippetlock.records import dataclass, field
from snippetlock.report.bump import prose
from snippetlock.report.drift import closing_drift, of_examples, paint, paragraph
from snippetlock.report.text import format_findings, quantity

__all__ = ["Impact", "Site", "closing_impact", "format_impact_text", "headline_impact", "lines_to_read", "name_some"]

_NAMED = 8  # snippets that a line names


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Lines of a file of the library's repository, both ends included; None where the change is the whole file.

    `link` is their address, empty where the state is no commit with a web page.
    """

    path: str
    first: int | None = None
    last: int | None = None
    link: str = ""

    def __str__(self) -> str:
        if self.first is None:
            return self.path
        return f"{self.path}:{self.first}" if self.first == self.last else f"{self.path}:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """Every snippet of a docs project that the base of a change has, and what the change did to it.

    `sites` are the lines of the new state that the change of a snippet is in, for all that are not the same, and
    `prose` is what the pages of one that is untrue now say of it in inline code. Those of `stale` were not what
    the docs quote before the change either. `absent` are the snippets that the base does not have as they are
    defined: nothing is said of them. `strict` is whether what must be read again is a failure.
    """

    library: str
    report: DriftReport
    sites: Mapping[str, tuple[Site, ...]]
    prose: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)
    stale: frozenset[str] = frozenset()
    absent: tuple[Drifted, ...] = ()
    strict: bool = False

    @property
    def untrue(self) -> tuple[Drifted, ...]:
        """What the policy of the docs wants to be read again, the worst first."""
        return tuple(one for one in self.report.drifted if one.fails)

    @property
    def aside(self) -> tuple[Drifted, ...]:
        """What changed too, and need not be read again."""
        return tuple(one for one in self.report.drifted if not one.fails and one.cls != "same")

    @property
    def exit(self) -> Exit:
        return Exit.FINDINGS if self.strict and (self.untrue or self.report.claims) else Exit.CLEAN


def lines_to_read(impact: Impact) -> dict[str, dict[int, tuple[str, ...]]]:
    """The pages that show what is untrue now, and the lines that ask for it, with the snippets there."""
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for one in impact.untrue:
        for place in one.uses:
            lines = found.setdefault(place.path, {})
            line = place.line or 1
            lines[line] = (*lines.get(line, ()), one.snippet)
    return {path: dict(sorted(lines.items())) for path, lines in sorted(found.items())}


def headline_impact(impact: Impact) -> str:
    """One sentence: what the change does to the docs."""
    untrue, pages = len(impact.untrue), len(lines_to_read(impact))
    told, others = of_examples(impact.report.claims)
    claims, examples = len(told), len({one.place.path for one in others})
    if not untrue and not claims and not examples:
        return "This change leaves every quotation in the documentation true"
    shown = f", on {quantity(pages, 'pages')}" if pages else ""
    pairs = ((untrue, "quotations"), (claims, "claims"), (examples, "examples"))
    what = [quantity(number, name) for number, name in pairs if number]
    return f"This change makes {' and '.join(what)} in the documentation untrue{shown}"


def closing_impact(impact: Impact) -> str:
    """`28 snippets: 2 signature, 26 same; 3 more are not in the base`."""
    number = len(impact.absent)
    more = f"; {number} more {'is' if number == 1 else 'are'} not in the base" if number else ""
    return closing_drift(impact.report).partition(";")[0] + more


def name_some(names: list[str]) -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def format_impact_text(impact: Impact, *, color: bool = False) -> str:
    """A paragraph a snippet that is untrue now, the pages to read, what is left, the counts. Ends in an end of line."""
    report = impact.report
    blocks = [f"{paint(f'{report.old.label} → {report.new.label}', '1', color)}\n"]
    for one in impact.untrue:
        blocks.append("".join(f"{line}\n" for line in _untrue(impact, one, color)))
    if pages := lines_to_read(impact):
        rows = (f"  {path}: {', '.join(map(str, lines))}\n" for path, lines in pages.items())
        blocks.append("read again, page and lines:\n" + "".join(rows))
    blocks += format_findings(report.claims, color=color)
    blocks += [f"{line}\n" for line in _rest(impact)]
    style = "1;31" if impact.untrue or report.claims else "32"
    blocks.append(f"{paint(headline_impact(impact), style, color)}\n{closing_impact(impact)}\n")
    return "\n".join(blocks)


def _untrue(impact: Impact, one: Drifted, color: bool) -> Iterator[str]:
    yield from paragraph(one, impact.report, color)
    if sites := impact.sites.get(one.snippet):
        yield f"  changed at: {', '.join(map(str, sites))}"
    yield from prose(impact.prose.get(one.snippet, ()))
    if one.snippet in impact.stale:
        yield "  the docs quote another text than the base has"


def _rest(impact: Impact) -> Iterator[str]:
    if impact.aside:
        names = name_some([f"{one.snippet} ({one.cls})" for one in impact.aside])
        yield f"changed too, and nothing to read again: {names}"
    if impact.absent:
        yield f"not in the base, and not compared: {name_some([one.snippet for one in impact.absent])}"
    if impact.report.note:
        yield f"note: {impact.report.note}"
