"""What is known of GE's operators: their public prototypes, and which of them ONNX has too."""
