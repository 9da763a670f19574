"""What a training step takes and gives besides the forward model's inputs: the names."""

from __future__ import annotations

LABELS = "labels"
LEARNING_RATE = "learning_rate"
LOSS = "loss"


def updated(name: str) -> str:
    """The output that holds the new value of a parameter or of an optimizer's state."""
    return f"{name}.updated"


def gradient(parameter: str) -> str:
    """The output that holds a parameter's gradient."""
    return f"{parameter}.grad"


def momentum(parameter: str) -> str:
    """The input that holds a parameter's momentum."""
    return f"{parameter}.momentum"


def claimed_names(parameters: list[str]) -> set[str]:
    """Every name that a step may need for itself."""
    per_parameter = {
        name
        for parameter in parameters
        for name in (
            updated(parameter),
            gradient(parameter),
            momentum(parameter),
            updated(momentum(parameter)),
        )
    }
    return {LABELS, LEARNING_RATE, LOSS, *per_parameter}
