"""The blocks of MODEL_INOUT_INFO that tell of a model's profiles, for who does not read its graph."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ..ge_ir import ListOf
from ..ge_ir.keys import NET_OUTPUT
from ..profiles import Kind, ProfiledModel
from ..profiles.names import OUTPUT_SHAPES

_BATCHES, _IMAGES, _DIMS, _OUTPUT_SHAPES, _ORDER = range(2, 7)
_HEADS = {Kind.IMAGE: _IMAGES, Kind.DIMS: _DIMS}


def profile_blocks(profiled: ProfiledModel) -> Sequence[bytes]:
    """The sizes of each profile, the shapes of the outputs in each, and the inputs in the order of sizes."""
    kind, sizes = profiled.profiles.kind, profiled.profiles.sizes
    if kind is Kind.BATCH:
        flat = [size for each in sizes for size in each]
        profiles = _block(_BATCHES, struct.pack(f"<I{len(flat)}q", len(flat), *flat))
    else:
        profiles = _block(_HEADS[kind], _lists([struct.pack(f"<{len(each)}q", *each) for each in sizes], 8))
    ends = next((node for node in profiled.model.graph.nodes if node.type == NET_OUTPUT), None)
    shapes = None if ends is None else ends.attrs.get(OUTPUT_SHAPES)
    texts = [str(text) for text in shapes.values] if isinstance(shapes, ListOf) else []
    order = list(profiled.profiles.shapes)
    return [
        profiles,
        *(_block(type, _lists([text.encode() for text in each], 1)) for type, each in _texts(texts, order)),
    ]


def _texts(shapes: Sequence[str], order: Sequence[str]) -> Sequence[tuple[int, Sequence[str]]]:
    return [(type, each) for type, each in ((_OUTPUT_SHAPES, shapes), (_ORDER, order)) if each]


def _lists(items: Sequence[bytes], unit: int) -> bytes:
    """A count, the length of each in units, then all of them."""
    lengths = [len(item) // unit for item in items]
    return struct.pack(f"<{1 + len(items)}I", len(items), *lengths) + b"".join(items)


def _block(type: int, body: bytes) -> bytes:
    return struct.pack("<II", type, len(body)) + body
