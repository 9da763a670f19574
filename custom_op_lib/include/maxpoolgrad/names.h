// The operator's names and limits.
#pragma once

#include "geometry.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace maxpoolgrad {

// ---- Names

inline constexpr const char* kDomain = "npu";
inline constexpr const char* kOpType = "MaxPoolV3Grad";
inline constexpr const char* kOpTypeAlias = "NPUMaxPoolV3Grad"; // the spelling of the Ascend ecosystem
inline constexpr int kOpsetVersion = 1;

inline constexpr std::array<const char*, 3> kInputNames = {"orig_input", "orig_output", "grad"};
inline constexpr const char* kOutputName = "out_grad";

enum class AttributeKind { kInts, kString, kBool };

struct AttributeSpec {
    const char* name;
    AttributeKind kind;
    bool required;
};

inline constexpr std::array<AttributeSpec, 7> kAttributes = {{
    {"ksize", AttributeKind::kInts, true},
    {"strides", AttributeKind::kInts, true},
    {"padding_mode", AttributeKind::kString, false},
    {"pads", AttributeKind::kInts, false},
    {"data_format", AttributeKind::kString, false},
    {"global_pooling", AttributeKind::kBool, false},
    {"ceil_mode", AttributeKind::kBool, false},
}};

// Null where the operator has no attribute of that name.
inline const AttributeSpec* find_attribute(const std::string& name) {
    for (const AttributeSpec& spec : kAttributes) {
        if (name == spec.name) {
            return &spec;
        }
    }
    return nullptr;
}

// ---- Shapes

// A dimension that is not known yet.
inline constexpr int64_t kUnknownDim = -1;

using Shape = std::vector<int64_t>;

// A shape of which even the rank may be unknown; a dimension below 0 is unknown.
struct PartialShape {
    bool known_rank = false;
    Shape dims;
};

// ---- Limits

inline constexpr int64_t kKsizeMin = 1;
inline constexpr int64_t kKsizeMax = 255;
inline constexpr int64_t kStrideMin = 1;
inline constexpr int64_t kStrideMax = 63;
inline constexpr int kRank = 4;

inline constexpr std::array<const char*, 3> kPaddingModes = {"CALCULATED", "SAME", "VALID"}; // as PaddingMode
inline constexpr std::array<const char*, 2> kDataFormats = {"NCHW", "NHWC"};                 // as DataFormat
inline constexpr std::array<const char*, 2> kDtypes = {"float16", "float32"};                // as Dtype

enum class Dtype { kFloat16, kFloat32 };

// The place of `value` in one of the lists above, which is also its number in the enum; -1 where it is in
// none.
template <size_t N>
int index_of(const std::array<const char*, N>& values, const std::string& value) {
    for (size_t i = 0; i < N; ++i) {
        if (value == values[i]) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

} // namespace maxpoolgrad
