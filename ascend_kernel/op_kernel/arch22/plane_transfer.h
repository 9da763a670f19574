// Transfers of rows of several planes between global memory and the unified buffer.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

// Planes of a tensor in memory, from a row and a column on.
struct PlaneImage {
    int64_t height, width;
    int64_t plane, row, column;

    __aicore__ inline int64_t offset(int64_t more_planes) const {
        return ((plane + more_planes) * height + row) * width + column;
    }
};

// The same in the unified buffer.
struct PlaneRun {
    int64_t planes, rows, columns;
    int32_t pitch; // elements from row to row
    int32_t bytes; // from plane to plane
    bool whole;    // rows follow on each other, in memory too
};

// Block counts and gaps that a transfer's parameters take.
constexpr int64_t kMostBlocks = 4095;
constexpr int64_t kMostGap = int64_t{1} << 31;

// One transfer: `count` blocks, `gap` bytes apart in memory and `padding` blocks of 32 B in the unified
// buffer.
struct PlaneBlocks {
    int64_t count, length, gap, padding;
};

template <class T>
__aicore__ inline void transfer(const Local<T>& to, const AscendC::GlobalTensor<T>& from,
                                const PlaneBlocks& blocks) {
    const int64_t rest = (kBlockBytes - blocks.length % kBlockBytes) % kBlockBytes / Element<T>::kBytes;
    const AscendC::DataCopyPadExtParams<T> padding(true, 0, static_cast<uint8_t>(rest), static_cast<T>(0));
    const AscendC::DataCopyExtParams params(
        static_cast<uint16_t>(blocks.count), static_cast<uint32_t>(blocks.length),
        static_cast<uint32_t>(blocks.gap), static_cast<uint32_t>(blocks.padding), 0);
    AscendC::DataCopyPad(to, from, params, padding);
}
template <class T>
__aicore__ inline void transfer(const AscendC::GlobalTensor<T>& to, const Local<T>& from,
                                const PlaneBlocks& blocks) {
    const AscendC::DataCopyExtParams params(
        static_cast<uint16_t>(blocks.count), static_cast<uint32_t>(blocks.length),
        static_cast<uint32_t>(blocks.padding), static_cast<uint32_t>(blocks.gap), 0);
    AscendC::DataCopyPad(to, from, params);
}

// Calls `move` for each transfer: for all planes at once where each is one block; else plane by plane, a
// block a row. `move(memory, buffer, blocks)` gets offsets in elements.
template <class T, class Move>
__aicore__ inline void for_each_transfer(const PlaneImage& image, const PlaneRun& run, const Move& move) {
    constexpr int64_t kBytes = Element<T>::kBytes;
    if (run.rows == 0 || run.columns == 0) {
        return;
    }
    const int64_t length = (run.whole ? run.rows * run.columns : run.columns) * kBytes;
    const int64_t plane_gap = image.height * image.width * kBytes - length;
    if (run.whole && plane_gap < kMostGap) {
        const int64_t padding =
            (run.bytes - round_up(static_cast<int32_t>(length), kBlockBytes)) / kBlockBytes;
        for (int64_t plane = 0; plane < run.planes; plane += kMostBlocks) {
            const PlaneBlocks blocks{smaller(kMostBlocks, run.planes - plane), length, plane_gap, padding};
            move(image.offset(plane), plane * run.bytes / kBytes, blocks);
        }
        return;
    }
    const int64_t row_gap = run.whole ? 0 : image.width * kBytes - length;
    const int64_t rows = run.whole ? 1 : run.rows;
    const int64_t most = row_gap < kMostGap ? kMostBlocks : 1;
    for (int64_t plane = 0; plane < run.planes; ++plane) {
        for (int64_t row = 0; row < rows; row += most) {
            const int64_t count = smaller(most, rows - row);
            const PlaneBlocks blocks{count, length, count == 1 ? 0 : row_gap, 0};
            move(image.offset(plane) + row * image.width, plane * run.bytes / kBytes + row * run.pitch,
                 blocks);
        }
    }
}

template <class T>
struct ReadPlanes {
    const Local<T>& to;
    const AscendC::GlobalTensor<T>& from;

    __aicore__ inline void operator()(int64_t memory, int64_t buffer, const PlaneBlocks& blocks) const {
        transfer<T>(to[static_cast<uint32_t>(buffer)], from[memory], blocks);
    }
};
template <class T>
struct WritePlanes {
    const AscendC::GlobalTensor<T>& to;
    const Local<T>& from;

    __aicore__ inline void operator()(int64_t memory, int64_t buffer, const PlaneBlocks& blocks) const {
        transfer<T>(to[memory], from[static_cast<uint32_t>(buffer)], blocks);
    }
};

template <class T>
__aicore__ inline void read_planes(const Local<T>& to, const AscendC::GlobalTensor<T>& from,
                                   const PlaneImage& image, const PlaneRun& run) {
    const ReadPlanes<T> move{to, from};
    for_each_transfer<T>(image, run, move);
}
template <class T>
__aicore__ inline void write_planes(const AscendC::GlobalTensor<T>& to, const PlaneImage& image,
                                    const Local<T>& from, const PlaneRun& run) {
    const WritePlanes<T> move{to, from};
    for_each_transfer<T>(image, run, move);
}

} // namespace maxpoolgrad::arch22
