"""The block rules for what holds other blocks: admonitions, tabs, lists, definitions, quotes, footnotes. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from snippetlock.references.lines import INDENT, TAB
from snippetlock.references.marks import definition, footnote, item, lead, quote, slash, slash_end
from snippetlock.references.outline import Row
from snippetlock.references.parts import Node, Part, Parts, Rule, State, chunks

_LISTS = ("ol", "ul")


def container(test: Callable[[str], object], tag: str) -> Rule:
    """Admonitions, details and tabs: a marked row, and what is indented below it, also after blank rows."""

    def rule(state: State, parent: Node, parts: Parts) -> bool:
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


def list_indent(items: tuple[str, ...], lists: tuple[str, ...]) -> Rule:
    def rule(state: State, parent: Node, parts: Parts) -> bool:
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


def _level(state: State, parent: Node, text: str, items: tuple[str, ...], lists: tuple[str, ...]) -> tuple[int, Node]:
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


def generic(state: State, parent: Node, parts: Parts) -> bool:
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


def items_of_list(state: State, parent: Node, parts: Parts) -> bool:
    """A list's items, each with the rows that belong to it; they go on with the list before them."""
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


def definitions(state: State, parent: Node, parts: Parts) -> bool:
    """Terms, and below them what they mean."""
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


def quotes(state: State, parent: Node, parts: Parts) -> bool:
    """From the first row with `>` on, what it quotes."""
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


def notes(state: State, parent: Node, parts: Parts) -> bool:
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
