"""A stand-in for pyACL's module `acl`: records calls, counts what is allocated, computes y = x + x.

Handles are numbers; memory is bytes by handle. A call named in `failing` returns that code, or no handle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

FLOAT, NCHW = 0, 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


@dataclass(frozen=True)
class Port:
    """An input or output of the model; its size counts the largest profile."""

    name: str
    dims: Sequence[int]
    size: int
    dtype: int = FLOAT


@dataclass
class FakeAcl:
    """What the stand-in is asked and holds."""

    inputs: Sequence[Port]
    outputs: Sequence[Port]
    batches: Sequence[int] = ()
    images: Sequence[tuple[int, int]] = ()
    dims: Sequence[Sequence[int]] = ()
    failing: Mapping[str, int] = field(default_factory=dict)
    message: str = ""
    loss: float | None = None
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    live: dict[int, str] = field(default_factory=dict)
    memory: dict[int, bytearray] = field(default_factory=dict)
    current: list[Sequence[int]] = field(default_factory=list)

    def names(self) -> list[str]:
        """The calls' names, in order."""
        return [name for name, *_ in self.calls]

    def module(self) -> ModuleType:
        """The module, with everything that a run needs."""
        module = ModuleType("acl")
        for name in _CALLS:
            target: Any = module
            *groups, last = name.split(".")
            for group in groups:
                if not hasattr(target, group):
                    setattr(target, group, SimpleNamespace())
                target = getattr(target, group)
            setattr(target, last, self._recorded(name))
        return module

    def _recorded(self, name: str) -> Any:
        answer = getattr(self, "_" + name.replace(".", "_"), None)

        def call(*arguments: Any) -> Any:
            self.calls.append((name, *arguments))
            code = self.failing.get(name, 0)
            if name in _CODE_ONLY:
                if not code and answer is not None:
                    answer(*arguments)
                return code
            if name in _VALUE_AND_CODE:
                return (answer(*arguments) if not code and answer is not None else 0), code
            return 0 if code else answer(*arguments) if answer is not None else 0

        return call

    def _new(self, kind: str) -> int:
        handle = 1000 + len(self.calls)
        self.live[handle] = kind
        return handle

    def _gone(self, handle: int, kind: str) -> None:
        assert self.live.pop(handle) == kind, f"{handle} is no {kind}"

    # What is made and given back.
    def _rt_set_device(self, device: int) -> None:
        self.live[device] = "device"

    def _rt_reset_device(self, device: int) -> None:
        self._gone(device, "device")

    def _rt_create_context(self, device: int) -> int:
        return self._new("context")

    def _rt_destroy_context(self, context: int) -> None:
        self._gone(context, "context")

    def _mdl_load_from_file(self, path: str) -> int:
        return self._new("model")

    def _mdl_unload(self, model: int) -> None:
        self._gone(model, "model")

    def _mdl_create_desc(self) -> int:
        return self._new("description")

    def _mdl_destroy_desc(self, description: int) -> None:
        self._gone(description, "description")

    def _mdl_create_dataset(self) -> int:
        handle = self._new("data set")
        self.memory[handle] = bytearray()
        return handle

    def _mdl_destroy_dataset(self, data_set: int) -> None:
        self._gone(data_set, "data set")

    def _create_data_buffer(self, address: int, size: int) -> int:
        assert self.live[address] == "memory"
        assert len(self.memory[address]) == size
        handle = self._new("buffer")
        self.buffers[handle] = address
        return handle

    def _destroy_data_buffer(self, buffer: int) -> None:
        self._gone(buffer, "buffer")

    def _rt_malloc(self, size: int, policy: int) -> int:
        assert (size > 0, policy) == (True, 0)
        handle = self._new("memory")
        self.memory[handle] = bytearray(b"\xff" * size)
        return handle

    def _rt_free(self, address: int) -> None:
        self._gone(address, "memory")

    def _rt_malloc_host(self, size: int) -> int:
        handle = self._new("host memory")
        self.memory[handle] = bytearray(b"\xee" * size)
        return handle

    def _rt_free_host(self, address: int) -> None:
        self._gone(address, "host memory")

    # What the model says of itself.
    def _mdl_get_num_inputs(self, description: int) -> int:
        return len(self.inputs)

    def _mdl_get_num_outputs(self, description: int) -> int:
        return len(self.outputs)

    def _mdl_get_input_name_by_index(self, description: int, index: int) -> str:
        return self.inputs[index].name

    def _mdl_get_output_name_by_index(self, description: int, index: int) -> str:
        return self.outputs[index].name

    def _mdl_get_input_size_by_index(self, description: int, index: int) -> int:
        return self.inputs[index].size

    def _mdl_get_output_size_by_index(self, description: int, index: int) -> int:
        return self.outputs[index].size

    def _mdl_get_input_data_type(self, description: int, index: int) -> int:
        return self.inputs[index].dtype

    def _mdl_get_output_data_type(self, description: int, index: int) -> int:
        return self.outputs[index].dtype

    def _mdl_get_input_dims(self, description: int, index: int) -> dict[str, Any]:
        return _dims(self.inputs[index].dims)

    def _mdl_get_output_dims(self, description: int, index: int) -> dict[str, Any]:
        return _dims(self.outputs[index].dims)

    def _mdl_get_dynamic_batch(self, description: int) -> dict[str, Any]:
        return {"batchCount": len(self.batches), "batch": list(self.batches)}

    def _mdl_get_dynamic_hw(self, description: int, index: int) -> dict[str, Any]:
        assert index == -1
        return {"hwCount": len(self.images), "hw": [list(size) for size in self.images]}

    def _mdl_get_input_dynamic_gear_count(self, description: int, index: int) -> int:
        return len(self.dims)

    def _mdl_get_input_dynamic_dims(self, description: int, index: int, count: int) -> list[dict[str, Any]]:
        assert (index, count) == (-1, len(self.dims))
        return [_dims(dims) for dims in self.dims]

    # What a run does.
    def __post_init__(self) -> None:
        self.sets: dict[int, list[int]] = {}
        self.buffers: dict[int, int] = {}
        self.copied: list[int] = []

    def _mdl_add_dataset_buffer(self, data_set: int, buffer: int) -> int:
        self.sets.setdefault(data_set, []).append(self.buffers[buffer])
        return data_set

    def _util_bytes_to_ptr(self, data: bytes) -> int:
        handle = 500000 + len(self.calls)
        self.memory[handle] = bytearray(data)
        return handle

    def _util_ptr_to_bytes(self, address: int, size: int) -> bytes:
        return bytes(self.memory[address][:size])

    def _rt_memcpy(self, target: int, limit: int, source: int, count: int, kind: int) -> None:
        assert kind in (HOST_TO_DEVICE, DEVICE_TO_HOST)
        assert (self.live.get(target) == "memory") == (kind == HOST_TO_DEVICE)
        assert 0 < count <= limit == len(self.memory[target])
        self.memory[target][:count] = self.memory[source][:count]
        if kind == HOST_TO_DEVICE:
            self.copied.append(count)

    def _mdl_execute(self, model: int, inputs: int, outputs: int) -> None:
        """The first output is twice the first input; a second one is `loss`, where that is given."""
        if self.loss is not None:
            self.memory[self.sets[outputs][1]][:] = np.float32(self.loss).tobytes()
        source, target = self.sets[inputs][0], self.sets[outputs][0]
        count = self.copied[-len([port for port in self.inputs if "mbatch" not in port.name])]
        doubled = 2 * np.frombuffer(bytes(self.memory[source][:count]), np.float32)
        self.memory[target][:count] = doubled.tobytes()

    def _mdl_get_cur_output_dims(self, description: int, index: int) -> dict[str, Any]:
        return _dims(self.current[index] if self.current else self.outputs[index].dims)

    def _get_recent_err_msg(self) -> str:
        return self.message


def _dims(dims: Sequence[int]) -> dict[str, Any]:
    return {"name": "", "dimCount": len(dims), "dims": list(dims)}


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CODE_ONLY = _names(
    """init finalize rt.set_device rt.reset_device rt.set_context rt.destroy_context rt.free rt.free_host
    rt.memcpy mdl.unload mdl.destroy_desc mdl.get_desc mdl.destroy_dataset mdl.execute
    mdl.set_dynamic_batch_size mdl.set_dynamic_hw_size mdl.set_input_dynamic_dims destroy_data_buffer"""
)
_VALUE_AND_CODE = _names(
    """rt.create_context rt.malloc rt.malloc_host mdl.load_from_file mdl.add_dataset_buffer mdl.get_input_dims
    mdl.get_output_dims mdl.get_cur_output_dims mdl.get_dynamic_batch mdl.get_dynamic_hw
    mdl.get_input_dynamic_gear_count mdl.get_input_dynamic_dims"""
)
_VALUE_ONLY = _names(
    """mdl.create_desc mdl.create_dataset create_data_buffer mdl.get_num_inputs mdl.get_num_outputs
    mdl.get_input_name_by_index mdl.get_output_name_by_index mdl.get_input_size_by_index
    mdl.get_output_size_by_index mdl.get_input_data_type mdl.get_output_data_type mdl.get_input_format
    mdl.get_output_format util.bytes_to_ptr util.ptr_to_bytes get_recent_err_msg"""
)
_CALLS = _CODE_ONLY | _VALUE_AND_CODE | _VALUE_ONLY

MAKE_OR_RUN = sorted(
    (_CODE_ONLY | _VALUE_AND_CODE | {"mdl.create_desc", "mdl.create_dataset", "create_data_buffer"})
    - {"finalize", "mdl.set_dynamic_hw_size", "mdl.set_input_dynamic_dims", "mdl.get_dynamic_hw"}
    - {"mdl.get_input_dynamic_gear_count", "mdl.get_input_dynamic_dims"}
)
"""Calls of a run over batch profiles that can fail."""
