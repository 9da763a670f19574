// Registers the prototype where this file is linked in.
#include "max_pool_v3_grad_proto.h"
