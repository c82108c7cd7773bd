"""What Python itself says when something goes wrong: libraries show it in their messages, and have it nowhere."""

from __future__ import annotations

import re

__all__ = ["says"]

# `*` stands for anything. Those of the kinds of exceptions that libraries catch and pass on.
_TEXTS = """
division by zero
float division by zero
float modulo
integer division or modulo by zero
integer modulo by zero
* out of range
* is out of bounds for axis *
maximum recursion depth exceeded*
math domain error
math range error
* object has no attribute *
module * has no attribute *
type object * has no attribute *
name * is not defined*
cannot access local variable * where it is not associated with a value
No module named *
cannot import name * from *
missing a required argument: *
missing a required keyword-only argument: *
got an unexpected keyword argument *
got some positional-only arguments passed as keyword arguments: *
multiple values for argument *
too many positional arguments
* missing * required positional argument*
* missing * required keyword-only argument*
* takes * positional argument* but * given
* takes no arguments
* takes no keyword arguments
* got an unexpected keyword argument *
* got multiple values for argument *
* object is not callable
* object is not iterable
* object is not subscriptable
* object is not a mapping
* object does not support item assignment
* object does not support the context manager protocol
* object cannot be interpreted as an integer
unhashable type: *
unsupported operand type(s) for *
bad operand type for unary *
* not supported between instances of *
can only concatenate * to *
must be real number, not *
* argument must be a string or a real number, not *
* argument must be a string, a bytes-like object or a real number, not *
cannot unpack non-iterable * object
not enough values to unpack (expected *
too many values to unpack (expected *
invalid literal for int() with base *
could not convert string to float: *
* is not a valid *
* codec can't decode byte *
* codec can't encode character*
invalid syntax*
unexpected EOF while parsing*
unterminated string literal*
unexpected indent*
Expecting value: line *
dictionary changed size during iteration
pop from empty list
pop from an empty set
* is empty
Can't instantiate abstract class * method*
No such file or directory*
[Errno *] *
Permission denied*
"""
_SAID = re.compile("|".join(re.escape(line).replace(r"\*", ".*") for line in _TEXTS.split("\n") if line), re.S)


def says(message: str) -> bool:
    """Whether a message is one of Python's own, as far as they are known here."""
    return len(message) < 500 and _SAID.fullmatch(message) is not None
