"""Where the packages of a repository are that says nothing of this tool, and which lines can define a name."""

from __future__ import annotations

import pytest

from snippetlock.errors import UsageError
from snippetlock.workflow.layout import layout_of
from snippetlock.workflow.marks import defines, marks, words_of


def found(paths, files=None, **asked):
    files = files or {}
    layout = layout_of([*paths, *files], lambda path: files[path].encode() if path in files else None, **asked)
    return layout.root, layout.packages


FLAT = ["kilns/__init__.py", "kilns/fire.py", "tests/__init__.py", "tests/a.py", "tests/b.py", "setup.py"]
CASES = {
    "one package at the top, tests aside": (FLAT, {}, ("", ("kilns",))),
    "below src, all of them": (["src/attr/__init__.py", "src/attrs/__init__.py"], {}, ("src", ("attr", "attrs"))),
    "what the project is called, not what is larger": (
        ["kilns/__init__.py", "helpers/__init__.py", "helpers/a.py", "helpers/b.py"],
        {"pyproject.toml": '[project]\nname = "Kilns"\n'},
        ("", ("kilns",)),
    ),
    "called otherwise than its package is spelled": (
        ["potters_wheel/__init__.py", "zed/__init__.py", "zed/a.py"],
        {"pyproject.toml": '[tool.poetry]\nname = "python-potters.wheel"\n'},
        ("", ("potters_wheel",)),
    ),
    "what the build backend takes": (
        ["lib/kilns/__init__.py", "zed/__init__.py", "zed/a.py"],
        {"pyproject.toml": '[project]\nname = "other"\n[tool.hatch.build.targets.wheel]\npackages = ["lib/kilns"]\n'},
        ("lib", ("kilns",)),
    ),
    "setup.cfg": (["a/__init__.py", "b/__init__.py"], {"setup.cfg": "[metadata]\nname = b\n"}, ("", ("b",))),
    "setup.py": (["a/__init__.py", "b/__init__.py"], {"setup.py": 'setup(\n    name="b",\n)\n'}, ("", ("b",))),
    "a file of settings that is no TOML": (FLAT, {"pyproject.toml": "= ="}, ("", ("kilns",))),
    "several folders deep": (["python/lib/src/kilns/__init__.py"], {}, ("python/lib/src", ("kilns",))),
    "a module without a package": (
        ["kilns.py", "setup.py"],
        {"pyproject.toml": '[project]\nname="kilns"'},
        ("", ("kilns",)),
    ),
    "packages called alike": (
        ["kilns/__init__.py", "kilns_gas/__init__.py", "wheels/__init__.py"],
        {"pyproject.toml": '[project]\nname = "kilns"\n'},
        ("", ("kilns", "kilns_gas")),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_packages_are_found(case):
    paths, files, want = CASES[case]
    assert found(paths, files) == want


def test_a_package_and_its_folder_can_be_said():
    paths = ["a/__init__.py", "a/x.py", "lib/b/__init__.py", "c/b/__init__.py"]
    assert found(paths) == ("", ("a",))
    assert found(paths, package="b") == ("c", ("b",))
    assert found(paths, package="b", root="lib") == ("lib", ("b",))
    assert found(paths, root="lib/") == ("lib", ("b",))
    assert found(paths, package="lib/b") == ("lib", ("b",))
    assert found(paths, root=".") == ("", ("a",))


@pytest.mark.parametrize(
    ("paths", "asked", "said"),
    [
        ([], {}, "no Python package was found"),
        (["docs/conf.py", "tests/__init__.py", "vendor/x/__init__.py"], {}, "no Python package was found"),
        (["a/__init__.py"], {"root": "src"}, "no Python package was found"),
        (["kilns/__init__.py"], {"package": "kiln"}, "there is no package 'kiln'"),
    ],
)
def test_no_package_is_an_error_that_says_what_was_looked_for(paths, asked, said):
    with pytest.raises(UsageError) as error:
        found(paths, **asked)
    assert said in error.value.what
    assert error.value.evidence
    assert error.value.mend


CODE = b'''
from kilns import fire_all
import x, fire_all as other
from y import (
    fire_all,
)
__all__ = ["fire_all"]
fire_all = 1
fire_all: int
class A:
    def fire_all(
        self, batch,
    ):
        self.fire_all = 2
        return fire_all(batch, fire_all=3) == fire_all
# fire_all = 4
"""Of fire_all it says nothing."""
refire_all = fire_all_of = 5
'''


def test_the_lines_that_can_define_a_name_are_marked():
    assert sorted(marks(CODE, b"fire_all")) == sorted(
        [
            b"from kilns import fire_all",
            b"import x, fire_all as other",
            b"fire_all,",
            b'__all__ = ["fire_all"]',
            b"fire_all = 1",
            b"fire_all: int",
            b"def fire_all( self, batch, )",
            b"self.fire_all = 2",
            b"return fire_all(batch, fire_all=3) == fire_all",
            b"# fire_all = 4",
        ]
    )
    assert marks(b"x = refire_all", b"fire_all") == {}


def test_a_header_is_marked_whole_so_that_a_change_of_it_shows():
    one, other = (
        b"def fire(\n    pots,\n    hot=1,\n):\n    pass\n",
        b"def fire(\n    pots,\n    hot=2,\n):\n    pass\n",
    )
    assert marks(one, b"fire") != marks(other, b"fire")
    assert marks(one, b"fire") == marks(one.replace(b"pass", b"return 1"), b"fire")


def test_what_builds_a_class_is_marked_within_that_class_alone():
    first = (
        b"class Kiln:\n    cone: int = 4\n\n    def __init__(self, a):\n        pass\n\n\nclass Other:\n    size: int\n"
    )
    assert set(marks(first, b"Kiln", [b"__init__"])) == {b"class Kiln:", b"cone: int = 4", b"def __init__(self, a)"}
    assert set(marks(first, b"Kiln")) == {b"class Kiln:"}


def test_a_method_is_marked_within_that_class_alone():
    code = (
        b"class Kiln:\n    size: int\n    async def fire(self, a):\n        pass\n\n\n"
        b"class B:\n    def fire(self):\n        pass\n"
    )
    assert set(marks(code, b"Kiln", [b"fire"])) == {b"class Kiln:", b"async def fire(self, a)"}
    assert set(marks(code, b"B", [b"fire"])) == {b"class B:", b"def fire(self)"}


def test_words_are_whole_words():
    assert words_of(b"fire_all(x)", [b"fire_all", b"fire", b"x", b"y"]) == {b"fire_all", b"x"}
    assert words_of("feuer_für".encode(), ["feuer_für".encode(), b"feuer_f"]) == {"feuer_für".encode()}


@pytest.mark.parametrize("code", [b"def a():", b"a = 1", b"class a:", b"self.a = 1"])
def test_a_definition_defines(code):
    assert defines(code, b"a")


@pytest.mark.parametrize("code", [b"import a", b"from x import a", b'"a"', b"print(b)", b""])
def test_what_only_names_defines_nothing(code):
    assert not defines(code, b"a")
