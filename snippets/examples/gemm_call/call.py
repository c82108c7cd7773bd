import torch
from tileops.gemm import GEMMFwdOp

a = torch.randn(4096, 7168, dtype=torch.bfloat16, device="cuda")
b = torch.randn(4096, 7168, dtype=torch.bfloat16, device="cuda")

op = GEMMFwdOp()  # b is stored transposed, as the weight of a linear layer is: d = a @ b.T
d = op(a, b)  # the first call compiles a kernel for these shapes

expected = a.float() @ b.float().T
error = (d.float() - expected).abs().max() / expected.abs().max()
print("device:", torch.cuda.get_device_name())
print("shape, dtype:", tuple(d.shape), d.dtype)
print("as torch has it:", bool(error < 0.01))
print("served by:", [type(kernel).__name__ for kernel in op.iter_kernels()])
print("flops, bytes:", op.eval_roofline())
