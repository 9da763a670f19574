// Numbers and names of GE's types, as far as the project uses them.
#pragma once

#include <cstdint>
#include <vector>

#define ATTRIBUTED_DEPRECATED(replacement) __attribute__((deprecated("use " #replacement)))

namespace ge {

using char_t = char;
using float32_t = float;
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;

static const int64_t UNKNOWN_DIM = -1;
static const int64_t UNKNOWN_DIM_NUM = -2;

enum DataType {
    DT_FLOAT = 0,
    DT_FLOAT16 = 1,
    DT_INT8 = 2,
    DT_INT32 = 3,
    DT_UINT8 = 4,
    DT_INT16 = 6,
    DT_UINT16 = 7,
    DT_UINT32 = 8,
    DT_INT64 = 9,
    DT_UINT64 = 10,
    DT_DOUBLE = 11,
    DT_BOOL = 12,
    DT_STRING = 13,
    DT_COMPLEX64 = 16,
    DT_COMPLEX128 = 17,
    DT_BF16 = 27,
    DT_UNDEFINED = 28,
};

enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2 };

enum Placement { kPlacementHost = 0, kPlacementDevice = 1 };

class TensorType {
public:
    explicit TensorType(const std::vector<DataType>& types) : types_(types) {}
    static TensorType RealNumberType() {
        return TensorType({DT_DOUBLE, DT_FLOAT, DT_FLOAT16, DT_INT16, DT_INT32, DT_INT64, DT_INT8, DT_UINT16,
                           DT_UINT32, DT_UINT64, DT_UINT8, DT_BF16});
    }

private:
    std::vector<DataType> types_;
};

} // namespace ge
