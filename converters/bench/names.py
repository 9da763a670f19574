"""What is measured, by the names that the tables and the command line show."""

from __future__ import annotations

OURS, ROOF = "maxpoolgrad", "roof"
LIBRARIES = ("torch", "tensorflow", "jax")
SESSION, SCALAR, ONE_THREAD, FLOAT32 = "session", "scalar", "one thread", "float32"
KERNEL = "kernel"  # what stands beside the scalar specification: both without the public function around them
ROOF_ALONE = "roof on one thread"
STANDS_BESIDE = {SCALAR: KERNEL, ROOF_ALONE: ROOF}  # whose time a way's counts by, if not ours

BESIDE = (*LIBRARIES, SESSION, SCALAR, ONE_THREAD, FLOAT32)
DATA = ("random", "relu")
CLOCKS = ("wall", "cpu")
