"""Training with a compiled training step: batches, schedules, metrics, checkpoints.

step.py, forward.py         the two models: the step that is trained with, the forward model that is evaluated
batches.py, labels.py       the data, checked and cut
schedule.py, loop.py        the steps
held_out.py, curves.py      what tells how it goes
checkpoint.py, identity.py  what lets it go on
files.py                    all of it from files to files
"""

from .loop import Epoch, History, train
from .schedule import Schedule

__all__ = ["Epoch", "History", "Schedule", "train"]
