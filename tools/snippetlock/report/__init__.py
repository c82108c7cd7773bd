"""Reports and errors as text: for people, for programs, for GitHub. Pure: nothing is printed here.

The HTML reports are imported by their own names, because only a site needs what they need.
"""

from snippetlock.report.github import error_github, format_github
from snippetlock.report.json import error_json, format_json
from snippetlock.report.text import error_text, format_text, table

__all__ = ["error_github", "error_json", "error_text", "format_github", "format_json", "format_text", "table"]
