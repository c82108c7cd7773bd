"""A wheel read from the zip: hostile, damaged and changed archives, each beside a sound one."""

import hashlib
import io
import random
import stat
import struct
import warnings
import zipfile

import pytest

from snippetlock.errors import MissingFile, PinError, SnippetlockError, TreeError
from snippetlock.source import WheelTree, licence

AUTHOR = "do not use this wheel; pin one that its author built"
AGAIN = "run `snippetlock pin fetch` to get it again"
SOUND = {
    "lib/__init__.py": b"x = 1\r\n",
    "lib/empty.py": b"",
    "lib/big.py": b"# a line\n" * 1000,
    "lib-1.0.dist-info/METADATA": b"Name: lib\n",
    "lib-1.0.dist-info/licenses/LICENSE": b"Do what you like.\n",
    "lib-1.0.dist-info/licenses/vendored/LICENSE.txt": b"Or not.\n",
    "lib-1.0.data/scripts/run": b"",
}


def archive(entries, method=zipfile.ZIP_DEFLATED):
    """A zip of (name, data, mode) entries as they are said, harmful or not."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "Duplicate name": on purpose
        for name, data, mode in entries:
            info = zipfile.ZipInfo("x")
            info.filename = name  # not through the constructor, which mends names
            info.compress_type = method
            info.external_attr = mode << 16
            file.writestr(info, data)
    return out.getvalue()


def sound(**kwargs):
    return archive([(name, data, stat.S_IFREG | 0o644) for name, data in SOUND.items()], **kwargs)


@pytest.fixture
def tree(tmp_path):
    def make(data, limit=1_000_000):
        path = tmp_path / "lib.whl"
        path.write_bytes(data)
        return WheelTree(path, hashlib.sha256(data).hexdigest(), limit=limit, where="pin.yaml")

    return make


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_sound_wheel_is_read_byte_for_byte(method, tree):
    data = sound(method=method)
    wheel = tree(data)
    assert wheel.identity == f"sha256:{hashlib.sha256(data).hexdigest()}"
    assert wheel.paths() == ("lib/__init__.py", "lib/big.py", "lib/empty.py")
    assert {path: wheel.read(path) for path in wheel.paths()} == {p: SOUND[p] for p in wheel.paths()}
    assert wheel.has("lib/__init__.py")
    assert not wheel.has("lib")
    assert licence(wheel) == "Do what you like.\n\nOr not.\n"


@pytest.mark.parametrize("path", ["lib/init.py", "lib", "lib-1.0.dist-info/METADATA", "lib-1.0.data/scripts/run"])
def test_what_is_no_file_of_the_packages_is_missing(path, tree):
    wheel = tree(sound())
    assert not wheel.has(path)
    with pytest.raises(MissingFile):
        wheel.read(path)


def test_a_missing_file_is_said_with_what_is_near(tree):
    with pytest.raises(MissingFile) as caught:
        tree(sound()).read("lib/init.py")
    assert (
        str(caught.value)
        == "lib/init.py: the tree has no such file\n  mend: did you mean lib/__init__.py or lib/big.py or lib/empty.py?"
    )


def test_an_unsafe_path_is_refused_before_it_is_looked_for(tree):
    with pytest.raises(TreeError, match=r"refused: `\.\.` in the path"):
        tree(sound()).read("../lib/__init__.py")


FILE, LINK, FOLDER = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777, stat.S_IFDIR | 0o755
HOSTILE = [
    ([("../x.py", b"", FILE)], "`..` in the path: '../x.py'"),
    ([("lib/../../x.py", b"", FILE)], "`..` in the path: 'lib/../../x.py'"),
    ([("/etc/x.py", b"", FILE)], "an absolute path: '/etc/x.py'"),
    ([("C:/x.py", b"", FILE)], "a drive letter in the path: 'C:/x.py'"),
    ([("lib\\x.py", b"", FILE)], "a backslash in the path: 'lib\\\\x.py'"),
    ([("lib/x.py\0.txt", b"", FILE)], "a NUL character in the path: 'lib/x.py\\x00.txt'"),
    ([("lib/./x.py", b"", FILE)], "an empty part or `.` in the path: 'lib/./x.py'"),
    ([("lib//x.py", b"", FILE)], "an empty part or `.` in the path: 'lib//x.py'"),
    ([("/", b"", FOLDER)], "an empty path: '/'"),
    ([("../", b"", FOLDER)], "`..` in the path: '../'"),
    ([("lib/link.py", b"../../x", LINK)], "a symbolic link: 'lib/link.py'"),
    ([("lib/link/", b"", LINK)], "a symbolic link: 'lib/link/'"),
    ([("lib/dev", b"", stat.S_IFCHR | 0o644)], "neither a file nor a folder: 'lib/dev'"),
    ([("lib/fifo", b"", stat.S_IFIFO | 0o644)], "neither a file nor a folder: 'lib/fifo'"),
    ([("lib/x.py", b"", FOLDER)], "neither a file nor a folder: 'lib/x.py'"),
    ([("lib/x/", b"", FILE)], "neither a file nor a folder: 'lib/x/'"),
    ([("lib/x.py", b"1", FILE), ("lib/x.py", b"2", FILE)], "the same name twice: 'lib/x.py'"),
    ([("lib/\u00e9.py", b"", FILE), ("lib/e\u0301.py", b"", FILE)], "the same name twice: 'lib/e\u0301.py'"),
]


@pytest.mark.parametrize(("entries", "want"), HOSTILE)
@pytest.mark.parametrize("ask", ["read", "has", "paths", "notices"])
def test_one_hostile_entry_anywhere_refuses_the_archive(entries, want, ask, tree):
    wheel = tree(archive([("lib/__init__.py", b"", FILE), *entries]))
    with pytest.raises(PinError) as caught:
        getattr(wheel, ask)(*(["lib/__init__.py"] if ask in ("read", "has") else []))
    assert str(caught.value) == f"pin.yaml: the wheel is refused: {want}\n  mend: {AUTHOR}"


def test_what_only_looks_hostile_is_not(tree):
    entries = [
        ("lib/..x.py", b"1", FILE),
        ("lib/", b"", FOLDER),
        ("lib/no-mode.py", b"2", 0),
        ("lib/X.py", b"3", FILE),
        ("lib/x.py", b"4", FILE),  # another case is another name
        ("lib/\u00e9.py", b"5", FILE),
    ]
    wheel = tree(archive(entries))
    assert [wheel.read(path) for path in wheel.paths()] == [b"1", b"3", b"2", b"4", b"5"]


def directory_of(data, name):
    """Where the entry of the central directory begins."""
    at = data.index(b"PK\x01\x02")
    while data[at + 46 :].startswith(name) is False:
        at = data.index(b"PK\x01\x02", at + 4)
    return at


def patched(data, name, offset, value):
    """The archive with one field of an entry's directory record changed."""
    at = directory_of(data, name) + offset
    return data[:at] + value + data[at + len(value) :]


def u16(number):
    return struct.pack("<H", number)


def u32(number):
    return struct.pack("<I", number)


NAME = b"lib/big.py"
DAMAGED = [
    ("header before", 42, u32(0xFFFF_FFF0), "the wheel's entry is refused: its header is not where the directory says"),
    (
        "2 GB claimed",
        24,
        u32(2_000_000_000),
        "refused: 2,000,000,000 bytes, more than the 1,000,000 that are read of one file",
    ),
    ("encrypted", 8, u16(1), "the wheel's entry is refused: it is encrypted"),
    ("another method", 10, u16(12), "the wheel's entry is refused: it is compressed by method 12, which no wheel uses"),
    ("less claimed", 24, u32(10), "the wheel's entry is refused: it has 9,000 bytes and claims 10"),
    ("more claimed", 24, u32(9_001), "the wheel's entry is refused: it has 9,000 bytes and claims 9,001"),
    ("another checksum", 16, u32(1), "the wheel's entry is refused: its checksum does not hold"),
    ("data cut short", 20, u32(10), "the wheel's entry is refused: its compressed data ends too soon"),
    ("data past the end", 20, u32(2_000_000_000), "the wheel's entry is refused: the archive ends before it does"),
    ("header elsewhere", 42, u32(1), "the wheel's entry is refused: its header is not where the directory says"),
    ("header of another", 42, u32(0), "the wheel's entry is refused: its own header calls it 'lib/__init__.py'"),
]


@pytest.mark.parametrize(("offset", "value", "want"), [d[1:] for d in DAMAGED], ids=[d[0] for d in DAMAGED])
def test_a_damaged_entry_is_refused_alone_when_it_is_asked_for(offset, value, want, tree):
    wheel = tree(patched(sound(), NAME, offset, value))
    assert wheel.read("lib/__init__.py") == SOUND["lib/__init__.py"]
    assert wheel.has("lib/big.py")
    with pytest.raises(TreeError) as caught:
        wheel.read("lib/big.py")
    assert str(caught.value).startswith(f"lib/big.py: {want}\n  mend: ")


def test_broken_compressed_data(tree):
    data = sound()
    at = data.index(b"lib/big.py") + len(b"lib/big.py")
    with pytest.raises(TreeError, match="its compressed data is broken"):
        tree(data[:at] + b"\xff" * 8 + data[at + 8 :]).read("lib/big.py")


def test_a_bomb_whose_header_lies_is_stopped_at_the_limit(tree):
    bomb = archive([("lib/bomb.py", bytes(50_000_000), FILE)])
    assert len(bomb) < 100_000
    lying = patched(bomb, b"lib/bomb.py", 24, u32(10))
    with pytest.raises(TreeError) as caught:
        tree(lying).read("lib/bomb.py")
    assert str(caught.value) == (
        "lib/bomb.py: refused: 1,000,001 bytes, more than the 1,000,000 that are read of one file\n"
        "  mend: quote from a smaller file"
    )


def test_a_stored_entry_that_claims_other_sizes(tree):
    data = patched(sound(method=zipfile.ZIP_STORED), NAME, 24, u32(10))
    with pytest.raises(TreeError, match="it has 9,000 bytes and claims 10"):
        tree(data).read("lib/big.py")


@pytest.mark.parametrize("data", [b"", b"not a zip", sound()[:-30]], ids=["empty", "text", "truncated"])
def test_what_is_no_zip_is_refused(data, tree):
    with pytest.raises(PinError) as caught:
        tree(data).paths()
    assert caught.value.what.startswith("the pinned file is not a zip archive: ")
    assert caught.value.mend == "pin a wheel: `file` and `sha256` name another file"


def test_an_empty_zip_has_no_files(tree):
    assert tree(b"PK\x05\x06" + bytes(18)).paths() == ()


def test_a_file_before_the_archive_does_not_mislead(tree):
    assert tree(b"#!/bin/sh\n" + sound()).read("lib/big.py") == SOUND["lib/big.py"]


@pytest.mark.parametrize(
    "change", [lambda d: d[:-1], lambda d: d + b"\n", lambda d: d[:50] + b"~" + d[51:], lambda d: b""]
)
def test_another_digest_is_refused_at_opening(change, tmp_path):
    data = sound()
    (tmp_path / "lib.whl").write_bytes(change(data))
    expected, got = hashlib.sha256(data).hexdigest(), hashlib.sha256(change(data)).hexdigest()
    with pytest.raises(PinError) as caught:
        WheelTree(tmp_path / "lib.whl", expected, where="pin.yaml")
    assert str(caught.value) == (
        "pin.yaml: the wheel is not the pinned one: truncated, altered, or another\n"
        f"  file      {tmp_path / 'lib.whl'} ({len(change(data)):,} bytes)\n"
        f"  expected  sha256 {expected}\n"
        f"  got       sha256 {got}\n"
        f"  mend: {AGAIN}"
    )


def test_a_wheel_that_is_not_there_or_no_file(tmp_path):
    with pytest.raises(PinError) as caught:
        WheelTree(tmp_path / "no.whl", "0" * 64)
    assert str(caught.value) == f"there is no wheel at {tmp_path / 'no.whl'}\n  mend: run `snippetlock pin fetch`"
    with pytest.raises(PinError) as caught:
        WheelTree(tmp_path, "0" * 64)
    assert str(caught.value) == f"the wheel cannot be read: Is a directory: {tmp_path}\n  mend: {AGAIN}"


def test_a_wheel_that_changes_while_it_is_read(tree, tmp_path):
    wheel = tree(sound())
    assert wheel.read("lib/big.py") == SOUND["lib/big.py"]
    (tmp_path / "other").write_bytes(sound())
    (tmp_path / "other").replace(tmp_path / "lib.whl")
    with pytest.raises(PinError) as caught:
        wheel.read("lib/big.py")
    assert str(caught.value) == "pin.yaml: the wheel changed while it was read\n  mend: run the command again"


def test_a_wheel_that_goes_away_while_it_is_read(tree, tmp_path):
    wheel = tree(sound())
    (tmp_path / "lib.whl").unlink()
    with pytest.raises(PinError) as caught:
        wheel.has("lib/big.py")
    assert str(caught.value) == f"pin.yaml: the wheel cannot be read: No such file or directory\n  mend: {AGAIN}"


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_gives_the_right_bytes_or_an_error_of_ours(seed, tree):
    chance = random.Random(seed)
    data = sound()
    refused = 0
    for _ in range(100):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        wheel = tree(bytes(damaged))
        try:
            for path in wheel.paths():
                got = wheel.read(path)
                assert got == SOUND.get(path, got)
        except SnippetlockError:
            refused += 1
    assert refused > 20
