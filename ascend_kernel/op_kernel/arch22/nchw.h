// NCHW: 16 planes are a group. Transfers move runs of rows, a run a plane; pixels come from TransDataTo5HD.
#pragma once

#include "exchange.h"
#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Nchw {
public:
    static constexpr bool kChannelsLast = false;

    __aicore__ inline Nchw(const Frame<T>& frame, Tensors<T>& tensors) : frame_(frame), tensors_(tensors) {
        const Tiling& plan = frame.plan;
        whole_ = plan.strips == 1;
        whole_y_ = whole_ && plan.w.windows == plan.w.output;
        fill<T>(frame.memory.template at<T>(frame.stage.at.trash, Exchange<T>::kPieceBytes), 0,
                Exchange<T>::kPieceBytes / kBytes);
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    __aicore__ inline void load(const Tile& tile, int32_t slot) {
        const Tiling& plan = frame_.plan;
        const Segment& segment = tile.segment;
        const Strip& strip = segment.strip;
        const int64_t first = segment.group * kGroupLanes;
        const Image x{plan.h.input, plan.w.input, first, {tile.x_rows.begin, strip.x.begin}};
        read(x_at(slot), tensors_.x, x, tile.x_rows.size(), strip.x.size(), whole_, plane_bytes(tile));
        const Image y{plan.h.output,
                      plan.w.output,
                      first,
                      {plan.h.first + tile.windows.begin, plan.w.first + strip.origin}};
        const int64_t rows = tile.windows.size();
        read(y_at(slot), tensors_.y, y, rows, strip.windows, whole_y_, window_bytes(tile));
        read(grad_at(slot), tensors_.grad, y, rows, strip.windows, whole_y_, window_bytes(tile));
    }

    __aicore__ inline void bring_x(const Tile& tile, const Band& band, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        Exchange<T> exchange(planes(x_at(slot), tile, plane_bytes(tile), x_pitch(strip), strip.x.size()),
                             x_cells(tile.x_rows.begin, band, strip.x_shift), scraps());
        exchange.to_cells(static_cast<int32_t>(band.x_rows.begin - tile.x_rows.begin),
                          static_cast<int32_t>(band.x_rows.end - tile.x_rows.begin));
    }

    __aicore__ inline void bring_windows(const Tile& tile, const Band& band, int32_t slot, const Local<T>& y,
                                         const Local<T>& grad) {
        bring(tile, band, y_at(slot), y);
        bring(tile, band, grad_at(slot), grad);
    }

    __aicore__ inline void deliver(const Tile& tile, const Band& band, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        Exchange<T> exchange(planes(x_at(slot), tile, plane_bytes(tile), out_pitch(strip), strip.out.size()),
                             x_cells(tile.out_rows.begin, band, strip.out_shift), scraps());
        exchange.to_planes(static_cast<int32_t>(band.out_rows.begin - tile.out_rows.begin),
                           static_cast<int32_t>(band.out_rows.end - tile.out_rows.begin), band.last);
    }

    __aicore__ inline void store(const Tile& tile, int32_t slot) {
        const Tiling& plan = frame_.plan;
        const Strip& strip = tile.segment.strip;
        const Image out{plan.h.input,
                        plan.w.input,
                        tile.segment.group * kGroupLanes,
                        {tile.out_rows.begin, strip.out.begin}};
        write(tensors_.out, out, x_at(slot), tile.out_rows.size(), strip.out.size(), plane_bytes(tile));
    }

    // The numbers of x that a tile has brought, and those that lie between them: one array.
    __aicore__ inline int32_t numbers(const Tile& tile) const {
        return static_cast<int32_t>(planes_of(tile.segment.group) * plane_bytes(tile)) / kBytes;
    }
    __aicore__ inline Local<T> x_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.x, frame_.stage.at.y);
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;
    static constexpr int32_t kPixels = Exchange<T>::kPixels;

    struct Position {
        int64_t row, column;
    };
    struct Image {
        int64_t height, width;
        int64_t plane;
        Position from;

        __aicore__ inline int64_t offset(int64_t more_planes) const {
            return ((plane + more_planes) * height + from.row) * width + from.column;
        }
    };

    __aicore__ inline Local<T> slot_array(int32_t slot, int64_t begin, int64_t end) const {
        return frame_.memory.template at<T>(slot * frame_.stage.at.slot + begin, end - begin);
    }
    __aicore__ inline Local<T> y_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.y, frame_.stage.at.grad);
    }
    __aicore__ inline Local<T> grad_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.grad, frame_.stage.at.slot);
    }

    __aicore__ inline int64_t planes_of(int64_t group) const {
        return smaller(kGroupLanes, frame_.plan.outer - group * kGroupLanes);
    }
    // Pixels from row to row in the unified buffer.
    __aicore__ inline int32_t x_pitch(const Strip& strip) const { return pitch(strip.x.size(), whole_); }
    __aicore__ inline int32_t out_pitch(const Strip& strip) const { return pitch(strip.out.size(), whole_); }
    __aicore__ inline int32_t pitch(int64_t columns, bool whole) const {
        return whole ? static_cast<int32_t>(columns) : round_up(static_cast<int32_t>(columns), kPixels);
    }
    // Bytes from plane to plane.
    __aicore__ inline int32_t plane_bytes(const Tile& tile) const {
        const int64_t rows = larger(tile.x_rows.size(), tile.out_rows.size());
        return round_up(static_cast<int32_t>(rows) * x_pitch(tile.segment.strip) * kBytes, kBlockBytes);
    }
    __aicore__ inline int32_t window_bytes(const Tile& tile) const {
        const int32_t columns = pitch(tile.segment.strip.windows, whole_y_);
        return round_up(static_cast<int32_t>(tile.windows.size()) * columns * kBytes, kBlockBytes);
    }

    __aicore__ inline Planes planes(const Local<T>& at, const Tile& tile, int32_t bytes, int32_t pitch,
                                    int64_t columns) const {
        return {(uint64_t)at.GetPhyAddr(), bytes, pitch, static_cast<int32_t>(columns),
                static_cast<int32_t>(planes_of(tile.segment.group))};
    }
    // For planes whose first row is `first`.
    __aicore__ inline Cells x_cells(int64_t first, const Band& band, int32_t column_shift) const {
        const Axis &h = frame_.plan.h, &w = frame_.plan.w;
        const int32_t grid = frame_.grid * kBytes;
        return {(uint64_t)frame_.all_cells().GetPhyAddr(),
                static_cast<int32_t>(first + h.pad - band.rows.begin * h.stride),
                column_shift,
                static_cast<int32_t>(h.stride),
                static_cast<int32_t>(w.stride),
                grid * static_cast<int32_t>(w.stride),
                grid,
                frame_.row * kBytes,
                frame_.lanes * kBytes};
    }
    __aicore__ inline Scraps scraps() const {
        const Buffers& at = frame_.stage.at;
        return {(uint64_t)frame_.memory.template at<T>(at.trash, Exchange<T>::kPieceBytes).GetPhyAddr(),
                (uint64_t)frame_.memory.template at<T>(at.tail, 2 * Exchange<T>::kPieceBytes).GetPhyAddr()};
    }

    __aicore__ inline void bring(const Tile& tile, const Band& band, const Local<T>& from,
                                 const Local<T>& to) {
        const int64_t columns = tile.segment.strip.windows;
        const int32_t shift = static_cast<int32_t>(tile.windows.begin - band.rows.begin);
        const Cells cells{(uint64_t)to.GetPhyAddr(), shift, 0, 1, 1, 0, 0, frame_.row * kBytes,
                          frame_.lanes * kBytes};
        Exchange<T> exchange(planes(from, tile, window_bytes(tile), pitch(columns, whole_y_), columns), cells,
                             scraps());
        exchange.to_cells(static_cast<int32_t>(band.windows.begin - tile.windows.begin),
                          static_cast<int32_t>(band.windows.end - tile.windows.begin));
    }

    // Whole rows of a plane are one block; otherwise each row is one.
    __aicore__ inline void read(const Local<T>& to, const AscendC::GlobalTensor<T>& from, const Image& image,
                                int64_t rows, int64_t columns, bool whole, int32_t bytes) {
        if (rows == 0 || columns == 0) {
            return;
        }
        const int64_t planes = planes_of(image.plane / kGroupLanes);
        const int64_t length = (whole ? rows * columns : columns) * kBytes;
        const int64_t gap = (image.height * image.width) * kBytes - length;
        const int32_t padded = round_up(static_cast<int32_t>(length), kBlockBytes);
        const AscendC::DataCopyPadExtParams<T> padding(
            true, 0, static_cast<uint8_t>((padded - length) / kBytes), static_cast<T>(0));
        if (whole && gap < kMostGap) {
            AscendC::DataCopyPad(to, from[image.offset(0)],
                                 block_params(planes, length, gap, (bytes - padded) / kBlockBytes), padding);
            return;
        }
        for (int64_t plane = 0; plane < planes; ++plane) {
            const Local<T> at = to[static_cast<int32_t>(plane) * (bytes / kBytes)];
            if (whole) {
                AscendC::DataCopyPad(at, from[image.offset(plane)], block_params(1, length, 0, 0), padding);
                continue;
            }
            const int64_t row_gap = image.width * kBytes - length;
            const int64_t most = row_gap < kMostGap ? kMostBlocks : 1;
            for (int64_t row = 0; row < rows; row += most) {
                AscendC::DataCopyPad(at[static_cast<int32_t>(row) * (padded / kBytes)],
                                     from[image.offset(plane) + row * image.width],
                                     block_params(smaller(most, rows - row), length, row_gap, 0), padding);
            }
        }
    }

    __aicore__ inline void write(const AscendC::GlobalTensor<T>& to, const Image& image, const Local<T>& from,
                                 int64_t rows, int64_t columns, int32_t bytes) {
        if (rows == 0 || columns == 0) {
            return;
        }
        const int64_t planes = planes_of(image.plane / kGroupLanes);
        const int64_t length = (whole_ ? rows * columns : columns) * kBytes;
        const int64_t gap = (image.height * image.width) * kBytes - length;
        const int32_t padded = round_up(static_cast<int32_t>(length), kBlockBytes);
        if (whole_ && gap < kMostGap) {
            AscendC::DataCopyPad(to[image.offset(0)], from,
                                 out_params(planes, length, (bytes - padded) / kBlockBytes, gap));
            return;
        }
        for (int64_t plane = 0; plane < planes; ++plane) {
            const Local<T> at = from[static_cast<int32_t>(plane) * (bytes / kBytes)];
            if (whole_) {
                AscendC::DataCopyPad(to[image.offset(plane)], at, out_params(1, length, 0, 0));
                continue;
            }
            const int64_t row_gap = image.width * kBytes - length;
            const int64_t most = row_gap < kMostGap ? kMostBlocks : 1;
            for (int64_t row = 0; row < rows; row += most) {
                AscendC::DataCopyPad(to[image.offset(plane) + row * image.width],
                                     at[static_cast<int32_t>(row) * (padded / kBytes)],
                                     out_params(smaller(most, rows - row), length, 0, row_gap));
            }
        }
    }

    static constexpr int64_t kMostBlocks = 4095;
    static constexpr int64_t kMostGap = int64_t{1} << 31;

    __aicore__ inline AscendC::DataCopyExtParams block_params(int64_t count, int64_t length, int64_t gm_gap,
                                                              int64_t ub_gap) const {
        return AscendC::DataCopyExtParams(static_cast<uint16_t>(count), static_cast<uint32_t>(length),
                                          static_cast<uint32_t>(gm_gap), static_cast<uint32_t>(ub_gap), 0);
    }
    __aicore__ inline AscendC::DataCopyExtParams out_params(int64_t count, int64_t length, int64_t ub_gap,
                                                            int64_t gm_gap) const {
        return AscendC::DataCopyExtParams(static_cast<uint16_t>(count), static_cast<uint32_t>(length),
                                          static_cast<uint32_t>(ub_gap), static_cast<uint32_t>(gm_gap), 0);
    }

    const Frame<T>& frame_;
    Tensors<T>& tensors_;
    bool whole_, whole_y_;
};

} // namespace maxpoolgrad::arch22
