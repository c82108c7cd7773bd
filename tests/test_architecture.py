"""What keeps the code in order: the table of layers, homes of libraries, what the core never does."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOOLS = Path(__file__).parent.parent / "tools"
PACKAGE = TOOLS / "snippetlock"

# A module imports only from rows above its own, and within its own unit.
LAYERS = (
    "errors text tokens reading",
    "model rules",
    "links",
    "config source report",
    "select",
    "render",
    "lock",
    "drift",
    "history",
    "references",
    "workflow",
    "extension plugin",
    "cli",
    "__main__",
)
ROW = {name: number for number, names in enumerate(LAYERS) for name in names.split()}
# `text` builds its errors from `errors`, `report` its closing words from `rules`: neighbours that point one way.
NEIGHBOURS = {("text", "errors"), ("tokens", "errors"), ("tokens", "text"), ("rules", "model"), ("plugin", "extension")}
HOME = {
    "libcst": ("select",),
    "markdown": ("extension",),
    "mkdocs": ("plugin",),
    "argparse": ("cli",),
    "subprocess": ("source",),
    "zipfile": ("source",),
    "yaml": ("config", "lock", "select"),
    "pygments": ("report", "extension"),
}


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every import, those inside functions included: line, dotted name (`.` first for a relative one)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            yield from ((node.lineno, f"{dots}{node.module}.{alias.name}") for alias in node.names)


def layer_violations(package: Path) -> list[str]:
    bad = []
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        unit, where = parts[0], "/".join(parts)
        if unit == "__init__":
            continue
        if unit not in ROW:
            bad.append(f"{where}: not in the table")
            continue
        for line, name in imports(ast.parse(file.read_bytes())):
            top, *rest = name.split(".")
            if not top:
                bad.append(f"{where}:{line}: relative import")
            elif top == package.name and rest and rest[0] in ROW:
                other = rest[0]
                if other != unit and ROW[other] >= ROW[unit] and (unit, other) not in NEIGHBOURS:
                    bad.append(f"{where}:{line}: imports {other}")
            elif top == package.name and rest != ["__version__"]:
                bad.append(f"{where}:{line}: imports the facade")
            elif unit not in HOME.get(top, (unit,)):
                bad.append(f"{where}:{line}: {top} belongs in {' and '.join(HOME[top])}")
    return bad


def test_the_package_keeps_the_table():
    assert layer_violations(PACKAGE) == []


def test_every_row_of_the_table_exists():
    present = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}

    assert set(ROW) <= present


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        ("lock.py", "from snippetlock.workflow import check", "lock:1: imports workflow"),
        ("lock.py", "def f():\n    import snippetlock.cli", "lock:2: imports cli"),
        ("lock.py", "from . import text", "lock:1: relative import"),
        ("lock.py", "import libcst.matchers", "lock:1: libcst belongs in select"),
        ("lock.py", "from snippetlock import lock2", "lock:1: imports the facade"),
        ("other.py", "", "other: not in the table"),
        ("lock.py", "from snippetlock import __version__\nfrom snippetlock.text import sha256\nimport yaml", None),
    ],
)
def test_the_table_is_really_read(tmp_path, file, code, said):
    package = tmp_path / "snippetlock"
    package.mkdir()
    (package / file).write_text(code)

    assert layer_violations(package) == ([said] if said else [])


# Below the adapters nothing prints, asks the environment, or ends the process.
ADAPTERS = {"cli", "extension", "plugin", "__main__"}
OUTSIDE = {
    ("os", "environ"),
    ("os", "getenv"),
    ("os", "getcwd"),
    ("os", "chdir"),
    ("sys", "exit"),
    ("sys", "stdout"),
    ("sys", "stderr"),
    ("Path", "cwd"),
    ("time", "time"),
    ("datetime", "now"),
    ("logging", "basicConfig"),
}
ONLY_IN_TEXT = {"splitlines", "expandtabs"}


def habits(package: Path) -> list[str]:
    bad = []
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        unit, where = parts[0], "/".join(parts)
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "exit"):
                bad.append(f"{where}:{node.lineno}: {node.func.id}()")
            if isinstance(node, ast.Attribute):
                if unit not in ADAPTERS and isinstance(node.value, ast.Name) and (node.value.id, node.attr) in OUTSIDE:
                    bad.append(f"{where}:{node.lineno}: {node.value.id}.{node.attr}")
                if unit != "text" and node.attr in ONLY_IN_TEXT:
                    bad.append(f"{where}:{node.lineno}: {node.attr}")
            if isinstance(node, ast.ImportFrom | ast.Import) and "textwrap" in (
                getattr(node, "module", None),
                node.names[0].name,
            ):
                bad.append(f"{where}:{node.lineno}: textwrap")
            if isinstance(node, ast.ExceptHandler):
                caught = node.type.id if isinstance(node.type, ast.Name) else None
                if (node.type is None or caught in ("Exception", "BaseException")) and where != "cli/__init__":
                    bad.append(f"{where}:{node.lineno}: except {caught or ''}".rstrip())
    return bad


def test_the_core_is_deaf_and_mute():
    assert habits(PACKAGE) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(1)", "lock:1: print()"),
        ("import os\nos.environ", "lock:2: os.environ"),
        ("'a'.splitlines()", "lock:1: splitlines"),
        ("from textwrap import dedent", "lock:1: textwrap"),
        ("try:\n    pass\nexcept Exception:\n    pass", "lock:3: except Exception"),
        ("try:\n    pass\nexcept:\n    pass", "lock:3: except"),
        ("import os\nos.path", None),
    ],
)
def test_habits_are_really_looked_for(tmp_path, code, said):
    (tmp_path / "lock.py").write_text(code)

    assert habits(tmp_path) == ([said] if said else [])


def test_every_error_descends_from_one_root():
    from snippetlock import errors

    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]

    assert len(classes) > 10
    assert all(issubclass(found, errors.SnippetlockError) for found in classes)


def test_facades_list_their_names_sorted():
    for file in sorted(PACKAGE.glob("*/__init__.py")):
        for node in ast.parse(file.read_bytes()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
                names = ast.literal_eval(node.value)
                assert names == sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n)), file


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a run of the command line ends with."""
    code = (
        "import atexit, sys; atexit.register(lambda: sys.stderr.write('LOADED ' + ' '.join(sys.modules)));"
        "from snippetlock.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TOOLS)},
    )
    return set(done.stderr.rpartition("LOADED ")[2].split())


def test_help_loads_no_parser_and_no_yaml():
    loaded = loaded_by("--help")

    assert "snippetlock.cli" in loaded
    assert not loaded & {"libcst", "yaml", "pygments", "markdown", "mkdocs", "zipfile"}
