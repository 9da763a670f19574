"""The embedded compiler: a model to an .om that the host runs, and an .air that atc takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from onnx import ModelProto

from maxpoolgrad_onnx.contract import check_soc_version

from .ge_ir import GeModel
from .om import for_host, metadata_of, to_om

Progress: TypeAlias = Callable[[int, int], None]
_STEPS = 3


@dataclass(frozen=True)
class Compiled:
    """What was written (air None: not asked for), the model in it, and sentences that a user should see."""

    om: Path
    air: Path | None
    model: GeModel
    notices: tuple[str, ...]


def compile(
    model: ModelProto | GeModel | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    soc_version: str,
    input_format: str = "NCHW",
    write_air: bool = True,
    progress: Progress | None = None,
) -> Compiled:
    """Write `output`.om and, beside it, `output`.air.

    Args:
        model: an ONNX model, GE IR, or the path of an .onnx, .air or .om file.
        output: the path without a suffix; the suffixes are added to whatever it ends in, as atc does.
        soc_version: the product to plan for, such as Ascend910B1.
        input_format: of an ONNX model: "NCHW", the layout of inputs that Conv or a pool reads; "ND", none.
        write_air: whether to write the .air.
        progress: called with (steps done, steps in all).

    Raises MaxPoolGradError: a product that does not support the operator (EZ3003), a model that cannot be
    read or converted, a place that cannot be written to. Each file is whole or not there.
    """
    tell = progress or (lambda done, total: None)
    check_soc_version(soc_version)
    tell(0, _STEPS)
    planned = for_host(_as_ge(model, input_format), soc_version)
    tell(1, _STEPS)
    om, air = (Path(f"{os.fspath(output)}{suffix}") for suffix in (".om", ".air"))
    packed = to_om(planned)
    if write_air:
        planned.save(air)
    tell(2, _STEPS)
    packed.save(om)
    tell(3, _STEPS)
    return Compiled(om, air if write_air else None, planned, _notices(planned, air if write_air else None))


def _as_ge(model: ModelProto | GeModel | str | os.PathLike[str], input_format: str) -> GeModel:
    if isinstance(model, GeModel):
        return model
    if isinstance(model, ModelProto):
        from .onnx_to_ge import onnx_to_ge

        return onnx_to_ge(model, input_format=input_format)
    from .loading import load

    return load(model, input_format=input_format)


def _notices(model: GeModel, air: Path | None) -> tuple[str, ...]:
    unbound = metadata_of(model).unbound
    if not unbound:
        return ()
    nodes = "1 MaxPoolV3Grad node is" if len(unbound) == 1 else f"{len(unbound)} MaxPoolV3Grad nodes are"
    cure = f"`atc --framework=1 --model={air}`" if air else "atc with --framework=1 on the .air"
    return (f"{nodes} bound to no kernel: the .om runs on the host; for a device use {cure}",)
