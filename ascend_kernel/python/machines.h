// What a tiling function reads from the platform, for where there is no platform: by soc_version, as CANN's
// own platform files have it.
#pragma once

#include <cstdint>
#include <op_kernel/plan.h>
#include <string>
#include <vector>

namespace maxpoolgrad {

inline constexpr uint64_t kSystemWorkspaceBytes = 16 << 20; // GetLibApiWorkSpaceSize() of all of them

// Processors that differ in nothing that a plan asks for.
struct Family {
    Machine machine;
    uint32_t ub_bytes; // of a core, what CANN keeps for itself included
    std::vector<const char*> soc_versions;
};

inline const std::vector<Family>& families() {
    constexpr uint32_t kUb2201 = 192 * 1024, kUb3510 = 248 * 1024;
    constexpr int64_t kKept2201 = 256; // of the unified buffer, that GetCoreMemSize leaves out
    static const std::vector<Family> all = {
        {{2201, 48, kUb2201 - kKept2201},
         kUb2201,
         {"Ascend910B1", "Ascend910B2", "Ascend910B2C", "Ascend910_9381", "Ascend910_9382", "Ascend910_9391",
          "Ascend910_9392"}},
        {{2201, 40, kUb2201 - kKept2201},
         kUb2201,
         {"Ascend910B3", "Ascend910B4", "Ascend910B4-1", "Ascend910_9362", "Ascend910_9363",
          "Ascend910_9372"}},
        {{3510, 8, kUb3510}, kUb3510, {"Ascend950PR_950z"}},
        {{3510, 16, kUb3510}, kUb3510, {"Ascend950DT_950x", "Ascend950DT_950y"}},
        {{3510, 56, kUb3510},
         kUb3510,
         {"Ascend950PR_9579", "Ascend950PR_957b", "Ascend950PR_957bx", "Ascend950PR_957c", "Ascend950PR_957d",
          "Ascend950DT_9571", "Ascend950DT_9572", "Ascend950DT_9573", "Ascend950DT_9574", "Ascend950DT_9575",
          "Ascend950DT_9576", "Ascend950DT_9577", "Ascend950DT_9578"}},
        {{3510, 64, kUb3510},
         kUb3510,
         {"Ascend950PR_9589", "Ascend950PR_958b", "Ascend950DT_9581", "Ascend950DT_9581x", "Ascend950DT_9582",
          "Ascend950DT_9582x", "Ascend950DT_9583", "Ascend950DT_9584", "Ascend950DT_9585", "Ascend950DT_9586",
          "Ascend950DT_9587", "Ascend950DT_9588"}},
        {{3510, 72, kUb3510},
         kUb3510,
         {"Ascend950PR_9599", "Ascend950DT_9591", "Ascend950DT_9592", "Ascend950DT_9595", "Ascend950DT_9596",
          "Ascend950DT_95A1", "Ascend950DT_95A2"}},
    };
    return all;
}

// Null where the platform files have no such soc_version.
inline const Family* family_of(const std::string& soc_version) {
    for (const Family& family : families()) {
        for (const char* name : family.soc_versions) {
            if (soc_version == name) {
                return &family;
            }
        }
    }
    return nullptr;
}

} // namespace maxpoolgrad
