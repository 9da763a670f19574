"""docs/errors.md: `python tests/support_error_page.py > docs/errors.md` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from maxpoolgrad_onnx import contract
from maxpoolgrad_onnx.codes import CODES
from maxpoolgrad_onnx.errors import MaxPoolGradError, sentence_of

COMMAND = "python tests/support_error_page.py > docs/errors.md"
_ROOT = Path(__file__).parents[1]
_HEADERS = _ROOT / "custom_op_lib" / "include" / "maxpoolgrad"

_HEAD = f"""# Errors

Written by `{COMMAND}`
from `codes.py`, `errors.py` and `contract.h`; a test holds it to them.

Every problem is one line on stderr, `error: ...`, that names the node or file, the value, what is allowed
and what to do; the exit code is 1, and 2 where the command line itself is wrong. `maxpoolgrad atc` prints the
same sentence in atc's frame, with a code. In Python it is a `MaxPoolGradError` with the code in `.code`.

## Codes

The titles are atc's own. "When" is what the program is doing then.

| code | title | when | cause | cure |
|---|---|---|---|---|"""

_OPERATOR_HEAD = """
## What the operator refuses

One rule of `contract.h` a row, with a sentence that it refuses with: ONNX Runtime's library, `check`, CANN's
inference and the ATC plugin all say the same. In place of `N` stands the node's name.

| rule | code | the sentence up to its cure | cure |
|---|---|---|---|"""

_OTHER_HEAD = """
## Errors without a code of their own

| cause | the line |
|---|---|"""

# What a part of the package does, in the words of the column "when".
_PARTS = {
    "atc": "reading atc's command line",
    "bind": "planning kernels",
    "cli": "reading the command line",
    "compile": "compiling",
    "contract": "checking the operator",
    "doctor": "looking at the machine",
    "external_data": "reading weights outside the model's file",
    "files": "reading and writing files",
    "function_calls": "reading ONNX models",
    "ge_ir": "reading and writing GE IR",
    "shapes": "inferring shapes",
    "ge_ops": "checking GE's operators",
    "ge_to_onnx": "bringing GE IR back to the host",
    "gradient": "making a training step",
    "inspect": "inspecting",
    "model_files": "reading ONNX models",
    "om": "reading and writing `.om` files",
    "onnx_to_ge": "converting ONNX to GE IR",
    "plugin": "building and installing the plugin",
    "profiles": "reading profiles of sizes",
    "runtime": "running",
    "training": "training",
    "twin": "running the CPU twin",
    "unfolding": "loading a model into ONNX Runtime",
    "session": "loading a model into ONNX Runtime",
    "arrays": "reading ONNX models",
    "checker": "checking ONNX models",
    "kernel_report": "reporting on kernels",
    "demo": "the demo",
}


_TABLES = ("codes", "errors")  # that name codes and raise none


def page() -> str:
    """The whole text of docs/errors.md."""
    codes = (
        (code, entry.title, ", ".join(_when(code)), entry.cause, entry.solution)
        for code, entry in sorted(CODES.items())
    )
    rules = ((f"`{rule}`", code, *_in_two(sentence)) for rule, code, sentence in operator_refusals())
    parts = [_HEAD, *map(_row, codes), _OPERATOR_HEAD, *map(_row, rules), _OTHER_HEAD, *map(_row, _others())]
    return "\n".join(parts) + "\n"


def rules_of_the_headers() -> set[str]:
    """The functions of contract.h, and of what it includes, that make a sentence."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(_HEADERS.glob("*.h")))
    return set(
        re.findall(r"^(?:inline )?std::string ((?:check|wrong|missing|unknown)_\w+)\(", text, re.MULTILINE)
    )


def operator_refusals() -> Iterator[tuple[str, str, str]]:
    """A rule of contract.h, the code, and a sentence that it refuses with."""
    for rule, refuse in _REFUSALS:
        try:
            refuse()
        except MaxPoolGradError as error:
            yield rule, str(error.code), str(error)
        else:
            raise AssertionError(f"{rule} refuses nothing")


def _made(**changed: Any) -> contract.PoolAttributes:
    values = {"ksize": (1, 1, 2, 2), "strides": (1, 1, 2, 2), **changed}
    subject = contract.node_subject("N")
    return contract.PoolAttributes.make(subject, {key: value for key, value in values.items() if value})


def _attributes(**changed: Any) -> Callable[[], object]:
    return lambda: _made(**changed)


def _shapes(*shapes: Sequence[int], **changed: Any) -> Callable[[], object]:
    return lambda: contract.check_shapes(contract.node_subject("N"), _made(**changed), *shapes)


def _ends(inputs: Sequence[str], outputs: Sequence[str]) -> Callable[[], object]:
    return lambda: contract.check_inputs_and_outputs(contract.node_subject("N"), inputs, outputs)


def _dtypes(*dtypes: str) -> Callable[[], object]:
    return lambda: contract.check_dtypes(contract.node_subject("N"), *dtypes)


_IN, _OUT = (1, 1, 4, 4), (1, 1, 2, 2)

_REFUSALS: Sequence[tuple[str, Callable[[], object]]] = (
    ("check_choice", _attributes(padding_mode="FULL")),
    ("check_choice", _attributes(data_format="NCDHW")),
    ("check_bool", _attributes(ceil_mode=2)),
    ("check_attributes", _attributes(global_pooling=1)),
    ("check_attributes", _attributes(ceil_mode=1, padding_mode="SAME")),
    ("check_window_list", _attributes(ksize=(2, 2))),
    ("check_window_list", _attributes(ksize=(1, 2, 2, 2))),
    ("check_window_list", _attributes(ksize=(1, 1, 2, 1000))),
    ("check_window_list", _attributes(strides=(1, 1, 64, 1))),
    ("check_pads", _attributes(pads=(1, 1))),
    ("check_pads", _attributes(pads=(-1, 0, 0, 0))),
    ("wrong_attribute_type", _attributes(ksize="2x2")),
    ("missing_attribute", _attributes(strides=None)),
    ("unknown_attribute", _attributes(dilations=(1, 1))),
    ("wrong_input_count", _ends(["a", "b"], ["d"])),
    ("missing_input", _ends(["a", "", "c"], ["d"])),
    ("wrong_output_count", _ends(["a", "b", "c"], ["d", "e"])),
    ("check_dtypes", _dtypes("int8", "int8", "int8")),
    ("check_dtypes", _dtypes("float32", "float16", "float32")),
    ("wrong_shape", _shapes((1, 1, -2, 4), _OUT, _OUT)),
    ("check_one_shape", _shapes((1, 4, 4), _OUT, _OUT)),
    ("check_one_shape", _shapes((2**40, 2**40, 4, 4), _OUT, _OUT)),
    ("check_shapes", _shapes(_IN, _OUT, (1, 1, 2, 3))),
    ("check_sizes", _shapes(_IN, (2, 1, 2, 2), (2, 1, 2, 2))),
    ("check_output_size", _shapes(_IN, (1, 1, 3, 2), (1, 1, 3, 2))),
    ("check_soc_version", lambda: contract.check_soc_version("Ascend310P3")),
)


def _when(code: str) -> list[str]:
    """What the parts do that give a code."""
    found = set()
    for root in (_ROOT / "maxpoolgrad_onnx", _ROOT / "converters"):
        for path in root.rglob("*.py"):
            part = path.relative_to(root).with_suffix("").parts[0]
            if part not in _TABLES and f'"{code}"' in path.read_text(encoding="utf-8"):
                found.add(_PARTS.get(part, part.replace("_", " ")))
    return sorted(found) or ["anything"]


def _others() -> list[tuple[str, str]]:
    class RuntimeFailError(Exception):
        """As ONNX Runtime has them."""

    RuntimeFailError.__module__ = "onnxruntime.capi"
    examples = {
        "the system refuses a file": PermissionError(13, "Permission denied", "FILE"),
        "there is not enough memory": MemoryError(),
        "ONNX Runtime, or onnx, takes a model to be wrong": RuntimeFailError("ITS OWN WORDS"),
        "a fault of this program": IndexError("WORDS"),
    }
    return [(cause, sentence_of(error)) for cause, error in examples.items()]


def _in_two(sentence: str) -> tuple[str, str]:
    found, _, cure = sentence.partition("; ")
    return found, cure


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    print(page(), end="")
