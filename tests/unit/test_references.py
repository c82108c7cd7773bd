"""Prose held against a library: cases as data, and what must not harm it."""

from __future__ import annotations

import casefile
import pytest
from indexing import indexed

from snippetlock.config.document import parse_document
from snippetlock.config.vocabulary import parse_vocabulary
from snippetlock.references import scan
from snippetlock.references.bench import bench_of, packages_of
from snippetlock.references.judging import judge_page
from snippetlock.references.own import own_names
from snippetlock.references.speech import speech

CASES = casefile.read("references.case")
LIBRARY = next(case for case in CASES if case.title == "LIBRARY")


@pytest.fixture(scope="module")
def library():
    return indexed(LIBRARY.files)


def judged(library, page, *, words="", path="docs/page.md", selectors=None):
    said = speech(page)
    bench = bench_of(
        library,
        path=path,
        spans=said.spans,
        selectors=selectors or {},
        own=own_names(scan(page).blocks, packages_of(library)),
        words={word.name: word for word in parse_vocabulary(parse_document(words, "vocabulary.yaml"))},
        root="lib",
        address="https://git.example/kilns.git",
    )
    return judge_page(bench, said, frozenset(["v1.0"]))


def shown(verdicts):
    for verdict in verdicts:
        state = f"{verdict.rule}{'' if verdict.certain else '?'}" if verdict.rule else verdict.state
        yield f"{verdict.line}:{verdict.column} {state} [{verdict.text}] {verdict.message or verdict.why}"


@pytest.mark.parametrize("case", [case for case in CASES if case.title != "LIBRARY"], ids=str)
def test_a_page_says_what_the_library_has(library, golden, case):
    path = next((name[5:] for name in case.sections if name.startswith("path ")), "docs/page.md")
    got = shown(judged(library, case["page"], words=case.get("words"), path=path))

    golden(case, "".join(f"{line}\n" for line in got))
