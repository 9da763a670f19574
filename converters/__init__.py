"""ONNX -> GE IR -> .om, and back out to a run."""
