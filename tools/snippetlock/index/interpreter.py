"""What Python itself says when something goes wrong: libraries show it in their messages, and have it nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippetlock.index.matching import fits

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
Is a directory*
Not a directory*
File exists*
I/O operation on closed file*
object of type * has no len()
argument of type * is not iterable
argument of type * is not a container or iterable
can't multiply sequence by non-int of type *
* indices must be integers*
slice step cannot be zero
range() arg 3 must not be zero
* object does not support item deletion
* object does not support the asynchronous context manager protocol
* object is not an iterator
* object is not reversible
* object is not async iterable
object * can't be used in 'await' expression
property * of * object has no setter
property * of * object has no deleter
cannot set * attribute of immutable type *
* object attribute * is read-only
attribute * of * objects is not writable
attribute name must be string, not *
cannot delete field *
cannot use * as a * element (unhashable type: *)
cannot use * as a dict key (unhashable type: *)
cannot access free variable * where it is not associated with a value in enclosing scope
local variable * referenced before assignment
partially initialized module * has no attribute *
attempted relative import *
* argument must be *, not *
* arg 2 must be a type*
* arg 1 must be a class
* expected * argument*, got *
* is an invalid keyword argument for *
* argument after * must be *
Value after * must be an iterable, not *
keywords must be strings
descriptor * requires a * object but received a *
descriptor * for * objects doesn't apply to a * object
expected str, bytes or os.PathLike object, not *
expected string or bytes-like object*
a bytes-like object is required, not *
sequence item *: expected *, * found
dictionary update sequence element #* has length *; 2 is required
cannot convert dictionary update sequence element #* to a sequence
attempt to assign sequence of size * to extended slice of size *
* iterable argument is empty
* arg is an empty sequence
reduce() of empty iterable with no initial value
zip() argument * is shorter than argument*
zip() argument * is longer than argument*
Set changed size during iteration
dictionary keys changed during iteration
deque mutated during iteration
generator already executing
generator raised StopIteration
exceptions must derive from BaseException
catching classes that do not inherit from BaseException is not allowed
not all arguments converted during string formatting
not enough arguments for format string
format requires a mapping
Replacement index * out of range for positional args tuple
unsupported format string passed to *
Unknown format code * for object of type *
Invalid format specifier*
substring not found
subsection not found
* is not in list
list.remove(x): x not in list
tuple.index(x): x not in tuple
empty separator
embedded null *
bytes must be in range(0, 256)
chr() arg not in range(*)
ord() expected a character, but string of length * found
negative shift count
cannot convert float infinity to integer
cannot convert float NaN to integer
int too large to convert to float
Exceeds the limit (* digits) for integer string conversion*
could not convert string to complex: *
complex() arg is a malformed string
Object of type * is not JSON serializable
Circular reference detected
Extra data: line *
Expecting * delimiter: line *
Expecting property name enclosed in double quotes: line *
Unterminated string starting at: line *
Invalid control character at: line *
Invalid \\escape: line *
cannot pickle * object
Can't pickle *: *
Ran out of input
time data * does not match format *
unconverted data remains: *
Invalid isoformat string: *
badly formed hexadecimal UUID string
unknown encoding: *
first argument must be callable*
the first argument must be callable
super(type, obj): obj must be an instance or subtype of type
metaclass conflict: *
duplicate base class *
Cannot create a consistent method resolution*
no running event loop
Event loop is closed
asyncio.run() cannot be called from a running event loop
can't start new thread
expected ':'*
* was never closed*
unmatched *
unindent does not match any outer indentation level*
unterminated triple-quoted string literal*
unterminated f-string literal*
invalid character *
invalid decimal literal*
invalid non-printable character *
Missing parentheses in call to *
cannot assign to *
'return' outside function*
'await' outside function*
'break' outside loop*
'yield' outside function*
positional argument follows keyword argument*
keyword argument repeated*
expected an indented block after *
"""
_SAID = tuple(tuple(line.split("*")) for line in _TEXTS.split("\n") if line)
_KEY = re.compile(r"'[^'\n]+'|\"[^\"\n]+\"")  # what a `KeyError` says: the key


def says(message: str) -> bool:
    """Whether a message is one of Python's own, as far as they are known here, or was cut off within its words."""
    if len(message) >= 500:
        return False
    if _KEY.fullmatch(message) or any(fits(parts, message) for parts in _SAID):
        return True
    return any(_cut(parts, message) for parts in _SAID)


def _cut(parts: Sequence[str], message: str) -> bool:
    """Whether a message ends within the words of a text, two of them at least, not in what stands for anything."""
    at = 0
    for number, part in enumerate(parts):
        found = message.find(part, at) if number else 0 if message.startswith(part) else -1
        if found < 0:
            begun = message[at:] if not number else message[max(at, len(message) - len(part)) :]
            return _begins(part, begun, anywhere=number > 0)
        at = found + len(part)
    return False


def _begins(part: str, said: str, *, anywhere: bool) -> bool:
    """Whether words of a piece end what is said, from its first on; all of it, if not `anywhere`."""
    if not anywhere and not part.startswith(said):
        return False
    words = part.split(" ")
    heads = (" ".join(words[:count]) for count in range(2 + (not words[0]), len(words)))
    return any(said.endswith(head) if anywhere else said == head for head in heads)
