"""The words of captions, source views and generated parts of pages, in each language. Pure data.

A language nobody translated speaks English. Dates and sizes are not formatted: none are shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock.records import dataclass, field

_GROUPS: Mapping[str, str] = {
    "rules-snippets": "Snippets, directives and the lock",
    "rules-site": "The built site",
    "rules-runs": "Examples that were run",
    "rules-drift": "Drift",
    "rules-references": "References in prose",
    "rules-twins": "Twins",
    "rules-safety": "Files",
}
_WHOSE: Mapping[str, str] = {
    "resolved": "the library has it",
    "in the vocabulary": "excused in the vocabulary, with the reason",
    "of examples": "of an example of the page",
    "of Python": "Python has it",
    "of others": "of other packages and tools, and units",
    "placeholders": "a name that stands for any",
    "no code": "no code: a command, an option, a word, a key of a file",
    "open": "not told: a member of who knows what",
    "unknown": "nobody has it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """One language's words; `{…}` is filled with `str.format`."""

    language: str
    own_name: str = "English"
    line: str = "line {first}"
    lines: str = "lines {first}–{last}"
    abridged: str = "abridged"
    abridged_hint: str = "Lines were left out where the mark … stands"
    unsourced: str = "Not a quotation:"
    message: str = "The library says it with"
    to_source: str = "{path}, {lines}, in the source view"
    figure: str = "{path}, {lines}, {pin}"
    repository: str = "in the repository"
    own: str = "an example of these docs"
    run: str = "recorded run"
    run_of: str = "A recorded run of {example}"
    problems: str = "This page cannot be published as it is"
    # source views
    home: str = "Home"
    source_of: str = "{path} · {pin}"
    sha256: str = "SHA-256 of the file"
    quoted: str = "Quoted in these docs"
    quoted_by: str = "{lines}, quoted in {pages}"
    not_ours: str = "A copy of the library's file, as released. Not part of these docs' own text."
    ours: str = "A file of these docs, held against the library and tested with it; none of the library's own."
    licence: str = "Licence of {name}"
    skip: str = "Skip to the code"
    comma: str = ", "
    # the verification page
    release: str = "The release"
    name: str = "Name"
    version: str = "Version"
    digest: str = "SHA-256"
    origin: str = "File"
    folder: str = "Folder"
    repo: str = "Developed at"
    commit: str = "Commit"
    commit_unknown: str = "not known; links to it come once it is"
    snippets: str = "Quotations ({count})"
    snippet: str = "Quotation"
    source: str = "Source"
    pages: str = "Shown on"
    text_digest: str = "Text"
    text_digest_hint: str = "The first 12 digits of the SHA-256 of the text as shown"
    unused: str = "nowhere"
    others: str = "Blocks without a source ({count})"
    no_others: str = "None: every code block of every page is a quotation."
    no_reasons: str = "None: every other code block is a quotation, or was typed in and is listed below."
    typed: str = "Blocks that nothing holds ({count})"
    typed_in: str = "They were typed in; nothing says where their text is from."
    begins: str = "Begins with"
    place: str = "Place"
    reason: str = "Reason"
    diagrams: str = "Diagrams ({count})"
    kind: str = "Kind"
    claims: str = "Claims ({count})"
    claim: str = "Claim"
    claimed: str = "{count} claims on {pages} pages of this language were worked out from the release, and are true."
    mentions: str = "Names in sentences ({count})"
    mentioned: str = "What the pages of this language have in code marks, outside of blocks, and whose it is."
    group: str = "Whose"
    count: str = "How many"
    whose: Mapping[str, str] = field(default_factory=lambda: _WHOSE)
    runs: str = "Recorded runs ({count})"
    command: str = "Command"
    library: str = "Library"
    where: str = "Run with"
    dated: str = "Files dated"
    covered: str = "The pages of this language speak of {named} of {whole} public names in {modules} modules."
    module: str = "Module"
    named: str = "Spoken of"
    silent: str = "On no page"
    counted: str = "{named} of {whole}"
    summary: str = "{snippets} quotations from {files} files, on {pages} pages in {languages} languages."
    # the pages for contributors
    rule: str = "Rule"
    disagrees: str = "What disagrees"
    mend: str = "How to mend it."
    stop: str = "."
    gap: str = " "
    start: str = (
        "Every example starts from the project below, accepted and clean. What is shown is written after that; `site/` "
        "is what a build of it made, and `before/` and `next/` are other states of its library."
    )
    groups: Mapping[str, str] = field(default_factory=lambda: _GROUPS)
    cls: str = "Class"
    changed: str = "What changed"
    at_bump: str = "A bump"
    act: str = "What you do"

    def span(self, first: int, last: int) -> str:
        """`line 7` or `lines 7–9`."""
        return self.line.format(first=first) if first == last else self.lines.format(first=first, last=last)


_EN = Labels(language="en")
_ZH = Labels(
    language="zh",
    own_name="中文",
    line="第 {first} 行",
    lines="第 {first}–{last} 行",
    abridged="有省略",
    abridged_hint="标有 … 的地方省略了若干行",
    unsourced="不是引文：",
    message="库的报错消息，随之抛出",
    to_source="在源码视图中查看 {path} {lines}",
    figure="{path}，{lines}，{pin}",
    repository="在仓库中",
    own="本文档自带的示例",
    run="运行记录",
    run_of="{example} 的运行记录",
    problems="本页有误，不能发布",
    home="首页",
    source_of="{path} · {pin}",
    sha256="文件的 SHA-256",
    quoted="本文档引用的部分",
    quoted_by="{lines}，引用于{pages}",
    not_ours="这是库发布时的文件副本，不属于本文档的正文。",
    ours="这是本文档自己的文件，不属于库；它的 import 和调用都与库核对过，并附有测试。",
    licence="{name} 的许可证",
    skip="跳到代码",
    comma="、",
    release="所引用的版本",
    name="名称",
    version="版本",
    digest="SHA-256",
    origin="文件",
    folder="目录",
    repo="开发仓库",
    commit="提交",
    commit_unknown="尚未确定；确定之后会给出链接",
    snippets="引文（{count} 段）",
    snippet="引文",
    source="出处",
    pages="所在页面",
    text_digest="文本摘要",
    text_digest_hint="显示文本的 SHA-256 的前 12 位",
    unused="未使用",
    others="没有出处的代码块（{count} 个）",
    no_others="没有：每个页面的每个代码块都是引文。",
    no_reasons="没有：其余代码块要么是引文，要么是手敲的，列在下面。",
    typed="没有核对依据的代码块（{count} 个）",
    typed_in="这些代码块是手敲的，没有写明内容从哪里来。",
    begins="开头",
    place="位置",
    reason="理由",
    diagrams="图示（{count} 幅）",
    kind="种类",
    claims="声明（{count} 条）",
    claim="声明",
    claimed="本语言的 {pages} 个页面上共有 {count} 条声明，都已对照这个版本核算，全部成立。",
    mentions="正文里的名字（{count} 处）",
    mentioned="本语言各页在代码块之外写成代码的内容，以及它们各属哪里。",
    group="归属",
    count="数量",
    whose={
        "resolved": "库里有的",
        "in the vocabulary": "词汇表里注明了理由的",
        "of examples": "本页示例里的",
        "of Python": "Python 自带的",
        "of others": "其他包、工具和单位的",
        "placeholders": "占位的名字",
        "no code": "不是代码的：命令、选项、普通的词、文件里的键",
        "open": "无从判断的，例如不知是哪个对象的成员",
        "unknown": "查不到的",
    },
    runs="运行记录（{count} 条）",
    command="命令",
    library="库",
    where="运行环境",
    dated="文件日期",
    covered="{modules} 个模块共有 {whole} 个公开名字，本语言的页面提到了其中 {named} 个。",
    module="模块",
    named="提到的",
    silent="没有页面提到的",
    counted="{whole} 个中的 {named} 个",
    summary="{snippets} 段引文取自 {files} 个文件，出现在 {languages} 种语言的 {pages} 个页面上。",
    rule="规则",
    disagrees="哪里不一致",
    mend="怎么改。",
    stop="。",
    gap="",
    start="每个例子都从下面这个项目开始，它的内容已经认可，检查通过。例子里显示的是此后写下的内容；"
    "`site/` 是它构建出来的站点，`before/` 和 `next/` 是库的前一个和后一个状态。",
    groups={
        "rules-snippets": "引文、指令与锁文件",
        "rules-site": "成品站点",
        "rules-runs": "运行过的示例",
        "rules-drift": "漂移",
        "rules-references": "正文里的引用",
        "rules-twins": "两种语言的页面",
        "rules-safety": "文件",
    },
    cls="类别",
    changed="变了什么",
    at_bump="bump 时",
    act="你要做的",
)
_KNOWN = {labels.language: labels for labels in (_EN, _ZH)}


def labels(language: str) -> Labels:
    """The words of a language (`zh`, `zh-CN`); English where there are none."""
    return _KNOWN.get(language.replace("_", "-").partition("-")[0].lower(), _EN)
