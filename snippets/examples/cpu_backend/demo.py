"""Run two ops of TileOPs on the CPU: the installed backend serves them, and no line here names it."""

import torch
from tileops import registered_targets
from tileops.gemm import GEMMFwdOp
from tileops.norm import LayerNormFwdOp, RMSNormFwdOp

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float16)
b = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], dtype=torch.float16)
gemm = GEMMFwdOp()
print("a @ b.T:", gemm(a, b).tolist())
print("served by:", gemm.serving_target)
print("flops, bytes:", gemm.eval_roofline())

norm = RMSNormFwdOp(normalized_shape=(2,))
print("normalized:", [[round(value, 4) for value in row] for row in norm(a).tolist()])

print("targets for GEMMFwdOp:", registered_targets("GEMMFwdOp"))
try:
    LayerNormFwdOp(normalized_shape=(2,))(a)
except ValueError as error:
    print(f"{type(error).__name__}: {str(error).partition(';')[0]}")
