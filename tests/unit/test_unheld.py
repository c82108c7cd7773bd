"""Blocks that nothing holds, in a project that says how many it has: they stand, are counted, and all else is held."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes import FakeProject, snippet
from rendering import SUPER, render, write_source_views
from small import accepted, findings, write

from snippetlock import extension
from snippetlock.extension import SnippetlockExtension
from snippetlock.references import scan
from snippetlock.references.places import published
from snippetlock.report.labels import labels
from snippetlock.report.verification import verification_html
from snippetlock.workflow import open_project
from snippetlock.workflow.proof import proof
from snippetlock.workflow.verification import verification

PAGE = """# Shop

```python snippet="total"
```

```python
total([1, 2])
```

    pip install shop

```text unsourced="a sample"
3
```

```mermaid
graph LR
    a --> b
```

- in a list

    ```
    a|b
    ```
"""


def files(unheld: str = "", page: str = PAGE) -> dict[str, str]:
    return {
        "pyproject.toml": "[tool.snippetlock]\n" + (f"unheld = {unheld}\n" if unheld else ""),
        "pin.yaml": "name: shop\nfolder: lib\n",
        "lib/shop.py": "def total(prices):\n    return sum(prices)\n",
        "snippets/shop.yaml": "total:\n  source: shop:total\n",
        "docs/index.md": page,
    }


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "shop"


def said(run, root) -> list[tuple[str, int, str]]:
    return [(one["path"], one["line"], one["rule"]) for one in findings(run, root)]


@pytest.mark.parametrize(
    ("text", "unheld"),
    [
        ("```python\nx = 1\n```\n", True),
        ("    x = 1\n", True),
        ("<pre>x</pre>\n", True),
        ("```mermaid\nno kind of diagram\n```\n", True),
        ('```python snippet="a"\n```\n', False),
        ('```console run="a"\n```\n', False),
        ('```text unsourced="r"\nx\n```\n', False),
        ('```text message="KeyError"\nx\n```\n', False),
        ("```mermaid\ngraph LR\n    a --> b\n```\n", False),
        ("```python\nx = 1\n", False),  # never closed: a finding of its own
        ('```python {test="skip" lint="skip"}\nx = 1\n```\n', True),
        ('```{.textual path="a.py" columns="9"}\n```\n', True),
        ('```python snipet="a"\n```\n', False),
        ('```python unsourced="r" path="a"\nx\n```\n', False),
    ],
)
def test_which_blocks_nothing_holds(text, unheld):
    (block,) = scan(text).blocks
    assert block.unheld is unheld


def test_without_the_key_each_is_a_finding(root, run):
    accepted(root, files(), run)
    assert said(run, root) == [("docs/index.md", line, "SL112") for line in (6, 10, 23)]
    assert "unheld" not in run("check", cwd=root)[1]


@pytest.mark.parametrize("unheld", ["3", '"any"'])
def test_with_it_they_stand_and_are_counted(root, run, unheld):
    accepted(root, files(unheld), run)
    closing = "1 snippet, 1 page, 1 unsourced block, 3 unheld blocks, 1 diagram, 0 findings\n"
    assert run("check", cwd=root) == (0, closing, "")
    assert json.loads(run("check", "--format", "json", cwd=root)[1])["counts"]["unheld blocks"] == 3


def test_one_more_is_a_finding_where_their_number_stands(root, run):
    accepted(root, files("3"), run)
    write(root / "docs/new.md", "```python\nnew = 1\n```\n")
    (found,) = findings(run, root)
    assert (found["path"], found["line"], found["column"], found["rule"]) == ("pyproject.toml", 2, 1, "SL118")
    assert found["message"] == "4 blocks have no source and no reason, 1 more than `unheld` allows"
    assert found["evidence"] == ["docs/index.md  3", "docs/new.md  1"]
    write(root / "docs/new.md", '```python unsourced="a sample"\nnew = 1\n```\n')
    assert findings(run, root) == []


@pytest.mark.parametrize(
    ("page", "message", "mend"),
    [
        (
            PAGE.replace("    pip install shop\n", ""),
            "2 blocks have no source and no reason, 1 fewer than `unheld` allows",
            "write unheld = 2, so that no new one takes the place",
        ),
        (
            '```python snippet="total"\n```\n\n```python\nx = 1\n```\n',
            "1 block has no source and no reason, 2 fewer than `unheld` allows",
            "write unheld = 1, so that no new one takes the place",
        ),
        (
            '```python snippet="total"\n```\n',
            "no block has no source and no reason, 3 fewer than `unheld` allows",
            "take `unheld` out",
        ),
    ],
)
def test_fewer_are_a_finding_too_so_that_the_number_goes_down(root, run, page, message, mend):
    accepted(root, files("3", page), run)
    (found,) = findings(run, root)
    assert (found["path"], found["line"], found["rule"]) == ("pyproject.toml", 2, "SL118")
    assert (found["message"], found["mend"]) == (message, mend)


def test_where_any_number_may_be_no_number_is_a_finding(root, run):
    accepted(root, files('"any"', '```python snippet="total"\n```\n'), run)
    assert findings(run, root) == []
    write(root / "docs/new.md", "```python\nnew = 1\n```\n" * 5)
    assert findings(run, root) == []


def test_what_is_quoted_is_held_as_ever(root, run):
    accepted(root, files('"any"'), run)
    write(root / "lib/shop.py", "def total(prices):\n    return max(prices)\n")
    assert [one[2] for one in said(run, root)] == ["SL103"]
    write(root / "lib/shop.py", "def total(prices):\n    return sum(prices)\n")
    assert said(run, root) == []
    write(root / "docs/b.md", '```python snippet="totl"\n```\n\n```python snippet="total"\nx\n```\n')
    assert said(run, root) == [("docs/b.md", 1, "SL111"), ("docs/b.md", 5, "SL113")]


def test_options_of_other_tools_are_theirs_to_know(root, run):
    foreign = '\n```python {test="skip" lint="skip"}\nx = 1\n```\n'
    accepted(root, files("4", PAGE + foreign), run)
    assert findings(run, root) == []
    write(root / "pyproject.toml", "[tool.snippetlock]\n")
    assert {one["message"] for one in findings(run, root) if one["rule"] == "SL113"} == {
        "unknown option '{test'",
        "unknown option 'lint'",
        "unknown option '}'",
    }


@pytest.mark.parametrize(
    "fence",
    ['python snipet="total"', 'python snippet="total" path="a"', 'text unsourced="r" path="a"', 'python Run="a"'],
)
def test_an_option_that_could_be_meant_for_one_of_ours_or_beside_one_is_not(root, run, fence):
    accepted(root, files('"any"'), run)
    body = "" if 'snippet="' in fence else "x\n"
    write(root / "docs/b.md", f"```{fence}\n{body}```\n")
    assert said(run, root) == [("docs/b.md", 1, "SL113")]
    write(root / "docs/b.md", "```python\nx\n```\n")
    assert said(run, root) == []


def test_a_block_that_says_it_is_a_message_is_not_let_through_unheld(root, run):
    page = PAGE + '\n```text message="KeyError"\nno such price\n```\n'
    accepted(root, files('"any"', page), run)
    assert said(run, root) == [("docs/index.md", 27, "SL112")]


def test_twins_have_them_in_the_same_places(root, run):
    made = files('"any"') | {"docs/index.zh.md": PAGE.replace("in a list", "在列表里")}
    made["pyproject.toml"] += 'languages = ["en", "zh"]\n'
    accepted(root, made, run)
    assert said(run, root) == []
    write(root / "docs/index.zh.md", made["docs/index.zh.md"].replace("```python\ntotal([1, 2])\n```\n\n", ""))
    assert [one[2] for one in said(run, root)] == ["SL403"]


def test_they_are_listed(root, run):
    accepted(root, files("3"), run)
    assert run("list", "--unheld", cwd=root)[1] == (
        "PLACE             LANGUAGE  LINES  BEGINS\n"
        "docs/index.md:6   python    1      total([1, 2])\n"
        "docs/index.md:10  -         1      pip install shop\n"
        "docs/index.md:23  -         1      a|b\n"
        "\n"
        "3 unheld blocks on 1 page; unheld = 3\n"
    )


def test_where_there_is_none_the_list_says_so(root, run):
    accepted(root, files(page='```python snippet="total"\n```\n'), run)
    assert run("list", "--unheld", cwd=root) == (0, "0 unheld blocks on 0 pages; unheld = 0\n", "")
    write(root / "pyproject.toml", '[tool.snippetlock]\nunheld = "any"\n')
    assert run("list", "--unheld", cwd=root) == (0, '0 unheld blocks on 0 pages; unheld = "any"\n', "")


def test_a_long_first_line_is_cut_off_in_the_list(root, run):
    accepted(root, files('"any"', f'```python snippet="total"\n```\n\n```\n\n{"x" * 61}\x1b\n```\n'), run)
    assert run("list", "--unheld", cwd=root)[1].split("\n")[1].endswith(f"  {'x' * 60} …")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_verification_page_lists_them(root, run, language):
    accepted(root, files('"any"'), run)
    words = labels(language)
    record = verification(open_project(root, root.parent / "cache"), "en")
    shown = verification_html(record, words, str)
    assert words.typed.format(count=3) in shown
    assert "docs/index.md:6</code></a></td><td><code>total([1, 2])</code>" in shown
    none = verification_html(replace(record, typed=()), words, str)
    assert 'id="snippetlock-unheld"' not in none
    assert words.no_others in verification_html(replace(record, typed=(), others=()), words, str)
    assert words.no_reasons in verification_html(replace(record, others=()), words, str)


# The site


PAGES = {
    "index.md": '```python snippet="one"\n```\n\n```python\ntyped = 1\n```\n\n    indented = 1\n\n'
    '```python snippet="two"\n```\n\n```\nlast = 1\n```\n',
}


@pytest.fixture
def project(tmp_path):
    made = FakeProject(
        [snippet("one", "a = 1\n"), snippet("two", "b = 2\n", first=9)], PAGES, root=tmp_path, languages=("en",)
    )
    made.config = replace(made.config, unheld=3)
    made.tree = FakeProject(files={"demo/a.py": "".join(f"line_{n} = {n}\n" for n in range(40))}).tree
    write(tmp_path / "pyproject.toml", "[tool.snippetlock]\nunheld = 3\n")
    yield made
    extension.held.project = None


def site(project):
    extension.held.project = project
    folder = project.config.root / "site"
    for page in project.pages:
        body = render(page.text, [*SUPER, SnippetlockExtension(page=page.name)])
        write(folder / published(page.name, page.language, ("en",)), f"<!doctype html>\n<body>{body}</body>\n")
    write_source_views(project, folder)
    return folder


def edit(folder, old, new):
    file = folder / "index.html"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def proven(project, folder):
    return [(f.rule, str(f.place), f.message) for f in proof(project, folder).findings]


def test_the_extension_leaves_them_to_markdown(project):
    extension.held.project = project
    shown = render(PAGES["index.md"], [*SUPER, SnippetlockExtension(page="index.md")])
    plain = render("```python\ntyped = 1\n```\n", SUPER)
    assert plain.strip() in shown
    assert shown.count("<figure") == 2
    project.config = replace(project.config, unheld=0)
    with pytest.raises(Exception, match="a code block of 1 line that has no source"):
        render(PAGES["index.md"], [*SUPER, SnippetlockExtension(page="index.md")])


def test_a_site_with_them_is_proven_and_they_are_counted(project):
    report = proof(project, site(project))
    assert report.findings == ()
    assert dict(report.counts) == {
        "pages": 1,
        "blocks": 5,
        "unheld blocks": 3,
        "diagrams": 0,
        "source views": 1,
    }


def test_what_became_of_them_is_not_asked(project):
    folder = site(project)
    edit(folder, "indented", "changed")
    edit(folder, "last", "other")
    assert proven(project, folder) == []
    edit(folder, '<pre class="highlight"><code class="language-python">typed = 1</code></pre>', "<div>typed</div>")
    assert proven(project, folder) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('<span class="n">b</span>', '<span class="n">c</span>', "what is published is not 'two'"),
        ('data-snippet="two"', 'data-snippet="too"', "what is published beside 'two' is not what the snippet says"),
    ],
)
def test_a_quotation_between_them_is_proven_as_ever(project, old, new, found):
    folder = site(project)
    edit(folder, "indented", "changed")  # right before it
    edit(folder, old, new)
    assert proven(project, folder) == [("SL121", "docs/index.md:10", found)]


def test_a_quotation_that_is_missing_is_not_taken_for_one_of_them(project):
    folder = site(project)
    text = (folder / "index.html").read_text(encoding="utf-8")
    at = text.rindex("<figure")
    (folder / "index.html").write_text(text[:at] + text[text.rindex("</figure>") + 9 :], encoding="utf-8")
    assert proven(project, folder) == [("SL122", "docs/index.md:10", "'two' was not published")]


def test_a_block_more_than_the_page_has_is_found(project):
    folder = site(project)
    edit(folder, "</body>", "<pre>new = 1</pre></body>")
    assert [rule for rule, *_ in proven(project, folder)] == ["SL123"]


def test_a_site_with_more_than_may_be_is_not_proven(project):
    folder = site(project)
    project.config = replace(project.config, unheld=2)
    assert proven(project, folder) == [
        ("SL118", "pyproject.toml:2:1", "3 blocks have no source and no reason, 1 more than `unheld` allows")
    ]
    project.config = replace(project.config, unheld=4)  # what check says: the site is as it is to be
    assert proven(project, folder) == []


LIBRARY = "<pre>line_3 = 3\nline_4 = 4\n</pre>"


@pytest.mark.parametrize("place", ["</body>", '<pre class="highlight"><code>indented'])
def test_what_another_generator_shows_of_the_library_may_be_on_their_pages(project, place):
    folder = site(project)
    edit(folder, place, LIBRARY + place)
    assert proven(project, folder) == []
    edit(folder, "line_4 = 4", "line_4 = 5")
    assert [rule for rule, *_ in proven(project, folder)] == ["SL123"]


def test_where_every_block_is_held_it_may_not(tmp_path):
    pages = {"index.md": '```python snippet="one"\n```\n\n```python snippet="two"\n```\n'}
    snippets = [snippet("one", "a = 1\n"), snippet("two", "b = 2\n", first=9)]
    text = "".join(f"line_{n} = {n}\n" for n in range(40))
    made = FakeProject(snippets, pages, root=tmp_path, languages=("en",), files={"demo/a.py": text})
    folder = site(made)
    assert proven(made, folder) == []
    edit(folder, "</body>", LIBRARY + "</body>")
    assert [rule for rule, *_ in proven(made, folder)] == ["SL123"]
    made.config = replace(made.config, unheld=None)
    assert proven(made, folder) == []
    extension.held.project = None


# Which are new


@pytest.fixture
def docs(tmp_path, monkeypatch, run, repo):
    """A project with a history: its number was written in the second commit."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history = repo("shop")
    history.commit(files(page="# Shop\n"))
    accepted(history.folder, files("3"), run)
    history.commit(message="begin")
    assert run("check", cwd=history.folder)[0] == 0
    return history


def test_a_new_block_is_found_where_it_stands(docs, run):
    write(docs.folder / "docs/new.md", "# New\n\n```python\nnew = 1\n```\n")
    (found,) = findings(run, docs.folder)
    assert (found["path"], found["line"], found["rule"]) == ("docs/new.md", 3, "SL118")
    assert found["message"] == "4 blocks have no source and no reason, 1 more than `unheld` allows"
    assert found["evidence"] == ["pyproject.toml:2:1  unheld = 3", "docs/new.md:3  new = 1"]
    assert found["mend"] == 'quote the new one, or say why it has no source: unsourced="reason"'
    docs.commit()  # as a change under review is
    assert findings(run, docs.folder) == [found]
    write(docs.folder / "docs/new.md", '# New\n\n```python unsourced="a sample"\nnew = 1\n```\n')
    assert findings(run, docs.folder) == []


def test_one_that_moved_to_another_page_is_not_new(docs, run):
    block = "```python\ntotal([1, 2])\n```\n"
    write(docs.folder / "docs/index.md", PAGE.replace(block, ""))
    write(docs.folder / "docs/other.md", block)
    assert findings(run, docs.folder) == []
    write(docs.folder / "docs/aaa.md", "```python\ntotal([3])\n```\n")
    (found,) = findings(run, docs.folder)
    assert found["evidence"][1:] == ["docs/aaa.md:1  total([3])"]


def test_of_a_second_one_with_the_same_text_one_is_new(docs, run):
    write(docs.folder / "docs/second.md", "```python\ntotal([1, 2])\n```\n")
    (found,) = findings(run, docs.folder)
    assert found["evidence"][1:] == ["docs/second.md:1  total([1, 2])"]


def test_one_that_was_only_edited_is_not_new(docs, run):
    write(docs.folder / "docs/index.md", PAGE.replace("pip install shop", "pip install shops"))
    assert findings(run, docs.folder) == []
    write(docs.folder / "docs/new.md", "```python\nnew = 1\n```\n")
    (found,) = findings(run, docs.folder)
    assert (found["path"], found["line"]) == ("docs/new.md", 1)
    assert found["evidence"][1:] == ["docs/new.md:1  new = 1"]


def test_all_that_are_new_are_named(docs, run):
    write(docs.folder / "docs/index.md", PAGE.replace("total([1, 2])", "while wanted: fetch(more, of='it')"))
    write(docs.folder / "docs/new.md", "```python\nnew = 1\n```\n")
    (found,) = findings(run, docs.folder)
    assert found["evidence"][1:] == ["docs/index.md:6  while wanted: fetch(more, of='it')", "docs/new.md:1  new = 1"]
    assert found["mend"].startswith("quote what is new since that was written, or say why")


def test_pages_behind_a_link_have_no_history(docs, run):
    (docs.folder / "docs").rename(docs.folder / "pages")
    (docs.folder / "docs").symlink_to("pages")
    docs.commit(message="link")
    write(docs.folder / "pyproject.toml", "[tool.snippetlock]\nunheld = 2\n")
    docs.commit(message="fewer")
    (found,) = findings(run, docs.folder)
    assert (found["path"], found["evidence"]) == ("pyproject.toml", ["docs/index.md  3"])


def test_a_number_that_no_commit_has_tells_nothing_of_what_is_new(docs, run):
    write(docs.folder / "pyproject.toml", "[tool.snippetlock]\nunheld = 2\n")
    (found,) = findings(run, docs.folder)
    assert (found["path"], found["evidence"]) == ("pyproject.toml", ["docs/index.md  3"])


def test_a_project_below_the_top_of_its_repository_has_a_history_too(tmp_path, monkeypatch, run, repo):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    history = repo("whole")
    root = accepted(history.folder / "documentation", files("3"), run)
    history.commit()
    write(root / "docs/new.md", "```python\nnew = 1\n```\n")
    (found,) = findings(run, root)
    assert found["path"] == "docs/new.md"


def test_what_is_new_is_asked_again_by_the_next_check(docs, run):
    write(docs.folder / "pyproject.toml", "[tool.snippetlock]\nunheld = 2\n")
    assert findings(run, docs.folder)[0]["path"] == "pyproject.toml"
    write(docs.folder / "docs/index.md", '```python snippet="total"\n```\n\n```\na|b\n```\n\n```\nx\n```\n')
    docs.commit()
    write(docs.folder / "docs/index.md", PAGE)
    assert findings(run, docs.folder)[0]["path"] == "docs/index.md"
