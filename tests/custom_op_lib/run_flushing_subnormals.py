"""Run by test_arguments.py: the operator's bits where a session asks ONNX Runtime to flush subnormals."""

from __future__ import annotations

import platform

import numpy as np
import onnxruntime as ort

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import reference

POOL = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 1, 1]}


def bits(array: np.ndarray) -> np.ndarray:
    """Without signs. Comparing floats would not do: while subnormals are flushed, they all equal zero."""
    raw = array.view(f"u{array.itemsize}")
    return raw & raw.dtype.type(2 ** (8 * array.itemsize - 1) - 1)


def case(dtype: type[np.floating]) -> tuple[np.ndarray, ...]:
    """Subnormal inputs and gradients, the forward result, and what the gradient is."""
    rng = np.random.default_rng(0)
    step = np.finfo(dtype).smallest_subnormal
    x = (rng.integers(-3, 4, (4, 4, 20, 20)) * step).astype(dtype)
    y = reference.max_pool_v3(x, **POOL)
    grad = (rng.integers(-5, 6, y.shape) * step).astype(dtype)
    return x, y, grad, reference.max_pool_v3_grad(x, y, grad, **POOL)


def main() -> None:
    cases = [case(np.float16), case(np.float32)]
    for x, y, grad, expected in cases:
        for threads in (1, 4):
            options = ort.SessionOptions()
            options.intra_op_num_threads = threads
            options.add_session_config_entry("session.set_denormal_as_zero", "1")
            model = mpg.make_model(x.shape, dtype=x.dtype.name, **POOL)
            session = mpg.inference_session(model, sess_options=options)
            (out_grad,) = session.run(None, {"orig_input": x, "orig_output": y, "grad": grad})
            native = mpg.max_pool_v3_grad(x, y, grad, **POOL, threads=threads)
            pooled = mpg.max_pool_v3(x, **POOL, threads=threads)
            for found, wanted in ((out_grad, expected), (native, expected), (pooled, y)):
                assert np.array_equal(bits(found), bits(wanted)), (x.dtype, threads)
    if platform.machine() in ("x86_64", "AMD64"):  # ONNX Runtime flushes on no other processor
        assert np.float32(1e-40) * np.float32(1) == 0


if __name__ == "__main__":
    main()
