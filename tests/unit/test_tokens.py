"""The lexer: where a token ends, on every Python alike."""

import random

import pytest
from hostile import TOKENS

from snippetlock.errors import SourceError
from snippetlock.tokens import prefix_start, tokenize


def split(text, *span):
    return [(token.kind, text[token.start : token.end]) for token in tokenize(text, *span)]


def words(text):
    return [word for _, word in split(text)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("x = 1\n", [("name", "x"), ("op", "="), ("number", "1"), ("newline", "\n")]),
        ("a\r\nb\rc\n", [("name", "a"), ("newline", "\r\n"), ("name", "b"), ("newline", "\r"), ("name", "c"),
                         ("newline", "\n")]),
        ("a\\\n  b", [("name", "a"), ("name", "b")]),
        ("a\\\r\nb", [("name", "a"), ("name", "b")]),
        ("a \\ b", [("name", "a"), ("op", "\\"), ("name", "b")]),
        ("\x0cx\t# c \x0c\n", [("name", "x"), ("comment", "# c \x0c"), ("newline", "\n")]),
        ("# only", [("comment", "# only")]),
        ("", []),
        ("x if'a'else y", [("name", "x"), ("name", "if"), ("string", "'a'"), ("name", "else"), ("name", "y")]),
        ("$ ?", [("op", "$"), ("op", "?")]),
        ("\u2028", [("op", "\u2028")]),
        ("o\u0302 = 1", [("name", "o\u0302"), ("op", "="), ("number", "1")]),
        ("变量=1", [("name", "变量"), ("op", "="), ("number", "1")]),
    ],
)  # fmt: skip
def test_text_is_split_into_tokens(text, want):
    assert split(text) == want


@pytest.mark.parametrize(
    "number", ["0", "12_3", "0xFFl"[:4], "0b1_0", "0o17", "1.", "1.5e-3", ".5", "1e5j", "3J", "0.1E+7"]
)
def test_a_number_is_one_token(number):
    assert split(f"-{number};") == [("op", "-"), ("number", number), ("op", ";")]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("1..real", ["1.", ".", "real"]),
        ("1.__class__", ["1.", "__class__"]),
        ("1if x", ["1", "if", "x"]),
        ("a**=b//=c>>=d<<=e", ["a", "**=", "b", "//=", "c", ">>=", "d", "<<=", "e"]),
        ("x:=y->z...w", ["x", ":=", "y", "->", "z", "...", "w"]),
        ("a!=b<>c==d<=e>=f", ["a", "!=", "b", "<>", "c", "==", "d", "<=", "e", ">=", "f"]),
        ("a[b:c](d){e}", ["a", "[", "b", ":", "c", "]", "(", "d", ")", "{", "e", "}"]),
    ],
)
def test_operators_are_as_long_as_they_can_be(text, want):
    assert words(text) == want


@pytest.mark.parametrize("prefix", ["", "r", "R", "b", "u", "U", "rb", "bR", "f", "F", "rf", "fR", "t", "Tr", "rT"])
@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
def test_a_string_of_every_prefix_is_one_token(prefix, quote):
    string = f"{prefix}{quote}a\\{quote[0]}b#{quote}"
    assert split(f"({string})") == [("op", "("), ("string", string), ("op", ")")]
    assert prefix_start(f"({string})", 1 + len(prefix)) == 1


@pytest.mark.parametrize(
    "string", ["''", '""', "''''''", '""""""', "'\"'", '"""a""b"c"""', "'a\\\nb'", "'a\\\r\nb'", r"'\\'"]
)
def test_a_string_ends_where_its_quotes_do(string):
    assert split(f"{string} x") == [("string", string), ("name", "x")]


@pytest.mark.parametrize(
    "string",
    [
        'f"{x}"',
        'f"{{}}{{"',
        'f"}"',
        'f"{x["a"]}"',
        "f'{x['a'][\"b\"]}'",
        "f'{f'{f'{1}'}'}'",
        "rf'{x!r:>{width}.{f'{n}'}}'",
        'f"{x:%H:%M}"',
        'f"{x!=y}{x==y}{x:=5}"',
        'f"{d[1:2]}{(lambda: 1)()}{ {1: 2}[1] }"',
        "f'''{\n  x  # a } in a comment\n}'''",
        'f"{x\n}"',
        r'f"\N{BULLET}\{x}\\{y}"',
        r'rf"\N{x}\"{y}"',
        'f"{x:{{a}}}"',
        'f"{x:\\}}"',
        "f'{a}' ",
        't"{x!r}{t"{y}"}"',
        'f"{x)]}"',
        "f'{r\"}\"}'",
        'f"""{x:"""',
        'f"""\r\n{x}\n"""',
    ],
)
def test_a_string_with_fields_is_one_token(string):
    assert split(f"{string.strip()} x") == [("string", string.strip()), ("name", "x")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 'abc", 1),
        ("\n\nx = 'abc\n'", 3),
        ("a\r\nb\rx = '''abc\n'", 3),
        ('\nf"{x', 2),
        ('\nf"{x}', 2),
        ('\nf"{x}\n"', 2),
        ('\nf"{x:\n}"', 2),
        ("\nf'{\"}'", 2),
        ("\n\nf'''", 3),
    ],
)
def test_a_string_that_is_not_closed_is_an_error_at_its_line(text, line):
    with pytest.raises(SourceError) as caught:
        split(text)

    assert (caught.value.what, caught.value.line) == ("the string opened here is not closed", line)
    assert caught.value.mend == "quote another definition, or report it upstream"


def test_a_part_of_a_text_can_be_read():
    text = "a = 'b' + c"
    assert [(t.kind, t.start, t.end) for t in tokenize(text, 4, 9)] == [("string", 4, 7), ("op", 8, 9)]
    with pytest.raises(SourceError):
        split(text, 0, 5)
    with pytest.raises(SourceError):
        split("f'{a}'", 0, 4)


def test_a_quote_after_a_word_has_no_prefix():
    assert prefix_start("buf'", 3) == 3
    assert prefix_start("rf'", 2) == 0
    assert prefix_start("xrf'", 3) == 3
    assert prefix_start("'", 0) == 0


def test_tokens_and_what_lies_between_are_the_text():
    letters = [
        "a",
        "1",
        "'",
        '"',
        '"""',
        "f'",
        "{",
        "}",
        "(",
        "]",
        "#",
        "\\",
        "\n",
        "\r",
        " ",
        ":",
        "\x0c",
        "é",
        "\u2028",
    ]
    rng = random.Random(20261130)
    read = refused = 0
    for _ in range(3000):
        text = "".join(rng.choices(letters, k=rng.randint(0, 25)))
        try:
            tokens = list(tokenize(text))
        except SourceError:
            refused += 1
            continue
        read += 1
        at = 0
        for token in tokens:
            assert at <= token.start < token.end
            assert not text[at : token.start].strip(" \t\f\\\r\n")
            at = token.end
        assert not text[at:].strip(" \t\f\\\r\n")
        ends = sum(token.kind == "newline" for token in tokens)
        assert ends <= text.count("\n") + text.count("\r")
    assert read > 500
    assert refused > 500


@pytest.mark.parametrize("title", TOKENS)
def test_a_long_text_is_read_to_its_end(title):
    text = TOKENS[title](20_000)
    tokens = list(tokenize(text))
    assert len(tokens) <= len(text)
    if title != "backslashes":  # which join lines and are no tokens
        assert tokens[-1].end == len(text)
