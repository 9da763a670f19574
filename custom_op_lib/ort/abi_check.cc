// Compares ort_abi.h with ONNX Runtime's own header, where -DMAXPOOLGRAD_ORT_INCLUDE=DIR says that there is
// one.
#include "ort_abi.h"

#include <onnxruntime_c_api.h>
#include <type_traits>

namespace maxpoolgrad::ort {
namespace {

// Whether values of the two types are passed to a function in the same way.
template <class A, class B, class = void>
struct Same : std::is_same<A, B> {};

template <>
struct Same<CustomOp, OrtCustomOp> : std::true_type {};

template <class A, class B>
struct Same<A, B, std::enable_if_t<std::is_enum_v<A> && std::is_enum_v<B>>>
    : std::bool_constant<sizeof(A) == sizeof(B)> {};

template <class A, class B>
struct Same<A*, B*> : Same<A, B> {};

template <class A, class B>
struct Same<const A, const B> : Same<A, B> {};

template <class A, class... As, class B, class... Bs>
struct Same<A(As...), B(Bs...)> : std::bool_constant<Same<A, B>::value && (Same<As, Bs>::value && ...)> {};

template <class A, class... As, class B, class... Bs>
struct Same<A(As...), B(Bs...) noexcept> : Same<A(As...), B(Bs...)> {};

#define CHECK_ENTRY(ours, theirs)                                                                            \
    static_assert(ours::kSlot * sizeof(void*) == offsetof(OrtApi, theirs), #theirs);                         \
    static_assert(Same<ours::Pointer, decltype(OrtApi::theirs)>::value, #theirs)

CHECK_ENTRY(CreateStatus, CreateStatus);
CHECK_ENTRY(GetErrorCode, GetErrorCode);
CHECK_ENTRY(GetErrorMessage, GetErrorMessage);
CHECK_ENTRY(ReleaseStatus, ReleaseStatus);
CHECK_ENTRY(CreateCustomOpDomain, CreateCustomOpDomain);
CHECK_ENTRY(CustomOpDomainAdd, CustomOpDomain_Add);
CHECK_ENTRY(AddCustomOpDomain, AddCustomOpDomain);
CHECK_ENTRY(AddSessionConfigEntry, AddSessionConfigEntry);
CHECK_ENTRY(HasSessionConfigEntry, HasSessionConfigEntry);
CHECK_ENTRY(KernelInfoGetNodeName, KernelInfo_GetNodeName);
CHECK_ENTRY(KernelInfoGetInputCount, KernelInfo_GetInputCount);
CHECK_ENTRY(KernelInfoGetInputTypeInfo, KernelInfo_GetInputTypeInfo);
CHECK_ENTRY(KernelInfoGetFloat, KernelInfoGetAttribute_float);
CHECK_ENTRY(KernelInfoGetInt, KernelInfoGetAttribute_int64);
CHECK_ENTRY(KernelInfoGetString, KernelInfoGetAttribute_string);
CHECK_ENTRY(KernelInfoGetFloats, KernelInfoGetAttributeArray_float);
CHECK_ENTRY(KernelInfoGetInts, KernelInfoGetAttributeArray_int64);
CHECK_ENTRY(CastTypeInfoToTensorInfo, CastTypeInfoToTensorInfo);
CHECK_ENTRY(ReleaseTypeInfo, ReleaseTypeInfo);
CHECK_ENTRY(GetTensorElementType, GetTensorElementType);
CHECK_ENTRY(GetDimensionsCount, GetDimensionsCount);
CHECK_ENTRY(GetDimensions, GetDimensions);
CHECK_ENTRY(GetSymbolicDimensions, GetSymbolicDimensions);
CHECK_ENTRY(SetSymbolicDimensions, SetSymbolicDimensions);
CHECK_ENTRY(ReleaseTensorTypeAndShapeInfo, ReleaseTensorTypeAndShapeInfo);
CHECK_ENTRY(ShapeInferGetInputTypeShape, ShapeInferContext_GetInputTypeShape);
CHECK_ENTRY(ShapeInferSetOutputTypeShape, ShapeInferContext_SetOutputTypeShape);
CHECK_ENTRY(KernelContextGetInput, KernelContext_GetInput);
CHECK_ENTRY(KernelContextGetOutput, KernelContext_GetOutput);
CHECK_ENTRY(GetTensorMutableData, GetTensorMutableData);
CHECK_ENTRY(GetTensorTypeAndShape, GetTensorTypeAndShape);
CHECK_ENTRY(KernelContextParallelFor, KernelContext_ParallelFor);

#define CHECK_MEMBER(ours, theirs, member)                                                                   \
    static_assert(offsetof(ours, member) == offsetof(theirs, member), #member);                              \
    static_assert(Same<decltype(ours::member), decltype(theirs::member)>::value, #member)

CHECK_MEMBER(ApiBase, OrtApiBase, GetApi);
CHECK_MEMBER(ApiBase, OrtApiBase, GetVersionString);
CHECK_MEMBER(CustomOp, OrtCustomOp, version);
CHECK_MEMBER(CustomOp, OrtCustomOp, CreateKernel);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetName);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetExecutionProviderType);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetInputType);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetInputTypeCount);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetOutputType);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetOutputTypeCount);
CHECK_MEMBER(CustomOp, OrtCustomOp, KernelCompute);
CHECK_MEMBER(CustomOp, OrtCustomOp, KernelDestroy);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetInputCharacteristic);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetOutputCharacteristic);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetInputMemoryType);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetVariadicInputMinArity);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetVariadicInputHomogeneity);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetVariadicOutputMinArity);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetVariadicOutputHomogeneity);
CHECK_MEMBER(CustomOp, OrtCustomOp, CreateKernelV2);
CHECK_MEMBER(CustomOp, OrtCustomOp, KernelComputeV2);
CHECK_MEMBER(CustomOp, OrtCustomOp, InferOutputShapeFn);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetStartVersion);
CHECK_MEMBER(CustomOp, OrtCustomOp, GetEndVersion);

#define CHECK_VALUE(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs), #theirs)

static_assert(kApiVersion <= ORT_API_VERSION);
CHECK_VALUE(kFail, ORT_FAIL);
CHECK_VALUE(kInvalidArgument, ORT_INVALID_ARGUMENT);
CHECK_VALUE(kUndefined, ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED);
CHECK_VALUE(kFloat, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
CHECK_VALUE(kFloat16, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16);
CHECK_VALUE(kUint64, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64);
CHECK_VALUE(kBfloat16, ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16);
CHECK_VALUE(kRequired, INPUT_OUTPUT_REQUIRED);
CHECK_VALUE(kDefaultMemory, OrtMemTypeDefault);

} // namespace
} // namespace maxpoolgrad::ort
