"""Copies of the site to measure on, and what is changed in them; a library that is made."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from room import ROOT

from snippetlock.config import cache_dir
from snippetlock.references import Block, Marker
from snippetlock.references.places import address, published, relative
from snippetlock.workflow import open_project
from snippetlock.workflow.filling import fill
from snippetlock.workflow.pages import Page
from snippetlock.workflow.project import Project


def copied(folder: Path) -> Path:
    """The site's sources, copied into a folder that is made for them; the folder."""
    for part in ("docs", "snippets", "tileops_ref", "tools/tileops_site"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("checkout", "__pycache__"))
    for file in ("pyproject.toml", "mkdocs.yml"):
        shutil.copyfile(ROOT / file, folder / file)
    return folder


def leave_quotations(site: Path, own: set[str]) -> None:
    """Take out of a copy what is held beside quotations of the library; `own` are the snippets of its own programs.

    References, claims and twins are prose, and programs of the site's own are held as prose is: against an
    index of the whole library.
    """
    take_out(site, own, runs=True)
    shutil.rmtree(site / "snippets" / "examples")
    shutil.rmtree(site / "snippets" / "runs")
    (site / "snippets" / "runs.yaml").unlink()
    file = site / "pyproject.toml"
    lines = re.sub(r"(?m)^references = .*$", "", file.read_text(encoding="utf-8"))
    file.write_text(re.sub(r"(?m)^twins = .*$", 'twins = "off"', lines), encoding="utf-8")
    for page in (site / "docs").rglob("*.md"):
        said = re.sub(r"(?s)<!--(?:(?!-->).)*?\bclaim:.*?-->", "<!-- -->", page.read_text(encoding="utf-8"))
        page.write_text(said, encoding="utf-8")


def type_in(project: Project, site: Path) -> None:
    """What the tool fills in is written into the pages as an author would, and the tool leaves mkdocs.yml."""
    for page in project.pages:
        lines = page.text.split("\n")
        typed: list[tuple[Block | Marker, list[str]]] = [*_generated(project, page)]
        typed += [(block, _typed(project, block)) for block in page.scan.blocks if block.kind == "fence"]
        for piece, body in sorted(typed, key=lambda pair: pair[0].first, reverse=True):
            if body:
                indent = re.sub(r"[^\s>]", " ", piece.prefix)
                lines[piece.first - 1 : piece.last] = [piece.prefix + body[0], *(indent + line for line in body[1:])]
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    config = site / "mkdocs.yml"
    config.write_text(
        re.sub(r"^  - snippetlock\n", "", config.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8"
    )


def _typed(project: Project, block: Block) -> list[str]:
    """The lines of a fence that holds the text itself, for a block that the tool would fill; none for another."""
    if block.snippet is None and block.unsourced is None:
        return []
    snippet = project.snippet(block.snippet) if block.snippet is not None else None
    text, language = (snippet.text, snippet.language) if snippet else (block.text, block.language)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return [f"{fence}{language}", *text.rstrip("\n").split("\n"), fence]


def _generated(project: Project, page: Page) -> Iterator[tuple[Marker, list[str]]]:
    """What takes the place of each marker of a page, as Markdown with HTML in it."""
    here = address(published(page.name, page.language, project.config.languages))
    filled = fill(project, page, lambda target: relative(target, here))
    for marker in page.scan.markers:
        filling = next(filling for filling in filled.fillings if filling.first == marker.first)
        body = ["", *filling.html.split("\n"), ""]
        for section in filling.sections:
            body += [
                f"{'#' * section.level} {section.title} {{ #{section.anchor} }}",
                "",
                *section.html.split("\n"),
                "",
            ]
        yield marker, body


def take_out(site: Path, ids: set[str], *, runs: bool = False) -> None:
    """Take definitions out of a copy of the site, and the blocks that show them; with `runs` what programs say too."""
    for page in open_project(site, cache_dir(os.environ)).pages:
        lines = page.text.split("\n")
        for block in reversed(page.scan.blocks):
            if block.snippet in ids or (runs and block.run is not None):
                lines[block.first - 1 : block.last] = []
        (site / page.path).write_text("\n".join(lines), encoding="utf-8")
    for file in sorted((site / "snippets").glob("*.yaml")):
        blocks = re.split(r"^(?=[a-z0-9])", file.read_text(encoding="utf-8"), flags=re.M)
        kept = [block for block in blocks if block.partition(":")[0] not in ids]
        file.write_text("".join(kept), encoding="utf-8")
        if not any(re.match("[a-z0-9]", block) for block in kept):
            file.unlink()


def synthetic(package: Path, modules: int) -> None:
    """A package of so many modules with fifty functions each."""
    package.mkdir()
    (package / "__init__.py").write_text("")
    body = "".join(f"def f{n}(a, b=None):\n    return [a, b, {n}]\n\n\n" for n in range(50))
    for number in range(modules):
        (package / f"m{number}.py").write_text(body)
