"""The embedded compiler: a model to an .om that the host runs, and an .air that atc takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto

from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import Content, write_all
from maxpoolgrad_onnx.mapped_model import MappedModel, map_model

from .adaptation import Adaptation
from .bind import Binding, bind
from .file_format import ModelFile
from .ge_ir import GeModel
from .loading import load
from .om import for_host, to_om
from .profiles import case_model
from .progress import Progress

_STEPS = 3
_UNCHANGED = Adaptation()


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
    model: ModelProto | MappedModel | GeModel | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    soc_version: str,
    input_format: str = "NCHW",
    adaptation: Adaptation = _UNCHANGED,
    write_air: bool = True,
    progress: Progress | None = None,
) -> Compiled:
    """Write `output`.om and, beside it, `output`.air.

    Args:
        model: an ONNX model, GE IR, or the path of an .onnx, .air or .om file.
        output: the path without a suffix; the suffixes are added to whatever it ends in, as atc does.
        soc_version: the product to plan for, such as Ascend910B1.
        input_format: of an ONNX model: "NCHW", the layout of inputs that Conv or a pool reads; "ND", none.
        adaptation: element types, ranges and profiles. With profiles the .om has a graph for each, and the
            .air has the open sizes for atc to make profiles of; the model must be ONNX.
        write_air: whether to write the .air.
        progress: called with (steps done, steps in all).

    Raises MaxPoolGradError: a product that does not support the operator (EZ3003), a model that cannot be
    read or converted, a place that cannot be written to. Both files are whole, or as they were before.
    """
    tell = progress or (lambda done, total: None)
    check_soc_version(soc_version)
    tell(0, _STEPS)
    notices: list[str] = []
    loaded = _loaded(model)
    open_graph = adaptation.applied(_as_ge(loaded, input_format, notices.append))
    graph = _with_profiles(loaded, input_format, adaptation, open_graph)
    tell(1, _STEPS)
    binding = bind(graph, soc_version)
    planned = for_host(graph, soc_version, binding.unbound)
    tell(2, _STEPS)
    om, air = (Path(f"{os.fspath(output)}{suffix}") for suffix in (".om", ".air"))
    files: list[tuple[Path, Content]] = [(om, to_om(planned, binding.launches).pieces())]
    if write_air:
        described = planned if graph is open_graph else for_host(open_graph, soc_version)
        files.append((air, described.pieces()))
    write_all(files)
    tell(3, _STEPS)
    written = air if write_air else None
    flags = [f"--soc_version={soc_version}", *adaptation.flags()]
    notices += _notices(binding, soc_version, f"--output={os.fspath(output)} {' '.join(flags)}", written)
    return Compiled(om, written, planned, binding, tuple(notices))


def _loaded(model: ModelProto | MappedModel | GeModel | str | os.PathLike[str]) -> MappedModel | GeModel:
    if isinstance(model, MappedModel | GeModel):
        return model
    if isinstance(model, ModelProto):
        return MappedModel(model)
    return map_model(model) if ModelFile.map(model).format == "onnx" else load(model)


def _as_ge(model: MappedModel | GeModel, input_format: str, notify: Callable[[str], None]) -> GeModel:
    if isinstance(model, GeModel):
        return model
    from .onnx_to_ge import onnx_to_ge

    return onnx_to_ge(model, input_format=input_format, notify=notify)


def _with_profiles(
    model: MappedModel | GeModel, input_format: str, adaptation: Adaptation, open_graph: GeModel
) -> GeModel:
    """The model that chooses among the graphs of the profiles; the open one itself where there are none."""
    if adaptation.profiles is None:
        return open_graph
    if isinstance(model, GeModel):  # only ONNX's sizes can be inferred anew
        sentence = "the model is GE IR; profiles are made of an ONNX model: give that"
        raise MaxPoolGradError(sentence, code="E10055")
    from .profiles.variants import named_as_nodes, variants

    profiles = named_as_nodes(adaptation.profiles, open_graph.graph)

    def convert(sized: ModelProto) -> GeModel:
        whole = MappedModel(sized, model.weights)
        return adaptation.applied(_as_ge(whole, input_format, lambda sentence: None))

    return case_model(profiles, variants(model.proto, adaptation.profiles, convert), open_graph)


def _notices(binding: Binding, soc_version: str, flags: str, air: Path | None) -> list[str]:
    """Empty for a model without MaxPoolV3Grad. `flags` are those of atc beside the model's own."""
    notices = [f"bound to no kernel: {reason}" for reason in binding.unbound.values()]
    if binding.launches:
        count = len(binding.launches)
        nodes = "1 MaxPoolV3Grad node is" if count == 1 else f"{count} MaxPoolV3Grad nodes are"
        notices.append(f"{nodes} bound to the kernel as {soc_version} would run it")
    if notices:
        cure = f"atc --framework=1 --model={air or 'MODEL.air'} {flags}"
        notices.append(f"the .om holds no device binaries, it runs on the host; for a device use `{cure}`")
    return notices
