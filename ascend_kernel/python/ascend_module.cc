// The Python module _ascend: the tiling plan and the CPU twin, as thin as can be. The converters check what
// comes in and turn what goes out into data classes of their own.
#include "kernels.h"
#include "machines.h"

#include <twin/run.h>

#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>

#include <custom_op_lib/python/arguments.h>
#include <optional>

using namespace maxpoolgrad;
using namespace nb::literals;

namespace {

// Batch mode in TilingContext::SetScheduleMode.
constexpr uint32_t kBatchMode = 1;
// The largest data cache that the 950 takes off the unified buffer; the rest is the kernel's local memory.
constexpr int64_t kSimtCacheBytes = 128 * 1024;

const Family& known_family(const std::string& soc_version) {
    const Family* family = family_of(soc_version);
    require(family != nullptr, "soc_version is unknown");
    return *family;
}

// What a tiling function hands to CANN.
struct Launch {
    uint64_t tiling_key = 0;
    nb::bytes tiling_data;
    uint32_t block_dim = 1;
    uint64_t workspace_bytes = 0;
    uint32_t schedule_mode = 0;
    uint32_t local_memory_bytes = 0;
};

Launch plan(const std::string& soc_version, std::optional<int64_t> cores, const nb::dict& values,
            const std::string& dtype, const Shape& orig_input, const Shape& orig_output) {
    Machine machine = known_family(soc_version).machine;
    require(cores.value_or(1) >= 1, "cores must be 1 or more");
    machine.vector_cores = std::min(cores.value_or(machine.vector_cores), machine.vector_cores);
    require(orig_input.size() == kRank && orig_output.size() == kRank, "shapes must have 4 dimensions");
    require(index_of(kDtypes, dtype) >= 0, "dtype must be float16 or float32");
    const Pooling pooling = make_pooling(attributes_of(values), orig_input, orig_output);
    const KernelPlan plan = plan_kernel(pooling, static_cast<Dtype>(index_of(kDtypes, dtype)), machine);
    const int64_t local = machine.arch == 3510 ? machine.ub_bytes - kSimtCacheBytes : 0;
    return {plan.tiling_key,
            nb::bytes(plan.tiling_data.data(), plan.tiling_data.size()),
            plan.block_dim,
            kSystemWorkspaceBytes,
            0,
            static_cast<uint32_t>(local)};
}

twin::GmTensor tensor(const char* name, const void* data, size_t bytes, twin::Access access) {
    return {name, const_cast<void*>(data), bytes, access};
}

twin::Report run(const std::string& soc_version, const Launch& launch, const InputArray& orig_input,
                 const InputArray& orig_output, const InputArray& grad, const OutputArray& out_grad) {
    const Family& family = known_family(soc_version);
    const Dtype dtype = dtype_of(orig_input);
    require(dtype_of(orig_output) == dtype && dtype_of(grad) == dtype && dtype_of(out_grad) == dtype,
            "dtypes differ");
    const auto* tiling = static_cast<const uint8_t*>(launch.tiling_data.data());
    twin::Launch run;
    run.kernel = kernel_for(family.machine.arch, dtype);
    run.soc.arch = static_cast<int>(family.machine.arch);
    run.soc.cores = static_cast<uint32_t>(family.machine.vector_cores);
    run.soc.ub_bytes = family.ub_bytes;
    run.soc.system_workspace_bytes = kSystemWorkspaceBytes;
    run.block_dim = launch.block_dim;
    run.tiling.assign(tiling, tiling + launch.tiling_data.size());
    run.tiling_key = launch.tiling_key;
    run.tensors = {tensor(kInputNames[0], orig_input.data(), orig_input.nbytes(), twin::Access::kRead),
                   tensor(kInputNames[1], orig_output.data(), orig_output.nbytes(), twin::Access::kRead),
                   tensor(kInputNames[2], grad.data(), grad.nbytes(), twin::Access::kRead),
                   tensor(kOutputName, out_grad.data(), out_grad.nbytes(), twin::Access::kWrite)};
    run.workspace_bytes = launch.workspace_bytes;
    run.batch_mode = launch.schedule_mode == kBatchMode;
    const nb::gil_scoped_release unlocked;
    return twin::run(run);
}

void add_plan(nb::module_& m) {
    nb::list names;
    for (const Family& family : families()) {
        for (const char* name : family.soc_versions) {
            names.append(name);
        }
    }
    m.attr("SOC_VERSIONS") = nb::tuple(names);
    m.attr("KERNEL_NAME") = kKernelName;
    nb::class_<Launch>(m, "Launch")
        .def(
            "__init__",
            [](Launch* self, uint64_t tiling_key, const nb::bytes& tiling_data, uint32_t block_dim,
               uint64_t workspace_bytes, uint32_t schedule_mode, uint32_t local_memory_bytes) {
                new (self) Launch{tiling_key,      tiling_data,   block_dim,
                                  workspace_bytes, schedule_mode, local_memory_bytes};
            },
            "tiling_key"_a, "tiling_data"_a, "block_dim"_a, "workspace_bytes"_a, "schedule_mode"_a,
            "local_memory_bytes"_a)
        .def_ro("tiling_key", &Launch::tiling_key)
        .def_ro("tiling_data", &Launch::tiling_data)
        .def_ro("block_dim", &Launch::block_dim)
        .def_ro("workspace_bytes", &Launch::workspace_bytes)
        .def_ro("schedule_mode", &Launch::schedule_mode)
        .def_ro("local_memory_bytes", &Launch::local_memory_bytes);
    m.def("vector_cores",
          [](const std::string& soc_version) { return known_family(soc_version).machine.vector_cores; });
    m.def("strategy_of", &strategy_of, "tiling_key"_a);
    m.def("plan", &plan, "soc_version"_a, "cores"_a.none(), "attributes"_a, "dtype"_a, "orig_input"_a,
          "orig_output"_a);
}

void add_report(nb::module_& m) {
    nb::class_<twin::Fault>(m, "Fault")
        .def_prop_ro("kind", [](const twin::Fault& fault) { return twin::name_of(fault.kind); })
        .def_ro("core", &twin::Fault::core)
        .def_ro("sentence", &twin::Fault::sentence)
        .def_ro("file", &twin::Fault::file)
        .def_ro("line", &twin::Fault::line)
        .def_ro("count", &twin::Fault::count);
    nb::class_<twin::Traffic>(m, "Traffic")
        .def_ro("bytes", &twin::Traffic::bytes)
        .def_ro("bursts", &twin::Traffic::bursts)
        .def_ro("unaligned_bursts", &twin::Traffic::unaligned_bursts)
        .def_ro("transfers", &twin::Traffic::transfers)
        .def_ro("burst_sizes", &twin::Traffic::burst_sizes);
    nb::class_<twin::Counters>(m, "Counters")
        .def_ro("read", &twin::Counters::read)
        .def_ro("written", &twin::Counters::written)
        .def_ro("vector_instructions", &twin::Counters::vector_instructions)
        .def_ro("vector_repeats", &twin::Counters::vector_repeats)
        .def_ro("scalar_ops", &twin::Counters::scalar_ops)
        .def_ro("sync_alls", &twin::Counters::sync_alls)
        .def_prop_ro("threads", [](const twin::Counters& counters) { return counters.simt.threads; })
        .def_prop_ro("instructions", [](const twin::Counters& counters) {
            nb::dict all;
            for (const auto& [name, count] : counters.instructions) {
                all[name.c_str()] = nb::make_tuple(count.instructions, count.repeats);
            }
            return all;
        });
    nb::class_<twin::Report>(m, "Report")
        .def_ro("faults", &twin::Report::faults)
        .def_ro("total", &twin::Report::total)
        .def_ro("cores", &twin::Report::cores);
}

} // namespace

NB_MODULE(_ascend, m) {
    add_plan(m);
    add_report(m);
    m.def("run", &run, "soc_version"_a, "launch"_a, "orig_input"_a, "orig_output"_a, "grad"_a, "out_grad"_a);
}
