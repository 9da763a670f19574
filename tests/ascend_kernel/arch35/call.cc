// The 950's plan and kernel for Python tests: plain C functions on numbers and addresses.
#include <maxpoolgrad/attributes.h>
#include <twin/run.h>

#include <arch35/box.h>
#include <arch35/plan.h>
#include <arch35_kernel.h>
#include <cstring>
#include <string>

using namespace maxpoolgrad;

extern "C" {

struct Call {
    int64_t nhwc;
    int64_t padding_mode; // as in PaddingMode
    int64_t ceil_mode;
    int64_t ksize[4], strides[4], pads[4];
    int64_t orig_input[4], orig_output[4];
    int64_t element_bytes;
    int64_t cores;
};

// A plan in numbers; where a test wants another one, it changes them.
struct Numbers {
    int64_t tiling_key, block_dim, columns, depth, unit, units, paired;
};

struct Counts {
    int64_t bytes_read, bytes_written, loads, stores, faults;
};

} // extern "C"

namespace {

template <size_t N>
std::vector<int64_t> list(const int64_t (&numbers)[N]) {
    return {numbers, numbers + N};
}

Pooling pooling_of(const Call& call) {
    Attributes attributes;
    attributes.ksize = list(call.ksize);
    attributes.strides = list(call.strides);
    attributes.pads = list(call.pads);
    attributes.data_format = kDataFormats[static_cast<size_t>(call.nhwc)];
    attributes.padding_mode = kPaddingModes[static_cast<size_t>(call.padding_mode)];
    attributes.ceil_mode = call.ceil_mode;
    return make_pooling(attributes, list(call.orig_input), list(call.orig_output));
}

size_t bytes_of(const Call& call, const int64_t (&shape)[4]) {
    return static_cast<size_t>(shape[0] * shape[1] * shape[2] * shape[3] * call.element_bytes);
}

} // namespace

extern "C" {

void arch35_plan(const Call* call, Numbers* numbers) {
    const arch35::Plan plan = arch35::make_plan(pooling_of(*call), call->element_bytes, call->cores);
    const arch35::Tiling& tiling = plan.tiling;
    *numbers = {static_cast<int64_t>(plan.tiling_key),
                plan.block_dim,
                tiling.columns,
                tiling.depth,
                tiling.unit,
                tiling.units,
                tiling.paired};
}

// Runs on the twin as `numbers` says. `said` gets a line a fault.
void arch35_run(const Call* call, const Numbers* numbers, void* orig_input, void* orig_output, void* grad,
                void* out_grad, Counts* counts, char* said, size_t room) {
    arch35::Plan plan = arch35::make_plan(pooling_of(*call), call->element_bytes, call->cores);
    plan.tiling.columns = numbers->columns;
    plan.tiling.depth = numbers->depth;
    plan.tiling.unit = numbers->unit;
    plan.tiling.units = numbers->units;
    plan.tiling.paired = numbers->paired;
    twin::Launch launch;
    launch.kernel = arch35::twin_kernel(call->element_bytes);
    launch.soc = {3510, static_cast<uint32_t>(call->cores), 248 * 1024, 16 << 20};
    launch.block_dim = static_cast<uint32_t>(numbers->block_dim);
    launch.tiling.resize(sizeof plan.tiling);
    std::memcpy(launch.tiling.data(), &plan.tiling, sizeof plan.tiling);
    launch.tiling_key = static_cast<uint64_t>(numbers->tiling_key);
    const size_t inputs = bytes_of(*call, call->orig_input), outputs = bytes_of(*call, call->orig_output);
    launch.tensors = {{"orig_input", orig_input, inputs, twin::Access::kRead},
                      {"orig_output", orig_output, outputs, twin::Access::kRead},
                      {"grad", grad, outputs, twin::Access::kRead},
                      {"out_grad", out_grad, inputs, twin::Access::kWrite}};
    const twin::Report report = twin::run(launch);
    const twin::Counters& total = report.total;
    *counts = {static_cast<int64_t>(total.read.bytes), static_cast<int64_t>(total.written.bytes),
               static_cast<int64_t>(total.simt.loads), static_cast<int64_t>(total.simt.stores),
               static_cast<int64_t>(report.faults.size())};
    std::string lines;
    for (const twin::Fault& fault : report.faults) {
        lines += std::string(twin::name_of(fault.kind)) + ": " + fault.sentence + "\n";
    }
    std::strncpy(said, lines.c_str(), room - 1);
}

// What the kernel's threads take for number / stride.
int64_t arch35_over_stride(int64_t number, int64_t stride) {
    maxpoolgrad::Axis axis;
    axis.stride = stride;
    const arch35::Axis planned = arch35::kernel_axis(axis);
    arch35::BoxAxis<int32_t> narrow{};
    narrow.magic = static_cast<uint32_t>(planned.magic);
    narrow.shift = static_cast<uint32_t>(planned.shift);
    return arch35::over_stride(static_cast<int32_t>(number), narrow);
}

} // extern "C"
