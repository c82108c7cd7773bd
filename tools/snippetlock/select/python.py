"""Python by symbol: resolve, make sure it is exactly one, let the grammar confirm it, take it apart."""

from __future__ import annotations

from snippetlock.model import Found, Part, Selector, Tree, View
from snippetlock.records import dataclass, replace
from snippetlock.select.files import Reader
from snippetlock.select.grammar import confirm
from snippetlock.select.hints import ambiguous, missing, no_module, qualified
from snippetlock.select.labels import steps
from snippetlock.select.limits import check_lines
from snippetlock.select.parts import definition_part, module_part
from snippetlock.select.resolve import Missing, Target, resolve
from snippetlock.text import line_at

__all__ = ["Located", "Spot"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a definition stands: `text` is all that can matter to how it is taken apart and shown, from `line` on.

    `what` says which of the text's definitions it is. The same in both, and it is shown alike, wherever it stands.
    """

    path: str
    line: int
    what: tuple[str, ...]
    text: str


class Located:
    """Where what a selector names is: `spot` says it, `found` takes it apart. Raises what `find` raises."""

    def __init__(self, tree: Tree, selector: Selector) -> None:
        self._selector = selector
        self._reader = Reader(tree)
        self._target = _target(self._reader, selector)

    def spot(self, view: View) -> Spot | None:
        """None where its text alone does not say how it is taken apart and shown: imports stand elsewhere."""
        return None if view.imports else _spot(self._target)

    def found(self) -> Found:
        target = self._target
        return Found(
            selector=self._selector,
            path=target.module.path,
            text=target.module.text,
            language="python",
            part=_part(target),
            consulted=tuple(sorted(self._reader.consulted.items())),
        )


def _spot(target: Target) -> Spot | None:
    skim = target.module.outline.skim
    if not target.way or skim.faults:
        return None
    definition = target.way[-1]
    statement = definition.statement
    if statement.start != skim.codes[statement.line]:  # it shares a line with the header before it
        return None
    # With the comments around it, for they can belong to it; in the first two lines some never do.
    start = skim.ends[statement.first - 1] if statement.first else 0
    end = skim.starts[statement.stop] if statement.stop < len(skim.starts) else len(skim.text)
    line = line_at(skim.text, start)
    label = qualified(target).rpartition(".")[2]
    what = (definition.kind, definition.name, label, str(min(line, 3)))
    return Spot(target.module.path, line, what, skim.text[start:end])


def _target(reader: Reader, selector: Selector) -> Target:
    module = reader.file(selector.path) if selector.path else reader.module(selector.module)
    if module is None:
        raise no_module(reader, selector)
    try:
        targets = resolve(reader, module, steps(selector.name))
    except Missing as error:
        raise missing(reader, selector, error) from None
    if len(targets) > 1:
        raise ambiguous(selector, targets)
    return targets[0]


def _part(target: Target) -> Part:
    parts = target.module.outline.parts
    if target.way not in parts:
        parts[target.way] = _judged(target)
    return parts[target.way]


def _judged(target: Target) -> Part:
    """What was found, taken apart, and confirmed by the grammar."""
    outline, path = target.module.outline, target.module.path
    skim = outline.skim
    if not target.way:
        lines = range(len(skim.starts))
        check_lines(skim, lines, path)
        part = module_part(outline)
        confirm(skim, lines, -1, part.members, path)
        return part
    definition = target.way[-1]
    statement = definition.statement
    lines = range(statement.first, statement.stop)
    check_lines(skim, lines, path)
    part = definition_part(outline, definition, qualified(target).rpartition(".")[2])
    inline = -1 if statement.start == skim.codes[statement.line] else statement.start
    parts = [part]
    if definition.kind == "attribute":  # the grammar sees all names that the line binds
        scope = outline.around(target.way)
        parts = [replace(part, name=d.name) for d in outline.definitions(scope) if d.statement == statement]
    confirm(skim, lines, inline, parts, path)
    return part
