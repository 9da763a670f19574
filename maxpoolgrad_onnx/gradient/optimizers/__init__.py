"""The optimizers: a class for each, its fields the options; its docstring is the formula.

An optimizer says what it keeps for each parameter, and writes the update of one tensor to the tape; that
tensor may be several parameters, packed. It computes in float32 for float16 parameters, else in their type.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..options import choice
from .adam import Adam, AdamW
from .optimizer import Optimizer
from .sgd import SGD

OPTIMIZERS: Mapping[str, type[Optimizer]] = {"sgd": SGD, "adam": Adam, "adamw": AdamW}


def optimizer_of(optimizer: str | Optimizer) -> Optimizer:
    """An optimizer given as itself, or by its name with the options that it has anyway."""
    if isinstance(optimizer, str):
        return OPTIMIZERS[choice("optimizer", optimizer, OPTIMIZERS)]()
    return optimizer


__all__ = ["OPTIMIZERS", "SGD", "Adam", "AdamW", "Optimizer", "optimizer_of"]
