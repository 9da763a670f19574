// Atomic operations on global memory and on the unified buffer. Each gives the value before.
#pragma once

#include "device_types.h"

#include <type_traits>

namespace twin::simt {

template <class T>
T run_atomic(AtomicOp op, T* address, T operand, T expected, Site site) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics of SIMT code take 32 and 64 bits");
    const uint64_t bits =
        atomic(address, {op, dtype_of<T>(), scalar_bits(operand), scalar_bits(expected)}, site);
    T before;
    std::memcpy(&before, &bits, sizeof(T));
    return before;
}

} // namespace twin::simt

template <class T>
T asc_atomic_add(T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    return twin::simt::run_atomic<T>(twin::simt::AtomicOp::kAdd, address, value, value, site);
}
template <class T>
T asc_atomic_max(T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    return twin::simt::run_atomic<T>(twin::simt::AtomicOp::kMax, address, value, value, site);
}
template <class T>
T asc_atomic_min(T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    return twin::simt::run_atomic<T>(twin::simt::AtomicOp::kMin, address, value, value, site);
}
template <class T>
T asc_atomic_exch(T* address, std::common_type_t<T> value, twin::Site site = twin::Site::here()) {
    return twin::simt::run_atomic<T>(twin::simt::AtomicOp::kExchange, address, value, value, site);
}
template <class T>
T asc_atomic_cas(T* address, std::common_type_t<T> expected, std::common_type_t<T> value,
                 twin::Site site = twin::Site::here()) {
    return twin::simt::run_atomic<T>(twin::simt::AtomicOp::kCompareExchange, address, value, expected, site);
}
