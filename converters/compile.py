"""The embedded compiler: a model to an .om that the host runs, and an .air that atc takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto

from maxpoolgrad_onnx.contract import check_soc_version

from .bind import Binding, bind
from .ge_ir import GeModel
from .om import for_host, to_om
from .progress import Progress

_STEPS = 3


@dataclass(frozen=True)
class Compiled:
    """What was written (air None: not asked for), the model in it, and sentences that a user should see.

    `binding` has the launch of each MaxPoolV3Grad's kernel, and why a node has none.
    """

    om: Path
    air: Path | None
    model: GeModel
    binding: Binding
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
    notices: list[str] = []
    graph = _as_ge(model, input_format, notices.append)
    tell(1, _STEPS)
    binding = bind(graph, soc_version)
    planned = for_host(graph, soc_version, binding.unbound)
    tell(2, _STEPS)
    om, air = (Path(f"{os.fspath(output)}{suffix}") for suffix in (".om", ".air"))
    packed = to_om(planned, binding.launches)
    if write_air:
        planned.save(air)
    packed.save(om)
    tell(3, _STEPS)
    written = air if write_air else None
    notices += _notices(binding, soc_version, output, written)
    return Compiled(om, written, planned, binding, tuple(notices))


def _as_ge(
    model: ModelProto | GeModel | str | os.PathLike[str], input_format: str, notify: Callable[[str], None]
) -> GeModel:
    if isinstance(model, GeModel):
        return model
    if isinstance(model, ModelProto):
        from .onnx_to_ge import onnx_to_ge

        return onnx_to_ge(model, input_format=input_format, notify=notify)
    from .loading import load

    return load(model, input_format=input_format, notify=notify)


def _notices(
    binding: Binding, soc_version: str, output: str | os.PathLike[str], air: Path | None
) -> list[str]:
    """Empty for a model without MaxPoolV3Grad."""
    notices = [f"bound to no kernel: {reason}" for reason in binding.unbound.values()]
    if binding.launches:
        count = len(binding.launches)
        nodes = "1 MaxPoolV3Grad node is" if count == 1 else f"{count} MaxPoolV3Grad nodes are"
        notices.append(f"{nodes} bound to the kernel as {soc_version} would run it")
    if notices:
        cure = (
            f"atc --framework=1 --model={air or 'MODEL.air'} --output={os.fspath(output)} "
            f"--soc_version={soc_version}"
        )
        notices.append(f"the .om holds no device binaries, it runs on the host; for a device use `{cure}`")
    return notices
