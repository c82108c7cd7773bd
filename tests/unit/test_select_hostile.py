"""Sources as hostile as they come: the right answer, or an error with place and mend; never a crash."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import SOURCES, STRANGERS, TWINS

from snippetlock.config import parse_selector
from snippetlock.errors import AmbiguousSymbol, SelectorError, SnippetlockError, SourceError
from snippetlock.model import Selector
from snippetlock.select import find
from snippetlock.text import line_of, line_starts

CORPUS = Path(__file__).parent.parent / "corpus"


def where(found):
    starts = line_starts(found.text)
    whole = found.part.whole
    return line_of(starts, whole.start), line_of(starts, max(whole.start, whole.end - 1))


def taken(found):
    return found.text[found.part.whole.start : found.part.whole.end]


@pytest.fixture
def corpus(tree):
    def look(file, name):
        files = tree({file: (CORPUS / file).read_bytes()})
        return find(files, parse_selector(f"{file}:{name}" if name else file))

    return look


@pytest.mark.parametrize(
    ("file", "name", "span"),
    [
        *[(file, "C", (1, 15)) for file in ("crlf.py", "lone-cr.py", "mixed-ends.py", "bom.py")],
        *[(file, "C.x", (8, 9)) for file in ("crlf.py", "lone-cr.py", "mixed-ends.py", "bom.py")],
        *[(file, "C.m", (11, 15)) for file in ("crlf.py", "lone-cr.py", "mixed-ends.py", "bom.py")],
        *[(file, "after", (18, 19)) for file in ("crlf.py", "lone-cr.py", "mixed-ends.py", "bom.py")],
        ("latin-1.py", "C", (2, 16)),
        ("tabs.py", "C", (1, 10)),
        ("tabs.py", "C.x", (2, 2)),
        ("tabs.py", "C.m", (4, 10)),
        ("tabs.py", "after", (12, 16)),
        ("tabs-and-spaces.py", "C.n", (4, 5)),
        ("tabs-and-spaces.py", "x", (6, 6)),
        ("form-feed.py", "C", (3, 5)),
        ("form-feed.py", "C.m", (4, 5)),
        ("form-feed.py", "f", (8, 10)),
        ("line-separators.py", "C", (1, 5)),
        ("line-separators.py", "C.m", (4, 5)),
        ("line-separators.py", "after", (8, 8)),
        ("column-zero.py", "C", (1, 18)),
        ("column-zero.py", "C.m", (2, 13)),
        ("column-zero.py", "C.n", (15, 18)),
        ("backticks.py", "f", (1, 9)),
        ("no-final-newline.py", "f", (4, 5)),
        ("empty.py", "", (1, 1)),
        ("blank.py", "", (1, 3)),
        ("crlf.yaml", "a", (2, 6)),
        ("crlf.yaml", "a.b", (3, 4)),
        ("lone-cr.yaml", "a", (1, 3)),
        ("lone-cr.yaml", "c", (4, 4)),
        ("bom.yaml", "a", (1, 1)),
        ("line-separators.yaml", "a", (1, 1)),
        ("line-separators.yaml", "c", (4, 4)),
    ],
)
def test_odd_text_is_cut_at_its_lines(corpus, file, name, span):
    found = corpus(file, name)
    assert where(found) == span
    raw = (CORPUS / file).read_bytes().removeprefix(b"\xef\xbb\xbf")
    assert taken(found).encode("latin-1" if file == "latin-1.py" else "utf-8") in raw


@pytest.mark.parametrize("name", ["not_a_function", "NotOne", "C.m.NotOne"])
def test_text_in_column_zero_of_a_string_defines_nothing(corpus, name):
    with pytest.raises(SelectorError, match="no symbol"):
        corpus("column-zero.py", name)


@pytest.mark.parametrize("file", ["crlf.py", "lone-cr.py", "mixed-ends.py", "bom.py"])
def test_the_parts_of_odd_text_are_those_of_plain_text(corpus, file):
    part, text = corpus(file, "C").part, corpus(file, "C").text
    docstring, method = part.docstring, part.members[1]
    assert docstring is not None
    shown = text[docstring.start : docstring.end]
    assert shown.replace("\r\n", "\n").replace("\r", "\n") == '"""One.\n\n    Two.\n    """'
    assert [m.selector for m in part.members] == ["x", "m"]
    assert text[method.head.start : method.head.end] == "    def m(self):"
    assert [text[c.start : c.end] for c in part.comments] == ["# About C.", "# about x", "# why"]


ELSEWHERE = "quote another definition, or report it upstream"
OTHER_FILE = "quote from another file, or report it upstream"
MEND = "update libcst if a newer Python reads it; else quote another definition, or report it upstream"


@pytest.mark.parametrize(
    ("file", "name", "what", "line", "mend"),
    [
        ("invalid-utf-8.py", "C", "not UTF-8: byte 0xe9 at offset 30", 3,
         OTHER_FILE),
        ("unknown-cookie.py", "x", "unknown encoding 'klingon' in the coding comment", 1, OTHER_FILE),
        ("broken-selected.py", "broken", "the grammar of this statement is not understood", 6, MEND),
        ("broken-header.py", "broken", "the bracket opened here is not closed", 5, ELSEWHERE),
        ("unclosed-bracket.py", "TABLE", "the bracket opened here is not closed", 5, ELSEWHERE),
        ("unclosed-string.py", "NAME", "the string opened here is not closed", 5, ELSEWHERE),
        ("unclosed-field.py", "NAME", "the string opened here is not closed", 5, ELSEWHERE),
        ("unclosed-triple.py", "C", "the string opened here is not closed", 7, ELSEWHERE),
        ("unclosed-triple.py", "C.y", "the string opened here is not closed", 7, ELSEWHERE),
        ("unclosed-triple.py", "C.hidden", "the string opened here is not closed", 7, ELSEWHERE),
        ("many-faults.py", "hidden", "the string opened here is not closed", 5, ELSEWHERE),
        ("bad-dedent.py", "f", "this line's indentation matches no line above", 3, ELSEWHERE),
        ("bad-dedent.py", "", "this line's indentation matches no line above", 3, ELSEWHERE),
        ("newer-grammar.py", "newer", "the grammar of this statement is not understood", 7, MEND),
        ("newer-grammar.py", "", "the grammar of this statement is not understood", 7, MEND),
        ("python-2.py", "old", "the grammar of this statement is not understood", 2, MEND),
        ("nul.py", "f", "a null character stands here", 2, ELSEWHERE),
        ("tabs-and-spaces.py", "C.m", "the grammar of this statement is not understood", 2, MEND),
        ("broken-header.py", "", "the bracket opened here is not closed", 5, ELSEWHERE),
        ("control.yaml", "a", "this is not YAML: control characters are not allowed (U+0007)", 2,
         OTHER_FILE),
    ],
)  # fmt: skip
def test_a_source_that_defeats_us_is_named_with_line_and_mend(corpus, file, name, what, line, mend):
    with pytest.raises(SourceError) as caught:
        corpus(file, name)

    error = caught.value
    assert (error.what, error.path, error.line, error.mend) == (what, file, line, mend)


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("broken-selected.py", ["good", "fine"]),
        ("broken-header.py", ["good", "fine"]),
        ("unclosed-bracket.py", ["good", "Fine", "Fine.m"]),
        ("unclosed-string.py", ["good", "fine"]),
        ("unclosed-field.py", ["good", "hidden"]),
        ("unclosed-triple.py", ["good", "C.x"]),
        ("many-faults.py", ["good"]),
        ("bad-dedent.py", ["fine"]),
        ("newer-grammar.py", ["good", "fine"]),
        ("python-2.py", ["fine"]),
        ("nul.py", ["fine"]),
    ],
)
def test_what_stands_beside_a_fault_is_still_found(corpus, file, names):
    for name in names:
        assert corpus(file, name).part.name == name.rpartition(".")[2]


def test_the_evidence_of_bad_grammar_is_its_line(corpus):
    with pytest.raises(SourceError) as caught:
        corpus("newer-grammar.py", "newer")

    assert str(caught.value) == (
        f"newer-grammar.py:7: the grammar of this statement is not understood\n  when x becomes 2:\n  mend: {MEND}"
    )


DEEP = {
    "brackets": "x = " + "(" * 10_000 + ")" * 10_000 + "\n",
    "mixed brackets": "x = " + "([{1:" * 3_000 + "}])" * 3_000 + "\n",
    "open brackets": "x = " + "[" * 10_000 + "\n",
    "indentation": "".join(" " * i + "if x:\n" for i in range(200)) + " " * 200 + "x = 1\n",
    "functions": "".join(" " * i + "def x():\n" for i in range(200)) + " " * 200 + "pass\n",
    "fields": "x = " + "f'{" * 10_000 + "1" + "}'" * 10_000 + "\n",
    "sum": "x = " + " + ".join(["1"] * 10_000) + "\n",
    "attributes": "x = a" + ".b" * 10_000 + "\n",
    "calls": "x = a" + "()" * 10_000 + "\n",
    "not": "x = " + "not " * 10_000 + "1\n",
    "strings": "x = (" + " ".join(["'a'"] * 10_000) + ")\n",
    "lambda": "x = " + "lambda: " * 10_000 + "1\n",
    "elif": "def x():\n  if a: pass\n" + "  elif b: pass\n" * 10_000,
}


@pytest.mark.parametrize("kind", DEEP)
def test_what_nests_too_deeply_is_refused_before_the_parser_sees_it(kind):
    program = (
        "import sys\n"
        "from snippetlock.source import DictTree\n"
        "from snippetlock.select import find\n"
        "from snippetlock.model import Selector\n"
        "from snippetlock.errors import SourceError\n"
        "tree = DictTree({'a.py': sys.stdin.buffer.read()})\n"
        "for name in ('good', sys.argv[1], ''):\n"
        "    try:\n"
        "        print(find(tree, Selector(text='a', name=name, module='a')).part.name)\n"
        "    except SourceError as error:\n"
        "        print(error.where, bool(error.mend), 'Recursion' in str(error))\n"
    )
    name = "" if kind == "indentation" else "x"  # there x is one shallow line
    source = f"def good():\n    pass\n{DEEP[kind]}"
    done = subprocess.run([sys.executable, "-c", program, name], input=source.encode(), capture_output=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, b"")
    good, *refused = done.stdout.decode().split("\n")[:-1]
    assert good == "good"
    assert len(refused) == 2
    assert all(line.startswith("a.py:") and line.endswith("True False") for line in refused)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("brackets", "brackets here are more than 200 deep"),
        ("mixed brackets", "brackets here are more than 200 deep"),
        ("open brackets", "the bracket opened here is not closed"),
        ("functions", "this is indented more than 100 levels deep"),
        ("fields", "a string here has more than 200 replacement fields"),
        ("sum", "more than 1500 terms hang together here with no comma between"),
        ("lambda", "more than 1500 terms hang together here with no comma between"),
        ("elif", "more than 1500 branches hang together here"),
    ],
)
def test_the_refusal_says_what_is_too_deep(tree, kind, what):
    with pytest.raises(SourceError) as caught:
        find(tree({"a.py": DEEP[kind]}), parse_selector("a:x"))

    assert caught.value.what == what


def test_many_statements_on_a_line_are_not_deep(tree):
    assert where(find(tree({"a.py": "x = 1; " * 2_000 + "\n"}), parse_selector("a:x"))) == (1, 1)


@pytest.mark.parametrize("name", ["a b", "a@other", "a#0", "", "1"])
def test_a_name_that_is_none_is_refused(tree, name):
    with pytest.raises(SelectorError) as caught:
        find(tree({"a.py": "a = 1\n"}), Selector(text="?", name=f"a.{name}", module="a"))

    assert caught.value.what == f"{name!r} is no name"


def test_what_only_looks_deep_is_read(tree):
    table = "x = [\n" + "    -1, (2, {'a': 3}), f(g(4)),\n" * 1_000 + "]\n"
    found = find(tree({"a.py": table}), parse_selector("a:x"))
    assert where(found) == (1, 1002)


@pytest.mark.parametrize("title", SOURCES)
def test_a_long_source_is_read(tree, title):
    found = find(tree({"a.py": SOURCES[title](15_000)}), parse_selector("a:x"))
    assert found.part.name == "x"
    assert found.text[found.part.whole.start :].startswith(("x = ", "# "))


def test_a_long_yaml_line_is_read(tree):
    files = tree({"a.yaml": "a: [" + "1, " * 100_000 + "]\nb: '" + "x" * 1_000_000 + "'\n"})
    assert where(find(files, parse_selector("a.yaml:b"))) == (2, 2)


def test_yaml_that_nests_too_deeply_is_refused(tree):
    deep = tree({"a.yaml": "x: 1\na: " + "[" * 300 + "]" * 300 + "\n"})
    with pytest.raises(SourceError) as caught:
        find(deep, parse_selector("a.yaml:x"))
    assert (caught.value.what, caught.value.line) == ("this is nested more than 200 levels deep", 2)
    deeper = tree({"a.yaml": "x: 1\na: " + "[" * 10_000 + "]" * 10_000 + "\n"})
    with pytest.raises(SourceError) as caught:
        find(deeper, parse_selector("a.yaml:x"))
    assert caught.value.line == 2


def test_a_class_hierarchy_or_a_chain_of_imports_without_end_is_borne(tree):
    chain = {f"m{i}.py": f"from m{i + 1} import x\n" for i in range(200)}
    with pytest.raises(SelectorError, match="imported through more than 50 modules"):
        find(tree(chain), parse_selector("m0:x"))

    classes = "class A0: pass\n" + "".join(f"class A{i}(A{i - 1}): pass\n" for i in range(1, 2000))
    with pytest.raises(SelectorError, match="no symbol"):
        find(tree({"a.py": classes}), parse_selector("a:A1999.x"))

    doubled = {
        f"d{i}.py": f"try:\n    from d{i + 1} import x\nexcept E:\n    from e{i + 1} import x\n" for i in range(40)
    }
    doubled |= {path.replace("d", "e", 1): text for path, text in doubled.items()}
    with pytest.raises(SelectorError, match="too many places"):
        find(tree(doubled), parse_selector("d0:x"))

    with pytest.raises(SelectorError, match="more than 100 parts"):
        find(tree({"a.py": "x = 1\n"}), parse_selector("a:" + ".".join(["x"] * 5000)))


@pytest.mark.parametrize("file", sorted(path.name for path in CORPUS.glob("*.py")))
def test_whole_files_are_read_or_refused_by_name(corpus, file):
    try:
        outcome = corpus(file, "")
    except SnippetlockError as error:
        outcome = error

    assert outcome.path == file
    assert isinstance(outcome, SnippetlockError) == (file in REFUSED)


REFUSED = {
    *("bad-dedent.py", "broken-header.py", "broken-selected.py", "invalid-utf-8.py", "many-faults.py"),
    *("newer-grammar.py", "nul.py", "python-2.py", "tabs-and-spaces.py", "unclosed-bracket.py"),
    *("unclosed-field.py", "unclosed-string.py", "unclosed-triple.py", "unknown-cookie.py"),
}


@pytest.mark.parametrize("title", TWINS)
def test_of_many_twins_a_few_are_listed_and_the_others_counted(tree, title):
    path, name, source = TWINS[title]
    lines = {}
    for n in (20, 3000):
        with pytest.raises(AmbiguousSymbol) as caught:
            find(tree({path: source(n)}), parse_selector(f"{path}:{name}"))
        assert caught.value.what == f"{name!r} names {n} things in {path}"
        assert len(caught.value.candidates) == 20
        lines[n] = caught.value.evidence
    assert len(lines[20]) == 20
    assert lines[3000] == (*lines[20], "and 2,980 more")
    for selector, _, line in caught.value.candidates:
        found = find(tree({path: source(20)}), parse_selector(selector))
        first, last = where(found)
        assert first - (selector.startswith("a.txt:@")) <= line <= last  # of a region its mark, right above it
    assert find(tree({path: source(1)}), parse_selector(f"{path}:{name}")).part.name == "x"


@pytest.mark.parametrize("title", STRANGERS)
def test_of_a_name_that_is_not_there_a_few_that_are_near_are_listed(tree, title):
    path, name, source = STRANGERS[title]
    with pytest.raises(SelectorError) as caught:
        find(tree({path: source(300), "b.py": ""}), parse_selector(f"{path}:{name}"))
    assert not isinstance(caught.value, AmbiguousSymbol)
    evidence = caught.value.evidence
    assert 1 <= len(evidence) <= 20 or (len(evidence), evidence[-1]) == (21, "and 280 more")
    assert caught.value.mend


def test_nobody_is_told_to_edit_a_library_that_is_pinned(corpus):
    told = {}
    for path in sorted(CORPUS.iterdir()):
        try:
            corpus(path.name, "")
        except SourceError as error:
            told[path.name] = error.mend
    assert len(told) >= 10
    wrong = {name: mend for name, mend in told.items() if re.match(r"(mend|close|take|save|remove|put|indent)\b", mend)}
    assert wrong == {}
