"""The rows of the benchmark pages' modules, and what none of them does: the same rules as for the tool itself."""

from __future__ import annotations

import ast

from test_architecture import TOOLS, habits, imports

PACKAGE = TOOLS / "tileops_site/benchmarks"
NAME = "tileops_site.benchmarks"
LAYERS = (
    "families model words",
    "junit settings",
    "manifest opening ratios",
    "figures placing reading",
    "book explain strips",
    "tables",
    "pages",
    "history overview",
    "section",
    "cli hooks",
    "__main__",
)
ROW = {name: number for number, names in enumerate(LAYERS) for name in names.split()}
HOME = {
    "argparse": "cli",
    "gzip": "opening",
    "junitparser": "junit",
    "lxml": "junit",
    "mkdocs": "hooks",
    "tarfile": "opening",
    "zipfile": "opening",
}


def test_a_module_imports_only_from_rows_before_its_own():
    bad = []
    for file in sorted(PACKAGE.glob("*.py")):
        for line, name in imports(ast.parse(file.read_bytes())):
            other = name.removeprefix(f"{NAME}.").partition(".")[0] if name.startswith(f"{NAME}.") else ""
            if other and ROW[other] >= ROW[file.stem]:
                bad.append(f"{file.stem}:{line}: imports {other}")
            if name.partition(".")[0] in HOME and HOME[name.partition(".")[0]] != file.stem:
                bad.append(f"{file.stem}:{line}: {name} belongs in {HOME[name.partition('.')[0]]}")
    assert bad == []
    assert {file.stem for file in PACKAGE.glob("*.py")} == {*ROW, "__init__"}


def test_every_library_lives_in_its_home():
    for library, home in HOME.items():
        tree = ast.parse((PACKAGE / f"{home}.py").read_bytes())
        assert library in {name.partition(".")[0] for _, name in imports(tree)}, library


def test_nothing_but_the_entry_points_prints_or_asks_the_machine():
    # MkDocs gives a hook no other way to be told of a night than the environment.
    assert [said for said in habits(PACKAGE) if said.partition(":")[2].partition(": ")[2] != "os.environ"] == []
    assert {said.partition(":")[0] for said in habits(PACKAGE)} == {"hooks"}
