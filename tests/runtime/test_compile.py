"""converters.compile: what it writes, says and refuses."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.om import metadata_of
from support_convert import onnx_model

GRAD = onnx_model(
    "g1 = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)"
    "g2 = npu.NPUMaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g) y = Add(g1, g2)",
    "float[2,3,4,4] x, float[2,3,2,2] p, float[2,3,2,2] g",
    "float[2,3,4,4] y",
)
OPEN = onnx_model(
    "[g1] g1 = npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>(x, p, g)",
    "float[N,3,4,4] x, float[N,3,2,2] p, float[N,3,2,2] g",
    "float[N,3,4,4] g1",
)
PLAIN = onnx_model("y = Relu(x)", "float[3] x", "float[3] y")


def test_writes_an_om_and_the_same_air_beside_it(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    compiled = converters.compile(
        GRAD, tmp_path / "m.v1", soc_version="Ascend910B1", progress=lambda *step: told.append(step)
    )
    assert (compiled.om, compiled.air) == (tmp_path / "m.v1.om", tmp_path / "m.v1.air")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.v1.air", "m.v1.om"]
    assert converters.load(compiled.om) == converters.load(compiled.air) == compiled.model
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]


def test_says_what_it_was_planned_for_and_what_is_bound(tmp_path: Path) -> None:
    compiled = converters.compile(GRAD, tmp_path / "m", soc_version="Ascend950PR_9579")
    found = metadata_of(converters.load(compiled.om))
    assert (found.built_for, found.planned_for, found.unbound) == ("host", "Ascend950PR_9579", {})
    assert compiled.notices == (
        "2 MaxPoolV3Grad nodes are bound to the kernel as Ascend950PR_9579 would run it",
        "the .om holds no device binaries, it runs on the host; for a device use "
        f"`atc --framework=1 --model={compiled.air} --output={tmp_path / 'm'} "
        "--soc_version=Ascend950PR_9579 --precision_mode=must_keep_origin_dtype`",
    )
    assert converters.compile(PLAIN, tmp_path / "p", soc_version="Ascend910B1").notices == ()


def test_open_shapes_stay_unbound_and_say_why(tmp_path: Path) -> None:
    compiled = converters.compile(OPEN, tmp_path / "m", soc_version="Ascend910B1")
    reason = (
        "MaxPoolV3Grad node 'g1': the shape of orig_input is [-1, 3, 4, 4]; a kernel is planned for known "
        "shapes, so its plan is made when the model runs"
    )
    assert metadata_of(converters.load(compiled.om)).unbound == {"g1": reason}
    assert compiled.notices[0] == f"bound to no kernel: {reason}"
    assert compiled.notices[1].startswith("the .om holds no device binaries")


def test_takes_every_format(tmp_path: Path) -> None:
    onnx.save(GRAD, tmp_path / "a.onnx")
    first = converters.compile(tmp_path / "a.onnx", tmp_path / "b", soc_version="Ascend910B1")
    for number, source in enumerate((first.om, first.air, first.model)):
        assert source is not None
        again = converters.compile(source, tmp_path / f"c{number}", soc_version="Ascend910B1")
        assert again.model == first.model


def test_input_format_counts_for_files_too(tmp_path: Path) -> None:
    onnx.save(GRAD, tmp_path / "a.onnx")
    for source in (GRAD, tmp_path / "a.onnx"):
        compiled = converters.compile(source, tmp_path / "m", soc_version="Ascend910B1", input_format="ND")
        assert compiled.model.graph.nodes[0].output_desc().format.label == "ND"


def test_air_is_left_out_where_it_is_not_wanted(tmp_path: Path) -> None:
    compiled = converters.compile(GRAD, tmp_path / "m", soc_version="Ascend910B1", write_air=False)
    assert compiled.air is None
    assert [path.name for path in tmp_path.iterdir()] == ["m.om"]


@pytest.mark.parametrize("soc_version", ["Ascend310P3", "Ascend910A", "nonsense"])
def test_unsupported_products(tmp_path: Path, soc_version: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match=soc_version) as caught:
        converters.compile(GRAD, tmp_path / "m", soc_version=soc_version)
    assert caught.value.code == "EZ3003"
    assert list(tmp_path.iterdir()) == []


def test_a_refused_model_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="no rule"):
        converters.compile(
            onnx_model("y = Selu(x)", "float[3] x", "float[3] y"), tmp_path / "m", soc_version="Ascend910B1"
        )
    with pytest.raises(mpg.MaxPoolGradError, match="cannot be written"):
        converters.compile(PLAIN, tmp_path / "none" / "m", soc_version="Ascend910B1")
    assert list(tmp_path.iterdir()) == []
