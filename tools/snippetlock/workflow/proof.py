"""Prove a built site: every `<pre>` of every page is a locked snippet, or a block its page may have.

Trusts nobody who made the site. The text is read out of the HTML and held against the snippet cut again, and
its digest against the lock's, and so is what its caption says; an HTML page that no Markdown page accounts for
may show no code at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from snippetlock.errors import MissingFile, SourceError, TreeError, UsageError
from snippetlock.model import Finding, Place, Report, Snippet
from snippetlock.references import Block
from snippetlock.references.places import prefix, published, source_view
from snippetlock.references.published import Pre, preformatted
from snippetlock.source.notice import licence
from snippetlock.text import decode, sha256, split_lines
from snippetlock.workflow.captions import misquoted
from snippetlock.workflow.checks import judge
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project

_HTML = (".html", ".htm", ".xhtml", ".xht")
_WIDEST = 160  # characters of a line that are shown as evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A block that a page asks for: what is to be published, and what the page calls it."""

    key: tuple[str, str]
    block: Block
    name: str
    accepted: str | None = None  # the lock's digest, for a snippet
    snippet: Snippet | None = None


def proof(project: Project, site: Path) -> Report:
    """Hold a built site against pages, lock and pinned library.

    Raises `UsageError` for a folder without HTML pages, and what "could not check" is.
    """
    project.tree  # noqa: B018 - without the library nothing can be proven
    pages = (file for file in sorted(site.rglob("*")) if file.name.lower().endswith(_HTML) and file.is_file())
    files = {file.relative_to(site).as_posix(): file for file in pages}
    if not files:
        raise UsageError(f"there is no HTML page in {site}", mend="build the site first, then name its folder")
    findings: list[Finding] = []
    blocks = 0
    taken: set[str] = set()
    for page in project.pages:
        name = _file_of(project, page, files)
        if name is None:
            findings.append(_absent(project, page))
            continue
        taken.add(name)
        found = preformatted(_read(files[name]))
        blocks += len(found)
        findings += _page(project, page, _shown(project, site, name), name, found)
    views, problems = _views(project, site, files, taken)
    findings += problems
    for name in sorted(files.keys() - taken - views):
        found = preformatted(_read(files[name]))
        blocks += len(found)
        findings += [_unknown(_shown(project, site, name), pre) for pre in found]
    counts = {"pages": len(taken), "blocks": blocks, "source views": len(views)}
    return Report(findings=tuple(sorted(findings, key=_order)), counts=counts)


def _order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.place.path, finding.place.line or 0, finding.rule, finding.message


def _read(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")


def _shown(project: Project, site: Path, name: str) -> str:
    """How findings call a file of the site."""
    return project.config.name(site.absolute() / name)


def _file_of(project: Project, page: Page, files: dict[str, Path]) -> str | None:
    for directories in (True, False):
        name = published(page.name, page.language, project.config.languages, directories=directories)
        if name in files:
            return name
    return None


def _absent(project: Project, page: Page) -> Finding:
    name = published(page.name, page.language, project.config.languages)
    message = f"this page was not published: the site has no {name}"
    return Finding(rule="SL122", place=Place(path=page.path), message=message, mend="build the site again")


# One page


def _page(project: Project, page: Page, file: str, name: str, found: Sequence[Pre]) -> Iterator[Finding]:
    def beside(item: _Wanted, pre: Pre) -> Iterator[Finding]:
        if item.snippet and (evidence := misquoted(project, page, name, item.snippet, pre)):
            yield _miscaptioned(page, file, item, pre, evidence)

    wanted: list[_Wanted] = []
    for block in page.scan.blocks:
        item, failure = _wanted(project, page, block)
        if failure:
            yield failure
        elif item:
            wanted.append(item)
    drawings = {item.key[1] for item in wanted if item.key[0] == "diagram"}
    labels = {item.block.footnote for item in wanted} | {pre.footnote for pre in found}
    for label in sorted(labels):
        mine = [item for item in wanted if item.block.footnote == label]
        shown = [pre for pre in found if pre.footnote == label]
        keys = [_key(pre, drawings) for pre in shown]
        yield from _aligned(page, file, mine, shown, keys, beside)


def _wanted(project: Project, page: Page, block: Block) -> tuple[_Wanted | None, Finding | None]:
    """What a block of a page is to look like; nothing for one that has no right to be there."""
    if block.snippet is None:
        if block.unsourced is not None:
            return _Wanted(key=("text", block.text), block=block, name="the unsourced block"), None
        if block.diagram:
            return _Wanted(key=("diagram", _drawing(block.text)), block=block, name="the diagram"), None
        return None, None
    found = project.defined.get(block.snippet, ())
    place = page.place(block.first, block.columns.get("snippet"))
    if len(found) != 1:
        message = f"the snippet {block.snippet!r} is defined {len(found)} times"
        return None, Finding(
            rule="SL111" if not found else "SL110", place=place, message=message, snippet=block.snippet
        )
    snippet, failure = judge(project, found[0])
    if snippet is None:
        return None, failure
    entry = project.entry(block.snippet)
    accepted = entry.digests.text if entry else ""
    key = ("text", snippet.text)
    return _Wanted(key=key, block=block, name=repr(snippet.id), accepted=accepted, snippet=snippet), None


def _drawing(text: str) -> str:
    """A diagram's text as far as it matters: a program reads it, and renderers differ in blanks."""
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def _key(pre: Pre, drawings: set[str]) -> tuple[str, str]:
    drawing = _drawing(pre.text)
    return ("diagram", drawing) if drawing in drawings else ("text", pre.text)


def _aligned(
    page: Page,
    file: str,
    wanted: Sequence[_Wanted],
    shown: Sequence[Pre],
    keys: Sequence[tuple[str, str]],
    beside: Callable[[_Wanted, Pre], Iterator[Finding]],
) -> Iterator[Finding]:
    """One finding for each block that is changed, missing or extra, and one when they stand in another order.

    Of a block whose text is right, `beside` says what is wrong beside it.
    """
    asked = [item.key for item in wanted]
    if asked != keys and Counter(asked) == Counter(keys):
        index = next(i for i, (a, b) in enumerate(zip(asked, keys, strict=True)) if a != b)
        yield _differs(page, file, wanted[index], shown[index], " (every block is there, in another order)")
        return
    for change, a, b, c, d in SequenceMatcher(None, asked, keys, autojunk=False).get_opcodes():
        if change == "equal":
            for item, pre in zip(wanted[a:b], shown[c:d], strict=True):
                yield from beside(item, pre)
                if item.accepted is not None and item.accepted != sha256(item.key[1]):
                    yield _unaccepted(page, file, item)
            continue
        pairs = min(b - a, d - c)
        for item, pre in zip(wanted[a : a + pairs], shown[c : c + pairs], strict=True):
            yield _differs(page, file, item, pre)
        for item in wanted[a + pairs : b]:
            yield _missing(page, file, item)
        for pre in shown[c + pairs : d]:
            yield _unknown(file, pre, page)


def _differs(page: Page, file: str, item: _Wanted, pre: Pre, more: str = "") -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"what is published is not {item.name}{more}",
        evidence=(f"published at {file}:{pre.line}", *_first_difference(item.key[1], pre.text)),
        mend="build the site again with the extension; do not edit what was built",
        snippet=item.block.snippet or "",
    )


def _miscaptioned(page: Page, file: str, item: _Wanted, pre: Pre, evidence: Sequence[str]) -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"what is published beside {item.name} is not what the snippet says",
        evidence=(f"published at {file}:{pre.line}", *evidence),
        mend="build the site again with the extension; do not edit what was built",
        snippet=item.block.snippet or "",
    )


def _first_difference(wanted: str, shown: str) -> tuple[str, ...]:
    """The first line that differs, both ways, with what cannot be seen made visible."""
    old, new = split_lines(wanted), split_lines(shown)
    index = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    sides = [("wanted", old), ("published", new)]
    said = [
        f"{name} {_visible(lines[index])}" if index < len(lines) else f"{name} nothing more" for name, lines in sides
    ]
    return (f"line {index + 1}:", *said)


def _visible(line: str) -> str:
    text = repr(line)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


def _missing(page: Page, file: str, item: _Wanted) -> Finding:
    return Finding(
        rule="SL122",
        place=page.place(item.block.first),
        message=f"{item.name} was not published",
        evidence=(f"not in {file}",),
        mend="build the site again with the extension `snippetlock`",
        snippet=item.block.snippet or "",
    )


def _unaccepted(page: Page, file: str, item: _Wanted) -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"what is published of {item.name} is not what was accepted",
        evidence=(
            f"published in {file}: {sha256(item.key[1])}",
            f"accepted: {item.accepted or 'nothing'}",
        ),
        mend="read it, accept it with `snippetlock update`, and build the site again",
        snippet=item.block.snippet or "",
    )


def _unknown(file: str, pre: Pre, page: Page | None = None) -> Finding:
    first = next((line for line in split_lines(pre.text) if line.strip()), "")
    asked = f"{page.path} asks for no such block" if page else "no page of the docs becomes this file"
    return Finding(
        rule="SL123",
        place=Place(path=file, line=pre.line),
        message="a published block that nobody accounts for",
        evidence=(asked, f"it begins {_visible(first)}"),
        mend="quote it, or say why it has no source; a theme or plugin that prints code does it outside <pre>",
    )


# Source views


def _views(project: Project, site: Path, files: dict[str, Path], taken: set[str]) -> tuple[set[str], list[Finding]]:
    """Prove the source views: each shows the pinned file, and none that captions link to is missing."""
    languages = project.config.languages
    folders = tuple(f"{prefix(language, languages)}sources/" for language in languages)
    linked: dict[str, Place] = {}
    for page in project.pages:
        for block in page.scan.blocks:
            found = project.defined.get(block.snippet or "", ())
            snippet = judge(project, found[0])[0] if len(found) == 1 else None
            if snippet is not None:
                linked.setdefault(source_view(snippet.span.path, page.language, languages), page.place(block.first))
    there = {name for name in files if name not in taken and name.startswith(folders)}
    findings = [
        Finding(
            rule="SL122",
            place=linked[name],
            message=f"the source view {name} was not published",
            mend="build with the MkDocs plugin `snippetlock`",
        )
        for name in sorted(linked.keys() - there)
    ]
    notice = licence(project.tree)  # type: ignore[arg-type]  # every tree of `source` can say its notices
    for name in sorted(there):
        folder = max((f for f in folders if name.startswith(f)), key=len)
        path = name.removeprefix(folder).removesuffix(".html")
        findings += _view(project, _shown(project, site, name), path, preformatted(_read(files[name])), notice)
    return there, findings


def _view(project: Project, file: str, path: str, found: Sequence[Pre], notice: str) -> Iterator[Finding]:
    try:
        text = decode(project.tree.read(path), path, path.endswith((".py", ".pyi")))
    except (MissingFile, TreeError, SourceError) as error:
        yield Finding(rule="SL123", place=Place(path=file), message=f"a source view of no pinned file: {error.what}")
        return
    wanted = [text, *([notice] if notice else [])]
    for index, (old, pre) in enumerate(zip(wanted, found, strict=False)):
        if pre.text != old:
            yield Finding(
                rule="SL121",
                place=Place(path=file, line=pre.line),
                message=f"the source view does not show {'the licence' if index else path} as pinned",
                evidence=_first_difference(old, pre.text),
                mend="build the site again",
            )
    if len(found) < len(wanted):
        what = "the licence" if found else path
        yield Finding(rule="SL122", place=Place(path=file), message=f"the source view does not show {what}")
    for pre in found[len(wanted) :]:
        yield _unknown(file, pre)
