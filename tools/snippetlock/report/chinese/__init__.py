"""The rules in Chinese: title, meaning and mend of each. Pure data; the English is in `rules`.

Lives apart from `labels`, which every build reads: these words are only for who shows the rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from snippetlock.report.chinese.drift import DRIFT
from snippetlock.report.chinese.pages import PAGES
from snippetlock.report.chinese.prose import PROSE
from snippetlock.report.chinese.snippets import SNIPPETS
from snippetlock.report.chinese.twins import TWINS

__all__ = ["RULES"]

RULES: Mapping[str, tuple[str, str, str]] = {**SNIPPETS, **DRIFT, **PROSE, **TWINS, **PAGES}
