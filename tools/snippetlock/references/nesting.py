"""Decide which rows of a page are indented code, by the block rules of Python-Markdown. Pure.

Second step after `outline`. Whether four spaces mean code or the next paragraph of a list item depends on
everything before them, so this follows Python-Markdown's own order: its block processors and those of the usual
extensions (admonition, details, tabs, definition lists, footnotes, tables, generic blocks), each cut down to
what it does to indentation. Mutable nodes on purpose: the rules ask what was put into the tree last.

Linear in the text: rows are shared between the parts of a block, and where a kind of row stands is looked up,
not searched again. Containers nested deeper than `DEPTH` are one paragraph, as the renderer gives up there too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from snippetlock.references.outline import OPAQUE, TAB, Outline, Row

DEPTH = 60
_LISTS = ("ol", "ul")
_INDENT = " " * TAB


@dataclass(slots=True)
class Node:
    """An element as far as the rules ask. `rows` are those of a code block."""

    tag: str
    depth: int = 0
    children: list[Node] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def add(self, tag: str) -> Node:
        child = Node(tag, self.depth + 1)
        self.children.append(child)
        return child

    @property
    def last(self) -> Node | None:
        return self.children[-1] if self.children else None

    @property
    def last_tag(self) -> str:
        return self.children[-1].tag if self.children else ""


class _Rows:
    """Rows that several parts share, with where each kind of row stands, found when first asked."""

    __slots__ = ("kinds", "rows")

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.kinds: dict[Callable[[str], object], list[int]] = {}

    def where(self, test: Callable[[str], object]) -> list[int]:
        if test not in self.kinds:
            self.kinds[test] = [i for i, row in enumerate(self.rows) if test(row.text)]
        return self.kinds[test]


@dataclass(slots=True)
class Part:
    """Rows `start` up to, not including, `end`: one block of text without blank rows."""

    shared: _Rows
    start: int
    end: int

    @staticmethod
    def of(rows: list[Row]) -> Part:
        return Part(_Rows(rows), 0, len(rows))

    @property
    def first(self) -> str:
        return self.shared.rows[self.start].text

    def rows(self) -> list[Row]:
        return self.shared.rows[self.start:self.end]

    def find(self, test: Callable[[str], object]) -> int:
        """The first row that passes a test, or -1."""
        where = self.shared.where(test)
        index = bisect_left(where, self.start)
        return where[index] if index < len(where) and where[index] < self.end else -1

    def all(self, *tests: Callable[[str], object]) -> list[int]:
        """Every row that passes one of the tests, in order."""
        found: set[int] = set()
        for test in tests:
            where = self.shared.where(test)
            found.update(where[bisect_left(where, self.start):bisect_left(where, self.end)])
        return sorted(found)

    def part(self, start: int, end: int | None = None) -> Part:
        return Part(self.shared, start, self.end if end is None else end)

    def detab(self, start: int, width: int) -> tuple[list[Row], Part]:
        """Rows from `start` that are indented by `width`, without it; and the part behind them."""
        pad, taken = " " * width, []
        for index in range(start, self.end):
            text, line = self.shared.rows[index]
            if not text.startswith(pad):
                return taken, self.part(index)
            taken.append(Row(text[width:], line))
        return taken, self.part(self.end)


Parts = deque[Part]


@dataclass(slots=True)
class Nesting:
    """What the rules decided: code blocks in the order they were met, and the rows of each footnote."""

    code: list[tuple[str, list[Row]]] = field(default_factory=list)  # (footnote's label, rows)
    notes: dict[str, list[Part]] = field(default_factory=dict)
    held: dict[int, str] = field(default_factory=dict)  # line of the page: the footnote that holds it
    table: set[int] = field(default_factory=set)  # lines of the page that are a table's


class _State:
    """Where the rules are: the stack of list states, and what was found."""

    def __init__(self) -> None:
        self.stack: list[str] = []
        self.found = Nesting()
        self.note = ""

    def within(self, state: str, parent: Node, parts: Iterable[Part]) -> None:
        self.stack.append(state)
        self.parse(parent, deque(parts))
        self.stack.pop()

    def isstate(self, state: str) -> bool:
        return bool(self.stack) and self.stack[-1] == state

    def parse(self, parent: Node, parts: Parts) -> None:
        if parent.depth > DEPTH:
            return
        while parts:
            for rule in _RULES:
                if rule(self, parent, parts):
                    break


def nest(out: Outline) -> Nesting:
    """Apply the block rules to a page's rows."""
    state = _State()
    root = Node("div")
    _elements(state, root, out)
    for label in list(state.found.notes):
        state.note = label
        parts = state.found.notes[label]
        for part in parts:
            state.found.held.update((row.line, label) for row in part.rows())
        state.parse(Node("div"), deque(parts))
    return state.found


def _elements(state: _State, root: Node, out: Outline) -> None:
    """Feed the rows between HTML elements to the rules; an element's content has a node of its own."""
    stack, rows = [root], []

    def flush() -> None:
        state.parse(stack[-1], deque(chunks(rows)))
        rows.clear()

    for row in out.rows:
        piece = out.pieces.get(row.line) if row.text.endswith(OPAQUE) else None
        if piece is None or piece.kind == "fence" or (piece.kind == "comment" and not _flush_left(piece.prefix)):
            rows.append(row)
            continue
        flush()
        if piece.kind == "open":
            stack.append(Node("div", stack[-1].depth + 1))
        elif piece.kind == "close":
            stack.pop()
            stack[-1].add("div")
        else:
            stack[-1].add("p")
    flush()


def _flush_left(prefix: str) -> bool:
    return len(prefix) < TAB and ">" not in prefix


def chunks(rows: list[Row]) -> list[Part]:
    """Split rows at blank ones."""
    found: list[Part] = []
    shared = _Rows(list(rows))
    start = -1
    for index, row in enumerate(shared.rows):
        if row.text and start < 0:
            start = index
        elif not row.text and start >= 0:
            found.append(Part(shared, start, index))
            start = -1
    if start >= 0:
        found.append(Part(shared, start, len(shared.rows)))
    return found


# --- tests of one row ---------------------------------------------------------------------------------


def _admonition(text: str) -> bool:
    return text.startswith("!!!") and _words(text[3:])


def _words(rest: str) -> bool:
    """`note`, `note inline end`, `note "Title"`: what may follow `!!!` and `???`."""
    head, quote, title = rest.strip(" ").partition('"')
    named = bool(head.strip()) and all(c.isalnum() or c in "_- " for c in head)
    return named and (not quote or (title.rstrip(" ").endswith('"') and head.endswith(" ")))


def _details(text: str) -> bool:
    if not text.startswith("???"):
        return False
    rest = text[3:].removeprefix("+").strip(" ")
    return _words(rest) or (len(rest) > 1 and rest[0] == rest[-1] == '"')


def _tab(text: str) -> bool:
    if not text.startswith("==="):
        return False
    rest = text[3:]
    for mark in ("+!", "!+", "+", "!"):
        if rest.startswith(mark):
            rest = rest[len(mark):]
            break
    body = rest.strip(" ")
    return rest.startswith(" ") and len(body) > 1 and body[0] == body[-1] == '"'


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _slash(text: str) -> int:
    """The length of the run of slashes that opens a generic block, or 0."""
    body = text.lstrip(" ")
    run = len(body) - len(body.lstrip("/"))
    name = body[run:].partition("|")[0].strip(" ")
    fits = run >= 3 and _lead(text) < TAB and name and all(c.isalnum() or c in "_-" for c in name)
    return run if fits else 0


def _slash_end(text: str) -> int:
    body = text.strip(" ")
    return len(body) if len(body) >= 3 and not body.strip("/") and _lead(text) < TAB else 0


def _hash(text: str) -> bool:
    return text.startswith("#")


def _rule_line(text: str) -> bool:
    lead = _lead(text)
    body = text.strip(" ")
    return (
        lead < TAB and body[:1] in ("-", "_", "*") and body.count(body[0]) >= 3
        and not body.strip(body[0] + " ") and "   " not in body
    )


def _definition(text: str) -> bool:
    return _lead(text) < TAB and text.lstrip(" ").startswith(": ")


def _quote(text: str) -> bool:
    return _lead(text) < TAB and text.lstrip(" ").startswith(">")


def _footnote(text: str) -> str:
    body = text.lstrip(" ")
    label, mark, _ = body[2:].partition("]:")
    return label if body.startswith("[^") and mark and "]" not in label and _lead(text) < TAB else ""


def _reference(text: str) -> bool:
    label, mark, rest = text.lstrip(" ")[1:].partition("]:")
    return (
        _lead(text) < TAB and text.lstrip(" ").startswith("[") and bool(mark)
        and not set(label) & set("[]") and bool(rest.strip())
    )


def _item(text: str) -> int:
    """Where the content of a list item starts, or 0 for a row that is none."""
    at = _lead(text)
    if at >= TAB or at == len(text):
        return 0
    end = at
    if text[at] in "*+-":
        end = at + 1
    else:
        while end < len(text) and text[end].isdigit():
            end += 1
        if end == at or text[end:end + 1] != ".":
            return 0
        end += 1
    body = len(text) - len(text[end:].lstrip(" "))
    return body if body > end else 0


# --- the rules, by priority: each takes the first part, or says False --------------------------------------


def _container(test: Callable[[str], object], tag: str) -> Callable[[_State, Node, Parts], bool]:
    """Admonitions, details and tabs: a marked row, and what is indented below it, also after blank rows."""

    def rule(state: _State, parent: Node, parts: Parts) -> bool:
        part = parts[0]
        at = part.find(test)
        if at >= 0:
            parts.popleft()
            if at > part.start:
                state.parse(parent, deque([part.part(part.start, at)]))
            taken, rest = part.detab(at + 1, TAB)
            node = _open(parent, tag)
        else:
            target, width = _continued(parent, part.first, tag)
            if target is None:
                return False
            parts.popleft()
            taken, rest = part.detab(part.start, width)
            node = target
        if rest.start < rest.end:
            parts.appendleft(rest)
        state.parse(node, deque(chunks(taken)))
        return True

    return rule


def _open(parent: Node, tag: str) -> Node:
    if tag != "tabs":
        return parent.add(tag)
    tabs = parent.last if parent.last_tag == "tabs" and parent.last else parent.add("tabs")
    return tabs.add("tab")


def _continued(parent: Node, text: str, tag: str) -> tuple[Node | None, int]:
    """The node that an indented part after a blank row goes on with, and the indentation it loses."""
    if parent.last_tag != tag:
        return None, 0
    node = parent.last
    child = node.last if node else None
    width = 0
    while node and child and text.startswith(_INDENT * 2):
        if child.tag == "tab":
            child = child.last
        if child is None or child.tag not in ("ul", "ol", "dl"):
            break
        node = child.last
        child = node.last if node else None
        text = text[TAB:]
        width += TAB
    if node is None or not text.startswith(_INDENT):
        return None, 0
    return (node.last if node.tag == "tabs" else node), width + TAB


def _empty(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    if part.start < part.end and part.first:
        return False
    parts.popleft()
    if part.start + 1 < part.end:
        parts.appendleft(part.part(part.start + 1))
    return True


def _list_indent(items: tuple[str, ...], lists: tuple[str, ...]) -> Callable[[_State, Node, Parts], bool]:
    def rule(state: _State, parent: Node, parts: Parts) -> bool:
        part = parts[0]
        if not part.first.startswith(_INDENT) or state.isstate("detabbed"):
            return False
        if parent.tag not in items and parent.last_tag not in lists:
            return False
        parts.popleft()
        level, sibling = _level(state, parent, part.first, items, lists)
        pad = _INDENT * level
        block = [Row(row.text[len(pad):] if row.text.startswith(pad) else row.text, row.line) for row in part.rows()]
        target = sibling
        if parent.tag in items:
            target = parent.last if parent.last and parent.last_tag in lists else parent
        elif sibling.tag not in items:
            target = sibling.last if sibling.last and sibling.last_tag in items else sibling.add(items[0])
        state.within("detabbed", target, [Part.of(block)])
        return True

    return rule


def _level(
    state: _State, parent: Node, text: str, items: tuple[str, ...], lists: tuple[str, ...]
) -> tuple[int, Node]:
    wanted = _lead(text) // TAB
    level = 1 if state.isstate("list") else 0
    while wanted > level:
        child = parent.last
        if child is None or child.tag not in (*items, *lists):
            break
        if child.tag in lists:
            level += 1
        parent = child
    return level, parent


def _generic(state: _State, parent: Node, parts: Parts) -> bool:
    """`/// name | title` up to `///`: what is between is a container without indentation."""
    part = parts[0]
    at = part.find(_slash)
    if at < 0:
        return False
    parts.popleft()
    if at > part.start:
        state.parse(parent, deque([part.part(part.start, at)]))
    run = _slash(part.shared.rows[at].text)
    _, rest = part.detab(at + 1, TAB)  # its options
    node, inner, depth = parent.add("div"), deque[Part](), 0
    if rest.start < rest.end:
        parts.appendleft(rest)
    while parts:
        part = parts.popleft()
        end = -1
        for index in part.all(_slash, _slash_end):
            text = part.shared.rows[index].text
            depth += _slash(text) == run
            if _slash_end(text) == run:
                depth -= 1
                if depth < 0:
                    end = index
                    break
        if end < 0:
            inner.append(part)
            continue
        if end > part.start:
            inner.append(part.part(part.start, end))
        if end + 1 < part.end:
            parts.appendleft(part.part(end + 1))
        break
    state.within("blocks", node, inner)
    return True


def _code(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    if not part.first.startswith(_INDENT):
        return False
    parts.popleft()
    node = parent.last
    if node is None or node.tag != "pre":
        node = parent.add("pre")
        state.found.code.append((state.note, node.rows))
    taken, rest = part.detab(part.start, TAB)
    node.rows.extend(taken)
    if rest.start < rest.end:
        parts.appendleft(rest)
    return True


def _table(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    if part.end - part.start < 2 or "|" not in part.first:
        return False
    second = part.shared.rows[part.start + 1].text
    if "-" not in second or "|" not in second or second.strip("|:- "):
        return False
    state.found.table.update(row.line for row in parts.popleft().rows())
    parent.add("table")
    return True


def _alone(test: Callable[[str], object], tag: str) -> Callable[[_State, Node, Parts], bool]:
    """Headings and rules: one row anywhere in a part, with the rest of the part before and after it."""

    def rule(state: _State, parent: Node, parts: Parts) -> bool:
        part = parts[0]
        at = part.find(test)
        if at < 0:
            return False
        parts.popleft()
        if at > part.start:
            state.parse(parent, deque([part.part(part.start, at)]))
        parent.add(tag)
        if at + 1 < part.end:
            rest = part.part(at + 1)
            if tag == "h" and state.isstate("looselist"):
                rest = Part.of([Row(r.text[TAB:] if r.text.startswith(_INDENT) else r.text, r.line) for r in rest.rows()])
            parts.appendleft(rest)
        return True

    return rule


def _setext(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    if part.end - part.start < 2:
        return False
    second = part.shared.rows[part.start + 1].text.rstrip(" ")
    if not second or (second.strip("=") and second.strip("-")):
        return False
    parts.popleft()
    parent.add("h")
    if part.start + 2 < part.end:
        parts.appendleft(part.part(part.start + 2))
    return True


def _list(state: _State, parent: Node, parts: Parts) -> bool:
    if not _item(parts[0].first):
        return False
    items = _items(parts.popleft())
    if parent.last_tag in _LISTS and parent.last:
        target = parent.last
        state.within("looselist", target.add("li"), [Part.of(items.pop(0))])
    elif parent.tag in _LISTS:
        target = parent
    else:
        target = parent.add("ul")
    state.stack.append("list")
    for rows in items:
        indented = rows[0].text.startswith(_INDENT) and target.last
        state.parse(target.last if indented and target.last else target.add("li"), deque([Part.of(rows)]))
    state.stack.pop()
    return True


def _items(part: Part) -> list[list[Row]]:
    items: list[list[Row]] = []
    for row in part.rows():
        at = _item(row.text)
        if at:
            items.append([Row(row.text[at:], row.line)])
        elif TAB <= _lead(row.text) < 2 * TAB and _item(row.text[TAB:]) and not items[-1][0].text.startswith(_INDENT):
            items.append([row])
        else:
            items[-1].append(row)
    return items


def _definitions(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    at = part.find(_definition)
    if at < 0:
        return False
    sibling = parent.last
    terms = at > part.start
    if not terms and sibling is None:
        return False
    parts.popleft()
    text, line = part.shared.rows[at]
    body = text.lstrip(" ")[1:]
    body = body[min(3, _lead(body)):]
    first = part.shared.rows[at + 1].text if at + 1 < part.end else ""
    if first and _lead(first) < TAB and first.lstrip(" ")[:1] != ":":
        taken, rest = part.part(at + 1).rows(), part.part(part.end)
    else:
        taken, rest = part.detab(at + 1, TAB)
    state_name = "list"
    if not terms and sibling and sibling.tag == "p":
        state_name, terms = "looselist", True
        parent.children.pop()
    if parent.last_tag == "dl" and parent.last:
        dl = parent.last
        if not terms and dl.last_tag == "dd" and dl.last and dl.last.children:
            state_name = "looselist"
    else:
        dl = parent.add("dl")
    if terms:
        dl.add("dt")
    if rest.start < rest.end:
        parts.appendleft(rest)
    state.within(state_name, dl.add("dd"), [Part.of([Row(body, line), *taken])])
    return True


def _quotes(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    at = part.find(_quote)
    if at < 0:
        return False
    parts.popleft()
    if at > part.start:
        state.parse(parent, deque([part.part(part.start, at)]))
    node = parent.last if parent.last_tag == "blockquote" and parent.last else parent.add("blockquote")
    state.within("blockquote", node, chunks([_unquote(row) for row in part.part(at).rows()]))
    return True


def _unquote(row: Row) -> Row:
    if not _quote(row.text):
        return row
    body = row.text.lstrip(" ")[1:]
    return Row("" if not body.strip() else body.removeprefix(" "), row.line)


def _notes(state: _State, parent: Node, parts: Parts) -> bool:
    """A footnote's definition is taken out; its rows are parsed after the page."""
    part = parts[0]
    at = part.find(_footnote)
    if at < 0:
        return False
    parts.popleft()
    text, line = part.shared.rows[at]
    label = _footnote(text)
    following = part.part(at + 1)
    end = following.find(_footnote)
    stop = part.end if end < 0 else end
    rows = [Row(text.partition("]:")[2].lstrip(" "), line), *_loose(part.part(at + 1, stop))]
    note = chunks(rows)
    if end >= 0:
        parts.appendleft(part.part(end))
    else:
        note += _indented_notes(parts)
    state.found.notes[label] = note
    if at > part.start:
        parts.appendleft(part.part(part.start, at))
    return True


def _indented_notes(parts: Parts) -> list[Part]:
    taken: list[Part] = []
    while parts and parts[0].first.startswith(_INDENT):
        part = parts.popleft()
        end = part.find(_footnote)
        if end >= 0:
            if end > part.start:
                taken.append(Part.of(_loose(part.part(part.start, end))))
            parts.appendleft(part.part(end))
            break
        taken.append(Part.of(_loose(part)))
    return taken


def _loose(part: Part) -> list[Row]:
    return [Row(r.text[TAB:] if r.text.startswith(_INDENT) else r.text, r.line) for r in part.rows()]


def _references(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    at = part.find(_reference)
    if at < 0:
        return False
    parts.popleft()
    if at + 1 < part.end:
        parts.appendleft(part.part(at + 1))
    if at > part.start:
        parts.appendleft(part.part(part.start, at))
    return True


def _paragraph(state: _State, parent: Node, parts: Parts) -> bool:
    parts.popleft()
    if not state.isstate("list"):
        parent.add("p")
    return True


_RULES = (
    _container(_admonition, "admonition"),
    _container(_details, "details"),
    _container(_tab, "tabs"),
    _empty,
    _list_indent(("li",), _LISTS),
    _generic,
    _list_indent(("dd", "li"), ("dl", *_LISTS)),
    _code,
    _table,
    _alone(_hash, "h"),
    _setext,
    _alone(_rule_line, "hr"),
    _list,
    _definitions,
    _quotes,
    _notes,
    _references,
    _paragraph,
)
