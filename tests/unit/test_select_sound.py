"""What keeps a file from being read is found in what is new in it, without reading all of it again."""

import random

import pytest

from snippetlock.config import parse_selector
from snippetlock.select import find, sound
from snippetlock.select.sound import fault
from snippetlock.source import DictTree

PIECES = (
    "import os\n",
    "@one\n@two(\n    3,\n)\ndef f(x):\n    # Why.\n    return x\n\n\n",
    "try:\n    import a\nexcept ImportError:\n    a = None\nelse:\n    b = a\nfinally:\n    c = 1\n",
    "if x:\n    y = 1\nelif z:\n    y = 2\nelse:\n    y = '''\nelse\n'''\n",
    "class C:\n    x = 1\n\n    def m(self):\n        return self\n",
    "x = [\n1,\n]  # c\n",
    "else_ = elif_ = 1\n",
    "async def g(): pass\n",
    "# A comment.\n",
)
BROKEN = (
    "def h(x):\n    return return\n",
    "x = = 1\n",
    "else:\n    x\n",
    "    indented = 1\n",
    "@one\n",
    "type T = = 2\n",
)


def tree(text):
    return DictTree({"a.py": text.encode()})


@pytest.mark.parametrize("wrong", BROKEN)
def test_what_is_wrong_and_new_is_found_wherever_it_stands(wrong):
    sound = "".join(PIECES)
    assert fault(tree(sound), "a.py", whole=True) is None
    for at in range(len(PIECES) + 1):
        text = "".join((*PIECES[:at], wrong, *PIECES[at:]))
        every = fault(tree(text), "a.py", whole=True)
        found = fault(tree(text), "a.py", whole=True, before=tree(sound))
        assert str(found) == str(every)
        assert fault(tree(sound), "a.py", whole=True, before=tree(text)) is None


def test_pieces_in_another_order_are_as_sound_as_they_were():
    chance = random.Random(6)
    for _ in range(60):
        old, new = (chance.sample(PIECES, chance.randrange(1, len(PIECES))) for _ in range(2))
        assert fault(tree("".join(new)), "a.py", whole=True, before=tree("".join(old))) is None


def test_the_grammar_is_not_asked_again_of_what_was_there_before():
    old, new = f"{BROKEN[0]}x = 1\n", f"{BROKEN[0]}x = 2\n"
    assert fault(tree(new), "a.py", whole=True, before=tree(old)) is None
    assert fault(tree(new), "a.py", whole=True) is not None
    assert fault(tree(new), "a.py", whole=True, before=DictTree({})) is not None
    assert fault(tree(f"{new}y = [1,\n"), "a.py", whole=True, before=tree(old)) is not None


def test_of_what_was_selected_the_grammar_is_not_asked_twice(monkeypatch):
    asked = []

    def noted(text):
        asked.append(text)
        return parses(text)

    parses = sound._parses
    monkeypatch.setattr(sound, "_parses", noted)
    held = tree("def one():\n    return 1\n\n\n@two\ndef other():\n    return 2\n")
    find(held, parse_selector("a:one"))
    assert fault(held, "a.py", whole=True) is None
    assert asked == ["@two\ndef other():\n    return 2\n"]

    asked.clear()
    find(held, parse_selector("a:other"))
    assert fault(held, "a.py", whole=True) is None
    assert asked == [""]

    wrong = tree("def one():\n    return 1\n\n\ndef other():\n    return return\n")
    find(wrong, parse_selector("a:one"))
    assert fault(wrong, "a.py", whole=True) is not None
