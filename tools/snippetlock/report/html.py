"""A code block as HTML: highlighted, with the source's own line numbers, and its text unchanged. Pure.

What a browser reads as the text of `<code>` is the text that was given, byte for byte: line numbers are
attributes, which style sheets draw, and a carriage return is written as a reference, which HTML keeps.
The home of Pygments; without it blocks are plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from snippetlock.links import fragment
from snippetlock.links import permalink as link_to
from snippetlock.model import Pin, Snippet
from snippetlock.report.labels import Labels
from snippetlock.text import line_end, split_lines

# Names of fence languages that Pygments knows by another name, or should not guess.
_PLAIN = frozenset({"", "text", "plain", "txt"})


def figure(
    snippet: Snippet,
    pin: Pin,
    labels: Labels,
    source: str = "",
    code: Sequence[str] | None = None,
    *,
    own: bool = False,
) -> str:
    """The block of a snippet: caption above, code below.

    `source` is the address of its file's source view; `code` are its lines as `code_lines` makes them. What is the
    docs' `own` is of no release, and nothing of the library's repository.
    """
    span = snippet.span
    lines = labels.span(span.first, span.last)
    abridged = None in snippet.numbers
    address = f"{source}#{fragment(span.first, span.last)}" if source else ""
    path = _text(span.path).replace("/", "/<wbr>")  # where a narrow screen may break it
    caption = [_linked(address, f"<code>{path}</code> <span>{_text(lines)}</span>", "snippetlock-source")]
    if abridged:
        caption.append(f'<span title="{_attribute(labels.abridged_hint)}">{_text(labels.abridged)}</span>')
    origin = labels.own if own else pin.label
    caption.append(f'<span class="snippetlock-pin">{_text(origin)}</span>')
    if not own and (link := permalink(pin, span.path, span.first, span.last)):
        caption.append(_linked(link, _text(labels.repository), "snippetlock-repository"))
    name = labels.figure.format(path=span.path, lines=lines, pin=origin)
    if code is None:
        code = code_lines(snippet.text, snippet.language)
    body = _code(code, line_ends(snippet.text), snippet.language, snippet.numbers, frozenset(snippet.highlight))
    return (
        f'<figure class="snippetlock" data-snippet="{_attribute(snippet.id)}" aria-label="{_attribute(name)}">'
        f"<figcaption>{_SEPARATOR.join(caption)}</figcaption>"
        f"{body}</figure>"
    )


def unsourced_figure(
    text: str, language: str, reason: str, labels: Labels, title: str = "", code: Sequence[str] | None = None
) -> str:
    """The block of a text that its author wrote, with the reason; `code` as for `figure`."""
    about = f"{_text(labels.unsourced)}{labels.gap}{_text(reason)}"
    return _typed(text, language, about, title or reason, title, code)


def message_figure(
    text: str, language: str, raised: str, labels: Labels, title: str = "", code: Sequence[str] | None = None
) -> str:
    """The block of a message of the library, with the exception that is raised with it; `code` as for `figure`."""
    about = f"{_text(labels.message)}{labels.gap}<code>{_text(raised)}</code>"
    return _typed(text, language, about, title or raised, title, code)


def _typed(text: str, language: str, about: str, spoken: str, title: str, code: Sequence[str] | None) -> str:
    caption = [f"<strong>{_text(title)}</strong>", about] if title else [about]
    body = _code(code or code_lines(text, language), line_ends(text), language, (), frozenset())
    return (
        f'<figure class="snippetlock snippetlock-unsourced" aria-label="{_attribute(spoken)}">'
        f"<figcaption>{_SEPARATOR.join(caption)}</figcaption>{body}</figure>"
    )


def run_figure(name: str, example: str, library: str, facts: Mapping[str, str], text: str, labels: Labels) -> str:
    """The block of a recorded run: what was typed and what it said, below what it was of and where it was run."""
    about = [labels.run, f"<code>{_text(example)}</code>", f'<span class="snippetlock-pin">{_text(library)}</span>']
    about += [f"<span>{_text(f'{key} {value}')}</span>" for key, value in facts.items()]
    spoken = labels.run_of.format(example=example)
    body = _code(code_lines(text, "console"), line_ends(text), "console", (), frozenset())
    return (
        f'<figure class="snippetlock snippetlock-run" data-run="{_attribute(name)}" aria-label="{_attribute(spoken)}">'
        f"<figcaption>{_SEPARATOR.join(about)}</figcaption>{body}</figure>"
    )


def sample_figure(label: str, text: str, language: str, code: Sequence[str] | None = None) -> str:
    """A block that the tool itself made: a file or a command that it is of, and its text; `code` as for `figure`."""
    body = _code(code or code_lines(text, language), line_ends(text), language, (), frozenset())
    return (
        f'<figure class="snippetlock snippetlock-sample" aria-label="{_attribute(label)}">'
        f"<figcaption><code>{_text(label)}</code></figcaption>{body}</figure>"
    )


def prose(text: str) -> str:
    """A sentence of our own as HTML: what stands between backticks is code, the rest is text."""
    parts = text.split("`")
    return "".join(f"<code>{_text(part)}</code>" if at % 2 else _text(part) for at, part in enumerate(parts))


def problem_box(messages: Sequence[str], labels: Labels) -> str:
    """What a page shows in place of a block that cannot be filled, while its author works on it."""
    items = "".join(f"<li><pre>{escape(message)}</pre></li>" for message in messages)
    head = f"<strong>{_text(labels.problems)}</strong>"
    style = "border:2px solid #c0262d;border-radius:4px;padding:.6em 1em;margin:1em 0"
    return f'<div class="snippetlock-problem" role="alert" style="{style}">{head}<ul>{items}</ul></div>'


def permalink(pin: Pin, path: str, first: int | None = None, last: int | None = None) -> str:
    """The address of lines at the pin's commit in the library's repository; empty while no commit is known."""
    repository = pin.repository
    return link_to(repository, repository.commit, path, first, last) if repository else ""


def _code(
    lines: Sequence[str], ends: Sequence[str], language: str, numbers: Sequence[int | None], marked: frozenset[int]
) -> str:
    parts = []
    for index, (line, end) in enumerate(zip(lines, ends, strict=True)):
        number = numbers[index] if numbers else None
        shown = "" if number is None else str(number)
        gutter = f'<span data-n="{shown}"></span>' if numbers else ""
        body = f'<span class="snippetlock-elided">{line}</span>' if numbers and number is None else line
        row = f"{gutter}{body}{end}"
        parts.append(f'<span class="hll">{row}</span>' if index + 1 in marked else row)
    digits = max((len(str(n)) for n in numbers if n is not None), default=0)
    style = f' style="--snippetlock-digits:{digits}"' if digits else ""
    # The empty span keeps a first line feed, which HTML would drop behind <pre>.
    return (
        f'<div class="{_attribute(f"language-{language}" if language else "language-text")} highlight"{style}>'
        f'<pre><span></span><code tabindex="0">{"".join(parts)}</code></pre></div>'
    )


@lru_cache(maxsize=4096)
def code_lines(text: str, language: str) -> tuple[str, ...]:
    """Each line of a text as HTML without its end. Kept in memory, so that two languages cost one highlighting."""
    lines = [line[: len(line) - len(line_end(line))] for line in split_lines(text)]
    marked = _highlighted("".join(f"{line}\n" for line in lines), language)
    return tuple(marked if len(marked) == len(lines) else (escape(line, quote=False) for line in lines))


def pygments_version() -> str:
    """Which Pygments would highlight; "none" where it is absent."""
    try:
        from pygments import __version__
    except ImportError:
        return "none"
    return str(__version__)


def line_ends(text: str) -> tuple[str, ...]:
    """The end of each line of a text, as HTML that a browser reads as that very end."""
    return tuple(line_end(line).replace("\r", "&#13;") for line in split_lines(text))


_SEPARATOR = ' <span class="snippetlock-dot" aria-hidden="true">·</span> '


def _highlighted(text: str, language: str) -> list[str]:
    """Every line of a text marked up by Pygments; nothing where it is absent or does not keep the text."""
    try:
        from pygments.lexers import get_lexer_by_name
        from pygments.token import STANDARD_TYPES
        from pygments.util import ClassNotFound
    except ImportError:
        return []
    try:
        lexer = get_lexer_by_name(language) if language not in _PLAIN else None
    except ClassNotFound:
        lexer = None
    if lexer is None or not hasattr(lexer, "get_tokens_unprocessed"):
        return []
    lines, current, kept = [], [], []
    classes: dict[object, str] = {}
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        if kind not in classes:
            known: Any = kind
            while known not in STANDARD_TYPES:
                known = known.parent
            classes[kind] = STANDARD_TYPES[known]
        kept.append(value)
        name = classes[kind]
        *whole, rest = escape(value, quote=False).split("\n")
        for piece in whole:
            current.append(_marked(piece, name))
            lines.append("".join(current))
            current = []
        current.append(_marked(rest, name))
    return lines if "".join(kept) == text else []


def _marked(text: str, name: str) -> str:
    return f'<span class="{name}">{text}</span>' if text and name not in ("", "w") else text


def _linked(address: str, inner: str, name: str) -> str:
    if not address:
        return f'<span class="{name}">{inner}</span>'
    return f'<a class="{name}" href="{_attribute(address)}">{inner}</a>'


def _text(text: str) -> str:
    return escape(text, quote=False)


def _attribute(text: str) -> str:
    """Text for an attribute: line ends as references, or a browser would read others."""
    return escape(text).replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#9;")
