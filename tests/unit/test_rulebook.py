"""The generated parts of the pages for contributors: rules and classes, whole in both languages, built and proven."""

from __future__ import annotations

import re

import pytest
from fakes import FakeProject
from rendering import SUPER, published, render

from snippetlock import extension
from snippetlock.changes import CLASSES
from snippetlock.extension import SnippetlockExtension
from snippetlock.moves import POLICY, SAFE
from snippetlock.report.chinese import RULES as CHINESE
from snippetlock.report.classes import MEANINGS
from snippetlock.report.drift import RULE
from snippetlock.report.labels import labels
from snippetlock.report.rulebook import GROUPS, rule_samples, rule_sections, words
from snippetlock.rules import RULES
from snippetlock.workflow.proof import proof

MARKED = "# Rules\n\n<!-- snippetlock: rules -->\n"


@pytest.fixture(autouse=True)
def held():
    yield
    extension.held.project = None


def filled(project: FakeProject, page: str, *extensions: str) -> str:
    extension.held.project = project
    text = next(each.text for each in project.pages if each.name == page)
    return render(text, [*(extensions or SUPER), SnippetlockExtension(page=page)])


# Words


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_speaks_chinese_too(rule):
    title, meaning, mend = CHINESE[rule.code]

    assert not title.endswith("。")
    assert meaning.endswith("。")
    assert mend.endswith("。")
    for text in (title, meaning, mend):
        assert re.search(r"[\u4e00-\u9fff]", text)
        prose = re.sub(r"`[^`]*`", "", text)
        assert text.count("`") % 2 == 0
        assert not re.search(r"[\u4e00-\u9fff][,.;:!?()]|[,;:!?()][\u4e00-\u9fff]", prose), "punctuation is full-width"
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z`]|[A-Za-z`][\u4e00-\u9fff]", re.sub(r"`[^`]*`", "`", text))
    # What is typed as it stands is the same in both.
    assert set(re.findall(r"`(snippetlock \w+)", mend)) == set(re.findall(r"`(snippetlock \w+)", rule.mend))


def test_no_chinese_rule_is_of_no_rule():
    assert list(CHINESE) == [rule.code for rule in RULES]


def test_a_language_that_nobody_translated_speaks_english():
    assert words(RULES[0], "fr").title == RULES[0].title
    assert words(RULES[0], "zh").title == CHINESE[RULES[0].code][0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_group_has_a_name_in_each_language(language):
    assert set(labels(language).groups) == {name for _, name in GROUPS}


@pytest.mark.parametrize("language", sorted(MEANINGS))
def test_the_table_of_classes_is_whole_and_in_order(language):
    assert list(MEANINGS[language]) == list(CLASSES)
    assert set(RULE) == set(CLASSES) - {"same"}
    for meaning in MEANINGS[language].values():
        assert meaning.changed.endswith("。" if language == "zh" else ".")
        assert meaning.act.endswith("。" if language == "zh" else ".")
        assert meaning.bump


@pytest.mark.parametrize("language", sorted(MEANINGS))
def test_the_table_of_classes_says_what_a_move_of_the_pin_does(language):
    said = {cls: re.split("[;；]", meaning.bump)[0] for cls, meaning in MEANINGS[language].items()}

    assert {cls for cls, word in said.items() if word == "taken"} == {*SAFE, "appears"}
    assert set(said.values()) == {"to do", "look", "taken"}
    assert {cls for cls, meaning in MEANINGS[language].items() if "take = [" in meaning.bump} == set(POLICY)


# Pages


def test_sections_come_by_group_and_code():
    sections = list(rule_sections(labels("en")))

    assert [section.anchor for section in sections if section.level == 3] == [rule.code.lower() for rule in RULES]
    assert [section.level for section in sections[:2]] == [2, 3]
    groups = [section.anchor for section in sections if section.level == 2]
    assert groups == sorted(set(groups), key=groups.index), "no group comes twice"


@pytest.mark.parametrize("page", ["rules.md", "rules.zh.md"])
def test_rules_are_headings_of_the_page_with_their_codes_as_anchors(page):
    html = filled(FakeProject([], {"rules.md": MARKED, "rules.zh.md": MARKED}), page, *SUPER, "toc")

    for rule in RULES:
        assert f'<h3 id="{rule.code.lower()}">{rule.code} {rule.name}</h3>' in html
        assert f'<a href="#{rule.code.lower()}">{rule.code}</a>' in html
    assert ("How to mend it." in html) is (page == "rules.md")
    assert ("怎么改。" in html) is (page == "rules.zh.md")
    assert "`" not in re.sub(r"<pre>.*?</pre>", "", html, flags=re.S), "what is code in a sentence is code on the page"


def test_where_anchors_cannot_be_written_the_headings_are_html():
    html = filled(FakeProject([], {"rules.md": MARKED}), "rules.md", "fenced_code")

    assert '<h3 id="sl103">SL103 text-differs</h3>' in html
    assert "{ #sl103" not in html


def test_rules_in_a_list_stay_in_it():
    project = FakeProject([], {"rules.md": "- item\n\n    <!-- snippetlock: rules -->\n\n    thereafter\n\ntext\n"})
    html = filled(project, "rules.md")

    assert html.index("<li>") < html.index('id="sl101"') < html.index(f'id="{RULES[-1].code.lower()}"')
    assert html.index(f'id="{RULES[-1].code.lower()}"') < html.index("thereafter") < html.index("</li>")


def test_the_blocks_of_the_rules_are_published_byte_for_byte():
    html = filled(FakeProject([], {"rules.md": MARKED}), "rules.md")

    assert published(html) == [sample.text for sample in rule_samples()]


def test_classes_lead_to_their_rules_where_a_page_of_the_language_shows_them():
    marker = "<!-- snippetlock: classes -->\n"
    pages = {"guide/bump.md": marker, "guide/bump.zh.md": marker, "rules.md": MARKED}
    project = FakeProject([], pages)

    english = filled(project, "guide/bump.md")
    assert '<a href="../../rules/#sl201">SL201</a>' in english
    assert english.count("<tr>") == 1 + len(CLASSES)
    chinese = filled(project, "guide/bump.zh.md")
    assert "<td>SL201</td>" in chinese
    assert "<code>body</code>" in chinese
    both = filled(FakeProject([], {"rules.md": MARKED + "\n" + marker}), "rules.md")
    assert '<td><a href="#sl201">SL201</a></td>' in both


# Proof


def test_what_a_marker_publishes_is_proven(tmp_path):
    text = f'```text unsourced="r"\nbefore\n```\n\n{MARKED}\n```text unsourced="r"\nafter\n```\n'
    project = FakeProject([], {"rules.md": text}, root=tmp_path)
    page = tmp_path / "site/rules/index.html"
    page.parent.mkdir(parents=True)
    html = f"<!doctype html>\n<body>{filled(project, 'rules.md')}</body>\n"
    page.write_text(html, encoding="utf-8")
    report = proof(project, tmp_path / "site")
    assert report.findings == ()
    assert report.counts["blocks"] == len(rule_samples()) + 2

    page.write_text(html.replace("is not what was accepted for", "is what was accepted for", 1), encoding="utf-8")
    (finding,) = proof(project, tmp_path / "site").findings
    assert (finding.rule, finding.message) == ("SL121", "what is published is not the generated block")
    assert (finding.place.path, finding.place.line) == ("docs/rules.md", 7)
