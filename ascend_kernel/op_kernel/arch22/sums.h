// Adds up in float32 what windows give to the positions of one residue class: for each column of windows its
// own sum, and those sums from left to right. A single summand is taken as it is, for 0 + x is x.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Sums;

template <>
class Sums<half> {
public:
    __aicore__ inline Sums(Frame<half>& frame, const Local<half>& out, int32_t count)
        : out_(out), count_(count) {
        const int64_t bytes = frame.row * frame.stage.band_rows * 4;
        total_ = frame.memory.at<float>(frame.stage.at.total, bytes);
        column_ = frame.memory.at<float>(frame.stage.at.column, frame.above > 0 ? bytes : 0);
    }

    // The next summand; `more`: each column has several.
    __aicore__ inline void add(const Local<half>& summand, bool first, bool more) {
        apart_ = more && started_;
        const Local<float>& to = apart_ ? column_ : total_;
        if (first && (more || !started_)) {
            AscendC::Cast(to, summand, AscendC::RoundMode::CAST_NONE, static_cast<uint32_t>(count_));
        } else {
            AscendC::Axpy(to, summand, static_cast<half>(1.0f), count_);
        }
    }
    __aicore__ inline void end_column() {
        if (apart_) {
            step();
            AscendC::Add(total_, total_, column_, count_);
        }
        started_ = true;
    }
    __aicore__ inline void finish() {
        step();
        AscendC::Cast(out_, total_, AscendC::RoundMode::CAST_RINT, static_cast<uint32_t>(count_));
    }

private:
    Local<half> out_;
    Local<float> total_, column_;
    int32_t count_;
    bool started_ = false; // total_ holds a sum
    bool apart_ = false;   // this column's sum is not in total_ yet
};

// The total is the output itself. The first summand of a sum waits for the second.
template <>
class Sums<float> {
public:
    __aicore__ inline Sums(Frame<float>& frame, const Local<float>& out, int32_t count)
        : out_(out), count_(count) {
        const int64_t bytes = frame.row * frame.stage.band_rows * 4;
        column_ = frame.memory.at<float>(frame.stage.at.column, frame.above > 0 ? bytes : 0);
    }

    __aicore__ inline void add(const Local<float>& summand, bool first, bool more) {
        if (first && (more || !started_)) {
            waiting_ = summand;
            waits_ = true;
            apart_ = more && started_;
            return;
        }
        const Local<float>& to = apart_ ? column_ : out_;
        AscendC::Add(to, waits_ ? waiting_ : to, summand, count_);
        if (waits_) {
            step(); // before its array is used again
        }
        waits_ = false;
    }
    __aicore__ inline void end_column() {
        if (apart_) {
            step();
            AscendC::Add(out_, out_, column_, count_);
            apart_ = false;
        }
        started_ = true;
    }
    __aicore__ inline void finish() {}

private:
    Local<float> out_, column_, waiting_;
    int32_t count_;
    bool started_ = false;
    bool apart_ = false;
    bool waits_ = false;
};

} // namespace maxpoolgrad::arch22
