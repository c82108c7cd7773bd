"""A docs project, opened: what its author wrote, the pinned library, and the snippets cut from it.

Everything is read when first asked for and then kept: one object is one look at the project. Who must see
changes opens it again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from snippetlock.config import Config, load_config, load_pin, read_definitions
from snippetlock.config.runs import Run, read_runs
from snippetlock.config.strays import EXAMPLES
from snippetlock.errors import ConfigError, LockError, UsageError, nearest
from snippetlock.model import Definition, Finding, Pin, Place, Snippet, Tree
from snippetlock.source import open_tree
from snippetlock.source.beside import Beside, Own
from snippetlock.source.cache import pinned_folder
from snippetlock.workflow.cache import Cache
from snippetlock.workflow.cut import Cutter
from snippetlock.workflow.files import leads, walk
from snippetlock.workflow.pages import Page, Use, read, undecodable

TYPE_CHECKING = False  # as `typing` has it, which costs 3 ms
if TYPE_CHECKING:
    from snippetlock.lock import Entry, Lock


def open_project(root: Path, cache: Path, *, writes: bool = False) -> Project:
    """The project whose `pyproject.toml` is in `root`; results are kept below `cache`. Reads only that file.

    A change of the pin that was interrupted is finished where the caller `writes`, and `finished` says which files
    that took. Who only reads gets a `LockError` then: the project is in no state that anybody accepted.
    """
    project = Project(load_config(root), cache)
    if os.path.lexists(project.config.journal):
        project.finished = _settled(project.config, writes=writes)
    return project


def _settled(config: Config, *, writes: bool) -> tuple[Path, ...]:
    """Finish an interrupted change, or refuse to go on. Another process that is at it is waited for."""
    from snippetlock.lock import exclusive
    from snippetlock.lock.steps import unfinished
    from snippetlock.lock.together import finish, interrupted
    from snippetlock.workflow.journal import hold

    hold(config)  # also for who only reads: nobody is to be told to finish what must not be
    if not writes and not unfinished(config.journal):
        return ()  # torn: it tells of nothing that was written
    try:
        with exclusive(config.lock):
            if writes:
                hold(config)
                return finish(config.journal, config.root)
            if not unfinished(config.journal):
                return ()
    except LockError as error:
        if writes or error.__cause__ is None:
            raise
    raise interrupted(config.journal, config.root)


class Project:
    """One look at a docs project. `cache` is the folder that keeps results and wheels."""

    def __init__(self, config: Config, cache: Path) -> None:
        self.config = config
        self.cache = cache
        self.kept = Cache(cache)
        self.jobs: int | None = 1  # processes that may work for this look at once; None: one for each core
        self.lasting = True  # whether what was found holds as long as the files of the project stay as they are
        self.finished: tuple[Path, ...] = ()  # what had to be written to finish an interrupted change

    @cached_property
    def pin(self) -> Pin:
        """The state of the library that the docs speak of."""
        return load_pin(self.config)

    @cached_property
    def tree(self) -> Tree:
        """The library's files at the pin. Raises `PinError` when they are not at hand; fetches nothing."""
        return open_tree(self.pin, self.config.root, self.cache)

    @cached_property
    def files(self) -> Tree:
        """The library's files at the pin and, under their paths in the project, those of its own examples."""
        return Beside(self.tree, self.own)

    @cached_property
    def own(self) -> Own:
        """The files of the project's own examples; the library need not be at hand."""
        return Own(self.config.snippets / EXAMPLES, self.examples)

    @property
    def examples(self) -> str:
        """How the paths of the project's own examples begin."""
        return f"{self.config.name(self.config.snippets)}/{EXAMPLES}/"

    def is_own(self, path: str) -> bool:
        """Whether a path, as selectors and captions have it, is of an example of the project."""
        return path.startswith(self.examples)

    def origin(self, path: str) -> str:
        """What a file is called the file of: the library at the pin, or these docs."""
        return "an example of these docs" if self.is_own(path) else self.pin.label

    @cached_property
    def listing(self) -> str:
        """What tells the whole library, as its index reads it, from any other state of it; a folder is read for it."""
        return listing(self.tree)

    @cached_property
    def cutter(self) -> Cutter:
        """What cuts snippets out of the tree, and keeps them."""
        place = str(pinned_folder(self.pin, self.config.root)) if self.pin.kind == "folder" else ""
        return Cutter(self.tree, self.kept, place, own=self.examples, files=self.files)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Every definition in the order of files and lines, those with the same id too."""
        return read_definitions(self.config)

    @cached_property
    def defined(self) -> Mapping[str, tuple[Definition, ...]]:
        """The definitions by id: one each, where nothing is wrong."""
        found: dict[str, tuple[Definition, ...]] = {}
        for definition in self.definitions:
            found[definition.id] = (*found.get(definition.id, ()), definition)
        return found

    @cached_property
    def taken(self) -> Mapping[str, tuple[Definition, ...]]:
        """The definitions that take from the library, by id: the others take from the project's own examples."""
        return {id: found for id, found in self.defined.items() if not self.is_own(found[0].selector.path)}

    @cached_property
    def runs(self) -> Mapping[str, Run]:
        """The programs of the docs that are run for their output, by id."""
        file = self.config.runs
        return {run.id: run for run in read_runs(file, self.config.name(file))}

    @cached_property
    def lock(self) -> Lock | None:
        """What was accepted, or None before anything was."""
        from snippetlock.lock import read_lock  # not for who compares two other states

        return read_lock(self.config.lock)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The lock's entries by id."""
        return {entry.id: entry for entry in self.lock.entries} if self.lock else {}

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """Every page that can be read, sorted by path."""
        return self._read_pages[0]

    @cached_property
    def unreadable(self) -> tuple[Finding, ...]:
        """A finding for each page that cannot be."""
        return self._read_pages[1]

    @cached_property
    def uses_by_id(self) -> Mapping[str, tuple[Place, ...]]:
        """Where each id is asked for, defined or not."""
        found: dict[str, tuple[Place, ...]] = {}
        for use in self.uses_in_order:
            found[use.snippet] = (*found.get(use.snippet, ()), use.place)
        return found

    @cached_property
    def uses_in_order(self) -> tuple[Use, ...]:
        """Every directive that names a snippet, page by page."""
        return tuple(
            Use(snippet=block.snippet, place=page.place(block.first, block.columns.get("snippet")))
            for page in self.pages
            for block in page.scan.blocks
            if block.snippet is not None
        )

    def names(self, only: Iterable[str] = ()) -> tuple[str, ...]:
        """The ids of `only`, each once, or all that are defined, sorted. Raises `ConfigError` where that is none."""
        names = tuple(dict.fromkeys(only)) or tuple(sorted(self.defined))
        if not names:
            raise self.nothing_defined()
        return names

    def run_uses(self, name: str) -> tuple[Place, ...]:
        """The places, in page order, that ask for a run."""
        return tuple(
            page.place(block.first, block.columns.get("run"))
            for page in self.pages
            for block in page.scan.blocks
            if block.run == name
        )

    def taken_names(self, only: Iterable[str] = ()) -> tuple[str, ...]:
        """The ids of `only`, or all that take from the library, sorted: for who compares states of the library.

        Raises `ConfigError` where that is none, and `UsageError` for one that shows an example of the project.
        """
        asked = self.names(only)
        own = [name for name in asked if name in self.defined and name not in self.taken]
        if own and only:
            source = self.defined[own[0]][0].selector.text
            mend = "leave it out: `snippetlock check` holds it, and what it calls of the library"
            raise UsageError(f"{own[0]!r} shows {source}, which is no file of the library", mend=mend)
        names = tuple(name for name in asked if name not in own)
        if not names:
            mend = "define one that takes from the library (`snippetlock add`)"
            where = self.config.name(self.config.snippets)
            raise ConfigError("every snippet shows an example of the project itself", path=where, mend=mend)
        return names

    def nothing_defined(self) -> ConfigError:
        """The error for who needs a definition where there is none: most likely they are somewhere else."""
        config, asked = self.config, self.uses_in_order
        evidence = [f"{asked[0].place}  asks for {asked[0].snippet!r}"] if asked else []
        if len(asked) > 1:
            evidence.append(f"and {len(asked) - 1} more")
        if self.lock is not None:
            evidence.append(f"{config.name(config.lock)}  entries: {len(self.entries)}")
        mend = "define one there (`snippetlock add`), or set `snippets` in [tool.snippetlock] to where they are"
        if self.lock is not None and not asked:
            mend += "; where there shall be none, remove the lock"
        where = config.name(config.snippets)
        return ConfigError("no snippet is defined in this folder", path=where, evidence=evidence, mend=mend)

    def definition(self, name: str) -> Definition:
        """The one definition of an id. Raises `UsageError` for none and `ConfigError` for several."""
        found = self.defined.get(name, ())
        if not found:
            near = nearest(name, self.defined)
            mend = (
                f"did you mean {' or '.join(repr(n) for n in near)}?"
                if near
                else "`snippetlock list` shows what there is"
            )
            raise UsageError(f"no snippet {name!r} is defined", mend=mend)
        if len(found) > 1:
            places = tuple(str(definition.place) for definition in found)
            raise ConfigError(
                f"the snippet {name!r} is defined {len(found)} times", evidence=places, mend="keep one of them"
            )
        return found[0]

    def snippet(self, name: str) -> Snippet:
        """Cut a snippet, or take it from the cache. Raises a `SnippetlockError` when that cannot be done."""
        return self.cutter.cut(self.definition(name))

    def entry(self, name: str) -> Entry | None:
        """What the lock accepted under an id."""
        return self.entries.get(name)

    def uses(self, name: str) -> tuple[Place, ...]:
        """The places, in page order, that ask for an id."""
        return self.uses_by_id.get(name, ())

    @cached_property
    def _read_pages(self) -> tuple[tuple[Page, ...], tuple[Finding, ...]]:
        config, pages, findings = self.config, [], []
        try:
            names = walk(config.docs)
        except OSError as error:
            mend = "make it, or set `docs` in [tool.snippetlock] to where the pages are"
            raise ConfigError(
                f"the folder of pages cannot be read: {error.strerror}", path=config.name(config.docs), mend=mend
            ) from error
        for name, outside in names:
            path = config.name(config.docs / name)
            if outside:
                findings.append(_outside(path, config.name(config.docs), leads(config.docs / name)))
                continue
            try:
                pages.append(read(config.docs, name, path, config.languages))
            except UnicodeDecodeError as error:
                findings.append(undecodable(path, error))
        if not names:
            mend = "write one, or set `docs` in [tool.snippetlock] to where the pages are"
            raise ConfigError("there is no page in the folder", path=config.name(config.docs), mend=mend)
        return tuple(pages), tuple(findings)


def listing(tree: Tree) -> str:
    """What tells a whole tree, as this tool reads it, from any other. Reads every file of a folder."""
    from snippetlock.index.build import listing_key
    from snippetlock.workflow.cache import tool_stamp

    return listing_key(tree, tool_stamp())


def _outside(path: str, docs: str, where: str) -> Finding:
    message = f"a link that leads out of {docs}, or nowhere"
    return Finding(rule="SL502", place=Place(path=path), message=message, evidence=(where,))
