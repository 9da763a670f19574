"""A model on the host: ONNX Runtime, with the CPU kernel or the CPU twin for MaxPoolV3Grad."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line
from maxpoolgrad_onnx.session import inference_session
from maxpoolgrad_onnx.unfolding import check_constants

from .batch_statistics import with_own_statistics
from .host_model import HostModel
from .profiles import ProfileSession
from .tensors import TensorInfo
from .timing import RunTimes

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession, OrtValue

    from ..twin import TwinReport
    from .twin_session import TwinSession

KERNELS = ("native", "twin")


class HostRunner:
    """A model as ONNX, loaded in ONNX Runtime."""

    def __init__(
        self,
        path: str,
        model: HostModel,
        *,
        kernel: str,
        soc_version: str | None,
        ort_arguments: Mapping[str, Any],
    ) -> None:
        """Load a model; `kernel` is one of KERNELS. Raises MaxPoolGradError where ONNX Runtime refuses it."""
        self._path = path
        self._model = model
        self._session: InferenceSession | TwinSession | ProfileSession
        check_constants(model.proto, path)
        with self._runtime_errors("check the model with onnx.checker"):
            if kernel == "twin":
                load = _twin_loader(path, model, soc_version, ort_arguments)
            else:
                load = _native_loader(ort_arguments)
            profiles = model.profiles
            if profiles is None:
                self._session = load(model.proto, None)
            else:
                self._session = ProfileSession(
                    path, profiles.profiles, lambda number: load(profiles.proto(number), number)
                )

    @property
    def onnx_model(self) -> ModelProto:
        """The model that ONNX Runtime runs."""
        return self._model.proto

    @property
    def profiles(self) -> list[dict[str, tuple[int, ...]]]:
        """The shapes of the inputs that profiles fix, by name, for each profile."""
        found = self._model.profiles
        if found is None:
            return []
        return [dict(found.profiles.shapes_of(number)) for number in range(len(found.profiles.sizes))]

    @property
    def inputs(self) -> list[TensorInfo]:
        """The inputs, in order."""
        return list(self._model.inputs)

    @property
    def outputs(self) -> list[TensorInfo]:
        """The outputs, in order."""
        return list(self._model.outputs)

    @property
    def twin_reports(self) -> dict[str, TwinReport]:
        """What the twin reported in the last run, by node."""
        return dict(getattr(self._session, "reports", {}))

    def run(self, feeds: Mapping[str, Array]) -> tuple[list[Array], RunTimes]:
        """Run once on checked arrays by name."""
        return self._timed(self._session.run, feeds)

    def run_values(self, feeds: Mapping[str, OrtValue]) -> tuple[list[OrtValue], RunTimes]:
        """Run once on ONNX Runtime's own values."""
        return self._timed(self._session.run_with_ort_values, feeds)

    def close(self) -> None:
        """Nothing to give back: Python does it with the object."""

    def _timed(self, run: Any, feeds: Mapping[str, Any]) -> tuple[Any, RunTimes]:
        names = [info.name for info in self._model.outputs]
        start = time.perf_counter()
        with self._runtime_errors():
            results = run(names, feeds)
        return results, RunTimes((time.perf_counter() - start) * 1000)

    @contextlib.contextmanager
    def _runtime_errors(self, cure: str = "check the shapes that meet there") -> Iterator[None]:
        """ONNX Runtime's errors, which have no common base, as one line that names the model."""
        try:
            yield
        except MaxPoolGradError:
            raise
        except Exception as error:
            raise MaxPoolGradError(
                f"{self._path}: ONNX Runtime cannot run it: {one_line(str(error))}; {cure}"
            ) from error


_Loader: TypeAlias = Callable[["ModelProto", int | None], Any]
"""Loads a model, or the graph of a profile, of this number."""


def _native_loader(ort_arguments: Mapping[str, Any]) -> _Loader:
    return lambda proto, number: inference_session(with_own_statistics(proto), **ort_arguments)


def _twin_loader(
    path: str, model: HostModel, soc_version: str | None, ort_arguments: Mapping[str, Any]
) -> _Loader:
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
    processor = soc_version or model.planned_for or DEFAULT_SOC_VERSION

    def load(proto: ModelProto, number: int | None) -> TwinSession:
        profiles = model.profiles
        bound = launches if number is None or profiles is None else profiles.launches(number, launches)
        return TwinSession(with_own_statistics(proto), bound, processor, ort_arguments)

    return load
