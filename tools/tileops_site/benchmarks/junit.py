"""Test cases out of JUnit, one after another. The home of lxml and junitparser; knows nothing of benchmarks.

The file may be anybody's. It is streamed: what was read is let go, so that memory does not follow its size. A document
type is refused, for entities stand in no other place; nothing outside the file is ever read; and lxml itself refuses
texts above 10 MB and nesting above 256 levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from junitparser import Error, Failure, Skipped
from junitparser.xunit2 import TestCase
from lxml import etree  # type: ignore[import-untyped]

from tileops_site.benchmarks.model import NightError

_REASON = 300  # characters of a reason that are kept: a failure's text can be a whole log


class Case(NamedTuple):
    """One test case. `ending` is empty where it passed; `properties` are as they stand, repeated ones too."""

    file: str
    name: str
    ending: str
    reason: str
    properties: tuple[tuple[str, str], ...]


def cases(stream: BinaryIO, place: str) -> Iterator[Case]:
    """Every test case of a file, which `place` names in messages. Raises `NightError` where it is no such file."""
    events = etree.iterparse(
        stream,
        events=("start", "end"),
        tag=("testsuites", "testsuite", "testcase"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    started = False
    try:
        for event, element in events:
            if not started:
                _refuse(element, place)
                started = True
            if event == "end" and element.tag == "testcase":
                yield _case(element)
            if event == "end":
                _forget(element)
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        mend = "take the night again from where it is published; a run that was cut short leaves such a file"
        raise NightError(f"not well-formed XML: {_plain(error)}", path=place, line=line, mend=mend) from error
    if not started:
        mend = "name a file that pytest wrote with --junit-xml"
        raise NightError("no JUnit: it has no <testsuites> and no <testsuite>", path=place, mend=mend)


def _refuse(element: etree._Element, place: str) -> None:
    found = element.getroottree().docinfo
    if found.internalDTD is not None or found.doctype:
        evidence = (str(found.doctype),)
        mend = "no test runner writes one: look where the file comes from"
        raise NightError("refused: it has a document type", path=place, line=1, evidence=evidence, mend=mend)


def _case(element: etree._Element) -> Case:
    case = TestCase.fromelem(element)  # type: ignore[no-untyped-call]
    properties = tuple((one.name or "", one.value or "") for one in case.properties())
    ending, reason = "", ""
    for result in case.result:
        if isinstance(result, Failure | Error | Skipped):
            skipped = isinstance(result, Skipped)
            if ending != "failed":
                ending = "skipped" if skipped else "failed"
                reason = _first(result.message or result.text or "")
    return Case(case.classname or "", case.name or "", ending, reason, properties)


def _first(text: str) -> str:
    """The first line of a reason that says anything."""
    line = next((part.strip() for part in text.split("\n") if part.strip()), "")
    return line if len(line) <= _REASON else f"{line[: _REASON - 1]}…"


def _forget(element: etree._Element) -> None:
    """Let go of what was read, and of what stands before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _plain(error: etree.XMLSyntaxError) -> str:
    return (error.msg or "it ends too early").partition(", line ")[0]
