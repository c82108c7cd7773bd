"""The op gives what its formula says, each call goes where its facts say, and what cannot be served says why."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch
from softcap import BLOCK, SHORT, SoftcapBlocksKernel, SoftcapCall, SoftcapFwdOp, SoftcapTableKernel
from tileops import BUILTIN, OpNotAvailableError

CPU = torch.device("cpu")
DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def expected(x, cap):
    return (cap * torch.tanh(x.float() / cap)).to(x.dtype)


def call(elements, dtype, cap=30.0):
    return SoftcapCall(elements=elements, cap=cap, dtype=dtype, device=CPU)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7,), (SHORT + 1,), (3, BLOCK)])
def test_it_gives_what_the_formula_says(dtype, shape):
    x = 100 * torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(dtype)
    y = SoftcapFwdOp(cap=30.0)(x)

    assert y.dtype == dtype
    assert y.shape == x.shape
    torch.testing.assert_close(y, expected(x, 30.0), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("elements", "dtype", "key"),
    [
        (SHORT, torch.float32, "short"),
        (SHORT + 1, torch.float32, "blocks"),
        (SHORT, torch.bfloat16, "short"),
        (SHORT + 1, torch.bfloat16, "table"),
        (SHORT + 1, torch.float16, "table"),
    ],
)
def test_the_facts_of_a_call_decide_which_implementation_serves_it(elements, dtype, key):
    assert SoftcapFwdOp(cap=30.0).key_for("softcap", call(elements, dtype)) == key


def test_calls_with_one_identity_share_what_was_built():
    op = SoftcapFwdOp(cap=30.0)
    for elements in (SHORT + 1, SHORT + 2):
        op(torch.zeros(elements, dtype=torch.bfloat16))

    assert [type(kernel) for kernel in op.iter_kernels()] == [SoftcapTableKernel]
    assert SoftcapTableKernel.entry_for(call(5, torch.float16))[0] == (30.0, torch.float16)
    assert SoftcapBlocksKernel.entry_for(call(5, torch.float16))[0] == 30.0


def test_threads_that_miss_together_build_one_kernel(monkeypatch):
    built, threads = [], 8
    start, build = Barrier(threads), SoftcapTableKernel.__init__

    def counted(self, cap, dtype):
        built.append(dtype)
        build(self, cap, dtype)

    monkeypatch.setattr(SoftcapTableKernel, "__init__", counted)
    op = SoftcapFwdOp(cap=30.0)
    x = torch.linspace(-100, 100, SHORT + 1, dtype=torch.bfloat16)

    def called(_):
        start.wait()  # nobody has anything built before everybody asks
        return op(x)

    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(called, range(threads)))

    assert built == [torch.bfloat16]
    assert all(torch.equal(y, expected(x, 30.0)) for y in results)
    assert op.last_call.indices["S"] == (SHORT + 1,)


def test_a_refusal_says_which_limit_a_call_passes():
    assert SoftcapTableKernel.refusal(call(5, torch.float32)) == (
        "a table holds the values of a 16-bit dtype, and torch.float32 has more"
    )
    assert SoftcapTableKernel.refusal(call(5, torch.float16)) is None


def test_a_call_on_a_device_that_no_implementation_runs_on_is_refused():
    meta = SoftcapCall(elements=5, cap=30.0, dtype=torch.float32, device=torch.device("meta"))

    with pytest.raises(OpNotAvailableError, match="do not run on meta"):
        SoftcapFwdOp(cap=30.0).key_for("softcap", meta)


def test_what_the_signature_refuses_never_reaches_a_kernel():
    with pytest.raises(ValueError, match="x dtype is outside"):
        SoftcapFwdOp(cap=30.0)(torch.zeros(3, dtype=torch.float64))


def test_the_in_tree_implementations_serve_it():
    op = SoftcapFwdOp(cap=30.0)
    assert op.serving_target is None

    op(torch.zeros(3))

    assert op.serving_target is BUILTIN
    assert op.eval_roofline() == (9, 24)


@pytest.mark.parametrize("backend", ["eager", "inductor"])
def test_a_compiled_call_is_one_operator_and_gives_the_same(backend):
    op = SoftcapFwdOp(cap=30.0)
    x = torch.linspace(-100, 100, 11)

    torch.testing.assert_close(torch.compile(op, fullgraph=True, backend=backend)(x), op(x), rtol=0, atol=0)
    assert SoftcapFwdOp.compile_op_names == ("tileops_ext::softcap_elementwise_softcap_fwd",)
