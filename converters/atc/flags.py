"""The flags, as data: everything that is known of one stands in its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = str | int | bool


@dataclass(frozen=True)
class Flag:
    """One flag.

    `default` gives the type too: str ("" where there is no value), int or bool. `choices` are all that the
    flag takes (empty: anything). Of these `embedded` are those that the embedded compiler does; where it is
    given, any other value is refused as not supported, and so is every value of a flag with `embedded=()`.
    """

    name: str
    group: Literal["General", "Input", "Output", "Target", "Precision", "Dynamic shapes", "Debug"]
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    embedded: tuple[str, ...] | None = None


FLAGS = (
    Flag("help", "General", False, "show this text"),
    Flag(
        "mode",
        "General",
        0,
        "0 make an .om; 1 write a model as JSON (--om, --json); 6 show a model (--om)",
        choices=("0", "1", "3", "5", "6", "7", "30"),
        embedded=("0", "1", "6"),
    ),
    Flag(
        "backend",
        "General",
        "auto",
        "embedded: the compiler of this package, whose .om runs on the host; cann: the atc of an installed "
        "CANN; auto: embedded",
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
    Flag("om", "Input", "", "the file that modes 1 and 6 read: .om, .air, or .onnx with --framework=5"),
    Flag("input_shape", "Input", "", 'shapes of inputs: "a:1,3,8,8;b:2"; "c:" is a scalar'),
    Flag(
        "input_format",
        "Input",
        "NCHW",
        "what the axes of 4-D inputs mean",
        choices=("NCHW", "ND", "NHWC", "NCDHW", "NDHWC"),
        embedded=("NCHW", "ND"),
    ),
    Flag("output", "Output", "", "the output file's path without its suffix: .om and .air are written"),
    Flag("out_nodes", "Output", "", 'the outputs: "node:0;other:1"'),
    Flag("output_type", "Output", "", "the dtype of the outputs", embedded=()),
    Flag("json", "Output", "", "the file that mode 1 writes"),
    Flag("check_report", "Output", "check_result.json", "the report of mode 3; modes 0, 1 and 6 write none"),
    Flag("soc_version", "Target", "", "the product, such as Ascend910B1"),
    Flag(
        "precision_mode",
        "Precision",
        "must_keep_origin_dtype",
        "which dtypes the compiler may lower; atc's own default is force_fp16",
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
        embedded=("must_keep_origin_dtype",),
    ),
    Flag(
        "precision_mode_v2",
        "Precision",
        "",
        "the same in atc's newer words; origin keeps every dtype",
        choices=(
            "fp16",
            "origin",
            "cube_fp16in_fp32out",
            "mixed_float16",
            "mixed_bfloat16",
            "cube_hif8",
            "mixed_hif8",
        ),
        embedded=("origin",),
    ),
    Flag(
        "deterministic",
        "Precision",
        0,
        "1 asks for the same bits from run to run; MaxPoolV3Grad always gives them",
        choices=("0", "1"),
    ),
    Flag("dynamic_batch_size", "Dynamic shapes", "", "batch sizes to switch between", embedded=()),
    Flag("dynamic_image_size", "Dynamic shapes", "", "image sizes to switch between", embedded=()),
    Flag("dynamic_dims", "Dynamic shapes", "", "sizes of all -1 axes to switch between", embedded=()),
    Flag(
        "log",
        "Debug",
        "null",
        "how much of its work it tells on stderr",
        choices=("debug", "info", "warning", "error", "null"),
    ),
    Flag("dump_mode", "Debug", 0, "1: with shapes inferred, in mode 1", choices=("0", "1"), embedded=("0",)),
)

BY_NAME = {flag.name: flag for flag in FLAGS}
DEFAULTS: dict[str, Value] = {flag.name: flag.default for flag in FLAGS}
