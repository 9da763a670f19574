"""Damaged and hostile files through every command: done, or refused in one line, at little cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

from support_cnn import random_cnn
from support_guarded import Guarded, cleared
from support_hostile import good_models, hostile_file

Scale = Callable[[int, int], int]


def commands(kind: str, model: Path, guarded: Guarded) -> dict[str, list[str]]:
    """What is done to a file, by name."""
    inside, out = guarded.inside, guarded.out
    atc = ["atc", f"--output={out / 'made'}", "--soc_version=Ascend910B1"]
    forward, data = inside / "forward.onnx", inside / "data.npz"
    found = {
        "inspect": ["inspect", str(model)],
        "json": ["inspect", "--json", str(model)],
        "run": ["run", str(model), "--output", str(out), "--outfmt", "NPY", "--warmup_count", "0"],
        "train": ["train", str(model), "--data", str(data), "--forward", str(forward)],
        "view": ["atc", "--mode=1", f"--om={model}", f"--json={out / 'view.json'}"],
        "show": ["atc", "--mode=6", f"--om={model}"],
    }
    if kind == "onnx":
        found["view"].append("--framework=5")
        found["check"] = ["check", str(model)]
        found["grad"] = ["grad", str(model), "-o", str(out / "step.onnx")]
        found["atc"] = [*atc, "--framework=5", f"--model={model}"]
        del found["show"]
    if kind == "air":
        found["atc"] = [*atc, "--framework=1", f"--model={model}"]
    return found


@pytest.mark.parametrize(
    ("kind", "sample", "full"), [("onnx", 50, 26_000), ("air", 20, 12_000), ("om", 20, 12_000)]
)
def test_every_command(kind: str, sample: int, full: int, tmp_path: Path, scale: Scale) -> None:
    """Where it fails, `hostile_file(kind, seed)` makes the file again."""
    count = scale(sample, full)
    complaints: list[str] = []
    done: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with Guarded(tmp_path) as guarded:
        np.savez(guarded.inside / "data.npz", **random_cnn(5, 1).feeds)
        onnx.save(good_models()["cnn"], guarded.inside / "forward.onnx")
        for seed in range(count):
            file = hostile_file(kind, seed)
            model = guarded.inside / f"model{file.suffix}"
            model.write_bytes(file.data)
            for name, words in commands(kind, model, guarded).items():
                answer = guarded.run(words)
                if answer.complaint:
                    complaints.append(f"{kind} {seed}: {name} {answer.complaint}")
                (refused if answer.code else done)[name] += 1
            made = guarded.out / "made.om"
            if made.exists() and (answer := guarded.run(["inspect", str(made)])).code:
                complaints.append(f"{kind} {seed}: what atc made is refused {answer.complaint}")
            cleared(guarded.out)
            model.unlink()
    assert not complaints, "\n".join(complaints)
    assert min(refused.values()) > count // 10, refused
    assert min(done.values()) > 0 or count < 1000, done
