// Whole planes of stride 1, for large windows: row maxima by running along columns, then windows by running
// along rows. It is right under the same conditions as separable.h, and where orig_output is the maximum of
// every window.
#pragma once

#include "checks.h"
#include "grid.h"
#include "running_sums.h"

namespace maxpoolgrad::arch22 {

// Maxima of rows, turned from lines of columns to lines of rows.
template <class T>
class TurnedMaxima {
public:
    __aicore__ inline TurnedMaxima(const Local<T>& to, const Local<T>& spare, int32_t line, int32_t rows,
                                   int32_t windows, int32_t lanes)
        : to_(to), spare_(spare), line_(line), rows_(rows), windows_(windows), lanes_(lanes) {}

    __aicore__ inline Local<T> place(int32_t) {
        turn_ = 1 - turn_;
        return spare_[turn_ * line_];
    }
    __aicore__ inline void take(int32_t window, const Local<T>& from) {
        const int32_t blocks = lanes_ * Element<T>::kBytes / kBlockBytes;
        copy_blocks(to_[window * lanes_], from, rows_, blocks, 0, (windows_ - 1) * blocks);
    }
    __aicore__ inline void take_placed(int32_t window, const Local<T>& from) { take(window, from); }

private:
    Local<T> to_, spare_; // spare_: two lines
    int32_t line_, rows_, windows_, lanes_;
    int32_t turn_ = 0;
};

// Maxima of windows, line after line.
template <class T>
class KeptMaxima {
public:
    __aicore__ inline KeptMaxima(const Local<T>& to, int32_t line) : to_(to), line_(line) {}

    __aicore__ inline Local<T> place(int32_t window) { return to_[window * line_]; }
    __aicore__ inline void take(int32_t window, const Local<T>& from) {
        copy_blocks(place(window), from, 1, line_ * Element<T>::kBytes / kBlockBytes, 0, 0);
    }
    __aicore__ inline void take_placed(int32_t, const Local<T>&) {}

private:
    Local<T> to_;
    int32_t line_;
};

template <class T, class Layout>
class Running {
public:
    __aicore__ inline Running(AscendC::TPipe& pipe, const Tiling& plan, const Stage& stage, Memory& memory,
                              Tensors<T>& tensors)
        : pipe_(pipe), plan_(plan), stage_(stage), memory_(memory), layout_(plan, stage, memory, tensors),
          lanes_(static_cast<int32_t>(plan.lanes)), rows_(static_cast<int32_t>(plan.h.input)),
          columns_(static_cast<int32_t>(plan.w.input)), window_rows_(static_cast<int32_t>(plan.h.windows)),
          window_columns_(static_cast<int32_t>(plan.w.windows)),
          along_columns_(plan.w, rows_ * lanes_, static_cast<int32_t>(stage.at.mask_bytes)),
          along_rows_(plan.h, window_columns_ * lanes_, static_cast<int32_t>(stage.at.second_mask_bytes)) {
        const Buffers& at = stage.at;
        const int64_t line = 4 * larger(along_columns_.line, along_rows_.line) + kRepeatBytes;
        along_columns_.set_masks(memory.at<uint8_t>(at.masks, at.second_masks - at.masks));
        along_rows_.set_masks(memory.at<uint8_t>(at.second_masks, at.good - at.second_masks));
        spare_.summands = memory.at<float>(at.chosen, 2 * line);
        spare_.sum = memory.at<float>(at.column, line);
        spare_.zero = memory.at<float>(at.total, line);
        spare_.landings = memory.at<float>(at.kept, at.trash - at.kept);
        all_.init(memory.at<int16_t>(at.good, kBlockBytes));
        clear();
    }

    __aicore__ inline const Stage& stage() const { return stage_; }
    __aicore__ inline Layout& layout() { return layout_; }

    // False at the end of a segment that has to be done again.
    __aicore__ inline bool compute(const Tile& tile, int32_t slot) {
        const Buffers& at = stage_.at;
        const int32_t line = along_rows_.line;
        const Local<T> x = array<T>(at.cells, 2 * columns_ * along_columns_.line);
        const Local<T> y = array<T>(at.windows_y, window_rows_ * line);
        const Local<T> grad = array<T>(at.windows_grad, window_rows_ * line);
        all_.begin();
        layout_.settle(tile, slot);
        step();
        all_.greater(slot_array<T>(memory_, at, slot, Source::kX), minus_infinity_, layout_.numbers(tile),
                     bits());
        layout_.bring(Source::kX, tile, slot, 0, rows_, plain_grid<T>(x, 0, lanes_, along_columns_.line));
        layout_.bring(Source::kY, tile, slot, 0, window_rows_, plain_grid<T>(y, 0, line, lanes_));
        layout_.bring(Source::kGrad, tile, slot, 0, window_rows_, plain_grid<T>(grad, 0, line, lanes_));
        step();
        find_rows(x);
        find_windows(y);
        add_rows(grad);
        add_columns(x);
        layout_.deliver(tile, slot, 0, rows_, true, plain_grid<T>(x, 0, lanes_, along_columns_.line));
        step();
        return all_.verdict(pipe_);
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;

    template <class U>
    __aicore__ inline Local<U> array(int64_t offset, int32_t count) {
        return memory_.at<U>(offset, int64_t{count} * static_cast<int64_t>(sizeof(U)) + kRepeatBytes);
    }
    // Two arrays of a bit a window and lane.
    __aicore__ inline Local<uint8_t> bits() {
        const int64_t begin = stage_.at.good + kBlockBytes;
        return memory_.at<uint8_t>(begin, stage_.at.tail - begin);
    }

    __aicore__ inline void clear() {
        const Buffers& at = stage_.at;
        // What instructions that fill their repeats read behind arrays.
        const int64_t bytes = at.masks - at.cells;
        fill<T>(memory_.at<T>(at.cells, bytes), 0, static_cast<int32_t>(bytes) / kBytes);
        fill<float>(spare_.zero, 0, static_cast<int32_t>(spare_.zero.GetSize()));
        fill<float>(spare_.summands, 0, static_cast<int32_t>(spare_.summands.GetSize()));
        step();
        fill<T>(memory_.at<T>(at.cells, kRepeatBytes), Element<T>::kMinusInfinity, kRepeatBytes / kBytes);
        AscendC::PipeBarrier<PIPE_ALL>();
        minus_infinity_ = memory_.at<T>(at.cells, kRepeatBytes).GetValue(0);
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    // The maxima of the windows' rows, by rows of the input; behind them, room for as many.
    __aicore__ inline Local<T> row_maxima() {
        return array<T>(stage_.at.row_maxima, 2 * rows_ * along_rows_.line);
    }

    __aicore__ inline void find_rows(const Local<T>& x) {
        const Local<T> maxima = x[columns_ * along_columns_.line];
        const Local<T> spare = spare_.summands.template ReinterpretCast<T>();
        TurnedMaxima<T> taker(row_maxima(), spare, along_columns_.line, rows_, window_columns_, lanes_);
        RunningSearch<T, TurnedMaxima<T>>(along_columns_, x, maxima, taker).run();
    }

    __aicore__ inline void find_windows(const Local<T>& y) {
        const int32_t line = along_rows_.line;
        const Local<T> most = array<T>(stage_.at.cells, window_rows_ * line);
        const Local<T> rows = row_maxima();
        KeptMaxima<T> taker(most, line);
        RunningSearch<T, KeptMaxima<T>>(along_rows_, rows, rows[rows_ * line], taker).run();
        // Behind both arrays, equal numbers.
        fill<T>(most[window_rows_ * line], 0, kRepeatBytes / kBytes);
        fill<T>(y[window_rows_ * line], 0, kRepeatBytes / kBytes);
        step();
        const Local<uint8_t> all = bits();
        all_.equal(most, y, window_rows_ * line, all, all[static_cast<int32_t>(all.GetSize()) / 2]);
    }

    // What windows give to the winners of their rows; turned back to lines of columns.
    __aicore__ inline void add_rows(const Local<T>& grad) {
        const int32_t line = along_rows_.line;
        const Local<float> sums = array<float>(stage_.at.cells, rows_ * line);
        RunningSums<T>(along_rows_, grad, sums, spare_).run();
        const Local<float> turned = array<float>(stage_.at.row_maxima, window_columns_ * along_columns_.line);
        const int32_t blocks = lanes_ * 4 / kBlockBytes;
        for (int32_t row = 0; row < rows_; ++row) {
            copy_blocks(turned[row * lanes_], sums[row * line], window_columns_, blocks, 0,
                        (rows_ - 1) * blocks);
        }
        step();
    }

    __aicore__ inline void add_columns(const Local<T>& out) {
        const int32_t count = columns_ * along_columns_.line;
        const Local<float> given = array<float>(stage_.at.row_maxima, window_columns_ * along_columns_.line);
        const Local<float> total = array<float>(stage_.at.windows_y, count);
        RunningSums<float>(along_columns_, given, total, spare_).run();
        if constexpr (kBytes == 2) {
            AscendC::Cast(out, total, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count));
        } else {
            copy_blocks(out, total, 1, count * kBytes / kBlockBytes, 0, 0);
        }
        step();
    }

    AscendC::TPipe& pipe_;
    const Tiling& plan_;
    const Stage& stage_;
    Memory& memory_;
    Layout layout_;
    const int32_t lanes_, rows_, columns_, window_rows_, window_columns_;
    RunningAxis along_columns_, along_rows_;
    RunningSpare spare_;
    AllBits all_;
    T minus_infinity_;
};

} // namespace maxpoolgrad::arch22
