"""What Python itself says: held against the Python that runs."""

from __future__ import annotations

import asyncio
import datetime
import functools
import inspect
import json
import math
import os
import pickle
import re
import uuid

import pytest

from snippetlock.index import interpreter
from snippetlock.index.interpreter import says


def takes(a, *, b):
    return a, b


class Fixed:
    @property
    def x(self):
        return 1


MODULES = (asyncio, datetime, functools, inspect, json, math, os, pickle, re, uuid)
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
    "len(None)": TypeError,
    "1 in None": TypeError,
    "'a' * 1.5": TypeError,
    "(lambda x: x['a'])('abc')": TypeError,
    "(lambda x: x['a'])([1])": TypeError,
    "(lambda x: x['a'])((1,))": TypeError,
    "[1][::0]": ValueError,
    "range(1, 2, 0)": ValueError,
    "next(1)": TypeError,
    "reversed(1)": TypeError,
    "setattr(int, 'x', 1)": TypeError,
    "setattr(Fixed(), 'x', 1)": AttributeError,
    "isinstance(1, 1)": TypeError,
    "issubclass(1, int)": TypeError,
    "getattr(1)": TypeError,
    "takes(**1)": TypeError,
    "print(*1)": TypeError,
    "''.join([1])": TypeError,
    "b''.join(['a'])": TypeError,
    "dict([1])": TypeError,
    "dict(['abc'])": ValueError,
    "min([])": ValueError,
    "functools.reduce(takes, [])": TypeError,
    "list(zip([1], [], strict=True))": ValueError,
    "'%d %d' % 1": TypeError,
    "'%d' % (1, 2)": TypeError,
    "'%(a)s' % 1": TypeError,
    "'{} {}'.format(1)": IndexError,
    "format([], 'd')": TypeError,
    "format(1.5, 'd')": ValueError,
    "'a'.index('b')": ValueError,
    "[].index(1)": ValueError,
    "[].remove(1)": ValueError,
    "().index(1)": ValueError,
    "'a'.split('')": ValueError,
    "bytes([300])": ValueError,
    "chr(-1)": ValueError,
    "ord('ab')": TypeError,
    "1 << -1": ValueError,
    "int(float('inf'))": OverflowError,
    "int(float('nan'))": ValueError,
    "float(10 ** 400)": OverflowError,
    "complex('x')": ValueError,
    "json.dumps({1})": TypeError,
    "json.loads('[1] 2')": ValueError,
    "json.loads('[1 2]')": ValueError,
    "json.loads('{1: 2}')": ValueError,
    "json.loads('\"a')": ValueError,
    "json.loads('')": ValueError,
    "datetime.date.fromisoformat('x')": ValueError,
    "datetime.datetime.strptime('x', '%Y')": ValueError,
    "uuid.UUID('x')": ValueError,
    "'a'.encode('nothing')": LookupError,
    "functools.partial(1)": TypeError,
    "os.fspath(1)": TypeError,
    "re.match('a', 1)": TypeError,
    "pickle.dumps(lambda: 1)": (AttributeError, pickle.PicklingError),
    "pickle.loads(b'')": EOFError,
    "type('C', (int, int), {})": TypeError,
    "asyncio.get_running_loop()": RuntimeError,
    "compile('(', '', 'exec')": SyntaxError,
    "compile(')', '', 'exec')": SyntaxError,
    "compile('print 1', '', 'exec')": SyntaxError,
    "compile('return', '', 'exec')": SyntaxError,
    "compile('if 1:', '', 'exec')": SyntaxError,
    "compile('1 = 2', '', 'exec')": SyntaxError,
    "compile('f(a=1, 2)', '', 'exec')": SyntaxError,
    "compile('1a', '', 'exec')": SyntaxError,
    "(lambda: (a, b) == 1 if (a := 1) else (b := 2))()": UnboundLocalError,
    "(lambda: [a for a, b in [[1]]])()": ValueError,
    "(lambda: [a for a, b in [[1, 2, 3]]])()": ValueError,
    "(lambda: [a for a, b in [1]])()": TypeError,
}
OTHER = ("(lambda: (yield))().send(1)",)  # of kinds that no library catches and passes on


@pytest.mark.parametrize("code", WRONG)
def test_what_python_says_is_known(code):
    with pytest.raises(WRONG[code]) as caught:
        eval(code, {"takes": takes, "Fixed": Fixed} | {module.__name__: module for module in MODULES})

    said = caught.value.args[0] if isinstance(caught.value, KeyError) else str(caught.value)
    assert says(said) == (code not in OTHER)


@pytest.mark.parametrize(
    "said", ["", "division", "the size is out of range of it", "no module of that name", "a" * 9999]
)
def test_what_it_does_not_say_is_not(said):
    assert not says(said)


@pytest.mark.parametrize("said", ["'NoneType'", "'NoneType' object has", "division by", "f() got an unexpected"])
def test_what_was_cut_off_within_pythons_words_is_its_own(said):
    assert says(said)


@pytest.mark.parametrize(
    "said", ["'a' or 'b'", "name x", "it takes the lid off", "division", "f() takes two", "'NoneType' is"]
)
def test_and_what_goes_another_way_is_not(said):
    assert not says(said)


def idle(texts, monkeypatch):
    """The texts that others know all of: whole, and cut off behind three words or more."""
    found = []
    for text in texts:
        words = text.replace("*", "•").split(" ")
        cut = [" ".join(words[:end]) for end in range(len(words)) if len([w for w in words[:end] if w != "•"]) >= 3]
        others = tuple(tuple(each.split("*")) for each in texts if each is not text)
        monkeypatch.setattr(interpreter, "_SAID", others)
        if all(says(said) for said in (*cut, " ".join(words))):
            found.append(text)
    return found


def test_no_text_is_there_that_another_one_decides_for(monkeypatch):
    texts = ["*".join(parts) for parts in interpreter._SAID]

    assert len(texts) > 100
    assert idle(texts, monkeypatch) == []


@pytest.mark.parametrize(
    "more",
    ["cannot assign to field *", "slice indices must be integers *", "unsupported operand type(s) for *: * and *"],
)
def test_one_that_never_decides_is_told(more, monkeypatch):
    texts = ["*".join(parts) for parts in interpreter._SAID]

    assert idle([*texts, more], monkeypatch) == [more]
