"""Python by symbol: resolve, make sure it is exactly one, let the grammar confirm it, take it apart."""

from __future__ import annotations

from dataclasses import replace

from snippetlock.model import Found, Part, Selector, Tree
from snippetlock.select.files import Reader
from snippetlock.select.grammar import check_lines, confirm
from snippetlock.select.hints import ambiguous, missing, no_module, qualified
from snippetlock.select.labels import steps
from snippetlock.select.parts import definition_part, module_part
from snippetlock.select.resolve import Missing, Target, resolve

__all__ = ["find_python"]


def find_python(tree: Tree, selector: Selector) -> Found:
    """`find` for Python."""
    reader = Reader(tree)
    module = reader.file(selector.path) if selector.path else reader.module(selector.module)
    if module is None:
        raise no_module(reader, selector)
    try:
        targets = resolve(reader, module, steps(selector.name))
    except Missing as error:
        raise missing(reader, selector, error) from None
    if len(targets) > 1:
        raise ambiguous(selector, targets)
    target = targets[0]
    return Found(
        selector=selector,
        path=target.module.path,
        text=target.module.text,
        language="python",
        part=_part(target),
        consulted=tuple(sorted(reader.consulted.items())),
    )


def _part(target: Target) -> Part:
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
