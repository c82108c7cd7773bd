"""The MkDocs plugin, in real builds of a small project: clean builds, failures, serving, source views."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError
from rendering import preformatted

from snippetlock import extension
from snippetlock.plugin import SnippetlockPlugin
from snippetlock.workflow import open_project, update
from snippetlock.workflow.proof import proof

FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en"]\n',
    "pin.yaml": 'name: demo\nversion: "1.2"\nfolder: lib\n',
    "snippets/demo.yaml": "greet:\n  source: demo:greet\n",
    "lib/demo/__init__.py": '"""Demo."""\n\n\ndef greet(name):\n    """Greet.\n\n    ```python\n\tgreet("x")\n'
    '    ```\n    """\n    return f\'<{name}> & co\'\n',
    "lib/LICENSE": "Do as you like.\n",
    "docs/index.md": "---\ntitle: Home\n---\n\n# Home\n\n"
    '- item\n\n    ```python snippet="greet"\n    ```\n\n```toml unsourced="an example"\na = "\t"\n```\n',
    "docs/more/page.md": '# More\n\n!!! note\n\n    ```python snippet="greet"\n    ```\n',
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    update(open_project(tmp_path, tmp_path / "cache"))
    yield tmp_path
    extension.held.project, extension.held.serving = None, False


def config_of(root: Path, command: str = "build", **more):
    (root / "mkdocs.yml").write_text("site_name: demo\n")
    extensions = more.pop("markdown_extensions", ["admonition", "pymdownx.superfences"])
    config = load_config(
        config_file=str(root / "mkdocs.yml"), plugins=[], theme="mkdocs", markdown_extensions=extensions, **more
    )
    config.plugins["snippetlock"] = SnippetlockPlugin()
    config.plugins.on_startup(command=command, dirty=False)
    return config


@pytest.mark.parametrize("directories", [True, False])
def test_a_build_is_proven(project, directories):
    build(config_of(project, use_directory_urls=directories, strict=True))
    report = proof(open_project(project, project / "cache"), project / "site")
    assert report.findings == ()
    assert dict(report.counts) == {"pages": 2, "blocks": 3, "diagrams": 0, "source views": 1}
    page = project / ("site/more/page/index.html" if directories else "site/more/page.html")
    up = "../../" if directories else "../"
    assert f'href="{up}sources/demo/__init__.py.html#L4-L11"' in page.read_text()


def failure(project, caplog) -> str:
    """What a failing build logs; MkDocs says a `BuildError` in one line and no traceback."""
    caplog.clear()
    with pytest.raises(Abort):
        build(config_of(project))
    return caplog.messages[-1]


def test_a_build_fails_with_the_place_in_the_file(project, caplog):
    page = project / "docs/index.md"
    page.write_text(page.read_text().replace('"greet"', '"gret"'))
    said = failure(project, caplog)
    assert said == "docs/index.md:9:15: no definition has the id 'gret'\n  mend: did you mean 'greet'?"


def test_an_extension_that_is_named_already_is_not_named_twice(project):
    config = config_of(project, markdown_extensions=["snippetlock.extension"])
    build(config)
    assert config.markdown_extensions.count("snippetlock.extension") == 1
    assert [len(preformatted(file.read_text())) for file in [project / "site/index.html"]] == [2]


def test_what_is_wrong_with_the_project_is_a_clean_failure_too(project, caplog):
    (project / "pin.yaml").write_text("name: demo\nfolder: absent\n")
    assert failure(project, caplog).startswith("pin.yaml: the pinned folder does not exist")
    (project / "pyproject.toml").write_text("[tool.snippetlock]\ncolour = 1\n")
    assert failure(project, caplog).startswith("pyproject.toml:2:1: unknown key 'colour'")
    (project / "pyproject.toml").unlink()
    assert failure(project, caplog).startswith("no docs project here")


@pytest.mark.parametrize(("docs", "built"), [("docs/more", "docs"), ("docs", "docs/more")])
def test_a_site_of_more_or_fewer_pages_than_are_held_is_not_built(project, docs, built):
    (project / "pyproject.toml").write_text(f'[tool.snippetlock]\nlanguages = ["en"]\ndocs = "{docs}"\n')
    config = config_of(project)
    config.docs_dir = str(project / built)
    with pytest.raises(BuildError) as caught:
        config.plugins.on_config(config)
    assert str(caught.value) == (
        f"docs_dir is {project / built}, and [tool.snippetlock] holds the pages in {project / docs}\n"
        "  mend: name the same folder in mkdocs.yml (docs_dir) and in pyproject.toml (docs)"
    )
    config.docs_dir = str(project / docs)
    config.plugins.on_config(config)


def test_a_copy_of_the_docs_is_built_as_they_are(project):
    shutil.copytree(project / "docs", project / "copy")
    config = config_of(project)
    config.docs_dir = str(project / "copy")
    build(config)
    assert proof(open_project(project, project / "cache"), project / "site").findings == ()


def test_source_views_that_cannot_be_made_are_a_clean_failure(project, monkeypatch):
    config = config_of(project)
    config.plugins.on_config(config)
    (project / "lib/demo/__init__.py").write_text("nothing = 1\n")
    with pytest.raises(BuildError, match="greet"):
        config.plugins["snippetlock"].on_post_build(config=config)


def test_serving_shows_a_box_and_watches_what_is_quoted(project):
    page = project / "docs/index.md"
    page.write_text(page.read_text().replace('"greet"', '"gret"'))
    config = config_of(project, "serve")
    build(config)
    html = (project / "site/index.html").read_text()
    assert html.count('role="alert"') == 1
    assert "docs/index.md:9:15: no definition has the id" in html
    assert (project / "site/more/page/index.html").exists()

    class Server:
        def __init__(self):
            self.watched = []

        def watch(self, path):
            self.watched.append(Path(path).relative_to(project).as_posix())

    server = Server()
    assert config.plugins["snippetlock"].on_serve(server, config=config, builder=None) is server
    assert server.watched == ["snippets", "snippets/snippets.lock", "pin.yaml", "lib"]


@pytest.mark.parametrize(("strict", "level"), [(False, "WARNING"), (True, "INFO")])
def test_serving_says_in_the_terminal_too_what_is_wrong(project, caplog, strict, level):
    caplog.set_level("INFO")
    build(config_of(project, "serve", strict=strict))
    assert [record for record in caplog.records if "snippetlock" in record.name] == []

    page = project / "docs/index.md"
    page.write_text(page.read_text().replace('"greet"', '"gret"'))
    build(config_of(project, "serve", strict=strict))
    assert [(r.name, r.levelname, r.message) for r in caplog.records if "snippetlock" in r.name] == [
        (
            "mkdocs.plugins.snippetlock",
            level,
            "docs/index.md:9:15: no definition has the id 'gret'\n  mend: did you mean 'greet'?",
        )
    ]
    assert 'role="alert"' in (project / "site/index.html").read_text()


def test_every_build_looks_anew(project):
    config = config_of(project)
    build(config)
    (project / "lib/demo/__init__.py").write_text("def greet(name):\n    return 'changed'\n")
    with pytest.raises(Abort):
        build(config_of(project))  # `check` did not run, and still nothing unaccepted is published
    update(open_project(project, project / "cache"))
    build(config_of(project))
    assert preformatted((project / "site/index.html").read_text())[0].text.endswith("'changed'\n")


def test_builds_of_one_state_share_one_look(project, monkeypatch):
    monkeypatch.setattr("snippetlock.plugin.stamp", lambda project: "as it was")
    config = config_of(project)
    build(config)
    first, views = extension.held.project, config.plugins["snippetlock"].views
    view = project / "site/sources/demo/__init__.py.html"
    written = view.stat().st_ino
    config.plugins.on_config(config)
    config.plugins["snippetlock"].on_post_build(config=config)
    assert view.stat().st_ino == written
    for spoil in (Path.unlink, lambda file: file.write_text("altered")):
        spoil(view)
        config.plugins.on_config(config)
        config.plugins["snippetlock"].on_post_build(config=config)
        assert view.read_bytes() == views["sources/demo/__init__.py.html"]
    assert extension.held.project is first
    assert config.plugins["snippetlock"].views is views


def test_without_a_file_the_working_directory_counts(project, monkeypatch):
    config = config_of(project)
    config.config_file_path = None
    monkeypatch.chdir(project / "docs")
    config.plugins.on_config(config)
    assert extension.held.project.config.root == project
