// Loads and stores that say which cache they use.
#pragma once

#include "device_atomic_functions.h"
#include "device_sync_functions.h"

// ca: through the data cache. cg: past it, to the L2 cache. wt: to both.
template <class T>
T asc_ldca(__gm__ T* address, twin::Site site = twin::Site::here()) {
    static_assert(!std::is_const_v<T> && sizeof(T) <= 32, "no such overload on the device");
    T value;
    twin::simt::load(&value, address, sizeof(T), twin::simt::Path::kCached, site);
    return value;
}

template <class T>
T asc_ldcg(__gm__ T* address, twin::Site site = twin::Site::here()) {
    static_assert(!std::is_const_v<T> && sizeof(T) <= 32, "no such overload on the device");
    T value;
    twin::simt::load(&value, address, sizeof(T), twin::simt::Path::kPast, site);
    return value;
}

template <class T>
void asc_stcg(__gm__ T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    static_assert(!std::is_const_v<T> && sizeof(T) <= 32, "no such overload on the device");
    twin::simt::store(address, &value, sizeof(T), twin::simt::Path::kPast, site);
}

template <class T>
void asc_stwt(__gm__ T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    static_assert(!std::is_const_v<T> && sizeof(T) <= 32, "no such overload on the device");
    twin::simt::store(address, &value, sizeof(T), twin::simt::Path::kCached, site);
}

inline void asc_dcci_single(__gm__ void* address, twin::Site site = twin::Site::here()) {
    twin::simt::invalidate(address, false, site);
}
inline void asc_dcci_entire(__gm__ void* address, twin::Site site = twin::Site::here()) {
    twin::simt::invalidate(address, true, site);
}
inline void asc_nop() {}
