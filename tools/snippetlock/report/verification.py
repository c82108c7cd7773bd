"""The verification page's tables as HTML: the pin, every quotation, every block that is none, every diagram. Pure.

Takes plain data: who gathers it is `workflow.verification`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from snippetlock.links import fragment
from snippetlock.model import Pin, Span
from snippetlock.records import dataclass, field
from snippetlock.report.labels import Labels
from snippetlock.report.labels import labels as words

_DIGITS = 12  # enough of a digest to compare by eye


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page that shows something: its title, its language, its address below the site's root."""

    title: str
    language: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A snippet, where it is from and who shows it. `view` is the address of its source view."""

    id: str
    span: Span
    digest: str
    view: str
    pages: tuple[Shown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A block without a source: where it stands, on which page, and why it has none."""

    place: str
    page: Shown
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A block that nothing holds: where it stands, on which page, and the first line of it that has text."""

    place: str
    page: Shown
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """A block that is a picture: where it stands, on which page, and of which kind its first line says it is."""

    place: str
    page: Shown
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A recorded run: the example that it is of, what was typed, with which library and what else, and who shows it."""

    id: str
    example: str
    command: str
    library: str
    facts: tuple[str, ...]
    pages: tuple[Shown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A claim that holds a sentence: where it stands, on which page, and its text on one line."""

    place: str
    page: Shown
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything the verification page of one language says. `pages` and `languages` are those that quote something."""

    pin: Pin
    quotations: tuple[Quotation, ...]
    others: tuple[Other, ...]
    typed: tuple[Typed, ...] = ()
    pages: int
    languages: int
    diagrams: tuple[Diagram, ...] = ()
    claims: tuple[Claimed, ...] = ()
    runs: tuple[Ran, ...] = ()
    mentions: Mapping[str, int] = field(default_factory=dict)  # by group; empty where nobody counted
    dated: str = ""  # the day of the newest of the library's files, where the pin tells one


def verification_html(record: Record, labels: Labels, locate: Callable[[str], str]) -> str:
    """The page's tables. `locate` turns an address below the site's root into one that the page can link to."""
    files = len({quotation.span.path for quotation in record.quotations})
    summary = labels.summary.format(
        snippets=len(record.quotations), files=files, pages=record.pages, languages=record.languages
    )
    parts = [
        f"<p>{escape(summary)}</p>",
        _heading(labels.release, "snippetlock-release"),
        _pin(record.pin, record.dated, labels),
        _heading(labels.snippets.format(count=len(record.quotations)), "snippetlock-quotations"),
        _quotations(record.quotations, labels, locate),
        _heading(labels.others.format(count=len(record.others)), "snippetlock-others"),
        _others(record.others, labels, locate) if record.others else f"<p>{escape(_none(record, labels))}</p>",
    ]
    if record.typed:
        parts.append(_heading(labels.typed.format(count=len(record.typed)), "snippetlock-unheld"))
        parts.append(_typed(record.typed, labels, locate))
    if record.runs:
        parts.append(_heading(labels.runs.format(count=len(record.runs)), "snippetlock-runs"))
        parts.append(_runs(record.runs, labels, locate))
    if record.diagrams:
        parts.append(_heading(labels.diagrams.format(count=len(record.diagrams)), "snippetlock-diagrams"))
        parts.append(_diagrams(record.diagrams, labels, locate))
    if record.mentions:
        parts.append(_heading(labels.mentions.format(count=sum(record.mentions.values())), "snippetlock-mentions"))
        parts.append(_mentions(record.mentions, labels))
    if record.claims:
        parts.append(_heading(labels.claims.format(count=len(record.claims)), "snippetlock-claims"))
        parts.append(_claims(record.claims, labels, locate))
    return f'<div class="snippetlock-record">{"".join(parts)}</div>'


def _heading(text: str, name: str) -> str:
    return f'<h3 id="{name}">{escape(text)}</h3>'


def _pin(pin: Pin, dated: str, labels: Labels) -> str:
    rows = [(labels.name, escape(pin.name)), (labels.version, escape(pin.version))]
    if pin.kind == "wheel":
        rows += [
            (labels.origin, f"<code>{escape(pin.file)}</code>"),
            (labels.digest, f"<code>{escape(pin.sha256)}</code>"),
        ]
    elif pin.kind == "folder":
        rows.append((labels.folder, f"<code>{escape(pin.folder)}</code>"))
    rows.append((labels.dated, escape(dated)))
    if pin.repository:
        url = pin.repository.url
        rows.append((labels.repo, f'<a href="{escape(url)}">{escape(url.partition("://")[2] or url)}</a>'))
        commit = (
            f"<code>{escape(pin.repository.commit)}</code>" if pin.repository.commit else escape(labels.commit_unknown)
        )
        rows.append((labels.commit, commit))
    body = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{value}</td></tr>' for name, value in rows if value)
    return f"<table><tbody>{body}</tbody></table>"


def _quotations(quotations: Sequence[Quotation], labels: Labels, locate: Callable[[str], str]) -> str:
    head = (
        f"<th>{escape(labels.snippet)}</th><th>{escape(labels.source)}</th><th>{escape(labels.pages)}</th>"
        f'<th title="{escape(labels.text_digest_hint)}">{escape(labels.text_digest)}</th>'
    )
    rows = []
    for quotation in quotations:
        span = quotation.span
        lines = fragment(span.first, span.last)
        folder, _, file = span.path.rpartition("/")
        path = f"{escape(folder)}/<wbr>{escape(file)}" if folder else escape(file)
        source = (
            f'<a href="{escape(locate(quotation.view))}#{lines}"><code>{path}</code> '
            f"{escape(labels.span(span.first, span.last))}</a>"
        )
        pages = _pages(quotation.pages, labels, locate) or escape(labels.unused)
        rows.append(
            f"<tr><td><code>{escape(quotation.id)}</code></td><td>{source}</td><td>{pages}</td>"
            f'<td><code title="{escape(quotation.digest)}">{escape(quotation.digest[:_DIGITS])}</code></td></tr>'
        )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _pages(pages: Sequence[Shown], labels: Labels, locate: Callable[[str], str]) -> str:
    """Links to pages: by title in the reader's language, by the language's name in others."""
    links = []
    for page in sorted(pages, key=lambda page: page.language != labels.language):
        own = page.language == labels.language
        text = page.title if own else words(page.language).own_name
        hint = "" if own else f' title="{escape(page.title)}"'
        links.append(
            f'<a href="{escape(locate(page.address))}" hreflang="{escape(page.language)}"{hint}>{escape(text)}</a>'
        )
    return escape(labels.comma).join(links)


def _others(others: Sequence[Other], labels: Labels, locate: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr>{_place(other.place, other.page, locate)}"
        f'<td lang="{escape(other.page.language)}">{escape(other.reason)}</td></tr>'
        for other in others
    )
    head = f"<th>{escape(labels.place)}</th><th>{escape(labels.reason)}</th>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _none(record: Record, labels: Labels) -> str:
    """What is said where no block gives a reason: every one is a quotation only where nothing else may be there."""
    return labels.no_others if not record.typed else labels.no_reasons


def _typed(typed: Sequence[Typed], labels: Labels, locate: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr>{_place(one.place, one.page, locate)}<td><code>{escape(one.first)}</code></td></tr>" for one in typed
    )
    head = f"<th>{escape(labels.place)}</th><th>{escape(labels.begins)}</th>"
    said = escape(labels.typed_in)
    return f"<p>{said}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _runs(runs: Sequence[Ran], labels: Labels, locate: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(run.command)}</code><br><code>{escape(run.example)}</code></td>"
        f"<td>{escape(run.library)}</td><td>{escape(labels.comma.join(run.facts))}</td>"
        f"<td>{_pages(run.pages, labels, locate) or escape(labels.unused)}</td></tr>"
        for run in runs
    )
    names = (labels.command, labels.library, labels.where, labels.pages)
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _diagrams(diagrams: Sequence[Diagram], labels: Labels, locate: Callable[[str], str]) -> str:
    rows = "".join(
        f"<tr>{_place(diagram.place, diagram.page, locate)}<td><code>{escape(diagram.kind)}</code></td></tr>"
        for diagram in diagrams
    )
    head = f"<th>{escape(labels.place)}</th><th>{escape(labels.kind)}</th>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _mentions(mentions: Mapping[str, int], labels: Labels) -> str:
    rows = "".join(
        f"<tr><td>{escape(labels.whose[group])}</td><td>{count}</td></tr>" for group, count in mentions.items()
    )
    head = f"<th>{escape(labels.group)}</th><th>{escape(labels.count)}</th>"
    said = escape(labels.mentioned)
    return f"<p>{said}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _claims(claims: Sequence[Claimed], labels: Labels, locate: Callable[[str], str]) -> str:
    pages = len({claim.page.address for claim in claims})
    rows = "".join(
        f"<tr>{_place(claim.place, claim.page, locate)}<td><code>{escape(claim.text)}</code></td></tr>"
        for claim in claims
    )
    head = f"<th>{escape(labels.place)}</th><th>{escape(labels.claim)}</th>"
    said = escape(labels.claimed.format(count=len(claims), pages=pages))
    return f"<p>{said}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _place(place: str, page: Shown, locate: Callable[[str], str]) -> str:
    """A cell that says where on which page a block stands, and leads there."""
    address, language = escape(locate(page.address)), escape(page.language)
    return f'<td><a href="{address}" hreflang="{language}"><code>{escape(place)}</code></a></td>'
