// Row by row: the maximum of each row of a window, the first row whose maximum is the window's, and in that
// row the first position that holds it. It takes about 2 k steps a window where tap by tap takes k x k, but
// it is right only where every orig_output is its window's maximum, and where x has no NaN and no minus
// infinity. Both are checked on the way; a segment that fails is done again tap by tap.
#pragma once

#include "checks.h"
#include "frame.h"
#include "maxima.h"
#include "row_edges.h"
#include "separable_columns.h"

namespace maxpoolgrad::arch22 {

template <class T, class Layout>
class Separable {
public:
    __aicore__ inline Separable(AscendC::TPipe& pipe, const Tiling& plan, const Stage& stage, Memory& memory,
                                Tensors<T>& tensors)
        : pipe_(pipe), frame_(plan, stage, memory), layout_(plan, stage, memory, tensors),
          mask_(static_cast<int32_t>(stage.at.mask_bytes)),
          masks_(memory.at<uint8_t>(stage.at.masks, larger(plan.h.kernel, plan.w.kernel) * mask_)),
          rest_(memory.at<uint8_t>(stage.at.rest, mask_)), columns_(frame_, masks_, rest_),
          kernel_h_(static_cast<int32_t>(plan.h.kernel)), kernel_w_(static_cast<int32_t>(plan.w.kernel)),
          stride_h_(static_cast<int32_t>(plan.h.stride)), stride_w_(static_cast<int32_t>(plan.w.stride)) {
        const Buffers& at = stage.at;
        const int32_t band = frame_.row * static_cast<int32_t>(stage.band_rows);
        const int64_t windows = int64_t{band} * kBytes + kRepeatBytes;
        const int64_t slack = (plan.w.reach - 1) * frame_.lanes * kBytes + kRepeatBytes;
        y_ = memory.at<T>(at.windows_y, windows);
        grad_ = memory.at<T>(at.windows_grad, windows);
        maxima_ = memory.at<T>(at.row_maxima, int64_t{stride_h_} * frame_.grid * kBytes + slack);
        sums_ = memory.at<float>(at.row_sums, int64_t{stride_h_} * frame_.grid * 4);
        chosen_[0] = memory.at<T>(at.chosen, at.chosen_bytes);
        chosen_[1] =
            memory.at<T>(at.kept, at.chosen_bytes); // may be that of y_, when that is not needed any more
        good_ = memory.at<int16_t>(at.good, mask_);
        numbers_.init(memory.at<int16_t>(at.good + mask_, kBlockBytes));
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
            find_rows(tile, band);
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
        fill<T>(frame_.all_cells(), Element<T>::kMinusInfinity, kRepeatBytes / kBytes);
        AscendC::PipeBarrier<PIPE_ALL>();
        minus_infinity_ = frame_.all_cells().GetValue(0);
        AscendC::PipeBarrier<PIPE_ALL>();
        if (frame_.plan.strips > 1) { // some are narrower than others, and leave columns out
            frame_.clear_cells(Element<T>::kMinusInfinity);
        }
        columns_.clear(maxima_);
    }

    // Whether all of x is above minus infinity, which NaN is not.
    __aicore__ inline void check_numbers(const Tile& tile, int32_t slot) {
        if (tile.first) {
            AscendC::Duplicate<int16_t>(good_, static_cast<int16_t>(-1), mask_ / 2);
            numbers_.begin();
        }
        layout_.settle(tile, slot);
        step();
        numbers_.greater(slot_array<T>(frame_.memory, frame_.stage.at, slot, Source::kX), minus_infinity_,
                         layout_.numbers(tile), masks_);
    }

    // Where a row has no window, there is nothing to give: grad is zero.
    __aicore__ inline void bring(const Tile& tile, const Band& band, int32_t slot) {
        frame_.pad(tile.segment.strip, band, Element<T>::kMinusInfinity);
        fill_behind_windows(tile, band, y_, 0);
        fill_behind_windows(tile, band, grad_, 0);
        for (int32_t i = 0; i < stride_h_ && band.first; ++i) {
            fill<float>(sums(i), 0, frame_.above * frame_.row);
        }
        step();
        bring_positions(layout_, frame_, tile, band, slot);
        if (frame_.stage.in_place == 0) {
            bring_windows(layout_, frame_, tile, band, slot, y_, grad_);
        } else {
            const Buffers& at = frame_.stage.at;
            const int64_t first =
                slot * at.slot + (band.windows.begin - tile.windows.begin) * frame_.row * int64_t{kBytes};
            const int64_t bytes = band.windows.size() * frame_.row * kBytes + kRepeatBytes;
            y_ = frame_.memory.template at<T>(at.y + first, bytes);
            grad_ = frame_.memory.template at<T>(at.grad + first, bytes - kRepeatBytes);
        }
        step();
    }
    __aicore__ inline void fill_behind_windows(const Tile& tile, const Band& band, const Local<T>& to,
                                               typename Element<T>::Bits bits) {
        frame_.fill_columns(to, 0, static_cast<int32_t>(band.windows.size()),
                            static_cast<int32_t>(tile.segment.strip.windows), frame_.pitch, bits);
    }

    // The maximum of each row of a window, for rows that the band above has not left.
    __aicore__ inline void find_maxima(const Band& band) {
        for (int32_t i = 0; i < stride_h_ && i < kernel_h_; ++i) {
            const int32_t below = frame_.below(i);
            const int32_t begin = band.first ? 0 : below;
            const int32_t rows = static_cast<int32_t>(band.rows.size()) + below - begin;
            const Series<T> x{frame_.cells(i, 0)[begin * frame_.row], stride_w_, frame_.grid, frame_.lanes};
            const Local<T> to = maxima(i)[begin * frame_.row];
            maximum_to<T>(to, x, kernel_w_, rows * frame_.row, chosen_);
            step();
            if (frame_.lead > 0) {
                RowEdges<T>(frame_, to, x.first[frame_.lead], rows).find();
            }
        }
    }

    // Notes windows whose orig_output is not their maximum, and finds the first row that holds it.
    __aicore__ inline void find_rows(const Tile& tile, const Band& band) {
        const int32_t count = existing(band), words = count / 16;
        if (count == 0) {
            return;
        }
        const Series<T> rows{maxima_, stride_h_, frame_.grid, frame_.row};
        const Local<T> most = maximum<T>(rows, kernel_h_, count, chosen_);
        step();
        fill_behind_windows(tile, band, most, 0);
        for (int32_t i = 0; i + 1 < kernel_h_; ++i) {
            compare(masks_[i * mask_], rows.at(i), y_, AscendC::CMPMODE::EQ, count);
        }
        step();
        compare(rest_, most, y_, AscendC::CMPMODE::EQ, count);
        step();
        const Local<int16_t> rest = rest_.template ReinterpretCast<int16_t>();
        AscendC::And(good_, good_, rest, words);
        step();
        // Some row holds it: the last one where no other does.
        if (kernel_h_ == 1) {
            AscendC::Duplicate<int16_t>(rest, static_cast<int16_t>(-1), words);
            step();
        }
        first_wins(masks_, rest_, kernel_h_ - 1, mask_, words, true);
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
                add_row(to, i + 1 < kernel_h_ ? masks_[i * mask_] : rest_, first, count);
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

    // Gives the sums of a row to the first positions that hold its maximum.
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
        columns_.find(i, begin, count, maxima(i)[begin]);
        for (int32_t j = 0; j < stride_w_; ++j) {
            columns_.add(frame_.cells(i, j)[begin + frame_.lead], sums(i)[begin], j, count);
        }
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
        const Local<int16_t> good = fold<true>(good_, masks_.template ReinterpretCast<int16_t>(), mask_ / 2);
        return block_is(pipe_, good, ~uint64_t{0}) && numbers_.verdict(pipe_);
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
    const int32_t mask_; // bytes of one
    Local<uint8_t> masks_, rest_;
    SeparableColumns<T> columns_;
    const int32_t kernel_h_, kernel_w_, stride_h_, stride_w_;
    Local<T> y_, grad_, maxima_, chosen_[2];
    Local<float> sums_;
    Local<int16_t> good_; // windows whose orig_output is their maximum, in all bands so far
    AllBits numbers_;     // all of x that has been seen is a number above minus infinity
    T minus_infinity_;
    int32_t turn_ = 0; // which of the two arrays of chosen gradients was last
};

} // namespace maxpoolgrad::arch22
