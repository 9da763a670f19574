// What ONNX Runtime sees of the library: the op in both spellings, in the domain npu, through one exported
// function.
#include "api.h"
#include "kernel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>

namespace maxpoolgrad::ort {
namespace {

using InputTypes = std::array<ElementType, 3>;

// An op as ONNX Runtime sees one: a name with one combination of input types. `table` comes first, so that
// the callbacks get from it to the rest.
struct Op {
    CustomOp table;
    const OrtApi* api;
    const char* name;
    InputTypes inputs;
};

const Op& op_of(const CustomOp* table) {
    return *reinterpret_cast<const Op*>(table);
}

OrtStatus* create_kernel(const CustomOp* table, const OrtApi*, const OrtKernelInfo* info, void** kernel) {
    const OrtApi* api = op_of(table).api;
    return guarded(api, [&] { *kernel = new Kernel(api, info); });
}

// Gives every unknown dimension that has no name one of its own: without a name ONNX Runtime hands -1 on as
// its size, and then refuses what comes behind the node.
void name_unknown_dims(const OrtApi* api, OrtTensorTypeAndShapeInfo* info) {
    static std::atomic<uint64_t> number{0};
    const std::vector<int64_t> dims = dims_of(api, info);
    std::vector<const char*> known(dims.size(), "");
    call<GetSymbolicDimensions>(api, info, known.data(), known.size());
    std::vector<std::string> names(known.begin(), known.end());
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis] < 0 && names[axis].empty()) {
            names[axis] = kOpType + std::string("_size_") + std::to_string(number++);
        }
    }
    std::transform(names.begin(), names.end(), known.begin(), [](const auto& name) { return name.c_str(); });
    call<SetSymbolicDimensions>(api, info, known.data(), known.size());
}

// out_grad has the shape of orig_input, symbolic dimensions included. ONNX Runtime drops a status returned
// from here, so shapes are refused when the kernel is created.
OrtStatus* infer_shape(const CustomOp* table, OrtShapeInferContext* context) {
    const OrtApi* api = op_of(table).api;
    OrtStatus* status = guarded(api, [&] {
        OrtTensorTypeAndShapeInfo* info = nullptr;
        call<ShapeInferGetInputTypeShape>(api, context, size_t{0}, &info);
        size_t rank = 0;
        call<GetDimensionsCount>(api, info, &rank);
        if (rank > 0) { // none may mean that the shape is unknown
            name_unknown_dims(api, info);
            call<ShapeInferSetOutputTypeShape>(api, context, size_t{0}, info);
        }
    });
    if (status != nullptr) {
        entry<ReleaseStatus>(api)(status);
    }
    return nullptr;
}

CustomOp make_table() {
    CustomOp table = {};
    table.version = kApiVersion;
    table.GetName = [](const CustomOp* op) { return op_of(op).name; };
    table.GetExecutionProviderType = [](const CustomOp*) -> const char* { return nullptr; }; // the CPU
    table.GetInputType = [](const CustomOp* op, size_t index) { return op_of(op).inputs[index]; };
    table.GetInputTypeCount = [](const CustomOp*) { return InputTypes().size(); };
    table.GetOutputType = [](const CustomOp* op, size_t) { return op_of(op).inputs[0]; };
    table.GetOutputTypeCount = [](const CustomOp*) { return size_t{1}; };
    table.GetInputCharacteristic = [](const CustomOp*, size_t) { return kRequired; };
    table.GetOutputCharacteristic = [](const CustomOp*, size_t) { return kRequired; };
    table.GetInputMemoryType = [](const CustomOp*, size_t) { return kDefaultMemory; };
    table.GetVariadicInputMinArity = [](const CustomOp*) { return 1; };
    table.GetVariadicInputHomogeneity = [](const CustomOp*) { return 1; };
    table.GetVariadicOutputMinArity = [](const CustomOp*) { return 1; };
    table.GetVariadicOutputHomogeneity = [](const CustomOp*) { return 1; };
    table.CreateKernelV2 = &create_kernel;
    table.KernelComputeV2 = [](void* kernel, OrtKernelContext* context) {
        const Kernel& self = *static_cast<const Kernel*>(kernel);
        return guarded(self.api(), [&] { self.compute(context); });
    };
    table.KernelDestroy = [](void* kernel) { delete static_cast<Kernel*>(kernel); };
    table.InferOutputShapeFn = &infer_shape;
    table.GetStartVersion = [](const CustomOp*) { return kOpsetVersion; };
    table.GetEndVersion = [](const CustomOp*) { return std::numeric_limits<int>::max(); };
    return table;
}

// The operator takes three inputs of float16 or of float32. The other combinations are there to be refused in
// the contract's words by the Kernel's constructor: without them ONNX Runtime either speaks its own, or casts
// a float16 input to float32 without a word (1.17). Three different dtypes, or two of which none is allowed,
// are left to it.
std::vector<InputTypes> input_types() {
    const auto allowed = [](ElementType type) { return type == kFloat || type == kFloat16; };
    const auto tensor = [](int type) { return type <= kUint64 || type == kBfloat16; };
    std::vector<InputTypes> combinations;
    for (int common = kFloat; common <= kBfloat16; ++common) {
        for (int odd = kFloat; odd <= kBfloat16; ++odd) {
            const auto a = static_cast<ElementType>(common), b = static_cast<ElementType>(odd);
            if (a == b && tensor(a)) {
                combinations.push_back({a, a, a});
            } else if (tensor(a) && tensor(b) && (allowed(a) || allowed(b))) {
                combinations.insert(combinations.end(), {{b, a, a}, {a, b, a}, {a, a, b}});
            }
        }
    }
    return combinations;
}

// The domain of one ONNX Runtime; a process may hold several. ONNX Runtime keeps pointers into it.
struct Domain {
    const OrtApi* api;
    std::vector<Op> ops;
    OrtCustomOpDomain* handle = nullptr;
};

std::unique_ptr<Domain> make_domain(const OrtApi* api) {
    auto domain = std::make_unique<Domain>();
    domain->api = api;
    const CustomOp table = make_table();
    for (const char* name : {kOpType, kOpTypeAlias}) {
        for (const InputTypes& types : input_types()) {
            domain->ops.push_back({table, api, name, types});
        }
    }
    call<CreateCustomOpDomain>(api, kDomain, &domain->handle);
    for (const Op& op : domain->ops) {
        call<CustomOpDomainAdd>(api, domain->handle, &op.table);
    }
    return domain;
}

// Made on first use and kept for the process's life: sessions outlive their options, and nothing tells when
// the last one is gone.
OrtCustomOpDomain* domain_of(const OrtApi* api) {
    static std::mutex lock;
    static auto& domains = *new std::vector<std::unique_ptr<Domain>>;
    const std::lock_guard<std::mutex> guard(lock);
    for (const std::unique_ptr<Domain>& domain : domains) {
        if (domain->api == api) {
            return domain->handle;
        }
    }
    domains.push_back(make_domain(api));
    return domains.back()->handle;
}

// ONNX Runtime refuses a domain that is added twice, so options are marked that have it.
void add_domain(const OrtApi* api, OrtSessionOptions* options) {
    constexpr const char* kMark = "maxpoolgrad.registered";
    int registered = 0;
    call<HasSessionConfigEntry>(api, options, kMark, &registered);
    if (registered == 0) {
        call<AddCustomOpDomain>(api, options, domain_of(api));
        call<AddSessionConfigEntry>(api, options, kMark, "1");
    }
}

} // namespace
} // namespace maxpoolgrad::ort

// ONNX Runtime finds it by its name.
extern "C" __attribute__((visibility("default"))) OrtStatus*
RegisterCustomOps(OrtSessionOptions* options, const maxpoolgrad::ort::ApiBase* base) {
    using namespace maxpoolgrad::ort;
    const OrtApi* api = base->GetApi(kApiVersion);
    if (api == nullptr) { // too old; its first version has what it takes to say so
        const std::string version = base->GetVersionString();
        return guarded(base->GetApi(1), [&] {
            throw StatusError(kFail, "maxpoolgrad needs ONNX Runtime 1.17 or newer, and this is " + version +
                                         "; install a newer onnxruntime");
        });
    }
    return guarded(api, [&] { add_domain(api, options); });
}
