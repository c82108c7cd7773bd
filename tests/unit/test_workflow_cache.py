from __future__ import annotations

import os
from hashlib import sha256

import pytest

from snippetlock.workflow.cache import Cache, tool_stamp


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


def only_file(folder):
    (found,) = [path for path in folder.rglob("*") if path.is_file()]
    return found


def test_what_is_put_is_got_and_nothing_else_is_left(cache, tmp_path):
    cache.put("kind", "key", {"a": [1, None, "é\ud800"]})

    assert cache.get("kind", "key") == {"a": [1, None, "é\ud800"]}
    assert cache.get("kind", "other") is None
    assert only_file(tmp_path).name == "key.json"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data.replace(b"true", b"null"),
        lambda data: b"",
        lambda data: data + b" ",
        lambda data: b"\xff" * 100,
    ],
)
def test_a_damaged_entry_is_no_entry_and_can_be_put_again(cache, tmp_path, damage):
    cache.put("kind", "key", True)
    file = only_file(tmp_path)
    file.write_bytes(damage(file.read_bytes()))

    assert cache.get("kind", "key") is None
    cache.put("kind", "key", True)
    assert cache.get("kind", "key") is True


def test_a_text_is_kept_by_its_digest_and_checked_when_got(cache, tmp_path):
    text = "a\r\nb\x0c\ud800"
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    cache.keep_text(digest, text)
    assert cache.text(digest) == text

    only_file(tmp_path).write_bytes(b"something else")
    assert cache.text(digest) is None
    assert cache.text("0" * 64) is None


def test_a_place_that_cannot_be_written_keeps_nothing_and_says_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    cache.put("kind", "key", 1)
    cache.keep_text("0" * 64, "text")

    assert cache.get("kind", "key") is None
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_tool_has_another_stamp_when_a_file_of_it_changes(tmp_path):
    (tmp_path / "part").mkdir()
    file = tmp_path / "part" / "a.py"
    file.write_text("x = 1\n")
    stamps = [tool_stamp(tmp_path), tool_stamp(tmp_path)]
    file.write_text("x = 22\n")
    stamps.append(tool_stamp(tmp_path))
    os.utime(file, ns=(1, 1))
    stamps.append(tool_stamp(tmp_path))
    file.rename(tmp_path / "part" / "b.py")
    stamps.append(tool_stamp(tmp_path))

    assert stamps[0] == stamps[1]
    assert len(set(stamps)) == 4
