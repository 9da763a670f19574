// Duplicate, CreateVecIndex, Copy and Brcb: what fills or copies lanes without computing; and the mask
// register.
#include "numbers.h"
#include "vector_walk.h"

#include <algorithm>
#include <cstring>

namespace twin {

void vector_fill(const VectorCall& call, VectorOperand destination, ScalarBits scalar) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    walk.require(size == 2 || size == 4,
                 std::string("fills ") + name_of(call.type) + "; it has elements of 16 and 32 bits");
    if (!walk.admit(destination, size, "the destination", true)) {
        return;
    }
    Register out{};
    for (uint32_t i = 0; i < kRepeatBytes; i += size) {
        std::memcpy(out.value + i, &scalar.bits, size);
    }
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.store(destination, repeat, size, out);
    }
}

void vector_index(const VectorCall& call, VectorOperand destination, ScalarBits first) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    walk.require(call.type == DType::kInt16 || call.type == DType::kInt32 || call.type == DType::kHalf ||
                     call.type == DType::kFloat,
                 std::string("counts in ") + name_of(call.type) +
                     "; it has half, float, int16_t and int32_t");
    if (!walk.admit(destination, size, "the destination", true)) {
        return;
    }
    uint8_t bits[8];
    std::memcpy(bits, &first.bits, sizeof bits);
    const Number begin = load_number(call.type, bits);
    Register out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        for (uint32_t i = 0; i < walk.lanes_per_repeat(); ++i) {
            store_number(call.type, begin + repeat * walk.lanes_per_repeat() + i, out.value + i * size);
        }
        walk.store(destination, repeat, size, out);
    }
}

void vector_copy(const VectorCall& call, VectorOperand destination, VectorOperand source) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    walk.require(size == 2 || size == 4,
                 std::string("copies ") + name_of(call.type) + "; it has elements of 16 and 32 bits");
    if (!walk.admit(source, size, "the source", false) ||
        !walk.admit(destination, size, "the destination", true)) {
        return;
    }
    Register values{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(source, repeat, size, values);
        walk.store(destination, repeat, size, values);
    }
}

// A repeat takes eight elements and fills a block of 32 B with each.
void vector_broadcast(const VectorCall& call, VectorOperand destination, UbSpan source) {
    const uint32_t size = bytes_of(call.type);
    VectorCall whole = call;
    whole.lanes = Lanes::first(kRepeatBytes / size);
    VectorWalk walk(whole, size);
    walk.require(size == 2 || size == 4,
                 std::string("broadcasts ") + name_of(call.type) + "; it has elements of 16 and 32 bits");
    if (!walk.admit(destination, size, "the destination", true) ||
        !walk.admit_row(source, uint64_t{8} * size * walk.repeats(), "the source")) {
        return;
    }
    Core& core = walk.core();
    Register out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        const uint32_t from = source.address + repeat * 8 * size;
        core.ub.read_range(core, walk.instruction(), from, from + 8 * size);
        for (uint32_t i = 0; i < kRepeatBytes; i += size) {
            std::memcpy(out.value + i, core.ub.data() + from + i / kBlockBytes * size, size);
            std::memcpy(out.shadow + i, core.ub.shadow() + from + i / kBlockBytes * size, size);
        }
        walk.store(destination, repeat, size, out);
    }
}

void set_vector_mask(bool counter, uint64_t high, uint64_t low) {
    VectorRegisters& registers = this_core().vector;
    registers.mask[0] = low;
    registers.mask[1] = high;
    if (counter) {
        registers.count = low;
    }
}

void set_mask_mode(bool counter) {
    VectorRegisters& registers = this_core().vector;
    registers.counter = counter;
    registers.count = registers.mask[0];
}

void reset_vector_mask() {
    VectorRegisters& registers = this_core().vector;
    registers.mask[0] = registers.mask[1] = ~uint64_t{0};
}

} // namespace twin
