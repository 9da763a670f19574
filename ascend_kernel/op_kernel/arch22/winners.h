// Masks: a bit a window and lane. Which tap is the first to win, and whether all or any bits are set.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

// Of `count` masks, `bytes` apart, leaves in each one what none before it has. `rest` becomes the windows in
// none of them, the last one excepted unless `whole`.
__aicore__ inline void first_wins(const Local<uint8_t>& masks, const Local<uint8_t>& rest_bits, int32_t count,
                                  int32_t bytes, int32_t words, bool whole) {
    const Local<int16_t> rest = rest_bits.ReinterpretCast<int16_t>();
    const int32_t last = whole ? count : count - 1;
    for (int32_t i = 0; i < count; ++i) {
        const Local<int16_t> mask = masks[i * bytes].ReinterpretCast<int16_t>();
        if (i > 0) {
            AscendC::And(mask, mask, rest, words);
            step();
        }
        if (i < last) {
            if (i == 0) {
                AscendC::Not(rest, mask, words);
            } else {
                AscendC::Sub(rest, rest, mask, words); // no borrows: mask is a part of rest
            }
            step();
        }
    }
}

constexpr int32_t kFoldedWords = kBlockBytes / 2;

// Ands or ors `words` words of 16 bits, a multiple of a block, into one block; both arrays are used up.
template <bool kAnd>
__aicore__ inline Local<int16_t> fold(Local<int16_t> from, Local<int16_t> to, int32_t words) {
    while (words > kFoldedWords) {
        const int32_t half = round_up(quotient_up(words, 2), kFoldedWords);
        if constexpr (kAnd) {
            AscendC::And(to, from, from[words - half], half);
        } else {
            AscendC::Or(to, from, from[words - half], half);
        }
        step();
        const Local<int16_t> other = from;
        from = to;
        to = other;
        words = half;
    }
    return from;
}

// Whether all 64-bit words of a block are `expected`. The scalar unit waits for the vector unit, and it for
// that.
__aicore__ inline bool block_is(AscendC::TPipe& pipe, const Local<int16_t>& block, uint64_t expected) {
    const AscendC::TEventID event = pipe.FetchEventID(AscendC::HardEvent::V_S);
    AscendC::SetFlag<AscendC::HardEvent::V_S>(event);
    AscendC::WaitFlag<AscendC::HardEvent::V_S>(event);
    const Local<uint64_t> words = block.ReinterpretCast<uint64_t>();
    bool all = true;
    for (uint32_t i = 0; i < kBlockBytes / sizeof(uint64_t); ++i) {
        all = words.GetValue(i) == expected && all;
    }
    const AscendC::TEventID done = pipe.FetchEventID(AscendC::HardEvent::S_V);
    AscendC::SetFlag<AscendC::HardEvent::S_V>(done);
    AscendC::WaitFlag<AscendC::HardEvent::S_V>(done);
    return all;
}

} // namespace maxpoolgrad::arch22
