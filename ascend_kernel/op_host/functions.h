// The operator's functions that CANN calls, as the definition registers them. Each says what it refuses and
// returns ge::GRAPH_FAILED.
#pragma once

#include <register/op_impl_registry.h>

namespace maxpoolgrad::cann {

// out_grad has orig_input's shape and type. Unknown ranks and dimensions skip only the checks that need them.
ge::graphStatus infer_shape(gert::InferShapeContext* context);
ge::graphStatus infer_data_type(gert::InferDataTypeContext* context);

// Reads attributes, shapes and platform, and has op_kernel's plan say how the kernel runs.
ge::graphStatus tiling(gert::TilingContext* context);

} // namespace maxpoolgrad::cann
