"""report.html: everything that the demo found, on one page that needs no other file."""

from __future__ import annotations

import platform
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from importlib.metadata import version

from ..pictures import PictureStyle
from . import plots
from .data import LARGEST_SHIFT
from .gradients import TOLERANCE, WARM_UP_STEPS, PoolGradient
from .graph import step_picture
from .page import bullets, marked, page, paragraph, picture, section, table
from .result import TARGET_MEAN, TARGET_WORST, Accuracy, Demo
from .training import BATCH, LEARNING_RATE, MOMENTUM, Run

_HEAT_MAPS = ("conv1.weight", "conv3.weight", "linear.weight")
_KEY = (
    ("forward", "forward pass and loss"),
    ("backward", "gradients"),
    ("highlight", "npu::MaxPoolV3Grad"),
    ("update", "updates of a parameter and its momentum"),
)
_SPLIT = """random = numpy.random.RandomState(0)
held_out = []
for label in range(10):
    members = numpy.flatnonzero(labels == label)        # in file order
    order = random.permutation(len(members))
    held_out.extend(members[order[:round(len(members) / 5)]])
held_out.sort()"""


def report_page(demo: Demo, curves: bytes) -> str:
    """The page as HTML; `curves` is training.png."""
    return page(
        "From an ONNX model to a trained .om",
        _summary(demo),
        [
            section("What each stage proved", _stages(demo)),
            section("Training from step.om", _training(demo, curves)),
            section("How the digits are split", _split(demo)),
            section("The training step", _graph(demo)),
            section("MaxPoolV3Grad in step.om against the oracle", _pools(demo)),
            section("Gradients of the parameters", _parameters(demo)),
            section("Misread digits", _misread(demo)),
            section("Files and versions", _files()),
        ],
    )


def _summary(demo: Demo) -> str:
    accuracy = Accuracy.of(demo.stratified)
    verdict = "which reaches" if accuracy.reached else "which MISSES"
    return paragraph(
        "A CNN in ONNX became a training step with `npu::MaxPoolV3Grad` in it, the step was compiled to "
        f"`step.om`, and {len(demo.stratified)} networks were trained from that file on handwritten digits. "
        f"On the held-out fifth they read {100 * accuracy.mean:.2f} % right in the mean and "
        f"{100 * accuracy.worst:.2f} % at worst, {verdict} the aim of {100 * TARGET_MEAN:g} % and "
        f"{100 * TARGET_WORST:g} %. All of it ran on this machine's CPU; nothing here has run on an NPU."
    )


def _stages(demo: Demo) -> str:
    rows = [
        [str(number), escape(stage.title), f"{stage.seconds:.1f} s", bullets(stage.proved)]
        for number, stage in enumerate(demo.stages, 1)
    ]
    total = sum(stage.seconds for stage in demo.stages)
    return table(
        ["", "stage", "time", "what it proved"], [*rows, ["", "all", f"{total:.1f} s", ""]], numbers=[2]
    )


def _training(demo: Demo, curves: bytes) -> str:
    rows = []
    for run, other in zip(demo.stratified, demo.file_order, strict=True):
        figures = [f"{run.losses[-1]:.4f}", *_held_out(run), *_held_out(other)]
        rows.append([str(run.job.seed), *figures, f"{run.seconds:.1f} s", f"{other.seconds:.1f} s"])
    stratified, file_order = Accuracy.of(demo.stratified), Accuracy.of(demo.file_order)
    for name in ("mean", "worst"):
        values = [f"<b>{100 * getattr(accuracy, name):.2f} %</b>" for accuracy in (stratified, file_order)]
        rows.append([f"<b>{name}</b>", "", values[0], "", values[1], "", "", ""])
    epochs = len(demo.stratified[0].losses)
    return (
        picture(
            curves,
            "Two charts over the epochs: loss falls, accuracy on held-out digits rises.",
            "A thin line for each set of first weights, thick lines for their mean. The figures are those "
            "after the last epoch; no epoch and no seed is picked.",
        )
        + table(
            [
                "seed",
                "last training loss",
                "stratified",
                "misread",
                "file order",
                "misread",
                "time, stratified",
                "time, file order",
            ],
            rows,
            numbers=range(8),
        )
        + paragraph(
            f"{epochs} epochs, batches of {BATCH}, SGD with momentum {MOMENTUM}; the learning rate, an input "
            f"of the step, rises to {LEARNING_RATE} in the first epoch and falls to 0 along half a cosine. "
            f"Each epoch moves each training digit by up to {LARGEST_SHIFT} pixels (bilinear, on the host); "
            "held-out digits are read as they are. One thread for each network, as many networks at a time "
            "as there are processors: times are of networks trained beside each other."
        )
    )


def _held_out(run: Run) -> list[str]:
    misread = sum(run.probabilities.argmax(1) != run.labels)
    return [f"{100 * run.accuracy:.2f} %", f"{misread} of {len(run.labels)}"]


def _split(demo: Demo) -> str:
    split, other = demo.stratified[0].job.split, demo.file_order[0].job.split
    return (
        paragraph(
            f"Stratified: a fifth of each class is held out, {len(split.held_out)} digits in all, by a "
            "permutation whose stream of random numbers NumPy keeps for good. With `labels` from "
            "`sklearn.datasets.load_digits().target`:"
        )
        + f"<pre><code>{escape(_SPLIT)}</code></pre>"
        + paragraph(f"SHA-256 of the indices as text, one a line: `{split.fingerprint}`.")
        + paragraph(
            f"File order: the last {len(other.held_out)} digits are held out. The file's order is no random "
            "one (digits near each other look like one hand's), which makes this the harder test."
        )
    )


def _graph(demo: Demo) -> str:
    style = PictureStyle()
    key = "".join(
        f'<span><i style="background:{fill};border:1px solid {border}"></i>{escape(text)}</span>'
        for (fill, border, _), text in ((style.colours(kind), text) for kind, text in _KEY)
    )
    return (
        paragraph(
            f"The {len(demo.step.graph.node)} nodes of `step.onnx`: the forward pass runs down, the "
            "gradients run back up, the update stands beside them. Parameters and constants are left "
            "out. Rest the pointer on a box or an arrow for its name."
        )
        + f'<p class="key">{key}</p>\n<div class="graph">{step_picture(demo.step)}</div>'
    )


def _pools(demo: Demo) -> str:
    rows = []
    for pool in demo.gradients.pools:
        attributes = pool.attributes
        shape = "x".join(map(str, pool.orig_input.shape))
        geometry = f"ksize {_size(attributes.ksize)}, strides {_size(attributes.strides)}"
        geometry += ", ceil_mode" if attributes.ceil_mode else ""
        unequal = int((pool.out_grad != pool.oracle).sum())
        ties = f"{pool.ties:,} of {pool.orig_output.size:,}"
        rows.append(
            [f"<code>{escape(pool.node)}</code>", geometry, shape, ties, f"{unequal} of {pool.oracle.size:,}"]
        )
    return (
        paragraph(
            f"The tensors around each node, taken out of a run of `step.om` {WARM_UP_STEPS} steps after the "
            "first weights, and the NumPy oracle on the same `orig_input`, `orig_output` and `grad`. A "
            "window that holds its maximum more than once gives its gradient to the first of these places."
        )
        + table(
            ["node", "geometry", "orig_input", "windows with a tie", "elements that differ"],
            rows,
            numbers=[3, 4],
        )
        + "".join(_pool_picture(pool) for pool in demo.gradients.pools)
    )


def _pool_picture(pool: PoolGradient) -> str:
    return picture(
        plots.pool_maps(pool),
        f"Heat maps of the inputs and the result of {pool.node}.",
        f"`{pool.node}`: the plane with the largest gradient. White is 0 in all maps.",
    )


def _size(values: Sequence[int]) -> str:
    return "x".join(map(str, values[2:]))


def _parameters(demo: Demo) -> str:
    rows = [
        [
            f"<code>{parameter.name}</code>",
            "x".join(map(str, parameter.step.shape)),
            f"{abs(parameter.numpy).max():.2e}",
            f"{parameter.error:.1e}",
            f"{parameter.slope:+.8f}",
            f"{parameter.difference:+.8f}",
            f"{parameter.slope_error:.1e}",
        ]
        for parameter in demo.gradients.parameters
    ]
    shown = [parameter for parameter in demo.gradients.parameters if parameter.name in _HEAT_MAPS]
    return (
        paragraph(
            "`step.om` in float32 against two others: the same network written out in NumPy and float64, "
            "forward and backward by hand, and central finite differences of its loss along one random "
            "direction a parameter. Deviations are relative: to the gradient's largest element, and to its "
            f"length. Allowed is {TOLERANCE:.0e}."
        )
        + table(
            [
                "parameter",
                "shape",
                "largest element",
                "off from NumPy",
                "slope by step.om",
                "by differences",
                "off",
            ],
            rows,
            numbers=range(2, 7),
        )
        + picture(
            plots.parameter_maps(shown),
            "Heat maps of three weights' gradients by step.om and NumPy, and their difference.",
            "A row for each output channel or class, a column for each input. The differences are float32 "
            "rounding: see their scale.",
        )
    )


def _misread(demo: Demo) -> str:
    readings: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    for run in demo.stratified:
        read = run.probabilities.argmax(1)
        for at, index in enumerate(run.job.split.held_out):
            if read[at] != run.labels[at]:
                probability = float(run.probabilities[at, read[at]])
                readings[int(index)].append((run.job.seed, int(read[at]), probability))
    if not readings:
        return paragraph("None: every network reads every held-out digit right.")
    order = sorted(readings, key=lambda index: (-len(readings[index]), index))
    figures = [_misread_figure(demo, index, readings[index]) for index in order]
    return (
        paragraph(
            f"The {len(readings)} digits of the stratified held-out fifth that at least one of the "
            f"{len(demo.stratified)} networks misreads, the most often misread first; by seed, what was read "
            "and how sure the network was."
        )
        + f'<div class="digits">{"".join(figures)}</div>'
    )


def _misread_figure(demo: Demo, index: int, readings: Sequence[tuple[int, int, float]]) -> str:
    label = int(demo.digits.labels[index])
    read = "; ".join(f"seed {seed}: {digit} ({100 * sure:.0f} %)" for seed, digit, sure in readings)
    return picture(
        plots.digit_image(demo.digits.images[index, 0]),
        f"Digit {index} of the file, a {label}.",
        f"a {label}, no. {index}; {read}",
    )


def _files() -> str:
    rows = [
        ["forward.onnx", "the forward CNN with the first weights of seed 0"],
        [
            "step.onnx",
            "the training step: images, labels, parameters, momenta and learning rate in, updated ones out",
        ],
        ["step.air", "its GE IR, for `atc --framework=1` of an installed CANN"],
        ["step.om", "its GE IR packed by the embedded compiler, which the host runs"],
        ["evaluation.om", "the forward CNN with its parameters as inputs, which read the held-out digits"],
        ["trained.onnx", "the forward CNN with the parameters that seed 0 came to, stratified split"],
        ["training.png", "the curves above"],
    ]
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "onnx", "onnxruntime", "scikit-learn")
    )
    cells = [[f"<code>{name}</code>", marked(text)] for name, text in rows]
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return table(["file", "what it is"], cells) + paragraph(f"Made on {system}, with {packages}.")
