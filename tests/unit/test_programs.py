"""Programs held against a library: cases as data, and what must not harm the reader."""

from __future__ import annotations

import casefile
import pytest
from indexing import indexed

from snippetlock.references.bench import bench_of
from snippetlock.references.own import Own
from snippetlock.references.programs import judge_program

CASES = casefile.read("programs.case")
LIBRARY = next(case for case in CASES if case.title == "LIBRARY")


@pytest.fixture(scope="module")
def bench():
    return bench_of(indexed(LIBRARY.files), path="", spans=(), selectors={}, own=Own(), words={})


@pytest.mark.parametrize("case", [case for case in CASES if case.title != "LIBRARY"], ids=str)
def test_a_program_has_what_the_library_has(bench, golden, case):
    said = [
        f"{each.line}:{each.column} {each.rule} {each.message}"
        for each in judge_program(bench, case.sections["program"])
        if each.rule
    ]

    golden(case, "".join(f"{line}\n" for line in said))


def test_what_is_no_python_is_an_error_of_its_own(bench):
    with pytest.raises(SyntaxError):
        judge_program(bench, "from kilns import\n")


@pytest.mark.parametrize(
    "text",
    [
        "import kilns\nx = " + "lambda: (" * 60 + "kilns.fires" + ")" * 60 + "\n",
        "import kilns\n"
        + "".join(f"{'    ' * depth}def f{depth}(kiln):\n" for depth in range(40))
        + "    " * 40
        + "pass",
        "import kilns\n" + "kilns.fire(1, 2)\n" * 3000,
    ],
    ids=["lambdas", "functions", "calls"],
)
def test_depth_and_length_cost_no_more_than_they_must(bench, text):
    found = [each for each in judge_program(bench, text) if each.rule]

    assert len(found) == text.count("fires")
