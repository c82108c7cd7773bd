"""What `fix` mended, and what it could not, for people."""

from __future__ import annotations

from collections.abc import Iterator

from snippetlock.moves import Fixed, Mend
from snippetlock.report.drift import candidate_line, paint, score
from snippetlock.report.text import quantity

__all__ = ["format_fix_text"]


def format_fix_text(fixed: Fixed, *, color: bool = False) -> str:
    """A paragraph for each definition that finds nothing, then what was written. Ends in an end of line."""
    if not fixed.mends:
        return f"nothing to mend: {quantity(fixed.snippets, 'snippets')}, and every selector finds something\n"
    parts = [f"{fixed.against}\n"]
    parts += ["".join(f"{line}\n" for line in _paragraph(mend, fixed, color)) for mend in fixed.mends]
    return "\n".join([*parts, paint(_closing(fixed), "1;31" if fixed.exit else "32", color) + "\n"])


def _paragraph(mend: Mend, fixed: Fixed, color: bool) -> Iterator[str]:
    what = ("to mend" if fixed.dry else "mended") if mend.selector else "left"
    style = "32" if mend.selector else "1;31"
    yield f"{paint(what, style, color)}  {paint(mend.snippet, '1', color)}  {mend.place}"
    if mend.selector:
        yield f"  source: {mend.before} -> {mend.selector}"
    yield f"  {mend.problem}"
    yield from (f"  candidate: {candidate_line(one)}" for one in mend.candidates)
    if mend.near:
        yield f"  named alike: {', '.join(mend.near)}"
    if mend.uses:
        yield f"  shown by: {', '.join(map(str, mend.uses))}"
    yield from (f"  prose: {one.place} `{one.text}`" for one in mend.mentions)
    if not mend.selector:
        yield f"  {paint('mend:', '36', color)} {_advice(mend, fixed)}"


def _advice(mend: Mend, fixed: Fixed) -> str:
    if mend.candidates:
        best = mend.candidates[0]
        if mend.unsure:
            return f"look at it, `snippetlock show {best.selector}`, and write the right one into the definition"
        return f"write the right one into the definition, or take {best.selector}: --score {score(best)}"
    if mend.near:
        return "`snippetlock show SELECTOR` tries one; write the right one into the definition"
    if not mend.compared:
        return (
            "find where it is now and write that into the definition; if it is gone, quote something else, or delete it"
        )
    return "quote something else, or delete its directives and its definition"


def _closing(fixed: Fixed) -> str:
    mended = sum(bool(mend.selector) for mend in fixed.mends)
    left = len(fixed.mends) - mended
    said = f"{quantity(mended, 'selectors')} {'to mend' if fixed.dry else 'mended'}, {left} left"
    if fixed.written:
        said += f"; wrote {', '.join(fixed.written)}; now `snippetlock check` says what else differs"
    return f"{said}; nothing was written" if not fixed.written else said
