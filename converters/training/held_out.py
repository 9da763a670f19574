"""Examples that are not trained with, and the figures that they give after each epoch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.interface import LABELS

from ..runtime import InferSession
from .batches import Batches
from .forward import ForwardModel
from .labels import check_labels
from .running import infer, loss_of, ort_value
from .step import TrainingStep

HELD_OUT_LOSS, HELD_OUT_ACCURACY = "held-out loss", "held-out accuracy"


def split(data: Mapping[str, Array], share: float, seed: int) -> tuple[dict[str, Array], dict[str, Array]]:
    """The data without a random share of it, 0 to 1, and that share; at least one example each.

    Raises MaxPoolGradError (E10001) for a share that leaves none of either.
    """
    count = min((len(array) for array in data.values() if array.ndim), default=0)
    held = round(count * share) if 0 < share < 1 else 0
    if not 0 < held < count:
        raise MaxPoolGradError(
            f"eval is {share} of {count} examples; it must leave some of them on either side: give a number "
            "between 0 and 1, or a file",
            code="E10001",
        )
    order = np.random.default_rng([seed, 1]).permutation(count)
    chosen, rest = np.sort(order[:held]), np.sort(order[held:])
    return (
        {name: array[rest] for name, array in data.items()},
        {name: array[chosen] for name, array in data.items()},
    )


class HeldOut:
    """Held-out examples with the models that they are run through."""

    def __init__(
        self,
        session: InferSession,
        data: Mapping[str, Array],
        batch_size: int | None,
        forward: ForwardModel | None,
    ) -> None:
        """Check the data as that of a training.

        `forward` gives the accuracy, where the data has labels.
        """
        self._step = TrainingStep.of(session)
        sizes = [s[i.name][0] for s in session.profiles for i in self._step.examples if s.get(i.name)]
        self._batches = Batches.of(session.model_path, self._step.examples, data, batch_size, sizes)
        if LABELS in data and session.backend == "host":
            check_labels(session.model_path, session.onnx_model, data[LABELS])
        self._data = data
        self._forward = forward if LABELS in data else None

    def figures(self, state: Mapping[str, Array]) -> dict[str, float]:
        """The step's own loss, a mean over the examples (those that no batch takes left out); the accuracy.

        The loss is that of the step, with batch normalisation and dropout in their training form if they are
        so in it; the accuracy is that of the forward model.
        """
        values = {name: ort_value(array) for name, array in state.items()}
        losses, weights = [], []
        for batch in self._batches.in_order():
            losses.append(loss_of(self._step, infer(self._step, batch, values, 0.0)))
            weights.append(len(batch.examples))
        figures = {HELD_OUT_LOSS: float(np.average(losses, weights=weights))}
        if self._forward is not None:
            figures[HELD_OUT_ACCURACY] = self._forward.accuracy(state, self._data, self._data[LABELS])
        return figures
