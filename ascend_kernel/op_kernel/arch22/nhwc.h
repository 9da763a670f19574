// NHWC: channels of one image are a group, and pixels lie side by side in memory as they do in the unified
// buffer, each rounded up to whole blocks.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Nhwc {
public:
    static constexpr bool kChannelsLast = true;

    __aicore__ inline Nhwc(const Frame<T>& frame, Tensors<T>& tensors)
        : frame_(frame), tensors_(tensors), blocks_(frame.lanes * kBytes / kBlockBytes) {
        const Tiling& plan = frame.plan;
        if (plan.depth % kGroupLanes != 0 || plan.channels % plan.depth != 0) { // transfers leave blocks out
            const int64_t bytes = frame.stage.slots * frame.stage.at.slot;
            fill<T>(frame.memory.template at<T>(0, bytes), 0, static_cast<int32_t>(bytes) / kBytes);
            AscendC::PipeBarrier<PIPE_ALL>();
        }
    }

    __aicore__ inline void load(const Tile& tile, int32_t slot) {
        const Tiling& plan = frame_.plan;
        const Strip& strip = tile.segment.strip;
        const Image x = image(tile, plan.h.input, plan.w.input, tile.x_rows.begin, strip.x.begin);
        read(x_at(slot), tensors_.x, x, tile.x_rows.size(), strip.x.size());
        const Image y = image(tile, plan.h.output, plan.w.output, plan.h.first + tile.windows.begin,
                              plan.w.first + strip.origin);
        read(y_at(slot), tensors_.y, y, tile.windows.size(), strip.windows);
        read(grad_at(slot), tensors_.grad, y, tile.windows.size(), strip.windows);
    }

    __aicore__ inline void bring_x(const Tile& tile, const Band& band, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        rearrange<true>(x_at(slot), tile.x_rows.begin, band.x_rows, static_cast<int32_t>(strip.x.size()),
                        strip.x_shift, band);
    }

    __aicore__ inline void bring_windows(const Tile& tile, const Band& band, int32_t slot, const Local<T>& y,
                                         const Local<T>& grad) {
        bring(tile, band, y_at(slot), y);
        bring(tile, band, grad_at(slot), grad);
    }

    __aicore__ inline void deliver(const Tile& tile, const Band& band, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        rearrange<false>(x_at(slot), tile.out_rows.begin, band.out_rows,
                         static_cast<int32_t>(strip.out.size()), strip.out_shift, band);
    }

    __aicore__ inline void store(const Tile& tile, int32_t slot) {
        const Tiling& plan = frame_.plan;
        const Strip& strip = tile.segment.strip;
        const Image out = image(tile, plan.h.input, plan.w.input, tile.out_rows.begin, strip.out.begin);
        write(tensors_.out, out, x_at(slot), tile.out_rows.size(), strip.out.size());
    }

    // The numbers of x that a tile has brought, and those that lie between them: one array.
    __aicore__ inline int32_t numbers(const Tile& tile) const {
        return static_cast<int32_t>(tile.x_rows.size() * tile.segment.strip.x.size()) * frame_.lanes;
    }
    __aicore__ inline Local<T> x_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.x, frame_.stage.at.y);
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;
    static constexpr int64_t kMostBlocks = 4095;
    static constexpr int64_t kMostGap = int64_t{1} << 31;

    struct Image {
        int64_t width;
        int64_t first;    // element
        int64_t channels; // of the group
    };

    __aicore__ inline Image image(const Tile& tile, int64_t height, int64_t width, int64_t row,
                                  int64_t column) const {
        const Tiling& plan = frame_.plan;
        const int64_t parts = plan.groups / plan.outer;
        const int64_t n = tile.segment.group / parts;
        const int64_t channel = tile.segment.group % parts * plan.depth;
        return {width, ((n * height + row) * width + column) * plan.channels + channel,
                smaller(plan.depth, plan.channels - channel)};
    }

    __aicore__ inline Local<T> slot_array(int32_t slot, int64_t begin, int64_t end) const {
        return frame_.memory.template at<T>(slot * frame_.stage.at.slot + begin, end - begin);
    }
    __aicore__ inline Local<T> y_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.y, frame_.stage.at.grad);
    }
    __aicore__ inline Local<T> grad_at(int32_t slot) const {
        return slot_array(slot, frame_.stage.at.grad, frame_.stage.at.slot);
    }

    // How rows of pixels are cut into blocks of a transfer: `count` of `length` bytes, `gap` bytes apart in
    // memory.
    struct Cut {
        int64_t count, length, gap;
        int64_t step;   // elements in memory from one such row to the next; 0: one for all rows
        int64_t padded; // bytes of a block in the unified buffer, with what belongs to it
    };
    __aicore__ inline Cut cut(const Image& image, int64_t rows, int64_t columns) const {
        const int64_t channels = frame_.plan.channels;
        const int64_t pixel = frame_.lanes * kBytes;
        const int64_t row_step = image.width * channels;
        const bool all_columns = columns == image.width;
        if (image.channels == channels && channels == frame_.lanes) {
            return all_columns
                       ? Cut{1, rows * columns * pixel, 0, 0, rows * columns * pixel}
                       : Cut{rows, columns * pixel, row_step * kBytes - columns * pixel, 0, columns * pixel};
        }
        const int64_t length = image.channels * kBytes;
        const int64_t gap = channels * kBytes - length;
        return all_columns ? Cut{rows * columns, length, gap, 0, pixel}
                           : Cut{columns, length, gap, row_step, pixel};
    }

    __aicore__ inline void read(const Local<T>& to, const AscendC::GlobalTensor<T>& from, const Image& image,
                                int64_t rows, int64_t columns) {
        if (rows == 0 || columns == 0) {
            return;
        }
        const Cut cut = this->cut(image, rows, columns);
        const int64_t in_blocks = round_up(static_cast<int32_t>(cut.length), kBlockBytes);
        const AscendC::DataCopyPadExtParams<T> padding(
            true, 0, static_cast<uint8_t>((in_blocks - cut.length) / kBytes), static_cast<T>(0));
        const int64_t times = cut.step == 0 ? 1 : rows;
        const int64_t most = cut.gap < kMostGap ? kMostBlocks : 1;
        for (int64_t row = 0; row < times; ++row) {
            for (int64_t block = 0; block < cut.count; block += most) {
                const int64_t count = smaller(most, cut.count - block);
                const AscendC::DataCopyExtParams params(
                    static_cast<uint16_t>(count), static_cast<uint32_t>(cut.length),
                    static_cast<uint32_t>(cut.gap),
                    static_cast<uint32_t>((cut.padded - in_blocks) / kBlockBytes), 0);
                AscendC::DataCopyPad(
                    to[static_cast<int32_t>((row * cut.count + block) * cut.padded / kBytes)],
                    from[image.first + row * cut.step + block * (cut.length + cut.gap) / kBytes], params,
                    padding);
            }
        }
    }

    __aicore__ inline void write(const AscendC::GlobalTensor<T>& to, const Image& image, const Local<T>& from,
                                 int64_t rows, int64_t columns) {
        if (rows == 0 || columns == 0) {
            return;
        }
        const Cut cut = this->cut(image, rows, columns);
        const int64_t in_blocks = round_up(static_cast<int32_t>(cut.length), kBlockBytes);
        const int64_t times = cut.step == 0 ? 1 : rows;
        const int64_t most = cut.gap < kMostGap ? kMostBlocks : 1;
        for (int64_t row = 0; row < times; ++row) {
            for (int64_t block = 0; block < cut.count; block += most) {
                const int64_t count = smaller(most, cut.count - block);
                const AscendC::DataCopyExtParams params(
                    static_cast<uint16_t>(count), static_cast<uint32_t>(cut.length),
                    static_cast<uint32_t>((cut.padded - in_blocks) / kBlockBytes),
                    static_cast<uint32_t>(cut.gap), 0);
                AscendC::DataCopyPad(
                    to[image.first + row * cut.step + block * (cut.length + cut.gap) / kBytes],
                    from[static_cast<int32_t>((row * cut.count + block) * cut.padded / kBytes)], params);
            }
        }
    }

    // Rows of pixels to the grids of cells, or back. `first`: the row that `raw` begins with; `shift`: the
    // place of its first column, counted from the grids' first cell.
    template <bool kIn>
    __aicore__ inline void rearrange(const Local<T>& raw, int64_t first, const Span& rows, int32_t columns,
                                     int32_t shift, const Band& band) {
        const Axis &h = frame_.plan.h, &w = frame_.plan.w;
        const int32_t stride = static_cast<int32_t>(w.stride);
        const int32_t row_stride = static_cast<int32_t>(h.stride);
        for (int64_t row = rows.begin; row < rows.end; ++row) {
            const int32_t place = static_cast<int32_t>(row + h.pad - band.rows.begin * h.stride);
            const Local<T> from = raw[static_cast<int32_t>(row - first) * columns * frame_.lanes];
            for (int32_t j = 0; j < stride; ++j) {
                const int32_t column = ((j - shift) % stride + stride) % stride;
                if (column >= columns) {
                    continue;
                }
                const int32_t count = (columns - column - 1) / stride + 1;
                const Local<T> cells = frame_.cells(
                    place % row_stride,
                    j)[place / row_stride * frame_.row + (column + shift) / stride * frame_.lanes];
                move<kIn>(cells, from[column * frame_.lanes], count, stride);
            }
        }
    }

    template <bool kIn>
    __aicore__ inline void move(const Local<T>& cells, const Local<T>& pixels, int32_t count,
                                int32_t stride) {
        const int32_t gap = (stride - 1) * blocks_;
        const int32_t pieces = stride == 1 ? 1 : count;
        const int32_t length = stride == 1 ? count * blocks_ : blocks_;
        if constexpr (kIn) {
            copy_blocks(cells, pixels, pieces, length, gap, 0);
        } else {
            copy_blocks(pixels, cells, pieces, length, 0, gap);
        }
    }

    __aicore__ inline void bring(const Tile& tile, const Band& band, const Local<T>& from,
                                 const Local<T>& to) {
        const int32_t columns = static_cast<int32_t>(tile.segment.strip.windows);
        const int32_t rows = static_cast<int32_t>(band.windows.size());
        if (rows == 0 || columns == 0) {
            return;
        }
        const int32_t first = static_cast<int32_t>(band.windows.begin - tile.windows.begin);
        copy_blocks(to, from[first * columns * frame_.lanes], rows, columns * blocks_, 0,
                    (frame_.pitch - columns) * blocks_);
    }

    const Frame<T>& frame_;
    Tensors<T>& tensors_;
    const int32_t blocks_; // of a pixel
};

} // namespace maxpoolgrad::arch22
