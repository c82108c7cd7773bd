"""What the index keeps, for how long, and what it does when some of that is lost."""

from __future__ import annotations

import json
import sys
from hashlib import sha256

import pytest
from gitrepo import History
from indexing import Memory, one

from snippetlock.errors import TreeError
from snippetlock.index import build, lookup, open_index, produces, within
from snippetlock.source import DictTree, FolderTree, GitTree, open_repo
from snippetlock.workflow.cache import Cache

FILES = {
    "lib/__init__.py": b"from lib.a import run\n",
    "lib/a.py": b"def run(x): raise ValueError(f'the run of {x} failed')\n",
    "lib/b.py": b"class B: y = 1\n",
    "lib/data.yaml": b"key: 1\n",
    "lib/notes.txt": b"x\n",
}


class Counted(DictTree):
    def __init__(self, files, identity=None):
        super().__init__(files, identity)
        self.reads = []

    def read(self, path):
        self.reads.append(path)
        return super().read(path)


def test_a_fixed_artifact_is_read_once():
    store = Memory()
    first = Counted(FILES, "sha256:1")
    assert one(open_index(first, store, "1"), "lib.run").path == "lib/a.py"
    assert sorted(first.reads) == sorted(FILES)[:-1]

    again = Counted(FILES, "sha256:1")
    index = open_index(again, store, "1")
    assert one(index, "lib.run").line == 1
    assert produces(index, "the run of a failed")
    assert again.reads == []


def test_a_lookup_loads_the_table_of_names_and_the_files_it_leads_to():
    store = Memory()
    open_index(DictTree(FILES, "sha256:1"), store, "1")
    store.asked.clear()

    lookup(open_index(DictTree(FILES, "sha256:1"), store, "1"), "lib.run")

    assert store.asked == ["index-names", "index-sheets", "index-sheets"]


def test_one_changed_file_of_a_folder_costs_one_file(tmp_path):
    for path, data in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    store = Memory()
    open_index(FolderTree(tmp_path), store, "1")
    assert store.written.count("index-sheets") == 4

    store.written.clear()
    (tmp_path / "lib/b.py").write_bytes(b"class B: z = 1\n")
    index = open_index(FolderTree(tmp_path), store, "1")

    assert store.written.count("index-sheets") == 1
    assert lookup(index, "B.z")
    assert not lookup(index, "B.y")
    assert lookup(index, "lib.run")


def test_a_commit_is_told_by_the_names_of_its_contents(tmp_path):
    history = History(tmp_path / "up")
    first = history.commit({path: data.decode() for path, data in FILES.items()}, "first")
    second = history.commit({"lib/b.py": "class B: z = 1\n"}, "second")
    store = Memory()
    repo = open_repo(str(tmp_path / "up"), tmp_path / "cache")
    with GitTree(repo, first) as tree:
        open_index(tree, store, "1")
    store.written.clear()
    with GitTree(repo, second) as tree:
        index = open_index(tree, store, "1")
        assert lookup(index, "B.z")

    assert store.written.count("index-sheets") == 1


@pytest.mark.parametrize("kind", ["index-names", "index-words", "index-texts", "index-keys", "index-sheets"])
def test_what_is_lost_is_made_again(kind):
    store = Memory()
    open_index(DictTree(FILES, "sha256:1"), store, "1")
    for key in [key for key in store.kept if key[0] == kind]:
        del store.kept[key]

    index = open_index(DictTree(FILES, "sha256:1"), store, "1")

    assert one(index, "lib.run").line == 1
    assert [found.exceptions for found in produces(index, "the run of a failed")] == [("ValueError",)]
    assert {table: bool(index.table(table)) for table in ("names", "words", "texts", "keys")} == dict.fromkeys(
        ("names", "words", "texts", "keys"), True
    )


def test_a_damaged_entry_of_the_cache_is_as_none(tmp_path):
    tree = DictTree(FILES, "sha256:1")
    open_index(tree, Cache(tmp_path), "1")
    (names,) = (tmp_path / "index-names").iterdir()
    whole = names.read_bytes()
    names.write_bytes(whole[:-9])

    assert one(open_index(tree, Cache(tmp_path), "1"), "lib.run").line == 1
    assert names.read_bytes() == whole


def test_a_sheet_of_another_form_is_as_none(tmp_path):
    tree = DictTree(FILES, "sha256:1")
    open_index(tree, Cache(tmp_path), "1")
    for place in (tmp_path / "index-sheets").iterdir():
        body = json.dumps([1, 2]).encode()
        place.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)

    assert one(open_index(tree, Cache(tmp_path), "1"), "lib.run").line == 1


class Changing(DictTree):
    """A folder in which somebody saves `lib/b.py` once it was read `times` times."""

    def __init__(self, times):
        super().__init__(FILES)
        self.times = times

    def read(self, path):
        if path == "lib/b.py":
            self.times -= 1
            if self.times < 0:
                return b"class B: z = 1\n"
        return super().read(path)


def test_what_changes_while_it_is_read_is_not_kept_as_what_it_was():
    store = Memory()
    index = open_index(Changing(1), store, "1")
    assert lookup(index, "B.z")
    assert not [kind for kind in store.written if kind == "index-names"]

    index = open_index(DictTree(FILES), store, "1")
    assert lookup(index, "B.y")


def test_a_file_that_is_another_by_now_is_not_taken_for_the_one_that_is_asked_for():
    store = Memory()
    open_index(DictTree(FILES), store, "1")
    assert "index-names" in store.written
    for key in [key for key in store.kept if key[0] == "index-sheets"]:
        del store.kept[key]

    index = open_index(Changing(1), store, "1")
    with pytest.raises(TreeError, match="it changed while it was read"):
        lookup(index, "B.y")


def test_what_was_just_read_is_not_loaded_again():
    store = Memory()
    index = open_index(DictTree(FILES), store, "1")
    before = len(store.asked)

    assert lookup(index, "B.y")
    assert "index-sheets" not in store.asked[before:]

    index = open_index(DictTree(FILES), store, "1")
    before = len(store.asked)
    assert lookup(index, "B.y")
    assert "index-sheets" in store.asked[before:]


def test_files_that_say_nothing_are_named_and_not_read():
    tree = Counted({**FILES, "lib/large.bin": b"\0" * 10})
    index = open_index(tree, Memory(), "1")

    assert "lib/large.bin" in index.paths
    assert not {"lib/large.bin", "lib/notes.txt"} & set(tree.reads)


def test_another_tool_reads_anew():
    store = Memory()
    open_index(DictTree(FILES, "sha256:1"), store, "1")
    store.written.clear()

    open_index(DictTree(FILES, "sha256:1"), store, "2")

    assert store.written.count("index-sheets") == 4


def test_the_same_content_at_another_path_is_another_module():
    store = Memory()
    index = open_index(DictTree({"a.py": b"from .x import y\n", "p/a.py": b"from .x import y\n"}), store, "1")

    assert store.written.count("index-sheets") == 1
    assert within(index, index.module("p.a"), "y") == ("p.x.y",)


def test_a_file_that_is_refused_is_told_and_the_rest_is_read():
    class Refusing(DictTree):
        def read(self, path):
            if path == "lib/b.py":
                raise TreeError("refused: a link", path=path, mend="-")
            return super().read(path)

    for identity in (None, "sha256:1"):
        index = open_index(Refusing(FILES, identity), Memory(), "1")

        assert [(each.path, each.why) for each in index.unread] == [("lib/b.py", "refused: a link")]
        assert lookup(index, "lib.run")


def test_the_order_of_what_is_kept_is_that_of_the_files():
    one_way, other = Memory(), Memory()
    open_index(DictTree(FILES, "x"), one_way, "1")
    open_index(DictTree(dict(reversed(FILES.items())), "x"), other, "1")

    assert one_way.kept == other.kept


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 has the grammar")
def test_newer_grammar_is_read_by_who_knows_it():
    index = open_index(DictTree({"a.py": b"type Pair = tuple[int, int]\ndef f[T](a: T) -> T: ...\n"}), Memory(), "1")

    assert one(index, "a.Pair").value == "tuple[int, int]"
    assert one(index, "a.f").returns == "T"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="an older Python lacks the grammar")
def test_newer_grammar_is_told_as_unread_by_who_does_not():
    index = open_index(DictTree({"a.py": b"type Pair = tuple[int, int]\n", "b.py": b"x = 1\n"}), Memory(), "1")

    assert [(each.path, each.line) for each in index.unread] == [("a.py", 1)]
    assert lookup(index, "b.x")


def test_what_several_read_is_what_one_reads(monkeypatch):
    files = {**FILES, "lib/c.py": b"def (:\n", "lib/b.pyi": b"class B: z: int\n", "lib/d.yaml": b"a: [\n"}
    alone, shared, asked = Memory(), Memory(), []
    open_index(DictTree(files, "x"), alone, "1")

    def share(do, tasks):
        asked.append(len(tasks))
        return [do(each) for each in tasks]

    index = open_index(DictTree(files, "x"), shared, "1", share)
    assert (asked, shared.kept) == ([], alone.kept)  # a library this small is read here

    monkeypatch.setattr(build, "_PAYS", 40)
    shared = Memory()
    index = open_index(DictTree(files, "x"), shared, "1", share)
    assert (asked, shared.kept) == ([build._TASKS], alone.kept)
    assert [each.path for each in index.unread] == ["lib/c.py", "lib/d.yaml"]

    open_index(DictTree(files, "x"), shared, "1", share)
    assert len(asked) == 1  # all of it is kept
