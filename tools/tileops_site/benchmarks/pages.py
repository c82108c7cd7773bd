"""The page of a family: what it comes to, its ops at a glance, then one table an op. Markdown with HTML in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tileops_site.benchmarks import figures
from tileops_site.benchmarks.book import Book, Group, Line, counts
from tileops_site.benchmarks.families import Family
from tileops_site.benchmarks.figures import attribute as safe
from tileops_site.benchmarks.model import Outcome
from tileops_site.benchmarks.ratios import VERDICTS
from tileops_site.benchmarks.strips import axis, strip
from tileops_site.benchmarks.tables import Words, table
from tileops_site.benchmarks.words import WORDS

_PLAIN = re.compile(r"[^A-Za-z0-9]+")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=_)(?=\w)")


def family_page(book: Book, page: Family, language: str) -> str:
    """The whole page, from its title on."""
    words = WORDS[language]
    groups = book.groups[page.slug]
    anchors = dict(zip(groups, _anchors(groups), strict=True))
    parts = [heading(1, title(page, language), page.slug), state(book, words), _lead(book, groups, words)]
    if groups:
        parts.append(_glance(groups, anchors, words))
    for group in groups:
        parts += _group(book, group, anchors[group], words)
    parts += _unmeasured(book, page, words)
    listed = book.listed.get(page.slug, ())
    if listed:
        parts += [heading(2, words["listed"], "listed"), outcomes(listed, words)]
    return join(parts)


def title(page: Family, language: str) -> str:
    """What a page is called."""
    return page.chinese if language == "zh" else page.english


def join(parts: Iterable[str]) -> str:
    """Blocks of Markdown, one after another."""
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(level: int, text: str, anchor: str) -> str:
    """A heading of plain text, whatever is in it."""
    return f"{'#' * level} {literal(text)} {{ #{anchor} }}"


def literal(text: str) -> str:
    """A text that Markdown and HTML leave as it is: what could mean something to them is written as a number."""
    shown = " ".join(text.split())
    plain = (c.isalnum() or c in " ,.:，。：、" or (c == "-" and at > 0) for at, c in enumerate(shown))
    return "".join(c if kept else f"&#{ord(c)};" for c, kept in zip(shown, plain, strict=True))


def breaking(name: str) -> str:
    """A long name that may go on in the next line where a word of it begins."""
    return _WORD.sub("<wbr>", safe(name))


def block(html: str) -> str:
    """HTML as a block of its own, which no search index needs."""
    return f'<div class="bench" data-search-exclude>\n{html}\n</div>'


def state(book: Book, words: Words) -> str:
    """In a sentence: that the night is of another state of the library than these pages, or does not say."""
    meta = book.night.meta
    pinned = safe(book.pin.version or book.pin.commit[:10])
    if meta is None:
        said = words["no-meta"] + words["then"] + words["unknown-pin"].format(pinned=pinned)
    elif not meta.version and not meta.commit:
        said = words["unknown-pin"].format(pinned=pinned)
    elif same_state(book):
        return ""
    else:
        commit = f"<code>{safe(meta.commit[:10])}</code>" if meta.commit else ""
        version = " ".join(part for part in (safe(meta.version), commit) if part)
        said = words["other-pin"].format(measured=version, pinned=pinned)
    return f'<p class="bench-note">{said}</p>'


def same_state(book: Book) -> bool:
    """Whether the night measured the very state that is pinned."""
    meta, pin = book.night.meta, book.pin
    if meta is None:
        return False
    commit = pin.commit or (pin.repository.commit if pin.repository else "") or ""
    if commit and meta.commit:
        return commit == meta.commit
    return bool(pin.version) and meta.version == pin.version


def tally(lines: Sequence[Line], words: Words) -> str:
    """`3 behind, 2 level, 9 ahead, 1 unrated`."""
    found = counts(lines)
    return words["and"].join(words[f"count-{word}"].format(count=found[word]) for word in VERDICTS if found[word])


def described(name: str, lines: Sequence[Line], words: Words) -> str:
    """What a strip shows, for who does not see it."""
    found = [line.verdict.ratio for line in lines if line.verdict.ratio is not None]
    if not found:
        return words["strip-none"].format(name=name)
    least, most = figures.ratio(min(found)), figures.ratio(max(found))
    return words["strip"].format(name=name, count=len(found), least=least, most=most, counts=tally(lines, words))


def date(book: Book, words: Words) -> str:
    """The night's date as text of a page."""
    return literal(book.night.meta.date) if book.night.meta and book.night.meta.date else words["undated"]


def _lead(book: Book, groups: Sequence[Group], words: Words) -> str:
    if not groups:
        return words["page-none"].format(date=date(book, words))
    lines = [line for group in groups for line in group.lines]
    ops = len({group.name for group in groups if group.name})
    gpu = literal(book.night.meta.facts.get("gpu", "")) if book.night.meta else ""
    return words["page-lead"].format(
        date=date(book, words),
        gpu=f"{words['and']}{gpu}" if gpu else "",
        ops=words["one-op" if ops == 1 else "many-ops"].format(count=ops),
        rows=words["one-row" if len(lines) == 1 else "many-rows"].format(count=f"{len(lines):,}"),
        counts=tally(lines, words),
    )


def _glance(groups: Sequence[Group], anchors: dict[Group, str], words: Words) -> str:
    """The ops with a strip each: where something is behind is seen before any table is read."""
    items = []
    for group in groups:
        name = group.name or words["no-op"]
        drawn = strip([line.verdict for line in group.lines], described(name, group.lines, words), height=20)
        link = f'<a href="#{anchors[group]}"><span>{breaking(name)}</span>{drawn}</a>'
        items.append(f'<li>{link}<span class="b-counts">{_three(group.lines, words)}</span></li>')
    head = f'<li class="b-head"><span></span>{axis(words["spread-axis"])}</li>'
    return block(f'<ul class="b-strips">{head}\n' + "\n".join(items) + "\n</ul>")


def _three(lines: Sequence[Line], words: Words) -> str:
    """Counts of the verdicts that there are, in their colours."""
    found = counts(lines)
    return " ".join(
        f'<span class="b-count b-{word}">{words[f"count-{word}"].format(count=number)}</span>'
        for word, number in found.items()
        if number
    )


def _group(book: Book, group: Group, anchor: str, words: Words) -> Iterator[str]:
    yield heading(2, group.name or words["no-op"], anchor)
    notes = [tally(group.lines, words)]
    version = book.pin.version or book.pin.commit[:10]
    if not group.name:
        notes.insert(0, words["no-op-lead"])
    elif group.op is None:
        notes.append(words["unknown-op"].format(version=version))
    elif group.placed.chosen.renamed:
        notes.append(words["renamed"].format(version=version, name=f"<code>{safe(group.op.name)}</code>"))
    stop = "。" if words is WORDS["zh"] else ". "
    said = stop.join(note.rstrip(".。") for note in notes) + stop.strip()
    yield f'<p class="bench-op">{said}</p>'
    yield block(table(group, book.settings, words))


def _unmeasured(book: Book, page: Family, words: Words) -> Iterator[str]:
    ops = book.unmeasured(page)
    if ops:
        yield heading(2, words["unmeasured"], "unmeasured")
        names = " ".join(f"<code>{safe(op.name)}</code>" for op in ops)
        yield words["unmeasured-lead"].format(count=len(ops))
        yield f'<p class="bench-names">{names}</p>'


def outcomes(found: Sequence[Outcome], words: Words) -> str:
    """Tests that measured nothing, each with the reason it gave."""
    rows = "\n".join(
        f"<tr><td>{words['skipped-list' if one.ending == 'skipped' else 'failed-list']}</td>"
        f'<th scope="row" title="{safe(one.file)}"><code>{safe(one.test)}</code>'
        f"<small>{safe(one.label)}</small></th>"
        f"<td>{safe(one.reason) or words['no-reason']}</td></tr>"
        for one in found
    )
    return block(f'<table class="b-list"><tbody>\n{rows}\n</tbody></table>')


def _anchors(groups: Sequence[Group]) -> list[str]:
    """An anchor for each op: letters and digits of its name, and a number where that is not enough."""
    taken, numbers, found = {"unmeasured", "listed"}, Counter[str](), []
    for group in groups:
        plain = anchor = _PLAIN.sub("-", group.name).strip("-").lower() or "op"
        while anchor in taken:
            numbers[plain] += 1
            anchor = f"{plain}-{numbers[plain] + 1}"
        taken.add(anchor)
        found.append(anchor)
    return found
