#include "kernel.h"

#include "api.h"
#include "node.h"
#include "session_threads.h"

#include <maxpoolgrad/kernel.h>

namespace maxpoolgrad::ort {
namespace {

// An input as ONNX Runtime holds it: contiguous, in host memory.
struct Tensor {
    std::string dtype;
    Shape shape;
    const void* data = nullptr;
};

void* data_of(const OrtApi* api, OrtValue* value) {
    void* data = nullptr;
    call<GetTensorMutableData>(api, value, &data);
    return data;
}

Tensor input_of(const OrtApi* api, const OrtKernelContext* context, size_t index,
                const std::string& subject) {
    const OrtValue* value = nullptr;
    call<KernelContextGetInput>(api, context, index, &value);
    require(value == nullptr ? missing_input(subject, kInputNames[index]) : "");
    OrtTensorTypeAndShapeInfo* info = nullptr;
    call<GetTensorTypeAndShape>(api, value, &info);
    const OwnedTensorInfo owned(info, {api});
    // The interface has no reading variant of this entry; nothing is written through the pointer.
    return {dtype_name(element_type_of(api, info)), dims_of(api, info),
            data_of(api, const_cast<OrtValue*>(value))};
}

void* output_of(const OrtApi* api, OrtKernelContext* context, const Shape& shape) {
    OrtValue* value = nullptr;
    call<KernelContextGetOutput>(api, context, size_t{0}, shape.data(), shape.size(), &value);
    return data_of(api, value);
}

} // namespace

Kernel::Kernel(const OrtApi* api, const OrtKernelInfo* info)
    : api_(api), subject_(subject_of(api, info)), attributes_(attributes_of(api, info, subject_)) {
    require(check_attributes(subject_, attributes_));
    const DeclaredInputs inputs = declared_inputs(api, info, subject_);
    require(check_dtypes(subject_, inputs.dtypes));
    require(check_shapes(subject_, attributes_, inputs.shapes));
}

void Kernel::compute(OrtKernelContext* context) const {
    const Tensor orig_input = input_of(api_, context, 0, subject_);
    const Tensor orig_output = input_of(api_, context, 1, subject_);
    const Tensor grad = input_of(api_, context, 2, subject_);
    require(check_dtypes(subject_, {orig_input.dtype, orig_output.dtype, grad.dtype}));
    require(check_shapes(subject_, attributes_,
                         {{{true, orig_input.shape}, {true, orig_output.shape}, {true, grad.shape}}}));
    const auto dtype = static_cast<Dtype>(index_of(kDtypes, orig_input.dtype));
    max_pool_v3_grad(make_pooling(attributes_, orig_input.shape, orig_output.shape), dtype, orig_input.data,
                     orig_output.data, grad.data, output_of(api_, context, orig_input.shape),
                     session_workers(api_, context));
}

} // namespace maxpoolgrad::ort
