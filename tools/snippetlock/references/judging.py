"""Hold all that the prose of one page names against the library: one verdict a mention. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from keyword import iskeyword
from operator import attrgetter
from typing import NamedTuple

from snippetlock.records import replace
from snippetlock.references.bench import Bench
from snippetlock.references.blocks import Block
from snippetlock.references.calls import judge_calls
from snippetlock.references.examples import judge_blocks
from snippetlock.references.figures import judge_drawn
from snippetlock.references.groups import group_of
from snippetlock.references.keyed import dict_names, judge_beside, judge_subscripts, spoken_key
from snippetlock.references.messages import MARK, judge_message, judge_raised
from snippetlock.references.naming import judge_name
from snippetlock.references.paths import judge_link, judge_path
from snippetlock.references.speech import Link, Said, Speech
from snippetlock.references.verdicts import Verdict, placed
from snippetlock.references.wording import Form, bare_name, form_of, shaped, snake

__all__ = ["judge_page", "judge_text", "tell_page"]

_IMPORT = re.compile(r"(?:from (?P<module>[\w.]++) )?import (?P<names>.*)")
_NAMES = re.compile(r"(?<![\w.\"'])[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+(?![\w\"'(\[]|[ ]*=(?!=))")
_WORD = re.compile(r"\w+")
_DOTS = ("...", "…")
_ASIDE: Mapping[str, str] = {"key": "a key of a file"}
_OF_PAGE = frozenset(["self", "cls"])  # what they have is asked of the classes that a page speaks of
_QUOTES = ("'", '"')
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<name>[^\W\d]\w*+)(?P=quote)""")
_MODULE = re.compile(r"(?:^|[ ])-m (?P<name>[^\W\d]\w*+(?:\.[^\W\d]\w*+)++)(?![\w.])")
_GIVEN = re.compile(r"(?P<name>[^\W\d]\w*+)[ ]?=[ ]?[^=].*")


def judge_page(
    bench: Bench, speech: Speech, blocks: Sequence[Block] = (), refs: frozenset[str] = frozenset()
) -> tuple[Verdict, ...]:
    """The verdicts on a page, in order. `refs` are the names of the pinned state in links into the repository."""
    found = [placed(verdict, said.line, said.column) for verdict, said in _all(bench, speech, blocks, refs)]
    return _sorted(bench, found)


def tell_page(
    bench: Bench, speech: Speech, blocks: Sequence[Block] = (), refs: frozenset[str] = frozenset()
) -> tuple[dict[str, int], tuple[Verdict, ...]]:
    """How many verdicts there are on a page by group, and those that are findings or needed the vocabulary."""
    bench = replace(bench, brief=True)
    counted: Counter[str] = Counter()
    found = []
    for verdict, said in _all(bench, speech, blocks, refs):
        if verdict.rule or verdict.entry:
            found.append(placed(verdict, said.line, said.column))
        else:
            counted[group_of(verdict)] += 1
    told = _sorted(bench, found)
    counted.update(map(group_of, told))
    return counted, told


def _all(
    bench: Bench, speech: Speech, blocks: Sequence[Block], refs: frozenset[str]
) -> Iterator[tuple[Verdict, Said | Link | Verdict]]:
    """Every verdict, with what has its place."""
    spoken = _Spoken(bench, speech.spans)
    for said in speech.spans:
        for verdict in _judge(bench, said, spoken):
            yield verdict, said
    for link in speech.links:
        led = judge_link(bench, link, refs)
        if led is not None:
            yield led, link
    for words in speech.drawn:
        for verdict, at in judge_drawn(bench, words.text):
            line, column = words.places[at]
            yield verdict, Link(address="", line=line, column=column)
    for verdict in judge_blocks(bench, blocks):
        yield verdict, verdict
    for block in blocks:
        for raised, said in _messages(block):
            yield judge_raised(bench, raised, said)


def _messages(block: Block) -> Iterator[tuple[Said, Said]]:
    """Each message in a block that says it is one, with its exception: lines up to a blank one are one message."""
    if block.message is None:
        return
    column = len(block.prefix) + 1
    raised = Said(text=block.message, line=block.first, column=column, paragraph=0, section=0)
    lines: list[str] = []
    for number, line in enumerate((*block.content, ""), start=block.first + 1):
        if line.strip():
            lines.append(line)
        elif lines:
            text = " ".join(lines)
            yield raised, Said(text=text, line=number - len(lines), column=column, paragraph=0, section=0)
            lines = []


def _sorted(bench: Bench, found: Iterable[Verdict]) -> tuple[Verdict, ...]:
    excused = [_excused(bench, each) if each.rule else each for each in found]
    excused.sort(key=attrgetter("line", "column"))
    return tuple(excused)


def _excused(bench: Bench, verdict: Verdict) -> Verdict:
    """What the vocabulary has word for word is known, whatever it is: an old call, a path, a key, a message."""
    word = bench.words.get(verdict.text)
    if word is None or (word.pages and bench.path not in word.pages):
        return verdict
    why = f"the vocabulary: {word.reason}"
    return Verdict(text=verdict.text, state="known", why=why, line=verdict.line, column=verdict.column, entry=word.name)


def judge_text(bench: Bench, text: str) -> tuple[Verdict, ...]:
    """The verdicts on a piece of inline code that stands nowhere."""
    said = Said(text=text, line=0, column=0, paragraph=0, section=0)
    return tuple(_judge(bench, said, _Spoken(bench, (said,))))


class _Spoken:
    """What a page says, by where it stands: sorted out when a span is judged by what is around it, as few are."""

    def __init__(self, bench: Bench, spans: Sequence[Said]) -> None:
        self.bench = bench
        self.spans = spans
        self.own = bench.own.defined | bench.own.spoken
        self.settled: dict[str, _Settled] = bench.index.memo.setdefault(("prose: settled", bench.root, bench.brief), {})
        self._dicts: dict[tuple[str, int], Sequence[Said]] = {}

    @cached_property
    def _within(self) -> Mapping[tuple[str, int], Sequence[Said]]:
        found: dict[tuple[str, int], list[Said]] = {}
        for said in self.spans:
            found.setdefault(("paragraph", said.paragraph), []).append(said)
            found.setdefault(("section", said.section), []).append(said)
            if said.line == said.section:
                found.setdefault(("heading", said.section), []).append(said)
        return found

    def beside(self, said: Said) -> Sequence[Said]:
        """The spans of a span's paragraph, itself among them."""
        return self._within["paragraph", said.paragraph]

    def dicts(self, what: str, number: int) -> Sequence[Said]:
        """The spans of a paragraph, a section or its heading that name a dict."""
        if (what, number) not in self._dicts:
            self._dicts[what, number] = dict_names(self.bench, self._within.get((what, number), ()))
        return self._dicts[what, number]


def _judge(bench: Bench, said: Said, spoken: _Spoken) -> Iterable[Verdict]:
    if said.marks and MARK in said.marks:
        return (judge_message(bench, said, spoken.beside(said)),)
    known = spoken.settled.get(said.text)
    if known is None or not spoken.own.isdisjoint(known.words):
        form = form_of(said.text)
        known = _Settled(form, tuple(_of_form(bench, said, form)), frozenset(_WORD.findall(said.text)))
        if _same_everywhere(known, said.text, spoken):
            spoken.settled[said.text] = known
    if known.form == "name":
        return (_in_place(bench, said, spoken, known.verdicts[0]),)
    quoted = _QUOTED.fullmatch(said.text) if said.text.startswith(_QUOTES) else None
    if quoted:
        key = said._replace(text=quoted["name"])
        verdict = _in_place(bench, key, spoken, judge_name(bench, key.text))
        return (replace(verdict, text=said.text),) if verdict.rule == "SL303" else known.verdicts
    return known.verdicts


class _Settled(NamedTuple):
    """What a piece of code comes to wherever it stands: on every page whose examples have none of its words."""

    form: Form
    verdicts: tuple[Verdict, ...]
    words: frozenset[str]


def _same_everywhere(found: _Settled, text: str, spoken: _Spoken) -> bool:
    """Whether nothing of the page went into it. What is a finding may be excused on one page, and not on another."""
    if not text.isascii() or "[" in text or not _OF_PAGE.isdisjoint(found.words):
        return False
    return spoken.own.isdisjoint(found.words) and not any(each.rule or each.entry for each in found.verdicts)


def _of_form(bench: Bench, said: Said, form: Form) -> Iterator[Verdict]:
    """The verdicts on a span as one of its form."""
    if form == "name":
        yield judge_name(bench, bare_name(said.text))
    elif form == "path":
        yield judge_path(bench, said.text)
    elif form == "import":
        yield from _imported(bench, said.text)
    elif form in ("call", "code"):
        yield from _code(bench, said)
    else:
        yield _run(bench, said.text) or Verdict(
            text=said.text, state="aside", why=_ASIDE.get(form, "no code of Python")
        )


def _run(bench: Bench, text: str) -> Verdict | None:
    """The verdict on the module that a command runs, where it is one of the library's: `python -m tool.cli`."""
    module = _MODULE.search(text) if " -m " in text else None
    if module is None or module["name"].partition(".")[0] not in bench.packages:
        return None
    return judge_name(bench, module["name"])


def _in_place(bench: Bench, said: Said, spoken: _Spoken, verdict: Verdict) -> Verdict:
    """The verdict on a name, where it stands: it may be the beginning of one, or a key of what is named near it."""
    if not verdict.rule and verdict.state not in ("aside", "resolved"):
        return verdict
    if verdict.state == "resolved" and not spoken_key(said):
        return verdict
    name = bare_name(said.text)
    if verdict.state == "resolved":  # it is in the library, and need not be a key of what was named right before it
        beside = spoken.beside(said)
        at = next((at for at, each in enumerate(beside) if each.line == said.line and each.column == said.column), 0)
        return judge_beside(bench, said, dict_names(bench, beside[max(at - 1, 0) : at])) or verdict
    if verdict.rule and said.after.startswith(_DOTS):
        return Verdict(text=name, state="aside", why="the beginning of a name")
    word = (verdict.state == "aside" and verdict.why.startswith("a word")) or (bool(verdict.rule) and not shaped(name))
    loose = word and not verdict.certain and spoken_key(said)
    if (verdict.rule and not verdict.certain and snake(name)) or loose:
        around, heading = spoken.dicts("paragraph", said.paragraph), spoken.dicts("heading", said.section)
        called = [*around, *heading] if spoken_key(said) else heading
        further = () if loose else [*around, *spoken.dicts("section", said.section)]
        return judge_beside(bench, said, called, further) or verdict
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
    names = [each[0] for each in _NAMES.finditer(said.text, given.end("name") if given else 0)]
    for name in [given["name"], *names] if given else names:
        if iskeyword(name):
            continue
        first = given is not None and name == given["name"]
        verdict = judge_name(bench, name, sure=first, named=first)
        if verdict.state != "aside":
            seen = True
            yield verdict
    if not seen:
        yield Verdict(text=said.text, state="aside", why="code in which nothing is named that could be the library's")
