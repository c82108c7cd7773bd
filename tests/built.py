"""This project's own site, built as a reader gets it, and what its files say. Used by the tests of the built site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml import html

ROOT = Path(__file__).parent.parent
NAMED = "SNIPPETLOCK_SITE"  # a folder with a site that whoever sets this knows to be of this tree
_HOST = "http://site.test/"
_LINES = re.compile(r"L([1-9]\d*)(?:-L([1-9]\d*))?")
_URL = re.compile(r"url\(\s*['\"]?([^)'\"]+)")
_ADDRESSES = ("href", "src", "poster", "data", "action")


def build(folder: Path) -> Path:
    """Build the site into `folder`, without a night of benchmarks; one that is named is taken as it is."""
    if named := os.environ.get(NAMED):
        return ROOT / named
    environ = os.environ | {"SNAPSHOT": "none", "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, f"mkdocs build --strict ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTML file: where it lies below the site, what it links to as written, and the anchors that it has."""

    path: str
    addresses: tuple[str, ...]
    anchors: tuple[str, ...]
    lines: int  # of the file that it shows; none unless it is a source view


def pages(site: Path) -> Iterator[str]:
    """Every HTML file below the site, in order."""
    yield from sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def folder_of(path: str) -> str:
    """The address that a reader sees: a page is named by its folder."""
    return path.removesuffix("index.html") if path.endswith("index.html") else path


def read(file: Path) -> html.HtmlElement:
    return html.document_fromstring(file.read_bytes(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))


@cache
def page(site: Path, path: str) -> Page:
    root = read(site / path)
    found = [str(value) for name in _ADDRESSES for value in root.xpath(f"//@{name}")]
    anchors = tuple(map(str, root.xpath("//@id | //a/@name")))
    lines = sum(1 for anchor in anchors if _LINES.fullmatch(anchor)) if "/sources/" in f"/{path}" else 0
    return Page(path=path, addresses=tuple(found), anchors=anchors, lines=lines)


def faults(site: Path) -> list[str]:
    """Each address of a page that leads nowhere within the site, and each anchor that a page has twice."""
    known = {path: page(site, path) for path in pages(site)}
    anchors = {path: frozenset(found.anchors) for path, found in known.items()}
    bad = []
    for path, found in known.items():
        bad += [f"{path}: the anchor {each!r} is there twice" for each in _twice(found.anchors)]
        for address in dict.fromkeys(found.addresses):
            if why := _fault(site, known, anchors, path, address):
                bad.append(f"{path}: {address!r}: {why}")
    for style in sorted(site.rglob("*.css")):
        name = style.relative_to(site).as_posix()
        for address in _URL.findall(style.read_text(encoding="utf-8")):
            if why := _fault(site, known, anchors, name, address, foreign="a style sheet asks another host"):
                bad.append(f"{name}: {address!r}: {why}")
    return bad


def nameless(site: Path) -> list[str]:
    """Each page with a table that has a heading without a word: a screen reader reads nothing there."""
    tables = {path: read(site / path).xpath("//article//th") for path in pages(site) if "/sources/" not in f"/{path}"}
    return [path for path, cells in tables.items() if not all(cell.text_content().strip() for cell in cells)]


def _fault(
    site: Path, known: dict[str, Page], anchors: dict[str, frozenset[str]], path: str, address: str, foreign: str = ""
) -> str:
    whole = urljoin(_HOST + path, address)
    if urlsplit(whole).scheme not in ("http", "https"):
        return "" if urlsplit(whole).scheme in ("mailto", "data", "javascript") else "an address of an unknown kind"
    if not whole.startswith(_HOST):
        return foreign
    place, fragment = urldefrag(whole)
    name = unquote(place.removeprefix(_HOST).partition("?")[0])
    name = f"{name}index.html" if name == "" or name.endswith("/") else name
    if not (site / name).is_file():
        return "there is no such file"
    anchor = unquote(fragment)
    if not anchor or name not in known or anchor in anchors[name]:
        return ""
    lines = _LINES.fullmatch(anchor)
    if lines and known[name].lines:
        first, last = int(lines[1]), int(lines[2] or lines[1])
        return "" if first <= last <= known[name].lines else f"the file has {known[name].lines} lines"
    return f"{name} has no such anchor"


def _twice(names: tuple[str, ...]) -> list[str]:
    seen: set[str] = set()
    return [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
