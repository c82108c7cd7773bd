"""An op of your own, outside the library: soft capping, `cap * tanh(x / cap)`, on the CPU.

Three implementations serve one kernel interface. Each states which calls it refuses; which of those that are left
runs is decided by `preferred_over` and `general`, never by the order they are listed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from tileops.authoring import CallSpec, Entry, Kernel, KernelInterface, Op

BLOCK = 1 << 16  # elements whose float32 copy is held at once
SHORT = 1 << 12  # elements for which building a table would cost more than the call
TABLED = (torch.float16, torch.bfloat16)


@dataclass(frozen=True)
class SoftcapCall(CallSpec):
    """The facts of one call that its implementations read, and nothing that the contents of a tensor decide."""

    elements: int = 0
    cap: float = 1.0
    dtype: torch.dtype | None = None


class SoftcapFwdInterface(KernelInterface):
    """One call, `kernel(x)`: `x` is contiguous, of one dimension, and stays as it is."""

    request: ClassVar[type] = SoftcapCall

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


class SoftcapBlocksKernel(Kernel, SoftcapFwdInterface):
    """Serves every call: computes in float32, block by block, so that little memory is needed."""

    devices: ClassVar[frozenset[str]] = frozenset({"cpu"})
    general = True

    def __init__(self, cap: float) -> None:
        super().__init__()
        self.cap = cap

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        for start in range(0, x.numel(), BLOCK):
            part = x[start : start + BLOCK].float()
            y[start : start + BLOCK] = self.cap * torch.tanh(part / self.cap)
        return y

    @classmethod
    def entry_for(cls, call: SoftcapCall) -> Entry:
        return call.cap, lambda: cls(call.cap)


class SoftcapTableKernel(Kernel, SoftcapFwdInterface):
    """A 16-bit dtype has 65,536 values: computes the result of each once, and looks them up from then on."""

    devices: ClassVar[frozenset[str]] = frozenset({"cpu"})

    def __init__(self, cap: float, dtype: torch.dtype) -> None:
        super().__init__()
        every = torch.arange(1 << 16, dtype=torch.int32).to(torch.uint16).view(dtype)
        self.table = (cap * torch.tanh(every.float() / cap)).to(dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.table[x.view(torch.uint16).int()]

    @classmethod
    def refusal(cls, call: SoftcapCall) -> str | None:
        if call.dtype not in TABLED:
            return f"a table holds the values of a 16-bit dtype, and {call.dtype} has more"
        return super().refusal(call)

    @classmethod
    def entry_for(cls, call: SoftcapCall) -> Entry:
        return (call.cap, call.dtype), lambda: cls(call.cap, call.dtype)


class SoftcapShortKernel(Kernel, SoftcapFwdInterface):
    """Computes a short tensor at once: it is done before a table would be built."""

    devices: ClassVar[frozenset[str]] = frozenset({"cpu"})
    preferred_over: ClassVar[frozenset[str]] = frozenset({"table"})

    def __init__(self, cap: float) -> None:
        super().__init__()
        self.cap = cap

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.cap * torch.tanh(x.float() / self.cap)).to(x.dtype)

    @classmethod
    def refusal(cls, call: SoftcapCall) -> str | None:
        if call.elements > SHORT:
            return f"takes up to {SHORT} elements, and the call has {call.elements}"
        return super().refusal(call)

    @classmethod
    def entry_for(cls, call: SoftcapCall) -> Entry:
        return call.cap, lambda: cls(call.cap)


class SoftcapFwdOp(Op):
    """Keep every value between `-cap` and `cap`, and small ones as they are: `y = cap * tanh(x / cap)`."""

    spec: ClassVar[Mapping[str, Any]] = {
        "family": "elementwise",
        "signature": {
            "forall": {"S": "Shape", "T": "DType[float32 | float16 | bfloat16]"},
            "params": {"cap": {"type": "float"}},
            "inputs": {"x": {"dtype": "T", "shape": "[*S]"}},
            "outputs": {"y": {"dtype": "T", "shape": "[*S]"}},
            "shape_rules": ["cap > 0"],
        },
        "roofline": {"flops": "3 * prod(S)"},
    }
    kernel_types: ClassVar[Mapping[str, type[Kernel]]] = {
        "blocks": SoftcapBlocksKernel,
        "table": SoftcapTableKernel,
        "short": SoftcapShortKernel,
    }
    interfaces: ClassVar[Mapping[str, type[KernelInterface]]] = {"softcap": SoftcapFwdInterface}

    def __init__(self, cap: float) -> None:
        self.cap = cap  # a parameter of the signature: the base class looks for it
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        flat = x.contiguous().view(-1)

        def call() -> SoftcapCall:
            size, dtype, device = flat.numel(), flat.dtype, flat.device
            return SoftcapCall(elements=size, cap=self.cap, dtype=dtype, device=device)

        return self.kernel_for("softcap", call)(flat).view(x.shape)
