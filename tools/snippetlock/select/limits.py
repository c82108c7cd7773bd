"""What is refused before any parser sees it: what no Python reads, and what would end the process inside libcst."""

from __future__ import annotations

from snippetlock.errors import ELSEWHERE, SourceError
from snippetlock.select.skim import Skim
from snippetlock.text import line_at
from snippetlock.tokens import tokenize

__all__ = ["check_lines"]

# Python's own limits (MAXLEVEL, MAXINDENT in its tokenizer). libcst has none, and ends the process beyond its stack.
_BRACKETS, _INDENTS = 200, 100
# How many tokens may hang together with no comma between: each can be one more level of libcst's recursion.
_CHAIN = 1500
_SMALLER = "select something that does not hold it"


def check_lines(skim: Skim, lines: range, path: str) -> None:
    """Raise `SourceError` for what no Python reads, and for what would end the process inside libcst."""
    text = skim.text
    first, last = (line_at(text, skim.codes[lines[0]]), line_at(text, skim.ends[lines[-1]] - 1)) if lines else (1, 0)
    for fault in skim.faults:
        if fault.line is not None and first <= fault.line <= last:
            raise SourceError(fault.what, path=path, line=fault.line, mend=fault.mend)
    null = text.find("\0", skim.codes[lines[0]], skim.ends[lines[-1]]) if lines else -1
    if null >= 0:
        raise SourceError("a null character stands here", path=path, line=line_at(text, null), mend=ELSEWHERE)
    open_columns: list[int] = []
    elifs = 0
    for i in lines:
        column = skim.columns[i]
        if not open_columns or column > open_columns[-1]:
            open_columns.append(column)
        while column < open_columns[-1] and len(open_columns) > 1:
            open_columns.pop()
        if column != open_columns[-1]:
            raise _fault(skim, i, "this line's indentation matches no line above", ELSEWHERE, path)
        if len(open_columns) >= _INDENTS:
            raise _fault(skim, i, f"this is indented more than {_INDENTS} levels deep", _SMALLER, path)
        elifs += text.startswith("elif", skim.codes[i])
        if elifs > _CHAIN:
            raise _fault(skim, i, f"more than {_CHAIN} branches hang together here", _SMALLER, path)
        if _may_nest(text, skim.codes[i], skim.ends[i]):
            _check_depth(skim, i, path)


def _may_nest(text: str, start: int, end: int) -> bool:
    """Whether a line can be refused at all: no depth is more than its opening brackets, no chain than its letters."""
    length = end - start
    return length > _CHAIN or (
        length > _BRACKETS and sum(text.count(bracket, start, end) for bracket in "([{") >= _BRACKETS
    )


def _check_depth(skim: Skim, line: int, path: str) -> None:
    """Raise when brackets, fields or operators of this logical line nest too deeply."""
    text = skim.text
    chains = [0]
    total = 0
    for token in tokenize(text, skim.codes[line], skim.ends[line]):
        piece = text[token.start] if token.end - token.start == 1 else ""
        if token.kind == "string" and text.count("{", token.start, token.end) > _BRACKETS:
            raise _fault(skim, line, f"a string here has more than {_BRACKETS} replacement fields", _SMALLER, path)
        if piece and piece in "([{":
            chains.append(0)
        elif piece and piece in ")]}" and len(chains) > 1:
            total -= chains.pop()
        elif piece in (",", ";"):
            total -= chains[-1]
            chains[-1] = 0
        chains[-1] += 1
        total += 1
        if len(chains) > _BRACKETS:
            raise _fault(skim, line, f"brackets here are more than {_BRACKETS} deep", _SMALLER, path)
        if total > _CHAIN:
            raise _fault(
                skim, line, f"more than {_CHAIN} terms hang together here with no comma between", _SMALLER, path
            )


def _fault(skim: Skim, line: int, what: str, mend: str, path: str) -> SourceError:
    return SourceError(what, path=path, line=line_at(skim.text, skim.codes[line]), mend=mend)
