"""A captured call is replayed on other numbers and says what a call says; a dropout without a seed is not captured."""

import runpy
from pathlib import Path

import pytest
import torch
from tileops.elementwise import DropoutFwdOp

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need an NVIDIA GPU")


def test_a_replay_says_what_a_call_says(capsys):
    runpy.run_path(str(Path(__file__).with_name("graph.py")))

    assert "as a call has it: True" in capsys.readouterr().out


def captured(op, x):
    op(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = op(x)
    graph.replay()
    return y


def test_dropout_is_captured_with_a_seed_and_not_without():
    x = torch.ones(4096, 4096, dtype=torch.bfloat16, device="cuda")

    assert 0 < captured(DropoutFwdOp(0.5, seed=7), x).mean() < 2
    with pytest.raises(RuntimeError, match="during CUDA graph capture"):
        captured(DropoutFwdOp(0.5), x)
