"""A forward model whose parameters come from a training."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

import numpy as np
import onnx
from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array, elements_of
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.session import inference_session

from ..runtime.batch_statistics import with_own_statistics
from ..runtime.host_model import host_model
from ..runtime.tensors import checked_feeds

_OPEN_BATCH = 256


def initial_parameters(forward: str | os.PathLike[str]) -> dict[str, Array]:
    """The initializers of a forward model, by name."""
    tensors = host_model(forward).proto.graph.initializer
    return {tensor.name: elements_of(tensor) for tensor in tensors}


class ForwardModel:
    """A forward model with one output that counts, run with parameters that are given to it."""

    def __init__(
        self,
        model: ModelProto | str | os.PathLike[str],
        parameters: Collection[str],
        output: str | None = None,
    ) -> None:
        """Load a model, or an .onnx, .om or .air, to run with these of its initializers replaced.

        `output` is the one that counts, where it has several. Raises MaxPoolGradError where that leaves open
        which, and where it lacks one of the initializers.
        """
        self._name = "the forward model" if isinstance(model, ModelProto) else os.fspath(model)
        host = host_model(model)
        names = [info.name for info in host.outputs]
        if output is None and len(names) != 1:
            raise MaxPoolGradError(
                f"{self._name}: it has {len(names)} outputs; name the one with the logits (--logits): "
                f"{', '.join(map(quoted, names))}"
            )
        if output is not None and output not in names:
            raise MaxPoolGradError(
                f"{self._name}: it has no output {quoted(output)}; it has {', '.join(map(quoted, names))}"
            )
        self._output = output or names[0]
        self._inputs = host.inputs
        sizes = [info.shape[0] for info in host.inputs if info.shape]
        self._batch = max(*sizes, 0) if sizes else 0
        self._parameters = frozenset(parameters)
        overridable = self._overridable(host.proto, parameters)
        self._session = inference_session(with_own_statistics(overridable))

    def logits(self, parameters: Mapping[str, Array], examples: Mapping[str, Array]) -> Array:
        """The output for all examples (first axis), in as many runs as the model's batch asks for.

        Parameters not given keep the model's own values; other names, and examples of other names than the
        model's inputs, are ignored.
        """
        size = self._batch or _OPEN_BATCH
        given = {name: parameters[name] for name in self._parameters & parameters.keys()}
        wanted = {info.name: examples[info.name] for info in self._inputs if info.name in examples}
        parts = []
        for start in range(0, min(map(len, wanted.values())), size):
            part = {name: array[start : start + size] for name, array in wanted.items()}
            length = len(next(iter(part.values())))
            # A fixed batch that the examples do not fill is filled with the last one, and cut off again.
            rows = np.minimum(np.arange(self._batch or length), length - 1)
            filled = {name: array[rows] for name, array in part.items()}
            feeds = checked_feeds(self._name, self._inputs, filled)
            (result,) = self._session.run([self._output], feeds | given)
            parts.append(result[:length])
        return np.concatenate(parts)

    def accuracy(
        self, parameters: Mapping[str, Array], examples: Mapping[str, Array], labels: Array
    ) -> float:
        """The share of labels (of examples, or of pixels) whose logit is the largest, 0 to 1.

        Logits are [N, classes, ...], labels [N, ...]; a label that is no class does not count.
        """
        logits = self.logits(parameters, examples)
        counted = (labels >= 0) & (labels < logits.shape[1])
        return float(np.mean((logits.argmax(axis=1) == labels)[counted]))

    def _overridable(self, proto: ModelProto, parameters: Collection[str]) -> ModelProto:
        """The model with initializers that are inputs too, which a run may replace."""
        initializers = {tensor.name: tensor for tensor in proto.graph.initializer}
        result = ModelProto()
        result.CopyFrom(proto)
        inputs = {info.name for info in proto.graph.input}
        for name in parameters:
            if name not in initializers:
                raise MaxPoolGradError(
                    f"{self._name}: it has no initializer {quoted(name)}; give the forward model that the "
                    "step was made from"
                )
            tensor = initializers[name]
            if name not in inputs:
                info = onnx.helper.make_tensor_value_info(name, tensor.data_type, tensor.dims)
                result.graph.input.append(info)
        return result
