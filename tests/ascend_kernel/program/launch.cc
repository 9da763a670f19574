#include "launch.h"

#include "half.h"

#include <cmath>
#include <cstring>

#define GM_ADDR uint8_t*
extern "C" {
void max_pool_v3_grad_half(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR);
void max_pool_v3_grad_float(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR);
}

namespace kernel_test {

namespace {

using maxpoolgrad::Dtype;

float value_at(Dtype dtype, const std::vector<uint8_t>& bytes, int64_t index) {
    if (dtype == Dtype::kFloat16) {
        maxpoolgrad::Half half;
        std::memcpy(&half, bytes.data() + 2 * index, 2);
        return maxpoolgrad::to_float(half);
    }
    float value;
    std::memcpy(&value, bytes.data() + 4 * index, 4);
    return value;
}

// Every NaN is one, and so are both zeros.
bool same(float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

std::string axis_text(const maxpoolgrad::Axis& axis) {
    return std::to_string(axis.input) + "->" + std::to_string(axis.output) + " k" +
           std::to_string(axis.kernel) + " s" + std::to_string(axis.stride) + " p" + std::to_string(axis.pad);
}

} // namespace

Outcome run_on_twin(const Case& given, uint32_t cores) {
    Outcome out;
    maxpoolgrad::Machine machine;
    machine.vector_cores = cores;
    out.plan = maxpoolgrad::plan_kernel(given.pooling, given.dtype, machine);
    out.out_grad.assign(given.x.size(), 0xa5);
    const bool half = given.dtype == Dtype::kFloat16;
    twin::Launch launch;
    launch.kernel = half ? twin::entry<max_pool_v3_grad_half> : twin::entry<max_pool_v3_grad_float>;
    launch.soc.cores = cores;
    launch.block_dim = out.plan.block_dim;
    launch.tiling = out.plan.tiling_data;
    launch.tiling_key = out.plan.tiling_key;
    const auto input = [](const char* name, const std::vector<uint8_t>& bytes) {
        return twin::GmTensor{name, const_cast<uint8_t*>(bytes.data()), bytes.size(), twin::Access::kRead};
    };
    launch.tensors = {
        input("orig_input", given.x), input("orig_output", given.y), input("grad", given.grad),
        twin::GmTensor{"out_grad", out.out_grad.data(), out.out_grad.size(), twin::Access::kWrite}};
    out.report = twin::run(launch);
    for (int64_t i = 0; i < elements_of_input(given.pooling); ++i) {
        if (!same(value_at(given.dtype, out.out_grad, i), value_at(given.dtype, given.expected, i))) {
            out.first_wrong = out.wrong == 0 ? i : out.first_wrong;
            ++out.wrong;
        }
    }
    return out;
}

std::string describe(const Case& given) {
    const maxpoolgrad::Pooling& pooling = given.pooling;
    return given.name + (given.dtype == Dtype::kFloat16 ? " float16 " : " float32 ") +
           (pooling.format == maxpoolgrad::DataFormat::kNchw ? "NCHW " : "NHWC ") +
           std::to_string(pooling.batch) + "x" + std::to_string(pooling.channels) + " h " +
           axis_text(pooling.h) + ", w " + axis_text(pooling.w);
}

std::string describe(const maxpoolgrad::KernelPlan& plan) {
    maxpoolgrad::arch22::Tiling tiling;
    std::memcpy(&tiling, plan.tiling_data.data(), sizeof tiling);
    const auto number = [](const char* name, int64_t value) {
        return std::string(name) + std::to_string(value);
    };
    const maxpoolgrad::arch22::Stage& stage = tiling.main;
    return number("key ", static_cast<int64_t>(plan.tiling_key)) + number(" blocks ", plan.block_dim) +
           number(" groups ", tiling.groups) + number(" lanes ", tiling.lanes) +
           number(" strips ", tiling.strips) + number(" of ", tiling.strip_cells) +
           number(" pitch ", tiling.pitch) + number(" units ", tiling.units) +
           number(" of ", tiling.unit_rows) + number(" slots ", stage.slots) +
           number(" tile ", stage.tile_rows) + number(" band ", stage.band_rows) +
           number(" carries ", stage.carries) + number(" UB ", stage.at.all);
}

} // namespace kernel_test
