"""A builder for each op: the inputs as `TensorSpec`s in the order of the signature, then its parameters by keyword.

It runs once for each device, dtypes and shapes, and what it returns is called with the tensors.
"""

from collections.abc import Sequence

import torch
from tileops.backend import TensorSpec

from tileops_cpu.kernels import Gemm, RMSNorm


def build_gemm(a: TensorSpec, b: TensorSpec, *, trans_a: bool, trans_b: bool) -> Gemm:
    return Gemm(trans_a, trans_b)


def build_rms_norm(
    x: TensorSpec, weight: TensorSpec | None, *, normalized_shape: Sequence[int], eps: float | None
) -> RMSNorm:
    if len(normalized_shape) > 1:
        raise NotImplementedError(f"'cpu' normalizes one dimension, not {len(normalized_shape)}")
    return RMSNorm(torch.finfo(torch.float32).eps if eps is None else eps)
