// What separable maxima rely on, checked with bits that are gathered until a segment ends.
#pragma once

#include "winners.h"

namespace maxpoolgrad::arch22 {

// Whether all bits that it has seen are set.
class AllBits {
public:
    // `block`: 32 B.
    __aicore__ inline void init(const Local<int16_t>& block) { block_ = block; }

    __aicore__ inline void begin() {
        AscendC::Duplicate<int16_t>(block_, static_cast<int16_t>(-1), kFoldedWords);
        step();
    }

    // `first` and `second` have `bytes` bytes each, a multiple of 32: what is over in the last block does not
    // count.
    template <class T>
    __aicore__ inline void equal(const Local<T>& a, const Local<T>& b, int32_t lanes,
                                 const Local<uint8_t>& first, const Local<uint8_t>& second) {
        compare(first, a, b, AscendC::CMPMODE::EQ, lanes);
        gather(first, second, whole_repeats<T>(lanes) / 8);
    }
    // Whether numbers are more than `b`, piece by piece as `scratch` has room for twice their bits.
    template <class T>
    __aicore__ inline void greater(const Local<T>& a, T b, int32_t lanes, const Local<uint8_t>& scratch) {
        const int32_t bytes = static_cast<int32_t>(scratch.GetSize()) / 2 / kBlockBytes * kBlockBytes;
        const int32_t all = whole_repeats<T>(lanes);
        for (int32_t done = 0; done < all; done += 8 * bytes) {
            const int32_t count = least(all - done, 8 * bytes);
            AscendC::CompareScalar(scratch, a[done], b, AscendC::CMPMODE::GT, static_cast<uint32_t>(count));
            gather(scratch, scratch[bytes], count / 8);
        }
    }

    __aicore__ inline bool verdict(AscendC::TPipe& pipe) const {
        return block_is(pipe, block_, ~uint64_t{0});
    }

private:
    __aicore__ inline void gather(const Local<uint8_t>& first, const Local<uint8_t>& second, int32_t bytes) {
        const int32_t blocks = bytes / kBlockBytes * kBlockBytes;
        const Local<int16_t> bits = first.ReinterpretCast<int16_t>();
        step();
        if (blocks < bytes) { // half a block
            AscendC::And(block_, block_, bits[blocks / 2], (bytes - blocks) / 2);
            step();
        }
        if (blocks > 0) {
            AscendC::And(block_, block_, fold<true>(bits, second.ReinterpretCast<int16_t>(), blocks / 2),
                         kFoldedWords);
            step();
        }
    }

    Local<int16_t> block_;
};

} // namespace maxpoolgrad::arch22
