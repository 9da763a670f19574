// What the operator refuses of its inputs' dtypes and shapes.
#pragma once

#include "attributes.h"
#include "geometry.h"
#include "words.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace maxpoolgrad {

// `dtypes` are NumPy's names, in the order of the inputs; an empty one is not known yet.
inline std::string check_dtypes(const std::string& subject, const std::array<std::string, 3>& dtypes) {
    for (size_t i = 0; i < dtypes.size(); ++i) {
        if (!dtypes[i].empty() && index_of(kDtypes, dtypes[i]) < 0) {
            return subject + ": the dtype of " + kInputNames[i] + " is " + dtypes[i] + "; allowed are " +
                   kDtypes[0] + " and " + kDtypes[1];
        }
    }
    size_t first = 0;
    while (first < dtypes.size() && dtypes[first].empty()) {
        ++first;
    }
    for (size_t i = first + 1; i < dtypes.size(); ++i) {
        if (!dtypes[i].empty() && dtypes[i] != dtypes[first]) {
            return subject + ": the dtype of " + kInputNames[i] + " is " + dtypes[i] + ", that of " +
                   kInputNames[first] + " is " + dtypes[first] + "; all inputs must have one dtype, " +
                   kDtypes[0] + " or " + kDtypes[1];
        }
    }
    return "";
}

namespace detail {

inline std::string shape_subject(const std::string& subject, const char* input, const Shape& shape) {
    return subject + ": the shape of " + input + " is " + text(shape);
}

// Whether the product of the dimensions fits int64. A dimension of 0 makes any product 0.
inline bool product_fits(const Shape& shape) {
    int64_t product = 1;
    bool fits = true;
    for (const int64_t dim : shape) {
        if (dim == 0) {
            return true;
        }
        fits = fits && (dim < 0 || product <= std::numeric_limits<int64_t>::max() / dim);
        product = fits && dim > 0 ? product * dim : product;
    }
    return fits;
}

inline std::string check_one_shape(const std::string& subject, const char* input, const PartialShape& shape,
                                   const std::string& format) {
    if (!shape.known_rank) {
        return "";
    }
    if (shape.dims.size() != kRank) {
        return shape_subject(subject, input, shape.dims) + "; it must have 4 dimensions, " + format;
    }
    if (!product_fits(shape.dims)) {
        return shape_subject(subject, input, shape.dims) +
               "; the product of its dimensions must be at most " + text(std::numeric_limits<int64_t>::max());
    }
    return "";
}

inline bool differ(int64_t a, int64_t b) {
    return a >= 0 && b >= 0 && a != b;
}

inline std::string check_output_size(const std::string& subject, const Attributes& attributes,
                                     const char* source, const char* name, const Window& window,
                                     int64_t input, int64_t output) {
    const Rounding rounding = rounding_of(attributes);
    if (input < 0 || output < 0 || legal_output(rounding, input, window, output)) {
        return "";
    }
    const int64_t forward = forward_output(rounding, input, window);
    const int64_t formula = formula_output(rounding, input, window);
    std::string padding = rounding.mode == PaddingMode::kCalculated
                              ? ", padding " + text(window.pad_begin) + " + " + text(window.pad_end)
                              : "";
    return is(subject, std::string(name) + " of " + source, text(output)) + "for " + name + " " +
           text(input) + " of " + kInputNames[0] + ", ksize " + text(window.kernel) + ", stride " +
           text(window.stride) + padding + ", " + attributes.padding_mode + " and ceil_mode " +
           text(attributes.ceil_mode) + " it must be " + text(forward) +
           (formula != forward ? " or " + text(formula) : "");
}

// `output` is the shape of orig_output, or that of grad: both must fit orig_input; `source` says which it is.
inline std::string check_sizes(const std::string& subject, const Attributes& attributes, const Shape& input,
                               const char* source, const Shape& output) {
    const DimOrder at = dim_order(data_format_of(attributes));
    for (const size_t dim : {at.n, at.c}) {
        if (differ(input[dim], output[dim])) {
            return shape_subject(subject, source, output) + "; its " + (dim == at.n ? "N" : "C") +
                   " must be that of " + kInputNames[0] + ", " + text(input[dim]) + " in " + text(input);
        }
    }
    return first_of({
        check_output_size(subject, attributes, source, "height", height_window(attributes), input[at.h],
                          output[at.h]),
        check_output_size(subject, attributes, source, "width", width_window(attributes), input[at.w],
                          output[at.w]),
    });
}

} // namespace detail

// For a front end whose dimensions may be anything.
inline std::string wrong_shape(const std::string& subject, const std::string& input,
                               const std::string& found) {
    return subject + ": the shape of " + input + " is " + found +
           "; each dimension must be an int of 0 or more, or -1 where it is unknown";
}

// Attributes must have passed check_attributes. Unknown ranks and dimensions skip only the checks that need
// them.
inline std::string check_shapes(const std::string& subject, const Attributes& attributes,
                                const std::array<PartialShape, 3>& shapes) {
    using namespace detail;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const std::string sentence =
            check_one_shape(subject, kInputNames[i], shapes[i], attributes.data_format);
        if (!sentence.empty()) {
            return sentence;
        }
    }
    const PartialShape &input = shapes[0], &output = shapes[1], &grad = shapes[2];
    if (output.known_rank && grad.known_rank) {
        for (size_t dim = 0; dim < kRank; ++dim) {
            if (differ(output.dims[dim], grad.dims[dim])) {
                return shape_subject(subject, kInputNames[2], grad.dims) + "; it must be that of " +
                       kInputNames[1] + ", " + text(output.dims);
            }
        }
    }
    for (const size_t i : {1, 2}) {
        if (input.known_rank && shapes[i].known_rank) {
            const std::string sentence =
                check_sizes(subject, attributes, input.dims, kInputNames[i], shapes[i].dims);
            if (!sentence.empty()) {
                return sentence;
            }
        }
    }
    return "";
}

} // namespace maxpoolgrad
