"""Running a compiled model, by the names that ais_bench uses."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line
from maxpoolgrad_onnx.session import inference_session

from .host_model import HostModel, host_model
from .tensors import Feeds, TensorInfo, checked_feeds
from .unmatched import unmatched_windows

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession, OrtValue, SessionOptions

    from ..twin import TwinReport
    from .twin_session import TwinSession

KERNELS = ("native", "twin")


@dataclass(frozen=True)
class Summary:
    """Times of the runs so far, in milliseconds."""

    exec_time_list: Sequence[float]

    def statistics(self) -> dict[str, float]:
        """min, max, mean, median, percentile(99%) in ms, and throughput in runs per second; empty without
        runs."""
        if not self.exec_time_list:
            return {}
        times = np.array(self.exec_time_list)
        return {
            "min": float(times.min()),
            "max": float(times.max()),
            "mean": float(times.mean()),
            "median": float(np.median(times)),
            "percentile(99%)": float(np.percentile(times, 99)),
            "throughput": 1000 / float(times.mean()),
        }


class InferSession:
    """A model on the host: the GE IR in an .om or .air as ONNX, or an .onnx, in ONNX Runtime."""

    def __init__(
        self,
        device_id: int,
        model_path: str | os.PathLike[str],
        *,
        kernel: str = "native",
        soc_version: str | None = None,
        sess_options: SessionOptions | None = None,
    ) -> None:
        """Load a model.

        Args:
            device_id: which device; the host has none, and takes any number of 0 or more.
            model_path: an .om of the embedded compiler, an .air or an .onnx.
            kernel: what computes MaxPoolV3Grad: "native", the CPU kernel; "twin", the NPU's own kernel in its
                CPU twin, started as the .om binds it (where it binds none, as planned when it runs).
            soc_version: the twin's processor; left out, the one that the file is planned for, or Ascend910B1.
            sess_options: ONNX Runtime's options, for instance a number of threads.

        Raises MaxPoolGradError where the model cannot be read or run here.
        """
        _check_arguments(device_id, kernel, soc_version)
        self.device_id = device_id
        self.model_path = os.fspath(model_path)
        self._model = host_model(model_path)
        self._inputs, self._outputs = list(self._model.inputs), list(self._model.outputs)
        self._output_names = [info.name for info in self._outputs]
        arguments: dict[str, Any] = {} if sess_options is None else {"sess_options": sess_options}
        self._session: InferenceSession | TwinSession | None = None
        with self._runtime_errors("check the model with onnx.checker"):
            if kernel == "twin":
                self._session = _twin_session(self.model_path, self._model, soc_version, arguments)
            else:
                self._session = inference_session(self._model.proto, **arguments)
        self._times: list[float] = []

    @property
    def onnx_model(self) -> ModelProto:
        """The model that ONNX Runtime runs."""
        return self._model.proto

    def get_inputs(self) -> list[TensorInfo]:
        """The inputs, in order."""
        return list(self._inputs)

    def get_outputs(self) -> list[TensorInfo]:
        """The outputs, in order."""
        return list(self._outputs)

    def infer(self, feeds: Feeds) -> list[Array]:
        """Run once: arrays in the order of get_inputs() or by name; gives arrays in the order of
        get_outputs().

        Raises MaxPoolGradError that names the input where name, number, dtype, shape or size is not what it
        takes, and what the operator refuses.
        """
        arrays = checked_feeds(self.model_path, self._inputs, feeds)
        start = time.perf_counter()
        with self._runtime_errors():
            results: list[Array] = self._live().run(self._output_names, arrays)
        self._times.append((time.perf_counter() - start) * 1000)
        return results

    def infer_values(self, feeds: Mapping[str, OrtValue]) -> dict[str, OrtValue]:
        """Run once on ONNX Runtime's own values, unchecked and not copied, to feed outputs back."""
        start = time.perf_counter()
        with self._runtime_errors():
            results = self._live().run_with_ort_values(self._output_names, feeds)
        self._times.append((time.perf_counter() - start) * 1000)
        return dict(zip(self._output_names, results, strict=True))

    def unmatched_windows(self, feeds: Feeds) -> dict[str, int]:
        """How many windows give their gradient to nobody, by node, where pools read the model's inputs
        directly.

        More than none means that an orig_output is not what pooling gives for its orig_input.
        """
        return unmatched_windows(self._model.proto, checked_feeds(self.model_path, self._inputs, feeds))

    def twin_reports(self) -> dict[str, TwinReport]:
        """What the twin reported in the last run, by node; empty with another kernel or before a run."""
        return dict(getattr(self._live(), "reports", {}))

    def summary(self) -> Summary:
        """Times of the runs so far."""
        return Summary(tuple(self._times))

    def reset_summary(self) -> None:
        """Forget the times of the runs so far."""
        self._times.clear()

    def free_resource(self) -> None:
        """Let go of the model; afterwards nothing runs. Harmless twice."""
        self._session = None

    @contextlib.contextmanager
    def _runtime_errors(self, cure: str = "check the shapes that meet there") -> Iterator[None]:
        """ONNX Runtime's errors, which have no common base, as one line that names the model."""
        try:
            yield
        except MaxPoolGradError:
            raise
        except Exception as error:
            raise MaxPoolGradError(
                f"{self.model_path}: ONNX Runtime cannot run it: {one_line(str(error))}; {cure}"
            ) from error

    def _live(self) -> InferenceSession | TwinSession:
        if self._session is None:
            raise MaxPoolGradError(f"{self.model_path}: the session is freed; open another one")
        return self._session


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


def _twin_session(
    path: str, model: HostModel, soc_version: str | None, ort_arguments: dict[str, Any]
) -> TwinSession:
    from ..twin import DEFAULT_SOC_VERSION
    from .bound import bound_launches
    from .twin_session import TwinSession

    launches = bound_launches(path)
    if launches and soc_version not in (None, model.planned_for):
        raise MaxPoolGradError(
            f"{path}: its kernels are bound for {model.planned_for}, not for {soc_version}; compile it with "
            f"--soc_version={soc_version}",
            code="EE1001",
        )
    return TwinSession(
        model.proto, launches, soc_version or model.planned_for or DEFAULT_SOC_VERSION, ort_arguments
    )
