// What the blind kernels are launched with: tensors of zeros, of the size that each asks for.
#pragma once

#include "harness.h"

#include <deque>

inline twin::GmTensor zeros(const char* name, size_t bytes, twin::Access access) {
    static std::deque<std::vector<uint8_t>> all; // stay in place as more are added
    return {name, all.emplace_back(bytes).data(), bytes, access};
}

inline twin::GmTensor input(const char* name, size_t bytes) {
    return zeros(name, bytes, twin::Access::kRead);
}
inline twin::GmTensor output(const char* name, size_t bytes) {
    return zeros(name, bytes, twin::Access::kWrite);
}
inline twin::GmTensor sums(const char* name, size_t bytes) {
    return zeros(name, bytes, twin::Access::kReadWrite);
}
