"""Say what every mention of a name was taken for, and why: for who asks, whether it is a finding or not."""

from __future__ import annotations

from collections.abc import Collection

from snippetlock.references.bench import bench_of
from snippetlock.references.judging import judge_text
from snippetlock.references.own import Own
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import NAME
from snippetlock.workflow.project import Project
from snippetlock.workflow.prose import chosen
from snippetlock.workflow.telling import Prose

__all__ = ["explain", "words_in"]


def explain(project: Project, name: str, only: Collection[str] = ()) -> tuple[tuple[str, Verdict], ...]:
    """Every verdict on a name, with its place: of each mention that is it or holds it, else of the name alone."""
    prose = Prose(project)
    found: dict[tuple[str, Verdict], None] = {}  # a drawing may be on several pages
    for page in chosen(project, only):
        for place, verdict in prose.verdicts(page):
            if verdict.text == name or name in words_in(verdict.text):
                found[place, verdict] = None
    if found:
        return tuple(found)
    bench = bench_of(prose.index, path="", spans=(), selectors={}, own=Own(), words=prose.words)
    return tuple(("", verdict) for verdict in judge_text(bench, name))


def words_in(text: str) -> frozenset[str]:
    """The dotted names of a text, and all their parts."""
    found = {name[0] for name in NAME.finditer(text)}
    return frozenset(found | {part for name in found for part in name.split(".")})
