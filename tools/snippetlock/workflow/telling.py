"""Judge what the prose of a page names by the pin: each page once, while nothing that matters changed.

What there is to tell of a page is kept by the page, the pin, the vocabulary and this tool. Where all pages are kept,
the index is neither built nor loaded. Verdicts that nobody is told of are made again for who asks why.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from snippetlock.config.definitions import VOCABULARY
from snippetlock.config.vocabulary import Word, read_vocabulary
from snippetlock.model import Place
from snippetlock.references.verdicts import Verdict, read_verdict, written
from snippetlock.text import sha256
from snippetlock.workflow.cache import tool_stamp
from snippetlock.workflow.claims import Claims
from snippetlock.workflow.figures import Figure, figures_of, judged
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project, listing

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.index import Index
    from snippetlock.references.bench import Bench
    from snippetlock.references.speech import Speech
    from snippetlock.workflow.programs import Program

__all__ = ["Prose", "Told"]

_KIND = "prose"
_EXAMPLE = re.compile("[/:]")  # what ends the name of an example in a selector


class Told(NamedTuple):
    """How many verdicts there are on a page by group, and those of them that are findings, or needed the vocabulary.

    `drawn` are those on the drawings in files of their own that it shows: the file, the line of the page, the verdict.
    """

    groups: Mapping[str, int]
    verdicts: tuple[Verdict, ...]
    drawn: tuple[tuple[str, int, Verdict], ...] = ()


class _Asked(NamedTuple):
    """What a page is judged by beside the library: what it shows, by lines; the docs' own programs; drawings.

    `key` is what verdicts on it are kept by.
    """

    selectors: Mapping[int, str]
    programs: tuple[str, ...]
    figures: tuple[Figure, ...]
    key: str


class Prose:
    """One look at the prose of a project. What is asked for twice is judged once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._told: dict[str, Told] = {}

    @cached_property
    def words(self) -> Mapping[str, Word]:
        """The vocabulary, by name. Raises `ConfigError` for one that cannot be read."""
        config = self.project.config
        file = config.snippets / VOCABULARY
        return {word.name: word for word in read_vocabulary(file, config.name(file))}

    @cached_property
    def stamp(self) -> str:
        """What tells one version of this tool from another."""
        return tool_stamp()

    @cached_property
    def index(self) -> Index:
        """The index of the pin."""
        from snippetlock.index import open_index

        share = None if self.project.jobs == 1 else self._shared
        return open_index(self.project.tree, self.project.kept, self.stamp, share)

    def _shared(self, do: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterable[Any]:
        """Have it done by the processes that may work."""
        from snippetlock.workflow.workers import cores, spread

        return spread(lambda task, tick: do(task), tasks, self.project.jobs or cores())

    @cached_property
    def claims(self) -> Claims:
        """What the pages claim, held against the same index."""
        return Claims(self.project, self.project.tree, lambda: self.index)

    @cached_property
    def settled(self) -> bool:
        """Whether the library was the same before and after its index was opened."""
        before, _ = self.project.listing, self.index
        return self.project.tree.identity is not None or listing(self.project.tree) == before

    def told(self, page: Page) -> Told:
        """What there is to tell of one page, kept or made."""
        if page.path not in self._told:
            self._told[page.path] = self._tell(page)
        return self._told[page.path]

    def kept(self, page: Page) -> Told | None:
        """What was told of a page that was the same in all that matters; None where nothing is kept."""
        return self._kept(self._asked(page).key)

    def open(self) -> None:
        """Have the index at hand, and whether it is of one state."""
        self.settled  # noqa: B018

    @property
    def is_open(self) -> bool:
        """Whether the index is at hand."""
        return "settled" in vars(self)

    def take(self, page: Page, told: Told) -> None:
        """Have it that another process found this to tell of a page."""
        self._told[page.path] = told

    def has(self, page: Page) -> bool:
        """Whether a page was judged already."""
        return page.path in self._told

    def _kept(self, key: str) -> Told | None:
        kept = self.project.kept.get(_KIND, key)
        if kept is None:
            return None
        drawn = tuple((path, line, read_verdict(each)) for path, line, each in kept["drawn"])
        return Told(kept["groups"], tuple(map(read_verdict, kept["told"])), drawn)

    def _tell(self, page: Page) -> Told:
        asked = self._asked(page)
        kept = self._kept(asked.key)
        if kept is not None:
            return kept
        from snippetlock.references.judging import tell_page

        bench, said = self._bench(page, asked.selectors, asked.programs)
        groups, verdicts = tell_page(bench, said, page.scan.blocks, _refs(self.project))
        drawn: tuple[tuple[str, int, Verdict], ...] = ()
        for figure in asked.figures:
            more, found = judged(bench, figure, said.headings)
            groups = {group: groups.get(group, 0) + more.get(group, 0) for group in (*groups, *more)}
            drawn += tuple((figure.path, figure.line, verdict) for verdict in found)
        told = Told(groups, verdicts, drawn)
        if self.settled:
            shown = [[path, line, written(verdict)] for path, line, verdict in drawn]
            value = {"groups": groups, "told": list(map(written, verdicts)), "drawn": shown}
            self.project.kept.put(_KIND, asked.key, value)
        return told

    def verdicts(self, page: Page) -> Iterator[tuple[str, Verdict]]:
        """Every verdict on one page and what it shows, made anew, with its place."""
        from snippetlock.references.judging import judge_page

        selectors = self._selectors(page)
        bench, said = self._bench(page, selectors, self._programs(page, selectors.values()))
        for verdict in (*judge_page(bench, said, page.scan.blocks, _refs(self.project)), *self.claims.verdicts(page)):
            yield str(page.place(verdict.line, verdict.column)), verdict
        for figure in figures_of(self.project, page):
            for verdict in judged(bench, figure, said.headings, every=True)[1]:
                yield str(Place(path=figure.path, line=verdict.line, column=verdict.column)), verdict

    def _selectors(self, page: Page) -> dict[int, str]:
        """What a page shows, by the line that asks for it."""
        return {
            block.first: str(self.project.defined[block.snippet][0].selector)
            for block in page.scan.blocks
            if block.snippet is not None and block.snippet in self.project.defined
        }

    def _programs(self, page: Page, selectors: Iterable[str]) -> tuple[str, ...]:
        """The texts of the docs' own programs that a page shows a part or a run of: it may speak of all they define."""
        prefix, runs = self.project.examples, self.project.runs
        own = {_EXAMPLE.split(text[len(prefix) :])[0] for text in selectors if text.startswith(prefix)}
        shown = (runs[block.run] for block in page.scan.blocks if block.run is not None and block.run in runs)
        own |= {run.example.partition("/")[0] for run in shown}
        return tuple(each.text for each in self._all_programs if each.example in own) if own else ()

    @cached_property
    def _all_programs(self) -> tuple[Program, ...]:
        from snippetlock.workflow.programs import programs

        return programs(self.project)

    @cached_property
    def _state(self) -> str:
        """What verdicts depend on beside the page."""
        pin = self.project.pin
        repository = [pin.repository.url, pin.repository.root] if pin.repository else []
        words = [[word.name, word.reason, str(word.place), word.pages] for word in self.words.values()]
        state = [self.stamp, self.project.listing, pin.version, pin.commit, repository, words]
        return sha256(json.dumps(state))

    def _asked(self, page: Page) -> _Asked:
        selectors = self._selectors(page)
        programs = self._programs(page, selectors.values())
        figures = figures_of(self.project, page)
        drawn = [[figure.path, figure.line, figure.digest] for figure in figures]
        told = [self._state, page.path, page.text, sorted(selectors.items()), *map(sha256, programs), drawn]
        return _Asked(selectors, programs, figures, sha256(json.dumps(told)))

    def _bench(self, page: Page, selectors: Mapping[int, str], programs: Iterable[str]) -> tuple[Bench, Speech]:
        """What a page is judged by, and what it says."""
        from snippetlock.references.bench import bench_of, packages_of
        from snippetlock.references.own import own_names
        from snippetlock.references.speech import speech

        said = speech(page.text, page.scan.layout)
        shown: dict[int, list[str]] = {}
        for line, selector in selectors.items():
            above = bisect_left(said.headings, line)
            shown.setdefault(said.headings[above - 1] if above else 0, []).append(selector)
        pin = self.project.pin
        bench = bench_of(
            self.index,
            path=page.path,
            spans=said.spans,
            selectors=shown,
            own=own_names(page.scan.blocks, packages_of(self.index), programs),
            words=self.words,
            root=pin.repository.root if pin.repository else "",
            address=pin.repository.url if pin.repository else "",
        )
        return bench, said


def _refs(project: Project) -> frozenset[str]:
    """What the pinned state is called in an address of the repository."""
    pin = project.pin
    commit = pin.commit or (pin.repository.commit if pin.repository else "") or ""
    names = {pin.version, f"v{pin.version}", commit, commit[:7], commit[:10]}
    if pin.repository and not commit:
        names.add(pin.repository.branch)
    return frozenset(names - {""})
