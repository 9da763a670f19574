// Element types as the kernel moves and fills them, and small vector calls that it makes everywhere.
#pragma once

#include "kernel_operator.h"
#include "tiling.h"

namespace maxpoolgrad::arch22 {

constexpr int32_t kBlockBytes = 32;
constexpr int32_t kRepeatBytes = 256;
constexpr int32_t kGroupLanes = 16; // planes that TransDataTo5HD exchanges with pixels

template <class T>
struct Element;

template <>
struct Element<half> {
    using Bits = uint16_t;
    static constexpr int32_t kBytes = 2;
    static constexpr Bits kNan = 0x7e00;
    static constexpr Bits kMinusInfinity = 0xfc00;
};

template <>
struct Element<float> {
    using Bits = uint32_t;
    static constexpr int32_t kBytes = 4;
    static constexpr Bits kNan = 0x7fc00000;
    static constexpr Bits kMinusInfinity = 0xff800000;
};

__aicore__ inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}
__aicore__ inline int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}
__aicore__ inline int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}
// For a >= 0 and b > 0.
__aicore__ inline int32_t quotient_up(int32_t a, int32_t b) {
    return (a + b - 1) / b;
}
__aicore__ inline int32_t round_up(int32_t a, int32_t b) {
    return quotient_up(a, b) * b;
}

// Vector instructions wait for those before them.
__aicore__ inline void step() {
    AscendC::PipeBarrier<PIPE_V>();
}

template <class T>
using Local = AscendC::LocalTensor<T>;

template <class T>
__aicore__ inline void fill(const Local<T>& to, typename Element<T>::Bits bits, int32_t count) {
    using Bits = typename Element<T>::Bits;
    if (count > 0) {
        AscendC::Duplicate<Bits>(to.template ReinterpretCast<Bits>(), bits, count);
    }
}

// Compare fills whole repeats.
template <class T>
__aicore__ inline int32_t whole_repeats(int32_t lanes) {
    return round_up(lanes, kRepeatBytes / Element<T>::kBytes);
}

template <class T>
__aicore__ inline void compare(const Local<uint8_t>& bits, const Local<T>& a, const Local<T>& b,
                               AscendC::CMPMODE mode, int32_t lanes) {
    AscendC::Compare(bits, a, b, mode, static_cast<uint32_t>(whole_repeats<T>(lanes)));
}

// `from` where a bit is set, else 0.
template <class T>
__aicore__ inline void choose(const Local<T>& to, const Local<uint8_t>& bits, const Local<T>& from,
                              int32_t lanes) {
    AscendC::Select(to, bits, from, static_cast<T>(0), AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    static_cast<uint32_t>(lanes));
}

// Copies `count` pieces of `blocks` blocks within the unified buffer; gaps are in blocks, too.
template <class T>
__aicore__ inline void copy_blocks(const Local<T>& to, const Local<T>& from, int32_t count, int32_t blocks,
                                   int32_t from_gap, int32_t to_gap) {
    AscendC::DataCopy(to, from,
                      AscendC::DataCopyParams(static_cast<uint16_t>(count), static_cast<uint16_t>(blocks),
                                              static_cast<uint16_t>(from_gap),
                                              static_cast<uint16_t>(to_gap)));
}

// Moves `rows` rows of `row` elements up by `by` rows, to the beginning of `array`: pieces that do not
// overlap.
template <class T>
__aicore__ inline void move_up(const Local<T>& array, int32_t rows, int32_t by, int32_t row) {
    constexpr int32_t kMostBlocks = 65535;
    for (int32_t done = 0; done < rows; done += by) {
        const int32_t count = (rows - done < by ? rows - done : by) * row;
        const int32_t blocks = count * static_cast<int32_t>(sizeof(T)) / kBlockBytes;
        for (int32_t block = 0; block < blocks; block += kMostBlocks) {
            const int32_t some = blocks - block < kMostBlocks ? blocks - block : kMostBlocks;
            const int32_t at = done * row + block * kBlockBytes / static_cast<int32_t>(sizeof(T));
            copy_blocks(array[at], array[at + by * row], 1, some, 0, 0);
        }
        step();
    }
}

// The unified buffer, and arrays at byte offsets in it.
class Memory {
public:
    __aicore__ inline void init(AscendC::TPipe& pipe, int64_t bytes) {
        pipe.InitBuffer(buffer_, static_cast<uint32_t>(bytes));
    }
    template <class T>
    __aicore__ inline Local<T> at(int64_t offset, int64_t bytes) {
        return buffer_.GetWithOffset<T>(static_cast<uint32_t>(bytes / static_cast<int64_t>(sizeof(T))),
                                        static_cast<uint32_t>(offset));
    }

private:
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer_;
};

} // namespace maxpoolgrad::arch22
