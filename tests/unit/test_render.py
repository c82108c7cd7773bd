"""Render: views, options, marks; what is shown is what the file has."""

import ast
import inspect
import random

import casefile
import pytest
import yaml

from snippetlock.config import parse_selector
from snippetlock.errors import HighlightError, SnippetlockError, ViewError
from snippetlock.model import Found, Part, Region, Selector, View
from snippetlock.render import MARKS, render
from snippetlock.render.blocks import logical_end
from snippetlock.render.sheet import sheet_of
from snippetlock.select import find
from snippetlock.text import split_lines


def view_of(text):
    given = yaml.safe_load(text) or {}
    return View(**{key: tuple(value) if isinstance(value, list) else value for key, value in given.items()})


def cut(tree, files, selector, **view):
    return render("id", find(tree(files), parse_selector(selector)), View(**view))


def numbered(snippet):
    lines = split_lines(snippet.text)
    return "".join(f"{n or '':>3}|{line}" for n, line in zip(snippet.numbers, lines, strict=True))


@casefile.each("render-views.case", "render-options.case", "render-yaml.case")
def test_what_is_shown(case, tree, golden):
    files = tree(case.files)
    found = find(files, parse_selector(case["select"].strip()))
    snippet = render("id", found, view_of(case.get("view")))
    golden(case, numbered(snippet))
    assert " ".join(map(str, snippet.highlight)) == case.get("highlight").strip()
    source = split_lines(found.text)
    for number, line in zip(snippet.numbers, split_lines(snippet.text), strict=True):
        assert number is None or line.strip().partition("# …")[0].strip() in source[number - 1]
    if "docstring" not in snippet.view.show and snippet.language == "python":
        _parses(snippet.text)


def _parses(text):
    """Where a mark is all that a header has below it, a statement in its place makes it Python again."""
    lines, header = [], False
    for line in text.split("\n"):
        code = line.partition("#")[0].rstrip()
        if line.strip() == "# …":
            code = line = line.replace("# …", "...") if header else line
        elif ": # …" in line:
            line = line.replace("# …", "...")
        header = code.endswith(":") if code else header
        lines.append(line)
    ast.parse("\n".join(lines))


def test_of_imports_that_are_tried_the_rest_is_left_out(tree):
    text = "try:\n    import fast\nexcept ImportError:\n    fast = None\n\n\ndef f():\n    # why\n    return fast\n"

    shown = cut(tree, {"m.py": text}, "m:f", show="body", comments="drop", imports=True)

    assert numbered(shown) == "  1|try:\n  2|    import fast\n   |# …\n  9|return fast\n"


@casefile.each("render-errors.case")
def test_what_does_not_fit_is_said(case, tree, golden):
    files = tree(case.files)
    found = find(files, parse_selector(case["select"].strip()))
    with pytest.raises(ViewError) as caught:
        render("id", found, view_of(case.get("view")))
    golden(case, str(caught.value) + "\n", "error")
    assert isinstance(caught.value, HighlightError) == ("highlight" in case.title)


# Bytes


SOURCES = {
    "tabs": "class A:\n\tdef f(self):\n\t\tx = '\t'\n\t\treturn x\n",
    "mixed": "class A:\n    def f(self):\n    \treturn 1\n",
    "blank lines with blanks": "class A:\n    def f(self):\n  \n        \n            \n        return 1\n",
    "form feeds": "x = 1\n\x0c\nclass A:\n    def f(self):\n        y = 1\x0c\n\x0c\n        return 1\n",
    "crlf": "class A:\r\n    def f(self):\r\n        # c\r\n        return 1\r\n",
    "lone cr": "class A:\r    def f(self):\r        # c\r        return 1\r",
    "no final newline": "class A:\n    def f(self):\n        return 1",
    "u+2028": "class A:\n    def f(self):\n        return '\u2028\x85\x0b\x1c'  # \u2029\n",
    "backticks": "class A:\n    def f(self):\n        return '````'\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_whole_module_and_a_class_at_the_margin_are_the_file_byte_for_byte(tree, name):
    source = SOURCES[name]
    whole = cut(tree, {"m.py": source}, "m")
    assert whole.text == source
    assert whole.numbers == tuple(range(1, len(split_lines(source)) + 1))
    start = source.index("class A")
    assert cut(tree, {"m.py": source}, "m:A").text == source[start:]


@pytest.mark.parametrize("name", SOURCES)
def test_a_method_is_its_lines_less_one_indentation(tree, name):
    source = SOURCES[name]
    snippet = cut(tree, {"m.py": source}, "m:A.f")
    lines = split_lines(source)
    one = "\t" if name == "tabs" else "    "
    for number, line in zip(snippet.numbers, split_lines(snippet.text), strict=True):
        assert lines[number - 1] == one + line or (not line.strip() and lines[number - 1].endswith(line))
    assert snippet.text.startswith("def f(self):")
    assert (snippet.span.last, snippet.numbers[-1]) == (len(lines), len(lines))


def test_tabs_that_indent_go_and_tabs_that_do_not_stay(tree):
    assert cut(tree, {"m.py": SOURCES["tabs"]}, "m:A.f").text == "def f(self):\n\tx = '\t'\n\treturn x\n"
    assert cut(tree, {"m.py": SOURCES["mixed"]}, "m:A.f").text == "def f(self):\n\treturn 1\n"
    assert cut(tree, {"m.py": SOURCES["blank lines with blanks"]}, "m:A.f").text == (
        "def f(self):\n\n    \n        \n    return 1\n"
    )
    assert cut(tree, {"m.py": SOURCES["form feeds"]}, "m:A.f").text == (
        "def f(self):\n    y = 1\x0c\n\x0c\n    return 1\n"
    )


@pytest.mark.parametrize(("name", "end"), [("crlf", "\r\n"), ("lone cr", "\r")])
def test_marks_end_as_the_lines_they_stand_for(tree, name, end):
    files = {"m.py": SOURCES[name]}
    assert cut(tree, files, "m:A.f", show="signature").text == f"def f(self):{end}    # …{end}"
    assert cut(tree, files, "m:A.f", comments="drop").text == f"def f(self):{end}    # …{end}    return 1{end}"
    assert cut(tree, files, "m:A.f", highlight=("# c\n    return 1",)).highlight == (2, 3)


def test_a_mark_for_the_end_of_a_file_without_a_newline_has_none(tree):
    assert cut(tree, {"m.py": SOURCES["no final newline"]}, "m:A.f", show="signature").text == "def f(self):\n    # …"
    assert cut(tree, {"m.py": "def f(): return 1"}, "m:f", show="signature").text == "def f(): # …"


def test_a_dedented_docstring_says_the_same_to_help(tree):
    source = 'class A:\n    def f(self):\n        """One.\n\n          two\n        three\n        """\n'
    shown = cut(tree, {"m.py": source}, "m:A.f").text
    before, after = {}, {}
    exec(source, before)
    exec(shown, after)
    assert inspect.getdoc(before["A"].f) == inspect.getdoc(after["f"])


def test_strings_keep_their_value_whatever_is_dedented(tree):
    source = (
        "class A:\n    def f(self):\n        return '''\n    a\n  b\n        ''' f'''\n        {1}\n''' 'c\\\n    d'\n"
    )
    before, after = {}, {}
    exec(source, before)
    exec(cut(tree, {"m.py": source}, "m:A.f").text, after)
    assert before["A"]().f() == after["f"](None)


# Spans


@pytest.mark.parametrize(
    ("view", "span"),
    [
        ({}, (2, 7)),
        ({"show": "signature"}, (3, 7)),  # of the definition proper: the comment above it is no part of a signature
        ({"show": "skeleton"}, (2, 7)),
        ({"show": "body"}, (5, 7)),
        ({"show": "docstring"}, (5, 5)),
    ],
)
def test_the_span_is_the_part_or_what_is_shown_of_it(tree, view, span):
    source = '\n# lead\ndef f():\n\n    """Doc."""\n\n    return 1\n'
    snippet = cut(tree, {"m.py": source}, "m:f", **view)
    assert (snippet.span.path, snippet.span.first, snippet.span.last) == ("m.py", *span)


@pytest.mark.parametrize(
    ("view", "span"),
    [({}, (1, 7)), ({"show": "skeleton"}, (1, 7)), ({"show": "body"}, (1, 7)), ({"show": "docstring"}, (3, 5))],
)
def test_the_span_of_a_module_is_the_file_and_that_of_its_docstring_the_docstrings(tree, view, span):
    snippet = cut(tree, {"m.py": '# lead\n\n"""One.\n\nTwo."""\nx = 1\n\n'}, "m", **view)
    assert (snippet.span.first, snippet.span.last) == span


@pytest.mark.parametrize(("lead", "span"), [("", (2, 4)), ("    # lead\n", (3, 5))])
def test_the_span_of_a_signature_begins_where_its_text_does(tree, lead, span):
    source = f"class A:\n{lead}    @old\n    def f(self):\n        return 1\n    x = 1\n"
    snippet = cut(tree, {"m.py": source}, "m:A.f", show="signature")
    assert (snippet.text, snippet.numbers[0]) == ("@old\ndef f(self):\n    # …\n", span[0])
    assert (snippet.span.first, snippet.span.last) == span


def test_the_snippet_carries_what_it_is_of(tree):
    files = tree({"m.py": "x = 1\n"})
    found = find(files, parse_selector("m:x"))
    snippet = render("the-id", found, View())
    assert (snippet.id, snippet.selector, snippet.language) == ("the-id", found.selector, "python")
    assert (snippet.consulted, snippet.view) == (found.consulted, View())


# Other languages


def plain(language, text="a\nb # c\n", kind="module"):
    whole = Region(start=0, end=len(text))
    part = Part(name="", selector="", kind=kind, whole=whole, head=Region(start=0, end=0), body=whole)
    return Found(
        selector=Selector(text="x", name="", path="x"),
        path=f"x.{language}",
        text=text,
        language=language,
        part=part,
        consulted=(),
    )


def test_what_has_no_marks_is_shown_whole(tree):
    assert "markdown" not in MARKS
    assert render("id", plain("markdown"), View()).text == "a\nb # c\n"


@pytest.mark.parametrize(
    ("language", "view", "message"),
    [
        (
            "markdown",
            View(show="body"),
            "x.markdown: nothing can be left out of a markdown file\n  mend: use `show: source`, `comments: keep`",
        ),
        ("markdown", View(comments="drop"), None),
        (
            "yaml",
            View(show="docstring"),
            "x.yaml: yaml has no docstrings\n  mend: leave `docstrings` out, and use another view",
        ),
        ("yaml", View(docstrings="keep"), None),
        ("toml", View(docstrings="drop"), None),
    ],
)
def test_what_a_language_has_no_room_for_is_said(language, view, message):
    with pytest.raises(SnippetlockError) as caught:
        render("id", plain(language), view)
    assert message is None or str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "last"), [("a", 1), ("a(\n1,\n)\nb\n", 3), ("a \\\n b\nc\n", 2), ('a = """\n(\n"""\nb\n', 3), ("(\n", 1)]
)
def test_where_a_logical_line_ends(text, last):
    assert logical_end(sheet_of(text, Region(start=0, end=len(text))), 1) == last


# Properties


def test_any_mixture_of_options_gives_lines_of_the_file_in_order(tree):
    rng = random.Random(7)
    cases = [case.get("file m.py") for case in casefile.read("render-views.case")]
    parts = [text for text in cases if "; return" not in text]  # a docstring there cannot be dropped
    for _ in range(60):
        source = "\n\n".join(rng.sample(parts, 3))
        view = {"docstrings": rng.choice([None, "keep", "summary", "drop"]), "comments": rng.choice(["keep", "drop"])}
        snippet = cut(tree, {"m.py": source}, "m", show=rng.choice(["source", "skeleton", "body"]), **view)
        numbers = [n for n in snippet.numbers if n is not None]
        assert numbers == sorted(set(numbers))
        lines = split_lines(source)
        for number, line in zip(snippet.numbers, split_lines(snippet.text), strict=True):
            if number is None:
                assert line.strip() in ("# …", "…")
            else:
                shown = line.partition("# …")[0].rstrip("\n")
                assert lines[number - 1].startswith(shown) or shown.strip() in ('"""', "'''")
