"""Read `snippets/runs.yaml`: which programs of the docs are run for their output, by what command and where.

select-table:
  example: select_table            # the folder below `examples/` that it is run in
  command: python table.py
  environment: .venv-examples      # whose programs come first; without it those beside the tool's own Python;
                                   # `pin`: those too, and the pinned library's files are laid out to be imported
  facts: {torch: python -c "import torch; print(torch.__version__)"}
  volatile: ['\\d+ ms']             # what may differ from run to run
  exit: 1                          # how it ends; without it 0
  needs: nvidia-smi                # a command that fails where it cannot be run
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from snippetlock.config.document import NOTHING, Node, read_document
from snippetlock.config.schema import fields, mapping, number, text, texts
from snippetlock.model import Place
from snippetlock.records import dataclass

__all__ = ["PIN", "Run", "parse_runs", "read_runs"]

PIN = "pin"  # the environment of that name is no folder

_KEYS = ("example", "command", "environment", "facts", "volatile", "exit", "needs")
_ID = r"[a-z0-9][a-z0-9-]*"
_FOLDER = r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*"
_INSIDE = r"[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.][A-Za-z0-9_.-]*)*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One program that is run for its output. `facts` are commands by name, of whose output a first line is kept.

    `environment` is a folder of the project, empty for none, or `PIN`; `exit` the code that the command ends with;
    `needs` a command that fails where it cannot be run, empty where it always can.
    """

    id: str
    example: str
    command: str
    place: Place
    environment: str = ""
    facts: Mapping[str, str]
    volatile: tuple[str, ...] = ()
    exit: int = 0
    needs: str = ""


def read_runs(file: Path, name: str) -> tuple[Run, ...]:
    """The runs in their order; none where there is no such file. `name` is what messages call it.

    Raises `ConfigError` with the place of what is wrong: an unknown key, an id twice, a pattern that is none.
    """
    if not os.path.lexists(file):
        return ()
    return parse_runs(read_document(file, name))


def parse_runs(document: Node) -> tuple[Run, ...]:
    """The runs of a file that was read."""
    if document.kind == NOTHING:
        return ()
    found: dict[str, Run] = {}
    for key, value in mapping(document, "the file of runs"):
        if key.value in found:
            raise key.error(
                f"the run {key.value!r} stands twice (first at {found[key.value].place})", "keep one of them"
            )
        found[key.value] = _run(key, value)
    return tuple(found.values())


def _run(key: Node, node: Node) -> Run:
    name: str = key.value
    if not re.fullmatch(_ID, name):
        raise key.error(f"{name!r} is not an id", "an id is lower-case letters, digits and hyphens")
    given = {known: value for known, (_, value) in fields(node, _KEYS, f"the run {name!r}", _KEYS[:2]).items()}
    return Run(
        id=name,
        example=_path(given["example"], "example", _FOLDER, "name a folder below `examples/`"),
        command=_line(given["command"], "command"),
        place=Place(path=key.path, line=key.line, column=key.column),
        environment=_environment(given),
        facts=_facts(given["facts"]) if "facts" in given else {},
        volatile=tuple(_pattern(item) for item in texts(given["volatile"], "volatile")) if "volatile" in given else (),
        exit=number(given["exit"], "exit") if "exit" in given else 0,
        needs=_line(given["needs"], "needs") if "needs" in given else "",
    )


def _environment(given: Mapping[str, Node]) -> str:
    if "environment" not in given:
        return ""
    return _path(given["environment"], "environment", _INSIDE, "name a folder of this project, with `/`")


def _path(node: Node, what: str, pattern: str, mend: str) -> str:
    path = text(node, what)
    if not re.fullmatch(pattern, path) or ".." in path.split("/") or "." in path.split("/"):
        raise node.error(f"{what} is {path!r}, which is no folder there", mend)
    return path


def _line(node: Node, what: str) -> str:
    line = text(node, what)
    if not line.isprintable():
        raise node.error(f"{what} has more than one line, or a control character", "write it on one line")
    return line


def _facts(node: Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in mapping(node, "facts"):
        if key.value in found:
            raise key.error(f"facts says {key.value!r} twice", "keep one of the two")
        found[text(key, "the name of a fact")] = _line(value, f"the fact {key.value!r}")
    return found


def _pattern(node: Node) -> str:
    """A regular expression that takes at least one character."""
    pattern: str = node.value
    try:
        empty = re.compile(pattern).match("") is not None
    except re.error as error:
        raise node.error(f"{pattern!r} is no regular expression: {error.msg}", "mend it, or quote it in ' '") from error
    if empty:
        raise node.error(f"{pattern!r} fits nothing at all", "write one that takes at least one character")
    return pattern
