"""The built site in a browser, in both languages: each page opens clean, and a reader can search, switch, copy and tab.

One Chromium for all; each page is opened once, and what it showed is held by several tests.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import browser as driving
import built as reading
import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
CLIPBOARD = ["clipboard-read", "clipboard-write"]
LANGUAGES = {"": "en", "zh/": "zh"}
GUIDES = ("using-ops", "new-op", "kernel-selection", "backends", "torch-compile", "manifest", "what-changed")
SOURCE = "sources/tileops/manifest/spec/gemm.yaml.html#L1-L9"
# One of each kind of page.
KINDS = {
    "home": "",
    "guide": "backends/",
    "list": "manifest/",
    "reference": "api/",
    "family": "api/sampling/",
    "verification": "verification/",
    "rules": "contributing/rules/",
    "benchmarks": "benchmarks/",
    "source": SOURCE,
}

# What is asked for, and the page that comes first: for a word of the guides the guide that says what it is, whatever
# its ending and whatever member of the library is called so; for a name of the library its page of the reference.
SEARCHES = {
    "": {
        "default target": "using-ops/",
        "kernel interface": "kernel-selection/",
        "backend": "backends/",
        "detector": "backends/",
        "workloads": "manifest/",
        "kernel_for(interface, call)": "kernel-selection/",
        "torch.compile": "torch-compile/",
        "roofline": "manifest/",
        "manifest": "manifest/",
        "entry point": "backends/",
        "instance key": "torch-compile/",
        "dtype:": "using-ops/",
        "refusal": "kernel-selection/",
        "tuning": "using-ops/",
        "Tune": "using-ops/",
        "config": "using-ops/",
        "warmup": "using-ops/",
        "caching": "using-ops/",
        "threads": "using-ops/",
        "cuda graphs": "using-ops/",
        "constructor": "new-op/",
        "op constructor": "new-op/",
        "last_call": "api/op/",
        "tuning_candidates": "api/authoring/",
        "softmax": "api/reduction/",
        "RMSNormFwdOp": "api/norm/",
        "gemmfwdop": "api/gemm/",
    },
    "zh/": {
        "默认 target": "zh/using-ops/",
        "默认目标": "zh/using-ops/",
        "内核接口": "zh/kernel-selection/",
        "后端": "zh/backends/",
        "检测器": "zh/backends/",
        "workloads": "zh/manifest/",
        "kernel_for": "zh/kernel-selection/",
        "选择kernel": "zh/kernel-selection/",
        "添加算子": "zh/new-op/",
        "调优": "zh/using-ops/",
        "注册何时生效": "zh/backends/",
        "torch.compile": "zh/torch-compile/",
        "roofline": "zh/manifest/",
        "tuning": "zh/using-ops/",
        "autotune": "zh/using-ops/",
        "预热": "zh/using-ops/",
        "缓存": "zh/using-ops/",
        "多线程": "zh/using-ops/",
        "threads": "zh/using-ops/",
        "cuda graph": "zh/using-ops/",
        "constructor": "zh/api/op/",
        "last_call": "zh/api/op/",
        "tuning_candidates": "zh/api/authoring/",
        "softmax": "zh/api/reduction/",
    },
}

# Code, and what would be an operator of the search's query language, or half of one.
TYPED = (
    "default target",
    "-1",
    "a^x~y",
    "title:+x",
    "++a --b +-c",
    "*.py",
    "op constructor",
    "__proto__",
    '"kernel',
    "\\d:",
    "默认target：内核^",
    "“后端”",
)
# Asks a search worker, with one page in its index, and gives what it found to each query.
ASK = """async ([worker, queries]) => {
  const {config, docs} = await (await fetch("search/search_index.json")).json();
  const asked = new Worker(worker);
  const answer = message => new Promise(said => {
    asked.onmessage = event => said(event.data);
    asked.postMessage(message);
  });
  await answer({type: 0, data: {config, docs: docs.slice(0, 1), options: {suggest: false}}});
  const found = [];
  for (const data of queries) found.push((await answer({type: 2, data})).data.items.length);
  asked.terminate();
  return found;
}"""

# What a reader sees of a page: texts that are too small, code that wraps, and what is wider than the screen.
LOOK = """() => {
  const small = new Set(), wrapped = [], known = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode()); ) {
    const box = node.parentElement;
    const kind = [box, box.parentElement].map(e => `${e.tagName}.${e.className}`).join("<");
    if (!node.data.trim() || known.has(kind)) continue;
    known.add(kind);
    if (box.closest("math, script, style, svg, .md-search, .md-tooltip, [hidden]")) continue;
    if (parseFloat(getComputedStyle(box).fontSize) < 11 && box.getClientRects().length)
      small.add(`${box.tagName} ${box.className}: ${node.data.trim().slice(0, 30)}`);
  }
  for (const code of document.querySelectorAll("pre > code"))
    if (getComputedStyle(code).whiteSpace !== "pre") wrapped.push(code.textContent.slice(0, 30));
  return {title: document.title, language: document.documentElement.lang, small: [...small], wrapped};
}"""
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > width + 1);
  return [`${document.documentElement.scrollWidth}px`, ...wide.slice(0, 3).map(e => `${e.tagName} ${e.className}`)];
}"""
# Tables whose last columns a reader has to look for: on a phone as well, a table has all of its width.
CUT = """() => [...document.querySelectorAll(".md-typeset__scrollwrap")]
  .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 30))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What one page showed: below the site's address, with what went wrong on it."""

    path: str
    title: str
    language: str
    faults: tuple[str, ...]
    small: tuple[str, ...]
    wrapped: tuple[str, ...]
    wide: tuple[str, ...]
    cut: tuple[str, ...]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with driving.chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def home(chromium: Browser, site: Path) -> Iterator[str]:
    with driving.served(site) as address:
        yield address


@pytest.fixture
def page(chromium: Browser, home: str) -> Iterator[Page]:
    """A page of a reader who is here for the first time, with a desk's screen; fails if anything goes wrong on it."""
    with chromium.new_context(viewport=DESK, reduced_motion="reduce", permissions=CLIPBOARD) as context:
        page = context.new_page()
        watch = driving.Watch(home=home).over(page)
        yield page
        assert watch.taken() == []


@pytest.fixture(scope="module")
def visits(chromium: Browser, home: str, site: Path) -> tuple[Visit, ...]:
    with chromium.new_context(viewport=DESK) as context:
        page = context.new_page()
        watch = driving.Watch(home=home).over(page)
        return tuple(_visit(page, watch, home, path) for path in reading.pages(site) if path != "404.html")


def _visit(page: Page, watch: driving.Watch, home: str, path: str) -> Visit:
    page.set_viewport_size(DESK)
    page.goto(home + reading.folder_of(path))
    seen = page.evaluate(LOOK)
    page.set_viewport_size(PHONE)
    return Visit(
        path=path,
        title=seen["title"],
        language=seen["language"],
        faults=tuple(watch.taken()),
        small=tuple(seen["small"]),
        wrapped=tuple(seen["wrapped"]),
        wide=tuple(page.evaluate(WIDE)),
        cut=tuple(page.evaluate(CUT)),
    )


def test_what_goes_wrong_on_a_page_is_seen(chromium, tmp_path):
    script = "<script>console.error('no'); console.warn('hm'); setTimeout(() => { throw new Error('oh') })</script>"
    style = "<style>pre code { white-space: pre-wrap } b { font-size: 10px } div { width: 900px }</style>"
    outside = "<script src='http://127.0.0.1:9/x.js'></script>"
    text = "<pre><code>code</code></pre><b>small</b><div>wide</div><img src='gone.png'>"
    wrap = "<section class='md-typeset__scrollwrap' style='overflow: auto'><p style='width: {}px'>table</p></section>"
    bad = script + style + outside + text + wrap.format(700)
    good = f"<pre><code>code</code></pre><b>b</b>{wrap.format(90)}"
    for name, body in {"bad": bad, "good": good}.items():
        start = f"<!doctype html><html lang='en'><title>{name}</title><link rel='icon' href='data:,'>"
        (tmp_path / f"{name}.html").write_text(f"{start}<body>{body}", encoding="utf-8")
    with driving.served(tmp_path) as home, chromium.new_context() as context:
        page = context.new_page()
        watch = driving.Watch(home=home).over(page)
        good = _visit(page, watch, home, "good.html")
        bad = _visit(page, watch, home, "bad.html")
    assert good == Visit(
        path="good.html", title="good", language="en", faults=(), small=(), wrapped=(), wide=(), cut=()
    )
    said = "\n".join(bad.faults)
    for each in ("console: no", "console: hm", "error: oh", "outside: http://127.0.0.1:9/", "failed: ", "404: "):
        assert each in said
    assert (bad.small, bad.wrapped) == (("B : small",), ("code",))
    assert bad.wide[0].startswith("9")
    assert bad.cut == ("table",)


def test_every_page_opens_clean(visits):
    assert len([visit for visit in visits if "sources/" not in visit.path]) > 60
    assert [(visit.path, visit.faults) for visit in visits if visit.faults] == []


def test_every_page_says_its_title_and_language(visits):
    titles = {}
    for visit in visits:
        assert visit.language == ("zh" if visit.path.startswith("zh/") else "en"), visit.path
        if "sources/" not in visit.path:
            name = "TileOPs 引证文档" if visit.language == "zh" else "TileOPs, quoted"
            assert visit.title.endswith(name), visit.path
        titles.setdefault((visit.language, visit.title), []).append(visit.path)
    assert [paths for paths in titles.values() if len(paths) > 1] == []


def test_every_page_fits_a_phone(visits):
    assert [(visit.path, visit.wide, visit.cut) for visit in visits if visit.wide or visit.cut] == []


def test_no_code_wraps_and_no_text_is_too_small(visits):
    assert [(visit.path, visit.wrapped, visit.small) for visit in visits if visit.wrapped or visit.small] == []


def test_what_is_not_there_has_a_page_of_its_own(chromium, home):
    with chromium.new_context() as context:
        page = context.new_page()
        answer = page.goto(f"{home}no/such/page/")
        assert answer is not None
        assert answer.status == 404
        page.get_by_role("link", name="中文首页").click()
        expect(page).to_have_url(f"{home}zh/index.html")
        expect(page.locator("h1")).to_contain_text("TileOPs")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("guide", GUIDES)
def test_the_first_view_of_a_guide_is_light(page, home, language, guide):
    """Packed, as a host of static sites sends it. Unpacked, Material's style sheet and script alone are 252 kB."""
    weight = driving.weighed(page, f"{home}{language}{guide}/")
    assert 10_000 < weight.wire <= 110_000  # asked for are 300 kB
    assert weight.wire < weight.unpacked <= 460_000
    assert [each for each in weight.addresses if "search" in each or "workers" in each] == []


def _ask(page: Page, words: str) -> None:
    """Put a whole query in the place of the last one: what is found then was found for it."""
    page.locator(".md-search__input").fill("")
    page.keyboard.press("End")  # the search listens to keys
    expect(page.locator(".md-search-result__list > li")).to_have_count(0)
    page.keyboard.insert_text(words)
    page.keyboard.press("End")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_finds_the_page_that_says_what_it_is(page, home, language):
    page.goto(home + language)
    page.keyboard.press("/")
    expect(page.locator(".md-search__input")).to_be_focused()
    first = page.locator(".md-search-result__list > li > a").first
    found = {}
    for words in SEARCHES[language]:
        _ask(page, words)
        expect(first, words).to_be_visible(timeout=30_000)
        found[words] = urlless(str(first.get_attribute("href")), home)
    assert found == SEARCHES[language]
    missing = page.locator(".md-search-result__list > li").first.locator("del")
    for words, wanted in {"tuning": [], "tuning zzyzx": ["zzyzx"]}.items():  # what another word found is not missing
        _ask(page, words)
        expect(first).to_be_visible(timeout=30_000)
        assert sorted(set(missing.all_text_contents())) == wanted
    _ask(page, "后端" if language else "backend")
    first.click()
    expect(page).to_have_url(re.compile(rf"^{home}{language}backends/(\?h=.*)?(#.*)?$"))
    if language:  # words without a space between them are marked where they stand
        expect(page.locator("article mark[data-md-highlight]").first).to_be_visible(timeout=30_000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_of_a_query_is_an_error(page, home, language):
    page.goto(home + language)
    page.keyboard.press("/")
    for words in TYPED:
        page.locator(".md-search__input").fill("")
        for letter in words:
            page.keyboard.insert_text(letter)
            page.keyboard.press("End")  # as after a character of an input method; each letter is asked for
    _ask(page, "GEMM")  # what was typed before has been answered when this is
    expect(page.locator(".md-search-result__list > li > a").first).to_be_visible(timeout=30_000)


def test_operators_of_the_query_language_are_words(chromium, home):
    signs = [*"\\~^*:+-\"()[]{}'.,;/|<&“，核a1 ", "title", "x_y"]
    queries = [a + b for a in signs for b in signs] + [f"a{a}{b}1" for a in signs for b in signs]
    with chromium.new_context() as context:
        page = context.new_page()
        watch = driving.Watch(home=home).over(page)
        page.goto(home)
        ours = json.loads(str(page.locator("#__config").text_content()))["search"]
        assert page.evaluate(ASK, [ours, ["quoted", "-quoted", "+quoted^2", "title:quoted"]]) == [1, 1, 1, 1]
        assert len(page.evaluate(ASK, [ours, queries])) == len(queries)
        assert watch.taken() == []
        # Material's own worker, alone, takes them as operators and says so: what is looked at here can be seen.
        theirs = ours.replace("words.js?", "")
        assert page.evaluate(ASK, [theirs, ["quoted", "-quoted", "a^x"]]) == [1, 0, 0]
        assert any("Invalid query: a^x" in fault for fault in watch.taken())


def urlless(address: str, home: str) -> str:
    """A place below the site, without words to mark and without an anchor."""
    return re.sub(r"[?#].*", "", address.removeprefix(home))


@pytest.mark.parametrize("start", ["", "zh/"])
def test_the_other_language_is_the_same_place(page, home, start):
    other = next(language for language in LANGUAGES if language != start)
    page.goto(f"{home}{start}kernel-selection/#kernel-for")
    page.locator(".site-language").click()
    expect(page).to_have_url(f"{home}{other}kernel-selection/#kernel-for")
    assert page.locator("html").get_attribute("lang") == LANGUAGES[other]
    page.go_back()
    page.goto(f"{home}{start}api/gemm/")
    page.locator(".site-language").click()
    expect(page).to_have_url(f"{home}{other}api/gemm/")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["", "kernel-selection/", "contributing/quote/"])
def test_a_copied_block_is_its_text(page, home, language, place):
    """To the last line end; line numbers, marks of a line and captions are not of it. Of a run, what was typed."""
    lock = yaml.safe_load((reading.ROOT / "snippets/snippets.lock").read_text(encoding="utf-8"))["snippets"]
    page.goto(f"{home}{language}{place}")
    for figure in page.locator("figure.snippetlock").all():
        page.evaluate("navigator.clipboard.writeText('nothing')")
        figure.locator(".md-code__button").click()
        expect(page.locator(".md-dialog")).to_be_visible()
        copied = str(page.evaluate("navigator.clipboard.readText()"))
        if name := figure.get_attribute("data-snippet"):
            assert hashlib.sha256(copied.encode()).hexdigest() == lock[name]["text"], (name, copied)
        elif name := figure.get_attribute("data-run"):
            record = json.loads((reading.ROOT / f"snippets/runs/{name}.json").read_text(encoding="utf-8"))
            assert copied == record["command"]
        else:
            assert copied == figure.locator("pre > code").text_content()


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_block_of_each_kind_to_copy(page, home, language):
    kinds = {
        "": ["[data-run]", ".snippetlock-unsourced", "[data-snippet] .hll"],
        "kernel-selection/": ["[data-snippet]"],
    }
    for place, wanted in kinds.items():
        page.goto(f"{home}{language}{place}")
        for each in wanted:
            assert page.locator(f"figure{each} pre > code" if " " not in each else f"figure{each}").count(), each


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_caption_leads_to_the_lines(page, home, language):
    page.goto(f"{home}{language}kernel-selection/")
    link = page.locator("figure[data-snippet] .snippetlock-source").first
    numbers = page.locator("figure[data-snippet]").first.locator("[data-n]")
    shown = [int(each) for number in numbers.all() if (each := number.get_attribute("data-n"))]
    first, last = re.findall(r"L(\d+)", str(link.get_attribute("href")))
    assert min(shown) == int(first)
    assert max(shown) <= int(last)
    link.click()
    expect(page).to_have_url(re.compile(r"/sources/.*\.html#L"))
    marked = [each.get_attribute("id") for each in page.locator(".l.on").all()]
    assert marked == [f"L{number}" for number in range(int(first), int(last) + 1)]
    expect(page.locator(f"#L{first}")).to_be_in_viewport()
    assert page.locator("html").get_attribute("lang") == LANGUAGES[language]


def _focused(page: Page) -> str:
    """What has the focus, and how its outline is drawn."""
    return page.evaluate(
        """() => {
          const on = document.activeElement;
          const e = on.matches(".md-option") ? on.nextElementSibling : on;  // a switch is seen as its label
          const s = getComputedStyle(e);
          const ring = parseFloat(s.outlineWidth) > 0 && s.outlineStyle !== "none" && s.outlineColor !== "transparent";
          const seen = e.getBoundingClientRect().width > 0 && s.visibility !== "hidden" && s.opacity > 0;
          const name = (on.className || on.tagName).toString().split(" ")[0];
          return `${name} ${ring ? "ring" : "bare"} ${seen ? "seen" : "unseen"}`;
        }"""
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keyboard_reaches_everything(page, home, language):
    page.goto(f"{home}{language}backends/")
    stops = []
    for _ in range(14):
        page.keyboard.press("Tab")
        stops.append(_focused(page))
        if "md-search__input" in stops[-1]:
            page.keyboard.press("Escape")
    assert stops[0] == "md-skip ring seen"
    names = [stop.split()[0] for stop in stops]
    assert {"md-search__input", "site-language"} <= set(names), stops
    assert [stop for stop in stops if "bare" in stop or "unseen" in stop] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_tab_skips_to_the_text(page, home, language):
    page.goto(f"{home}{language}backends/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{home}{language}backends/#backends")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")


# Material's own lists of links are `nav` within `nav`; as groups, which a `nav` may not be by the letter, they are read
# as what they are: parts of one navigation.
LEFT = frozenset({"aria-allowed-role"})
STILL = "() => !document.getAnimations().some(each => each instanceof CSSTransition)"


@pytest.mark.parametrize(("screen", "scheme"), [(DESK, "light"), (DESK, "dark"), (PHONE, "dark")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_to_mend(chromium, home, language, screen, scheme):
    found = []
    with chromium.new_context(viewport=screen, color_scheme=scheme) as context:
        page = context.new_page()
        for kind, place in KINDS.items():
            page.goto(home + language + place)
            page.wait_for_function(STILL)  # colours on their way from one scheme to the other have any contrast
            said = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            found += [_told(kind, each) for each in said if each["id"] not in LEFT]
    assert found == []


def _told(kind: str, violation: dict) -> str:
    nodes = "; ".join(node["html"][:160] for node in violation["nodes"][:4])
    return f"{kind}: {violation['id']} ({violation['impact']}, {len(violation['nodes'])}): {nodes}"


def test_axe_is_asked(chromium, tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title><img src='data:,'>", encoding="utf-8")
    with driving.served(tmp_path) as home, chromium.new_context() as context:
        page = context.new_page()
        page.goto(home)
        said = Axe().run(page).response["violations"]
    assert {"image-alt", "html-has-lang"} <= {each["id"] for each in said}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_printed_page_is_its_text(page, home, language):
    page.goto(f"{home}{language}kernel-selection/")
    page.emulate_media(media="print", color_scheme="dark")
    for furniture in (".md-header", ".md-sidebar", ".md-footer__inner", ".md-code__nav", ".md-search", ".md-top"):
        assert page.locator(f"{furniture}:visible").count() == 0, furniture
    assert page.locator("figure[data-snippet] figcaption:visible").count() > 3
    colours = page.evaluate(
        "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).color]"
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


@pytest.mark.parametrize(("wanted", "raised"), [("required", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_a_machine_without_a_browser_says_so(monkeypatch, tmp_path, wanted, raised):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(driving.WANTED, wanted)
    with pytest.raises(raised, match="no Chromium on this machine"), driving.chromium():
        pass
