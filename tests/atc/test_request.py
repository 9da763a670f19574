"""Flags' values taken together: what a request needs, and what is refused with which code."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxpoolgrad_onnx import MaxPoolGradError, _ascend
from maxpoolgrad_onnx.contract import SUPPORTED_PRODUCTS
from maxpoolgrad_onnx.converters.atc.command_line import parse
from maxpoolgrad_onnx.converters.atc.out_nodes import OutNode
from maxpoolgrad_onnx.converters.atc.request import Conversion, Display, JsonView, read_request

_WHOLE = ["--framework=5", "--model=m.onnx", "--output=out", "--soc_version=Ascend910B1"]


def _refusal(*words: str) -> MaxPoolGradError:
    with pytest.raises(MaxPoolGradError) as caught:
        read_request(parse(words))
    return caught.value


def test_a_conversion() -> None:
    request = read_request(
        parse([*_WHOLE, "--input_shape=x:1,2;r:", "--out_nodes=a:0;b:1", "--input_format=ND"])
    )
    assert request == Conversion(
        model=Path("m.onnx"),
        framework=5,
        output=Path("out"),
        soc_version="Ascend910B1",
        input_format="ND",
        input_shapes={"x": (1, 2), "r": ()},
        out_nodes=(OutNode("a", 0), OutNode("b", 1)),
    )


def test_views() -> None:
    assert read_request(parse(["--mode=1", "--om=a.om", "--json=b"])) == JsonView(Path("a.om"), Path("b"))
    assert read_request(parse(["--mode=6", "--om=a.om"])) == Display(Path("a.om"))


@pytest.mark.parametrize("missing", ["framework", "model", "output", "soc_version"])
def test_what_a_conversion_needs(missing: str) -> None:
    error = _refusal(*(word for word in _WHOLE if not word.startswith(f"--{missing}")))
    assert error.code == ("E10007" if missing == "framework" else "E10054")
    assert str(error).startswith(f"--{missing} is missing")


@pytest.mark.parametrize(("mode", "missing"), [("1", "om"), ("6", "om")])
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
        assert isinstance(read_request(parse([*_WHOLE[:3], f"--soc_version={soc}"])), Conversion)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--mode=3"], "E10055"),
        (["--mode=30"], "E10055"),
        (["--framework=3"], "E10055"),
        (["--framework=0"], "E10055"),
        (["--input_format=NHWC"], "E10055"),
        (["--precision_mode=force_fp16"], "E10055"),
        (["--precision_mode_v2=fp16"], "E10055"),
        (["--output_type=FP16"], "E10055"),
        (["--dynamic_batch_size=1,2"], "E10055"),
        (["--dynamic_batch_size=1,2", "--dynamic_dims=3"], "E10009"),
        (["--precision_mode=must_keep_origin_dtype", "--precision_mode_v2=origin"], "E10056"),
        (["--input_shape=x:1~2"], "E10055"),
        (["--input_shape=x:-1"], "E10055"),
        (["--input_shape=x:1.5"], "E10011"),
        (["--input_shape=1,2"], "E10002"),
        (["--input_shape=x:1;x:2"], "E10002"),
        (["--out_nodes=a"], "E10001"),
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
    assert isinstance(read_request(parse([*_WHOLE, *words])), Conversion)


def test_an_output_that_is_a_folder(tmp_path: Path) -> None:
    assert _refusal(*_WHOLE, f"--output={tmp_path}").code == "E10022"


def test_a_report_that_is_not_written_is_a_notice() -> None:
    request = read_request(parse([*_WHOLE, "--check_report=r.json"]))
    assert any("--check_report" in notice for notice in request.notices)


def test_cann_without_an_atc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"):
        monkeypatch.delenv(name, raising=False)
    error = _refusal(*_WHOLE, "--backend=cann")
    assert error.code == "E10055"
    assert "no atc was found" in str(error)


def test_cann_with_an_atc_is_refused_honestly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    atc = tmp_path / "bin" / "atc"
    atc.parent.mkdir()
    atc.write_text("#!/bin/sh\n")
    atc.chmod(0o755)
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    error = _refusal(*_WHOLE, "--backend=cann")
    assert error.code == "E10055"
    assert str(atc) in str(error)
    assert "--framework=1" in str(error)
    assert str(atc) in read_request(parse(_WHOLE)).notices[0]
    assert read_request(parse([*_WHOLE, "--backend=embedded"])).notices == ()
