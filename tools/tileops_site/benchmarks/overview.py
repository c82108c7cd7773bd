"""The overview of a night, and the accounting of all its rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from snippetlock.links import commit_link
from tileops_site.benchmarks.book import Book, counts
from tileops_site.benchmarks.families import PAGES
from tileops_site.benchmarks.figures import attribute as safe
from tileops_site.benchmarks.pages import block, described, heading, join, outcomes, state, title
from tileops_site.benchmarks.placing import RULES, warnings
from tileops_site.benchmarks.ratios import VERDICTS, Word
from tileops_site.benchmarks.strips import axis, strip
from tileops_site.benchmarks.tables import Words
from tileops_site.benchmarks.words import WORDS

_HASH = re.compile(r"[0-9a-f]{40}")
_FACTS = ("gpu", "driver", "cuda", "torch", "tilelang")


def overview(book: Book, language: str) -> str:
    """What stands in the place of the marker of the overview page."""
    words = WORDS[language]
    whole = f'<p class="bench-op"><a href="accounting/">{total(book, words)}</a></p>'
    return join([state(book, words), _facts(book, words), _families(book, language), whole, *_compared(book, words)])


def no_night(language: str) -> str:
    """The same where there is no night."""
    words = WORDS[language]
    command = "<code>make benchmarks SNAPSHOT=…</code>"
    said = words["no-night"] + words["then"] + words["how-night"].format(command=command)
    return f'<p class="bench-note">{said}</p>\n'


def _facts(book: Book, words: Words) -> str:
    """The night, the machine and the versions."""
    meta, tests = book.night.meta, book.night.tests
    pairs: list[tuple[str, str]] = []
    if meta is not None:
        pairs.append((words["night"], safe(meta.date)))
        pairs += [(words[key], safe(meta.facts.get(key, ""))) for key in _FACTS]
        pairs.append((words["tileops"], safe(meta.version)))
        pairs.append((words["commit"], _commit(book, meta.commit)))
        pairs.append((words["run"], safe(meta.run)))
    methods = Counter(one.timing for row in book.night.rows for one in row.measured if one.timing)
    pairs.append((words["timing"], ", ".join(safe(name.upper()) for name in methods)))
    if tests is not None:
        said = words["tests-said"].format(passed=f"{tests.passed:,}", failed=tests.failed, skipped=tests.skipped)
        pairs.append((words["tests"], said))
    unsaid = f'<span class="b-missing">{words["unsaid"]}</span>'
    rows = "".join(f"<div><dt>{name}</dt><dd>{value or unsaid}</dd></div>" for name, value in pairs)
    return block(f'<dl class="b-facts">{rows}</dl>')


def _commit(book: Book, commit: str) -> str:
    """The commit that was measured, with a link to it where it is one and the pin says where the library is kept."""
    if not _HASH.fullmatch(commit):
        return safe(commit)
    shown, repository = f"<code>{commit[:10]}</code>", book.pin.repository
    link = commit_link(repository, commit) if repository else ""
    return f'<a href="{safe(link)}">{shown}</a>' if link.startswith("https://") else shown


def _families(book: Book, language: str) -> str:
    """A strip for each family and how many rows of it have each verdict: the whole night at a glance."""
    words = WORDS[language]
    verdicts = "".join(f'<th scope="col" class="b-{word}">{words[word]}</th>' for word in VERDICTS)
    head = (
        f'<tr><th scope="col">{words["family"]}</th><th scope="col">{axis(words["spread-axis"])}</th>'
        f'{verdicts}<th scope="col">{words["rows"]}</th></tr>'
    )
    rows, whole = [], Counter[Word]()
    for page in PAGES:
        lines = [line for group in book.groups[page.slug] for line in group.lines]
        name, found = title(page, language), counts(lines)
        whole.update(found)
        height = 34 if len(lines) < 150 else 64
        drawn = strip([line.verdict for line in lines], described(name, lines, words), height=height)
        link = f'<a href="{page.slug}/">'
        cells = _cells(found, len(lines), words)
        rows.append(
            f'<tr><th scope="row">{link}{safe(name)}</a></th><td class="b-drawn">{link}{drawn}</a></td>{cells}</tr>'
        )
    sums = _cells(whole, sum(whole.values()), words)
    foot = f'<tr><th scope="row">{words["all"]}</th><td></td>{sums}</tr>'
    body = "\n".join(rows)
    return block(
        f'<table class="b-families"><thead>{head}</thead><tbody>\n{body}\n</tbody><tfoot>{foot}</tfoot></table>'
    )


def _cells(found: Mapping[Word, int], rows: int, words: Words) -> str:
    cells = [
        f'<td class="b-number b-{word}{"" if found[word] else " b-zero"}" data-label="{words[word]}">'
        f"{found[word] or '·'}</td>"
        for word in VERDICTS
    ]
    return "".join([*cells, f'<td class="b-number" data-label="{words["rows-after"]}">{rows:,}</td>'])


def _compared(book: Book, words: Words) -> Iterator[str]:
    """Every implementation of the night: what it counts as, its version, in how many rows it is."""
    packages = book.night.meta.packages if book.night.meta else {}
    rows, open_ones = [], False
    for name, number in book.implementations.items():
        known = book.settings.known(name)
        open_ones = open_ones or known.kind == "unclassified"
        version = packages.get(known.package, "")
        package = f"{safe(known.package)} {safe(version)}" if version else words["no-version"]
        rows.append(
            f'<tr><th scope="row"><code>{safe(name)}</code></th><td class="b-{known.kind}">{words[known.kind]}</td>'
            f'<td>{package}</td><td class="b-number">{number:,}</td></tr>'
        )
    keys = ("implementation", "counts-as", "version", "rows")
    heads = "".join(f'<th scope="col"{_right(key)}>{words[key]}</th>' for key in keys)
    yield heading(2, words["compared"], "compared")
    if open_ones:
        yield words["unclassified-lead"]
    body = "\n".join(rows)
    yield block(f'<table class="b-list"><thead><tr>{heads}</tr></thead><tbody>\n{body}\n</tbody></table>')


def _right(key: str) -> str:
    return ' class="b-number"' if key == "rows" else ""


def accounting(book: Book, language: str) -> str:
    """The page that has every row: how many stand where, what chose the page, and all that measured nothing."""
    words, night = WORDS[language], book.night
    failed, skipped = (tuple(one for one in night.outcomes if one.ending == how) for how in ("failed", "skipped"))
    parts = [
        heading(1, words["accounting"], "accounting"),
        words["sum-lead"],
        f'<p class="b-sum">{total(book, words)}</p>',
    ]
    parts += [heading(2, words["by-page"], "by-page"), words["placed-lead"], _by_page(book, language)]
    for key, found in (("failed-list", failed), ("skipped-list", skipped)):
        parts += [heading(2, words[key], key), outcomes(found, words) if found else words["nothing"]]
    if night.tests and night.tests.failures:
        parts += [heading(2, words["tests-list"], "tests"), outcomes(night.tests.failures, words)]
    parts += _listed("warnings", "", warnings(group.placed for group in book.every), words)
    parts += _listed("odd", words["odd-lead"], night.odd, words)
    unknown = [f"{name} ({number:,})" for name, number in night.unknown.items()]
    return join([*parts, *_listed("unknown", "", unknown, words)])


def total(book: Book, words: Words) -> str:
    """In a sentence: what became of all test cases of the night."""
    endings = Counter(one.ending for one in book.night.outcomes)
    return words["sum"].format(
        cases=f"{book.night.cases:,}", rows=f"{shown(book):,}", failed=endings["failed"], skipped=endings["skipped"]
    )


def shown(book: Book) -> int:
    """How many rows stand on the pages."""
    return sum(len(group.lines) for group in book.every)


def _listed(key: str, lead: str, lines: Sequence[str], words: Words) -> Iterator[str]:
    if lines:
        yield heading(2, words[key], key)
        yield lead
        items = "\n".join(f"<li>{safe(line)}</li>" for line in lines)
        yield block(f'<ul class="b-lines">\n{items}\n</ul>')


def _by_page(book: Book, language: str) -> str:
    words = WORDS[language]
    heads = "".join(f'<th scope="col" class="b-number">{words[f"rule-{rule}"]}</th>' for rule in RULES)
    rows = []
    for page in PAGES:
        groups = book.groups[page.slug]
        found = Counter(group.placed.chosen.rule for group in groups for _ in group.lines)
        cells = "".join(f'<td class="b-number">{found[rule] or "·"}</td>' for rule in RULES)
        link = f'<a href="../{page.slug}/">{safe(title(page, language))}</a>'
        rows.append(f'<tr><th scope="row">{link}</th>{cells}<td class="b-number">{found.total():,}</td></tr>')
    top = f'<tr><th scope="col">{words["family"]}</th>{heads}<th scope="col" class="b-number">{words["rows"]}</th></tr>'
    body = "\n".join(rows)
    return block(f'<table class="b-list"><thead>{top}</thead><tbody>\n{body}\n</tbody></table>')
