"""Decide which rows of a page are indented code, by the block rules of Python-Markdown. Pure.

Second step after `outline`. Whether four spaces mean code or the next paragraph of a list item depends on
everything before them, so this follows Python-Markdown's own order: its block processors and those of the usual
extensions (admonition, details, tabs, definition lists, footnotes, tables, generic blocks), each cut down to
what it does to indentation.

Linear in the text: rows are shared between the parts of a block, and where a kind of row stands is looked up,
not searched again. Containers nested deeper than `DEPTH` are one paragraph, as the renderer gives up there too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from snippetlock.references.marks import (
    admonition,
    definition,
    details,
    footnote,
    heading,
    item,
    lead,
    quote,
    reference,
    rule_line,
    slash,
    slash_end,
    tab,
)
from snippetlock.references.outline import INDENT, OPAQUE, TAB, Outline, Row
from snippetlock.references.parts import Node, Part, chunks

DEPTH = 60
_LISTS = ("ol", "ul")

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
    stack = [root]
    rows: list[Row] = []

    def flush() -> None:
        state.parse(stack[-1], deque(chunks(rows)))
        rows.clear()

    for row in out.rows:
        piece = out.pieces.get(row.line) if row.text.endswith(OPAQUE) else None
        if piece is None or piece.kind == "fence" or (piece.prefix and piece.kind not in ("open", "close")):
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
    while node and child and text.startswith(INDENT * 2):
        if child.tag == "tab":
            child = child.last
        if child is None or child.tag not in ("ul", "ol", "dl"):
            break
        node = child.last
        child = node.last if node else None
        text = text[TAB:]
        width += TAB
    if node is None or not text.startswith(INDENT):
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
        if not part.first.startswith(INDENT) or state.isstate("detabbed"):
            return False
        if parent.tag not in items and parent.last_tag not in lists:
            return False
        parts.popleft()
        level, sibling = _level(state, parent, part.first, items, lists)
        pad = INDENT * level
        block = [Row(row.text[len(pad) :] if row.text.startswith(pad) else row.text, row.line) for row in part.rows()]
        target = sibling
        if parent.tag in items:
            target = parent.last if parent.last and parent.last_tag in lists else parent
        elif sibling.tag not in items:
            target = sibling.last if sibling.last and sibling.last_tag in items else sibling.add(items[0])
        state.within("detabbed", target, [Part.of(block)])
        return True

    return rule


def _level(state: _State, parent: Node, text: str, items: tuple[str, ...], lists: tuple[str, ...]) -> tuple[int, Node]:
    wanted = lead(text) // TAB
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
    at = part.find(slash)
    if at < 0:
        return False
    parts.popleft()
    if at > part.start:
        state.parse(parent, deque([part.part(part.start, at)]))
    run = slash(part.shared.rows[at].text)
    _, rest = part.detab(at + 1, TAB)  # its options
    node, inner, depth = _generic_node(parent, part.shared.rows[at].text), deque[Part](), 0
    if rest.start < rest.end:
        parts.appendleft(rest)
    while parts:
        part = parts.popleft()
        end = -1
        for index in part.all(_slashes):
            text = part.shared.rows[index].text
            depth += slash(text) == run
            if slash_end(text) == run:
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


def _generic_node(parent: Node, text: str) -> Node:
    """Generic blocks leave the elements of the older syntax behind, and indented text goes on in those."""
    name = text.strip("/ ").partition("|")[0].strip()
    return parent.add({"details": "details", "tab": "div", "html": "div", "definition": "div"}.get(name, "admonition"))


def _slashes(text: str) -> bool:
    return bool(slash(text) or slash_end(text))


def _code(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    if not part.first.startswith(INDENT):
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
                rest = Part.of(
                    [Row(r.text[TAB:] if r.text.startswith(INDENT) else r.text, r.line) for r in rest.rows()]
                )
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
    if not item(parts[0].first):
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
        indented = rows[0].text.startswith(INDENT) and target.last
        state.parse(target.last if indented and target.last else target.add("li"), deque([Part.of(rows)]))
    state.stack.pop()
    return True


def _items(part: Part) -> list[list[Row]]:
    items: list[list[Row]] = []
    for row in part.rows():
        at = item(row.text)
        if at:
            items.append([Row(row.text[at:], row.line)])
        elif TAB <= lead(row.text) < 2 * TAB and item(row.text[TAB:]) and not items[-1][0].text.startswith(INDENT):
            items.append([row])
        else:
            items[-1].append(row)
    return items


def _definitions(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    at = part.find(definition)
    if at < 0:
        return False
    sibling = parent.last
    terms = at > part.start
    if not terms and sibling is None:
        return False
    parts.popleft()
    text, line = part.shared.rows[at]
    body = text.lstrip(" ")[1:]
    body = body[min(3, lead(body)) :]
    first = part.shared.rows[at + 1].text if at + 1 < part.end else ""
    if first and lead(first) < TAB and first.lstrip(" ")[:1] != ":":
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
    at = part.find(quote)
    if at < 0:
        return False
    parts.popleft()
    if at > part.start:
        state.parse(parent, deque([part.part(part.start, at)]))
    node = parent.last if parent.last_tag == "blockquote" and parent.last else parent.add("blockquote")
    state.within("blockquote", node, chunks([_unquote(row) for row in part.part(at).rows()]))
    return True


def _unquote(row: Row) -> Row:
    if not quote(row.text):
        return row
    body = row.text.lstrip(" ")[1:]
    return Row("" if not body.strip() else body.removeprefix(" "), row.line)


def _notes(state: _State, parent: Node, parts: Parts) -> bool:
    """A footnote's definition is taken out; its rows are parsed after the page."""
    part = parts[0]
    at = part.find(footnote)
    if at < 0:
        return False
    parts.popleft()
    text, line = part.shared.rows[at]
    label = footnote(text)
    following = part.part(at + 1)
    end = following.find(footnote)
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
    while parts and parts[0].first.startswith(INDENT) and not parts[0].apart:
        part = parts.popleft()
        end = part.find(footnote)
        if end >= 0:
            if end > part.start:
                taken.append(Part.of(_loose(part.part(part.start, end))))
            parts.appendleft(part.part(end))
            break
        taken.append(Part.of(_loose(part)))
    return taken


def _loose(part: Part) -> list[Row]:
    return [Row(r.text[TAB:] if r.text.startswith(INDENT) else r.text, r.line) for r in part.rows()]


def _references(state: _State, parent: Node, parts: Parts) -> bool:
    part = parts[0]
    at = part.find(reference)
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
    _container(admonition, "admonition"),
    _container(details, "details"),
    _container(tab, "tabs"),
    _empty,
    _list_indent(("li",), _LISTS),
    _generic,
    _list_indent(("dd", "li"), ("dl", *_LISTS)),
    _code,
    _table,
    _alone(heading, "h"),
    _setext,
    _alone(rule_line, "hr"),
    _list,
    _definitions,
    _quotes,
    _notes,
    _references,
    _paragraph,
)
