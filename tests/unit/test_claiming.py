"""A project whose pages claim something: what check, refs and claim say, twins, and what is kept between runs."""

from __future__ import annotations

import json

import pytest
from plain import edit
from small import accepted, findings, write

import snippetlock.references.claims.judging
from snippetlock.references.claims import judging

SHOWN = '```python snippet="fire"\n```\n'
CLAIM = '<!-- claim: keys(kilns:FIREFwdOp.kiln_types) == ["gas", "wood"] -->'
FILES = {
    "pyproject.toml": '[tool.snippetlock]\nlanguages = ["en", "zh"]\n',
    "pin.yaml": 'name: kilns\nversion: "1.0"\nfolder: lib\n',
    "lib/kilns.py": 'class FIREFwdOp:\n    kiln_types = {"gas": 1, "wood": 2}\n',
    "snippets/kilns.yaml": "fire:\n  source: kilns:FIREFwdOp\n",
    "docs/index.md": f"# Kilns {{ #kilns }}\n\n{CLAIM}\nThere are two kilns.\n\n{SHOWN}",
    "docs/index.zh.md": f"# 窑 {{ #kilns }}\n\n{CLAIM}\n共有两座窑。\n\n{SHOWN}",
}


@pytest.fixture
def root(tmp_path, monkeypatch, run):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return accepted(tmp_path / "docs-project", FILES, run)


def found(run, root, *command):
    return [
        (finding["rule"], finding["path"], finding["line"], finding["column"])
        for finding in findings(run, root, *command)
    ]


def test_claims_that_are_true_are_clean(run, root):
    assert found(run, root) == []
    code, said, _ = run("refs", cwd=root)
    assert (code, said) == (0, "2 pages, 0 mentions, 2 claims, 0 words of the vocabulary, 0 findings\n")


def test_a_claim_that_is_false_is_found_in_each_language(run, root):
    edit(root / "lib/kilns.py", '"wood": 2', '"oil": 2')
    assert run("update", cwd=root)[0] == 0

    assert found(run, root) == [("SL311", "docs/index.md", 3, 13), ("SL311", "docs/index.zh.md", 3, 13)]
    assert found(run, root, "refs", "docs/index.zh.md") == [("SL311", "docs/index.zh.md", 3, 13)]
    _, said, _ = run("check", cwd=root)
    assert 'only in the library: "oil"' in said
    assert "(kilns.py:2)" in said
    assert "it speaks for line 4: There are two kilns." in said


def test_each_form_of_a_report_has_it(run, root):
    edit(root / "docs/index.md", '"wood"]', '"oil"]')
    edit(root / "docs/index.zh.md", '"wood"]', '"oil"]')

    for form in ("text", "github", "json"):
        code, said, _ = run("check", "--format", form, cwd=root)
        assert (code, "SL311" in said, "this is not so" in said) == (1, True, True)


@pytest.mark.parametrize(
    ("claim", "rule", "column"),
    [
        ("keys(kilns:FIREFwdOp.kiln_types) = []", "SL312", 46),
        ("value(kilns:FIREFwdOp.kiln_types[gas]) == 1", "SL312", 19),
        ("parameters(kilns:FIREFwdOp.kiln_types.x) == []", "SL311", 13),
    ],
)
def test_a_claim_that_is_none_is_found_where_it_is(run, root, claim, rule, column):
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, CLAIM, f"<!-- claim: {claim} -->")

    assert found(run, root)[0] == (rule, "docs/index.md", 3, column)


def test_prose_that_is_held_to_what_is_proven_has_its_claims_held(run, root):
    edit(root / "pyproject.toml", "languages", 'references = "proven"\nlanguages')
    assert found(run, root) == []
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, '"wood"]', '"oil"]')

    assert {rule for rule, *_ in found(run, root)} == {"SL311"}


def test_the_closing_line_counts_claims_where_there_are_any(run, root):
    code, said, _ = run("check", cwd=root)
    assert (code, said) == (0, "1 snippet, 2 pages, 0 unsourced blocks, 0 diagrams, 2 claims, 0 findings\n")
    edit(root / "docs/index.md", '"wood"]', '"oil"]')
    assert run("check", cwd=root)[1].endswith(" 2 claims, 3 findings\n")  # it is false, and the twin has another
    for name in ("docs/index.md", "docs/index.zh.md"):
        write(root / name, FILES[name].replace(f"{CLAIM}\n", ""))
    code, said, _ = run("check", cwd=root)
    assert (code, said) == (0, "1 snippet, 2 pages, 0 unsourced blocks, 0 diagrams, 0 findings\n")


# Twins


def test_a_claim_that_only_one_language_makes_is_found(run, root):
    edit(root / "docs/index.zh.md", f"{CLAIM}\n", "")

    assert found(run, root) == [("SL409", "docs/index.zh.md", 1, None)]


def test_a_claim_that_only_the_twin_makes_is_found(run, root):
    edit(root / "docs/index.md", f"{CLAIM}\n", "")

    assert found(run, root) == [("SL409", "docs/index.zh.md", 3, 13)]


def test_claims_in_another_order_are_found(run, root):
    other = "<!-- claim: exists(kilns:FIREFwdOp) -->"
    edit(root / "docs/index.md", CLAIM, f"{CLAIM}\n{other}")
    edit(root / "docs/index.zh.md", CLAIM, f"{other}\n{CLAIM}")
    assert found(run, root) == [("SL409", "docs/index.zh.md", 3, 13)]

    edit(root / "docs/index.zh.md", f"{other}\n{CLAIM}", f"{CLAIM}\n{other}")
    assert found(run, root) == []


def test_claims_in_another_section_are_found(run, root):
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, SHOWN, f"{SHOWN}\n## Two {{ #two }}\n\nText.\n")
    assert found(run, root) == []
    edit(root / "docs/index.zh.md", f"{CLAIM}\n", "")
    edit(root / "docs/index.zh.md", "Text.", f"{CLAIM}\nText.")

    assert {(rule, line) for rule, _, line, _ in found(run, root)} == {("SL409", 1), ("SL409", 10)}


def test_a_layout_of_its_own_is_no_other_claim(run, root):
    edit(root / "docs/index.zh.md", '== ["gas", "wood"]', '==\n     ["gas", "wood"]')

    assert found(run, root) == []


# Why, and what is asked


def test_refs_says_why_a_claim_holds(run, root):
    code, said, _ = run("refs", "--why", "FIREFwdOp", cwd=root)

    assert code == 0
    assert "a claim that is true" in said
    assert "docs/index.zh.md:3:13" in said


def test_claim_prints_a_value_its_lines_and_a_claim(run, root):
    code, said, _ = run("claim", "keys(kilns:FIREFwdOp.kiln_types)", cwd=root)

    assert (code, said) == (0, f'["gas", "wood"]\n  from kilns.py:2\n  claim: {CLAIM}\n')


@pytest.mark.parametrize(
    ("expression", "code", "first"),
    [
        ("exists(kilns:FIREFwdOp)", 0, "True"),
        ("exists(kilns:FireFwdOp)", 1, "False"),
        ("keys(kilns:FireFwdOp)", 1, "this is not so: kilns has no 'FireFwdOp'"),
        ("keys(kilns:FIREFwdOp", 2, "this bracket is never closed"),
        ("parameters(kilns:FIREFwdOp) == [", 2, "this bracket is never closed"),
        ("value(kilns:FIREFwdOp)", 2, "kilns:FIREFwdOp is a class, which is set to nothing"),
    ],
)
def test_claim_ends_with_what_came_of_it(run, root, expression, code, first):
    got, said, _ = run("claim", expression, cwd=root)

    assert (got, said.split("\n")[0]) == (code, first)
    assert ("\n  mend: " in said) == (first not in ("True", "False"))  # a value is an answer
    got, said, _ = run("claim", expression, "--format", "json", cwd=root)
    assert (got, json.loads(said)["expression"]) == (code, expression)


def test_a_claim_that_claim_prints_is_true(run, root):
    for asked in (
        "count(kilns:*)",
        "members(kilns:FIREFwdOp)",
        "value(kilns:FIREFwdOp.kiln_types)",
        "kind(kilns)",
    ):
        _, said, _ = run("claim", asked, "--format", "json", cwd=root)
        for name in ("docs/index.md", "docs/index.zh.md"):
            write(root / name, FILES[name].replace(CLAIM, json.loads(said)["claim"]))
        assert found(run, root) == []


# What is kept


def test_a_check_that_is_warm_works_nothing_out(run, root, monkeypatch):
    run("check", cwd=root)
    monkeypatch.setattr(judging, "outcome", lambda *_: pytest.fail("worked out again"))
    assert found(run, root) == []

    edit(root / "docs/index.md", "There are", "Here are")  # another page, the same claims
    assert found(run, root) == []


def test_another_state_of_the_library_is_worked_out_anew(run, root):
    assert found(run, root) == []
    edit(root / "lib/kilns.py", '"gas"', '"oil"')
    assert {rule for rule, *_ in found(run, root)} >= {"SL311"}

    edit(root / "lib/kilns.py", '"oil"', '"gas"')
    assert found(run, root) == []


def test_who_claims_nothing_pays_for_nothing(run, root, monkeypatch):
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, CLAIM, "<!-- a comment -->")
    monkeypatch.setattr(
        snippetlock.references.claims.judging, "outcome", lambda *_: pytest.fail("nothing is there to work out")
    )

    assert found(run, root) == []


# Other states of the library

LIMITS = "<!-- claim: count(kilns.limits:LIMITS) == 2 -->"


@pytest.fixture
def moving(run, root):
    """A project with a claim about something that it does not quote, and the next state of the library beside it."""
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, SHOWN, f"{LIMITS}\nTwo.\n\n{SHOWN}")
    write(root / "lib/kilns/__init__.py", FILES["lib/kilns.py"])
    (root / "lib/kilns.py").unlink()
    write(root / "lib/kilns/limits.py", "LIMITS = (1, 2)\n")
    assert run("update", cwd=root)[0] == 0
    assert found(run, root) == []
    for name in ("kilns/__init__.py", "kilns/limits.py"):
        write(root / "next" / name, (root / "lib" / name).read_text(encoding="utf-8"))
    return root


def test_drift_says_which_claims_are_no_longer_so(run, moving):
    code, said, _ = run("drift", "--against", "./next", cwd=moving)
    assert (code, "claim" in said) == (0, False)
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")

    code, said, _ = run("drift", "--against", "./next", cwd=moving)
    assert code == 1
    assert "docs/index.md:6:13  SL311 false-claim" in said
    assert (
        "what this page claims is no longer so at ./next: `count(kilns.limits:LIMITS)` is 3, and the claim says 2"
        in said
    )
    assert said.endswith("1 snippet: 1 same; 1 claim is no longer so; 1 fails\n")


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "markdown", "github"])
def test_every_form_of_drift_has_its_claims(run, moving, form):
    assert "no longer so" not in run("drift", "--against", "./next", "--format", form, cwd=moving)[1]
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")

    code, said, _ = run("drift", "--against", "./next", "--format", form, cwd=moving)
    assert (code, "no longer so at ./next" in said, "docs/index.zh.md" in said) == (1, True, True)
    code, said, _ = run("drift", "--against", "./next", "--format", form, "--fail-on", "none", cwd=moving)
    assert (code, "no longer so at ./next" in said) == (0, True)


def test_what_is_gone_or_untold_is_no_longer_so(run, moving):
    write(moving / "next/kilns/limits.py", "import os\nLIMITS = os.environ\n")
    said = run("drift", "--against", "./next", cwd=moving)[1]
    assert "what this page claims can no longer be told at ./next: kilns.limits:LIMITS is os.environ" in said
    (moving / "next/kilns/limits.py").unlink()

    said = run("drift", "--against", "./next", cwd=moving)[1]
    assert "what this page claims is no longer so at ./next: the library has no module 'kilns.limits'" in said


def test_another_state_can_be_asked(run, moving):
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")
    expression = "count(kilns.limits:LIMITS)"

    assert run("claim", expression, cwd=moving)[1].startswith("2\n")
    assert run("claim", expression, "--at", "./next", cwd=moving)[1].startswith("3\n")
    code, _, err = run("claim", expression, "--at", "./nowhere", cwd=moving)
    assert (code, "./nowhere" in err) == (2, True)


def test_some_snippets_alone_are_asked_for_without_claims(run, moving):
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")

    assert "claim" not in run("drift", "--against", "./next", "--only", "fire", cwd=moving)[1]


def test_what_was_not_so_before_is_left_to_the_check(run, moving):
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(moving / name, "== 2", "== 4")
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")

    assert run("drift", "--against", "./next", cwd=moving)[0] == 0
    assert {rule for rule, *_ in found(run, moving)} == {"SL311"}


@pytest.mark.parametrize("form", ["text", "json", "markdown", "github"])
def test_impact_tells_developers_of_the_library(run, root, repo, tmp_path, form):
    up = repo("up")
    kilns = {"lib/kilns/__init__.py": FILES["lib/kilns.py"]}
    up.commit({**kilns, "lib/kilns/limits.py": "LIMITS = (1, 2)\n"})
    up.git("checkout", "--quiet", "-b", "topic")
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, SHOWN, f"{LIMITS}\nTwo.\n\n{SHOWN}")
    pin = "name: kilns\nversion: '1.0'\nfolder: lib\nrepository: {url: 'https://git.example/kilns', root: lib}\n"
    write(root / "pin.yaml", pin)
    asked = ("impact", "--base", "main", "--docs", root, "--format", form)
    up.commit({"lib/kilns/limits.py": "LIMITS = (2, 1)\n"})
    code, said, _ = run(*asked, "--fail", cwd=up.folder)
    assert (code, "no longer so" in said) == (0, False)
    up.commit({"lib/kilns/limits.py": "LIMITS = (1, 2, 3)\n"})

    code, said, _ = run(*asked, cwd=up.folder)
    assert (code, "no longer so at" in said, "1 claim in the documentation untrue" in said) == (
        0,
        True,
        form != "json",
    )
    assert run(*asked, "--fail", cwd=up.folder)[0] == 1


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_bump_says_which_sentences_are_to_be_corrected(run, moving, form):
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2, 3)\n")

    code, said, _ = run("bump", "--to", "./next", "--dry-run", "--format", form, cwd=moving)
    assert (code, "no longer so at ./next" in said, "docs/index.md" in said) == (0, True, True)
    write(moving / "next/kilns/limits.py", "LIMITS = (1, 2)\n")
    assert "no longer so" not in run("bump", "--to", "./next", "--dry-run", "--format", form, cwd=moving)[1]


def test_the_verification_page_lists_them(root, tmp_path):
    from snippetlock.report.labels import labels
    from snippetlock.report.verification import verification_html
    from snippetlock.workflow import open_project
    from snippetlock.workflow.verification import verification

    def record(language):
        made = verification(open_project(root, tmp_path / "cache"), language)
        return verification_html(made, labels(language), str)

    for language, said in (("en", "1 claims on 1 pages"), ("zh", "1 个页面上共有 1 条声明")):
        html = record(language)
        assert said in html
        assert html.count("keys(kilns:FIREFwdOp.kiln_types) == [&quot;gas&quot;, &quot;wood&quot;]") == 1
    for name in ("docs/index.md", "docs/index.zh.md"):
        edit(root / name, f"{CLAIM}\n", "")
    assert "snippetlock-claims" not in record("en")
