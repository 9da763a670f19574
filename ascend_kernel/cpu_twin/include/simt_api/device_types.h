// Qualifiers, types and built-in variables of SIMT code, with the names that the 950's compiler gives them.
#pragma once

#include "ascendc/enums.h"
#include "ascendc/scalar_types.h"

#include <twin/simt.h>

#define __simt_vf__
#define __simt_callee__
#define __launch_bounds__(threads)

struct dim3 {
    uint32_t x, y, z;
    twin::Site site; // of a launch with these dimensions

    dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1, twin::Site site = twin::Site::here())
        : x(x), y(y), z(z), site(site) {}
};

struct alignas(4) half2 {
    half x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) int2 {
    int32_t x, y;
};
struct alignas(16) int4 {
    int32_t x, y, z, w;
};
struct alignas(8) uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

constexpr int32_t warpSize = 32;

// Where the calling thread stands. A launch sets them.
inline thread_local twin::simt::Dimensions threadIdx{0, 0, 0}, blockDim{}, blockIdx{0, 0, 0}, gridDim{};
