"""The flags, as data: everything that is known of one stands in its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = str | int | bool


@dataclass(frozen=True)
class Flag:
    """One flag.

    `default` gives the type too: str ("" where there is no value), int or bool. `choices` are all that the
    flag takes (empty: anything). Of these `embedded` are those that the embedded compiler does (empty: all),
    any other is refused as not supported.
    """

    name: str
    group: Literal["General", "Input", "Output", "Target", "Precision", "Dynamic shapes", "Debug"]
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    embedded: tuple[str, ...] = ()


FLAGS = (
    Flag("help", "General", False, "show this text"),
    Flag(
        "mode",
        "General",
        0,
        "0 make an .om; 1 write a model as JSON (--om, --json); 3 check a model only (--check_report); "
        "5 write GE's text dump as JSON (--om, --json); 6 show a model (--om)",
        choices=("0", "1", "3", "5", "6", "7", "30"),
        embedded=("0", "1", "3", "5", "6"),
    ),
    Flag(
        "backend",
        "General",
        "auto",
        "embedded: the compiler of this package, whose .om runs on the host; cann: the atc of an installed "
        "CANN; auto: cann where one is found and the mode compiles or checks a model, else embedded",
        choices=("auto", "embedded", "cann"),
    ),
    Flag("model", "Input", "", "the model file"),
    Flag(
        "framework",
        "Input",
        -1,
        "what the model file is: 5 ONNX, 1 .air",
        choices=("0", "1", "3", "5"),
        embedded=("1", "5"),
    ),
    Flag(
        "om",
        "Input",
        "",
        "the file that modes 1, 5 and 6 read: .om, .air, .onnx (mode 1 with --framework=5), .txt (mode 5)",
    ),
    Flag(
        "input_shape",
        "Input",
        "",
        'shapes of inputs: "a:1,3,8,8;b:1~10,-1"; 1~10 is a range, -1 any size; "c:" is a scalar',
    ),
    Flag(
        "input_format",
        "Input",
        "NCHW",
        "what the axes of 4-D inputs mean",
        choices=("NCHW", "ND", "NHWC", "NCDHW", "NDHWC"),
        embedded=("NCHW", "ND"),
    ),
    Flag("output", "Output", "", "the output file's path without its suffix: .om and .air are written"),
    Flag("out_nodes", "Output", "", 'the outputs: "node:0;other:1", or tensors by their names: "y;other"'),
    Flag(
        "output_type",
        "Output",
        "",
        'the element type of the outputs, FP32, FP16, UINT8 or INT8: of all, or "node:0:FP16" of those that '
        "--out_nodes names",
    ),
    Flag("json", "Output", "", "the file that modes 1 and 5 write"),
    Flag(
        "check_report",
        "Output",
        "check_result.json",
        "what mode 3 found of each node, as JSON; mode 0 writes it where the flag is given",
    ),
    Flag("soc_version", "Target", "", "the product, such as Ascend910B1"),
    Flag(
        "precision_mode",
        "Precision",
        "must_keep_origin_dtype",
        "which element types the compiler may lower; atc's own default is force_fp16",
        choices=(
            "force_fp16",
            "force_fp32",
            "cube_fp16in_fp32out",
            "allow_mix_precision",
            "allow_fp32_to_fp16",
            "must_keep_origin_dtype",
            "allow_mix_precision_fp16",
            "allow_mix_precision_bf16",
            "allow_fp32_to_bf16",
        ),
        embedded=(
            "must_keep_origin_dtype",
            "allow_fp32_to_fp16",
            "force_fp16",
            "allow_mix_precision",
            "allow_mix_precision_fp16",
        ),
    ),
    Flag(
        "precision_mode_v2",
        "Precision",
        "",
        "the same in atc's newer words; origin keeps every type",
        choices=(
            "fp16",
            "origin",
            "cube_fp16in_fp32out",
            "mixed_float16",
            "mixed_bfloat16",
            "cube_hif8",
            "mixed_hif8",
        ),
        embedded=("origin", "fp16", "mixed_float16"),
    ),
    Flag(
        "deterministic",
        "Precision",
        0,
        "1 asks for the same bits from run to run; MaxPoolV3Grad always gives them",
        choices=("0", "1"),
    ),
    Flag(
        "dynamic_batch_size",
        "Dynamic shapes",
        "",
        'batch sizes to switch between, "1,2,4", where --input_shape leaves the first axis open',
    ),
    Flag(
        "dynamic_image_size",
        "Dynamic shapes",
        "",
        'heights and widths to switch between, "224,224;448,448", where --input_shape leaves both open',
    ),
    Flag(
        "dynamic_dims",
        "Dynamic shapes",
        "",
        'sizes of all open axes to switch between, in the order of --input_shape: "1,64;8,128"',
    ),
    Flag(
        "log",
        "Debug",
        "null",
        "how much of its work it tells on stderr",
        choices=("debug", "info", "warning", "error", "null"),
    ),
    Flag("dump_mode", "Debug", 0, "1: mode 1 infers the shapes of an ONNX model first", choices=("0", "1")),
)

BY_NAME = {flag.name: flag for flag in FLAGS}
DEFAULTS: dict[str, Value] = {flag.name: flag.default for flag in FLAGS}
