// The operator's contract: what MaxPoolV3Grad refuses, and the sentences it refuses with. Everything in the
// project that speaks of the operator takes them from here: Python through the _native module, the ONNX
// Runtime library, op_host and the ATC plugin by including this header.
//
// Header-only and without dependencies. A check returns an empty string where there is nothing to refuse, and
// otherwise one sentence that names the node, the attribute or input, its value and what is allowed. Its
// `subject` is the sentence's beginning: node_subject() for a node, the function's name for a direct call.
#pragma once

#include "attributes.h"
#include "geometry.h"
#include "names.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace maxpoolgrad {

// ---- Words

namespace detail {

inline std::string text(int64_t value) {
    return std::to_string(value);
}
inline std::string text(const std::string& value) {
    return "'" + value + "'";
}

inline std::string text(const std::vector<int64_t>& values) {
    std::string out;
    for (const int64_t value : values) {
        out += (out.empty() ? "" : ", ") + text(value);
    }
    return "[" + out + "]";
}

// "'a', 'b' and 'c'"
template <size_t N>
std::string choices(const std::array<const char*, N>& values) {
    std::string out;
    for (size_t i = 0; i < N; ++i) {
        out += (i == 0 ? "" : i + 1 == N ? " and " : ", ") + text(std::string(values[i]));
    }
    return out;
}

inline std::string is(const std::string& subject, const std::string& what, const std::string& value) {
    return subject + ": " + what + " is " + value + "; ";
}

} // namespace detail

inline std::string node_subject(const std::string& node) {
    return node.empty() ? std::string("an unnamed ") + kOpType + " node"
                        : std::string(kOpType) + " node " + detail::text(node);
}

// ---- Attributes

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

// The first sentence that is not empty.
inline std::string first_of(std::initializer_list<std::string> sentences) {
    for (const std::string& sentence : sentences) {
        if (!sentence.empty()) {
            return sentence;
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

// ---- What only a front end can see: the node's form

inline const char* kind_name(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::kInts: return "a list of ints";
    case AttributeKind::kString: return "a string";
    case AttributeKind::kBool: return "an int, 0 or 1";
    }
    return "";
}

inline std::string wrong_attribute_type(const std::string& subject, const AttributeSpec& spec,
                                        const std::string& found) {
    return detail::is(subject, spec.name, found) + "it must be " + kind_name(spec.kind);
}

inline std::string missing_attribute(const std::string& subject, const AttributeSpec& spec) {
    return subject + ": attribute " + spec.name + " is missing; it is required, " + kind_name(spec.kind);
}

inline std::string unknown_attribute(const std::string& subject, const std::string& name) {
    std::string known;
    for (const AttributeSpec& spec : kAttributes) {
        known += (known.empty() ? "" : ", ") + std::string(spec.name);
    }
    return subject + ": attribute " + detail::text(name) + " is unknown; allowed are " + known;
}

inline std::string wrong_input_count(const std::string& subject, int64_t found) {
    return subject + ": the number of inputs is " + detail::text(found) +
           "; it must be 3: " + kInputNames[0] + ", " + kInputNames[1] + ", " + kInputNames[2];
}

inline std::string missing_input(const std::string& subject, const char* input) {
    return subject + ": input " + input + " is missing (an empty name); all three inputs are required";
}

inline std::string wrong_output_count(const std::string& subject, int64_t found) {
    return subject + ": the number of outputs is " + detail::text(found) + "; it must be 1: " + kOutputName;
}

// ---- Dtypes

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

// ---- Shapes

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

// ---- Products

// The product that a soc_version belongs to; null where it is not supported.
inline const Product* product_of(const std::string& soc_version) {
    for (const Product& product : kSupportedProducts) {
        const std::string prefix = product.soc_prefix;
        const bool numbered = soc_version.size() > prefix.size() && soc_version[prefix.size()] >= '0' &&
                              soc_version[prefix.size()] <= '9';
        if (numbered && soc_version.compare(0, prefix.size(), prefix) == 0) {
            return &product;
        }
    }
    return nullptr;
}

inline std::string check_soc_version(const std::string& soc_version) {
    if (product_of(soc_version) != nullptr) {
        return "";
    }
    std::string supported;
    for (const Product& product : kSupportedProducts) {
        supported += (supported.empty() ? "" : ", ") + std::string(product.name);
    }
    return "soc_version " + detail::text(soc_version) + " is not supported by " + kOpType +
           "; supported are " + supported;
}

} // namespace maxpoolgrad
