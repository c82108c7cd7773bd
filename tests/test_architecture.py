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
    "errors text tokens reading records",
    "model changes moves rules",
    "links",
    "config source report",
    "select",
    "index",
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
NEIGHBOURS = {
    ("text", "errors"),
    ("tokens", "errors"),
    ("tokens", "text"),
    ("rules", "model"),
    ("changes", "model"),
    ("moves", "model"),
    ("moves", "changes"),
    ("plugin", "extension"),
}
HOME = {
    "libcst": ("select",),
    "markdown": ("extension",),
    "mkdocs": ("plugin",),
    "argparse": ("cli",),
    "subprocess": ("source",),
    "zipfile": ("source",),
    "yaml": ("config", "select"),
    "pygments": ("report",),
    "multiprocessing": ("workflow",),
    "concurrent": ("workflow",),
    "dataclasses": ("records",),  # which has them for less: a module that imports them makes every command pay
}


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every import, those inside functions included: line, dotted name (`.` first for a relative one)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            yield from ((node.lineno, f"{dots}{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _importer(node) and node.args:
            # A facade loads its own modules late (`{__name__}.…`); whoever else does so has to write the name.
            match node.args[0]:
                case ast.Constant(value=str(name)):
                    yield node.lineno, name
                case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(id="__name__")), ast.Constant(), *_]):
                    pass
                case _:
                    yield node.lineno, "?"


def _importer(node: ast.Call) -> bool:
    """Whether a call imports: `importlib.import_module`, under its own name or after a dot, and `__import__`."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return called in ("import_module", "__import__", "find_spec", "run_module")


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
            if top == "?":
                bad.append(f"{where}:{line}: imports what only a run can tell")
            elif not top:
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


def test_contributors_are_told_the_table():
    said = " ".join((TOOLS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").split())

    assert " → ".join(f"`{row}`" for row in LAYERS) in said
    assert ", ".join(f"`{name}`" for name in CLOCKS) in said


def test_every_row_of_the_table_exists():
    present = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}

    assert set(ROW) <= present


def test_every_home_is_lived_in():
    lived = {
        (name.split(".")[0], file.relative_to(PACKAGE).with_suffix("").parts[0])
        for file in PACKAGE.rglob("*.py")
        for _, name in imports(ast.parse(file.read_bytes()))
    }

    assert {(library, unit) for library, units in HOME.items() for unit in units} <= lived


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        ("lock.py", "from snippetlock.workflow import check", "lock:1: imports workflow"),
        ("lock.py", "def f():\n    import snippetlock.cli", "lock:2: imports cli"),
        ("lock.py", "from . import text", "lock:1: relative import"),
        ("lock.py", "import libcst.matchers", "lock:1: libcst belongs in select"),
        ("lock.py", "from snippetlock import lock2", "lock:1: imports the facade"),
        ("lock.py", "import yaml", "lock:1: yaml belongs in config and select"),
        ("lock.py", "import importlib\nimportlib.import_module('snippetlock.cli')", "lock:2: imports cli"),
        ("lock.py", "from importlib import import_module\nimport_module('libcst')", "lock:2: libcst belongs in select"),
        ("lock.py", "__import__('snippetlock.cli')", "lock:1: imports cli"),
        ("lock.py", "__import__(name)", "lock:1: imports what only a run can tell"),
        ("lock.py", "import_module(f'snippetlock.{name}')", "lock:1: imports what only a run can tell"),
        ("lock.py", "import_module(f'{__name__}.{name}')", None),
        ("other.py", "", "other: not in the table"),
        ("lock.py", "from snippetlock import __version__\nfrom snippetlock.text import sha256", None),
        ("config.py", "from snippetlock import __version__\nfrom snippetlock.text import sha256\nimport yaml", None),
    ],
)
def test_the_table_is_really_read(tmp_path, file, code, said):
    package = tmp_path / "snippetlock"
    package.mkdir()
    (package / file).write_text(code)

    assert layer_violations(package) == ([said] if said else [])


# Below the adapters nothing prints, asks the environment or for the time, or ends the process. The whole of a module
# is meant where only its name stands.
ADAPTERS = {"cli", "extension", "plugin", "__main__"}
OUTSIDE = {
    *("os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv", "os.getlogin"),
    *("os.getcwd", "os.getcwdb", "os.chdir", "os.fchdir", "os.path.expanduser", "os.path.expandvars"),
    *("pathlib.Path.cwd", "pathlib.Path.home", "os.path.abspath"),
    *("sys.exit", "sys.argv", "sys.stdin", "sys.stdout", "sys.stderr"),
    *("sys.__stdin__", "sys.__stdout__", "sys.__stderr__"),
    *("builtins", "logging", "warnings.warn", "getpass", "locale", "os._exit", "os.abort"),
}
# Started by nobody but `subprocess`, which has a home: not even by an adapter.
PROCESSES = {
    *("os.popen", "os.system", "os.fork", "os.forkpty", "os.startfile", "os.posix_spawn", "os.posix_spawnp"),
    *(f"os.exec{way}" for way in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *(f"os.spawn{way}" for way in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *("pty", "asyncio"),
}
CLOCK = {
    "time",
    *("datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow", "datetime.date.today"),
}
# Who may have a clock, and why: a result never depends on it.
CLOCKS = {
    "lock/guard": "a second writer tries again after a while, and gives up",
    "source/mirror": "whoever fetches what another process is fetching waits for it, and gives up",
    "source/git": "a git that says nothing for too long is ended",
}
# What one module may do all the same, and why.
GRANTED = {
    ("workflow/workers", "os._exit"): "a worker ends when the process that began it is gone: nobody waits for it",
}
# Who may run text that it made itself, and why.
COMPILES = {"records": "an `__init__` is made of the names of its fields, as the standard library makes it"}
SAID = {"print", "input", "breakpoint", "eval", "exec"}
ENDS = {"exit", "quit"}  # nothing bad where they are somebody's own name
ONLY_IN_TEXT = {"splitlines", "expandtabs"}
EVERYTHING = {"Exception", "BaseException"}


def names(tree: ast.Module) -> dict[str, str]:
    """What the names that a file imports stand for: `P` is `pathlib.Path` after `from pathlib import Path as P`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def dotted(node: ast.AST, known: dict[str, str]) -> str:
    """The full name of what an expression reads, as far as imports tell; empty for what is none."""
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if isinstance(node, ast.Attribute) and (owner := dotted(node.value, known)):
        return f"{owner}.{node.attr}"
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[of, ast.Constant(value=str(name)), *_]):
            return f"{owner}.{name}" if (owner := dotted(of, known)) else ""
    return ""


def within(name: str, table: set[str]) -> str:
    """The entry of the table that a name is, or is a part of; empty for none."""
    parts = name.split(".")
    return next((entry for n in range(1, len(parts) + 1) if (entry := ".".join(parts[:n])) in table), "")


def habits(package: Path) -> list[str]:
    bad = []
    for file in sorted(package.rglob("*.py")):
        where = "/".join(file.relative_to(package).with_suffix("").parts)
        tree = ast.parse(file.read_bytes())
        known = names(tree)
        for node in ast.walk(tree):
            bad += [f"{where}:{line}: {what}" for line, what in _habit(node, known, where)]
    return list(dict.fromkeys(bad))


def _habit(node: ast.AST, known: dict[str, str], where: str) -> Iterator[tuple[int, str]]:
    unit = where.split("/")[0]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in SAID:
        yield from [] if node.id == "exec" and where in COMPILES else [(node.lineno, f"{node.id}()")]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ENDS:
        yield node.lineno, f"{node.func.id}()"
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        brought = [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
        if any(module.split(".")[0] == "textwrap" for module in modules):
            yield node.lineno, "textwrap"
        yield from ((node.lineno, entry) for name in (*modules, *brought) if (entry := _forbidden(name, unit, where)))
        yield from ((node.lineno, f"{name[:-1]}*") for name in brought if name.endswith(".*"))
    if isinstance(node, ast.Attribute | ast.Call) and (entry := _forbidden(dotted(node, known), unit, where)):
        yield node.lineno, entry
    if isinstance(node, ast.Attribute) and unit != "text" and node.attr in ONLY_IN_TEXT:
        yield node.lineno, node.attr
    if isinstance(node, ast.ExceptHandler) and where != "cli/__init__":
        if node.type is None:
            yield node.lineno, "except"
        else:
            yield from ((node.lineno, f"except {name}") for name in sorted(EVERYTHING & _within(node.type)))
    if isinstance(node, ast.Call) and dotted(node.func, known) == "contextlib.suppress":
        for argument in node.args:
            yield from ((node.lineno, f"suppress {name}") for name in sorted(EVERYTHING & _within(argument)))


def _forbidden(name: str, unit: str, where: str) -> str:
    """The entry of a table that a module may not use; empty where it may."""
    clock = "" if where in CLOCKS else within(name, CLOCK)
    outside = "" if unit in ADAPTERS else within(name, OUTSIDE)
    return within(name, PROCESSES) or clock or ("" if (where, outside) in GRANTED else outside)


def _within(node: ast.AST) -> set[str]:
    """The bare names in an expression: in a tuple, after a star, in parentheses of any depth."""
    return {found.id for found in ast.walk(node) if isinstance(found, ast.Name)}


def test_the_core_is_deaf_and_mute():
    assert habits(PACKAGE) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(1)", "lock:1: print()"),
        ("say = print", "lock:1: print()"),
        ("exec('1')", "lock:1: exec()"),
        ("import os\nos.environ", "lock:2: os.environ"),
        ("import os as o\no.environ['x']", "lock:2: os.environ"),
        ("from os import environ\nenviron['x']", "lock:1: os.environ"),
        ("from os import environ as e", "lock:1: os.environ"),
        ("from sys import stdout", "lock:1: sys.stdout"),
        ("import sys\nsys.stdin.read()", "lock:2: sys.stdin"),
        ("import sys\nsys.argv", "lock:2: sys.argv"),
        ("from pathlib import Path as P\nP.home()", "lock:2: pathlib.Path.home"),
        ("import pathlib\npathlib.Path.cwd()", "lock:2: pathlib.Path.cwd"),
        ("import os\nos.path.expanduser('~')", "lock:2: os.path.expanduser"),
        ("import os\ngetattr(os, 'environ')", "lock:2: os.environ"),
        ("from os import *", "lock:1: os.*"),
        ("import logging", "lock:1: logging"),
        ("import os\nos.popen('git')", "lock:2: os.popen"),
        ("from os import system", "lock:1: os.system"),
        ("exit()", "lock:1: exit()"),
        ("def f(exit):\n    return exit", None),
        ("import time", "lock:1: time"),
        ("from time import monotonic", "lock:1: time"),
        ("from datetime import datetime\ndatetime.now()", "lock:2: datetime.datetime.now"),
        ("import datetime as d\nd.date.today()", "lock:2: datetime.date.today"),
        ("'a'.splitlines()", "lock:1: splitlines"),
        ("from textwrap import dedent", "lock:1: textwrap"),
        ("try:\n    pass\nexcept Exception:\n    pass", "lock:3: except Exception"),
        ("try:\n    pass\nexcept:\n    pass", "lock:3: except"),
        ("try:\n    pass\nexcept (Exception, OSError):\n    pass", "lock:3: except Exception"),
        ("try:\n    pass\nexcept (OSError, (BaseException,)):\n    pass", "lock:3: except BaseException"),
        ("try:\n    pass\nexcept* Exception:\n    pass", "lock:3: except Exception"),
        ("import contextlib\nwith contextlib.suppress(Exception): pass", "lock:2: suppress Exception"),
        ("from contextlib import suppress as s\nwith s(OSError, Exception): pass", "lock:2: suppress Exception"),
        ("import os\nos.path", None),
        ("from contextlib import suppress\nwith suppress(OSError): pass", None),
        ("try:\n    pass\nexcept (KeyError, OSError):\n    pass", None),
        ("from datetime import UTC, datetime\ndatetime.fromtimestamp(0, UTC)", None),
        ("environ = {}\nenviron['x']\ntime = 1\ntime.real", None),
    ],
)
def test_habits_are_really_looked_for(tmp_path, code, said):
    (tmp_path / "lock.py").write_text(code)

    assert habits(tmp_path) == ([said] if said else [])


def test_a_clock_is_for_those_who_may_have_one_and_need_it(tmp_path):
    (tmp_path / "lock").mkdir()
    for name in ("guard", "form"):
        (tmp_path / f"lock/{name}.py").write_text("import time\ntime.monotonic()\n")
    assert habits(tmp_path) == ["lock/form:1: time", "lock/form:2: time"]

    for name in CLOCKS:
        tree = ast.parse((PACKAGE / f"{name}.py").read_bytes())
        assert any(within(module, CLOCK) for _, module in imports(tree)), f"{name} has no clock any more"


def test_what_is_granted_is_granted_to_one_and_used(tmp_path):
    for name, entry in GRANTED:
        code = f"import {entry.partition('.')[0]}\n{entry}\n"
        for where in (name, f"{name}2"):
            (tmp_path / where).parent.mkdir(exist_ok=True)
            (tmp_path / f"{where}.py").write_text(code)
        assert habits(tmp_path) == [f"{name}2:2: {entry}"]
        tree = ast.parse((PACKAGE / f"{name}.py").read_bytes())
        assert entry in {dotted(node, names(tree)) for node in ast.walk(tree)}


def test_text_is_run_by_who_may_and_does(tmp_path):
    for name in ("records", "records2"):
        (tmp_path / f"{name}.py").write_text("exec('1')\neval('1')\n")
    assert habits(tmp_path) == ["records:2: eval()", "records2:1: exec()", "records2:2: eval()"]

    for name in COMPILES:
        tree = ast.parse((PACKAGE / f"{name}.py").read_bytes())
        assert any(isinstance(node, ast.Name) and node.id == "exec" for node in ast.walk(tree)), name


# Caught where two literals are compared, and never said to anybody.
UNSAID = {"select/literals"}


def unmended(package: Path) -> list[str]:
    """Where an error is built that does not say how to mend what is wrong."""
    from snippetlock import errors

    # `UnknownSymbol` and `AmbiguousSymbol` work one out, and the root of all joins what others said.
    kinds = {name for name in vars(errors) if name.endswith(("Error", "File"))} - {"SnippetlockError"}
    bad = []
    for file in sorted(package.rglob("*.py")):
        where = "/".join(file.relative_to(package).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_bytes())):
            if not isinstance(node, ast.Call) or where in UNSAID:
                continue
            mends = [word.value for word in node.keywords if word.arg in ("mend", "advice", None)]
            if isinstance(node.func, ast.Attribute) and node.func.attr == "error":  # of a node of a YAML file
                mends += node.args[1:2]
            elif not isinstance(node.func, ast.Name) or node.func.id not in kinds:
                continue
            if not any(not isinstance(mend, ast.Constant) or mend.value for mend in mends):
                bad.append(f"{where}:{node.lineno}: no mend")
    return bad


def test_every_error_says_how_to_mend_what_is_wrong():
    assert unmended(PACKAGE) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise TreeError('x', path=p)", "lock:1: no mend"),
        ("raise TreeError('x', mend='')", "lock:1: no mend"),
        ("raise node.error('x')", "lock:1: no mend"),
        ("raise TreeError('x', mend='y')", None),
        ("raise TreeError('x', **where)", None),
        ("raise TreeError('x', advice=later)", None),
        ("raise node.error('x', mend)", None),
        ("raise ValueError('x')", None),
    ],
)
def test_mends_are_really_looked_for(tmp_path, code, said):
    (tmp_path / "lock.py").write_text(code)

    assert unmended(tmp_path) == ([said] if said else [])


def test_every_error_descends_from_one_root():
    from snippetlock import errors

    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]

    assert len(classes) > 10
    assert all(issubclass(found, errors.SnippetlockError) for found in classes)


LONGEST = 300  # lines of a module


def long_modules(*folders: Path) -> list[str]:
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    lengths = {file: len(file.read_bytes().splitlines()) for file in files}
    return [f"{file.name}: {length} lines" for file, length in lengths.items() if length > LONGEST]


def test_a_module_can_be_read_in_one_go():
    assert long_modules(TOOLS, TOOLS.parent / "benchmarks") == []


def test_the_length_of_a_module_is_really_counted(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/short.py").write_text("x = 1\n" * LONGEST)
    (tmp_path / "deep/long.py").write_text("x = 1\n" * LONGEST + "x = 2")
    assert long_modules(tmp_path) == [f"long.py: {LONGEST + 1} lines"]


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
