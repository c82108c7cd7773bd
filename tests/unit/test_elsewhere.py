"""`refs --path`: the pages of a repository that never saw this tool, held against its own packages and history."""

from __future__ import annotations

import json
import subprocess

import pytest
from gitrepo import History
from privilege import nobody, open_folder

INIT = "from kilns.firing import Firing, {0}\n"
FIRING = '''class Firing:
    kiln_types = {{"gas": 1, "wood_fired": 2}}

    def __init__(self, cone{3}):
        self.cone = cone

    def kiln_for(self, {0}):
        return {0}

    def {1}(self, hours):
        """Let it cool for some hours, and say when it may be opened."""
        return [hour * self.cone for hour in range(hours) if hour % 2]


def {2}(batch, *, hot=False):
    """Fire every pot of a batch, the small ones first."""
    done = sorted(batch, key=len)
    return [pot for pot in done if pot or hot]
'''
GLAZE = "def mix_glaze(ash, feldspar):\n    return ash + feldspar\n\n\nSHARDS = 3\n"
PROJECT = '[project]\nname = "kilns"\n'

RIGHT = """# Firing

`Firing.kiln_for(interface, call)` chooses the kiln, of those in `Firing.kiln_types["gas"]`; see
`kilns/firing.py`. Then `fire_batch(batch, hot=True)` does it, and `Firing(cone=4)` remembers the cone.
Somebody else's `torch.Tensor`, a `wheel_thrown` pot, `OtherLib.fire_some`, `--flag-name` and `pot.rim_of` are not ours.

```python
from kilns import Firing, fire_batch

fire_batch([], hot=True)
```
"""


def sources(call, cools, fires, built="", glaze=GLAZE):
    return {
        "src/kilns/__init__.py": INIT.format(fires),
        "src/kilns/firing.py": FIRING.format(call, cools, fires, built),
        "src/kilns/glaze.py": glaze,
    }


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    made = History(tmp_path_factory.mktemp("kilns"))
    made.names = {}

    def commit(name, files, message):
        made.names[name] = made.commit(files, message)

    commit(
        "first",
        {"pyproject.toml": PROJECT, **sources("role, inputs, call", "cool_down", "fire_all", ", top_shelf")},
        "All of it",
    )
    commit(
        "fires",
        sources("role, inputs, call", "cool_down", "fire_batch", ", top_shelf"),
        "Call what fires a batch by its name",
    )
    commit(
        "calls",
        sources("interface, call", "cool_down", "fire_batch", ", top_shelf"),
        "A kiln is chosen by its interface",
    )
    commit("cools", sources("interface, call", "let_cool", "fire_batch"), "Cooling is let happen, and no shelf is told")
    commit("glaze", {"src/kilns/glaze.py": None}, "Glazes are bought")
    commit(
        "keys",
        {
            "src/kilns/firing.py": FIRING.format("interface, call", "let_cool", "fire_batch", "").replace(
                ', "wood_fired": 2', ""
            )
        },
        "No wood",
    )
    commit(
        "last",
        {"src/kilns/colour.py": "class PotColour:\n    red = 1\n", "docs/index.md": RIGHT, "README.md": "# Kilns\n"},
        "Colours",
    )
    return made


@pytest.fixture
def refs(run, tmp_path, monkeypatch):
    """`refs(repo, "docs") -> (exit code, findings, what was said beside)`."""
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))

    def call(path, *more, cwd=tmp_path):
        code, out, err = run("refs", "--path", path, *more, "--format", "json", cwd=cwd)
        return code, json.loads(out)["findings"] if code in (0, 1) else json.loads(out), err

    return call


def one(refs, history, tmp_path, text):
    """The one finding about a page that stands outside of the repository."""
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    code, findings, _ = refs(history.folder, "page.md")
    assert (code, len(findings)) == (1, 1), findings
    return findings[0]


def test_pages_that_are_right_are_clean(refs, history):
    code, findings, said = refs(history.folder)
    assert (code, findings) == (0, [])
    assert "reads package kilns in src/ (as pyproject.toml calls the project) at HEAD" in said
    assert f"{history.names['last'][:10]} (2023-11-14) Colours" in said


STALE = [
    # what the page says, the commit since when it is stale, what was there, what is there now
    ("`fire_all` fires.", "SL301", "fires", "kilns.firing:fire_all", "it is 'fire_batch' now"),
    ("`kilns.fire_all` fires.", "SL301", "fires", "kilns.firing:fire_all", "it is 'fire_batch' now"),
    ("`fire_all(batch)` fires.", "SL301", "fires", "kilns.firing:fire_all", "it is 'fire_batch' now"),
    ("A `Firing.cool_down` waits.", "SL301", "cools", "kilns.firing:Firing.cool_down", "it is 'Firing.let_cool' now"),
    ("A `firing.cool_down` waits.", "SL301", "cools", "kilns.firing:Firing.cool_down", "it is 'Firing.let_cool' now"),
    ("`self.cool_down(3)` waits.", "SL301", "cools", "kilns.firing:Firing.cool_down", "it is 'Firing.let_cool' now"),
    ("`top_shelf` takes the cups.", "SL301", "cools", None, "correct it, or take it out"),
    ("`mix_glaze(ash, feldspar)`", "SL301", "glaze", "kilns.glaze:mix_glaze", "correct it, or take it out"),
    ("`kilns.glaze.SHARDS`", "SL301", "glaze", "kilns.glaze:SHARDS", None),
    ("see `src/kilns/glaze.py`", "SL304", "glaze", None, None),
    ("`kiln_for(role, inputs, call)`", "SL302", "calls", "kilns.firing:Firing.kiln_for", None),
    ("`Firing(cone, top_shelf)`", "SL302", "cools", "kilns.firing:Firing", None),
    ("`Firing(4, top_shelf=2)`", "SL302", "cools", "kilns.firing:Firing", None),
    ('`Firing.kiln_types["wood_fired"]`', "SL303", "keys", None, None),
    ("```python\nfrom kilns import fire_all\n```", "SL301", "fires", "kilns.firing:fire_all", "it is 'fire_batch' now"),
    ("```python\nfrom kilns import Firing\n\nFiring(4, 5)\n```", "SL302", "cools", "kilns.firing:Firing", None),
]


@pytest.mark.parametrize(("text", "rule", "commit", "was", "mend"), STALE, ids=[each[0][:40] for each in STALE])
def test_what_once_was_so_is_told_with_the_commit_since_which_it_is_not(
    refs, history, tmp_path, text, rule, commit, was, mend
):
    found = one(refs, history, tmp_path, f"# A page\n\n{text}\n")
    evidence = "\n".join(found["evidence"])
    subject = history.git("log", "-1", "--format=%s", history.names[commit])
    assert found["rule"] == rule
    assert f"since {history.names[commit][:10]} (2023-11-14) {subject}" in evidence
    assert was is None or f"  {was}\n" in f"{evidence}\n"
    assert mend is None or found["mend"] == mend


NEVER = [
    ("`kilns.NoSuchThing`", "SL301"),
    ("`Firing.no_such_thing`", "SL301"),
    ("`POTColour` is red", "SL301"),
    ("`fire_batch(batch, cold=True)`", "SL302"),
    ("`kiln_for(interface, call, role, cone)`", "SL302"),
    ('`Firing.kiln_types["electric"]`', "SL303"),
    ("`kilns/electric.py`", "SL304"),
    ("```python\nimport kilns.electric\n```", "SL301"),
]


@pytest.mark.parametrize(("text", "rule"), NEVER, ids=[each[0][:40] for each in NEVER])
def test_what_never_was_so_of_the_packages_own_is_told(refs, history, tmp_path, text, rule):
    found = one(refs, history, tmp_path, f"# A page\n\n{text}\n")
    assert found["rule"] == rule
    assert found["evidence"][-1] == "none of the 7 commits had that either"
    assert found["mend"]


QUIET = [
    "`wheel_thrown` pots, by `OtherLib.throw_pot(clay)`",  # nobody's here, and nothing proves that
    "`fireBatch` is how others call theirs",
    "`FIRING_` is how settings begin",
    "`fire_all` was removed long ago.",
    "The name was changed from `fire_all`.",
    "No `fire_all(batch)` of `kilns.firing` exists.",
    "Use `fire_batch` instead of `fire_all`.",
    "`kilns.fire_all` was called so before v2.",
    "`fire_all` 已在新版本中移除。",
    "`mix_glaze` from `potters` mixes",
    "the `mix_glaze` function provided by the [`potters-wheel` package][wheel] mixes",
    "`mix_glaze`, a function of the\nwheels library, mixes",
    "## Migration\n\nCall `fire_all` by its new name.",
    "`example_firing` and `kilns.my_glaze` stand for any",
    "`def kiln_for(interface, call, **more)` may be given more",
    "```python\ndef fire_all():\n    ...\n```\n\n`fire_all` is ours",
]


@pytest.mark.parametrize("text", QUIET, ids=[each[:30] for each in QUIET])
def test_what_is_not_proven_or_is_told_as_gone_is_left_alone(refs, history, tmp_path, text):
    (tmp_path / "page.md").write_text(f"# A page\n\n{text}\n", encoding="utf-8")
    assert refs(history.folder, "page.md")[:2] == (0, [])


@pytest.mark.parametrize("name", ["CHANGELOG.md", "release-notes.md", "migrating.md", "3.0-announcement.md"])
def test_pages_about_the_past_may_name_what_is_gone(refs, history, tmp_path, name):
    (tmp_path / name).write_text("`fire_all` fires\n", encoding="utf-8")
    assert refs(history.folder, name)[:2] == (0, [])
    (tmp_path / "guide.md").write_text("`fire_all` fires\n", encoding="utf-8")
    assert refs(history.folder, "guide.md")[0] == 1


def test_a_name_that_tests_or_scripts_have_now_is_not_gone(refs, repo, tmp_path):
    up = repo()
    up.commit({"kilns/__init__.py": "def fire_all():\n    pass\n", "page.md": "`fire_all`\n"})
    up.commit({"kilns/__init__.py": "", "scripts/fire.py": "def fire_all():\n    pass\n"})
    assert refs(up.folder, "page.md")[:2] == (0, [])
    up.commit({"scripts/fire.py": "# fire_all is gone here too\n"})
    assert refs(up.folder, "page.md")[0] == 1


def test_names_that_the_library_imports_from_elsewhere_are_its_own(refs, repo):
    up = repo()
    files = {"kilns/__init__.py": "from potters import Wheel as Wheel\n", "page.md": "`kilns.Wheel` and `kilns.Reel`\n"}
    up.commit(files)
    _, findings, _ = refs(up.folder, "page.md")
    assert [each["message"] for each in findings] == ["kilns has no 'Reel'"]


def test_what_stood_in_for_a_class_of_another_package_was_never_the_librarys(refs, repo):
    up = repo()
    shim = "from potters import Wheel as Theirs\n\n\nclass Wheel(Theirs):\n    pass\n\n\nclass WheelStand:\n    pass\n"
    base = "import potters\n\n\nclass ClayWheel(potters.ClayWheel):\n    pass\n\n\nClayWheel = None\n"
    up.commit({"kilns/__init__.py": "import potters\n\nPotWheel = potters and potters.PotWheel or None\n"})
    up.commit({"kilns/__init__.py": shim, "page.md": "A `WheelStand` carries a `PotWheel` or a `ClayWheel`.\n"})
    up.commit({"kilns/__init__.py": shim.replace("Wheel", "PotWheel", 3).replace("WheelStand", "Stand")})
    up.commit({"kilns/__init__.py": base})
    up.commit({"kilns/__init__.py": ""})
    _, findings, _ = refs(up.folder, "page.md")
    assert [each["message"] for each in findings] == ["the library has no 'WheelStand'"]


def test_a_name_that_was_renamed_twice_is_followed_to_the_one_of_today(refs, repo):
    up = repo()
    body = "(pots):\n    ready = sorted(pots, key=len)\n    return [pot for pot in ready if pot]\n"
    up.commit({"kilns/__init__.py": f"def fire_all{body}", "page.md": "`kilns.fire_all`\n"}, "one")
    since = up.commit({"kilns/__init__.py": f"def fire_each{body}"}, "two")
    up.commit({"kilns/__init__.py": f"def fire_pots{body}"}, "three")
    _, (found,), _ = refs(up.folder, "page.md")
    assert found["evidence"][0].startswith(f"since {since[:10]} ")
    assert found["mend"] == "it is 'fire_pots' now"


def test_a_package_keeps_its_past_when_it_moves_to_another_folder_or_name(refs, repo):
    up = repo()
    up.commit(
        {"oven/__init__.py": "", "oven/fire.py": "def fire_all(pots):\n    return pots\n", "page.md": "`fire_all`\n"}
    )
    up.commit(
        {
            "oven/__init__.py": None,
            "oven/fire.py": None,
            "src/kilns/__init__.py": "",
            "src/kilns/fire.py": "def fire_all(pots):\n    return pots\n",
        }
    )
    assert refs(up.folder, "page.md")[:2] == (0, [])
    since = up.commit({"src/kilns/fire.py": "HOT = 1\n"})
    _, (found,), _ = refs(up.folder, "page.md")
    assert found["evidence"][0].startswith(f"since {since[:10]} ")


def test_the_library_can_be_taken_at_another_revision(refs, history, tmp_path):
    (tmp_path / "page.md").write_text("`fire_all(batch)`\n", encoding="utf-8")
    assert refs(history.folder, "page.md", "--rev", history.names["first"])[:2] == (0, [])
    assert refs(history.folder, "page.md", "--rev", "main")[0] == 1


def test_a_bare_repository_is_read_with_its_pages_and_nothing_is_written(refs, history, tmp_path):
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", history.folder, bare], check=True, env=history.env)
    before = {path: path.stat().st_mtime_ns for path in bare.rglob("*")}
    code, findings, said = refs(bare, "docs", "README.md")
    assert (code, findings) == (0, [])
    assert "reads package kilns" in said
    assert refs(bare)[:2] == (0, [])
    assert {path: path.stat().st_mtime_ns for path in bare.rglob("*")} == before


def test_pages_in_a_folder_that_begins_with_a_dot_are_found_where_they_are_named(refs, repo, tmp_path):
    up = repo()
    up.commit(
        {"kilns/__init__.py": "def fire(): ...\n", ".github/ASK.md": "`kilns.fyre`\n", "README.md": "`kilns.fire`\n"}
    )
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", up.folder, bare], check=True, env=up.env)
    for name in (".github", ".github/ASK.md"):
        assert [each["path"] for each in refs(bare, name)[1]] == [".github/ASK.md"]
    assert refs(bare, "README.md")[:2] == (0, [])


def test_the_work_tree_is_not_what_is_read_but_its_pages_are(refs, history, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", history.folder, clone], check=True, env=history.env)
    (clone / "src/kilns/firing.py").write_text("no Python at all (", encoding="utf-8")
    assert refs(clone)[:2] == (0, [])
    (clone / "docs/index.md").write_text("`kilns.fire_all`\n", encoding="utf-8")
    code, findings, _ = refs(clone, "docs")
    assert (code, findings[0]["path"]) == (1, "docs/index.md")


def test_a_plain_folder_tells_what_needs_no_history(refs, tmp_path):
    folder = tmp_path / "plain"
    for name, text in sources("interface, call", "let_cool", "fire_batch").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "page.md").write_text(
        "`kilns.fire_all`, `kiln_for(role, inputs, call)` and `cool_down`\n", encoding="utf-8"
    )
    code, findings, said = refs(folder, "page.md")
    assert (code, [each["rule"] for each in findings]) == (1, ["SL301", "SL302"])
    assert "it is no repository" in said
    (folder / "page.md").write_text("`kilns.fire_batch`, `kiln_for(interface, call)`\n", encoding="utf-8")
    assert refs(folder, "page.md")[:2] == (0, [])


def test_a_shallow_clone_is_said_and_claims_nothing_of_what_was_before(refs, history, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", history.url, clone], check=True, env=history.env)
    (tmp_path / "page.md").write_text("`fire_all` and `kilns.fire_all`\n", encoding="utf-8")
    code, (found,), said = refs(clone, "page.md")
    assert (code, found["message"]) == (1, "kilns has no 'fire_all'")
    assert not any("commits had that" in line or line.startswith("since ") for line in found["evidence"])
    assert "is a shallow clone" in said
    assert "--unshallow" in said


def test_a_folder_of_a_repository_is_a_repository_with_that_folder_alone(refs, repo):
    up = repo()
    up.commit(
        {"a/kilns/__init__.py": "def fire_all():\n    pass\n", "b/wheels/__init__.py": "", "a/page.md": "`fire_all`\n"}
    )
    since = up.commit({"a/kilns/__init__.py": "HOT = 1\n"})
    _, (found,), said = refs(up.folder / "a", "page.md")
    assert "reads package kilns in a/" in said
    assert found["evidence"][0].startswith(f"since {since[:10]} ")


def test_a_signature_that_shows_more_than_there_is_needs_the_history_as_a_proof(refs, repo):
    up = repo()
    page = "`async def on_fire(pot, **more)` is called.\n"
    up.commit({"kilns/__init__.py": "class Kiln:\n    async def on_fire(self, pot):\n        ...\n", "page.md": page})
    assert refs(up.folder, "page.md")[:2] == (0, [])
    up.commit({"kilns/__init__.py": "class Kiln:\n    async def on_fire(self, pot, **more):\n        ...\n"})
    assert refs(up.folder, "page.md")[:2] == (0, [])
    since = up.commit({"kilns/__init__.py": "class Kiln:\n    async def on_fire(self, pot):\n        ...\n"})
    _, (found,), _ = refs(up.folder, "page.md")
    assert found["evidence"][0].startswith(f"since {since[:10]} ")


def test_a_method_of_one_class_is_told_by_what_happened_to_that_class(refs, repo):
    up = repo()
    code = (
        "class Base:\n    def fire(self, pots{0}):\n        ...\n\n\nclass Kiln(Base):\n    pass\n\n\n"
        "class Oven:\n    def fire(self{1}):\n        ...\n"
    )
    up.commit(
        {
            "kilns/__init__.py": code.format(", hot", ""),
            "page.md": "`Kiln.fire(kiln, 5, 6)`, `Kiln.fire(kiln, 5)`, or `Kiln.fire(4)`\n",
        }
    )
    since = up.commit({"kilns/__init__.py": code.format("", "")}, "Pots alone")
    up.commit({"kilns/__init__.py": code.format("", ", more")}, "Another class")
    _, findings, _ = refs(up.folder, "page.md")
    assert [each["evidence"][0].startswith(f"since {since[:10]} ") for each in findings] == [True]


def test_which_package_is_meant_can_be_said(refs, repo):
    up = repo()
    up.commit(
        {
            "kilns/__init__.py": "",
            "kilns/a.py": "",
            "wheels/__init__.py": "",
            "page.md": "`wheels.spin` and `kilns.fire`\n",
        }
    )
    assert [each["message"] for each in refs(up.folder, "page.md")[1]] == ["kilns has no 'fire'"]
    assert [each["message"] for each in refs(up.folder, "page.md", "--package", "wheels")[1]] == [
        "wheels has no 'spin'"
    ]
    assert "the largest of 2 packages; --package names another" in refs(up.folder, "page.md")[2]


def test_pages_in_other_forms_are_counted_and_not_read(refs, repo):
    up = repo()
    up.commit({"kilns/__init__.py": "", "docs/a.md": "x\n", "docs/b.rst": "``kilns.fire``\n"})
    code, findings, said = refs(up.folder, "docs")
    assert (code, findings) == (0, [])
    assert "1 .rst file is not read: only Markdown is" in said


def test_a_page_that_is_not_utf8_is_a_finding_and_the_others_are_read(refs, repo):
    up = repo()
    up.commit({"kilns/__init__.py": "", "docs/a.md": b"\xff\n", "docs/b.md": "`kilns.fire`\n"})
    code, findings, _ = refs(up.folder, "docs")
    assert (code, [(each["rule"], each["path"]) for each in findings]) == (
        1,
        [("SL501", "docs/a.md"), ("SL301", "docs/b.md")],
    )


def test_why_says_what_the_history_knows(run, history, tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    code, out, _ = run("refs", "--path", history.folder, "--why", "fire_all", cwd=tmp_path)
    assert code == 1
    assert f"since {history.names['fires'][:10]}" in out
    assert "no page has it in code marks" in out
    code, out, _ = run("refs", "--path", history.folder, "--why", "fire_batch", cwd=tmp_path)
    assert (code, "docs/index.md:4" in out) == (0, True)
    code, out, _ = run("refs", "--path", history.folder, "--why", "wheel_thrown", cwd=tmp_path)
    assert (code, "nothing proves it stale" in out) == (0, True)


def test_a_second_run_says_the_same(refs, history, tmp_path):
    (tmp_path / "page.md").write_text("`fire_all` and `Firing.cool_down`\n", encoding="utf-8")
    first = refs(history.folder, "page.md")
    assert first[0] == 1
    assert refs(history.folder, "page.md") == first


BAD = [
    (["--path", "nowhere"], "--path nowhere: it does not exist"),
    (["--path", "page.md"], "--path page.md: it is no folder"),
    (["--path", "empty"], "no Python package was found"),
    (["--path", "up", "--package", "kiln", "page.md"], "there is no package 'kiln'"),
    (["--path", "up", "--root", "lib", "page.md"], "no Python package was found"),
    (["--path", "up", "--rev", "mian", "page.md"], "no revision 'mian'"),
    (["--path", "up", "--rev=--all", "page.md"], "not a revision"),
    (["--path", "up", "dcos"], "there is no 'dcos'"),
    (["--path", "up", "../nowhere.md"], "there is no '../nowhere.md'"),
    (["--path", "up", "kilns"], "there is no Markdown page in 'kilns'"),
    (["--path", "up", "kilns/__init__.py"], "__init__.py is no Markdown page"),
    (["--path", "up"], "no pages are named"),
    (["--path", "plain", "--rev", "main"], "plain is no repository"),
    (["--path", "new", "page.md"], "no branch and no tag"),
    (["--path", "up", "--why", " ", "page.md"], "--why names nothing"),
    (["--rev", "main"], "--rev goes with --path alone"),
    (["--package", "kilns"], "--package goes with --path alone"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[" ".join(each[0]) for each in BAD])
def test_what_cannot_be_checked_is_said_with_how_to_mend_it(run, tmp_path, monkeypatch, options, said):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    up = History(tmp_path / "up")
    up.commit({"kilns/__init__.py": "", "guide.md": "x\n"})
    History(tmp_path / "new")
    for folder in ("empty", "plain/kilns"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "plain/kilns/__init__.py").touch()
    (tmp_path / "page.md").write_text("x\n", encoding="utf-8")
    code, out, err = run("refs", *options, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert said in err
    assert "mend: " in err


def test_where_there_is_no_project_it_is_said_that_none_is_needed(run, tmp_path):
    code, _, err = run("refs", cwd=tmp_path)
    assert code == 2
    assert "`snippetlock init`" in err
    assert "`snippetlock refs --path REPO`" in err


def test_a_folder_of_pages_that_may_not_be_read_is_said(run, monkeypatch):
    with open_folder() as folder:
        monkeypatch.setenv("SNIPPETLOCK_CACHE", str(folder / "cache"))
        (folder / "lib/kilns").mkdir(parents=True)
        (folder / "lib/kilns/__init__.py").touch()
        (folder / "docs").mkdir(mode=0o700)
        (folder / "docs/page.md").write_text("x\n", encoding="utf-8")
        with nobody():
            code, _, err = run("refs", "--path", folder / "lib", folder / "docs")
        assert (code, "Permission denied" in err) == (2, True)
        (folder / "docs").chmod(0o755)
        with nobody():
            assert run("refs", "--path", folder / "lib", folder / "docs")[0] == 0


def test_nothing_is_said_of_progress_in_a_pipe(run, history, tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    code, out, err = run("refs", "--path", history.folder, cwd=tmp_path)
    assert code == 0
    assert out.endswith(" 7 commits, 0 findings\n")
    assert err.count("\n") == 1
    assert "\r" not in err
