"""Addresses on the web, host by host."""

import pytest

from snippetlock.links import commit_link, fragment, number_link, permalink, web
from snippetlock.model import Repository

HOSTS = [
    ("https://github.com/a/lib", "/blob/abc/src/p/x.py#L1-L9", "/blob/abc/src/p/x.py#L7", "/commit/abc"),
    ("https://git.example.org/a/lib", "/blob/abc/src/p/x.py#L1-L9", "/blob/abc/src/p/x.py#L7", "/commit/abc"),
    ("https://gitlab.com/a/b/lib", "/-/blob/abc/src/p/x.py#L1-9", "/-/blob/abc/src/p/x.py#L7", "/-/commit/abc"),
    ("https://gitlab.example.org/lib", "/-/blob/abc/src/p/x.py#L1-9", "/-/blob/abc/src/p/x.py#L7", "/-/commit/abc"),
    ("https://codeberg.org/a/lib", "/src/commit/abc/src/p/x.py#L1-L9", "/src/commit/abc/src/p/x.py#L7", "/commit/abc"),
    ("https://gitea.x.org/a/lib", "/src/commit/abc/src/p/x.py#L1-L9", "/src/commit/abc/src/p/x.py#L7", "/commit/abc"),
    ("https://bitbucket.org/a/lib", "/src/abc/src/p/x.py#lines-1:9", "/src/abc/src/p/x.py#lines-7", "/commits/abc"),
    ("https://git.sr.ht/~a/lib", "/tree/abc/item/src/p/x.py#L1-9", "/tree/abc/item/src/p/x.py#L7", "/commit/abc"),
]


@pytest.mark.parametrize(("url", "several", "one", "commit"), HOSTS)
def test_each_host_in_its_way(url, several, one, commit):
    repository = Repository(url=url, root="src")
    assert permalink(repository, "abc", "p/x.py", 1, 9) == url + several
    assert permalink(repository, "abc", "p/x.py", 7, 7) == permalink(repository, "abc", "p/x.py", 7) == url + one
    assert permalink(repository, "abc", "p/x.py") == url + one.partition("#")[0]
    assert commit_link(repository, "abc") == url + commit


WEB = [
    ("https://github.com/a/lib", "https://github.com/a/lib"),
    ("https://github.com/a/lib.git/", "https://github.com/a/lib"),
    ("http://host:8080/a/lib", "http://host:8080/a/lib"),
    ("https://user:secret@host/a/lib", "https://host/a/lib"),
    ("git@github.com:a/lib.git", "https://github.com/a/lib"),
    ("ssh://git@host:2222/a/lib.git", "https://host/a/lib"),
    ("git://host/a/lib", "https://host/a/lib"),
    ("file:///srv/lib", ""),
    ("/srv/lib", ""),
    ("../lib", ""),
]


@pytest.mark.parametrize(("url", "want"), WEB)
def test_the_web_page_of_a_repository(url, want):
    assert web(url) == want
    link = f"{want}/blob/abc/a.py#L2" if want else ""
    assert permalink(Repository(url=url), "abc", "a.py", 2) == link
    assert commit_link(Repository(url=url), "abc") == (f"{want}/commit/abc" if want else "")


def test_no_commit_no_link():
    assert permalink(Repository(url="https://host/lib"), None, "a.py") == ""


def test_a_path_is_quoted():
    path = 'a b/"q"#?/编译.py'
    assert permalink(Repository(url="https://h/l"), "abc", path) == (
        "https://h/l/blob/abc/a%20b/%22q%22%23%3F/%E7%BC%96%E8%AF%91.py"
    )
    assert permalink(Repository(url="https://h/l"), "abc", "a\udcff.py") == "https://h/l/blob/abc/a%FF.py"


def test_our_own_views_mark_lines_as_github_does():
    assert (fragment(3, 3), fragment(3, 4), fragment(3)) == ("L3", "L3-L4", "L3")


@pytest.mark.parametrize(
    ("home", "link"),
    [
        ("https://github.com/o/n", "https://github.com/o/n/issues/7"),
        ("https://gitlab.com/o/n", "https://gitlab.com/o/n/-/issues/7"),
        ("https://git.sr.ht/~o/n", ""),
        ("", ""),
    ],
)
def test_a_number_of_a_subject(home, link):
    assert number_link(home, "7") == link
