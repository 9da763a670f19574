"""From a forward model to a training step: one gradient rule for each operator, losses and optimizers.

forward.py       the model made flat, with shapes; which initializers are parameters
backward.py      the walk from the loss to the parameters
rules/           a function for each operator; its docstring is the formula
losses.py, optimizers.py, assembly.py    what stands around the gradients
"""

from .state import initial_state
from .training_step import add_training_step

__all__ = ["add_training_step", "initial_state"]
