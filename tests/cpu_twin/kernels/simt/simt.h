// What the kernels of this folder share: SIMT functions on a launch of the 950.
#pragma once

#include "../harness.h"
#include "simt_api/asc_fp16.h"
#include "simt_api/asc_simt.h"

constexpr uint32_t kThreads = 256;

// `blocks` blocks on as many cores of a 950.
inline void on_950(twin::Launch& launch, uint32_t blocks = 1) {
    launch.soc.arch = 3510;
    launch.soc.cores = blocks;
    launch.soc.ub_bytes = 248 * 1024;
    launch.block_dim = blocks;
}

#define SEEDED_SIMT_DEFECT(kind, ...)                                                                        \
    SEEDED_DEFECT(kind, [](twin::Launch& launch, bool) { on_950(launch __VA_OPT__(, ) __VA_ARGS__); })

template <class T>
__gm__ T* as(GM_ADDR address) {
    return reinterpret_cast<__gm__ T*>(address);
}
