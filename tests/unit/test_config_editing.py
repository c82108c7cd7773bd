"""Values changed in place: every odd way to write a file survives, and what cannot be changed alone is not changed."""

import itertools
import json
import random
from dataclasses import replace

import pytest

from snippetlock.config import edit_pin, edit_source, parse_definitions, parse_pin, pin_fragments
from snippetlock.errors import ConfigError
from snippetlock.model import Pin, Repository
from snippetlock.text import normalise

ENDS = ("\n", "\r\n", "\r")
NEW = "pkg.other:Thing.run"

# How one definition can be written: what stands before the value, the value as written, what stands behind it.
# `{i}` is the id, `{v}` the selector that is there.
WAYS = {
    "plain": ("{i}:\n  source: ", "{v}", "\n  show: body  # why\n"),
    "comment behind": ("{i}:\n  source: ", "{v}", "   # not: this\n"),
    "comment of every kind": ("# a: b\n{i}: # c\n\n   # d 'e\n   source:  ", "{v}", " # {{f\n#g\n   \n"),
    "deep": ("{i}:\n        show: body\n        source: ", "{v}", "\n        keep: [a, 'b']\n"),
    "one column": ("{i}:\n source: ", "{v}", "\n"),
    "single": ("{i}:\n  source: ", "'{v}'", "\n"),
    "double": ("{i}:\n  source: ", '"{v}"', " # é 中 😀\n"),
    "key in quotes": ("'{i}':\n  \"source\":  ", "{v}", "\n"),
    "space before the colon": ("{i} :\n  source : ", "{v}", "\n"),
    "next line": ("{i}:\n  source:\n    ", "{v}", "\n  show: body\n"),
    "next line with a comment": ("{i}:\n  source: # x: y\n      ", "'{v}'", "\n"),
    "braces": ("{i}: {{source: ", "{v}", ", show: body}} # z\n"),
    "braces, last": ("{i}: {{ show: body, source: ", "{v}", " }}\n"),
    "braces over lines": ("{i}: {{\n  source:\n ", '"{v}"', ",\n# in\n  show: body\n  }}\n"),
    "json": ('"{i}": {{"show": "body", "source": ', '"{v}"', "}}\n"),
    "tight json": ('"{i}": {{"show":"body","source":', '"{v}"', "}}\n"),
    "folded": ("{i}:\n  source: >-\n    ", "{v}", "\n\n  show: body\n"),
    "literal": ("{i}:\n  source: |-  # so\n      ", "{v}", "\n  show: body\n"),
    "said by ?": ("? {i}\n: source: ", "{v}", "\n  show: body\n"),
    "tab behind": ("{i}:\n  source: ", "{v}", "\t# x\t\n"),
    "other keys alike": (
        "{i}:\n  highlight: ['source: x']\n  # source: y\n  source: ",
        "{v}",
        "\n  from: 'source: z'\n",
    ),
}


def definition(way, id, selector="mod.a:old"):
    return tuple(part.format(i=id, v=selector) for part in WAYS[way])


def with_ends(text, end):
    return text.replace("\n", end)


@pytest.mark.parametrize("end", ENDS, ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("way", WAYS)
def test_one_source_changes_and_not_a_byte_more(way, end):
    for mark, last, others in itertools.product(
        ("", "\ufeff"), (True, False), ("", "---\n# top\n", "other: {source: a.b:c}\n")
    ):
        before, value, after = definition(way, "this")
        after = after if last else after.rstrip(" \n\t")
        old, wanted = (
            mark + with_ends(others + before + v + after, end) for v in (value, value.replace("mod.a:old", NEW))
        )

        assert edit_source(old, "this", NEW) == wanted
        assert edit_source(wanted, "this", "mod.a:old") == old
        assert edit_source(old, "this", "mod.a:old") == old


def test_any_of_many_definitions_in_files_of_every_mixture():
    chance = random.Random(4)
    for _ in range(150):
        ids = [f"id-{number}" for number in range(chance.randint(1, 6))]
        pieces = [definition(chance.choice(list(WAYS)), id, f"mod.a:old_{id[3:]}") for id in ids]
        joints = [chance.choice(["", "\n", "# between 中\n", "\n\n  # odd\n"]) for _ in ids]
        end = chance.choice(ENDS)
        chosen = chance.randrange(len(ids))

        def text(number, value, pieces=pieces, joints=joints, end=end):
            parts = [(b, value if at == number else v, a) for at, (b, v, a) in enumerate(pieces)]
            return with_ends("".join("".join(part) + joint for part, joint in zip(parts, joints, strict=True)), end)

        old, value = text(-1, ""), pieces[chosen][1]
        wanted = text(chosen, value.replace(f"mod.a:old_{chosen}", NEW))
        assert edit_source(old, ids[chosen], NEW) == wanted
        after = {each.id: each.selector.text for each in parse_definitions(normalise(wanted), "x")}
        assert after == {id: NEW if at == chosen else f"mod.a:old_{at}" for at, id in enumerate(ids)}


ODD = [
    ('conf/x.yaml:"a b".c', "{v}"),
    ("conf/x.yaml:\"a: b\".'c # d'", None),
    ('conf/x.yaml:"it\'s"', "{v}"),
    ("mod:name#2", "{v}"),
    ("mod:value@setter", "{v}"),
    ("conf/x.yaml:1.0", "{v}"),
    ('conf/x.yaml:"a, b]}".c', None),
    ("conf/ä.yaml:中", "{v}"),
    ('conf/x.yaml:"tab\\t".c', "{v}"),
]


@pytest.mark.parametrize(("selector", "plain"), ODD)
@pytest.mark.parametrize("way", WAYS)
def test_a_selector_that_yaml_would_misread_is_quoted(way, selector, plain):
    before, value, after = definition(way, "this")
    edited = edit_source(before + value + after, "this", selector)
    found = parse_definitions(edited, "x")[0]

    assert found.selector.text == selector
    assert edited.startswith(before[:10])
    assert edited.endswith(after)
    if value == "{v}".format(v="mod.a:old") and plain and not before.rstrip(" \n").endswith(("|-  # so", ">-")):
        assert edited == before + selector + after
    if value[0] == "'":
        assert edited == before + "'" + selector.replace("'", "''") + "'" + after
    if value[0] == '"':
        assert edited == before + json.dumps(selector, ensure_ascii=False) + after


REFUSED = [
    ("a:\n  source: m:x\n", "b", NEW, "'b' is not defined here"),
    ("a:\n  source: m:x\na:\n  source: m:y\n", "a", NEW, "'a' has 2 sources here"),
    ("a:\n  source: m:x\n  source: m:y\n", "a", NEW, "'a' has 2 sources here"),
    ("a:\n  show: body\n", "a", NEW, "'a' has 0 sources here"),
    ("a: x\n", "a", NEW, "'a' has 0 sources here"),
    ("- a\n", "a", NEW, "'a' is not defined here"),
    ("", "a", NEW, "'a' is not defined here"),
    (
        "a:\n  source:\n    deep: m:x\n",
        "a",
        NEW,
        "the source of 'a' cannot be changed in place to 'pkg.other:Thing.run'",
    ),
    ("a:\n  source: [m:x]\n", "a", NEW, "the source of 'a' cannot be changed in place to 'pkg.other:Thing.run'"),
    ("a:\n  source:\n", "a", NEW, "the source of 'a' cannot be changed in place to 'pkg.other:Thing.run'"),
    ("a:\n  source: m:x\n", "a", "m:x:y", "'m:x:y' is no selector: "),
    ("a:\n  source: m:x\n", "a", "", "'' is no selector: "),
    ("a:\n  source: &x m:x\n", "a", NEW, "an anchor (`&x`) is not used here"),
    ("a:\n  source: *x\n", "a", NEW, "an alias (`*x`) is not used here"),
    ("a: [\n", "a", NEW, "not YAML: "),
]


@pytest.mark.parametrize(("text", "id", "selector", "what"), REFUSED)
def test_what_cannot_be_changed_alone_is_refused(text, id, selector, what):
    with pytest.raises(ConfigError) as caught:
        edit_source(text, id, selector, name="snippets/a.yaml")
    assert caught.value.what.startswith(what)
    assert caught.value.path == "snippets/a.yaml"
    assert caught.value.mend


# The pin

SHA, OTHER, COMMIT, LATER = "a" * 64, "0" * 64, "b" * 40, "1" * 40
LINE = "url: https://host/lib, branch: dev, root: src"
HOME = Repository(url="https://host/lib", branch="dev", root="src")
WHEEL = Pin(name="lib", version="1.0.0", kind="wheel", file="lib-1.0.0-py3-none-any.whl", sha256=SHA, repository=HOME)
NEXT = replace(WHEEL, version="2.0", file="lib-2.0-py3-none-any.whl", sha256=OTHER)
KNOWN = replace(NEXT, repository=replace(HOME, commit=LATER))
GIT = Pin(name="lib", version="", kind="git", commit=COMMIT, repository=replace(HOME, commit=COMMIT))
NAMED = replace(GIT, version="3.0", commit=LATER, repository=replace(HOME, commit=LATER))
FOLDER = Pin(name="lib", version="", kind="folder", folder="../lib: it's", repository=HOME)
TOP = replace(GIT, commit=LATER, repository=replace(HOME, root="", commit=LATER))
BELOW = replace(GIT, repository=replace(HOME, root="packages/lib x", commit=COMMIT))
PINS = {
    **{"wheel": WHEEL, "next": NEXT, "known": KNOWN, "git": GIT, "named": NAMED, "folder": FOLDER},
    **{"top": TOP, "below": BELOW},
}
REPOSITORY = "repository:\n  url: https://host/lib\n  branch: dev\n  root: src\n"

# How a pin file can be written.
FILES = {
    "plain": f"name: lib\nversion: 1.0.0\nwheel:\n  file: {WHEEL.file}\n  sha256: {SHA}\n{REPOSITORY}  commit: null\n",
    "comments": (
        "# top\nname: lib # n\nversion: 1.0.0  # v: x\nwheel:  # what is read\n"
        f"  # the file\n  file: {WHEEL.file}  # f\n\n  sha256: {SHA}  # s\n"
        f"# between\n{REPOSITORY}  commit: null  # c\n# end\n"
    ),
    "without a commit": (
        f"name: lib\nversion: '1.0.0'\nwheel: {{file: {WHEEL.file}, sha256: \"{SHA}\"}} # w\n{REPOSITORY}# end\n"
    ),
    "empty commit": (
        f"name: lib\nversion: 1.0.0\n{REPOSITORY}  commit:   # none\n"
        f"wheel: {{sha256: '{SHA}',\n file: {WHEEL.file} }}\n"
    ),
    "empty commit at the end": (
        f"version: 1.0.0\nname: lib\nwheel: {{file: '{WHEEL.file}', sha256: {SHA}}}\n{REPOSITORY}  commit:\n"
    ),
    "a known commit": (
        f"name: lib\nversion: 1.0.0\nwheel:\n    file: {WHEEL.file}\n    sha256: {SHA}\n"
        f"{REPOSITORY}  commit: '{LATER}'\n"
    ),
    "indented": (
        f"  name: lib\n  version: 1.0.0\n  wheel:\n   file: {WHEEL.file}\n   sha256: {SHA}\n  repository: {{{LINE}}}\n"
    ),
    "json": json.dumps(
        {
            "name": "lib",
            "version": "1.0.0",
            "wheel": {"file": WHEEL.file, "sha256": SHA},
            "repository": {"url": HOME.url, "branch": "dev", "root": "src", "commit": None},
        },
        indent=2,
    ),
    "one line": f"{{name: lib, version: 1.0.0, wheel: {{file: {WHEEL.file}, sha256: {SHA}}}, repository: {{{LINE}}}}}",
    "sha first, in capitals": (
        f"---\nname: 'lib'\nversion: \"1.0.0\"\nwheel:\n  sha256: {SHA.upper()}\n\n"
        f"  file: >-\n    {WHEEL.file}\n{REPOSITORY}"
    ),
    "git": f"name: lib\ngit:\n  commit: {COMMIT}  # main of that day\n{REPOSITORY}",
    "git, versioned": f"name: lib\nversion: 0.9-typed\ngit: {{commit: '{COMMIT}'}}\n{REPOSITORY}  commit: {COMMIT}\n",
    "git, null": f"version: null # none\ngit: # x\n   commit: {COMMIT}\nname: lib\n{REPOSITORY}  commit: null\n",
    "git, empty": f"name: lib\nversion:\ngit: {{commit: {COMMIT}}}\nrepository: {{{LINE}, commit}}\n",
    "folder": f'name: lib\nfolder: "../lib: it\'s"  # mine\n{REPOSITORY}',
    "folder, versioned": (f"folder: '../lib: it''s'\nname: lib\nversion: '1.2'\n{REPOSITORY}  commit: {COMMIT}\n"),
    "folder, next line": f"name: lib\nfolder: # why\n  ./../lib/../lib/.\n{REPOSITORY}",
}


def written(way, end="\n", mark="", last=True):
    text = FILES[way]
    return mark + with_ends(text if last else text.rstrip("\n"), end)


def every(text):
    return parse_pin(text.removeprefix("\ufeff"), "")


@pytest.mark.parametrize("way", FILES)
def test_a_pin_moves_there_and_back_byte_for_byte(way):
    pins = list(PINS.values())
    for turn, form in enumerate(
        (("\n", "", True), ("\r\n", "\ufeff", True), ("\r", "", False), ("\n", "\ufeff", False)), 1
    ):
        text = written(way, *form)
        old, fragments = every(text), pin_fragments(text)
        for one, other in zip(pins, pins[turn:] + pins[:turn], strict=True):
            there = edit_pin(text, one)
            assert every(there) == one
            assert edit_pin(there, old, fragments=fragments) == text
            further = edit_pin(there, other)
            assert every(further) == other
            assert edit_pin(further, old, fragments=fragments) == text
            assert edit_pin(further, one, fragments=pin_fragments(there)) == there


@pytest.mark.parametrize("way", FILES)
def test_a_root_that_nobody_had_written_is_written_and_goes_again(way):
    text = written(way).replace("  root: src\n", "").replace(", root: src", "").replace(',\n    "root": "src"', "")
    old = every(text)
    assert old.repository.root == ""

    there = edit_pin(text, BELOW)

    assert every(there) == BELOW
    assert edit_pin(there, old, fragments=pin_fragments(text)) == text


@pytest.mark.parametrize("way", FILES)
def test_a_pin_that_says_it_already_is_left_as_it_is(way):
    text = written(way)

    assert edit_pin(text, every(text)) == text
    assert edit_pin(text, every(text), fragments=pin_fragments(text)) == text


@pytest.mark.parametrize("way", FILES)
def test_going_back_to_a_state_of_which_less_is_known_brings_back_what_was_written(way):
    """Who goes back names a release or a commit, and knows no version or commit that somebody once wrote beside it."""
    text = written(way)
    old = every(text)
    less = replace(
        old, version=old.version if old.kind == "wheel" else "", repository=replace(old.repository, commit=None)
    )
    less = replace(less, repository=replace(HOME, commit=old.commit)) if old.kind == "git" else less

    for moved in PINS.values():
        assert edit_pin(edit_pin(text, moved), less, fragments=pin_fragments(text)) == text


def test_comments_of_a_pin_file_stay_when_the_kind_changes():
    text = written("comments")

    assert edit_pin(text, GIT) == (
        f"# top\nname: lib # n\nversion: null  # v: x\ngit:  # what is read\n  commit: {COMMIT}\n"
        f"# between\n{REPOSITORY}  commit: null  # c\n# end\n"
    )
    assert edit_pin(text, FOLDER) == (
        '# top\nname: lib # n\nversion: null  # v: x\nfolder: "../lib: it\'s"  # what is read\n'
        f"# between\n{REPOSITORY}  commit: null  # c\n# end\n"
    )
    assert edit_pin(text, KNOWN) == (
        f'# top\nname: lib # n\nversion: "2.0"  # v: x\nwheel:  # what is read\n  # the file\n'
        f'  file: {NEXT.file}  # f\n\n  sha256: "{OTHER}"  # s\n'
        f'# between\n{REPOSITORY}  commit: "{LATER}"  # c\n# end\n'
    )
    assert edit_pin(written("folder"), WHEEL) == (
        f'name: lib\nversion: 1.0.0\nwheel:  # mine\n  file: "{WHEEL.file}"\n  sha256: "{SHA}"\n{REPOSITORY}'
    )
    assert edit_pin(written("one line"), NAMED) == (
        f'{{name: lib, version: "3.0", git: {{commit: "{LATER}"}}, repository: {{{LINE}}}}}'
    )


def test_what_was_edited_in_between_stays():
    """Fragments bring back what is the pin's own, and no more."""
    text = written("comments")
    there = edit_pin(text, NEXT).replace("# f\n", "# another file\n").replace("# end", "# the end")

    assert edit_pin(there, WHEEL, fragments=pin_fragments(text)) == text.replace("# f\n", "# another file\n").replace(
        "# end", "# the end"
    )


def test_fragments_of_another_state_are_not_used():
    text = written("plain")
    there = edit_pin(text, NEXT)

    assert edit_pin(there, GIT, fragments=pin_fragments(text)) == edit_pin(there, GIT)
    assert edit_pin(there, GIT, fragments={"git": "git: ["}) == edit_pin(there, GIT)
    assert edit_pin(there, GIT, fragments={"git": f"git: {{commit: {COMMIT}}}\nname: other"}) == edit_pin(there, GIT)
    assert edit_pin(there, GIT, fragments={"wheel": "- a"}) == edit_pin(there, GIT)
    assert edit_pin(there, GIT, fragments={}) == edit_pin(there, GIT)
    for nothing in ("", "# a", "\n", "null", "git", "? git"):
        assert edit_pin(there, GIT, fragments={"git": nothing}) == edit_pin(there, GIT)


def test_fragments_take_the_line_ends_that_version_control_gave_the_file():
    text = written("comments")
    there = edit_pin(text, GIT)
    for one, other in itertools.permutations(ENDS, 2):
        fragments = pin_fragments(with_ends(text, one))
        assert edit_pin(with_ends(there, other), WHEEL, fragments=fragments) == with_ends(text, other)


def test_line_ends_that_were_mixed_come_back_so():
    behind = with_ends(REPOSITORY, "\r\n")
    text = f"name: lib\r\nversion: 1.0.0\r\nwheel:\n  file: {WHEEL.file}\n  sha256: {SHA}\r\n{behind}"
    assert len(set(pin_fragments(text))) == 4

    assert edit_pin(edit_pin(text, GIT), WHEEL, fragments=pin_fragments(text)) == text


def test_what_stands_beside_the_pins_own_is_in_no_fragment():
    assert pin_fragments(written("comments")) == {
        "version": "version: 1.0.0",
        "wheel": f"wheel:  # what is read\n  # the file\n  file: {WHEEL.file}  # f\n\n  sha256: {SHA}  # s",
        "repository.commit": "commit: null",
        "repository.root": "root: src",
    }
    assert pin_fragments(written("folder")) == {
        "folder": 'folder: "../lib: it\'s"  # mine',
        "repository.root": "root: src",
    }


BEYOND = [
    (
        "plain",
        replace(NEXT, name="other", file="other-2.0-py3-none-any.whl"),
        "another library, or another repository,",
    ),
    ("plain", replace(GIT, repository=replace(HOME, url="https://host/fork", commit=COMMIT)), "another library, or"),
    ("plain", replace(NEXT, file="lib-3.0-py3-none-any.whl"), "the pin cannot be changed in place to lib 2.0"),
    ("plain", replace(NEXT, version=""), "the pin cannot be changed in place to lib"),
    ("plain", replace(GIT, commit="main"), "the pin cannot be changed in place to lib main"),
]


@pytest.mark.parametrize(("way", "pin", "what"), BEYOND)
def test_a_pin_that_cannot_be_written_in_place_is_refused(way, pin, what):
    with pytest.raises(ConfigError) as caught:
        edit_pin(written(way), pin, name="pin.yaml")
    assert caught.value.what.startswith(what)
    assert (caught.value.path, bool(caught.value.mend)) == ("pin.yaml", True)


def test_a_pin_without_a_repository_becomes_no_commit():
    text = f"name: lib\nversion: 1.0.0\nwheel: {{file: {WHEEL.file}, sha256: {SHA}}}\n"
    with pytest.raises(ConfigError) as caught:
        edit_pin(text, GIT)
    assert caught.value.what == "another library, or another repository, is not written in place"
    moved = edit_pin(text, replace(NEXT, repository=None))
    assert every(moved) == replace(NEXT, repository=None)
    assert edit_pin(moved, every(text), fragments=pin_fragments(text)) == text


def test_a_file_that_is_no_pin_is_refused():
    with pytest.raises(ConfigError, match=r"pin\.yaml:1:1: the pin has no 'name'"):
        edit_pin("version: 1.0.0\n", NEXT, name="pin.yaml")


def test_keys_behind_question_marks_stay_there():
    text = f"? name\n: lib\n? version\n: 1.0.0\n? wheel\n: {{file: {WHEEL.file}, sha256: {SHA}}}\n{REPOSITORY}"
    moved = edit_pin(text, NEXT)

    assert every(moved) == NEXT
    assert edit_pin(moved, WHEEL, fragments=pin_fragments(text)) == text
    there = edit_pin(text, GIT)
    assert every(there) == GIT
    assert edit_pin(there, WHEEL, fragments=pin_fragments(text)) == text
