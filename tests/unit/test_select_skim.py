"""The lines of another version of a file are taken over where nothing differs, and are what they are by themselves."""

import random
from dataclasses import fields

import pytest

from snippetlock.select import skim as module
from snippetlock.select.skim import Skim, skim

TEXT = """\
import a

# Why.
def f(x):
    y = [
        1,
    ]  # b
    return y


class C:
    '''Doc.
    '''
    z = f'{x}'
"""
LETTERS = ["(", ")", "[", "{", "}", '"', "'", '"""', "'''", "\n", "\r\n", "\r", "\\", "# c", ",", " ", "\t", "f'", ":",
           "x", "\x0c", "    ", "\\\n", "\n\n", "def f():\n    ", "r", "é"]  # fmt: skip


def told(found: Skim) -> dict[str, object]:
    every = {one.name: getattr(found, one.name) for one in fields(Skim)}
    return every | {"faults": list(map(str, found.faults))}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return y", "return (y"),
        ("(x)", "(x, y)"),
        ("# Why.\n", ""),
        ("# b", "# b\n# c"),
        ("'''Doc.", "Doc."),
        ("    ]", "    "),
        ("import a\n", "import a\\\n"),
        ("import a", "# import a"),
        ("y = [", "y = '''["),
        ("\n\n\nclass", "\n    def g(): ...\nclass"),
        ("class C:", "class C :"),
        ("    return", "\treturn"),
        ("f'{x}'\n", "f'{x}'"),
        ("f'{x}'\n", "f'{x}'\n\n\n# End."),
        ("import a\n", "\n\nimport a\n"),
        ("import a\n", ""),
        ("", ""),
    ],
)
def test_an_edit_and_what_undoes_it(old, new):
    edited = TEXT.replace(old, new, 1)
    for one, other in ((TEXT, edited), (edited, TEXT)):
        assert told(skim(other, skim(one))) == told(skim(other))


def test_random_edits_one_after_the_other():
    rng = random.Random(3)
    plain = 0
    for _ in range(300):
        near = skim(TEXT)
        for _ in range(6):
            at, gone = rng.randint(0, len(near.text)), rng.choice((0, 0, 1, 3, 30))
            text = near.text[:at] + "".join(rng.choices(LETTERS, k=rng.randint(0, 4))) + near.text[at + gone :]
            found = skim(text, near)
            assert told(found) == told(skim(text)), (near.text, text)
            plain += near.plain
            near = found
    assert plain > 500


def test_only_what_differs_is_looked_at(monkeypatch):
    class Counting:
        def match(self, text, at):
            seen.append(at)
            return event.match(text, at)

    seen, event = [], module._EVENT
    near = skim("".join(f"x{number} = [{number}]\n" for number in range(1000)))
    monkeypatch.setattr(module, "_EVENT", Counting())
    found = skim(near.text.replace("x500 = [500]\n", "y = 'a'\nz = 5\n"), near)

    assert len(found.starts) == 1001
    assert 0 < len(seen) < 20


def test_between_two_edits_that_are_far_apart_lines_are_taken_over_too(monkeypatch):
    seen, event = [], module._EVENT

    class Counting:
        def match(self, text, at):
            seen.append(at)
            return event.match(text, at)

    near = skim(
        "".join(f"x{number} = [\n    {number},  # {number}\n    '''{number}\n''',\n]\n" for number in range(1000))
    )
    text = near.text.replace("x100 ", "y ").replace("x500 = [\n", "").replace("x900 ", "z  ")
    monkeypatch.setattr(module, "_EVENT", Counting())
    found = skim(text, near)
    assert 0 < len(seen) < 60

    monkeypatch.undo()
    assert told(found) == told(skim(text))


def test_lines_that_changed_their_places():
    rng = random.Random(5)
    lines = [f"{'    ' * (number % 3 > 0)}x{number % 70} = [  # {number}\n        {number}]\n" for number in range(200)]
    near = skim("".join(lines))
    for _ in range(200):
        a, b, to = sorted(rng.sample(range(200), 3))
        some = [*lines[:a], *lines[b:to], *lines[a:b], *lines[to:]]
        some[rng.randrange(200)] = rng.choice(["\n", "(\n", "'''\n", "# x\n", "x\\\n", ""])
        text = "".join(some)
        assert told(skim(text, near)) == told(skim(text)), text
