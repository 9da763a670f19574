"""Prototype and definition declare what the contract declares."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from maxpoolgrad_onnx.contract import ATTRIBUTES, INPUT_NAMES, OP_TYPE, OUTPUT_NAME
from support_cann import EXECUTABLE, OP_GRAPH, ROOT, Driver, link, objects
from support_op_host import DTYPES

FORMAT_ND = 2


def plain(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def test_the_prototype_s_second_spelling_is_the_contract_s(op_host: Driver) -> None:
    prototype = op_host.ask(call="prototype")
    assert prototype["type"] == OP_TYPE
    assert (prototype["inputs"], prototype["outputs"]) == (list(INPUT_NAMES), [OUTPUT_NAME])
    types = {"INTS": "ListInt", "STRING": "String", "BOOL": "Bool"}
    assert prototype["attributes"] == [
        [name, types[kind], required, bool(default) if kind == "BOOL" else plain(default)]
        for name, kind, required, default in ATTRIBUTES
    ]


def test_the_prototype_is_as_wide_as_the_built_in_one(op_host: Driver) -> None:
    types = op_host.ask(call="prototype")["types"]
    assert types == dict.fromkeys([*INPUT_NAMES, OUTPUT_NAME], "TensorType::RealNumberType()")


def test_the_definition_is_the_contract_s(op_host: Driver) -> None:
    definition = op_host.ask(call="definition")
    assert (definition["count"], definition["type"], definition["wired"]) == (1, OP_TYPE, True)
    assert [port["name"] for port in definition["inputs"]] == list(INPUT_NAMES)
    assert [port["name"] for port in definition["outputs"]] == [OUTPUT_NAME]
    for port in definition["inputs"] + definition["outputs"]:
        assert port["required"]
        assert port["auto_contiguous"]
        assert port["dtypes"] == [DTYPES["float16"], DTYPES["float32"]]
        assert port["formats"] == port["unknown_formats"] == [FORMAT_ND, FORMAT_ND]
    assert definition["attributes"] == [
        [name, kind, required, None if required else plain(default)]
        for name, kind, required, default in ATTRIBUTES
    ]


def test_products_of_the_definition(op_host: Driver, overriding: Driver) -> None:
    assert op_host.ask(call="definition")["socs"] == ["ascend910_93", "ascend910b"]
    assert overriding.ask(call="definition")["socs"] == ["ascend910_93", "ascend910b", "ascend950"]


def test_the_kernel_s_file_has_the_name_that_cann_makes_of_the_type() -> None:
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Z])", "_", OP_TYPE).lower()
    assert snake == "max_pool_v3_grad"
    assert (OP_GRAPH / f"{snake}_proto.h").is_file()
    assert (ROOT / "ascend_kernel" / "op_kernel" / f"{snake}.cpp").is_file()


def test_a_message_needs_no_error_manager(tmp_path: Path) -> None:
    (compiled,) = objects([ROOT / "tests" / "op_host" / "report_alone.cc"], tmp_path)
    program = link(tmp_path / "report_alone", [compiled], *EXECUTABLE)
    said = Driver([str(program), "refused\x1b[2J"]).close()
    assert said == "[EU1001] refused\\x1b[2J\n"
