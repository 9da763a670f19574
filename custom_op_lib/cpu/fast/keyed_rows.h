// Stride 1 on planes of up to 256 positions whose rows, of input as of windows, fit a vector.
//
// The greatest key (keys.h) of each window: along the rows by row_keys.h, then down the rows by down_rows.h,
// one plane's beside the next one's. The first maximum of a column of windows never moves up as the window
// moves down, so that the gradients that a place receives from a column are a run's sum. There are few runs,
// and they are added one by one, when each window's orig_output is checked, too: for a run once, where it is
// the same all along.
//
// Planes that fail the check are told by one_vector_rows.h, and so are all, where many fail.
#pragma once

#include "down_rows.h"
#include "one_vector_rows.h"
#include "row_keys.h"
#include "runs.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T>
class KeyedRows {
public:
    explicit KeyedRows(const FastJob& job)
        : row_(job.w), plan_(job.h), large_(job.h.input * job.w.input), small_(job.h.output * job.w.output),
          height_(job.h.input), width_(job.w.input), windows_down_(job.h.output), windows_(job.w.output),
          step_(find_step()), input_(static_cast<const T*>(job.orig_input)),
          output_(static_cast<const T*>(job.orig_output)), grad_(static_cast<const T*>(job.grad)),
          out_grad_(static_cast<T*>(job.out_grad)),
          runs_(job.h.output, job.w.output, job.h.output * job.w.output) {
        for (int64_t row = 0; row < height_; ++row) {
            places_[row] = row_.places(row);
        }
    }

    // Before the first of planes.
    void start(int64_t plane) { (this->*step_)(plane, plane, 0); }

    // The planes [begin, end), up to kTogether; `next` comes after them. False where one of them is to be
    // told in another way.
    bool run(int64_t begin, int64_t end, int64_t next) {
        differ_ = Ints{};
        for (int64_t plane = begin; plane < end; ++plane) {
            (this->*step_)(plane + 1 < end ? plane + 1 : next, plane, plane - begin);
        }
        return !any(differ_) && write(begin, end - begin, out_grad_ + begin * large_);
    }

private:
    using Step = void (KeyedRows::*)(int64_t, int64_t, int64_t);

    bool write(int64_t plane, int64_t planes, float* out_grad) {
        clear(out_grad, planes * large_);
        return runs_.add_checked(planes, input_ + plane * large_, output_ + plane * small_, out_grad);
    }

    bool write(int64_t plane, int64_t planes, uint16_t* out_grad) {
        alignas(64) float total[kTogether * kMostPlaces];
        const int64_t count = planes * large_;
        clear(total, count);
        const bool right =
            runs_.add_checked(planes, input_ + plane * large_, output_ + plane * small_, total);
        int64_t i = 0;
        for (; i + kLanes <= count; i += kLanes) {
            store(out_grad + i, load(total + i));
        }
        store_part(out_grad + i, load(total + least(i, count - 1) / kLanes * kLanes), count - i);
        return right;
    }

    // The common windows, as many as there are rows, know their steps when they are compiled.
    Step find_step() const {
        const int moves = row_.moves(), chunks = plan_.chunks;
        const bool common = height_ == windows_down_ && !plan_.alone;
        const auto is = [&](int a, int b) { return common && moves == a && chunks == b; };
        return is(2, 1)   ? &KeyedRows::step<2, 1>
               : is(3, 2) ? &KeyedRows::step<3, 2>
               : is(4, 3) ? &KeyedRows::step<4, 3>
               : is(4, 4) ? &KeyedRows::step<4, 4>
                          : &KeyedRows::step<0, 0>;
    }

    template <int moves>
    struct Along {
        const RowKeys::Moves<moves> keys;
        const bool alone;
        const int64_t width;
        const T* input;
        const Ints* places;
        int32_t* to;
        LastRows last{};

        [[gnu::always_inline]] void row() {
            keep(keys.find(input, *places));
            input += width;
            ++places;
        }

        void end() {
            unroll<3>([&](auto) { keep(Ints{}); });
        }

        [[gnu::always_inline]] void keep(Ints windows) {
            store(to, last.put(windows, alone));
            to += kLanes;
        }
    };

    template <int chunks>
    struct Down {
        const DownPlan plan;
        const int32_t* from;
        const T *output, *grad;
        const int64_t width;
        const Mask lanes;
        const Ints first_place;
        RunRows runs;
        Ints differ;
        Ints winner{}, before{};

        [[gnu::always_inline]] void row() {
            const Ints now = plan.template windows<chunks>(from);
            const Mask same = equal_where(lanes, now, winner);
            const Ints value = load_bits_where(lanes, output);
            differ = gather_differences(same, differ, value, before);
            runs.put(same, load_where(lanes, grad, 0), without_bits(splat(kPlaceBits), now) + first_place);
            winner = now;
            before = value;
            from += kLanes;
            output += width;
            grad += width;
        }
    };

    // Looks along the rows of one plane, and down those of the one before, which is number `slot` of runs_.
    template <int moves, int chunks>
    [[gnu::noinline]] void step(int64_t plane, int64_t before, int64_t slot) {
        const int64_t height = height_, windows_down = windows_down_;
        Along<moves> along{RowKeys::Moves<moves>(row_),
                           chunks == 0 && plan_.alone,
                           width_,
                           row_.first(input_ + plane * large_),
                           places_,
                           rows_[turn_].row(0)};
        Down<chunks> down{plan_,
                          rows_[turn_ ^ 1].row(0),
                          output_ + before * small_,
                          grad_ + before * small_,
                          windows_,
                          first_lanes(windows_),
                          splat(static_cast<int32_t>(slot * large_)),
                          runs_.rows(slot),
                          differ_};
        int64_t row = 0;
        for (; row < least(height, windows_down); ++row) {
            along.row();
            down.row();
        }
        if constexpr (chunks == 0) {
            for (int64_t more = row; more < height; ++more) {
                along.row();
            }
            for (int64_t more = row; more < windows_down; ++more) {
                down.row();
            }
        }
        along.end();
        runs_.end(slot, down.runs);
        differ_ = down.differ;
        turn_ ^= 1;
    }

    const RowKeys row_;
    const DownPlan plan_;
    const int64_t large_, small_; // positions and windows of a plane
    const int64_t height_, width_, windows_down_, windows_;
    const Step step_;
    const T* const input_;
    const T* const output_;
    const T* const grad_;
    T* const out_grad_;
    int turn_ = 0;
    Ints differ_{};
    Ints places_[kMostRows];
    DownRows rows_[2];
    Runs runs_;
};

// Planes that are to be told in another way, of those so far: a few are worth more keys.
class Failures {
public:
    bool many() const { return failed_ > 4 + seen_ / 4; }
    void add(bool failed) {
        ++seen_;
        failed_ += failed ? 1 : 0;
    }

private:
    int64_t seen_ = 0, failed_ = 0;
};

// Planes without room between them or between their rows.
inline bool is_dense(const FastJob& job, const FastTensor& tensor, int64_t height, int64_t width) {
    return tensor.row_step == width && tensor.group_step == height * width &&
           tensor.image_step == job.groups_per_image * tensor.group_step;
}

template <class T>
void keyed_rows(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                float* scratch, const Redo& redo) {
    if (row_end - row_begin < job.h.input || !is_dense(job, job.large, job.h.input, job.w.input) ||
        !is_dense(job, job.small, job.h.output, job.w.output)) {
        one_vector_rows<T>(job, begin, end, row_begin, row_end, scratch, redo);
        return;
    }
    KeyedRows<T> strategy(job);
    strategy.start(begin);
    Failures failures;
    int64_t unit = begin;
    while (unit < end && !failures.many()) {
        const int64_t next = least(unit + kTogether, end);
        const bool right = strategy.run(unit, next, least(next, end - 1));
        failures.add(!right);
        if (!right) {
            one_vector_rows<T>(job, unit, next, row_begin, row_end, scratch, redo);
        }
        unit = next;
    }
    if (unit < end) {
        one_vector_rows<T>(job, unit, end, row_begin, row_end, scratch, redo);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
