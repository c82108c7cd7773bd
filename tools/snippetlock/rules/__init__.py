"""Every rule a finding can name, once: what it means and how to mend it.

Only data. The checks live where their facts are; a finding's own message says the particulars.
"""

from __future__ import annotations

from snippetlock.rules.drift import DRIFT
from snippetlock.rules.form import Rule
from snippetlock.rules.pages import PAGES
from snippetlock.rules.prose import PROSE
from snippetlock.rules.snippets import SNIPPETS
from snippetlock.rules.twins import TWINS

__all__ = ["RULES", "Rule", "rule"]

RULES: tuple[Rule, ...] = (*SNIPPETS, *DRIFT, *PROSE, *TWINS, *PAGES)
"""In the order of their codes."""

_BY_CODE = {one.code: one for one in RULES}


def rule(code: str) -> Rule:
    """The rule with this code. Raises KeyError for a code that is in no table."""
    return _BY_CODE[code]
