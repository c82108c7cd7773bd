"""Which page an op lands on, by four rules of which the first that answers wins, always; and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tileops_site.benchmarks.families import BY_FAMILY, BY_PACKAGE, OTHER, Family
from tileops_site.benchmarks.manifest import Manifest, Op
from tileops_site.benchmarks.settings import Settings, within, words

RULES = ("manifest", "package", "keyword", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one rule says. `page` is None where it does not know."""

    rule: str
    page: Family | None
    why: str
    op: Op | None = None  # the entry of the manifest that speaks for it
    renamed: bool = False  # that entry has another name: a candidate, and not certain
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where an op lands: the page, the answer that chose it, and what every rule says, asked or not."""

    name: str
    module: str
    page: Family
    chosen: Answer
    answers: tuple[Answer, ...]


def place(name: str, module: str, manifest: Manifest, settings: Settings) -> Placed:
    """The page of an op; `module` is where the night says that it is defined, empty where it does not."""
    answers = tuple(rule(name, module, manifest, settings) for rule in _RULES)
    chosen = next(answer for answer in answers if answer.page is not None)
    return Placed(name=name, module=module, page=chosen.page or OTHER, chosen=chosen, answers=answers)


def _by_manifest(name: str, module: str, manifest: Manifest, settings: Settings) -> Answer:
    op = manifest.ops.get(name)
    if op is not None:
        return _family(op, f"the manifest says family {op.family!r}", renamed=False)
    alike = manifest.alike(name) if name else ()
    if len(alike) == 1:
        why = f"not in the manifest; {alike[0].name} is the same name in another case, of family {alike[0].family!r}"
        return _family(alike[0], why, renamed=True)
    if alike:
        several = ", ".join(op.name for op in alike)
        return Answer(rule="manifest", page=None, why=f"not in the manifest; it could be any of {several}")
    return Answer(rule="manifest", page=None, why="not in the manifest")


def _family(op: Op, why: str, *, renamed: bool) -> Answer:
    page = BY_FAMILY.get(op.family)
    warning = ""
    if page is None:
        warning = f"the family {op.family!r} of {op.name} has no page: it goes to {OTHER.english}"
    return Answer(
        rule="manifest", page=page or OTHER, why=f"{why} ({op.file})", op=op, renamed=renamed, warning=warning
    )


def _by_package(name: str, module: str, manifest: Manifest, settings: Settings) -> Answer:
    """The package below the folder that holds all ops: `norm` of `tileops.ops.norm.rms_norm`."""
    if not module:
        return Answer(rule="package", page=None, why="the night names no module")
    _, *parts = module.split(".")
    package = parts[1] if len(parts) > 1 and parts[0] in ("ops", "_ops") else ""
    page = BY_PACKAGE.get(package)
    why = f"its module is {module}" if page else f"its module is {module}, whose package speaks for no page"
    return Answer(rule="package", page=page, why=why)


def _by_keyword(name: str, module: str, manifest: Manifest, settings: Settings) -> Answer:
    own = words(name)
    for keyword, page in settings.keywords:
        if within(keyword, own):
            return Answer(rule="keyword", page=page, why=f"its name holds the keyword {'_'.join(keyword)!r}")
    return Answer(rule="keyword", page=None, why="its name holds no keyword")


def _other(name: str, module: str, manifest: Manifest, settings: Settings) -> Answer:
    return Answer(rule="other", page=OTHER, why="nothing else speaks for a page")


_RULES: tuple[Callable[[str, str, Manifest, Settings], Answer], ...] = (_by_manifest, _by_package, _by_keyword, _other)


def warnings(placed: Iterator[Placed]) -> tuple[str, ...]:
    """What is to be said of these, each once, in their order."""
    return tuple(dict.fromkeys(one.chosen.warning for one in placed if one.chosen.warning))
