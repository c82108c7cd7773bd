"""Where a page is published, as addresses below the site's root. Pure, and the only place that knows.

The layout is that of static sites with one suffix a language: `guide/a.zh.md` is published as
`zh/guide/a/index.html`, or `zh/guide/a.html` where addresses of files are wanted.
"""

from __future__ import annotations

import posixpath


def published(name: str, language: str, languages: tuple[str, ...], *, directories: bool = True) -> str:
    """The HTML file that a page (`guide/a.zh.md`, below the docs folder) becomes, below the site's root."""
    folder, _, file = name.rpartition("/")
    stem = file.removesuffix(".md")
    if stem.endswith(f".{language}"):
        stem = stem.removesuffix(f".{language}")
    index = stem in ("index", "README")
    parts = [part for part in (prefix(language, languages).rstrip("/"), folder) if part]
    if index:
        return "/".join([*parts, "index.html"])
    return "/".join([*parts, stem, "index.html"] if directories else [*parts, f"{stem}.html"])


def address(file: str) -> str:
    """The address of a published file: `guide/a/` for `guide/a/index.html`."""
    return file.removesuffix("index.html") if file.rpartition("/")[2] == "index.html" else file


def prefix(language: str, languages: tuple[str, ...]) -> str:
    """The folder of a language below the site's root, with its slash; empty for the first language."""
    return "" if language == languages[0] else f"{language}/"


def source_view(path: str, language: str, languages: tuple[str, ...]) -> str:
    """The HTML file of a source view, below the site's root."""
    return f"{prefix(language, languages)}sources/{path}.html"


def relative(target: str, base: str) -> str:
    """The address `target` as seen from the address `base`, both below the site's root."""
    folder = base if base.endswith("/") or not base else base.rpartition("/")[0]
    path = posixpath.relpath(f"/{target}", f"/{folder}")
    return f"{path}/" if target.endswith("/") or not target else path
