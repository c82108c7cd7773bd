"""What Python itself says: held against the Python that runs."""

from __future__ import annotations

import inspect
import math

import pytest

from snippetlock.index.interpreter import says


def takes(a, *, b):
    return a, b


WRONG = {
    "1 // 0": ZeroDivisionError,
    "1 % 0": ZeroDivisionError,
    "1 / 0": ZeroDivisionError,
    "[][0]": IndexError,
    "None.shape": AttributeError,
    "math.nothing": AttributeError,
    "int.nothing": AttributeError,
    "nothing": NameError,
    "__import__('nothing_at_all')": ModuleNotFoundError,
    "takes()": TypeError,
    "takes(1)": TypeError,
    "takes(1, 2)": TypeError,
    "takes(1, b=2, c=3)": TypeError,
    "takes(1, a=2, b=3)": TypeError,
    "inspect.signature(takes).bind(b=1)": TypeError,
    "inspect.signature(takes).bind(1)": TypeError,
    "inspect.signature(takes).bind(1, 2)": TypeError,
    "inspect.signature(takes).bind(1, b=1, c=2)": TypeError,
    "object(1)": TypeError,
    "(lambda x: x())(None)": TypeError,
    "list(1)": TypeError,
    "(lambda x: x[0])(None)": TypeError,
    "{[]: 1}": TypeError,
    "1 + None": TypeError,
    "-None": TypeError,
    "1 < None": TypeError,
    "'a' + 1": TypeError,
    "[1][None:'a']": TypeError,
    "math.sqrt(-1)": ValueError,
    "math.sqrt('1')": TypeError,
    "int('x')": ValueError,
    "float('x')": ValueError,
    "float([])": TypeError,
    "range('x')": TypeError,
    "(lambda: (yield))().send(1)": TypeError,
    "[].pop()": IndexError,
    "set().pop()": KeyError,
    "{}.popitem()": KeyError,
    "b'\\xff'.decode()": UnicodeDecodeError,
    "'é'.encode('ascii')": UnicodeEncodeError,
    "compile('a b', '', 'exec')": SyntaxError,
    "open('/nothing/at/all')": FileNotFoundError,
}
OTHER = ("[1][None:'a']", "(lambda: (yield))().send(1)")  # of kinds that no library catches and passes on


@pytest.mark.parametrize("code", WRONG)
def test_what_python_says_is_known(code):
    with pytest.raises(WRONG[code]) as caught:
        eval(code, {"math": math, "inspect": inspect, "takes": takes})

    said = caught.value.args[0] if isinstance(caught.value, KeyError) else str(caught.value)
    assert says(said) == (code not in OTHER)


@pytest.mark.parametrize(
    "said", ["", "division", "the size is out of range of it", "no module of that name", "a" * 9999]
)
def test_what_it_does_not_say_is_not(said):
    assert not says(said)
