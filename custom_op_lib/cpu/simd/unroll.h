// Loops of a known length, unrolled where they stand, so that arrays indexed by them stay in registers.
#pragma once

#include <utility>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// An int that is known when it is compiled. (std::integral_constant has a function that all targets would
// share.)
template <int number>
struct Constant {
    constexpr operator int() const { return number; }
};

template <class Body, int... index>
[[gnu::always_inline]] inline void unroll_over(const Body& body, std::integer_sequence<int, index...>) {
    (body(Constant<index>{}), ...);
}

// Calls body(0) .. body(N - 1) with constants.
template <int N, class Body>
[[gnu::always_inline]] inline void unroll(const Body& body) {
    unroll_over(body, std::make_integer_sequence<int, N>{});
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
