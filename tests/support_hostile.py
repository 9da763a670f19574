"""Hostile model files, each from a seed: good models with random damage of many kinds."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from onnx import ModelProto

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters import onnx_to_ge
from maxpoolgrad_onnx.converters.bind import bind
from maxpoolgrad_onnx.converters.ge_ir import GeModel
from maxpoolgrad_onnx.converters.ge_ir.wire import ModelDef
from maxpoolgrad_onnx.converters.om import OmFile, Partition, PartitionType, for_host, to_om
from support_attacks import damaged, disturbed
from support_cnn import random_cnn
from support_hostile_onnx import HUGE, NAMES, TRICKS, nested_in_bytes

_SOC = "Ascend910B1"


@dataclass(frozen=True)
class Hostile:
    """A file's bytes, and the suffix that it should have."""

    suffix: str
    data: bytes


def hostile_file(kind: str, seed: int) -> Hostile:
    """File number `seed` of a kind: onnx, air or om."""
    rng = random.Random(f"{kind} {seed}")
    data = {"onnx": _onnx, "air": _air, "om": _om}[kind](rng)
    suffix = rng.choice((".onnx", ".air", ".om", "")) if rng.random() < 0.02 else f".{kind}"
    return Hostile(suffix, data)


@cache
def good_models() -> dict[str, ModelProto]:
    """What the files are made of."""
    cnn = random_cnn(5, 1).model
    pool = mpg.make_model((1, 2, 5, 6), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2])
    step = mpg.add_training_step(cnn)
    return {"cnn": cnn, "step": step, "pool": pool, "body": mpg.embed_function(pool)}


@cache
def good_ge() -> list[GeModel]:
    return [for_host(onnx_to_ge(good_models()[name]), _SOC) for name in ("step", "pool", "cnn")]


@cache
def good_om() -> list[OmFile]:
    return [to_om(model, bind(model, _SOC).launches) for model in good_ge()]


def _onnx(rng: random.Random) -> bytes:
    model = ModelProto()
    model.CopyFrom(rng.choice(list(good_models().values())))
    kind = rng.random()
    if kind < 0.25:
        return damaged(model.SerializeToString(), rng)
    if kind < 0.5:
        disturbed(model, rng)
        return model.SerializeToString()
    for _ in range(rng.randint(1, 2)):
        rng.choice(TRICKS)(model, rng)
    data = model.SerializeToString()
    return nested_in_bytes(data, rng) if rng.random() < 0.05 else data


# ---- .air and .om


def _air(rng: random.Random) -> bytes:
    model = rng.choice(good_ge()).to_bytes()
    return damaged(model, rng) if rng.random() < 0.2 else _disturbed_definition(model, rng)


def _om(rng: random.Random) -> bytes:
    om = rng.choice(good_om())
    kind = rng.random()
    if kind < 0.15:
        return damaged(om.to_bytes(), rng)
    if kind < 0.4:
        whole = om.to_bytes()
        body = damaged(whole[256:], rng)
        return whole[:184] + struct.pack("<Q", len(body)) + whole[192:256] + body
    parts = list(om.partitions)
    index = rng.randrange(len(parts)) if kind < 0.7 else 0
    part, data = parts[index], bytes(parts[index].data)
    change = _disturbed_definition if part.type == PartitionType.MODEL_DEF else damaged
    changed = change(data, rng)
    parts[index] = Partition(part.type, (changed or b"\0",))
    if rng.random() < 0.1:
        parts.insert(rng.randrange(len(parts)), Partition(rng.randrange(30), (rng.randbytes(40),)))
    return replace(om, models=[parts[:8]]).to_bytes()


def _disturbed_definition(data: bytes, rng: random.Random) -> bytes:
    message = ModelDef.FromString(data)
    if rng.random() < 0.6:
        disturbed(message, rng)
    else:
        for _ in range(rng.randint(1, 2)):
            rng.choice(_GE_TRICKS)(message, rng)
    return message.SerializeToString()


def _ops(message: Any) -> Any:
    return message.graph[0].op


def _ge_rename(message: Any, rng: random.Random) -> None:
    """A node, or an output of the graph, gets another name."""
    ops = _ops(message)
    if rng.random() < 0.5:
        for desc in rng.choice(ops).input_desc:
            desc.name = rng.choice(NAMES)
        return
    old, new = rng.choice(ops).name, rng.choice(NAMES)
    for op in ops:
        op.name = new if op.name == old else op.name
        op.input[:] = [new + text[len(old) :] if text.startswith(f"{old}:") else text for text in op.input]


def _ge_shape(message: Any, rng: random.Random) -> None:
    op = rng.choice(_ops(message))
    descs = [*op.input_desc, *op.output_desc]
    for desc in rng.sample(descs, min(len(descs), 2)):
        if desc.shape.dim:
            desc.shape.dim[rng.randrange(len(desc.shape.dim))] = rng.choice((*HUGE, -2, 20_000))


def _ge_weight(message: Any, rng: random.Random) -> None:
    consts = [op for op in _ops(message) if op.type == "Const"]
    if consts:
        tensor = rng.choice(consts).attr["value"].t
        if tensor.desc.shape.dim and rng.random() < 0.6:
            tensor.desc.shape.dim[0] = rng.choice(HUGE)
        else:
            tensor.desc.dtype = rng.randrange(40)


def _ge_cycle(message: Any, rng: random.Random) -> None:
    ops = _ops(message)
    op = rng.choice([op for op in ops if op.input])
    op.input[rng.randrange(len(op.input))] = f"{rng.choice(ops).name}:0"


def _ge_type(message: Any, rng: random.Random) -> None:
    ops = _ops(message)
    rng.choice(ops).type = rng.choice([op.type for op in ops] + ["Nobody", "If", "PartitionedCall", "While"])


def _ge_attribute(message: Any, rng: random.Random) -> None:
    ops = [op for op in _ops(message) if op.attr]
    op = rng.choice(ops)
    attr = op.attr[rng.choice(sorted(op.attr))]
    kind = attr.WhichOneof("value")
    if kind == "i":
        attr.i = rng.choice(HUGE)
    elif kind == "list" and attr.list.i:
        attr.list.i[rng.randrange(len(attr.list.i))] = rng.choice(HUGE)
    elif kind == "s":
        attr.s = rng.choice(NAMES).encode()


def _ge_chain(message: Any, rng: random.Random) -> None:
    ops = _ops(message)
    last = source = next((op for op in ops if op.type == "Data"), ops[0])
    for i in range(rng.choice((10, 1500))):
        op = ops.add()
        op.CopyFrom(source)
        op.attr.clear()
        op.name, op.type = f"chain_{i}", "Relu"
        op.input[:] = [f"{last.name}:0"]
        last = op


_GE_TRICKS: tuple[Callable[[Any, random.Random], None], ...] = (
    *(_ge_rename, _ge_shape, _ge_weight, _ge_cycle, _ge_type, _ge_attribute, _ge_chain),
)
