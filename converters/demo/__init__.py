"""`maxpoolgrad demo`: the whole road, from a CNN in ONNX to an .om that is trained on real images.

data.py          the images and how they are split
network.py       the forward CNN and its first weights, in ONNX
numpy_network.py the same network and its gradients in NumPy and float64, to compare with
gradients.py     what the gradients of step.om are compared with
training.py      training and evaluation, both from .om files
stages.py        the stages in order; log.py tells of them, result.py is what they find
plots.py, graph.py, report.py    what is written for a person to look at; page.py is its HTML
"""

from .stages import run_demo

__all__ = ["run_demo"]
