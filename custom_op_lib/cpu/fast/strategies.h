// The strategies as the target that includes this is compiled.
#pragma once

#include "separable.h"
#include "targets.h"
#include "two_by_two.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr FastStrategies kFloat32 = {&two_by_two<float>, &separable<float>, &separable_scratch};
constexpr FastStrategies kFloat16 = {&two_by_two<uint16_t>, &separable<uint16_t>, &separable_scratch};

} // namespace

FastStrategies strategies(bool float16) {
    return float16 ? kFloat16 : kFloat32;
}

} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
