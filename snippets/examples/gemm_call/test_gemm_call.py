"""The first call runs and is right on a GPU; without one the library says so before anything is compiled."""

import runpy
from pathlib import Path

import pytest
import torch
from tileops import OpNotAvailableError
from tileops.gemm import GEMMFwdOp


@pytest.mark.skipif(not torch.cuda.is_available(), reason="the first call needs an NVIDIA GPU")
def test_the_first_call_is_right(capsys):
    runpy.run_path(str(Path(__file__).with_name("call.py")))

    assert "as torch has it: True" in capsys.readouterr().out


def test_tensors_on_the_cpu_are_refused_and_the_message_says_by_whom():
    op = GEMMFwdOp()

    with pytest.raises(OpNotAvailableError, match="GEMMFwdOp's in-tree kernels do not run on cpu"):
        op(torch.zeros(4, 8, dtype=torch.float16), torch.zeros(4, 8, dtype=torch.float16))
    assert op.serving_target is None
