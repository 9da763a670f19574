// Axpy: the destination plus a source times a scalar. Whether the product is rounded before it is added is
// not documented, so a product that would be rounded is a fault.
#include "numbers.h"
#include "vector_walk.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace twin {

namespace {

bool supported(DType from, DType to) {
    return (from == DType::kHalf && (to == DType::kHalf || to == DType::kFloat)) ||
           (from == DType::kFloat && to == DType::kFloat);
}

// Exact: the significands of two floats fit a double together.
Number product_of(DType from, const uint8_t* source, const uint8_t* scalar) {
    return load_number(from, source) * load_number(from, scalar);
}

bool representable(DType type, Number value) {
    const float rounded = static_cast<float>(value);
    return std::isnan(value) ||
           (rounded == value && (type == DType::kFloat || half_to_float(float_to_half(rounded)) == rounded));
}

} // namespace

void vector_axpy(const VectorCall& call, DType to, VectorOperand destination, VectorOperand source,
                 ScalarBits scalar) {
    const uint32_t from_bytes = bytes_of(call.type), to_bytes = bytes_of(to);
    VectorWalk walk(call, std::max(from_bytes, to_bytes));
    walk.require(supported(call.type, to), std::string("adds ") + name_of(call.type) + " to " + name_of(to) +
                                               "; it has half to half and to float, and float to float");
    if (!walk.admit(source, from_bytes, "the source", false) ||
        !walk.admit(destination, to_bytes, "the destination", true)) {
        return;
    }
    uint8_t factor[8];
    std::memcpy(factor, &scalar.bits, sizeof factor);
    bool rounded = false;
    Register in{}, sum{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(source, repeat, from_bytes, in);
        walk.load(destination, repeat, to_bytes, sum);
        for (uint32_t i = 0; i < walk.used(repeat); ++i) {
            const Number product = product_of(call.type, in.value + i * from_bytes, factor);
            rounded = rounded || !representable(to, product);
            // Two floats, or two halves, added in double or float and rounded once more, are rounded right.
            store_number(to, load_number(to, sum.value + i * to_bytes) + product, sum.value + i * to_bytes);
            if (in.undefined && any_undefined(in.shadow + i * from_bytes, from_bytes)) {
                std::memset(sum.shadow + i * to_bytes, 0xff, to_bytes);
            }
        }
        sum.undefined = sum.undefined || in.undefined;
        spread_undefined(sum, to_bytes);
        walk.store(destination, repeat, to_bytes, sum);
    }
    walk.require(!rounded,
                 std::string("a product is no ") + name_of(to) +
                     " without rounding, and how it is rounded is not documented; take a power of two, or "
                     "Muls and Add",
                 FaultKind::kUnsupportedMode);
}

} // namespace twin
