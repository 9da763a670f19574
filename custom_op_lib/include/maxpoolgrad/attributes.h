// A node's attributes, and the geometry they describe.
#pragma once

#include "geometry.h"
#include "names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maxpoolgrad {

// A node's attributes as written on it, with the defaults of those that are not. ONNX has no bool attribute:
// a bool is an int there, so that a 2 can be refused with its value.
struct Attributes {
    std::vector<int64_t> ksize;
    std::vector<int64_t> strides;
    std::string padding_mode = "CALCULATED";
    std::vector<int64_t> pads = {0, 0, 0, 0}; // top, bottom, left, right
    std::string data_format = "NCHW";
    int64_t global_pooling = 0;
    int64_t ceil_mode = 0;
};

// Where N, C, H and W stand in shapes, ksize and strides.
struct DimOrder {
    size_t n, c, h, w;
};

inline DimOrder dim_order(DataFormat format) {
    return format == DataFormat::kNhwc ? DimOrder{0, 3, 1, 2} : DimOrder{0, 1, 2, 3};
}

// For attributes that check_attributes has let pass.
inline DataFormat data_format_of(const Attributes& attributes) {
    return static_cast<DataFormat>(index_of(kDataFormats, attributes.data_format));
}

inline Rounding rounding_of(const Attributes& attributes) {
    return {static_cast<PaddingMode>(index_of(kPaddingModes, attributes.padding_mode)),
            attributes.ceil_mode != 0};
}

inline Window height_window(const Attributes& attributes) {
    const size_t h = dim_order(data_format_of(attributes)).h;
    return {attributes.ksize[h], attributes.strides[h], attributes.pads[0], attributes.pads[1]};
}

inline Window width_window(const Attributes& attributes) {
    const size_t w = dim_order(data_format_of(attributes)).w;
    return {attributes.ksize[w], attributes.strides[w], attributes.pads[2], attributes.pads[3]};
}

// The shape that the forward operator MaxPoolV3 gives for a 4-D `input`; unknown stays unknown.
inline Shape output_shape(const Attributes& attributes, const Shape& input) {
    const DimOrder at = dim_order(data_format_of(attributes));
    const Rounding rounding = rounding_of(attributes);
    Shape output = input;
    if (input[at.h] >= 0) {
        output[at.h] = forward_output(rounding, input[at.h], height_window(attributes));
    }
    if (input[at.w] >= 0) {
        output[at.w] = forward_output(rounding, input[at.w], width_window(attributes));
    }
    return output;
}

// For attributes and shapes that the checks above have let pass, every dimension known.
inline Pooling make_pooling(const Attributes& attributes, const Shape& input, const Shape& output) {
    const DataFormat format = data_format_of(attributes);
    const DimOrder at = dim_order(format);
    const auto axis = [&](size_t dim, const Window& window) {
        return Axis{input[dim], output[dim], window.kernel, window.stride,
                    begin_padding(rounding_of(attributes), input[dim], window)};
    };
    return {format, input[at.n], input[at.c], axis(at.h, height_window(attributes)),
            axis(at.w, width_window(attributes))};
}

} // namespace maxpoolgrad
