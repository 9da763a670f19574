"""The plan of one launch."""

from __future__ import annotations

from collections.abc import Sequence

from maxpoolgrad_onnx import _ascend
from maxpoolgrad_onnx.contract import PoolAttributes

from ..ge_ir import KernelLaunch
from .processors import check_processor


def plan_launch(
    attributes: PoolAttributes,
    dtype: str,
    orig_input: Sequence[int],
    orig_output: Sequence[int],
    soc_version: str,
    cores: int | None = None,
) -> KernelLaunch:
    """How the kernel runs on a processor, as its tiling function would decide there.

    Args:
        attributes: of the node.
        dtype: "float16" or "float32".
        orig_input: its shape; the contract has let it pass, and every size is known.
        orig_output: the same.
        soc_version: the processor, such as Ascend910B1.
        cores: how many of its vector cores to plan for; all where left out.

    Raises MaxPoolGradError (EZ3003) for a processor that is not known.
    """
    check_processor(soc_version)
    plan = _ascend.plan(soc_version, cores, attributes.as_dict(), dtype, list(orig_input), list(orig_output))
    return KernelLaunch(
        _ascend.KERNEL_NAME,
        plan.tiling_key,
        plan.tiling_data,
        plan.block_dim,
        (plan.workspace_bytes,),
        plan.schedule_mode,
        plan.local_memory_bytes,
    )
