"""A model of which the CPU twin runs every MaxPoolV3Grad, and ONNX Runtime the rest, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import onnx
from onnx import ModelProto, NodeProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import (
    PoolAttributes,
    check_dtypes,
    check_inputs_and_outputs,
    check_shapes,
    node_subject,
)
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.session import inference_session

from ..bind import check_processor, plan_launch
from ..ge_ir import KernelLaunch
from ..twin import TwinReport, run_launch
from .stages import cut_at_pools

if TYPE_CHECKING:
    from onnxruntime import OrtValue


class TwinSession:
    """Runs a model as an onnxruntime.InferenceSession does. `reports` are those of the last run, by node."""

    def __init__(
        self,
        model: ModelProto,
        launches: Mapping[str, KernelLaunch],
        soc_version: str,
        ort_arguments: Mapping[str, Any],
    ) -> None:
        """Cut the model and load its parts.

        Args:
            model: whose MaxPoolV3Grad the twin is to run.
            launches: by the name of a node, where a file binds it; the others are planned when they run.
            soc_version: the processor that the launches are for.
            ort_arguments: as onnxruntime.InferenceSession takes them, for each part.

        Raises MaxPoolGradError for a model that cannot be cut, or that ONNX Runtime refuses.
        """
        check_processor(soc_version)
        self.reports: dict[str, TwinReport] = {}
        self._soc_version = soc_version
        self._launches = launches
        self._constants = {
            tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer
        }
        self._stages = []
        for stage in cut_at_pools(model):
            session = None if stage.model is None else inference_session(stage.model, **ort_arguments)
            self._stages.append((session, [_Pool(node) for node in stage.pools]))

    def run(self, names: Sequence[str], feeds: Mapping[str, Array]) -> list[Array]:
        """The named outputs.

        Raises MaxPoolGradError for what the operator refuses, a launch that is not this kernel's, and a fault
        that the twin catches.
        """
        values = {**self._constants, **feeds}
        reports: dict[str, TwinReport] = {}
        for session, pools in self._stages:
            if session is not None:
                made = [output.name for output in session.get_outputs()]
                taken = {value.name: values[value.name] for value in session.get_inputs()}
                values |= zip(made, session.run(made, taken), strict=True)
            for pool in pools:
                values[pool.output], reports[pool.name] = self._run_pool(pool, values)
        self.reports = reports
        return [values[name] for name in names]

    def run_with_ort_values(self, names: Sequence[str], feeds: Mapping[str, OrtValue]) -> list[OrtValue]:
        """As `run`, on ONNX Runtime's own values."""
        import onnxruntime

        results = self.run(names, {name: value.numpy() for name, value in feeds.items()})
        return [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in results]

    def _run_pool(self, pool: _Pool, values: Mapping[str, Array]) -> tuple[Array, TwinReport]:
        inputs = [values[name] for name in pool.inputs]
        planned = pool.launch(inputs, self._soc_version)
        bound = self._launches.get(pool.name, planned)
        if bound != planned:
            raise MaxPoolGradError(
                f"{pool.subject}: the file binds it with {_difference(bound, planned)}: compile the model "
                "again",
                code="EE1001",
            )
        out_grad, report = run_launch(bound, self._soc_version, *inputs)
        if report.faults:
            first = report.faults[0]
            raise MaxPoolGradError(
                f"{pool.subject}: the twin of {self._soc_version} caught {len(report.faults)} faults, the "
                f"first: {first.kind}, {first.sentence} ({first.where})"
            )
        return out_grad, report


def _difference(bound: KernelLaunch, planned: KernelLaunch) -> str:
    """The first thing that two launches do not have in common."""
    if bound.tiling_data != planned.tiling_data:
        a, b = bound.tiling_data, planned.tiling_data
        first = next((at for at, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), len(b))
        return f"{len(a)} bytes of tiling data; the plan made here has {len(b)}, others from byte {first} on"
    name, a, b = next(
        (field.name.replace("_", " "), getattr(bound, field.name), getattr(planned, field.name))
        for field in fields(KernelLaunch)
        if getattr(bound, field.name) != getattr(planned, field.name)
    )
    return f"{name} {a}; the plan made here has {b}"


class _Pool:
    """A MaxPoolV3Grad node, called by its output where it has no name."""

    def __init__(self, node: NodeProto) -> None:
        self.name = node.name or node.output[0]
        self.subject = node_subject(node.name)
        check_inputs_and_outputs(self.subject, node.input, node.output)
        self.attributes = PoolAttributes.from_node(node)
        self.inputs = tuple(node.input)
        self.output = node.output[0]

    def launch(self, inputs: Sequence[Array], soc_version: str) -> KernelLaunch:
        """The plan for these inputs, which are checked."""
        orig_input, orig_output, _ = inputs
        check_dtypes(self.subject, *(array.dtype.name for array in inputs))
        check_shapes(self.subject, self.attributes, *(array.shape for array in inputs))
        return plan_launch(
            self.attributes, orig_input.dtype.name, orig_input.shape, orig_output.shape, soc_version
        )
