"""Where a model file runs: on the host, or on a device through pyACL."""

from __future__ import annotations

from typing import Literal, TypeAlias

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..file_format import ModelFile
from ..ge_ir import AttrValue
from ..ge_ir.decode import decode_attrs
from ..ge_ir.model import parse
from ..om import OmFile, PartitionType
from ..om.metadata import BUILT_FOR, HOST
from . import acl_calls

Backend: TypeAlias = Literal["host", "device"]
BACKENDS = ("auto", "host", "device")


def backend_of(path: str, wanted: str) -> Backend:
    """Where a file runs: as `wanted`; for "auto" on a device, where it was built for one and pyACL is there.

    Raises MaxPoolGradError (EE1001) where the file holds nothing that the device could run, or binaries that
    the host cannot.
    """
    if wanted not in BACKENDS:
        raise MaxPoolGradError(
            f"backend is {quoted(wanted)}; allowed are {', '.join(BACKENDS)}", code="E10001"
        )
    if wanted == "host" or (wanted == "auto" and not acl_calls.is_installed()):
        _check_no_binaries(path)
        return "host"
    refusal = _no_device_file(path)
    if refusal is None:
        return "device"
    if wanted == "device":
        raise MaxPoolGradError(f"{path}: {refusal}", code="EE1001")
    return "host"


def _check_no_binaries(path: str) -> None:
    file = ModelFile.map(path)
    if file.format == "om" and OmFile.from_bytes(file.data, path).find(PartitionType.TBE_KERNELS):
        raise MaxPoolGradError(
            f"{path}: it holds kernels for a device; the host runs files of the embedded compiler: compile "
            "the .onnx or .air with --backend embedded, or run it on a device, where pyACL is",
            code="EE1001",
        )


def _no_device_file(path: str) -> str | None:
    """Why a device cannot run this file; None for an .om that was built for one."""
    file = ModelFile.map(path)
    if file.format != "om":
        return (
            "a device runs an .om that a real atc made; compile it: `maxpoolgrad atc --backend cann`"
            " with --soc_version of the device"
        )
    om = OmFile.from_bytes(file.data, path)
    built_for = _built_for(om, path)
    if built_for != HOST and (built_for or om.find(PartitionType.TBE_KERNELS)):
        return None
    return (
        "it was made by the embedded compiler, holds no device binaries and runs on the host; for a device "
        "give the same `maxpoolgrad atc` command with --backend cann, or `atc --framework=1` on the .air "
        "beside it"
    )


def _built_for(om: OmFile, path: str) -> AttrValue:
    """The soc_version that the file's model names, "" where it names none."""
    definition = om.find(PartitionType.MODEL_DEF)
    if definition is None:
        return ""
    attributes = parse(definition.data, path).attr
    named = {BUILT_FOR: attributes[BUILT_FOR]} if BUILT_FOR in attributes else {}
    return decode_attrs(named, path).get(BUILT_FOR, "")
