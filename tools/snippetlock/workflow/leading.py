"""Hold the links and images of a page's twin against its own: section by section, by where they lead.

Order and number within a section are not compared: another language has other sentences. A link to a page, or to an
anchor of one, is the same as its twin's to that page's twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snippetlock.model import Finding
from snippetlock.references.structure import Link
from snippetlock.workflow.front import LINKS
from snippetlock.workflow.project import Project
from snippetlock.workflow.sheets import Sheet, led

__all__ = ["link_findings"]


def link_findings(project: Project, first: Sheet, second: Sheet) -> Iterator[Finding]:
    """What one of the two has and the other has not, and pairs of links that are of no use."""
    languages = project.config.languages
    given = second.front.links.items()
    pairs = {led(one, first.page, languages): led(other.text, second.page, languages) for one, other in given}
    ours = _led(first, languages, pairs)
    theirs = _led(second, languages, {})
    same = [one.anchor for one in first.shape.sections] == [one.anchor for one in second.shape.sections]
    for anchor in dict.fromkeys([*(key[0] for key in ours), *(key[0] for key in theirs)]) if same else ("",):
        left = {key[1:]: link for key, link in ours.items() if not same or key[0] == anchor}
        right = {key[1:]: link for key, link in theirs.items() if not same or key[0] == anchor}
        yield from _unlike(first, second, left, right, anchor)
    used = {led(link.target, first.page, languages) for link in first.shape.links}
    for one, other in given:
        if led(one, first.page, languages) not in used:
            message = f"`{LINKS}` pairs {one}, and {first.page.path} has no such link"
            yield Finding(rule="SL404", place=second.page.place(other.line), message=message, mend="take the pair out")


def _led(sheet: Sheet, languages: tuple[str, ...], pairs: Mapping[str, str]) -> dict[tuple[str, bool, str], Link]:
    """The first link of each section to each target, by the section's anchor, its kind and its target."""
    found: dict[tuple[str, bool, str], Link] = {}
    sections = iter(sheet.shape.sections)
    section = next(sections, None)
    following = next(sections, None)
    for link in sheet.shape.links:
        while following is not None and following.first <= link.line:
            section, following = following, next(sections, None)
        target = led(link.target, sheet.page, languages)
        found.setdefault((section.anchor if section else "", link.image, pairs.get(target, target)), link)
    return found


def _unlike(
    first: Sheet,
    second: Sheet,
    left: Mapping[tuple[bool, str], Link],
    right: Mapping[tuple[bool, str], Link],
    anchor: str,
) -> Iterator[Finding]:
    within = next((one for one in second.shape.sections if one.anchor == anchor), None)
    gone = [link for key, link in left.items() if key not in right]
    more = [link for key, link in right.items() if key not in left]
    pairs = ""
    if len(gone) == len(more) == 1 and gone[0].image == more[0].image:
        pairs = f"; for one that has to differ, in the front matter: `{LINKS}: {{{gone[0].target}: {more[0].target}}}`"
    for link in gone:
        what = "image" if link.image else "link"
        yield Finding(
            rule="SL404",
            place=second.page.place(within.first if within else 1),
            message=f"{first.page.place(link.line, link.column)} has the {what} {link.target}, "
            f"and {f'the section {anchor!r} of this page' if within else 'this page'} has not",
            mend=f"give both the same {what}s, or none{pairs}",
        )
    for link in more:
        what = "image" if link.image else "link"
        yield Finding(
            rule="SL404",
            place=second.page.place(link.line, link.column),
            message=f"this {what} leads to {link.target}, and {first.page.path} has no such {what}"
            + (f" in the section {anchor!r}" if within else ""),
            mend=f"give both the same {what}s, or none{pairs}",
        )
