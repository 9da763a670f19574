"""ONNX models of a few bytes that ask for all memory, all time, or files that are not theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import onnx
import onnx.parser
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper

from support_guarded import Guarded
from support_hostile import good_models

MOST = 2**62


def cnn() -> ModelProto:
    model = ModelProto()
    model.CopyFrom(good_models()["cnn"])
    return model


def before(model: ModelProto, *nodes: NodeProto) -> ModelProto:
    """With nodes before all others, the last of which gives `added`, read by the last of the model's."""
    rest = list(model.graph.node)
    rest[-1].input[-1] = "added"
    del model.graph.node[:]
    model.graph.node.extend([*nodes, *rest])
    return model


def with_sizes(model: ModelProto, *sizes: int) -> ModelProto:
    model.graph.initializer.append(helper.make_tensor("sizes", TensorProto.INT64, [len(sizes)], sizes))
    return model


def laughs() -> ModelProto:
    """Functions that each call the next one twice: 2^60 nodes."""
    return with_functions(60, lambda i: [i + 1, i + 1])


def chuckles() -> ModelProto:
    """2^13 calls of a function that gives one node: few nodes by many calls."""
    return with_functions(14, lambda i: [i + 1, i + 1])


def with_functions(count: int, calls: Callable[[int], list[int]]) -> ModelProto:
    model = cnn()
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    for i in range(count):
        called = [number for number in calls(i) if number < count]
        nodes = [
            helper.make_node(f"F{number}", ["x"], [f"y{n}"], domain="own") for n, number in enumerate(called)
        ]
        nodes = nodes or [helper.make_node("Relu", ["x"], ["y0"])]
        model.functions.append(helper.make_function("own", f"F{i}", ["x"], ["y0"], nodes, opsets))
    model.opset_import.append(helper.make_opsetid("own", 1))
    model.graph.node.insert(0, helper.make_node("F0", [model.graph.input[0].name], ["added"], domain="own"))
    return model


def external(location: str) -> ModelProto:
    model = cnn()
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return model


def many_dimensions() -> ModelProto:
    model = cnn()
    for _ in range(50_000):
        model.graph.input[0].type.tensor_type.shape.dim.add().dim_value = 1
    return model


def constant_of(*sizes: int) -> ModelProto:
    return with_sizes(before(cnn(), helper.make_node("ConstantOfShape", ["sizes"], ["added"])), *sizes)


def long_range() -> ModelProto:
    model = before(cnn(), helper.make_node("Range", ["r0", "r1", "r2"], ["added"]))
    for i, value in enumerate((0, MOST, 1)):
        model.graph.initializer.append(helper.make_tensor(f"r{i}", TensorProto.INT64, [], [value]))
    return model


def doubled() -> ModelProto:
    nodes = [helper.make_node("Concat", [f"d{i}"] * 2, [f"d{i + 1}"], axis=0) for i in range(60)]
    nodes[-1].output[0] = "added"
    model = with_sizes(before(cnn(), *nodes), 1)
    model.graph.initializer[-1].name = "d0"
    return model


def doubled_backwards() -> ModelProto:
    """In no topological order, which ONNX Runtime sorts out."""
    model = doubled()
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(reversed(nodes))
    return model


MODELS: dict[str, tuple[Callable[[], ModelProto], str]] = {
    "functions that unfold to 2^60 nodes": (laughs, "unfold to"),
    "functions that unfold by 2^14 calls": (chuckles, "calls of functions"),
    "a function that calls itself": (lambda: with_functions(1, lambda i: [i]), "leads back to itself"),
    "functions in a circle": (lambda: with_functions(3, lambda i: [(i + 1) % 3]), "leads back to itself"),
    "weights above the folder": (lambda: external("../secret.bin"), "own folder"),
    "weights behind a link": (lambda: external("link.bin"), "own folder"),
    "weights behind a linked folder": (lambda: external("up/secret.bin"), "own folder"),
    "weights in a pipe": (lambda: external("pipe"), "own folder"),
    "weights in a device": (lambda: external("/dev/zero"), "own folder"),
    "weights in the folder itself": (lambda: external("."), "own folder"),
    "weights that are too few": (lambda: external("weights.bin"), ""),
    "50,000 dimensions": (many_dimensions, ""),
    "a constant of 2^62 elements": (lambda: constant_of(MOST), ""),
    "a constant of 2^124 elements": (lambda: constant_of(MOST, MOST), ""),
    "a constant of a negative size": (lambda: constant_of(-1), ""),
    "a range of 2^62 elements": (long_range, ""),
    "60 times doubled": (doubled, ""),
    "60 times doubled, in no order": (doubled_backwards, ""),
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with Guarded(tmp_path_factory.mktemp("worst")) as running:
        yield running


@pytest.mark.parametrize("name", MODELS)
def test_every_command(name: str, guarded: Guarded) -> None:
    make, words = MODELS[name]
    path, out = guarded.inside / "model.onnx", guarded.out
    onnx.save(make(), path)
    commands = (
        ["inspect", str(path)],
        ["check", str(path)],
        ["grad", str(path), "-o", str(out / "step.onnx")],
        ["run", str(path), "--output", str(out)],
        ["atc", "--framework=5", f"--model={path}", f"--output={out / 'made'}", "--soc_version=Ascend910B1"],
    )
    for command in commands:
        answer = guarded.run(command)
        assert not answer.complaint, command[0]
        assert not words or (answer.code == 1 and words in answer.told), command[0]


@pytest.mark.parametrize(
    "name",
    [name for name in MODELS if name.startswith(("a constant of 2^62", "a range", "60 times"))],
)
def test_the_host_makes_no_such_constant(name: str, guarded: Guarded) -> None:
    path = guarded.inside / "model.onnx"
    onnx.save(MODELS[name][0](), path)
    answer = guarded.run(["run", str(path)])
    assert "elements of constants alone" in answer.told
    assert not answer.complaint


def test_constants_of_a_common_size_are_made(guarded: Guarded) -> None:
    model = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        g (float[2,2] x) => (float[2,2] y)
        <int64[2] sizes = {3000, 1000}> {
            large = ConstantOfShape (sizes)
            all = ReduceSum <keepdims = 0> (large)
            y = Add (x, all)
        }""")
    onnx.save(model, guarded.inside / "model.onnx")
    assert guarded.run(["run", str(guarded.inside / "model.onnx")]).code == 0


def test_functions_that_unfold_to_little_are_taken(tmp_path: Path) -> None:
    onnx.save(with_functions(300, lambda i: [i + 1]), tmp_path / "model.onnx")
    folder = tmp_path / "guarded"
    folder.mkdir()
    with Guarded(folder) as guarded:
        assert guarded.run(["inspect", str(tmp_path / "model.onnx")]).code == 0


@pytest.mark.parametrize("shape", [[2**62, 4], [1] * 100, [2**31, 2**31]], ids=["large", "deep", "square"])
def test_inputs_that_no_array_is(shape: list[int], guarded: Guarded) -> None:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, guarded.inside / "model.onnx")
    answer = guarded.run(["run", str(guarded.inside / "model.onnx")])
    assert "which no array has" in answer.told
    assert not answer.complaint
