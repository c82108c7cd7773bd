"""Impact as Markdown for a comment on a pull request of the library's: what to read first, the differences folded.

The first line is the same every time, so that who posts the comment finds the one to write anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from snippetlock.changes import Drifted
from snippetlock.moves import Mention
from snippetlock.report.drift import score
from snippetlock.report.impact import Impact, Site, closing_impact, headline_impact, lines_to_read, name_some
from snippetlock.report.markdown import MOST, claim_rows, code, diffed, in_line, text

MARKER = "<!-- snippetlock impact -->"
_PAGES = 40  # rows of the table
_LINE = 1000  # characters of one of them
_SITES = 4  # places of one change
_SAID = 8  # lines of one page


def format_impact_markdown(impact: Impact) -> str:
    """A heading, the pages to read, a fold a snippet as far as a comment has room, and what is left in small print."""
    report = impact.report
    said = f"{MARKER}\n### {text(headline_impact(impact))}\n\n"
    said += f"{text(report.old.label)} → {text(report.new.label)}: {closing_impact(impact)}.\n"
    if pages := lines_to_read(impact):
        said += "\nTo be read again when the documentation moves on to this:\n\n" + _table(pages)
    said += "".join(claim_rows(report.claims))
    rest = "".join(f"\n<sub>{line}</sub>\n" for line in _rest(impact))
    for number, one in enumerate(impact.untrue):
        more = "".join(f"{line}\n" for line in _fold(impact, one))
        if len(said) + len(more) + len(rest) > MOST:
            left = len(impact.untrue) - number
            return f"{said}\n… and the differences of {left} more: run `snippetlock impact`.\n{rest}"
        said += more
    return said + rest


def _table(pages: Mapping[str, Mapping[int, tuple[str, ...]]]) -> str:
    rows = [f"| {code(path)} | {_lines(lines)} |\n" for path, lines in pages.items()]
    more = f"| … and {len(rows) - _PAGES} more | |\n" if len(rows) > _PAGES else ""
    return "| page | lines |\n| --- | --- |\n" + "".join(rows[:_PAGES]) + more


def _lines(lines: Mapping[int, tuple[str, ...]]) -> str:
    return in_line((f"{line} ({', '.join(map(code, names))})" for line, names in lines.items()), _LINE)


def _fold(impact: Impact, one: Drifted) -> Iterator[str]:
    sites = impact.sites.get(one.snippet, ())
    # Inside HTML nothing of Markdown's is read, so its marks need no backslash there.
    where = f" in <code>{escape(str(sites[0]), quote=False)}</code>" if sites else ""
    yield ""
    yield f"<details><summary>{one.cls}: <code>{one.snippet}</code>{where}</summary>"
    yield ""
    change = one.change
    if sites:
        yield f"- changed at {', '.join(map(_site, sites[:_SITES]))}{', …' if len(sites) > _SITES else ''}"
    for line in change.details if change else ():
        yield f"- {text(line)}"
    for candidate in change.candidates if change else ():
        yield f"- now perhaps {code(candidate.selector)}, {score(candidate)}: {text(candidate.reason)}"
    if one.snippet in impact.stale:
        yield "- the docs quote another text than the base has: of another release, most likely"
    yield from _prose(impact.prose.get(one.snippet, ()))
    if not one.uses:
        yield "- no page shows it"
    yield from diffed(one)
    yield ""
    yield "</details>"


def _site(site: Site) -> str:
    return f"[{code(str(site))}]({site.link})" if site.link else code(str(site))


def _prose(mentions: Iterable[Mention]) -> Iterator[str]:
    """Where the pages speak of it, a line a page; what is not near a use goes without saying."""
    pages: dict[str, dict[int, list[str]]] = {}
    for one in mentions:
        if one.near:
            pages.setdefault(one.place.path, {}).setdefault(one.place.line or 1, []).append(code(one.text))
    for path, lines in pages.items():
        found = [f"{line} ({', '.join(dict.fromkeys(said))})" for line, said in lines.items()]
        head = "line" if len(found) == 1 else "lines"
        yield f"- spoken of in {code(path)}, {head} {', '.join(found[:_SAID])}{', …' if len(found) > _SAID else ''}"


def _rest(impact: Impact) -> Iterator[str]:
    if impact.aside:
        names = name_some([f"{code(one.snippet)} ({one.cls})" for one in impact.aside])
        yield f"Changed too, and nothing to read again: {names}."
    if impact.absent:
        names = name_some([code(one.snippet) for one in impact.absent])
        yield f"Not compared, for the base does not have them (the docs quote another release): {names}."
    if impact.report.note:
        yield f"Note: {text(impact.report.note)}."
