"""From a forward model to a training step: one gradient rule for each operator, losses and optimizers.

forward.py       the model made flat, with shapes; which initializers are parameters
backward.py      the walk from the loss to the parameters
rules/           a function for each operator; its docstring is the formula
losses/          a class for each loss
optimizers/      a class for each optimizer; update.py is what is common to all: packing, clipping, scaling
training_step.py, update_step.py    the steps, put together
"""

from .losses import BinaryCrossEntropy, ClassScore, MeanSquaredError, OwnLoss, SoftmaxCrossEntropy
from .optimizers import SGD, Adam, AdamW
from .state import initial_state
from .trained import with_parameters
from .training_step import add_training_step
from .update_step import make_update_step

__all__ = [
    "SGD",
    "Adam",
    "AdamW",
    "BinaryCrossEntropy",
    "ClassScore",
    "MeanSquaredError",
    "OwnLoss",
    "SoftmaxCrossEntropy",
    "add_training_step",
    "initial_state",
    "make_update_step",
    "with_parameters",
]
