"""GE IR models for tests: a small one by hand, and hypothesis strategies for any."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from maxpoolgrad_onnx.converters.ge_ir import (
    UNCONNECTED,
    DataType,
    Edge,
    Format,
    GeModel,
    Graph,
    ListOf,
    NamedAttrs,
    Node,
    Tensor,
    TensorDesc,
)


def small_model(name: str = "small") -> GeModel:
    """x -> Conv2D(weights) -> NetOutput, with an open optional bias, a control edge and typed attributes."""
    x = TensorDesc(DataType.FLOAT, (1, 3, 8, 8), Format.NCHW)
    y = TensorDesc(DataType.FLOAT, (1, 4, 6, 6), Format.NCHW)
    filters = np.arange(4 * 3 * 3 * 3, dtype=np.float32).reshape(4, 3, 3, 3)
    weights = Tensor.of(filters, Format.NCHW)
    steps = Tensor.of(np.array([1, 2, 3], np.int64))
    conv_attrs = {"strides": ListOf("int", [1, 1, 1, 1]), "pads": ListOf("int", []), "data_format": "NCHW"}
    ports = {"x": x, "filter": weights.desc, "bias": UNCONNECTED}
    nodes = [
        Node("x", "Data", [], {"x": x}, {"y": x}, {"index": 0}),
        Node("filters", "Const", [], {}, {"y": weights.desc}, {"value": weights}),
        Node("steps", "Const", [], {}, {"y": steps.desc}, {"value": steps}),
        Node("conv", "Conv2D", [Edge("x"), Edge("filters"), None], ports, {"y": y}, conv_attrs, ["steps"]),
        Node(
            "out", "NetOutput", [Edge("conv")], {"x": TensorDesc(y.dtype, y.shape, y.format, name="result")}
        ),
    ]
    return GeModel(name, Graph("graph", nodes, [Edge("conv")]), {"note": "made by a test"})


names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
dtypes = st.sampled_from(list(DataType))
known_dtypes = dtypes.filter(lambda dtype: dtype is not DataType.UNDEFINED)
formats = st.sampled_from(list(Format))
int64s = st.integers(-(2**63), 2**63 - 1)
float32s = st.floats(width=32, allow_nan=False)
shapes = st.lists(st.integers(-1, 2**11), max_size=5).map(tuple)
STRUCTURAL = ("_input_name_", "_output_name_")
attr_names = names.filter(lambda name: not name.startswith(STRUCTURAL))


@st.composite
def descs(draw: st.DrawFn) -> TensorDesc:
    """Descriptions as a file can give them back: an origin only where it differs."""
    dtype, shape, format = draw(dtypes), draw(st.none() | shapes), draw(formats)
    origin_shape, origin_format, origin_dtype = (
        draw(st.none() | strategy) for strategy in (shapes, formats, known_dtypes)
    )
    return TensorDesc(
        dtype,
        shape,
        format,
        None if origin_shape == shape else origin_shape,
        None if origin_format is format else origin_format,
        None if origin_dtype is dtype else origin_dtype,
        draw(st.just("") | names),
        draw(st.dictionaries(attr_names, int64s, max_size=2)),
    )


@st.composite
def tensors(draw: st.DrawFn) -> Tensor:
    """Tensors of every NumPy type, of 0 to 3 axes, empty ones too."""
    dtype = draw(st.sampled_from([dtype for dtype in DataType if dtype.numpy is not None]))
    shape = draw(st.lists(st.integers(0, 3), max_size=3).map(tuple))
    size = int(np.prod(shape)) * dtype.numpy.itemsize  # type: ignore[union-attr]
    raw = draw(st.binary(min_size=size, max_size=size))
    return Tensor(TensorDesc(dtype, shape, draw(formats)), np.frombuffer(raw, dtype.numpy).reshape(shape))


def _lists(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    rows = st.one_of(
        st.lists(st.lists(int64s, max_size=3).map(tuple), max_size=3).map(lambda rows: ListOf("ints", rows)),
        st.lists(st.lists(float32s, max_size=3).map(tuple), max_size=3).map(
            lambda rows: ListOf("floats", rows)
        ),
    )
    kinds = {
        "str": st.text(max_size=5),
        "int": int64s,
        "float": float32s,
        "bool": st.booleans(),
        "bytes": st.binary(max_size=5),
        "desc": descs(),
        "tensor": tensors(),
        "graph": graphs(values, most=1),
        "named": st.builds(NamedAttrs, names, st.dictionaries(attr_names, values, max_size=1)),
        "dtype": dtypes,
    }
    one = [
        st.lists(element, max_size=3).map(lambda found, kind=kind: ListOf(kind, found))
        for kind, element in kinds.items()
    ]
    return st.one_of(rows, *one)


plain_values = st.one_of(
    st.text(max_size=5),
    st.booleans(),
    int64s,
    float32s,
    st.binary(max_size=5),
    dtypes,
)


@st.composite
def graphs(draw: st.DrawFn, values: st.SearchStrategy[Any], most: int = 4) -> Graph:
    """Graphs whose nodes take any earlier outputs."""
    found: list[Node] = []
    for name in draw(st.lists(names, max_size=most, unique=True)):
        sources = [Edge(node.name, i) for node in found for i in range(len(node.output_descs))]
        edges = st.none() | st.sampled_from(sources) if sources else st.none()
        inputs = draw(st.dictionaries(names, descs(), max_size=2))
        node = Node(
            name,
            draw(
                names.filter(lambda text: text not in ("Data", "RefData", "Const", "Constant", "NetOutput"))
            ),
            draw(st.lists(edges, min_size=len(inputs), max_size=len(inputs))),
            inputs,
            draw(st.dictionaries(names, descs(), max_size=2)),
            draw(st.dictionaries(attr_names, values, max_size=3)),
            draw(st.lists(st.sampled_from([node.name for node in found]), max_size=1)) if found else [],
        )
        found.append(node)
    sources = [Edge(node.name, i) for node in found for i in range(len(node.output_descs))]
    outputs = draw(st.lists(st.sampled_from(sources), max_size=2)) if sources else []
    return Graph(draw(names), found, outputs, draw(st.dictionaries(attr_names, values, max_size=1)))


values = st.recursive(
    st.one_of(plain_values, descs(), tensors()),
    lambda inner: st.one_of(
        _lists(inner), st.builds(NamedAttrs, names, st.dictionaries(attr_names, inner, max_size=2))
    ),
    max_leaves=3,
)


@st.composite
def models(draw: st.DrawFn) -> GeModel:
    """A root graph that begins with an input and a constant, sometimes a graph that a node calls."""
    root = draw(graphs(values))
    taken = {node.name for node in root.nodes}
    data, const, call = (draw(names.filter(lambda name: name not in taken)) + suffix for suffix in "dcs")
    desc, value = draw(descs()), draw(tensors())
    head = [
        Node(data, "Data", [], {"x": desc}, {"y": desc}, {"index": 0}),
        Node(const, "Const", [], {}, {"y": value.desc}, {"value": value}),
    ]
    sub = draw(st.none() | graphs(values, most=2).filter(lambda graph: graph.name != root.name))
    calls = [] if sub is None else [Node(call, "PartitionedCall", subgraphs=[sub.name])]
    nodes = [*head, *root.nodes, *calls]
    graph = Graph(root.name, nodes, root.outputs or [Edge(data)], root.attrs)
    attrs = draw(st.dictionaries(attr_names, values, max_size=2))
    return GeModel(
        draw(st.just("") | names), graph, attrs, [] if sub is None else [sub], draw(st.integers(0, 9))
    )
