"""Hold the words of a twin against its page's: what is byte for byte the same, and a sentence, was not translated.

Code, names and numbers are the same in every language, and so may be a table of them, or the name of a product. No
dictionary is asked, and no language is assumed: a sentence is told by its length and, where a script has them, by its
small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from snippetlock.model import Finding
from snippetlock.references.lines import spans
from snippetlock.references.structure import TOP, Section
from snippetlock.report.text import quantity
from snippetlock.workflow.figures import Figure, figures_of
from snippetlock.workflow.project import Project
from snippetlock.workflow.sheets import Sheet, twin_path

__all__ = ["copied_findings", "drawn_findings", "sentence"]

_MOST = 3  # paragraphs that a message shows the beginning of
_BEGINNING = 80
_ENOUGH = 5  # words of a clause without an end
_ENDED = 4  # words of one with an end
_SMALL = 3  # of them not capitalised: those of a name mostly are
_RUN, _RUN_ENDED = 9, 5  # characters, in scripts that put no blanks between words

# What is the same in any language, beside code spans: tags, where links lead, attribute lists, formulas.
_SAME = re.compile(r"<[^<>]*>|\]\([^()]*\)|\{[^{}]*\}|\$[^$]*\$")
_SILENT = re.compile(r"<(?=(script|style)\b)", re.I)
_ASCII = re.compile(r"[!-~]+")
_CODE = re.compile(r"[_=@\\]|::|\.\w|//")  # what a word has that is a name of code, a file or an address
_CLAUSE = re.compile(r"[,;:()|/\[\]、，；：（）—–•·\n]")
_END = re.compile(r"(?<=[.!?。！？])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Han, kana and the scripts of South-East Asia; Korean has blanks.
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUNS = re.compile(f"[{_SPACELESS}]+")


def copied_findings(first: Sheet, second: Sheet) -> Iterator[Finding]:
    """A finding for each section of a twin that has sentences of its page's as they are.

    Nothing where the two are one language (`en`, `en-GB`).
    """
    if _one_language(first, second):
        return
    sections = {section.anchor: section for section in reversed(first.shape.sections)}
    for section in second.shape.sections:
        original = sections.get(section.anchor)
        said = frozenset(original.prose) if original else frozenset()
        same = [unit for unit in section.prose if unit in said and sentence(unit)]
        if original and same:
            yield _copied(first, second, original, section, same)


def drawn_findings(project: Project, first: Sheet, second: Sheet) -> Iterator[Finding]:
    """A finding for each drawing in a file that a twin shows, with sentences of those that its page shows."""
    if _one_language(first, second):
        return
    shown = figures_of(project, second.page)
    paths, languages = {figure.path for figure in shown}, project.config.languages
    ours: frozenset[str] | None = None
    for figure in shown:
        own = twin_path(figure.path, second.page.language, languages)
        if own != figure.path and own in paths:
            continue  # that is shown in its place
        ours = _words(figures_of(project, first.page)) if ours is None else ours
        same = sorted(words for words in _words([figure]) if words in ours and sentence(words))
        if same:
            yield Finding(
                rule="SL410",
                place=second.page.place(figure.line),
                message=f"{figure.path}, shown here, has words that {first.page.path} shows: they were not translated",
                evidence=_beginnings(same),
                mend="translate them there"
                if own == figure.path
                else f"draw it with words of this language: {own}, and show that here",
            )


def _words(figures: Iterable[Figure]) -> frozenset[str]:
    """What drawings say that is not marked as code."""
    from snippetlock.references.speech import drawing

    return frozenset(words.text for figure in figures for words in drawing(figure.text, 0).drawn)


def _one_language(first: Sheet, second: Sheet) -> bool:
    """Whether two pages are in one language: `en`, `en-GB`."""
    ours, theirs = (re.split("[-_]", sheet.page.language)[0] for sheet in (first, second))
    return ours == theirs


def _beginnings(same: list[str]) -> tuple[str, ...]:
    """The first few of the texts, cut off where they are long, and how many more there are."""
    begun = [unit if len(unit) <= _BEGINNING else f"{unit[:_BEGINNING].rstrip()} …" for unit in same[:_MOST]]
    more = len(same) - _MOST
    return (*begun, *((f"and {more} more",) if more > 0 else ()))


def _copied(first: Sheet, second: Sheet, original: Section, section: Section, same: list[str]) -> Finding:
    where = f"{first.page.path}:{original.first}-{original.last}"
    what = "what stands above the first heading" if section.anchor == TOP else repr(section.title)
    if len(same) == len(section.prose):
        message = f"{what} is word for word {where}: it was not translated"
    else:
        has, are = quantity(len(same), "paragraphs"), "is" if len(same) == 1 else "are"
        message = f"{has} of {what} {are} word for word in {where}: not translated"
    return Finding(
        rule="SL410",
        place=second.page.place(section.first),
        message=message,
        evidence=_beginnings(same),
        mend="translate it; of a paragraph that is to stay as it is say so below it: "
        f"`{{ lang={first.page.language} }}`",
    )


def sentence(text: str) -> bool:
    """Whether a paragraph, or a row of a table, holds a sentence: words that another language would say otherwise."""
    plain = _SAME.sub(" ", _spoken(_without(text, spans(text))))
    plain = _ASCII.sub(lambda found: " " if _CODE.search(found[0]) else found[0], plain)
    for part in _END.split(plain):
        ended = part.rstrip().endswith((".", "!", "?", "。", "！", "？"))
        for clause in _CLAUSE.split(part):
            words = [word for word in _WORD.findall(_RUNS.sub(" ", clause)) if len(word) > 1]
            small = sum(word[0] == word[0].lower() for word in words)
            if len(words) >= (_ENDED if ended else _ENOUGH) and small >= _SMALL:
                return True
            if any(len(run) >= (_RUN_ENDED if ended else _RUN) for run in _RUNS.findall(clause)):
                return True
    return False


def _without(text: str, taken: Iterable[tuple[int, int]]) -> str:
    """A text with a blank in the place of its code spans."""
    parts, at = [], 0
    for first, end in taken:
        parts += [text[at:first], " "]
        at = end
    return "".join([*parts, text[at:]])


def _spoken(text: str) -> str:
    """A text without scripts and styles."""
    parts, at, low = [], 0, text.lower()
    for found in _SILENT.finditer(text):
        end = low.find(f"</{found[1].lower()}", found.end())
        if end < 0:
            break
        if found.start() >= at:
            parts.append(text[at : found.start()])
            at = end
    return "".join([*parts, text[at:]])
