"""ONNX Runtime with the custom-op library: where it lies, and sessions that speak the contract's words."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from .contract import (
    DOMAIN,
    OP_TYPE,
    OP_TYPE_ALIAS,
    PoolAttributes,
    check_inputs_and_outputs,
    is_max_pool_v3_grad,
    node_subject,
)
from .errors import MaxPoolGradError
from .files import read_file
from .nodes import nested

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession, SessionOptions

_SUFFIX = "dylib" if sys.platform == "darwin" else "so"
_LIBRARY = Path(_native.__file__).with_name(f"libmaxpoolgrad_ort.{_SUFFIX}")

# In ONNX Runtime's messages, from 1.17 on: the contract's sentence, which ends them, and what it says of an
# operator that it does not know.
_CONTRACT_WORDS = re.compile(rf"(?:{OP_TYPE} node '|an unnamed {OP_TYPE} node: ).*", re.DOTALL)
_UNKNOWN_OP = re.compile(rf"\b{DOMAIN}:(\w+)\(-?\d+\) is not a registered function/op")


def get_library_path() -> str:
    """The custom-op library, for `onnxruntime.SessionOptions.register_custom_ops_library`.

    Raises MaxPoolGradError where it is missing.
    """
    if not _LIBRARY.is_file():
        raise MaxPoolGradError(f"{_LIBRARY}: the custom-op library is missing; install maxpoolgrad again")
    return str(_LIBRARY)


def inference_session(
    model: str | os.PathLike[str] | bytes | ModelProto, **ort_arguments: Any
) -> InferenceSession:
    """An `onnxruntime.InferenceSession` with the custom-op library registered.

    Args:
        model: a path, the bytes of a model file, or an onnx.ModelProto.
        ort_arguments: as InferenceSession takes them. The library is registered in `sess_options` if they are
            given, where a second registration does nothing; without them ONNX Runtime logs fatal errors only,
            since it raises the others. `providers` default to the CPU's.

    Returns:
        The session. Its `run`, `run_with_iobinding` and `run_with_ort_values` raise what the operator refuses
        as MaxPoolGradError with just the contract's sentence; other errors stay ONNX Runtime's own.

    Raises:
        MaxPoolGradError: what the operator refuses (unknown attributes too, which ONNX Runtime alone lets
            pass), a file that cannot be read or is no model, an operator of the domain "npu" that nothing
            defines, a library that ONNX Runtime cannot load.
    """
    name, proto, source = _read(model)
    # Not the nodes of functions: their attributes may be references, which get values when they are inlined.
    for node in nested(proto.graph.node):
        if is_max_pool_v3_grad(node):
            check_inputs_and_outputs(node_subject(node.name), node.input, node.output)
            PoolAttributes.from_node(node)
    options = ort_arguments.pop("sess_options", None) or _quiet_options()
    _register_library(options)
    ort_arguments.setdefault("providers", ["CPUExecutionProvider"])
    with _own_errors(name):
        return _session_class()(source, sess_options=options, **ort_arguments)


def _read(model: str | os.PathLike[str] | bytes | ModelProto) -> tuple[str, ModelProto, str | bytes]:
    """What to call the model in a sentence, its content, and what ONNX Runtime is to load."""
    import onnx
    from google.protobuf.message import EncodeError

    from .model_files import parse_model

    if isinstance(model, onnx.ModelProto):
        try:
            return "the model", model, model.SerializeToString()
        except (EncodeError, ValueError) as error:
            raise MaxPoolGradError(
                "the model takes more than 2 GiB in one piece; save it with external data and give its path"
            ) from error
    if isinstance(model, bytes):
        return "the model", parse_model(model, "the model"), model
    path = os.fspath(model)
    return path, parse_model(read_file(path), path), path


def _quiet_options() -> SessionOptions:
    """Options under which ONNX Runtime does not print what it raises as well."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return options


def _register_library(options: SessionOptions) -> None:
    import onnxruntime

    path = get_library_path()
    try:
        options.register_custom_ops_library(path)
    except Exception as error:
        raise MaxPoolGradError(
            f"{path}: onnxruntime {onnxruntime.__version__} cannot load the custom-op library: {error}"
        ) from error


@functools.cache
def _session_class() -> type[InferenceSession]:
    """Made on first use, since importing onnxruntime costs what most users of this package need not pay."""
    import onnxruntime

    class Session(onnxruntime.InferenceSession):  # type: ignore[misc]
        def run(self, *args: Any, **kwargs: Any) -> Any:
            with _own_errors():
                return super().run(*args, **kwargs)

        def run_with_iobinding(self, *args: Any, **kwargs: Any) -> Any:
            with _own_errors():
                return super().run_with_iobinding(*args, **kwargs)

        def run_with_ort_values(self, *args: Any, **kwargs: Any) -> Any:
            with _own_errors():
                return super().run_with_ort_values(*args, **kwargs)

    return Session


@contextlib.contextmanager
def _own_errors(model: str = "the model") -> Iterator[None]:
    """Raise ONNX Runtime's errors as MaxPoolGradError where the operator or its domain is the reason."""
    try:
        yield
    except Exception as error:  # ONNX Runtime's have no common base of their own
        if words := _CONTRACT_WORDS.search(str(error)):
            raise MaxPoolGradError(words[0], code="E13014") from error
        if unknown := _UNKNOWN_OP.search(str(error)):
            raise MaxPoolGradError(
                f"{model}: nothing defines the operator {DOMAIN}::{unknown[1]}; the library has {OP_TYPE} "
                f"and {OP_TYPE_ALIAS}, any other one needs a function body in the model",
                code="E10501",
            ) from error
        raise
