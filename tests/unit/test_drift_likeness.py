"""How alike words are, and the two bounds that are asked first: never lower than what they stand for."""

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

from snippetlock.drift import relations
from snippetlock.drift.likeness import Words, at_most, likeness, without
from snippetlock.drift.listing import File, Listed, read
from snippetlock.drift.search import Search
from snippetlock.drift.sieve import Sieve
from snippetlock.drift.staying import COPY, Telling
from snippetlock.source import DictTree


def plain(one, other, masked):
    """Likeness as it is defined: what is shared of the words and pairs without the masked words, against the mean."""
    gone = {word.lower() for word in masked}
    kept = []
    for words in (one, other):
        pairs = [f"{a} {b}" for a, b in pairwise(words) if not {a, b} & gone]
        kept.append(Counter([*(word for word in words if word not in gone), *pairs]))
    total = kept[0].total() + kept[1].total()
    return 2 * (kept[0] & kept[1]).total() / total if total else 1.0


def bound(one, other, masked=()):
    return at_most((without(one, masked), without(other, masked)), frozenset(one), frozenset(other), masked)


def test_likeness_is_what_is_shared_and_no_more_than_its_bound():
    chance = random.Random(5)
    for _ in range(5000):
        letters = "abcde"[: chance.randint(1, 5)]
        one, other = ([chance.choice(letters) for _ in range(chance.randint(0, 9))] for _ in range(2))
        masked = tuple(chance.choice(["A", "b", "c", "z", "a b"]) for _ in range(chance.randint(0, 2)))
        alike = likeness(Words(one), Words(other), masked)
        assert alike == plain(one, other, masked), (one, other, masked)
        assert bound(one, other, masked) >= alike


def test_a_bound_tells_apart_what_is_of_another_length_or_has_other_words():
    assert bound(["a"] * 10, ["a"] * 10) == 1.0
    assert bound(["a"] * 10, ["b"] * 3) == pytest.approx(2 * 4 / 24)
    assert bound(list("abcdef"), list("abcdeg")) == pytest.approx(2 * 10 / 22)
    assert bound(list("abcdef"), list("abcdeg"), ("F", "g")) == 1.0
    assert bound([], []) == 1.0


WAS = '''
def weigh(parts, unit=1.0):
    """The weight of all parts."""
    total = sum(part.mass * part.count for part in parts)
    return round(total / unit, 3)
'''
BODY = WAS.partition("\n")[2].partition("\n")[2]


def passed_over(tree, path, text, least=0.7):
    old, new = read(tree({"old.py": WAS}), "old.py"), read(tree({path: text}), path)
    return Sieve([new]).passed_over(old.listed[0], old.of(old.listed[0]), least) == {path}


@pytest.mark.parametrize(
    ("path", "text", "over"),
    [
        ("a.py", "import os\n\n\ndef other(a, b):\n    return os.path.join(a, b)\n", True),
        ("a.py", "from kit import we_igh\n", False),  # its name, but for case and underscores
        ("a.py", "WEIGH = 3\n", False),
        ("a.py", f"def mass(parts, unit=1.0):\n{BODY}", False),  # its body
        ("a.py", f"def parts(parts, unit=1.0):\n{BODY}", False),  # … under a name that stands in it
        ("a.py", "def f():\n    return 'é'\n", False),  # names of other alphabets can be written in several ways
        ("a.toml", "x = 1\n", False),
    ],
)
def test_a_file_is_passed_over_only_where_nothing_in_it_can_be_meant(path, text, over, tree):
    assert passed_over(tree, path, text) is over


def test_where_no_other_name_is_asked_for_only_the_name_counts(tree):
    assert passed_over(tree, "a.py", f"def mass(parts, unit=1.0):\n{BODY}", None)
    assert not passed_over(tree, "a.py", "def Weigh(): ...\n", None)


WORDS = ("self", "x", "size", "load", "store", "tile", "kernel", "warp", "lane", "block", "stage", "depth")


def random_file(chance):
    """Functions and classes with few words, so that many are alike."""
    pieces = []
    for _ in range(chance.randint(0, 5)):
        name, lines = chance.choice(WORDS), chance.randint(1, 6)
        body = "".join(f"    {chance.choice(WORDS)} = {' + '.join(chance.choices(WORDS, k=3))}\n" for _ in range(lines))
        head = chance.choice(["def {}(x):", "class {}:", "def {}(self, size):", "async def {}():"]).format(name)
        pieces.append(f"{head}\n{body}\n\n")
    return "".join(pieces)


def test_with_and_without_the_sieve_the_same_is_found(tree, monkeypatch):
    chance = random.Random(11)
    passed = found = 0
    for number in range(300):
        old = {f"p/{n}.py": random_file(chance) for n in "abc"}
        new = {path: chance.choice([text, random_file(chance)]) for path, text in old.items()} | {"p/a.py": "\n"}
        trees = tree(old), tree(new)
        gone: list[Listed] = list(read(trees[0], "p/a.py").listed)
        for was in gone:
            if was.owner:
                continue
            guesses = list(relations.Relations(Search(*trees), was).guesses())
            with monkeypatch.context() as patch:
                patch.setattr(Sieve, "passed_over", lambda self, *_: set())
                patch.setattr(relations.Relations, "most_like", lambda self, listed: 1.0)
                every = list(relations.Relations(Search(*trees), was).guesses())
            assert guesses == every, (number, was)
            found += len(every)
            others = Sieve(read(trees[1], path) for path in ("p/b.py", "p/c.py"))
            passed += len(others.passed_over(was, read(trees[0], "p/a.py").of(was), 0.7))
    assert found > 50
    assert passed > 50


def test_copies_are_what_scores_like_one_where_one_looks_first(tree):
    chance = random.Random(23)
    copied = bare = 0
    for number in range(200):
        text = random_file(chance) + random_file(chance)
        other = re.sub(r"(?m)^((?:async )?def|class) (\w+)", rf"\1 \2_{number % 7}", text)
        old = {"p/a.py": text, "p/b.py": random_file(chance)}
        trees = tree(old), tree({"p/a.py": chance.choice([other, "\n"]), "p/b.py": chance.choice([other, text])})
        for was in read(trees[0], "p/a.py").listed:
            gone = relations.Relations(Search(*trees), was)
            every = {guess for guess in gone.guesses() if guess.score >= 0.9}
            copies = set(gone.copies())
            near = any(guess.path == "p/a.py" and "." not in guess.listed.selector for guess in every)
            if not was.owner:
                assert copies == (every if near else set()), (number, was)
            assert copies <= every
            copied, bare = copied + bool(copies), bare + (not copies and bool(every))
    assert copied > 50
    assert bare > 50


@pytest.mark.parametrize(
    ("text", "name", "defined"),
    [
        ("class GemmOp:\n    pass\n", "gemmop", True),
        ("x = GemmOp()\n", "gemmop", False),
        ("def gemm_op(): ...\n", "gemmop", True),
        ("if a:\n    GEMM_OP = 1\n", "gemmop", True),
        ("async  def gemmOp(): ...\n", "gemmop", True),
        ("größe: int = 1\n", "größe", True),
        ("Ω = 1\n", "ω", True),
        ("# gemm_op = 1\n", "gemmop", False),
        ("# \u2192\n\u212aernel = 1\n", "kernel", True),
        ("# \u2192\nkernel_\u212a(a)\n", "kernel", False),
        ("# \u2192\nx.Gemm_Op = 1\n", "gemmop", False),
        ("\u2192\ngemm\u0307op = 1\n", "gemmop", False),
    ],
)
def test_which_names_a_line_can_define(text, name, defined):
    tree = DictTree({"a.py": text.encode()})

    assert read(tree, "a.py").may_define(name) is defined


@pytest.mark.parametrize("more", ["", "\u2192 x\u2014y", "\u00b7"])
def test_words_without_letters_beyond_ascii_are_those_of_the_pattern(more):
    text = f"Class_A(b2,\tC)\r\n  # D'e \x0bf-g\x1ch\x7fi{more}"
    tree = DictTree({"a.py": text.encode(), "b.py": f"{text} \u00c9".encode()})

    assert read(tree, "a.py").words(2, len(text)) == read(tree, "b.py").words(2, len(text)) != []
    assert read(tree, "b.py").words(0, len(text) + 2)[-1] == "\u00e9"


def test_a_file_of_the_same_content_is_taken_apart_once_whichever_tree_it_is_in():
    one, other = DictTree({"a.py": b"x = 1\n"}), DictTree({"a.py": b"x = 1\n", "b.py": b"x = 1\n"})

    assert read(one, "a.py") is read(other, "a.py")
    assert read(other, "b.py").path == "b.py"


def test_only_what_is_no_copy_lacks_what_a_copy_has_to_have():
    chance = random.Random(4)
    words = [f"word_{number}" for number in range(60)]
    text = " ".join(["old", *words, *words[:20]])
    counts = Words(text.split())
    telling = Telling(counts, "Old", without(counts.words, ("Old",)))
    lacked = 0
    for _ in range(300):
        some = [word if chance.random() > 0.01 else chance.choice(["x", "old", "y"]) for word in text.split()]
        file = File("a.py", " ".join(some[: chance.choice([40, 79, 81])]).upper(), lambda: iter(()))
        listed = Listed("a.py", "y", "y", "", "function", 0, len(file.text))
        if telling.lacked(file, listed):
            lacked += 1
            assert likeness(counts, file.of(listed), ("old", "y")) < COPY
    assert 50 < lacked < 250


def test_letters_beyond_ascii_are_left_to_the_words():
    counts = Words([f"word_{number}" for number in range(30)])
    listed = Listed("a.py", "y", "y", "", "function", 0, 9)
    assert Telling(counts, "x", 59).lacked(File("a.py", "ascii y z", lambda: iter(())), listed)
    assert not Telling(counts, "x", 59).lacked(File("a.py", "ascii é z", lambda: iter(())), listed)


@pytest.mark.parametrize("count", [3, 150])
def test_of_few_files_and_of_many_the_same_have_a_text_or_define_a_name(count):
    body = "    first = compute(number, of=1)\n    second = compute(first, of=2)\n    return second\n"
    texts = [f"def f_{number % 7}():\n{body if number % 3 else body[:-8]}\n" for number in range(count)]
    files = {f"a{number}.py": text.encode() for number, text in enumerate(texts)}
    search = Search(DictTree({}), DictTree(files), touched=files)
    for text in (f"():\n{body}", body.strip(), "return second", "1():\n", "\n\n", f"():\n{body}x"):
        assert search.having(text, files) == [path for path in files if text in files[path].decode()]
    for name in ("F1", "f_2", "f3", "first", "second", "compute", "f_9"):
        expected = [p for p in sorted(files) if read(search.new, p).may_define(name.lower().replace("_", ""))]
        assert search.naming(name) == expected
