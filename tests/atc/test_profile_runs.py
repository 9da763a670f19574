"""Whole runs of atc's command line on open shapes: profiles and ranges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.model import make_model
from support_atc import POOL, atc, refused, whole
from support_convert import onnx_model


def shapes_of(n: object) -> str:
    return f"--input_shape=orig_input:{n},2,8,8;orig_output:{n},2,4,4;grad:{n},2,4,4"


def test_profiles(model: Path, tmp_path: Path) -> None:
    code, _, err = atc(*whole(model, tmp_path / "out", shapes_of(-1), "--dynamic_batch_size=1,3"))
    assert code == 0
    assert "2 MaxPoolV3Grad nodes are bound" in err
    session = converters.InferSession(0, tmp_path / "out.om")
    for n in (3, 1):
        x = np.random.default_rng(n).standard_normal((n, 2, 8, 8)).astype(np.float32)
        y = mpg.max_pool_v3(x, **POOL)
        expected = mpg.max_pool_v3_grad(x, y, np.ones_like(y), **POOL)
        np.testing.assert_array_equal(session.infer([x, y, np.ones_like(y)])[0], expected)


def test_profiles_of_inputs_with_odd_names(tmp_path: Path) -> None:
    model = make_model(["N", 2, 8, 8], name="grad", **POOL)
    for value in model.graph.input:
        value.name = f"scope/{value.name}:0"
    model.graph.node[0].input[:] = [value.name for value in model.graph.input]
    onnx.save(model, tmp_path / "m.onnx")
    shapes = "scope/orig_input:0:-1,2,8,8;scope/orig_output:0:-1,2,4,4;scope/grad:0:-1,2,4,4"
    words = whole(
        tmp_path / "m.onnx", tmp_path / "out", f"--input_shape={shapes}", "--dynamic_dims=1,1,1;2,2,2"
    )
    assert atc(*words)[0] == 0
    session = converters.InferSession(0, tmp_path / "out.om")
    assert [info.name for info in session.get_inputs()] == [value.name for value in model.graph.input]
    x = np.ones((2, 2, 8, 8), np.float32)
    y = mpg.max_pool_v3(x, **POOL)
    assert session.infer([x, y, y])[0].sum() == y.sum()


def test_an_open_input_that_no_profile_fixes(model: Path, tmp_path: Path) -> None:
    shapes = "--input_shape=orig_input:-1,2,8,8;orig_output:-1,2,4,4"
    code, sentence = refused(*whole(model, tmp_path / "out", shapes, "--dynamic_batch_size=1,3"))
    assert code == "E10001"
    assert "'grad'" in sentence


def test_an_input_of_profiles_that_out_nodes_cut_off(tmp_path: Path) -> None:
    model = onnx_model("[n] y = Relu(x) [m] z = Neg(r)", "float[N] x, float[N] r", "float[N] y, float[N] z")
    onnx.save(model, tmp_path / "m.onnx")
    words = whole(tmp_path / "m.onnx", tmp_path / "out", "--out_nodes=n:0", "--dynamic_batch_size=1,2")
    code, sentence = refused(*words, "--input_shape=x:-1;r:-1")
    assert code == "E10016"
    assert "'r'" in sentence
    assert atc(*words, "--input_shape=x:-1")[0] == 0


def test_a_profile_that_cannot_be_converted_is_named(model: Path, tmp_path: Path) -> None:
    shapes = "--input_shape=orig_input:-1,2,8,8;orig_output:-1,2,4,4;grad:-1,2,4,4"
    flags = [shapes, "--dynamic_dims=1,1,1;2,2,3"]
    code, sentence = refused(*whole(model, tmp_path / "out", *flags))
    assert code == "E13014"
    assert sentence.startswith("with the profile 2,2,3: ")
    assert not list(tmp_path.glob("out*"))


def test_ranges_stand_in_the_graph(model: Path, tmp_path: Path) -> None:
    assert atc(*whole(model, tmp_path / "out", shapes_of("1~8")))[0] == 0
    (data,) = (n for n in converters.load(tmp_path / "out.om").graph.nodes if n.name == "grad")
    assert data.output_desc().shape == (-1, 2, 4, 4)
    ranges = data.output_desc().attrs["shape_range"]
    assert ranges.values[0] == (1, 8)  # type: ignore[union-attr]
