"""Which prose a change of the source concerns: what it names, and where."""

from __future__ import annotations

import pytest

from snippetlock.workflow.figures import Figure
from snippetlock.workflow.mentions import mentions, names_of
from snippetlock.workflow.pages import Page

OLD = '''def put(self, thing: str, *, at: dict[str, int] = {}) -> int:
    """Put a thing."""
    place = at["left"]
    return place
'''


@pytest.mark.parametrize(
    ("selector", "old", "new", "details", "own", "parts"),
    [
        ("kit:Shelf.put", OLD, OLD.replace("thing", "what"), (), {"put"}, {"thing"}),
        ("kit:Shelf.put", OLD, OLD.replace("Put a thing", "Lay a cup"), (), {"put"}, set()),
        ("kit:Shelf.put", OLD, OLD.replace('"left"', '"right"'), (), {"put"}, {"left"}),
        ("kit:Shelf.put", OLD, OLD, ("parameter `at` has another default: `{}` → `None`",), {"put"}, {"at"}),
        ("kit:Shelf.put", OLD, "", (), {"put"}, {"thing", "at"}),
        ("kit:Shelf", f"class Shelf(Base):\n    depth = 3\n\n    {OLD}", "", (), {"Shelf"}, {"put"}),
        ("kit:Shelf.__init__", OLD, OLD, (), set(), {"__init__"}),
        ("kit:value@setter", "x = 1\n", "y = 1\n", (), {"value"}, {"x"}),
        ("kit:f#2", "x = 1\n", "x = 1\n", (), {"f"}, set()),
        ("kit.shelf", "x = 1\n", "x = 2\n", (), {"shelf"}, set()),
        ('kit/x.yaml:a."b c"', "b: 'it there\n", "b: it\n", (), {"b"}, {"there"}),
    ],
)
def test_the_names_of_a_change(selector, old, new, details, own, parts):
    names = names_of(selector, old, new, details)

    assert (names.own, names.parts) == (own, parts)


PAGE = """# Shelves

`put` is explained below, and `thing` means something else here.

## Put

`Shelf.put(thing, at=…)` takes a `thing`; `output` is no such name, ``put ` it`` is.

```python snippet="put"
```

    `put` in indented code

<!-- `put` in a comment -->

## Later

`thing` again, and `put`.
"""


def test_a_name_counts_on_the_whole_page_its_parts_under_the_heading_of_a_use():
    page = Page(path="docs/x.md", name="x.md", language="en", text=PAGE)
    use = page.place(9, 11)
    names = names_of("kit:Shelf.put", OLD, OLD.replace("thing", "what"), ())

    found = mentions(names, (use, use), {"docs/x.md": page})

    assert [(str(one.place), one.text, one.name, one.near) for one in found] == [
        ("docs/x.md:3:1", "put", "put", False),
        ("docs/x.md:7:1", "Shelf.put(thing, at=…)", "put", True),
        ("docs/x.md:7:34", "thing", "thing", True),
        ("docs/x.md:7:69", "put ` it", "put", True),
        ("docs/x.md:18:20", "put", "put", False),
    ]
    assert mentions(names, (use,), {}) == ()
    assert mentions(names_of("kit:other", "", "", ()), (use,), {"docs/x.md": page}) == ()


def test_a_drawing_that_the_page_shows_is_prose_of_it():
    page = Page(path="docs/a.md", name="a.md", language="en", text=PAGE)
    put, later = (PAGE[: PAGE.index(text)].count("\n") + 1 for text in ("```python", "## Later"))
    svg = b'<svg><g class="code"><text>Shelf.put(thing)</text>\n<text>thing</text></g><text>put it</text></svg>'
    names = names_of("kit:Shelf.put", OLD, OLD.replace("thing", "what"), ())

    def drawn(line):
        uses = (page.place(put), page.place(put))
        found = mentions(names, uses, {page.path: page}, lambda page: (Figure(path="docs/a.svg", line=line, data=svg),))
        return [(str(one.place), one.name, one.near) for one in found if one.place.path == "docs/a.svg"]

    assert drawn(put) == [("docs/a.svg:1:28", "put", True), ("docs/a.svg:2:7", "thing", True)]
    assert drawn(later) == [("docs/a.svg:1:28", "put", False)]
    assert not any(one.place.path == "docs/a.svg" for one in mentions(names, (page.place(put),), {page.path: page}))
