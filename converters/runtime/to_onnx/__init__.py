"""GE IR -> ONNX, one rule per operator: the way back that lets ONNX Runtime run a GE graph."""

from .convert import Port, ge_to_onnx, input_ports, output_ports

__all__ = ["Port", "ge_to_onnx", "input_ports", "output_ports"]
