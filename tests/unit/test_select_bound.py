"""What a line binds is told from its face where that is plain, and is what its tokens say."""

import casefile
import pytest

from snippetlock.select.skim import skim
from snippetlock.select.statements import bound, header_colon, small_statements, targets

LINES = {
    "x = 1": ("x",),
    "x: int": ("x",),
    "x: int = y = 1": ("x",),
    "x = y = 1": ("x", "y"),
    "x == 1": (),
    "x := 1": (),
    "x += 1": (),
    "x = f(a=1)": ("x",),
    "x = lambda a=1: 2": ("x",),
    "x = 1; y: int = 2": ("x", "y"),
    "x = ';'": ("x",),
    "x = '='": ("x",),
    "x, (y, *z) = 1, 2": ("x", "y", "z"),
    "x.y = 1": (),
    "x[y] = z = 1": ("z",),
    "type x = int": ("x",),
    "type = 1": ("type",),
    "type: int": ("type",),
    "lambda: x": (),
    "lambda = 1": (),
    "return: x": (),
    "'doc'": (),
    "'''doc; x = 1\n'''  # y = 2": (),
    "r'doc' ; x = 1": ("x",),
    "'a'.b = c = 1": ("c",),
    "'a' 'b'": (),
    "f'x'": (),
    "é = 1": ("é",),
    "é: int": ("é",),
    "x\\\n = 1": ("x",),
    "x\u0301 = 1": ("x\u0301",),
}


def by_tokens(text, start, end):
    return tuple(dict.fromkeys(t for s in small_statements(text, start, end) for t in targets(text, s)))


@pytest.mark.parametrize("line", LINES)
def test_the_names_of_a_line(line):
    assert bound(line, 0, len(line)) == LINES[line] == by_tokens(line, 0, len(line))
    around = f"a = 1\n{line}\nb = 2\n"
    assert bound(around, 6, 7 + len(line)) == LINES[line]


def test_every_line_of_the_cases():
    seen = 0
    for path in ("select-symbols.case", "drift-change.case", "drift-gone.case", "drift-quiet.case"):
        for case in casefile.read(path):
            for text in case.sections.values():
                lines = skim(text)
                for start, end in zip(lines.codes, lines.ends, strict=True):
                    assert bound(text, start, end) == by_tokens(text, start, end), text[start:end]
                    seen += 1
    assert seen > 2000


@pytest.mark.parametrize(
    ("header", "want"),
    [
        ("def f(a: int = {1: 2}[1]) -> int:\n", 32),
        ("if (b := a)[1:2]: # :\n", 16),
        ("if x # :\n", -1),
        ("while lambda: 1:\n", 15),
        ("while 1lambda: 1:\n", 16),
        ("if lambdas:\n", 10),
        ("if [lambda: 1]:\n", 14),
    ],
)
@pytest.mark.parametrize("end", ["", " '…'", " # é"], ids=["plain", "with a string", "beyond ASCII"])
def test_a_header_ends_at_the_same_colon_whether_its_tokens_are_looked_at_or_not(header, want, end):
    text = f"{header}{end}"
    assert header_colon(text, 0, len(text)) == want
