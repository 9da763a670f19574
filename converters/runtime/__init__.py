"""Running a compiled model on the host."""
