// Barriers and fences among the threads of a block.
#pragma once

#include "device_types.h"

inline void asc_syncthreads(twin::Site site = twin::Site::here()) {
    twin::simt::sync_threads(site);
}

// The model's memory is sequentially consistent, so that a fence has nothing to do.
inline void asc_threadfence() {}
inline void asc_threadfence_block() {}
