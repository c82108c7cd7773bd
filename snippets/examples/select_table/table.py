"""Ask the library which implementation of the dense GEMM serves which call on which architecture. Needs no GPU.

A call spec may state the facts of a device that this process is not on: `key_for` answers for that one.
"""

from collections.abc import Mapping

import torch
from tileops import OpNotAvailableError
from tileops.gemm import GEMMFwdOp

# What selection reads of a device: its architecture, as `major * 10 + minor`, its multiprocessors, the bytes of
# shared memory that a block may take, and the key of the board that the library's tuning data is of, if any.
DEVICES = {
    "A100": {"arch": 80, "sm_count": 108, "smem_budget": 166_912, "calibration": None},
    "A10": {"arch": 86, "sm_count": 72, "smem_budget": 101_376, "calibration": None},
    "L40S": {"arch": 89, "sm_count": 142, "smem_budget": 101_376, "calibration": None},
    "H200": {"arch": 90, "sm_count": 132, "smem_budget": 232_448, "calibration": None},
}

# m, n, k, and whether each operand is stored transposed.
CALLS = (
    (128, 128, 128, False, True),
    (1, 128, 128, False, True),
    (128, 1, 128, False, False),
    (2, 256, 4096, False, True),
    (2, 2112, 7168, False, True),
    (128, 128, 100, False, True),
    (1, 128, 128, True, True),
    (128, 128, 1, False, True),
    (1, 128, 1, False, True),
)
NONE = "none"
Facts = Mapping[str, int | None]


def served_by(m: int, n: int, k: int, trans_a: bool, trans_b: bool, facts: Facts) -> str:
    """The key of the implementation that serves a call of `float16` operands, or `none`."""
    op = GEMMFwdOp(trans_a=trans_a, trans_b=trans_b)
    call = op.interfaces["gemm"].request(
        m=m,
        n=n,
        k=k,
        dtype=torch.float16,
        trans_a=trans_a,
        trans_b=trans_b,
        device=torch.device("cuda", 0),
        **facts,
    )
    try:
        return op.key_for("gemm", call)
    except OpNotAvailableError:
        return NONE


def layout(trans_a: bool, trans_b: bool) -> str:
    """The two letters that say how the operands are stored: N as it is, T transposed."""
    return "NT"[trans_a] + "NT"[trans_b]


def table() -> list[list[str]]:
    """One row a call, one column a device."""
    rows = [["m, n, k", "layout", *(f"{name} (sm{facts['arch']})" for name, facts in DEVICES.items())]]
    for m, n, k, *transposed in CALLS:
        keys = [served_by(m, n, k, *transposed, facts) for facts in DEVICES.values()]
        rows.append([f"{m}, {n}, {k}", layout(*transposed), *keys])
    return rows


if __name__ == "__main__":
    rows = table()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
