"""`snippetlock fix`: selectors that find nothing at the pin, mended where what was accepted is found elsewhere."""

from __future__ import annotations

import shutil

import jars
import pytest
from gitrepo import History
from jars import DEFINITIONS

KIT = "snippets/kit.yaml"
LOCK = "snippets/snippets.lock"
IDS = ("sizes", "tare", "lid", "cork", "fill")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    history = History(tmp_path_factory.mktemp("library") / "up")
    return history, jars.library(history)


@pytest.fixture
def docs(made, tmp_path, monkeypatch, run):
    """Docs accepted at 1.0, whose pin somebody moved to 2.0 by hand."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history, commits = made

    def make(ids=IDS, definitions=DEFINITIONS):
        root = jars.project(tmp_path / "docs", jars.git_pin(str(history.folder), commits["1.0"]), ids, definitions)
        assert run("update", cwd=root)[0] == 0
        (root / "pin.yaml").write_text(jars.git_pin(str(history.folder), commits["2.0"]))
        return root

    return make


def fixed(run, root, *arguments):
    code, out, err = run("fix", *arguments, cwd=root)
    assert err == ""
    return code, out


def test_where_every_selector_finds_something_nothing_is_written(docs, run):
    root = docs(("sizes", "fill"))
    kept = (root / KIT).read_bytes()

    assert fixed(run, root) == (0, "nothing to mend: 2 snippets, and every selector finds something\n")
    assert (root / KIT).read_bytes() == kept


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_renamed_and_moved_selectors_are_mended_where_they_stand(docs, run, ends):
    root = docs(("sizes", "tare", "lid"), DEFINITIONS.replace("\n", ends))
    before, lock = (root / KIT).read_bytes().decode(), (root / LOCK).read_bytes()

    code, out = fixed(run, root)

    assert code == 0
    after = before.replace("kit.scale:tare  #", "kit.weights:tare  #").replace("kit.lids:lid", "kit.lids:cover")
    assert (root / KIT).read_bytes().decode() == after != before
    assert (root / LOCK).read_bytes() == lock
    assert "kit c089115d1b -> kit 9fe783971c\n" in out
    assert "  source: kit.lids:lid -> kit.lids:cover\n" in out
    assert out.endswith(
        "2 selectors mended, 0 left; wrote snippets/kit.yaml; now `snippetlock check` says what else differs\n"
    )
    assert fixed(run, root)[1].startswith("nothing to mend")
    assert run("update", cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 0


def test_prose_that_names_the_old_symbol_is_listed_in_both_languages_and_left(docs, run):
    root = docs(("lid",))
    pages = [(root / name).read_bytes() for name in ("docs/guide.md", "docs/guide.zh.md")]

    _, out = fixed(run, root)

    prose = [line.strip() for line in out.split("\n") if line.startswith("  prose: ")]
    assert prose == [
        "prose: docs/guide.md:5:3 `lid`",
        "prose: docs/guide.md:12:35 `lid`",
        "prose: docs/guide.zh.md:5:4 `lid`",
    ]
    assert pages == [(root / name).read_bytes() for name in ("docs/guide.md", "docs/guide.zh.md")]


def test_what_is_gone_is_left_and_said(docs, run):
    root = docs(("lid", "cork"))

    code, out = fixed(run, root)

    assert code == 1
    assert "left  cork  snippets/kit.yaml:" in out
    assert "1 selector mended, 1 left; wrote snippets/kit.yaml" in out
    assert "source: kit.lids:cork\n" in (root / KIT).read_text()


def test_a_score_that_nothing_has_mends_nothing_and_says_which_would(docs, run):
    root = docs(("lid",))
    kept = (root / KIT).read_bytes()

    code, out = fixed(run, root, "--score", "0.99")
    assert code == 1
    assert "or take kit.lids:cover: --score 0.95\n" in out
    assert (root / KIT).read_bytes() == kept
    assert fixed(run, root, "--score", "0.95")[0] == 0


def test_a_dry_run_writes_nothing(docs, run):
    root = docs(("lid",))
    kept = (root / KIT).read_bytes()

    code, out = fixed(run, root, "--dry-run")

    assert (code, (root / KIT).read_bytes()) == (0, kept)
    assert "to mend  lid  " in out
    assert out.endswith("1 selector to mend, 0 left; nothing was written\n")


def test_a_definition_that_somebody_mistyped_goes_back_to_what_was_accepted(docs, run, made):
    root = docs(("tare",))
    history, commits = made
    (root / "pin.yaml").write_text(jars.git_pin(str(history.folder), commits["1.0"]))
    text = (root / KIT).read_text()
    (root / KIT).write_text(text.replace("kit.scale:tare", "kit.scale:tara"))

    code, out = fixed(run, root)

    assert code == 0
    assert "1.00  what was accepted, still there; kit/scale.py:9-12, the same text\n" in out
    assert (root / KIT).read_text() == text


@pytest.mark.parametrize("lock", ["gone", "edited"])
def test_where_nothing_was_accepted_only_names_are_compared(docs, run, lock):
    root = docs(("tare",))
    if lock == "gone":
        (root / LOCK).unlink()
    else:
        (root / LOCK).write_text((root / LOCK).read_text().replace("tare\n", "tara\n", 1))
    (root / KIT).write_text((root / KIT).read_text().replace("kit.scale:tare", "kit.weights:tara"))

    code, out = fixed(run, root)

    assert code == 1
    assert "so only names are compared\n" in out
    assert "  named alike: tare\n" in out
    assert "1 left; nothing was written\n" in out


def test_where_the_old_library_is_gone_only_names_are_compared(docs, run, tmp_path, made):
    root = docs(("lid",))
    history, commits = made
    other = History(tmp_path / "other")
    other.commit({path: (history.folder / path).read_text() for path in history.git("ls-files").split("\n")})
    (root / "pin.yaml").write_text(jars.git_pin(str(other.folder), other.git("rev-parse", "HEAD")))
    shutil.rmtree(tmp_path / "cache")

    code, out = fixed(run, root)

    assert code == 1
    assert "is not at hand" in out
    assert commits["1.0"] in out


@pytest.mark.parametrize("score", ["2", "-1", "x", "nan"])
def test_a_score_is_a_number_from_0_to_1(docs, run, score):
    code, _, err = run("fix", "--score", score, cwd=docs(("lid",)))

    assert code == 2
    assert f"{score!r} is not a number from 0 to 1" in err


# A folder, which changes by itself


@pytest.fixture
def folder(tmp_path, monkeypatch, run):
    """`folder(ids, kept="git") -> root`: docs accepted at a folder that is 1.0, and then became 2.0.

    What was accepted is still in git, or only in the cache, or nowhere.
    """
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))

    def put(library, files):
        shutil.rmtree(library / "src", ignore_errors=True)
        for path, text in files.items():
            (library / "src" / path).parent.mkdir(parents=True, exist_ok=True)
            (library / "src" / path).write_text(text)

    def make(ids=IDS, kept="git", old=jars.ONE, new=jars.TWO, definitions=DEFINITIONS):
        library = tmp_path / "library"
        put(library, old)
        history = History(library) if kept == "git" else None
        if history:
            history.commit()
        root = jars.project(library / "documentation", "name: kit\nfolder: ../src\n", ids, definitions)
        assert run("update", cwd=root)[0] == 0
        assert run("check", cwd=root)[0] == 0
        put(library, new)
        if history:
            history.commit()
        if kept != "cache":
            shutil.rmtree(tmp_path / "cache")
        return root

    return make


FROM = {"git": "what was accepted, from commit ", "cache": "what was accepted, from the kept text -> kit"}


@pytest.mark.parametrize("kept", FROM)
def test_of_a_folder_that_changed_what_moved_or_was_renamed_is_mended(folder, run, kept):
    root = folder(("sizes", "tare", "lid", "fill"), kept)
    before, lock = (root / KIT).read_text(), (root / LOCK).read_bytes()

    code, out = fixed(run, root)

    assert code == 0, out
    assert out.startswith(FROM[kept])
    after = before.replace("kit.scale:tare  #", "kit.weights:tare  #").replace("kit.lids:lid", "kit.lids:cover")
    assert (root / KIT).read_text() == after != before
    assert (root / LOCK).read_bytes() == lock
    assert run("update", cwd=root)[0] == 0
    assert run("check", cwd=root)[0] == 0


@pytest.mark.parametrize("kept", FROM)
def test_of_a_folder_what_is_gone_is_left(folder, run, kept):
    root = folder(("cork",), kept)
    before = (root / KIT).read_bytes()

    code, out = fixed(run, root)

    assert (code, (root / KIT).read_bytes()) == (1, before)
    assert out.startswith(FROM[kept])
    assert out.endswith("\n0 selectors mended, 1 left; nothing was written\n")


def test_where_nothing_has_what_a_folder_was_nobody_is_told_that_it_is_gone(folder, run):
    root = folder(("tare",), "nowhere")

    code, out = fixed(run, root)

    assert code == 1
    assert out.startswith(
        "what was accepted, kit (a folder, which changes), is not at hand, so only names are compared"
    )
    assert "  mend: find where it is now and write that into the definition; if it is gone, quote something else" in out


METHOD = """class Jar:
    @property
    def label(self):
        \"\"\"What is on it.

            Or nothing.
        \"\"\"
        return self.text.strip().lower()
"""


@pytest.mark.parametrize("kept", FROM)
@pytest.mark.parametrize("source", ["kit:Jar.label", "kit.jar:Jar.label"])
def test_a_method_whose_class_moved_is_found_again_also_by_its_public_name(folder, run, kept, source):
    old = {"kit/__init__.py": "from kit.jar import Jar as Jar\n", "kit/jar.py": METHOD}
    new = {"kit/__init__.py": "", "kit/jar.py": "", "kit/glass.py": f"import os\n\n\n{METHOD}"}
    root = folder(("label",), kept, old, new, f"label: {{source: {source}}}\n")

    code, out = fixed(run, root)

    assert code == 0, out
    assert (root / KIT).read_text() == "label: {source: kit.glass:Jar.label}\n"


def test_with_the_text_alone_a_sibling_that_is_alike_is_offered_and_not_taken(folder, run):
    body = "    total = 0\n    for each in {0}:\n        total += each.weight * each.count\n    return total\n"
    names = (("jars_of", "jars"), ("lids_of", "lids"))
    one, two = (f"def {name}({word}):\n{body.format(word)}" for name, word in names)
    old = {"kit/__init__.py": f"{one}\n\n{two}"}
    root = folder(("one",), "cache", old, {"kit/__init__.py": two}, "one: {source: kit:jars_of}\n")
    before = (root / KIT).read_bytes()

    code, out = fixed(run, root, "--score", "0.1")

    assert (code, (root / KIT).read_bytes()) == (1, before), out
    assert "  candidate: kit:lids_of  " in out
    assert "  mend: look at it, `snippetlock show kit:lids_of`, and write the right one into the definition\n" in out


def test_a_text_that_was_kept_is_enough_where_a_release_is_gone(docs, run, tmp_path, made):
    root = docs(("lid",))
    other = History(tmp_path / "other")
    history = made[0]
    other.commit({path: (history.folder / path).read_text() for path in history.git("ls-files").split("\n")})
    (root / "pin.yaml").write_text(jars.git_pin(str(other.folder), other.git("rev-parse", "HEAD")))

    code, out = fixed(run, root)

    assert code == 0, out
    assert out.startswith(FROM["cache"])
    assert "source: kit.lids:cover\n" in (root / KIT).read_text()


MARKED = "    # --8<-- [start:setup]\n    b = connect(port=22)\n    # --8<-- [end:setup]\n"
REGION = f"def main():\n    a = 1\n{MARKED}    return a\n"
SIZE = "class Jar:\n    @property\n    def size(self):\n        return self._size\n"
SETTER = "\n    @size.setter\n    def size(self, size):\n        self._size = size\n"


@pytest.mark.parametrize(
    ("source", "old", "new", "mended"),
    [
        ("kit.jar:@setup", REGION, {"kit/glass.py": REGION}, "kit.glass:@setup"),
        ("kit.jar:@setup", REGION, {"kit/glass.py": REGION.replace("--8<--", "8")}, ""),
        ("kit.jar:@setup", REGION, {"kit/jar.py": REGION.replace(":setup]", ":begin]")}, "kit.jar:@begin"),
        ("kit.jar:Jar.size@setter", SIZE + SETTER, {"kit/jar.py": SIZE}, ""),
        ("kit.jar:Jar.size@setter", SIZE + SETTER, {"kit/glass.py": SIZE + SETTER}, "kit.glass:Jar.size@setter"),
        ("kit.jar:start", "def start(self):\n    pass\n", {"kit/jar.py": "def halt(self):\n    pass\n"}, ""),
        (
            "kit.jar:start",
            "def start(self):\n    go(3)\n",
            {"kit/jar.py": "def begin(self):\n    go(3)\n"},
            "kit.jar:begin",
        ),
    ],
)
def test_nothing_is_mended_to_a_thing_of_another_kind(folder, run, source, old, new, mended):
    package = {"kit/__init__.py": ""}
    definition = f'it: {{source: "{source}"}}\n'
    root = folder(("it",), "git", {**package, "kit/jar.py": old}, {**package, **new}, definition)
    before = (root / KIT).read_text()

    code, out = fixed(run, root)

    assert (code, (root / KIT).read_text()) == (0 if mended else 1, before.replace(source, mended or source)), out
