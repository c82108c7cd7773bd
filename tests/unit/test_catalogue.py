"""The library's ops, family by family, as its manifest has them."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from snippetlock.config import cache_dir
from snippetlock.errors import PinError, SourceError
from snippetlock.workflow import open_project
from tileops_site.catalogue import Op, read_catalogue

ROOT = Path(__file__).parent.parent.parent
PACKAGE = 'import os\n\n# In this order.\n_FAMILIES = ("tea", "cups")\n'
TEA = """\
# A pot of it.
BrewFwdOp:
  family: tea
  signature:
    params:
      minutes: {type: int}
      kind: {type: "'green' | 'black'", default: black}
      dtype: {type: "DType[float16 | bfloat16]", default: float16, kw_only: true}
      strainer: {dtype: T, shape: "[N]", optional: true}
    inputs:
      leaves: {dtype: T, shape: "[N]"}
      sugar: {dtype: T, shape: "[N]", optional: "present(milk)"}
      milk: {dtype: T, shape: "[N]", kw_only: true, optional: true}
    outputs:
      tea: {dtype: T, shape: "[N]"}
      rest: {dtype: T, shape: "[N]"}
  workloads:
  - {N: 4}
BrewBwdOp: {family: tea, signature: {inputs: {tea: {}}, outputs: {}}}
"""
CUPS = "SetFwdOp: {family: cups, signature: {}, composition: {kind: composite, stages: []}}\n"
FILES = {
    "tileops/__init__.py": PACKAGE,
    "tileops/manifest/spec/tea.yaml": TEA,
    "tileops/manifest/spec/cups.yaml": CUPS,
    "tileops/manifest/spec/types.yaml": "adts: {Sugar: {sum: {}}}\n",
    "tileops/manifest/spec/notes.md": "no entry",
}


def test_families_are_in_the_order_of_the_package_and_ops_in_that_of_the_manifest(tree):
    families = read_catalogue(tree(FILES))
    assert [(family.name, [op.name for op in family.ops]) for family in families] == [
        ("tea", ["BrewFwdOp", "BrewBwdOp"]),
        ("cups", ["SetFwdOp"]),
    ]


def test_parameters_are_written_as_python_declares_them(tree):
    (brew, back), (cups,) = (family.ops for family in read_catalogue(tree(FILES)))
    assert brew == Op(
        name="BrewFwdOp",
        params="minutes, kind='black', strainer=None, *, dtype=torch.float16",
        inputs="leaves, sugar=None, *, milk=None",
        outputs=("tea", "rest"),
        composed=False,
    )
    assert (back.params, back.inputs, back.outputs) == ("", "tea", ())
    assert cups.composed
    assert not back.composed


@pytest.mark.parametrize(
    ("file", "text", "what", "evidence"),
    [
        ("tileops/manifest/spec/tea.yaml", "BrewFwdOp: {family: [tea\n", "the manifest cannot be read", None),
        ("tileops/manifest/spec/tea.yaml", "- BrewFwdOp\n", "the manifest cannot be read: no mapping", None),
        ("tileops/manifest/spec/tea.yaml", "BrewFwdOp: 3\n", "the manifest cannot be read: BrewFwdOp is no map", None),
        ("tileops/manifest/spec/cups.yaml", f"{CUPS}{TEA}", "the op BrewFwdOp stands twice", "spec/cups.yaml too"),
        (
            "tileops/manifest/spec/cups.yaml",
            CUPS.replace("cups", "mugs"),
            "do not have the same families",
            "cups, mugs",
        ),
        ("tileops/manifest/spec/cups.yaml", CUPS.replace("family: cups, ", ""), "not have the same families", "None"),
        *(
            ("tileops/manifest/spec/tea.yaml", f"BrewFwdOp: {{family: tea, signature: {said}}}\n", what, None)
            for said, what in (
                ("[1]", "the signature of BrewFwdOp is no mapping"),
                ("{params: [a]}", "params of BrewFwdOp is no mapping"),
                ("{outputs: y}", "outputs of BrewFwdOp is no mapping"),
                ("{inputs: {a: }}", "a, one of inputs of BrewFwdOp, is no mapping"),
            )
        ),
        ("tileops/__init__.py", "_FAMILIES = names()\n", "has no tuple `_FAMILIES`", None),
        ("tileops/__init__.py", "_FAMILIES = (\n", "it cannot be read", None),
    ],
)
def test_a_manifest_that_cannot_be_told_is_refused(tree, file, text, what, evidence):
    with pytest.raises(SourceError, match=what) as caught:
        read_catalogue(tree({**FILES, file: text}))
    assert caught.value.path.startswith("tileops/")
    assert caught.value.mend
    assert evidence is None or evidence in " ".join(caught.value.evidence)


def test_at_the_pin_every_op_is_one_that_its_family_exports():
    try:
        library = open_project(ROOT, cache_dir(os.environ)).tree
    except PinError as error:
        pytest.skip(str(error))
    families = read_catalogue(library)
    assert families
    for family in families:
        module = ast.parse(library.read(f"tileops/{family.name}.py"))
        exported = next(
            ast.literal_eval(each.value)
            for each in module.body
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "__all__"
        )
        ops = {op.name for op in family.ops}
        assert len(ops) == len(family.ops)
        assert ops == {name for name in exported if name.endswith("Op")}


def test_a_default_that_no_pattern_could_be_is_told_and_what_is_empty_too(tree):
    said = "{params: {a: {type: str, default: 'a('}, b: {}}, inputs: {x: {}}, outputs: {y: }}"
    text = f"BrewFwdOp: {{family: tea, signature: {said}}}\n"
    (op,) = read_catalogue(tree(FILES | {"tileops/manifest/spec/tea.yaml": text}))[0].ops
    assert (op.params, op.inputs, op.outputs) == ("a='a(', b", "x", ("y",))
