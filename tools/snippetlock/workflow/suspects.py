"""Which mentions of a page can be stale, and what to ask the history of each. Pure.

What the source proves is a suspect by itself; of the rest only what the library once had can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from snippetlock.index import Call, Definition, Index, calls, follow, lineage, lookup, occurs, rows, signature
from snippetlock.records import dataclass
from snippetlock.references.bench import Bench, bench_of
from snippetlock.references.calls import judge_calls
from snippetlock.references.keyed import judge_subscripts
from snippetlock.references.own import Own
from snippetlock.references.speech import Said
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import humped, shaped
from snippetlock.workflow.pages import Page
from snippetlock.workflow.since import Question

__all__ = ["Suspect", "named_question", "speaks_of_past", "suspect"]

_SELF = ("self", "cls")
_CHRONICLE = re.compile(
    r"(?:change|release|history|news|migrat|upgrad|what.?s.?new|deprecat|changes|relnotes|announc|roadmap|blog|posts?|versions?)",
    re.I,
)
_PAST = re.compile(
    r"\b(?:removed|removal|deprecat\w+|renamed|replaced|no longer|formerly|previous(?:ly)?|used to|earlier|legacy"
    r"|dropped|instead of|superseded|obsolete|old(?:er)?|prior to|(?:before|until|up to) v?\d|moved to"
    r"|(?:was|were|been) (?:called|changed|named)|migrat\w+|does(?: not|n't) exist|no [^\n]{0,160}?\bexists?)\b"
    r"|移除|删除|废弃|弃用|改名|更名|以前|旧|曾|不再|原来|迁移",
    re.I,
)
_FROM = re.compile(r"`++[^`]*+`++(?: \w+)? (?:from|of) (?:the )?`([\w.-]+)`")
_THEIRS = re.compile(
    r"`++[^`]*+`++[^.;`]{0,40}? (?:by|from|of|in|with) (?:the |a )?\[?`?([\w.-]+)`?\]? "
    r"(?:package|library|project|extension|plugin)\b"
)
_LINES = 8  # around a mention that are read for what is said of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A mention that can be stale. `question` is what the history is asked, None where it can tell nothing.

    `proven` says that it is stale whatever the history says.
    """

    page: Page
    verdict: Verdict
    question: Question | None
    proven: bool


def suspect(bench: Bench, page: Page, verdict: Verdict, said: Said | None) -> Suspect | None:
    """A verdict as a suspect, None for one that is none. `said` is the code span that it is of, None in a block."""
    loose = False
    if _of_another(bench, page, verdict):
        return None
    question: Question | None
    if verdict.rule == "SL301":
        question = named_question(bench, verdict.text)
    elif verdict.rule == "SL302":
        question = _call(bench, verdict.text, said)
        loose = _starred(bench, said, verdict.text)
    elif verdict.rule == "SL303":
        question = _key(bench, verdict)
    elif verdict.rule == "SL304":
        question = _path(verdict.text)
    elif verdict.rule:
        question = None
    elif verdict.state == "aside" and verdict.why.startswith("of ") and shaped(verdict.text.rpartition(".")[2]):
        question = named_question(bench, verdict.text)
    else:
        return None
    proven = bool(verdict.rule) and verdict.certain and _proves(verdict) and not loose
    return Suspect(page=page, verdict=verdict, question=question, proven=proven) if proven or question else None


def _of_another(bench: Bench, page: Page, verdict: Verdict) -> bool:
    """Whether the prose says that a name is another package's: `name` from `package`."""
    if verdict.text.partition(".")[0] in bench.packages:
        return False
    lines = page.text.split("\n")[verdict.line - 1 : verdict.line + 1]
    text, at = (
        " ".join(line.strip() if number else line for number, line in enumerate(lines)),
        max(verdict.column - 1, 0),
    )
    found = _FROM.match(text, at) or _THEIRS.match(text, at)
    return found is not None and found[1] not in bench.packages and not lookup(bench.index, found[1])


def _proves(verdict: Verdict) -> bool:
    """Whether a finding is one to somebody who asked for none: a variable may be called as nearly anything is."""
    bare = verdict.rule == "SL301" and not verdict.text.count(".")
    return not bare or humped(verdict.text)


def speaks_of_past(page: Page, line: int) -> bool:
    """Whether the page, or what is said around a line, is about what was: then an old name is right there."""
    if _CHRONICLE.search(page.path):
        return True
    lines = page.text.split("\n")
    at = min(line, len(lines)) - 1
    block = next((b for b in page.scan.blocks if b.first <= line <= b.last), None)
    first, last = (block.first - 2, block.first - 2) if block else (at, at)
    while first > 0 and at - first < _LINES * (4 if block else 1) and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and last - at < _LINES and lines[last + 1].strip():
        last += 1
    around = lines[max(first, 0) : last + 1] + ([lines[at]] if block else [])
    heads = _headings(lines, at)
    return bool(_PAST.search("\n".join(around)) or any(_PAST.search(h) or _CHRONICLE.search(h) for h in heads))


def _headings(lines: list[str], at: int) -> list[str]:
    found: list[str] = []
    least = 7
    for line in reversed(lines[: at + 1]):
        marks = len(line) - len(line.lstrip("#"))
        if 0 < marks < least and line[marks : marks + 1] == " ":
            least = marks
            found.append(line)
    return found


def named_question(bench: Bench, name: str) -> Question:
    """Since when nothing is called so. Behind `self`, or what may be a variable, any class may have had it."""
    plain = name.replace(":", ".").strip(".")
    first, *rest = plain.split(".")
    if rest and first not in bench.packages and not _known_as(bench, first):
        plain, first, rest = f"self.{rest[0]}", "self", rest[:1]
    words = {part for part in (first, *rest) if part not in _SELF and part not in bench.packages}
    variable = len(rest) == 1 and first not in bench.packages and first == first.lower()
    meant = (plain, f"self.{rest[0]}") if variable else (plain,)

    def holds(index: Index) -> bool:
        taken = not rest and shaped(plain) and "parameter" in occurs(index, plain)
        return taken or any(_proper(index, each) for one in meant for each in lookup(index, one))

    last = rest[-1] if rest else first
    folders = frozenset(word for word in words if word != last and word == word.lower())
    return Question(
        text=f"name {plain}", words=frozenset(words or {plain}) - folders, holds=holds, folders=folders, name=plain
    )


def _known_as(bench: Bench, first: str) -> bool:
    return first[:1].isupper() or any(each.kind in ("class", "module") for each in lookup(bench.index, first))


def _proper(index: Index, definition: Definition) -> bool:
    """Whether a definition is one that prose can mean, and the library's own.

    What a function hides is none; nor is what only stands in for another package's of the same name.
    """
    if definition.local:
        return False
    same = [each for each in index.named(definition.name) if each.path == definition.path]
    bases = [base for each in (*same, definition) for base in each.bases]
    if re.search(rf"\w\.{re.escape(definition.name)}\b", definition.value or ""):
        return False
    if any(base.partition("[")[0].rpartition(".")[2] == definition.name for base in bases):
        return False
    file = index.file(definition.number[0]) if definition.number[0] >= 0 else None
    rows_ = file.sheet["imports"] if file is not None else ()
    return not any(
        row[rows.ATTRIBUTE] == definition.name
        and row[rows.SOURCE]
        and not row[rows.LEVEL]
        and row[rows.SOURCE].partition(".")[0] not in index.modules
        for row in rows_
    )


def _bench(index: Index) -> Bench:
    if "elsewhere: bench" not in index.memo:
        index.memo["elsewhere: bench"] = bench_of(index, path="", spans=(), selectors={}, own=Own(), words={})
    bench: Bench = index.memo["elsewhere: bench"]
    return bench


def _call(bench: Bench, text: str, said: Said | None) -> Question | None:
    found = calls(text)
    if not found or not found[0].name:
        return None
    name = found[0].name
    meant = [follow(bench.index, each) for each in lookup(bench.index, name)]
    unknown = _unknown_keywords(bench.index, found[0], meant)
    words, methods = (unknown, frozenset[str]()) if unknown else _bearers(bench, name, meant)
    whole = said or Said(text=text, line=0, column=0, paragraph=0, section=0)

    def holds(index: Index) -> bool:
        verdicts = judge_calls(_bench(index), whole, named=said is not None)
        return any(each.text == text and each.state == "resolved" and " takes (" in each.why for each in verdicts)

    return Question(
        text=f"{'prose' if said else 'example'} {whole.text}: {text}",
        words=words,
        holds=holds,
        methods=methods,
        name=name,
    )


def _bearers(bench: Bench, name: str, meant: Sequence[Definition]) -> tuple[frozenset[str], frozenset[str]]:
    """In which definitions a signature can have changed: a function's own, or methods of a class and those above it."""
    owner, _, last = name.rpartition(".")
    made = [each for each in meant if each.kind == "class"]
    held = [each for each in map(_follower(bench.index), lookup(bench.index, owner)) if each.kind == "class"]
    if not made and (not held or owner in ("self", "cls")):
        return frozenset([last]), frozenset()
    above = {one.name for each in made or held for one in lineage(bench.index, each).order}
    return frozenset(above | {(owner if held and not made else last).rpartition(".")[2]}), (
        frozenset(["__init__", "__new__"]) if made else frozenset([last])
    )


def _follower(index: Index) -> Callable[[Definition], Definition]:
    return lambda definition: follow(index, definition)


def _unknown_keywords(index: Index, call: Call, meant: Sequence[Definition]) -> frozenset[str]:
    """The keywords of a call that are no parameter today: only a commit that took one away can have broken it."""
    taken = {p.name for each in meant for p in signature(index, each).parameters or ()}
    return frozenset(a.name for a in call.arguments if a.kind == "keyword" and a.name not in taken)


def _starred(bench: Bench, said: Said | None, text: str) -> bool:
    """Whether a signature that is shown would be right without what stands for any arguments: `on_close(a, **more)`."""
    if said is None or "*" not in text:
        return False
    plain = said._replace(text=re.sub(r",?[ ]*\*{1,2}\w+(?=[,)])", "", said.text))
    return all(not each.rule for each in judge_calls(bench, plain))


def _key(bench: Bench, verdict: Verdict) -> Question | None:
    asked = verdict.asked
    if not asked:
        return None
    name, _, key = asked.rstrip('"]').partition('["')

    def holds(index: Index) -> bool:
        said = Said(text=asked, line=0, column=0, paragraph=0, section=0)
        return any(each.state == "resolved" for each in judge_subscripts(_bench(index), said))

    return Question(text=f"key {asked}", words=frozenset([key, name.rpartition(".")[2]]), holds=holds)


def _path(text: str) -> Question:
    path = re.split(r"[:#]", text)[0].removeprefix("./").strip("/")

    def holds(index: Index) -> bool:
        return any(each == path or each.startswith(f"{path}/") or path.endswith(f"/{each}") for each in index.paths)

    parts = path.rpartition(".")[0].split("/") if "." in path.rpartition("/")[2] else path.split("/")
    return Question(text=f"path {path}", words=frozenset(parts[-1:]), holds=holds)
