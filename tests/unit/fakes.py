"""A docs project without files: snippets are texts, pages are texts, and everything asked for is at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from snippetlock.config import Config
from snippetlock.errors import ViewError
from snippetlock.lock import Entry
from snippetlock.model import Definition, Digests, Pin, Place, Repository, Selector, Snippet, Span, View
from snippetlock.source import DictTree
from snippetlock.text import sha256, split_lines
from snippetlock.workflow.pages import Page, language

LICENCE = "Licence of the demo: <do> as you like & be kind.\n"


class FakeTree(DictTree):
    def notices(self):
        return (("LICENSE", LICENCE.encode()),)


def snippet(
    name: str, text: str, *, path: str = "demo/a.py", first: int = 3, highlight=(), numbers=None, language="python"
):
    """A snippet of a text, as if its lines stood one behind the other in `path` from line `first`."""
    count = max(1, len(split_lines(text)))
    numbers = tuple(range(first, first + len(split_lines(text)))) if numbers is None else numbers
    digest = sha256(text)
    return Snippet(
        id=name,
        selector=Selector(text=f"demo.a:{name}", name=name, module="demo.a"),
        view=View(),
        span=Span(path=path, first=first, last=first + count - 1),
        language=language,
        text=text,
        numbers=numbers,
        highlight=tuple(highlight),
        digests=Digests(text=digest, tokens=digest, code=digest, signature=digest),
        consulted=(),
    )


class FakeProject:
    """What the parts above `workflow` ask of a project."""

    def __init__(
        self, snippets=(), pages=None, *, root=Path("/docs-project"), languages=("en", "zh"), files=None, commit=None
    ):
        self.config = Config(
            root=root,
            docs=root / "docs",
            snippets=root / "snippets",
            lock=root / "snippets/snippets.lock",
            pin=root / "pin.yaml",
            languages=tuple(languages),
        )
        repository = Repository(url="https://example.org/demo", root="src", commit=commit)
        self.pin = Pin(
            name="demo", version="1.2", kind="wheel", file="demo.whl", sha256="0" * 64, repository=repository
        )
        self.snippets = {s.id: s for s in snippets}
        self.entries = {s.id: _entry(s) for s in snippets}
        self.lock = SimpleNamespace(edited=False, pin=self.pin, entries=tuple(self.entries.values()))
        self.defined = {s.id: (_definition(s),) for s in snippets}
        self.runs: dict[str, object] = {}
        self.pages = tuple(self.page(name, text) for name, text in sorted((pages or {}).items()))
        self.tree = FakeTree({path: text.encode() for path, text in (files or {}).items()})
        self.cutter = SimpleNamespace(cut=lambda definition: self.snippet(definition.id))
        self.kept = SimpleNamespace(
            get=lambda kind, key: None,
            put=lambda kind, key, value: None,
            data=lambda kind, key: None,
            put_data=lambda kind, key, data: None,
        )

    def page(self, name: str, text: str) -> Page:
        path = self.config.name(self.config.docs / name)
        return Page(path=path, name=name, language=language(name, self.config.languages), text=text)

    def snippet(self, name: str) -> Snippet:
        found = self.snippets[name]
        if isinstance(found, Exception):
            raise found
        return found

    def break_snippet(self, name: str) -> None:
        """From now on the snippet cannot be cut."""
        self.snippets[name] = ViewError(
            "the view leaves nothing", path="snippets/a.yaml", line=3, mend="keep something"
        )

    def define_twice(self, name: str) -> None:
        (first,) = self.defined[name]
        self.defined[name] = (first, replace(first, place=Place(path="snippets/b.yaml", line=9)))

    def entry(self, name: str) -> Entry | None:
        return self.entries.get(name)

    @property
    def files(self) -> DictTree:
        """The examples of the docs, where a test has some, lie among the library's files."""
        return self.tree

    def is_own(self, path: str) -> bool:
        return path.startswith("snippets/examples/")

    def uses(self, name: str) -> tuple[Place, ...]:
        return tuple(
            page.place(block.first) for page in self.pages for block in page.scan.blocks if block.snippet == name
        )


def _definition(found: Snippet) -> Definition:
    place = Place(path="snippets/a.yaml", line=1)
    return Definition(id=found.id, selector=found.selector, view=found.view, place=place, places={})


def _entry(found: Snippet) -> Entry:
    span = found.span
    return Entry(
        id=found.id,
        selector=found.selector.text,
        view=found.view,
        path=span.path,
        first=span.first,
        last=span.last,
        digests=found.digests,
    )
