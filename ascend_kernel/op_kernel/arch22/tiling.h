// What the kernel of A2 and A3 (arch 2201) is told about its launch: plain numbers, written by plan.h on the
// host.
//
// Words. A cell is a square of stride x stride positions; window number i begins in cell number i, so that a
// window reaches over `reach` cells and no division is left for the kernel. Lanes are the planes (NCHW) or
// channels (NHWC) that lie side by side in the unified buffer: a group of them is what a core works on at a
// time, and a pixel is one position of all lanes. Counted in rows of cells, a tile is what one transfer
// moves, a band what is computed at once.
#pragma once

#include <cstdint>

namespace maxpoolgrad::arch22 {

enum Format : int64_t { kNchw, kNhwc };

enum Strategy : int64_t {
    kZeros,     // no window touches a position
    kSearch,    // any pooling: window after window, slowly
    kTaps,      // every position of a window by itself, any orig_output
    kSeparable, // the row of the maximum first, then its column; where orig_output is the maximum
    kRunning,   // the same for whole planes and stride 1, in steps whose number does not grow with the kernel
};

constexpr uint64_t kFirstKey = 2200;

constexpr uint64_t tiling_key(int64_t strategy, int64_t format) {
    return kFirstKey + 10 * static_cast<uint64_t>(strategy) + static_cast<uint64_t>(format);
}

// One axis, reduced to the windows that touch a position: 0 <= pad < max(kernel, stride).
struct Axis {
    int64_t input;   // positions
    int64_t output;  // windows of orig_output
    int64_t first;   // the first window that touches a position
    int64_t windows; // how many do, from there on
    int64_t kernel;  // taps that touch a position in any of them
    int64_t stride;
    int64_t pad;   // positions of the first cell that lie in front of the input
    int64_t reach; // cells that a window reaches over
    int64_t cells; // cells that hold positions
};

// Where arrays begin in the unified buffer, in bytes; and what some of them hold.
struct Buffers {
    int64_t x, y, grad; // of a slot: what transfers move; out_grad takes the place of x
    int64_t slot;       // bytes of a slot
    int64_t cells;      // x by cells, later out_grad
    int64_t windows_y;  // y and grad by windows
    int64_t windows_grad;
    int64_t masks;      // a bit a window and lane, for every tap
    int64_t mask_bytes; // of one tap
    int64_t rest;       // the windows that have found no winner yet
    int64_t winners;    // taps, indexed: the number of each window's winner
    int64_t chosen;     // grad where a tap wins: two that alternate
    int64_t chosen_bytes;
    int64_t kept;   // the same for taps that reach into later bands
    int64_t column; // float32 sums
    int64_t total;
    int64_t row_maxima;   // separable: maxima of the windows' rows
    int64_t row_sums;     // separable: float32 sums by row of a window
    int64_t good;         // windows whose orig_output is their maximum; whether all numbers of x are good
    int64_t exists;       // separable, rows without padding: the windows for which a tap exists, a mask a tap
    int64_t second_masks; // running: those of the other axis
    int64_t second_mask_bytes;
    int64_t tail;  // the pixels of a transposed piece that two bands share
    int64_t trash; // pixels that nobody wants
    int64_t all;   // bytes in all
};

// How a strategy goes about it.
struct Stage {
    int64_t strategy;
    int64_t slots;     // tiles in flight
    int64_t tile_rows; // of cells
    int64_t
        more_rows; // that the last tile of a plane may have in addition: of no window, and nothing to read
    int64_t band_rows;
    int64_t pitch; // pixels from one row of cells to the next in the unified buffer
    int64_t
        lead; // separable: pixels in front of a row that are the end of the row above; 0: rows have padding
    int64_t in_place;     // separable, NHWC: 1: y and grad are used where transfers bring them
    int64_t carries;      // 1: a band takes over what the one above has left
    int64_t segment_rows; // at most, where bands do not carry; each segment finds windows above it again
    int64_t indexed;      // 1: taps keep the number of the one that wins, and no mask a tap
    Buffers at;
};

struct Tiling {
    Axis h;
    Axis w;
    int64_t outer;    // NCHW: planes; NHWC: images
    int64_t channels; // NHWC
    int64_t lanes;    // of a group in the unified buffer, a multiple of 16
    int64_t depth;    // of them in use, in all groups but the last: NCHW 16, NHWC channels
    int64_t groups;   // NCHW: of planes; NHWC: of channels, for every image
    int64_t strips;   // of columns of cells
    int64_t strip_cells;
    int64_t unit_rows; // rows of cells that a core takes at a time
    int64_t units;     // of a strip of a group
    int64_t
        few_first; // running, NCHW: behind `groups`, so that cores get about the same, groups of 16 planes:
    int64_t few;   // the first one's number, counted in such groups, and how many there are
    Stage main;
    Stage fallback; // where `main` finds that it does not apply
};

} // namespace maxpoolgrad::arch22
