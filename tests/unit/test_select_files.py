"""TOML, Markdown, C and CUDA, marked regions: the lines that are named, or an error that shows what there is."""

import random
from contextlib import suppress

import casefile
import pytest

from snippetlock.config import parse_selector
from snippetlock.drift import compare
from snippetlock.errors import SelectorError, SnippetlockError
from snippetlock.model import Definition, Place, View
from snippetlock.render import render
from snippetlock.select import find
from snippetlock.text import split_lines


def said(tree, selector):
    try:
        found = find(tree, parse_selector(selector))
        snippet = render("id", found, View())
    except SnippetlockError as error:
        return f"{type(error).__name__} {error}\n"
    lines = split_lines(snippet.text)
    rows = "".join(f"{n:>4}|{line}" for n, line in zip(snippet.numbers, lines, strict=True))
    return f"{snippet.span}  {found.language} {found.part.selector}\n{rows}".rstrip("\n") + "\n"


@casefile.each("select-files.case")
def test_what_a_selector_finds(case, tree, golden):
    files = tree(case.files)
    asked = case["find"].split("\n")[:-1]
    golden(case, "".join(f"> {selector}\n{said(files, selector)}" for selector in asked))


def cut(tree, path, selector, text, **view):
    return render("id", find(tree({path: text}), parse_selector(selector)), View(**view))


# What is shown, and its digests


def test_what_is_inside_a_string_of_several_lines_does_not_move(tree):
    text = 'a = [\n    """\n    x\n  y\n""",\n]\n'
    assert cut(tree, "p.toml", "p.toml:a.0", text).text == '"""\n    x\n  y\n""",\n'
    text = 'namespace a {\n    auto s = R"(\n    x\n  y\n)";\n}\n'
    assert cut(tree, "k.cu", "k.cu:s", text).text == 'auto s = R"(\n    x\n  y\n)";\n'
    text = '# region x\n    a = """\n  b\n"""\n    c = 1\n# endregion\n'
    assert cut(tree, "m.py", "m:@x", text).text == 'a = """\n  b\n"""\nc = 1\n'


def test_a_table_has_a_skeleton_and_comments_can_be_dropped(tree):
    text = "[a]  # one\nb = 1\n# two\nc = [ # three\n  2,\n]\n\n[a.d]\ne = 1\n"
    assert cut(tree, "p.toml", "p.toml:a", text, show="skeleton", keep=("c", "d")).text == (
        "[a]  # one\n# …\n# two\nc = [ # three\n  2,\n]\n\n[a.d]\ne = 1\n"
    )
    assert cut(tree, "p.toml", "p.toml:a", text, comments="drop", to="c = [ # three").text == (
        "[a]  # …\nb = 1\n# …\nc = [ # …\n# …\n"
    )
    assert cut(tree, "p.toml", "p.toml", text, show="skeleton").text == "[a]  # one\n# …\n"


SAME, COMMENT, BODY, SIGNATURE = "tokens code signature", "code signature", "signature", ""
C = "int f(int a) {\n  return 1;  // one\n}\n"
TOML = "a = { b = 1 }  # one\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "equal"),
    [
        ("k.cu", C, C.replace("\n  ", " "), SAME),
        ("k.cu", C, C.replace("one", "two"), COMMENT),
        ("k.cu", C, C.replace("// one", "/* one */"), COMMENT),
        ("k.cu", C, C.replace("return 1", "return 2"), BODY),
        ("k.cu", C, C.replace("int a", "int b"), SIGNATURE),
        ("k.cu", "int f(int a);\n", "int f(\n  int a);\n", SAME),
        ("k.cu", "int f(int a);\n", "int f(int b);\n", SIGNATURE),
        ("p.toml", TOML, TOML.replace("a =", "a  ="), SAME),
        ("p.toml", TOML, TOML.replace("one", "two"), COMMENT),
        ("p.toml", TOML, TOML.replace("1", "2"), BODY),
    ],
)
def test_digests_tell_layout_comments_and_code_apart(tree, path, old, new, equal):
    name = "f" if path == "k.cu" else "a"
    before, after = (cut(tree, path, f"{path}:{name}", text).digests for text in (old, new))
    kinds = ("text", "tokens", "code", "signature")
    assert " ".join(kind for kind in kinds if getattr(before, kind) == getattr(after, kind)) == equal


def test_lines_of_c_that_no_lexer_can_read_are_compared_by_their_words(tree):
    text = "/* one\n   two */\nint x;\n"
    first, second = (cut(tree, "a/k.h", "a/k.h", text.replace("one", one), to="/* " + one) for one in ("one", "uno"))
    assert (first.text, first.digests.code == second.digests.code) == ("/* one\n// …\n", False)


def test_a_region_of_python_is_followed_by_drift(tree):
    old, new = "# region x\na = 1\n# endregion\n", "# region x\na = 2\n# endregion\n"
    place = Place(path="a.yaml")
    definition = Definition(id="id", selector=parse_selector("m:@x"), view=View(), place=place, places={})
    change = compare(definition, tree({"m.py": old}), tree({"m.py": new}), touched=["m.py"])
    assert (change.cls, change.details) == ("body", ("`a = 1` → `a = 2`",))


# Bad input


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a/b.md: x", "a heading has blanks around it"),
        ("a/b.md:x ", "a heading has blanks around it"),
        ("a/b.md:x\ny", "a heading has blanks around it"),
        ("a/b.cu:int f", "a selector has a space in it"),
        ("a/b.cu:struct a b", "a selector has a space in it"),
        ("a/b.toml:a b", "a selector has a space in it"),
        ("a/b.toml:a..b", "a key is empty"),
        ("a/b.cu:@", "the name of a region cannot be read"),
        ("a.b:@a b", "the name of a region cannot be read"),
        ("a/b.py:@a#0", "the name of a region cannot be read"),
    ],
)
def test_selectors_that_cannot_be_read(text, said):
    with pytest.raises(SelectorError) as caught:
        parse_selector(text)
    assert caught.value.what == said
    assert caught.value.evidence[0] in (text, repr(text))


HOSTILE = {
    "a.cu:f": (
        *("{" * 20000 + "}" * 20000, "template<" * 9000, "a<" * 20000 + ";", "'" * 40000, "/*" * 20000, "1'" * 20000),
        *("#if\n" * 9000 + "x;", "a::" * 20000 + "f(){}", "a" + "[1]" * 9000 + "=1;", "a" + ">" * 20000 + "(1);"),
        *("struct A " * 9000, "#" + "\\\n" * 9000, "operator" * 9000, "operator", "}" * 9, "(]", "#endif\n#else\n"),
    ),
    "a.md:f": (
        *("# " + "[" * 20000, "# " + "*_`" * 9000, "# x" + " #" * 20000 + "y", "<!--" * 20000),
        *("x\n" * 9000 + "---", "# " + "{" * 20000 + "}", ""),
    ),
    "a.toml:f": (
        *("x=[" + "1," * 9000 + "]", "x=" + "[" * 900 + "]" * 900, "[[p]]\nv=[1,2]\n" * 900, "x=" + "[" * 90000),
        *("x=" + "[" * 90 + "]" * 90, ""),
    ),
    "d/a.sh:@f": (
        *("# region x\n" * 5000, "# region " + "x " * 9000, "#" + " " * 20000 + "x", "# [START " + " " * 20000),
        "# region x\n" * 2000 + "# endregion\n" * 2000,
    ),
    "m:@f": ('"""\n' * 3 + "# region f\n'\n# endregion\n", ""),
}


@pytest.mark.parametrize("selector", HOSTILE)
def test_no_file_takes_for_ever_or_ends_in_a_traceback(tree, selector):
    path = "m.py" if selector == "m:@f" else selector.partition(":")[0]
    named = []
    for text in HOSTILE[selector]:
        with suppress(SnippetlockError):
            named.append(cut(tree, path, selector, text).text)
    wanted = {"a.cu:f": ["a::" * 20000 + "f(){}"]}
    assert named == wanted.get(selector, [])


@pytest.mark.parametrize("seed", range(200))
def test_damaged_files_end_in_an_error_of_ours_or_in_lines_of_the_file(tree, seed):
    rng = random.Random(seed)
    case = rng.choice(casefile.read("select-files.case"))
    path, text = rng.choice(sorted(case.files.items()))
    damaged = list(text)
    for _ in range(rng.randrange(1, 6)):
        damaged[rng.randrange(len(damaged) or 1) : 1] = rng.choice("{}()[]\"'#/*\\\n;:<>=@-`~ ")
    text = "".join(damaged)
    for selector in case["find"].split("\n")[:-1]:
        if selector.startswith(f"{path}:"):
            with suppress(SnippetlockError):
                snippet = cut(tree, path, selector, text)
                assert snippet.text.strip()
                assert all(line.strip() in text for line in split_lines(snippet.text))
