"""A small library of ours in three releases, as wheels and as git, and bilingual docs that quote it.

From 1.0 to 1.1 everything that changes is safe; from 1.1 to 2.0 there is one change of each class.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile
from pathlib import Path

from gitrepo import History

JAR = '''"""Jars."""

SIZES = [1, 2, 4]


class Jar:
    """Holds things."""

    depth: int = 3

    def fill(self, what: str, *, level: int = 1) -> int:
        """Fill the jar."""
        self.what = what
        return level * self.depth

    def drain(self) -> str:
        what, self.what = self.what, ""
        return what

    def shake(self, times: int) -> int:
        # Gently.
        return times * 2
'''
SCALE = """def weigh(jars: list[str], unit: float = 1.0) -> float:
    return sum(len(jar) for jar in jars) * unit


def label(jar: str, unit: str) -> str:
    return jar + " in " + unit
"""
TARE = """def tare(weight: float, jar: float) -> float:
    if weight < jar:
        raise ValueError("lighter than its jar")
    return weight - jar
"""
LID = """def lid(size: int, thread: str = "left") -> dict[str, int]:
    turns = {"left": 3, "right": 4}
    found = turns[thread] * size
    return {"size": size, "turns": found}
"""
CORK = """def cork(width: int) -> bytes:
    return b"cork" * width
"""
SEAL = """def seal(jar: str) -> str:
    return jar.upper()
"""
ODD = """def odd(number: int) -> bool:
    return number % 2 == 1
"""
INIT = "from kit.jar import Jar as Jar\nfrom kit.scale import tare as tare\nfrom kit.scale import weigh as weigh\n"

ONE = {
    "kit/__init__.py": INIT,
    "kit/jar.py": JAR,
    "kit/scale.py": f"{SCALE}\n\n{TARE}",
    "kit/lids.py": f"{LID}\n\n{CORK}\n\n{SEAL}",
    "kit/odd.py": ODD,
}
LAID_OUT = SCALE.replace(
    "def label(jar: str, unit: str) -> str:", "def label(\n    jar: str,\n    unit: str,\n) -> str:"
)
SAFE = {
    **ONE,
    "kit/__init__.py": INIT.replace("kit.scale import tare", "kit.weights import tare"),
    "kit/scale.py": LAID_OUT,
    "kit/weights.py": TARE,
    "kit/lids.py": '"""Lids."""\n\n' + ONE["kit/lids.py"],
}
TWO = {
    **SAFE,
    "kit/jar.py": JAR.replace("level: int = 1", "height: int = 1")
    .replace("level * self", "height * self")
    .replace('what, self.what = self.what, ""\n        return what', 'self.what = ""\n        return self.what')
    .replace("# Gently.", "# Briskly."),
    "kit/lids.py": f"{LID.replace('def lid', 'def cover')}\n\n"
    'import os\n\nif os.name == "posix":\n    def seal(jar: str) -> str:\n        return jar.upper()\n'
    "else:\n    def seal(jar: str) -> str:\n        return jar\n",
    "kit/odd.py": "def odd(number: int -> bool:\n    return number % 2 == 1\n",
}
RELEASES = {"1.0": ONE, "1.1": SAFE, "2.0": TWO}

DEFINITIONS = """# What the guide quotes.

sizes: {source: kit.jar:SIZES}

weigh:
  source:   "kit:weigh"   # public
tare:
  source: kit.scale:tare  # where it is defined
  docstrings: keep
label:
  source: 'kit.scale:label'

# The jar itself.
fill:
  source: kit:Jar.fill
  highlight: ["self.what = what"]
drain: {"source": "kit:Jar.drain", comments: keep}
shake:
    source: kit:Jar.shake
lid:
  source: kit.lids:lid
cork:
  source: kit.lids:cork
seal:
  source: kit.lids:seal
odd:
  source: kit.odd:odd
"""
IDS = ("sizes", "weigh", "tare", "label", "fill", "drain", "shake", "lid", "cork", "seal", "odd")
SAFE_IDS = IDS[:4]
ENGLISH = {
    "fill": "`Jar.fill` takes `level`, see `fill(what, level=2)`.",
    "lid": "A `lid` has a `thread`.",
    "cork": 'Every ``cork(width)`` is a cork.\n\n```text unsourced="an example of what is no prose"\n`cork`\n```',
    "end": "## Elsewhere\n\nThe `level` of another thing, and `lid` again.",
}
CHINESE = {
    "fill": "`Jar.fill` 的参数 `level`。",
    "lid": "盖子 `lid` 有 `thread`。",
    "cork": "木塞 `cork`。",
}


def page(title: str, prose: dict[str, str], ids: tuple[str, ...] = IDS) -> str:
    """A page with a section for each snippet."""
    parts = [f"# {title} {{ #top }}\n"]
    for name in ids:
        text = f"{prose[name]}\n\n" if name in prose else ""
        parts.append(f'## {name} {{ #{name} }}\n\n{text}```python snippet="{name}"\n```\n')
    parts += [f"{prose['end']}\n"] if "end" in prose else []
    return "\n".join(parts)


def wheel(folder: Path, version: str, name: str = "kit", files: dict[str, str] | None = None) -> Path:
    """A wheel of a release, as pip takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    held = {path: text.encode() for path, text in (RELEASES[version] if files is None else files).items()}
    held[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    held[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for path, data in held.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    held[f"{info}/RECORD"] = record.encode()
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in held.items():
            archive.writestr(zipfile.ZipInfo(member), data)
    return path


def library(history: History) -> dict[str, str]:
    """The releases as commits with tags, and a state of `main` beyond them; the commit of each."""
    commits = {}
    before: dict[str, str] = {}
    for number, (version, files) in enumerate(RELEASES.items(), start=1):
        changes = {f"src/{path}": text for path, text in files.items() if before.get(path) != text}
        gone = {f"src/{path}": None for path in before if path not in files}
        commits[version] = history.commit({**changes, **gone}, f"Release {version} (#{number})")
        history.git("tag", f"v{version}")
        before = files
    return commits


def index(folder: Path) -> dict[str, str]:
    """A folder of the wheels, and what makes pip take it for the only index."""
    for version in RELEASES:
        wheel(folder, version)
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull}


def project(folder: Path, pin: str, ids: tuple[str, ...] = IDS, definitions: str = DEFINITIONS) -> Path:
    """Docs that quote these snippets, with this pin file; nothing is accepted yet."""
    kept = definitions
    for name in IDS:
        if name not in ids:
            kept = _without(kept, name)
    files = {
        "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\ntwins = "off"  # a move is about snippets\n',
        "pin.yaml": pin,
        "snippets/kit.yaml": kept,
        "docs/guide.md": page("Guide", ENGLISH, ids),
        "docs/guide.zh.md": page("指南", CHINESE, ids),
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode("utf-8"))
    return folder


def _without(text: str, name: str) -> str:
    lines = text.split("\n")
    start = next((n for n, line in enumerate(lines) if line.startswith(f"{name}:")), None)
    if start is None:
        return text
    end = start + 1
    while end < len(lines) and lines[end].startswith(" "):
        end += 1
    return "\n".join(lines[:start] + lines[end:])


def git_pin(url: str, commit: str) -> str:
    """A pin to a commit, with a comment that has to stay."""
    return f"name: kit\ngit:\n  commit: {commit}  # what is read\nrepository: # ours\n  url: {url}\n  root: src\n"


def wheel_pin(path: Path, more: str = "") -> str:
    """A pin to a wheel."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    version = path.name.split("-")[1]
    return f'name: kit\nversion: "{version}"\nwheel:\n  file: {path.name}\n  sha256: {digest}\n{more}'
