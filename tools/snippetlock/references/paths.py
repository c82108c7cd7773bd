"""Judge a path into the library, or a link into its repository: the file must be there, and so must the lines."""

from __future__ import annotations

import re
from fnmatch import translate

from snippetlock.errors import nearest
from snippetlock.index import Index, files, keys, lookup
from snippetlock.records import replace
from snippetlock.references.bench import Bench
from snippetlock.references.speech import Link
from snippetlock.references.verdicts import Verdict
from snippetlock.text import decode, line_starts

__all__ = ["judge_link", "judge_path"]

_PARTS = re.compile(
    r"(?P<path>[^:#]*+)(?::(?P<first>\d++)(?:-(?P<last>\d++))?|:(?P<name>[\w.]++)|#L(?P<l1>\d++)(?:-L?(?P<l2>\d++))?)?"
)
_LINK = re.compile(
    r"(?P<kind>blob|tree|raw)/(?P<ref>[^/#?]++)/(?P<path>[^#?]*+)(?:\?[^#]*+)?(?:#L(?P<first>\d++)(?:-L?(?P<last>\d++))?)?"
)
_ABOVE = 10  # lines above a definition that may belong to it: decorators, and the comment before them
_OPEN = re.compile(r"<[^<>]*+>|\{[^{}]*+\}|\*++|\$\w++|\.\.\.|…")


def judge_path(bench: Bench, text: str) -> Verdict:
    """The verdict on a path. Only one that begins with a package of the library, or that package's folder, is held."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return Verdict(text=text, state="aside", why="no path of a file")
    path = _in_tree(bench, parts["path"])
    if path is None:
        found = files(bench.index, parts["path"]) if not _OPEN.search(parts["path"]) else ()
        if found:
            return Verdict(text=text, state="resolved", why=found[0])
        return Verdict(text=text, state="aside", why="not below a package of the library")
    first, last = parts["first"] or parts["l1"], parts["last"] or parts["l2"]
    return _held(bench, text, path, first, last, parts["name"] or "")


def judge_link(bench: Bench, link: Link, refs: frozenset[str]) -> Verdict | None:
    """The verdict on a link into the library's repository; None for any other. `refs` mean the pinned state."""
    base = bench.address.removesuffix("/").removesuffix(".git")
    if not base or not link.address.startswith(f"{base}/"):
        return None
    parts = _LINK.fullmatch(link.address[len(base) + 1 :])
    if parts is None:
        return None
    if parts["ref"] not in refs:
        return Verdict(text=link.address, state="aside", why=f"it leads to {parts['ref']}, which is not the pin")
    path = _in_tree(bench, parts["path"])
    if path is None:
        return Verdict(text=link.address, state="aside", why="not below a package of the library")
    held = _held(bench, link.address, path, parts["first"], parts["last"], "")
    if held.rule or not (link.label and parts["first"]):
        return held
    return _elsewhere(bench, link, path, int(parts["first"]), int(parts["last"] or parts["first"])) or held


def _elsewhere(bench: Bench, link: Link, path: str, first: int, last: int) -> Verdict | None:
    """A finding where a link is shown as what its file defines, and leads to other lines of that file."""
    found = [each for each in lookup(bench.index, link.label.removesuffix("()")) if each.path == path]
    if not found or any(first <= each.last and each.line - _ABOVE <= last for each in found):
        return None
    one = found[0]
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    message = f"{lines} of {path} {'is' if first == last else 'are'} not of {link.label!r}"
    mend = f"lead to #L{one.line}-L{one.last}"
    found_at = f"{one.place}  {one.selector}"
    return replace(_fault(link.address, message, mend), evidence=(found_at,))


def _in_tree(bench: Bench, written: str) -> str | None:
    """The path in the tree that is meant; None for one that leads elsewhere."""
    path = written.removeprefix("./").removeprefix("/")
    if bench.root and path.startswith(f"{bench.root}/"):
        path = path[len(bench.root) + 1 :]
    return path if path.partition("/")[0] in bench.packages and "/" in path else None


def _held(bench: Bench, text: str, path: str, first: str | None, last: str | None, name: str) -> Verdict:
    index = bench.index
    folder = path.rstrip("/")
    if _OPEN.search(path):
        pattern = re.compile(translate(_OPEN.sub("*", folder)))
        found = next((each for each in (*index.paths, *_folders(index)) if pattern.match(each)), "")
        return Verdict(text=text, state="resolved", why=found) if found else _absent(index, text, path)
    if folder in _folders(index):
        return Verdict(text=text, state="resolved", why=f"{folder}/")
    if path not in frozenset(index.paths):
        return _absent(index, text, path)
    end = int(last or first or 0)
    if end:
        count = len(line_starts(decode(index.tree.read(path), path, python=path.endswith(".py"))))
        if end > count:
            return _fault(text, f"{path} has {count} lines, so no line {end}", "correct the lines, or leave them out")
    if name and not _inside(index, path, name):
        return _fault(text, f"{path} has no {name!r}", "correct the name, or leave it out")
    return Verdict(text=text, state="resolved", why=path)


def _inside(index: Index, path: str, name: str) -> bool:
    if path.endswith((".yaml", ".yml")):
        return any(key.path == path for key in keys(index, name))
    if path.endswith((".py", ".pyi")):
        return any(each.path == path for each in lookup(index, name))
    return True  # what the index does not look into


def _folders(index: Index) -> frozenset[str]:
    if "folders" not in index.memo:
        found: set[str] = set()
        for path in index.paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        index.memo["folders"] = frozenset(found)
    folders: frozenset[str] = index.memo["folders"]
    return folders


def _absent(index: Index, text: str, path: str) -> Verdict:
    last = path.rstrip("/").rpartition("/")[2]
    same = [each for each in files(index, last) if each.rstrip("/") != path.rstrip("/")]
    near = tuple(same[:3]) or nearest(path, index.paths)
    mend = f"did you mean {' or '.join(map(repr, near))}?" if near else "name a file that is there"
    # A repository is often called as its package is, and a program may write files into a folder called so.
    beside = path.rstrip("/").rpartition("/")[0] in _folders(index)
    certain = path.endswith((".py", ".pyi")) and (beside or bool(same))
    return _fault(text, f"the library has no {path!r}", mend, certain=certain)


def _fault(text: str, message: str, mend: str, *, certain: bool = True) -> Verdict:
    return Verdict(text=text, state="unknown", why=message, rule="SL304", certain=certain, message=message, mend=mend)
