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


def test_bytes_are_kept_as_they_are_and_apart_from_values(cache, tmp_path):
    cache.put_data("kind", "key", b"\n\xff\r\n")
    assert cache.data("kind", "key") == b"\n\xff\r\n"
    assert cache.get("kind", "key") is cache.data("kind", "other") is None

    file = only_file(tmp_path)
    file.write_bytes(file.read_bytes()[:-1])
    assert cache.data("kind", "key") is None
    cache.put_data("kind", "key", b"")
    cache.put("kind", "key", 1)
    assert (cache.data("kind", "key"), cache.get("kind", "key")) == (b"", 1)


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


def installed(folder, version="1.0", text="x = 1\n"):
    """A package `yaml` in a folder as pip leaves it."""
    (folder / "yaml").mkdir(parents=True)
    (folder / "yaml" / "__init__.py").write_text(text)
    os.utime(folder / "yaml" / "__init__.py", ns=(1, 1))
    (folder / f"PyYAML-{version}.dist-info").mkdir()
    return [str(folder)]


def test_the_stamp_is_of_the_parsers_that_are_installed_too(tmp_path, monkeypatch):
    package = tmp_path / "package"
    package.mkdir()

    def stamp(path):
        monkeypatch.setattr("sys.path", path)
        return tool_stamp(package)

    stamps = [
        stamp([]),
        stamp(installed(tmp_path / "a")),
        stamp(installed(tmp_path / "b", version="1.1")),
        stamp(installed(tmp_path / "c", text="x = 10\n")),
    ]
    assert len(set(stamps)) == 4
    assert stamp(installed(tmp_path / "d")) == stamps[1]
    assert stamp([str(tmp_path / "no"), str(tmp_path / "a")]) == stamps[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("sys.version_info", (3, 99, 0, "final", 0)), ("snippetlock.workflow.cache.unidata_version", "99.0.0")],
)
def test_the_stamp_is_of_python_too(tmp_path, monkeypatch, name, value):
    before = tool_stamp(tmp_path)
    assert tool_stamp(tmp_path) == before
    monkeypatch.setattr(name, value)

    assert tool_stamp(tmp_path) != before


def test_a_file_that_went_to_another_folder_makes_another_stamp(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a" / "x.py").write_text("")
    before = tool_stamp(tmp_path)
    (tmp_path / "a" / "x.py").rename(tmp_path / "b" / "x.py")

    assert tool_stamp(tmp_path) != before


def test_a_damaged_text_is_kept_again(cache, tmp_path):
    digest = sha256(b"text").hexdigest()
    cache.keep_text(digest, "text")
    file = only_file(tmp_path)
    whole = file.stat().st_ino
    cache.keep_text(digest, "text")
    assert file.stat().st_ino == whole  # it was left alone
    file.write_bytes(b"tex")
    cache.keep_text(digest, "text")

    assert cache.text(digest) == "text"


def test_an_interruption_leaves_the_older_entry_and_nothing_beside_it(cache, tmp_path, monkeypatch):
    cache.put("kind", "key", 1)
    before = sorted(tmp_path.rglob("*"))

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cache.put("kind", "key", 2)

    assert sorted(tmp_path.rglob("*")) == before
    assert cache.get("kind", "key") == 1
