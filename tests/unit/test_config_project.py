"""`[tool.snippetlock]`, the project's root and the cache's place."""

from pathlib import Path

import pytest

from snippetlock.config import cache_dir, find_root, load_config
from snippetlock.config.project import place_of
from snippetlock.errors import ConfigError, SnippetlockError, UsageError

KNOWN = "docs, fail-on, languages, pin, references, snippets, take, title, twins, unheld"


def project(folder, text):
    (folder / "pyproject.toml").write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def test_what_the_table_leaves_out_has_its_default(tmp_path):
    config = load_config(project(tmp_path, "[tool.snippetlock]\n"))
    assert (config.root, config.docs, config.snippets) == (tmp_path, tmp_path / "docs", tmp_path / "snippets")
    assert (config.lock, config.pin) == (tmp_path / "snippets" / "snippets.lock", tmp_path / "pin.yaml")
    assert (config.languages, config.title) == (("en",), "")


def test_what_the_table_says_is_taken(tmp_path):
    paths = 'docs = "d"\nsnippets = "s/t"\npin = "p/pin.yaml"\n'
    text = f'[tool.snippetlock]\n{paths}languages = ["en", "pt-BR"]\ntitle = "T"\n'
    config = load_config(project(tmp_path, text))
    assert (config.docs, config.lock) == (tmp_path / "d", tmp_path / "s/t/snippets.lock")
    assert (config.pin, config.languages, config.title) == (tmp_path / "p/pin.yaml", ("en", "pt-BR"), "T")


def test_prose_is_held_where_the_project_says_so(tmp_path):
    assert load_config(project(tmp_path, "[tool.snippetlock]\n")).references == ""
    assert load_config(project(tmp_path, "[tool.snippetlock]\nreferences = false\n")).references == ""
    assert load_config(project(tmp_path, "[tool.snippetlock]\nreferences = true\n")).references == "all"
    assert load_config(project(tmp_path, '[tool.snippetlock]\nreferences = "proven"\n')).references == "proven"


def test_what_a_move_takes_without_asking_is_the_projects_to_say(tmp_path):
    assert load_config(project(tmp_path, "[tool.snippetlock]\n")).take == ()
    assert load_config(project(tmp_path, '[tool.snippetlock]\ntake = ["comment"]\n')).take == ("comment",)


def test_how_many_blocks_nothing_holds_is_the_projects_to_say(tmp_path):
    assert load_config(project(tmp_path, "[tool.snippetlock]\n")).unheld == 0
    assert load_config(project(tmp_path, "[tool.snippetlock]\nunheld = 0\n")).unheld == 0
    assert load_config(project(tmp_path, "[tool.snippetlock]\nunheld = 199\n")).unheld == 199
    assert load_config(project(tmp_path, '[tool.snippetlock]\nunheld = "any"\n')).unheld is None


def test_where_a_key_stands_is_told_and_of_none_where_the_table_begins(tmp_path):
    config = load_config(project(tmp_path, '[project]\nname = "a"\n\n[tool.snippetlock]\n  unheld = 3\n'))
    assert str(place_of(config, "unheld")) == "pyproject.toml:5:3"
    assert str(place_of(config, "title")) == "pyproject.toml:4:1"
    (tmp_path / "pyproject.toml").unlink()
    assert str(place_of(config, "unheld")) == "pyproject.toml"


def test_paths_are_named_from_the_root(tmp_path):
    config = load_config(project(tmp_path, "[tool.snippetlock]\n"))
    assert config.name(config.lock) == "snippets/snippets.lock"
    assert config.name(Path("/elsewhere/x")) == "/elsewhere/x"


HEAD = '[project]\nname = "docs"\n\n[tool.snippetlock]\n'
_UNHELD = 'mend: write how many there are (`snippetlock list --unheld`), "any" for no count, or leave it out for none'
REFUSED = [
    (HEAD + "unheld = -1", f"5:1: unheld is -1\n  {_UNHELD}"),
    (HEAD + "unheld = true", f"5:1: unheld is a boolean\n  {_UNHELD}"),
    (HEAD + 'unheld = "all"', f"5:1: unheld is 'all'\n  {_UNHELD}"),
    (HEAD + "unheld = 1.5", f"5:1: unheld is a float\n  {_UNHELD}"),
    (
        HEAD + 'doc = "x"',
        f"5:1: unknown key 'doc' in [tool.snippetlock]\n  mend: did you mean 'docs'? known keys: {KNOWN}",
    ),
    (HEAD + "zzz = 1", f"5:1: unknown key 'zzz' in [tool.snippetlock]\n  mend: known keys: {KNOWN}"),
    (HEAD + "# docs = 1\n  docs = 1", '6:3: docs is an integer, not text\n  mend: write docs = "…"'),
    (HEAD + "pin = true", '5:1: pin is a boolean, not text\n  mend: write pin = "…"'),
    (HEAD + "pin = 1.5", '5:1: pin is a float, not text\n  mend: write pin = "…"'),
    (HEAD + 'pin = ["a"]', '5:1: pin is an array, not text\n  mend: write pin = "…"'),
    (HEAD + 'pin.file = "a"', '5:1: pin is a table, not text\n  mend: write pin = "…"'),
    (HEAD + "pin = 2026-01-02", '5:1: pin is a date or time, not text\n  mend: write pin = "…"'),
    (HEAD + 'pin = ""', '5:1: pin is empty\n  mend: write pin = "…", or leave it out'),
    (HEAD + '"title" = 1', '5:2: title is an integer, not text\n  mend: write title = "…"'),
    (
        HEAD + 'docs = "../docs"',
        "5:1: docs is '../docs', which leaves the project\n  mend: write a path from the project's folder, with `/`",
    ),
    (
        HEAD + 'snippets = "/etc"',
        "5:1: snippets is '/etc', which leaves the project\n  mend: write a path from the project's folder, with `/`",
    ),
    (
        HEAD + "pin = 'a\\b'",
        "5:1: pin is 'a\\\\b', which leaves the project\n  mend: write a path from the project's folder, with `/`",
    ),
    (
        HEAD + 'languages = "en"',
        '5:1: languages is not a list of language codes\n  mend: write languages = ["en", "zh"]',
    ),
    (HEAD + "languages = []", '5:1: languages is not a list of language codes\n  mend: write languages = ["en", "zh"]'),
    (
        HEAD + "languages = [1]",
        '5:1: languages is not a list of language codes\n  mend: write languages = ["en", "zh"]',
    ),
    (HEAD + 'languages = ["EN"]', '5:1: \'EN\' is not a language code\n  mend: write one like "en", "zh" or "pt-BR"'),
    (
        HEAD + 'fail-on = "body"',
        '5:1: fail-on is not a list of classes\n  mend: write fail-on = ["signature", "removed"]',
    ),
    (
        HEAD + 'fail-on = ["same"]',
        "5:1: 'same' is no class of drift that can fail\n  mend: there are "
        "unreadable, ambiguous, removed, renamed, signature, body, comment, layout, moved, appears",
    ),
    (
        HEAD + 'fail-on = ["bdy"]',
        "5:1: 'bdy' is no class of drift that can fail\n  mend: did you mean body? there are "
        "unreadable, ambiguous, removed, renamed, signature, body, comment, layout, moved, appears",
    ),
    (
        HEAD + 'take = "comment"',
        '5:1: take is not a list of classes\n  mend: write take = ["comment"], or leave it out',
    ),
    (HEAD + 'take = ["layout"]', "5:1: 'layout' is taken without asking anyway\n  mend: leave it out"),
    (HEAD + 'take = ["body"]', "5:1: 'body' is always asked about\n  mend: there is comment"),
    (HEAD + 'take = ["comments"]', "5:1: 'comments' is no class of drift\n  mend: there is comment"),
    (
        HEAD + "references = 1",
        '5:1: references is an integer\n  mend: write true, or "proven" for what the source of the library proves '
        "only, or leave it out",
    ),
    (
        HEAD + 'references = "some"',
        "5:1: references is 'some'\n  mend: write true, or \"proven\" for what the source of the library proves only, "
        "or leave it out",
    ),
    (HEAD + 'languages = ["en", "en"]', "5:1: languages says 'en' twice\n  mend: keep one of the two"),
    ("tool.snippetlock.docs = 1", '1:18: docs is an integer, not text\n  mend: write docs = "…"'),
    ("[tool]\nsnippetlock = {docs = 1}", '2:16: docs is an integer, not text\n  mend: write docs = "…"'),
    ("[tool]\nsnippetlock = 1", "2:1: tool.snippetlock is not a table\n  mend: write [tool.snippetlock]"),
    ('[tool.snippetlock]\n"\\u0064ocs" = 1', '1:1: docs is an integer, not text\n  mend: write docs = "…"'),
    ('tool = {"snippetlock" = {"\\u0064ocs" = 1}}', '1:1: docs is an integer, not text\n  mend: write docs = "…"'),
    (HEAD + "docs = \n", "5:8: not TOML: Invalid value\n  mend: mend the TOML at this place"),
    (HEAD + 'docs = "x\n', "5:10: not TOML: Illegal character '\\n'\n  mend: mend the TOML at this place"),
    (HEAD + "docs = [", "5:9: not TOML: Invalid value\n  mend: mend the TOML at this place"),
    (HEAD + "docs = [\n", "6:1: not TOML: Invalid value\n  mend: mend the TOML at this place"),
    (
        HEAD + 'docs = "a"\ndocs = "b"\n',
        "6:11: not TOML: Cannot overwrite a value\n  mend: mend the TOML at this place",
    ),
    (
        HEAD.encode() + b'docs = "\xe9"',
        "5:9: not UTF-8: the byte 0xe9 does not belong here\n  mend: save the file as UTF-8",
    ),
]


@pytest.mark.parametrize(("text", "want"), REFUSED)
def test_a_wrong_table_is_refused_with_its_place(text, want, tmp_path):
    with pytest.raises(ConfigError) as caught:
        load_config(project(tmp_path, text))
    assert str(caught.value) == f"pyproject.toml:{want}"


def test_a_message_of_another_toml_parser_is_shown_whole():
    from snippetlock.config.project import _toml_error

    assert str(_toml_error("odd", "a\nb", "f.toml")).startswith("f.toml:2:2: not TOML: odd\n")


MISSING = [
    (
        None,
        "pyproject.toml: cannot be read: No such file or directory\n  mend: start a project with `snippetlock init`",
    ),
    ("", "pyproject.toml: there is no [tool.snippetlock]\n  mend: add it, or run `snippetlock init`"),
    ("tool = 1", "pyproject.toml: there is no [tool.snippetlock]\n  mend: add it, or run `snippetlock init`"),
]


@pytest.mark.parametrize(("text", "want"), MISSING)
def test_no_table_is_an_error_of_its_own(text, want, tmp_path):
    if text is not None:
        project(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == want


def test_the_nearest_folder_with_the_table_is_the_root(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    project(tmp_path, "[tool.snippetlock]\n")
    project(tmp_path / "a", "[project]\nname = 'snippetlock'\n")  # speaks of the tool, has no table
    project(inner, "not TOML, and no business of ours")
    assert find_root(inner) == tmp_path


def test_no_root_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError) as caught:
        find_root(tmp_path)
    assert str(caught.value) == (
        f"no docs project here: neither {tmp_path} nor a folder above it has a pyproject.toml with [tool.snippetlock]\n"
        "  mend: go to the project's folder, or start one with `snippetlock init`"
    )


def test_a_malformed_file_that_speaks_of_us_is_not_passed_over(tmp_path):
    project(tmp_path, "[tool.snippetlock\n")
    with pytest.raises(ConfigError, match="not TOML"):
        find_root(tmp_path)


CACHES = [
    ({"SNIPPETLOCK_CACHE": "/c", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/c"),
    ({"SNIPPETLOCK_CACHE": "~/c", "HOME": "/h"}, "/h/c"),
    ({"SNIPPETLOCK_CACHE": "~", "HOME": "/h"}, "/h"),
    ({"SNIPPETLOCK_CACHE": "~/c"}, "~/c"),
    ({"SNIPPETLOCK_CACHE": "~x/c", "HOME": "/h"}, "~x/c"),
    ({"SNIPPETLOCK_CACHE": "", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/snippetlock"),
    ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/snippetlock"),
    ({"HOME": "/h"}, "/h/.cache/snippetlock"),
    ({"USERPROFILE": "/u"}, "/u/.cache/snippetlock"),
]


@pytest.mark.parametrize(("environ", "want"), CACHES)
def test_the_cache_is_where_the_environment_says(environ, want):
    assert cache_dir(environ) == Path(want)


def test_no_place_for_the_cache_is_a_usage_error():
    with pytest.raises(SnippetlockError) as caught:
        cache_dir({})
    assert isinstance(caught.value, UsageError)
    assert str(caught.value) == "no place for the cache: HOME is not set\n  mend: set SNIPPETLOCK_CACHE to a folder"
