// NCHW: a group is 16 planes or several times that many. Transfers move runs of rows, a run a plane; pixels
// come from TransDataTo5HD.
#pragma once

#include "exchange.h"
#include "grid.h"
#include "plane_transfer.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Nchw {
public:
    static constexpr bool kChannelsLast = false;

    __aicore__ inline Nchw(const Tiling& plan, const Stage& stage, Memory& memory, Tensors<T>& tensors)
        : plan_(plan), at_(stage.at), memory_(memory), tensors_(tensors), whole_(plan.strips == 1),
          whole_windows_(whole_ && plan.w.windows == plan.w.output) {
        const Local<T> trash = memory.at<T>(at_.trash, Exchange<T>::kPieceBytes);
        fill<T>(trash, 0, Exchange<T>::kPieceBytes / kBytes);
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline void load(const Tile& tile, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        const PlaneImage x = image(tile, plan_.h.input, plan_.w.input, tile.x_rows.begin, strip.x.begin);
        const PlaneRun x_run = run(Source::kX, tile);
        read_planes(slot_array<T>(memory_, at_, slot, Source::kX), tensors_.x, x, x_run);
        const PlaneImage y = image(tile, plan_.h.output, plan_.w.output, plan_.h.first + tile.windows.begin,
                                   plan_.w.first + strip.origin);
        const PlaneRun windows = run(Source::kY, tile);
        read_planes(slot_array<T>(memory_, at_, slot, Source::kY), tensors_.y, y, windows);
        read_planes(slot_array<T>(memory_, at_, slot, Source::kGrad), tensors_.grad, y, windows);
    }

    // Rows [begin, end) of what the tile has brought, to a grid.
    __aicore__ inline void bring(Source source, const Tile& tile, int32_t slot, int64_t begin, int64_t end,
                                 const Grid<T>& grid) {
        const PlaneRun run = this->run(source, tile);
        const Local<T> from = slot_array<T>(memory_, at_, slot, source);
        for (int32_t part = 0; part * kGroupLanes < plan_.lanes; ++part) {
            // Planes that do not exist look like the group's first.
            const bool exists = part * kGroupLanes < run.planes;
            Exchange<T> exchange(planes(from, run, exists ? part : 0), cells(grid, part), scraps());
            exchange.to_cells(static_cast<int32_t>(begin), static_cast<int32_t>(end));
        }
    }

    // Rows [begin, end) of what the tile gives back; `last`: there are no more.
    __aicore__ inline void deliver(const Tile& tile, int32_t slot, int64_t begin, int64_t end, bool last,
                                   const Grid<T>& grid) {
        const PlaneRun run = out_run(tile);
        const Local<T> to = slot_array<T>(memory_, at_, slot, Source::kX);
        for (int32_t part = 0; part * kGroupLanes < run.planes; ++part) {
            Exchange<T> exchange(planes(to, run, part), cells(grid, part), scraps());
            exchange.to_planes(static_cast<int32_t>(begin), static_cast<int32_t>(end), last);
        }
    }

    __aicore__ inline void store(const Tile& tile, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        const PlaneImage out =
            image(tile, plan_.h.input, plan_.w.input, tile.out_rows.begin, strip.out.begin);
        write_planes(tensors_.out, out, slot_array<T>(memory_, at_, slot, Source::kX), out_run(tile));
    }

    // Zeros between the numbers of x that a tile has brought, and behind them: what a comparison reads.
    __aicore__ inline void settle(const Tile& tile, int32_t slot) {
        const Local<T> x = slot_array<T>(memory_, at_, slot, Source::kX);
        const PlaneRun run = this->run(Source::kX, tile);
        const int32_t filled =
            round_up(static_cast<int32_t>(run.rows) * run.pitch * kBytes, kBlockBytes) / kBytes;
        const int32_t plane = run.bytes / kBytes;
        for (int32_t i = 0; i < run.planes && filled < plane; ++i) {
            fill<T>(x[i * plane + filled], 0, plane - filled);
        }
        fill<T>(x[numbers(tile)], 0, whole_repeats<T>(numbers(tile)) - numbers(tile));
    }
    // The numbers of x that a tile has brought, and those that lie between them: one array.
    __aicore__ inline int32_t numbers(const Tile& tile) const {
        const PlaneRun run = this->run(Source::kX, tile);
        return static_cast<int32_t>(run.planes) * run.bytes / kBytes;
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;
    static constexpr int32_t kPixels = Exchange<T>::kPixels;

    __aicore__ inline PlaneImage image(const Tile& tile, int64_t height, int64_t width, int64_t row,
                                       int64_t column) const {
        return {height, width, tile.segment.group * plan_.depth, row, column};
    }
    __aicore__ inline int64_t planes_of(const Tile& tile) const {
        return smaller(plan_.depth, plan_.outer - tile.segment.group * plan_.depth);
    }
    __aicore__ inline int32_t pitch(int64_t columns, bool whole) const {
        return whole ? static_cast<int32_t>(columns) : round_up(static_cast<int32_t>(columns), kPixels);
    }
    // x and out_grad share their place, so planes are as far apart in both.
    __aicore__ inline int32_t position_bytes(const Tile& tile) const {
        const int64_t rows = larger(tile.x_rows.size(), tile.out_rows.size());
        const int32_t row = pitch(tile.segment.strip.x.size(), whole_);
        return round_up(static_cast<int32_t>(rows) * row * kBytes, kBlockBytes);
    }
    __aicore__ inline PlaneRun run(Source source, const Tile& tile) const {
        const Strip& strip = tile.segment.strip;
        if (source == Source::kX) {
            return {planes_of(tile),      tile.x_rows.size(),
                    strip.x.size(),       pitch(strip.x.size(), whole_),
                    position_bytes(tile), whole_};
        }
        const int32_t row = pitch(strip.windows, whole_windows_);
        return {planes_of(tile),
                tile.windows.size(),
                strip.windows,
                row,
                round_up(static_cast<int32_t>(tile.windows.size()) * row * kBytes, kBlockBytes),
                whole_windows_};
    }
    __aicore__ inline PlaneRun out_run(const Tile& tile) const {
        const int64_t columns = tile.segment.strip.out.size();
        return {planes_of(tile),        tile.out_rows.size(), columns,
                pitch(columns, whole_), position_bytes(tile), whole_};
    }

    // The addresses of 16 planes, and of their lanes in a grid.
    __aicore__ inline Planes planes(const Local<T>& at, const PlaneRun& run, int32_t part) const {
        const int64_t left = run.planes - part * kGroupLanes;
        return {(uint64_t)at[part * kGroupLanes * (run.bytes / kBytes)].GetPhyAddr(), run.bytes, run.pitch,
                static_cast<int32_t>(run.columns), static_cast<int32_t>(smaller(left, kGroupLanes))};
    }
    __aicore__ inline Cells cells(const Grid<T>& grid, int32_t part) const {
        return {(uint64_t)grid.at[part * kGroupLanes].GetPhyAddr(),
                grid.row_shift,
                grid.column_shift,
                grid.row_stride,
                grid.column_stride,
                grid.row_residue * kBytes,
                grid.column_residue * kBytes,
                grid.row * kBytes,
                grid.pixel * kBytes};
    }
    __aicore__ inline Scraps scraps() const {
        return {(uint64_t)memory_.at<T>(at_.trash, Exchange<T>::kPieceBytes).GetPhyAddr(),
                (uint64_t)memory_.at<T>(at_.tail, 2 * Exchange<T>::kPieceBytes).GetPhyAddr()};
    }

    const Tiling& plan_;
    const Buffers& at_;
    Memory& memory_;
    Tensors<T>& tensors_;
    const bool whole_, whole_windows_; // a tile's rows follow on each other in memory
};

} // namespace maxpoolgrad::arch22
