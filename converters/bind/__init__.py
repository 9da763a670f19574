"""GE IR and a product -> the kernel launch of each MaxPoolV3Grad, by the plan that op_host compiles too."""

from .binding import Binding, bind
from .pool_grad import PoolGrad, read_pool_grad
from .processors import check_processor, vector_cores
from .tiling import plan_launch

__all__ = [
    "Binding",
    "PoolGrad",
    "bind",
    "check_processor",
    "plan_launch",
    "read_pool_grad",
    "vector_cores",
]
