// Windows that overlap, further apart than one: each window's gradient goes to its place, one after the
// other, for windows are few.
//
// key_rows.h tells each window's first greatest position, as far as keys tell values apart. Where orig_input
// has orig_output's value there, it is the first position that has it: those in front have smaller keys,
// hence other values. Any other window is searched; one whose orig_output is not the greatest of its numbers
// leaves the group to the specification.
//
// In one column of windows those that a position wins are neighbours, so that their gradients are summed up
// where the windows are, and added to the position's when its run has ended: one sum a column. A position
// keeps as many of them apart as their order asks for: one, if it lies in two columns of windows at most; one
// less than columns, else.
#pragma once

#include "../simd/moves_avx512.h"
#include "finished_rows.h"
#include "key_rows.h"
#include "scatter_fits.h"
#include "separable.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostLost = 32; // windows that are searched before a strategy that searches none takes over

enum class Outcome { kTold, kWrong, kLost };

template <class T>
class Scatter {
public:
    Scatter(const FastJob& job, float* scratch)
        : job_(job), at_(scatter_layout(job)), rows_(scatter_rows(scratch, at_, job)),
          finished_(at_, rows_.sums, job.stream) {
        for (float* to = scratch; to < rows_.end; to += kLanes) {
            store(to, Floats{});
        }
        for (int32_t* to = rows_.keys; to < reinterpret_cast<int32_t*>(rows_.sums); to += kLanes) {
            store(to, splat(kBelowAllKeys));
        }
        tell_places();
    }

    Outcome run(int64_t unit, int64_t begin, int64_t end) {
        const FastAxis& h = job_.h;
        place(unit);
        for (int64_t i = 0; i < at_.count; i += kLanes) {
            store(rows_.run + i, Floats{});
            store(rows_.was + i, splat(static_cast<int32_t>(nobodys(at_))));
        }
        const int64_t first = most(0, (begin + h.pad - h.kernel + h.stride) / h.stride);
        const int64_t last = least(h.output, (end - 1 + h.pad) / h.stride + 1);
        const int64_t later = h.kernel % h.stride == 0 ? at_.whole - 1 : at_.whole;
        int64_t done = least(begin, most(0, first * h.stride - h.pad));
        for (int64_t step = first; step < last + later; ++step) {
            look_down(step, first);
            if (step - later < first) {
                continue;
            }
            route(step - later);
            if (wrong_ || lost_ > kMostLost + told_ / 32) {
                return give_up();
            }
            const int64_t finished = least(h.input, (step - later) * h.stride - h.pad);
            for (; done < finished; ++done) {
                finish(done, {begin, end});
            }
        }
        finished_.store_rest(0);
        flush(rows_.run);
        const int64_t touched = least(h.input, (last - 1) * h.stride - h.pad + h.kernel);
        for (; done < most(end, touched); ++done) {
            finish(done, {begin, end});
        }
        finished_.store_rest(0);
        return Outcome::kTold;
    }

private:
    void place(int64_t unit) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const T*>(job_.orig_input) + large;
        out_grad_ = static_cast<T*>(job_.out_grad) + large;
        orig_output_ = static_cast<const T*>(job_.orig_output) + small;
        grad_ = static_cast<const T*>(job_.grad) + small;
    }

    Outcome give_up() {
        const Outcome outcome = wrong_ ? Outcome::kWrong : Outcome::kLost;
        wrong_ = false;
        finished_.forget();
        return outcome;
    }

    // The tables are looked up with more bits than their index has.
    void tell_places() {
        const FastAxis &h = job_.h, &w = job_.w;
        for (int64_t i = 0; i < kMostSide; ++i) {
            const int64_t row = most(0, h.kernel - 1 - i % (int64_t{1} << at_.row_bits));
            const int64_t column = most(0, w.kernel - 1 - i % (int64_t{1} << at_.column_bits));
            for (int64_t table = 0; table < at_.ring / h.stride; ++table) {
                const int64_t sums = (table * h.stride + row) % at_.ring * at_.sums;
                rows_.row_sums[table * kMostSide + i] = static_cast<int32_t>(sums);
            }
            rows_.column_sums[i] = static_cast<int32_t>(slot_of(w, column) * at_.slot + column * at_.group);
            rows_.row_inputs[i] = static_cast<int32_t>(row * job_.large.row_step);
            rows_.column_inputs[i] = static_cast<int32_t>(column * job_.large.pixel_step);
        }
        for (int64_t i = 0, column = 0; i < at_.count; column += w.stride) {
            for (int64_t channel = 0; channel < at_.group; ++channel, ++i) {
                rows_.sums_at[i] = static_cast<int32_t>(at_.first + column * at_.group + channel);
                rows_.inputs_at[i] = static_cast<int32_t>(column * job_.large.pixel_step + channel);
            }
        }
    }

    const int32_t* row_sums(int64_t window) const {
        return rows_.row_sums + window % (at_.ring / job_.h.stride) * kMostSide;
    }

    void look_down(int64_t number, int64_t first) {
        const FastAxis& h = job_.h;
        KeyStep<T> step{};
        const int64_t row = number * h.stride - h.pad;
        step.row_step = job_.large.row_step;
        step.begin = most(0, -row);
        step.end = most(step.begin, least(h.stride, h.input - row));
        step.stride = h.stride;
        step.rest = h.kernel % h.stride;
        step.unit = int32_t{1} << at_.column_bits;
        step.bits = value_bits();
        const int64_t windows = number - (step.rest == 0 ? at_.whole - 1 : at_.whole);
        for (int64_t earlier = most(first, windows); earlier < number; ++earlier) {
            const int64_t rows = h.kernel - (earlier - windows + 1) * h.stride;
            step.earlier[step.count] = rows_.keys + earlier % at_.whole * at_.keys;
            step.below[step.count++] = static_cast<int32_t>(rows) * step.unit;
        }
        step.whole = rows_.keys + number % at_.whole * at_.keys;
        step.windows = rows_.columns;
        step.rows = orig_input_ + row * job_.large.row_step;
        down(step, at_.front, at_.row, [this](int64_t i) { finished_.meanwhile(i); });
        finished_.store_rest(at_.row / (4 * kLanes) * (4 * kLanes));
    }

    // Without its sign; those of a key that are not the place's.
    int32_t value_bits() const {
        const int64_t places = int64_t{1} << (at_.row_bits + at_.column_bits);
        return static_cast<int32_t>(INT32_MAX - (places - 1));
    }

    void route(int64_t window) {
        along_columns(rows_, at_, job_.w);
        look_up_winners(window);
        const int64_t small = window * job_.small.row_step;
        add_runs(window, orig_output_ + small, grad_ + small);
        flush(rows_.ended);
        const auto was = rows_.was;
        rows_.was = rows_.to;
        rows_.to = was;
    }

    // Where the winners lie, and of floats their values.
    void look_up_winners(int64_t window) {
        const ScatterRows rows = rows_;
        const Ints row_bits = splat(static_cast<int32_t>(at_.column_bits));
        const Ints row_sums_at = load(row_sums(window)), column_sums = load(rows.column_sums);
        const Ints row_inputs = load(rows.row_inputs), column_inputs = load(rows.column_inputs);
        const int64_t corner =
            (window * job_.h.stride - job_.h.pad) * job_.large.row_step - job_.w.pad * job_.large.pixel_step;
        const Ints first = splat(static_cast<int32_t>(corner));
        const T* next_outputs = orig_output_ + (window + 1) * job_.small.row_step;
        const T* next_grads = grad_ + (window + 1) * job_.small.row_step;
        for (int64_t i = 0; i < at_.count; i += kLanes) {
            __builtin_prefetch(next_outputs + i);
            __builtin_prefetch(next_grads + i);
            const Ints column = load(rows.windows + i), row = column >> row_bits;
            const Ints sums = permute(row_sums_at, row) + permute(column_sums, column);
            store(rows.to + i, sums + load(rows.sums_at + i));
            if constexpr (sizeof(T) == 4) {
                const Ints inputs = permute(row_inputs, row) + permute(column_inputs, column);
                const Ints at = inputs + load(rows.inputs_at + i) + first;
                store(rows.values + i, load_at(orig_input_, at, first_lanes(at_.count - i)));
            }
        }
    }

    void add_runs(int64_t window, const T* outputs, const T* grads) {
        const ScatterRows rows = rows_;
        int64_t i = 0;
        for (; i + kLanes <= at_.count; i += kLanes) {
            const Mask right = told(rows, i, outputs + i, Constant<kLanes>{});
            if (any(without(first_lanes(kLanes), right))) {
                repair(window, i, kLanes, outputs);
            }
            add_run(rows, i, load(grads + i));
        }
        if (i < at_.count) {
            const int64_t rest = at_.count - i;
            if (any(without(first_lanes(rest), told(rows, i, outputs + i, rest)))) {
                repair(window, i, rest, outputs);
            }
            add_run(rows, i, load_part(grads + i, rest));
        }
        told_ += at_.count;
    }

    // The windows whose orig_output is the winner's value.
    template <class Lanes>
    Mask told(const ScatterRows& rows, int64_t i, const T* outputs, Lanes lanes) const {
        const Floats output = load_lanes(outputs, lanes);
        if constexpr (sizeof(T) == 4) {
            return equal(load(rows.values + i), output);
        } else { // keys have all of a value's bits
            const Ints bits = splat(value_bits());
            const Ints value = load(rows.windows + i) & (bits | splat(INT32_MIN));
            return both(equal(value, key_without_place(output, bits)), equal(output, output));
        }
    }

    static void add_run(const ScatterRows& rows, int64_t i, Floats grad) {
        const Mask same = equal(load(rows.to + i), load(rows.was + i));
        const Floats so_far = load(rows.run + i);
        store(rows.run + i, only(same, so_far) + grad);
        store(rows.ended + i, pick(same, Floats{}, so_far));
    }

    // Adds the values of a row of windows to the sums that they belong to.
    void flush(const float* values) {
        float* const sums = rows_.sums;
        const int32_t* const to = rows_.was;
        for (int64_t first = 0; first < 2;
             ++first) { // neighbours, which have positions in common, far from each other
            for (int64_t i = first; i < at_.count; i += 2) {
                sums[to[i]] += values[i];
            }
        }
    }

    // Windows [i, i + count) of a row, some of which keys do not tell. Their neighbours in the column have to
    // have their greatest numbers in orig_output, for a position's windows not to be parted.
    __attribute__((noinline)) void repair(int64_t window, int64_t i, int64_t count, const T* outputs) {
        const FastAxis& h = job_.h;
        for (; count > 0; --count, ++i) {
            if (sizeof(T) == 4 && rows_.values[i] == number(outputs[i])) {
                continue;
            }
            ++lost_;
            const int32_t to = search(window, i);
            wrong_ = wrong_ || to < 0;
            if (to == rows_.to[i]) {
                continue;
            }
            rows_.to[i] = to < 0 ? static_cast<int32_t>(nobodys(at_)) : to;
            const int64_t reach = (h.kernel - 1) / h.stride;
            for (int64_t other = most(0, window - reach); other <= least(h.output - 1, window + reach);
                 ++other) {
                wrong_ = wrong_ || search(other, i) < 0;
            }
        }
    }

    // Where window number i of a row has its orig_output first, in the sums; below 0 where that is not the
    // greatest of its numbers.
    int32_t search(int64_t window, int64_t i) const {
        const FastAxis &h = job_.h, &w = job_.w;
        const int64_t column = i / at_.group, channel = i % at_.group;
        const float output =
            number(orig_output_[window * job_.small.row_step + column * job_.small.pixel_step + channel]);
        const Positions rows = positions_of(h, window), columns = positions_of(w, column);
        int32_t found = -1;
        for (int64_t y = rows.begin; y < rows.end; ++y) {
            for (int64_t x = columns.begin; x < columns.end; ++x) {
                const float value =
                    number(orig_input_[y * job_.large.row_step + x * job_.large.pixel_step + channel]);
                if (value > output) {
                    return -1;
                }
                if (value == output && found < 0) {
                    const int64_t row = (y + h.pad) % at_.ring * at_.sums,
                                  tap = x + w.pad - column * w.stride;
                    found = static_cast<int32_t>(row + slot_of(w, tap) * at_.slot + tap * at_.group) +
                            rows_.sums_at[i];
                }
            }
        }
        return found;
    }

    void finish(int64_t row, Positions wanted) {
        const bool inside = wanted.begin <= row && row < wanted.end;
        finished_.finish((row + job_.h.pad) % at_.ring,
                         inside ? out_grad_ + row * job_.large.row_step : nullptr);
    }

    const FastJob& job_;
    const ScatterLayout at_;
    ScatterRows rows_;
    FinishedRows<T> finished_;
    const T* orig_input_ = nullptr;
    const T* orig_output_ = nullptr;
    const T* grad_ = nullptr;
    T* out_grad_ = nullptr;
    int64_t lost_ = 0, told_ = 0; // windows
    bool wrong_ = false;
};

// What cannot be told here is told there.
inline int64_t scatter_scratch(const FastJob& job) {
    return most(scatter_floats(job), separable_scratch(job));
}

template <class T>
void scatter(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
             float* scratch, const Redo& redo) {
    Scatter<T> strategy(job, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        const Outcome outcome = strategy.run(unit, row_begin, row_end);
        if (outcome != Outcome::kTold) {
            end_streams();
        }
        if (outcome == Outcome::kLost) {
            separable<T>(job, unit, end, row_begin, row_end, scratch, redo);
            return;
        }
        if (outcome == Outcome::kWrong) {
            redo.call(redo.context, unit, row_begin, row_end);
        }
    }
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
