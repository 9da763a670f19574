// Any pooling, slowly: window after window of one plane, its rows compared with its orig_output. The sums go
// through the scalar unit. For windows that no other strategy has room for.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

// One plane of a tensor in memory.
struct Plane {
    int64_t first;       // element
    int64_t row, column; // elements from row to row and from column to column
};

template <class T>
class Search {
public:
    static constexpr int64_t kMemory = 176 * 1024;

    __aicore__ inline Search(const Tiling& plan, Memory& memory, Tensors<T>& tensors, bool channels_last)
        : plan_(plan), tensors_(tensors), channels_last_(channels_last),
          element_(channels_last ? kInBlock : 1), x_rows_(channels_last ? 4 : 16),
          x_pitch_(channels_last ? kSide * kInBlock : kSide), total_(memory.at<float>(0, kTotal)),
          column_(memory.at<float>(kTotal, kTotal)), x_(memory.at<T>(2 * kTotal, kX)),
          bits_(memory.at<uint8_t>(2 * kTotal + kX, kBits)), y_(memory.at<T>(kWindowsAt, kWindows)),
          grad_(memory.at<T>(kWindowsAt + kWindows, kWindows)),
          weights_(memory.at<float>(kWindowsAt + 2 * kWindows, kWindows * 4 / kBytes)),
          winners_(memory.at<int32_t>(kWinnersAt, kMostWindows * 4)),
          out_(memory.at<T>(kWinnersAt + kMostWindows * 4, kOut)) {
        fill<float>(column_, 0, kTotal / 4);
        fill<T>(x_, Element<T>::kNan, static_cast<int32_t>(kInBlock));
        wait();
        nan_ = x_.GetValue(0);
        wait();
    }

    // Writes the rows and columns of a segment.
    __aicore__ inline void run(const Segment& segment) {
        const Axis& h = plan_.h;
        const Span rows{first_position(segment.rows.begin, h), first_position(segment.rows.end, h)};
        const Span columns = segment.strip.out;
        const int64_t parts = channels_last_ ? plan_.groups / plan_.outer : 1;
        const int64_t most = channels_last_ ? plan_.channels : plan_.outer;
        const int64_t begin =
            segment.group % parts * plan_.depth + (channels_last_ ? 0 : segment.group * plan_.depth);
        const int64_t end = smaller(most, begin + plan_.depth);
        const int64_t image = channels_last_ ? segment.group / parts : 0;
        for (int64_t plane = begin; plane < end; ++plane) {
            for (int64_t row = rows.begin; row < rows.end; row += kPatchRows) {
                for (int64_t column = columns.begin; column < columns.end; column += kSide) {
                    const Span patch_rows{row, smaller(rows.end, row + kPatchRows)};
                    const Span patch_columns{column, smaller(columns.end, column + kSide)};
                    patch(image, plane, patch_rows, patch_columns);
                }
            }
        }
    }

private:
    static constexpr int64_t kBytes = Element<T>::kBytes;
    static constexpr int64_t kInBlock = kBlockBytes / kBytes; // elements
    static constexpr int64_t kSide = 256;                     // columns of a patch, and of a window at most
    static constexpr int64_t kPatchRows = 16;
    static constexpr int64_t kMostWindows = 288; // of a column of windows, that touch a patch
    static constexpr int64_t kTotal = kPatchRows * kSide * 4;
    static constexpr int64_t kX = 32 * 1024;
    static constexpr int64_t kBits = kX / kBytes / 8;
    static constexpr int64_t kWindows = kMostWindows * kBlockBytes;
    static constexpr int64_t kWindowsAt = 2 * kTotal + kX + kBits;
    static constexpr int64_t kWinnersAt = kWindowsAt + 2 * kWindows + kWindows * 4 / kBytes;
    static constexpr int64_t kOut = kPatchRows * kSide * kBytes + kSide * kBlockBytes;
    static_assert(kWinnersAt + kMostWindows * 4 + kOut <= kMemory, "the arrays fit");

    __aicore__ inline void wait() { AscendC::PipeBarrier<PIPE_ALL>(); }

    __aicore__ inline Plane plane_of(int64_t image, int64_t plane, int64_t height, int64_t width) const {
        if (channels_last_) {
            return {image * height * width * plan_.channels + plane, width * plan_.channels, plan_.channels};
        }
        return {plane * height * width, width, 1};
    }
    // The windows of an axis that reach into `positions`.
    __aicore__ inline Span windows_over(const Axis& axis, const Span& positions) const {
        const int64_t low = positions.begin + axis.pad - axis.kernel + 1;
        const int64_t first = low <= 0 ? 0 : (low + axis.stride - 1) / axis.stride;
        return {first, smaller(axis.windows, (positions.end - 1 + axis.pad) / axis.stride + 1)};
    }
    __aicore__ inline Span covered(const Axis& axis, int64_t window) const {
        const int64_t first = window * axis.stride - axis.pad;
        return {larger(0, first), smaller(axis.input, first + axis.kernel)};
    }

    __aicore__ inline void patch(int64_t image, int64_t plane, const Span& rows, const Span& columns) {
        const Axis &h = plan_.h, &w = plan_.w;
        x_plane_ = plane_of(image, plane, h.input, w.input);
        y_plane_ = plane_of(image, plane, h.output, w.output);
        fill<float>(total_, 0, kTotal / 4);
        wait();
        const Span over_rows = windows_over(h, rows), over_columns = windows_over(w, columns);
        for (int64_t window = over_columns.begin; window < over_columns.end; ++window) {
            column(window, over_rows, rows, columns);
        }
        write(rows, columns);
    }

    // One column of windows: its sum for each position, and then the sums into the total.
    __aicore__ inline void column(int64_t window, const Span& over_rows, const Span& rows,
                                  const Span& columns) {
        const int64_t count = over_rows.size();
        const Span covers = covered(plan_.w, window);
        if (count == 0 || covers.size() == 0) {
            return;
        }
        read_windows(over_rows, window);
        for (int64_t i = 0; i < count; ++i) {
            const Span window_rows = covered(plan_.h, over_rows.begin + i);
            const int64_t position =
                winner(window_rows, covers, y_.GetValue(static_cast<uint32_t>(i * kInBlock)));
            const int64_t row = window_rows.begin + position / kSide, at = covers.begin + position % kSide;
            const bool inside = position >= 0 && row >= rows.begin && row < rows.end && at >= columns.begin &&
                                at < columns.end;
            const int32_t place =
                inside ? static_cast<int32_t>((row - rows.begin) * kSide + at - columns.begin) : -1;
            winners_.SetValue(static_cast<uint32_t>(i), place);
            if (inside) {
                const float sum = column_.GetValue(static_cast<uint32_t>(place));
                column_.SetValue(static_cast<uint32_t>(place),
                                 sum + weights_.GetValue(static_cast<uint32_t>(i * kInBlock)));
            }
        }
        for (int64_t i = 0; i < count; ++i) {
            const int32_t place = winners_.GetValue(static_cast<uint32_t>(i));
            if (place >= 0) { // what has been added once is zero then
                const uint32_t at = static_cast<uint32_t>(place);
                total_.SetValue(at, total_.GetValue(at) + column_.GetValue(at));
                column_.SetValue(at, 0.0f);
            }
        }
        wait();
    }

    // orig_output and grad of a column of windows, each in a block of its own; grad in float32, too.
    __aicore__ inline void read_windows(const Span& over_rows, int64_t window) {
        const int64_t count = over_rows.size();
        const int64_t at = y_plane_.first + (plan_.h.first + over_rows.begin) * y_plane_.row +
                           (plan_.w.first + window) * y_plane_.column;
        const AscendC::DataCopyPadExtParams<T> padding(true, 0, static_cast<uint8_t>(kInBlock - 1),
                                                       static_cast<T>(0));
        wait();
        for (int64_t i = 0; i < count; ++i) {
            const AscendC::DataCopyExtParams one(1, static_cast<uint32_t>(kBytes), 0, 0, 0);
            AscendC::DataCopyPad(y_[static_cast<int32_t>(i * kInBlock)], tensors_.y[at + i * y_plane_.row],
                                 one, padding);
            AscendC::DataCopyPad(grad_[static_cast<int32_t>(i * kInBlock)],
                                 tensors_.grad[at + i * y_plane_.row], one, padding);
        }
        wait();
        to_float(weights_, grad_, static_cast<uint32_t>(count * kInBlock));
        wait();
    }
    __aicore__ inline void to_float(const Local<float>& to, const Local<half>& from, uint32_t count) {
        AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, count);
    }
    __aicore__ inline void to_float(const Local<float>& to, const Local<float>& from, uint32_t count) {
        copy_blocks(to, from, 1, static_cast<int32_t>(count * 4 / kBlockBytes), 0, 0);
    }

    // The first position of a window that equals `value`, as row * kSide + column from the window's first
    // position inside the input; -1 for none.
    __aicore__ inline int64_t winner(const Span& rows, const Span& columns, T value) {
        for (int64_t row = rows.begin; row < rows.end; row += x_rows_) {
            const int64_t count = smaller(x_rows_, rows.end - row);
            const int64_t numbers = count * x_pitch_;
            fill<T>(x_, Element<T>::kNan, static_cast<int32_t>(numbers));
            wait();
            for (int64_t i = 0; i < count; ++i) {
                read_row(row + i, columns, static_cast<int32_t>(i * x_pitch_));
            }
            wait();
            AscendC::CompareScalar(bits_, x_, value, AscendC::CMPMODE::EQ, static_cast<uint32_t>(numbers));
            wait();
            const int64_t bit = first_bit(numbers / 64);
            if (bit >= 0) {
                return (row - rows.begin + bit / x_pitch_) * kSide + bit % x_pitch_ / element_;
            }
        }
        return -1;
    }

    __aicore__ inline void read_row(int64_t row, const Span& columns, int32_t to) {
        const int64_t count = channels_last_ ? columns.size() : 1;
        const int64_t length = channels_last_ ? 1 : columns.size();
        const int64_t rest = (kInBlock - length % kInBlock) % kInBlock;
        const AscendC::DataCopyPadExtParams<T> padding(true, 0, static_cast<uint8_t>(rest), nan_);
        const int64_t gap = (x_plane_.column - 1) * kBytes;
        const int64_t at = x_plane_.first + row * x_plane_.row + columns.begin * x_plane_.column;
        AscendC::DataCopyPad(x_[to], tensors_.x[at],
                             AscendC::DataCopyExtParams(static_cast<uint16_t>(count),
                                                        static_cast<uint32_t>(length * kBytes),
                                                        static_cast<uint32_t>(gap), 0, 0),
                             padding);
    }

    __aicore__ inline int64_t first_bit(int64_t words) {
        const Local<uint64_t> bits = bits_.ReinterpretCast<uint64_t>();
        for (int64_t i = 0; i < words; ++i) {
            uint64_t word = bits.GetValue(static_cast<uint32_t>(i));
            if (word != 0) {
                int64_t bit = 64 * i;
                for (; (word & 1) == 0; word >>= 1) {
                    ++bit;
                }
                return bit;
            }
        }
        return -1;
    }

    __aicore__ inline void write(const Span& rows, const Span& columns) {
        const Local<T> spread = out_[static_cast<int32_t>(kPatchRows * kSide)]; // an element a block
        wait();
        to_type(out_, total_, static_cast<uint32_t>(kPatchRows * kSide));
        wait();
        for (int64_t row = rows.begin; row < rows.end; ++row) {
            const int64_t from = (row - rows.begin) * kSide;
            const int64_t to = x_plane_.first + row * x_plane_.row + columns.begin * x_plane_.column;
            if (!channels_last_) {
                AscendC::DataCopyPad(
                    tensors_.out[to], out_[static_cast<int32_t>(from)],
                    AscendC::DataCopyExtParams(1, static_cast<uint32_t>(columns.size() * kBytes), 0, 0, 0));
                continue;
            }
            for (int64_t i = 0; i < columns.size(); ++i) {
                spread.SetValue(static_cast<uint32_t>(i * kInBlock),
                                out_.GetValue(static_cast<uint32_t>(from + i)));
            }
            wait();
            AscendC::DataCopyPad(tensors_.out[to], spread,
                                 AscendC::DataCopyExtParams(
                                     static_cast<uint16_t>(columns.size()), static_cast<uint32_t>(kBytes), 0,
                                     static_cast<uint32_t>((x_plane_.column - 1) * kBytes), 0));
            wait();
        }
        wait();
    }
    __aicore__ inline void to_type(const Local<half>& to, const Local<float>& from, uint32_t count) {
        AscendC::Cast(to, from, AscendC::RoundMode::CAST_RINT, count);
    }
    __aicore__ inline void to_type(const Local<float>& to, const Local<float>& from, uint32_t count) {
        copy_blocks(to, from, 1, static_cast<int32_t>(count * 4 / kBlockBytes), 0, 0);
    }

    const Tiling& plan_;
    Tensors<T>& tensors_;
    const bool channels_last_;
    const int64_t element_; // from one to the next in the unified buffer
    const int64_t x_rows_, x_pitch_;
    Local<float> total_, column_;
    Local<T> x_;
    Local<uint8_t> bits_;
    Local<T> y_, grad_;
    Local<float> weights_;
    Local<int32_t> winners_;
    Local<T> out_;
    T nan_;
    Plane x_plane_ = {}, y_plane_ = {};
};

} // namespace maxpoolgrad::arch22
