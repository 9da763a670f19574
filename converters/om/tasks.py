"""TASK_INFO: a task for each kernel that is bound to an operator.

Addresses of tensors are not known here: no memory is planned, since the embedded compiler's files run on the
host.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import DecodeError

from ..ge_ir import KernelLaunch, Node
from ..ge_ir.model import serialize
from ..ge_ir.refusal import BAD_FILE, fail
from ..ge_ir.wire import ModelTaskDef

ALL_KERNEL = 26
"""TaskDef.type of a kernel whose variants are chosen by a tiling key."""

_TE = 2  # KernelContext.kernel_type of kernels written by hand
_ADDRESS_BYTES = 8


def to_bytes(launches: Mapping[int, tuple[Node, KernelLaunch]], weight_size: int) -> bytes:
    """The partition: `launches` by OpDef.id, in order."""
    message = ModelTaskDef(stream_num=1, weight_size=weight_size)
    for op_id, (node, launch) in launches.items():
        _fill(message.task.add(), op_id, node, launch)
    return serialize(message)


def from_bytes(data: bytes | memoryview, source: str) -> Mapping[int, Any]:
    """The partition's KernelDefWithHandle messages by OpDef.id. Raises MaxPoolGradError if it is bad."""
    try:
        message = ModelTaskDef.FromString(bytes(data))
    except DecodeError:
        fail(f"{source}, TASK_INFO", "its bytes are no list of tasks", "build it again", BAD_FILE)
    kernels = [task.kernel_with_handle for task in message.task if task.type == ALL_KERNEL]
    return {kernel.context.op_index: kernel for kernel in kernels}


def _fill(task: Any, op_id: int, node: Node, launch: KernelLaunch) -> None:
    """One task; its addresses in the order of the kernel's arguments: inputs, outputs, workspaces, tiling."""
    inputs, outputs, workspaces = len(node.input_descs), len(node.output_descs), len(launch.workspaces)
    slots = [
        *(f"{{i{number}*}}" for number in range(inputs)),
        *(f"{{o{number}*}}" for number in range(outputs)),
        *(f"{{ws{number}*}}" for number in range(workspaces)),
        "{t}",
    ]
    task.type = ALL_KERNEL
    kernel = task.kernel_with_handle
    kernel.block_dim = launch.block_dim
    kernel.args_size = _ADDRESS_BYTES * len(slots)
    kernel.args = bytes(kernel.args_size)
    kernel.original_kernel_key = launch.symbol
    kernel.node_info = launch.symbol
    kernel.schedule_mode = launch.schedule_mode
    kernel.context.kernel_type = _TE
    kernel.context.op_index = op_id
    kernel.context.origin_op_index.append(op_id)
    kernel.context.args_count = 1
    kernel.context.args_offset = bytes(2)
    kernel.context.args_format = "".join(slots)
