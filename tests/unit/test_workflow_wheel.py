"""A project pinned to a wheel: what the digest of one fixed artifact proves, and what it does not."""

from __future__ import annotations

import hashlib
import shutil

import pytest
from plain import LOCK, edit, opened
from test_source_fetch import FILE, make_wheel

import snippetlock.workflow.cut
from snippetlock.errors import PinError
from snippetlock.source import pinned_wheel
from snippetlock.workflow import check, checked, update

ONE = b"def one():\n    return 1\n\n\nclass Two:\n    def get(self):\n        return 2\n"
TABLE = "[tool.snippetlock]\n"
PAGE = '# Lib\n\n```python snippet="one"\n```\n\n```python snippet="two"\n```\n'
DEFINITIONS = "one:\n  source: lib:one\ntwo:\n  source: lib:Two\n  show: skeleton\n  keep: [get]\n"


def pin_to_wheel(root, text):
    """Pin the project to a wheel with that text, and put it into the cache."""
    data = make_wheel(root.parent / "index", text=text)
    digest = hashlib.sha256(data).hexdigest()
    (root / "pin.yaml").write_text(f'name: lib\nversion: "1.0"\nwheel:\n  file: {FILE}\n  sha256: {digest}\n')
    place = pinned_wheel(opened(root).pin, root.parent / "cache")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    for name, text in {"pyproject.toml": TABLE, "docs/index.md": PAGE, "snippets/lib.yaml": DEFINITIONS}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    pin_to_wheel(folder, ONE)
    update(opened(folder))
    return folder


def findings(root):
    return [(finding.rule, finding.snippet) for finding in check(opened(root)).findings]


def forget(root):
    """Leave the wheels in the cache, and nothing else."""
    for kept in (root.parent / "cache").iterdir():
        if kept.name != "wheels":
            shutil.rmtree(kept)


def test_with_the_locked_wheel_nothing_is_parsed(root, monkeypatch):
    forget(root)

    def refuse(*_):
        raise AssertionError("a cut was made")

    monkeypatch.setattr(snippetlock.workflow.cut.Cutter, "cut", refuse)
    assert findings(root) == []


def test_another_wheel_is_said_and_compared_with_what_the_old_one_says(root):
    forget(root)
    pin_to_wheel(root, ONE.replace(b"return 1", b"return 11"))
    found = check(opened(root)).findings

    assert [(finding.rule, finding.snippet) for finding in found] == [("SL103", "one"), ("SL106", "")]
    assert found[0].evidence == (
        "--- accepted",
        "+++ lib/__init__.py:1-2",
        "@@ -1,2 +1,2 @@",
        " def one():",
        "-    return 1",
        "+    return 11",
    )
    assert found[0].uses[0].path == "docs/index.md"


def test_a_folder_of_the_same_files_is_another_pin_whose_snippets_hold(root):
    (root / "lib/lib").mkdir(parents=True)
    (root / "lib/lib/__init__.py").write_bytes(ONE)
    (root / "pin.yaml").write_text('name: lib\nversion: "1.0"\nfolder: lib\n')
    assert findings(root) == [("SL106", "")]

    forget(root)
    edit(root / "lib/lib/__init__.py", "return 2", "return 22")
    found = check(opened(root)).findings
    assert [(finding.rule, finding.snippet) for finding in found] == [("SL103", "two"), ("SL106", "")]
    assert found[0].evidence[-2:] == ("-        return 2", "+        return 22")


def test_where_no_accepted_text_can_be_had_the_new_one_is_shown(root):
    place = pinned_wheel(opened(root).pin, root.parent / "cache")
    pin_to_wheel(root, ONE.replace(b"return 1", b"return 11"))
    forget(root)
    shutil.rmtree(place.parent)

    assert check(opened(root)).findings[0].evidence == (
        "the accepted text is not at hand; this is what it shows now:",
        "def one():",
        "    return 11",
    )


def test_a_warm_check_hashes_the_wheel(root):
    cache = root.parent / "cache"
    assert checked(root, cache).exit == 0
    place = pinned_wheel(opened(root).pin, cache)
    data = place.read_bytes()
    place.write_bytes(data[:-1])
    with pytest.raises(PinError, match="the wheel is not the pinned one"):
        checked(root, cache)
    place.unlink()
    with pytest.raises(PinError, match="is not in the cache"):
        checked(root, cache)
    place.write_bytes(data)

    assert checked(root, cache).exit == 0


def test_a_kept_cut_of_one_wheel_is_not_taken_for_another(root):
    pin_to_wheel(root, ONE.replace(b"return 2", b"return 3"))
    (root / LOCK).unlink()
    update(opened(root))

    assert opened(root).snippet("two").text == "class Two:\n    def get(self):\n        return 3\n"
    pin_to_wheel(root, ONE)
    assert opened(root).snippet("two").text == "class Two:\n    def get(self):\n        return 2\n"
