"""The demo's stages in order: each is timed and says what it proved, or raises."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from onnx import ModelProto, checker

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.contract import is_max_pool_v3_grad
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import make_folder, write_atomically
from maxpoolgrad_onnx.gradient import SGD
from maxpoolgrad_onnx.model_files import save_model
from maxpoolgrad_onnx.verification import compare_with_reference

from ..compile import compile as compile_model
from ..loading import load
from ..progress import progress_bar
from .data import Digits, Split, file_order_split, load_digits, stratified_split
from .extra import demo_extra
from .gradients import TOLERANCE, WARM_UP_STEPS, Gradients, compare_gradients
from .log import Log
from .network import evaluation_model, first_parameters, forward_model
from .result import TARGET_MEAN, TARGET_WORST, Accuracy, Demo
from .training import BATCH, EPOCHS, MOMENTUM, Job, Run, train_all

SEEDS = 5
SOC_VERSION = "Ascend910B1"


def run_demo(
    output_dir: str | os.PathLike[str],
    *,
    seeds: int = SEEDS,
    epochs: int = EPOCHS,
    stream: TextIO | None = None,
) -> Demo:
    """Build, differentiate, check, compile, compare, train and report, on the digits of scikit-learn.

    Args:
        output_dir: the folder for the results; it is made where it is missing, and files in it that have a
            result's name are replaced.
        seeds: how many sets of first weights are trained, for each of the two splits.
        epochs: of each training.
        stream: where each stage is told; stdout where left out. The progress bar goes to stderr, if that is a
            terminal.

    Raises MaxPoolGradError where a package of the extra `demo` is missing, the folder cannot be made, or a
    stage cannot prove what it is there for.
    """
    for name, value in (("seeds", seeds), ("epochs", epochs)):
        if value < 1:
            raise MaxPoolGradError(f"{name} is {value}; it must be 1 or more", code="E10001")
    with demo_extra("matplotlib"):
        import matplotlib.figure  # noqa: F401
    folder = make_folder(Path(output_dir))
    log = Log(stream or sys.stdout)

    with log.stage("Images") as proved:
        digits = load_digits()
        stratified, file_order = stratified_split(digits.labels), file_order_split(len(digits))
        proved.extend(_about_images(digits, stratified))
    with log.stage("Network") as proved:
        forward = forward_model(BATCH, first_parameters(0))
        proved.extend(_write_network(forward, folder))
    with log.stage("Training step") as proved:
        step = mpg.add_training_step(forward, optimizer=SGD(MOMENTUM))
        proved.extend(_write_step(step, forward, folder))
    with log.stage("Check") as proved:
        proved.extend(_check(step))
    with log.stage("Compile") as proved:
        proved.extend(_compile(step, len(stratified.held_out), folder))
    with log.stage("Gradients") as proved:
        training = digits.take(stratified.training)
        gradients = compare_gradients(folder, step, first_parameters(0), training, BATCH)
        proved.extend(_about_gradients(gradients))
    with log.stage("Train") as proved:
        jobs = [Job(split, seed) for split in (stratified, file_order) for seed in range(seeds)]
        with progress_bar(f"training {len(jobs)} networks from step.om", "epochs") as progress:
            runs = train_all(jobs, digits, folder, epochs=epochs, progress=progress)
        proved.extend(_about_runs(runs[:seeds], runs[seeds:]))
    demo = Demo(folder, digits, step, gradients, runs[:seeds], runs[seeds:], tuple(log.stages))
    with log.stage("Report") as proved:
        proved.extend(_write_report(demo))
    return demo


def _about_images(digits: Digits, split: Split) -> list[str]:
    by_class = np.bincount(digits.labels[split.held_out])
    return [
        f"{len(digits):,} handwritten digits of 8x8 pixels: {len(split.training):,} to train with, "
        f"{len(split.held_out)} held out ({by_class.min()} to {by_class.max()} of each class)",
        f"SHA-256 of the held-out indices: {split.fingerprint[:16]}...",
    ]


def _write_network(forward: ModelProto, folder: Path) -> list[str]:
    checker.check_model(forward, full_check=True)
    save_model(forward, folder / "forward.onnx")
    pools = sum(node.op_type == "MaxPool" for node in forward.graph.node)
    count = sum(int(np.prod(tensor.dims)) for tensor in forward.graph.initializer)
    return [
        f"forward.onnx: {len(forward.graph.node)} nodes, {pools} of them MaxPool (one 3x3, stride 2, "
        f"ceil_mode), {count:,} parameters; onnx.checker accepts it"
    ]


def _write_step(step: ModelProto, forward: ModelProto, folder: Path) -> list[str]:
    save_model(step, folder / "step.onnx")
    types = Counter(node.op_type for node in step.graph.node)
    pools = sum(is_max_pool_v3_grad(node) for node in step.graph.node)
    expected = sum(node.op_type == "MaxPool" for node in forward.graph.node)
    if pools != expected:
        raise MaxPoolGradError(f"step.onnx has {pools} MaxPoolV3Grad nodes for {expected} MaxPool nodes")
    functions = [f"{types[body.name]} {body.name}" for body in step.functions if types[body.name]]
    return [
        f"step.onnx: {len(step.graph.node)} nodes: {pools} {mpg.DOMAIN}::{mpg.OP_TYPE}, "
        f"{', '.join(functions)}, the rest standard operators"
    ]


def _check(step: ModelProto) -> list[str]:
    issues = mpg.check(step)
    if issues:
        raise MaxPoolGradError(f"step.onnx: {issues[0].message}", code=issues[0].code)
    mpg.register_schema()
    checker.check_model(step, full_check=True)
    trials = compare_with_reference(step)
    for trial in trials:
        if not trial.equal:
            raise MaxPoolGradError(
                f"step.onnx: at node {quoted(trial.node)} the library and the oracle differ"
            )
    shapes = " and ".join("x".join(map(str, trial.shape)) for trial in trials)
    return [
        "every rule of the operator holds; onnx.checker with full_check accepts the step, the schema "
        "registered",
        f"library in ONNX Runtime = NumPy oracle, to the bit, on the step's own shapes ({shapes})",
    ]


def _compile(step: ModelProto, held_out: int, folder: Path) -> list[str]:
    compiled = compile_model(step, folder / "step", soc_version=SOC_VERSION)
    compile_model(evaluation_model(held_out), folder / "evaluation", soc_version=SOC_VERSION, write_air=False)
    sizes = []
    for name in ("step.om", "step.air"):
        if load(folder / name) != compiled.model:
            raise MaxPoolGradError(f"{folder / name}: what is read back is not what was written")
        sizes.append(f"{name} ({(folder / name).stat().st_size / 1000:.0f} kB)")
    for reason in compiled.binding.unbound.values():
        raise MaxPoolGradError(f"step.om: no kernel is bound: {reason}")
    return [
        f"{' and '.join(sizes)}: read back, both hold the {len(compiled.model.graph.nodes)} nodes of GE IR "
        "that were written",
        f"built for the host; its {len(compiled.binding.launches)} MaxPoolV3Grad are bound to the kernel as "
        f"{SOC_VERSION} would run it",
    ]


def _about_gradients(gradients: Gradients) -> list[str]:
    elements = sum(pool.out_grad.size for pool in gradients.pools)
    ties = sum(pool.ties for pool in gradients.pools)
    worst = max(parameter.error for parameter in gradients.parameters)
    slope = max(parameter.slope_error for parameter in gradients.parameters)
    return [
        "step.om = step.onnx in ONNX Runtime, to the bit: loss, parameters, momenta, "
        f"{gradients.compared:,} numbers, after {WARM_UP_STEPS} steps",
        f"MaxPoolV3Grad in step.om = native code = NumPy oracle, to the bit: {elements:,} numbers; {ties:,} "
        "windows hold their maximum more than once",
        f"gradients of all {len(gradients.parameters)} parameters against NumPy in float64: off by "
        f"{worst:.0e} of their size; against central finite differences: by {slope:.0e} (allowed: "
        f"{TOLERANCE:.0e})",
    ]


def _about_runs(stratified: Sequence[Run], file_order: Sequence[Run]) -> list[str]:
    verdict = "reached" if Accuracy.of(stratified).reached else "MISSED"
    slowest = max(run.seconds for run in (*stratified, *file_order))
    return [
        f"held-out fifth, stratified: {_figures(stratified)}",
        f"aim for it: mean {100 * TARGET_MEAN:g} %, worst {100 * TARGET_WORST:g} %: {verdict}",
        f"last fifth in file order, the harder test: {_figures(file_order)}",
        f"{len(stratified) + len(file_order)} networks trained from step.om, none longer than {slowest:.1f} "
        "s",
    ]


def _figures(runs: Sequence[Run]) -> str:
    accuracy = Accuracy.of(runs)
    return (
        f"mean {100 * accuracy.mean:.2f} %, worst {100 * accuracy.worst:.2f} % "
        f"({', '.join(f'{100 * run.accuracy:.2f}' for run in runs)} by weight seed)"
    )


def _write_report(demo: Demo) -> list[str]:
    from .plots import training_curves
    from .report import report_page

    trained = forward_model(BATCH, demo.stratified[0].parameters)
    save_model(trained, demo.folder / "trained.onnx")
    curves = training_curves(demo)
    write_atomically(demo.folder / "training.png", curves)
    write_atomically(demo.folder / "report.html", report_page(demo, curves).encode())
    return [f"look at {demo.folder / 'report.html'}"]
