// The part of ONNX Runtime's C interface that the custom-op library uses, in API version 17 (ONNX
// Runtime 1.17).
//
// ONNX Runtime hands a library one table of function pointers, whose order never changes and which only grows
// at its end, and takes from it one table for each op. So nothing has to be linked, and no header of ONNX
// Runtime's is needed to build. Where one is at hand, -DMAXPOOLGRAD_ORT_INCLUDE=DIR checks all of this
// against it (abi_check.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

struct OrtApi;
struct OrtCustomOpDomain;
struct OrtKernelContext;
struct OrtKernelInfo;
struct OrtSessionOptions;
struct OrtShapeInferContext;
struct OrtStatus;
struct OrtTensorTypeAndShapeInfo;
struct OrtTypeInfo;
struct OrtValue;

namespace maxpoolgrad::ort {

inline constexpr uint32_t kApiVersion = 17;

// Of OrtErrorCode; 0 is success.
enum ErrorCode : int { kFail = 1, kInvalidArgument = 2 };

// Of ONNXTensorElementDataType; dtype_name() knows all of them by number.
enum ElementType : int { kUndefined = 0, kFloat = 1, kFloat16 = 10, kUint64 = 13, kBfloat16 = 16 };

// Of OrtCustomOpInputOutputCharacteristic and OrtMemType.
enum Characteristic : int { kRequired = 0 };
enum MemoryType : int { kDefaultMemory = 0 };

// ---- Entries of OrtApi: place in the table, and type

template <size_t Slot, class Function>
struct Entry {
    static constexpr size_t kSlot = Slot;
    using Pointer = Function;
};

using Result = OrtStatus*; // null for success, else owned by the caller

using CreateStatus = Entry<0, OrtStatus* (*)(ErrorCode code, const char* message)>;
using GetErrorCode = Entry<1, ErrorCode (*)(const OrtStatus* status)>;
using GetErrorMessage = Entry<2, const char* (*)(const OrtStatus* status)>;
using ReleaseStatus = Entry<93, void (*)(OrtStatus* status)>;

using CreateCustomOpDomain = Entry<26, Result (*)(const char* domain, OrtCustomOpDomain** out)>;
struct CustomOp;
using CustomOpDomainAdd = Entry<27, Result (*)(OrtCustomOpDomain* domain, const CustomOp* op)>;
using AddCustomOpDomain = Entry<28, Result (*)(OrtSessionOptions* options, OrtCustomOpDomain* domain)>;
using AddSessionConfigEntry =
    Entry<130, Result (*)(OrtSessionOptions* options, const char* key, const char* value)>;
using HasSessionConfigEntry =
    Entry<237, Result (*)(const OrtSessionOptions* options, const char* key, int* out)>;

// Strings and arrays: `size` is the room at `out` on entry and the size needed on return; a null `out` asks
// for the size alone. A string's size counts its terminating zero.
using KernelInfoGetNodeName = Entry<244, Result (*)(const OrtKernelInfo* info, char* out, size_t* size)>;
using KernelInfoGetInputCount = Entry<230, Result (*)(const OrtKernelInfo* info, size_t* out)>;
using KernelInfoGetInputTypeInfo =
    Entry<234, Result (*)(const OrtKernelInfo* info, size_t index, OrtTypeInfo** out)>;
using KernelInfoGetFloat = Entry<85, Result (*)(const OrtKernelInfo* info, const char* name, float* out)>;
using KernelInfoGetInt = Entry<86, Result (*)(const OrtKernelInfo* info, const char* name, int64_t* out)>;
using KernelInfoGetString =
    Entry<87, Result (*)(const OrtKernelInfo* info, const char* name, char* out, size_t* size)>;
using KernelInfoGetFloats =
    Entry<162, Result (*)(const OrtKernelInfo* info, const char* name, float* out, size_t* size)>;
using KernelInfoGetInts =
    Entry<163, Result (*)(const OrtKernelInfo* info, const char* name, int64_t* out, size_t* size)>;

// The TensorTypeAndShapeInfo belongs to the TypeInfo; null where that is no tensor's.
using CastTypeInfoToTensorInfo =
    Entry<55, Result (*)(const OrtTypeInfo* info, const OrtTensorTypeAndShapeInfo** out)>;
using ReleaseTypeInfo = Entry<98, void (*)(OrtTypeInfo* info)>;
using GetTensorElementType = Entry<60, Result (*)(const OrtTensorTypeAndShapeInfo* info, ElementType* out)>;
using GetDimensionsCount = Entry<61, Result (*)(const OrtTensorTypeAndShapeInfo* info, size_t* out)>;
using GetDimensions =
    Entry<62, Result (*)(const OrtTensorTypeAndShapeInfo* info, int64_t* out, size_t count)>;
// Names of dimensions, owned by the info; an empty one where there is none.
using GetSymbolicDimensions =
    Entry<63, Result (*)(const OrtTensorTypeAndShapeInfo* info, const char** names, size_t count)>;
using SetSymbolicDimensions =
    Entry<271, Result (*)(OrtTensorTypeAndShapeInfo* info, const char** names, size_t count)>;
using ReleaseTensorTypeAndShapeInfo = Entry<99, void (*)(OrtTensorTypeAndShapeInfo* info)>;

// The infos belong to the context.
using ShapeInferGetInputTypeShape = Entry<268, Result (*)(const OrtShapeInferContext* context, size_t index,
                                                          OrtTensorTypeAndShapeInfo** out)>;
using ShapeInferSetOutputTypeShape = Entry<270, Result (*)(const OrtShapeInferContext* context, size_t index,
                                                           const OrtTensorTypeAndShapeInfo* info)>;

// The values belong to the context; an input is null where the node leaves it out.
using KernelContextGetInput =
    Entry<90, Result (*)(const OrtKernelContext* context, size_t index, const OrtValue** out)>;
using KernelContextGetOutput = Entry<91, Result (*)(OrtKernelContext* context, size_t index,
                                                    const int64_t* dims, size_t count, OrtValue** out)>;
using GetTensorMutableData = Entry<51, Result (*)(OrtValue* value, void** out)>;
using GetTensorTypeAndShape = Entry<65, Result (*)(const OrtValue* value, OrtTensorTypeAndShapeInfo** out)>;
// Runs task(data, 0) .. task(data, total - 1) on the session's threads, in at most `batches` batches; 0
// leaves their number open.
using KernelContextParallelFor =
    Entry<274, Result (*)(const OrtKernelContext* context, void (*task)(void* data, size_t index),
                          size_t total, size_t batches, void* data)>;

template <class E>
typename E::Pointer entry(const OrtApi* api) {
    typename E::Pointer pointer;
    std::memcpy(&pointer, reinterpret_cast<const char*>(api) + E::kSlot * sizeof pointer, sizeof pointer);
    return pointer;
}

// ---- Tables that are passed around whole

struct ApiBase {
    const OrtApi* (*GetApi)(uint32_t version); // null where the runtime does not know the version
    const char* (*GetVersionString)();
};

// As of version 17: later members are read only where `version` is larger.
struct CustomOp {
    uint32_t version;
    void* (*CreateKernel)(const CustomOp* op, const OrtApi* api, const OrtKernelInfo* info);
    const char* (*GetName)(const CustomOp* op);
    const char* (*GetExecutionProviderType)(const CustomOp* op);
    ElementType (*GetInputType)(const CustomOp* op, size_t index);
    size_t (*GetInputTypeCount)(const CustomOp* op);
    ElementType (*GetOutputType)(const CustomOp* op, size_t index);
    size_t (*GetOutputTypeCount)(const CustomOp* op);
    void (*KernelCompute)(void* kernel, OrtKernelContext* context);
    void (*KernelDestroy)(void* kernel);
    Characteristic (*GetInputCharacteristic)(const CustomOp* op, size_t index);
    Characteristic (*GetOutputCharacteristic)(const CustomOp* op, size_t index);
    MemoryType (*GetInputMemoryType)(const CustomOp* op, size_t index);
    int (*GetVariadicInputMinArity)(const CustomOp* op);
    int (*GetVariadicInputHomogeneity)(const CustomOp* op);
    int (*GetVariadicOutputMinArity)(const CustomOp* op);
    int (*GetVariadicOutputHomogeneity)(const CustomOp* op);
    Result (*CreateKernelV2)(const CustomOp* op, const OrtApi* api, const OrtKernelInfo* info, void** kernel);
    Result (*KernelComputeV2)(void* kernel, OrtKernelContext* context);
    Result (*InferOutputShapeFn)(const CustomOp* op, OrtShapeInferContext* context);
    int (*GetStartVersion)(const CustomOp* op);
    int (*GetEndVersion)(const CustomOp* op);
};

} // namespace maxpoolgrad::ort
