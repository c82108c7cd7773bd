"""What a name comes to as a pin: releases, commits, folders and wheels, and what is refused. Real pip, real git."""

import os
import shutil
from pathlib import Path

import pytest
import upstream
from wheels import Index, digest, wheel

from snippetlock.config import parse_pin
from snippetlock.errors import ConfigError, PinError, RepositoryError, SnippetlockError, UsageError
from snippetlock.model import Pin, Repository
from snippetlock.source import GitTree, open_tree, pinned_wheel
from snippetlock.workflow import open_project
from snippetlock.workflow.states import Outside, States
from snippetlock.workflow.targets import target

CORE = upstream.CORE
NEWER = CORE.replace("self.depth", "self.height")


def packaged(core=CORE):
    """What a wheel of the library holds."""
    return {
        "kit/core.py": core,
        **{
            path.removeprefix("src/"): text
            for path, text in upstream.START.items()
            if "/" in path and "core" not in path
        },
    }


@pytest.fixture
def library(repo):
    """The library, with a tag for its first release and a commit after it."""
    history, _ = upstream.library(repo)
    history.git("tag", "v1.0")
    history.commit({"src/kit/core.py": NEWER}, "Higher shelves")
    return history


@pytest.fixture
def index(tmp_path):
    return Index(tmp_path / "index")


@pytest.fixture
def docs(tmp_path, library):
    return upstream.project(tmp_path / "docs", str(library.folder), library.git("rev-parse", "v1.0"))


@pytest.fixture
def released(docs, library, index):
    """The project with a pin that is the release 1.0."""
    place = index.add("kit", "1.0", packaged())
    (docs / "pin.yaml").write_text(
        f'name: kit\nversion: "1.0"\nwheel: {{file: {place.name}, sha256: {digest(place)}}}\n'
        f"repository: {{url: {library.folder}, root: src}}\n"
    )
    return docs


def states(docs, index, *, base=None, upstream=None):
    environ = {**index.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    outside = Outside(base=base or docs, environ=environ, upstream=upstream)
    return States(open_project(docs, docs.parent / "cache"), outside)


def refused(docs, index, text, kind=UsageError, **options):
    with pytest.raises(kind) as caught:
        target(states(docs, index), text, **options)
    assert caught.value.mend
    return caught.value


def put(tree):
    return "self.height" if b"self.height" in tree.read("kit/core.py") else "self.depth"


def test_a_release_by_its_version_and_as_the_latest(released, index, library):
    place = index.add("kit", "2.0", packaged(NEWER))
    repository = Repository(url=str(library.folder), root="src")
    wanted = Pin(
        name="kit", version="2.0", kind="wheel", file=place.name, sha256=digest(place), repository=repository,
        place="pin.yaml",
    )  # fmt: skip

    for text, called in (("2.0", ""), ("v2.0", "v2.0 = "), ("latest", "latest = ")):
        found = target(states(released, index), text)
        assert found.pin == wanted
        assert found.said == f"{called}kit 2.0, sha256 {digest(place)[:12]}…"
        assert put(found.opened.tree) == "self.height"
        assert (found.opened.state.label, found.opened.state.commit, found.opened.root) == ("kit 2.0", "", "src")

    assert pinned_wheel(wanted, released.parent / "cache").read_bytes() == place.read_bytes()
    assert put(open_tree(wanted, released, released.parent / "cache")) == "self.height"


def test_a_release_is_the_commit_of_its_tag_only_where_the_files_are_the_same(released, index, library):
    found = target(states(released, index), "1.0")
    assert found.pin.repository.commit == library.git("rev-parse", "v1.0")
    assert found.said.endswith("…, the commit of tag v1.0")
    assert found.opened.state.commit == found.pin.repository.commit

    library.git("tag", "--force", "v1.0", "main")
    found = target(states(released, index), "1.0")
    assert (found.pin.repository.commit, found.opened.state.commit) == (None, "")
    assert "tag" not in found.said


def test_a_release_needs_no_repository(released, index):
    for repository in ("", "repository: {url: /nowhere/at/all}\n", "repository: {url: 'https://host.invalid/kit'}\n"):
        text = (released / "pin.yaml").read_text()
        (released / "pin.yaml").write_text(
            text[: text.index("repository")] + repository if "repository" in text else text
        )
        found = target(states(released, index), "1.0")
        assert found.pin.kind == "wheel"
        assert found.pin.repository is None or found.pin.repository.commit is None
        (released / "pin.yaml").write_text(text)


def test_a_yanked_release_is_refused_unless_it_is_meant(released, index):
    index.add("kit", "1.1", packaged(NEWER), yanked="too high")

    assert refused(released, index, "1.1", PinError).what == "kit 1.1 was yanked: its authors took it back"
    found = target(states(released, index), "1.1", allow_yanked=True)
    assert found.pin.version == "1.1"
    assert found.said.endswith(", yanked: too high")


def test_a_release_that_holds_another_library(released, index):
    index.add("kit", "3.0", {"tik/__init__.py": "", "kat.py": ""})

    error = refused(released, index, "3.0")

    assert error.what == "3.0 is not this library: it has no 'kit'"
    assert error.evidence == ("it has kat, tik",)


def test_a_newer_release_that_cannot_be_taken_is_told_of(released, index):
    index.sources("kit", "2.0")

    said = target(states(released, index), "latest").said

    assert said.endswith("; newer, but no wheel that was asked for: kit-2.0.tar.gz")


def test_a_version_that_does_not_exist(released, index):
    assert refused(released, index, "7.0", PinError).what == "kit has no release 7.0"


@pytest.mark.parametrize("text", ["main", "HEAD", "v1.0", "refs/tags/v1.0", "head", "short"])
def test_a_revision_is_recorded_by_its_commit(text, docs, index, library):
    head, tagged = library.git("rev-parse", "main"), library.git("rev-parse", "v1.0")
    asked = {"head": head, "short": head[:8]}.get(text, text)

    found = target(states(docs, index), asked)

    commit = tagged if "v1.0" in text else head
    repository = Repository(url=str(library.folder), root="src", commit=commit)
    version = "1.0" if text == "v1.0" else ""
    assert found.pin == Pin(
        name="kit", version=version, kind="git", commit=commit, repository=repository, place="pin.yaml"
    )
    assert isinstance(found.opened.tree, GitTree)
    assert found.opened.commit.id == found.opened.state.commit == commit
    assert put(found.opened.tree) == ("self.depth" if "v1.0" in text else "self.height")
    subject = "Start" if "v1.0" in text else "Higher shelves"
    called = "" if commit.startswith(asked) else f"{asked} = "
    assert found.said == f"{called}commit {commit}, {subject!r}"


def test_a_version_is_a_tag_first_where_the_pin_is_a_commit(docs, index, library):
    index.add("kit", "1.0", packaged())
    index.add("kit", "2.0", packaged(NEWER))

    found = target(states(docs, index), "1.0")
    assert (found.pin.kind, found.pin.version, found.pin.commit) == ("git", "1.0", library.git("rev-parse", "v1.0"))
    assert found.said.startswith("v1.0 = commit ")
    assert target(states(docs, index), "2.0").pin.kind == "wheel"
    assert target(states(docs, index), "latest").pin.version == "2.0"


def test_a_version_is_a_release_where_the_pin_is_one(released, index):
    assert target(states(released, index), "1.0").pin.kind == "wheel"
    assert target(states(released, index), "refs/tags/v1.0").pin.kind == "git"


@pytest.fixture
def tagged(released, library):
    """The project at release 1.0 of a library with a tag, of its last commit, that is no release."""
    library.git("tag", "v3.0")
    return released


def test_a_tag_that_is_no_release_is_found_by_its_name(tagged, index, library):
    found = target(states(tagged, index), "v3.0")

    assert (found.pin.kind, found.pin.version, found.pin.commit) == ("git", "3.0", library.git("rev-parse", "main"))
    assert found.said.startswith("v3.0 = commit ")
    assert found.said.endswith("'Higher shelves'; kit has no release 3.0")


def test_a_release_comes_before_its_tag_where_the_pin_is_one(tagged, index, library):
    library.git("tag", "v2.0")
    index.add("kit", "2.0", packaged(NEWER))

    assert target(states(tagged, index), "v2.0").pin.kind == "wheel"


def test_a_tag_of_another_name_than_was_said_is_named_and_not_taken(tagged, index):
    error = refused(tagged, index, "3.0", PinError)

    assert error.what == "kit has no release 3.0"
    assert error.mend == "did you mean 1.0? Or take the commit of its tag: v3.0"


@pytest.mark.parametrize("gone", ["the repository", "the tag", "its address"])
def test_without_a_tag_the_release_is_what_there_is_none_of(tagged, index, library, gone):
    if gone == "the repository":
        shutil.rmtree(library.folder)
    elif gone == "the tag":
        library.git("tag", "-d", "v3.0")
    else:
        text = (tagged / "pin.yaml").read_text()
        (tagged / "pin.yaml").write_text(text[: text.index("repository")])

    error = refused(tagged, index, "v3.0", PinError)

    assert (error.what, error.mend) == ("kit has no release 3.0", "did you mean 1.0?")


def test_a_release_that_was_only_withdrawn_is_not_its_tag(tagged, index):
    index.add("kit", "3.0", packaged(NEWER), yanked="wrong")

    assert refused(tagged, index, "v3.0", PinError).what.startswith("kit 3.0 was yanked")


def test_a_release_of_sources_alone_is_what_its_tag_is(tagged, index):
    index.sources("kit", "3.0")

    assert target(states(tagged, index), "v3.0").said.endswith("; kit 3.0 has no wheel, only sources")


def test_a_commit_of_a_repository_that_is_elsewhere_is_wholly_at_hand(docs, index, library, tmp_path):
    text = (docs / "pin.yaml").read_text()
    (docs / "pin.yaml").write_text(text.replace(str(library.folder), library.serve()))

    found = target(states(docs, index), "main")

    shutil.rmtree(library.folder)
    assert open_tree(found.pin, docs, tmp_path / "cache").lacking() == ()


def test_a_commit_needs_a_repository_that_the_pin_names(released, index, library):
    text = (released / "pin.yaml").read_text()
    (released / "pin.yaml").write_text(text[: text.index("repository")])

    assert refused(released, index, "main", RepositoryError).what == "the pin names no repository to compare with"
    with pytest.raises(UsageError) as caught:
        target(states(released, index, upstream=str(library.folder)), "main")
    assert caught.value.what == "main is a commit, and the pin names no repository"


def test_a_commit_in_which_the_packages_are_elsewhere_is_read_from_there(docs, index, library):
    library.git("mv", "src/kit", "kit")
    commit = library.commit({"kit/more.py": "x = 1\n"}, "To the top")

    found = target(states(docs, index), "main")

    assert (found.opened.root, found.pin.repository.root, found.pin.commit) == ("", "", commit)
    assert found.opened.tree.has("kit/more.py")
    assert found.said == f"main = commit {commit}, its folder ., 'To the top'"
    library.git("mv", "kit", "lib")
    library.commit({}, "Under another name")
    assert refused(docs, index, "main").what == "main is not this library: it has no 'kit'"


def test_a_revision_that_is_not_there(docs, index):
    assert "'mian'" in refused(docs, index, "mian", RepositoryError).what


@pytest.mark.parametrize("whole", [True, False])
def test_a_folder_is_recorded_from_the_project(whole, docs, index, library):
    base = library.folder.parent
    text = f"./{library.folder.name}" + ("" if whole else "/src")

    found = target(states(docs, index, base=base), text)

    assert found.pin.kind == "folder"
    assert found.pin.folder == f"../{library.folder.name}" + ("" if whole else "/src")
    assert (found.pin.version, found.pin.repository.commit) == ("", None)
    assert found.said == f"the folder {found.pin.folder}, read as it is"
    assert put(found.opened.tree) == "self.height"
    assert put(open_tree(found.pin, docs, docs.parent / "cache")) == "self.height"
    absolute = target(states(docs, index), str(library.folder / ("" if whole else "src")))
    assert absolute.pin.folder == str(library.folder / ("" if whole else "src"))


def test_a_folder_that_is_not_the_library(docs, index, tmp_path):
    (tmp_path / "other").mkdir()
    for number in range(10):
        (tmp_path / f"other/m{number}.py").write_text("")

    error = refused(docs, index, str(tmp_path / "other"))
    assert error.what == f"{tmp_path / 'other'} is not this library: it has no 'kit'"
    assert error.evidence == ("it has m0, m1, m2, m3, m4, m5, m6, m7 and 2 more",)
    (tmp_path / "empty").mkdir()
    assert refused(docs, index, "../empty").evidence == ("it has no file",)
    assert refused(docs, index, "./nowhere").what == "there is no folder ./nowhere"
    (tmp_path / "other/kit.py").write_text("")
    assert target(states(docs, index), "../other").pin.folder == "../other"


def test_a_wheel_on_this_machine_is_kept_and_recorded_by_its_digest(released, index, tmp_path):
    place = wheel(tmp_path / "built", "kit", "2.0.dev1", packaged(NEWER))

    found = target(states(released, index, base=tmp_path), "built/kit-2.0.dev1-py3-none-any.whl")

    assert (found.pin.kind, found.pin.version, found.pin.file) == ("wheel", "2.0.dev1", place.name)
    assert found.pin.sha256 == digest(place)
    elsewhere = "on another machine the package index is asked for it"
    assert found.said == f"built/{place.name} = kit 2.0.dev1, sha256 {digest(place)[:12]}…; {elsewhere}"
    place.unlink()
    assert put(open_tree(found.pin, released, tmp_path / "cache")) == "self.height"
    assert [path.name for path in pinned_wheel(found.pin, tmp_path / "cache").parent.iterdir()] == [place.name]


@pytest.mark.parametrize("there", [b"", b"cut off", None], ids=["empty", "altered", "gone"])
def test_a_kept_wheel_that_was_damaged_is_kept_anew(released, index, tmp_path, there):
    place = wheel(tmp_path / "built", "kit", "2.0.dev1", packaged(NEWER))
    kept = tmp_path / "cache/wheels" / digest(place) / place.name
    kept.parent.mkdir(parents=True)
    if there is not None:
        kept.write_bytes(there)

    found = target(states(released, index), f"../built/{place.name}")

    assert kept.read_bytes() == place.read_bytes()
    assert put(found.opened.tree) == "self.height"


def test_a_wheel_that_is_none_of_this_library(released, index, tmp_path):
    wheel(tmp_path / "built", "tik", "1.0", {"tik/__init__.py": ""})
    wheel(tmp_path / "built", "kit", "4.0", {"tik/__init__.py": ""})
    (tmp_path / "built/kit-1.0.whl").write_bytes(b"")
    (tmp_path / "built/kit-5.0-py3-none-any.whl").write_bytes(b"no zip")

    error = refused(released, index, "../built/tik-1.0-py3-none-any.whl")
    assert error.what == "tik-1.0-py3-none-any.whl is a wheel of another package than kit"
    assert refused(released, index, "../built/kit-1.0.whl").what == "kit-1.0.whl is not the name of a wheel"
    assert "is not this library" in refused(released, index, "../built/kit-4.0-py3-none-any.whl").what
    assert "not a zip archive" in refused(released, index, "../built/kit-5.0-py3-none-any.whl", PinError).what
    assert "cannot be read" in refused(released, index, "../built/kit-6.0-py3-none-any.whl").what


def test_the_pin_itself(docs, index):
    found = target(states(docs, index), "pin")

    assert found.pin == parse_pin((docs / "pin.yaml").read_text(), "pin.yaml")
    assert found.said == f"pin = kit {found.pin.commit[:10]}"


@pytest.mark.parametrize("text", ["1.0", "2", "0.1.0rc1", "v1.0.post1", "1.0.dev3", "1!2.0", "1.0+cu12", "10.0-rc.1"])
def test_what_looks_like_a_version_is_asked_of_the_index(text, released, index, monkeypatch):
    asked = []

    def resolve(name, wanted, *_, **options):
        asked.append((name, wanted, options))
        raise PinError("asked", mend="no more")

    monkeypatch.setattr("snippetlock.workflow.targets.resolve_release", resolve)
    refused(released, index, text, PinError)
    assert asked == [("kit", text, {"allow_yanked": False, "like": "kit-1.0-py3-none-any.whl"})]


@pytest.mark.parametrize("text", ["1234567", "2db29de6e2", "1.0-maintenance", "release/1.0", "1.x"])
def test_what_does_not_is_a_revision(text, released, index):
    refused(released, index, text, RepositoryError)


def test_where_nothing_is_defined_anything_is_the_library(docs, index, tmp_path):
    (docs / "snippets/kit.yaml").unlink()
    (tmp_path / "other").mkdir()

    assert target(states(docs, index), "../other").pin.folder == "../other"
    (docs / "snippets").rmdir()
    refused(docs, index, "../other", ConfigError)


def test_a_cache_that_cannot_be_written(released, index, tmp_path):
    wheel(tmp_path / "built", "kit", "2.0", packaged())
    (tmp_path / "cache").write_text("")

    error = refused(released, index, "../built/kit-2.0-py3-none-any.whl", SnippetlockError)

    assert error.what.startswith("the cache cannot be written: ")
    assert Path(tmp_path / "cache").is_file()
