"""Drift: what becomes of a snippet between two trees, by cases and by the rules that hold for all of them."""

from __future__ import annotations

import casefile
import pytest
from test_render import view_of

from snippetlock.changes import CLASSES
from snippetlock.config import parse_selector
from snippetlock.drift import Search, classify, compare, touched_paths, worst
from snippetlock.drift.candidates import offers
from snippetlock.drift.differing import differing
from snippetlock.errors import SelectorError, TreeError, UnknownSymbol
from snippetlock.model import Definition, Place, View
from snippetlock.moves import SCORE
from snippetlock.render import render
from snippetlock.select import find

CASES = (
    "drift-quiet.case",
    "drift-change.case",
    "drift-gone.case",
    "drift-renamed-files.case",
    "drift-other-files.case",
    "drift-candidates.case",
    "drift-regions.case",
)


def define(selector, view=None):
    place = Place(path="snippets/a.yaml", line=1)
    return Definition(id="id", selector=parse_selector(selector), view=view or View(), place=place, places={})


def state(case, tree, name):
    r"""The files of a case. `\r` at a line's end is a carriage return, `\0LATIN` a file that is not UTF-8."""
    texts = {key.removeprefix(f"{name} "): text for key, text in case.sections.items() if key.startswith(f"{name} ")}
    special = {"\\0LATIN\n": b"caf\xe9 = 1\n"}
    return tree({path: special.get(text, text.replace("\\r\n", "\r\n")) for path, text in texts.items()})


def outcome(case, tree):
    old, new = state(case, tree, "old"), state(case, tree, "new")
    renames = dict(line.split(" -> ") for line in case.get("renames").strip().split("\n") if line)
    return compare(define(case["select"].strip(), view_of(case.get("view"))), old, new, renames=renames), new


def said(change):
    """A change as the cases state it."""
    lines = [change.cls, *(f"- {fact}" for fact in change.details)]
    lines += [f"? {c.selector} {c.cls} ({c.reason})" for c in change.candidates]
    return "".join(f"{line}\n" for line in lines)


@casefile.each(*CASES)
def test_what_becomes_of_it(case, tree, golden):
    change, new = outcome(case, tree)
    golden(case, said(change))
    assert change.cls == case.title.partition(":")[0]
    assert bool(change.details) or change.cls not in ("body", "signature")  # each says what changed
    for candidate in change.candidates:
        there = find(new, parse_selector(candidate.selector))
        assert (there.path, candidate.score <= 1) == (candidate.span.path, True)


def test_there_are_six_cases_of_each_class_and_more():
    counts = dict.fromkeys(CLASSES, 0)
    for name in CASES:
        for case in casefile.read(name):
            counts[case.title.partition(":")[0]] += 1
    assert min(count for cls, count in counts.items() if cls not in ("unreadable", "appears")) >= 6


def both(tree, old, new, selector="m:f", view=None, **more):
    old, new = ({"m.py": one} if isinstance(one, str) else one for one in (old, new))
    return compare(define(selector, view), tree(old), tree(new), **more)


F = "def f(a):\n    return a\n"


def test_what_did_not_change_is_not_read_again(tree):
    class Closed:
        identity = None
        read = has = paths = None  # would raise where it is called

    old = tree({"m.py": F, "n.py": ""})
    change = compare(define("m:f"), old, Closed(), touched=["n.py"])
    assert (change.cls, change.new, change.new_text) == ("same", change.old, F)


def test_a_file_that_had_to_be_absent_and_is_not_counts_as_touched(tree):
    change = both(tree, {"m.py": F}, {"m.py": F, "m/__init__.py": F}, touched=["m/__init__.py"])
    assert (change.cls, change.new.path) == ("moved", "m/__init__.py")


def test_the_old_cut_can_be_handed_in_and_a_search_shared(tree):
    old, new = tree({"m.py": F}), tree({"m.py": F.replace("def f", "def g").replace("(a)", "(abc)")})
    definition = define("m:f")
    cut = render("id", find(old, definition.selector), definition.view)
    search = Search(old, new)
    assert search.touched == {"m.py"} == set(touched_paths(old, new))
    first, second = (compare(definition, old, new, search=search, old=cut) for _ in range(2))
    assert first == second
    assert first.old_text == F


def test_what_git_calls_a_rename_is_believed(tree):
    before = "def f(a):\n    return a\n\n\nx = 1\ny = 2\n"
    change = both(tree, {"m.py": before}, {"n.py": "def g(b):\n    pass\n", "m2.py": ""}, "m", renames={"m.py": "n.py"})
    assert change.candidates[0].reason == "git says it was renamed"
    assert both(tree, {"m.py": before}, {"n.py": "def g(b):\n    pass\n"}, "m").cls == "removed"


def test_a_module_with_most_of_the_words_is_a_candidate(tree):
    text = "".join(f"name_{i} = {i}\n" for i in range(30))
    change = both(tree, {"m.py": text}, {"other.py": text.replace("name_3 =", "name =")}, "m")
    assert (change.cls, change.candidates[0].selector) == ("renamed", "other")
    assert change.candidates[0].cls == "signature"


def test_only_what_leads_there_is_offered(tree):
    body = "\n    x = a.one\n    y = a.two\n    return x + y * 2 + a.three\n"
    new = {"m.py": "from n import g\n", "n.py": f"def g(a):{body}\n\ndef g(a):{body}"}
    change = both(tree, f"def f(a):{body}", new)
    assert {c.selector for c in change.candidates} == {"n:g#1", "n:g#2"}


def test_a_name_that_is_imported_as_well_is_numbered(tree):
    new = "try:\n    from n import g_two\nexcept OSError:\n    def g_two(abc, b):\n        return abc.x + b.y * abc.z\n"
    old = "def g_one(abc, b):\n    return abc.x + b.y * abc.z\n"
    change = both(tree, {"m.py": old}, {"m.py": new, "n.py": "def g_two(): ...\n"}, "m:g_one")
    assert [c.selector for c in change.candidates] == ["m:g_two#1"]


def test_a_candidate_that_the_view_does_not_fit_is_offered_all_the_same(tree):
    old = 'def f(abc):\n    """Doc of the function."""\n    return abc.one + abc.two + abc.three\n'
    new = "def g(abc):\n    return abc.one + abc.two + abc.three\n"
    change = both(tree, old, new, view=View(show="docstring"))
    assert (change.cls, change.new_text, change.candidates[0].cls) == ("renamed", "", "signature")
    assert change.candidates[0].span == change.new


def test_a_path_is_answered_by_a_path(tree):
    change = both(tree, {"a/m.py": F}, {"b/m.py": F}, "a/m.py:f")
    assert [c.selector for c in change.candidates] == ["b/m.py:f"]


def test_several_that_cannot_be_cut_are_named_all_the_same(tree):
    new = "def f(a):\n    return a\n\n\ndef f(a):\n    return a +\n"
    change = both(tree, F, new)
    assert (change.cls, [c.selector for c in change.candidates]) == ("ambiguous", ["m:f#1"])


def test_one_of_several_need_not_fit_the_view(tree):
    old = 'def f(a):\n    """It."""\n'
    change = both(tree, old, f"{old}\n\ndef f(a):\n    return a\n", view=View(show="docstring"))
    assert [(c.selector, c.cls) for c in change.candidates] == [("m:f#1", "same"), ("m:f#2", "signature")]


def test_a_text_to_highlight_that_is_gone_is_said(tree):
    change = both(tree, F, F.replace("return a", "return (a)"), view=View(highlight=("return a",)))
    assert (change.cls, change.details) == ("layout", ("'return a' is not in the snippet: mend `highlight`",))


def test_a_file_that_is_refused_is_unreadable(tree):
    class Refusing:
        def __init__(self, inner):
            self.inner, self.identity = inner, None

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def read(self, path):
            raise TreeError("refused: too large", path=path)

    change = compare(define("m:f"), tree({"m.py": F}), Refusing(tree({"m.py": F})))
    assert (change.cls, change.details) == ("unreadable", ("m.py: refused: too large",))


def test_what_cannot_be_cut_before_cannot_be_compared(tree):
    with pytest.raises(UnknownSymbol):
        both(tree, "x = 1\n", F)


def test_files_of_other_languages_are_compared_by_their_lines(tree):
    old, new = {"a.txt": "one two\n"}, {"a.txt": "one two  \r\n"}
    assert both(tree, old, new, "a.txt").cls == "layout"
    assert both(tree, old, {"a.txt": "one\ntwo\n"}, "a.txt").cls == "body"
    assert both(tree, old, {"a.txt": "one three\n"}, "a.txt").cls == "body"
    assert both(tree, old, {"b/a.txt": "one two\n"}, "a.txt").cls == "moved"
    assert both(tree, old, {"b/b.txt": "one two\n"}, "a.txt").cls == "removed"


def test_the_worst_of_classes():
    assert worst(["same", "body", "moved"]) == "body"
    assert worst([]) == "same"
    assert CLASSES[-1] == "same"


@pytest.mark.parametrize(
    ("new", "cls", "first"),
    [
        ({"m.py": "import x\n\n\nCALM = 1\n\n\ndef f():\n    return 1\n"}, "same", 7),
        ({"m.py": "from n import f\n", "n.py": "# n\n\ndef f():\n    return 1\n"}, "moved", 3),
        ({"m.py": "# above\ndef f():\n    return 1\n"}, "comment", 1),
        ({"m.py": "\n\n# above\ndef f():\n    return 1\n"}, "comment", 3),
        ({"m.py": "\n\ndef f():\n    return 1\n    # below\n"}, "comment", 3),
        ({"m.py": "def f():\n    return 1\n\ndef f():\n    return 1\n"}, "ambiguous", None),
        ({"m.py": "x = (\n\ndef f():\n    return 1\n"}, "same", 3),
    ],
)
def test_what_stands_there_word_for_word_is_the_same_wherever(tree, new, cls, first):
    old = tree({"m.py": "\n\ndef f():\n    return 1\n"})
    change = compare(define("m:f"), old, tree(new), touched=["m.py"])

    assert (change.cls, change.new and change.new.first) == (cls, first)
    assert change.cls not in ("same", "moved") or change.new_text == change.old_text


def likes(*names):
    """Functions of forty lines that differ in one, with their names."""
    lines = "".join(f"    total += a * {number}\n" for number in range(40))
    return "".join(f"def {name}(a):\n    total = {number}\n{lines}    return total\n\n\n" for name, number in names)


@pytest.mark.parametrize(
    ("new", "offered"),
    [
        (likes(("b_scale", 7), ("c_scale", 8), ("other", 9)), ["b_scale", "c_scale", "other"]),
        (likes(("b_scale", 7), ("c_scale", 1), ("other", 1)), ["c_scale", "other"]),
    ],
)
def test_beside_a_copy_nothing_is_offered_that_only_resembles(tree, new, offered):
    change = compare(define("m:a_scale"), tree({"m.py": likes(("a_scale", 1))}), tree({"m.py": new}))

    assert sorted(one.selector.partition(":")[2] for one in change.candidates) == offered


@pytest.mark.parametrize(("number", "said"), [(2, "2"), (12, "12"), (30, "24 and more")])
def test_equal_copies_are_all_offered_and_counted(tree, number, said):
    text = likes(("scale", 1))
    change = compare(define("a.m:scale"), tree({"a/m.py": text}), tree({f"p{n}/m.py": text for n in range(number)}))

    assert change.details[-1] == f"it is in {said} places now, word for word"
    assert len(change.candidates) == min(number, 24)


def test_of_those_that_only_resemble_five_are_offered(tree):
    new = likes(*((f"scale_{number}", number) for number in range(2, 14)))
    change = compare(define("m:scale"), tree({"m.py": likes(("scale", 1))}), tree({"m.py": new}))

    assert len(change.candidates) == 5


def test_several_of_a_namespace_are_ranked_by_what_they_show(tree):
    one = "namespace n1 {\nint twist(int a) { return a + 1; }\n}\n"
    two = "#ifdef A\n" + one.replace("a + 1", "a - 7") + "#else\n" + one + "#endif\n"
    change = compare(define("csrc/k.h:n1::twist"), tree({"csrc/k.h": one}), tree({"csrc/k.h": two}))

    assert change.cls == "ambiguous"
    assert [(found.selector, found.cls) for found in change.candidates] == [
        ("csrc/k.h:n1::twist#2", "same"),
        ("csrc/k.h:n1::twist#1", "body"),
    ]


@pytest.mark.parametrize(
    ("asked", "offered"),
    [("#install-it", "guide.md:#installing-it"), ("Install it", "guide.md:Installing it")],
)
def test_a_heading_is_offered_as_it_was_asked_for(tree, asked, offered):
    body = "".join(f"Word {number} of the way to do it.\n" for number in range(9))
    old, new = (tree({"guide.md": f"# Guide\n\n## {title}\n\n{body}"}) for title in ("Install it", "Installing it"))

    assert compare(define(f"guide.md:{asked}"), old, new).candidates[0].selector == offered


def test_candidates_by_themselves(tree):
    old, new = tree({"m.py": F}), tree({"n.py": F})
    definition = define("m:f")
    found = find(old, definition.selector)
    cut = render("id", found, definition.view)
    found = offers(definition, found, lambda: cut, Search(old, new))
    assert [offer.candidate.selector for offer in found] == ["n:f"]
    assert classify(cut, cut) == "same"


def test_a_candidate_that_does_not_parse_is_not_offered(tree):
    old = "def f(abc):\n    return abc.one + abc.two + abc.three\n"
    assert both(tree, old, old.replace("def f", "def g").replace("three", "three +")).cls == "removed"


def test_a_class_whose_bases_go_in_a_circle_has_no_base_to_look_in(tree):
    old = "class A:\n    def f(self):\n        return self.one + self.two + self.three\n"
    new = "class A(B):\n    pass\n\n\nclass A(C):\n    pass\n\n\nclass B(A):\n    pass\n"
    assert both(tree, old, new, "m:A#1.f").cls == "removed"


def test_a_function_in_a_function_is_found_again_where_its_owner_is(tree):
    inner = "    def call(a, b):\n        return a.one + b.two\n\n    return call\n"
    change = both(tree, f"def f(x):\n{inner}", f"def f(x):\n{inner.replace('call', 'ask')}", "m:f.call")
    assert [c.selector for c in change.candidates] == ["m:f.ask"]


def test_a_change_of_value_and_comment_of_a_function_is_said_once(tree):
    change = both(tree, F, F.replace("return a", "return a + 1  # more"))
    assert (change.cls, change.details) == ("body", ("`return a` → `return a + 1  # more`", "comments differ"))


@pytest.mark.parametrize("other", ["LIMITS", "limits"])
def test_a_constant_of_that_name_elsewhere_is_not_it_when_all_of_it_differs(tree, other):
    old, new = {"m.py": "limits = [1, 2, 3]\n"}, {"m.py": "", "n.py": f"{other} = ['one', 'two', 'three', 'four']\n"}
    assert both(tree, old, new, "m:limits").cls == "removed"
    assert both(tree, old, {"m.py": "", "n.py": f"{other} = [1, 2, 3]\n"}, "m:limits").cls != "removed"


def test_a_member_is_looked_for_in_the_best_owner_alone(tree):
    body = "".join(f"    def m{i}(self, a):\n        return a.x{i} + self.y{i}\n\n" for i in range(6))
    new = f"class Pot:\n{body}\n\nclass Pan:\n{body.replace('.y', '.z').replace('m3', 'm9')}"
    change = both(tree, f"class Kettle:\n{body}", new, "m:Kettle.m2")
    assert [c.selector for c in change.candidates] == ["m:Pot.m2"]


def test_bases_that_cannot_be_followed_are_none(tree, monkeypatch):
    def lost(*arguments):
        raise SelectorError("imported in a circle")

    old = "class A(B):\n    def f(self):\n        return self.one + self.two\n"
    base = "class B:\n    def f(self):\n        return 1\n\n\n"
    new = base + "class A(B):\n    x = 1\n"
    assert both(tree, base + old, new, "m:A.f").cls == "renamed"
    monkeypatch.setattr("snippetlock.drift.relations.defining", lost)
    assert both(tree, base + old, new, "m:A.f").cls == "removed"


def test_keys_far_down_are_compared_and_not_searched(tree):
    old = {"k.yaml": "a:\n  b:\n    c:\n      d:\n        e:\n          f: [one, two, three, four]  # so\n"}
    new = {"k.yaml": old["k.yaml"].replace("f:", "g:")}
    assert both(tree, old, new, "k.yaml:a.b.c.d.e.f").cls == "removed"
    change = both(tree, old, {"k.yaml": old["k.yaml"].replace("one", "five")}, "k.yaml:a.b.c.d.e.f")
    assert change.details == ("`[one, two, three, four]` → `[five, two, three, four]`",)


LONG = "x = [" + "1, " * 60 + "2]"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a\nb\n", "a\nc\n", "`b` → `c`"),
        ("a\n  b\n", "a\nb\n", "`b` is indented by 0 now, was by 2"),
        ("a\nb\n", "a\n", "`b` is gone"),
        ("a\n", "a\n\nb\n", "`b` is new"),
        ("a\n# b\nx = 1\n", "a\n# c\ny\nx = 2\n", "`x = 1` → `x = 2`"),
        ("# b\na\n1\n", "# c\na\n2\n", "`1` → `2`, and 1 more place"),
        ("1\na\n2\nb\n3\n", "4\na\n5\nb\n6\n", "`1` → `4`, and 2 more places"),
        ("# b\n", "# c\n", "`# b` → `# c`"),
        ("a\n\nb\n", "a\nb\n", "its blank lines differ"),
        ("a \n", "a\n", "blanks around `a`"),
        (LONG, LONG.replace("2]", "3]"), "`…, 1, 1, 1, 1, 1, 1, 2]` → `…, 1, 1, 1, 1, 1, 1, 3]`"),
        ("a\n" * 2001, "b\n", "2001 lines were there, 1 are there now"),
        ("a\n", "a\n", ""),
    ],
)
def test_the_first_difference_of_two_texts_is_told(old, new, wanted):
    assert differing(old, new) == wanted


RANGE = "def f(a, b=1):\n    x = a + b\n    y = self.run(x)\n    return y\n"


@pytest.mark.parametrize(
    ("view", "old", "new", "wanted", "facts"),
    [
        (View(from_="x = $_", to="y = $_"), "b=1", "b=2", "same", ()),
        (View(from_="x = $_", to="y = $_"), "return y", "return x", "same", ()),
        (View(from_="x = $_", to="y = $_"), "a + b", "a - b", "body", ("`x = a + b` → `x = a - b`",)),
        (View(from_="x = $_", to="y = $_"), "a + b", "(a + b)", "layout", ()),
        (View(from_="x = $_"), "x = a", "z = a", "body", ("`from` fits no statement: 'x = $_'",)),
        (View(match="self.run($x)"), "self.run", "self.go", "body", ("`match` fits no statement: 'self.run($x)'",)),
        (View(match="self.run($x)"), "x = a", "x = 2", "same", ()),
    ],
)
def test_of_a_range_only_what_it_shows_counts(view, old, new, wanted, facts, tree):
    change = both(tree, RANGE, RANGE.replace(old, new), view=view)
    assert (change.cls, change.details) == (wanted, facts)


def test_a_range_of_something_renamed_is_cut_where_it_is_now(tree):
    change = both(tree, RANGE, RANGE.replace("def f", "def g"), view=View(match="self.run($x)"))
    assert (change.cls, change.candidates[0].cls) == ("renamed", "same")
    assert change.new_text == change.old_text


LONG = "[" + ", ".join(f'"value {i}"' for i in range(30)) + "]"


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("f: int = 1\n", "f = 1\n", ["annotation is gone: `int`"]),
        ("f: int\n", "f: int = 1\n", ["value is new: `1`"]),
        (f"f = {LONG}\n", f"f = {LONG.replace('value 20', 'value x')}\n", ["value: `…"]),
        ("f = (\n    1,\n    2,\n)\n", "f = (1, 3)\n", ["value: `(1, 2)` → `(1, 3)`"]),
        ("type f[T] = list[T]\n", "type f[T] = set[T]\n", ["value: `list[T]` → `set[T]`"]),
        ("async def f(): ...\n", "def f(): ...\n", ["is not async any more"]),
        (
            "def f(a, *b, c): ...\n",
            "def f(a, *b, c=1, **d): ...\n",
            ["parameter `**d` was added", "default of `c` is new: `1`"],
        ),
        (
            "def f(a, b, /): ...\n",
            "def f(a, /, b): ...\n",
            ["parameter `b` is positional or keyword now, was positional-only"],
        ),
        (
            "def f(a: int, b): ...\n",
            "def f(c: str, d): ...\n",
            ["parameter `a` was removed", "parameter `b` is called `d` now"],
        ),
        ("def f(a={1: 2}): ...\n", "def f(a={1: 3}): ...\n", ["default of `a`: `{1: 2}` → `{1: 3}`"]),
        ("class f:\n    x = 1\n", "class f:\n    def x(self): ...\n", ["`x` was an assignment, is a function now"]),
        (
            "class f:\n    class g:\n        x = 1\n",
            "class f:\n    class g:\n        x = 2\n",
            ["the inside of `g` differs"],
        ),
        (
            "@a  # why\n@b\nclass f(A, B): ...\n",
            "class f: ...\n",
            ["decorator `@a` was removed", "decorator `@b` was removed"],
        ),
    ],
)
def test_facts(old, new, facts, tree):
    change = both(tree, old, new)
    assert change.cls in ("body", "signature")
    assert all(fact.startswith(wanted) for fact, wanted in zip(change.details, facts, strict=False)), change.details
    assert len(change.details) >= len(facts)


def test_a_file_of_c_that_cannot_be_read_is_not_searched(tree):
    add = "int add(int a, int b) {\n  return a + b;\n}\n"
    old = {"k.cuh": add, "m.cuh": ""}
    assert both(tree, old, {"k.cuh": "", "m.cuh": add}, "k.cuh:add").cls == "moved"
    assert both(tree, old, {"k.cuh": "", "m.cuh": f"{add}}}\n"}, "k.cuh:add").cls == "removed"
    assert both(tree, old, {"k.cuh": f"int add(int a);\n\n{add}", "m.cuh": ""}, "k.cuh:add").cls == "same"


def test_of_an_announcement_and_its_definition_the_second_is_found_again(tree):
    body = "(int a, int b) {\n  return a + b;\n}\n"
    old, new = (f"int {name}(int a, int b);\n\nint {name}{body}" for name in ("add", "plus"))
    change = both(tree, {"k.cu": old}, {"k.cu": new}, "k.cu:add")
    assert [(c.selector, c.cls, c.span.first) for c in change.candidates] == [("k.cu:plus", "same", 3)]


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        ("def f(self):\n    pass\n", "def g(self):\n    pass\n", False),
        ("def f(self, speed, gear):\n    pass\n", "def g(self, speed, gear):\n    pass\n", False),
        ("def f(a): return None\n", "def g(a): return None\n", False),
        ("def f(\n    a: int,\n) -> int:\n    ...\n", "def g(\n    a: int,\n) -> int:\n    ...\n", False),
        ("class f(Exception):\n    pass\n", "class g(Exception):\n    pass\n", False),
        ("f = None\n", "g = None\n", False),
        ("f = 0\n", "g = 0\n", False),
        ("def f(a):\n    return a.speed + 3\n", "def g(a):\n    return a.speed + 3\n", True),
        ("def f(a): return a.speed\n", "def g(a): return a.speed\n", True),
        ('def f(a):\n    """Fill it."""\n', 'def g(a):\n    """Fill it."""\n', True),
        ("f = 'crimson'\n", "g = 'crimson'\n", True),
    ],
)
def test_a_body_that_says_nothing_is_offered_and_never_sure(tree, old, new, taken):
    change = both(tree, f"keep = 7\n{old}", f"keep = 7\n{new}")
    assert (change.cls, [c.selector for c in change.candidates]) == ("renamed", ["m:g"])
    assert (change.candidates[0].score >= SCORE) == taken


def test_what_is_of_another_kind_is_offered_and_never_sure(tree):
    old = "class A:\n    def size(self):\n        return self.one + self.two * three\n"
    attribute = "class B:\n    size = property(lambda self: self.one + self.two * three)\n"
    change = both(tree, old, attribute, "m:A.size")
    assert all(c.score < SCORE for c in change.candidates)
    same = both(tree, old, old.replace("class A", "class B"), "m:A.size")
    assert same.candidates[0].selector == "m:B.size"
    assert same.candidates[0].score >= SCORE
