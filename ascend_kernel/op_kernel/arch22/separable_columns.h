// In a row of a window, the first position that holds the row's maximum, and the sums that such positions get
// from the columns of windows over them, in float32 from left to right.
#pragma once

#include "frame.h"
#include "winners.h"

namespace maxpoolgrad::arch22 {

template <class T>
class SeparableColumns {
public:
    // `masks`: as many as a window has rows or columns; `rest`: one more.
    __aicore__ inline SeparableColumns(const Frame<T>& frame, const Local<uint8_t>& masks,
                                       const Local<uint8_t>& rest)
        : frame_(frame), kernel_(static_cast<int32_t>(frame.plan.w.kernel)),
          stride_(static_cast<int32_t>(frame.plan.w.stride)), pad_(static_cast<int32_t>(frame.plan.w.pad)),
          front_((static_cast<int32_t>(frame.plan.w.reach) - 1) * frame.lanes - frame.lead),
          mask_(static_cast<int32_t>(frame.stage.at.mask_bytes)), masks_(masks), rest_(rest) {
        const Buffers& at = frame.stage.at;
        const int64_t bytes = 4 * (int64_t{frame.row} * frame.stage.band_rows + front_ + frame.lead);
        total_ = frame.memory.template at<float>(at.total, bytes);
        summand_ = frame.memory.template at<float>(at.column, bytes);
        exists_ = frame.memory.template at<uint8_t>(at.exists, frame.lead > 0 ? kernel_ * mask_ : 0);
    }

    // Where rows have no padding, a tap reaches into the row before or after at some windows. `spare`: rows
    // of cells.
    __aicore__ inline void clear(const Local<T>& spare) {
        if (frame_.lead == 0) {
            return;
        }
        int32_t rows = 1; // after which the same bits come again, on a whole block
        while (rows * frame_.row % (8 * kBlockBytes) != 0 && rows < frame_.stage.band_rows) {
            ++rows;
        }
        for (int32_t j = 0; j + 1 < kernel_; ++j) {
            const int32_t left = j < pad_ ? pad_ - j : 0, right = j > pad_ ? j - pad_ : 0;
            if (left + right > 0) {
                fill<T>(spare, 0, whole_repeats<T>(rows * frame_.row));
                step();
                frame_.fill_columns(spare, 0, rows, 0, left, Element<T>::kNan);
                frame_.fill_columns(spare, 0, rows, frame_.pitch - right, frame_.pitch, Element<T>::kNan);
                step();
                compare(exists_[j * mask_], spare, spare, AscendC::CMPMODE::EQ, rows * frame_.row);
                step();
                repeat(exists_[j * mask_], rows * frame_.row / 8);
            }
        }
    }

    // For `count` elements of cells from `begin` on, of rows of residue class i.
    __aicore__ inline void find(int32_t i, int32_t begin, int32_t count, const Local<T>& maxima) {
        step(); // masks_ may be in use
        for (int32_t j = 0; j + 1 < kernel_; ++j) {
            const Local<T> x = frame_.cells(i, j % stride_)[begin + j / stride_ * frame_.lanes];
            compare(masks_[j * mask_], x, maxima, AscendC::CMPMODE::EQ, count);
        }
        // Some position holds it: the last one where no other does.
        const int32_t words = count / 16;
        if (kernel_ == 1) {
            AscendC::Duplicate<int16_t>(rest_.template ReinterpretCast<int16_t>(), static_cast<int16_t>(-1),
                                        words);
        }
        fill<float>(summand_, 0, front_);
        fill<float>(summand_[front_ + count], 0, frame_.lead);
        step();
        for (int32_t j = 0; j + 1 < kernel_ && frame_.lead > 0; ++j) {
            if (j != pad_) {
                const Local<int16_t> mask = masks_[j * mask_].template ReinterpretCast<int16_t>();
                AscendC::And(mask, mask, exists_[j * mask_].template ReinterpretCast<int16_t>(), words);
                step();
            }
        }
        first_wins(masks_, rest_, kernel_ - 1, mask_, words, true);
    }

    // What positions of residue class j of columns get of `sums`, which are those of windows.
    __aicore__ inline void add(const Local<T>& out, const Local<float>& sums, int32_t j, int32_t count) {
        if (j >= kernel_) {
            fill<T>(out, 0, count);
            return;
        }
        const int32_t last = j + (kernel_ - 1 - j) / stride_ * stride_;
        if (!kHalf && last == j) {
            choose(out.template ReinterpretCast<float>(), mask(j), sums, count);
            return;
        }
        step(); // total_ may be in use
        fill<float>(total_, 0, shift(last));
        choose(total_[shift(last)], mask(last), sums, count);
        step();
        for (int32_t column = last - stride_; column >= 0; column -= stride_) {
            choose(summand_[front_], mask(column), sums, count);
            step();
            const Local<float> summand = summand_[front_ - shift(column)];
            const bool final = !kHalf && column == j;
            AscendC::Add(final ? out.template ReinterpretCast<float>() : total_, total_, summand, count);
            step();
        }
        if constexpr (kHalf) {
            AscendC::Cast(out, total_, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count));
        }
    }

private:
    static constexpr bool kHalf = Element<T>::kBytes == 2;

    // Elements from a window to the position under tap j, counted as cells behind the lead.
    __aicore__ inline int32_t shift(int32_t j) const { return j / stride_ * frame_.lanes - frame_.lead; }
    __aicore__ inline Local<uint8_t> mask(int32_t j) const {
        return j + 1 < kernel_ ? masks_[j * mask_] : rest_;
    }
    // Fills a mask with what its first `bytes` bytes say.
    __aicore__ inline void repeat(const Local<uint8_t>& mask, int32_t bytes) {
        for (; bytes % kBlockBytes == 0 && bytes < mask_; bytes *= 2) {
            const int32_t more = least(bytes, mask_ - bytes);
            copy_blocks(mask[bytes], mask, 1, more / kBlockBytes, 0, 0);
            step();
        }
    }

    const Frame<T>& frame_;
    const int32_t kernel_, stride_, pad_;
    const int32_t front_; // zeros in front of the summands, which are read from columns further left
    const int32_t mask_;  // bytes of one
    Local<float> total_, summand_;
    Local<uint8_t> masks_, rest_, exists_;
};

} // namespace maxpoolgrad::arch22
