"""Models with profiles: the Case that chooses among them, the .om that keeps them, the run that switches."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.converters.adaptation import SHAPE_RANGE, Adaptation
from maxpoolgrad_onnx.converters.ge_ir import GeModel, ListOf
from maxpoolgrad_onnx.converters.om import OmFile, PartitionType, launches_of, metadata_of
from maxpoolgrad_onnx.converters.om.inout_info import from_bytes
from maxpoolgrad_onnx.converters.precision import Precision
from maxpoolgrad_onnx.converters.profiles import Kind, Profiles, case_model, profiled_model
from maxpoolgrad_onnx.converters.profiles.names import CASE_NODE, OPEN_SHAPE, SIZES_INPUT
from maxpoolgrad_onnx.converters.profiles.variants import variants
from maxpoolgrad_onnx.converters.runtime.host_model import host_model
from support_convert import feeds_for, onnx_model
from support_ort import outputs_of

POOL = "npu.MaxPoolV3Grad<ksize=[1,1,2,2], strides=[1,1,2,2]>"
GRAD = f"[pool] out = {POOL}(x, y, g)"
BATCHES = Profiles(Kind.BATCH, {"x": (-1, 3, 8, 8), "labels": (-1,)}, [(1,), (2,), (4,)])


def grad_model() -> onnx.ModelProto:
    return onnx_model(GRAD, "float[N,2,H,W] x, float[N,2,P,Q] y, float[N,2,P,Q] g", "float[N,2,H,W] out")


def step_model() -> onnx.ModelProto:
    """A training step whose batch is open: weights of its own, constants, several outputs."""
    rng = np.random.default_rng(0)
    forward = onnx_model(
        "c = Conv<pads=[1,1,1,1]>(x, w) n, m1, a1 = BatchNormalization<training_mode=1>(c, s, b, m, a) "
        "r = Relu(n) p = MaxPool<kernel_shape=[2,2], strides=[2,2]>(r)"
        "f = Flatten(p) logits = Gemm<transB=1>(f, v)",
        "float[N,3,8,8] x",
        "float[N,5] logits",
        {
            "w": rng.standard_normal((4, 3, 3, 3)).astype(np.float32),
            "v": rng.standard_normal((5, 64)).astype(np.float32),
            **{name: rng.uniform(0.5, 1.5, 4).astype(np.float32) for name in "sbma"},
        },
    )
    return mpg.add_training_step(forward)


def convert(model: onnx.ModelProto, profiles: Profiles) -> tuple[GeModel, Sequence[GeModel]]:
    plain = variants(model, profiles, converters.onnx_to_ge)
    return case_model(profiles, plain, converters.onnx_to_ge(model)), plain


def compiled(model: onnx.ModelProto, tmp_path: Path, profiles: Profiles, **rest: object) -> Path:
    adaptation = Adaptation(profiles=profiles, **rest)  # type: ignore[arg-type]
    return converters.compile(model, tmp_path / "m", soc_version="Ascend910B1", adaptation=adaptation).om


def resized(feeds: Mapping[str, np.ndarray], batch: int, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Of the named arrays the first examples, repeated where there are too few."""
    return {
        name: np.resize(array, (batch, *array.shape[1:])) if name in names else array
        for name, array in feeds.items()
    }


def test_a_profile_is_the_model_that_was_put_in() -> None:
    model, plain = convert(step_model(), BATCHES)
    profiled = profiled_model(model)
    assert profiled is not None
    assert (profiled.profiles.kind, list(profiled.profiles.sizes)) == (Kind.BATCH, [(1,), (2,), (4,)])
    assert profiled.profiles.shapes == BATCHES.shapes
    for number, expected in enumerate(plain):
        assert profiled.plain(number).graph == expected.graph


def test_weights_lie_in_the_file_once(tmp_path: Path) -> None:
    model = step_model()
    weight = np.ones((64, 4096), np.float32)  # 1 MiB
    model.graph.initializer.append(onnx.numpy_helper.from_array(weight, "heavy"))
    model.graph.node.append(onnx.helper.make_node("Add", ["heavy", "heavy"], ["twice"]))
    model.graph.output.append(onnx.helper.make_tensor_value_info("twice", 1, weight.shape))
    assert compiled(model, tmp_path, BATCHES).stat().st_size < 1.5 * weight.nbytes


def test_the_model_is_as_before() -> None:
    model = step_model()
    before = model.SerializeToString()
    convert(model, BATCHES)
    del model.graph.value_info[:]
    again = onnx.ModelProto.FromString(before)
    del again.graph.value_info[:]
    assert model == again


def test_the_file_says_what_atc_says(tmp_path: Path) -> None:
    path = compiled(step_model(), tmp_path, BATCHES)
    model = converters.load(path)
    (case,) = (node for node in model.graph.nodes if node.type == "Case")
    assert case.name == CASE_NODE
    assert case.subgraphs == ("Batch_0", "Batch_1", "Batch_2")
    assert [graph.name for graph in model.subgraphs] == list(case.subgraphs)
    assert (case.attrs["_batch_num"], case.attrs["mbatch_dynamic_type"]) == (3, 1)
    assert case.attrs["_pred_value_2"] == ListOf("int", [4])
    assert case.attrs["user_designate_shape_order"] == ListOf("str", ["x", "labels"])
    nodes = {node.name: node for node in model.graph.nodes}
    assert nodes["x"].attrs[OPEN_SHAPE] == ListOf("int", [-1, 3, 8, 8])
    assert nodes["x"].output_desc().shape == (4, 3, 8, 8)
    assert OPEN_SHAPE not in nodes["w"].attrs
    assert nodes[SIZES_INPUT].attrs["index"] == sum(node.type == "Data" for node in nodes.values()) - 1
    (choice,) = (node for node in model.graph.nodes if node.type == "MapIndex")
    assert case.inputs[0] is not None
    assert case.inputs[0].node == choice.name


@pytest.mark.parametrize(
    ("profiles", "block"),
    [
        (BATCHES, struct.pack("<IIIqqq", 2, 28, 3, 1, 2, 4)),
        (
            Profiles(Kind.DIMS, BATCHES.shapes, [(1, 1), (3, 3)]),
            struct.pack("<IIIIIqqqq", 4, 44, 2, 2, 2, 1, 1, 3, 3),
        ),
    ],
)
def test_the_profiles_stand_beside_inputs_and_outputs(
    tmp_path: Path, profiles: Profiles, block: bytes
) -> None:
    om = OmFile.load(str(compiled(step_model(), tmp_path, profiles)))
    info = om.find(PartitionType.MODEL_INOUT_INFO)
    assert info is not None
    data = bytes(info.data)
    assert block in data
    assert struct.pack("<IIII", 6, 19, 2, 1) + struct.pack("<I", 6) + b"xlabels" in data


def test_inputs_and_outputs_are_named_as_without_profiles(tmp_path: Path) -> None:
    plain = converters.compile(step_model(), tmp_path / "plain", soc_version="Ascend910B1").om
    infos = []
    for path in (plain, compiled(step_model(), tmp_path, BATCHES)):
        info = OmFile.load(str(path)).find(PartitionType.MODEL_INOUT_INFO)
        assert info is not None
        infos.append(from_bytes(info.data, str(path)))
    before, after = infos
    assert [info.name for info in after.outputs] == [info.name for info in before.outputs]
    inputs = {info.name: info.shape for info in before.inputs}
    assert {info.name: info.shape for info in after.inputs} == {**inputs, SIZES_INPUT: (1,)}


def test_every_profile_has_its_kernels(tmp_path: Path) -> None:
    path = compiled(step_model(), tmp_path, BATCHES)
    assert metadata_of(converters.load(path)).unbound == {}
    launches = launches_of(OmFile.load(str(path)))
    (name,) = {name.rpartition("_ascend_mbatch_batch_")[0] for name in launches}
    assert list(launches) == [f"{name}_ascend_mbatch_batch_{number}" for number in range(3)]
    fixed = step_model()
    for value in fixed.graph.input:
        if value.name in BATCHES.shapes:
            value.type.tensor_type.shape.dim[0].dim_value = 4
    alone = converters.compile(fixed, tmp_path / "four", soc_version="Ascend910B1")
    assert list(alone.binding.launches.values()) == [launches[f"{name}_ascend_mbatch_batch_2"]]


@pytest.mark.parametrize("kernel", ["native", "twin"])
def test_a_training_step_runs_in_each_of_its_batches(tmp_path: Path, kernel: str) -> None:
    model = step_model()
    session = converters.InferSession(0, compiled(model, tmp_path, BATCHES), kernel=kernel)
    shapes = {info.name: info.shape for info in session.get_inputs()}
    assert (shapes["x"], shapes["labels"]) == ((-1, 3, 8, 8), (-1,))
    assert SIZES_INPUT not in shapes
    feeds = feeds_for(model)
    for batch in (2, 4, 1, 2):
        given = resized(feeds, batch, ["x", "labels"])
        # ONNX Runtime writes over the running statistics that it is given.
        expected = outputs_of(model, {name: array.copy() for name, array in given.items()})
        for info, result in zip(session.get_outputs(), session.infer(given), strict=True):
            assert np.array_equal(result, expected[info.name]), (batch, info.name)


def test_a_batch_that_is_no_profile_is_refused_with_the_profiles(tmp_path: Path) -> None:
    model = step_model()
    session = converters.InferSession(0, compiled(model, tmp_path, BATCHES))
    with pytest.raises(MaxPoolGradError, match=r"'x' \[3, 3, 8, 8\].* profiles 1,2,4 of 'x' \[-1") as caught:
        session.infer(resized(feeds_for(model), 3, ["x", "labels"]))
    assert caught.value.code == "145000"


def test_image_sizes(tmp_path: Path) -> None:
    shapes = {"x": (1, 2, -1, -1), "y": (1, 2, -1, -1)}
    model = onnx_model(
        "y = MaxPool<kernel_shape=[2,2], strides=[2,2]>(x)", "float[1,2,H,W] x", "float[1,2,P,Q] y"
    )
    profiles = Profiles(Kind.IMAGE, {"x": shapes["x"]}, [(8, 6), (4, 4)])
    session = converters.InferSession(0, compiled(model, tmp_path, profiles))
    assert session.get_outputs()[0].shape == (1, 2, -1, -1)
    for height, width in profiles.sizes:
        x = np.random.default_rng(0).standard_normal((1, 2, height, width)).astype(np.float32)
        assert np.array_equal(session.infer([x])[0], outputs_of(model, {"x": x})["y"])
    with pytest.raises(MaxPoolGradError, match="8,6;4,4"):
        session.infer([np.zeros((1, 2, 6, 8), np.float32)])


def test_dims_and_a_lowered_type(tmp_path: Path) -> None:
    shapes = {"x": (-1, 2, -1, 4), "y": (-1, 2, -1, 2), "g": (-1, 2, -1, 2)}
    profiles = Profiles(Kind.DIMS, shapes, [(1, 8, 1, 4, 1, 4), (2, 4, 2, 2, 2, 2)])
    path = compiled(grad_model(), tmp_path, profiles, precision=Precision.FP16)
    session = converters.InferSession(0, path)
    pool = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    for n, height in ((1, 8), (2, 4)):
        x = np.random.default_rng(n).standard_normal((n, 2, height, 4)).astype(np.float32)
        y = mpg.max_pool_v3(x, **pool)
        g = np.ones_like(y)
        half = [array.astype(np.float16) for array in (x, y, g)]
        expected = mpg.max_pool_v3_grad(*half, **pool).astype(np.float32)
        assert np.array_equal(session.infer([x, y, g])[0], expected)


def test_the_air_beside_it_leaves_the_sizes_open(tmp_path: Path) -> None:
    adaptation = Adaptation(profiles=BATCHES)
    done = converters.compile(step_model(), tmp_path / "m", soc_version="Ascend910B1", adaptation=adaptation)
    assert done.air is not None
    air = converters.load(done.air)
    assert not air.subgraphs
    assert {
        node.name: node.output_desc().shape for node in air.graph.nodes if node.name in BATCHES.shapes
    } == {
        "x": (-1, 3, 8, 8),
        "labels": (-1,),
    }
    flags = '--input_shape="x:-1,3,8,8;labels:-1" --dynamic_batch_size="1,2,4"`'
    assert done.notices[-1].endswith(flags)


def test_ranges_are_kept(tmp_path: Path) -> None:
    adaptation = Adaptation(ranges={"x": ((1, 8), (2, 2), (0, -1), (8, 8))})
    done = converters.compile(grad_model(), tmp_path / "m", soc_version="Ascend910B1", adaptation=adaptation)
    assert done.air is not None
    for path in (done.om, done.air):
        (x,) = (node for node in converters.load(path).graph.nodes if node.name == "x")
        for desc in (*x.input_descs.values(), *x.output_descs.values()):
            assert desc.attrs[SHAPE_RANGE] == ListOf("ints", [(1, 8), (2, 2), (0, -1), (8, 8)])
    assert '--input_shape="x:1~8,2,-1,8"' in done.notices[-1]


def test_profiles_of_ge_ir_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MaxPoolGradError, match="profiles are made of an ONNX model"):
        converters.compile(
            converters.onnx_to_ge(step_model()),
            tmp_path / "m",
            soc_version="Ascend910B1",
            adaptation=Adaptation(profiles=BATCHES),
        )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_batch_num", 2),
        ("_batch_num", "3"),
        ("mbatch_dynamic_type", 9),
        ("mbatch_dynamic_type", "batch"),
        ("_pred_value_1", ListOf("int", [1, 2])),
        ("_pred_value_1", ListOf("str", ["1"])),
        ("_pred_value_1", ListOf("int", [-1])),
    ],
)
def test_damaged_profiles(name: str, value: object) -> None:
    model, _ = convert(step_model(), BATCHES)
    nodes = [
        replace(node, attrs={**node.attrs, name: value}) if node.name == CASE_NODE else node  # type: ignore[dict-item]
        for node in model.graph.nodes
    ]
    with pytest.raises(MaxPoolGradError, match=r"ascend_mbatch_shape_case.*compile the model again"):
        profiled_model(replace(model, graph=replace(model.graph, nodes=nodes)))


def test_an_input_that_stands_for_nothing() -> None:
    model, _ = convert(step_model(), BATCHES)
    first, *others = model.subgraphs
    nodes = [
        replace(node, attrs={**node.attrs, "_parent_node_index": 99}) if node.type == "Data" else node
        for node in first.nodes
    ]
    damaged = profiled_model(replace(model, subgraphs=[replace(first, nodes=nodes), *others]))
    assert damaged is not None
    with pytest.raises(MaxPoolGradError, match="_parent_node_index is '99'"):
        damaged.plain(0)


def test_two_inputs_that_stand_for_the_same() -> None:
    model, _ = convert(step_model(), BATCHES)
    first, *others = model.subgraphs
    nodes = [
        replace(node, attrs={**node.attrs, "_parent_node_index": 1}) if node.type == "Data" else node
        for node in first.nodes
    ]
    damaged = profiled_model(replace(model, subgraphs=[replace(first, nodes=nodes), *others]))
    assert damaged is not None
    with pytest.raises(MaxPoolGradError, match="two of its nodes are called 'x'"):
        damaged.plain(0)


def test_profiles_of_different_models() -> None:
    other = onnx_model("y = Relu(x) z = Relu(labels)", "float[N,3,8,8] x, float[N] labels", "float[N] z")
    models = [*variants(step_model(), BATCHES, converters.onnx_to_ge)]
    models[1] = variants(other, BATCHES, converters.onnx_to_ge)[1]
    whole = case_model(BATCHES, models[:1] * 3, converters.onnx_to_ge(step_model()))
    mixed = case_model(BATCHES, [models[1]] * 3, converters.onnx_to_ge(other))
    graphs = [whole.subgraphs[0], mixed.subgraphs[1], whole.subgraphs[2]]
    with pytest.raises(MaxPoolGradError, match="different inputs or outputs; compile the model again"):
        host_model(replace(whole, subgraphs=graphs))


def test_a_text_that_is_no_utf_8_reaches_the_host_as_it_is() -> None:
    """As in damaged files: the operator refuses it in its own words."""
    converted = converters.onnx_to_ge(grad_model())
    nodes = [
        replace(node, attrs={**node.attrs, "padding_mode": "CAL\udcff"}) if node.name == "pool" else node
        for node in converted.graph.nodes
    ]
    proto = host_model(replace(converted, graph=replace(converted.graph, nodes=nodes))).proto
    (pool,) = proto.graph.node
    assert next(a.s for a in pool.attribute if a.name == "padding_mode") == b"CAL\xff"
