"""What of a block is typed: of commands and sessions, without what is translated."""

from __future__ import annotations

import pytest

from snippetlock.references import scan
from snippetlock.workflow.commands import commands

BLOCKS = {
    "a command": ("sh", "make docs", ("make docs",)),
    "comments": ("sh", "# first\nmake docs  # then\n\nmake  test", ("make docs", "make test")),
    "a hash that is none": ("bash", "echo a#b '# c' \"# d\" \\# e", ("echo a#b '# c' \"# d\" \\# e",)),
    "a comment behind a quote over lines": ("sh", "echo 'a\n# b' # c", ("echo 'a", "# b'")),
    "a placeholder": ("sh", "cd <the folder>\nsort <in >out <x>", ("cd <…>", "sort <in >out <…>")),
    "a line that goes on": ("sh", "make \\\n  docs", ("make docs",)),
    "a session": ("console", "$ make docs\nmade 3 pages\n$ ls  # look", ("make docs", "ls")),
    "a session that goes on": ("console", "(env) $ make \\\n> docs\nmade", ("make docs",)),
    "a prompt in a script": ("sh", "$ make docs\nmade 3 pages", ("make docs",)),
    "PowerShell": ("powershell", "PS C:\\a> make docs", ("make docs",)),
    "only what was printed": ("console", "made 3 pages", ()),
    "no shell": ("python", "make = docs", ()),
    "no language": ("", "make docs", ()),
}


@pytest.mark.parametrize("title", BLOCKS)
def test_what_is_typed(title):
    language, text, want = BLOCKS[title]
    (block,) = scan(f"```{language}\n{text}\n```\n").blocks

    assert commands(block) == want


def test_a_large_block_is_read_once():
    (block,) = scan(f"```sh\n{'echo <' * 20_000}\n{'#' * 20_000}\n```\n").blocks

    assert len(commands(block)) == 1
