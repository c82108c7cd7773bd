"""What the library defines and says, and what a name, a call or a message in prose can mean there.

Built from syntax trees, one file at a time, through a store: nothing is imported or run. `open_index` gives the
index of a tree; the rest asks it.
"""

from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which a lookup does not need
if TYPE_CHECKING:
    from typing import Any

    from snippetlock.index.ancestry import Lineage, bases, lineage, member, members, unproven
    from snippetlock.index.binding import Binding, Problem, bind
    from snippetlock.index.build import Store
    from snippetlock.index.calling import Argument, Call, calls
    from snippetlock.index.general import general_first
    from snippetlock.index.index import Index, open_index
    from snippetlock.index.messages import carriers, produces
    from snippetlock.index.names import callee, follow, lookup, outside, within
    from snippetlock.index.near import nearest
    from snippetlock.index.quoted import constant, files, keys, occurs, pieced, taker
    from snippetlock.index.results import gives
    from snippetlock.index.said import Carrier, Key, Production, Text, Unread
    from snippetlock.index.shapes import Definition, Keys, Parameter
    from snippetlock.index.signatures import Signature, signature

__all__ = [
    "Argument",
    "Binding",
    "Call",
    "Carrier",
    "Definition",
    "Index",
    "Key",
    "Keys",
    "Lineage",
    "Parameter",
    "Problem",
    "Production",
    "Signature",
    "Store",
    "Text",
    "Unread",
    "bases",
    "bind",
    "callee",
    "calls",
    "carriers",
    "constant",
    "files",
    "follow",
    "general_first",
    "gives",
    "keys",
    "lineage",
    "lookup",
    "member",
    "members",
    "nearest",
    "occurs",
    "open_index",
    "outside",
    "pieced",
    "produces",
    "signature",
    "taker",
    "unproven",
    "within",
]

_HOMES = {
    "Argument": "calling",
    "Binding": "binding",
    "Call": "calling",
    "Carrier": "said",
    "Definition": "shapes",
    "Index": "index",
    "Key": "said",
    "Keys": "shapes",
    "Lineage": "ancestry",
    "Parameter": "shapes",
    "Problem": "binding",
    "Production": "said",
    "Signature": "signatures",
    "Store": "build",
    "Text": "said",
    "Unread": "said",
    "bases": "ancestry",
    "bind": "binding",
    "callee": "names",
    "calls": "calling",
    "carriers": "messages",
    "constant": "quoted",
    "files": "quoted",
    "follow": "names",
    "general_first": "general",
    "gives": "results",
    "keys": "quoted",
    "lineage": "ancestry",
    "lookup": "names",
    "member": "ancestry",
    "members": "ancestry",
    "nearest": "near",
    "occurs": "quoted",
    "open_index": "index",
    "outside": "names",
    "pieced": "quoted",
    "produces": "messages",
    "signature": "signatures",
    "taker": "quoted",
    "unproven": "ancestry",
    "within": "names",
}


def __getattr__(name: str) -> "Any":
    """Load a part when it is first asked for: whoever looks a name up pays for no lexer of calls."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
