"""Hold all that the prose of one page names against the library: one verdict a mention. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword

from snippetlock.records import dataclass, replace
from snippetlock.references.bench import Bench
from snippetlock.references.blocks import Block
from snippetlock.references.calls import judge_calls
from snippetlock.references.examples import judge_blocks
from snippetlock.references.keyed import dict_names, judge_beside, judge_subscripts, spoken_key
from snippetlock.references.messages import MARK, judge_message
from snippetlock.references.naming import judge_name
from snippetlock.references.paths import judge_link, judge_path
from snippetlock.references.speech import Said, Speech
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import bare_name, form_of, snake

__all__ = ["judge_page", "judge_text"]

_IMPORT = re.compile(r"(?:from (?P<module>[\w.]++) )?import (?P<names>.*)")
_NAMES = re.compile(r"(?<![\w.\"'])[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+(?![\w\"'(\[]|[ ]*=(?!=))")
_DOTS = ("...", "…")
_GIVEN = re.compile(r"(?P<name>[^\W\d]\w*+)[ ]?=[ ]?[^=].*")


def judge_page(
    bench: Bench, speech: Speech, blocks: Sequence[Block] = (), refs: frozenset[str] = frozenset()
) -> tuple[Verdict, ...]:
    """The verdicts on a page, in order. `refs` are the names of the pinned state in links into the repository."""
    paragraphs: dict[int, list[Said]] = {}
    headings: dict[int, list[Said]] = {}
    sections: dict[int, list[Said]] = {}
    for said in speech.spans:
        paragraphs.setdefault(said.paragraph, []).append(said)
        sections.setdefault(said.section, []).append(said)
        if said.line == said.section:
            headings.setdefault(said.section, []).append(said)
    found: list[Verdict] = []
    dicts = {number: dict_names(bench, spans) for number, spans in paragraphs.items()}
    above = {line: dict_names(bench, spans) for line, spans in headings.items()}
    within = {line: dict_names(bench, spans) for line, spans in sections.items()}
    for said in speech.spans:
        around = _Around(
            beside=paragraphs[said.paragraph],
            dicts=dicts[said.paragraph],
            heading=above.get(said.section, ()),
            section=within[said.section],
        )
        for verdict in _judge(bench, said, around):
            found.append(replace(verdict, line=said.line, column=said.column))
    for link in speech.links:
        led = judge_link(bench, link, refs)
        if led is not None:
            found.append(replace(led, line=link.line, column=link.column))
    found += judge_blocks(bench, blocks)
    return tuple(sorted((_excused(bench, each) for each in found), key=lambda each: (each.line, each.column)))


def _excused(bench: Bench, verdict: Verdict) -> Verdict:
    """What the vocabulary has word for word is known, whatever it is: an old call, a path, a key, a message."""
    word = bench.words.get(verdict.text) if verdict.rule else None
    if word is None or (word.pages and bench.path not in word.pages):
        return verdict
    why = f"the vocabulary: {word.reason}"
    return Verdict(text=verdict.text, state="known", why=why, line=verdict.line, column=verdict.column, entry=word.name)


def judge_text(bench: Bench, text: str) -> tuple[Verdict, ...]:
    """The verdicts on a piece of inline code that stands nowhere."""
    said = Said(text=text, line=0, column=0, paragraph=0, section=0)
    return tuple(_judge(bench, said, _Around(beside=(said,))))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """The spans of a span's paragraph; those that name a dict: in it, in its heading, in its section."""

    beside: Sequence[Said]
    dicts: Sequence[Said] = ()
    heading: Sequence[Said] = ()
    section: Sequence[Said] = ()


def _judge(bench: Bench, said: Said, around: _Around) -> Iterator[Verdict]:
    if MARK in said.marks:
        yield judge_message(bench, said, around.beside)
        return
    form = form_of(said.text)
    if form == "name":
        yield _name(bench, said, around)
    elif form == "path":
        yield judge_path(bench, said.text)
    elif form == "import":
        yield from _imported(bench, said.text)
    elif form in ("call", "code"):
        yield from _code(bench, said)
    else:
        yield Verdict(text=said.text, state="aside", why="a key of a file" if form == "key" else "no code of Python")


def _name(bench: Bench, said: Said, around: _Around) -> Verdict:
    name = bare_name(said.text)
    verdict = judge_name(bench, name)
    if verdict.rule and said.after.startswith(_DOTS):
        return Verdict(text=name, state="aside", why="the beginning of a name")
    loose = verdict.state == "aside" and verdict.why.startswith("a word") and spoken_key(said)
    if (snake(name) and verdict.rule and not verdict.certain) or loose:
        called = [*around.dicts, *around.heading] if spoken_key(said) else around.heading
        return judge_beside(bench, said, called, () if loose else [*around.dicts, *around.section]) or verdict
    return verdict


def _imported(bench: Bench, text: str) -> Iterator[Verdict]:
    parts = _IMPORT.fullmatch(text)
    if parts is None:
        return
    module = f"{parts['module']}." if parts["module"] else ""
    for name in parts["names"].split(","):
        word = name.split()[0] if name.split() else ""
        if word and word != "*":
            yield judge_name(bench, f"{module}{word}", sure=False)


def _code(bench: Bench, said: Said) -> Iterator[Verdict]:
    """Calls, subscripts and names within other code."""
    seen = False
    for verdict in (*judge_calls(bench, said), *judge_subscripts(bench, said)):
        seen = True
        yield verdict
    given = _GIVEN.fullmatch(said.text)
    names = [given["name"]] if given else [each[0] for each in _NAMES.finditer(said.text)]
    for name in names:
        if iskeyword(name):
            continue
        verdict = judge_name(bench, name, sure=given is not None)
        if verdict.state != "aside":
            seen = True
            yield verdict
    if not seen:
        yield Verdict(text=said.text, state="aside", why="code in which nothing is named that could be the library's")
