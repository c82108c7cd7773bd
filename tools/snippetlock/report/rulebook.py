"""Every rule as a section of a page: what it means, an example that the tool was run on, and how to mend it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from snippetlock.records import dataclass
from snippetlock.report.chinese import RULES as CHINESE
from snippetlock.report.examples import Sample, examples, project
from snippetlock.report.html import code_lines, prose, sample_figure
from snippetlock.report.labels import Labels
from snippetlock.rules import RULES, Rule

Highlight = Callable[[str, str], Sequence[str]]
"""What makes each line of a text in a language HTML, as `report.html.code_lines` does."""

GROUPS = (
    ("SL12", "rules-site"),
    ("SL13", "rules-runs"),
    ("SL1", "rules-snippets"),
    ("SL2", "rules-drift"),
    ("SL3", "rules-references"),
    ("SL4", "rules-twins"),
    ("SL5", "rules-safety"),
)
"""What the codes of a group begin with, the longer first, and the group's anchor; its name is in `Labels.groups`."""
_SHOWN = ("lib/shop.py", "snippets/shop.yaml", "docs/index.md")  # of the project that every example starts from


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading of a page, with what stands below it as HTML."""

    level: int
    title: str
    anchor: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a rule says in one language."""

    title: str
    meaning: str
    mend: str


def words(rule: Rule, language: str) -> Words:
    """A rule's words; English where nobody translated them."""
    if language == "zh" and rule.code in CHINESE:
        title, meaning, mend = CHINESE[rule.code]
        return Words(title=title, meaning=meaning, mend=mend)
    return Words(title=rule.title, meaning=rule.meaning, mend=rule.mend)


def anchor(code: str) -> str:
    """The anchor of a rule's section: `sl103`."""
    return code.lower()


def rule_samples() -> tuple[Sample, ...]:
    """Every block that the rules page shows, in order: whoever proves a site asks."""
    return (*_start(), *(sample for rule in RULES for sample in examples()[rule.code].samples))


def index_html(labels: Labels, highlight: Highlight = code_lines) -> str:
    """The table of all rules, each linked to its section, and the project that the examples start from."""
    rows = "".join(
        f'<tr><td><a href="#{anchor(rule.code)}">{rule.code}</a></td><td><code>{rule.name}</code></td>'
        f"<td>{prose(words(rule, labels.language).title)}</td></tr>"
        for rule in RULES
    )
    head = "".join(f"<th>{escape(text)}</th>" for text in (labels.rule, labels.name, labels.disagrees))
    start = "".join(_figure(sample, highlight) for sample in _start())
    return (
        f'<div class="snippetlock-record snippetlock-rules"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div><p>{prose(labels.start)}</p>{start}"
    )


def rule_sections(labels: Labels, highlight: Highlight = code_lines) -> Iterator[Section]:
    """A section for each group of rules, then one for each rule of it, in the order of the codes."""
    before = ""
    for rule in RULES:
        name = next(name for start, name in GROUPS if rule.code.startswith(start))
        if name != before:
            yield Section(level=2, title=labels.groups[name], anchor=name, html="")
            before = name
        html = _rule(rule, labels, highlight)
        yield Section(level=3, title=f"{rule.code} {rule.name}", anchor=anchor(rule.code), html=html)


def _figure(sample: Sample, highlight: Highlight) -> str:
    return sample_figure(sample.label, sample.text, sample.language, highlight(sample.text, sample.language))


def _rule(rule: Rule, labels: Labels, highlight: Highlight) -> str:
    said = words(rule, labels.language)
    figures = "".join(_figure(sample, highlight) for sample in examples()[rule.code].samples)
    title = f"<strong>{prose(said.title)}{labels.stop}</strong>"
    mend = f"<strong>{escape(labels.mend)}</strong>"
    return (
        f'<p class="snippetlock-rule">{title}{labels.gap}{prose(said.meaning)}</p>'
        f"{figures}<p>{mend}{labels.gap}{prose(said.mend)}</p>"
    )


def _start() -> tuple[Sample, ...]:
    languages = {"py": "python", "yaml": "yaml", "md": "markdown"}
    return tuple(
        Sample(label=name, language=languages[name.rpartition(".")[2]], text=project()[name]) for name in _SHOWN
    )
