"""Running a compiled model, by the names that ais_bench uses."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .backend import Backend, backend_of
from .host import KERNELS, HostRunner
from .host_model import host_model
from .tensors import Feeds, TensorInfo, checked_feeds
from .timing import RunTimes, Summary, summary_of
from .unmatched import unmatched_windows

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import OrtValue, SessionOptions

    from ..twin import TwinReport
    from .device import DeviceModel

MODES = ("static", "dymbatch", "dymhw", "dymdims", "dymshape")


class InferSession:
    """A model that runs: on the host, or an .om of a real atc on a device. Also a context manager."""

    def __init__(
        self,
        device_id: int,
        model_path: str | os.PathLike[str],
        acl_json_path: str | os.PathLike[str] | None = None,
        *,
        backend: str = "auto",
        kernel: str = "native",
        soc_version: str | None = None,
        sess_options: SessionOptions | None = None,
    ) -> None:
        """Load a model.

        Args:
            device_id: which device; the host has none, and takes any number of 0 or more.
            model_path: an .om, or for the host an .air or .onnx.
            acl_json_path: AscendCL's configuration, for a device.
            backend: "host", "device", or "auto": a device for an .om that a real atc built, where pyACL is
                installed, else the host. The runs on a device are untested on hardware.
            kernel: what computes MaxPoolV3Grad on the host: "native", the CPU kernel; "twin", the NPU's own
                kernel in its CPU twin, started as the .om binds it (where it binds none, as planned when it
                runs).
            soc_version: the twin's processor; left out, the one that the file is planned for, or Ascend910B1.
            sess_options: ONNX Runtime's options, for instance a number of threads.

        Raises MaxPoolGradError where the model cannot be read or run here.
        """
        _check_arguments(device_id, kernel, soc_version)
        self.device_id = device_id
        self.model_path = os.fspath(model_path)
        self.backend: Backend = backend_of(self.model_path, _backend_for(kernel, backend))
        self._runner: HostRunner | DeviceModel | None
        if self.backend == "device":
            self._runner = _device_model(self.model_path, device_id, acl_json_path)
        else:
            _check_no_config(self.model_path, acl_json_path)
            arguments: dict[str, Any] = {} if sess_options is None else {"sess_options": sess_options}
            self._runner = HostRunner(
                self.model_path,
                host_model(self.model_path),
                kernel=kernel,
                soc_version=soc_version,
                ort_arguments=arguments,
            )
        self._inputs, self._outputs = self._runner.inputs, self._runner.outputs
        self._times: list[RunTimes] = []

    @property
    def onnx_model(self) -> ModelProto:
        """The model that ONNX Runtime runs. Raises MaxPoolGradError on a device, which runs none."""
        runner = self._host_runner()
        if runner is None:
            raise MaxPoolGradError(f"{self.model_path}: it runs on a device, not as ONNX; use backend='host'")
        return runner.onnx_model

    @property
    def profiles(self) -> list[dict[str, tuple[int, ...]]]:
        """The shapes of the inputs that profiles fix, by name, for each profile; none on a device."""
        runner = self._host_runner()
        return [] if runner is None else runner.profiles

    def get_inputs(self) -> list[TensorInfo]:
        """The inputs, in order."""
        return list(self._inputs)

    def get_outputs(self) -> list[TensorInfo]:
        """The outputs, in order."""
        return list(self._outputs)

    def infer(self, feeds: Feeds, mode: str = "static") -> list[Array]:
        """Run once: arrays in the order of get_inputs() or by name; gives arrays in the order of
        get_outputs().

        `mode` is ais_bench's: one of MODES. It needs no telling: open sizes, and the profile of a model that
        has profiles, follow from the arrays.

        Raises MaxPoolGradError that names the input where name, number, dtype, shape or size is not what it
        takes, and what the operator refuses.
        """
        if mode not in MODES:
            raise MaxPoolGradError(f"mode is {quoted(mode)}; allowed are {', '.join(MODES)}", code="E10001")
        results, times = self._live().run(checked_feeds(self.model_path, self._inputs, feeds))
        self._times.append(times)
        return results

    def infer_values(self, feeds: Mapping[str, OrtValue]) -> dict[str, OrtValue]:
        """Run once on ONNX Runtime's own values, unchecked and on the host not copied, to feed outputs
        back."""
        results, times = self._live().run_values(feeds)
        self._times.append(times)
        return dict(zip((info.name for info in self._outputs), results, strict=True))

    def unmatched_windows(self, feeds: Feeds) -> dict[str, int]:
        """How many windows give their gradient to nobody, by node, where pools read the model's inputs
        directly.

        More than none means that an orig_output is not what pooling gives for its orig_input. On a device,
        whose .om does not tell its nodes, none are counted.
        """
        runner = self._host_runner()
        if runner is None:
            return {}
        return unmatched_windows(runner.onnx_model, checked_feeds(self.model_path, self._inputs, feeds))

    def twin_reports(self) -> dict[str, TwinReport]:
        """What the twin reported in the last run, by node; empty with another kernel or before a run."""
        runner = self._host_runner()
        return {} if runner is None else runner.twin_reports

    def summary(self) -> Summary:
        """Times of the runs so far."""
        return summary_of(self._times)

    def reset_summary(self) -> None:
        """Forget the times of the runs so far."""
        self._times.clear()

    def free_resource(self) -> None:
        """Let go of the model; afterwards nothing runs. Harmless twice.

        Raises MaxPoolGradError where a device does not take its memory back.
        """
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def __enter__(self) -> Self:
        """The session itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Free the model; an error that ends the block stays the one that is seen."""
        try:
            self.free_resource()
        except MaxPoolGradError:
            if error is None:
                raise

    def _host_runner(self) -> HostRunner | None:
        runner = self._live()
        return runner if isinstance(runner, HostRunner) else None

    def _live(self) -> HostRunner | DeviceModel:
        if self._runner is None:
            raise MaxPoolGradError(f"{self.model_path}: the session is freed; open another one")
        return self._runner


def _check_arguments(device_id: int, kernel: str, soc_version: str | None) -> None:
    if kernel not in KERNELS:
        raise MaxPoolGradError(f"kernel is {kernel!r}; allowed are {' and '.join(KERNELS)}", code="E10001")
    if soc_version is not None and kernel != "twin":
        raise MaxPoolGradError(
            f"soc_version is {soc_version!r}, but the kernel is {kernel!r}; only the twin has a processor",
            code="E10001",
        )
    if device_id < 0:
        raise MaxPoolGradError(f"device_id is {device_id}; it must be 0 or more", code="E10001")


def _backend_for(kernel: str, backend: str) -> str:
    """The twin is on the host."""
    if kernel != "twin" or backend == "host":
        return backend
    if backend == "device":
        raise MaxPoolGradError(
            "the kernel is 'twin' and the backend 'device'; the twin runs on the host: leave one of them out",
            code="E10001",
        )
    return "host" if backend == "auto" else backend


def _check_no_config(path: str, acl_json_path: str | os.PathLike[str] | None) -> None:
    if acl_json_path is not None:
        raise MaxPoolGradError(
            f"{path}: acl_json_path is {os.fspath(acl_json_path)}, but it runs on the host, which has no "
            "AscendCL; leave it out",
            code="E10001",
        )


def _device_model(path: str, device_id: int, acl_json_path: str | os.PathLike[str] | None) -> DeviceModel:
    from .acl_calls import acl_module
    from .device import DeviceModel

    config = None if acl_json_path is None else os.fspath(acl_json_path)
    return DeviceModel(acl_module(path), path, device_id, acl_json_path=config)
