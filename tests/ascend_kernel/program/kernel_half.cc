// The kernel's entry as CANN compiles it for float16.
#define DTYPE_ORIG_INPUT half
#define max_pool_v3_grad max_pool_v3_grad_half
#include "max_pool_v3_grad.cpp"
