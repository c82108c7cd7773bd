"""What commits did to snippets: the history of one, and the replay of many, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from snippetlock import __version__
from snippetlock.changes import CLASSES, Event
from snippetlock.report.text import quantity, table

__all__ = ["format_history_json", "format_history_text", "format_replay_lines", "format_replay_table"]

SCHEMA = 1
_FIRST = "appears"  # where there was nothing before
_ABSENT = "absent"
_ORDER = (_FIRST, *CLASSES)
_NOTHING: Mapping[str, str] = MappingProxyType({})


def format_history_text(head: str, events: Sequence[Event], closing: str, *, color: bool = False) -> str:
    """The newest commit first; each with its class, subject and link, and the facts below it."""
    lines = [_paint(head, "1", color), ""]
    for event in reversed(events):
        link = f"  {event.link}" if event.link else ""
        cls = _paint(f"{_class(event):9}", "33", color)
        lines.append(f"{event.commit[:10]}  {_date(event.time)}  {cls}  {event.subject}{link}")
        lines += [f"  - {line}" for line in _facts(event)]
    return "\n".join([*lines, *([""] if events else []), closing]) + "\n"


def format_history_json(name: str, selector: str, commits: int, problem: str, events: Sequence[Event]) -> str:
    """One object; events oldest first. Ends in an end of line."""
    whole = {
        "schema": SCHEMA,
        "tool": f"snippetlock {__version__}",
        "snippet": name,
        "selector": selector,
        "commits": commits,
        "problem": problem,
        "events": [_event(event) for event in events],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def format_replay_table(
    snippets: Sequence[str],
    absent: Collection[str],
    commits: int,
    events: Sequence[Event],
    never: Mapping[str, str] = _NOTHING,
) -> str:
    """A row for each commit and snippet where something is not the same, then how often each class came.

    Of those that were `absent` to begin with, and of which nothing came, it says so: they are not the same. Of those
    that could `never` be cut it says why, once.
    """
    rows = ((e.commit[:10], _date(e.time), e.snippet, _class(e), _now(e), e.subject) for e in events)
    whole = table(("COMMIT", "DATE", "SNIPPET", "CLASS", "NOW", "SUBJECT"), rows) + "\n" if events else ""
    reasons = "".join(f"{name} can be cut at no commit: {why}\n" for name, why in sorted(never.items()))
    counts = Counter(map(_class, events))
    said = [f"{counts[cls]} {cls}" for cls in sorted(counts, key=_ORDER.index) if counts[cls]]
    away = set(absent) - {e.snippet for e in events}
    said += [f"{len(away)} {_ABSENT}"] if away else []
    head = f"{quantity(commits, 'commits')}, {quantity(len(snippets), 'snippets')}"
    return f"{whole}{reasons}{reasons and chr(10)}{head}: {', '.join(said) or 'all same'}\n"


def format_replay_lines(
    snippets: Sequence[str],
    absent: Iterable[str],
    commits: Iterable[tuple[str, int, str]],
    events: Sequence[Event],
    never: Mapping[str, str] = _NOTHING,
) -> Iterator[str]:
    """A line for each commit, oldest first: the class of every snippet after it, and more of what is not the same.

    While a snippet cannot be cut, its class is why: `absent`, `ambiguous` or `unreadable`. The first line says of
    those that could `never` be cut what is in the way.
    """
    head = {"schema": SCHEMA, "tool": f"snippetlock {__version__}", "snippets": list(snippets)}
    yield _line({**head, "never": dict(sorted(never.items()))})
    by_commit: dict[str, list[Event]] = {}
    for event in events:
        by_commit.setdefault(event.commit, []).append(event)
    away = dict.fromkeys(absent, _ABSENT)
    for commit, time, subject in commits:
        changed = {event.snippet: event for event in by_commit.get(commit, ())}
        classes: dict[str, str] = {}
        for name in snippets:
            done = changed.get(name)
            if done is None:
                classes[name] = away.get(name, "same")
                continue
            classes[name] = _class(done)
            away.pop(name, None)
            if done.span is None:
                away[name] = done.cls if done.cls in ("ambiguous", "unreadable") else _ABSENT
        line: Mapping[str, Any] = {"commit": commit, "time": time, "subject": subject, "classes": classes}
        yield _line({**line, "events": [_event(event) for event in changed.values()]})


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _event(event: Event) -> dict[str, Any]:
    span = event.span
    return {
        "snippet": event.snippet,
        "commit": event.commit,
        "time": event.time,
        "subject": event.subject,
        "link": event.link,
        "class": _class(event),
        "selector": event.selector,
        "span": {"path": span.path, "first": span.first, "last": span.last} if span else None,
        "details": list(event.details),
        "problem": event.problem,
    }


def _facts(event: Event) -> tuple[str, ...]:
    """Each fact once: why it cannot be cut is often a fact of the comparison too, without or with its place."""
    known = any(event.problem == fact or event.problem.endswith(f": {fact}") for fact in event.details)
    return (*event.details, *([event.problem] if event.problem and not known else []))


def _class(event: Event) -> str:
    return event.cls or _FIRST


def _now(event: Event) -> str:
    return str(event.span) if event.span else "-"


def _date(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color else text
