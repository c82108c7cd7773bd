"""An example for every rule, as data: what goes wrong in a small project, and what the tool says of it. Pure.

`rules.case` holds them in the form of the tests' case files, because a test makes each project, runs the command and
requires the message, word for word: what the rules page shows cannot fall behind what the tool says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from snippetlock.records import dataclass

FILE = "rules.case"
PROJECT = "PROJECT"  # the case that holds the files which every example starts from
_LANGUAGES = {"py": "python", "yaml": "yaml", "lock": "yaml", "md": "markdown", "html": "html", "toml": "toml"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One block of an example: a file's name, or a command, and its text. `language` is a fence's."""

    label: str
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One case. What a page shows of it is `samples`; how the project is made is the sections' business.

    `given` are files that are accepted, `wrong` files written after that and shown, `also` files written but not
    shown, `edits` rows `- old` and `+ new` in a file, `script` shell commands, in this order. `said` is what `command`
    prints of it.
    """

    code: str
    given: Mapping[str, str]
    wrong: Mapping[str, str]
    also: Mapping[str, str]
    edits: Mapping[str, str]
    script: str
    command: str
    said: str

    @property
    def samples(self) -> tuple[Sample, ...]:
        """What goes wrong, then what the tool says."""
        shown = [Sample(label=name, language=_language(name), text=text) for name, text in self.wrong.items()]
        shown += [Sample(label=name, language="diff", text=text) for name, text in self.edits.items()]
        if self.script:
            shown.append(Sample(label="sh", language="sh", text=self.script))
        return (*shown, Sample(label=f"snippetlock {self.command}", language="text", text=self.said))


@cache
def examples() -> Mapping[str, Example]:
    """Every example by its rule's code. Raises ValueError for a file that is not in the form."""
    return {title: _example(title, sections) for title, sections in _cases().items() if title != PROJECT}


@cache
def project() -> Mapping[str, str]:
    """The files that every example starts from."""
    return _of(_cases()[PROJECT], "file")


def _example(code: str, sections: Mapping[str, str]) -> Example:
    return Example(
        code=code,
        given=_of(sections, "given"),
        wrong=_of(sections, "wrong"),
        also=_of(sections, "also"),
        edits=_of(sections, "edit"),
        script=sections.get("do", ""),
        command=sections.get("run", "check").strip(),
        said=sections["said"],
    )


def _of(sections: Mapping[str, str], kind: str) -> dict[str, str]:
    return {name[len(kind) + 1 :]: text for name, text in sections.items() if name.startswith(f"{kind} ")}


def _language(name: str) -> str:
    return _LANGUAGES.get(name.rpartition(".")[2], "text")


@cache
def _cases() -> dict[str, dict[str, str]]:
    """The sections of every case by its title; what stands before the first section of a case is not read."""
    cases: dict[str, dict[str, list[str]]] = {}
    sections: dict[str, list[str]] = {}
    section: list[str] = []
    text = files("snippetlock.report").joinpath(FILE).read_bytes().decode("utf-8")
    for number, line in enumerate(text.split("\n"), start=1):
        mark, _, name = line.partition(" ")
        known = cases if mark == "===" else sections if mark == "---" and name else None
        if known is None:
            section.append(line.removeprefix("\\") if line.startswith(("\\===", "\\---")) else line)
        elif name in known:
            raise ValueError(f"{FILE}:{number}: a second {name!r}")
        elif mark == "===":
            sections, section = cases.setdefault(name, {}), []
        else:
            section = sections.setdefault(name, [])
    return {title: {name: _text(lines) for name, lines in found.items()} for title, found in cases.items()}


def _text(lines: list[str]) -> str:
    return "\n".join(lines).rstrip("\n") + "\n"
