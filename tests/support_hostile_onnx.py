"""ONNX models with tricks in them: what a hostile file may say."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

from support_protobuf import block, number

HUGE = (2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, -1, -(2**63), 0)
_LOCATIONS = (
    *("../secret.bin", "up/secret.bin", "link.bin", "/dev/zero", "/proc/self/mem", "pipe", "..", ".", "up"),
    *("weights.bin", "./weights.bin", "nobody.bin", "weights.bin\0", "", "a" * 5000, "w" + "/x" * 400),
)
NAMES = (
    *(
        "../../evil",
        "/evil",
        "..",
        ".",
        "a/b",
        "a" * 3000,
        "\0",
        "nul\0byte",
        "new\nline",
        "\x1b[2J",
        "\u202e",
    ),
    *(
        "a:0",
        ":",
        "a:-1",
        "Node_Output",
        "loss",
        "labels",
        "learning_rate",
        "w.updated",
        "%s%n",
        "{}",
        "\U0001f4a5",
    ),
)


def _cycle(model: ModelProto, rng: random.Random) -> None:
    """A node reads what it or a later one makes."""
    nodes = model.graph.node
    first = rng.randrange(len(nodes))
    later = rng.choice(nodes[first:])
    if nodes[first].input and later.output:
        nodes[first].input[rng.randrange(len(nodes[first].input))] = later.output[0]


def _duplicate(model: ModelProto, rng: random.Random) -> None:
    """Two nodes, values, weights, inputs, outputs or opsets where one should be."""
    graph = model.graph
    entries: Any = rng.choice((graph.node, graph.initializer, graph.input, graph.output, model.opset_import))
    if not entries:
        return
    entries.add().CopyFrom(rng.choice(entries[:]))
    if rng.random() < 0.5 and entries is graph.node and len(graph.node) > 1:
        graph.node[-1].output[:] = rng.choice(graph.node[:-1]).output


def _same_names(model: ModelProto, _rng: random.Random) -> None:
    for node in model.graph.node:
        node.name = "same"


def _reversed(model: ModelProto, rng: random.Random) -> None:
    """Nodes in another order."""
    nodes = list(model.graph.node)
    rng.shuffle(nodes)
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def _huge_attribute(model: ModelProto, rng: random.Random) -> None:
    attributes = [a for node in model.graph.node for a in node.attribute if a.ints or a.HasField("i")]
    if attributes:
        found = rng.choice(attributes)
        if found.ints:
            found.ints[rng.randrange(len(found.ints))] = rng.choice(HUGE)
        else:
            found.i = rng.choice(HUGE)


def _long_attribute(model: ModelProto, rng: random.Random) -> None:
    attributes = [a for node in model.graph.node for a in node.attribute if a.ints]
    if attributes:
        rng.choice(attributes).ints.extend([1] * rng.choice((1, 100, 20_000)))


def _huge_input(model: ModelProto, rng: random.Random) -> None:
    """An input or output of a size that nobody has."""
    value = rng.choice([*model.graph.input, *model.graph.output])
    dims = value.type.tensor_type.shape.dim
    for dim in rng.sample(list(dims), rng.randint(0, len(dims))):
        dim.dim_value = rng.choice((*HUGE, 1000, 20_000, 100_000))
    if rng.random() < 0.1:
        for _ in range(rng.choice((1, 100, 10_000))):
            dims.add().dim_value = 1


def _huge_weight(model: ModelProto, rng: random.Random) -> None:
    """Dimensions that the elements do not fill."""
    if model.graph.initializer:
        tensor = rng.choice(model.graph.initializer)
        size = rng.choice(HUGE)
        if tensor.dims and rng.random() < 0.7:
            tensor.dims[rng.randrange(len(tensor.dims))] = size
        else:
            tensor.dims.append(size)
        if rng.random() < 0.3:
            tensor.ClearField("raw_data")


def _type(model: ModelProto, rng: random.Random) -> None:
    number_ = rng.choice((*range(27), 99, -1, 2**31 - 1))
    values = [value.type.tensor_type for value in (*model.graph.input, *model.graph.output)]
    if model.graph.initializer and rng.random() < 0.5:
        rng.choice(model.graph.initializer).data_type = number_
    else:
        rng.choice(values).elem_type = number_


def _texts(model: ModelProto, rng: random.Random) -> None:
    """A weight of texts."""
    if model.graph.initializer:
        tensor = rng.choice(model.graph.initializer)
        tensor.ClearField("raw_data")
        tensor.data_type = TensorProto.STRING
        tensor.string_data.extend([b"\xff\0"] * rng.choice((0, 1, 1000)))


def _external(model: ModelProto, rng: random.Random) -> None:
    """A weight that lies elsewhere."""
    if not model.graph.initializer:
        return
    tensor = rng.choice(model.graph.initializer)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for _ in range(rng.choice((1, 1, 1, 2))):
        tensor.external_data.add(key="location", value=rng.choice(_LOCATIONS))
    for key in ("offset", "length"):
        if rng.random() < 0.4:
            value = rng.choice((*map(str, HUGE), "4", "1e3", "\u0663", "", "9" * 5000))
            tensor.external_data.add(key=key, value=value)


def _rename(model: ModelProto, rng: random.Random) -> None:
    """A value, wherever it is read and made, gets another name."""
    graph = model.graph
    old = rng.choice(
        [*(name for node in graph.node for name in node.output), *(v.name for v in graph.output)]
    )
    new = rng.choice(NAMES)
    for node in graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
        node.output[:] = [new if name == old else name for name in node.output]
    for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        value.name = new if value.name == old else value.name


def _bomb(model: ModelProto, rng: random.Random) -> None:
    """A few bytes that unfold to a tensor past all memory, read by some node."""
    size = rng.choice((2**20, 2**31, 2**36, 2**45, 2**62))
    sizes = [helper.make_tensor("bomb_size", TensorProto.INT64, [2], [size, 1])]
    one = helper.make_tensor("bomb_one", TensorProto.FLOAT, [1, 1], [1.0])
    scalars = [helper.make_tensor(f"bomb_{n}", TensorProto.INT64, [], [n]) for n in (0, size, 1)]
    match rng.randrange(5):
        case 0:
            nodes = [helper.make_node("ConstantOfShape", ["bomb_size"], ["bomb"])]
        case 1:
            nodes = [helper.make_node("Expand", ["bomb_one", "bomb_size"], ["bomb"])]
        case 2:
            nodes = [helper.make_node("Tile", ["bomb_one", "bomb_size"], ["bomb"])]
        case 3:
            nodes = [helper.make_node("Range", [tensor.name for tensor in scalars], ["bomb"])]
        case _:
            doubling = [helper.make_node("Concat", [f"d{i}"] * 2, [f"d{i + 1}"], axis=0) for i in range(40)]
            nodes = [helper.make_node("Identity", ["bomb_one"], ["d0"]), *doubling]
            nodes[-1].output[0] = "bomb"
    reader = rng.choice([node for node in model.graph.node if node.input])
    reader.input[rng.randrange(len(reader.input))] = "bomb"
    rest = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*nodes, *rest])
    model.graph.initializer.extend([*sizes, one, *scalars])


def _chain(model: ModelProto, rng: random.Random) -> None:
    """More nodes in a row than a stack has frames."""
    graph = model.graph
    source, operator = graph.input[0].name, rng.choice(("Relu", "Identity", "Neg", "Nobody"))
    names = [f"chain_{i}" for i in range(rng.choice((10, 1500, 4000)))]
    nodes = [
        NodeProto(op_type=operator, input=[before], output=[name])
        for before, name in zip([source, *names], names, strict=False)
    ]
    for node in graph.node:
        node.input[:] = [names[-1] if name == source else name for name in node.input]
    rest = list(graph.node)
    del graph.node[:]
    graph.node.extend([*nodes, *rest])


def _fan(model: ModelProto, rng: random.Random) -> None:
    """A value that each next node reads twice: as many paths as there are subsets."""
    graph = model.graph
    source = graph.input[0].name
    names = [f"fan_{i}" for i in range(rng.choice((30, 200)))]
    nodes = [
        NodeProto(op_type="Add", input=[before, before], output=[name])
        for before, name in zip([source, *names], names, strict=False)
    ]
    for node in graph.node:
        node.input[:] = [names[-1] if name == source else name for name in node.input]
    rest = list(graph.node)
    del graph.node[:]
    graph.node.extend([*nodes, *rest])


def _nest(model: ModelProto, rng: random.Random) -> None:
    """Graphs inside graphs."""
    graph = helper.make_graph([helper.make_node("Relu", [model.graph.input[0].name], ["y"])], "g", [], [])
    graph.output.add().name = "y"
    for _ in range(rng.choice((1, 5, 20, 24))):
        node = NodeProto(op_type=rng.choice(("If", "Loop", "Scan", "Nobody")), output=["y"], input=["c"])
        for name in ("then_branch", "else_branch", "body")[: rng.choice((1, 3))]:
            node.attribute.append(AttributeProto(name=name, type=AttributeProto.GRAPH, g=graph))
            if len(graph.SerializeToString()) > 50_000:
                break
        graph = GraphProto(name="g", node=[node])
        graph.output.add().name = "y"
    model.graph.node.extend(graph.node)


def _functions(model: ModelProto, rng: random.Random) -> None:
    """Functions that call themselves, each other, or each other's doubles."""
    count = rng.choice((1, 2, 20, 60))
    for i in range(count):
        call = (i + 1) % count if rng.random() < 0.5 else min(i + 1, count - 1)
        calls = [
            helper.make_node(f"F{call}", ["x"], [f"y{n}"], domain="evil") for n in range(rng.choice((1, 2)))
        ]
        if i == count - 1 and rng.random() < 0.7:
            calls = [helper.make_node("Relu", ["x"], ["y0"])]
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("evil", 1)]
        model.functions.append(helper.make_function("evil", f"F{i}", ["x"], ["y0"], calls, opsets))
    model.opset_import.append(helper.make_opsetid("evil", 1))
    node = helper.make_node("F0", [model.graph.input[0].name], ["from_function"], domain="evil")
    model.graph.node.insert(0, node)


def _sparse(model: ModelProto, rng: random.Random) -> None:
    """A weight in sparse form, whose few elements stand for very many."""
    if model.graph.initializer:
        dense = model.graph.initializer.pop()
        sparse = model.graph.sparse_initializer.add(dims=[rng.choice(HUGE), 3])
        sparse.values.CopyFrom(helper.make_tensor(dense.name, TensorProto.FLOAT, [1], [1.0]))
        sparse.indices.CopyFrom(helper.make_tensor("", TensorProto.INT64, [1], [rng.choice(HUGE)]))


def _versions(model: ModelProto, rng: random.Random) -> None:
    numbers = (0, 1, 7, 8, 13, 18, 19, 21, 23, 99, 2**31, 2**62, -1)
    rng.choice(model.opset_import).version = rng.choice(numbers)
    if rng.random() < 0.3:
        model.ir_version = rng.choice(numbers)


def _strange_node(model: ModelProto, rng: random.Random) -> None:
    """A node of some operator of ONNX that gets whatever there is."""
    schemas = onnx.defs.get_all_schemas()
    schema = rng.choice(schemas)
    names = [name for node in model.graph.node for name in node.output]
    inputs = [rng.choice(names) for _ in range(rng.randint(0, 4))]
    node = NodeProto(op_type=schema.name, domain=schema.domain, input=inputs, output=["strange"])
    for name in list(schema.attributes)[:3]:
        value = rng.choice((1, -1, 2**62, 1.5, "x", [1, 2], [2**62]))
        node.attribute.append(helper.make_attribute(name, value))
    model.graph.node.insert(rng.randrange(len(model.graph.node) + 1), node)
    for reader in rng.sample(list(model.graph.node), 1):
        if reader.input and rng.random() < 0.7:
            reader.input[0] = "strange"


TRICKS: tuple[Callable[[ModelProto, random.Random], None], ...] = (
    *(_cycle, _duplicate, _same_names, _reversed, _huge_attribute, _long_attribute, _huge_input),
    *(_huge_weight, _type, _texts, _external, _rename, _bomb, _chain, _fan, _nest, _functions, _sparse),
    *(_versions, _strange_node),
)


def nested_in_bytes(data: bytes, rng: random.Random) -> bytes:
    """Graphs in attributes of nodes in graphs, deeper than any library writes them."""
    inner = b""
    for _ in range(rng.choice((30, 90, 120, 5000))):
        attribute = block(1, "b") + number(20, AttributeProto.GRAPH) + block(6, inner)
        inner = block(1, block(4, "If") + block(5, attribute))
    return data + block(7, inner)
