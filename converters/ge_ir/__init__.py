"""The GE graph: plain data (graph, dtypes) and its files (.air)."""

from .dtypes import DataType, Format
from .graph import AttrValue, Edge, Graph, ListOf, NamedAttrs, Node, Shape, Tensor, TensorDesc

__all__ = [
    "AttrValue",
    "DataType",
    "Edge",
    "Format",
    "Graph",
    "ListOf",
    "NamedAttrs",
    "Node",
    "Shape",
    "Tensor",
    "TensorDesc",
]
