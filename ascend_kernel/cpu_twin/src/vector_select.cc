// Select, by a bit a lane: mode 0 uses one repeat's bits for all repeats, modes 1 and 2 go on through the
// bits.
#include "vector_walk.h"

#include <cstring>

namespace twin {

namespace {

constexpr int kRegisterMode = 0;
constexpr int kScalarMode = 1;

// Modes 1 and 2 keep their scalar or address in the unified buffer's last 8 KB, on A2 and A3.
void use_scratch(VectorWalk& walk) {
    Core& core = walk.core();
    if (arch() != 2201) {
        return;
    }
    core.buffers.select_scratch_used = true;
    if (core.buffers.top > kSelectScratchBegin) {
        core.fault(FaultKind::kSelectScratch, walk.instruction(),
                   "modes 1 and 2 write the 8 KB from " + std::to_string(kSelectScratchBegin) +
                       " on, and the buffers reach up to " + std::to_string(core.buffers.top) +
                       "; with these modes they must end at " + std::to_string(kSelectScratchBegin));
    }
    core.ub.poison(kSelectScratchBegin, kSelectScratchBegin + kRepeatBytes);
}

struct Bits {
    uint8_t value[16];
    uint8_t shadow[16];
};

void select(const Bits& bits, const Register& a, const Register* b, const uint8_t* scalar, uint32_t size,
            uint32_t lanes, Register& out) {
    for (uint32_t i = 0; i < lanes; ++i) {
        const bool first = (bits.value[i / 8] >> (i % 8) & 1) != 0;
        const bool undefined = (bits.shadow[i / 8] >> (i % 8) & 1) != 0;
        const uint8_t* from = first ? a.value + i * size : b != nullptr ? b->value + i * size : scalar;
        std::memcpy(out.value + i * size, from, size);
        uint8_t* shadow = out.shadow + i * size;
        if (undefined) {
            std::memset(shadow, 0xff, size);
        } else if (first) {
            std::memcpy(shadow, a.shadow + i * size, size);
        } else if (b != nullptr) {
            std::memcpy(shadow, b->shadow + i * size, size);
        } else {
            std::memset(shadow, 0, size);
        }
    }
}

} // namespace

void vector_select(const VectorCall& call, int mode, VectorOperand destination, const UbSpan* mask,
                   VectorOperand first, VectorOperand second, ScalarBits scalar) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    walk.require(call.type == DType::kHalf || call.type == DType::kFloat,
                 std::string("selects ") + name_of(call.type) + "; it has half and float");
    const bool by_scalar = mode == kScalarMode;
    if (mode != kRegisterMode) {
        use_scratch(walk);
    }
    const uint32_t row = walk.lanes_per_repeat() / 8;
    const uint32_t rows = mode == kRegisterMode ? 1 : walk.repeats();
    const uint64_t last = (walk.repeats() == 0 ? 0 : (walk.used(walk.repeats() - 1) + 7) / 8);
    const uint64_t mask_bytes = walk.repeats() == 0     ? 0
                                : mode == kRegisterMode ? (walk.used(0) + 7) / 8
                                                        : uint64_t{row} * (rows - 1) + last;
    if (!walk.admit(first, size, "source 0", false) ||
        (!by_scalar && !walk.admit(second, size, "source 1", false)) ||
        !walk.admit(destination, size, "the destination", true) ||
        (mask != nullptr && !walk.admit_row(*mask, mask_bytes, "the mask"))) {
        return;
    }
    uint8_t value[8];
    std::memcpy(value, &scalar.bits, sizeof value);
    Core& core = walk.core();
    Bits bits{};
    if (mask == nullptr) {
        std::memcpy(bits.value, core.vector.compare, sizeof bits.value);
        std::memcpy(bits.shadow, core.vector.compare_shadow, sizeof bits.shadow);
    }
    Register a{}, b{}, out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        if (mask != nullptr && (repeat == 0 || mode != kRegisterMode)) {
            const uint32_t from = mask->address + repeat * row;
            const uint32_t bytes = (walk.used(repeat) + 7) / 8;
            core.ub.read_range(core, walk.instruction(), from, from + bytes);
            std::memcpy(bits.value, core.ub.data() + from, bytes);
            std::memcpy(bits.shadow, core.ub.shadow() + from, bytes);
        }
        walk.load(first, repeat, size, a);
        if (!by_scalar) {
            walk.load(second, repeat, size, b);
        }
        select(bits, a, by_scalar ? nullptr : &b, value, size, walk.used(repeat), out);
        walk.store(destination, repeat, size, out);
    }
}

} // namespace twin
