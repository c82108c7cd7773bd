"""The target `cpu`: registers itself when it is imported, and builds nothing before a call asks for it."""

import torch
from tileops.backend import register_detector, register_kernel_builder

from tileops_cpu.builders import build_gemm, build_rms_norm

TARGET = "cpu"


def detect(device: torch.device) -> bool:
    """Whether a device is of the kind that these kernels are for, whatever a call asks of it."""
    return device.type == "cpu"


register_detector(target=TARGET, detect=detect)
register_kernel_builder(op="GEMMFwdOp", target=TARGET, build_kernel=build_gemm)
register_kernel_builder(op="RMSNormFwdOp", target=TARGET, build_kernel=build_rms_norm)
