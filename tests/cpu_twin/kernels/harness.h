// Small kernels for the twin. A file of defects/ is one kernel in two versions: as it should be, and with the
// fault that the file is named for. A file of values/ computes something that the Python side computes again.
#pragma once

#include "kernel_operator.h"

#include <twin/run.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace AscendC;

// Every kernel gets x (an input) and y (an output) of kBytes, read as whatever type it likes.
constexpr uint32_t kBytes = 4096;
constexpr uint32_t kHalves = kBytes / 2;
constexpr uint32_t kFloats = kBytes / 4;

struct Trial {
    std::string name; // the file's
    twin::FaultKind kind;
    twin::KernelEntry clean;
    twin::KernelEntry faulty;                                    // null in values/
    void (*change)(twin::Launch& launch, bool faulty) = nullptr; // of what is launched
};

std::vector<Trial>& trials();
bool add_trial(const char* file, Trial trial);

#define SEEDED_DEFECT(kind, ...)                                                                             \
    const bool registered = add_trial(__FILE__, {"", twin::FaultKind::kind, twin::entry<kernel<false>>,      \
                                                 twin::entry<kernel<true>>, __VA_ARGS__})
#define COMPUTED_VALUES(...)                                                                                 \
    const bool registered = add_trial(                                                                       \
        __FILE__, {"", twin::FaultKind::kUbOutOfBounds, twin::entry<kernel>, nullptr, __VA_ARGS__})

template <class T>
GlobalTensor<T> global(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address));
    return tensor;
}

// The unified buffer by hand: one buffer, cut into tensors.
struct Room {
    TPipe pipe;
    TBuf<> buffer;

    explicit Room(uint32_t bytes) { pipe.InitBuffer(buffer, bytes); }
    template <class T>
    LocalTensor<T> take(uint32_t count) {
        LocalTensor<T> tensor = buffer.GetWithOffset<T>(count, used_);
        used_ += (count * sizeof(T) + 31) / 32 * 32;
        return tensor;
    }

private:
    uint32_t used_ = 0;
};

template <HardEvent event>
void flag() {
    SetFlag<event>(0);
    WaitFlag<event>(0);
}

template <class T>
void load(const LocalTensor<T>& local, const GlobalTensor<T>& source, uint32_t count) {
    DataCopy(local, source, count);
    flag<HardEvent::MTE2_V>();
}

template <class T>
void save(const GlobalTensor<T>& destination, const LocalTensor<T>& local, uint32_t count) {
    flag<HardEvent::V_MTE3>();
    DataCopy(destination, local, count);
}

// y = x, for kernels whose interest lies elsewhere.
inline void pass(GM_ADDR x, GM_ADDR y, Room& room) {
    LocalTensor<half> all = room.take<half>(kHalves);
    DataCopy(all, global<half>(x), kHalves);
    flag<HardEvent::MTE2_MTE3>();
    DataCopy(global<half>(y), all, kHalves);
}
