"""`maxpoolgrad grad`: every option reaches the step, or is refused where it is not for what is chosen."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.converters.cli.main import main
from maxpoolgrad_onnx.gradient import SGD, AdamW, SoftmaxCrossEntropy
from maxpoolgrad_onnx.model_files import load_model
from support_training import bars_model

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def forward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("grad") / "forward.onnx"
    onnx.save(bars_model(), path)
    return path


def test_gradients_instead_of_updates(forward: Path, tmp_path: Path) -> None:
    step, update = tmp_path / "s.onnx", tmp_path / "u.onnx"
    words = ["grad", str(forward), "-o", str(step), "--outputs", "grads"]
    assert main([*words, "--update-step", str(update), "--optimizer", "adamw", "--clip-norm", "1"]) == 0
    gradients = [value.name for value in load_model(step).graph.output if value.name.endswith(".grad")]
    assert "w.grad" in gradients
    assert set(gradients) < {value.name for value in load_model(update).graph.input}
    assert {"w.updated", "gradient_norm"} <= {value.name for value in load_model(update).graph.output}


def test_gradients_by_the_input(forward: Path, tmp_path: Path) -> None:
    words = ["grad", str(forward), "-o", str(tmp_path / "s.onnx"), "--wrt", "input"]
    assert main([*words, "--loss", "class_score"]) == 0
    assert [value.name for value in load_model(tmp_path / "s.onnx").graph.output] == ["loss", "x.grad"]


def test_every_option_reaches_the_step(forward: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.onnx"
    words = ["grad", str(forward), "-o", str(path)]
    loss = ["--class-weights", "1,0.5", "--label-smoothing", "0.1", "--ignore-index", "255"]
    adam = ["--optimizer", "adamw", "--betas", "0.8,0.9", "--eps", "1e-6", "--weight-decay", "0.2"]
    assert main([*words, *loss, *adam, "--clip-norm", "2", "--loss-scale", "dynamic"]) == 0
    assert load_model(path) == add_training_step(
        forward,
        loss=SoftmaxCrossEntropy((1, 0.5), 0.1, 255),
        optimizer=AdamW((0.8, 0.9), 1e-6, 0.2),
        clip_norm=2.0,
        loss_scale="dynamic",
    )
    assert main([*words, "--momentum", "0.8", "--nesterov", "--loss-scale", "256"]) == 0
    assert load_model(path) == add_training_step(forward, optimizer=SGD(0.8, nesterov=True), loss_scale=256.0)
    assert main([*words, "--master-weights"]) == 0
    assert load_model(path) == add_training_step(forward, master_weights=True)
    assert main([*words, "--unfold"]) == 0
    assert load_model(path) == add_training_step(forward, unfold=True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--optimizer", "adam", "--momentum", "0.9"],
            "--momentum is given, but the optimizer is adam; it is",
        ),
        (["--loss", "mse", "--class-weights", "1,2"], "it is for softmax_cross_entropy"),
        (["--update-step", "u.onnx"], "--update-step is given without --outputs grads"),
        (["--outputs", "grads", "--update-step", "s.onnx"], "--output and --update-step are one file"),
        (["--wrt", "input", "--optimizer", "adam"], "--optimizer is given, but the step gives gradients"),
        (["--outputs", "grads", "--momentum", "0.5"], "--momentum is given, but the step gives gradients"),
        (["--class-weights", "1,x"], "'1,x' is not a list such as 0.9,0.999"),
    ],
)
def test_options_that_are_not_for_what_is_chosen(
    forward: Path,
    tmp_path: Path,
    capfd: Capture,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["grad", str(forward), "-o", "s.onnx", *words]) == 2
    assert told in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
