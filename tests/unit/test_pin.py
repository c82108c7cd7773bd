"""The pin file: what it says, and each way to get it wrong with file, line and column."""

import pytest

from snippetlock.config import load_config, load_pin, parse_pin
from snippetlock.errors import ConfigError
from snippetlock.model import Pin, Repository

DIGEST = "0123456789abcdef" * 4
WHEEL = f"name: lib\nversion: 1.0.0\nwheel: {{file: lib-1.0.0-py3-none-any.whl, sha256: {DIGEST}}}\n"


@pytest.fixture
def load(tmp_path):
    def call(text):
        (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
        (tmp_path / "pin.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_pin(load_config(tmp_path))

    return call


def test_a_wheel(load):
    want = Pin(
        name="lib", version="1.0.0", kind="wheel", file="lib-1.0.0-py3-none-any.whl", sha256=DIGEST, place="pin.yaml"
    )
    assert load(WHEEL) == want
    assert load(WHEEL.replace("\n", "\r\n")) == want
    assert want.label == "lib 1.0.0"


def test_a_text_is_read_as_its_file_is(load):
    assert parse_pin(WHEEL, "pin.yaml") == load(WHEEL)
    with pytest.raises(ConfigError, match=r"ref/pin\.yaml:1:1: the pin file is empty"):
        parse_pin("", "ref/pin.yaml")


def test_a_digest_in_capitals_is_the_same_digest(load):
    assert load(WHEEL.replace(DIGEST, DIGEST.upper())).sha256 == DIGEST


@pytest.mark.parametrize("name", ["My.Lib", "my_lib", "MY-LIB"])
def test_a_name_may_be_spelled_as_the_index_allows(name, load):
    text = WHEEL.replace("name: lib", f"name: {name}").replace("lib-1.0.0-", "my_lib-1.0.0-2-")
    assert load(text).file == "my_lib-1.0.0-2-py3-none-any.whl"


def test_a_folder(load):
    pin = load("name: lib\nfolder: ../lib\n")
    assert pin == Pin(name="lib", version="", kind="folder", folder="../lib", place="pin.yaml")
    assert pin.label == "lib"


def test_a_commit(load):
    commit = "0123456789" * 4
    text = f"name: lib\ngit: {{commit: '{commit}'}}\nrepository: {{url: 'https://host/lib', root: src}}\n"
    pin = load(text)
    repository = Repository(url="https://host/lib", root="src", commit=commit)
    assert pin == Pin(name="lib", version="", kind="git", commit=commit, repository=repository, place="pin.yaml")
    assert pin.label == "lib 0123456789"
    assert load(text.replace("src", f"src, commit: '{commit}'")).repository == repository
    assert load("version: 1.0.0\n" + text).label == "lib 1.0.0"
    assert load("version: null\n" + text) == load("version:\n" + text) == pin


def test_a_repository(load):
    commit = "0123456789" * 4
    text = WHEEL + f"repository: {{url: 'https://host/a/lib/', branch: dev, root: src/, commit: {commit!r}}}\n"
    assert load(text).repository == Repository(url="https://host/a/lib", branch="dev", root="src", commit=commit)


@pytest.mark.parametrize(
    "url", ["https://host/lib", "git@host:a/lib.git", "../lib", "/srv/lib", "ssh://host/lib", "/a b/库", "../it's"]
)
def test_a_repository_of_which_only_the_address_is_said(url, load):
    text = WHEEL + f"repository:\n  url: {url}\n  root: null\n  commit:\n"
    assert load(text).repository == Repository(url=url)


PIN_KEYS = "folder, git, name, repository, version, wheel"
LOCATION = "write an address (https://…) or a path that git can clone"
ROOT = "write the folder of the repository that holds the packages, like src"
REFUSED = [
    ("", "1:1: the pin file is empty", "write `name:`, `version:` and `wheel:` (or `folder:`, or `git:`)"),
    ("- a\n", "1:1: the pin is a list, not a mapping", "write `key: value` lines"),
    (b"name: \xff", "1:7: not UTF-8: the byte 0xff does not belong here", "save the file as UTF-8"),
    (WHEEL + "weel: x\n", "4:1: unknown key 'weel' in the pin", f"did you mean 'wheel'? known keys: {PIN_KEYS}"),
    (WHEEL + "name: x\n", "4:1: the key 'name' stands twice in the pin (first at pin.yaml:1:1)", "keep one of the two"),
    (WHEEL.replace("name: lib\n", ""), "1:1: the pin has no 'name'", "add `name:`"),
    (WHEEL.replace("name: lib", "name: -r x"), "1:7: name is '-r x'", "write the name of the package on the index"),
    (WHEEL.replace("version: 1.0.0\n", ""), "1:1: the pin has no 'version'", "add `version:`; a wheel has one"),
    (WHEEL.replace("n: 1.0.0", "n: null"), "1:1: the pin has no 'version'", "add `version:`; a wheel has one"),
    (WHEEL.replace("n: 1.0.0", "n: 1.0"), "2:10: version is a number (1.0), not text", 'quote it: "1.0"'),
    (WHEEL.replace("n: 1.0.0", "n: '>=1'"), "2:10: version is '>=1'", "write a version, like 0.1.0"),
    (
        "name: lib\nversion: 1.0.0\n",
        "1:1: the pin has neither 'wheel' nor 'folder' nor 'git'",
        "add `wheel: {file: …, sha256: …}`, `folder: path` or `git: {commit: …}`",
    ),
    (WHEEL + "folder: x\n", "4:1: the pin has both 'wheel' and 'folder'", "keep the one that is to be read"),
    ("folder: x\n" + WHEEL, "4:1: the pin has both 'wheel' and 'folder'", "keep the one that is to be read"),
    (WHEEL + "git: {commit: x}\n", "4:1: the pin has both 'wheel' and 'git'", "keep the one that is to be read"),
    ("name: lib\ngit: {}\n", "2:6: git has no 'commit'", "add `commit:`"),
    ("name: lib\ngit: x\n", "2:6: git is text, not a mapping", "write `key: value` lines"),
    (
        "name: lib\ngit: {commit: main}\n",
        "2:15: commit is 'main'",
        "write the whole commit, 40 hex digits",
    ),
    (
        f"name: lib\ngit: {{commit: {'a' * 40}}}\n",
        "1:1: the pin has 'git' and no 'repository'",
        "add `repository: {url: …, root: …}`",
    ),
    (
        f"name: lib\nrepository: {{url: /x, commit: {'b' * 40}}}\ngit: {{commit: {'a' * 40}}}\n",
        "3:15: git says aaaaaaaaaa, and repository says bbbbbbbbbb",
        "leave `commit` out of `repository`: links go to the pinned one",
    ),
    ("name: lib\nfolder: [x]\n", "2:9: folder is a list, not text", "write one text"),
    (
        "name: lib\nfolder: ~/lib\n",
        "2:9: folder is '~/lib'",
        "write the path out, or from the project's folder: ../library",
    ),
    ("name: lib\nversion: 1.0.0\nwheel: x.whl\n", "3:8: wheel is text, not a mapping", "write `key: value` lines"),
    ("name: lib\nversion: 1.0.0\nwheel: {file: x}\n", "3:8: wheel has no 'sha256'", "add `sha256:`"),
    (
        WHEEL.replace("sha256", "sha265"),
        "3:43: unknown key 'sha265' in wheel",
        "did you mean 'sha256'? known keys: file, sha256",
    ),
    (
        WHEEL.replace("lib-1.0.0-py3", "../lib-1.0.0-py3"),
        "3:15: file is '../lib-1.0.0-py3-none-any.whl', not the name of a wheel",
        "write it whole, like lib-1.0.0-py3-none-any.whl",
    ),
    (
        WHEEL.replace("-any.whl", "-any.tar.gz"),
        "3:15: file is 'lib-1.0.0-py3-none-any.tar.gz', not the name of a wheel",
        "write it whole, like lib-1.0.0-py3-none-any.whl",
    ),
    (
        WHEEL.replace("lib-1.0.0-", "lib-1.0.1-"),
        "3:15: 'lib-1.0.1-py3-none-any.whl' is not a wheel of lib 1.0.0",
        "make `name`, `version` and `file` say the same",
    ),
    (
        WHEEL.replace("lib-1.0.0-", "bil-1.0.0-"),
        "3:15: 'bil-1.0.0-py3-none-any.whl' is not a wheel of lib 1.0.0",
        "make `name`, `version` and `file` say the same",
    ),
    (WHEEL.replace(DIGEST, DIGEST[1:]), "3:51: sha256 has 63 digits, not 64", "copy the digest whole"),
    (
        WHEEL.replace(DIGEST, f"'sha256:{DIGEST}'"),
        "3:51: sha256 has other characters than hex digits",
        "write the 64 hex digits alone",
    ),
    (WHEEL + "repository: x\n", "4:13: repository is text, not a mapping", "write `key: value` lines"),
    (
        WHEEL + "repository: {brunch: x}\n",
        "4:14: unknown key 'brunch' in repository",
        "did you mean 'branch'? known keys: branch, commit, root, url",
    ),
    (WHEEL + "repository: {branch: x}\n", "4:13: repository has no 'url'", "add `url:`"),
    (WHEEL + "repository: {url: }\n", "4:19: url is nothing, not text", "write one text"),
    (WHEEL + "repository: {url: 'javascript:x'}\n", "4:19: url is 'javascript:x'", LOCATION),
    (WHEEL + "repository: {url: 'https://a b'}\n", "4:19: url is 'https://a b'", LOCATION),
    (WHEEL + "repository: {url: /x, root: ../src}\n", "4:29: root is '../src'", ROOT),
    (WHEEL + "repository: {url: /x, root: 'a\\b'}\n", "4:29: root is 'a\\\\b'", ROOT),
    (
        WHEEL + "repository: {url: /x, commit: 12345}\n",
        "4:31: commit is a number (12345), not text",
        'quote it: "12345"',
    ),
    (
        WHEEL + "repository: {url: /x, commit: abc}\n",
        "4:31: commit is 'abc'",
        "write the whole commit, 40 hex digits, or null",
    ),
    (
        WHEEL + "repository: &r {url: /x}\n",
        "4:13: an anchor (`&r`) is not used here",
        "write it out: nothing here stands for another place",
    ),
]


@pytest.mark.parametrize(("text", "want", "mend"), REFUSED)
def test_a_wrong_pin_is_refused_with_its_place(text, want, mend, load):
    with pytest.raises(ConfigError) as caught:
        load(text)
    assert str(caught.value) == f"pin.yaml:{want}\n  mend: {mend}"


def test_no_pin_file(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.snippetlock]\npin = "ref/pin.yaml"\n')
    with pytest.raises(ConfigError) as caught:
        load_pin(load_config(tmp_path))
    assert str(caught.value) == (
        "ref/pin.yaml: there is no pin file\n"
        "  mend: write one, or set `pin` in [tool.snippetlock] to where it is (`snippetlock init` writes an example)"
    )


def test_a_pin_file_that_is_a_link_to_nothing(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
    (tmp_path / "pin.yaml").symlink_to("real.yaml")
    with pytest.raises(ConfigError) as caught:
        load_pin(load_config(tmp_path))
    assert str(caught.value) == "pin.yaml: a link to nothing\n  mend: point the link to the file, or remove it"
    (tmp_path / "real.yaml").write_text(WHEEL)
    assert load_pin(load_config(tmp_path)).name == "lib"
