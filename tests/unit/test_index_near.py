"""What is meant by a name that is not there: the names most like it."""

from __future__ import annotations

import pytest
from indexing import indexed

from snippetlock.index import nearest

LIBRARY = {
    "kit/__init__.py": 'from kit._core import field\nfrom kit._core import *\n\n__all__ = ["field", "asdict"]\n',
    "kit/_core.py": "def field(): ...\n\n\ndef fields(): ...\n\n\ndef asdict(): ...\n\n\nclass Jar:\n    lid = 1\n",
    "other.py": "def shield(): ...\n",
}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("kit.feild", ("kit.field",)),  # two letters changed places: no half of its pairs are a name's
        ("kit.asdcit", ("kit.asdict",)),  # of `__all__`
        ("kit._core.feild", ("kit._core.field",)),
        ("kit.fieldz", ("field", "fields")),
        ("kit.Jar.lied", ("kit.Jar.lid",)),
        ("feild", ()),  # on its own it may be anybody's
        ("kit.zzz", ()),
        ("nokit.feild", ()),
    ],
)
def test_a_slip_of_a_name_finds_it(asked, found):
    assert nearest(indexed(LIBRARY), asked)[: len(found) or None] == found
