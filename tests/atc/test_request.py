"""Flags' values taken together: what a request needs, and what is refused with which code."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxpoolgrad_onnx import MaxPoolGradError, _ascend
from maxpoolgrad_onnx.contract import SUPPORTED_PRODUCTS
from maxpoolgrad_onnx.converters.atc.command_line import split
from maxpoolgrad_onnx.converters.atc.input_shape import parse_input_shapes
from maxpoolgrad_onnx.converters.atc.other_flags import IGNORED, REFUSED
from maxpoolgrad_onnx.converters.atc.out_nodes import OutNode
from maxpoolgrad_onnx.converters.atc.request import (
    PRECISION_NOTICE,
    Conversion,
    Display,
    JsonView,
    PreCheck,
    Request,
    read_request,
)
from maxpoolgrad_onnx.converters.ge_ir import DataType
from maxpoolgrad_onnx.converters.precision import Precision

_WHOLE = ["--framework=5", "--model=m.onnx", "--output=out", "--soc_version=Ascend910B1"]


def _request(*words: str) -> Request:
    return read_request(split(words))


def _conversion(*words: str) -> Conversion:
    request = _request(*_WHOLE, *words)
    assert isinstance(request, Conversion)
    return request


def _refusal(*words: str) -> MaxPoolGradError:
    with pytest.raises(MaxPoolGradError) as caught:
        _request(*words)
    return caught.value


def test_a_conversion() -> None:
    request = _conversion("--input_shape=x:1,2;r:", "--out_nodes=a:0;b:1", "--input_format=ND")
    assert request == Conversion(
        model=Path("m.onnx"),
        framework=5,
        output=Path("out"),
        soc_version="Ascend910B1",
        input_format="ND",
        input_shapes=parse_input_shapes("x:1,2;r:"),
        out_nodes=(OutNode("a", 0), OutNode("b", 1)),
        notices=(PRECISION_NOTICE,),
    )


def test_views() -> None:
    assert _request("--mode=1", "--om=a.om", "--json=b") == JsonView(Path("a.om"), Path("b"))
    assert _request("--mode=5", "--om=a", "--json=b") == JsonView(Path("a"), Path("b"), is_text=True)
    shapes = _request("--mode=1", "--om=a.onnx", "--json=b", "--framework=5", "--dump_mode=1")
    assert shapes == JsonView(Path("a.onnx"), Path("b"), 5, with_shapes=True)
    assert _request("--mode=6", "--om=a.om") == Display(Path("a.om"))


def test_a_pre_check() -> None:
    words = ["--mode=3", "--framework=5", "--model=m.onnx"]
    assert _request(*words) == PreCheck(Path("m.onnx"), 5, Path("check_result.json"), {})
    request = _request(*words, "--check_report=r", "--input_shape=x:1")
    assert request == PreCheck(Path("m.onnx"), 5, Path("r"), parse_input_shapes("x:1"))
    assert _refusal("--mode=3", "--framework=1", "--model=m.air").code == "E10055"


@pytest.mark.parametrize("missing", ["framework", "model", "output", "soc_version"])
def test_what_a_conversion_needs(missing: str) -> None:
    error = _refusal(*(word for word in _WHOLE if not word.startswith(f"--{missing}")))
    assert error.code == ("E10007" if missing == "framework" else "E10054")
    assert str(error).startswith(f"--{missing} is missing")


@pytest.mark.parametrize(("mode", "missing"), [("1", "om"), ("5", "om"), ("6", "om")])
def test_what_a_view_needs(mode: str, missing: str) -> None:
    assert _refusal(f"--mode={mode}", "--json=x").code == "E10054"


def test_an_unsupported_product_is_told_the_supported_ones() -> None:
    for soc in ("Ascend310P3", "Ascend310B1", "Ascend910", "Ascend910A", "Ascend910ProB", "nonsense"):
        error = _refusal(*_WHOLE[:3], f"--soc_version={soc}")
        assert error.code == "EZ3003"
        assert repr(soc) in str(error)
        assert all(name in str(error) for _, name in SUPPORTED_PRODUCTS)


@pytest.mark.parametrize("soc", ["ascend910b1", "Ascend910b1", "ASCEND910_9391", "ascend950pr_957B"])
def test_products_in_another_case(soc: str) -> None:
    error = _refusal(*_WHOLE[:3], f"--soc_version={soc}")
    usual = next(name for name in _ascend.SOC_VERSIONS if name.lower() == soc.lower())
    assert str(error).endswith(f"; write it {usual!r}")


def test_supported_products() -> None:
    for soc in ("Ascend910B1", "Ascend910B4", "Ascend910_9391", "Ascend950PR_9579", "Ascend950DT_9571"):
        assert isinstance(_request(*_WHOLE[:3], f"--soc_version={soc}"), Conversion)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--mode=30"], "E10055"),
        (["--framework=3"], "E10055"),
        (["--framework=0"], "E10055"),
        (["--input_format=NHWC"], "E10055"),
        (["--precision_mode=allow_mix_precision_bf16"], "E10055"),
        (["--precision_mode_v2=cube_hif8"], "E10055"),
        (["--output_type=FP8"], "E10001"),
        (["--output_type=a:0:FP16"], "E10001"),
        (["--output_type=a:0:FP8", "--out_nodes=a:0"], "E10001"),
        (["--output_type=a:b:FP16", "--out_nodes=a:0"], "E10001"),
        (["--insert_op_conf=aipp.cfg"], "E10055"),
        (["--dynamic_batch_size=1,2", "--dynamic_dims=3"], "E10009"),
        (["--precision_mode=must_keep_origin_dtype", "--precision_mode_v2=origin"], "E10056"),
        (["--input_shape=x:8~1"], "E10048"),
        (["--input_shape=x:1~-1"], "E10011"),
        (["--input_shape=x:1.5"], "E10011"),
        (["--input_shape=1,2"], "E10002"),
        (["--input_shape=x:1;x:2"], "E10002"),
        (["--out_nodes=a;b:0"], "E10001"),
        (["--out_nodes=a:b"], "E10001"),
        (["--output=folder/"], "E10022"),
    ],
)
def test_refusals(words: list[str], code: str) -> None:
    error = _refusal(*_WHOLE, *words)
    assert error.code == code
    assert words[0].partition("=")[0] in str(error)
    assert "; " in str(error), "what to do instead"


@pytest.mark.parametrize(
    "words",
    [
        ["--precision_mode=must_keep_origin_dtype"],
        ["--precision_mode_v2=origin"],
        ["--deterministic=1"],
        ["--dynamic_dims="],
        ["--backend=embedded"],
    ],
)
def test_what_the_embedded_compiler_does(words: list[str]) -> None:
    assert _conversion(*words)


def test_an_output_that_is_a_folder(tmp_path: Path) -> None:
    assert _refusal(*_WHOLE, f"--output={tmp_path}").code == "E10022"


@pytest.mark.parametrize(
    ("word", "precision"),
    [
        ("--precision_mode=must_keep_origin_dtype", Precision.ORIGIN),
        ("--precision_mode=allow_fp32_to_fp16", Precision.ORIGIN),
        ("--precision_mode=force_fp16", Precision.FP16),
        ("--precision_mode=allow_mix_precision", Precision.MIXED),
        ("--precision_mode=allow_mix_precision_fp16", Precision.MIXED),
        ("--precision_mode_v2=origin", Precision.ORIGIN),
        ("--precision_mode_v2=fp16", Precision.FP16),
        ("--precision_mode_v2=mixed_float16", Precision.MIXED),
    ],
)
def test_a_precision_that_is_asked_for_needs_no_notice(word: str, precision: Precision) -> None:
    request = _conversion(word)
    assert request.precision is precision
    assert request.notices == ()


def test_the_default_precision_is_told_once() -> None:
    request = _conversion()
    assert request.precision is Precision.ORIGIN
    assert request.notices == (PRECISION_NOTICE,)
    assert "force_fp16" in PRECISION_NOTICE
    assert _request("--mode=6", "--om=a.om").notices == ()


def test_output_types() -> None:
    assert _conversion("--output_type=FP16").output_types == (DataType.FLOAT16,)
    request = _conversion("--out_nodes=a:0;b:1", "--output_type=b:1:FP16")
    assert request.output_types == (None, DataType.FLOAT16)
    assert _conversion().output_types == ()


def test_a_report_beside_a_conversion() -> None:
    assert _conversion().report is None
    assert _conversion("--check_report=r.json").report == Path("r.json")


def test_flags_of_atc_that_mean_nothing_here_are_named() -> None:
    request = _conversion("--op_debug_level=3", "--jit_compile", "1")
    assert request.notices[0].startswith("--op_debug_level, --jit_compile are ignored")
    for name in IGNORED:
        assert _conversion(f"--{name}=x").notices[0].startswith(f"--{name} is ignored")


def test_flags_that_would_change_the_model_are_refused() -> None:
    for name in REFUSED:
        error = _refusal(*_WHOLE, f"--{name}=x")
        assert error.code == "E10055"
        assert str(error).startswith(f"--{name} is given")
