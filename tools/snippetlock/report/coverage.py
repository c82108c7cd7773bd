"""Which public names the pages speak of, as HTML. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from snippetlock.records import dataclass
from snippetlock.report.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """A public module: the names that some page speaks of, and those that none does."""

    module: str
    named: tuple[str, ...]
    silent: tuple[str, ...]


def coverage_html(modules: Sequence[Covered], labels: Labels) -> str:
    """A sentence and a table, a row a module; the names that no page has are folded away."""
    named = sum(len(module.named) for module in modules)
    whole = named + sum(len(module.silent) for module in modules)
    said = labels.covered.format(named=named, whole=whole, modules=len(modules))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (labels.module, labels.named, labels.silent))
    rows = "".join(_row(module, labels) for module in modules)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="snippetlock-coverage"><p>{escape(said)}</p>{table}</div>'


def _row(module: Covered, labels: Labels) -> str:
    count = labels.counted.format(named=len(module.named), whole=len(module.named) + len(module.silent))
    named = f"{escape(count)}{'<br>' if module.named else ''}{_names(module.named, labels)}"
    cell = "<td></td>"
    if module.silent:
        folded = f"<details><summary>{len(module.silent)}</summary>{_names(module.silent, labels)}</details>"
        cell = f'<td data-label="{escape(labels.silent)}">{folded}</td>'
    return f'<tr><th scope="row"><code>{escape(module.module)}</code></th><td>{named}</td>{cell}</tr>'


def _names(names: Sequence[str], labels: Labels) -> str:
    return escape(labels.comma).join(f"<code>{escape(name)}</code>" for name in names)
