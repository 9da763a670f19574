// The twin's one entry: run a kernel as blocks of an AI processor would, and report.
#pragma once

#include "report.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace twin {

struct Soc {
    int arch = 2201;                            // 2201: A2 and A3; 3510: 950
    uint32_t cores = 48;                        // vector cores
    uint32_t ub_bytes = 192 * 1024;             // unified buffer of a core
    uint64_t system_workspace_bytes = 16 << 20; // in front of the kernel's own part
};

enum class Access : uint8_t {
    kRead,      // an input: a write to it is a fault
    kWrite,     // an output: every byte must be written, and no byte may be read before
    kReadWrite, // holds values when the kernel begins
};

struct GmTensor {
    std::string name;
    void* data; // copied in and, where the kernel may write, copied out
    size_t bytes;
    Access access;
};

// The addresses that the kernel function is called with.
struct KernelArguments {
    std::vector<uint8_t*> tensors; // one a GmTensor, in order
    uint8_t* workspace;
    uint8_t* tiling;
};

using KernelEntry = void (*)(const KernelArguments&);

struct Launch {
    KernelEntry kernel; // see entry<> below
    Soc soc;
    uint32_t block_dim = 1;
    std::vector<uint8_t> tiling;
    uint64_t tiling_key = 0;
    std::vector<GmTensor> tensors;
    uint64_t workspace_bytes = 16 << 20; // what tiling asked for, the system's part included
    bool batch_mode = false;             // SetScheduleMode(1) in tiling
    bool automatic_sync = false; // the compiler's own sync, V-V and scalar: the twin asks for explicit
                                 // barriers and flags unless it is told to count on the compiler
};

Report run(const Launch& launch);

namespace detail {

template <auto Kernel, class... Addresses, size_t... I>
void call(void (*)(Addresses...), const KernelArguments& arguments, std::index_sequence<I...>) {
    Kernel(arguments.tensors[I]..., arguments.workspace, arguments.tiling);
}

template <auto Kernel, class... Addresses>
void call_all(void (*signature)(Addresses...), const KernelArguments& arguments) {
    static_assert(sizeof...(Addresses) >= 2, "the last two arguments are workspace and tiling");
    call<Kernel>(signature, arguments, std::make_index_sequence<sizeof...(Addresses) - 2>());
}

} // namespace detail

// entry<max_pool_v3_grad>: for a kernel function of GM_ADDR arguments, the last two workspace and tiling.
template <auto Kernel>
void entry(const KernelArguments& arguments) {
    detail::call_all<Kernel>(Kernel, arguments);
}

} // namespace twin
