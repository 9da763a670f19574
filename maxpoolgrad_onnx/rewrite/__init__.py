"""What others write for the gradient of max pooling, rewritten to npu::MaxPoolV3Grad.

rewriting.py       the walk through the model
torch_scatter.py   PyTorch's decomposition: two MaxPools, Slice, Sub, ScatterElements
ort_training.py    com.microsoft::MaxPoolGrad of ONNX Runtime's training graphs
pool.py            the attributes of a MaxPool as the operator has them
"""

from .rewriting import Rewritten, rewrite

__all__ = ["Rewritten", "rewrite"]
