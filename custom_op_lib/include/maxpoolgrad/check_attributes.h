// What the operator refuses of a node's attributes, whatever its inputs are.
#pragma once

#include "attributes.h"
#include "words.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace maxpoolgrad {

namespace detail {

template <size_t N>
std::string check_choice(const std::string& subject, const char* name, const std::string& value,
                         const std::array<const char*, N>& allowed) {
    if (index_of(allowed, value) >= 0) {
        return "";
    }
    return is(subject, name, text(value)) + "allowed are " + choices(allowed);
}

inline std::string check_bool(const std::string& subject, const char* name, int64_t value) {
    return value == 0 || value == 1 ? "" : is(subject, name, text(value)) + "allowed are 0 and 1";
}

// ksize and strides: four values, 1 on N and C, within [low, high] on H and W.
inline std::string check_window_list(const std::string& subject, const char* name,
                                     const std::vector<int64_t>& values, DataFormat format, int64_t low,
                                     int64_t high) {
    const std::string form = format == DataFormat::kNhwc ? "[1, height, width, 1]" : "[1, 1, height, width]";
    const std::string layout = form + " for data_format " + kDataFormats[static_cast<size_t>(format)];
    const std::string found = is(subject, name, text(values));
    if (values.size() != kRank) {
        return found + "it must have 4 values, " + layout;
    }
    const DimOrder at = dim_order(format);
    if (values[at.n] != 1 || values[at.c] != 1) {
        return found + "it must be 1 on N and C: " + layout;
    }
    for (const size_t dim : {at.h, at.w}) {
        if (values[dim] < low || values[dim] > high) {
            return found + "its " + (dim == at.h ? "height " : "width ") + text(values[dim]) +
                   " must lie in [" + text(low) + ", " + text(high) + "]";
        }
    }
    return "";
}

inline std::string check_pads(const std::string& subject, const Attributes& attributes) {
    const std::string found = is(subject, "pads", text(attributes.pads));
    if (attributes.pads.size() != kRank) {
        return found + "it must have 4 values, [top, bottom, left, right]";
    }
    for (const int64_t pad : attributes.pads) {
        if (pad < 0 && rounding_of(attributes).mode == PaddingMode::kCalculated) {
            return found + "each of [top, bottom, left, right] must be 0 or more";
        }
    }
    return "";
}

} // namespace detail

inline std::string check_attributes(const std::string& subject, const Attributes& attributes) {
    using namespace detail;
    const std::string words = first_of({
        check_choice(subject, "padding_mode", attributes.padding_mode, kPaddingModes),
        check_choice(subject, "data_format", attributes.data_format, kDataFormats),
        check_bool(subject, "global_pooling", attributes.global_pooling),
        check_bool(subject, "ceil_mode", attributes.ceil_mode),
    });
    if (!words.empty()) {
        return words;
    }
    if (attributes.global_pooling != 0) {
        return is(subject, "global_pooling", "1 (true)") +
               "it must be 0 (false): write a ksize of the input's height and width instead";
    }
    if (attributes.ceil_mode != 0 && rounding_of(attributes).mode != PaddingMode::kCalculated) {
        return is(subject, "ceil_mode", "1 (true)") + "with padding_mode " + text(attributes.padding_mode) +
               " it must be 0 (false); 1 is allowed with 'CALCULATED' only";
    }
    const DataFormat format = data_format_of(attributes);
    return first_of({
        check_window_list(subject, "ksize", attributes.ksize, format, kKsizeMin, kKsizeMax),
        check_window_list(subject, "strides", attributes.strides, format, kStrideMin, kStrideMax),
        check_pads(subject, attributes),
    });
}

} // namespace maxpoolgrad
