// The kernel's entry as CANN compiles it for float32.
#define DTYPE_ORIG_INPUT float
#define max_pool_v3_grad max_pool_v3_grad_float
#include "max_pool_v3_grad.cpp"
