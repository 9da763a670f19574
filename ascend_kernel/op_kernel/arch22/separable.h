// Row by row: the maximum of each row of a window, the first row whose maximum is the window's, and in that
// row the first position that holds it. It takes about 2 k steps a window where tap by tap takes k x k, but
// it is right only where orig_output is the maximum (or nothing in the window equals it), and where x has no
// NaN and no minus infinity. Both are checked on the way; a segment that fails is done again tap by tap.
#pragma once

#include "checks.h"
#include "frame.h"
#include "maxima.h"

namespace maxpoolgrad::arch22 {

template <class T, class Layout>
class Separable {
public:
    __aicore__ inline Separable(AscendC::TPipe& pipe, const Tiling& plan, const Stage& stage, Memory& memory,
                                Tensors<T>& tensors)
        : pipe_(pipe), frame_(plan, stage, memory), layout_(plan, stage, memory, tensors),
          kernel_h_(static_cast<int32_t>(plan.h.kernel)), kernel_w_(static_cast<int32_t>(plan.w.kernel)),
          stride_h_(static_cast<int32_t>(plan.h.stride)), stride_w_(static_cast<int32_t>(plan.w.stride)),
          guard_((static_cast<int32_t>(plan.w.reach) - 1) * frame_.lanes) {
        const Buffers& at = stage.at;
        const int32_t band = frame_.row * static_cast<int32_t>(stage.band_rows);
        const int64_t windows = int64_t{band} * kBytes + kRepeatBytes;
        const int64_t slack = int64_t{guard_} * kBytes + kRepeatBytes;
        y_ = memory.at<T>(at.windows_y, windows);
        grad_ = memory.at<T>(at.windows_grad, windows);
        total_ = memory.at<float>(at.total, 4 * (int64_t{band} + guard_));
        summand_ = memory.at<float>(at.column, 4 * (int64_t{band} + guard_));
        maxima_ = memory.at<T>(at.row_maxima, int64_t{stride_h_} * frame_.grid * kBytes + slack);
        sums_ = memory.at<float>(at.row_sums, int64_t{stride_h_} * frame_.grid * 4);
        chosen_[0] = memory.at<T>(at.chosen, at.chosen_bytes);
        chosen_[1] =
            memory.at<T>(at.kept, at.chosen_bytes); // may be that of y_, when that is not needed any more
        mask_ = static_cast<int32_t>(at.mask_bytes);
        masks_ = memory.at<uint8_t>(at.masks, larger(kernel_h_, kernel_w_) * mask_);
        rest_ = memory.at<uint8_t>(at.rest, mask_);
        bad_ = memory.at<uint8_t>(at.bad, mask_);
        good_.init(memory.at<int16_t>(at.bad + mask_, kBlockBytes));
        clear();
    }

    __aicore__ inline const Stage& stage() const { return frame_.stage; }
    __aicore__ inline Layout& layout() { return layout_; }

    // False at the end of a segment that has to be done again.
    __aicore__ inline bool compute(const Tile& tile, int32_t slot) {
        check_numbers(tile, slot);
        for (int64_t row = tile.rows.begin; row < tile.rows.end; row += frame_.stage.band_rows) {
            const Band band = band_of(frame_.plan, tile, row, frame_.stage.band_rows);
            bring(tile, band, slot);
            find_maxima(band);
            check_windows(band);
            add_rows(band);
            for (int32_t i = 0; i < stride_h_; ++i) {
                add_columns(tile.segment, band, i);
            }
            step();
            deliver_band(layout_, frame_, tile, band, slot);
            step();
            if (!band.last || !tile.last) {
                carry(band);
            }
        }
        return !tile.last || verdict();
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;
    static constexpr bool kHalf = kBytes == 2;

    __aicore__ inline void clear() {
        for (int32_t slot = 0; slot < frame_.stage.slots;
             ++slot) { // transfers leave gaps, which are compared
            const Local<T> x = slot_array<T>(frame_.memory, frame_.stage.at, slot, Source::kX);
            fill<T>(x, 0, static_cast<int32_t>(x.GetSize()));
        }
        frame_.clear_cells(Element<T>::kMinusInfinity);
        fill<T>(maxima_, 0, static_cast<int32_t>(maxima_.GetSize()));
        AscendC::PipeBarrier<PIPE_ALL>();
        minus_infinity_ = frame_.all_cells().GetValue(0);
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    // Whether all of x is above minus infinity, which NaN is not.
    __aicore__ inline void check_numbers(const Tile& tile, int32_t slot) {
        if (tile.first) {
            fill<float>(bad_.template ReinterpretCast<float>(), 0, mask_ / 4);
            good_.begin();
        }
        good_.greater(slot_array<T>(frame_.memory, frame_.stage.at, slot, Source::kX), minus_infinity_,
                      layout_.numbers(tile), masks_);
    }

    __aicore__ inline void bring(const Tile& tile, const Band& band, int32_t slot) {
        const int32_t rows = static_cast<int32_t>(band.windows.size());
        const int32_t columns = static_cast<int32_t>(tile.segment.strip.windows);
        frame_.pad(tile.segment.strip, band, Element<T>::kMinusInfinity);
        frame_.fill_columns(y_, 0, rows, columns, frame_.pitch, Element<T>::kNan);
        fill<T>(y_[existing(band)], Element<T>::kNan,
                kRepeatBytes / kBytes); // no window there is to be noted
        for (int32_t i = 0; i < stride_h_ && band.first; ++i) {
            fill<float>(sums(i), 0, frame_.above * frame_.row);
        }
        step();
        bring_tensors(layout_, frame_, tile, band, slot, y_, grad_);
        step();
    }

    // The maximum of each row of a window, for rows that the band above has not left.
    __aicore__ inline void find_maxima(const Band& band) {
        for (int32_t i = 0; i < stride_h_ && i < kernel_h_; ++i) {
            const int32_t below = frame_.below(i);
            const int32_t begin = (band.first ? 0 : below) * frame_.row;
            const int32_t count = lanes_of(band) + below * frame_.row - begin;
            const Series<T> x{frame_.cells(i, 0)[begin], stride_w_, frame_.grid, frame_.lanes};
            maximum_to<T>(maxima(i)[begin], x, kernel_w_, count, chosen_);
            step();
        }
    }

    // Notes windows that hold more than their orig_output, and finds the first row whose maximum it is.
    __aicore__ inline void check_windows(const Band& band) {
        const int32_t count = existing(band);
        if (count == 0) {
            return;
        }
        const int32_t words = whole_repeats<T>(count) / 16;
        const Series<T> rows{maxima_, stride_h_, frame_.grid, frame_.row};
        const Local<T> most = maximum<T>(rows, kernel_h_, count, chosen_);
        step();
        compare(masks_, most, y_, AscendC::CMPMODE::GT, count);
        step();
        const Local<int16_t> bad = bad_.template ReinterpretCast<int16_t>();
        AscendC::Or(bad, bad, masks_.template ReinterpretCast<int16_t>(), words);
        step();
        for (int32_t i = 0; i < kernel_h_; ++i) {
            compare(masks_[i * mask_], rows.at(i), y_, AscendC::CMPMODE::EQ, count);
        }
        step();
        first_wins(masks_, rest_, kernel_h_, mask_, words, false);
    }

    // float32 sums by row of a window: what the windows over it give, from top to bottom.
    __aicore__ inline void add_rows(const Band& band) {
        const int32_t count = existing(band);
        for (int32_t i = kernel_h_ - 1; i >= 0; --i) {
            const Local<float> to = sums(i % stride_h_)[i / stride_h_ * frame_.row];
            const bool first = i + stride_h_ >= kernel_h_;
            if (first) {
                fill<float>(to[count], 0, lanes_of(band) - count);
            }
            if (count > 0) {
                add_row(to, masks_[i * mask_], first, count);
            }
        }
        step();
    }
    __aicore__ inline void add_row(const Local<float>& to, const Local<uint8_t>& mask, bool first,
                                   int32_t count) {
        if constexpr (kHalf) {
            turn_ = 1 - turn_;
            choose(chosen_[turn_], mask, grad_, count);
            step();
            if (first) {
                AscendC::Cast(to, chosen_[turn_], AscendC::RoundMode::CAST_NONE,
                              static_cast<uint32_t>(count));
            } else {
                AscendC::Axpy(to, chosen_[turn_], static_cast<half>(1.0f), count);
            }
        } else if (first) {
            choose(to, mask, grad_, count);
        } else {
            turn_ = 1 - turn_;
            choose(chosen_[turn_], mask, grad_, count);
            step();
            AscendC::Add(to, to, chosen_[turn_], count);
        }
    }

    // Gives the sums of a row to the first positions that hold its maximum, column after column of windows.
    __aicore__ inline void add_columns(const Segment& segment, const Band& band, int32_t i) {
        const Piece wanted = frame_.wanted(segment, band, i);
        const int32_t begin = wanted.begin, count = wanted.count;
        if (count <= 0) {
            return;
        }
        if (i >= kernel_h_) {
            for (int32_t j = 0; j < stride_w_; ++j) {
                fill<T>(frame_.cells(i, j)[begin], 0, count);
            }
            return;
        }
        find_columns(i, begin, count);
        for (int32_t j = 0; j < stride_w_; ++j) {
            add_column(frame_.cells(i, j)[begin], sums(i)[begin], j, count);
        }
    }
    __aicore__ inline void find_columns(int32_t i, int32_t begin, int32_t count) {
        step(); // masks_ may be in use
        for (int32_t j = 0; j + 1 < kernel_w_; ++j) {
            const Local<T> x = frame_.cells(i, j % stride_w_)[begin + j / stride_w_ * frame_.lanes];
            compare(masks_[j * mask_], x, maxima(i)[begin], AscendC::CMPMODE::EQ, count);
        }
        // Some position holds it: the last one where no other does.
        const int32_t words = whole_repeats<T>(count) / 16;
        if (kernel_w_ == 1) {
            AscendC::Duplicate<int16_t>(rest_.template ReinterpretCast<int16_t>(), static_cast<int16_t>(-1),
                                        words);
        }
        fill<float>(summand_, 0, guard_);
        step();
        first_wins(masks_, rest_, kernel_w_ - 1, mask_, words, true);
    }
    __aicore__ inline void add_column(const Local<T>& out, const Local<float>& sums, int32_t j,
                                      int32_t count) {
        if (j >= kernel_w_) {
            fill<T>(out, 0, count);
            return;
        }
        const int32_t last = j + (kernel_w_ - 1 - j) / stride_w_ * stride_w_;
        if (!kHalf && last == j) {
            choose(out.template ReinterpretCast<float>(), column_mask(j), sums, count);
            return;
        }
        const int32_t shift = last / stride_w_ * frame_.lanes;
        step(); // total_ may be in use
        fill<float>(total_, 0, shift);
        choose(total_[shift], column_mask(last), sums, count);
        step();
        for (int32_t column = last - stride_w_; column >= 0; column -= stride_w_) {
            choose(summand_[guard_], column_mask(column), sums, count);
            step();
            const Local<float> summand = summand_[guard_ - column / stride_w_ * frame_.lanes];
            const bool final = !kHalf && column == j;
            AscendC::Add(final ? out.template ReinterpretCast<float>() : total_, total_, summand, count);
            step();
        }
        if constexpr (kHalf) {
            AscendC::Cast(out, total_, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count));
        }
    }
    __aicore__ inline Local<uint8_t> column_mask(int32_t j) const {
        return j + 1 < kernel_w_ ? masks_[j * mask_] : rest_;
    }

    __aicore__ inline void carry(const Band& band) {
        frame_.carry_cells(band);
        const int32_t rows = static_cast<int32_t>(band.rows.size());
        for (int32_t i = 0; i < stride_h_; ++i) {
            move_up(maxima(i), frame_.below(i), rows, frame_.row);
            move_up(sums(i), frame_.below(i), rows, frame_.row);
        }
    }

    __aicore__ inline bool verdict() {
        const Local<int16_t> bad = fold<false>(bad_.template ReinterpretCast<int16_t>(),
                                               masks_.template ReinterpretCast<int16_t>(), mask_ / 2);
        return block_is(pipe_, bad, 0) && good_.verdict(pipe_);
    }

    __aicore__ inline int32_t lanes_of(const Band& band) const {
        return static_cast<int32_t>(band.rows.size()) * frame_.row;
    }
    // Lanes of the windows that exist.
    __aicore__ inline int32_t existing(const Band& band) const {
        return static_cast<int32_t>(band.windows.size()) * frame_.row;
    }
    __aicore__ inline Local<T> maxima(int32_t i) const { return maxima_[i * frame_.grid]; }
    __aicore__ inline Local<float> sums(int32_t i) const { return sums_[i * frame_.grid]; }

    AscendC::TPipe& pipe_;
    Frame<T> frame_;
    Layout layout_;
    const int32_t kernel_h_, kernel_w_, stride_h_, stride_w_;
    const int32_t guard_; // elements in front of an array that is read from columns further left
    Local<T> y_, grad_, maxima_, chosen_[2];
    Local<float> total_, summand_, sums_;
    Local<uint8_t> masks_, rest_, bad_;
    AllBits good_; // all of x that has been seen is a number above minus infinity
    int32_t mask_; // bytes of one
    T minus_infinity_;
    int32_t turn_ = 0; // which of the two arrays of chosen gradients was last
};

} // namespace maxpoolgrad::arch22
