// NHWC: channels of one image are a group, and pixels lie side by side in memory as they do in the unified
// buffer, each rounded up to whole blocks.
#pragma once

#include "grid.h"
#include "plane_transfer.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Nhwc {
public:
    static constexpr bool kChannelsLast = true;

    __aicore__ inline Nhwc(const Tiling& plan, const Stage& stage, Memory& memory, Tensors<T>& tensors)
        : plan_(plan), at_(stage.at), memory_(memory), tensors_(tensors),
          lanes_(static_cast<int32_t>(plan.lanes)), blocks_(lanes_ * kBytes / kBlockBytes) {
        if (plan.depth % kGroupLanes != 0 || plan.channels % plan.depth != 0) { // transfers leave blocks out
            for (int32_t slot = 0; slot < stage.slots; ++slot) {
                clear(slot);
            }
        }
    }

    __aicore__ inline void load(const Tile& tile, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        const int64_t parts = plan_.groups / plan_.outer;
        if (plan_.channels % plan_.depth != 0 && tile.segment.group % parts == parts - 1) {
            clear(slot); // fewer channels than in other groups
        }
        const Image x = image(tile, plan_.h.input, plan_.w.input, tile.x_rows.begin, strip.x.begin);
        read(slot_array<T>(memory_, at_, slot, Source::kX), tensors_.x, x, tile.x_rows.size(),
             strip.x.size());
        const Image y = image(tile, plan_.h.output, plan_.w.output, plan_.h.first + tile.windows.begin,
                              plan_.w.first + strip.origin);
        const int64_t rows = tile.windows.size();
        read(slot_array<T>(memory_, at_, slot, Source::kY), tensors_.y, y, rows, strip.windows);
        read(slot_array<T>(memory_, at_, slot, Source::kGrad), tensors_.grad, y, rows, strip.windows);
    }

    // Rows [begin, end) of what the tile has brought, to a grid.
    __aicore__ inline void bring(Source source, const Tile& tile, int32_t slot, int64_t begin, int64_t end,
                                 const Grid<T>& grid) {
        const Strip& strip = tile.segment.strip;
        const int64_t columns = source == Source::kX ? strip.x.size() : strip.windows;
        rearrange<true>(slot_array<T>(memory_, at_, slot, source), begin, end, static_cast<int32_t>(columns),
                        grid);
    }

    // Rows [begin, end) of what the tile gives back.
    __aicore__ inline void deliver(const Tile& tile, int32_t slot, int64_t begin, int64_t end, bool last,
                                   const Grid<T>& grid) {
        static_cast<void>(last);
        rearrange<false>(slot_array<T>(memory_, at_, slot, Source::kX), begin, end,
                         static_cast<int32_t>(tile.segment.strip.out.size()), grid);
    }

    __aicore__ inline void store(const Tile& tile, int32_t slot) {
        const Strip& strip = tile.segment.strip;
        const Image out = image(tile, plan_.h.input, plan_.w.input, tile.out_rows.begin, strip.out.begin);
        write(tensors_.out, out, slot_array<T>(memory_, at_, slot, Source::kX), tile.out_rows.size(),
              strip.out.size());
    }

    // Zeros behind the numbers of x that a tile has brought: what a comparison reads.
    __aicore__ inline void settle(const Tile& tile, int32_t slot) {
        const Local<T> x = slot_array<T>(memory_, at_, slot, Source::kX);
        fill<T>(x[numbers(tile)], 0, whole_repeats<T>(numbers(tile)) - numbers(tile));
    }
    // The numbers of x that a tile has brought, and those that lie between them: one array.
    __aicore__ inline int32_t numbers(const Tile& tile) const {
        return static_cast<int32_t>(tile.x_rows.size() * tile.segment.strip.x.size()) * lanes_;
    }

private:
    static constexpr int32_t kBytes = Element<T>::kBytes;

    __aicore__ inline void clear(int32_t slot) {
        AscendC::PipeBarrier<PIPE_ALL>();
        fill<T>(memory_.at<T>(slot * at_.slot, at_.slot), 0, static_cast<int32_t>(at_.slot) / kBytes);
        AscendC::PipeBarrier<PIPE_ALL>();
    }

    struct Image {
        int64_t width;
        int64_t first;    // element
        int64_t channels; // of the group
    };

    __aicore__ inline Image image(const Tile& tile, int64_t height, int64_t width, int64_t row,
                                  int64_t column) const {
        const int64_t parts = plan_.groups / plan_.outer;
        const int64_t n = tile.segment.group / parts;
        const int64_t channel = tile.segment.group % parts * plan_.depth;
        return {width, ((n * height + row) * width + column) * plan_.channels + channel,
                smaller(plan_.depth, plan_.channels - channel)};
    }

    // How rows of pixels are cut into blocks of a transfer: `count` of `length` bytes, `gap` bytes apart in
    // memory.
    struct Cut {
        int64_t count, length, gap;
        int64_t step;   // elements in memory from one such row to the next; 0: one for all rows
        int64_t padded; // bytes of a block in the unified buffer, with what belongs to it
    };
    __aicore__ inline Cut cut(const Image& image, int64_t rows, int64_t columns) const {
        const int64_t channels = plan_.channels;
        const int64_t pixel = lanes_ * kBytes;
        const int64_t row_step = image.width * channels;
        const bool all_columns = columns == image.width;
        if (image.channels == channels && channels == lanes_) {
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

    // Rows of pixels to a grid, or back.
    template <bool kIn>
    __aicore__ inline void rearrange(const Local<T>& raw, int64_t begin, int64_t end, int32_t columns,
                                     const Grid<T>& grid) {
        if (begin >= end || columns == 0) {
            return;
        }
        const bool rows_alike = grid.row_stride == 1 && grid.column_stride == 1 && grid.pixel == lanes_;
        if (rows_alike) { // one piece a row
            const Local<T> cells = grid.at[(static_cast<int32_t>(begin) + grid.row_shift) * grid.row +
                                           grid.column_shift * grid.pixel];
            move<kIn>(cells, raw[static_cast<int32_t>(begin) * columns * lanes_],
                      static_cast<int32_t>(end - begin), columns * blocks_, 0,
                      grid.row * kBytes / kBlockBytes - columns * blocks_);
            return;
        }
        for (int32_t row = static_cast<int32_t>(begin); row < end; ++row) {
            rearrange_row<kIn>(raw[row * columns * lanes_], row + grid.row_shift, columns, grid);
        }
    }
    template <bool kIn>
    __aicore__ inline void rearrange_row(const Local<T>& raw, int32_t place, int32_t columns,
                                         const Grid<T>& grid) {
        const int32_t stride = grid.column_stride;
        const Local<T> row =
            grid.at[place % grid.row_stride * grid.row_residue + place / grid.row_stride * grid.row];
        const int32_t pixel_gap = grid.pixel * kBytes / kBlockBytes - blocks_;
        for (int32_t j = 0; j < stride; ++j) {
            const int32_t column =
                ((j - grid.column_shift) % stride + stride) % stride; // the first of its class
            if (column >= columns) {
                continue;
            }
            const int32_t count = (columns - column - 1) / stride + 1;
            const int32_t cell = (column + grid.column_shift) / stride;
            move<kIn>(row[j * grid.column_residue + cell * grid.pixel], raw[column * lanes_], count, blocks_,
                      (stride - 1) * blocks_, pixel_gap);
        }
    }

    // `count` pieces of `blocks` blocks.
    template <bool kIn>
    __aicore__ inline void move(const Local<T>& cells, const Local<T>& pixels, int32_t count, int32_t blocks,
                                int32_t pixel_gap, int32_t cell_gap) {
        const bool joined = pixel_gap == 0 && cell_gap == 0;
        const int32_t pieces = joined ? 1 : count;
        const int32_t length = joined ? count * blocks : blocks;
        if constexpr (kIn) {
            copy_blocks(cells, pixels, pieces, length, pixel_gap, cell_gap);
        } else {
            copy_blocks(pixels, cells, pieces, length, cell_gap, pixel_gap);
        }
    }

    const Tiling& plan_;
    const Buffers& at_;
    Memory& memory_;
    Tensors<T>& tensors_;
    const int32_t lanes_;
    const int32_t blocks_; // of a pixel
};

} // namespace maxpoolgrad::arch22
