"""What a training step takes and gives besides the forward model's inputs: the names."""

from __future__ import annotations

from collections.abc import Iterable

LABELS = "labels"
TARGETS = "targets"
LEARNING_RATE = "learning_rate"
LOSS = "loss"

STEP = "step"
"""The state that counts the steps done, where the optimizer needs it."""

LOSS_SCALE = "loss_scale"
"""What the loss is multiplied by, where that is an input or a state."""

GOOD_STEPS = "loss_scale.good_steps"
"""The state that counts the steps since the loss scale changed, where it is dynamic."""

SKIPPED = "update_skipped"
"""The output that says whether a gradient was no finite number, so that nothing was updated."""

GRADIENT_NORM = "gradient_norm"
"""The output that holds the global norm of the gradients before clipping."""

DROPOUT_SEED = "dropout_seed"
"""The state that dropout's masks are made from, where the model has dropout in training form."""

MOMENTUM, EXP_AVG, EXP_AVG_SQ, MASTER = "momentum", "exp_avg", "exp_avg_sq", "master"
SLOTS = (MOMENTUM, EXP_AVG, EXP_AVG_SQ, MASTER)
"""What is kept for a parameter from step to step: by optimizers, and a float16 parameter in float32."""

FIRST_LOSS_SCALE = 65536.0
"""Where a dynamic loss scale starts."""


def updated(name: str) -> str:
    """The output that holds the new value of a parameter or of an optimizer's state."""
    return f"{name}.updated"


def gradient(name: str) -> str:
    """The output (of an update step: the input) that holds a gradient."""
    return f"{name}.grad"


def slot(parameter: str, kind: str) -> str:
    """The input that holds one of SLOTS for a parameter."""
    return f"{parameter}.{kind}"


def momentum(parameter: str) -> str:
    """The input that holds a parameter's momentum."""
    return slot(parameter, MOMENTUM)


def parameter_of_master(name: str) -> str:
    """The parameter whose master weight has this name; the name itself where it is none's."""
    return name.removesuffix(f".{MASTER}")


def optimizer_state(state: Iterable[str]) -> set[str]:
    """Those of a step's states that are no parameters, but the optimizer's, or dropout's."""
    names = set(state)
    slots = {slot(name, kind) for name in names for kind in SLOTS}
    return names & {STEP, LOSS_SCALE, GOOD_STEPS, DROPOUT_SEED, *slots}


def names_of_states(parameters: Iterable[str], scalars: Iterable[str]) -> set[str]:
    """The names that go with these parameters and states without a parameter, before and after a step."""
    claimed = {name for state in scalars for name in (state, updated(state))}
    for parameter in parameters:
        claimed |= {updated(parameter), gradient(parameter)}
        for kind in SLOTS:
            claimed |= {slot(parameter, kind), updated(slot(parameter, kind))}
    return claimed
