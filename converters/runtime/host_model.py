"""A model file as ONNX Runtime gets it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import ModelProto, ValueInfoProto

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.model_files import load_model
from maxpoolgrad_onnx.values import shape_of

from ..file_format import ModelFile
from ..ge_ir import GeModel
from ..ge_ir.ports import input_ports, output_ports
from ..ge_to_onnx import ge_to_onnx
from ..loading import load
from ..om.metadata import HOST, metadata_of
from .profiles import HostProfiles, host_profiles, port_info
from .tensors import TensorInfo


@dataclass(frozen=True)
class HostModel:
    """A model to run: as ONNX, with what it takes and gives, and the product that it is planned for or "".

    Of a model with `profiles`, `proto` is the first of them.
    """

    proto: ModelProto
    inputs: Sequence[TensorInfo]
    outputs: Sequence[TensorInfo]
    planned_for: str = ""
    profiles: HostProfiles | None = None


def host_model(model: ModelProto | GeModel | str | os.PathLike[str]) -> HostModel:
    """GE IR, or the GE IR in an .om or .air, brought back to ONNX; an ONNX model or .onnx as it is.

    Raises MaxPoolGradError where the file cannot be read, or has no counterpart on the host.
    """
    if isinstance(model, ModelProto):
        return _from_onnx(model)
    if isinstance(model, GeModel):
        return _from_ge(model, "the model")
    if ModelFile.map(model).format == "onnx":
        return _from_onnx(load_model(model))
    return _from_ge(load(model), os.fspath(model))


def _from_ge(model: GeModel, source: str) -> HostModel:
    metadata = metadata_of(model)
    built_for = metadata.built_for
    if built_for not in ("", HOST):
        raise MaxPoolGradError(
            f"{source}: it was built for {quoted(built_for)}; the host runs files of the embedded compiler: "
            "compile the .onnx or .air with --backend embedded, or run it on a device, where pyACL is",
            code="EE1001",
        )
    profiles = host_profiles(model)
    if profiles is not None:
        return HostModel(profiles.proto(0), *profiles.ports(), metadata.planned_for, profiles)
    inputs, outputs = map(port_info, input_ports(model.graph)), map(port_info, output_ports(model.graph))
    return HostModel(ge_to_onnx(model), list(inputs), list(outputs), metadata.planned_for)


def _from_onnx(proto: ModelProto) -> HostModel:
    initializers = {tensor.name for tensor in proto.graph.initializer}
    inputs = [_onnx_info(info) for info in proto.graph.input if info.name not in initializers]
    return HostModel(proto, inputs, [_onnx_info(info) for info in proto.graph.output])


def _onnx_info(info: ValueInfoProto) -> TensorInfo:
    element = info.type.tensor_type.elem_type
    if not element:
        raise MaxPoolGradError(f"{quoted(info.name)} is no tensor; only tensors go in and out", code="E13014")
    dims = shape_of(info.type)
    shape = None if dims is None else tuple(-1 if size is None else size for size in dims)
    try:
        dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(element))
    except KeyError:
        raise MaxPoolGradError(
            f"{quoted(info.name)} has elements of type {element}, which onnx does not know; export the model "
            "again",
            code="E13014",
        ) from None
    return TensorInfo(info.name, shape, dtype.name, "ND")
