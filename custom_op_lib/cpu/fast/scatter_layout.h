// Where the strategy scatter.h keeps its rows: keys, sums of gradients, and what it knows of a row of
// windows. All count in elements of four bytes and begin on a cache line.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostSide = 16; // of a window
constexpr int64_t kLineFloats = 16;

struct ScatterLayout {
    int64_t group;
    int64_t row;                   // elements of a row of input
    int64_t front;                 // from the beginning of a row of keys or sums to that of the input
    int64_t first;                 // to the first window's first element
    int64_t keys;                  // a row of keys
    int64_t whole;                 // whole strides of rows within a window: as many rows of keys are kept
    int64_t column_bits, row_bits; // of a place, the row's above the column's
    int64_t slots;                 // sums of a position
    int64_t slot, sums;            // a row of sums of one slot, and of all
    int64_t ring;                  // rows of sums, a multiple of the stride
    int64_t count;                 // windows of a row
    int64_t windows;               // memory for them
};

inline int64_t bits_for(int64_t count) {
    int64_t bits = 0;
    while (int64_t{1} << bits < count) {
        ++bits;
    }
    return bits;
}

inline ScatterLayout scatter_layout(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    ScatterLayout at{};
    at.group = job.group;
    at.row = w.input * job.group;
    at.front = round_up(w.pad * job.group, kLineFloats);
    at.first = at.front - w.pad * job.group;
    const int64_t steps = w.output + w.kernel / w.stride;
    const int64_t read = at.first + steps * w.stride * job.group;
    at.keys = round_up(most(at.front + at.row, read), kLineFloats) + (w.stride + 1) * kLineFloats;
    at.whole = h.kernel / h.stride;
    at.column_bits = bits_for(w.kernel);
    at.row_bits = bits_for(h.kernel);
    at.slots = most(1, (w.kernel - 1) / w.stride);
    at.slot = at.front + round_up(at.row, kLineFloats) + kLineFloats;
    at.sums = at.slots * at.slot;
    at.ring = round_up(h.kernel + h.stride, h.stride);
    at.count = w.output * job.group;
    at.windows = round_up(steps * job.group, kLineFloats) + kLineFloats;
    return at;
}

// The scratch memory, cut up.
struct ScatterRows {
    int32_t* keys;        // of the last whole strides of rows
    int32_t* columns;     // of one column of a window each
    float* sums;          // and a line that is nobody's
    int32_t* row_sums;    // tables of the windows' rows, and of their columns: what a place adds to where
    int32_t* column_sums; //   a window's first element lies, in sums and in orig_input
    int32_t* row_inputs;
    int32_t* column_inputs;
    int32_t *sums_at, *inputs_at; // the windows' first elements
    int32_t *whole,
        *begin;       // keys of whole strides of columns, and of the columns that a window takes of the next
    int32_t* windows; // and of windows
    float* values;    // of orig_input where the winners lie
    int32_t *to,
        *was;     // the elements of sums that the gradients go to, of this row of windows and of the last one
    float* run;   // sums of the gradients of windows one below the other with one winner
    float* ended; // those of the runs that have ended
    float* end;
};

// Which of a position's sums a column of a window is added to: the two leftmost ones that reach a position
// share the first, for the order of two does not matter.
inline int64_t slot_of(const FastAxis& w, int64_t column) {
    return most(0, (w.kernel - 1 - column % w.stride) / w.stride - column / w.stride - 1);
}

inline int64_t nobodys(const ScatterLayout& at) {
    return at.ring * at.sums;
}

inline ScatterRows scatter_rows(float* scratch, const ScatterLayout& at, const FastJob& job) {
    ScatterRows rows{};
    const auto floats = [&](int64_t count) {
        float* const begin = scratch;
        scratch += count;
        return begin;
    };
    const auto ints = [&](int64_t count) { return reinterpret_cast<int32_t*>(floats(count)); };
    rows.keys = ints(at.whole * at.keys);
    rows.columns = ints(at.keys);
    rows.sums = floats(nobodys(at) + kLineFloats);
    rows.row_sums = ints(at.ring / job.h.stride * kMostSide);
    rows.column_sums = ints(kMostSide);
    rows.row_inputs = ints(kMostSide);
    rows.column_inputs = ints(kMostSide);
    rows.sums_at = ints(at.windows);
    rows.inputs_at = ints(at.windows);
    rows.whole = ints(at.windows);
    rows.begin = ints(at.windows);
    rows.windows = ints(at.windows);
    rows.values = floats(at.windows);
    rows.to = ints(at.windows);
    rows.was = ints(at.windows);
    rows.run = floats(at.windows);
    rows.ended = floats(at.windows);
    rows.end = scratch;
    return rows;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
