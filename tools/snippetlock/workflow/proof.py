"""Prove a built site: every `<pre>` of every page is a locked snippet, or a block its page may have.

Trusts nobody who made the site. The text is read out of the HTML and held against the snippet cut again, and
its digest against the lock's, and so is what its caption says; an HTML page that no Markdown page accounts for,
like one of an API reference, may show no code but what stands in the library word for word. A lock that check
would refuse accepts nothing here either. What cannot be read for certain, or leads out of the site, is a finding
and not a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path

from snippetlock.model import Finding, Place, Report
from snippetlock.records import replace
from snippetlock.references.places import published
from snippetlock.references.published import Pre
from snippetlock.text import sha256
from snippetlock.workflow.built import Built, built
from snippetlock.workflow.captions import misquoted
from snippetlock.workflow.faults import first_difference, link, uncertain, unknown
from snippetlock.workflow.generated import generated_blocks
from snippetlock.workflow.held import lock_findings
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project
from snippetlock.workflow.unheld import number_findings, unheld_blocks
from snippetlock.workflow.verbatim import Verbatim
from snippetlock.workflow.views import views
from snippetlock.workflow.wanted import Wanted, drawing_of, wanted_of

_OF_A_FILE = ("SL121", "SL122", "SL123")


def proof(project: Project, site: Path) -> Report:
    """Hold a built site against pages, lock and pinned library.

    Raises `UsageError` for a folder without HTML pages, and what "could not check" is.
    """
    project.tree  # noqa: B018 - without the library nothing can be proven
    folder = built(project.config, site)
    findings = [*lock_findings(project), *number_findings(project, fewer=False)]
    findings += (link(folder.called(name)) for name in folder.links)
    blocks = 0
    verbatim = Verbatim(project.tree)
    # Pages of before quote the library by what other generators make of its docstrings, too.
    quoted = verbatim.holds if project.config.unheld != 0 else lambda text: False
    made, absent = _made(project, folder)
    findings += absent
    for name in folder.pages:
        if page := made.get(name):
            shown = folder.shown(name)
            blocks += len(shown.blocks)
            findings += uncertain(folder.called(name), shown)
            said = _page(project, page, folder.called(name), name, shown.blocks, quoted)
            # A page that became two files is asked twice what it wants; what is wrong with that is said once.
            findings += [finding for finding in said if finding.rule in _OF_A_FILE or finding not in findings]
    seen, problems = views(project, folder, made)
    findings += problems
    for name in folder.pages:
        if name not in made and name not in seen:
            shown = folder.shown(name)
            blocks += len(shown.blocks)
            findings += uncertain(folder.called(name), shown)
            findings += [unknown(folder.called(name), pre) for pre in shown.blocks if not verbatim.holds(pre.text)]
    diagrams = sum(bool(block.diagram) for page in made.values() for block in page.scan.blocks)
    free = {} if project.config.unheld == 0 else {"unheld blocks": len(unheld_blocks(project))}
    counts = {"pages": len(made), "blocks": blocks, **free, "diagrams": diagrams, "source views": len(seen)}
    return Report(findings=tuple(sorted(findings, key=_order)), counts=counts)


def _order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.place.path, finding.place.line or 0, finding.rule, finding.message


def _made(project: Project, site: Built) -> tuple[dict[str, Page], list[Finding]]:
    """Which page became each file of the site, and a finding for each page that became none.

    A page that has no twin in a language may have been published there all the same, as it is in the first one.
    """
    made: dict[str, Page] = {}
    findings = []
    for page in project.pages:
        name = _file_of(project, page, page.language, site)
        if name is None:
            findings.append(_absent(project, page, site))
        else:
            made[name] = page
    first, *others = project.config.languages
    twins = {(_own_name(page), page.language) for page in project.pages}
    alone = [page for page in project.pages if page.language == first]
    for page, language in product(alone, others):
        if (_own_name(page), language) not in twins and (name := _file_of(project, page, language, site)) is not None:
            made.setdefault(name, page)
    return made, findings


def _own_name(page: Page) -> str:
    """A page's name without its language."""
    stem, _, suffix = page.name.rpartition(".")
    return f"{stem.removesuffix(f'.{page.language}')}.{suffix}"


def _file_of(project: Project, page: Page, language: str, site: Built) -> str | None:
    """The file that a page became in a language; None for none."""
    for directories in (True, False):
        name = published(_own_name(page), language, project.config.languages, directories=directories)
        if name in site.pages:
            return name
    return None


def _absent(project: Project, page: Page, site: Built) -> Finding:
    """A page that became no file of its language; it may have become one whose name has the language in it."""
    name = published(page.name, page.language, project.config.languages)
    message = f"this page was not published: the site has no {name}"
    evidence: tuple[str, ...] = ()
    mend = "build the site again"
    for directories in (True, False):
        found = published(page.name, "", project.config.languages[:1], directories=directories)
        if found != name and found in site.pages:
            evidence = (f"it has {found}",)
            mend = f"have the builder know the language {page.language!r}: for MkDocs, the plugin of mkdocs-static-i18n"
    return Finding(rule="SL122", place=Place(path=page.path), message=message, evidence=evidence, mend=mend)


# One page


def _page(
    project: Project, page: Page, file: str, name: str, found: Sequence[Pre], quoted: Callable[[str], bool]
) -> Iterator[Finding]:
    """Hold a built file against its page: a block beside those of the page may be there where it is `quoted`."""

    def beside(item: Wanted, pre: Pre) -> Iterator[Finding]:
        if pre.odd:
            yield _disturbed(page, file, item, pre)
        if item.snippet and (evidence := misquoted(project, page, name, item.snippet, pre)):
            yield _miscaptioned(page, file, item, pre, evidence)
        published = pre.figure.caption if pre.figure else ""
        if item.caption and published != item.caption:
            evidence = ("the caption:", f"wanted {item.caption!r}", f"published {published!r}")
            yield _miscaptioned(page, file, item, pre, evidence)

    wanted: list[Wanted] = []
    for block in page.scan.blocks:
        item, failure = wanted_of(project, page, block)
        if failure:
            yield failure
        elif item:
            wanted.append(item)
    made = [block for marker in page.scan.markers for block in generated_blocks(marker)]
    wanted += [Wanted(key=("text", block.text), block=block, name="the generated block") for block in made]
    wanted.sort(key=lambda item: item.block.first)  # stable: what one marker made stays in its order
    wanted = _loosened(wanted)
    known = {item.key for item in wanted}
    labels = {item.block.footnote for item in wanted} | {pre.footnote for pre in found}
    for label in sorted(labels):
        mine = [item for item in wanted if item.block.footnote == label]
        shown = [pre for pre in found if pre.footnote == label]
        keys = [_key(pre, known) for pre in shown]
        yield from _aligned(page, file, mine, shown, keys, beside, quoted)


def _loosened(wanted: Sequence[Wanted]) -> list[Wanted]:
    """The blocks, those that nothing holds told by less than their text: renderers differ in how they end one.

    One with the text of a block that is held stays as it is, or it could be taken for that one's place.
    """
    held = {item.key for item in wanted if item.held}
    return [
        item if item.held or item.key in held else replace(item, key=("unheld", drawing_of(item.key[1])))
        for item in wanted
    ]


def _key(pre: Pre, known: set[tuple[str, str]]) -> tuple[str, str]:
    """What a published block is told by: as one of those that are `known`, or its text."""
    text, plain = ("text", pre.text), drawing_of(pre.text)
    loose = (key for key in (("diagram", plain), text, ("unheld", plain)) if key in known)
    return next(loose, text)


def _aligned(
    page: Page,
    file: str,
    wanted: Sequence[Wanted],
    shown: Sequence[Pre],
    keys: Sequence[tuple[str, str]],
    beside: Callable[[Wanted, Pre], Iterator[Finding]],
    quoted: Callable[[str], bool],
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
                if item.held:
                    yield from beside(item, pre)
                if item.accepted is not None and item.accepted != sha256(item.key[1]):
                    yield _unaccepted(page, file, item)
            continue
        yield from _unlike(page, file, wanted[a:b], [pre for pre in shown[c:d] if not quoted(pre.text)])


def _unlike(page: Page, file: str, wanted: Sequence[Wanted], shown: Sequence[Pre]) -> Iterator[Finding]:
    """A finding for each block of a stretch where no text is what it is to be.

    One that nothing holds may have become any block there, or none.
    """
    held = [item for item in wanted if item.held]
    free = len(wanted) - len(held)
    pairs = [(item, pre) for item, pre in zip(wanted, shown, strict=False) if item.held]
    if len(shown) != len(wanted):
        pairs = list(zip(held, shown[: max(0, len(shown) - free)], strict=False))
    for item, pre in pairs:
        yield _differs(page, file, item, pre)
    for item in held[len(pairs) :]:
        yield _missing(page, file, item)
    for pre in shown[len(pairs) + free :]:
        yield unknown(file, pre, page)


def _differs(page: Page, file: str, item: Wanted, pre: Pre, more: str = "") -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"what is published is not {item.name}{more}",
        evidence=(f"published at {file}:{pre.line}", *first_difference(item.key[1], pre.text)),
        mend="build the site again with the extension; do not edit what was built",
        snippet=item.block.snippet or "",
    )


def _disturbed(page: Page, file: str, item: Wanted, pre: Pre) -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"{item.name} is published, but not so that readers see it as it is",
        evidence=(f"published at {file}:{pre.line}", *pre.odd),
        mend="take off what hides or breaks the block, and build the site again",
        snippet=item.block.snippet or "",
    )


def _miscaptioned(page: Page, file: str, item: Wanted, pre: Pre, evidence: Sequence[str]) -> Finding:
    return Finding(
        rule="SL121",
        place=page.place(item.block.first),
        message=f"what is published beside {item.name} is not what the {'record' if item.caption else 'snippet'} says",
        evidence=(f"published at {file}:{pre.line}", *evidence),
        mend="build the site again with the extension; do not edit what was built",
        snippet=item.block.snippet or "",
    )


def _missing(page: Page, file: str, item: Wanted) -> Finding:
    return Finding(
        rule="SL122",
        place=page.place(item.block.first),
        message=f"{item.name} was not published",
        evidence=(f"not in {file}",),
        mend="build the site again with the extension `snippetlock`",
        snippet=item.block.snippet or "",
    )


def _unaccepted(page: Page, file: str, item: Wanted) -> Finding:
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
