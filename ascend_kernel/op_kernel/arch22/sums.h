// Adds up in float32 what windows give to the positions of one residue class: for each column of windows its
// own sum, and those sums from left to right. The first summand of a sum is taken as it is, for 0 + x is x.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Sums {
public:
    // `wanted`: the elements of `out` that are somebody's. The total of float32 gradients is the output
    // itself.
    __aicore__ inline Sums(Frame<T>& frame, const Local<T>& out, const Piece& wanted)
        : out_(out), wanted_(wanted) {
        const int64_t bytes = frame.row * frame.stage.band_rows * 4;
        column_ = frame.memory.template at<float>(frame.stage.at.column, frame.above > 0 ? bytes : 0);
        if constexpr (kHalf) {
            total_ = frame.memory.template at<float>(frame.stage.at.total, bytes);
        } else {
            total_ = out;
        }
    }

    // Begins a column of windows, with one summand or `several`.
    __aicore__ inline void begin_column(bool several) { apart_ = several && started_; }

    // Adds a piece of a summand; `first`: of a column's first one.
    __aicore__ inline void add(const Local<T>& summand, const Piece& piece, bool first) {
        const int32_t begin = piece.begin > wanted_.begin ? piece.begin : wanted_.begin;
        const int32_t count = least(piece.begin + piece.count, wanted_.begin + wanted_.count) - begin;
        if (count <= 0) {
            return;
        }
        const Local<float> to = (apart_ ? column_ : total_)[begin];
        if (first && (apart_ || !started_)) {
            assign(to, summand[begin - piece.begin], count);
        } else {
            increase(to, summand[begin - piece.begin], count);
        }
    }
    __aicore__ inline void end_column() {
        if (apart_ && wanted_.count > 0) {
            step();
            const Local<float> total = total_[wanted_.begin];
            AscendC::Add(total, total, column_[wanted_.begin], wanted_.count);
        }
        started_ = true;
    }
    __aicore__ inline void finish() {
        if constexpr (kHalf) {
            if (wanted_.count > 0) {
                step();
                AscendC::Cast(out_[wanted_.begin], total_[wanted_.begin], AscendC::RoundMode::CAST_RINT,
                              static_cast<uint32_t>(wanted_.count));
            }
        }
    }

private:
    static constexpr bool kHalf = Element<T>::kBytes == 2;

    __aicore__ inline void assign(const Local<float>& to, const Local<T>& summand, int32_t count) {
        if constexpr (kHalf) {
            AscendC::Cast(to, summand, AscendC::RoundMode::CAST_NONE, static_cast<uint32_t>(count));
        } else {
            copy_blocks(to, summand, 1, count * 4 / kBlockBytes, 0, 0);
        }
    }
    __aicore__ inline void increase(const Local<float>& to, const Local<T>& summand, int32_t count) {
        if constexpr (kHalf) {
            AscendC::Axpy(to, summand, static_cast<half>(1.0f), count);
        } else {
            AscendC::Add(to, to, summand, count);
        }
    }

    Local<T> out_;
    Local<float> total_, column_;
    Piece wanted_;
    bool started_ = false; // total_ holds a sum
    bool apart_ = false;   // this column's sum is not in total_ yet
};

} // namespace maxpoolgrad::arch22
