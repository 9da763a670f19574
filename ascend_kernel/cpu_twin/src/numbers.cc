#include "numbers.h"

#include <vector>

namespace twin {

namespace {

const std::vector<float>& all_halves() {
    static const std::vector<float> floats = [] {
        std::vector<float> table(65536);
        for (uint32_t bits = 0; bits < table.size(); ++bits) {
            table[bits] = maxpoolgrad::to_float(maxpoolgrad::Half{static_cast<uint16_t>(bits)});
        }
        return table;
    }();
    return floats;
}

} // namespace

const float* const half_floats = all_halves().data();

Number load_number(DType type, const uint8_t* bytes) {
    switch (type) {
    case DType::kHalf: return half_to_float(read_as<uint16_t>(bytes));
    case DType::kBfloat16: return bfloat16_to_float(read_as<uint16_t>(bytes));
    case DType::kFloat: return read_as<float>(bytes);
    case DType::kInt8: return read_as<int8_t>(bytes);
    case DType::kUint8: return read_as<uint8_t>(bytes);
    case DType::kInt16: return read_as<int16_t>(bytes);
    case DType::kUint16: return read_as<uint16_t>(bytes);
    case DType::kInt32: return read_as<int32_t>(bytes);
    case DType::kUint32: return read_as<uint32_t>(bytes);
    case DType::kInt64: return static_cast<Number>(read_as<int64_t>(bytes));
    case DType::kUint64: return static_cast<Number>(read_as<uint64_t>(bytes));
    }
    return 0;
}

void store_number(DType type, Number value, uint8_t* bytes) {
    switch (type) {
    case DType::kHalf: return write_as<uint16_t>(bytes, float_to_half(static_cast<float>(value)));
    case DType::kBfloat16: return write_as<uint16_t>(bytes, float_to_bfloat16(static_cast<float>(value)));
    case DType::kFloat: return write_as<float>(bytes, static_cast<float>(value));
    case DType::kInt8:
    case DType::kUint8: return write_as<uint8_t>(bytes, static_cast<uint8_t>(static_cast<int64_t>(value)));
    case DType::kInt16:
    case DType::kUint16: return write_as<uint16_t>(bytes, static_cast<uint16_t>(static_cast<int64_t>(value)));
    case DType::kInt32:
    case DType::kUint32: return write_as<uint32_t>(bytes, static_cast<uint32_t>(static_cast<int64_t>(value)));
    case DType::kInt64:
    case DType::kUint64: return write_as<int64_t>(bytes, static_cast<int64_t>(value));
    }
}

} // namespace twin
