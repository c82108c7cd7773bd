"""Hold Markdown pages against a library that never saw this tool: only what is proven stale is told, and since when.

Proven is what once resolved in the library's history and no longer does; what is said of the package's own namespace
and never was so; and a call that no definition of its name takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from snippetlock.index import Definition, lookup
from snippetlock.model import Finding, Report
from snippetlock.records import dataclass, replace
from snippetlock.references.bench import Bench, bench_of, packages_of
from snippetlock.references.groups import group_of, shown_groups
from snippetlock.references.judging import judge_page, judge_text
from snippetlock.references.own import Own, own_names
from snippetlock.references.speech import Said, speech
from snippetlock.references.verdicts import Verdict, finding_of
from snippetlock.workflow.became import Became, became
from snippetlock.workflow.explaining import words_in
from snippetlock.workflow.gathering import gather
from snippetlock.workflow.pages import Page
from snippetlock.workflow.since import Past, Since
from snippetlock.workflow.strange import Strange, dated, passed_over
from snippetlock.workflow.suspects import Suspect, named_question, speaks_of_past, suspect

__all__ = ["Held", "elsewhere", "explain_elsewhere"]

_NONE = Since(change=None)
_NOWHERE = Page(path="", name="", language="en", text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What came of it; `notes` are what was not looked at, a line each."""

    report: Report
    notes: tuple[str, ...]


def elsewhere(library: Strange, docs: Sequence[str]) -> Held:
    """Hold pages against the library. Raises a `SnippetlockError` where they or its history cannot be read."""
    gathered = gather(library.shelf, docs)
    groups, suspects = Counter[str](), list[Suspect]()
    for page in gathered.pages:
        bench, verdicts, spans = _judged(library, page)
        groups.update(map(group_of, verdicts))
        for verdict in verdicts:
            found = suspect(bench, page, verdict, spans.get((verdict.line, verdict.column)))
            if found is not None and not speaks_of_past(page, verdict.line):
                suspects.append(found)
    answers = _answers(library.past, suspects)
    findings = [*gathered.findings, *_findings(library, suspects, answers)]
    counts = {"pages": len(gathered.pages), "mentions": groups.total()}
    if library.past is not None:
        counts["commits"] = len(library.past.changes)
    parts = {"mentions": shown_groups(groups)}
    report = Report(findings=tuple(sorted(findings, key=_order)), counts=counts, parts=parts)
    return Held(report=report, notes=(*library.notes, *passed_over(gathered.passed), *_given_up(answers)))


def explain_elsewhere(library: Strange, docs: Sequence[str], name: str) -> tuple[tuple[str, Verdict], ...]:
    """Every verdict on a name, with its place and what the history knows: of each mention, else of the name alone."""
    found: list[tuple[str, Verdict, Suspect | None]] = []
    for page in gather(library.shelf, docs).pages:
        bench, verdicts, spans = _judged(library, page)
        for verdict in verdicts:
            if verdict.text == name or name in words_in(verdict.text):
                said = spans.get((verdict.line, verdict.column))
                place = str(page.place(verdict.line, verdict.column))
                found.append((place, verdict, suspect(bench, page, verdict, said)))
    if not found:
        bench = bench_of(library.index, path="", spans=(), selectors={}, own=Own(), words={})
        found = [("", verdict, suspect(bench, _NOWHERE, verdict, None)) for verdict in judge_text(bench, name)]
    suspects = [each for _, _, each in found if each is not None]
    answers = _answers(library.past, suspects)
    known: dict[str, Became | None] = {}
    return tuple((place, _explained(library, verdict, each, answers, known)) for place, verdict, each in found)


def _explained(
    library: Strange,
    verdict: Verdict,
    each: Suspect | None,
    answers: Mapping[str, Since],
    known: dict[str, Became | None],
) -> Verdict:
    """A verdict with what its finding says; without a rule where it would be none."""
    since = answers.get(each.question.text, _NONE) if each and each.question else _NONE
    if each is None or (not each.proven and since.change is None):
        why = verdict.message or verdict.why
        told = f"{why}; nothing proves it stale" if verdict.rule else why
        return replace(verdict, rule="", message="", mend="", why=told)
    if each.page is not _NOWHERE and speaks_of_past(each.page, verdict.line):
        told = f"{verdict.message or verdict.why}; the page speaks of what was"
        return replace(verdict, rule="", message="", mend="", why=told)
    found = _finding(library, each, since, known)
    return replace(verdict, rule=found.rule, message=found.message, evidence=found.evidence, mend=found.mend)


def _judged(library: Strange, page: Page) -> tuple[Bench, tuple[Verdict, ...], dict[tuple[int, int], Said]]:
    """The verdicts on a page, what they were judged by, and the code spans by place."""
    said = speech(page.text)
    index = library.index
    own = own_names(page.scan.blocks, packages_of(index))
    bench = bench_of(index, path=page.path, spans=said.spans, selectors={}, own=own, words={}, root=library.layout.root)
    spans = {(each.line, each.column): each for each in said.spans}
    return bench, judge_page(bench, said, page.scan.blocks), spans


def _answers(past: Past | None, suspects: Sequence[Suspect]) -> Mapping[str, Since]:
    if past is None or not suspects:
        return {}
    questions = {each.question.text: each.question for each in suspects if each.question is not None}
    return past.ask(tuple(questions.values()))


def _findings(library: Strange, suspects: Sequence[Suspect], answers: Mapping[str, Since]) -> Iterator[Finding]:
    known: dict[str, Became | None] = {}
    beside = _beside(library.past, suspects, answers)
    for each in suspects:
        since = answers.get(each.question.text, _NONE) if each.question else _NONE
        if not each.proven and (since.change is None or (each.verdict.rule != "SL302" and _last(each) in beside)):
            continue
        yield _finding(library, each, since, known)


def _beside(past: Past | None, suspects: Sequence[Suspect], answers: Mapping[str, Since]) -> Collection[str]:
    """The names that are gone from the library, and are something elsewhere in its repository."""
    asked = [each for each in suspects if not each.proven and each.question and each.verdict.rule != "SL302"]
    words = {_last(each) for each in asked if each.question and answers.get(each.question.text, _NONE).change}
    return past.beside(words) if past is not None and words else ()


def _last(each: Suspect) -> str:
    """The last part of the name that a suspect is about."""
    return (each.question.name if each.question else "").rpartition(".")[2]


def _finding(library: Strange, each: Suspect, since: Since, known: dict[str, Became | None]) -> Finding:
    verdict, past = each.verdict, library.past
    found = finding_of(verdict, each.page.path)
    message = found.message or f"the library has no {verdict.text.rpartition('.')[2]!r} any more"
    evidence = list(found.evidence) if each.proven else []
    mend = found.mend if each.proven and found.mend else "correct it, or take it out"
    if since.change is not None and past is not None:
        was = _was(past, each, since)
        now = _became(past, was.selector, since, known) if was and verdict.rule in ("SL301", "") else None
        told = [f"since {dated(since.change.commit)}", *([f"until then {was.place}  {was.selector}"] if was else [])]
        if now is not None:
            evidence = [f"now {now.place}  {now.selector}  ({now.reason})"]
            mend = f"it is {now.selector.rpartition(':')[2]!r} now"
        evidence = [*told, *evidence]
    elif past is not None and each.question is not None and not since.open and not past.shallow:
        evidence.append(f"none of the {len(past.changes)} commits had that either")
    return replace(found, rule=found.rule or "SL301", message=message, evidence=tuple(evidence), mend=mend)


def _was(past: Past, each: Suspect, since: Since) -> Definition | None:
    """What the name of a suspect meant before the change."""
    if since.change is None or each.question is None or not each.question.name:
        return None
    name = each.question.name
    index = past.index(since.change.commit.parents[0])
    found = lookup(index, name) or lookup(index, f"self.{name.rpartition('.')[2]}")
    return next((one for one in found if not one.local), None)


def _became(past: Past, selector: str, since: Since, known: dict[str, Became | None]) -> Became | None:
    if selector not in known:

        def ask(name: str) -> Since:
            bench = bench_of(past.index(past.until.id), path="", spans=(), selectors={}, own=Own(), words={})
            question = named_question(bench, name)
            return past.ask([question])[question.text]

        known[selector] = became(past, selector, since, ask)
    return known[selector]


def _given_up(answers: Mapping[str, Since]) -> tuple[str, ...]:
    count = sum(1 for each in answers.values() if each.open)
    return (f"the history was not searched to its beginning for {count} of the names",) if count else ()


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.place
    return place.path, place.line or 0, place.column or 0, finding.rule, finding.message
