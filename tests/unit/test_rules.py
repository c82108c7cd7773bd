from __future__ import annotations

import re
from pathlib import Path

import pytest

from snippetlock.rules import RULES, rule

PACKAGE = Path(__file__).parents[2] / "tools" / "snippetlock"


def test_codes_and_names_are_unique_and_the_table_is_sorted():
    codes = [each.code for each in RULES]

    assert codes == sorted(set(codes))
    assert len({each.name for each in RULES}) == len(RULES)


@pytest.mark.parametrize("each", RULES, ids=lambda each: each.code)
def test_a_rule_says_what_it_means_and_how_to_mend_it(each):
    assert re.fullmatch(r"SL[1-5]\d\d", each.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", each.name)
    assert each.title[0].isupper()
    assert not each.title.endswith(".")
    assert each.meaning.endswith(".")
    assert each.mend.endswith((".", '"'))


def test_every_code_that_the_tool_names_is_in_the_table_and_every_rule_is_used():
    named = set()
    for file in PACKAGE.rglob("*.py"):
        if not {"rules", "chinese"} & set(file.parts):  # where they are defined, and translated
            named.update(re.findall(r'"(SL\d{3})"', file.read_text()))

    assert named == {each.code for each in RULES}


def test_an_unknown_code_is_no_rule():
    assert rule("SL103").name == "text-differs"
    with pytest.raises(KeyError):
        rule("SL999")
