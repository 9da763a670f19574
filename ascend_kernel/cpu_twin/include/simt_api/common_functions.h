// asc_vf_call: starts the threads of a block on a SIMT function.
#pragma once

#include "device_types.h"

#include <type_traits>

namespace twin::simt {

template <class... Parameters>
constexpr bool by_value(void (*)(Parameters...)) {
    return (!std::is_reference_v<Parameters> && ...);
}

template <class Argument>
void check(const Argument& argument, int number, Site site) {
    if constexpr (std::is_pointer_v<Argument>) {
        check_argument(const_cast<const void*>(static_cast<const volatile void*>(argument)), number, site);
    }
}

} // namespace twin::simt

template <auto function, typename... Args>
__aicore__ inline void asc_vf_call(dim3 threads, Args&&... args) {
    static_assert(twin::simt::by_value(function), "a SIMT function takes its arguments by value");
    int number = 0;
    (twin::simt::check(args, ++number, threads.site), ...);
    auto body = [&] { function(args...); };
    const auto call = [](void* argument) { (*static_cast<decltype(body)*>(argument))(); };
    twin::simt::launch({threads.x, threads.y, threads.z}, call, &body, threads.site);
}
