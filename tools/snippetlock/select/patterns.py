"""Patterns: Python with holes, compared by structure. A pattern is an expression, a statement, or a statement's head.

`$name` stands for one expression, or a name where only a name can stand; where it is there twice, both are the
same. `$_` stands for any one. `$*name` and `$*_` stand for several: arguments, elements, parameters, statements.
Names in the text of strings are not looked at. What a head leaves out (what follows the name of a `def` or a
`class`, an annotation of what is returned, the body) may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from snippetlock.errors import SourceError, ViewError
from snippetlock.records import dataclass
from snippetlock.select.blocks import Statement, full_tree, own_trees, statements_of
from snippetlock.select.forms import ANY, AUGMENTED, HEADS, KEYWORD, head, simple
from snippetlock.select.matching import fits, outermost, stars
from snippetlock.select.words import NONE, Node, Odd, words
from snippetlock.text import NEWLINE, normalise

__all__ = ["Hit", "Pattern", "hits", "parse_pattern"]

_LONGEST = 4_000  # characters
_DEEPEST = 60  # levels of a pattern's tree
_HOLES = "`$name` or `$_` is one expression, `$*name` or `$*_` several"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A pattern read. `statement` says that it is no bare expression; `whole` that it says what its body is."""

    text: str
    node: Node
    statement: bool
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """What a pattern fits: the statement that it is, or that holds it, and the fitting code's offsets."""

    statement: Statement
    start: int
    end: int


def parse_pattern(text: str) -> Pattern:
    """Read a pattern. Raises `ViewError`, with the place in the pattern as evidence."""
    text = normalise(text).strip("\n")
    if len(text) > _LONGEST:
        raise ViewError(f"a pattern has {len(text)} characters", mend=f"write at most {_LONGEST}")
    try:
        pattern = _read(text)
        _check_depth(pattern.node)
        _check_guesses(pattern.node)
    except Odd as error:
        raise _malformed(text, error.what, error.offset) from None
    except SourceError as error:
        raise _malformed(text, error.what, _fault_at(text, error.line or 1)) from None
    return pattern


def hits(pattern: Pattern, statements: Iterable[Statement], *, open_end: bool = False) -> list[Hit]:
    """What fits, in order. An expression inside another one that fits does not count again.

    With `open_end` a simple statement may go on where the pattern ends, with calls, indexes and attributes.
    """
    found = []
    names = sorted(_names(pattern.node), key=len, reverse=True)
    for statement in statements:
        text = statement.skim.text
        end = statement.skim.ends[statement.last] if pattern.whole else statement.end
        if any(text.find(name, statement.first, end) < 0 for name in names):
            continue  # most statements: what is not there need not be read
        if pattern.statement:
            tree = full_tree(statement) if pattern.whole else _alone(own_trees(statement)[-1])
            trees = _shorter(tree) if open_end and not statement.head else iter([tree])
            if any(fits(pattern.node, one, {}) for one in trees):
                found.append(Hit(statement=statement, start=statement.start, end=statement.end))
        else:
            for tree in own_trees(statement):
                places = outermost(pattern.node, tree)
                found += [Hit(statement=statement, start=place.start, end=place.end) for place in places]
    return found


def _names(node: Node) -> set[str]:
    """The names that stand in whatever fits."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        kind, _, name = one.label.partition(" ")
        if kind in ("name", "id"):
            found.update(filter(None, name.split(".")))  # `a . b` is a module's name too
        waiting += one.parts
    return found


def _shorter(tree: Node) -> Iterator[Node]:
    """The statement without the last of its calls, indexes and attributes, without the last two, and so on."""
    own = tree.parts[0]
    while own.parts and (last := own.parts[-1]).label in ("call", "subscript", "attribute"):
        own = own._replace(parts=(*own.parts[:-1], last.parts[0]))
        yield tree._replace(parts=(own, *tree.parts[1:]))


def _alone(tree: Node) -> Node:
    return Node("statement", (tree, NONE, NONE), tree.start, tree.end)


def _read(text: str) -> Pattern:
    found = statements_of(text)
    code = len(text) - len(text.lstrip())
    if text[code:].startswith("@"):
        raise Odd("a decorator is no statement: name what it decorates", code)
    if not found:
        if not text.strip() or text[code] == "#":
            raise Odd("there is no code in it", 0)
        words(text, code, len(text), holes=True)  # raises for a string that is not closed
        raise Odd("this cannot be read", code)
    if found[0].skim.faults:
        fault = found[0].skim.faults[0]
        raise Odd(fault.what, _fault_at(found[0].skim.text, fault.line or 1))
    stray = next((s for s in found if s.above and s.block is not s.above.body), None)
    if stray:
        raise Odd("this is indented below what has a body, or can have none", stray.start)
    top = [s for s in found if s.above is None]
    if _is_open_head(text, top[0]):
        node = head(words(text, code, len(text), holes=True), len(text), pattern=True)
        return Pattern(text=text, node=_statement(node), statement=True, whole=False)
    second = next((s for s in top[1:] if s.leader is not top[0]), None)
    if second:
        raise Odd("a second statement: a pattern is one", second.start)
    if top[0].head:
        node = _full(top[0])
        return Pattern(text=text, node=node, statement=True, whole=node.parts[1:] != (ANY, ANY))
    node = _own(top[0])
    if node.label == "several" or node.label[:1] == "$":
        raise Odd(f"{text.strip()!r} alone is like everything", code)
    is_statement = node.label in _STATEMENTS
    return Pattern(text=text, node=_statement(node) if is_statement else node, statement=is_statement, whole=False)


_STATEMENTS = AUGMENTED | {*KEYWORD, "type", "=", "annotated"}


def _is_open_head(text: str, first: Statement) -> bool:
    """Whether the pattern is a head without its colon, as in `def call` and `for $x in $*_`.

    `match` and `case` are names where what follows could follow a name: with a colon at the end they are heads.
    """
    every = [word.text for word in words(text, first.start, len(text), holes=True)]
    word = every[1] if every[0] == "async" and len(every) > 1 else every[0]
    if first.head or word not in HEADS:
        return False
    return word not in ("match", "case") or every[-1] == ":" or (len(every) > 1 and every[1] not in _AFTER_NAME)


_AFTER_NAME = (
    frozenset("= . ( [ , : := + - * / // % @ & | ^ << >> ** == != < > <= >= if and or in is not".split())  # noqa: SIM905
    | AUGMENTED
)


def _own(statement: Statement) -> Node:
    text = statement.skim.text
    every = words(text, statement.start, statement.end, holes=True)
    return head(every, statement.end, pattern=True) if statement.head else simple(every, statement.end)


def _statement(node: Node, body: Node = ANY, clauses: Node = ANY) -> Node:
    return Node("statement", (node, body, clauses), node.start, node.end)


def _full(statement: Statement) -> Node:
    """The tree of a pattern's statement: without a body it may have any, without clauses too."""
    node = _own(statement)
    if not statement.head:
        if node.label == "several":
            return node.parts[0]
        return node if node.label[:1] == "$" else _statement(node)
    inside = tuple(_full(s) for s in statement.body if s.leader is None)
    clauses = tuple(map(_full, statement.clauses))
    return _statement(
        node, Node("body", inside, 0, 0) if inside else ANY, Node("clauses", clauses, 0, 0) if clauses else ANY
    )


def _fault_at(text: str, line: int) -> int:
    starts = [0, *(found.end() for found in NEWLINE.finditer(text))]
    return starts[line - 1]


def _malformed(text: str, what: str, offset: int) -> ViewError:
    """The error with the line of the pattern and a caret below the place."""
    start = text.rfind("\n", 0, offset) + 1
    stop = text.find("\n", offset)
    line = text[start : stop if stop >= 0 else len(text)]
    caret = "".join(c if c == "\t" else " " for c in line[: offset - start]) + "^"
    return ViewError(f"{text!r} is no pattern: {what}", evidence=(line, caret), mend=f"write Python; {_HOLES}")


def _check_depth(node: Node) -> None:
    level = [node]
    for _ in range(_DEEPEST):
        level = [part for one in level for part in one.parts]
        if not level:
            return
    raise Odd(f"this is nested more than {_DEEPEST} levels deep", level[0].start)


def _check_guesses(node: Node) -> None:
    """Refuse a name whose place between two `$*` is open, and that stands elsewhere too: which one was meant?"""
    first: dict[str, int | None] = {}
    counter = iter(range(1_000_000))

    def visit(one: Node, within: tuple[int, ...]) -> None:
        label = one.label
        if label[:1] == "$" and label not in ("$_", "$*_"):
            if label not in first:
                first[label] = within[-1] if within else None
            elif first[label] is not None and first[label] not in within:
                what = f"{label!r} stands between two `$*`, and elsewhere: which one it is would be a guess"
                raise Odd(what, one.start)
        for part, free in _in_order(one.parts, counter):
            visit(part, (*within, free) if free is not None else within)

    visit(node, ())


def _in_order(parts: Sequence[Node], counter: Iterator[int]) -> Iterator[tuple[Node, int | None]]:
    """The parts in the order in which they are compared; a number for those whose place is open."""
    holes = stars(parts)
    if len(holes) < 2:
        yield from ((part, None) for i, part in enumerate(parts) if i not in holes)
        yield from ((parts[i], None) for i in holes)
        return
    yield from ((part, None) for part in (*parts[: holes[0]], *parts[holes[-1] + 1 :]))
    for hole, following in zip(holes, [*holes[1:], holes[-1] + 1], strict=True):
        yield parts[hole], next(counter)
        free = next(counter)
        yield from ((part, free) for part in parts[hole + 1 : following])
