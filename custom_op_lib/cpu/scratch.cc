#include "scratch.h"

#include <memory>

namespace maxpoolgrad {
namespace {

constexpr uintptr_t kLine = 64;

struct Scratch {
    std::unique_ptr<char[]> memory;
    size_t bytes = 0;
};

} // namespace

float* thread_scratch(int64_t floats) {
    static thread_local Scratch scratch;
    const size_t bytes = static_cast<size_t>(floats) * sizeof(float) + kLine;
    if (bytes > scratch.bytes) {
        scratch.memory.reset(new char[bytes]);
        scratch.bytes = bytes;
    }
    const auto address = reinterpret_cast<uintptr_t>(scratch.memory.get());
    return reinterpret_cast<float*>((address + kLine - 1) / kLine * kLine);
}

} // namespace maxpoolgrad
