"""What a page was made from, written into its front matter, and nothing else of the page touched."""

from __future__ import annotations

import pytest

from snippetlock.errors import ConfigError
from snippetlock.references import scan
from snippetlock.workflow.front import read_front
from snippetlock.workflow.stamping import stamped

A, B, C = "a" * 16, "b" * 16, "c" * 16
BODY = "# A { #a }\n\nWords.\n"


def stamp(text, **digests):
    return stamped(text, scan(text).front, digests, "page.md")


def front(text):
    found = read_front(text, scan(text).front)
    return {anchor: said.text for anchor, said in found.translated.items()}


CASES = {
    "no front matter": (BODY, f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n\n{BODY}"),
    "an empty page": ("", f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n"),
    "a blank line first": ("\n# A\n", f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n\n# A\n"),
    "a rule first": ("---\n\n# A\n", f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n\n---\n\n# A\n"),
    "other keys": (
        f"---\ntitle: x  # y\ntags: [p, q]\n---\n{BODY}",
        f"---\ntitle: x  # y\ntags: [p, q]\ntranslated:\n  a: {A}\n  b: {B}\n---\n{BODY}",
    ),
    "keys that are indented": (
        f"---\n  title: x\n---\n{BODY}",
        f"---\n  title: x\n  translated:\n    a: {A}\n    b: {B}\n---\n{BODY}",
    ),
    "closed by points": (f"---\ntitle: x\n...\n{BODY}", f"---\ntitle: x\ntranslated:\n  a: {A}\n  b: {B}\n...\n{BODY}"),
    "one that is another": (
        f"---\ntranslated:\n  a: {C}\n  b: {B}\n---\n{BODY}",
        f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n{BODY}",
    ),
    "one that is new, and one that goes": (
        f"---\ntranslated:\n  c: {C}\n  b: {B}\ntitle: x\n---\n{BODY}",
        f"---\ntranslated:\n  a: {A}\n  b: {B}\ntitle: x\n---\n{BODY}",
    ),
    "comments, quotes and indentation stay": (
        f"---\ntranslated:  # ours\n    # 1\n    \"a\": '{C}'  # seen\n\n    'c': {C}\n# end\nx: y\n---\n",
        f"---\ntranslated:  # ours\n    # 1\n    \"a\": '{A}'  # seen\n    b: {B}\n\n# end\nx: y\n---\n",
    ),
    "in one line": (
        f"---\ntranslated: {{a: {C}}}\ntitle: x\n---\n{BODY}",
        f"---\ntranslated:\n  a: {A}\n  b: {B}\ntitle: x\n---\n{BODY}",
    ),
    "nothing yet": (
        f"---\ntranslated:\ntitle: x\n---\n{BODY}",
        f"---\ntranslated:\n  a: {A}\n  b: {B}\ntitle: x\n---\n{BODY}",
    ),
    "a text of several lines above": (
        f"---\nabout: |\n  translated:\n    a: no\n\ntranslated:\n  a: {C}\n---\n{BODY}",
        f"---\nabout: |\n  translated:\n    a: no\n\ntranslated:\n  a: {A}\n  b: {B}\n---\n{BODY}",
    ),
    "no end of the last line": ("# A", f"---\ntranslated:\n  a: {A}\n  b: {B}\n---\n\n# A"),
}


@pytest.mark.parametrize(("text", "want"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_digests_are_written_where_they_belong(text, want, end):
    text, want = text.replace("\n", end), want.replace("\n", end)
    if end == "\r\n" and "\n" not in text:
        want = want.replace("\r\n", "\n")
    got = stamp(text, a=A, b=B)

    assert got == want
    assert front(got) == {"a": A, "b": B}
    assert stamp(got, a=A, b=B) == got


@pytest.mark.parametrize(
    "anchor", ["(top)", "yes", "1", "1e5", "a:b", "a'b", "#x", "中文", "a b", "-", "null", "~", "x.y-z_1"]
)
@pytest.mark.parametrize("digest", [A, "0" * 16, "12e4567890123456", "1234567890123456"])
def test_every_anchor_and_digest_is_read_back(anchor, digest):
    got = stamped(BODY, 0, {anchor: digest, "b": B}, "page.md")

    assert front(got) == {anchor: digest, "b": B}
    assert front(stamped(got, scan(got).front, {anchor: C, "b": B}, "page.md")) == {anchor: C, "b": B}


@pytest.mark.parametrize("text", ["{title: x}", "{title: x, translated: {a: b}}"])
def test_front_matter_in_one_line_is_left_to_its_author(text):
    with pytest.raises(ConfigError):
        stamp(f"---\n{text}\n---\n{BODY}", a=A)
