from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

DOMAIN: str
OP_TYPE: str
OP_TYPE_ALIAS: str
OPSET_VERSION: int
INPUT_NAMES: tuple[str, str, str]
OUTPUT_NAME: str
ATTRIBUTES: tuple[tuple[str, str, bool, Any], ...]
KSIZE_MIN: int
KSIZE_MAX: int
STRIDE_MIN: int
STRIDE_MAX: int
PADDING_MODES: tuple[str, ...]
DATA_FORMATS: tuple[str, ...]
DTYPES: tuple[str, ...]
SUPPORTED_PRODUCTS: tuple[tuple[str, str], ...]

def node_subject(node: str) -> str: ...
def check_attributes(subject: str, attributes: Mapping[str, Any]) -> str: ...
def check_dtypes(subject: str, dtypes: Sequence[str]) -> str: ...
def check_shapes(
    subject: str,
    attributes: Mapping[str, Any],
    orig_input: Sequence[int] | None,
    orig_output: Sequence[int] | None,
    grad: Sequence[int] | None,
) -> str: ...
def wrong_shape(subject: str, input: str, found: str) -> str: ...
def check_soc_version(soc_version: str) -> str: ...
def product_of(soc_version: str) -> str: ...
def wrong_attribute_type(subject: str, name: str, found: str) -> str: ...
def missing_attribute(subject: str, name: str) -> str: ...
def unknown_attribute(subject: str, name: str) -> str: ...
def wrong_input_count(subject: str, found: int) -> str: ...
def missing_input(subject: str, index: int) -> str: ...
def wrong_output_count(subject: str, found: int) -> str: ...
def output_shape(attributes: Mapping[str, Any], input: Sequence[int]) -> list[int]: ...
def max_pool_v3_grad(
    attributes: Mapping[str, Any],
    orig_input: npt.NDArray[Any],
    orig_output: npt.NDArray[Any],
    grad: npt.NDArray[Any],
    out_grad: npt.NDArray[Any],
    threads: int,
    target: str = "",
) -> None: ...

class Pool:
    def __init__(self, attributes: Mapping[str, Any]) -> None: ...
    def gradient(
        self,
        orig_input: npt.NDArray[Any],
        orig_output: npt.NDArray[Any],
        grad: npt.NDArray[Any],
        out_grad: npt.NDArray[Any],
        threads: int,
        target: str = "",
    ) -> bool: ...

def move_bytes(
    orig_input: npt.NDArray[Any],
    orig_output: npt.NDArray[Any],
    grad: npt.NDArray[Any],
    out_grad: npt.NDArray[Any],
    past_caches: bool,
    ahead: bool,
    streams: int,
    threads: int,
) -> float: ...
def cpu_targets() -> list[str]: ...
def cpu_target() -> str: ...
def max_pool_v3(
    attributes: Mapping[str, Any], input: npt.NDArray[Any], output: npt.NDArray[Any], threads: int
) -> None: ...
