"""Text: what survives, line by line and byte by byte."""

import inspect
import re

import pytest

from snippetlock.errors import SourceError
from snippetlock.text import (
    decode,
    dedent,
    is_blank,
    late,
    line_at,
    line_end,
    line_of,
    line_starts,
    margin,
    normalise,
    sha256,
    slice_lines,
    split_lines,
    width,
)

TEXTS = {
    "": (),
    "a": ("a",),
    "a\n": ("a\n",),
    "a\n\n": ("a\n", "\n"),
    "a\r\nb\rc\nd": ("a\r\n", "b\r", "c\n", "d"),
    "\r\r\n\n": ("\r", "\r\n", "\n"),
    "a\x0cb\x0b\u2028c\u0085d\x1ce\n": ("a\x0cb\x0b\u2028c\u0085d\x1ce\n",),
}


@pytest.mark.parametrize("text", TEXTS)
def test_only_the_three_line_ends_split_and_nothing_is_lost(text):
    assert split_lines(text) == TEXTS[text]
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize("text", TEXTS)
def test_every_way_to_ask_for_a_line_agrees(text):
    starts = line_starts(text)
    assert len(starts) == max(1, len(TEXTS[text]))
    for offset in range(len(text)):
        line = line_of(starts, offset)
        assert starts[line - 1] <= offset
        assert line == line_at(text, offset)
        assert "".join(TEXTS[text][: line - 1]) == text[: starts[line - 1]]
    assert line_of(starts, len(text)) == len(starts)


def test_slices_are_bytes_of_the_file():
    assert slice_lines("a\n\x0cdef f():\r\n  pass\r\n", 2, 3) == "\x0cdef f():\r\n  pass\r\n"
    assert slice_lines("a\nb", 2, 2) == "b"


@pytest.mark.parametrize(("first", "last"), [(0, 1), (2, 1), (1, 3)])
def test_a_slice_past_the_text_is_refused(first, last):
    with pytest.raises(ValueError, match=f"no lines {first}-{last} in a text of 2"):
        slice_lines("a\nb\n", first, last)


@pytest.mark.parametrize(("line", "end"), [("a\r\n", "\r\n"), ("a\r", "\r"), ("\n", "\n"), ("a\u2028", ""), ("", "")])
def test_line_ends(line, end):
    assert line_end(line) == end


def test_line_ends_are_made_equal_only_for_comparing():
    assert normalise("a\r\nb\rc\n") == "a\nb\nc\n"
    assert normalise("a\nb") == "a\nb"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"x = 1\r\n", "x = 1\r\n"),
        ("\ufeffx = '\u2028'\r".encode(), "x = '\u2028'\r"),
        (b"\xef\xbb\xbf# coding: utf8\n", "# coding: utf8\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "# -*- coding: latin-1 -*-\ns = 'é'\n"),
        (b"#!/usr/bin/python\r# vim: set fileencoding=cp1252 :\rs = '\x80'", None),
        (b"\n\x0c # coding=latin1\n'\xe9'", "\n\x0c # coding=latin1\n'é'"),
    ],
)
def test_python_is_read_as_its_cookie_says(data, text):
    wanted = "#!/usr/bin/python\r# vim: set fileencoding=cp1252 :\rs = '€'" if text is None else text
    assert decode(data, "a.py", python=True) == wanted


def test_a_cookie_counts_only_in_the_first_two_lines_and_before_code():
    assert decode("\n\n# coding: latin-1\n'é'".encode(), "a.py", python=True) == "\n\n# coding: latin-1\n'é'"
    assert decode("x = 1\n# coding: latin-1\n'é'".encode(), "a.py", python=True) == "x = 1\n# coding: latin-1\n'é'"


OTHER_FILE = "\n  mend: quote from another file, or report it upstream"


def test_only_python_has_cookies():
    assert decode("# coding: latin-1\né".encode(), "a.yaml", python=False) == "# coding: latin-1\né"


@pytest.mark.parametrize(
    ("data", "python", "message"),
    [
        (
            b"a\r\nb\r\xff",
            True,
            "a.py:3: not UTF-8: byte 0xff at offset 5" + OTHER_FILE,
        ),
        (
            b"a\n\xc3",
            False,
            "a.py:2: not UTF-8: byte 0xc3 at offset 2" + OTHER_FILE,
        ),
        (
            b"# coding: ascii\n\xe9",
            True,
            "a.py:2: not ascii: byte 0xe9 at offset 16" + OTHER_FILE,
        ),
        (
            b"\n# coding: klingon\n",
            True,
            "a.py:2: unknown encoding 'klingon' in the coding comment" + OTHER_FILE,
        ),
        (
            b"# coding: rot13\n",
            True,
            "a.py:1: unknown encoding 'rot13' in the coding comment" + OTHER_FILE,
        ),
        (
            b"# coding: undefined\n",
            True,
            "a.py:1: cannot be read as undefined" + OTHER_FILE,
        ),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            True,
            "a.py:1: the byte order mark says UTF-8, the coding comment 'latin-1'" + OTHER_FILE,
        ),
        (b"# coding: idna\nx = 'xn--\xff'", True, None),
    ],
)
def test_what_cannot_be_decoded_is_named_with_its_line(data, python, message):
    with pytest.raises(SourceError) as caught:
        decode(data, "a.py", python)
    if message is not None:
        assert str(caught.value) == message
    else:
        assert (caught.value.path, bool(caught.value.mend)) == ("a.py", True)


@pytest.mark.parametrize(
    ("line", "blanks"),
    [("x", ""), ("    x", "    "), (" \t x", " \t "), ("  \x0c x", " "), ("\x0c", ""), ("\u3000x", ""), ("  \n", "  ")],
)
def test_the_margin_is_what_python_counts(line, blanks):
    assert margin(line) == blanks


def test_blank_lines_and_widths():
    assert [is_blank(line) for line in ("", " \t\x0c\r\n", "\u2028\n", " #\n")] == [True, True, False, False]
    assert (width(""), width("   "), width("\t"), width("  \t ")) == (0, 3, 8, 9)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((), ()),
        (("x\n", "  y\n"), ("x\n", "  y\n")),
        (("  x\n", "    y"), ("x\n", "  y")),
        (("\tx\r\n", "\t\ty\r\n"), ("x\r\n", "\ty\r\n")),
        (("\t  x\n", "\ty\n"), ("  x\n", "y\n")),
        (("    x\n", "\ty\n"), ("    x\n", "\ty\n")),
        (("  x\n", "\n", " \n", "   \n", "  y\n"), ("x\n", "\n", "\n", " \n", "y\n")),
        (("  x\n", "\x0c  y\n", "\x0c\n"), ("x\n", "\x0cy\n", "\x0c\n")),
        (("  \n", "   \n"), ("  \n", "   \n")),
        (("  a = '\u2028  b'\n",), ("a = '\u2028  b'\n",)),
    ],
)
def test_dedent_takes_what_is_shared(before, after):
    assert dedent(before) == after


def test_lines_inside_a_string_neither_count_nor_change():
    lines = ("    x = '''\n", "col 0\n", "        deep'''\n", "    y\n")
    assert dedent(lines, frozen={1, 2}) == ("x = '''\n", "col 0\n", "        deep'''\n", "y\n")
    assert dedent(lines) == lines


def test_asides_count_only_where_there_is_nothing_else():
    lines = ("    x\n", "# c\n", "  # c\n", "      # c\n", "\t# c\n", "    y\n")
    assert dedent(lines, asides={1, 2, 3, 4}) == ("x\n", "# c\n", "# c\n", "  # c\n", "\t# c\n", "y\n")
    assert dedent(lines) == lines
    assert dedent(("    # a\n", "  # b\n"), asides={0, 1}) == ("  # a\n", "# b\n")


def _documented(*inside):
    return ("    def f():\n", '        """One.\n', *inside, '        """\n')


@pytest.mark.parametrize(
    ("inside", "moves"),
    [
        (("\n", "        Two.\n", "    less\n"), True),
        (("  \n", "          more\n"), True),
        (("column 0\n", "        Two.\n"), False),
        (("\t\tTwo.\n",), False),
        (("        a\tb\n",), False),
    ],
)
def test_a_docstring_moves_whole_or_not_at_all(inside, moves):
    lines = _documented(*inside)
    group = range(2, len(lines))
    after = dedent(lines, docstrings=[group])
    assert after[:2] == ("def f():\n", '    """One.\n')
    assert (after[2:] != lines[2:]) is moves
    clean = [inspect.cleandoc("".join(text[1:])[:-4].lstrip()) for text in (lines, after)]
    assert clean[0] == clean[1]


def test_tabs_that_indent_a_docstring_go_with_the_tabs_that_indent_the_code():
    lines = ("\tdef f():\n", '\t\t"""One.\n', "\n", "\t\ta\tb\n", '\t\t"""\n')
    assert dedent(lines, docstrings=[(2, 3, 4)]) == ("def f():\n", '\t"""One.\n', "\n", "\ta\tb\n", '\t"""\n')


def test_a_frozen_line_stays_also_in_a_docstring_that_moves():
    assert dedent(("  a\n", "  b\n", "  c\n"), frozen={1}, docstrings=[(1, 2)]) == ("a\n", "  b\n", "c\n")


def test_digests_are_of_bytes():
    assert sha256("é") == sha256("é".encode())
    assert sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert len(sha256("\ud800")) == 64


def test_a_late_pattern_answers_as_the_pattern_does():
    pattern = late(r"(?P<name>\w+)=", re.IGNORECASE)
    assert [found["name"] for found in pattern.finditer("a=1 B=2")] == ["a", "B"]
    assert pattern.sub("", "a=1") == "1"
    assert pattern.match("1") is None
    assert pattern.flags & re.IGNORECASE
    assert late(rb"\s").split(b"a b") == [b"a", b"b"]


def test_a_late_pattern_is_compiled_by_its_first_question():
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.match("")
