"""Put the library's families and ops in the place of a marker: `<!-- tileops: families -->`, `<!-- tileops: ops -->`.

A marker stands alone on its line, in both languages of a page. What comes for it is Markdown in tables of HTML, and no
block of code, so there is nothing in it that a proof of the site would have to look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape

from snippetlock.errors import ConfigError
from tileops_site.catalogue import Family, Op

_MARKER = re.compile(r"^<!--[ \t]*tileops:[ \t]*([\w-]*)[ \t]*-->[ \t]*$", re.M)
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "family": "Family",
        "count": "Ops",
        "backward": "of these, backward",
        "composed": "made of ops",
        "total": "{families} families",
        "op": "Op",
        "params": "Constructed with",
        "call": "Called with → returns",
    },
    "zh": {
        "family": "family",
        "count": "op 数",
        "backward": "其中反向",
        "composed": "由 op 组成",
        "total": "共 {families} 个 family",
        "op": "op",
        "params": "构造参数",
        "call": "调用参数 → 返回",
    },
}


def marked(markdown: str) -> tuple[str, ...]:
    """The names of the markers in a page, in order."""
    return tuple(_MARKER.findall(markdown))


def placed(markdown: str, families: Sequence[Family], language: str) -> str:
    """The page with its markers replaced. Raises `ConfigError` for a name that no marker has."""
    return _MARKER.sub(lambda found: _made(found[1], families, _WORDS[language]), markdown)


def _made(name: str, families: Sequence[Family], words: Mapping[str, str]) -> str:
    makers: Mapping[str, Callable[[Sequence[Family], Mapping[str, str]], str]] = {
        "families": _families,
        "ops": _ops,
    }
    if name not in makers:
        raise ConfigError(f"unknown marker `tileops: {name}`", mend=f"one of {', '.join(sorted(makers))} is meant")
    return makers[name](families, words)


def _families(families: Sequence[Family], words: Mapping[str, str]) -> str:
    rows = [(f"[`{family.name}`](#ops-{family.name})", *_counts(family.ops)) for family in families]
    every = [op for family in families for op in family.ops]
    rows.append((words["total"].format(families=len(families)), *_counts(every)))
    head = (words["family"], words["count"], words["backward"], words["composed"])
    return _table("site-families", head, rows)


def _counts(ops: Sequence[Op]) -> tuple[str, str, str]:
    backward = sum(op.name.endswith("BwdOp") for op in ops)
    composed = sum(op.composed for op in ops)
    return str(len(ops)), str(backward or ""), str(composed or "")


def _ops(families: Sequence[Family], words: Mapping[str, str]) -> str:
    head = (words["op"], words["params"], words["call"])
    parts = []
    for family in families:
        parts.append(f"### `{family.name}` {{ #ops-{family.name} }}")
        parts.append(_table("site-ops", head, [_row(op) for op in family.ops]))
    return "\n\n".join(parts)


def _row(op: Op) -> tuple[str, str, str]:
    returned = ", ".join(op.outputs)
    return f"`{op.name}`", _code(op.params), f"{_code(op.inputs or '()')} → {_code(returned or 'None')}"


def _code(text: str) -> str:
    return f"<code>{escape(text, quote=False)}</code>" if text else ""


def _table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table on lines of its own. The first cell of a row is its heading, in Markdown; others know their column."""
    lines = [f'<div class="{name}" markdown="1">', '<table markdown="1">', "<thead>", "<tr>"]
    lines += [f'<th scope="col">{title}</th>' for title in head]
    lines += ["</tr>", "</thead>", '<tbody markdown="1">']
    for first, *rest in rows:
        cells = "".join(f'<td data-label="{head[at]}">{cell}</td>' for at, cell in enumerate(rest, 1))
        lines.append(f'<tr markdown="1"><th scope="row" markdown="span">{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])
