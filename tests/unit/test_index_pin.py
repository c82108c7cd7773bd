"""Right answers on the library that this site is about: `snippetlock pin fetch` has it at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from indexing import one, pinned

from snippetlock.index import (
    bind,
    calls,
    constant,
    keys,
    lineage,
    lookup,
    member,
    nearest,
    outside,
    produces,
    signature,
    unproven,
)

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def index():
    return pinned()


def bound(index, name, text):
    (call,) = calls(text)
    return bind(signature(index, one(index, name)), call)


def test_every_file_is_read(index):
    assert index.unread == ()
    assert len(index.paths) > 400


def test_kernel_for_takes_two_arguments(index):
    wrong = bound(index, "kernel_for", "kernel_for(role, inputs, call)")

    assert (wrong.fits, wrong.takes) == (False, "kernel_for takes (interface, call)")
    assert bound(index, "GEMMFwdOp.kernel_for", "self.kernel_for(interface, call)").fits
    assert bound(index, "tileops.Op.kernel_for", 'op.kernel_for("gemm", call)').problems == ()


def test_an_op_takes_what_its_init_takes(index):
    assert bound(index, "tileops.gemm.GEMMFwdOp", "GEMMFwdOp(trans_b=False, target=None)").fits
    assert not bound(index, "tileops.gemm.GEMMFwdOp", "GEMMFwdOp(tune=True)").fits
    assert not bound(index, "GEMMCall", "GEMMCall(m=1, role=2)").fits
    assert bound(index, "GEMMCall", "GEMMCall(m=1, device=None)").fits


def test_entry_for_is_defined_in_many_places_and_takes_one_call_in_each(index):
    found = lookup(index, "entry_for")

    assert len(found) > 100
    takes = {signature(index, each).shown for each in found}
    assert takes == {"(call)"}
    (call,) = calls("entry_for(role, call)")
    assert {bind(signature(index, each), call).fits for each in found} == {False}


def test_public_paths_lead_to_the_definition(index):
    (op,) = lookup(index, "tileops.gemm.GEMMFwdOp")

    assert op.path == "tileops/_ops/gemm/gemm.py"
    assert op in lookup(index, "GEMMFwdOp")
    assert lookup(index, "tileops.Op") == lookup(index, "tileops.authoring.Op") == (lineage(index, op).order[1],)
    assert member(index, op, "kernel_for")[0].qualified == "Op.kernel_for"


def test_dispatch_keys_are_those_of_the_class(index):
    found = one(index, "GEMMFwdOp.kernel_types").keys

    assert found is not None
    assert (found.names, found.complete) == (("gemm_tma", "gemm_cp_async", "gemv"), True)
    assert any(text.role == "key" and text.within == "GEMMFwdOp" for text in constant(index, "gemm_tma"))
    assert not constant(index, "gemm_kernel")


def test_a_member_that_no_base_has_is_proven_to_be_missing(index):
    op = one(index, "tileops.gemm.GEMMFwdOp")

    assert not member(index, op, "_call_spec")
    assert unproven(index, op, "_call_spec") == ()
    assert member(index, op, "call_spec")
    assert unproven(index, op, "_call_boundary")  # it is generated
    assert lookup(index, "_call_spec")  # of other ops


def test_old_names_are_near_to_the_new_ones(index):
    assert nearest(index, "GemmFwdOp")[0] == "GEMMFwdOp"
    assert nearest(index, "GemmTmaKernel")[0] == "GEMMTMAKernel"
    assert nearest(index, "MoePermuteAlignFwdOp")[0] == "MoEPermuteAlignFwdOp"
    assert nearest(index, "TopkSelectorFwdOp")[0] == "TopKSelectFwdOp"


def test_what_is_imported_is_told(index):
    assert outside(index, "Tensor") == ("torch.Tensor",)
    assert "tilelang.language" in outside(index, "T")


def test_keys_of_the_manifest_are_there(index):
    (found,) = keys(index, "GEMMFwdOp.signature")

    assert (found.path, found.line) == ("tileops/manifest/spec/gemm.yaml", 7)


QUOTED = re.findall(
    r"`(\w+)` `([^`]+)`\{ \.message \}", (ROOT / "docs/kernel-selection.md").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("exception", "message"), QUOTED)
def test_each_message_that_a_page_quotes_is_made_and_raised_so(index, exception, message):
    found = produces(index, message)

    assert found
    assert exception in found[0].exceptions
    longest = max(re.findall(r"(?<![\w.'])[a-z]{3,}(?![\w.'])", message), key=len)
    assert found[0].text not in [each.text for each in produces(index, message.replace(longest, "zebra"))]


def test_messages_are_quoted():
    assert len(QUOTED) > 10


@pytest.mark.parametrize(
    "message",
    [
        "GEMMFwdOp has no kernel for arch 70",
        "cannot find a kernel for this shape",
        "no implementation can serve the call",
        "expected dtype float16, got float32",
        "GEMMFwdOp.kernel_for() got an unexpected keyword argument 'role'",
    ],
)
def test_messages_that_nothing_makes_are_told(index, message):
    assert produces(index, message) == ()
