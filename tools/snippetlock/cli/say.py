"""What commands say when they did what was asked. Findings and errors are said by `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snippetlock.report.text import quantity, table
from snippetlock.text import line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from snippetlock.model import Snippet
    from snippetlock.source import PinStatus
    from snippetlock.workflow import Accepted, Added, Shown, Started, UpdateResult
    from snippetlock.workflow.recording import Recorded
    from snippetlock.workflow.unheld import Unheld

_LONGEST = 60  # characters that a table shows of a line
_GREEN, _RED, _CYAN, _BOLD, _OFF = "\x1b[32m", "\x1b[31m", "\x1b[36m", "\x1b[1m", "\x1b[0m"


def updated(result: UpdateResult, color: bool) -> str:
    """What was accepted, old against new, and what was dropped."""
    if not result.written:
        return f"nothing to do: {quantity(result.kept, 'snippets')} as accepted\n"
    lines = [line for accepted in result.accepted for line in _accepted(accepted, color)]
    lines += [f"dropped {name}: no longer defined" for name in result.dropped]
    lines += result.notes
    counts = f"accepted {quantity(len(result.accepted), 'snippets')}, dropped {len(result.dropped)}, kept {result.kept}"
    return "".join(f"{line}\n" for line in [*lines, counts])


def _accepted(accepted: Accepted, color: bool) -> list[str]:
    head = f"accepted {accepted.id}: {accepted.what}, {accepted.where}"
    styles = {"+": _GREEN, "-": _RED, "@": _CYAN} if color else {}
    body = [f"    {styles[line[0]]}{line}{_OFF}" if line[:1] in styles else f"    {line}" for line in accepted.lines]
    return [f"{_BOLD}{head}{_OFF}" if color else head, *body]


def recorded(done: Recorded, color: bool, *, wrong: bool) -> str:
    """What came of a run, and what it said otherwise than before; of one that is `wrong`, how to mend it."""
    styles = {"+": _GREEN, "-": _RED, "@": _CYAN} if color else {}
    head = f"{done.id}: {done.what}"
    lines = [f"{_BOLD}{head}{_OFF}" if color else head]
    lines += [f"    {styles[line[0]]}{line}{_OFF}" if line[:1] in styles else f"    {line}" for line in done.lines]
    if wrong:
        lines.append(f"{_CYAN}  mend: {_OFF}{done.mend}" if color else f"  mend: {done.mend}")
    return "".join(f"{line}\n" for line in lines)


def shown(found: Shown, color: bool) -> str:
    """A snippet under its caption, each line with its number in the file; `>` marks a highlighted one."""
    return _caption(found.snippet, found.pin, color) + _numbered(found.snippet, color) + _fits(found.fits)


def _fits(count: int) -> str:
    """What `match` took, where nothing says how many it should: a change of their number would pass."""
    said = f"\n`match` fits {quantity(count, 'statements')}; `count: {count}` (`--count {count}`) holds it to that\n"
    return said if count else ""


def added(found: Added, color: bool) -> str:
    """The snippet, where its definition went, and how a page asks for it."""
    snippet = found.snippet
    verb = "wrote" if found.created else "added to"
    return (
        _caption(snippet, found.pin, color)
        + _numbered(snippet, color)
        + _fits(found.fits)
        + f"\n{verb} {found.path}, and accepted into the lock. A page shows it with:\n\n"
        + f'```{snippet.language} snippet="{snippet.id}"\n```\n'
    )


def unheld(blocks: Sequence[Unheld], allowed: int | None) -> str:
    """Every block that nothing holds, and how many there are and may be; `allowed` is None for any number."""
    rows = [(str(one.place), one.language or "-", str(one.lines), _begun(one.first)) for one in blocks]
    listed = table(("PLACE", "LANGUAGE", "LINES", "BEGINS"), rows) + "\n" if rows else ""
    pages = len({one.place.path for one in blocks})
    said = f"{quantity(len(blocks), 'unheld blocks')} on {quantity(pages, 'pages')}"
    may = 'unheld = "any"' if allowed is None else f"unheld = {allowed}"
    return f"{listed}{said}; {may}\n"


def _begun(line: str) -> str:
    return _printable(line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()} …")


def pinned(status: PinStatus) -> str:
    """The pin as lines of `key  value`."""
    size = f" ({status.size:,} bytes)" if status.size is not None else ""
    rows = [
        ("pin", status.label),
        ("digest", status.digest),
        ("from", status.origin),
        ("at", f"{status.path}{size}"),
        ("state", status.problem or "at hand" + (f", {status.note}" if status.note else "")),
        ("mend", status.mend),
    ]
    return "".join(f"{key:<8}{value}\n" for key, value in rows if value)


def begun(started: Started) -> str:
    """What was written, and what is left to do."""
    wrote = "".join(f"  wrote {path}\n" for path in started.wrote)
    where = "In mkdocs.yml" if started.builder else "To build with MkDocs, write a mkdocs.yml; there"
    steps = [
        f"{where}, list the extension, and the plugin for source views and watching:\n\n"
        "     markdown_extensions: [snippetlock]\n"
        "     plugins: [search, snippetlock]\n",
        "Accept what the definition shows, and check:\n\n     snippetlock update\n     snippetlock check\n",
    ]
    if not started.page:
        steps[1:1] = [f'Let a page show it:\n\n     ```{started.language} snippet="{started.id}"\n     ```\n']
    if not started.builder:  # what can be done at once comes first
        steps = [*steps[1:], steps[0]]
    numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    head = f"started: {started.id!r} quotes {started.selector} of {started.pin}\n{wrote}{_typed(started.unheld)}"
    return f"{head}\nnext:\n{numbered}"


def _typed(count: int) -> str:
    """What is said of the blocks that the pages have already."""
    if not count:
        return ""
    have = "a block that was" if count == 1 else f"{count} blocks that were"
    stand = "it stand, and no other" if count == 1 else "them stand, and no other"
    return (
        f"\nThe pages have {have} typed in: `unheld = {count}` in pyproject.toml lets {stand}.\n"
        "`snippetlock list --unheld` lists what is left; lower the number by one for each that you quote.\n"
    )


def _caption(snippet: Snippet, pin: str, color: bool) -> str:
    text = f"{snippet.span}  {pin}"
    return f"{_BOLD}{text}{_OFF}\n" if color else f"{text}\n"


def _numbered(snippet: Snippet, color: bool) -> str:
    width = max((len(str(number)) for number in snippet.numbers if number), default=1)
    rows = []
    for index, (line, number) in enumerate(zip(split_lines(snippet.text), snippet.numbers, strict=True), start=1):
        mark = ">" if index in snippet.highlight else " "
        gutter = f"{mark}{number or '':>{width}} | "
        bare = _printable(line.removesuffix(line_end(line)))
        rows.append((f"{_CYAN}{gutter}{_OFF}" if color else gutter) + bare)
    return "".join(row.rstrip(" ") + "\n" for row in rows)


def _printable(line: str) -> str:
    """The line without what a terminal would obey."""
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in line)
