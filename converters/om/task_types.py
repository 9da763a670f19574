"""How many tasks of which kind an .om's TASK_INFO starts."""

from __future__ import annotations

from collections import Counter

from google.protobuf.message import DecodeError

from ..ge_ir.refusal import BAD_FILE, fail
from ..ge_ir.wire import ModelTaskDef
from .container import OmFile, PartitionType

# In the order of their numbers, 0 first, as in CANN's public header rt_model.h (rtModelTaskType_t).
_NAMES = (
    *("KERNEL", "EVENT_RECORD", "EVENT_WAIT", "FUSION_START", "FUSION_END", "KERNEL_EX", "HCCL"),
    *("STREAM_SWITCH", "STREAM_ACTIVE", "LABEL_SET", "LABEL_SWITCH", "LABEL_GOTO", "PROFILER_TRACE"),
    *("MEMCPY_ASYNC", "NOTIFY_RECORD", "NOTIFY_WAIT", "REDUCE_ASYNC", "RDMA_SEND", "EVENT_RESET"),
    *("MODEL_END_GRAPH", "STREAM_SWITCH_N", "RDMA_DB_SEND", "MEMCPY_ADDR_ASYNC"),
    *("STREAM_LABEL_SWITCH_BY_INDEX", "STREAM_LABEL_GOTO", "MODEL_EXIT", "ALL_KERNEL", "PROFILER_TRACE_EX"),
    *("FFTS_TASK", "FFTS_PLUS_TASK", "DSA_TASK", "CMO", "BARRIER", "NPU_GET_FLOAT_STATUS"),
    *("NPU_CLEAR_FLOAT_STATUS", "DVPP", "NPU_GET_DEBUG_FLOAT_STATUS", "NPU_CLEAR_DEBUG_FLOAT_STATUS"),
    *("CMO_ADDR", "VECTOR_KERNEL", "VECTOR_ALL_KERNEL", "UPDATE", "NOP", "PREPROCESS_KERNEL"),
    *("SUPER_KERNEL", "MEM_EVENT_RECORD", "MEM_EVENT_WAIT", "FUSION_KERNEL"),
)


def task_types(om: OmFile, source: str = "the .om file", model: int = 0) -> dict[str, int]:
    """Tasks by the name of their type, a number where it has none. Raises MaxPoolGradError if it is bad."""
    partition = om.find(PartitionType.TASK_INFO, model)
    if partition is None:
        return {}
    try:
        message = ModelTaskDef.FromString(bytes(partition.data))
    except DecodeError:
        fail(f"{source}, TASK_INFO", "its bytes are no list of tasks", "build it again", BAD_FILE)
    counts = Counter(task.type for task in message.task)
    return {
        _NAMES[number] if number < len(_NAMES) else str(number): count
        for number, count in counts.most_common()
    }
