"""A model with profiles on the host: of its graphs, the one runs whose sizes the inputs have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import GeModel, Graph, KernelLaunch
from ..ge_ir.ports import Port, input_ports, output_ports
from ..ge_to_onnx import ge_to_onnx
from ..profiles import ProfiledModel, Profiles, profiled_model
from ..profiles.names import NODE_SUFFIX
from ..profiles.variants import named_as_inputs
from .tensors import TensorInfo

if TYPE_CHECKING:
    from onnxruntime import OrtValue

    from ..twin import TwinReport


@dataclass(frozen=True)
class HostProfiles:
    """The profiles of a model by the names of its inputs, and its graphs."""

    profiles: Profiles
    model: ProfiledModel

    def proto(self, number: int) -> ModelProto:
        """The graph of a profile as ONNX."""
        return ge_to_onnx(self.model.plain(number))

    def launches(self, number: int, launches: Mapping[str, KernelLaunch]) -> Mapping[str, KernelLaunch]:
        """The launches of a profile's graph, by the names that its nodes have in `proto`."""
        suffix = f"{NODE_SUFFIX}{number}"
        return {
            name.removesuffix(suffix): launch for name, launch in launches.items() if name.endswith(suffix)
        }

    def ports(self) -> tuple[list[TensorInfo], list[TensorInfo]]:
        """Inputs and outputs, -1 where their size depends on the profile.

        Raises MaxPoolGradError where the profiles do not have the same ones.
        """
        graphs = [self.model.plain(number).graph for number in range(len(self.profiles.sizes))]
        return _merged(graphs, input_ports), _merged(graphs, output_ports)


def host_profiles(model: GeModel) -> HostProfiles | None:
    """The profiles of a model; None where it has none. Raises MaxPoolGradError where they are damaged."""
    profiled = profiled_model(model)
    if profiled is None:
        return None
    return HostProfiles(named_as_inputs(profiled.profiles, model.graph), profiled)


def port_info(port: Port) -> TensorInfo:
    """What a session says of an input or output."""
    return TensorInfo(port.name, port.desc.shape, str(port.desc.dtype.numpy), port.desc.format.label)


def _merged(graphs: Sequence[Graph], ports: Callable[[Graph], Sequence[Port]]) -> list[TensorInfo]:
    columns = [[port_info(port) for port in ports(graph)] for graph in graphs]
    kinds = [[(info.name, info.datatype, len(info.shape or ())) for info in column] for column in columns]
    if any(each != kinds[0] for each in kinds):
        raise MaxPoolGradError(
            "the graphs of its profiles have different inputs or outputs; compile the model again",
            code="E10041",
        )
    return [_one(alike) for alike in zip(*columns, strict=True)]


def _one(alike: Sequence[TensorInfo]) -> TensorInfo:
    sizes = zip(*(info.shape or () for info in alike), strict=True)
    return replace(alike[0], shape=tuple(each[0] if len(set(each)) == 1 else -1 for each in sizes))


class Session(Protocol):
    """What an onnxruntime.InferenceSession does, as far as it is used."""

    def run(self, names: Sequence[str], feeds: Mapping[str, Array]) -> list[Array]:
        """The named outputs."""

    def run_with_ort_values(self, names: Sequence[str], feeds: Mapping[str, OrtValue]) -> list[OrtValue]:
        """The same on ONNX Runtime's own values."""


class ProfileSession:
    """Sessions for the profiles of a model, each loaded when it is first used."""

    def __init__(self, path: str, profiles: Profiles, load: Callable[[int], Session]) -> None:
        """`load` makes the session of a profile."""
        self._path = path
        self._profiles = profiles
        self._load = load
        self._sessions: dict[int, Session] = {}
        self._last: Session | None = None

    @property
    def reports(self) -> dict[str, TwinReport]:
        """What the twin reported in the last run, by node."""
        return dict(getattr(self._last, "reports", {}))

    def run(self, names: Sequence[str], feeds: Mapping[str, Array]) -> list[Array]:
        """The named outputs. Raises MaxPoolGradError (145000) that lists the profiles where none fits."""
        return self._session({name: array.shape for name, array in feeds.items()}).run(names, feeds)

    def run_with_ort_values(self, names: Sequence[str], feeds: Mapping[str, OrtValue]) -> list[OrtValue]:
        """The same on ONNX Runtime's own values."""
        shapes = {name: tuple(value.shape()) for name, value in feeds.items()}
        return self._session(shapes).run_with_ort_values(names, feeds)

    def _session(self, shapes: Mapping[str, Sequence[int]]) -> Session:
        number = self._profiles.number_of(shapes)
        if number is None:
            named = self._profiles.shapes
            given = ", ".join(f"{quoted(name)} {list(shapes[name])}" for name in named)
            of = ", ".join(f"{quoted(name)} {list(shape)}" for name, shape in named.items())
            raise MaxPoolGradError(
                f"{self._path}: the inputs are {given}; it was compiled for the profiles {self._profiles} of "
                f"{of}: give arrays of one of them",
                code="145000",
            )
        if number not in self._sessions:
            self._sessions[number] = self._load(number)
        self._last = self._sessions[number]
        return self._last
