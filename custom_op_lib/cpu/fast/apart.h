// Windows that do not overlap, of channels side by side: the specification itself, a vector of channels at a
// time. No sums, and no window that it cannot tell.
#pragma once

#include "zeros.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

inline bool is_apart(const FastAxis& axis) {
    return axis.kernel <= axis.stride || axis.output == 1;
}

// Whether the windows cover a position.
inline bool is_covered(const FastAxis& axis, int64_t position) {
    const int64_t padded = position + axis.pad;
    if (axis.output == 1) {
        return padded < axis.kernel;
    }
    return padded % axis.stride < axis.kernel && padded / axis.stride < axis.output;
}

template <class T>
class Apart {
public:
    Apart(const FastJob& job, int64_t unit) : job_(job) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const T*>(job_.orig_input) + large;
        out_grad_ = static_cast<T*>(job_.out_grad) + large;
        orig_output_ = static_cast<const T*>(job_.orig_output) + small;
        grad_ = static_cast<const T*>(job_.grad) + small;
    }

    void run(int64_t begin, int64_t end) {
        const FastAxis& h = job_.h;
        for (int64_t row = begin; row < end; ++row) {
            clear(row);
        }
        const int64_t last = least(h.output, (end - 1 + h.pad) / h.stride + 1);
        const int64_t first = most(0, (begin + h.pad - h.kernel + h.stride) / h.stride);
        for (int64_t window = first; window < last; ++window) {
            route(window, begin, end);
        }
    }

private:
    // Zeros where no window is; few channels are zeros everywhere first, for pixels one by one take longer.
    void clear(int64_t row) {
        const FastAxis& w = job_.w;
        const bool covered = is_covered(job_.h, row);
        if (job_.large.pixel_step == job_.group && (!covered || job_.group < kLanes)) {
            set_zero(out_grad_ + row * job_.large.row_step, w.input * job_.group);
            return;
        }
        for (int64_t pixel = 0; pixel < w.input; ++pixel) {
            if (covered && is_covered(w, pixel)) {
                continue;
            }
            T* to = out_grad_ + row * job_.large.row_step + pixel * job_.large.pixel_step;
            for (int64_t channel = 0; channel < job_.group; ++channel) {
                to[channel] = T{};
            }
        }
    }

    void route(int64_t window, int64_t begin, int64_t end) {
        const Positions rows = positions_of(job_.h, window);
        for (int64_t pixel = 0; pixel < job_.w.output; ++pixel) {
            const Positions columns = positions_of(job_.w, pixel);
            const int64_t small = window * job_.small.row_step + pixel * job_.small.pixel_step;
            int64_t channel = 0;
            for (; channel + kLanes <= job_.group; channel += kLanes) {
                const auto store_all = [](T* to, Floats value) { store(to, value); };
                search(
                    rows, columns, channel, begin, end, load(orig_output_ + small + channel),
                    load(grad_ + small + channel), [](const T* from) { return load(from); }, store_all);
            }
            if (channel < job_.group) {
                const int64_t rest = job_.group - channel;
                const auto store_rest = [rest](T* to, Floats value) { store_part(to, value, rest); };
                search(
                    rows, columns, channel, begin, end, load_part(orig_output_ + small + channel, rest),
                    load_part(grad_ + small + channel, rest),
                    [rest](const T* from) { return load_part(from, rest); }, store_rest);
            }
        }
    }

    template <class Load, class Store>
    [[gnu::always_inline]] void search(Positions rows, Positions columns, int64_t channel, int64_t begin,
                                       int64_t end, Floats output, Floats grad, Load load_from,
                                       Store store_to) {
        Mask found = none();
        for (int64_t row = rows.begin; row < least(end, rows.end); ++row) {
            for (int64_t column = columns.begin; column < columns.end; ++column) {
                const int64_t at = row * job_.large.row_step + column * job_.large.pixel_step + channel;
                const Mask same = equal(load_from(orig_input_ + at), output);
                if (row >= begin) {
                    store_to(out_grad_ + at, only(without(same, found), grad) + Floats{}); // never -0
                }
                found = either(found, same);
            }
        }
    }

    const FastJob& job_;
    const T* orig_input_;
    T* out_grad_;
    const T* orig_output_;
    const T* grad_;
};

template <class T>
void apart(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float*,
           const Redo&) {
    for (int64_t unit = begin; unit < end; ++unit) {
        Apart<T>(job, unit).run(row_begin, row_end);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
