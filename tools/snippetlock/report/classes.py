"""What each class of drift means, what becomes of it at a bump and what a person does: one table, in each language.

Pure. The contributing pages show it where a page has the marker `classes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from snippetlock.changes import CLASSES, ChangeClass
from snippetlock.records import dataclass
from snippetlock.report.drift import RULE
from snippetlock.report.html import prose
from snippetlock.report.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """One row, in one language: what changed, what a bump does, what to do."""

    changed: str
    bump: str
    act: str


def _rows(*rows: tuple[ChangeClass, str, str, str]) -> Mapping[ChangeClass, Meaning]:
    return {cls: Meaning(changed=changed, bump=bump, act=act) for cls, changed, bump, act in rows}


_EN = _rows(
    (
        "unreadable",
        "It cannot be cut in one of the two states.",
        "to do",
        "Look at the file that the message names. Quote something else with `--accept ID=SELECTOR`, or delete it.",
    ),
    (
        "ambiguous",
        "There are several of that name now.",
        "to do",
        "Choose: each candidate comes with a selector for `--accept ID=SELECTOR`.",
    ),
    (
        "removed",
        "It is gone, and nothing is like it.",
        "to do",
        "Quote what took its place with `--accept ID=SELECTOR`, or delete its directives and its definition.",
    ),
    (
        "renamed",
        "It is gone under its name; candidates are listed, with scores and reasons.",
        "look; to do where no candidate is sure enough",
        "Look at the candidate, then `--accept ID`, which takes its selector. Write the new name on the pages.",
    ),
    (
        "signature",
        "What a caller sees: parameters, defaults, annotations, bases, decorators.",
        "look",
        "Read its pages, and every call in them, against the new signature, then `--accept ID`.",
    ),
    ("body", "Code inside.", "look", "Read its pages against the new text, then `--accept ID`."),
    (
        "comment",
        "Comments or docstrings only.",
        'look; taken where the project says `take = ["comment"]`',
        "Read them: its pages may say the same. Then `--accept ID`.",
    ),
    ("layout", "Line breaks, quotes, spacing.", "taken", "Nothing."),
    ("moved", "Its file or module; the text is the same.", "taken; the selector is mended", "Nothing."),
    ("appears", "The older state has nothing that it could have been.", "taken", "Nothing."),
    ("same", "Nothing that is shown; its lines may have other numbers.", "taken", "Nothing."),
)
_ZH = _rows(
    (
        "unreadable",
        "在两个状态之一里取不出来。",
        "to do",
        "看报错所说的文件。用 `--accept ID=SELECTOR` 改引别的内容，或者删掉它。",
    ),
    (
        "ambiguous",
        "同一个名字下现在有好几个。",
        "to do",
        "选一个：每个候选都带有选择器，写进 `--accept ID=SELECTOR`。",
    ),
    (
        "removed",
        "没有了，也没有与它相像的东西。",
        "to do",
        "用 `--accept ID=SELECTOR` 改引取代它的内容，或者删掉它的指令和定义。",
    ),
    (
        "renamed",
        "原来的名字没有了；列有候选，附分数和理由。",
        "look；没有足够可靠的候选时为 to do",
        "看过候选，再 `--accept ID`，选择器会随之改好。页面里换成新名字。",
    ),
    (
        "signature",
        "调用者看到的部分：参数、默认值、标注、基类、装饰器。",
        "look",
        "对照新签名重读引用它的页面，以及页面里的每一处调用，再 `--accept ID`。",
    ),
    ("body", "里面的代码。", "look", "对照新内容重读引用它的页面，再 `--accept ID`。"),
    (
        "comment",
        "只有注释或 docstring。",
        'look；项目写了 `take = ["comment"]` 则为 taken',
        "读一遍：页面上可能也这么说。再 `--accept ID`。",
    ),
    ("layout", "换行、引号、空格。", "taken", "不用做什么。"),
    ("moved", "所在的文件或模块；文本相同。", "taken；会改好选择器", "不用做什么。"),
    ("appears", "较早的状态里没有任何东西可能是它的前身。", "taken", "不用做什么。"),
    ("same", "显示的内容没有变，行号可能变了。", "taken", "不用做什么。"),
)
MEANINGS: Mapping[str, Mapping[ChangeClass, Meaning]] = {"en": _EN, "zh": _ZH}
"""By the language of `Labels`, then by class."""


def classes_html(labels: Labels, link: Callable[[str], str]) -> str:
    """The table, the worst class first. `link` gives the address of a rule's section, empty where no page has one."""
    rows = "".join(_row(cls, labels, link) for cls in CLASSES)
    heads = (labels.cls, labels.changed, labels.at_bump, labels.act, labels.rule)
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return (
        '<div class="snippetlock-record snippetlock-classes">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(cls: ChangeClass, labels: Labels, link: Callable[[str], str]) -> str:
    meaning = MEANINGS[labels.language][cls]
    code = RULE.get(cls, "")
    address = link(code) if code else ""
    named = f'<a href="{escape(address)}">{code}</a>' if address else code
    # Where a row becomes a card, on a narrow screen, the style sheet says which cell is which.
    return (
        f"<tr><td><code>{cls}</code></td><td>{prose(meaning.changed)}</td>"
        f'<td data-label="{escape(labels.at_bump)}">{prose(meaning.bump)}</td>'
        f'<td data-label="{escape(labels.act)}">{prose(meaning.act)}</td><td>{named}</td></tr>'
    )
