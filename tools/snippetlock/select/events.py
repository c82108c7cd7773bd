"""YAML text as the stream of what it says: layout, quotes that change nothing, and comments aside.

A stream and not a value: text that nests deep or repeats an alias a million times costs what its length does.
"""

from __future__ import annotations

import yaml

from snippetlock.errors import SourceError

__all__ = ["events"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
_MARKS = {
    yaml.MappingStartEvent: "{",
    yaml.MappingEndEvent: "}",
    yaml.SequenceStartEvent: "[",
    yaml.SequenceEndEvent: "]",
    yaml.DocumentStartEvent: "---",
}


def events(text: str) -> tuple[tuple[int, str], ...]:
    """(line counted from 0, what begins or ends there), in order; the order of keys counts.

    Anchors go by their order, not by their name. Nothing is resolved and no tag is carried out. Raises
    `SourceError`, without a path, for what is not YAML.
    """
    found: list[tuple[int, str]] = []
    anchors: dict[str, int] = {}
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line if event.start_mark else 0
            if isinstance(event, yaml.AliasEvent):
                found.append((line, f"*{anchors.get(event.anchor or '', -1)}"))
                continue
            if anchor := getattr(event, "anchor", None):
                anchors[anchor] = len(anchors)
                found.append((line, f"&{anchors[anchor]}"))
            if isinstance(event, yaml.ScalarEvent):
                found.append((line, _scalar(event)))
            elif begins := _MARKS.get(type(event)):
                found.append((line, f"{begins}{getattr(event, 'tag', None) or ''}"))
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or error
        at = place.line + 1 if place else None
        raise SourceError(f"not YAML: {problem}", line=at, mend="select from another file") from error
    return tuple(found)


def _scalar(event: yaml.ScalarEvent) -> str:
    """The value and its type: written by a tag, or what a plain `1` or `null` means and a quoted one does not."""
    value: str = event.value
    tag = event.tag or ""
    if not tag and event.implicit[0]:
        candidates = [*_RESOLVERS.get(value[:1], ()), *_RESOLVERS.get(None, ())]
        tag = next((name for name, pattern in candidates if pattern.match(value)), "")
    return f"={tag}={value}"
