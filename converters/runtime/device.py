"""A compiled model on a device, through pyACL. Untested on hardware: see acl_calls.py."""

from __future__ import annotations

import atexit
import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import DataType, Format
from .acl_calls import Acl
from .device_profiles import SELECTOR, device_profiles
from .tensors import TensorInfo
from .timing import RunTimes

if TYPE_CHECKING:
    from onnxruntime import OrtValue

_MALLOC_HUGE_FIRST = 0  # aclrtMemMallocPolicy
# atc calls an output node:number:name where it knows the name that it has in ONNX.
_NAMED_OUTPUT = re.compile(r"[^:]+:\d+:(.+)")
_HOST_TO_DEVICE, _DEVICE_TO_HOST = 1, 2  # aclrtMemcpyKind


@dataclass(frozen=True)
class _Slot:
    """A tensor's memory on the device, for outputs also on the host, and what lies in it."""

    info: TensorInfo
    index: int
    device: int
    size: int
    host: int = 0


class DeviceModel:
    """An .om of a real atc, loaded on a device, with memory for its inputs and outputs."""

    def __init__(
        self, module: ModuleType, path: str, device_id: int, *, acl_json_path: str | None = None
    ) -> None:
        """Load a model on a device.

        Args:
            module: pyACL's `acl`.
            path: an .om that was built for the device's soc_version.
            device_id: the device's number.
            acl_json_path: AscendCL's configuration (dumps, profiling), read once in a process.

        Raises MaxPoolGradError with pyACL's call, its code and what to do; nothing is left on the device.
        """
        self._path = path
        self._acl = Acl(module, path, acl_json_path)
        self._failed: list[tuple[str, int]] = []
        with ExitStack() as stack:
            self._load(stack, device_id)
            self._release = stack.pop_all()
        atexit.register(self._release.close)

    @property
    def inputs(self) -> list[TensorInfo]:
        """The inputs, without the one that chooses a profile."""
        return [slot.info for slot in self._inputs if slot.info.name != SELECTOR]

    @property
    def outputs(self) -> list[TensorInfo]:
        """The outputs, in order."""
        return [slot.info for slot in self._outputs]

    def run(self, feeds: Mapping[str, Array]) -> tuple[list[Array], RunTimes]:
        """Run once on checked arrays by name; the outputs in order, and how long copies and run took.

        Raises MaxPoolGradError as the constructor does, and where no profile has these shapes.
        """
        self._acl.call("rt.set_context", self._context)
        start = time.perf_counter()
        self._choose_profile(feeds)
        for slot in self._inputs:
            if slot.info.name != SELECTOR:
                self._copy_in(slot, feeds[slot.info.name])
        copied_in = time.perf_counter()
        self._acl.call("mdl.execute", self._model, self._input_set, self._output_set)
        done = time.perf_counter()
        outputs = [self._copy_out(slot) for slot in self._outputs]
        end = time.perf_counter()
        times = RunTimes((done - copied_in) * 1000, (copied_in - start) * 1000, (end - done) * 1000)
        return outputs, times

    def run_values(self, feeds: Mapping[str, OrtValue]) -> tuple[list[OrtValue], RunTimes]:
        """As `run`, on ONNX Runtime's values."""
        from onnxruntime import OrtValue

        outputs, times = self.run({name: value.numpy() for name, value in feeds.items()})
        return [OrtValue.ortvalue_from_numpy(array) for array in outputs], times

    def close(self) -> None:
        """Give everything back, in the reverse order. Harmless twice.

        Raises MaxPoolGradError for the first call that failed, after all others were made.
        """
        atexit.unregister(self._release.close)
        self._release.close()
        if self._failed:
            name, code = self._failed[0]
            self._failed.clear()
            raise self._acl.failure(name, code)

    def _load(self, stack: ExitStack, device_id: int) -> None:
        acl = self._acl
        acl.call("rt.set_device", device_id)
        self._when_closed(stack, "rt.reset_device", device_id)
        self._context: int = acl.call("rt.create_context", device_id)
        self._when_closed(stack, "rt.destroy_context", self._context)
        self._model: int = acl.call("mdl.load_from_file", self._path)
        self._when_closed(stack, "mdl.unload", self._model)
        self._description = acl.make("mdl.create_desc")
        self._when_closed(stack, "mdl.destroy_desc", self._description)
        acl.call("mdl.get_desc", self._description, self._model)
        self._input_set, self._inputs = self._allocate(stack, "input")
        self._output_set, self._outputs = self._allocate(stack, "output")
        has_selector = any(slot.info.name == SELECTOR for slot in self._inputs)
        self._profiles = device_profiles(acl, self._description) if has_selector else None
        # Released first, and so from whatever thread: what follows needs the context.
        self._when_closed(stack, "rt.set_context", self._context)

    def _when_closed(self, stack: ExitStack, name: str, *arguments: object) -> None:
        """Make a call when the stack unwinds; that it fails is remembered, and stops none of the others."""

        def release() -> None:
            code = self._acl.code(name, *arguments)
            if code:
                self._failed.append((name, code))

        stack.callback(release)

    def _allocate(self, stack: ExitStack, kind: str) -> tuple[int, list[_Slot]]:
        """A data set with a buffer for each input or output."""
        acl, description = self._acl, self._description
        data_set = acl.make("mdl.create_dataset")
        self._when_closed(stack, "mdl.destroy_dataset", data_set)
        slots = []
        for index in range(acl.get(f"mdl.get_num_{kind}s", description)):
            info = self._info(kind, index)
            size: int = acl.get(f"mdl.get_{kind}_size_by_index", description, index)
            if not size:
                raise MaxPoolGradError(
                    f"{self._path}: {kind} {quoted(info.name)} has the shape {list(info.shape or ())}, whose "
                    "size is known only when it runs; compile it for fixed shapes, or for profiles "
                    "(--dynamic_batch_size, --dynamic_image_size, --dynamic_dims)"
                )
            device = acl.call("rt.malloc", size, _MALLOC_HUGE_FIRST)
            self._when_closed(stack, "rt.free", device)
            host = 0
            if kind == "output":
                host = acl.call("rt.malloc_host", size)
                self._when_closed(stack, "rt.free_host", host)
            buffer = acl.make("create_data_buffer", device, size)
            self._when_closed(stack, "destroy_data_buffer", buffer)
            acl.call("mdl.add_dataset_buffer", data_set, buffer)
            slots.append(_Slot(info, index, device, size, host))
        return data_set, slots

    def _info(self, kind: str, index: int) -> TensorInfo:
        acl, description = self._acl, self._description
        name: str = acl.get(f"mdl.get_{kind}_name_by_index", description, index)
        named = _NAMED_OUTPUT.fullmatch(name) if kind == "output" else None
        name = named[1] if named else name
        number = acl.get(f"mdl.get_{kind}_data_type", description, index)
        dims = acl.call(f"mdl.get_{kind}_dims", description, index)["dims"]
        layout = acl.get(f"mdl.get_{kind}_format", description, index)
        try:
            dtype = DataType.from_number(number).numpy
        except KeyError:
            dtype = None
        if dtype is None:
            raise MaxPoolGradError(
                f"{self._path}: {kind} {quoted(name)} has AscendCL's data type {number}, which NumPy lacks; "
                "compile the model with another dtype there"
            )
        known = layout in Format._value2member_map_
        return TensorInfo(name, tuple(dims), dtype.name, Format(layout).label if known else str(layout))

    def _copy_in(self, slot: _Slot, array: Array) -> None:
        data = array.tobytes()
        if len(data) > slot.size or (slot.info.realsize and len(data) != slot.size):
            raise MaxPoolGradError(
                f"{self._path}: input {quoted(slot.info.name)} is given with {len(data)} bytes; the device "
                f"takes {slot.size}: give an array of another shape",
                code="145000",
            )
        source = self._acl.get("util.bytes_to_ptr", data)
        self._acl.call("rt.memcpy", slot.device, slot.size, source, len(data), _HOST_TO_DEVICE)

    def _choose_profile(self, feeds: Mapping[str, Array]) -> None:
        if self._profiles is None:
            return
        infos = self.inputs
        shapes: Sequence[tuple[int, ...]] = [feeds[info.name].shape for info in infos]
        arguments = self._profiles.chosen(self._path, infos, shapes)
        index = next(slot.index for slot in self._inputs if slot.info.name == SELECTOR)
        self._acl.call(self._profiles.call, self._model, self._input_set, index, *arguments)

    def _copy_out(self, slot: _Slot) -> Array:
        """An output's array: of a profile it fills only a part of the memory."""
        shape = tuple(self._acl.call("mdl.get_cur_output_dims", self._description, slot.index)["dims"])
        dtype = np.dtype(slot.info.datatype)
        size = math.prod(shape) * dtype.itemsize
        if not 0 <= size <= slot.size:
            raise MaxPoolGradError(
                f"{self._path}: output {quoted(slot.info.name)} came as {list(shape)}, {size} bytes; its "
                f"memory has {slot.size}: compile the model again"
            )
        if not size:
            return np.empty(shape, dtype)
        self._acl.call("rt.memcpy", slot.host, slot.size, slot.device, size, _DEVICE_TO_HOST)
        data = self._acl.get("util.ptr_to_bytes", slot.host, size)
        return np.frombuffer(data, dtype).reshape(shape).copy()
