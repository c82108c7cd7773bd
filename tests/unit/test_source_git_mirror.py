"""Mirrors: cloned once, without contents, safe with others about, and every way a server can let us down."""

import http.server
import os
import shutil
import socket
import subprocess
import threading

import pytest
from privilege import nobody, open_folder

from snippetlock.errors import RepositoryError
from snippetlock.model import Pin, Repository
from snippetlock.source.mirror import Moved, explain, mirror_dir, mirrored, obtain, refresh, refs
from snippetlock.source.opening import at_hand, open_repo, upstream
from snippetlock.source.repository import Remote, boundary, common_dir, is_url
from snippetlock.source.revisions import reach, resolve

NAME = "name a checkout's top folder, a bare repository, or a URL"
CONNECT = "check the address and the network, or name a copy with --upstream"
PROTOCOLS = "write an address of file, git, http, https, ssh, or the path of a repository on this machine"


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def up(repo):
    history = repo()
    history.commit({"src/p/a.py": "a = 1\n", "src/p/b.py": "b = 1\n"}, "one")
    history.commit({"src/p/a.py": "a = 2\n"}, "two")
    history.serve()
    return history


def left(cache):
    """What a failed clone leaves: nothing but the guard."""
    return sorted(path.name.partition(".")[2] for path in (cache / "git").iterdir()) if cache.exists() else []


def contents(repo):
    listed = subprocess.run(
        ["git", f"--git-dir={repo.git_dir}", "cat-file", "--batch-check=%(objecttype)", "--batch-all-objects"],
        capture_output=True,
        check=True,
    )
    return listed.stdout.count(b"blob")


# A repository on this machine


def test_a_checkout_and_a_bare_repository_are_read_in_place(up, cache, tmp_path):
    up.git("clone", "--quiet", "--bare", str(up.folder), str(tmp_path / "bare"))
    up.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "side")
    head = up.git("rev-parse", "HEAD")
    places = [up.folder, up.folder / ".git", tmp_path / "bare", tmp_path / "linked"]
    for place in places:
        with open_repo(str(place), cache) as repo:
            assert resolve(repo, "HEAD").id == head
            assert (repo.name, repo.remote, repo.mirror) == (str(place), None, False)
            assert refresh(repo) == ()
            assert boundary(repo) == frozenset()
    assert common_dir(open_repo(str(tmp_path / "linked"), cache).git_dir).samefile(up.folder / ".git")
    assert open_repo("up", cache, base=tmp_path).git_dir == up.folder / ".git"
    assert not cache.exists()


def test_reading_in_place_changes_nothing(up, cache):
    def state():
        return {path: path.stat().st_mtime_ns for path in up.folder.rglob("*")}

    (up.folder / "src" / "p" / "a.py").write_text("dirty\n")
    before = state()
    with open_repo(str(up.folder), cache) as repo:
        reach(repo, "main")
        refresh(repo)
        obtain(repo, refs(repo).values())
    assert state() == before


def test_what_is_no_repository(up, cache, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / ".git").write_text("nothing of the kind")
    for name, what in [("gone", "does not exist"), ("empty", "is not a repository"), ("odd", "is not a repository")]:
        with pytest.raises(RepositoryError) as caught:
            open_repo(str(tmp_path / name), cache)
        assert str(caught.value) == f"{tmp_path / name} {what}\n  mend: {NAME}"


def test_a_folder_inside_a_repository_is_not_taken_for_it(up, cache):
    with pytest.raises(RepositoryError) as caught:
        open_repo(str(up.folder / "src"), cache)
    assert str(caught.value) == (
        f"{up.folder / 'src'} is not a repository\n  it lies in the repository {up.folder}\n  mend: {NAME}"
    )


URLS = [
    ("https://host/x", True),
    ("file:///x", True),
    ("git@host:a/x", True),
    ("host:a/x", True),
    ("/srv/x", False),
    ("../x", False),
    ("x", False),
]


@pytest.mark.parametrize(("where", "want"), URLS)
def test_what_is_a_url(where, want):
    assert is_url(where) is want


@pytest.mark.parametrize("url", ["ext::sh%20-c%20x", "ftp://h/x", "--upload-pack=x://h", "https://h/\n", "x@y:::z"])
def test_an_address_that_git_would_make_something_else_of(url, cache):
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert str(caught.value) == f"not an address of a repository: {url!r}\n  mend: {PROTOCOLS}"
    assert not cache.exists()


def test_a_space_in_an_address_of_the_web_is_written_otherwise(cache):
    with pytest.raises(RepositoryError) as caught:
        open_repo("https://h/a b", cache)
    assert str(caught.value) == "a space in an address: 'https://h/a b'\n  mend: write %20 for each"


def test_a_repository_whose_path_has_everything_in_it(repo, cache):
    history = repo("my 库 \"q\" 'a' $x")
    head = history.commit({"a": "1\n"})
    for where in (str(history.folder), history.url):
        with open_repo(where, cache) as found:
            assert resolve(found, "main").id == head


# A mirror


def test_a_mirror_has_the_history_and_no_contents_until_they_are_asked_for(up, cache):
    calls = []
    with open_repo(up.url, cache, lambda *call: calls.append(call)) as repo:
        assert repo.git_dir == mirror_dir(up.url, cache)
        assert (repo.name, repo.mirror) == (up.url, True)
        assert resolve(repo, "main").id == up.git("rev-parse", "main")
        assert resolve(repo, "HEAD").subject == "two"
        assert contents(repo) == 0
        ids = [up.git("rev-parse", f"HEAD:src/p/{name}.py") for name in "ab"]
        obtain(repo, [*ids, ids[0]])
        assert contents(repo) == 2
        assert [data for _, data in repo.objects.read(ids, 100)] == [b"a = 2\n", b"b = 1\n"]
    assert {label for label, _, _ in calls} == {f"fetching {up.url}"}
    assert left(cache) == ["", "guard"]


def test_a_mirror_that_is_there_asks_nobody(up, cache):
    head = up.git("rev-parse", "main")
    open_repo(up.url, cache)
    shutil.rmtree(up.folder)
    with open_repo(up.url, cache) as repo:
        assert resolve(repo, "main").id == head
    with at_hand(up.url, cache) as repo:
        assert resolve(repo, "main").id == reach(repo, "main").id == head
        assert repo.remote is None


def test_a_mirror_that_is_not_there(cache):
    with pytest.raises(RepositoryError) as caught:
        at_hand("https://ada:secret@host/x", cache)
    assert str(caught.value) == "https://***@host/x is not in the cache\n  mend: run `snippetlock pin fetch`"
    assert mirrored(Remote(url="https://host/x"), cache, online=True) is None
    assert not cache.exists()


def test_what_a_mirror_lacks_cannot_be_had_offline(up, cache):
    open_repo(up.url, cache)
    lacking = [up.git("rev-parse", f"HEAD:src/p/{name}.py") for name in "ab"]
    with at_hand(up.url, cache) as repo:
        with pytest.raises(RepositoryError) as caught:
            obtain(repo, lacking)
        assert str(caught.value) == (
            f"2 objects are not in the mirror of {up.url}\n  {lacking[0]}\n  mend: run `snippetlock pin fetch`"
        )
        with pytest.raises(RepositoryError, match="an object is not in the mirror"):
            obtain(repo, lacking[:1])
        obtain(repo, [])


def test_what_nobody_has(up, cache):
    nothing = "1" * 40
    with open_repo(up.url, cache) as repo:
        with pytest.raises(RepositoryError) as caught:
            obtain(repo, [nothing])
        assert caught.value.what == f"{up.url} has no object of this name that it gives out"
    with open_repo(str(up.folder), cache) as repo:
        with pytest.raises(RepositoryError) as caught:
            obtain(repo, [nothing])
        assert str(caught.value) == (
            f"an object is not in {up.folder}: a partial clone, or damaged\n  {nothing}\n"
            f"  mend: run `git -C {repo.git_dir.parent} fetch --refetch`, or name the repository by its URL"
        )


def test_a_server_that_gives_less_than_was_asked(up, cache, speaking):
    open_repo(up.url, cache)
    lacking = up.git("rev-parse", "HEAD:src/p/a.py")
    with open_repo(up.url, cache, environ=speaking("exit 0")) as repo, pytest.raises(RepositoryError) as caught:
        obtain(repo, [lacking])
    assert str(caught.value) == (
        f"an object is not in the mirror of {up.url}\n  {lacking}\n  mend: check that the repository is whole"
    )


def test_a_server_that_knows_no_filter_gives_everything(up, cache):
    up.git("config", "uploadpack.allowFilter", "false")
    with open_repo(up.url, cache) as repo:
        assert contents(repo) == 3
        obtain(repo, [up.git("rev-parse", "HEAD:src/p/a.py")])


def test_refreshing_says_what_moved(up, cache):
    up.git("branch", "old")
    one, two = up.git("rev-parse", "main~1"), up.git("rev-parse", "main")
    with open_repo(up.url, cache) as repo:
        assert refresh(repo) == ()
        up.git("branch", "-D", "old")
        up.git("tag", "--annotate", "v1", "--message", "a tag")
        three = up.commit({"src/p/c.py": "c"}, "three")
        assert refresh(repo) == (
            Moved(ref="refs/heads/main", old=two, new=three),
            Moved(ref="refs/heads/old", old=two, new=None),
            Moved(ref="refs/tags/v1", old=None, new=two),
        )
        up.git("reset", "--quiet", "--hard", one)
        four = up.commit({"src/p/d.py": "d"}, "four")
        assert refresh(repo) == (Moved(ref="refs/heads/main", old=three, new=four, rewritten=True),)
        assert resolve(repo, three).subject == "three"
        assert resolve(repo, "main").subject == "four"


def test_reaching_asks_only_when_it_must(up, cache, speaking):
    two = up.git("rev-parse", "main")
    with open_repo(up.url, cache) as repo:
        three = up.commit({}, "three")
        with pytest.raises(RepositoryError):
            resolve(repo, three)
        assert reach(repo, three).subject == "three"
        four = up.commit({}, "four")
        assert reach(repo, "main").id == four
        assert resolve(repo, "main~1").id == three
        up.git("checkout", "--quiet", "--detach")
        loose = up.commit({}, "of no branch")
        up.git("update-ref", "refs/pull/1/head", loose)
        up.git("checkout", "--quiet", "main")
        assert reach(repo, loose).subject == "of no branch"
        with pytest.raises(RepositoryError, match="has no object of this name that it gives out"):
            reach(repo, "2" * 40)
    with open_repo(up.url, cache, environ=speaking("exit 1")) as repo:
        assert reach(repo, two).subject == "two"
        with pytest.raises(RepositoryError, match="git could not fetch"):
            reach(repo, "main")


def test_two_at_once_make_one_mirror(up, cache):
    got, failed = [], []

    def work():
        try:
            with open_repo(up.url, cache) as repo:
                obtain(repo, [up.git("rev-parse", "HEAD:src/p/a.py")])
                refresh(repo)
                got.append(resolve(repo, "main").id)
        except RepositoryError as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert got == [up.git("rev-parse", "main")] * 4
    assert left(cache) == ["", "guard"]


def test_waiting_for_another_has_an_end(up, cache, monkeypatch):
    import fcntl

    guard = mirror_dir(up.url, cache).with_name(f"{mirror_dir(up.url, cache).name}.guard")
    guard.parent.mkdir(parents=True)
    monkeypatch.setattr("snippetlock.source.mirror._WAIT", 0.2)
    with open(guard, "w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(RepositoryError) as caught:
            open_repo(up.url, cache)
    assert str(caught.value) == (
        f"another process is fetching {up.url}, and was not done after 0.2 s\n"
        "  mend: wait for it to finish, then run this again"
    )
    assert open_repo(up.url, cache).mirror


def test_a_cache_that_cannot_be_written(up, tmp_path, monkeypatch):
    mend = "set SNIPPETLOCK_CACHE to a folder that can be written and has room"
    cache = tmp_path / "cache"
    cache.write_text("")
    with pytest.raises(RepositoryError) as caught:
        open_repo(up.url, cache)
    assert str(caught.value) == f"the cache cannot be written: Not a directory: {cache / 'git'}\n  mend: {mend}"
    cache.unlink()

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", full)
        with pytest.raises(RepositoryError) as caught:
            open_repo(up.url, cache)
    assert str(caught.value) == f"the cache cannot be written: No space left on device: {cache / 'git'}\n  mend: {mend}"
    assert left(cache) == ["guard"]


def test_a_cache_that_may_only_be_read_serves_what_it_has(up):
    with open_folder() as cache:
        open_repo(up.url, cache)
        for folder, _, _ in os.walk(cache):
            os.chmod(folder, 0o555)
        with nobody(), at_hand(up.url, cache) as repo:
            assert resolve(repo, "main").subject == "two"
        for folder, _, _ in os.walk(cache):
            os.chmod(folder, 0o755)


# Shallow clones


def test_a_shallow_source_is_refused(up, cache, tmp_path):
    up.git("clone", "--quiet", "--depth=1", up.url, str(tmp_path / "part"))
    url = f"file://{tmp_path / 'part'}"
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert str(caught.value) == (
        f"{url} is itself a shallow clone, whose history ends somewhere\n"
        "  fatal: source repository is shallow, reject to clone.\n"
        "  mend: unshallow it there, or name the repository that it was cloned from"
    )
    assert left(cache) == ["guard"]


def test_a_shallow_mirror_is_deepened(up, cache):
    made = mirror_dir(up.url, cache)
    up.git("clone", "--quiet", "--bare", "--depth=1", up.url, str(made))
    with open_repo(up.url, cache) as repo:
        assert boundary(repo) == {up.git("rev-parse", "main")}
        with pytest.raises(RepositoryError) as caught:
            resolve(repo, "main~1")
        assert str(caught.value) == (
            f"{up.url} is a shallow clone: 'main~1' is not in the part of the history that it has\n"
            "  mend: connect, and run the command again"
        )
        refresh(repo)
        assert boundary(repo) == frozenset()
        assert resolve(repo, "main~1").subject == "one"


def test_a_shallow_clone_of_the_users_is_refused_where_it_ends(up, cache, tmp_path):
    up.git("clone", "--quiet", "--depth=1", up.url, str(tmp_path / "part"))
    with open_repo(str(tmp_path / "part"), cache) as repo:
        assert resolve(repo, "main").subject == "two"
        with pytest.raises(RepositoryError) as caught:
            resolve(repo, up.git("rev-parse", "main~1"))
        assert caught.value.mend == f"run `git -C {repo.git_dir.parent} fetch --unshallow`"


# Servers that let us down


@pytest.fixture
def silent():
    """The port of a server that takes a call and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("scheme", ["http", "git"])
def test_a_server_that_hangs(scheme, silent, cache):
    url = f"{scheme}://127.0.0.1:{silent}/x"
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache, limit=0.5)
    assert str(caught.value) == f"{url} does not answer: 0.5 s without a word\n  mend: {CONNECT}"
    assert left(cache) == ["guard"]


def test_a_server_that_refuses(cache):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url = f"http://127.0.0.1:{port}/x"
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert caught.value.what == f"{url} cannot be reached"
    assert caught.value.mend == CONNECT
    assert f"127.0.0.1 port {port}" in caught.value.evidence[0]


@pytest.fixture
def answering():
    """`answering(status, page) -> URL` of a server that says this to everything."""
    servers = []

    def make(status, page=b""):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                if status == 401:
                    self.send_header("WWW-Authenticate", 'Basic realm="x"')
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/x"

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_server_that_asks_who_we_are_is_never_answered_by_a_question(answering, cache, tmp_path):
    (tmp_path / "ask").write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\necho secret\n")
    (tmp_path / "ask").chmod(0o755)
    url = answering(401)
    environ = {"PATH": os.environ["PATH"], "SSH_ASKPASS": str(tmp_path / "ask"), "GIT_ASKPASS": str(tmp_path / "ask")}
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache, environ=environ)
    assert str(caught.value) == (
        f"{url} asks who we are, or there is no such repository\n"
        f"  fatal: could not read Username for '{url[:-2]}': terminal prompts disabled\n"
        "  mend: store the credentials where git finds them without asking (a credential helper),"
        " or correct the address"
    )
    assert not (tmp_path / "asked").exists()


def test_a_password_that_is_refused_is_not_said(answering, cache):
    url = answering(401).replace("://", "://ada:secret@")
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert "asks who we are" in caught.value.what
    assert "secret" not in str(caught.value)


def test_a_page_that_is_not_there(answering, cache):
    url = answering(404)
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert str(caught.value) == (
        f"there is no repository at {url}\n  fatal: repository '{url}/' not found\n  mend: correct the address"
    )


OTHERWISE = "answers, but not as a repository does"
EMPTY = "has no branch and no tag: it is empty, or a page and no repository"


@pytest.mark.parametrize(
    ("status", "page", "what"),
    [
        (200, b"<!doctype html>\n<html>\n<head>\n\t<title>A page</title>\n</head></html>\n", OTHERWISE),
        (200, b'{"message": "hello"}\n', OTHERWISE),
        (200, b"<!doctype html><html><title>A page</title></html>", EMPTY),
        (200, b"", EMPTY),
        (403, b"No.", "does not let us in"),
        (503, b"Later.", "cannot answer now"),
    ],
)
def test_what_answers_and_is_no_repository_is_said_and_not_kept(answering, cache, status, page, what):
    url = answering(status, page)
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert caught.value.what == f"{url} {what}"
    assert caught.value.mend
    assert left(cache) == ["guard"]


def test_a_repository_without_a_commit_is_not_kept_and_one_with_is(repo, cache):
    history = repo("new")
    with pytest.raises(RepositoryError) as caught:
        open_repo(history.url, cache)
    assert str(caught.value) == (f"{history.url} has no branch and no tag\n  mend: name a repository that has commits")
    assert left(cache) == ["guard"]
    history.commit({"a": "1\n"})
    with open_repo(history.url, cache) as found:
        assert resolve(found, "main").subject == "change"


def test_a_file_address_of_nothing(cache, tmp_path):
    url = f"file://{tmp_path}/none"
    with pytest.raises(RepositoryError) as caught:
        open_repo(url, cache)
    assert caught.value.what == f"there is no repository at {url}"
    assert left(cache) == ["guard"]


SAID = [
    ("fatal: could not read Username for 'x': terminal prompts disabled", "x asks who we are"),
    ("remote: no\nfatal: Authentication failed for 'x'", "x asks who we are"),
    ("git@host: Permission denied (publickey).\nfatal: Could not read", "x lets us in by no key that ssh has"),
    ("Host key verification failed.\nfatal: Could not read", "x lets us in by no key that ssh has"),
    ("fatal: unable to access 'x': Could not resolve host: h", "the host of x is not known"),
    ("ssh: connect to host h port 22: Connection refused", "x cannot be reached"),
    ("fatal: detected dubious ownership in repository at 'x'", "git does not trust who owns x"),
    ("fatal: 'x' does not appear to be a git repository", "there is no repository at x"),
    ("fatal: x/info/refs not valid: is this a git repository?", "x answers, but not as a repository does"),
    ("fatal: unable to access 'x': The requested URL returned error: 502", "x cannot answer now"),
    ("fatal: write error: No space left on device", "the disk is full"),
    ("error: Server does not allow request for unadvertised object 1", "x does not give out a single object"),
    ("fatal: early EOF", "git could not fetch x"),
    ("", "git could not fetch x"),
]


@pytest.mark.parametrize(("said", "what"), SAID)
def test_what_git_says_is_put_in_our_words(said, what):
    error = explain("x", said)
    assert error.what.startswith(what)
    assert error.mend
    assert len(error.evidence) == (1 if said else 0)


# Which repository


def test_an_override_takes_the_place_of_the_address_alone():
    repository = Repository(url="https://h/x", branch="dev", root="src", commit="abc")
    pin = Pin(name="lib", version="1", kind="wheel", repository=repository, place="pin.yaml")
    assert upstream(pin) == upstream(pin, "") == repository
    other = upstream(pin, "../copy")
    assert other == Repository(url="../copy", branch="dev", root="src", commit="abc")


def test_a_pin_that_names_no_repository():
    pin = Pin(name="lib", version="1", kind="wheel", place="pin.yaml")
    assert upstream(pin, "../copy") == Repository(url="../copy")
    with pytest.raises(RepositoryError) as caught:
        upstream(pin)
    assert str(caught.value) == (
        "pin.yaml: the pin names no repository to compare with\n"
        "  mend: add `repository: {url: …}` to the pin, or name one with --upstream"
    )
