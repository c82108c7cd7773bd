"""The kernels: plain PyTorch, and nothing of TileOPs."""

import torch


class Gemm:
    """The product of two matrices in float32, rounded once to the dtype of the operands."""

    def __init__(self, trans_a: bool, trans_b: bool) -> None:
        self.trans_a = trans_a
        self.trans_b = trans_b

    def __call__(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        left = a.T if self.trans_a else a
        right = b.T if self.trans_b else b
        return (left.float() @ right.float()).to(a.dtype)


class RMSNorm:
    """Each row divided by the root of its mean square, computed in float32; then scaled, where there is a weight."""

    def __init__(self, eps: float) -> None:
        self.eps = eps

    def __call__(self, x: torch.Tensor, weight: torch.Tensor | None) -> torch.Tensor:
        rows = x.float()
        normal = rows * torch.rsqrt(rows.square().mean(dim=-1, keepdim=True) + self.eps)
        return (normal if weight is None else normal * weight.float()).to(x.dtype)
