"""The functions of a step's model, each under a name of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

import onnx

from ..unique_names import UniqueNames


@dataclass(frozen=True)
class Functions:
    """The functions that a step's nodes call; none where the step is `unfolded`."""

    unfolded: bool = False
    _bodies: dict[bytes, onnx.FunctionProto] = field(default_factory=dict)
    _names: UniqueNames = field(default_factory=UniqueNames)

    @property
    def bodies(self) -> list[onnx.FunctionProto]:
        """In the order of their first calls."""
        return list(self._bodies.values())

    def add(self, body: onnx.FunctionProto) -> str:
        """The name to call a body by: its own, or a like one where another body has that."""
        key = body.SerializeToString(deterministic=True)
        if key not in self._bodies:
            body.name = self._names.claim(body.name)
            self._bodies[key] = body
        return self._bodies[key].name
