"""Prove the source views of a built site: each shows the pinned file, and none that captions link to is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from snippetlock.errors import MissingFile, SourceError, TreeError
from snippetlock.model import Finding, Place
from snippetlock.references.places import prefix, source_view
from snippetlock.references.published import Shown
from snippetlock.source.notice import licence
from snippetlock.text import decode
from snippetlock.workflow.built import Built
from snippetlock.workflow.faults import first_difference, uncertain, unknown
from snippetlock.workflow.judging import judge
from snippetlock.workflow.project import Project


def views(project: Project, site: Built, taken: Collection[str]) -> tuple[set[str], list[Finding]]:
    """The files that are source views (none of those `taken` by pages), and what is wrong with them."""
    languages = project.config.languages
    folders = tuple(f"{prefix(language, languages)}sources/" for language in languages)
    linked = _linked(project)
    there = {name for name in site.pages if name not in taken and name.startswith(folders)}
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
        findings += _view(project, site.called(name), path, site.shown(name), notice)
    return there, findings


def _linked(project: Project) -> dict[str, Place]:
    """The source views that captions lead to, and the first directive that asks for each."""
    linked: dict[str, Place] = {}
    for page in project.pages:
        for block in page.scan.blocks:
            found = project.defined.get(block.snippet or "", ())
            snippet = judge(project, found[0])[0] if len(found) == 1 else None
            if snippet is not None:
                name = source_view(snippet.span.path, page.language, project.config.languages)
                linked.setdefault(name, page.place(block.first))
    return linked


def _view(project: Project, file: str, path: str, shown: Shown, notice: str) -> Iterator[Finding]:
    try:
        text = decode(project.files.read(path), path, path.endswith((".py", ".pyi")))
    except (MissingFile, TreeError, SourceError) as error:
        yield Finding(rule="SL123", place=Place(path=file), message=f"a source view of no pinned file: {error.what}")
        return
    yield from uncertain(file, shown)
    found = shown.blocks
    wanted = [text, *([notice] if notice and not project.is_own(path) else [])]
    for index, (old, pre) in enumerate(zip(wanted, found, strict=False)):
        if pre.text != old or pre.odd:
            yield Finding(
                rule="SL121",
                place=Place(path=file, line=pre.line),
                message=f"the source view does not show {'the licence' if index else path} as pinned",
                evidence=first_difference(old, pre.text) if pre.text != old else pre.odd,
                mend="build the site again",
            )
    if len(found) < len(wanted):
        what = "the licence" if found else path
        yield Finding(rule="SL122", place=Place(path=file), message=f"the source view does not show {what}")
    for pre in found[len(wanted) :]:
        yield unknown(file, pre)
