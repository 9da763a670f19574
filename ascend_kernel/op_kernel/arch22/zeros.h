// No window touches a position: out_grad is zero.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
__aicore__ inline void write_zeros(const Tiling& plan, Memory& memory, Tensors<T>& tensors) {
    constexpr int64_t kPiece = 64 * 1024;
    constexpr int64_t kBytes = Element<T>::kBytes;
    constexpr int64_t kLine = 512 / kBytes; // blocks share no such piece of memory
    const int64_t all = plan.outer * plan.channels * plan.h.input * plan.w.input;
    const int64_t lines = (all + kLine - 1) / kLine;
    const int64_t block = AscendC::GetBlockIdx(), blocks = AscendC::GetBlockNum();
    const int64_t end = smaller(all, lines * (block + 1) / blocks * kLine);
    const Local<T> zeros = memory.at<T>(0, kPiece);
    fill<T>(zeros, 0, kPiece / kBytes);
    AscendC::PipeBarrier<PIPE_ALL>();
    for (int64_t at = lines * block / blocks * kLine; at < end; at += kPiece / kBytes) {
        const int64_t bytes = smaller(kPiece, (end - at) * kBytes);
        AscendC::DataCopyPad(tensors.out[at], zeros,
                             AscendC::DataCopyExtParams(1, static_cast<uint32_t>(bytes), 0, 0, 0));
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}

} // namespace maxpoolgrad::arch22
