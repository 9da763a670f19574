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

template <class Word>
Word word_at(const uint8_t* bytes, uint32_t i) {
    Word word;
    std::memcpy(&word, bytes + i * sizeof word, sizeof word);
    return word;
}

// Lane by lane between a and b, by the bits; and the same of what is undefined in them.
template <class Word>
void select_lanes(const Bits& bits, const Register& a, const Register& b, uint32_t lanes, Register& out) {
    const bool undefined = a.undefined || b.undefined || any_undefined(bits.shadow, sizeof bits.shadow);
    for (uint32_t i = 0; i < lanes; ++i) {
        const Word first = static_cast<Word>(-(bits.value[i / 8] >> (i % 8) & 1));
        const Word word = (word_at<Word>(a.value, i) & first) | (word_at<Word>(b.value, i) & ~first);
        std::memcpy(out.value + i * sizeof word, &word, sizeof word);
    }
    if (!undefined) {
        std::memset(out.shadow, 0, sizeof out.shadow);
        return;
    }
    for (uint32_t i = 0; i < lanes; ++i) {
        const Word first = static_cast<Word>(-(bits.value[i / 8] >> (i % 8) & 1));
        const Word either = static_cast<Word>(-(bits.shadow[i / 8] >> (i % 8) & 1));
        const Word word =
            (word_at<Word>(a.shadow, i) & first) | (word_at<Word>(b.shadow, i) & ~first) | either;
        std::memcpy(out.shadow + i * sizeof word, &word, sizeof word);
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
    Core& core = walk.core();
    Bits bits{};
    if (mask == nullptr) {
        std::memcpy(bits.value, core.vector.compare, sizeof bits.value);
        std::memcpy(bits.shadow, core.vector.compare_shadow, sizeof bits.shadow);
    }
    Register a{}, b{}, out{};
    for (uint32_t i = 0; by_scalar && i < kRepeatBytes; i += size) {
        std::memcpy(b.value + i, &scalar.bits, size);
    }
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
        if (size == 2) {
            select_lanes<uint16_t>(bits, a, b, walk.used(repeat), out);
        } else {
            select_lanes<uint32_t>(bits, a, b, walk.used(repeat), out);
        }
        walk.store(destination, repeat, size, out);
    }
}

} // namespace twin
