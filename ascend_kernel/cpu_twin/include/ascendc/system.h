// Where a block stands in its launch: indices, workspace, tiling data and tiling key.
#pragma once

#include "enums.h"

#include <twin/engine.h>

namespace AscendC {

inline int64_t GetBlockIdx() {
    return twin::block_index();
}
inline int64_t GetBlockNum() {
    return twin::block_count();
}
inline int64_t GetSubBlockIdx() {
    return 0;
}
inline int64_t GetSubBlockNum() {
    return 1;
}
inline int64_t GetTaskRatio() {
    return 1;
}
inline constexpr int16_t GetDataBlockSizeInBytes() {
    return ONE_BLK_SIZE;
}
inline void ICachePreLoad(int64_t /*length*/) {}

inline __gm__ uint8_t* GetUserWorkspace(__gm__ uint8_t* workspace, twin::Site site = twin::Site::here()) {
    return twin::user_workspace(workspace, site);
}

} // namespace AscendC

using AscendC::GetUserWorkspace; // found by argument-less lookup in kernels outside the namespace, as on the
                                 // device

#define KERNEL_TASK_TYPE_DEFAULT(type) twin::set_kernel_type(type)
#define KERNEL_TASK_TYPE(key, type)                                                                          \
    if (twin::tiling_key() == static_cast<uint64_t>(key)) {                                                  \
        twin::set_kernel_type(type);                                                                         \
    }
#define TILING_KEY_IS(key) (twin::tiling_key() == static_cast<uint64_t>(key))

#define REGISTER_TILING_DEFAULT(Struct) using TwinTilingDefault [[maybe_unused]] = Struct
#define REGISTER_TILING_FOR_TILINGKEY(condition, Struct) static_assert(sizeof(Struct) > 0)
#define GET_TILING_DATA_WITH_STRUCT(Struct, name, address)                                                   \
    Struct name;                                                                                             \
    twin::read_tiling(&name, sizeof(name), address, twin::Site::here())
#define GET_TILING_DATA(name, address) GET_TILING_DATA_WITH_STRUCT(TwinTilingDefault, name, address)
