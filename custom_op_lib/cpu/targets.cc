#include "targets.h"

#include "fast/targets.h"

#include <cstdlib>
#include <string>

namespace maxpoolgrad {
namespace {

bool has(Target target) {
    switch (target) {
    case Target::kScalar:
    case Target::kBaseline: return true;
#if defined(__x86_64__)
    case Target::kAvx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
    case Target::kAvx512:
        return has(Target::kAvx2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    default: return false;
    }
}

// What the environment asks for, where that is a target that this processor has; else the best one.
Target choose() {
    const std::vector<Target> targets = cpu_targets();
    const char* asked = std::getenv(kTargetVariable);
    const int index = index_of(kTargets, asked == nullptr ? "" : asked);
    return index >= 0 && has(static_cast<Target>(index)) ? static_cast<Target>(index) : targets.back();
}

} // namespace

std::vector<Target> cpu_targets() {
    std::vector<Target> found;
    for (size_t index = 0; index < kTargets.size(); ++index) {
        if (has(static_cast<Target>(index))) {
            found.push_back(static_cast<Target>(index));
        }
    }
    return found;
}

Target chosen_target() {
    static const Target target = choose();
    return target;
}

FastChoice choose([[maybe_unused]] Target target, const FastJob& job, Dtype dtype) {
    const bool float16 = dtype == Dtype::kFloat16;
#if defined(__x86_64__)
    if (target == Target::kAvx512) {
        const FastChoice choice = avx512::choose(job, float16);
        if (choice.run != nullptr) {
            return choice;
        }
    }
    if (target != Target::kBaseline) {
        return avx2::choose(job, float16);
    }
#endif
    return baseline::choose(job, float16);
}

} // namespace maxpoolgrad
