// Planes to pixels and back. Transfers bring 16 planes, each a run of rows; TransDataTo5HD exchanges 16
// blocks of 32 B, so that a pixel of all planes becomes one block (two in float32) and may go anywhere. A
// piece is what one of its repeats exchanges: the pixels that a block of one plane holds.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

// Runs of rows, a run a plane, as transfers bring them.
struct Planes {
    uint64_t at;     // an address in the unified buffer
    int32_t bytes;   // from plane to plane
    int32_t pitch;   // pixels from row to row
    int32_t columns; // of them in use
    int32_t count;   // planes that exist
};

// The same pixels by cells: residue classes of rows and columns, each a grid.
struct Cells {
    uint64_t at;
    int32_t row_shift, column_shift; // place of the planes' first pixel, counted from the grid's first cell
    int32_t row_stride, column_stride;
    int32_t row_residue, column_residue; // bytes from class to class
    int32_t row, pixel;                  // bytes from row to row and from pixel to pixel of a grid
};

// Where pixels go that nobody wants, and those that two bands share: the planes' piece, then its pixels.
struct Scraps {
    uint64_t trash, tail;
};

template <class T>
class Exchange {
public:
    static constexpr int32_t kPixels = kBlockBytes / Element<T>::kBytes; // of a piece
    static constexpr int32_t kPixelBytes = kGroupLanes * Element<T>::kBytes;
    static constexpr int32_t kPieceBytes = kGroupLanes * kBlockBytes;

    __aicore__ inline Exchange(const Planes& planes, const Cells& cells, const Scraps& scraps)
        : planes_(planes), cells_(cells), scraps_(scraps) {
        int32_t rows = 1;
        while (rows * planes.pitch % kPixels != 0) {
            rows *= 2;
        }
        period_rows_ = rows;
        while (period_rows_ % cells.row_stride != 0) {
            period_rows_ += rows;
        }
        period_ = period_rows_ * planes.pitch / kPixels;
    }

    // Rows [begin, end) of the planes to cells.
    __aicore__ inline void to_cells(int32_t begin, int32_t end) { pieces<true>(begin, end, true); }

    // The way back. A piece that ends in rows which come later waits, unless there is none (`last`).
    __aicore__ inline void to_planes(int32_t begin, int32_t end, bool last) {
        if (begin * planes_.pitch % kPixels != 0 && begin < end) {
            restore_tail();
        }
        pieces<false>(begin, end, last);
    }

private:
    // The pieces of these rows; those that repeat after `period_` pieces in one instruction each.
    template <bool kIn>
    __aicore__ inline void pieces(int32_t begin, int32_t end, bool last) {
        begin_ = begin * planes_.pitch;
        end_ = end * planes_.pitch;
        const int32_t first = begin_ / kPixels;
        const int32_t whole_begin = quotient_up(begin_, kPixels);
        const int32_t whole_end = end_ / kPixels;
        if (first < whole_begin && (whole_begin <= whole_end || last) && begin_ < end_) {
            single<kIn>(first, planes_.at, planes_.bytes);
        }
        for (int32_t piece = whole_begin; piece < whole_end && piece < whole_begin + period_; ++piece) {
            repeated<kIn>(piece, whole_end);
        }
        const bool rest = whole_end * kPixels < end_ && begin_ < end_;
        if (rest && last && whole_begin <= whole_end) {
            single<kIn>(whole_end, planes_.at, planes_.bytes);
        } else if (rest && !last) {
            single<kIn>(whole_end, scraps_.tail - static_cast<uint64_t>(whole_end) * kBlockBytes,
                        kBlockBytes);
        }
    }

    template <bool kIn>
    __aicore__ inline void repeated(int32_t piece, int32_t end) {
        constexpr int32_t kMostRepeats = 255;
        uint64_t pixels[kPixels];
        const bool regular = addresses<kIn>(piece, pixels);
        if (!regular) {
            for (int32_t i = piece; i < end; i += period_) {
                single<kIn>(i, planes_.at, planes_.bytes);
            }
            return;
        }
        const int32_t cell_step = period_rows_ / cells_.row_stride * cells_.row;
        for (int32_t i = piece; i < end; i += period_ * kMostRepeats) {
            const int32_t count = quotient_up(end - i, period_);
            issue<kIn>(pixels, planes_.at + static_cast<uint64_t>(i) * kBlockBytes, planes_.bytes,
                       count < kMostRepeats ? count : kMostRepeats, period_, cell_step / kBlockBytes);
            for (int32_t j = 0; j < kPixels; ++j) {
                pixels[j] += static_cast<uint64_t>(kMostRepeats) * static_cast<uint64_t>(cell_step);
            }
        }
    }

    template <bool kIn>
    __aicore__ inline void single(int32_t piece, uint64_t planes, int32_t plane_bytes) {
        uint64_t pixels[kPixels];
        if (!addresses<kIn>(piece, pixels) && kIn) {
            step(); // all of these use the same trash
        }
        issue<kIn>(pixels, planes + static_cast<uint64_t>(piece) * kBlockBytes, plane_bytes, 1, 0, 0);
    }

    // Of a piece's pixels; false where some of them lie outside of the rows and columns in question.
    template <bool kIn>
    __aicore__ inline bool addresses(int32_t piece, uint64_t (&pixels)[kPixels]) {
        bool regular = true;
        int32_t pixel = piece * kPixels;
        int32_t row = pixel / planes_.pitch;
        int32_t column = pixel - row * planes_.pitch;
        for (int32_t i = 0; i < kPixels; ++i, ++pixel, ++column) {
            if (column == planes_.pitch) {
                column = 0;
                ++row;
            }
            if (pixel >= begin_ && pixel < end_ && column < planes_.columns) {
                pixels[i] = address(row + cells_.row_shift, column + cells_.column_shift);
                continue;
            }
            const bool shared = !kIn && pixel < begin_;
            pixels[i] = (shared ? scraps_.tail + kPieceBytes : scraps_.trash) +
                        static_cast<uint64_t>(i) * kPixelBytes;
            regular = false;
        }
        return regular;
    }

    __aicore__ inline uint64_t address(int32_t row, int32_t column) const {
        const int32_t cell_row = row / cells_.row_stride, cell = column / cells_.column_stride;
        const int32_t offset =
            (row - cell_row * cells_.row_stride) * cells_.row_residue + cell_row * cells_.row +
            (column - cell * cells_.column_stride) * cells_.column_residue + cell * cells_.pixel;
        return cells_.at + static_cast<uint64_t>(offset);
    }

    // The pixels that the band above has left in a piece that this one completes.
    __aicore__ inline void restore_tail() {
        uint64_t pixels[kPixels];
        for (int32_t i = 0; i < kPixels; ++i) {
            pixels[i] = scraps_.tail + kPieceBytes + static_cast<uint64_t>(i) * kPixelBytes;
        }
        const int32_t count = planes_.count;
        planes_.count = kGroupLanes;
        issue<true>(pixels, scraps_.tail, kBlockBytes, 1, 0, 0);
        planes_.count = count;
        step();
    }

    // A float's pixel has two blocks: planes 0 to 7, and 8 to 15.
    template <bool kIn>
    __aicore__ inline void issue(const uint64_t (&pixels)[kPixels], uint64_t planes, int32_t plane_bytes,
                                 int32_t repeats, int32_t plane_step, int32_t cell_step) {
        constexpr bool kWide = Element<T>::kBytes == 4;
        uint64_t to[AscendC::NCHW_CONV_ADDR_LIST_SIZE];
        uint64_t from[AscendC::NCHW_CONV_ADDR_LIST_SIZE];
        for (int32_t i = 0; i < kGroupLanes; ++i) {
            if constexpr (kIn) {
                const int32_t plane = i < planes_.count ? i : 0; // what does not exist looks like the first
                from[i] = planes + static_cast<uint64_t>(plane) * static_cast<uint64_t>(plane_bytes);
                to[i] =
                    kWide ? pixels[i / 2] + static_cast<uint64_t>(i % 2) * kBlockBytes : pixels[i % kPixels];
            } else {
                const int32_t plane = kWide ? i / 2 + i % 2 * kPixels : i;
                to[i] = planes + static_cast<uint64_t>(plane) * static_cast<uint64_t>(plane_bytes);
                from[i] = pixels[i % kPixels] + static_cast<uint64_t>(i / kPixels) * kBlockBytes;
            }
        }
        AscendC::TransDataTo5HDParams params;
        params.repeatTimes = static_cast<uint8_t>(repeats);
        params.dstRepStride = static_cast<uint16_t>(repeats == 1 ? 0 : kIn ? cell_step : plane_step);
        params.srcRepStride = static_cast<uint16_t>(repeats == 1 ? 0 : kIn ? plane_step : cell_step);
        AscendC::TransDataTo5HD<T>(to, from, params);
    }

    Planes planes_;
    Cells cells_;
    Scraps scraps_;
    int32_t period_rows_, period_; // after how many rows and pieces the same pattern comes again
    int32_t begin_ = 0, end_ = 0;  // pixels
};

} // namespace maxpoolgrad::arch22
