"""The GE graph: plain data (graph, dtypes), its rules (verify) and its file (model: .air)."""

from .dtypes import DataType, Format
from .graph import UNCONNECTED, AttrValue, Edge, Graph, ListOf, NamedAttrs, Node, Shape, Tensor, TensorDesc
from .kernel_launch import KernelLaunch
from .model import GeModel
from .order import in_topological_order
from .verify import verify

__all__ = [
    "UNCONNECTED",
    "AttrValue",
    "DataType",
    "Edge",
    "Format",
    "GeModel",
    "Graph",
    "KernelLaunch",
    "ListOf",
    "NamedAttrs",
    "Node",
    "Shape",
    "Tensor",
    "TensorDesc",
    "in_topological_order",
    "verify",
]
