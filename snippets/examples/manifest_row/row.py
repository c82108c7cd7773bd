"""What a workload of the manifest says, without torch: the tensors of its calls, their shapes and their bytes."""

import sys

from tileops.manifest import entry_plan, instantiate, load_adts, load_manifest

OP = "RMSNormFwdOp"


def lines(op: str, row: int = 0) -> list[str]:
    """One line a call, and below it one a tensor; a workload has a call for each dtype case."""
    entry = load_manifest()[op]
    plan = entry_plan(op, entry, load_adts())
    workload = entry["workloads"][row]
    said = []
    for case in workload["dtype_cases"]:
        call = instantiate(plan, workload, case)
        said.append(f"{call.case_id}: {call.params}")
        for name, (shape, dtype) in call.tensors.items():
            said.append(f"  {name:<8} {dtype} {shape}, {call.bytes(name):,} bytes")
    return said


if __name__ == "__main__":
    print("\n".join(lines(OP)))
    print("torch was loaded:", "torch" in sys.modules)
