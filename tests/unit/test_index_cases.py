"""Names, classes, calls, messages and constants, as cases: files, questions, answers."""

from __future__ import annotations

import casefile
from indexing import answers, indexed


@casefile.each("index-names.case", "index-members.case", "index-calls.case", "index-messages.case", "index-quoted.case")
def test_what_an_index_answers(case, golden):
    index = indexed(case.files)

    golden(case, answers(index, case["ask"]))
    assert not index.unread or "unread" in case["ask"]
