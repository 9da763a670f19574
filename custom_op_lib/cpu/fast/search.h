// Few windows, or short rows, of one channel: the specification itself. Each window's positions are compared
// with its value, a chunk of memory at a time (first_places.h); then the gradients are added where they
// belong, one by one. No window that it cannot tell.
//
// First the places of some hundred windows, then their sums: a store whose address hangs on a comparison
// keeps loads behind it waiting.
#pragma once

#include "costs.h"
#include "first_places.h"
#include "put.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kPlacesTogether = 1024;
constexpr int64_t kPositionsTogether = 2048; // of small planes: they stay in the first-level cache
constexpr int64_t kMostStaged = 32768;       // positions of a plane that is put together in scratch memory
constexpr int64_t kShortRow = 4;             // windows; of fewer, columns are looked at one after the other

// What a job needs, and how it is cut.
struct SearchShape {
    explicit SearchShape(const FastJob& job)
        : by_columns(overlap(job.h) && overlap(job.w)), apart(!overlap(job.h) && !overlap(job.w)),
          plane(job.h.input * job.w.input), windows(job.h.output * job.w.output),
          planes(most(1, least(kPositionsTogether / plane, kPlacesTogether / windows))),
          positions(round_up(planes * plane, 16)), staged(job.stream && plane <= kMostStaged),
          places(
              round_up(most(kPlacesTogether, by_columns ? windows : most(job.h.output, job.w.output)), 16)) {}

    bool by_columns, apart;
    int64_t plane, windows; // positions and windows of a plane
    int64_t planes;         // together
    int64_t positions;      // of scratch memory
    bool staged;            // put together there, then stored past the caches
    int64_t places;
};

template <class T, class Piece>
class Search {
    using Table = Rectangles<Piece::kElements>;

public:
    Search(const FastJob& job, FirstPlaces<T> find, float* scratch)
        : job_(job), shape_(job), table_(job, reinterpret_cast<int32_t*>(scratch)), find_(find),
          places_(reinterpret_cast<int32_t*>(scratch) + table_ints(job)),
          column_(reinterpret_cast<float*>(places_ + shape_.places)),
          sums_(column_ + (shape_.by_columns ? shape_.positions : 0)),
          stage_(sums_ + (summed(shape_) ? shape_.positions : 0)) {
        set_zero(column_, sums_ - column_);
    }

    static int64_t scratch(const FastJob& job) {
        const SearchShape shape(job);
        const int64_t planes = (shape.by_columns ? 1 : 0) + (summed(shape) ? 1 : 0);
        const int64_t stage = shape.staged ? shape.positions + kLineBytes : 0;
        return table_ints(job) + shape.places + planes * shape.positions + stage;
    }

    void run(int64_t begin, int64_t end, int64_t row_begin, int64_t row_end) const {
        const bool whole = row_end - row_begin == job_.h.input;
        const int64_t together = whole ? shape_.planes : 1;
        const int64_t band = (row_end - row_begin) * job_.w.input;
        const Band rows = band_of(row_begin, row_end);
        for (int64_t unit = begin; unit < end; unit += together) {
            const int64_t planes = least(together, end - unit);
            run_planes(windows_of(unit, planes, rows), unit, rows, planes > 1 ? planes * shape_.plane : band);
        }
        end_streams();
    }

private:
    // The first position that is written, and the rows of windows that tell them all.
    struct Band {
        int64_t first, window, windows;
    };

    static bool summed(const SearchShape& shape) { return sizeof(T) == 2 && !shape.apart; }
    static int64_t table_ints(const FastJob& job) { return round_up(Table::ints(job), 16); }

    Band band_of(int64_t begin, int64_t end) const {
        const FastAxis& h = job_.h;
        const int64_t first = most(0, (begin + h.pad - h.kernel + h.stride) / h.stride);
        const int64_t last = least(h.output, (end - 1 + h.pad) / h.stride + 1);
        return {begin * job_.w.input, first, most(0, last - first)};
    }

    int64_t small_step() const {
        return job_.groups_per_image > 1 ? job_.small.group_step : job_.small.image_step;
    }

    int64_t small_of(int64_t unit, const Band& band) const {
        return unit * small_step() + band.window * job_.small.row_step;
    }

    Windows<T> windows_of(int64_t unit, int64_t planes, const Band& band) const {
        const int64_t rows = most_rows(job_.h), columns = most_rows(job_.w);
        const int64_t reach = (rows - 1) * job_.w.input + columns - 1 + Piece::kElements;
        const int64_t large = unit * shape_.plane;
        Windows<T> windows{};
        windows.input = static_cast<const T*>(job_.orig_input) + large;
        windows.output = static_cast<const T*>(job_.orig_output) + small_of(unit, band);
        windows.planes = planes;
        windows.input_step = shape_.plane;
        windows.output_step = small_step();
        windows.outer = {table_.h() + band.window, band.windows, job_.small.row_step};
        windows.inner = {table_.w(), job_.w.output, 1};
        if (job_.w.output < kShortRow) {
            const Lines rows_of_windows = windows.outer;
            windows.outer = windows.inner;
            windows.inner = rows_of_windows;
        }
        windows.rectangles = table_.all();
        windows.words = Table::words(job_);
        windows.last = job_.groups * shape_.plane - large - reach;
        windows.first = band.first;
        return windows;
    }

    // Writes `count` positions from the band's first on.
    void run_planes(const Windows<T>& windows, int64_t unit, const Band& band, int64_t count) const {
        T* const out_grad = static_cast<T*>(job_.out_grad) + unit * shape_.plane + band.first;
        T* const to = shape_.staged ? staged(out_grad) : out_grad;
        const T* grad = static_cast<const T*>(job_.grad) + small_of(unit, band);
        const bool all = shape_.by_columns || windows.planes > 1;
        const int64_t lines =
            all ? windows.outer.count : most(1, kPlacesTogether / most(1, windows.inner.count));
        if (shape_.apart) {
            set_zero(to, count);
        } else {
            set_zero(sums_or(to), count);
        }
        Windows<T> some = windows;
        for (int64_t line = 0; line < windows.outer.count; line += lines) {
            some.outer.at = windows.outer.at + line;
            some.outer.count = least(lines, windows.outer.count - line);
            find_(some, places_);
            add_found(some, grad, to, static_cast<uint32_t>(count));
            some.output += lines * windows.outer.step;
            grad += lines * windows.outer.step;
        }
        if (summed(shape_)) {
            round_to(sums_, to, count);
        }
        if (shape_.staged) {
            stream_out(to, out_grad, count);
        }
    }

    // Memory that lies in its cache lines as out_grad does.
    T* staged(const T* out_grad) const {
        return reinterpret_cast<T*>(stage_) +
               (kLineBytes / sizeof(T) - before_line(out_grad)) % (kLineBytes / sizeof(T));
    }

    float* sums_or(float* to) const { return to; }
    float* sums_or(uint16_t*) const { return sums_; }

    void add_found(const Windows<T>& windows, const T* grad, T* to, uint32_t count) const {
        const int64_t inner = windows.inner.count, outer = windows.outer.count, each = inner * outer;
        const auto in_order = [](const Lines& lines, int64_t step) {
            return lines.count == 1 || lines.step == step;
        };
        if (!shape_.by_columns && in_order(windows.inner, 1) && in_order(windows.outer, inner) &&
            (windows.planes == 1 || windows.output_step == each)) {
            add_line(places_, grad, to, {windows.planes * each, 1, 1}, count);
            return;
        }
        const int32_t* places = places_;
        for (int64_t plane = 0; plane < windows.planes;
             ++plane, places += each, grad += windows.output_step) {
            if (shape_.by_columns) {
                add_columns(windows, places, grad, to, count);
                continue;
            }
            for (int64_t line = 0; line < outer; ++line) {
                add_line(places + line * inner, grad + line * windows.outer.step, to,
                         {inner, 1, windows.inner.step}, count);
            }
        }
    }

    void add_line(const int32_t* places, const T* grad, T* to, Steps steps, uint32_t count) const {
        if (shape_.apart) {
            put(to, places, grad, steps, count);
        } else {
            add(sums_or(to), places, grad, steps, count);
        }
    }

    void add_columns(const Windows<T>& windows, const int32_t* places, const T* grad, T* to,
                     uint32_t count) const {
        const bool rows = windows.inner.at == table_.w(); // lie one after the other in `places`
        const Lines& down = rows ? windows.outer : windows.inner;
        const Lines& along = rows ? windows.inner : windows.outer;
        const Steps steps{down.count, rows ? windows.inner.count : 1, job_.small.row_step};
        for (int64_t column = 0; column < along.count; ++column) {
            const int64_t first = rows ? column : column * windows.inner.count;
            add_column(sums_or(to), column_, places + first, grad + column, steps, count);
        }
    }

    const FastJob& job_;
    const SearchShape shape_;
    const Table table_;
    const FirstPlaces<T> find_;
    int32_t* const places_;
    float *const column_, *const sums_, *const stage_;
};

template <class T, class Piece, int... number>
void search_in(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
               float* scratch, std::integer_sequence<int, number...> known) {
    const auto find = first_places_of<Piece, T>(most_chunks(job, Piece::kElements), known);
    Search<T, Piece>(job, find, scratch).run(begin, end, row_begin, row_end);
}

template <class T>
void search(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
            float* scratch, const Redo&) {
#if defined(__AVX512BW__)
    if (half_chunks_do(job)) {
        search_in<T, HalfChunk>(job, begin, end, row_begin, row_end, scratch,
                                std::make_integer_sequence<int, 7>{});
        return;
    }
#endif
    search_in<T, Chunk>(job, begin, end, row_begin, row_end, scratch, std::make_integer_sequence<int, 3>{});
}

template <class T>
int64_t search_scratch(const FastJob& job) {
#if defined(__AVX512BW__)
    if (half_chunks_do(job)) {
        return Search<T, HalfChunk>::scratch(job);
    }
#endif
    return Search<T, Chunk>::scratch(job);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
