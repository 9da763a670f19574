// Tiling: the contract's checks on what is known at last, and the plan that op_kernel makes for this product.
#include "functions.h"
#include "node_facts.h"
#include "report.h"

#include <maxpoolgrad/contract.h>

#include <cstring>
#include <op_kernel/plan.h>
#include <tiling/platform/platform_ascendc.h>

// Whether the package has kernels for the Ascend 950.
#ifndef MAXPOOLGRAD_OVERRIDE_BUILTIN
#define MAXPOOLGRAD_OVERRIDE_BUILTIN 0
#endif

namespace maxpoolgrad::cann {

namespace {

using platform_ascendc::PlatformAscendC;
using platform_ascendc::SocVersion;

constexpr int64_t kArchA2A3 = 2201;
constexpr int64_t kArch950 = 3510;
constexpr int64_t kSimtCacheBytes =
    128 * 1024; // the largest data cache that the 950 takes off the unified buffer

struct Node {
    Attributes attributes;
    std::array<PartialShape, 3> shapes;
    Dtype dtype = Dtype::kFloat32;
};

std::string check_known(const std::string& subject, const std::array<PartialShape, 3>& shapes) {
    for (size_t i = 0; i < shapes.size(); ++i) {
        bool known = shapes[i].known_rank;
        for (const int64_t dim : shapes[i].dims) {
            known = known && dim >= 0;
        }
        if (!known) {
            return subject + ": the shape of " + kInputNames[i] + " is " + detail::text(shapes[i].dims) +
                   "; to run, every dimension must be known";
        }
    }
    return "";
}

// The sentence that refuses the node; empty where `node` is filled.
std::string read_node(const gert::TilingContext& context, Node* node) {
    const std::string subject = subject_of(context);
    const std::string wrong_attributes = read_attributes(context, &node->attributes);
    if (!wrong_attributes.empty()) {
        return wrong_attributes;
    }
    std::array<std::string, 3> dtypes;
    for (size_t i = 0; i < dtypes.size(); ++i) {
        const auto* shape = context.GetInputShape(i);
        const auto* desc = context.GetInputDesc(i);
        node->shapes[i] = shape_of(shape == nullptr ? nullptr : &shape->GetStorageShape());
        dtypes[i] = dtype_name(desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType());
    }
    node->dtype = dtypes[0] == kDtypes[0] ? Dtype::kFloat16 : Dtype::kFloat32;
    return detail::first_of({check_dtypes(subject, dtypes),
                             check_shapes(subject, node->attributes, node->shapes),
                             check_known(subject, node->shapes)});
}

std::string name_of(SocVersion soc) {
    switch (soc) {
    case SocVersion::ASCEND910: return "Ascend910";
    case SocVersion::ASCEND310P: return "Ascend310P";
    case SocVersion::ASCEND310B: return "Ascend310B";
    default: return "number " + std::to_string(static_cast<int>(soc)) + " of platform_ascendc::SocVersion";
    }
}

// CANN counts the A3 among the 910B.
std::string read_machine(const std::string& subject, const PlatformAscendC& platform, Machine* machine) {
    const SocVersion soc = platform.GetSocVersion();
    uint64_t ub_bytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
    machine->ub_bytes = static_cast<int64_t>(ub_bytes);
    machine->vector_cores = platform.GetCoreNumAiv();
    if (soc == SocVersion::ASCEND910B) {
        machine->arch = kArchA2A3;
#if MAXPOOLGRAD_OVERRIDE_BUILTIN
    } else if (soc == SocVersion::ASCEND950) {
        machine->arch = kArch950;
#endif
    } else {
        return check_soc_version(name_of(soc));
    }
    if (machine->vector_cores == 0 || machine->ub_bytes <= kSimtCacheBytes) {
        return subject + ": the platform gives " + std::to_string(machine->vector_cores) +
               " vector cores and " + std::to_string(machine->ub_bytes) +
               " B of unified buffer; its files are damaged, install CANN again";
    }
    return "";
}

ge::graphStatus write(const KernelPlan& plan, const Machine& machine, size_t system_workspace,
                      gert::TilingContext* context) {
    auto* data = context->GetRawTilingData();
    size_t* workspace = context->GetWorkspaceSizes(1);
    if (data == nullptr || workspace == nullptr || data->GetCapacity() < plan.tiling_data.size()) {
        return ge::GRAPH_FAILED;
    }
    std::memcpy(data->GetData(), plan.tiling_data.data(), plan.tiling_data.size());
    data->SetDataSize(plan.tiling_data.size());
    *workspace = system_workspace; // the kernels need none of their own
    if (machine.arch == kArch950) {
        context->SetLocalMemorySize(static_cast<uint32_t>(machine.ub_bytes - kSimtCacheBytes));
    }
    context->SetBlockDim(plan.block_dim);
    return context->SetTilingKey(plan.tiling_key);
}

} // namespace

ge::graphStatus tiling(gert::TilingContext* context) {
    if (context == nullptr || context->GetPlatformInfo() == nullptr) {
        return ge::GRAPH_FAILED;
    }
    Node node;
    Machine machine;
    const PlatformAscendC platform(context->GetPlatformInfo());
    std::string refusal = read_node(*context, &node);
    if (refusal.empty()) {
        refusal = read_machine(subject_of(*context), platform, &machine);
    }
    if (!refusal.empty()) {
        report(refusal);
        return ge::GRAPH_FAILED;
    }
    const Pooling pooling = make_pooling(node.attributes, node.shapes[0].dims, node.shapes[1].dims);
    return write(plan_kernel(pooling, node.dtype, machine), machine, platform.GetLibApiWorkSpaceSize(),
                 context);
}

} // namespace maxpoolgrad::cann
