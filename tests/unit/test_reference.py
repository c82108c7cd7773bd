"""The API reference: its pages are the pin's, its links lead to what is there, its formulas are MathML."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType, SimpleNamespace

import griffe
import markdown
import pytest

from snippetlock.errors import PinError, SourceError
from snippetlock.source import DictTree
from tileops_site.catalogue import Family, Op
from tileops_site.reference.markup import Known, MarkupExtension
from tileops_site.reference.pages import listed, made_pages, navigation, references, targets
from tileops_site.reference.unpacking import unpack

BASE = '''\
class Op:
    """What each op is."""

    table = {}

    def forward(self):
        """What a call does."""

    def tune(self): ...

    def key_for(self): ...

    def _hidden(self): ...

    @property
    def last(self): ...

    @last.setter
    def last(self, value): ...
'''
KERNEL = "class Kernel:\n    def forward(self): ...\n    def tune(self): ...\n    def build(self): ...\n"
FILES = {
    "tileops/__init__.py": "from tileops._base import Op\n",
    "tileops/_base.py": BASE,
    "tileops/authoring/__init__.py": 'from tileops._kernel import Kernel\n__all__ = ["Kernel", "Op", "Call"]\n',
    "tileops/_kernel.py": KERNEL,
    "tileops/backend/__init__.py": '__all__ = ("register", "Call")\n',
    "tileops/manifest/__init__.py": '__all__ = ["load"]\n',
    "tileops/spec.yaml": "a: 1\n",
}


def tree(identity="sha256:1", **changed):
    return DictTree({path: text.encode() for path, text in (FILES | changed).items()}, identity)


def op(name):
    return Op(name=name, params="", inputs="", outputs=(), composed=False)


FAMILIES = (Family(name="tea", ops=(op("BrewFwdOp"), op("BrewBwdOp"))), Family(name="cups", ops=(op("SetFwdOp"),)))
PAGES = references(tree(), FAMILIES)


def test_there_is_a_page_for_the_base_class_each_family_and_each_public_module():
    assert [page.name for page in PAGES] == ["op", "tea", "cups", "authoring", "backend", "manifest"]
    assert PAGES[1].names == ("tileops.tea.BrewFwdOp", "tileops.tea.BrewBwdOp")
    # `Op` has a page already; what the library gains or loses comes and goes with its `__all__`.
    assert PAGES[3].names == ("tileops.authoring.Kernel", "tileops.authoring.Call")


def test_a_page_asks_for_each_of_its_names_once_in_both_languages():
    made = made_pages(PAGES, "tileops 9.9")
    assert len(made) == 2 * len(PAGES)
    for name in ("api/tea.md", "api/tea.zh.md"):
        lines = made[name].split("\n")
        assert [line for line in lines if line.startswith(":::")] == [f"::: {each}" for each in PAGES[1].names]
        assert lines[:5] == ["---", "title: tileops.tea", "search:", "  boost: 0.5", "---"]
        assert lines[6] == "# tileops.tea"
        assert "tileops 9.9" in made[name]
    assert "2 ops" in made["api/tea.md"]
    assert "共 2 个 op" in made["api/tea.zh.md"]
    assert "。以下" in made["api/tea.zh.md"]


def test_the_navigation_and_the_list_have_every_page():
    assert navigation(PAGES) == [
        "api/index.md",
        {"Op": "api/op.md"},
        *({name: f"api/{name}.md"} for name in ("tea", "cups", "authoring", "backend", "manifest")),
    ]
    assert "| [`tileops.cups`](cups.md) | [`SetFwdOp`](cups.md#tileops.cups.SetFwdOp) |" in listed(PAGES, "zh")
    for language, comma in {"en": "), [", "zh": ")、["}.items():
        assert listed(PAGES, language).count(comma) == sum(len(page.names) - 1 for page in PAGES) > 0


def test_a_name_alone_leads_to_the_one_page_that_has_it():
    known = targets(PAGES)
    assert known["SetFwdOp"] == known["tileops.cups.SetFwdOp"] == "api/cups.md#tileops.cups.SetFwdOp"
    assert known["Op.key_for"] == known["key_for"] == "api/op.md#tileops.Op.key_for"
    assert known["last"] == "api/op.md#tileops.Op.last"
    assert known["table"] == known["tileops.Op.table"] == "api/op.md#tileops.Op.table"
    assert {"_hidden", "Op._hidden", "Call"}.isdisjoint(known)  # private, and in two modules
    assert "tileops.backend.Call" in known


def test_a_member_is_known_with_its_class_and_alone_where_only_one_class_has_it():
    known = targets(PAGES)
    assert {"forward", "tune"}.isdisjoint(known)  # an op writes its own `forward`, and a kernel has both
    assert known["Op.forward"] == "api/op.md#tileops.Op.forward"
    assert known["Op.tune"] == "api/op.md#tileops.Op.tune"
    assert known["Kernel.tune"] == "api/authoring.md#tileops.authoring.Kernel.tune"
    assert (
        known["build"] == known["tileops.authoring.Kernel.build"] == "api/authoring.md#tileops.authoring.Kernel.build"
    )

    alone = dict(FILES) | {"tileops/_kernel.py": "class Kernel:\n    def build(self): ...\n"}
    known = targets(references(tree(**alone), FAMILIES))
    assert known["tune"] == "api/op.md#tileops.Op.tune"


def test_a_member_that_is_a_parameter_too_or_the_field_of_a_record_is_known_with_its_class_only():
    kernel = "class Kernel:\n    goal = None\n    heat = 1\n    def __init__(self, goal): self.goal = goal\n"
    known = targets(references(tree(**{"tileops/_kernel.py": kernel}), FAMILIES))
    assert "goal" not in known
    assert known["Kernel.goal"] == "api/authoring.md#tileops.authoring.Kernel.goal"
    assert known["heat"] == "api/authoring.md#tileops.authoring.Kernel.heat"

    known = targets(references(tree(**{"tileops/_kernel.py": f"@dataclass\n{kernel}"}), FAMILIES))
    assert {"goal", "heat"}.isdisjoint(known)
    assert known["Kernel.heat"] == "api/authoring.md#tileops.authoring.Kernel.heat"


@pytest.mark.parametrize(
    "text", ["x = 1\n", "__all__ = [*others]\n", "__all__ = [\n", "__all__ = []\n__all__ += more\n"]
)
def test_a_module_that_does_not_say_what_is_public_is_an_error(text):
    with pytest.raises(SourceError) as caught:
        references(tree(**{"tileops/backend/__init__.py": text}), FAMILIES)
    assert caught.value.path == "tileops/backend/__init__.py"


# The files


def test_the_python_files_are_laid_out_once_for_each_state(tmp_path):
    folder = tmp_path / "checkout"
    assert unpack(tree(), folder)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")) == sorted(
        path for path in FILES if path.endswith(".py")
    )
    assert not (folder / "tileops/spec.yaml").exists()
    assert not unpack(tree(), folder)

    (folder / "tileops/gone.py").write_text("")
    assert unpack(tree("sha256:2", **{"tileops/_base.py": "new = 1\n"}), folder)
    assert (folder / "tileops/_base.py").read_text() == "new = 1\n"
    assert not (folder / "tileops/gone.py").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["checkout"]


def test_what_holds_other_files_or_other_bytes_is_laid_out_anew(tmp_path):
    folder = tmp_path / "checkout"
    assert unpack(tree(None), folder)
    assert not unpack(tree(None), folder)  # a folder that may change, and did not

    assert unpack(tree(None, **{"tileops/_base.py": "new = 1\n"}), folder)
    (folder / "tileops/_base.py").write_text("edited = 1\n")
    assert unpack(tree(None, **{"tileops/_base.py": "new = 1\n"}), folder)
    assert (folder / "tileops/_base.py").read_text() == "new = 1\n"
    (folder / "tileops/more.py").write_text("")
    assert unpack(tree(None, **{"tileops/_base.py": "new = 1\n"}), folder)


def test_what_a_killed_build_left_goes_and_a_file_in_the_way_too(tmp_path):
    (tmp_path / ".checkout.abc.tmp/tileops").mkdir(parents=True)
    (tmp_path / "checkout").write_text("no folder")
    assert unpack(tree(), tmp_path / "checkout")
    assert [path.name for path in tmp_path.iterdir()] == ["checkout"]


def test_two_builds_at_once_lay_it_out_once(tmp_path):
    many = tree(None, **{f"tileops/m{number}.py": "x = 1\n" for number in range(200)})
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: unpack(many, tmp_path / "checkout"), range(4)))
    assert sorted(done) == [False, False, False, True]
    assert [path.name for path in tmp_path.iterdir()] == ["checkout"]


def test_a_folder_that_cannot_be_made_is_an_error_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(PinError, match="laid out"):
        unpack(tree(), tmp_path / "file" / "checkout")
    assert (tmp_path / "file").read_text() == "kept"


# What Markdown becomes


@pytest.fixture
def rendered():
    Known.targets = MappingProxyType(targets(PAGES))

    def render(text, page="guide/a.zh.md"):
        made = markdown.Markdown(
            extensions=["tables", "pymdownx.arithmatex", MarkupExtension()],
            extension_configs={"pymdownx.arithmatex": {"generic": True}},
        )
        where = SimpleNamespace(file=SimpleNamespace(src_uri=page), run=lambda root: None)
        made.treeprocessors.register(where, "relpath", 0)
        return made.convert(text)

    yield render
    Known.targets = MappingProxyType({})


def test_names_in_inline_code_lead_to_the_reference(rendered):
    link = '<a class="api-link" href="../api/cups.md#tileops.cups.SetFwdOp"><code>SetFwdOp</code></a>'
    assert rendered("Use `SetFwdOp`, then go.") == f"<p>Use {link}, then go.</p>"
    assert link in rendered("| a |\n| --- |\n| `SetFwdOp` |")
    assert 'href="op.md#tileops.Op.key_for"><code>key_for()</code></a>' in rendered("`key_for()`", page="api/tea.md")
    assert rendered("`forward()`", page="api/tea.md") == "<p><code>forward()</code></p>"


@pytest.mark.parametrize(
    "call", ["key_for()", "key_for(a, b)", "self.key_for(place, lambda: call)", "tileops.Op.key_for(x)"]
)
def test_a_call_leads_to_what_it_calls(rendered, call):
    link = f'<a class="api-link" href="../api/op.md#tileops.Op.key_for"><code>{call}</code></a>'
    assert rendered(f"So `{call}` it is.") == f"<p>So {link} it is.</p>"


@pytest.mark.parametrize(
    "text",
    [
        "## `SetFwdOp`",
        "[`SetFwdOp`](b.md)",
        "    SetFwdOp",
        "`SetFwdOp(x) + 1`",
        "`x.SetFwdOp(x)`",
        "`Other`",
        "SetFwdOp",
        "`` `SetFwdOp` ``",
    ],
)
def test_what_is_no_mention_of_a_name_is_left_alone(rendered, text):
    assert "api-link" not in rendered(text)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("GroupedQueryAttentionFwdOp", "Grouped<wbr />Query<wbr />Attention<wbr />Fwd<wbr />Op"),
        (
            "GEMMFwdOp(trans_a=True, trans_b=False)",
            "GEMMFwd<wbr />Op(<wbr />trans_<wbr />a=True, trans_<wbr />b=False)",
        ),
        ("tileops/_kernels/gemm/dense.py", "tileops/<wbr />_kernels/<wbr />gemm/<wbr />dense.<wbr />py"),
        ("ChainSpeculativeFwdOp", "ChainSpeculativeFwdOp"),  # short enough
    ],
)
def test_a_long_name_in_a_table_may_break_between_its_parts(rendered, text, html):
    cell = rendered(f"| a |\n| --- |\n| `{text}` |")
    assert f"<code>{html}</code>" in cell
    assert f"<code>{text}</code>" in rendered(f"`{text}`")  # outside of a table it has a line of its own to go to


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("--to", '<span class="site-option">--to</span>'),
        ("pip install -e .", 'pip install <span class="site-option">-e</span> .'),
        (
            "run --at main --to-file x",
            'run <span class="site-option">--at</span> main <span class="site-option">--to-file</span> x',
        ),
        ("per-token", "per-token"),
        ("-1", "-1"),
        ("a -> b", "a -&gt; b"),
    ],
)
def test_an_option_of_a_command_stays_in_one_piece(rendered, text, html):
    assert f"<code>{html}</code>" in rendered(f"Say `{text}`.")
    assert "site-option" not in rendered(f"So:\n\n    {text}\n")  # a block does not wrap


def test_formulas_are_mathml_and_what_is_none_stays_as_it_was(rendered):
    assert "<mi>a</mi>" in rendered("So $a \\mathbin{@} b^{\\top}$ it is.")
    assert 'display="block"' in rendered("$$\n\\frac{a}{b}\n$$")
    assert "<mo><" not in rendered("So $a \\mathbin{@} b$ it is.")
    rows = rendered("$$\n\\begin{aligned}\na &= b \\\\\nc &< d\n\\end{aligned}\n$$")
    assert rows.count("<mtr>") == 2
    assert "amp" not in rows
    assert "<mo>&#x0003C;</mo>" in rows
    assert "<mo>&#x0003C;</mo>" in rendered("So $a < b$ it is.")
    assert "\\frac" in rendered("So $\\frac{a_b_c}{d}$ it is.")
    assert "<mtext>group_size</mtext>" in rendered("So $K / \\text{group\\_size}$ it is.")
    assert "<math" not in rendered("It costs $5, not $6; `$x$` is code.")


def test_a_paragraph_before_a_literal_block_ends_in_one_colon_and_a_name_has_no_role(tmp_path):
    (tmp_path / "demo.py").write_text('"""Use :meth:`it` so::\n\n    a::b\n\nEnd: x::y, :meth: z.\n"""\n')
    loaded = griffe.load(
        "demo", search_paths=[tmp_path], extensions=griffe.load_extensions("tileops_site.reference.docstrings")
    )
    assert loaded.docstring.value == "Use `it` so:\n\n    a::b\n\nEnd: x::y, :meth: z."


def test_what_is_returned_is_one_result_until_another_one_is_named(tmp_path):
    cases = {
        "one": ("The sum, laid out", "like ``q``. Its dtype is", "the input dtype."),
        "two": ("y: the result, in", "float32", "state: what is left"),
        "typed": ("y (Tensor): the result, in", "float32", "state (tuple(int, int)): what is left", "over"),
        "prose": ("The sum (of all): a number", "per row (in order) of", "`x` (the input): one", "each (or none)"),
    }
    for name, lines in cases.items():
        section = "".join(f"        {line}\n" for line in lines)
        text = (
            f'def {name}():\n    """Add.\n\n    Returns:\n{section}\n    Raises:\n        ValueError: Never.\n    """\n'
        )
        (tmp_path / f"{name}.py").write_text(text)
    extensions = griffe.load_extensions("tileops_site.reference.docstrings")
    found = {}
    for name in cases:
        made = griffe.load(name, search_paths=[tmp_path], extensions=extensions, docstring_parser="google")[name]
        results = next(part for part in made.docstring.parsed if part.kind.value == "returns").value
        found[name] = [(each.name, each.description) for each in results]
        assert [part.kind.value for part in made.docstring.parsed] == ["text", "returns", "raises"]
    assert found["one"] == [("", "The sum, laid out\nlike ``q``. Its dtype is\nthe input dtype.")]
    assert found["two"] == [("y", "the result, in\nfloat32"), ("state", "what is left")]
    assert found["typed"] == [("y", "the result, in\nfloat32"), ("state", "what is left\nover")]
    said = "The sum (of all): a number\nper row (in order) of\n`x` (the input): one\neach (or none)"
    assert found["prose"] == [("", said)]
