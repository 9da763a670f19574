// What the project's Python modules take: attributes, arrays, shapes.
#pragma once

#include <maxpoolgrad/attributes.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace maxpoolgrad {

namespace nb = nanobind;

using InputArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using OutputArray = nb::ndarray<nb::c_contig, nb::device::cpu>;

// The callers in Python have checked everything in the contract's words; what is required here only keeps a
// wrong caller from reading or writing outside the arrays.
inline void require(bool condition, const char* what) {
    if (!condition) {
        throw std::invalid_argument(what);
    }
}

inline Attributes attributes_of(const nb::dict& values) {
    Attributes attributes;
    attributes.ksize = nb::cast<std::vector<int64_t>>(values["ksize"]);
    attributes.strides = nb::cast<std::vector<int64_t>>(values["strides"]);
    attributes.padding_mode = nb::cast<std::string>(values["padding_mode"]);
    attributes.pads = nb::cast<std::vector<int64_t>>(values["pads"]);
    attributes.data_format = nb::cast<std::string>(values["data_format"]);
    attributes.global_pooling = nb::cast<int64_t>(values["global_pooling"]);
    attributes.ceil_mode = nb::cast<int64_t>(values["ceil_mode"]);
    return attributes;
}

template <class Array>
Shape shape_of(const Array& array) {
    return Shape(array.shape_ptr(), array.shape_ptr() + array.ndim());
}

template <class Array>
bool is_float16(const Array& array) {
    return array.dtype() == nb::dlpack::dtype{static_cast<uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
}

template <class Array>
bool is_known_dtype(const Array& array) {
    return is_float16(array) || array.dtype() == nb::dtype<float>();
}

template <class Array>
Dtype dtype_of(const Array& array) {
    require(is_known_dtype(array), "arrays must be float16 or float32");
    return is_float16(array) ? Dtype::kFloat16 : Dtype::kFloat32;
}

} // namespace maxpoolgrad
