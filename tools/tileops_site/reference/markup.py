"""A Markdown extension for pages beside an API reference: names in inline code lead there, and formulas are MathML.

MkDocs resolves the links like any that an author wrote, so one to a name that the reference lost stops the build.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from html import unescape
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from latex2mathml import exceptions
from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

_ABOVE = frozenset({"a", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})  # in these a name is no link
_CALL = re.compile(r"(?:self\.)?([A-Za-z_][\w.]*)\([^()]*\)")
_LONG = 24  # characters that a column has room for on a phone
_PART = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{3})|(?<=[/.(])(?=\w)|(?<=\w_)(?=[a-z0-9])")
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")  # of a command: a browser would break it at its hyphens
_TEXT = re.compile(r"\\text\{[^{}]*\}")  # in which an underscore is escaped, and the converter leaves that as it is
_SIGN = re.compile(r"\\mathbin\{([^{}]*)\}")  # a sign among operators: made of elements that do not go into each other
_UNREADABLE: tuple[type[Exception], ...] = tuple(e for e in vars(exceptions).values() if isinstance(e, type))


class Known:
    """What each name means: the file of its page below the docs folder, with the anchor. Set for each build."""

    targets: Mapping[str, str] = MappingProxyType({})


class _Markup(Treeprocessor):
    def run(self, root: Element) -> None:
        here = self._here()
        for parent, child in list(_inside(root)):
            name = _named(child) if child.tag == "code" and len(child) == 0 else ""
            if "arithmatex" in child.get("class", "").split():
                self._formula(child)
            elif target := Known.targets.get(name):
                self._link(parent, child, posixpath.relpath(target, here))
        blocks = {code for block in root.iter("pre") for code in block.iter("code")}
        for code in root.iter("code"):
            if code not in blocks:
                _whole(code)
        for table in root.iter("table"):
            for code in table.iter("code"):
                _breakable(code)

    def _here(self) -> str:
        """The folder of the page that is rendered, below the docs folder."""
        file = getattr(self.md.treeprocessors["relpath"], "file", None) if "relpath" in self.md.treeprocessors else None
        return posixpath.dirname(str(getattr(file, "src_uri", ""))) or "."

    @staticmethod
    def _link(parent: Element, code: Element, address: str) -> None:
        link = Element("a", {"class": "api-link", "href": address})
        link.tail, code.tail = code.tail, None
        parent[list(parent).index(code)] = link
        link.append(code)

    def _formula(self, element: Element) -> None:
        """Put MathML in the place of TeX; what cannot be read stays TeX, which a reader can read."""
        tex = unescape(element.text or "").strip()  # the extension that found it has already made it HTML
        block = tex.startswith("\\[")
        tex = _TEXT.sub(lambda found: found[0].replace(r"\_", "_"), tex[2:-2])
        tex = _SIGN.sub(r"\1", tex).replace("{aligned}", "{split}")  # the same, and known by this name only
        try:
            made = convert(tex, display="block" if block else "inline")
        except _UNREADABLE:
            return
        element.text = self.md.htmlStash.store(made)


def _named(code: Element) -> str:
    """What inline code names: itself, or what it calls, of an object that calls itself `self` too."""
    text = code.text or ""
    call = _CALL.fullmatch(text) if "message" not in code.get("class", "").split() else None
    return call[1] if call else text


def _whole(code: Element) -> None:
    """Keep the options of a command from being broken: `--to` is not to end a line with `--`."""
    first, *rest = _OPTION.split(code.text or "")
    if not rest or len(code):
        return
    code.text = first
    for option, after in zip(rest[::2], rest[1::2], strict=True):
        span = SubElement(code, "span", {"class": "site-option"})
        span.text, span.tail = option, after


def _breakable(code: Element) -> None:
    """Let a long name in a narrow column break between its parts; what is copied has nothing more in it."""
    text = code.text or ""
    if len(text) < _LONG or len(code):
        return
    first, *rest = _PART.sub("\0", text).split("\0")
    code.text = first
    for part in rest:
        SubElement(code, "wbr").tail = part


def _inside(root: Element) -> Iterator[tuple[Element, Element]]:
    """Each element with what it stands in; nothing inside what takes no link."""
    for child in root:
        yield root, child
        if child.tag not in _ABOVE:
            yield from _inside(child)


class MarkupExtension(Extension):
    """Registers the one processor: after inline code is an element, before MkDocs resolves links (0)."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(_Markup(md), "tileops-markup", 5)


def makeExtension(**options: Any) -> MarkupExtension:
    """What Python-Markdown calls when the extension is named by its module."""
    return MarkupExtension(**options)
