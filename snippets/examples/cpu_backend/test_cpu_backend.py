"""The installed backend claims the CPU, gives the right products and norms, and says what it does not serve."""

from importlib.metadata import entry_points

import pytest
import torch
import torch.nn.functional as F
from tileops import BUILTIN, OpNotAvailableError, UnknownTargetError, load_failures, registered_targets
from tileops.gemm import GEMMFwdOp
from tileops.norm import LayerNormFwdOp, RMSNormFwdOp


def numbers(*shape, dtype=torch.bfloat16):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1)).to(dtype)


def test_the_installed_package_is_what_registers_it():
    assert {(each.name, each.value) for each in entry_points(group="tileops.backends")} == {("cpu", "tileops_cpu")}
    assert registered_targets("GEMMFwdOp") == ["cpu"]
    assert registered_targets("LayerNormFwdOp") == []
    assert load_failures() == ()


@pytest.mark.parametrize("trans_a", [False, True])
@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_it_multiplies_in_all_four_layouts(trans_a, trans_b, dtype):
    a, b = numbers(5, 7, dtype=dtype), numbers(7, 3, dtype=dtype)
    op = GEMMFwdOp(trans_a=trans_a, trans_b=trans_b)

    d = op(a.T.contiguous() if trans_a else a, b.T.contiguous() if trans_b else b)

    torch.testing.assert_close(d, (a.float() @ b.float()).to(dtype), rtol=0, atol=0)
    assert op.serving_target == "cpu"
    assert op.eval_roofline()[0] == 2 * 5 * 7 * 3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("eps", [None, 1e-3])
def test_it_normalizes_as_torch_does(weighted, eps):
    x, weight = numbers(4, 16), numbers(16) if weighted else None
    op = RMSNormFwdOp(normalized_shape=(16,), eps=eps)

    torch.testing.assert_close(op(x, weight), F.rms_norm(x, (16,), weight, eps))
    assert op.serving_target == "cpu"


def test_what_a_builder_refuses_reaches_the_caller_as_it_is():
    with pytest.raises(NotImplementedError, match="normalizes one dimension, not 2"):
        RMSNormFwdOp(normalized_shape=(2, 3))(numbers(4, 2, 3))


def test_an_op_without_a_builder_is_not_served_and_nothing_falls_back():
    with pytest.raises(OpNotAvailableError, match="registers no kernel builder for LayerNormFwdOp"):
        LayerNormFwdOp(normalized_shape=(16,))(numbers(4, 16))


def test_the_in_tree_kernels_can_still_be_asked_for_by_name():
    with pytest.raises(OpNotAvailableError, match="in-tree kernels do not run on cpu"):
        GEMMFwdOp(target=BUILTIN)(numbers(5, 7), numbers(3, 7))


def test_a_target_that_nobody_registered_is_an_error_at_the_call():
    op = GEMMFwdOp(target="gpu")

    with pytest.raises(UnknownTargetError, match="gpu"):
        op(numbers(5, 7), numbers(3, 7))


def test_a_compiled_op_is_served_too():
    op = GEMMFwdOp()
    a, b = numbers(5, 7), numbers(3, 7)

    torch.testing.assert_close(torch.compile(op, fullgraph=True, backend="eager")(a, b), op(a, b), rtol=0, atol=0)
