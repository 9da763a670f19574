"""Run as a program, in a process of its own: models in ONNX Runtime alone, without maxpoolgrad_onnx.

python run_without_library.py FOLDER reads N.onnx and N.npz (feeds by input name) for N = 0, 1, ... and writes
N.out.npy, the first output. It prints ONNX Runtime's version.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

import numpy as np
import onnxruntime


def main(folder: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    for index in count():
        model = folder / f"{index}.onnx"
        if not model.exists():
            break
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        with np.load(folder / f"{index}.npz") as feeds:
            result = session.run(None, dict(feeds))[0]
        np.save(folder / f"{index}.out.npy", result)
    if any(name.partition(".")[0] == "maxpoolgrad_onnx" for name in sys.modules):
        raise SystemExit("maxpoolgrad_onnx was imported")
    print(onnxruntime.__version__)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
