"""Graphs drawn as pictures: plain nodes and edges in, a layered drawing in SVG out."""

from .graph_picture import PictureEdge, PictureNode, PictureStyle, graph_picture

__all__ = ["PictureEdge", "PictureNode", "PictureStyle", "graph_picture"]
