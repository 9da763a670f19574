// Which strategy runs which job, as the target that includes this is compiled.
#pragma once

#include "apart.h"
#include "move.h"
#include "search.h"
#include "separable.h"
#include "side_by_side.h"
#include "tap_by_tap.h"
#include "tap_pixels.h"
#include "tap_planes.h"
#include "targets.h"
#if defined(__AVX512BW__)
#include "channel_runs.h"
#include "five_by_five.h"
#include "half_taps.h"
#include "keyed_rows.h"
#include "scatter.h"
#include "separable_columns.h"
#include "tap_columns.h"
#include "two_by_two_pixels.h"
#else
#include "half_three.h"
#include "narrow_two_by_two.h"
#include "streamed_two_by_two.h"
#include "two_by_two.h"
#endif

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

struct Entry {
    bool (*fits)(const FastJob&);
    FastStrategy run;
    int64_t (*scratch)(const FastJob&);
};

inline bool planes(const FastJob& job) {
    return job.group == 1 && job.large.pixel_step == 1;
}

inline bool is_window(const FastJob& job, int64_t kernel, int64_t stride) {
    const FastAxis &h = job.h, &w = job.w;
    return h.kernel == kernel && w.kernel == kernel && h.stride == stride && w.stride == stride;
}

inline bool pairs(const FastJob& job) {
    const auto fits = [](const FastAxis& axis) { return axis.pad == 0 && axis.output == axis.input / 2; };
    return is_window(job, 2, 2) && fits(job.h) && fits(job.w);
}

inline bool two_by_two_fits(const FastJob& job) {
    return planes(job) && pairs(job);
}

#if !defined(__AVX512BW__)
template <class T>
bool streamed_fits(const FastJob& job) {
    return two_by_two_fits(job) && streamed_two_by_two_fits<T>(job);
}

template <class T, int rows>
constexpr int kNarrowWidth = kCount<T> / rows > 2 ? kCount<T> / rows : 2;

template <int W>
bool narrow_two_by_two_fits(const FastJob& job) {
    return two_by_two_fits(job) && narrow_fits<W>(job);
}
#endif

template <class T, int P>
bool half_three_fits(const FastJob& job) {
    return sizeof(T) == 2 && planes(job) && is_window(job, 3, 2) && job.w.pad == P;
}

template <int K, int S, class Axis>
bool taps_fit(const FastJob& job) {
    return is_window(job, K, S) && Axis::fits(job);
}

inline bool apart_fits(const FastJob& job) {
    return job.group >= 2 && is_apart(job.h) && is_apart(job.w);
}

constexpr int64_t kMostSearched = int64_t{1} << 18; // positions of a plane

#if defined(__AVX512BW__)
inline bool rows_fit_a_vector(const FastJob& job) {
    return planes(job) && one_vector_rows_fit(job);
}

template <class T>
bool pixels_fit(const FastJob& job) {
    return pairs(job) && two_by_two_pixels_fits<T>(job);
}

inline bool five_fits(const FastJob& job) {
    return is_window(job, kFive, 1) && five_by_five_fits(job);
}
#endif

// Windows of 2 x 2 and 3 x 3 that tap_by_tap.h and tap_columns.h take.
inline bool tapped(const FastJob& job) {
    const int64_t kernel = job.h.kernel, stride = job.h.stride;
    return (kernel == 2 || kernel == 3) && stride <= 2 && is_window(job, kernel, stride) && job.w.pad <= 1;
}

// The least that a plane takes otherwise.
inline double other_cycles(const FastJob& job) {
#if defined(__AVX512BW__)
    if (rows_fit_a_vector(job)) {
        return one_vector_cycles(job);
    }
#endif
    if (tapped(job)) {
        return side_by_side_fits(job) ? 0.75 * turned_cycles(job) : 0;
    }
    return side_by_side_fits(job) ? turned_cycles(job) : row_cycles(job, kMostShuffled);
}

inline bool search_fits(const FastJob& job) {
    return planes(job) && job.h.input * job.w.input <= kMostSearched &&
           search_cycles(job) < other_cycles(job);
}

inline bool always(const FastJob&) {
    return true;
}

inline int64_t no_scratch(const FastJob&) {
    return 0;
}

template <class T, int K, int S, class Axis>
constexpr Entry kTapByTap = {&taps_fit<K, S, Axis>, &tap_by_tap<T, K, S, Axis>,
                             &TapByTap<T, K, S, Axis>::scratch};

template <class T, int K, int S, int P>
constexpr Entry kTapPlanes = kTapByTap<T, K, S, TapPlanes<T, K, S, P>>;

#if defined(__AVX512BW__)
template <class T, int K, int S, int P, int N>
constexpr Entry kTapColumns = {&taps_fit<K, S, TapColumns<T, K, S, P, N>>, &tap_columns<T, K, S, P, N>,
                               &no_scratch};

template <class T, int P, int N>
constexpr Entry kSeparableColumns = {&taps_fit<3, 1, SeparableColumns<T, P, N>>, &separable_columns<T, P, N>,
                                     &separable_columns_scratch};
#endif

template <class T, int K, int S>
constexpr Entry kTapPixels = kTapByTap<T, K, S, TapPixels<T, K, S>>;

#if !defined(__AVX512BW__)
// `rows` in a vector.
template <class T, int rows>
constexpr Entry kNarrow = {&narrow_two_by_two_fits<kNarrowWidth<T, rows>>,
                           &narrow_two_by_two<T, kNarrowWidth<T, rows>>, &no_scratch};
#endif

template <class T>
FastChoice choose_in_table(const FastJob& job);

// The first that fits runs the job.
template <class T>
constexpr Entry kTable[] = {
#if defined(__AVX512BW__)
    // Left to AVX2: masks that are bits of their own have to leave the vectors' part of the processor to be
    // shifted.
    {&two_by_two_fits, nullptr, &no_scratch},
    {&scatter_fits_wide_planes, &scatter<T>, &scatter_scratch},
#else
    kNarrow<T, 4>,
    kNarrow<T, 2>,
    kNarrow<T, 1>,
    {&streamed_fits<T>, &streamed_two_by_two<T>, &no_scratch},
    {&two_by_two_fits, &two_by_two<T>, &no_scratch},
#endif
    {&search_fits, &search<T>, &search_scratch<T>},
#if defined(__AVX512BW__)
    {&rows_fit_a_vector, &keyed_rows<T>, &separable_scratch},
    {&pixels_fit<T>, &two_by_two_pixels<T>, &TwoByTwoPixels<T>::scratch},
    {&five_fits, &five_by_five<T>, &five_by_five_scratch},
    {&channel_runs_fit, &channel_runs<T>, &channel_runs_scratch},
    {&scatter_fits_planes, &scatter<T>, &scatter_scratch},
#endif
    {&side_by_side_fits, &side_by_side<T, &choose_in_table<float>>,
     &side_by_side_scratch<&choose_in_table<float>>},
#if defined(__AVX512BW__)
    {&half_three_fits<T, 0>, &half_taps<0>, &HalfTaps<0, true>::scratch},
    {&half_three_fits<T, 1>, &half_taps<1>, &HalfTaps<1, true>::scratch},
    kSeparableColumns<T, 0, 1>,
    kSeparableColumns<T, 1, 1>,
    kSeparableColumns<T, 0, 2>,
    kSeparableColumns<T, 1, 2>,
    kTapColumns<T, 3, 2, 0, 1>,
    kTapColumns<T, 3, 2, 1, 1>,
    kTapColumns<T, 3, 2, 0, 2>,
    kTapColumns<T, 3, 2, 1, 2>,
    kTapColumns<T, 3, 1, 0, 2>,
#else
    {&half_three_fits<T, 0>, &half_three<0>, &half_three_scratch},
    {&half_three_fits<T, 1>, &half_three<1>, &half_three_scratch},
#endif
    kTapPlanes<T, 3, 2, 0>,
    kTapPlanes<T, 3, 2, 1>,
    kTapPlanes<T, 3, 1, 0>,
    kTapPlanes<T, 3, 1, 1>,
    kTapPlanes<T, 2, 2, 0>,
    kTapPlanes<T, 2, 2, 1>,
    kTapPlanes<T, 2, 1, 0>,
    kTapPlanes<T, 2, 1, 1>,
    kTapPixels<T, 3, 2>,
    kTapPixels<T, 3, 1>,
    kTapPixels<T, 2, 2>,
    kTapPixels<T, 2, 1>,
    {&apart_fits, &apart<T>, &no_scratch},
#if defined(__AVX512BW__)
    {&scatter_fits, &scatter<T>, &scatter_scratch},
#endif
    {&always, &separable<T>, &separable_scratch},
};

template <class T>
FastChoice choose_in_table(const FastJob& job) {
    const Entry* entry = kTable<T>;
    while (!entry->fits(job)) {
        ++entry;
    }
    return {entry->run, entry->scratch(job)};
}

} // namespace

FastChoice choose(const FastJob& job, bool float16) {
    return float16 ? choose_in_table<uint16_t>(job) : choose_in_table<float>(job);
}

} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
