"""Call the op, ask which implementation serves which call, and compile it."""

import torch
from softcap import SoftcapCall, SoftcapFwdOp

op = SoftcapFwdOp(cap=50.0)
x = torch.tensor([-500.0, -1.0, 0.0, 1.0, 500.0])
print("result:", op(x).tolist())

cpu = torch.device("cpu")
for dtype in (torch.float32, torch.bfloat16):
    for elements in (1_000, 1_000_000):
        call = SoftcapCall(elements=elements, cap=50.0, dtype=dtype, device=cpu)
        print(f"{elements:>9,} x {dtype}: {op.key_for('softcap', call)}")

compiled = torch.compile(op, fullgraph=True, backend="eager")
print("compiled gives the same:", torch.equal(compiled(x), op(x)))
print("operator:", SoftcapFwdOp.compile_op_names[0])
print("flops, bytes:", op.eval_roofline())
