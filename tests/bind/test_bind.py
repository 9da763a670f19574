"""What is planned for a MaxPoolV3Grad of the GE graph, and why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from maxpoolgrad_onnx import MaxPoolGradError, converters
from maxpoolgrad_onnx.contract import PoolAttributes
from maxpoolgrad_onnx.converters.bind import bind, check_processor, plan_launch, vector_cores
from maxpoolgrad_onnx.converters.ge_ir import DataType, GeModel, ListOf, Node, TensorDesc
from maxpoolgrad_onnx.model import make_model

POOL = {"ksize": (1, 1, 3, 3), "strides": (1, 1, 2, 2), "pads": (1, 1, 1, 1)}
X, Y = (4, 32, 28, 28), (4, 32, 14, 14)
ATTRIBUTES = PoolAttributes.make("test", POOL)


def model(shape: tuple[int | str, ...] = X) -> GeModel:
    return converters.onnx_to_ge(make_model(shape, name="grad", **POOL))


def with_node(model: GeModel, **changes: object) -> GeModel:
    nodes = [replace(node, **changes) if node.type == "MaxPoolV3Grad" else node for node in model.graph.nodes]
    return replace(model, graph=replace(model.graph, nodes=nodes))


def pool_node(model: GeModel) -> Node:
    (node,) = (node for node in model.graph.nodes if node.type == "MaxPoolV3Grad")
    return node


@pytest.mark.parametrize("soc_version", ["Ascend910B1", "Ascend910_9362", "Ascend950DT_9591"])
def test_a_node_is_bound_as_it_is_planned(soc_version: str) -> None:
    binding = bind(model(), soc_version)
    assert binding.unbound == {}
    name = pool_node(model()).name
    assert binding.launches == {name: plan_launch(ATTRIBUTES, "float32", X, Y, soc_version)}
    launch = binding.launches[name]
    assert launch.symbol == "max_pool_v3_grad"
    assert launch.workspaces == (16 * 2**20,)
    assert 1 <= launch.block_dim <= vector_cores(soc_version)
    assert launch.tiling_data
    assert launch.schedule_mode == 0


def test_the_plan_depends_on_processor_dtype_shape_and_cores() -> None:
    def plan(dtype: str = "float16", x: tuple[int, ...] = X, soc: str = "Ascend910B1", **more: int) -> object:
        return plan_launch(ATTRIBUTES, dtype, x, (x[0], x[1], 14, 14), soc, **more)

    plans = [plan(), plan("float32"), plan(x=(5, 32, 28, 28)), plan(cores=3), plan(soc="Ascend950PR_9579")]
    assert all(a != b for i, a in enumerate(plans) for b in plans[:i])
    assert plan() == plan()
    assert plan_launch(ATTRIBUTES, "float16", X, Y, "Ascend910B1", cores=3).block_dim <= 3
    forty = plan_launch(ATTRIBUTES, "float16", (64, 64, 28, 28), (64, 64, 14, 14), "Ascend910B4")
    assert forty.block_dim == vector_cores("Ascend910B4") == 40


def test_only_the_950_gives_a_kernel_local_memory() -> None:
    launches = [plan_launch(ATTRIBUTES, "float16", X, Y, soc) for soc in ("Ascend910B1", "Ascend950PR_9579")]
    assert [launch.local_memory_bytes for launch in launches] == [0, (248 - 128) * 1024]


@pytest.mark.parametrize("shape", [("N", 32, 28, 28), (4, 32, "H", 28)])
def test_open_sizes_stay_unbound(shape: tuple[int | str, ...]) -> None:
    opened = model(shape)
    binding = bind(opened, "Ascend910B1")
    assert binding.launches == {}
    ((name, reason),) = binding.unbound.items()
    assert name == pool_node(opened).name
    assert "the shape of orig_input is [" in reason
    assert "its plan is made when the model runs" in reason


def test_unknown_rank_stays_unbound() -> None:
    node = pool_node(model())
    descs = {port: replace(desc, shape=None) for port, desc in node.input_descs.items()}
    ((_, reason),) = bind(with_node(model(), input_descs=descs), "Ascend910B1").unbound.items()
    assert "the shape of orig_input is of unknown rank" in reason


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"attrs": {}}, "attribute ksize is missing"),
        ({"attrs": {"ksize": ListOf("int", [1, 1, 256, 3]), "strides": ListOf("int", [1] * 4)}}, "256"),
        ({"input_descs": {"orig_input": TensorDesc(DataType.FLOAT, X)}, "inputs": ()}, "it has 1 inputs"),
        (
            {
                "input_descs": dict.fromkeys(
                    ("orig_input", "orig_output", "grad"), TensorDesc(DataType.BF16, X)
                )
            },
            "bfloat16",
        ),
    ],
)
def test_what_the_operator_refuses_stays_unbound(changes: dict[str, object], found: str) -> None:
    """CANN's own operator of this name, on the 950, takes more than this one."""
    binding = bind(with_node(model(), **changes), "Ascend950PR_9579")
    assert binding.launches == {}
    ((_, reason),) = binding.unbound.items()
    assert found in reason


def test_nodes_of_called_graphs_stay_unbound() -> None:
    called = replace(model(), subgraphs=[replace(model().graph, name="then")])
    binding = bind(called, "Ascend910B1")
    assert "it lies in the graph 'then'" in binding.unbound[pool_node(called).name]


def test_an_unknown_processor_of_a_supported_product() -> None:
    binding = bind(model(), "Ascend910B9")
    assert "soc_version 'Ascend910B9' is not known here" in next(iter(binding.unbound.values()))
    with pytest.raises(MaxPoolGradError, match="known are Ascend910B1, ") as caught:
        check_processor("Ascend910B9")
    assert caught.value.code == "EZ3003"
    with pytest.raises(MaxPoolGradError, match="is not supported by MaxPoolV3Grad"):
        vector_cores("Ascend310P3")


def test_a_model_without_the_operator_binds_nothing() -> None:
    plain = with_node(model(), type="Relu")
    assert bind(plain, "Ascend910B1").launches == bind(plain, "Ascend910B1").unbound == {}
