"""What several tests of training share."""

from __future__ import annotations

import pytest

from support_training import TrainingFiles, training_files


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> TrainingFiles:
    """A step with AdamW and clipped gradients, its forward model and fifty images."""
    return training_files(tmp_path_factory.mktemp("training"), optimizer="adamw", clip_norm=1.0)
