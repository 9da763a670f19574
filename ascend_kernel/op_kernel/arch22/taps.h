// Tap by tap: each position of a window is compared with its orig_output, the first that is equal wins, and
// what it wins is added up. Right for any orig_output.
#pragma once

#include "kept_rows.h"
#include "sums.h"
#include "winners.h"

namespace maxpoolgrad::arch22 {

template <class T, class Layout>
class Taps {
public:
    __aicore__ inline Taps(const Tiling& plan, const Stage& stage, Memory& memory, Tensors<T>& tensors)
        : frame_(plan, stage, memory), kept_(frame_), layout_(plan, stage, memory, tensors),
          kernel_h_(static_cast<int32_t>(plan.h.kernel)), kernel_w_(static_cast<int32_t>(plan.w.kernel)),
          stride_h_(static_cast<int32_t>(plan.h.stride)), stride_w_(static_cast<int32_t>(plan.w.stride)),
          guard_((static_cast<int32_t>(plan.w.reach) - 1) * frame_.lanes), carries_(stage.carries != 0),
          indexed_(stage.indexed != 0) {
        const Buffers& at = stage.at;
        const int64_t windows = int64_t{frame_.row} * stage.band_rows * kBytes + kRepeatBytes;
        for (int32_t i = 0; i < 2 && at.chosen_bytes > 0; ++i) {
            chosen_[i] = memory.at<T>(at.chosen + i * at.chosen_bytes, at.chosen_bytes);
        }
        y_ = memory.at<T>(at.windows_y, windows);
        grad_ = memory.at<T>(at.windows_grad, windows);
        masks_ = memory.at<uint8_t>(at.masks, at.rest - at.masks);
        winners_ = memory.at<T>(at.winners, indexed_ ? windows : 0);
        rest_ = memory.at<uint8_t>(at.rest, at.mask_bytes);
        mask_ = static_cast<int32_t>(at.mask_bytes);
        clear();
    }

    __aicore__ inline const Stage& stage() const { return frame_.stage; }
    __aicore__ inline Layout& layout() { return layout_; }

    __aicore__ inline bool compute(const Tile& tile, int32_t slot) {
        for (int64_t row = tile.rows.begin; row < tile.rows.end; row += frame_.stage.band_rows) {
            const Band band = band_of(frame_.plan, tile, row, frame_.stage.band_rows);
            bring(tile, band, slot);
            find_winners(band);
            for (int32_t i = 0; i < stride_h_; ++i) {
                for (int32_t j = 0; j < stride_w_; ++j) {
                    add_up(tile.segment, band, i, j);
                }
            }
            step();
            deliver_band(layout_, frame_, tile, band, slot);
            step();
            if (!band.last || !tile.last) {
                frame_.carry_cells(band);
            }
        }
        return true;
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;
    static constexpr bool kHalf = kBytes == 2;

    // What no band writes, and instructions read.
    __aicore__ inline void clear() {
        const Buffers& at = frame_.stage.at;
        const int32_t windows =
            frame_.row * static_cast<int32_t>(frame_.stage.band_rows) + kRepeatBytes / kBytes;
        frame_.clear_cells(Element<T>::kNan);
        fill<T>(grad_, 0, windows);
        fill<T>(winners_, 0, indexed_ ? windows : 0);
        if (at.chosen_bytes > 0) {
            fill<T>(chosen_[0], 0, static_cast<int32_t>(chosen_[0].GetSize()));
            fill<T>(chosen_[1], 0, static_cast<int32_t>(chosen_[1].GetSize()));
            step();
        }
        fill<T>(y_, Element<T>::kNan, windows);
        if (carries_) {
            kept_.clear();
        }
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline void bring(const Tile& tile, const Band& band, int32_t slot) {
        const int32_t rows = static_cast<int32_t>(band.rows.size());
        const int32_t existing = static_cast<int32_t>(band.windows.size());
        if (band.first && carries_) {
            kept_.clear();
        }
        frame_.fill_columns(y_, 0, existing, static_cast<int32_t>(tile.segment.strip.windows), frame_.pitch,
                            Element<T>::kNan);
        frame_.pad(tile.segment.strip, band, Element<T>::kNan);
        fill<T>(y_[existing * frame_.row], Element<T>::kNan, (rows - existing) * frame_.row);
        step();
        bring_positions(layout_, frame_, tile, band, slot);
        bring_windows(layout_, frame_, tile, band, slot, y_, grad_);
        step();
    }

    // Which tap is the first of its window that equals orig_output: a mask a tap, or the number of the tap.
    __aicore__ inline void find_winners(const Band& band) {
        const int32_t count = lanes_of(band);
        if (indexed_) {
            number_winners(count);
            return;
        }
        for (int32_t i = 0; i < kernel_h_; ++i) {
            for (int32_t j = 0; j < kernel_w_; ++j) {
                compare(masks_[(i * kernel_w_ + j) * mask_], tap(i, j), y_, AscendC::CMPMODE::EQ, count);
            }
        }
        step();
        first_wins(masks_, rest_, kernel_h_ * kernel_w_, mask_, whole_repeats<T>(count) / 16, false);
    }
    // From the last tap to the first, so that the first is the one that stays.
    __aicore__ inline void number_winners(int32_t count) {
        AscendC::Duplicate<T>(winners_, static_cast<T>(-1.0f), count);
        for (int32_t number = kernel_h_ * kernel_w_ - 1; number >= 0; --number) {
            step();
            compare(rest_, tap(number / kernel_w_, number % kernel_w_), y_, AscendC::CMPMODE::EQ, count);
            step();
            const Local<int16_t> others = rest_.template ReinterpretCast<int16_t>();
            AscendC::Not(others, others, whole_repeats<T>(count) / 16);
            step();
            AscendC::Select(winners_, rest_, winners_, static_cast<T>(static_cast<float>(number)),
                            AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, static_cast<uint32_t>(count));
        }
        step();
    }
    __aicore__ inline Local<T> tap(int32_t i, int32_t j) const {
        return frame_.cells(i % stride_h_,
                            j % stride_w_)[i / stride_h_ * frame_.row + j / stride_w_ * frame_.lanes];
    }
    // Where tap (i, j) wins.
    __aicore__ inline Local<uint8_t> mask(int32_t i, int32_t j, int32_t count) {
        const int32_t number = i * kernel_w_ + j;
        if (!indexed_) {
            return masks_[number * mask_];
        }
        const Local<uint8_t> bits = masks_[turn_ * mask_];
        AscendC::CompareScalar(bits, winners_, static_cast<T>(static_cast<float>(number)),
                               AscendC::CMPMODE::EQ, static_cast<uint32_t>(whole_repeats<T>(count)));
        step();
        return bits;
    }

    // The gradients of the positions of one residue class, in place of its cells.
    __aicore__ inline void add_up(const Segment& segment, const Band& band, int32_t i, int32_t j) {
        const int32_t count = lanes_of(band);
        const Piece wanted = frame_.wanted(segment, band, i);
        const Local<T> out = frame_.cells(i, j);
        if (i >= kernel_h_ || j >= kernel_w_) {
            fill<T>(out[wanted.begin], 0, wanted.count);
            return;
        }
        if (i + stride_h_ >= kernel_h_ && j + stride_w_ >= kernel_w_) {
            if (wanted.count > 0) {
                choose(out, mask(i, j, count), grad_, wanted.begin + wanted.count);
                turn_ = 1 - turn_;
            }
            return;
        }
        const int32_t last_row = i + (kernel_h_ - 1 - i) / stride_h_ * stride_h_;
        const int32_t last_column = j + (kernel_w_ - 1 - j) / stride_w_ * stride_w_;
        if (kHalf && last_row - i + last_column - j == (last_row > i ? stride_h_ : stride_w_)) {
            add_two(out, wanted, last_row, last_column, mask(i, j, count), count);
            return;
        }
        Sums<T> sums(frame_, out, wanted);
        for (int32_t column = last_column; column >= 0; column -= stride_w_) {
            sums.begin_column(last_row != i);
            for (int32_t tap_row = last_row; tap_row >= 0; tap_row -= stride_h_) {
                add_tap(sums, tap_row, column, tap_row == last_row, count);
            }
            sums.end_column();
        }
        sums.finish();
        step();
    }

    // What the only two taps of a class give, (i, j) and that of its own cell, which wins where `own` says:
    // in float16, for the float32 sum of two float16 numbers, rounded to float16, is their sum rounded once.
    __aicore__ inline void add_two(const Local<T>& out, const Piece& wanted, int32_t i, int32_t j,
                                   const Local<uint8_t>& own, int32_t count) {
        const int32_t below = i / stride_h_ * frame_.row, beside = j / stride_w_ * frame_.lanes;
        const int32_t front = front_of_chosen();
        const Local<T> here = chosen_[turn_][front], other = chosen_[1 - turn_];
        choose(here, own, grad_, count);
        turn_ = 1 - turn_;
        choose(other[front], mask(i, j, count), grad_, count);
        step();
        const int32_t begin = wanted.begin, end = wanted.begin + wanted.count;
        const int32_t above = carries_ && below > begin ? least(below, end) : begin;
        if (above > begin) {
            const Local<T> kept = kept_.rows(i, j, beside);
            AscendC::Add(out[begin], kept[begin], here[begin], above - begin);
        }
        if (end > above) {
            AscendC::Add(out[above], other[front + above - below - beside], here[above], end - above);
        }
        if (carries_ && below > 0) {
            step();
            kept_.keep(i, j, other[front], count);
        }
        step();
    }

    // What tap (i, j) gives: to cells further down and right than its windows, so to some of later bands.
    __aicore__ inline void add_tap(Sums<T>& sums, int32_t i, int32_t j, bool first, int32_t count) {
        const int32_t below = i / stride_h_ * frame_.row;
        const int32_t beside = j / stride_w_ * frame_.lanes;
        const int32_t front = front_of_chosen();
        const Local<T> chosen = chosen_[turn_];
        choose(chosen[front], mask(i, j, count), grad_, count);
        turn_ = 1 - turn_;
        step();
        if (!carries_) { // what lies in front of the chosen is zero
            sums.add(chosen[front - below - beside], {0, count}, first);
            return;
        }
        const int32_t from_above = below < count ? below : count;
        if (below > 0) {
            sums.add(kept_.rows(i, j, beside), {0, from_above}, first);
        }
        sums.add(chosen[front - beside], {from_above, count - from_above}, first);
        if (below > 0) {
            step();
            kept_.keep(i, j, chosen[front], count);
        }
    }

    // Zeros in front of what a tap gives.
    __aicore__ inline int32_t front_of_chosen() const {
        return guard_ + (carries_ ? 0 : frame_.above * frame_.row);
    }

    __aicore__ inline int32_t lanes_of(const Band& band) const {
        return static_cast<int32_t>(band.rows.size()) * frame_.row;
    }

    Frame<T> frame_;
    KeptRows<T> kept_;
    Layout layout_;
    Local<T> y_, grad_;
    Local<T> chosen_[2]; // grad where a tap wins, and zeros in front of it; y_ is a part of the first
    Local<T> winners_;
    Local<uint8_t> masks_, rest_;
    int32_t mask_; // bytes of one
    const int32_t kernel_h_, kernel_w_, stride_h_, stride_w_;
    const int32_t guard_; // elements in front of an array that is read from columns further left
    const bool carries_, indexed_;
    int32_t turn_ = 0; // which of the two arrays of chosen gradients is next
};

} // namespace maxpoolgrad::arch22
