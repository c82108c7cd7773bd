"""Definitions files: what an entry becomes, and every refusal with file, line and column."""

import os
from pathlib import Path

import pytest

import snippetlock.config
import snippetlock.source
from snippetlock.config import definition_files, load_config, parse_definitions, read_definitions
from snippetlock.errors import ConfigError
from snippetlock.model import Place, Selector, View


@pytest.fixture
def project(tmp_path):
    """`project({"a.yaml": "…"}) -> Config` with these files in `snippets/`."""

    def make(files):
        (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
        (tmp_path / "snippets").mkdir(exist_ok=True)
        for name, text in files.items():
            (tmp_path / "snippets" / name).write_bytes(text.encode())
        return load_config(tmp_path)

    return make


def at(line, column, file="a.yaml"):
    return Place(path=f"snippets/{file}", line=line, column=column)


def test_an_entry_becomes_a_definition_with_the_place_of_each_key(project):
    text = (
        "gemm-op:\n  source: pkg.mod:Gemm\n  show: skeleton\n  keep: [run,\n    stop]\n"
        '  docstrings: summary\n  comments: drop\n  highlight: ["run()"]\n  imports: true\n'
    )
    (found,) = read_definitions(project({"a.yaml": text}))
    assert found.id == "gemm-op"
    assert found.selector == Selector(text="pkg.mod:Gemm", module="pkg.mod", name="Gemm")
    assert found.view == View(
        show="skeleton", keep=("run", "stop"), docstrings="summary", comments="drop", highlight=("run()",), imports=True
    )
    assert found.place == at(1, 1)
    assert found.places == {
        "source": at(2, 3),
        "show": at(3, 3),
        "keep": at(4, 3),
        "keep.0": at(4, 10),
        "keep.1": at(5, 5),
        "docstrings": at(6, 3),
        "comments": at(7, 3),
        "highlight": at(8, 3),
        "highlight.0": at(8, 15),
        "imports": at(9, 3),
    }


def test_a_range_is_read_with_the_place_of_each_key(project):
    text = 'x:\n  source: m:f\n  from: "def call"\n  to: |\n    return $_\n  match: g($x)\n  count: 2\n'
    (found,) = read_definitions(project({"a.yaml": text}))
    assert found.view == View(from_="def call", to="return $_\n", match="g($x)", count=2)
    assert [(key, str(found.places[key])) for key in ("from", "to", "match", "count")] == [
        ("from", "snippets/a.yaml:3:3"),
        ("to", "snippets/a.yaml:4:3"),
        ("match", "snippets/a.yaml:6:3"),
        ("count", "snippets/a.yaml:7:3"),
    ]


def test_a_source_alone_is_shown_whole(project):
    (found,) = read_definitions(project({"a.yaml": "x: {source: pkg:f}\n"}))
    assert found.view == View()


def test_line_ends_of_windows_change_nothing(project):
    text = "x:\n  source: pkg:f\n  show: body\ny:\n  source: pkg:g\n"
    unix = read_definitions(project({"a.yaml": text}))
    assert read_definitions(project({"a.yaml": text.replace("\n", "\r\n")})) == unix


def test_files_are_read_in_the_order_of_their_names(project):
    files = {"b.yaml": "b: {source: m}\n", "a.yaml": "z: {source: m}\ny: {source: m}\n"}
    assert [d.id for d in read_definitions(project(files))] == ["z", "y", "b"]


def test_an_id_that_stands_twice_is_given_twice_for_the_check_to_report(project):
    files = {"a.yaml": "x: {source: m}\nx: {source: n}\n", "b.yaml": "x: {source: o}\n"}
    found = read_definitions(project(files))
    assert [(d.id, str(d.place)) for d in found] == [
        ("x", "snippets/a.yaml:1:1"),
        ("x", "snippets/a.yaml:2:1"),
        ("x", "snippets/b.yaml:1:1"),
    ]


def test_other_files_beside_the_definitions_are_not_read(project):
    config = project({"vocabulary.yaml": "- [", "snippets.lock": "- [", ".a.yaml": "- [", "a.py": "", "a.yaml": "x: 1"})
    (config.snippets / "examples").mkdir()
    assert [p.name for p in definition_files(config)] == ["a.yaml"]


def test_a_folder_without_definitions_has_none(project):
    assert read_definitions(project({})) == ()


TRUE = "write `true`, or leave the key out"
KEYS = "comments, count, docstrings, from, highlight, imports, keep, match, show, source, to"
REFUSED = [
    ("", "1:1: a definitions file is empty", "write `id: {source: module:name}`, or remove the file"),
    ("# later\n", "1:1: a definitions file is empty", "write `id: {source: module:name}`, or remove the file"),
    ("- x\n", "1:1: a definitions file is a list, not a mapping", "write `key: value` lines"),
    ("text\n", "1:1: a definitions file is text, not a mapping", "write `key: value` lines"),
    ("x:\n", "1:3: the definition 'x' is nothing, not a mapping", "write `key: value` lines"),
    ("x: pkg:f\n", "1:4: the definition 'x' is text, not a mapping", "write `key: value` lines"),
    ("x:\n  show: body\n", "2:3: the definition 'x' has no 'source'", "add `source:`"),
    ("x: {sorce: m}\n", "1:5: unknown key 'sorce' in the definition 'x'", f"did you mean 'source'? known keys: {KEYS}"),
    ("x: {Show: m}\n", "1:5: unknown key 'Show' in the definition 'x'", f"did you mean 'show'? known keys: {KEYS}"),
    ("x: {zzz: m}\n", "1:5: unknown key 'zzz' in the definition 'x'", f"known keys: {KEYS}"),
    (
        "x:\n  source: m\n  show: body\n  source: n\n",
        "4:3: the key 'source' stands twice in the definition 'x' (first at snippets/a.yaml:2:3)",
        "keep one of the two",
    ),
    (
        "Gemm_Op: {source: m}\n",
        "1:1: 'Gemm_Op' is not an id",
        "an id is lower-case letters, digits and hyphens, like 'gemm-op'",
    ),
    ("中: {source: m}\n", "1:1: '中' is not an id", "an id is lower-case letters, digits and hyphens"),
    ("x: {source: 1.5}\n", "1:13: source is a number (1.5), not text", 'quote it: "1.5"'),
    ("x: {source: [m]}\n", "1:13: source is a list, not text", "write one text"),
    ("x:\n  source:\n", "2:10: source is nothing, not text", "write one text"),
    ("x: {source: ' '}\n", "1:13: source is empty", "write a text, or leave the key out"),
    (
        "x: {source: m, show: skeletn}\n",
        "1:22: show is 'skeletn'",
        "did you mean 'skeleton'? it is one of: source, signature, skeleton, body, docstring",
    ),
    (
        "x: {source: m, show: 'off'}\n",
        "1:22: show is 'off'",
        "it is one of: source, signature, skeleton, body, docstring",
    ),
    ("x: {source: m, show: off}\n", "1:22: show is a true/false value (off), not text", 'quote it: "off"'),
    ("x: {source: m, docstrings: none}\n", "1:28: docstrings is 'none'", "it is one of: keep, drop, summary"),
    ("x: {source: m, comments: dropp}\n", "1:26: comments is 'dropp'", "did you mean 'drop'? it is one of: keep, drop"),
    ("x: {source: m, imports: yes}\n", "1:25: imports is a true/false value (yes), not true or false", TRUE),
    ("x: {source: m, imports: a}\n", "1:25: imports is text, not true or false", TRUE),
    ("x: {source: m, keep: run}\n", "1:22: keep is text, not a list", "write a list: [run]"),
    ("x: {source: m, keep: {a: b}}\n", "1:22: keep is a mapping, not a list", "write a list of texts: [one, two]"),
    ("x: {source: m, keep: []}\n", "1:22: keep is an empty list", "name at least one, or leave the key out"),
    ("x: {source: m, keep: [a, 1]}\n", "1:26: an item of keep is a number (1), not text", 'quote it: "1"'),
    ("x: {source: m, keep: [a, [b]]}\n", "1:26: an item of keep is a list, not text", "write one text"),
    ("x: {source: m, keep: [a, b, a]}\n", "1:29: keep says 'a' twice (first at line 1)", "keep one of the two"),
    ("x: {source: m, highlight: ['']}\n", "1:28: an item of highlight is empty", "write a text, or leave the key out"),
    (
        "x: {source: m, form: a}\n",
        "1:16: unknown key 'form' in the definition 'x'",
        f"did you mean 'from'? known keys: {KEYS}",
    ),
    ("x: {source: m, from: 1}\n", "1:22: from is a number (1), not text", 'quote it: "1"'),
    ("x: {source: m, to: [a]}\n", "1:20: to is a list, not text", "write one text"),
    ("x: {source: m, match: ''}\n", "1:23: match is empty", "write a text, or leave the key out"),
    (
        "x: {source: m, count: 0}\n",
        "1:23: count is a number (0), not a whole number from 1 on",
        "write it in digits: 3",
    ),
    ("x: {source: m, count: '3'}\n", "1:23: count is text, not a whole number from 1 on", "write it in digits: 3"),
    ("x: {source: pkg mod}\n", "1:16: source is 'pkg mod': a selector has a space in it", "take the space out"),
    ("x: {source: 'pkg mod'}\n", "1:17: source is 'pkg mod': a selector has a space in it", "take the space out"),
    ("x: {source: ' pkg'}\n", "1:13: source is ' pkg': a selector has a space in it", "take the space out"),
    (
        "x:\n  source: pkg:a:b\n",
        "2:16: source is 'pkg:a:b': a selector has two colons",
        "write dots between the parts of a name: `module:Class.method`",
    ),
    ("x: {source: >-\n", "1:13: not YAML", None),
    (
        "x: {source: &a m}\n",
        "1:13: an anchor (`&a`) is not used here",
        "write it out: nothing here stands for another place",
    ),
]


@pytest.mark.parametrize(("text", "want", "mend"), REFUSED)
def test_a_wrong_file_is_refused_with_its_place(text, want, mend, project):
    with pytest.raises(ConfigError) as caught:
        read_definitions(project({"a.yaml": text}))
    got = str(caught.value)
    if mend is None:
        assert got.startswith(f"snippets/a.yaml:{want}")
    else:
        assert got == f"snippets/a.yaml:{want}\n  mend: {mend}"


def test_a_text_that_is_not_written_yet_is_read_as_its_file_would_be(project):
    text = "x: {source: m}\ny: {source: n}\n"
    assert parse_definitions(text, "snippets/a.yaml") == read_definitions(project({"a.yaml": text}))
    with pytest.raises(ConfigError, match=r"^snippets/a\.yaml:1:1: a definitions file is a list"):
        parse_definitions("- x", "snippets/a.yaml")


@pytest.mark.parametrize("package", [snippetlock.config, snippetlock.source])
def test_a_package_offers_what_it_says_and_nothing_else(package):
    assert list(package.__all__) == sorted(package.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n))
    assert sorted(package._HOMES) == sorted(package.__all__)
    assert all(getattr(package, name) for name in package.__all__)
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_a_missing_folder_says_how_to_set_another(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
    with pytest.raises(ConfigError) as caught:
        read_definitions(load_config(tmp_path))
    assert str(caught.value) == (
        "snippets: there is no folder of definitions\n"
        "  mend: make it, or set `snippets` in [tool.snippetlock] to where the definitions are"
    )


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
    (tmp_path / "snippets").write_text("")
    with pytest.raises(ConfigError) as caught:
        read_definitions(load_config(tmp_path))
    assert str(caught.value) == (
        "snippets: cannot be read as a folder: Not a directory\n"
        "  mend: set `snippets` in [tool.snippetlock] to the folder where the definitions are"
    )


def test_a_folder_that_may_not_be_read(project, monkeypatch):
    config = project({"a.yaml": "x: {source: m}\n"})

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", refuse)
        with pytest.raises(ConfigError) as caught:
            read_definitions(config)
    said = "snippets: cannot be read as a folder: Permission denied\n  mend: make the folder readable"
    assert str(caught.value) == said
    assert [one.id for one in read_definitions(config)] == ["x"]


def test_a_folder_that_is_a_link_to_nothing(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.snippetlock]\n")
    (tmp_path / "snippets").symlink_to("elsewhere")
    with pytest.raises(ConfigError) as caught:
        read_definitions(load_config(tmp_path))
    assert str(caught.value) == (
        "snippets: a link to nothing\n"
        "  mend: point the link to the folder of definitions, or put the folder in its place"
    )
    (tmp_path / "elsewhere").mkdir()
    assert read_definitions(load_config(tmp_path)) == ()


def test_the_other_suffix_of_yaml_is_not_passed_over(project):
    with pytest.raises(ConfigError) as caught:
        read_definitions(project({"a.yml": "x: {source: m}\n"}))
    assert str(caught.value) == "snippets/a.yml: a definitions file ends in .yaml\n  mend: rename it to a.yaml"


@pytest.mark.parametrize("name", ["a.YAML", "a.Yml", "a.yMl"])
def test_nor_is_one_in_other_letters(name, project):
    with pytest.raises(ConfigError) as caught:
        read_definitions(project({name: "x: {source: m}\n"}))
    assert str(caught.value) == f"snippets/{name}: a definitions file ends in .yaml\n  mend: rename it to a.yaml"


@pytest.mark.parametrize(
    "name", ["sub/a.yaml", "sub/a.yml", "sub/deep/A.YAML", "more/examples/a.yaml", "linked/a.yaml"]
)
def test_a_definitions_file_in_a_sub_folder_is_not_passed_over(name, project):
    config = project({"a.yaml": "a: {source: m}\n"})
    if name.startswith("linked/"):
        (config.root / "elsewhere").mkdir()
        (config.snippets / "linked").symlink_to(config.root / "elsewhere")
        (config.root / "elsewhere" / "self").symlink_to(config.root / "elsewhere")
    file = config.snippets / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("b: {source: n}\n")
    with pytest.raises(ConfigError) as caught:
        read_definitions(config)
    assert str(caught.value) == (
        f"snippets/{name}: a definitions file in a sub-folder is not read\n"
        "  mend: move it to snippets/; programs and what they need go to snippets/examples/"
    )


def test_examples_hidden_folders_and_other_files_may_be_there(project):
    config = project({"a.yaml": "a: {source: m}\n"})
    for name in ("examples/run.yaml", "examples/deep/b.yml", ".editor/c.yaml", "sub/.d.yaml", "sub/e.txt"):
        (config.snippets / name).parent.mkdir(parents=True, exist_ok=True)
        (config.snippets / name).write_text("")
    assert [definition.id for definition in read_definitions(config)] == ["a"]


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_refused_and_not_waited_for(make, project):
    config = project({})
    make(config.snippets / "a.yaml")
    with pytest.raises(ConfigError) as caught:
        read_definitions(config)
    assert str(caught.value) == "snippets/a.yaml: is not a file\n  mend: remove it, or give it another name"


def test_a_link_to_nothing_is_an_error(project):
    config = project({})
    (config.snippets / "a.yaml").symlink_to("nowhere")
    with pytest.raises(ConfigError, match=r"snippets/a\.yaml: a link to nothing"):
        read_definitions(config)
