"""Tell a diagram from code: by the word that a diagram's text has to begin with. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from snippetlock.text import late

# Languages of blocks that are pictures, and the words that their texts begin with. The list exists once.
_MERMAID = (
    "graph flowchart flowchart-elk sequenceDiagram classDiagram classDiagram-v2 stateDiagram stateDiagram-v2 "
    "erDiagram journey gantt pie quadrantChart requirementDiagram requirement gitGraph C4Context C4Container "
    "C4Component C4Dynamic C4Deployment mindmap timeline zenuml sankey sankey-beta xychart xychart-beta block "
    "block-beta packet packet-beta kanban architecture architecture-beta radar radar-beta treemap "
    "treemap-beta"
)
DIAGRAMS = {"mermaid": frozenset(_MERMAID.split())}
_FIRST = late(r"([A-Za-z][A-Za-z0-9-]*)(?:$|;|:$|\s(?!\s*:?=))")


def drawn(language: str, content: Sequence[str]) -> str:
    """The kind of a diagram, as its first line says it; "" for what is no diagram.

    Above that line may stand settings (`---`, `%%{…}%%`) and comments (`%%`). The rest is not judged.
    """
    known = DIAGRAMS.get(language, frozenset())
    found = _FIRST.match(_head(content)) if known else None
    return found[1] if found and found[1] in known else ""


def _head(content: Sequence[str]) -> str:
    """The first line that says something; empty for none."""
    ending = ""  # what ends the settings that are open
    for line in content:
        text = line.strip()
        if ending:
            ending = "" if text.endswith(ending) else ending
        elif text == "---":
            ending = "---"
        elif text.startswith("%%{"):
            ending = "" if text.endswith("}%%") else "}%%"
        elif text and not text.startswith("%%"):
            return text
    return ""
