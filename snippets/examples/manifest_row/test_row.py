"""A row says what its op would be called with, and reading it loads neither torch nor TileLang."""

import subprocess
import sys
from pathlib import Path

import pytest
from row import OP, lines
from tileops.manifest import load_workloads

PROGRAM = Path(__file__).with_name("row.py")


def test_every_dtype_case_is_a_call_with_its_tensors_and_their_bytes():
    (workload, *_) = load_workloads(OP)
    said = lines(OP)

    calls = [line for line in said if not line.startswith(" ")]
    assert [line.split(":")[0].rpartition("-")[2] for line in calls] == [case["T"] for case in workload["dtype_cases"]]
    assert [line.split()[0] for line in said[1:4]] == ["x", "weight", "output"]
    elements = 2048 * 4096
    assert f"{2 * elements:,} bytes" in said[1]


def test_a_tensor_that_the_row_leaves_out_is_not_there():
    without = next(at for at, workload in enumerate(load_workloads(OP)) if "some" not in workload)
    assert not any(line.split()[0] == "weight" for line in lines(OP, without))


def test_an_op_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        lines("RMSNormOp")


def test_the_program_loads_no_torch():
    out = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, check=True).stdout
    assert out.rstrip().endswith("torch was loaded: False")
