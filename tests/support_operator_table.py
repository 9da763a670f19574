"""docs/operators.md: `python tests/support_operator_table.py > docs/operators.md` writes it anew."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ir import DataType
from maxpoolgrad_onnx.converters.ge_ops.direct import DIRECT
from maxpoolgrad_onnx.converters.ge_ops.documents import DOCUMENTS, PRODUCTS, Document
from maxpoolgrad_onnx.converters.ge_ops.prototype import REQUIRED, Attribute, Port, Prototype
from maxpoolgrad_onnx.converters.ge_ops.prototypes import PROTOTYPES
from maxpoolgrad_onnx.converters.onnx_to_ge.registry import RULES
from support_convert import onnx_model
from support_rules import CASES

COMMAND = "python tests/support_operator_table.py > docs/operators.md"

_HEAD = f"""# Operators

Written by `{COMMAND}`
from the converters' own tables; a test holds it to them.

Models of `ai.onnx` 8 to 18 are converted, and newer ones whose nodes all mean the same in opset 18:
`converters/onnx_to_ge/newer_opsets.py` says what has changed since. Where GE's operator takes less than
ONNX's, the node is refused with its name, the value, what is allowed and what to do.

## From ONNX to GE

Each rule says what becomes what. The way back, `converters/ge_to_onnx/rules/`, undoes it for the host.
"""

_GE_HEAD = """
## GE's operators

Ports and attributes as the public prototypes (REG_OP) declare them, release of August 2026: `?` marks an
optional port, `*` one that stands for any number. The repositories are hicann/ops-math and hicann/ops-nn;
what they do not declare is from mindspore-ai/graphengine. "Accepted by" is what a public document says of
products, with the data types that it names for one input. `maxpoolgrad check MODEL --target SOC_VERSION`
lists the nodes of a model that no document covers.
"""


_ENDS = {"Data": ["the graph's inputs"], "Const": ["initializers", "Constant"]}


def page() -> str:
    """The whole text of docs/operators.md."""
    origins = _origins()
    parts = [_HEAD, *_rules(), _GE_HEAD]
    parts += [_operator(prototype, origins.get(type_, [])) for type_, prototype in sorted(PROTOTYPES.items())]
    return "\n".join(parts)


def _rules() -> Iterator[str]:
    by_rule: dict[object, list[str]] = {}
    for (domain, op_type), rule in sorted(RULES.items()):
        by_rule.setdefault(rule, []).append(f"{domain}::{op_type}" if domain else op_type)
    for rule, names in by_rule.items():
        yield f"### {', '.join(names)}\n\n{inspect.getdoc(rule)}\n"


def _origins() -> Mapping[str, list[str]]:
    """By GE operator: the ONNX operators that it comes of, as the rules' tests show it."""
    found: dict[str, set[str]] = {ge_type: {op_type} for op_type, ge_type in DIRECT.items()}
    for case in CASES:
        model = onnx_model(case.nodes, case.inputs, case.outputs, case.weights, case.opset)
        op_types = {node.op_type for node in model.graph.node if node.op_type != "Constant"}
        if len(op_types) == 1:
            for node in converters.onnx_to_ge(model).graph.nodes:
                found.setdefault(node.type, set()).update(op_types)
    return {type_: sorted(names) for type_, names in found.items()} | _ENDS


def _operator(prototype: Prototype, origins: Iterable[str]) -> str:
    rows = [
        *_ports("input", prototype.inputs, prototype),
        *_ports("output", prototype.outputs, prototype),
        *(("attribute", f"`{name}`", _attribute(entry)) for name, entry in prototype.attributes.items()),
    ]
    source = f"Prototype: `{prototype.source}`."
    lines = [f"### {prototype.type}", "", f"From ONNX: {', '.join(origins) or 'no operator'}. {source}"]
    lines += [
        _accepted(DOCUMENTS.get(prototype.type), prototype),
        "",
        "| | name | types, or kind and default |",
    ]
    lines += ["|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join([*lines, ""])


def _ports(kind: str, ports: Iterable[Port], prototype: Prototype) -> Iterator[tuple[str, str, str]]:
    """The first of several ports of the same types names them."""
    first = prototype.inputs[0] if prototype.inputs else None
    for port in ports:
        is_alike = first is not None and port is not first and port.dtypes == first.dtypes
        types = f"as `{first.name}`" if first is not None and is_alike else _types(port.dtypes)
        yield kind, _port_name(port), types


def _port_name(port: Port) -> str:
    return f"`{port.name}{'?' if port.optional else ''}{'*' if port.dynamic else ''}`"


def _attribute(attribute: Attribute) -> str:
    if attribute.default is REQUIRED:
        return f"{attribute.kind}, required"
    default = list(attribute.default) if isinstance(attribute.default, tuple | list) else attribute.default
    return f"{attribute.kind}, `{default!r}`"


def _accepted(document: Document | None, prototype: Prototype) -> str:
    if document is None:
        return "Accepted by: no public document names products."
    by_types: dict[str, list[str]] = {}
    for product in document.products:
        dtypes = None if document.dtypes is None else document.dtypes[product]
        by_types.setdefault(_types(dtypes), []).append(PRODUCTS[product])
    port = prototype.inputs[document.port].name
    said = [
        f"{', '.join(products)}" + ("" if document.dtypes is None else f" (`{port}`: {types})")
        for types, products in by_types.items()
    ]
    return f"Accepted by: {'; '.join(said)}, says `{document.path}`."


def _types(dtypes: Iterable[DataType] | None) -> str:
    return "any" if dtypes is None else ", ".join(sorted(dtype.name.lower() for dtype in dtypes))


if __name__ == "__main__":
    print(page(), end="")
